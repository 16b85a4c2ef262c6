"""Inviting, sharing, one's own matches, and being without a connection, in a real browser."""

from datetime import datetime
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import all_games, make
from bitduel.web.assets import asset_url, assets
from codes import grid_of, read_qr
from web.browser.conftest import STRONGEST, Server, Visit, Watch, begin, expect_over, expect_ply, join, link, move, plan
from web.browser.test_every_page import AXE, SERIOUS

PHONE = {"width": 360, "height": 640}
CAN_SHARE = """
window.shared = [];
navigator.share = async (what) => { window.shared.push(what); };
"""
SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
CODE = """() => {
  const code = document.querySelector(".invite .qr");
  const [, ground, dark] = code.children;
  const fills = [ground, dark].map((part) => getComputedStyle(part).fill);
  return [code.outerHTML, code.getBoundingClientRect().width, ...fills];
}"""
SIXTY_FOUR = next(kind for kind in all_games() if "target" in {option.name for option in kind.declared_options})
Scheme = Literal["light", "dark"]


def bottom(page: Page, selector: str) -> float:
    """Where a part of the page ends; asked in one go, for the page may just be changing."""
    found: float = page.evaluate("(part) => document.querySelector(part).getBoundingClientRect().bottom", selector)
    return found


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_on_a_phone_the_whole_invitation_is_seen_without_scrolling(visit: Visit, scripts: bool) -> None:
    for number, kind in enumerate(all_games(), int(scripts)):
        page = visit(viewport=PHONE, java_script_enabled=scripts)
        if scripts:
            page.add_init_script(CAN_SHARE)
        begin(page, kind, "friend", first=1 + number % 2)
        assert page.evaluate("scrollY") == 0
        assert 200 < bottom(page, ".invite") <= PHONE["height"], kind.slug


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.thorough), "dark"])
def test_the_code_of_an_invitation_is_read_as_its_link_and_is_on_white_in_the_dark_too(
    visit: Visit, scheme: Scheme
) -> None:
    page = visit(color_scheme=scheme, viewport=PHONE)
    begin(page, all_games()[0], "friend")
    drawn, wide, *colours = page.evaluate(CODE)
    assert read_qr(grid_of(drawn)) == link(page, "invite-link")
    assert wide >= 130
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_where_the_device_can_share_one_button_does(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.add_init_script(CAN_SHARE)
    begin(page, all_games()[0], "friend")
    button = page.get_by_role("button", name="Share")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.shared.length === 1")
    (shared,) = page.evaluate("window.shared")
    assert shared["url"] == link(page, "invite-link")
    assert all_games()[0].title in shared["text"]
    guest = visit()
    join(guest, shared["url"], "Ben")
    expect(page.locator(".invite")).to_have_count(0)


@pytest.mark.thorough
def test_who_thinks_better_of_sharing_is_told_nothing(visit: Visit) -> None:
    page = visit()
    page.add_init_script("navigator.share = () => Promise.reject(new DOMException('no', 'AbortError'))")
    begin(page, all_games()[0], "friend")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".invite")).to_be_visible()


@pytest.mark.thorough
def test_where_the_device_cannot_share_there_is_no_such_button(visit: Visit) -> None:
    for scripts in (True, False):
        page = visit(java_script_enabled=scripts)
        if scripts:
            page.add_init_script("delete Navigator.prototype.share")
        begin(page, all_games()[0], "friend")
        expect(page.locator("[data-share]")).to_have_count(1)
        expect(page.locator("[data-share]")).to_be_hidden()


@pytest.mark.thorough
def test_who_comes_too_late_can_watch_by_one_click(visit: Visit) -> None:
    host, guest, late = visit(), visit(), visit(viewport=PHONE)
    address = begin(host, SIXTY_FOUR, "friend", {"target": "100"})
    invitation = link(host, "invite-link")
    late.goto(invitation)
    expect(late.locator("main")).to_contain_text(make(SIXTY_FOUR.slug, {"target": 100}).words.short_rules()[-1])
    join(guest, invitation)
    late.reload()
    late.get_by_role("link", name="Watch the match").click()
    late.wait_for_url(address)
    expect(late.locator(".board")).to_be_visible()


