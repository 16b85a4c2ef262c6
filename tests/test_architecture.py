"""The architecture: who may import whom, that no package after games/ names a game, and that one name is one thing."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from bitduel.games.registry import all_games

SOURCE = Path(__file__).parents[1] / "src" / "bitduel"
ORDER = [
    "core",
    "games",
    "solver",
    "players",
    "rendering",
    "storage",
    "service",
    "learning",
    "classroom",
    "arena",
    "testing",
]
WAYS_IN = ["terminal", "web", "rl", "mcp"]
"""Below all others, and side by side: none knows another."""
SHARED_BY_ROOMS = ("number_race", "law_evaluator")
FILES = {path.relative_to(SOURCE): path for path in sorted(SOURCE.rglob("*.py"))}


class Module(NamedTuple):
    """What one file says: the modules of ours that it imports anywhere, its names and its texts."""

    imports: list[str]
    relative: bool
    names: set[str]
    texts: list[str]

    @property
    def words(self) -> set[str]:
        return {part for word in self.names.union(self.imports) for part in word.split(".")}


@cache
def module(path: Path) -> Module:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    others = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    ours = [name for name in plain + [node.module or "" for node in others] if name.startswith("bitduel.")]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return Module(ours, any(node.level for node in others), names, texts)


def test_imports_are_absolute() -> None:
    assert not [str(name) for name, path in FILES.items() if module(path).relative]


def test_a_folder_imports_only_folders_above_it() -> None:
    wrong = []
    for name, path in FILES.items():
        folder = name.parts[0]
        above = ORDER[: ORDER.index(folder) + 1] if folder in ORDER else [*ORDER, folder]
        wrong += [f"{name} imports {each}" for each in module(path).imports if each.split(".")[1] not in above]
    assert not [each for each in wrong if "/" in each.partition(" ")[0]]


def test_every_folder_has_its_place() -> None:
    assert {name.parts[0] for name in FILES if len(name.parts) > 1} <= {*ORDER, *WAYS_IN}


def test_only_the_list_of_commands_knows_all_ways_in_and_no_import_hides_in_a_string() -> None:
    way = re.compile(rf"\bbitduel\.({'|'.join(WAYS_IN)})\b")
    wrong = [
        f"{name} says {text!r}"
        for name, path in FILES.items()
        if name.name != "cli.py"
        for text in module(path).texts
        if any(found != name.parts[0] for found in way.findall(text))
    ]
    assert not wrong


def test_a_room_imports_no_other_room() -> None:
    rooms = {name: path for name, path in FILES.items() if name.parts[0] == "games" and len(name.parts) > 2}
    wrong = [
        f"{name} imports {each}"
        for name, path in rooms.items()
        for each in module(path).imports
        if each.startswith("bitduel.games.") and each.split(".")[2] not in (name.parts[1], *SHARED_BY_ROOMS)
    ]
    assert rooms
    assert not wrong


def test_no_folder_after_games_names_a_game() -> None:
    names = {name for kind in all_games() for name in (kind.slug, kind.slug.replace("-", "_"), kind.__name__)}
    slugs = re.compile("|".join(re.escape(kind.slug) for kind in all_games()))
    later = {name: path for name, path in FILES.items() if name.parts[0] not in ("games", "core")}
    assert later
    assert not {str(name): found for name, path in later.items() if (found := names & module(path).words)}
    assert not {str(name) for name, path in later.items() if any(map(slugs.search, module(path).texts))}


SAYS_NOTHING = {
    "stirrings",
    "evenly",
    "shortly",
    "herald",
    "told",
    "wishes",
    "saying",
    "telling",
    "asking",
    "mine",
    "ready",
    "way",
    "lookout",
    "studio",
    "warden",
    "sure",
    "sight",
    "glance",
    "kept",
    "together",
    "said",
    "talk",
    "disguise",
    "eyes",
    "keeper",
    "house",
    "room",
    "shelf",
    "dark",
    "util",
    "utils",
    "misc",
    "common",
    "helper",
    "helpers",
    "manager",
    "info",
    "data",
}
"""Names of modules that tell a newcomer nothing about what is inside."""


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [str(name) for name in FILES if SAYS_NOTHING & {name.stem, *name.parts[:-1]}]


def test_no_two_public_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for name, path in FILES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(name))
    assert not {name: where for name, where in places.items() if len(where) > 1}


HEAVY = {"rich", "numpy", "scipy", "sqlalchemy", "alembic", "numba", "fastapi", "starlette", "jinja2", "platformdirs"}


def loaded(*arguments: str, stdin: str = "") -> set[str]:
    """The packages that are loaded when a command has run."""
    code = (
        "import sys\nfrom bitduel.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=stdin, capture_output=True, text=True, check=True
    )
    return set(run.stderr.split())


def test_asking_for_the_version_loads_next_to_nothing() -> None:
    assert not (HEAVY | {"click", "typing", "re"}) & loaded("--version")


@pytest.mark.parametrize("arguments", [("--help",), ("-V",), ("games",), ("rules", "64")])
def test_what_needs_no_more_loads_nothing_heavier_than_click(arguments: tuple[str, ...]) -> None:
    packages = loaded(*arguments)
    assert "click" in packages
    assert not HEAVY & packages


STORE = {"sqlalchemy", "alembic", "platformdirs", "mako"}


def test_playing_between_people_loads_nothing_heavy_but_the_store() -> None:
    moves = "2\n1\n2\n2\n2\n2\n"
    assert not (HEAVY - STORE) & loaded("play", all_games()[0].slug, "--plain", stdin=moves)
    assert not HEAVY & loaded("play", all_games()[0].slug, "--plain", "--no-save", stdin=moves)
