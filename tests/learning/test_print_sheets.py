"""Sheets to print: what is on them, how they are divided into pages, and what leads to the game on a site."""

import re
from typing import Any

import pytest

from bitduel.core.worksheet import SheetError
from bitduel.games.registry import GameClass, all_games, make
from bitduel.learning.print_sheets import (
    EXAMPLE_PLIES,
    SHEETS,
    Sheet,
    available_sheets,
    check_paper,
    chosen_kinds,
    document,
    example_match,
    game_address,
    make_sheets,
    paginate,
    rule_sheet,
    settings_query,
)
from bitduel.rendering.sheets import SheetBlock, sheet_style
from bitduel.rendering.svg import tag
from sixth_game.little_nim import LittleNim

GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)


def sheets(name: str, sheet: str = "all", answers: bool = True, **options: Any) -> str:
    game = make(name, **options)
    return document(game, make_sheets(game, chosen_kinds(type(game), sheet), answers), "a4")


def test_a_name_stands_for_one_kind_or_all() -> None:
    kind = all_games()[0]
    assert chosen_kinds(kind, "all") == tuple(SHEETS)
    assert chosen_kinds(kind, "rules") == ("rules",)
    assert available_sheets(kind) == SHEETS


def test_unknown_sheets_and_papers_are_refused_with_those_there_are() -> None:
    with pytest.raises(SheetError, match=r"There is no sheet 'poster'. Choose from: rules, worksheet, unplugged, all"):
        chosen_kinds(all_games()[0], "poster")
    with pytest.raises(SheetError, match=r"There is no paper size 'b5'.*a4, letter"):
        check_paper("b5")


def test_a_game_that_declares_no_worksheet_has_its_rule_sheet() -> None:
    assert chosen_kinds(LittleNim, "all") == ("rules",)
    page = document(LittleNim(), [rule_sheet(LittleNim())], "letter")
    assert "Take the last stick." in page
    with pytest.raises(SheetError, match=f"There is no worksheet for {LittleNim.title} yet."):
        make_sheets(LittleNim(), ("worksheet",), has_answers=False)
    with pytest.raises(SheetError, match=f"There is no unplugged version of {LittleNim.title} yet."):
        make_sheets(LittleNim(), ("unplugged",), has_answers=False)


@GAMES
def test_a_sheet_says_the_rules_in_the_words_of_the_game(kind: GameClass) -> None:
    page = document(kind(), [rule_sheet(kind())], "a4")
    for rule in kind().words.rules():
        assert str(tag("li", rule)) in page
    assert page.count("<svg") == 2
    assert "A short match" in page


@GAMES
def test_the_answers_are_on_a_sheet_of_their_own(kind: GameClass) -> None:
    game = kind()
    with_answers = make_sheets(game, ("worksheet",), has_answers=True)
    assert [sheet.title for sheet in with_answers] == ["Worksheet", "Worksheet: answers"]
    assert make_sheets(game, ("worksheet",), has_answers=False) == with_answers[:1]
    assert "sheet-answer" not in str(with_answers[0].blocks)


def test_other_sizes_are_named_on_every_page() -> None:
    page = sheets("double", "worksheet", target=24)
    assert page.count("Double or Nothing to 24") > page.count('class="sheet-page"') >= 3
    assert "<b>14, 16, 18, 20, 22, 24</b>" in page


@GAMES
def test_a_page_is_complete_and_loads_nothing(kind: GameClass) -> None:
    page = sheets(kind.short)
    assert page.startswith("<!doctype html>")
    assert not re.search(r"<script|<link|<img|url\(|https?://", page)
    assert sheet_style() in page


@GAMES
def test_the_pages_of_the_site_need_no_inline_styles(kind: GameClass) -> None:
    body = sheets(kind.short).partition("<body>")[2]
    assert " style=" not in body


def test_a_qr_code_leads_to_the_same_game_on_a_site() -> None:
    game = make("double", target=24)
    address = game_address("http://school.lan:8000/", game)
    assert address == "http://school.lan:8000/games/double-or-nothing?opt-target=24"
    page = document(game, make_sheets(game, ("rules",), has_answers=False), "a4", address)
    assert page.count('class="qr"') == 1
    assert address in page
    assert 'class="qr"' not in sheets("double")


def test_a_longer_address_leaves_less_room_for_the_sheets() -> None:
    game = make("battle")
    long = game_address(f"https://{'games-of-the-computer-science-department.' * 3}example.org", game)
    heights = [
        sum(block.height for block in rule_sheet(game, address).blocks)
        for address in (game_address("http://a.b", game), long)
    ]
    assert heights[1] < heights[0]


def test_a_match_of_one_move_is_shown_after_it() -> None:
    page = document(make("double", target=2), [rule_sheet(make("double", target=2))], "a4")
    assert "After 1 move<" in page
    assert "After 0" not in page


def test_a_secret_is_in_no_address() -> None:
    assert settings_query(make("battle", secret="10110")) == ""
    assert settings_query(make("battle", bits=4, secret="0110")) == "?opt-bits=4"


@GAMES
def test_an_example_is_short_and_won_by_its_last_move(kind: GameClass) -> None:
    match = example_match(kind(), 7)
    assert match.outcome
    assert match.outcome.winner == match.seat_at(match.ply - 1)
    assert 5 <= match.ply <= 9
    assert example_match(kind(), 7).moves == match.moves


@pytest.mark.parametrize("plies", EXAMPLE_PLIES)
@pytest.mark.parametrize("bits", [3, 4, 5])
def test_an_example_is_not_won_at_the_number_of_the_start(bits: int, plies: int) -> None:
    match = example_match(make("battle", bits=bits), plies)
    assert match.outcome
    assert match.deal != "0" * bits


def test_where_no_short_match_is_won_the_first_moves_of_one_are_shown() -> None:
    game = make("31", length=128, finish="exact")
    match = example_match(game, 5)
    assert (match.ply, match.outcome) == (5, None)
    page = document(game, [rule_sheet(game)], "letter")
    assert "The first moves of a match" in page
    assert page.count("<svg") == 2


@pytest.mark.parametrize("bits", [4, 5, 6])
def test_every_rule_sheet_shows_some_moves(bits: int) -> None:
    for first in ("turn", "flip", "empty"):
        game = make("bits", **{"bits": bits, "first-move": first})
        assert document(game, [rule_sheet(game)], "letter").count("<svg") == 2


def block(height: float) -> SheetBlock:
    return SheetBlock(tag("p"), height)


def test_pages_are_as_few_as_possible_and_filled_evenly() -> None:
    heights = [[b.height for b in page] for page in paginate(Sheet("", [block(30)] * 5), 100, 120)]
    assert heights == [[30, 30], [30, 30, 30]] or heights == [[30, 30, 30], [30, 30]]
    assert len(paginate(Sheet("", [block(30)] * 3), 100, 120)) == 1


def test_parts_stay_together_where_they_fit_on_a_page() -> None:
    text, strip, cards = block(60), [block(20)] * 3, [block(30)] * 3
    pages = paginate(Sheet("", [text], parts=(strip, cards)), 100, 120)
    assert pages == [[text], strip, cards]
    assert paginate(Sheet("", [text], parts=(strip, [block(5)])), 100, 120) == [[text], [*strip, block(5)]]
    assert paginate(Sheet("", [block(20)], parts=(strip,)), 100, 120) == [[block(20), *strip]]
    assert len(paginate(Sheet("", [text], parts=([block(40)] * 4,)), 100, 120)) == 2
