import re

import pytest

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, make, shelf
from bitduel.rendering.board import board_svg, picture_svg
from bitduel.rendering.choices import BoardChoice
from pictures import NASTY, of_class, parsed

GAMES = pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)


def start(kind: Kind, seat: int | None = 1) -> Match:
    game = kind()
    return Match(game, seat or 1, game.any_deal())


def painted(match: Match, worth: str = "", best: str = "") -> str:
    view = match.view(1)
    choices = {move: BoardChoice(move, move.title(), "leads", "k", worth, move == best) for move in view.legal}
    return str(board_svg(match.game.picture(view, PLAYERS), choices))


@GAMES
def test_every_legal_move_is_one_button_of_the_form_on_the_board(kind: Kind) -> None:
    match = start(kind)
    buttons = [element for element in parsed(painted(match)).iter() if element.tag == "button"]
    assert [button.get("value") for button in buttons] == list(match.legal)
    for button in buttons:
        assert (button.get("name"), button.get("form"), button.get("data-key")) == ("move", "move-form", "k")
        assert (button.get("aria-label") or "").endswith(": leads")


@GAMES
def test_a_board_is_as_high_when_it_is_the_other_players_turn(kind: Kind) -> None:
    mine, theirs = start(kind), start(kind, 2)
    boxes = [re.findall(r'viewBox="([^"]*)"', painted(match)) for match in (mine, theirs)]
    assert boxes[0] == boxes[1]
    assert not of_class(painted(theirs), "choice")
    assert len(of_class(painted(mine), "choice")) == len(mine.legal)


@GAMES
def test_who_only_looks_gets_a_picture_without_buttons(kind: Kind) -> None:
    match = start(kind)
    svg = str(picture_svg(match.game.picture(match.view(1), PLAYERS)))
    assert "<button" not in svg
    assert 'role="img"' in svg


def test_a_preview_shows_where_the_move_leads() -> None:
    match = Match(make("64"), moves=["add", "add"])
    ghosts = of_class(painted(match), "ghost")
    assert [[text.text for text in ghost.iter() if text.tag == "text"] for ghost in ghosts] == [["7"], ["10"]]
    lamps = of_class(painted(Match(make("bits"), moves=["flip 2", "flip 1"])), "ghost")
    assert [lamp.get("class") for lamp in lamps] == ["ghost lamp on"] * 2 + ["ghost lamp off"]


@pytest.mark.parametrize(("worth", "sign"), [("win", "✓"), ("loss", "✗"), ("draw", "="), ("62%", "62%")])
def test_worth_is_told_by_class_and_sign(worth: str, sign: str) -> None:
    svg = painted(Match(make("double")), worth, best="add")
    assert [badge.text for badge in of_class(svg, "worth")] == [sign, sign]
    assert [worth in (choice.get("class") or "").split() for choice in of_class(svg, "choice")] == [True, True]
    assert len(of_class(svg, "best")) == 1
    assert len(of_class(svg, "ring")) == (worth != "62%")
    assert not of_class(painted(Match(make("double"))), "badge")


def test_nothing_that_a_choice_says_is_taken_for_markup() -> None:
    match = Match(make("double"))
    choices = {move: BoardChoice(move, NASTY, NASTY, '"', NASTY, True) for move in match.legal}
    svg = str(board_svg(match.game.picture(match.view(1), PLAYERS), choices))
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
