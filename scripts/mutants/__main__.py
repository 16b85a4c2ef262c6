"""Change one sign, constant or branch at a time in a copy of the rules and their judges, and see whether a test fails.

A change that no test notices is told by name, so that it gets a test or, where it changes nothing that anybody could
see, a line in `tests/equivalents.toml` that says why. The sample is fixed: the changes whose names hash lowest.
"""

import argparse
import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "games", "solver", "players", "learning")
ASIDE = ("lesson.py",)
"""Lessons are examples, and another one is as good; their own tests ask the oracle whether all they say is true."""
EQUIVALENTS = ROOT / "tests" / "equivalents.toml"

TESTS = [
    *(f"tests/{folder}" for folder in (*FOLDERS, "testing", "rendering", "terminal")),
    *("tests/benchmarks/test_scores.py", "tests/test_library.py", "tests/test_theorems.py"),
    *(f"tests/web/test_{name}.py" for name in ("api", "game_pages", "hidden", "review_pages", "position_pages")),
]
"""Where it is looked for tests that notice."""

ELSEWHERE = {"players/sandbox.py": "players/process.py"}
"""What runs in a process of its own, and the file that starts it: its tests are those that call that file."""

QUICK = 25
"""So many tests are tried first; what they let pass is tried by all the others."""

PATIENCE = 600
"""Seconds after which tests that do not end have noticed."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
REACHED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One change of one expression in one file."""

    file: str
    where: str
    begin: int
    end: int
    old: str
    new: str
    called: bool
    """Whether it is in a function, so that tests call it."""
    nth: int = 1

    @property
    def name(self) -> str:
        """What it is known by: the place, what stood there and what stands there now."""
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.file} {self.where}: {self.old} -> {self.new}{again}"


def changed(node: ast.AST) -> Iterator[ast.expr]:
    """Return the expressions that differ from this one by one sign, one constant or one branch."""
    match node:
        case ast.Compare(left, [operator], right) if type(operator) in COMPARED:
            yield ast.Compare(left, [COMPARED[type(operator)]()], right)
        case ast.BinOp(left, operator, right) if type(operator) in REACHED:
            yield ast.BinOp(left, REACHED[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Name(name, ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name])


def branch(node: ast.AST) -> ast.expr | None:
    """Return the condition of a branch, a loop or a filter, which may also be negated as a whole."""
    if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.UnaryOp | ast.BoolOp):
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node.test
    return None


