"""Who is told: everybody, the newest, and never something older after something newer."""

import asyncio

import pytest

from bitduel.service.hub import AT_ONCE, EVERY, Hub, MatchUpdate, Subscriber
from bitduel.storage.coordination import Notifications


class Wire(Notifications):
    """Carries payloads as a database would."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def notify(self, channel: str, payload: str) -> None:
        self.sent.append((channel, payload))

    def listen(self, *_: object) -> None:
        """Nothing comes by itself."""


async def soon(watcher: Subscriber) -> str | None:
    return await watcher.next(10)


def test_everybody_who_watches_hears_the_newest() -> None:
    async def play() -> None:
        hub = Hub()
        hub.start()
        async with hub.subscribe("one") as a, hub.subscribe("one") as b, hub.subscribe("two") as c:
            hub.wake("one", MatchUpdate(0, 1, "first"))
            hub.wake("one", MatchUpdate(0, 2, "second"))
            assert [await soon(a), await soon(b)] == ["second", "second"]
            hub.wake("two", MatchUpdate(0, 7, "other"))
            assert await soon(c) == "other"
        assert not hub.subscribers

    asyncio.run(play())


def test_what_is_told_late_is_not_told_at_all() -> None:
    async def play() -> None:
        hub = Hub()
        hub.start()
        async with hub.subscribe("one") as watcher:
            hub.wake("one", MatchUpdate(0, 5, "five"))
            assert await soon(watcher) == "five"
            hub.wake("one", MatchUpdate(0, 4, "four"))
            hub.wake("one", MatchUpdate(0, 5, "five, and here"))
            assert await soon(watcher) == "five, and here"
            hub.wake("one", MatchUpdate(1, 3, "taken back to three"))
            assert await soon(watcher) == "taken back to three"

    asyncio.run(play())


def test_news_without_words_are_looked_up_once_for_all() -> None:
    looked: list[str] = []

    def look(match_id: str) -> MatchUpdate:
        looked.append(match_id)
        return MatchUpdate(0, 3, f"{match_id} at three")

    async def play() -> None:
        hub = Hub()
        hub.read_update = look
        hub.start()
        async with hub.subscribe("one") as a, hub.subscribe("one") as b, hub.subscribe("two") as c:
            hub.publish("one")
            assert [await soon(a), await soon(b)] == ["one at three"] * 2
            assert looked == ["one"]
            hub.wake(EVERY)
            assert [await soon(each) for each in (a, b, c)] == ["one at three", "one at three", "two at three"]
            assert sorted(looked) == ["one", "one", "two"]

    asyncio.run(play())


def test_a_match_that_cannot_be_read_now_breaks_nothing() -> None:
    def look(match_id: str) -> MatchUpdate:
        raise OSError(match_id)

    async def play() -> None:
        hub = Hub()
        hub.read_update = look
        hub.start()
        async with hub.subscribe("one") as watcher:
            hub.publish("one")
            hub.wake("one", MatchUpdate(0, 1, "first"))
            assert await soon(watcher) == "first"

    asyncio.run(play())


def test_a_crowd_lets_others_through() -> None:
    async def play() -> None:
        hub = Hub()
        hub.start()
        crowd = [hub.subscribe("one") for _ in range(20 * AT_ONCE)]
        watchers = [await each.__aenter__() for each in crowd]
        hub.wake("one", MatchUpdate(0, 1, "first"))
        told = []
        async with hub.subscribe("two") as other:
            hub.wake("two", MatchUpdate(0, 1, "other"))
            assert await soon(other) == "other"
            told = [watcher for watcher in watchers if watcher._text]
        assert len(told) < len(watchers)
        assert {await soon(watcher) for watcher in watchers} == {"first"}
        for each in crowd:
            await each.__aexit__(None, None, None)

    asyncio.run(play())


def test_what_is_nobodys_is_not_remembered() -> None:
    async def play() -> None:
        hub = Hub()
        hub.start()
        hub.wake("one", MatchUpdate(0, 1, "first"))
        async with hub.subscribe("two"):
            hub.wake("two", MatchUpdate(0, 1, "other"))
            await asyncio.sleep(0)
        assert not hub._last

    asyncio.run(play())


@pytest.mark.parametrize(
    ("payload", "heard"),
    [
        ("abc 1 2 2 open 2 1 back1", ("abc", MatchUpdate(1, 2, "2 open 2 1 back1"))),
        ("abc", ("abc", None)),
        ("abc x 2 open", ("abc", None)),
    ],
)
def test_what_comes_over_the_wire_is_understood(
    payload: str, heard: tuple[str, MatchUpdate | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub(Wire())
    woken: list[tuple[str, MatchUpdate | None]] = []
    monkeypatch.setattr(hub, "wake", lambda match_id, news=None: woken.append((match_id, news)))
    hub._on_payload(payload)
    assert woken == [heard]


def test_over_the_wire_a_move_carries_its_news_and_other_changes_only_their_match() -> None:
    wire = Wire()
    hub = Hub(wire)
    news = MatchUpdate(0, 4, "4 open 2 1")
    assert hub.payload("abc", news) == "abc 0 4 4 open 2 1"
    hub.publish("abc")
    assert wire.sent == [("bitduel", "abc")]
