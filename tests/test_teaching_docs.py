"""What docs/teaching.md tells teachers is so: the numbers, the commands, and the sheets it counts."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.lesson import LessonPosition
from bitduel.core.worksheet import SheetEvaluator
from bitduel.games.registry import GameClass, all_games, make
from bitduel.learning.print_sheets import SHEETS, document, make_sheets
from bitduel.solver.evaluators import evaluator_for
from helpers import bitduel

TEXT = (Path(__file__).parents[1] / "docs" / "teaching.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, flags=re.DOTALL | re.MULTILINE))
SOLVER = SheetEvaluator(evaluator_for)


def good(name: str, **options: int) -> list[int]:
    """The numbers that are good to leave, by the solver."""
    target = int(make(name, **options).options["target"])
    positions = {n: LessonPosition(make(name, **{**options, "start": n})) for n in range(1, target)}
    return [*(n for n, position in positions.items() if SOLVER.value(position) == LOSS), target]


def numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", text)]


def after(section: str, words: str) -> list[int]:
    """The numbers in a section between some words and the end of the sentence."""
    text = " ".join(SECTIONS[section].split())
    found = re.search(re.escape(words) + r"([^.:]*)", text)
    assert found, words
    return numbers(found[1])


def test_every_game_has_a_plan_of_45_minutes() -> None:
    for kind in all_games():
        plan = SECTIONS[kind.title]
        for part in ("Rules", "Aim", "You need", "What is true", "Questions that help", "Likely misconceptions"):
            assert f"**{part}" in plan
        for part in ("Easier", "Harder", "Unplugged with the whole class", "Belongs to"):
            assert f"**{part}." in plan
        times = [numbers(row) for row in re.findall(r"^\| (\d+ to \d+) \|", plan, flags=re.MULTILINE)]
        assert times[0][0] == 0
        assert times[-1][1] == 45
        assert all(earlier[1] == later[0] for earlier, later in pairwise(times))


def test_the_numbers_of_double_or_nothing_are_right() -> None:
    section = "Double or Nothing"
    assert after(section, "Good to leave are") == good("double")
    assert after(section, "Good to leave: 2,") == good("double", target=10)[1:]
    assert good("double", target=24) == [1, 4, 6, *range(14, 25, 2)]
    won = [t for t in range(2, 43) if SOLVER.value(LessonPosition(make("double", target=t))) == WIN]
    assert after(section, "does the player who starts win?") == won
    assert SOLVER.evaluation(LessonPosition(make("double"))).plies == 14


def test_the_numbers_of_the_race_to_64_are_right() -> None:
    found = good("64")
    assert [n for n in found if n % 2] == list(range(3, 64, 4))
    assert [n for n in found if n % 2 == 0] == [4, 12, 16, *range(36, 65, 4)]
    assert SOLVER.moves(LessonPosition(make("64")), WIN) == ["add"]
    assert SOLVER.evaluation(LessonPosition(make("64"))).plies == 32
    for number in range(1, 33, 2):
        assert "double" not in SOLVER.moves(LessonPosition(make("64", start=number)), WIN)
    for number in range(18, 33, 2):
        assert "double" in SOLVER.moves(LessonPosition(make("64", start=number)), WIN)


def test_what_is_said_of_the_track_is_right() -> None:
    assert SOLVER.moves(LessonPosition(make("31")), WIN) == ["16"]
    assert SOLVER.moves(LessonPosition(make("31"), ("1", "1", "1", "2")), WIN)
    exact = LessonPosition(make("31", finish="exact"))
    assert len(SOLVER.moves(exact, WIN)) == 5
    assert SOLVER.evaluation(exact).plies == 9


@pytest.mark.parametrize("command", re.findall(r"^   bitduel print ([^\n]*?)(?:  +\S.*)?$", TEXT, flags=re.MULTILINE))
def test_the_commands_print_sheets(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = bitduel("print", *command.split())
    assert ran.status == 0, ran.err
    assert list(tmp_path.glob("*.html"))


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_the_settings_that_a_plan_proposes_give_sheets(kind: GameClass) -> None:
    for group in re.findall(r"`((?:--set [\w-]+=\w+ ?)+)`", SECTIONS[kind.title]):
        options = dict(each.split("=") for each in re.findall(r"--set (\S+)", group))
        game = make(kind.short, **options)
        assert document(game, make_sheets(game, tuple(SHEETS), has_answers=True), "a4")


def test_the_sheets_have_as_many_pages_as_the_plan_says() -> None:
    for kind in all_games():
        game = kind()
        pages = {
            sheet: document(game, make_sheets(game, (sheet,), has_answers=False), "a4").count('class="sheet-page"')
            for sheet in SHEETS
        }
        assert pages["rules"] == 1
        assert pages["worksheet"] == (3 if kind.short == "bits" else 2)
        assert 1 <= pages["unplugged"] <= 3
