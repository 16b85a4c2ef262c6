"""The door: headers, foreign sites, sizes, names, limits, and what is kept of a secret."""

import logging
import re
from html import unescape
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.players import process
from bitduel.service.credentials import hashed
from bitduel.web.http.quotas import PEOPLE
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, bearer, chunks

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}
FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}


def guarded(answer: httpx.Response, local: bool = True) -> None:
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy.pop("default-src") == "'none'"
    assert policy.pop("frame-ancestors") == policy.pop("base-uri") == "'none'"
    assert set(policy.values()) == {"'self'"}
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers.get("cross-origin-opener-policy") == ("same-origin" if local else None)
    assert answer.headers["cache-control"]


def test_every_kind_of_answer_carries_every_header(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    who = app.browser(seated.tokens[0])
    page, api = f"/matches/{seated.id}", f"/api/v1/matches/{seated.id}"
    asked: list[tuple[str, str, dict[str, Any], int]] = [
        ("GET", "/", {}, 200),
        ("GET", "/games/64", {}, 200),
        ("GET", "/games/64?opt-target=0", {}, 400),
        ("GET", "/games/64/position", {}, 200),
        ("GET", "/matches", {}, 200),
        ("GET", page, {}, 200),
        ("GET", f"{page}/fragment", {}, 200),
        ("GET", f"{page}/record", {}, 200),
        ("GET", f"{page}/review", {}, 409),
        ("GET", "/nothing", {}, 404),
        ("DELETE", "/", {}, 405),
        ("GET", "/static/style.css", {}, 200),
        ("GET", "/static/live.js", {}, 200),
        ("GET", "/static/icon.svg", {}, 200),
        ("GET", "/static/nothing", {}, 404),
        ("GET", "/picture.png", {}, 200),
        ("GET", "/games/64/picture.png", {}, 200),
        ("GET", f"{page}/picture-0.png", {}, 200),
        ("GET", f"{page}/picture-1.png", {}, 404),
        ("GET", "/apple-touch-icon.png", {}, 200),
        ("GET", "/manifest.webmanifest", {}, 200),
        ("GET", "/service-worker.js", {}, 200),
        ("GET", "/offline", {}, 200),
        ("GET", "/games/64/", {}, 307),
        ("GET", api, {}, 200),
        ("GET", "/api/v1/openapi.json", {}, 200),
        ("GET", "/api/v1/nothing", {}, 404),
        ("POST", f"{api}/moves", {"json": {}}, 422),
        ("POST", f"{api}/moves", {"json": {"ply": 9, "move": "add"}}, 409),
        ("POST", f"{page}/move", {"data": {"ply": "0", "move": "add"}}, 303),
        ("POST", f"{page}/move", {"content": b"x" * 9000}, 413),
        ("GET", "/", {"headers": {"host": "evil.example"}}, 400),
        ("POST", "/games/64/play", {"headers": {"origin": "http://evil.example"}}, 403),
    ]
    for method, path, more, status in asked:
        answer = who.request(method, path, **more)
        assert answer.status_code == status, path
        guarded(answer, local="host" not in more.get("headers", {}))


def test_what_goes_wrong_inside_carries_every_header_too(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(app.service, "session", broken)
    for path in ("/matches/zzzzzzz", "/api/v1/matches/zzzzzzz"):
        answer = app.browser().get(path)
        assert answer.status_code == 500
        assert "inside" not in answer.text
        guarded(answer)


def test_a_stream_carries_every_header(app: LocalApp, store_match: StoreMatch) -> None:
    start, _ = app.listen(f"/matches/{store_match().id}/events")
    guarded(httpx.Response(start["status"], headers=start["headers"]))


def test_game_data_is_never_stored_on_the_way(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    for path in ("", "/fragment", "/record"):
        assert app.browser().get(f"/matches/{seated.id}{path}").headers["cache-control"] == "no-store"
    for path in ("/matches", f"/api/v1/matches/{seated.id}", f"/api/v1/matches/{seated.id}/record"):
        assert app.browser(seated.tokens[0]).get(path).headers["cache-control"] == "no-store"


def test_pages_have_nothing_inline_and_nothing_from_other_hosts(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(moves=("add",))
    paths = ["/", "/offline", "/matches", f"/matches/{seated.id}", f"/matches/{seated.id}?coach=1", "/nothing"]
    paths += [f"/games/{kind.slug}{more}" for kind in all_games() for more in ("", "/position")]
    for path in paths:
        page = app.browser(seated.tokens[0]).get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", page), path
        hosts = re.findall(r'(?:href|src|action|formaction|data-[a-z]+)="(?:https?:)?//', page)
        assert not hosts, path


CROSS = [
    {"sec-fetch-site": "cross-site"},
    {"origin": "http://["},
    {"sec-fetch-site": "same-site"},
    {"origin": "http://evil.example"},
    {"referer": "http://evil.example/page"},
    {"referer": "http://localhost:9000/"},
    {"origin": "http://localhost.evil.example"},
    {"origin": "http://localhost:81"},
    {"origin": "null"},
    {"origin": "http://localhost", "sec-fetch-site": "cross-site"},
    {"origin": "null", "sec-fetch-site": "cross-site"},
]


@pytest.mark.parametrize("headers", CROSS, ids=str)
def test_what_another_site_sends_is_refused_and_changes_nothing(
    app: LocalApp, store_match: StoreMatch, headers: dict[str, str]
) -> None:
    seated = store_match(seats=1)
    who = app.browser(seated.tokens[0])
    for path, more in (
        (f"/matches/{seated.id}/move", {"data": {"ply": "0", "move": "add"}}),
        (f"/matches/{seated.id}/resign", {}),
        (f"/invite/{seated.id}/{seated.invitation}", {}),
        ("/games/64/play", {"data": {"opponent": "easy"}}),
        (f"/api/v1/matches/{seated.id}/moves", {"json": {"ply": 0, "move": "add"}}),
    ):
        answer = who.post(path, headers=headers, **more)
        assert answer.status_code == 403, path
        assert "set-cookie" not in answer.headers
    kept = app.store.get(seated.id)
    assert (kept.moves, kept.outcome) == ((), None)
    assert app.store.seats.owners(seated.id).keys() == {1}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://localhost"},
        {"sec-fetch-site": "none"},
        {"origin": "http://localhost"},
        {"referer": "http://localhost/games/64"},
        # A browser that says nothing of where it comes from sends Origin: null with the forms of our own pages.
        {"sec-fetch-site": "same-origin", "origin": "null"},
    ],
    ids=str,
)
def test_what_our_own_pages_send_is_taken(app: LocalApp, store_match: StoreMatch, headers: dict[str, str]) -> None:
    seated = store_match()
    form = {"ply": "0", "move": "add"}
    answer = app.browser(seated.tokens[0]).post(f"/matches/{seated.id}/move", data=form, headers=headers)
    assert answer.status_code == 303


def test_a_link_from_another_site_may_be_followed(app: LocalApp, store_match: StoreMatch) -> None:
    assert app.browser().get(f"/matches/{store_match().id}", headers={"sec-fetch-site": "cross-site"}).is_success


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("evil.example:80", False),
        ("localhost:evil", False),
        ("", False),
    ],
)
def test_the_site_answers_only_to_its_names(app: LocalApp, host: str, known: bool) -> None:
    answer = app.browser().get("/matches", headers={"host": host})
    assert answer.status_code == (200 if known else 400)


