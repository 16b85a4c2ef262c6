"""Every kind of page: it fits a phone and a desktop, and axe finds nothing serious in it, in light and in dark."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import GameClass, all_games
from bitduel.learning.puzzle_deck import FIRST_DAY, daily_puzzle, deck
from bitduel.learning.puzzle_session import PuzzleSession
from web.browser.conftest import (
    FEW,
    GAMES,
    STRONGEST,
    TOO_WIDE,
    WIDTHS,
    Plan,
    Server,
    Visit,
    Watch,
    answered,
    begin,
    expect_over,
    expect_ply,
    fits,
    harmless,
    join,
    link,
    move,
    moves,
    open_drawers,
    plan,
    ply_of,
)

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
LONG_NAME = "W" * 32
SERIOUS = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html} ${node.failureSummary}`));
}"""


def short_match(page: Page, planned: Plan) -> None:
    """A whole match at one keyboard."""
    address = begin(page, planned.kind, "here", planned.options)
    for seat, name, after in planned.turns:
        if planned.match.game.is_hidden:
            page.goto(f"{address}?as={seat}")
        move(page, name)
        expect_ply(page, after)
    expect_over(page)


def puzzle_addresses() -> Iterator[tuple[str, str]]:
    """A puzzle of each form: as it is asked, after a wrong answer, and at its end; and that of a day, solved."""
    for entry in {entry.puzzle.form: entry for entry in deck().entries.values()}.values():
        session = PuzzleSession(puzzle=entry.puzzle)
        yield f"{entry.kind}, asked", f"/puzzles?id={entry.id}"
        while question := session.question:
            session.answer([each.name for each in question.candidates if each.name not in question.right][:1])
            if len(session.events) == 1:
                yield f"{entry.kind}, after a wrong answer", f"/puzzles?id={entry.id}&play={session}"
        yield f"{entry.kind}, at the end", f"/puzzles?id={entry.id}&play={session}&at=end"
    session = PuzzleSession(puzzle=daily_puzzle(FIRST_DAY).puzzle)
    for _, answer in session.puzzle.solution():
        session.answer(answer)
    yield "puzzle of a day, solved", f"/puzzle?date={FIRST_DAY}&play={session}"


def kinds_of_page(page: Page, guest: Page, watch: Watch) -> Iterator[str]:
    """Every page that is not one of a running match, one after the other, with what to call it."""
    watch.expect("status of 404", "status of 400")
    page.goto("/matches")
    yield "my matches, empty"
    page.goto("/")
    yield "home"
    page.goto("/nothing/here")
    yield "error"
    kind = all_games()[1]
    page.goto(f"/games/{kind.slug}/position?moves=nonsense")
    yield "wrong position"
    page.goto("/puzzles")
    yield "puzzles"
    short_match(page, plan(kind))
    yield "over"
    page.goto(page.url + "/review?ply=1")
    yield "review"
    begin(page, all_games()[0], "friend")
    yield "waiting for a friend"
    guest.goto(link(page, "invite-link"))
    yield "invite"
    guest.goto(link(page, "share-link"))
    yield "spectator"
    page.goto("/lobby")
    yield "lobby"
    page.goto("/lobby")
    page.get_by_role("button", name="Any game").click()
    yield "looking for an opponent"
    guest.goto("/lobby")
    guest.get_by_role("button", name="Any game").click()
    page.wait_for_url("**/matches/*")
    yield "on a clock"
    page.goto("/matches")
    yield "my matches"


