"""What players settle, in real browsers: two at a table, with scripts and without, on a phone and on a desktop."""

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import GameClass, all_games
from web.browser.conftest import (
    STRONGEST,
    Server,
    Visit,
    Watch,
    answered,
    begin,
    choose,
    expect_over,
    expect_ply,
    fits,
    harmless,
    join,
    link,
    move,
    moves,
    open_drawers,
    ply_of,
)
from web.browser.test_every_page import check_with_axe

pytestmark = pytest.mark.thorough

OPEN = next(kind for kind in all_games() if kind().has_perfect_information)
DARK = next(kind for kind in all_games() if kind().is_hidden)
SHIFTS = """() => {
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted.push(entry.value);
  }).observe({ type: "layout-shift", buffered: false });
}"""
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


class Two:
    """Two browsers at one table; without scripts a page is looked at again by hand."""

    def __init__(self, visit: Visit, scripts: bool = True, kind: GameClass = OPEN, width: int = 1280) -> None:
        settings = {"java_script_enabled": scripts, "reduced_motion": "reduce"}
        size = {"width": width, "height": 780}
        self.scripts = scripts
        self.ada, self.ben = visit(viewport=size, **settings), visit(viewport=size, **settings)
        self.address = begin(self.ada, kind, "friend")
        join(self.ben, link(self.ada, "invite-link"), "Ben")
        self.look(self.ada)
        expect(self.ada.locator("#invite-link")).to_have_count(0)

    def look(self, page: Page) -> None:
        if not self.scripts:
            page.reload()

    def play(self, count: int) -> None:
        """So many moves, by turns; both pages know of them."""
        start = ply_of(self.ada)
        for ply in range(start, start + count):
            mover, other = (self.ada, self.ben) if ply % 2 == 0 else (self.ben, self.ada)
            self.look(mover)
            moves(mover).first.click()
            expect_ply(mover, ply + 1)
            self.look(other)
            expect_ply(other, ply + 1)

    def press(self, page: Page, name: str, other: Page | None = None) -> None:
        """Press a button; the other page is looked at again."""
        page.get_by_role("button", name=name).click()
        if other:
            self.look(other)


@SCRIPTS
def test_a_move_is_taken_back_when_the_other_allows_it(scripts: bool, visit: Visit) -> None:
    two = Two(visit, scripts)
    two.play(3)
    two.press(two.ada, "Ask to take back", two.ben)
    expect(two.ada.locator(".settle .waiting")).to_contain_text("Waiting for Ben")
    expect(two.ben.locator(".asked")).to_contain_text("would like to take back")
    two.press(two.ben, "Allow it", two.ada)
    for page in (two.ada, two.ben):
        expect_ply(page, 2)
        expect(page.locator(".asked")).to_have_count(0)
    expect(moves(two.ada).first).to_be_visible()
    two.play(1)
    two.press(two.ada, "Ask to take back", two.ben)
    two.press(two.ben, "No, play on", two.ada)
    expect(two.ada.locator(".settle .waiting")).to_contain_text("Ben doesn't want you to take the move back")
    expect_ply(two.ada, 3)


@SCRIPTS
def test_a_draw_is_offered_and_accepted(scripts: bool, visit: Visit) -> None:
    two = Two(visit, scripts)
    two.play(2)
    two.press(two.ben, "Offer a draw", two.ada)
    expect(two.ada.locator(".asked")).to_contain_text("Ben offers a draw.")
    two.press(two.ada, "Accept the draw", two.ben)
    for page in (two.ada, two.ben):
        expect_over(page)
        expect(page.locator(".status")).to_have_text("It is a draw.")
        expect(page.locator(".said")).to_contain_text("agreed to a draw")


def test_a_move_is_a_no_to_an_offer(visit: Visit) -> None:
    two = Two(visit)
    two.play(2)
    two.press(two.ben, "Offer a draw")
    expect(two.ada.locator(".asked")).to_be_visible()
    two.play(1)
    for page in (two.ada, two.ben):
        expect(page.locator(".asked, .waiting")).to_have_count(0)


@SCRIPTS
def test_a_rematch_is_wished_for_accepted_and_found_by_everybody(scripts: bool, visit: Visit) -> None:
    two = Two(visit, scripts)
    watcher = visit(java_script_enabled=scripts)
    watcher.goto(two.address)
    two.ada.locator("summary", has_text="Resign").click()
    two.press(two.ada, "Yes, I resign", two.ben)
    expect_over(two.ben)
    two.press(two.ben, "Rematch", two.ada)
    expect(two.ben.locator(".again")).to_contain_text("You would like another round.")
    expect(two.ada.locator(".asked")).to_contain_text("Ben would like another round.")
    expect(two.ada.locator(".asked")).to_contain_text("Ben: 1")
    two.press(two.ada, "Play another round")
    two.ada.wait_for_url(lambda url: url != two.address)
    for page in (two.ben, watcher):
        if not (scripts and page is two.ben):  # with scripts whoever asked is taken along
            two.look(page)
            page.get_by_role("link", name="Go to the next round").click()
        page.wait_for_url(two.ada.url)
        expect(page.locator(".score")).to_be_visible()