LARGE = [
    ("/games/64/play", FORM, b"opponent=easy&name=", b"x"),
    ("/matches/zzzzzzz/move", FORM, b"ply=0&move=", b"x"),
    ("/api/v1/matches", JSON, b'{"game": "64"', b" "),
    ("/api/v1/solve", JSON, b'{"game": "64"', b" "),
]


@pytest.mark.parametrize(("path", "kind", "start", "filling"), LARGE)
def test_a_body_over_8_kib_is_413_with_and_without_its_length(
    app: LocalApp, path: str, kind: dict[str, str], start: bytes, filling: bytes
) -> None:
    who = app.browser()
    before = len(app.store.matches())
    told = who.post(path, content=start + filling * 8192, headers=kind)
    assert told.status_code == 413
    untold = who.post(path, content=chunks(start, *[filling * 1000] * 20), headers=kind)
    assert untold.status_code == 413
    guarded(untold)
    assert len(app.store.matches()) == before


def test_a_body_of_8_kib_is_taken(app: LocalApp) -> None:
    body = b"opponent=easy&x=" + b"x" * (8192 - 16)
    assert len(body) == 8192
    assert app.browser().post("/games/64/play", content=body, headers=FORM).status_code == 303


@pytest.mark.parametrize("length", ["-1", "x", "\xb2", "9" * 5000, "1_0"])
def test_a_length_that_is_none_is_refused(app: LocalApp, length: str) -> None:
    answer = app.browser().post(
        "/games/64/play", headers=[(b"content-length", length.encode("latin-1"))], content=chunks()
    )
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("body", [b"a&" * 4000, b"%ff%fe=%00", b"=&=&", b"\xff\x00", b"opponent=easy;x=1"])
def test_a_form_of_nonsense_is_refused_with_a_page(app: LocalApp, body: bytes) -> None:
    for path in ("/games/64/play", "/matches/zzzzzzz/move"):
        answer = app.browser().post(path, content=body, headers=FORM)
        assert answer.status_code in (400, 404, 409), (path, answer.status_code)


