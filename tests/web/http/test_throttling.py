"""How fast visitors and addresses are answered."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from bitduel.web.http import throttling as pacing
from bitduel.web.http.clients import CLIENT, SECRET_LINK, Client
from bitduel.web.http.throttling import (
    AWAY_AFTER,
    BUSY_SHARE,
    GRANTED_BURST,
    HEAVY,
    LIGHT,
    LONGEST,
    LONGEST_REST,
    PLAYER_BURST,
    RECENT,
    AddressPlayers,
    RequestQueue,
    Throttle,
    Throttled,
    cost_of,
)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


A, B = Client("a"), Client("b")


def test_an_address_that_has_been_quiet_is_answered_at_once_and_then_at_its_pace() -> None:
    clock = Clock()
    pace = Throttle(20, clock)
    assert [pace.delay(A) for _ in range(40)] == [0] * 40
    assert [pace.delay(A) for _ in range(3)] == pytest.approx([0.05, 0.1, 0.15])
    assert pace.delay(B) == 0
    clock.now += 0.5
    assert pace.delay(A) == 0
    clock.now += 1000
    assert [pace.delay(A) for _ in range(40)] == [0] * 40
    assert pace.delay(A)


def test_nobody_waits_for_long_and_who_is_refused_is_not_counted() -> None:
    clock = Clock()
    pace = Throttle(20, clock)
    delays = [pace.delay(A) for _ in range(340)]
    assert max(delay for delay in delays if delay is not None) == pytest.approx(LONGEST)
    assert delays[-1] is None
    clock.now += 0.05
    assert pace.delay(A) == pytest.approx(LONGEST)


def test_a_file_counts_little() -> None:
    pace = Throttle(20, Clock())
    files = int(40 / LIGHT)
    assert [pace.delay(A, LIGHT) for _ in range(files - 1)] == [0] * (files - 1)
    assert sum(pace.delay(A) or 0 for _ in range(3)) > 0.1


def exhausted(pace: Throttle) -> Throttle:
    """A pace at which nobody else at address a is answered any more."""
    while pace.delay(A) is not None:
        pass
    return pace


def test_those_who_play_have_a_share_that_nobody_at_their_address_can_take() -> None:
    pace = exhausted(Throttle(20, Clock()))
    player = Client("a", "player", is_playing=True)
    assert pace.delay(Client("a", "made up")) is None
    assert [pace.delay(player) for _ in range(GRANTED_BURST + PLAYER_BURST)] == [0] * (GRANTED_BURST + PLAYER_BURST)
    assert pace.delay(player) is None  # beyond the share, a player is one of those at the address


def test_200_people_who_play_at_one_address_wait_for_nobody() -> None:
    clock = Clock()
    pace = exhausted(Throttle(200, clock))
    players = [Client("a", f"pupil {number}", is_playing=True) for number in range(200)]
    for _ in range(60):
        assert [pace.delay(each) for each in players] == [0] * 200
        clock.now += 0.5


def test_who_played_first_keeps_a_share_whatever_seats_others_take() -> None:
    clock = Clock()
    pace = exhausted(Throttle(20, clock))
    player = Client("a", "player", is_playing=True)
    for _ in range(100):
        assert pace.delay(player) == 0
        for number in range(200):
            pace.delay(Client("a", f"seat {number}", is_playing=True))
        clock.now += 0.5


def test_many_seats_at_one_address_do_not_add_up_without_end() -> None:
    pace = exhausted(Throttle(20, Clock()))
    seats = [Client("a", f"seat {number}", is_playing=True) for number in range(1000)]
    assert sum(pace.delay(each) == 0 for each in seats) == 20 + 2 * 20


def test_a_player_who_has_gone_makes_room_for_another() -> None:
    clock = Clock()
    members = AddressPlayers(1)
    one, two = Client("a", "one", True), Client("a", "two", True)
    assert [members.has(each, clock.now) for each in (one, two, two)] == [True, False, False]
    assert members.has(Client("b", "two", True), clock.now)
    assert members.has(two, clock.now + AWAY_AFTER + 1)
    assert not members.has(one, clock.now + AWAY_AFTER + 2)


def test_links_wait_for_no_other_pages() -> None:
    pace = exhausted(Throttle(20, Clock()))
    assert [pace.delay(A, is_link=True) for _ in range(40)] == [0] * 40
    assert pace.delay(A, is_link=True)


@pytest.mark.parametrize(
    ("path", "is_link"),
    [
        ("/invite/abc/def", True),
        ("/seat/abc/def", True),
        ("/api/v1/matches/abc/seat", True),
        ("/matches/abc", False),
        ("/games/64/play", False),
    ],
)
def test_which_pages_are_links_with_a_secret(path: str, is_link: bool) -> None:
    assert bool(SECRET_LINK.search(path)) is is_link


def test_however_few_share_an_address_one_browser_opens_a_page_with_all_its_parts() -> None:
    pace = Throttle(1, Clock())
    assert [pace.delay(A, HEAVY) for _ in range(4)] == [0] * 4


def test_of_too_many_addresses_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "MOST_ADDRESSES", 2)
    pace = Throttle(20, Clock())
    for _ in range(41):
        pace.delay(A)
    pace.delay(B), pace.delay(Client("c"))
    assert pace.delay(A) == 0


class Slow(Throttle):
    """Says how long everybody is to wait."""

    def __init__(self, due: float | None) -> None:
        super().__init__()
        self.due = due
        self.waited: list[float] = []
        self.asked: list[tuple[Client, float]] = []

    def delay(self, client: Client, cost: float = 1.0, is_link: bool = False) -> float | None:
        self.asked.append((client, cost))
        return 0.0 if client.is_playing else self.due

    async def wait(self, seconds: float) -> None:
        self.waited.append(seconds)


PLAYER = Client("a", "player", is_playing=True)
SCOPE: dict[str, Any] = {"type": "http", "headers": [], "method": "GET", "query_string": b""}


def is_good(match_id: str, secret: str) -> bool:
    return (match_id, secret) == ("k7m", "good")


async def knock(pace: Throttle, path: str, client: Client = A) -> tuple[Counter[str], list[Any]]:
    came: Counter[str] = Counter()
    sent: list[Any] = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        came["in"] += 1

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {**SCOPE, "path": path, "bitduel.client": client}
    await Throttled(app, pace, lambda visitor: visitor == "seated", is_good)(scope, None, send)  # type: ignore[arg-type]
    return came, sent


@pytest.mark.parametrize(("wait", "slept"), [(0.0, []), (0.25, [0.25])])
def test_a_request_is_let_in_when_it_is_due(wait: float, slept: list[float]) -> None:
    pace = Slow(wait)
    came, sent = asyncio.run(knock(pace, "/static/x.js"))
    assert (came["in"], sent, pace.waited, pace.asked) == (1, [], slept, [(A, LIGHT)])


def test_a_visitor_whose_seat_is_found_only_in_the_store_is_let_in_as_a_player() -> None:
    for visitor, status in (("seated", None), ("stranger", 429)):
        pace = Slow(None)
        came, sent = asyncio.run(knock(pace, "/x", Client("a", visitor)))
        assert came["in"] == (status is None)
        assert [each["status"] for each in sent[:1]] == ([status] if status else [])
    assert [client.is_playing for client, _ in pace.asked] == [False]


@pytest.mark.parametrize(("path", "kind"), [("/x", b"text/plain"), ("/api/v1/x", b"application/json")])
def test_who_comes_much_too_fast_is_asked_to_come_again(path: str, kind: bytes) -> None:
    pace = Slow(None)
    came, sent = asyncio.run(knock(pace, path))
    assert pace.waited == [1]
    headers = dict(sent[0]["headers"])
    assert (came["in"], sent[0]["status"], headers[b"retry-after"]) == (0, 429, b"10")
    assert headers[b"content-type"].startswith(kind)
    assert b"a bit fast" in sent[1]["body"]


def test_when_the_process_ends_nobody_is_kept_waiting() -> None:
    async def go() -> None:
        pace = Throttle(20)
        waiting = [asyncio.ensure_future(pace.wait(3600)) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(each.done() for each in waiting)
        pace.release()
        await asyncio.gather(*waiting)
        assert [pace.delay(A) for _ in range(1000)] == [0] * 1000
        await asyncio.wait_for(Throttle().wait(0.001), 60)

    asyncio.run(go())


@pytest.mark.parametrize(
    ("path", "cost"),
    [
        ("/static/app.js", LIGHT),
        ("/films/64/light.svg", LIGHT),
        ("/api/v1/solve", HEAVY),
        ("/matches/abc/next", HEAVY),
        ("/games/64/atlas", HEAVY),
        ("/matches/abc/picture-3.png", HEAVY),
        ("/games/64/play", HEAVY),
        ("/api/v1/matches", HEAVY),
        ("/api/v1/matches/abc", 1),
        ("/api/v1/matches/abc/moves", 1),
        ("/matches/abc/move", 1),
        ("/matches/abc", 1),
        ("/", 1),
    ],
)
def test_what_takes_more_work_counts_more(path: str, cost: float) -> None:
    assert cost_of(path) == cost


def test_players_begin_before_all_others_and_those_take_turns() -> None:
    began: list[str] = []

    async def come(queue: RequestQueue, name: str, client: Client) -> None:
        await queue.enter(client)
        began.append(name)

    async def play() -> None:
        queue = RequestQueue()
        rude, other = Client("rude"), Client("other")
        asked = [("rude 1", rude), ("rude 2", rude), ("rude 3", rude), ("other", other)]
        await asyncio.gather(
            *(come(queue, *each) for each in asked), come(queue, "player", Client("a", "b", is_playing=True))
        )

    asyncio.run(play())
    assert began == ["rude 1", "player", "rude 2", "other", "rude 3"]


def test_others_wait_while_the_process_is_busier_than_its_share_and_somebody_plays() -> None:
    now, used = [0.0], [0.0]
    queue = RequestQueue(lambda: now[0], lambda: used[0])

    def after(seconds: float, busy: float) -> float:
        now[0] += seconds
        used[0] += busy
        return round(queue.rest(), 6)

    assert after(0.01, 0.01) == 0, "nobody plays"
    asyncio.run(queue.enter(Client("a", "b", is_playing=True)))
    assert after(0.01, 0.01) == round(0.01 / BUSY_SHARE - 0.01, 6)
    assert after(0.01, 0.0) == 0, "what was behind has been made up for"
    assert after(0.01, 0.01 * BUSY_SHARE) == 0, "busy, but within the share"
    assert after(1.0, 1.0) == LONGEST_REST
    assert after(RECENT, RECENT) == 0, "the player has left"


class Line:
    """A connection by which a request came."""

    waiting_task: "asyncio.Task[Any] | None" = None
    is_lost = False


def test_a_request_whose_sender_has_gone_is_forgotten_and_counts_no_more() -> None:
    async def play() -> None:
        came: list[str] = []

        async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
            came.append(scope["path"])

        pace = Throttle(20, Clock())
        while pace.delay(A) == 0:
            pass
        before, line = pace.delay(A), Line()
        paced = Throttled(app, pace, lambda _visitor: False)
        scope = {**SCOPE, "path": "/x", "bitduel.client": A, "bitduel.connection": line}
        task = asyncio.create_task(paced(scope, None, None))  # type: ignore[arg-type]
        while line.waiting_task is None:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        line.is_lost = True
        line.waiting_task.cancel()
        await task
        assert not came
        assert line.waiting_task is None
        assert before is not None
        assert pace.delay(A) == pytest.approx(before + 1 / 20)

    asyncio.run(play())


def test_the_end_of_the_process_is_no_sign_that_a_sender_has_gone() -> None:
    async def play() -> None:
        line = Line()
        scope = {**SCOPE, "path": "/x", "bitduel.client": A, "bitduel.connection": line}
        pace = Throttle(20)
        while pace.delay(A) == 0:
            pass
        paced = Throttled(lambda *_: None, pace, lambda _visitor: False)  # type: ignore[arg-type]
        task = asyncio.create_task(paced(scope, None, None))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(play())


@pytest.mark.parametrize(
    ("path", "is_let_in"),
    [("/invite/k7m/good", True), ("/seat/k7m/good", True), ("/invite/k7m/bad", False), ("/games/k7m/good", False)],
)
def test_a_link_that_is_known_to_be_valid_never_waits(path: str, is_let_in: bool) -> None:
    for due in (None, 3600.0):
        pace = Slow(due)
        came, _ = asyncio.run(knock(pace, path))
        assert (came["in"], bool(pace.waited)) == (is_let_in or due is not None, not is_let_in)


def test_those_who_look_after_the_site_never_wait() -> None:
    pace = Slow(None)
    came: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        came.append(scope["path"])

    paced = Throttled(app, pace, lambda _visitor: False, free=["/healthz"])
    asyncio.run(paced({**SCOPE, "path": "/healthz", "bitduel.client": A}, None, None))  # type: ignore[arg-type]
    assert (came, pace.waited) == (["/healthz"], [])


def test_a_player_who_asks_for_more_than_a_share_is_served_as_everybody_else() -> None:
    async def play() -> list[bool]:
        served: list[bool] = []

        async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
            served.append(CLIENT.get().is_playing)

        paced = Throttled(app, Throttle(20, Clock()), lambda _visitor: False)
        for _ in range(40):
            CLIENT.set(PLAYER)
            await paced({**SCOPE, "path": "/x", "bitduel.client": PLAYER}, None, None)  # type: ignore[arg-type]
        return served

    served = asyncio.run(play())
    assert served == sorted(served, reverse=True)
    assert (served[0], served[-1]) == (True, False)


def test_at_the_end_everybody_comes_in_at_once() -> None:
    async def play() -> None:
        pace, came = Throttle(20), 0

        async def come() -> None:
            nonlocal came
            await pace.queue.enter(A)
            came += 1

        tasks = [asyncio.create_task(come()) for _ in range(5)]
        await asyncio.sleep(0)
        pace.release()
        await asyncio.sleep(0)
        assert came == 5
        await asyncio.gather(*tasks, come())

    asyncio.run(play())


@pytest.mark.parametrize(
    ("path", "query", "cost"),
    [
        ("/games/64", b"opt-target=9", HEAVY),
        ("/games/64", b"", 1.0),
        ("/games/64/learn", b"", HEAVY),
        ("/puzzle", b"", HEAVY),
        ("/matches/k7m", b"coach=1", 1.0),
    ],
)
def test_what_has_to_be_solved_counts_more(path: str, query: bytes, cost: float) -> None:
    assert cost_of(path, query) == cost
