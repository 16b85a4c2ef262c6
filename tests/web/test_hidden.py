"""Hidden means hidden: whoever the rules leave in the dark receives the same bytes, whatever the secret is."""

import base64
import logging
import os
import re
import secrets
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.games.binary_battle import rules
from bitduel.rendering.board import open_svg
from bitduel.service.match_service import hashed
from bitduel.storage import open_store
from dark import histories, story
from web.conftest import Hold
from web.houses import Browser, Held, House, Server, Stream, bearer

DEEPER = int(os.environ.get("BITDUEL_DEPTH", "0"))
SIZES = [(2, 3 + DEEPER), (3, 1 + DEEPER)]
VARYING = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC|T\d\d:\d\d:\d\dZ)")
Shown = list[tuple[str, int, tuple[tuple[str, str], ...], str]]


def requests(match: Match, match_id: str) -> list[tuple[str, str, dict[str, Any]]]:
    """All that can be asked about a match that goes on, without changing it."""
    page, api = f"/matches/{match_id}", f"/api/v1/matches/{match_id}"
    late = next(move for move in match.game.moves if not match.moves or move != match.moves[0])
    asked = [page, f"{page}?coach=1", f"{page}?as=1", f"{page}?as=2", f"{page}/fragment", f"{page}/fragment?coach=1"]
    asked += [f"{page}/picture-{ply}.png" for ply in range(match.ply + 2)]
    asked += [f"{page}/review?ply=1&try=", f"{page}/review?ply=1&try=toggle+1"]
    asked += [f"{page}/record", f"{page}/review", "/matches", api, f"{api}/record", f"{api}/review"]
    asked += [f"{page}/device", f"/seat/{match_id}/wrong"]
    at = {"ply": match.ply, "backs": 0}
    form = {"ply": str(match.ply)}
    sent: list[tuple[str, dict[str, Any]]] = [
        (f"{page}/move", {"data": {"ply": str(match.ply), "move": "toggle 999"}}),
        (f"{page}/move", {"data": {"ply": str(match.ply + 1), "move": "toggle 1"}}),
        (f"{page}/next", {}),
        (f"{page}/take-back", {"data": form}),
        (f"{page}/draw", {"data": form}),
        (f"{page}/answer", {"data": {**form, "kind": "draw", "answer": "no"}}),
        (f"{page}/withdraw", {}),
        (f"{page}/claim", {"data": {**form, "result": "win"}}),
        (f"{page}/coach", {"data": {"answer": "yes"}}),
        (f"{page}/coach", {"data": {"answer": "no"}}),
        (f"{api}/take-back", {"json": at}),
        (f"{api}/draw", {"json": at}),
        (f"{api}/answer", {"json": {**at, "kind": "take-back", "yes": True}}),
        (f"{api}/withdrawal", {}),
        (f"{api}/claim", {"json": {**at, "result": "draw"}}),
        (f"{api}/device/seat", {"json": {"ticket": "wrong"}}),
        (f"{api}/moves", {"json": {"ply": match.ply, "move": "toggle 999"}}),
        (f"{api}/moves", {"json": {"ply": match.ply + 1, "move": "toggle 1"}}),
        (f"{api}/next", {}),
    ]
    if match.moves:
        sent.append((f"{api}/moves", {"json": {"ply": 0, "move": late}}))
    return [("GET", path, {}) for path in asked] + [("POST", path, more) for path, more in sent]


async def received(who: Browser, match: Match, match_id: str) -> Shown:
    """Every byte that somebody can get, with nothing taken away but the match's own id and the time."""
    shown: Shown = []
    for method, path, more in requests(match, match_id):
        answer = await who.ask(method, path, **more)
        headers = tuple(sorted((name, value.replace(match_id, "ID")) for name, value in answer.headers.items()))
        shown.append((f"{method} {path}".replace(match_id, "ID"), answer.status_code, headers, same(answer, match_id)))
    given = {"cookie": f"bitduel={who.token}"} if who.token else {}
    for path in (f"/matches/{match_id}/events", f"/api/v1/matches/{match_id}/events"):
        async with Stream(who.house, path, given) as stream:
            start = await stream.start()
            first = await stream.event()
        shown.append((path.replace(match_id, "ID"), start["status"], tuple(sorted(start["headers"])), first))
    return shown


