"""A sixth game is a package of its own: once it is installed it has all that the others have, with no other change."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from agents import agent, play, program
from bitduel.games.registry import BUILT_IN
from helpers import Ran
from web.sites import Server, bearer

PACKAGE = Path(__file__).parent / "sixth_game"
STEPS = PACKAGE.parent / "nim_lesson.py"
LESSONS = PACKAGE.parent.parent / "docs" / "lessons.md"
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
SLUGS = [kind.slug for kind in BUILT_IN]

Use = Callable[..., None]


def bitduel(*arguments: str, stdin: str = "", status: int = 0) -> Ran:
    """Run the command line in a process of its own, as in a pipe."""
    command = [sys.executable, "-m", "bitduel", *arguments]
    ran = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    assert ran.returncode == status, ran.stdout + ran.stderr
    return Ran(ran.stdout, ran.stderr, ran.returncode)


def told(*arguments: str) -> Any:
    """What a command tells programs."""
    return json.loads(bitduel(*arguments, "--json").out)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package was installed from its wheel."""
    return from_wheel(tmp_path_factory.mktemp("little-nim"))


def from_wheel(tmp: Path, **more: str) -> Path:
    """Install the package from its wheel into a folder, with more files in its source or others in their place."""
    source = shutil.copytree(PACKAGE, tmp / "source", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in more.items():
        (source / f"{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", BUILD, str(tmp)]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True)
    with ZipFile(tmp / built.stdout.strip()) as wheel:
        wheel.extractall(tmp / "installed")
    return tmp / "installed"


def test_a_lesson_in_a_file_of_its_own_is_packed_and_given(tmp_path: Path, use: Use) -> None:
    """As docs/lessons.md says: the class method, and the steps beside it."""
    game, steps, told = (path.read_text(encoding="utf-8") for path in (PACKAGE / "little_nim.py", STEPS, LESSONS))
    found = re.search(r"    @classmethod\n    def lesson.*?return lesson\(\)\n", told, re.DOTALL)
    assert found
    mark = "    def start(self"
    assert mark in game
    taught = game.replace(mark, f"{found[0]}\n{mark}", 1)
    use(from_wheel(tmp_path, little_nim=taught, little_nim_lesson=steps.replace("sixth_game.", "")))
    assert "lesson" in bitduel("check", "nim").out
    assert bitduel("learn", "nim", stdin="quit\n").out
    assert "nim " in bitduel("learn").out


@pytest.mark.usefixtures("use")
def test_the_package_has_nothing_but_the_game(installed: Path) -> None:
    assert [file.name for file in installed.glob("*.py")] == ["little_nim.py"]


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Use:
    """Let the programs that are started see what is installed in some folders, and an empty store."""

    def see(*folders: Path) -> None:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)))

    monkeypatch.setenv("BITDUEL_DB", f"sqlite:///{tmp_path}/matches.db")
    return see


@pytest.fixture
def nim(installed: Path, use: Use) -> None:
    """With the sixth game, and nothing else."""
    use(installed)


@pytest.mark.usefixtures("nim")
def test_it_is_listed_after_the_built_in_games() -> None:
    listed = told("games")
    assert [game["slug"] for game in listed] == [*SLUGS, "little-nim"]
    assert listed[-1]["short"] == "nim"
    assert [(option["name"], option["default"]) for option in listed[-1]["options"]] == [("sticks", 7)]


@pytest.mark.usefixtures("use")
def test_it_is_gone_when_the_package_is() -> None:
    assert [game["slug"] for game in told("games")] == SLUGS


@pytest.mark.usefixtures("nim")
def test_it_has_rules() -> None:
    rules = bitduel("rules", "little-nim")
    assert "Take one, two or three sticks. Whoever takes the last one wins." in rules.out
    assert "sticks=7  how many sticks there are (a whole number from 1 to 1000)" in rules.out


