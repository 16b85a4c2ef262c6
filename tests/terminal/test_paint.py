from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.terminal.paint import paint

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
