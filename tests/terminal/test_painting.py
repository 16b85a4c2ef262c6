import re

from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.games.registry import make
from bitduel.learning.review import review
from bitduel.learning.review_text import VIEWPOINT
from bitduel.terminal.painting import paint, paint_review
from bitduel.terminal.text import display_width

LAMPS = Row("Ada", (Cell("0", "1", Mark.OFF), Cell("1", "2", Mark.ON)), 1)


def lines(picture: Picture, width: int = 60, unicode: bool = True) -> list[str]:
    return [text.plain.rstrip() for text in paint(picture, width, unicode)]


def test_lamps_differ_by_sign_and_not_only_by_colour() -> None:
    assert lines(Picture("", rows=(LAMPS,))) == ["  Ada  ○ ●", "       1 2"]
    assert lines(Picture("", rows=(LAMPS,)), unicode=False) == ["  Ada  . #", "       1 2"]


def test_a_scale_shows_where_a_token_stands() -> None:
    scale = Scale(0, 4, (Token("n", 2),))
    assert lines(Picture("", scale=scale), 30, False) == ["  n  0 ========O------- |4   2"]


@given(st.integers(0, 2**31), st.integers(1, 2**31), st.integers(1, 200))
def test_every_token_stays_on_the_line(at: int, high: int, width: int) -> None:
    scale = Scale(0, high, (Token("token", at, 1),), span=(min(at, high), high))
    shown = lines(Picture("", scale=scale), width)
    assert len(shown) in (2, 4)
    assert shown[0].count("◆") == 1
    assert all(len(line) <= max(width, 40) for line in shown)


def test_a_token_beyond_the_goal_stands_behind_its_flag() -> None:
    shown = lines(Picture("", scale=Scale(0, 20, (Token("number", 28),))), 40)[0]
    assert "◆" in shown.split("⚑20")[1]
    assert "◆" not in shown.split("⚑20")[0]
    assert len(shown) <= 40


def test_a_review_shortens_names_and_never_moves() -> None:
    match = Match(make("bits", bits=12), moves=["flip 10", "flip 11"])
    shown = [line.plain for line in paint_review(review(match), ("Ada", "Computer (perfect)"), True, 40)]
    assert any("flip 11" in line for line in shown)
    assert all(display_width(line) <= 40 for line in shown)


def test_a_review_tells_the_sides_apart_where_names_are_shortened() -> None:
    match = Match(make("bits", bits=12), moves=["flip 10", "flip 11"])
    shown = [line.plain for line in paint_review(review(match), ("Player 1", "Player 2"), True, 40)]
    assert shown[0].split() == ["Playe…1", "Playe…2"]
    narrow = [line.plain for line in paint_review(review(match), ("Computer (hard)", "Computer (easy)"), True, 40)]
    assert [line.split(":")[0][-5:] for line in narrow if ": flip" in line] == ["hard)", "easy)"]


def test_in_the_dark_every_figure_of_a_review_is_the_movers_own_and_luck_begins_where_the_last_one_stood() -> None:
    moves = [f"toggle {bit}" for bit in (1, 5, 2, 1, 3, 3, 4, 5, 5, 4, 1, 3)]
    found = review(Match(make("battle"), deal="10010", moves=moves), ("Ada", "Alan"))
    shown = [line.plain for line in paint_review(found, ("Ada", "Alan"), True, 200)]
    assert [line for line in shown if VIEWPOINT in line] == shown[:1]
    figures: dict[str, str] = {}
    mover, lucky = "nobody", 0
    for line in shown:
        if moved := re.match(r" +\d+\. (\w+): toggle", line):
            mover, before = moved[1], dict(figures)
            if own := re.search(r"(\w+) wins (\d+)% of the time$", line):
                assert own[1] == mover
                figures[mover] = own[2]
        elif told := re.search(rf"changed {mover}'s chance of winning from (\d+)% to (\d+)%", line):
            lucky += 1
            assert told[1] == before[mover]
    assert lucky == sum(step.luck is not None and not step.luck.ended for step in found.steps) > 0
    assert list(figures) == ["Ada", "Alan"]


def test_where_all_is_open_a_review_speaks_of_no_chance() -> None:
    match = Match(make("double", target=3), moves=["add", "add"])
    assert "figure" not in "".join(line.plain for line in paint_review(review(match), ("Ada", "Alan"), True))
