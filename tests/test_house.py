"""The order of the house: who may import whom, and that no folder after games/ names a game."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bitduel.games import shelf

SOURCE = Path(__file__).parents[1] / "src" / "bitduel"
ORDER = ["core", "games", "solve", "players", "paint", "store", "tables", "testing", "arena"]
WAYS_IN = ["terminal", "web", "rl", "mcp"]
"""Below all others, and side by side: none knows another."""
SHARED_BY_ROOMS = ("number_race", "number_lesson", "law")
FILES = sorted(SOURCE.rglob("*.py"))
LATER = [path for path in FILES if path.relative_to(SOURCE).parts[0] != "games" and path.parent.name != "core"]


def imported(path: Path) -> list[str]:
    """Every module of ours that a file imports, at the top or inside a function."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    from_ours = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) if not node.level]
    assert not any(node.level for node in nodes if isinstance(node, ast.ImportFrom)), "imports are absolute"
    return [name for name in plain + from_ours if name.startswith("bitduel.")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_folder_imports_only_folders_above_it(path: Path) -> None:
    folder = path.relative_to(SOURCE).parts[0]
    if folder.endswith(".py"):
        return
    above = ORDER[: ORDER.index(folder) + 1] if folder in ORDER else [*ORDER, folder]
    for name in imported(path):
        assert name.split(".")[1] in above, f"{path} imports {name}"


def test_every_folder_has_its_place() -> None:
    folders = {path.relative_to(SOURCE).parts[0] for path in FILES if len(path.relative_to(SOURCE).parts) > 1}
    assert folders <= {*ORDER, *WAYS_IN}


@pytest.mark.parametrize("path", [p for p in FILES if p.name != "cli.py"], ids=lambda p: str(p.relative_to(SOURCE)))
def test_only_the_list_of_commands_knows_all_ways_in_and_no_import_hides_in_a_string(path: Path) -> None:
    folder = path.relative_to(SOURCE).parts[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    named = {way for way in WAYS_IN for text in strings if re.search(rf"\bbitduel\.{way}\b", text)}
    assert named <= {folder}


@pytest.mark.parametrize("path", [p for p in FILES if "games" in p.parts], ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_room_imports_no_other_room(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    room = parts[1] if len(parts) > 2 else None
    if room is None:
        return
    for name in imported(path):
        if name.startswith("bitduel.games."):
            assert name.split(".")[2] in (room, *SHARED_BY_ROOMS), f"{path} imports {name}"


@pytest.mark.parametrize("path", LATER, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_folder_after_games_names_a_game(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {name for kind in shelf() for name in (kind.slug, kind.slug.replace("-", "_"), kind.__name__)}
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | set(imported(path))
    code = {part for word in words for part in word.split(".")}
    assert not names & code
    slugs = re.compile("|".join(re.escape(kind.slug) for kind in shelf()))
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    assert not [text for text in strings if slugs.search(text)]


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
    assert not (HEAVY - STORE) & loaded("play", shelf()[0].slug, "--plain", stdin=moves)
    assert not HEAVY & loaded("play", shelf()[0].slug, "--plain", "--no-save", stdin=moves)
