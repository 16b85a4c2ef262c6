import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games, find, make
from bitduel.rendering.board import board_html, match_svg, miniature_svg, picture_svg
from bitduel.rendering.svg import WIDTH, BoardChoice
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


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_every_picture_of_every_game_is_well_formed_and_needs_no_inline_style(kind: GameClass) -> None:
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
    assert all(0 <= place <= WIDTH for place in places(picture_svg(picture)) + places(miniature_svg(picture)))


def test_a_match_draws_itself_in_a_notebook_with_its_colours_inside() -> None:
    match = Match(all_games()[0]())
    svg = match_svg(match)
    assert parsed(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert ":root" not in svg
    assert "--paper:" in svg


def test_a_match_in_the_dark_draws_only_what_a_spectator_may_see() -> None:
    games = [kind() for kind in all_games() if kind().is_hidden]
    assert games
    for game in games:
        drawn = {match_svg(Match(game, deal=deal.text, moves=[game.moves[0]])) for deal in game.deals()}
        assert len(drawn) <= 2, "one for the deals that the first move wins, one for all others"
        assert len({match_svg(Match(game, deal=deal.text)) for deal in game.deals()}) == 1


GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)


def start(kind: GameClass, seat: int | None = 1) -> Match:
    game = kind()
    return Match(game, seat or 1, game.any_deal())


def painted(match: Match, worth: str = "", best: str = "") -> str:
    view = match.view(1)
    choices = {
        move: BoardChoice(move, move.title(), "leads", "k", worth, move == best, is_legal=move in view.legal)
        for move in match.game.moves
        if move != PASS
    }
    return str(board_html(match.game.picture(view, PLAYERS), choices, you=1))


def buttons(svg: str) -> list[ElementTree.Element]:
    """The buttons of the moves that can be made."""
    return [each for each in parsed(svg).iter() if each.tag == "button" and not each.get("disabled")]


@GAMES
def test_every_legal_move_is_one_button_of_the_form_on_the_board(kind: GameClass) -> None:
    match = start(kind)
    found = buttons(painted(match))
    assert sorted(button.get("value") or "" for button in found) == sorted(match.legal)
    for button in found:
        assert (button.get("name"), button.get("form"), button.get("data-key")) == ("move", "move-form", "k")
        assert (button.get("aria-label") or "").endswith(": leads")


@GAMES
def test_a_board_has_the_same_parts_when_it_is_the_other_players_turn(kind: GameClass) -> None:
    mine, theirs = painted(start(kind)), painted(start(kind, 2))
    boxes = [re.findall(r'viewBox="([^"]*)"', svg) for svg in (mine, theirs)]
    assert boxes[0] == boxes[1]
    assert mine.count("<button") == theirs.count("<button")
    assert not buttons(theirs)


@GAMES
def test_who_only_looks_gets_a_board_without_buttons(kind: GameClass) -> None:
    match = start(kind)
    picture = match.game.picture(match.view(1), PLAYERS)
    for svg in (str(picture_svg(picture)), str(board_html(picture))):
        assert "<button" not in svg
        assert 'role="img"' in svg


def test_the_row_of_the_reader_is_the_last_and_called_you() -> None:
    match = start(find("bits"))
    for you, owners in ((1, ["Player 2", "You"]), (2, ["Player 1", "You"]), (None, ["Player 1", "Player 2"])):
        drawn = parsed(str(board_html(match.game.picture(match.view(1), PLAYERS), None, you)))
        assert [each.text for each in drawn.iter("bdi")] == owners


def test_a_key_says_what_the_move_does_and_where_it_leads() -> None:
    match = Match(make("double"), moves=["add", "double"])
    choices = {
        move: BoardChoice(move, move.title(), "leads", symbol=match.game.words.symbol(move)) for move in match.legal
    }
    drawn = parsed(str(board_html(match.game.picture(match.view(1), PLAYERS), choices)))
    keys = [" ".join("".join(span.itertext()) for span in key.iter("span")) for key in drawn.iter("button")]
    assert keys == ["+1 makes 5 add", "\u00d72 makes 8 double"]


def test_a_preview_shows_where_the_move_leads() -> None:
    match = Match(make("64"), moves=["add", "add"])
    ghosts = of_class(painted(match), "ghost")
    assert [[text.text for text in ghost.iter() if text.tag == "text"] for ghost in ghosts] == [["7"], ["10"]]
    board = painted(Match(make("bits"), moves=["flip 2", "flip 1"]))
    lamps = {button.get("value"): button[0] for button in buttons(board)}
    digits = {move: [text.text for text in lamp.iter("text")] for move, lamp in lamps.items()}
    assert digits == {"flip 1": ["0", "1"], "flip 3": ["0", "1"], "reset 1": ["1", "0"]}