WRONG_NAMES = ["x" * 33, "a\x00b", "a\nb", "a\x1b[31mb", "a\u202eb", "a\u2066b", "a\u200fb", "\u061c", "\ud7ff\u2028"]


@pytest.mark.parametrize("name", WRONG_NAMES, ids=ascii)
def test_names_that_could_deceive_are_refused_everywhere(app: LocalApp, store_match: StoreMatch, name: str) -> None:
    seated = store_match(seats=1)
    who = app.browser()
    page = who.post("/games/64/play", data={"opponent": "easy", "name": name})
    assert page.status_code == 400
    assert name.isprintable() or name not in page.text
    api = who.post("/api/v1/matches", json={"game": "64", "name": name})
    assert api.status_code == 400
    assert name.isprintable() or name not in api.json()["error"]
    wish = {"invitation": seated.invitation, "name": name}
    assert who.post(f"/api/v1/matches/{seated.id}/seat", json=wish).status_code == 400
    assert app.store.seats.owners(seated.id).keys() == {1}


def test_a_name_is_shown_as_text_and_never_as_html(app: LocalApp) -> None:
    name = "<img src=x onerror=a()>'\"&"
    who, friend = app.browser(), app.browser()
    where = who.post("/games/64/play", data={"opponent": "friend", "name": name}).headers["location"]
    (invited,) = re.findall(r'value="http://localhost(/invite/[^"]+)"', who.get(where).text)
    friend.post(invited)
    who.post(f"{where}/resign")
    for path in (where, f"{where}/fragment", f"{where}/review", "/matches"):
        page = friend.get(path).text
        assert "<img src=x" not in page
        assert name in unescape(page)
    assert "text/plain" in friend.get(f"{where}/record").headers["content-type"]


def test_what_is_asked_is_never_given_back_as_html(app: LocalApp) -> None:
    evil = "<script>alert(1)</script>"
    who = app.browser()
    for path in (
        f"/games/{evil}",
        f"/games/64?opt-target={evil}",
        f"/games/64/position?moves={evil}",
        f"/games/64/position?opt-{evil}=1",
        f"/matches/{evil}",
        f"/invite/{evil}/{evil}",
        f"/matches?{evil}",
    ):
        assert evil not in who.get(path).text, path