@pytest.mark.usefixtures("nim")
def test_two_people_play_it_in_the_terminal() -> None:
    ran = bitduel("play", "nim", "--set", "sticks=4", stdin="4\nmoves\n3\n1\n")
    assert ran.err == ""
    assert ran.out == (
        "4 sticks.\n"
        "Player 1, take 1 or 2 or 3: 4\n"
        "You cannot take that.\n"
        "Player 1, take 1 or 2 or 3: moves\n"
        "  1  3 sticks are left\n"
        "  2  2 sticks are left\n"
        "  3  1 sticks are left\n"
        "Player 1, take 1 or 2 or 3: 3\n"
        "Player 1 takes 3.\n"
        "\n"
        "1 sticks.\n"
        "Player 2, take 1: 1\n"
        "Player 2 takes 1.\n"
        "Player 2 takes the last stick and wins.\n"
    )


@pytest.mark.usefixtures("nim")
def test_the_computer_plays_it() -> None:
    perfect = bitduel("play", "nim", "--vs", "perfect", "--set", "sticks=8", stdin="1\n1\n")
    assert perfect.out.endswith("Player 2 takes 3.\nPlayer 2 takes the last stick and wins.\n")
    level = bitduel("play", "nim", "--vs", "level:2", "--set", "sticks=4", stdin="1\n")
    assert level.out.endswith("Player 2 takes 3.\nPlayer 2 takes the last stick and wins.\n")


@pytest.mark.thorough
@pytest.mark.usefixtures("nim")
def test_it_is_kept_resumed_replayed_reviewed_exported_imported_and_counted() -> None:
    bitduel("play", "nim", "--name1", "Ada", stdin="1\n", status=1)
    (left,) = told("history", "--game", "nim")
    assert (left["game"], left["moves"], left["over"]) == ("little-nim", ["1"], None)
    assert bitduel("resume", stdin="3\n3\n").out.endswith("Ada takes the last stick and wins.\n")

    kept = told("show", left["id"])
    assert (kept["moves"], kept["over"]) == (["1", "3", "3"], {"winner": 1, "reason": "last"})
    replayed = bitduel("replay", left["id"]).out
    assert replayed.endswith("3. Ada: 3\n   0 sticks are left.\nAda takes the last stick and wins.\n")
    reviewed = bitduel("review", left["id"]).out
    assert "Ada could still have won here with 3\n" in reviewed
    assert "Player 2 could still have won here with 2. It was the last chance\n" in reviewed

    text = bitduel("export", left["id"]).out
    assert text.startswith('[Game "little-nim"]\n[Options "sticks=7"]\n[Player1 "Ada"]\n')
    kept = bitduel("import", "-", stdin=text).out
    assert kept == f"This match is already saved as {left['id']}. Nothing was added.\n"
    text = text.replace("Ada", "Eve")
    again = bitduel("import", "-", stdin=text).out.removeprefix("Saved as match ").removesuffix(".\n")
    assert bitduel("export", again).out == text
    assert [(row["game"], row["won"]) for row in told("stats", "--player", "Ada")] == [("little-nim", 1)]


@pytest.mark.usefixtures("nim")
def test_it_is_solved() -> None:
    solved = told("solve", "nim")
    assert (solved["value"], solved["plies"]) == ("win", 3)
    assert [choice["value"] for choice in solved["choices"]] == ["loss", "loss", "win"]
    atlas = told("atlas", "nim", "--over", "sticks=1..12")
    assert [cell["sticks"] for cell in atlas["cells"] if cell["value"] == "loss"] == [4, 8, 12]


@pytest.mark.usefixtures("nim")
def test_it_keeps_the_contract() -> None:
    assert bitduel("check", "nim").out.endswith("\nEverything is correct.\n")


@pytest.fixture
def server(nim: None, tmp_path: Path) -> Iterator[Server]:
    """A site whose process sees the package."""
    made = Server(os.environ["BITDUEL_DB"], tmp_path / "server.log")
    try:
        yield made.ready()
    finally:
        made.kill()


