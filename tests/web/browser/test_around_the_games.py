"""Home, the pages of games, charts, the explorer and reviews in a real browser, with scripts and without."""

import re

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import GameClass, all_games
from bitduel.web.home_pages import first_win
from bitduel.web.start_form import USUAL_LEVEL
from web.browser.conftest import (
    FEW,
    WIDTHS,
    Visit,
    Watch,
    begin,
    choose,
    expect_over,
    expect_ply,
    fits,
    move,
    moves,
    open_drawers,
    ply_of,
)
from web.browser.test_every_page import check_with_axe

pytestmark = pytest.mark.thorough

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
WIDE = pytest.mark.parametrize("width", WIDTHS)
OPEN = [kind for kind in all_games() if kind().has_perfect_information]
DARK = [kind for kind in all_games() if not kind().has_perfect_information]
SHIFTS = """() => new Promise((done) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(seen.reduce((sum, each) => sum + each.value, 0))));
})"""
BITS = [
    *("flip 2", "flip 4", "flip 3", "flip 3", "reset 4", "flip 4", "flip 1"),
    *("flip 2", "reset 4", "reset 3", "flip 3", "flip 4", "flip 4"),
]
"""A match whose mistakes are at the moves 8, 9 and 12."""


def sized(visit: Visit, width: int, scripts: bool = True) -> Page:
    return visit(viewport={"width": width, "height": 800}, java_script_enabled=scripts)


@WIDE
@SCRIPTS
def test_a_first_win_at_home_leads_to_a_match_that_waits_there(visit: Visit, width: int, scripts: bool) -> None:
    page = sized(visit, width, scripts)
    page.goto("/")
    win = first_win()
    assert win
    for name in sorted(win.legal, key=lambda each: bool(win.after(each).outcome)):
        button = page.locator(f"#first button[name=move][value='{name}']")
        box = button.bounding_box()
        assert box
        assert box["y"] + box["height"] < 800, "without scrolling"
        button.click()
        page.wait_for_url("**/?move=*")
    expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    page.get_by_role("button", name="Play a real match").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator(".match")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Your turn|Welcome back"))
    fits(page, "home of somebody who has played")
    if scripts:
        check_with_axe(page, "home of somebody who has played")


@FEW
def test_every_game_is_one_click_away_and_other_ways_two(kind: GameClass, visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name=f"Play {kind.title} against").click()
    page.wait_for_url("**/matches/*")
    page.goto(f"/games/{kind.slug}")
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")
    page.goto(f"/games/{kind.slug}")
    choose(page, "here")
    expect(page.locator("[name=name2]")).to_be_visible()
    expect(page.locator("[name=level]").first).to_be_hidden()
    fits(page, "game, two at one screen")
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")


