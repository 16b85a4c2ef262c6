"""The form that starts a match: it remembers, says what is wrong where it is wrong, and names the limits."""

import re
from html import unescape

import httpx
import pytest

from bitduel.core.match import Match
from bitduel.core.options import Whole
from bitduel.games import Kind, shelf
from bitduel.players.spec import MEDIUM
from bitduel.service.match_service import hashed
from web.houses import Browser, House, form_to

RACE = "binary-race-64"
FILLED = {"name": "Ada", "name2": "Ben", "first": "2", "opt-start": "7", "opt-target": "100", "opt-step": "3"}
GAMES = pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)


def filled_in(page: str) -> dict[str, str]:
    """What the form would send again."""
    inside = page[page.index('<form id="start"') :]
    fields = dict(re.findall(r'<input id="[^"]*" name="([^"]*)"[^>]*?value="([^"]*)"', inside))
    return {**fields, **dict(re.findall(r'type="radio" name="([^"]*)" value="([^"]*)" checked', inside))}


def begun(house: House, who: Browser, answer: httpx.Response) -> Match:
    """The match that a form has started."""
    assert answer.status_code == 303, answer.text
    return house.desk.mine(hashed(who.cookie))[0].newest.match


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"opt-target": "1000000000"}, "opt-target"),
        ({"opt-target": "0"}, "opt-target"),
        ({"opt-start": "200"}, "opt-start"),
        ({"name": "x" * 33}, "name"),
        ({"name2": "Ada", "opponent": "here"}, "name2"),
        ({"first": "3"}, "first"),
    ],
)
def test_after_an_error_everything_is_as_it_was_filled_in_and_the_field_is_named(
    house: House, wrong: dict[str, str], field: str
) -> None:
    sent = {**FILLED, "opponent": "hard", **wrong}
    answer = house.browser().post(f"/games/{RACE}/play", data=sent)
    page = answer.text
    assert answer.status_code == 400
    again = filled_in(page)
    assert again == {name: sent[name] for name in again if name != "first"} | {"first": again["first"]}
    assert again["first"] == (sent["first"] if field != "first" else "toss")
    assert {*again} == {*FILLED}
    assert re.search(rf'role="alert"[^>]*>.*<a href="#{field}">', page)
    (marked,) = re.findall(r'<[^>]*aria-invalid="true"[^>]*>', page)
    assert f'id="{field}"' in marked
    assert f'{field}-error"' in marked
    assert "autofocus" in marked
    assert f'id="{field}-error"' in page
    assert f'name="enter" value="{sent["opponent"]}"' in page, "Enter tries the same again"


def test_a_look_at_rules_and_verdict_keeps_names_options_and_who_starts(house: House) -> None:
    query = "&".join(f"{name}={value}" for name, value in FILLED.items())
    page = house.browser().get(f"/games/{RACE}?{query}&show=verdict").text
    assert filled_in(page) == FILLED
    assert re.search('<details[^>]* id="verdict" open>', page)
    assert "exactly 100" in page
    assert "exactly 64" not in page


@GAMES
def test_the_verdict_is_there_on_request_only_and_comes_after_play(house: House, kind: Kind) -> None:
    page = house.browser().get(f"/games/{kind.slug}").text
    assert re.search('<details[^>]* id="verdict">', page)
    assert page.index('id="start"') < page.index('id="verdict"')


@GAMES
def test_names_and_options_stand_before_the_buttons_that_use_them(house: House, kind: Kind) -> None:
    page = house.browser().get(f"/games/{kind.slug}").text
    last = max(page.index(f'name="{name}"') for name in ("name", "name2", *(f"opt-{o.name}" for o in kind.declared)))
    assert last < page.index('name="opponent"')


@GAMES
def test_enter_and_the_button_at_the_top_start_a_match_against_the_usual_opponent(house: House, kind: Kind) -> None:
    who = house.browser()
    form = form_to(who.get(f"/games/{kind.slug}").text, "/play")
    assert form.buttons[0] == ("enter", MEDIUM), "what a browser presses for Enter is the first button of the form"
    begun(house, who, who.post(form.action, data={"enter": MEDIUM, "name": "Ada"}))
    kept = house.desk.mine(hashed(who.cookie))[0].newest.kept
    assert [str(player) for player in kept.players] == ["human", MEDIUM]
    assert kept.names[0] == "Ada"


@GAMES
def test_limits_of_the_site_are_in_the_form_and_in_the_message(house: House, kind: Kind) -> None:
    page = unescape(house.browser().get(f"/games/{kind.slug}").text)
    for option in kind.declared:
        if isinstance(option, Whole) and option.quick:
            limits = f"{option.low:,} to {option.quick:,} here"
            assert limits in page
            answer = house.browser().post(
                f"/games/{kind.slug}/play", data={"opponent": "easy", f"opt-{option.name}": str(option.quick + 1)}
            )
            assert answer.status_code == 400
            assert f"{option.name} is a whole number from {limits}, not" in unescape(answer.text)


@GAMES
def test_a_secret_option_says_that_it_is_for_one_keyboard(house: House, kind: Kind) -> None:
    page = house.browser().get(f"/games/{kind.slug}").text
    assert ("only for two at one keyboard" in page) == any(option.secret for option in kind.declared)


@GAMES
def test_no_page_of_a_game_speaks_of_the_terminal(house: House, kind: Kind) -> None:
    assert "--" not in house.browser().get(f"/games/{kind.slug}").text.replace("<!--", "")


def test_a_match_begins_after_moves_that_were_made_elsewhere(house: House) -> None:
    who = house.browser()
    sent = {"opponent": "easy", "first": "1", "moves": "add, double", "opt-target": "100"}
    match = begun(house, who, who.post(f"/games/{RACE}/play", data=sent))
    assert match.moves == ["add", "double"]
    assert match.game.options["target"] == 100
    made = who.post("/api/v1/matches", json={"game": "64", "opponent": "easy", "first": "2", "moves": ["add", "add"]})
    assert made.status_code == 201
    assert made.json()["match"]["view"]["history"][:2] == ["add", "add"]


@pytest.mark.parametrize(
    ("slug", "moves"),
    [
        (RACE, "sing"),
        (RACE, "double, " * 500),
        (RACE, "double, double, double, double, double, double"),
        ("binary-battle", "toggle 1"),
    ],
)
def test_a_match_that_cannot_begin_so_is_refused(house: House, slug: str, moves: str) -> None:
    who = house.browser()
    answer = who.post(f"/games/{slug}/play", data={"opponent": "easy", "moves": moves, "opt-secret": ""})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "bitduel" not in who.client.cookies
    made = who.post("/api/v1/matches", json={"game": slug, "opponent": "easy", "moves": moves.split(", ")[:150]})
    assert made.status_code in (400, 422)


def test_with_a_secret_chosen_no_moves_come_first_either(house: House) -> None:
    sent = {"opponent": "here", "opt-secret": "00111", "moves": "toggle 1"}
    assert house.browser().post("/games/binary-battle/play", data=sent).status_code == 400


def test_a_name_that_is_in_order_is_filled_in_letter_by_letter_and_others_without_tricks(house: House) -> None:
    for name, shown in (("Ada <3", "Ada &lt;3"), ("a\u202eb", "ab")):
        sent = {"opponent": "easy", "name": name, "opt-target": "0"}
        page = house.browser().post(f"/games/{RACE}/play", data=sent).text
        assert f'name="name" value="{shown}"' in page