def test_the_beginning_of_an_id_tells_no_ids(app: LocalApp, store_match: StoreMatch) -> None:
    ids = [store_match().id for _ in range(3)]
    for first in sorted({match_id[0] for match_id in ids} | set("23456789bcdfghjkmnpqrstvwxyz")):
        for path in (f"/matches/{first}", f"/api/v1/matches/{first}"):
            answer = app.browser().get(path)
            assert answer.status_code == 404
            told = re.findall(r"\b[23456789bcdfghjkmnpqrstvwxyz]{7}\b", answer.text)
            assert not [each for each in told if any(char.isdigit() for char in each)], path


def test_sizes_that_cost_too_much_are_refused_everywhere(app: LocalApp) -> None:
    huge = {"64": {"target": 10**9}, "double": {"step": 10**9}, "31": {"length": 10**6}, "bits": {"bits": 31}}
    who = app.browser()
    for game, options in {**huge, "battle": {"bits": 31}}.items():
        query = "&".join(f"opt-{name}={value}" for name, value in options.items())
        assert who.get(f"/games/{game}?{query}").status_code == 400
        assert who.get(f"/games/{game}/position?{query}").status_code == 400
        fields = {"opponent": "perfect", **{f"opt-{name}": str(value) for name, value in options.items()}}
        assert who.post(f"/games/{game}/play", data=fields).status_code == 400
        for path in ("matches", "solve"):
            assert who.post(f"/api/v1/{path}", json={"game": game, "options": options}).status_code == 400


def test_creations_are_limited_per_address_and_those_who_play_there_are_not_kept_from_it(strict_app: LocalApp) -> None:
    player = strict_app.browser(where="9.9.9.9")
    assert player.post("/games/64/play", data={"opponent": "friend"}, follow_redirects=True).status_code == 200
    bound = strict_app.site.creation_quota.per_address
    assert bound
    assert bound.most >= PEOPLE
    for _ in range(bound.most - 1):
        bound.take("9.9.9.9")
    form = {"data": {"opponent": "easy"}}
    many, other = strict_app.browser(where="9.9.9.9"), strict_app.browser(where="8.8.8.8")
    assert many.post("/api/v1/matches", json={"game": "64"}).status_code == 429
    assert many.post("/games/64/play", **form).status_code == 429
    assert len(strict_app.store.matches()) == 1
    assert player.post("/games/64/play", **form).status_code == 303
    assert other.post("/games/64/play", **form).status_code == 303


def test_one_visitor_begins_so_many_matches_a_minute(strict_app: LocalApp) -> None:
    who = strict_app.browser()
    form = {"data": {"opponent": "friend"}}
    assert who.post("/games/64/play", **form).status_code == 303
    limit = strict_app.site.creation_quota.per_visitor.most
    found = [who.post("/games/64/play", **form).status_code for _ in range(limit + 1)]
    assert found == [303] * limit + [429]
    assert strict_app.browser().post("/games/64/play", **form).status_code == 303


def test_wrong_links_are_limited_and_a_valid_one_always_passes(strict_app: LocalApp) -> None:
    ada = strict_app.browser()
    made = ada.post("/api/v1/matches", json={"game": "64"}).json()
    match_id, right = made["match"]["id"], made["invitation"]
    bound = strict_app.site.guess_quota.per_address
    assert bound
    assert bound.most >= PEOPLE
    guesser = strict_app.browser(where="7.7.7.7")
    ways = [
        lambda: guesser.get(f"/invite/{match_id}/wrong"),
        lambda: guesser.post(f"/invite/{match_id}/wrong"),
        lambda: guesser.get("/invite/zzzzzzz/wrong"),
        lambda: guesser.get(f"/seat/{match_id}/wrong"),
        lambda: guesser.post(f"/api/v1/matches/{match_id}/seat", json={"invitation": "wrong"}),
    ]
    found = [ways[number % 5]().status_code for number in range(bound.most + 5)]
    assert found == [404] * bound.most + [429] * 5
    assert guesser.get(f"/invite/{match_id}/{right}").status_code == 200
    assert strict_app.browser(where="7.7.7.7").post(f"/invite/{match_id}/{right}").status_code == 303


