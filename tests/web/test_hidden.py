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
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.registry import make
from bitduel.rendering.board import public_board_html
from bitduel.service.credentials import hashed
from bitduel.storage import open_store
from hidden_information import histories, story
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, SeatedMatch, Server, Stream, bearer

DEEPER = int(os.environ.get("BITDUEL_DEPTH", "0"))
SIZES = [(2, 3 + DEEPER), (3, 1 + DEEPER)]
QUICK = (2, 2)
"""The size and the depth at which the first tier compares."""
VARYING = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC|T\d\d:\d\d:\d\dZ)")
Shown = list[tuple[str, int, tuple[tuple[str, str], ...], str]]


def requests(match: Match, match_id: str) -> list[tuple[str, str, dict[str, Any]]]:
    """All that can be asked about a match that goes on, without changing it."""
    page, api = f"/matches/{match_id}", f"/api/v1/matches/{match_id}"
    late = next(move for move in match.game.moves if not match.moves or move != match.moves[0])
    asked = [page, f"{page}?coach=1", f"{page}?as=1", f"{page}?as=2", f"{page}/fragment", f"{page}/fragment?coach=1"]
    asked += [f"{page}/picture-{ply}.png" for ply in range(match.ply + 2)]
    asked += [f"{page}?at={ply}" for ply in range(match.ply + 1)]
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
        async with Stream(who.app, path, given) as stream:
            start = await stream.start()
            first = await stream.event()
        shown.append((path.replace(match_id, "ID"), start["status"], tuple(sorted(start["headers"])), first))
    return shown


def same(answer: httpx.Response, match_id: str) -> str:
    if answer.headers.get("content-type") == "image/png":
        return answer.content.hex()
    return VARYING.sub("TIME", answer.text.replace(match_id, "ID"))


CASES = [
    pytest.param(bits, depth, marks=[] if (bits, depth) == QUICK else pytest.mark.thorough)
    for bits, most in SIZES
    for depth in range(most + 1)
]


@pytest.mark.parametrize(("bits", "depth"), CASES)
def test_every_byte_is_the_same_wherever_the_rules_tell_the_same(app: LocalApp, bits: int, depth: int) -> None:
    seen: dict[tuple[object, ...], Shown] = {}
    compared = 0
    for match in histories(bits, depth):
        seated = SeatedMatch(app.store, match)
        viewers: list[tuple[tuple[object, ...], str | None]] = [
            ((1, *story(match, 1)), seated.tokens[0]),
            ((2, *story(match, 2)), seated.tokens[1]),
            ((None, match.ply), None),
        ]
        for key, token in viewers:
            shown = app.run(received(app.browser(token), match, seated.id))
            assert not any(status >= 500 for _, status, _, _ in shown)
            compared += key in seen
            before = seen.setdefault(key, shown)
            for one, two in zip(before, shown, strict=True):
                assert one == two
        assert app.store.get(seated.id).moves == tuple(match.moves)
    assert compared >= (1 << bits) - 2


def test_what_is_sent_does_change_with_what_the_rules_tell(app: LocalApp) -> None:
    game = make("battle", {"bits": 3})
    low, high = (Match(game, 1, deal, ["toggle 1"]) for deal in ("001", "111"))
    shown = []
    for match in (low, high):
        seated = SeatedMatch(app.store, match)
        shown.append([app.run(received(app.browser(token), match, seated.id)) for token in (*seated.tokens, None)])
    assert shown[0][0] != shown[1][0]
    assert shown[0][1:] == shown[1][1:]


def test_what_a_seat_sees_in_the_dark_is_never_drawn_for_two(app: LocalApp, store_match: StoreMatch) -> None:
    dark, lit = store_match("battle", ("toggle 5",), deal="01101"), store_match("64", ("add",))
    public_board_html.cache_clear()
    for token in (*dark.tokens, None):
        for path in ("", "/fragment", "?notes=0"):
            assert app.browser(token).get(f"/matches/{dark.id}{path}").status_code == 200
    assert public_board_html.cache_info().currsize == 0
    app.browser(lit.tokens[0]).get(f"/matches/{lit.id}")
    app.browser(None).get(f"/matches/{lit.id}")
    assert public_board_html.cache_info().currsize > 0