def same(answer: httpx.Response, match_id: str) -> str:
    if answer.headers.get("content-type") == "image/png":
        return answer.content.hex()
    return VARYING.sub("TIME", answer.text.replace(match_id, "ID"))


CASES = [(bits, depth) for bits, most in SIZES for depth in range(most + 1)]


@pytest.mark.parametrize(("bits", "depth"), CASES)
def test_every_byte_is_the_same_wherever_the_rules_tell_the_same(house: House, bits: int, depth: int) -> None:
    seen: dict[tuple[object, ...], Shown] = {}
    compared = 0
    for match in histories(bits, depth):
        held = Held(house.store, match)
        viewers: list[tuple[tuple[object, ...], str | None]] = [
            ((1, *story(match, 1)), held.tokens[0]),
            ((2, *story(match, 2)), held.tokens[1]),
            ((None, match.ply), None),
        ]
        for key, token in viewers:
            shown = house.run(received(house.browser(token), match, held.id))
            assert not any(status >= 500 for _, status, _, _ in shown)
            compared += key in seen
            before = seen.setdefault(key, shown)
            for one, two in zip(before, shown, strict=True):
                assert one == two
        assert house.store.get(held.id).moves == tuple(match.moves)
    assert compared >= (1 << bits) - 2


def test_what_is_sent_does_change_with_what_the_rules_tell(house: House) -> None:
    game = make("battle", {"bits": 3})
    low, high = (Match(game, 1, deal, ["toggle 1"]) for deal in ("001", "111"))
    shown = []
    for match in (low, high):
        held = Held(house.store, match)
        shown.append([house.run(received(house.browser(token), match, held.id)) for token in (*held.tokens, None)])
    assert shown[0][0] != shown[1][0]
    assert shown[0][1:] == shown[1][1:]


def test_what_a_seat_sees_in_the_dark_is_never_drawn_for_two(house: House, hold: Hold) -> None:
    dark, lit = hold("battle", ("toggle 5",), deal="01101"), hold("64", ("add",))
    open_svg.cache_clear()
    for token in (*dark.tokens, None):
        for path in ("", "/fragment", "?notes=0"):
            assert house.browser(token).get(f"/matches/{dark.id}{path}").status_code == 200
    assert open_svg.cache_info().currsize == 0
    house.browser(lit.tokens[0]).get(f"/matches/{lit.id}")
    house.browser(None).get(f"/matches/{lit.id}")
    assert open_svg.cache_info().currsize > 0


@pytest.mark.parametrize("seat", [1, 2])
def test_the_answer_to_a_move_tells_its_player_the_feedback_and_the_others_nothing(house: House, seat: int) -> None:
    game = make("battle", {"bits": 3})
    seen: dict[tuple[object, ...], list[str]] = {}
    for secret, theirs in product(("010", "011", "101"), ("toggle 2", "toggle 3")):
        match = Match(game, seat, secret)
        held = Held(house.store, match)
        for ply, (mover, move) in enumerate(((seat, "toggle 1"), (3 - seat, theirs))):
            match.play(move)
            if match.outcome:
                break
            who = house.browser()
            token = held.tokens[mover - 1]
            body = {"ply": ply, "move": move}
            answer = who.post(f"/api/v1/matches/{held.id}/moves", json=body, headers=bearer(token))
            assert answer.status_code == 200
            key = (mover, *story(match, mover))
            assert seen.setdefault(key, [same(answer, held.id)]) == [same(answer, held.id)]
    assert seen


def test_two_at_one_keyboard_in_the_dark_get_no_more_than_their_side(house: House) -> None:
    seen: dict[tuple[object, ...], str] = {}
    for depth in range(3):
        for match in histories(2, depth):
            held = Held(house.store, match, seats=0)
            token = held.tokens[0]
            for seat in (1, 2):
                house.store.seats.claim(held.id, seat, hashed(token))
            who = house.browser(token)
            cover = (None, match.ply)
            for key, query in (
                (cover, ""),
                (cover, "?as=3"),
                ((1, *story(match, 1)), "?as=1"),
                ((2, *story(match, 2)), "?as=2"),
            ):
                page = same(who.get(f"/matches/{held.id}{query}"), held.id)
                assert seen.setdefault((query, *key), page) == page
            api = same(who.get(f"/api/v1/matches/{held.id}"), held.id)
            assert seen.setdefault(("api", *cover), api) == api


