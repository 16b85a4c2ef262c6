"""Progress that a browser keeps: whatever stands in its storage, and whatever its clock says, every page works."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from web.browser.conftest import Visit
from web.browser.test_every_page import check_with_axe

PAGES = (
    "/",
    "/puzzle",
    "/puzzles",
    "/games/double-or-nothing",
    "/games/double-or-nothing/learn?step=2&move=double",
    "/games/double-or-nothing/practice?row=11111111",
)
DAYS = {"2026-11-19": 5, "x": {"marks": 5, "own": True}, "2026-11-18": None, "2026-11-20": {"marks": "✓", "second": 7}}
CARDS, SOLVED = {"a": None, "double-1": 5}, {"double-or-nothing": 5}
LESSONS = {"double-or-nothing": {"steps": 5, "step": "x", "practice": 7}, "binary-battle": 5}
JUNK = {
    "numbers": "5",
    "a list": "[1, 2]",
    "no JSON": "{{{",
    "inside": json.dumps(
        {"days": DAYS, "cards": CARDS, "begun": {"play": 5}, "solved": SOLVED, "behind": "x", **LESSONS}
    ),
}
REFUSE = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });"""


@pytest.mark.parametrize("junk", [pytest.param(key, marks=[pytest.mark.thorough] * (key != "inside")) for key in JUNK])
def test_junk_in_the_storage_breaks_no_page_and_the_next_result_is_kept(junk: str, visit: Visit) -> None:
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/")
    for key in ("bitduel-puzzles", "bitduel-lessons", "bitduel-people", "bitduel-person", "bitduel-clock"):
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, JUNK[junk]])
    for path in PAGES:
        page.goto(path)
    assert not errors
    stored = page.evaluate("JSON.parse(localStorage.getItem('bitduel-lessons'))['double-or-nothing']")
    assert (stored["step"], stored["steps"]) == (2, {"2": "done"})


def test_a_browser_that_may_keep_nothing_works_all_the_same(visit: Visit) -> None:
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(REFUSE)
    for path in PAGES:
        page.goto(path)
    page.goto("/games/double-or-nothing/learn?step=2")
    page.locator("button[name=move][value=double]").click()
    expect(page.locator(".answer.good")).to_be_visible()
    assert not errors


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", pytest.param("Pacific/Niue", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("years", [0, pytest.param(5, marks=pytest.mark.thorough)])
def test_the_day_is_that_of_the_site_whatever_the_clock_of_the_browser_says(
    zone: str, years: int, visit: Visit
) -> None:
    page = visit(timezone_id=zone)
    today = datetime.now(UTC).date()
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=365 * years))
    page.goto("/puzzles")
    days = {str(today - timedelta(day)): {"marks": "✓", "own": True} for day in range(3)}
    page.evaluate("(days) => localStorage.setItem('bitduel-puzzles', JSON.stringify({ days }))", days)
    for path in ("/puzzles", "/"):
        page.goto(path)
        expect(page.locator("[data-puzzle-link]")).to_have_text("See your result")
    page.goto("/puzzles")
    expect(page.locator("[data-streak]")).to_contain_text("3 days in a row")


def test_the_header_shows_name_and_streak_and_moves_nothing(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 740})
    page.goto("/puzzles")
    me, nav = page.locator("[data-me]"), page.locator("nav[aria-label=Site]")
    expect(me).to_be_hidden()
    before = nav.bounding_box()
    today = datetime.now(UTC).date()
    days = {str(today - timedelta(back)): {"marks": "✓✓", "own": True} for back in range(3)}
    page.evaluate(
        "(days) => { localStorage.setItem('bitduel-name', 'Mira'); localStorage.setItem('bitduel-puzzles', days); }",
        json.dumps({"days": days, "cards": {}}),
    )
    page.reload()
    expect(page.get_by_role("link", name="Mira, 3 days in a row")).to_be_visible()
    assert nav.bounding_box() == before
    check_with_axe(page, "header")
    one = json.dumps({"days": {str(today): {"marks": "✓✓", "own": True}}})
    page.evaluate("(one) => localStorage.setItem('bitduel-puzzles', one)", one)
    page.reload()
    expect(page.get_by_role("link", name="Mira", exact=True)).to_be_visible()
    expect(me.locator("[data-me-streak]")).to_be_hidden()
