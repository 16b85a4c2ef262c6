import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import PLAYERS
from bitduel.games import SHELF, Kind
from bitduel.solve.review import Review, Standing, Step, review
from bitduel.web.paint import WIDE, miniature_svg, picture_svg, review_svg

LAMPS = Row("Ada", (Cell("0", "1", Mark.OFF), Cell("1", "2", Mark.ON)), 1)
NASTY = '<script>alert("&")</script>'
NUMBER = re.compile(r"-?[\d.]+")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [element for element in parsed(svg).iter() if name in element.get("class", "").split()]


def places(svg: str) -> list[float]:
    """How far right every token stands."""
    return [float(NUMBER.findall(token.get("transform", ""))[0]) for token in of_class(svg, "token")]


def step(ply: int, after: Standing, turning: bool = False) -> Step:
    return Step(ply, ply % 2 + 1, "add", Standing(1, 5), after, ("double",) if turning else (), turning, "")


def test_lamps_differ_by_shape_and_digit_and_not_only_by_colour() -> None:
    svg = picture_svg(Picture("Ada has 0 1.", rows=(LAMPS,)))
    lamps = of_class(svg, "lamp")
    assert [lamp.get("class") for lamp in lamps] == ["lamp off", "lamp on"]
    assert [[text.text for text in lamp.iter("text")] for lamp in lamps] == [["0", "1"], ["1", "2"]]
    assert len(of_class(svg, "rays")) == 2


def test_a_picture_says_its_caption_to_those_who_do_not_see_it() -> None:
    root = parsed(picture_svg(Picture("Ada has 0 1.", rows=(LAMPS,))))
    assert root.get("role") == "img"
    assert root[0].tag == "title"
    assert root[0].text == "Ada has 0 1."


def test_a_miniature_is_an_ornament_without_names() -> None:
    root = parsed(miniature_svg(Picture("Ada has 0 1.", rows=(LAMPS,))))
    assert root.get("aria-hidden") == "true"
    assert not list(root.iter("title"))
    assert "Ada" not in "".join(root.itertext())


def test_the_seats_differ_by_shape() -> None:
    scale = Scale(0, 4, (Token("Ada", 2, 1), Token("Alan", 3, 2)))
    signs = {sign.tag for sign in of_class(picture_svg(Picture("", scale=scale)), "sign")}
    assert signs == {"rect", "polygon"}


def test_a_token_moves_to_the_right_as_its_number_grows_and_past_the_end_when_it_is_too_far() -> None:
    svgs = [picture_svg(Picture("", scale=Scale(0, 20, (Token("number", at),)))) for at in (1, 5, 20, 21, 40)]
    tokens = [places(svg)[0] for svg in svgs]
    assert tokens[0] < tokens[1] < tokens[2] < tokens[3] == tokens[4]
    states = [of_class(svg, "token")[0].get("class", "").split()[-1] for svg in svgs]
    assert states == ["under", "under", "there", "over", "over"]


def test_what_is_still_possible_is_marked_number_by_number() -> None:
    scale = Scale(0, 31, (Token("Ada", 10, 1),), span=(11, 20))
    svg = picture_svg(Picture("", scale=scale))
    assert len(of_class(svg, "stop")) == 32
    assert len(of_class(svg, "still")) == 10
    assert "11 to 20" in svg


def test_whatever_a_player_is_called_it_is_only_text() -> None:
    picture = Picture(NASTY, rows=(Row(NASTY, (Cell(NASTY, NASTY, Mark.ON),), 2),), scale=Scale(0, 9, ()))
    svg = picture_svg(picture)
    assert "<script" not in svg
    assert parsed(svg)[0].text == NASTY
    assert "<script" not in review_svg(Review(Standing(1, 3), (), None), (NASTY, "Alan"))


@pytest.mark.parametrize("kind", SHELF, ids=lambda kind: kind.slug)
def test_every_picture_of_every_game_is_well_formed_and_needs_no_inline_style(kind: Kind) -> None:
    match = Match(kind(), deal=kind().any_deal())
    while not match.outcome and match.ply < 40:
        for seat in (1, 2, None):
            picture = match.game.picture(match.view(seat), PLAYERS)
            for svg in (picture_svg(picture), miniature_svg(picture)):
                assert parsed(svg).tag == "svg"
                assert not re.search(r"style=|href|\son\w+=", svg)
        match.play(match.legal[-1])


@given(st.integers(0, 2**40), st.integers(1, 2**40), st.sampled_from([None, 1, 2]), st.booleans())
def test_every_token_stays_in_the_picture(at: int, high: int, whose: int | None, spanned: bool) -> None:
    span = (min(at, high), high) if spanned else None
    picture = Picture("", scale=Scale(0, high, (Token("token", at, whose),), span))
    assert all(0 <= place <= WIDE for place in places(picture_svg(picture)) + places(miniature_svg(picture)))


def test_a_review_has_a_point_for_every_ply_and_marks_where_it_turned_and_where_one_is() -> None:
    steps = (step(0, Standing(1, 4)), step(1, Standing(2, 3), turning=True), step(2, Standing(2, 0)))
    svg = review_svg(Review(Standing(1, 5), steps, None), PLAYERS, ply=2)
    points = of_class(svg, "point")
    assert [point.get("id") for point in points] == [f"point-{at}" for at in range(4)]
    assert [point.get("class") for point in points] == ["point", "point", "point turning now", "point"]
    assert len(of_class(svg, "cursor")) == 1
    assert "Turning points: 2." in "".join(parsed(svg)[0].itertext())


def test_the_line_of_a_review_is_up_for_the_first_seat_and_down_for_the_second() -> None:
    steps = (step(0, Standing(2, 0)), step(1, Standing()))
    points = of_class(review_svg(Review(Standing(1, 0), steps, None), PLAYERS), "point")
    first, second, drawn = (float(NUMBER.findall(point.get("transform", ""))[1]) for point in points)
    assert first < drawn < second


def test_a_match_without_a_move_can_be_reviewed_and_a_long_one_has_dots_only_where_it_turned() -> None:
    assert len(of_class(review_svg(Review(Standing(), (), None), PLAYERS, 0), "point")) == 1
    steps = tuple(step(ply, Standing(1, 500 - ply), turning=ply == 7) for ply in range(500))
    assert len(of_class(review_svg(Review(Standing(1, 500), steps, None), PLAYERS, 3), "point")) == 2


def test_a_played_match_can_be_drawn() -> None:
    game = SHELF[0]()
    match = Match(game, moves=["double"] * 6)
    assert len(of_class(review_svg(review(match), PLAYERS, 6), "point")) == 7