def test_one_visitor_is_stopped_after_few_wrong_links_and_the_neighbours_are_not(
    strict_app: LocalApp, store_match: StoreMatch
) -> None:
    token = store_match().tokens[0]
    limit = strict_app.site.guess_quota.per_visitor.most
    who = strict_app.browser(token)
    assert [who.get("/invite/zzzzzzz/wrong").status_code for _ in range(limit + 1)] == [404] * limit + [429]
    assert strict_app.browser().get("/invite/zzzzzzz/wrong").status_code == 404


def test_who_comes_second_to_a_seat_has_not_guessed(strict_app: LocalApp) -> None:
    made = strict_app.browser().post("/api/v1/matches", json={"game": "64"}).json()
    path, wish = f"/api/v1/matches/{made['match']['id']}/seat", {"invitation": made["invitation"]}
    assert strict_app.browser().post(path, json=wish).status_code == 200
    strict_app.site.guess_quota.take = None  # type: ignore[assignment, method-assign]
    assert strict_app.browser().post(path, json=wish).status_code == 409


def set_cookie(who: Browser, **fields: str) -> str:
    answer = who.post("/games/64/play", data={"opponent": "friend", **fields})
    assert answer.status_code == 303
    return str(answer.headers["set-cookie"])


def test_the_cookie_is_256_random_bits_out_of_reach_of_scripts(app: LocalApp) -> None:
    seen = set()
    for _ in range(5):
        parts = [part.strip() for part in set_cookie(app.browser()).split(";")]
        name, _, token = parts[0].partition("=")
        assert name == "bitduel"
        assert re.fullmatch(r"[\w-]{43}", token)
        assert {"httponly", "samesite=lax", "path=/"} <= {part.lower() for part in parts}
        seen.add(token)
    assert len(seen) == 5


def test_over_https_the_cookie_is_secure(app: LocalApp) -> None:
    answer = app.browser().post("https://localhost/games/64/play", data={"opponent": "easy"})
    assert "secure" in answer.headers["set-cookie"].lower()


def test_the_api_never_tells_a_script_its_browsers_cookie(app: LocalApp) -> None:
    who = app.browser()
    set_cookie(who)
    made = who.post("/api/v1/matches", json={"game": "64"})
    assert who.cookie not in made.text
    other = app.browser()
    set_cookie(other)
    wish = {"invitation": made.json()["invitation"]}
    joined = other.post(f"/api/v1/matches/{made.json()['match']['id']}/seat", json=wish)
    assert other.cookie not in joined.text


