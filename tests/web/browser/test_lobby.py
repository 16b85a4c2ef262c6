"""The lobby in real browsers: you play the computer, and somebody comes."""

import re

from playwright.sync_api import expect

from bitduel.games.registry import all_games
from web.browser.conftest import Visit, fits


def test_who_plays_the_computer_meanwhile_is_called_to_the_match_and_its_clock_runs(visit: Visit) -> None:
    ada, ben = visit(), visit()
    ada.goto(f"/games/{all_games()[0].slug}")
    ada.get_by_role("button", name="Find an opponent").click()
    expect(ada).to_have_url(re.compile("/lobby$"))
    fits(ada, "looking for an opponent")
    ada.locator(".meanwhile").evaluate("(part) => { part.dataset.after = 0; }")
    ada.get_by_role("button", name="against the computer").click()
    bar = ada.locator(".lobby-bar")
    expect(bar).to_contain_text("Still looking for an opponent.")
    ben.goto("/lobby")
    fits(ben, "lobby")
    ben.get_by_role("button", name="Any game").click()
    expect(ben).to_have_url(re.compile("/matches/"))
    expect(ben.locator(".said")).to_contain_text("The clock starts when both players have opened the match.")
    bar.get_by_role("link", name="Play now").click()
    expect(ada).to_have_url(ben.url)
    expect(ada.get_by_role("timer")).to_have_count(2)
    for page in (ada, ben):
        expect(page.locator(".clock.running")).not_to_contain_text("0:30")
        fits(page, "a match on a clock")
    expect(bar).to_have_count(0)


def test_without_scripts_the_lobby_loads_itself_again_and_leads_to_the_match(visit: Visit) -> None:
    ada, ben = visit(java_script_enabled=False), visit()
    ada.goto("/lobby")
    ada.get_by_role("button", name="Any game").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Looking for an opponent")
    ben.goto("/")
    ben.get_by_role("button", name="Find an opponent").click()
    expect(ada).to_have_url(re.compile("/matches/"))
    expect(ada.get_by_role("timer").first).to_be_visible()
