import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, shelf
from bitduel.rendering.board import match_svg, miniature_svg, picture_svg
from bitduel.rendering.svg import WIDE
from pictures import NASTY, NUMBER, of_class, parsed

LAMPS = Row("Ada", (Cell("0", "1", Mark.OFF), Cell("1", "2", Mark.ON)), 1)


def places(svg: str) -> list[float]:
    """How far right every token stands."""
    return [float(NUMBER.findall(token.get("transform", ""))[0]) for token in of_class(svg, "token")]


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


@pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)
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


def test_a_match_draws_itself_in_a_notebook_with_its_colours_inside() -> None:
    match = Match(shelf()[0]())
    svg = match_svg(match)
    assert parsed(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert ":root" not in svg
    assert "--paper:" in svg


def test_a_match_in_the_dark_draws_only_what_a_spectator_may_see() -> None:
    games = [kind() for kind in shelf() if kind().hidden]
    assert games
    for game in games:
        drawn = {match_svg(Match(game, deal=deal.text, moves=[game.moves[0]])) for deal in game.deals()}
        assert len(drawn) <= 2, "one for the deals that the first move wins, one for all others"
        assert len({match_svg(Match(game, deal=deal.text)) for deal in game.deals()}) == 1
