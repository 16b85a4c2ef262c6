"""What there is around a match: coach, review, rounds, my matches, links, records, and names that play tricks."""

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.record import parse_record
from bitduel.games.registry import GameClass, all_games, make
from web.browser.conftest import (
    FEW,
    STRONGEST,
    Plan,
    Visit,
    Watch,
    answered,
    begin,
    expect_over,
    expect_ply,
    is_over,
    join,
    link,
    move,
    moves,
    plan,
    ply_of,
)

pytestmark = pytest.mark.thorough


def played(page: Page, planned: Plan) -> str:
    """A whole match of two at one keyboard; its address."""
    address = begin(page, planned.kind, "here", planned.options)
    for _, name, after in planned.turns:
        move(page, name)
        expect_ply(page, after)
    expect_over(page)
    return address


@pytest.mark.thorough
@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
@pytest.mark.parametrize("first", [1, 2])
def test_on_a_phone_the_coach_asks_below_the_board_and_his_three_tabs_stay_in_place(
    kind: GameClass, first: int, visit: Visit
) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    begin(page, kind, "easy", first=first)
    page.get_by_role("link", name="Ask the coach").click()
    columns = """() => Array.from(document.querySelectorAll(".coach-hint summary"), (tab) => {
      const { x, y, bottom } = tab.getBoundingClientRect();
      return [Math.round(x), Math.round(y), Math.round(bottom)];
    })"""
    tabs = page.evaluate(columns)
    assert len({(top, bottom) for _, top, bottom in tabs}) == 1
    assert tabs[0][2] < 640, "there is room for the question"
    for tab in ("clue", "move", "question"):
        page.locator(f"#hint-{tab} summary").click()
        expect(page.locator(f"#hint-{tab} p").first).to_be_visible()
        expect(page.locator(".coach-hint[open]")).to_have_count(1)
        assert page.evaluate(columns) == tabs
    assert page.evaluate("scrollY") == 0


@FEW
def test_the_coach_speaks_on_request_and_goes_when_sent_away(kind: GameClass, visit: Visit) -> None:
    page = visit()
    begin(page, kind, STRONGEST)
    worth = page.locator("form[data-move] button:enabled .badge")
    expect(worth).to_have_count(0)
    page.get_by_role("link", name="Ask the coach").click()
    expect(page.locator(".coach-hint p:visible")).to_have_count(1)
    expect(worth.first).to_be_hidden()
    page.locator("#hint-move summary").click()
    expect(worth.first).to_be_visible()
    expect(worth).to_have_count(moves(page).count())
    before = ply_of(page)
    moves(page).first.click()
    answered(page, before)
    if is_over(page):  # the computer may end the match with its very first answer
        return
    expect(worth.first).to_be_hidden()
    page.get_by_role("link", name="Turn the coach off").click()
    expect(worth).to_have_count(0)
    expect(page.get_by_role("link", name="Ask the coach")).to_be_visible()


def test_a_review_is_stepped_through_with_the_arrow_keys(visit: Visit) -> None:
    page = visit()
    planned = plan(all_games()[1])
    played(page, planned)
    page.get_by_role("link", name="See the moves").click()
    last = planned.match.ply
    where = page.locator(".where")
    page.get_by_role("link", name="End").click()
    expect(where).to_have_text(f"{last} of {last}")
    boards = [page.locator(".board").inner_html()]
    for ply in reversed(range(last)):
        page.wait_for_load_state()
        page.keyboard.press("ArrowLeft")
        expect(where).to_have_text(f"{ply} of {last}")
        boards.append(page.locator(".board").inner_html())
    assert len(set(boards)) == last + 1, "every step looks different"
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"0 of {last}")
    page.wait_for_load_state()
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text(f"1 of {last}")
    page.locator(f"[data-step='{last}']").click()
    expect(where).to_have_text(f"{last} of {last}")