@pytest.mark.parametrize("seat", [1, 2])
def test_the_answer_to_a_move_tells_its_player_the_feedback_and_the_others_nothing(app: LocalApp, seat: int) -> None:
    game = make("battle", {"bits": 3})
    seen: dict[tuple[object, ...], list[str]] = {}
    for secret, theirs in product(("010", "011", "101"), ("toggle 2", "toggle 3")):
        match = Match(game, seat, secret)
        seated = SeatedMatch(app.store, match)
        for ply, (mover, move) in enumerate(((seat, "toggle 1"), (3 - seat, theirs))):
            match.play(move)
            if match.outcome:
                break
            who = app.browser()
            token = seated.tokens[mover - 1]
            body = {"ply": ply, "move": move}
            answer = who.post(f"/api/v1/matches/{seated.id}/moves", json=body, headers=bearer(token))
            assert answer.status_code == 200
            key = (mover, *story(match, mover))
            assert seen.setdefault(key, [same(answer, seated.id)]) == [same(answer, seated.id)]
    assert seen


def test_two_at_one_keyboard_in_the_dark_get_no_more_than_their_side(app: LocalApp) -> None:
    seen: dict[tuple[object, ...], str] = {}
    for depth in range(3):
        for match in histories(2, depth):
            seated = SeatedMatch(app.store, match, seats=0)
            token = seated.tokens[0]
            for seat in (1, 2):
                app.store.seats.claim(seated.id, seat, hashed(token))
            who = app.browser(token)
            cover = (None, match.ply)
            for key, query in (
                (cover, ""),
                (cover, "?as=3"),
                ((1, *story(match, 1)), "?as=1"),
                ((2, *story(match, 2)), "?as=2"),
            ):
                page = same(who.get(f"/matches/{seated.id}{query}"), seated.id)
                assert seen.setdefault((query, *key), page) == page
            api = same(who.get(f"/api/v1/matches/{seated.id}"), seated.id)
            assert seen.setdefault(("api", *cover), api) == api


def test_when_it_is_over_everything_is_told(app: LocalApp) -> None:
    match = Match(make("battle", {"bits": 3}), 1, "101", ["toggle 1", "toggle 2"])
    seated = SeatedMatch(app.store, match)
    app.service.resign(seated.id, hashed(seated.tokens[0]))
    for token in (*seated.tokens, None):
        who = app.browser(token)
        assert "The secret was 101." in who.get(f"/matches/{seated.id}").text
        view = who.get(f"/api/v1/matches/{seated.id}").json()["view"]
        assert (view["deal"], view["history"]) == ("101", ["toggle 1", "toggle 2"])
        assert '[Deal "101"]' in who.get(f"/matches/{seated.id}/record").text


BITS = 128
LARGE = """
from dataclasses import replace
from bitduel.games.binary_battle import BinaryBattle
bits, secret, table = BinaryBattle.declared_options
BinaryBattle.declared_options = (replace(bits, high=128, quick_limit=128), replace(secret, most=128), table)
"""