def test_it_is_played_on_the_site(server: Server) -> None:
    with server.client() as client:
        assert "Little Nim" in client.get("/").text
        wish = {"game": "nim", "options": {"sticks": 8}, "opponent": "perfect", "first": "1"}
        seat = client.post("/api/v1/matches", json=wish).raise_for_status().json()
        match = seat["match"]
        while not match["view"]["over"]:
            move = {"ply": match["view"]["ply"], "move": match["view"]["legal"][0]}
            address = f"/api/v1/matches/{match['id']}/moves"
            match = client.post(address, json=move, headers=bearer(seat["token"])).raise_for_status().json()
        assert match["view"]["history"] == ["1", "3", "1", "3"]
        assert match["view"]["over"] == {"winner": 2, "reason": "last"}
        for page in ("/", "/games/little-nim", f"/matches/{match['id']}", f"/matches/{match['id']}/review"):
            assert client.get(page).status_code == 200, page


@pytest.mark.usefixtures("nim")
def test_it_is_played_by_agents() -> None:
    with agent(program(os.environ["BITDUEL_DB"])) as who:
        assert [game["slug"] for game in who.ask("list_games")["games"]] == [*SLUGS, "little-nim"]
        assert "sticks" in who.tools["start_match"].input_schema["properties"]["options"]["properties"]
        seat = who.ask("start_match", game="nim", options={"sticks": 8}, opponent="perfect", first="1")
        match = play(who, seat, lambda match: str(match["legal"][0]))
        assert match["over"] == {"winner": 2, "reason": "last"}
        seat = who.ask("start_match", game="nim", opponent="random", first="1")
        assert who.ask("hint", match_id=seat["match_id"], token=seat["token"])["best"] == ["3"]


BROKEN = {
    "failing": ("import there_is_no_such_module", "ModuleNotFoundError: No module named 'there_is_no_such_module'."),
    "nothing": ("Sixth = 6", "TypeError: 6 is not a game."),
    "taken": (
        "import little_nim\n\nclass Sixth(little_nim.LittleNim):\n    slug, short = 'big-nim', '64'\n",
        "ValueError: the name '64' is taken.",
    ),
}
"""Packages that cannot be used: what is in them, and why they are left out."""


def install(folder: Path, name: str) -> Path:
    """Put one of those packages into a folder of its own, as if it were installed."""
    notes = folder / name / f"{name}-1.dist-info"
    notes.mkdir(parents=True)
    (notes.parent / f"{name}.py").write_text(BROKEN[name][0])
    (notes / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (notes / "entry_points.txt").write_text(f"[bitduel.games]\n{name} = {name}:Sixth\n")
    return notes.parent


@pytest.mark.thorough  # the next test has all of them at once
@pytest.mark.parametrize("name", BROKEN)
def test_a_package_that_cannot_be_used_is_one_line_and_the_other_games_are_there(
    name: str, installed: Path, use: Use, tmp_path: Path
) -> None:
    use(install(tmp_path, name), installed)
    listed = bitduel("games", "--json")
    assert listed.err == f"bitduel: can't use the game '{name}': {BROKEN[name][1]}\n"
    assert [game["slug"] for game in json.loads(listed.out)] == [*SLUGS, "little-nim"]


def test_several_such_packages_are_a_line_each_and_the_match_goes_on(installed: Path, use: Use, tmp_path: Path) -> None:
    use(*(install(tmp_path, name) for name in BROKEN), installed)
    played = bitduel("play", "nim", "--set", "sticks=1", stdin="1\n")
    assert played.out.endswith("Player 1 takes the last stick and wins.\n")
    lines = [f"bitduel: can't use the game '{name}': {why}" for name, (_, why) in BROKEN.items()]
    assert played.err.splitlines() == lines