@pytest.mark.parametrize("number", [1, 2, 9, 10, 11, 18, 19])
def test_labels_of_landings_never_overlap_and_stay_in_the_picture(number: int) -> None:
    svg = painted(Match(make("double", {"start": number})))
    labels = sorted(float(pill.get("x") or 0) for pill in of_class(svg, "pill"))
    assert labels[1] - labels[0] >= 32
    assert labels[0] >= 0
    assert labels[1] + 32 <= WIDTH


@pytest.mark.parametrize(("worth", "sign"), [("win", "✓"), ("loss", "✗"), ("draw", "="), ("62%", "62%")])
def test_worth_is_told_by_class_and_sign(worth: str, sign: str) -> None:
    svg = painted(Match(make("double")), worth, best="add")
    badges = of_class(svg, "badge")
    assert [badge.text for badge in badges] == [sign, sign]
    assert all(worth in (badge.get("class") or "").split() for badge in badges)
    assert len(of_class(svg, "best")) == 1
    assert not of_class(painted(Match(make("double"))), "badge")


def test_nothing_that_a_choice_says_is_taken_for_markup() -> None:
    match = Match(make("double"))
    choices = {move: BoardChoice(move, NASTY, NASTY, '"', NASTY, True) for move in match.legal}
    svg = str(board_html(match.game.picture(match.view(1), PLAYERS), choices))
    assert "<script" not in svg
    parsed(svg)


def test_the_bubble_leaves_the_flag_to_be_seen() -> None:
    for number in (50, 60, 63):
        game = make("64", {"start": number})
        svg = str(picture_svg(game.picture(Match(game).view(1), PLAYERS)))
        (pole,) = of_class(svg, "pole")
        bubble = of_class(svg, "bubble")[0]
        (token,) = of_class(svg, "token")
        shifted = float(re.findall(r"[-\d.]+", token.get("transform") or "")[0])
        right = shifted + float(bubble.get("x") or 0) + float(bubble.get("width") or 0)
        assert right < float(re.findall(r"[\d.]+", pole.get("d") or "")[0]), number


def test_a_safe_lamp_has_a_lock_and_the_word() -> None:
    cells = (Cell("1", "1", Mark.ON, move="reset 1", is_safe=False), Cell("1", "2", Mark.ON, is_safe=True))
    drawn = board_html(Picture("", rows=(Row("Ada", cells, 1),)), {"reset 1": BoardChoice("reset 1", "Reset 1", "")})
    assert drawn.count('class="lock"') == 2
    assert ">2 safe</span>" in drawn
    assert 'aria-label="2: 1, safe"' in drawn
    assert drawn.count("safe") == 3
    assert "2 safe" in picture_svg(Picture("", rows=(Row("Ada", cells, 1),)))


def test_marks_on_the_stairs_tell_who_made_which_number_and_do_not_overlap() -> None:
    trail = (Token("", 2, 1), Token("", 4, 2), Token("", 5, 1))
    drawn = board_html(Picture("", scale=Scale(0, 20, (Token("number", 10),), trail=trail)))
    assert re.findall(r'class="made-by (seat-\d)"', drawn) == ["seat-1", "seat-2", "seat-1"]
    crowded = board_html(Picture("", scale=Scale(0, 100_000, (Token("number", 10),), trail=trail)))
    assert crowded.count("made-by") == 1


def test_digits_stand_below_the_numbers_they_make_filled_where_these_are_possible() -> None:
    cells = (Cell("1", "1", Mark.ON, "2", "toggle 1", "0"), Cell("0", "2", Mark.OFF, "1", "toggle 2", "3"))
    choices = {name: BoardChoice(name, name, "") for name in ("toggle 1", "toggle 2")}
    picture = Picture("", (Row("Ada", cells, 1),), Scale(0, 3, (Token("Ada", 2, 1),), span=(3, 3), has_goal=False))
    drawn = board_html(picture, choices)
    pins = r'<g class="pin( possible)?">.*?class="pin-label"[^>]*>(\d)<'
    assert re.findall(pins, drawn) == [("", "1"), (" possible", "2")]
    assert "pin-label" not in board_html(picture)
    assert "pin-label" not in board_html(picture._replace(bare_caption="x").without_notes(), choices)


def test_a_row_of_lamps_that_can_be_safe_says_how_many_are_lit() -> None:
    match = Match(make("bits"), 1, "", ("flip 2", "flip 2", "flip 1", "flip 1", "flip 3"))
    drawn = str(board_html(match.game.picture(match.view(2), PLAYERS), None, 2))
    assert re.findall(r'class="(lit-count[^"]*)">([^<]*)<', drawn) == [
        ("lit-count near", "3 of 4 lit"),
        ("lit-count", "2 of 4 lit"),
    ]
    battle = Match(make("battle"), 1, "10101")
    assert "lit-count" not in str(board_html(battle.game.picture(battle.view(1), PLAYERS)))
