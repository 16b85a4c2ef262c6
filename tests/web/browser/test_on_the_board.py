"""The board is the game: matches played on it alone, by hand and by key, on slow lines and by hasty fingers."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import GameClass, all_games
from web.browser.conftest import (
    FEW,
    GAMES,
    STRONGEST,
    WIDTHS,
    Visit,
    answered,
    begin,
    expect_over,
    expect_ply,
    is_over,
    moves,
    plan,
    ply_of,
    state,
)

pytestmark = pytest.mark.thorough

MANY = 60
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
WHERE = """() => Array.from(document.querySelectorAll(".turn-bar, .state, figure.board"), (part) => {
  const { left, top, width } = part.getBoundingClientRect();
  return [part.className.split(" ")[0], Math.round(left), Math.round(top + scrollY), Math.round(width)];
})"""


def on_board(page: Page) -> list[str]:
    """The moves that can be made on the board."""
    return [button.get_attribute("value") or "" for button in page.locator(".board button[name=move]").all()]


@GAMES
@SCRIPTS
@pytest.mark.parametrize("width", WIDTHS)
def test_a_whole_match_on_the_board_only(kind: GameClass, scripts: bool, width: int, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts, viewport={"width": width, "height": 700})
    begin(page, kind, STRONGEST)
    dice = Random(width)
    stood = page.evaluate(WHERE) if scripts else None
    for _ in range(MANY):
        if is_over(page):
            break
        before, there = ply_of(page), on_board(page)
        assert there == [button.get_attribute("value") for button in moves(page).all()]
        page.locator(f".board button[value='{dice.choice(there)}']").click()
        answered(page, before)
        if scripts and not is_over(page):
            assert page.evaluate(WHERE) == stood, "something has jumped"
    expect_over(page)
    expect(page.locator(".board button")).to_have_count(0)
    expect(page.locator(".status")).to_have_text(["You win!", "You lose.", "It is a draw."][_result(page)])


def _result(page: Page) -> int:
    return ["won", "lost", "drawn"].index((page.locator(".state").get_attribute("class") or "").split()[2])


@FEW
def test_what_a_move_would_do_is_shown_before_it_is_made(kind: GameClass, visit: Visit) -> None:
    page = visit()
    begin(page, kind, STRONGEST)
    button = moves(page).first
    preview = page.locator(".landing .ghost").or_(button.locator(".switched")).first
    page.mouse.move(0, 0)
    expect(preview).to_be_hidden()
    button.hover()
    expect(preview).to_be_visible()
    page.mouse.move(0, 0)
    expect(preview).to_be_hidden()
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.matches('.board button')"):
        page.keyboard.press("Tab")
    expect(preview).to_be_visible()
    assert ": " in (button.get_attribute("aria-label") or "")


@FEW
def test_with_the_coach_every_choice_carries_its_worth(kind: GameClass, visit: Visit) -> None:
    page = visit()
    begin(page, kind, STRONGEST)
    expect(page.locator(".badge")).to_have_count(0)
    page.get_by_role("link", name="Ask the coach").click()
    expect(page.locator(".badge")).to_have_count(len(on_board(page)))
    expect(page.locator(".badge:visible")).to_have_count(0)
    page.locator("#hint-move summary").click()
    expect(page.locator(".badge:visible")).to_have_count(len(on_board(page)))
    signs = page.locator(".badge").all_text_contents()
    assert all(sign in ("✓", "✗", "=") or sign.endswith("%") for sign in signs)


@FEW
def test_every_move_has_a_key_and_the_keys_are_shown(kind: GameClass, visit: Visit) -> None:
    page = visit()
    begin(page, kind, "here", plan(kind).options)
    if kind().is_hidden:
        page.get_by_role("link", name="Continue", exact=True).click()
    buttons = page.locator("form[data-move] button[name=move]")
    keys = [button.get_attribute("data-key") for button in buttons.all()]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    drawer = page.locator("#keys-drawer")
    expect(drawer).not_to_have_attribute("open", "")
    page.keyboard.press("?")
    expect(drawer.locator("dd").first).to_be_visible()
    assert {*drawer.locator("kbd").all_inner_texts()[1:-1]} >= {*keys}
    before = ply_of(page)
    page.keyboard.press(moves(page).last.get_attribute("data-key") or "")
    expect(state(page)).not_to_have_attribute("data-ply", str(before))
    if not kind().is_hidden and not is_over(page):
        expect(drawer).to_have_attribute("open", "")


@SCRIPTS
@pytest.mark.parametrize(
    "apart", [0, 120, 240, 400, *(pytest.param(ms, marks=pytest.mark.slow) for ms in (60, 180, 300, 360))]
)
def test_a_double_click_makes_one_move(apart: int, scripts: bool, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts)
    begin(page, all_games()[0], "here", {"target": "1000"})
    for number in range(2):
        button = moves(page).nth(number)
        button.click(trial=True)
        box = button.bounding_box()
        assert box
        before = ply_of(page)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(apart)
        page.mouse.down()
        page.mouse.up()
        expect_ply(page, before + 1)
        moves(page).first.click(trial=True)
        expect_ply(page, before + 1)


def test_a_move_looks_made_at_once_on_a_slow_line(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    line = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", slow)
    before = ply_of(page)
    page.locator(".board button").first.click()
    expect(page.locator(".pending")).to_contain_text("sent")
    expect(page.locator(".frame")).to_have_attribute("data-turn", "2")
    expect(page.locator(".turn-bar .seat-2")).to_contain_text("thinking")
    expect(page.locator("main")).to_have_attribute("aria-busy", "true")
    answered(page, before)
    expect(page.locator(".pending")).to_have_count(0)


@pytest.mark.parametrize("many", [8, pytest.param(20, marks=pytest.mark.slow)])
def test_many_tabs_of_one_browser_stay_usable(many: int, visit: Visit) -> None:
    first = visit()
    kind = all_games()[0]
    tabs = [first, *(first.context.new_page() for _ in range(many - 1))]
    for tab in tabs:
        begin(tab, kind, "here", {"target": "1000"})
    for tab in (*tabs[::-7], tabs[0]):
        before = ply_of(tab)
        tab.locator(".board button").first.click()
        expect_ply(tab, before + 1)
    watcher = first.context.new_page()
    watcher.goto(tabs[3].url)
    tabs[3].locator(".board button").first.click()
    expect_ply(tabs[3], 1)
    expect_ply(watcher, 1)


def test_own_move_and_answer_are_two_steps(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    page.evaluate(
        """() => {
          const number = () => document.querySelector(".board .drawing .number").textContent;
          window.shown = [number()];
          new MutationObserver(() => window.shown.at(-1) === number() || window.shown.push(number()))
            .observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
        }"""
    )
    page.locator(".board button[value=add]").click()
    expect_ply(page, 2)
    assert len(page.evaluate("window.shown")) == 3


def test_sound_is_off_until_it_is_switched_on(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    page.locator("#more summary").click()
    switch = page.locator("[data-sound]")
    expect(switch).to_have_text("Sound is off")
    switch.click()
    expect(switch).to_have_text("Sound is on")
    page.locator(".board button").first.click()
    expect_ply(page, 2)
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")


def test_keys_of_one_character_can_be_switched_off_and_stay_off(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], "here", {"target": "1000"})
    page.keyboard.press("a")
    expect_ply(page, 1)
    page.keyboard.press("?")
    page.locator("[data-keys]").click()
    expect(page.locator("[data-keys]")).to_have_text("Keys are off")
    page.reload()
    page.keyboard.press("a")
    page.keyboard.press("?")
    expect(page.locator("#keys-drawer")).not_to_have_attribute("open", "")
    moves(page).first.click()
    expect_ply(page, 2)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_move_in_the_list_shows_the_board_after_it_and_leads_back(scripts: bool, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts)
    begin(page, all_games()[0], "here", {"target": "1000"})
    boards = []
    for ply in range(3):
        moves(page).first.click()
        expect_ply(page, ply + 1)
        boards.append(page.locator(".board .drawing .number").text_content())
    page.locator(".move-list a").nth(1).click()
    expect(page.locator(".said")).to_have_text("After move 2 of 3")
    assert page.locator(".board .drawing .number").text_content() == boards[1]
    expect(moves(page)).to_have_count(0)
    page.get_by_role("link", name="Back to now").click()
    expect(moves(page).first).to_be_visible()
    assert page.locator(".board .drawing .number").text_content() == boards[2]


@GAMES
def test_on_a_phone_a_turn_and_the_coach_need_no_scrolling(kind: GameClass, visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    begin(page, kind, STRONGEST)
    for part in (".turn-bar", ".state", ".board", ".coach"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 740, part
