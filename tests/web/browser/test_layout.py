"""The layout of pages: nothing moves during a match, no word is cut on a narrow phone, and columns end together."""

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.storage import open_store
from web.browser.conftest import TOO_WIDE, Server, Visit, Watch, answered, is_over, moves, ply_of

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const parts = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120));
    // The end has a page of its own height.
    const over = document.querySelector('[data-over="true"]');
    if (!entry.hadRecentInput && !over) window.shifts.push([entry.value, ...parts]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
BOXES = """() => Object.fromEntries([".frame", ".turn-bar", ".frame .state", "figure.board", ".move-list", ".drawers"]
  .map((name) => [name, document.querySelector(name)?.getBoundingClientRect()])
  .filter(([, box]) => box)
  .map(([name, { x, y, width, height }]) => [name, [x, y + scrollY, width, height].map(Math.round)]))"""
CUT = """() => Array.from(document.querySelectorAll("main *, .top *"))
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1 && part.childElementCount < 3)
  .filter((part) => ["hidden", "clip"].includes(getComputedStyle(part).overflowX) && part.textContent.trim())
  .map((part) => part.outerHTML.slice(0, 120))"""
TURNS = 4
"""The moves of one's own that are played on one page."""


SIDE = """() => ["beside", "below"].map((name) => document.querySelector(`.${name}`).getBoundingClientRect().bottom)"""


def stage(page: Page, site: Server, match: Match, players: tuple[str, str], names: tuple[str, str]) -> str:
    """Put a match of this browser into the store and open it; return its address."""
    token = new_token()
    with open_store(site.database) as store:
        match_id = store.begin(match, players, names)
        store.seats.claim(match_id, 1, hashed(token))
    page.context.add_cookies([{"name": "bitduel", "value": token, "url": site.url}])
    page.goto(f"/matches/{match_id}")
    return f"/matches/{match_id}"


def play_on(page: Page, count: int) -> list[dict[str, list[int]]]:
    """Make moves and return where the parts of the page stood whenever it was one's turn."""
    boxes = []
    for _ in range(count):
        before = ply_of(page)
        moves(page).last.click()
        answered(page, before)
        expect(page.locator(".pending")).to_have_count(0)
        if is_over(page):
            break
        boxes.append(page.evaluate(BOXES))
    return boxes


@pytest.mark.parametrize(
    ("game", "width"),
    [
        pytest.param("double", 360),
        pytest.param("double", 1280, marks=pytest.mark.thorough),
        pytest.param("battle", 360, marks=pytest.mark.thorough),
        pytest.param("battle", 1280, marks=pytest.mark.thorough),
    ],
)
def test_nothing_moves_while_a_match_is_played(game: str, width: int, visit: Visit, site: Server) -> None:
    page = visit(viewport={"width": width, "height": 740})
    page.add_init_script(SHIFTS)
    stage(
        page,
        site,
        Match(make(game), 1, "10101" if game == "battle" else ""),
        ("human", "perfect"),
        ("Mira", "Computer (perfect)"),
    )
    at_first = page.evaluate(BOXES)
    later = play_on(page, TURNS)
    assert len(later) > 1, "the match was over at once"
    for boxes in later:
        kept = {name: box for name, box in boxes.items() if name in at_first}
        assert kept == {name: at_first[name] for name in kept}
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize(
    "name",
    [
        "end",
        pytest.param("home", marks=pytest.mark.thorough),
        pytest.param("game", marks=pytest.mark.thorough),
        pytest.param("nowhere", marks=pytest.mark.thorough),
    ],
)
def test_no_word_is_cut_on_the_narrowest_phone(name: str, visit: Visit, site: Server, watch: Watch) -> None:
    watch.expect("404")
    page = visit(viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    game = make("bits")
    drawn = Match(game, 1, "", ("flip 1", "flip 3", "reset 3", "reset 1"))
    ended = stage(page, site, drawn, ("human", "easy"), ("Mira", "Computer (easy)"))
    page.goto({"end": ended, "home": "/", "game": f"/games/{game.slug}", "nowhere": "/nowhere"}[name])
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(CUT) == []


@pytest.mark.thorough
def test_the_turn_bar_has_one_colour_for_each_player(visit: Visit, site: Server) -> None:
    page = visit()
    stage(page, site, Match(make("double")), ("human", "easy"), ("Mira", "Computer (easy)"))
    colours = page.locator(".turn-bar .note").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert set(colours) == {"rgba(0, 0, 0, 0)"}


@pytest.mark.thorough
def test_the_columns_of_a_game_page_end_at_about_the_same_height(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    page.goto("/games/double-or-nothing")
    beside, below = page.evaluate(SIDE)
    assert abs(beside - below) < 160