def check_with_axe(page: Page, name: str) -> None:
    page.evaluate(AXE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        assert page.evaluate(SERIOUS) == [], f"{name} in {scheme}"


def test_every_kind_of_page_fits_a_phone_and_a_desktop_and_axe_finds_nothing_serious(
    visit: Visit, watch: Watch
) -> None:
    page, guest = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    for name in kinds_of_page(page, guest, watch):
        seen = guest if name in ("invite", "spectator") else page
        fits(seen, name)
        check_with_axe(seen, name)


@pytest.mark.thorough
def test_puzzles_of_every_form_fit_and_axe_finds_nothing_serious(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    for name, address in puzzle_addresses():
        page.goto(address)
        fits(page, name)
        check_with_axe(page, name)


@pytest.mark.thorough
@GAMES
def test_the_pages_of_a_game_fit_a_phone_and_a_desktop_and_every_move_can_be_reached(
    kind: GameClass, visit: Visit, site: Server
) -> None:
    page, guest = visit(), visit()
    page.goto(f"/games/{kind.slug}")
    fits(page, "game")
    page.get_by_role("link", name="Explore any position").click()
    page.wait_for_url("**/position?*")
    fits(page, "position")
    address = begin(page, kind, "friend", first=2)
    join(guest, link(page, "invite-link"), LONG_NAME)
    expect(page.locator("main")).to_contain_text(LONG_NAME)
    guest.goto(guest.url + "?coach=1")
    fits(page, "waiting")
    for width in WIDTHS:
        guest.set_viewport_size({"width": width, "height": 640})
        assert guest.evaluate(TOO_WIDE) == [], f"match at {width}"
        for button in moves(guest).all():
            button.click(trial=True)
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["height"] >= 44
    move(guest, harmless(site, address))
    expect(moves(page).first).to_be_visible()
    fits(page, "own turn")


@pytest.mark.thorough
def test_a_long_name_fits_whatever_two_players_settle(visit: Visit) -> None:
    page, guest = visit(), visit()
    address = begin(page, all_games()[0], "friend")
    join(guest, link(page, "invite-link"), LONG_NAME)
    for ply, mover in enumerate((page, guest), 1):
        moves(mover).first.click()
        expect_ply(guest, ply)
    guest.get_by_role("button", name="Offer a draw").click()
    expect(page.locator(".asked")).to_contain_text(LONG_NAME)
    for each in (page, guest):
        fits(each, "offer")
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, I resign").click()
    expect_over(guest)
    expect(page.locator(".so-far")).to_contain_text(LONG_NAME)
    for each in (page, guest):
        fits(each, "over")
    guest.get_by_role("button", name="Rematch").click()
    expect(page.locator(".asked")).to_contain_text(LONG_NAME)
    for each in (page, guest):
        fits(each, "rematch")
    page.get_by_role("button", name="Play another round").click()
    guest.wait_for_url(lambda url: url != address)
    expect(guest.locator(".score")).to_contain_text(LONG_NAME)
    for each in (page, guest):
        fits(each, "next round")
    for path in (f"{address}/review", "/matches"):
        guest.goto(path)
        fits(guest, path)


SHAPES = """(picture) => Array.from(picture.querySelectorAll("*"))
  .map((part) => `${part.tagName} ${part.getAttribute("class")} ${getComputedStyle(part).display}`)"""


@FEW
def test_a_board_shows_the_same_to_those_who_like_no_motion(kind: GameClass, visit: Visit) -> None:
    page = visit()
    page.goto(f"/games/{kind.slug}/position")
    board = page.locator(".board .picture")
    moving = board.evaluate(SHAPES)
    page.emulate_media(reduced_motion="reduce")
    still = board.evaluate(SHAPES)
    assert [part for part in still if part.endswith(" none")] == [part for part in moving if part.endswith(" none")]


@pytest.mark.thorough
@GAMES
def test_axe_finds_nothing_serious_on_the_pages_of_a_game(kind: GameClass, visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(f"/games/{kind.slug}")
    check_with_axe(page, "game")
    page.locator("#verdict summary").click()
    open_drawers(page)
    page.locator("#rulebook > summary").click()
    check_with_axe(page, "all drawers open")
    page.get_by_role("link", name="Explore any position").click()
    page.wait_for_url("**/position?*")
    check_with_axe(page, "position")
    begin(page, kind, STRONGEST)
    before = ply_of(page)
    moves(page).first.click()
    answered(page, before)
    page.goto(page.url + "?coach=1")
    check_with_axe(page, "own turn with the coach")


@pytest.mark.parametrize("kind", [kind for kind in all_games() if kind().is_hidden], ids=lambda kind: kind.slug)
def test_axe_finds_nothing_serious_where_the_screen_is_handed_over(kind: GameClass, visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    begin(page, kind, "here")
    check_with_axe(page, "covered")
