"""Whole matches of every game: against the computer, without scripts, by keyboard, at one keyboard."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import GameClass, all_games
from bitduel.web.start_form import LEVELS
from web.browser.conftest import (
    FEW,
    STRONGEST,
    Visit,
    answered,
    begin,
    choose,
    expect_over,
    expect_ply,
    fits,
    is_over,
    move,
    moves,
    plan,
    ply_of,
)

MANY = 60


def start_from_home(page: Page, kind: GameClass, opponent: str) -> None:
    page.goto("/")
    page.get_by_role("link", name=kind.title, exact=True).click()
    page.wait_for_url("**/games/*")
    choose(page, opponent)
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")


def play_to_the_end(page: Page) -> None:
    dice = Random(31)
    for _ in range(MANY):
        if is_over(page):
            break
        before = ply_of(page)
        buttons = moves(page)
        buttons.nth(dice.randrange(buttons.count())).click()
        answered(page, before)
    expect_over(page)
    expect(moves(page)).to_have_count(0)
    expect(page.locator(".match .primary")).to_have_count(1)


@pytest.mark.thorough
@FEW
def test_a_whole_match_against_the_computer_by_clicking(kind: GameClass, visit: Visit) -> None:
    page = visit()
    start_from_home(page, kind, STRONGEST)
    page.evaluate("window.stayed = true")
    play_to_the_end(page)
    assert page.evaluate("window.stayed"), "the page was loaded anew"
    page.get_by_role("link", name="See the moves").click()
    expect(page.locator("figure.graph svg")).to_be_visible()


@FEW
def test_a_whole_match_with_scripts_switched_off(kind: GameClass, visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    start_from_home(page, kind, str(LEVELS[-2]["name"]))
    play_to_the_end(page)
    address = page.url
    page.get_by_role("button", name=re.compile("^(Same again|Try again|New match|Swap who starts)$")).click()
    page.wait_for_url(lambda url: url != address)
    expect(page.locator(".score")).to_be_visible()
    page.goto("/matches")
    expect(page.get_by_role("main")).to_contain_text(kind.title)


FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName, form: at.closest("form")?.getAttribute("action") ?? "", value: at.value ?? "", name: at.name ?? "",
    shown: at.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && box.width > 4 && box.height > 4 && box.bottom > 0 && box.top < innerHeight,
    text: at.textContent.trim(),
  };
}"""


def tab_to(page: Page, **wanted: str) -> None:
    """Press Tab until the focus is on what is wanted; on the way it can always be seen."""
    for _ in range(200):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at["tag"] == "BODY":
            continue
        assert at["shown"], f"the focus cannot be seen on {at}"
        if all(at[key] == value for key, value in wanted.items()):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


@FEW
def test_a_whole_match_by_keyboard_only(kind: GameClass, visit: Visit) -> None:
    page = visit()
    page.goto("/")
    tab_to(page, form=f"/games/{kind.slug}/play", tag="BUTTON")
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/*")
    for turn in range(MANY):
        if is_over(page):
            break
        before = ply_of(page)
        keys = page.locator("form[data-move] button[data-key]:enabled")
        if turn % 2 and keys.count():
            page.keyboard.press(keys.nth(turn // 2 % keys.count()).get_attribute("data-key") or "")
        else:
            tab_to(page, tag="BUTTON", name="move")
            page.keyboard.press("Enter")
        answered(page, before)
    expect_over(page)
    tab_to(page, tag="A", text="See the moves")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review")


def test_the_link_past_the_navigation_leads_to_the_match(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED)["shown"]
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.thorough
@FEW
def test_a_whole_match_of_two_at_one_keyboard(kind: GameClass, visit: Visit) -> None:
    page = visit()
    planned = plan(kind)
    address = begin(page, kind, "here", planned.options)
    dark = planned.match.game.is_hidden
    for seat, name, after in planned.turns:
        if dark:
            assert page.url == address
            expect(moves(page)).to_have_count(0)
            expect(page.locator(".board")).to_have_count(0)
            page.get_by_role("link", name="Continue", exact=True).click()
            page.wait_for_url(f"**?as={seat}")
        move(page, name)
        expect_ply(page, after)
        if dark and after < planned.match.ply:
            expect(moves(page)).to_have_count(0)
            expect(page.locator(".board")).to_be_visible()
            page.locator(".handover a").click()
            page.wait_for_url(address)
    expect_over(page)
    expect(page.locator(".status")).not_to_be_empty()
    fits(page, "over")
    page.get_by_role("link", name="See the moves").click()
    page.wait_for_url("**/review")
    fits(page, "review")