@pytest.fixture
def large_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Binary Battle with room for a canary of 128 bits."""
    monkeypatch.setattr(BinaryBattle, "declared_options", BinaryBattle.declared_options)
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
    app: LocalApp, caplog: pytest.LogCaptureFixture, chosen: bool, table: str
) -> None:
    caplog.set_level(logging.DEBUG)
    number = canary()
    row = format(number, f"0{BITS}b")
    game = make("battle", {"bits": BITS, "table": table, **({"secret": row} if chosen else {})})
    match = Match(game, 1, row, ["toggle 1", "toggle 128", "toggle 2"])
    seated = SeatedMatch(app.store, match)
    said = []
    for token in (*seated.tokens, None):
        who = app.browser(token)
        said += [*everything(who.request, seated.id)]
        given = {"cookie": f"bitduel={token}"} if token else {}
        said += [str(app.listen(f"/matches/{seated.id}/events", given))]
    said += [repr(app.store.get(seated.id)), caplog.text, *(str(record.__dict__) for record in caplog.records)]
    assert any("toggle 128" in text for text in said)
    for trace in traces(number):
        assert not [text for text in said if trace in text]
    app.service.resign(seated.id, hashed(seated.tokens[0]))
    assert row in app.browser().get(f"/matches/{seated.id}").text


@pytest.mark.thorough
def test_a_server_process_writes_no_secret_no_name_and_no_token(
    serving: Callable[..., Server], tmp_path: Path, large_battle: None
) -> None:
    url = f"sqlite:///{tmp_path}/canary.db"
    number = canary()
    row = format(number, f"0{BITS}b")
    with open_store(url) as store:
        seated = SeatedMatch(store, Match(make("battle", {"bits": BITS}), 1, row), ("Canaria", "Serinus"))
    server = serving(url, LARGE)
    said = []
    for token in (*seated.tokens, "stranger"):
        with server.client(token) as who:
            said += [*everything(who.request, seated.id)]
            said += [who.post("/games/64/play", content=b"\xff" * 100, headers={"sec-fetch-site": "cross-site"}).text]
    with server.client(seated.tokens[0]) as who:
        body = {"ply": 0, "move": "toggle 1"}
        said += [who.post(f"/api/v1/matches/{seated.id}/moves", json=body).raise_for_status().text]
    server.kill()
    log = server.log.read_text()
    assert "bitduel is at" in log
    for trace in traces(number):
        assert not [text for text in (*said, log) if trace in text]
    for private in (*seated.tokens, *map(hashed, seated.tokens), seated.invitation, "Canaria", "Serinus"):
        assert private not in log


@pytest.mark.usefixtures("large_battle")
def test_an_unforeseen_error_writes_no_secret_and_tells_none(
    app: LocalApp, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = canary()
    row = format(number, f"0{BITS}b")
    seated = SeatedMatch(app.store, Match(make("battle", {"bits": BITS}), 1, row), ("Canaria", "Serinus"))

    def broken(*_: object) -> None:
        raise RuntimeError(f"{row} {number} {seated.tokens[0]} Canaria")

    monkeypatch.setattr(app.service, "session", broken)
    for path in (f"/matches/{seated.id}", f"/api/v1/matches/{seated.id}"):
        answer = app.browser(seated.tokens[0]).get(path)
        assert answer.status_code == 500
        for private in (*traces(number), *seated.tokens, "Canaria"):
            assert private not in answer.text
            assert private not in caplog.text


def test_the_link_that_moves_a_seat_tells_whoever_opens_it_nothing_of_the_match(app: LocalApp) -> None:
    """Neither before the seat is taken nor to the browser that has lost it."""
    seen: set[tuple[str, str, str]] = set()
    for match in histories(2, 2):
        seated = SeatedMatch(app.store, match)
        old, new = app.browser(seated.tokens[0]), app.browser()
        secret = app.site.links.make(seated.id, seated.tokens[0]).secret
        page = new.get(f"/seat/{seated.id}/{secret}").text.replace(secret, "SECRET").replace(seated.id, "ID")
        new.post(f"/seat/{seated.id}/{secret}")
        after = same(old.get(f"/matches/{seated.id}"), seated.id)
        api = same(old.get(f"/api/v1/matches/{seated.id}"), seated.id)
        seen.add((page, after, api))
    assert len(seen) == 1


def test_who_is_present_and_what_is_asked_says_nothing_of_what_is_hidden(app: LocalApp) -> None:
    """The same is said and done in matches that differ only in the secret and in the hidden moves."""
    seen: dict[tuple[object, ...], list[str]] = {}
    for match in histories(2, 2):
        seated = SeatedMatch(app.store, match)
        at = {"ply": match.ply, "backs": 0}
        ada, ben, eve = (app.browser(token) for token in (*seated.tokens, None))
        api = f"/api/v1/matches/{seated.id}"
        ada.post(f"{api}/draw", json=at)
        for who in (ada, ben):
            who.post(f"{api}/coach", json={"coach": True})
        told = [same(ben.post(f"{api}/answer", json={**at, "kind": "draw", "yes": False}), seated.id)]
        told += [same(ben.get(f"/matches/{seated.id}{more}"), seated.id) for more in ("", "?coach=1", "/fragment")]
        told += [str(app.listen(f"/matches/{seated.id}/events", {"cookie": f"bitduel={seated.tokens[1]}"})[1])]
        key = (2, *story(match, 2))
        assert seen.setdefault(key, told) == told
        watched = [same(eve.get(f"{path}"), seated.id) for path in (f"/matches/{seated.id}", api)]
        assert seen.setdefault((None,), watched) == watched
