"""Two browsers at one table and a third that watches: live, hidden where it must be, and over a crash of the server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.match import Match
from bitduel.core.view import UNSEEN, View
from bitduel.games.registry import GameClass, all_games
from web.browser.conftest import (
    FEW,
    SHORT,
    Plan,
    Server,
    Visit,
    Watch,
    begin,
    dealt,
    expect_over,
    expect_ply,
    join,
    link,
    move,
    moves,
    plan,
    ply_of,
)

DOWN = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "ERR_EMPTY_RESPONSE",
    "fetching the script",
)


def options(kind: GameClass) -> dict[str, str]:
    """What makes a match short, without what is a secret of one player."""
    return {
        option.name: SHORT[option.name]
        for option in kind.declared_options
        if option.name in SHORT and not option.is_secret
    }


class Table:
    """The pages of both seats and of a spectator."""

    def __init__(self, kind: GameClass, visit: Visit, server: Server, least: int = 5) -> None:
        self.host, self.guest, self.watcher = (visit(base_url=server.url) for _ in range(3))
        self.address = begin(self.host, kind, "friend", options(kind))
        self.planned: Plan = plan(kind, least, dealt(server, self.address))

    @property
    def pages(self) -> tuple[Page, Page, Page]:
        return self.host, self.guest, self.watcher

    def of(self, seat: int) -> Page:
        return self.pages[seat - 1]

    def sit_down(self) -> None:
        """The guest takes the seat and the spectator a place; the host's page tells without being loaded anew."""
        self.host.evaluate("window.stayed = true")
        join(self.guest, link(self.host, "invite-link"), "Grace")
        expect(self.host.locator("#invite-link")).to_have_count(0)
        expect(self.host.locator("main")).to_contain_text("Grace")
        self.watcher.goto(link(self.host, "share-link"))
        expect(moves(self.watcher)).to_have_count(0)
        for page in self.pages:
            page.evaluate("window.stayed = true")

    def turn(self, seat: int, name: str, after: int) -> None:
        """One makes a move; everybody sees that it was made."""
        expect(moves(self.of(3 - seat))).to_have_count(0)
        move(self.of(seat), name)
        for page in self.pages:
            expect_ply(page, after)


def cells(page: Page) -> list[str]:
    """The moves so far as the page shows them, in order."""
    shown = page.locator(".move-list .move-text").all_inner_texts()
    return [text.strip() for text in shown if text.strip()]


def drawn(page: Page) -> str:
    """The board as the page draws it, whoever may press what."""
    script = "(board) => Array.from(board.querySelectorAll('.lamp, svg .drawing'), (part) => part.outerHTML).join()"
    return str(page.locator("figure.board").evaluate(script))


def listed(match: Match, view: View) -> list[str]:
    """The moves as a page shows them."""
    return list(view.history if match.game.is_hidden else match.listed_moves()[: len(view.history)])


@FEW
def test_a_whole_match_of_two_browsers_and_a_spectator_all_live(kind: GameClass, visit: Visit, site: Server) -> None:
    table = Table(kind, visit, site)
    planned = table.planned
    table.sit_down()
    last = planned.match.ply
    before = [drawn(page) for page in table.pages]
    for seat, name, after in planned.turns:
        table.turn(seat, name, after)
        for who, page in zip((1, 2, None), table.pages, strict=True):
            expect(page.locator("main")).to_have_attribute("data-ply", str(after))
            assert cells(page) == listed(planned.match, planned.seen(after, who))
        now = [drawn(page) for page in table.pages]
        if planned.match.game.is_hidden and after < last:
            assert [now[2 - seat], now[2]] == [before[2 - seat], before[2]], "a hidden move is drawn for others"
        before = now
    for page in table.pages:
        expect_over(page)
        assert cells(page) == listed(planned.match, planned.match.view(None))
        assert page.evaluate("window.stayed"), "the page was loaded anew"
        expect(page.get_by_role("link", name="See the moves")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in all_games() if kind().is_hidden], ids=lambda kind: kind.slug)