def test_my_matches_tell_the_result_the_level_and_the_time_of_this_place(visit: Visit) -> None:
    page = visit(viewport=PHONE, timezone_id="Pacific/Auckland", locale="en-GB")
    page.add_init_script(SHIFTS)
    begin(page, all_games()[0], STRONGEST)
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, I resign").click()
    expect_over(page)
    begin(page, all_games()[1], STRONGEST)
    page.locator(".shortcuts").get_by_role("link", name="More").click()
    page.get_by_role("link", name="My matches").click()
    rows = page.locator(".mine li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Your turn")
    expect(rows.last).to_contain_text("You lost")
    expect(rows.last).to_contain_text(f"({STRONGEST})")
    expect(page.locator(".tally")).to_contain_text("0 won, 1 lost")
    time = rows.last.locator("time")
    moment = datetime.fromisoformat(time.get_attribute("datetime") or "")
    there = page.evaluate(
        "(at) => new Date(at).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})", moment.isoformat()
    )
    expect(time).to_contain_text(there)
    expect(time).to_have_attribute("title", moment.strftime("%Y-%m-%d %H:%M UTC"))
    assert page.evaluate("window.shifts") < 0.01
    rows.last.get_by_role("link", name="See the moves").click()
    page.wait_for_url("**/review")
    page.go_back()
    rows.last.click(position={"x": 200, "y": 20})
    page.wait_for_url("**/matches/*")


@pytest.mark.thorough
def test_without_scripts_the_time_is_named_as_it_is(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    begin(page, all_games()[0], STRONGEST)
    page.goto("/matches")
    expect(page.locator("time")).to_contain_text("UTC")


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_invitations_my_matches_and_the_offline_page(visit: Visit, scheme: Scheme) -> None:
    page, late = (visit(color_scheme=scheme, bypass_csp=True, viewport=PHONE) for _ in range(2))
    page.add_init_script(CAN_SHARE)
    planned = plan(all_games()[0])
    begin(page, planned.kind, "here", planned.options)
    for _, name, after in planned.turns:
        move(page, name)
        expect_ply(page, after)
    expect_over(page)
    begin(page, all_games()[0], STRONGEST)
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, I resign").click()
    expect_over(page)
    begin(page, all_games()[0], "friend")
    invitation = link(page, "invite-link")
    join(visit(), invitation)
    late.goto(invitation)
    found = [axe(late)]
    begin(page, all_games()[0], "friend")
    for path in (page.url, "/matches", "/offline"):
        page.goto(path)
        found.append(axe(page))
    assert found == [[]] * 4


def axe(page: Page) -> list[str]:
    page.add_script_tag(content=AXE)
    result: list[str] = page.evaluate(SERIOUS)
    return result


KEPT = """async () => {
  const names = await caches.keys();
  const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys())));
  return files.flat().map(({ url }) => new URL(url).pathname).sort();
}"""


def test_without_a_connection_a_page_says_so_and_opens_again_by_itself(visit: Visit, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page = visit(viewport=PHONE)
    address = begin(page, all_games()[0], STRONGEST)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto("/matches")
    kept = sorted(["/offline", *map(asset_url, assets())])
    assert page.evaluate(KEPT) == kept
    page.context.set_offline(True)
    page.goto(address)
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    assert page.url == address
    assert page.locator("body").evaluate("(body) => getComputedStyle(body).display") == "flex", "it is styled"
    expect(page.locator(".board")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".board")).to_be_visible()
    assert page.evaluate(KEPT) == kept


def test_while_there_is_a_connection_nothing_old_is_shown(visit: Visit, site: Server) -> None:
    page, guest = visit(), visit()
    address = begin(page, all_games()[0], "friend")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(address)
    expect(page.locator(".invite")).to_be_visible()
    invitation = link(page, "invite-link")
    page.goto("/matches")
    join(guest, invitation, "Newcomer")
    page.goto(address)
    expect(page.locator(".invite")).to_have_count(0)
    expect(page.locator(".turn-bar")).to_contain_text("Newcomer")
