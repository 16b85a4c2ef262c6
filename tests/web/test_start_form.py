"""The form that starts a match: it remembers, says what is wrong where it is wrong, and names the limits."""

import re
from html import unescape

import httpx
import pytest

from bitduel.core.match import Match
from bitduel.core.options import ChoiceOption, IntegerOption
from bitduel.games.registry import GameClass, all_games
from bitduel.players.spec import EASY
from bitduel.service.credentials import hashed
from web.sites import Browser, LocalApp, form_to

RACE = "binary-race-64"
FILLED = {
    "opponent": "computer",
    "level": "hard",
    "name": "Ada",
    "name2": "Ben",
    "first": "2",
    "opt-start": "7",
    "opt-target": "100",
    "opt-step": "3",
}
GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)


def filled_in(page: str) -> dict[str, str]:
    """What the form would send again."""
    inside = page[page.index('<form id="start"') :]
    fields = dict(re.findall(r'<input (?:form="start" )?id="[^"]*" name="([^"]*)"[^>]*?value="([^"]*)"', inside))
    return {**fields, **dict(re.findall(r'type="radio" name="([^"]*)" value="([^"]*)" checked', inside))}


def begun(app: LocalApp, who: Browser, answer: httpx.Response) -> Match:
    """The match that a form has started."""
    assert answer.status_code == 303, answer.text
    return app.service.held_sittings(hashed(who.cookie))[0].newest.match


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
    app: LocalApp, wrong: dict[str, str], field: str
) -> None:
    sent = {**FILLED, **wrong}
    answer = app.browser().post(f"/games/{RACE}/play", data=sent)
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


@pytest.mark.parametrize(
    ("opponent", "shown"),
    [
        ("easy", ("computer", "easy")),
        ("friend", ("friend", EASY)),
        ("here", ("here", EASY)),
        ("", ("computer", EASY)),
    ],
)
def test_an_address_can_choose_the_opponent_beforehand(app: LocalApp, opponent: str, shown: tuple[str, str]) -> None:
    fields = filled_in(app.browser().get(f"/games/{RACE}?opponent={opponent}").text)
    assert (fields["opponent"], fields["level"]) == shown


def test_a_look_at_rules_and_verdict_keeps_names_options_and_who_starts(app: LocalApp) -> None:
    query = "&".join(f"{name}={value}" for name, value in FILLED.items())
    page = app.browser().get(f"/games/{RACE}?{query}&show=verdict").text
    assert filled_in(page) == FILLED
    assert re.search('<details[^>]* id="verdict" open>', page)
    assert "exactly 100" in page
    assert "exactly 64" not in page


@GAMES
def test_the_verdict_is_there_on_request_only_and_comes_after_play(app: LocalApp, kind: GameClass) -> None:
    page = app.browser().get(f"/games/{kind.slug}").text
    assert re.search('<details[^>]* id="verdict">', page)
    assert page.index('id="start"') < page.index('id="verdict"')


@GAMES
def test_the_form_as_it_is_starts_a_match_against_the_usual_opponent(app: LocalApp, kind: GameClass) -> None:
    who = app.browser()
    page = who.get(f"/games/{kind.slug}").text
    begun(app, who, who.post(form_to(page, "/play").action, data={**filled_in(page), "name": "Ada"}))
    kept = app.service.held_sittings(hashed(who.cookie))[0].newest.stored
    assert [str(player) for player in kept.players] == ["human", EASY]
    assert kept.names[0] == "Ada"


@GAMES
def test_house_rules_are_questions_with_the_usual_answer_first(app: LocalApp, kind: GameClass) -> None:
    page = unescape(app.browser().get(f"/games/{kind.slug}").text)
    assert re.search('<details[^>]* id="settings">', page), "closed, as nothing was changed"
    for option in kind.declared_options:
        assert option.label in page
        if isinstance(option, ChoiceOption):
            answers = re.findall(rf'name="opt-{option.name}" value="([^"]*)"', page)
            assert answers == sorted(map(str, option.choices), key=lambda value: value != str(option.default))
            first = option.describe(option.default)
            assert f"{first[0].upper()}{first[1:]} <small>usual</small>" in page
            changed = next(value for value in option.choices if value != option.default)
            query = f"/games/{kind.slug}?opt-{option.name}={changed}"
            assert re.search('<details[^>]* id="settings" open>', app.browser().get(query).text)


