"""What stays as it is while a page changes: the board, the focus, a move that was lost, and what one goes by."""

import re

import pytest
from playwright.sync_api import Route, expect

from bitduel.games.registry import all_games
from web.browser.conftest import (
    STRONGEST,
    TOO_WIDE,
    Server,
    Visit,
    Watch,
    begin,
    choose,
    expect_over,
    expect_ply,
    harmless,
    join,
    link,
    move,
    moves,
    ply_of,
)

TOP = "document.querySelector('figure.board').getBoundingClientRect().top"
DARK = next(kind for kind in all_games() if kind().is_hidden)
TOLD = re.compile(r"Your number is (less|greater) than the target\. Ben has")
HEARD = """() => {
  window.heard = [];
  const place = document.getElementById("announcer");
  new MutationObserver(() => window.heard.push(place.textContent)).observe(place, { childList: true });
}"""


def lose(route: Route) -> None:
    """Let nothing through that is sent."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_a_move_that_was_lost_says_so_and_is_sent_again(visit: Visit, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "failed request")
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    before = ply_of(page)
    page.route("**/*", lose)
    page.locator(".board button").first.click()
    expect(page.locator(".said")).to_contain_text("hasn't been sent")
    expect(page.locator(".pending")).to_have_count(0)
    assert ply_of(page) == before
    page.unroute("**/*")
    page.get_by_role("button", name="Send it again").click()
    expect_ply(page, before + 2)


@pytest.mark.thorough
def test_a_move_that_was_lost_is_sent_as_soon_as_the_connection_is_back(visit: Visit, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "failed request")
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    before = ply_of(page)
    page.context.set_offline(True)
    page.locator(".board button").first.click()
    expect(page.locator(".said")).to_contain_text("hasn't been sent")
    page.context.set_offline(False)
    expect_ply(page, before + 2)
    expect(page.locator(".said")).not_to_contain_text("hasn't been sent")
    expect(page.get_by_role("button", name="Send it again")).to_have_count(0)


@pytest.mark.thorough
def test_a_lost_move_is_not_forgotten_when_the_page_changes_around_it(visit: Visit, watch: Watch) -> None:
    watch.expect("ERR_FAILED", "failed request")
    page, guest = visit(), visit()
    begin(page, all_games()[0], "friend")
    join(guest, link(page, "invite-link"), "Ben")
    for ply, mover in enumerate((page, guest), 1):
        moves(mover).first.click()
        expect_ply(page, ply)
    page.route("**/*", lose)
    moves(page).first.click()
    expect(page.locator(".said")).to_contain_text("hasn't been sent")
    guest.get_by_role("button", name="Offer a draw").click()
    expect(page.locator(".asked")).to_be_visible()
    expect(page.locator(".said")).to_contain_text("hasn't been sent")
    page.unroute("**/*")
    page.get_by_role("button", name="Send it again").click()
    expect_ply(page, 3)


@pytest.mark.thorough
def test_the_board_stays_in_view_when_a_friend_takes_the_seat(visit: Visit) -> None:
    page, guest = visit(viewport={"width": 360, "height": 640}, reduced_motion="reduce"), visit()
    begin(page, all_games()[0], "friend")
    invitation = link(page, "invite-link")
    page.evaluate("document.querySelector('figure.board').scrollIntoView({ block: 'start', behavior: 'instant' })")
    stood = page.evaluate(TOP)
    assert page.evaluate("scrollY") > 0
    join(guest, invitation, "Ben")
    expect(page.locator(".invite")).to_have_count(0)
    assert abs(page.evaluate(TOP) - stood) <= 1


def test_at_the_end_the_result_is_in_view_wherever_one_was(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 480}, reduced_motion="reduce")
    begin(page, all_games()[0], "here", {"target": "3", "step": "2"})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    moves(page).first.click()
    expect_over(page)
    expect(page.locator(".status")).to_be_in_viewport()
    expect(page.locator(".status")).to_have_text("Player 1 wins.")


def test_the_focus_stays_on_the_same_move(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], "here", {"target": "1000"})
    for ply in (1, 2, 3):
        button = moves(page).nth(ply % 2)
        name = button.get_attribute("value")
        button.focus()
        page.keyboard.press("Enter")
        expect_ply(page, ply)
        assert page.evaluate("document.activeElement.value") == name


@pytest.mark.thorough
def test_the_focus_stays_on_the_same_move_while_the_computer_answers(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    begin(page, all_games()[0], STRONGEST, {"target": "1000"})
    for ply in (2, 4, 6):
        button = moves(page).first
        name = button.get_attribute("value")
        button.focus()
        page.keyboard.press("Enter")
        expect_ply(page, ply)
        expect(page.locator(f"button[name=move][value='{name}']")).to_be_focused()


@pytest.mark.thorough
def test_the_move_that_one_looks_at_stays_in_view_in_the_list(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    address = begin(page, all_games()[0], "here", {"target": "1000"})
    for ply in range(1, 11):
        moves(page).first.click()
        expect_ply(page, ply)
    page.goto(f"{address}?at=2")
    seen = """() => {
      const [list, row] = [document.querySelector(".move-list"), document.querySelector(".move-list [aria-current]")];
      const [around, box] = [list, row].map((part) => part.getBoundingClientRect());
      return box.top >= around.top && box.bottom <= around.bottom;
    }"""
    assert page.evaluate(seen)


def test_a_move_is_announced_once_and_is_one_stop_of_the_tab_key(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    begin(page, all_games()[0], STRONGEST)
    stops = page.locator("button[name=move]").evaluate_all("(all) => all.map((each) => each.value)")
    assert len(stops) == len(set(stops)) == len(all_games()[0]().moves)
    page.evaluate(HEARD)
    moves(page).first.click()
    expect_ply(page, 2)
    assert len(page.evaluate("heard")) == 1


@pytest.mark.parametrize("query", [pytest.param("", marks=pytest.mark.thorough), "?notes=0"])
def test_in_the_dark_every_turn_tells_what_one_goes_by_and_is_announced(query: str, visit: Visit, site: Server) -> None:
    page, guest = visit(), visit()
    address = begin(page, DARK, "friend")
    join(guest, link(page, "invite-link"), "Ben")
    expect(page.locator("#invite-link")).to_have_count(0)
    page.goto(address + query)
    page.evaluate(HEARD)
    for ply in (1, 3, 5):
        for number, mover in ((ply, page), (ply + 1, guest)):
            move(mover, harmless(site, address))
            expect_ply(guest, number)
        expect_ply(page, ply + 1)
        expect(page.locator(".said")).to_have_text(re.compile(r"\d+ is too (low|high)\."))
        expect(page.locator(".status")).to_have_text("Ben has taken a turn. Your turn.")
    heard = page.evaluate("heard")
    assert len(heard) == 6
    assert all("than the target." in text or " is too " in text for text in heard)


@pytest.mark.parametrize(
    "path",
    ["/", f"/games/{DARK.slug}", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("/matches", "/puzzle"))],
)
def test_the_smallest_phones_and_a_page_at_four_hundred_per_cent_need_no_scrolling_sideways(
    path: str, visit: Visit
) -> None:
    page = visit(viewport={"width": 320, "height": 640})
    page.goto(path)
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.thorough
@pytest.mark.parametrize("width", [320, 360])
def test_the_longest_name_without_a_space_needs_no_scrolling_sideways(width: int, visit: Visit) -> None:
    page = visit(viewport={"width": width, "height": 740})
    page.goto(f"/games/{all_games()[0].slug}")
    choose(page, "here")
    page.locator("[name=name]").fill("W" * 32)
    page.locator("[name=name2]").fill("M" * 32)
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")
    match = page.url
    moves(page).first.click()
    expect_ply(page, 1)
    for path in (match, f"{match}?at=1", "/", "/puzzle", "/matches"):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