def test_round_after_round_is_played_with_the_score_and_listed_once_among_my_matches(visit: Visit) -> None:
    page = visit()
    planned = plan(all_games()[0])
    first = played(page, planned)
    page.get_by_role("button", name="Play another round").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".score")).to_be_visible()
    for _, name, after in planned.turns:
        move(page, name)
        expect_ply(page, after)
    expect_over(page)
    expect(page.locator(".score")).to_contain_text("1")
    second = page.url
    begin(page, all_games()[2], STRONGEST)
    page.get_by_role("link", name="Matches").click()
    entries = page.locator(".mine li")
    expect(entries).to_have_count(2)
    expect(entries.filter(has_text=all_games()[2].title)).to_contain_text("Your turn")
    page.get_by_role("link", name=all_games()[0].title, exact=True).click()
    page.wait_for_url(second)
    stranger = visit()
    stranger.goto("/matches")
    expect(stranger.locator(".mine li")).to_have_count(0)


def test_the_link_to_a_match_is_copied_by_one_click_and_lets_others_watch(visit: Visit) -> None:
    page, other = visit(permissions=["clipboard-read", "clipboard-write"]), visit()
    address = begin(page, all_games()[0], STRONGEST)
    page.locator("#more summary").click()
    page.locator("[data-copy=share-link]").click()
    expect(page.locator("[data-copy=share-link]")).to_have_text("Copied")
    expect(page.locator("#announcer")).to_contain_text("copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == address
    other.goto(copied)
    expect(other.locator(".board")).to_be_visible()
    expect(moves(other)).to_have_count(0)


def test_a_position_can_be_shared_by_its_link(visit: Visit) -> None:
    page, other = visit(), visit()
    begin(page, all_games()[0], "here")
    before = ply_of(page)
    moves(page).first.click()
    answered(page, before)
    page.locator("#more summary").click()
    page.get_by_role("link", name="Explore this position").click()
    page.wait_for_url("**/position?*")
    other.goto(link(page, "share-link"))
    assert other.locator(".board").inner_html() == page.locator(".board").inner_html()
    page.locator("a.choice").first.click()
    steps = page.locator(".trail li")
    expect(steps).to_have_count(3)
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    expect(steps).to_have_count(2)


def test_the_record_of_a_match_is_saved_as_a_file(visit: Visit) -> None:
    page = visit()
    planned = plan(all_games()[0])
    played(page, planned)
    page.locator("#more summary").click()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Download the moves").click()
    text = saving.value.path().read_text(encoding="utf-8")
    assert parse_record(text, make).match(make).moves == planned.match.moves


def test_whoever_resigns_has_lost_at_once(visit: Visit) -> None:
    page = visit()
    begin(page, all_games()[0], STRONGEST)
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, I resign").click()
    expect_over(page)
    expect(page.locator(".status")).to_have_text("You lose.")
    expect(page.locator(".said")).to_contain_text("resign")


HTML = "<img src=x onerror=alert(1)>"


def test_a_name_of_html_is_shown_as_it_was_written(visit: Visit) -> None:
    host, guest = visit(), visit()
    begin(host, all_games()[1], "friend")
    join(guest, link(host, "invite-link"), HTML)
    for page in (host, guest):
        expect(page.locator("main")).to_contain_text(HTML)
        expect(page.locator("main img")).to_have_count(0)
    moves(host).last.click()
    expect(moves(guest).last).to_be_visible()
    moves(guest).last.click()
    expect(moves(host).last).to_be_visible()
    for page, path in ((host, "/matches"), (guest, guest.url + "?coach=1")):
        page.goto(path)
        expect(page.locator("main")).to_contain_text(HTML)
        expect(page.locator("main img")).to_have_count(0)


@pytest.mark.parametrize("trick", ["\u202egrace", "gr\u2066ace", "a\u200fb"], ids=ascii)
def test_a_name_that_turns_the_text_around_is_refused(trick: str, visit: Visit, watch: Watch) -> None:
    watch.expect("status of 400", "status of 409")
    page = visit()
    page.goto(f"/games/{all_games()[0].slug}")
    page.locator("[name=name]").fill(trick)
    page.locator("#start button.primary").click()
    expect(page.get_by_role("alert")).to_contain_text("name")
    unprintable = [letter for letter in trick if not letter.isprintable()]
    assert not any(letter in page.content() for letter in unprintable)