def test_only_hashes_of_secrets_are_kept_and_none_is_logged(
    strict_app: LocalApp, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ada, ben = strict_app.browser(), strict_app.browser()
    where = ada.post("/games/battle/play", data={"opponent": "friend", "name": "Adalbert"}).headers["location"]
    found = re.search(r"(/invite/\w+/(\w+))", ada.get(where).text)
    assert found
    assert ben.post(found[1], data={"name": "Benedikt"}).status_code == 303
    made = ada.post("/api/v1/matches", json={"game": "64"}, headers=bearer("")).json()
    ada.post(f"{where}/move", data={"ply": "0", "move": "toggle 1"})
    ben.post(f"{where}/move", data={"ply": "7", "move": "sing"})
    secrets = [ada.cookie, ben.cookie, found[2], made["token"], made["invitation"]]
    rows, logged = all_rows(strict_app), said(caplog)
    assert hashed(ada.cookie) in rows
    assert hashed(found[2]) in rows
    for secret in secrets:
        assert secret not in rows
        assert secret not in logged
    for name in ("Adalbert", "Benedikt"):
        assert name in rows
        assert name not in logged


def said(caplog: pytest.LogCaptureFixture) -> str:
    """All that was logged, but for what the client of these tests says itself."""
    ours = [record for record in caplog.records if not record.name.startswith("http")]
    return "\n".join(f"{record.getMessage()} {record.__dict__}" for record in ours)


def all_rows(app: LocalApp) -> str:
    """Everything in the database, as text."""
    with app.store._database.engine.connect() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
        assert {"matches", "moves", "seats", "invitations"} <= set(names)
        return "\n".join(str(row) for name in names for row in connection.execute(text(f'SELECT * FROM "{name}"')))


def test_looking_never_changes_anything_or_takes_a_seat(strict_app: LocalApp) -> None:
    ada = strict_app.browser()
    where = ada.post("/games/battle/play", data={"opponent": "friend"}).headers["location"]
    found = re.search(r"/invite/\w+/\w+", ada.get(where).text)
    assert found
    before = all_rows(strict_app)
    for who in (ada, strict_app.browser()):
        for method in ("GET", "HEAD"):
            for path in (where, f"{where}/fragment", f"{where}/record", f"{where}/review", "/matches", found[0]):
                assert "set-cookie" not in who.request(method, path).headers
            for path in (f"{where}/move?ply=0&move=toggle+1", f"{where}/resign", f"{where}/next", "/games/64/play"):
                assert who.request(method, path).status_code == 405
            who.request(method, f"/api/v1{where}")
        strict_app.listen(f"{where}/events")
    assert all_rows(strict_app) == before


def test_by_forms_a_stranger_and_the_wrong_seat_are_403_and_change_nothing(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match()
    where = f"/matches/{seated.id}"
    form = {"ply": "0", "move": "add"}
    for who in (app.browser(), app.browser("x" * 43), app.browser("y" * 5000)):
        for path, data in (("move", form), ("resign", {}), ("next", {})):
            assert who.post(f"{where}/{path}", data=data).status_code == 403
    assert app.browser(seated.tokens[1]).post(f"{where}/move", data=form).status_code == 403
    ada = app.browser(seated.tokens[0])
    assert ada.post(f"{where}/next").status_code == 409
    for ply in ("", "x", "-1", "1", "99999999999", "\u0663"):
        assert ada.post(f"{where}/move", data={"ply": ply, "move": "add"}).status_code == 409
    assert ada.post(f"{where}/move", data={"ply": "0", "move": "sing"}).status_code == 400
    kept = app.store.get(seated.id)
    assert (kept.moves, kept.outcome) == ((), None)
    for _ in range(2):
        assert ada.post(f"{where}/move", data=form).status_code == 303
    assert app.store.get(seated.id).moves == ("add",)


BOT = "bot:sh -c 'exit 1'"


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was started in spite of everything."""
    started: list[str] = []
    monkeypatch.setattr(process.BotProcess, "_start", lambda self, command, megabytes: started.append(command))
    return started


def test_the_site_starts_no_bot(app: LocalApp, no_processes: list[str]) -> None:
    who = app.browser()
    assert who.post("/api/v1/matches", json={"game": "64", "opponent": BOT}).status_code in (400, 422)
    assert who.post("/games/64/play", data={"opponent": BOT}).status_code == 400
    kept = app.store.begin(Match(make("64"), moves=["add"]), ("human", BOT), ("Ada", "Bot"))
    assert who.get(f"/matches/{kept}").status_code == 200
    assert who.get(f"/api/v1/matches/{kept}").json()["view"]["ply"] == 1
    assert BOT not in who.get("/api/v1/games").text
    assert "bot:" not in who.get("/games/64").text
    assert no_processes == []
