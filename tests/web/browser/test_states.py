"""Every state of a match: one's turn, a move under way, a look back, won, lost and drawn."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.match import Match
from bitduel.core.outcomes import AGREED_DRAW, Outcome
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.storage import open_store
from web.browser.conftest import TOO_WIDE, Server, Visit, expect_ply, moves
from web.browser.test_every_page import check_with_axe

WIDTHS = (360, 768, 1280, 1920)


class Stage(NamedTuple):
    """A match of the first player against the computer, with a result if it is over."""

    game: str
    moves: tuple[str, ...]
    deal: str = ""
    outcome: Outcome | None = None
    ended: bool = False


TURNS = {
    "64": Stage("64", ("add", "double", "add", "double")),
    "double": Stage("double", ("add", "double")),
    "31": Stage("31", ("4", "8", "8", "2")),
    "bits": Stage("bits", ("flip 2", "flip 2", "flip 1", "flip 1", "flip 3", "flip 3")),
    "battle": Stage("battle", ("toggle 1", "toggle 3", "toggle 3", "toggle 1"), "11001"),
}
ENDS = {
    "won": Stage("double", ("double", "double", "add", "double", "double"), ended=True),
    "lost": Stage("double", ("add", "add", "add", "double", "add", "double", "double"), ended=True),
    "lost without a slip": Stage("double", ("add", "add", "double", "double", "double"), ended=True),
    "won at 31": Stage("31", ("16", "1", "16"), ended=True),
    "lost battle": Stage(
        "battle", ("toggle 5", "toggle 1", "toggle 5", "toggle 2", "toggle 5", "toggle 3"), "11100", ended=True
    ),
    "drawn": Stage("bits", ("flip 2", "flip 2"), outcome=Outcome(None, AGREED_DRAW), ended=True),
}


def stage(page: Page, site: Server, staged: Stage) -> str:
    """Put a match of this browser into the store and open it; its address."""
    game, token = make(staged.game), new_token()
    with open_store(site.database) as store:
        match_id = store.begin(
            Match(game, 1, staged.deal, staged.moves), ("human", "easy"), ("Mira", "Computer (easy)")
        )
        store.seats.claim(match_id, 1, hashed(token))
        if staged.outcome:
            store.end(match_id, staged.outcome)
    page.context.add_cookies([{"name": "bitduel", "value": token, "url": site.url}])
    page.goto(f"/matches/{match_id}")
    return f"/matches/{match_id}"


def going_on(staged: Stage) -> str:
    """A move after which the match goes on, whatever the answer is."""
    match = Match(make(staged.game), 1, staged.deal, staged.moves)
    after = {name: match.after(name) for name in match.legal}
    return next(
        name
        for name, then in after.items()
        if not then.outcome and not any(then.after(answer).outcome for answer in then.legal)
    )


def fits_everywhere(page: Page, name: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(TOO_WIDE) == [], f"{name} at {width}"


@pytest.mark.thorough
@pytest.mark.parametrize("game", TURNS)
def test_a_turn_a_move_under_way_and_a_look_back_fit_and_have_no_faults(game: str, visit: Visit, site: Server) -> None:
    page = visit(reduced_motion="reduce")
    address = stage(page, site, TURNS[game])
    fits_everywhere(page, "own turn")
    check_with_axe(page, "own turn")
    page.goto(f"{address}?at=1")
    fits_everywhere(page, "look back")
    check_with_axe(page, "look back")
    page.goto(address)
    page.route("**/move", lambda route: None)
    moves(page).first.click()
    expect(page.locator(".pending")).to_have_count(1)
    expect(page.locator(".frame")).to_have_attribute("data-turn", "2")
    fits_everywhere(page, "pending")
    check_with_axe(page, "pending")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENDS)
def test_the_end_fits_and_has_no_faults_and_one_filled_button(name: str, visit: Visit, site: Server) -> None:
    page = visit(reduced_motion="reduce")
    stage(page, site, ENDS[name])
    expect(page.locator(".match")).to_have_attribute("data-over", "true")
    expect(page.locator("main .primary")).to_have_count(1)
    fits_everywhere(page, name)
    check_with_axe(page, name)


@pytest.mark.thorough
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_lost_match_goes_on_from_where_it_turned(scripts: bool, visit: Visit, site: Server) -> None:
    page = visit(java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    address = stage(page, site, ENDS["lost"])
    expect(page.locator(".turning-card")).to_contain_text("It turned at move 5")
    page.get_by_role("button", name="Try again from there").click()
    page.wait_for_url(lambda url: "/matches/" in url and not url.endswith(address))
    expect_ply(page, 4)
    expect(page.locator(".board [role=group]")).to_have_attribute("aria-label", "The number is 8. The target is 20.")


@pytest.mark.thorough
def test_a_safe_bit_has_a_lock_and_says_so_and_cannot_be_pressed(visit: Visit, site: Server) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    stage(page, site, TURNS["bits"])
    safe = page.get_by_role("button", name=re.compile("2: 1, safe"))
    expect(safe).to_have_count(2)
    for each in safe.all():
        expect(each).to_be_disabled()
        expect(each).to_contain_text("2 safe")
        expect(each.locator(".lock")).to_be_visible()
    expect(page.locator(".lock:visible")).to_have_count(2)


@pytest.mark.thorough
def test_bit_numbers_stand_where_they_lead_to_and_go_with_the_notes(visit: Visit, site: Server) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    address = stage(page, site, TURNS["battle"])
    expect(page.locator(".pin .pin-label")).to_have_text(["1", "2", "3", "4", "5"])
    expect(page.locator(".pin.possible .pin-label")).to_have_text(["2", "4", "5"])
    page.goto(f"{address}?notes=0")
    expect(page.locator(".pin")).to_have_count(0)


@pytest.mark.thorough
def test_circle_and_diamond_on_the_stairs_tell_who_made_which_number(visit: Visit, site: Server) -> None:
    page = visit()
    stage(page, site, TURNS["64"])
    marks = page.locator(".trail-marks > *").evaluate_all("all => all.map((each) => each.tagName)")
    assert marks == ["circle", "path", "circle"]


@pytest.mark.thorough
@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize("width", [360, 1280])
def test_the_frame_keeps_its_place_and_size_while_a_move_is_made(
    game: str, width: int, visit: Visit, site: Server
) -> None:
    page = visit(viewport={"width": width, "height": 740})
    stage(page, site, TURNS[game])
    button = page.locator(f"form[data-move] button[name=move][value='{going_on(TURNS[game])}']")
    # A button that has just appeared cannot be pressed yet, and Playwright would scroll while it tries again.
    button.evaluate("(button) => Promise.all(button.getAnimations().map((each) => each.finished))")
    frame = page.locator(".frame")
    before = frame.bounding_box()
    button.click()
    expect_ply(page, len(TURNS[game].moves) + 2)
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
    assert frame.bounding_box() == before


@pytest.mark.thorough
@pytest.mark.parametrize("width", [360, 1280])
def test_the_list_of_moves_shows_whole_rows(width: int, visit: Visit, site: Server) -> None:
    page = visit(viewport={"width": width, "height": 740})
    stage(page, site, Stage("double", ("add",) * 18))
    rows = page.locator(".move-list").evaluate(
        """(list) => Array.from(list.children, (row) => row.getBoundingClientRect())
          .map(({ top, bottom }) => [top, bottom].map((edge) => edge - list.getBoundingClientRect().top))
          .filter(([top, bottom]) => bottom > 1 && top < list.clientHeight - 1)
          .filter(([top, bottom]) => top < -1 || bottom > list.clientHeight + 1)"""
    )
    assert rows == []