@GAMES
def test_the_explorer_the_chart_and_the_atlas_are_one_visible_click_away(app: LocalApp, kind: GameClass) -> None:
    page = app.browser().get(f"/games/{kind.slug}").text
    (shown,) = re.findall(r'<nav class="deeper".*?</nav>', page, re.DOTALL)
    assert f"/games/{kind.slug}/position?" in shown
    assert f"/games/{kind.slug}/atlas" in shown
    assert ("/chart" in shown) == kind().has_perfect_information


@GAMES
def test_limits_of_the_site_are_in_the_form_and_in_the_message(app: LocalApp, kind: GameClass) -> None:
    page = unescape(app.browser().get(f"/games/{kind.slug}").text)
    for option in kind.declared_options:
        if isinstance(option, IntegerOption) and option.quick_limit:
            limits = f"{option.low:,} to {option.quick_limit:,}"
            assert f"{limits}, usually {option.default}" in page
            answer = app.browser().post(
                f"/games/{kind.slug}/play", data={"opponent": "easy", f"opt-{option.name}": str(option.quick_limit + 1)}
            )
            assert answer.status_code == 400
            assert f"{option.name} must be a whole number from {limits} here, not" in unescape(answer.text)


@GAMES
def test_a_secret_option_says_that_it_is_for_one_keyboard(app: LocalApp, kind: GameClass) -> None:
    page = app.browser().get(f"/games/{kind.slug}").text
    assert ("only when two people share a screen" in page) == any(option.is_secret for option in kind.declared_options)


@GAMES
def test_no_page_of_a_game_speaks_of_the_terminal(app: LocalApp, kind: GameClass) -> None:
    assert "--" not in app.browser().get(f"/games/{kind.slug}").text.replace("<!--", "")


def test_a_match_begins_after_moves_that_were_made_elsewhere(app: LocalApp) -> None:
    who = app.browser()
    sent = {"opponent": "easy", "first": "1", "moves": "add, double", "opt-target": "100"}
    match = begun(app, who, who.post(f"/games/{RACE}/play", data=sent))
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
def test_a_match_that_cannot_begin_so_is_refused(app: LocalApp, slug: str, moves: str) -> None:
    who = app.browser()
    answer = who.post(f"/games/{slug}/play", data={"opponent": "easy", "moves": moves, "opt-secret": ""})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "bitduel" not in who.client.cookies
    made = who.post("/api/v1/matches", json={"game": slug, "opponent": "easy", "moves": moves.split(", ")[:150]})
    assert made.status_code in (400, 422)


def test_with_a_secret_chosen_no_moves_come_first_either(app: LocalApp) -> None:
    sent = {"opponent": "here", "opt-secret": "00111", "moves": "toggle 1"}
    assert app.browser().post("/games/binary-battle/play", data=sent).status_code == 400


def test_a_name_that_is_in_order_is_filled_in_letter_by_letter_and_others_without_tricks(app: LocalApp) -> None:
    for name, shown in (("Ada <3", "Ada &lt;3"), ("a\u202eb", "ab")):
        sent = {"opponent": "easy", "name": name, "opt-target": "0"}
        page = app.browser().post(f"/games/{RACE}/play", data=sent).text
        assert f'name="name" value="{shown}"' in page


@pytest.mark.parametrize(
    ("remembered", "name"),
    [("Mira", "Mira"), *((refused, "Player 1") for refused in ("x" * 33, "\u202e", "Computer (easy)", ""))],
)
def test_one_click_starts_a_match_whatever_name_a_browser_remembers(app: LocalApp, remembered: str, name: str) -> None:
    answer = app.browser().post(f"/games/{RACE}/play", data={"opponent": "easy", "remembered": remembered})
    assert answer.status_code == 303
    assert app.service.session(answer.headers["location"].rpartition("/")[2]).stored.names[0] == name