def test_when_it_is_over_everything_is_told(house: House) -> None:
    match = Match(make("battle", {"bits": 3}), 1, "101", ["toggle 1", "toggle 2"])
    held = Held(house.store, match)
    house.desk.resign(held.id, hashed(held.tokens[0]))
    for token in (*held.tokens, None):
        who = house.browser(token)
        assert "The secret was 101." in who.get(f"/matches/{held.id}").text
        view = who.get(f"/api/v1/matches/{held.id}").json()["view"]
        assert (view["deal"], view["history"]) == ("101", ["toggle 1", "toggle 2"])
        assert '[Deal "101"]' in who.get(f"/matches/{held.id}/record").text


BITS = 128
LARGE = """
from dataclasses import replace
from bitduel.games.binary_battle import BinaryBattle
bits, secret, table = BinaryBattle.declared
BinaryBattle.declared = (replace(bits, high=128, quick=128), replace(secret, most=128), table)
"""


@pytest.fixture
def large_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Binary Battle with room for a canary of 128 bits."""
    monkeypatch.setattr(rules.BinaryBattle, "declared", rules.BinaryBattle.declared)
    exec(LARGE, {})


def traces(canary: int) -> list[str]:
    """Everything that would give a number away."""
    row, raw = format(canary, f"0{BITS}b"), canary.to_bytes(BITS // 8)
    coded = base64.b64encode(raw).decode().rstrip("=")
    return [row, str(canary), raw.hex(), raw.hex().upper(), coded, base64.urlsafe_b64encode(raw).decode().rstrip("=")]


def canary() -> int:
    """A number that nobody hits by toggling a few bits."""
    return secrets.randbits(BITS) | 1 << 64 | 1 << 3


def everything(ask: Callable[..., httpx.Response], match_id: str) -> Iterator[str]:
    """All that anybody can be told about a match that goes on."""
    match = Match(make("battle", {"bits": BITS}), 1, "0" * BITS)
    for method, path, more in requests(match, match_id):
        answer = ask(method, path, **more)
        yield f"{answer.headers} {answer.text}"
    wrong: list[Any] = [{"ply": 0}, {"ply": -1, "move": "toggle 1"}, {"ply": 0, "move": "x" * 41}, []]
    for body in wrong:
        yield ask("POST", f"/api/v1/matches/{match_id}/moves", json=body).text
    yield ask("POST", f"/matches/{match_id}/resign/no").text
    yield ask("GET", f"/invite/{match_id}/wrong").text


@pytest.mark.usefixtures("large_battle")
@pytest.mark.parametrize("chosen", [True, False], ids=["chosen", "dealt"])
@pytest.mark.parametrize("table", ["hidden", "open"])
def test_a_canary_in_place_of_the_secret_is_in_no_answer_and_no_log(
    house: House, caplog: pytest.LogCaptureFixture, chosen: bool, table: str
) -> None:
    caplog.set_level(logging.DEBUG)
    number = canary()
    row = format(number, f"0{BITS}b")
    game = make("battle", {"bits": BITS, "table": table, **({"secret": row} if chosen else {})})
    match = Match(game, 1, row, ["toggle 1", "toggle 128", "toggle 2"])
    held = Held(house.store, match)
    said = []
    for token in (*held.tokens, None):
        who = house.browser(token)
        said += [*everything(who.request, held.id)]
        given = {"cookie": f"bitduel={token}"} if token else {}
        said += [str(house.listen(f"/matches/{held.id}/events", given))]
    said += [repr(house.store.get(held.id)), caplog.text, *(str(record.__dict__) for record in caplog.records)]
    assert any("toggle 128" in text for text in said)
    for trace in traces(number):
        assert not [text for text in said if trace in text]
    house.desk.resign(held.id, hashed(held.tokens[0]))
    assert row in house.browser().get(f"/matches/{held.id}").text


def test_a_server_process_writes_no_secret_no_name_and_no_token(
    serving: Callable[..., Server], tmp_path: Path, large_battle: None
) -> None:
    url = f"sqlite:///{tmp_path}/canary.db"
    number = canary()
    row = format(number, f"0{BITS}b")
    with open_store(url) as store:
        held = Held(store, Match(make("battle", {"bits": BITS}), 1, row), ("Canaria", "Serinus"))
    server = serving(url, LARGE)
    said = []
    for token in (*held.tokens, "stranger"):
        with server.client(token) as who:
            said += [*everything(who.request, held.id)]
            said += [who.post("/games/64/play", content=b"\xff" * 100, headers={"sec-fetch-site": "cross-site"}).text]
    with server.client(held.tokens[0]) as who:
        body = {"ply": 0, "move": "toggle 1"}
        said += [who.post(f"/api/v1/matches/{held.id}/moves", json=body).raise_for_status().text]
    server.kill()
    log = server.log.read_text()
    assert "bitduel is at" in log
    for trace in traces(number):
        assert not [text for text in (*said, log) if trace in text]
    for private in (*held.tokens, *map(hashed, held.tokens), held.invitation, "Canaria", "Serinus"):
        assert private not in log


@pytest.mark.usefixtures("large_battle")
def test_an_unforeseen_error_writes_no_secret_and_tells_none(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = canary()
    row = format(number, f"0{BITS}b")
    held = Held(house.store, Match(make("battle", {"bits": BITS}), 1, row), ("Canaria", "Serinus"))

    def broken(*_: object) -> None:
        raise RuntimeError(f"{row} {number} {held.tokens[0]} Canaria")

    monkeypatch.setattr(house.desk, "seating", broken)
    for path in (f"/matches/{held.id}", f"/api/v1/matches/{held.id}"):
        answer = house.browser(held.tokens[0]).get(path)
        assert answer.status_code == 500
        for private in (*traces(number), *held.tokens, "Canaria"):
            assert private not in answer.text
            assert private not in caplog.text


def test_the_link_that_moves_a_seat_tells_whoever_opens_it_nothing_of_the_match(house: House) -> None:
    """Neither before the seat is taken nor to the browser that has lost it."""
    seen: set[tuple[str, str, str]] = set()
    for match in histories(2, 2):
        held = Held(house.store, match)
        old, new = house.browser(held.tokens[0]), house.browser()
        secret = house.site.links.make(held.id, held.tokens[0]).secret
        page = new.get(f"/seat/{held.id}/{secret}").text.replace(secret, "SECRET").replace(held.id, "ID")
        new.post(f"/seat/{held.id}/{secret}")
        after = same(old.get(f"/matches/{held.id}"), held.id)
        api = same(old.get(f"/api/v1/matches/{held.id}"), held.id)
        seen.add((page, after, api))
    assert len(seen) == 1


def test_who_is_present_and_what_is_asked_says_nothing_of_what_is_hidden(house: House) -> None:
    """The same is said and done in matches that differ only in the secret and in the hidden moves."""
    seen: dict[tuple[object, ...], list[str]] = {}
    for match in histories(2, 2):
        held = Held(house.store, match)
        at = {"ply": match.ply, "backs": 0}
        ada, ben, eve = (house.browser(token) for token in (*held.tokens, None))
        api = f"/api/v1/matches/{held.id}"
        ada.post(f"{api}/draw", json=at)
        for who in (ada, ben):
            who.post(f"{api}/coach", json={"coach": True})
        told = [same(ben.post(f"{api}/answer", json={**at, "kind": "draw", "yes": False}), held.id)]
        told += [same(ben.get(f"/matches/{held.id}{more}"), held.id) for more in ("", "?coach=1", "/fragment")]
        told += [str(house.listen(f"/matches/{held.id}/events", {"cookie": f"bitduel={held.tokens[1]}"})[1])]
        key = (2, *story(match, 2))
        assert seen.setdefault(key, told) == told
        watched = [same(eve.get(f"{path}"), held.id) for path in (f"/matches/{held.id}", api)]
        assert seen.setdefault((None,), watched) == watched