class Finder(ast.NodeVisitor):
    """Walks a file and keeps every change that can be made in it."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.source = source.encode()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.names: list[str] = []
        self.functions = 0
        self.found: list[Mutant] = []

    def visit(self, node: ast.AST) -> None:
        """Keep what can be changed here, then look further; annotations, defaults of types and texts are let be."""
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.AnnAssign) and node.value is None):
            return
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return
        if isinstance(node, ast.FunctionDef) and node.returns and "LessonStep" in ast.unparse(node.returns):
            return
        for new in changed(node):
            self._keep(node, new)
        condition = branch(node)
        if condition is not None:
            self._keep(condition, ast.UnaryOp(ast.Not(), condition))
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.names.append(node.name)
            self.functions += isinstance(node, ast.FunctionDef)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)
        if named:
            self.names.pop()
            self.functions -= isinstance(node, ast.FunctionDef)

    def _keep(self, node: ast.AST, new: ast.expr) -> None:
        if not isinstance(node, ast.expr) or node.end_lineno is None or node.end_col_offset is None:
            return
        if self.names and self.names[-1] in ("__repr__", "_repr_svg_", "__reduce__"):
            return
        begin = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        old = " ".join(self.source[begin:end].decode().split())
        where, called = ".".join(self.names) or "module", self.functions > 0
        made = Mutant(self.file, where, begin, end, old, ast.unparse(new), called)
        same = sum(each._replace(nth=1, begin=begin, end=end) == made for each in self.found)
        self.found.append(made._replace(nth=same + 1))


def mutants() -> list[Mutant]:
    """Every change that can be made, in a fixed random order."""
    found: list[Mutant] = []
    for folder in FOLDERS:
        for path in sorted((ROOT / "src" / "bitduel" / folder).rglob("*.py")):
            if path.name not in ASIDE:
                source = path.read_text()
                finder = Finder(str(path.relative_to(ROOT / "src" / "bitduel")), source)
                finder.visit(ast.parse(source))
                found += finder.found
    return sorted(found, key=lambda mutant: hashlib.sha256(mutant.name.encode()).digest())


def reached(copy: Path, jobs: int) -> dict[str, dict[str, float]]:
    """For every function the tests that call it, with how long each takes."""
    with TemporaryDirectory() as notes:
        sources = str(copy / "src" / "bitduel")
        more = {"BITDUEL_REACH": notes, "BITDUEL_REACH_SOURCES": sources, "PYTHONPATH": f"{copy}/src:{copy}"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "scripts.mutants.called_functions",
            "-n",
            str(jobs),
            *TESTS,
        ]
        ran = subprocess.run(command, cwd=copy, env={**os.environ, **more}, capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(f"The tests fail as it is:\n{ran.stdout[-3000:]}")
        found: dict[str, dict[str, float]] = {}
        for file in Path(notes).iterdir():
            for name, tests in json.loads(file.read_text()).items():
                found.setdefault(name, {}).update(tests)
    return found


def rings(mutant: Mutant, calls: dict[str, dict[str, float]]) -> Iterator[list[str]]:
    """Yield the tests that call the changed function, quick ones first; outside functions, those of the file."""
    tests = calls.get(f"{mutant.file} {mutant.where}") if mutant.called else None
    if tests is None:
        inside = [found for name, found in calls.items() if name.startswith(f"{mutant.file} ")]
        tests = {test: took for found in inside for test, took in found.items()}
    if mutant.file in ELSEWHERE:
        started = [found for name, found in calls.items() if name.startswith(f"{ELSEWHERE[mutant.file]} ")]
        tests = tests | {test: took for found in started for test, took in found.items()}
    ordered = sorted(tests, key=lambda test: (not _near(test, mutant.file), tests[test]))
    for begin, end in ((0, QUICK), (QUICK, 8 * QUICK), (8 * QUICK, None)):
        if ordered[begin:end]:
            yield ordered[begin:end]


def _near(test: str, file: str) -> bool:
    """Whether a test is in the file that mirrors the changed one, or in that of its room."""
    return Path(test.split("::")[0]).stem.removeprefix("test_") in Path(file).with_suffix("").parts


def noticed(mutant: Mutant, copy: Path, calls: dict[str, dict[str, float]]) -> str | None:
    """Return the test that notices a change in this copy of the sources, or None."""
    target = copy / "src" / "bitduel" / mutant.file
    source = target.read_bytes()
    target.write_bytes(source[: mutant.begin] + f"({mutant.new})".encode() + source[mutant.end :])
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", "--tb=line"]
    try:
        for ring in rings(mutant, calls):
            try:
                ran = subprocess.run(
                    [*command, *ring], cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE
                )
            except subprocess.TimeoutExpired:
                return f"no end after {PATIENCE} s"
            if ran.returncode:
                lines = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return lines[0].split(" - ")[0] if lines else "not even imported"
    finally:
        target.write_bytes(source)
    return None


def equivalents() -> dict[str, str]:
    """Return the changes that no test could notice, each with the reason."""
    told = tomllib.loads(EQUIVALENTS.read_text())["equivalent"] if EQUIVALENTS.exists() else []
    return {each["change"]: each["why"] for each in told}


def main() -> int:
    """Make a sample of changes, tell of each whether it was noticed, and sum up."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sample", type=int, default=120, help="how many changes (default 120)")
    arguments.add_argument("--skip", type=int, default=0, help="begin further on in the fixed order")
    arguments.add_argument("--file", help="only changes in files whose path contains this")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = arguments.parse_args()
    all_changes = [mutant for mutant in mutants() if not chosen.file or chosen.file in mutant.file]
    sample = all_changes[chosen.skip : chosen.skip + chosen.sample]
    known = equivalents()
    print(f"{len(all_changes)} changes can be made; {len(sample)} are tried.", flush=True)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copy = Path(folder) / str(number)
            ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
            shutil.copytree(ROOT, copy, ignore=ignored)
            copies.put(copy)

        print("Looking which tests call what ...", flush=True)
        calls = reached(Path(folder) / "0", chosen.jobs)

        def tried(mutant: Mutant) -> tuple[Mutant, str | None]:
            copy = copies.get()
            try:
                return mutant, noticed(mutant, copy, calls)
            finally:
                copies.put(copy)

        survivors: list[Mutant] = []
        for number, (mutant, by) in enumerate(pool.map(tried, [m for m in sample if m.name not in known]), 1):
            print(f"{number:4} {'noticed ' if by else 'SURVIVED'} {mutant.name}", flush=True)
            if by:
                print(f"              by {by}", flush=True)
            else:
                survivors.append(mutant)
    alike = [mutant for mutant in sample if mutant.name in known]
    for mutant in alike:
        print(f"     equivalent {mutant.name}\n              {known[mutant.name]}")
    counted = len(sample) - len(alike)
    print(f"{counted - len(survivors)} of {counted} noticed, {len(survivors)} survived, {len(alike)} change nothing.")
    return int(20 * len(survivors) > counted)


if __name__ == "__main__":
    sys.exit(main())
