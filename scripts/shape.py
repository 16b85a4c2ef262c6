"""Measure the shape of the code: its size, its functions, who imports whom, and names that stand for two things.

Lazy imports inside functions count as imports. `--paths` lists the modules only, as a newcomer sees them first.
"""

import argparse
import ast
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SMALL = 60
"""A module with at most so many lines and one importer probably belongs in that importer."""


class Module(NamedTuple):
    """One file, parsed."""

    name: str
    path: Path
    tree: ast.Module
    lines: int


def modules(package: Path) -> dict[str, Module]:
    """Return every module below a package, by its dotted name."""
    found: dict[str, Module] = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, path, ast.parse(text), text.count("\n"))
    return found


def imported(module: Module, known: dict[str, Module]) -> Iterator[str]:
    """Return the modules of ours that a module imports, anywhere in it."""
    package = module.name if module.path.name == "__init__.py" else module.name.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    [*package.split(".")[: len(package.split(".")) - node.level + 1], *filter(None, [base])]
                )
            names = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base for alias in node.names]
        else:
            continue
        yield from (name for name in names if name in known and name != module.name)


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges.get(name, ()):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group: list[str] = []
            while not group or group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def functions(known: dict[str, Module]) -> list[tuple[int, str]]:
    """Return the length of every function, with its place."""
    return [
        (node.end_lineno - node.lineno + 1, f"{module.name}:{node.lineno} {node.name}")
        for module in known.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    ]


def doubled_classes(known: dict[str, Module]) -> dict[str, list[str]]:
    """Return the public names of classes that are defined in more than one module."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in known.values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.name)
    return {name: where for name, where in sorted(places.items()) if len(where) > 1}


def report(package: Path) -> None:
    """Print every figure."""
    known = modules(package)
    edges = {name: set(imported(module, known)) for name, module in known.items()}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, others in edges.items():
        for other in others:
            importers[other].add(name)
    plain = [module for module in known.values() if module.path.name != "__init__.py"]
    single = [module for module in plain if len(importers[module.name]) == 1]
    small = [module for module in single if module.lines <= SMALL]
    sizes = sorted(length for length, _ in functions(known))
    longest = max(functions(known))
    circles, doubled = cycles(edges), doubled_classes(known)
    print(f"files                        {len(known)}")
    print(f"lines                        {sum(module.lines for module in known.values())}")
    p90 = sizes[int(0.9 * len(sizes))]
    print(
        f"functions                    {len(sizes)}: median {statistics.median(sizes):g}, p90 {p90}, max {longest[0]}"
    )
    print(f"longest function             {longest[1]}")
    print(f"modules with one importer    {len(single)}, of them at most {SMALL} lines: {len(small)}")
    print(
        f"circles of imports           {len(circles)}: {'; '.join(', '.join(circle) for circle in circles) or 'none'}"
    )
    print(f"public classes by one name   {len(doubled)}: {', '.join(doubled) or 'none'}")


def main() -> int:
    """Report on the package, or list its modules."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("package", nargs="?", type=Path, default=ROOT / "src" / "bitduel")
    options.add_argument("--paths", action="store_true", help="list the modules only")
    chosen = options.parse_args()
    if chosen.paths:
        print(*sorted(str(path.relative_to(chosen.package)) for path in chosen.package.rglob("*.py")), sep="\n")
    else:
        report(chosen.package)
    return 0


if __name__ == "__main__":
    sys.exit(main())