@SCRIPTS
def test_a_seat_goes_on_on_another_device_and_the_old_one_watches(scripts: bool, visit: Visit, site: Server) -> None:
    two = Two(visit, scripts, DARK)
    for ply, mover in enumerate((two.ada, two.ben), 1):
        two.look(mover)
        move(mover, harmless(site, two.address))
        expect_ply(mover, ply)
    phone = visit(java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    other = two.ada.context.new_page()
    other.goto(two.address)
    other.locator("#more summary").click()
    other.get_by_role("link", name="Continue on another device").click()
    other.get_by_role("button", name="Make a link").click()
    fits(other, "device")
    phone.goto(link(other, "seat-link"))
    fits(phone, "seat")
    phone.get_by_role("button", name="Continue on this device").click()
    phone.wait_for_url(two.address)
    expect(moves(phone).first).to_be_visible()
    two.look(two.ada)
    expect(moves(two.ada)).to_have_count(0)
    expect(two.ada.locator("main")).to_contain_text("you see only what both players can see")
    moves(phone).first.click()
    expect_ply(phone, 3)


@pytest.mark.parametrize("opponent", [STRONGEST, "friend"])
def test_a_rigged_secret_is_refused_by_the_form_with_a_sentence(opponent: str, visit: Visit, watch: Watch) -> None:
    watch.expect("status of 400")
    page = visit()
    page.goto(f"/games/{DARK.slug}")
    secret = next(option for option in DARK.declared_options if option.is_secret)
    open_drawers(page)
    page.locator(f"[name='opt-{secret.name}']").fill("10101")
    choose(page, opponent)
    page.locator("#start button.primary").click()
    expect(page.get_by_role("alert")).to_contain_text(f"{secret.name} can be chosen only when two people")


@SCRIPTS
def test_the_coach_comes_to_two_people_only_when_both_say_so_and_both_see_it(scripts: bool, visit: Visit) -> None:
    two = Two(visit, scripts)
    worth = ".badge"
    two.ada.goto(f"{two.address}?coach=1")
    expect(two.ada.locator(worth)).to_have_count(0)
    expect(two.ada.get_by_role("link", name="Explore this position")).to_have_count(0)
    two.press(two.ada, "Ask for the coach", two.ben)
    expect(two.ada.locator(worth)).to_have_count(0)
    expect(two.ben.locator(".coach")).to_contain_text("would like the coach for both of you")
    two.press(two.ben, "Yes, for both of us", two.ada)
    for page in (two.ada, two.ben):
        expect(page.locator(".coach")).to_contain_text("The coach is on for both players.")
    two.ada.locator("#hint-move summary").click()
    expect(two.ada.locator(worth).first).to_be_visible()
    two.press(two.ben, "Turn the coach off", two.ada)
    expect(two.ada.locator(worth)).to_have_count(0)


@SCRIPTS
@pytest.mark.parametrize("opponent", [STRONGEST, "here"])
def test_alone_a_move_is_taken_back_at_once(scripts: bool, opponent: str, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts)
    begin(page, OPEN, opponent)
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    moves(page).first.click()
    answered(page, 0)
    page.get_by_role("button", name="Take back").click()
    expect_ply(page, 0)


def test_a_match_that_has_hardly_begun_is_called_off(visit: Visit) -> None:
    two = Two(visit)
    two.ben.locator("summary", has_text="Cancel the match").click()
    two.press(two.ben, "Yes, cancel it")
    for page in (two.ada, two.ben):
        expect_over(page)
        expect(page.locator(".status")).to_contain_text("It doesn't count.")


def test_the_others_presence_shows_and_says_so_in_a_word(visit: Visit) -> None:
    two = Two(visit)
    for page in (two.ada, two.ben):
        expect(page.locator(".presence")).to_have_text("here")


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_asked_moves_nothing_fits_is_reached_by_keyboard_and_axe_finds_nothing(
    width: int, visit: Visit
) -> None:
    two = Two(visit, width=width)
    two.play(3)
    two.ben.evaluate(SHIFTS)
    two.press(two.ada, "Ask to take back")
    expect(two.ben.locator(".asked")).to_be_visible()
    expect(two.ben.locator("#announcer")).to_contain_text("would like to take back")
    two.ben.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert two.ben.evaluate("window.shifted") == []
    for page, name in ((two.ada, "waiting"), (two.ben, "asked")):
        check_with_axe(page, name)
        fits(page, name)
        page.set_viewport_size({"width": width, "height": 780})
    yes = two.ben.get_by_role("button", name="Allow it")
    yes.focus()
    two.ben.keyboard.press("Enter")
    expect_ply(two.ada, 2)
    two.ada.goto(f"{two.address}/device")
    check_with_axe(two.ada, "device")
    two.press(two.ada, "Make a link")
    phone = visit(reduced_motion="reduce")
    phone.goto(link(two.ada, "seat-link"))
    check_with_axe(phone, "seat")


def test_a_page_about_something_too_late_leads_back_to_the_match(visit: Visit, watch: Watch) -> None:
    watch.expect("status of 409", "status of 403")
    two = Two(visit, scripts=False)
    two.play(2)
    old = two.ada.context.new_page()
    old.goto(two.address)
    two.play(1)
    moves(old).last.click()
    expect(old.get_by_role("main")).to_contain_text("The match has moved on.")
    old.get_by_role("link", name="Back to the match").click()
    old.wait_for_url(two.address)
    two.ada.goto(two.address)
    stranger = visit()
    stranger.goto(f"{two.address}/device")
    stranger.get_by_role("link", name="Back to the match").click()
    stranger.wait_for_url(two.address)