def test_nobody_is_shown_hidden_moves_or_numbers_before_the_end(kind: GameClass, visit: Visit, site: Server) -> None:
    table = Table(kind, visit, site, least=7)
    planned = table.planned
    table.sit_down()
    for seat, name, after in planned.turns[:-1]:
        table.turn(seat, name, after)
        for who, page in zip((1, 2, None), table.pages, strict=True):
            own = [planned.match.seat_at(ply) == who for ply in range(after)]
            shown = cells(page)
            assert [text != UNSEEN for text in shown] == own
            side = page.locator("main").inner_text().replace("\n", " ")
            theirs = {planned.match.moves[ply] for ply in range(after) if not own[ply]}
            mine = {planned.match.moves[ply] for ply in range(after) if own[ply]}
            buttons = " ".join(page.locator("form[data-move] button").all_inner_texts()).replace("\n", " ")
            for hidden in theirs - mine:
                assert side.lower().count(hidden) == buttons.lower().count(hidden), f"{hidden} is told to {who}"
        assert planned.match.deal not in table.watcher.locator("main").inner_text()
    seat, name, after = planned.turns[-1]
    table.turn(seat, name, after)
    for page in table.pages:
        expect(page.locator("main")).to_contain_text(planned.match.deal)


@pytest.mark.thorough
def test_an_invitation_cannot_be_taken_twice(visit: Visit, watch: Watch) -> None:
    host, guest, late = visit(), visit(), visit()
    begin(host, all_games()[0], "friend")
    invitation = link(host, "invite-link")
    join(guest, invitation)
    late.goto(invitation)
    expect(late.get_by_role("button", name="Join the game")).to_have_count(0)
    expect(late.get_by_role("main")).to_contain_text("already joined")


@pytest.mark.thorough
def test_the_next_round_is_offered_live_and_keeps_the_score(visit: Visit, site: Server) -> None:
    table = Table(all_games()[0], visit, site)
    planned = table.planned
    table.sit_down()
    for seat, name, after in planned.turns:
        table.turn(seat, name, after)
    table.host.get_by_role("button", name="Rematch").click()
    table.guest.get_by_role("button", name="Play another round").click()
    table.guest.wait_for_url(lambda url: url != table.address)
    table.watcher.get_by_role("link", name="Go to the next round").click()
    for page in (table.host, table.watcher):
        page.wait_for_url(table.guest.url)
        expect(page.locator(".score")).to_be_visible()
    expect(moves(table.host)).to_have_count(0)
    move(table.guest, planned.match.moves[0])
    for page in table.pages:
        expect_ply(page, 1)


@pytest.fixture
def frail(own_folders: Path, tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to be killed."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", all_games()[:1], ids=lambda kind: kind.slug)
def test_pages_reconnect_by_themselves_when_the_server_was_killed(
    kind: GameClass, visit: Visit, watch: Watch, frail: Server
) -> None:
    watch.url = frail.url
    watch.expect(*DOWN)
    table = Table(kind, visit, frail)
    planned = table.planned
    table.sit_down()
    (seat, name, after), *rest = planned.turns
    table.turn(seat, name, after)
    frail.kill()
    frail.start()
    for seat, name, after in rest:
        table.turn(seat, name, after)
    for page in table.pages:
        expect_over(page)
        assert cells(page) == listed(planned.match, planned.match.view(None))
        assert page.evaluate("window.stayed"), "the page was loaded anew"


@pytest.mark.thorough
def test_a_move_made_while_the_server_is_down_is_not_lost_with_the_page(
    visit: Visit, watch: Watch, frail: Server
) -> None:
    watch.url = frail.url
    watch.expect(*DOWN)
    table = Table(all_games()[0], visit, frail)
    planned = table.planned
    table.sit_down()
    (seat, name, after), *_ = planned.turns
    frail.kill()
    with table.of(seat).expect_event("requestfailed", lambda request: request.method == "POST"):
        move(table.of(seat), name)
    frail.start()
    expect(table.of(seat).locator("main#match")).to_be_visible()
    if ply_of(table.of(seat)) < after:
        move(table.of(seat), name)
    for page in table.pages:
        expect_ply(page, after)