def test_who_invites_is_asked_for_a_name_and_nothing_moves(visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/{all_games()[0].slug}")
    before = page.locator("#start button.primary").bounding_box()
    choose(page, "friend")
    expect(page.locator("#name")).to_be_visible()
    expect(page.locator("#start button.primary")).to_have_text(re.compile("Invite"))
    assert page.locator("#start button.primary").bounding_box() == before
    check_with_axe(page, "inviting")


def test_a_film_follows_the_theme_and_holds_still_for_those_who_like_no_motion(visit: Visit) -> None:
    for scheme, motion, look in (("light", "no-preference", "light"), ("dark", "reduce", "dark-still")):
        page = visit(color_scheme=scheme, reduced_motion=motion)
        page.goto(f"/games/{all_games()[0].slug}")
        page.locator("#sample summary").click()
        film = page.locator(".film img")
        expect(film).to_be_visible()
        assert f"/{look}.svg" in film.evaluate("(each) => each.decode().then(() => each.currentSrc)")


def test_the_week_and_the_next_step_at_home_come_from_this_browser(visit: Visit) -> None:
    page, kind = visit(), all_games()[0]
    begin(page, kind, "easy")
    page.evaluate(
        """([slug]) => {
          const day = (ago) => new Date(Date.now() - ago * 86400000).toISOString().slice(0, 10);
          const days = { [day(1)]: "✓", [day(0)]: "✓" };
          localStorage.setItem("bitduel-puzzles", JSON.stringify({ days, cards: {} }));
          localStorage.setItem(`bitduel-lesson-${slug}`, "3");
        }""",
        [kind.slug],
    )
    page.goto("/")
    expect(page.locator("[data-solved-today]")).to_be_visible()
    expect(page.locator("[data-days-in-a-row]")).to_have_text("2 days in a row")
    expect(page.locator("main .lamp-dot.lit")).to_have_count(2)
    page.get_by_role("link", name="Continue with step 3").click()
    page.wait_for_url(f"**/games/{kind.slug}/learn?step=3")


def test_the_badge_says_how_many_matches_wait_on_pages_that_are_the_same_for_everybody(visit: Visit) -> None:
    page, kind = visit(), all_games()[0]
    page.goto(f"/games/{kind.slug}")
    expect(page.locator("[data-waiting]")).to_be_hidden()
    begin(page, kind, "easy")
    page.goto("/puzzles")
    expect(page.locator("[data-waiting]")).to_be_visible()
    expect(page.locator("[data-count]")).to_have_text("1")


@SCRIPTS
def test_enter_in_any_field_starts_the_match_with_all_that_was_filled_in(visit: Visit, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts)
    for field in ("name", "name2", "opt-target"):
        page.goto(f"/games/{all_games()[0].slug}")
        open_drawers(page)
        choose(page, "here")
        page.locator("[name=name]").fill("Ada")
        page.locator("[name=first][value='1']").check()
        page.locator("[name=opt-target]").fill("99")
        page.locator(f"[name={field}]").press("Enter")
        page.wait_for_url("**/matches/*")
        expect(page.locator("main")).to_contain_text("Ada")
        expect(page.locator("main")).to_contain_text("99")


@WIDE
@SCRIPTS
def test_after_an_error_the_form_is_as_it_was_and_the_field_has_the_focus(
    visit: Visit, watch: Watch, width: int, scripts: bool
) -> None:
    watch.expect("status of 400")
    page = sized(visit, width, scripts)
    page.goto(f"/games/{all_games()[0].slug}")
    open_drawers(page)
    choose(page, "here")
    page.locator("[name=name]").fill("Ada")
    page.locator("[name=name2]").fill("Ben")
    page.locator("[name=first][value='2']").check()
    page.locator("[name=opt-start]").fill("70")
    page.locator("#start button.primary").click()
    expect(page.get_by_role("alert")).to_contain_text("must be less than target")
    wrong = page.locator("#opt-start")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_accessible_description(re.compile("must be less than target"))
    expect(wrong).to_have_value("70")
    expect(page.locator("[name=name]")).to_have_value("Ada")
    expect(page.locator("[name=name2]")).to_have_value("Ben")
    expect(page.locator("[name=first][value='2']")).to_be_checked()
    fits(page, "error")
    if scripts:
        check_with_axe(page, "error")
    wrong.fill("2")
    wrong.press("Enter")
    page.wait_for_url("**/matches/*")
    expect(page.locator(".match")).to_contain_text("Ben")


def test_a_look_at_the_rules_keeps_the_form(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"/games/{all_games()[0].slug}")
    open_drawers(page)
    page.locator("[name=name]").fill("Ada")
    page.locator("[name=first][value='1']").check()
    page.locator("[name=opt-target]").fill("100")
    page.get_by_role("button", name="Show the rules").click()
    expect(page.locator(".lead")).to_contain_text("exactly 100")
    expect(page.locator("[name=name]")).to_have_value("Ada")
    expect(page.locator("[name=first][value='1']")).to_be_checked()
    expect(page.locator(".verdict")).to_be_visible()


def test_the_browser_remembers_the_name_and_takes_it_along(visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/{all_games()[0].slug}")
    page.locator("[name=name]").fill("Ada")
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")
    page.goto(f"/games/{all_games()[1].slug}")
    expect(page.locator("[name=name]")).to_have_value("Ada")
    page.goto("/")
    page.locator(".game-list button").first.click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("main")).to_contain_text("Ada")


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
@SCRIPTS
def test_a_chart_fits_follows_the_theme_and_leads_to_positions(kind: GameClass, visit: Visit, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts, color_scheme="light")
    page.goto(f"/games/{kind.slug}")
    page.get_by_role("link", name="The whole game in one picture").click()
    page.wait_for_url("**/chart*")
    fits(page, "chart")
    cell = page.locator(".whole a").last
    light = cell.evaluate("(each) => getComputedStyle(each).backgroundColor")
    page.emulate_media(color_scheme="dark")
    assert cell.evaluate("(each) => getComputedStyle(each).backgroundColor") != light
    if scripts:
        check_with_axe(page, "chart")
    cell.click()
    page.wait_for_url("**/position?*")
    expect(page.locator(".trail li").nth(1)).to_be_visible()
    fits(page, "position")


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_a_chart_is_one_stop_for_tab_and_walked_by_arrows(kind: GameClass, visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/{kind.slug}/chart")
    assert page.locator('.whole a[tabindex="0"]').count() == 1
    first = page.locator(".whole a").first
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(first).not_to_be_focused()
    below = page.evaluate("document.activeElement.href")
    page.keyboard.press("ArrowUp")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.href") == below
    page.keyboard.press("Enter")
    page.wait_for_url("**/position?*")


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_positions_are_explored_by_keys_and_played_on(kind: GameClass, visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/{kind.slug}/position")
    steps = page.locator(".trail li")
    keyed = page.locator("a.choice[data-key]").first
    if keyed.count():
        page.keyboard.press(keyed.get_attribute("data-key") or "")
    else:
        page.locator("a.choice").first.press("Enter")
    expect(steps).to_have_count(2)
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    expect(steps).to_have_count(1)
    page.locator("a.choice").first.click()
    expect(steps).to_have_count(2)
    page.locator(f"[name=opponent][value={USUAL_LEVEL}]").click()
    page.wait_for_url("**/matches/*")
    assert ply_of(page) == 1
    expect(moves(page).first).to_be_visible()


@pytest.mark.parametrize("kind", DARK, ids=lambda kind: kind.slug)
@WIDE
@SCRIPTS
def test_the_dark_is_explored_by_what_one_may_be_told(kind: GameClass, visit: Visit, width: int, scripts: bool) -> None:
    page = sized(visit, width, scripts)
    page.goto(f"/games/{kind.slug}/position")
    page.get_by_role("link", name="You go second").click()
    expect(page.locator(".sides [aria-current]")).to_have_text("You go second")
    for step in (2, 3):
        page.locator(".answers a").first.click()
        expect(page.locator(".trail li")).to_have_count(step)
    expect(page.locator("main")).to_contain_text("equilibrium")
    fits(page, "in the dark")
    if scripts:
        check_with_axe(page, "in the dark")
    page.locator(".trail li a").nth(1).click()
    expect(page.locator(".trail li")).to_have_count(2)
    page.get_by_role("link", name="Start").click()
    expect(page.locator(".sides [aria-current]")).to_have_text("You go second")


def reviewed(page: Page) -> None:
    """A match with three mistakes, played at one keyboard, and its review."""
    kind = next(kind for kind in all_games() if BITS[0] in kind().moves)
    begin(page, kind, "here")
    for ply, name in enumerate(BITS, 1):
        move(page, name)
        expect_ply(page, ply)
    expect_over(page)
    page.get_by_role("link", name="See the moves").click()
    page.wait_for_url("**/review*")


@WIDE
@SCRIPTS
def test_a_review_leads_from_mistake_to_mistake_and_lets_one_do_better(visit: Visit, width: int, scripts: bool) -> None:
    page = sized(visit, width, scripts)
    reviewed(page)
    where = page.locator(".where")
    expect(where).to_have_text("8 of 13")
    for key, name, ply in (("n", "Next", 9), ("n", "Next", 12), ("p", "Previous", 9)):
        if scripts:
            page.keyboard.press(key)
        else:
            page.get_by_role("link", name=f"{name} mistake").click()
        expect(where).to_have_text(f"{ply} of 13")
    fits(page, "review")
    page.get_by_role("link", name="Try again from here").click()
    expect(page.locator("h1")).to_have_text("Try again")
    expect(page.locator("main")).not_to_contain_text("could still have")
    page.get_by_role("link", name="Reset 4").click()
    expect(page.locator(".answer")).to_contain_text("Not quite")
    fits(page, "quiz")
    if scripts:
        expect(page.locator("#announcer")).to_contain_text("Not quite")
        check_with_axe(page, "quiz")
    page.get_by_role("link", name="Flip 4").click()
    expect(page.locator(".answer")).to_contain_text("Yes!")
    page.locator("[name=opponent][value=easy]").click()
    page.wait_for_url(re.compile("/matches/[a-z0-9]+$"))
    expect_ply(page, 8)
    move(page, "flip 4")
    expect_over(page)


def test_a_review_without_mistakes_is_kind_and_passes_axe(visit: Visit) -> None:
    page = visit()
    kind = next(kind for kind in OPEN if "target" in {option.name for option in kind.declared_options})
    begin(page, kind, "here", {"target": "3", "step": "1"})
    for ply, name in enumerate(("double", "add"), 1):
        move(page, name)
        expect_ply(page, ply)
    page.get_by_role("link", name="See the moves").click()
    expect(page.locator(".lead")).to_contain_text("Well played, both of you")
    expect(page.locator("figcaption", has_text="turning point")).to_have_count(0)
    check_with_axe(page, "review without mistakes")


def around() -> list[str]:
    """The pages of this part."""
    races = [f"/games/{kind.slug}{page}" for kind in all_games() for page in ("", "?show=verdict&name=", "/position")]
    return ["/", *races, *(f"/games/{kind.slug}/chart" for kind in OPEN)]


@WIDE
def test_nothing_jumps_while_a_page_comes_up(visit: Visit, width: int) -> None:
    page = sized(visit, width)
    for path in around():
        page.goto(path)
        page.wait_for_load_state("load")
        assert page.evaluate(SHIFTS) < 0.01, path


@pytest.mark.thorough
def test_a_name_is_remembered_once_the_site_has_taken_it(visit: Visit, watch: Watch) -> None:
    watch.expect("status of 400")
    page = visit()
    page.goto(f"/games/{all_games()[0].slug}")
    for name, kept in (("x" * 33, None), ("Mira", "Mira")):
        page.locator("[name=name]").fill(name)
        page.locator("#start button.primary").click()
        expect(page.locator("[name=name][aria-invalid]" if kept is None else "main[data-live]")).to_be_visible()
        assert page.evaluate("localStorage.getItem('bitduel-name')") == kept
    page.evaluate("localStorage.setItem('bitduel-name', 'x'.repeat(33))")
    page.goto("/")
    page.get_by_role("button", name="Play").first.click()
    page.wait_for_url("**/matches/*")
