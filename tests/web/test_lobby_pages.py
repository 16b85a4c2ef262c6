"""The lobby, by its pages and by the API: two strangers meet, and learn nothing of each other."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bitduel.core.outcomes import CALLED_OFF, Outcome
from bitduel.service.clocks import FlagTimer
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.lobby import COLOURS, COME_WITHIN, COMPUTER_AFTER, NUMBERS
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.storage.lobby import PRESENT_FOR
from bitduel.storage.schema import SECOND
from bitduel.web.site import Site
from fake_time import FakeTime
from web.sites import Browser, LocalApp, bearer

PAGES = ("/", "/games/double-or-nothing")
NAME = re.compile(f"({'|'.join(COLOURS)}) ({'|'.join(NUMBERS)})")


@pytest.fixture
def site(tmp_path: Path, time: FakeTime) -> Iterator[LocalApp]:
    """A site of its own, whose time passes when told so."""
    with open_store(f"sqlite:///{tmp_path}/lobby.db") as store:
        service = MatchService(store, Hub())
        service.presence.every = 10**9
        made = Site(service)
        made.flag_timer.every = 10**9
        app = LocalApp(store, made)
        yield app
        app.close()


def look_for(browser: Browser, game: str = "") -> str:
    """Press the button; where it leads."""
    answer = browser.post("/lobby", data={"game": game})
    assert answer.status_code == 303
    there: str = answer.headers["location"]
    return there


@pytest.mark.parametrize("page", PAGES)
def test_home_and_every_game_have_a_button_that_finds_an_opponent(site: LocalApp, page: str) -> None:
    html = site.browser().get(page).text
    assert 'action="/lobby"' in html
    assert "Find an opponent" in html


def test_two_browsers_meet_and_neither_sees_words_of_the_other(site: LocalApp) -> None:
    ada, ben = site.browser(), site.browser()
    assert look_for(ada, "double") == "/lobby"
    waiting = ada.get("/lobby").text
    assert "Looking for an opponent" in waiting
    assert re.search("data-waiting hidden><span data-count></span>", waiting), "nobody waits in a match yet"
    assert "Double or Nothing, 30 seconds per move." in waiting
    assert '<noscript><meta http-equiv="refresh"' in waiting
    match = look_for(ben)
    assert match.startswith("/matches/")
    assert ada.get("/lobby").headers["location"] == match
    assert ada.get("/lobby/state").json() == {"state": "paired", "url": match, "title": "Double or Nothing"}
    stored = site.store.matches()[0]
    first, second = (NAME.fullmatch(name) for name in stored.names)
    assert first
    assert second
    assert not {*first.groups()} & {*second.groups()}
    page = ada.get(match).text
    assert "The clock starts when both players have opened the match." in page
    assert page.count('role="timer"') == 2
    assert 'data-seconds="30.0"' in page
    assert "data-running" not in page
    assert "data-running" in ben.get(match).text


def test_two_tabs_of_one_browser_are_one_person(site: LocalApp) -> None:
    ada = site.browser()
    for _ in range(3):
        assert look_for(ada) == "/lobby"
    assert site.store.matches() == []


def test_after_a_while_the_computer_is_offered_and_the_place_is_kept(site: LocalApp, time: FakeTime) -> None:
    ada, ben = site.browser(), site.browser()
    look_for(ada, "31")
    assert 'data-after="20" hidden' in ada.get("/lobby").text
    time.pass_by(COMPUTER_AFTER / 2)
    ada.get("/lobby")
    time.pass_by(COMPUTER_AFTER / 2)
    page = ada.get("/lobby").text
    assert 'data-after="20">' in page
    assert 'action="/games/binary-race-31/play"' in page
    assert ada.post("/games/binary-race-31/play", data={"opponent": "medium"}).status_code == 303
    assert ada.get("/lobby/state").json() == {"state": "waiting", "waited": 20}
    match = look_for(ben, "31")
    assert ada.get("/lobby/state").json()["url"] == match


def test_who_has_gone_is_not_paired(site: LocalApp, time: FakeTime) -> None:
    ada, ben = site.browser(), site.browser()
    look_for(ada)
    time.pass_by(PRESENT_FOR / SECOND)
    assert look_for(ben) == "/lobby"
    look_for(ada)
    assert ada.get("/lobby").headers["location"].startswith("/matches/")


def test_a_match_to_which_somebody_does_not_come_is_called_off(site: LocalApp, time: FakeTime) -> None:
    ada, ben = site.browser(), site.browser()
    look_for(ada)
    match = look_for(ben)
    ben.get(match)
    timer = FlagTimer(site.service)
    for _ in range(COME_WITHIN):
        assert site.store.matches()[0].outcome is None
        time.pass_by(1)
        timer.tick()
    assert site.store.matches()[0].outcome == Outcome(None, CALLED_OFF)
    page = ben.get(match).text
    assert "It doesn&#39;t count." in page
    assert 'href="/lobby?game=' in page
    assert ada.get("/lobby/state").json() == {"state": "none"}
    assert "Find an opponent" in ada.get("/lobby").text
    assert look_for(ada) == "/lobby"
    assert look_for(ben) not in ("/lobby", match)


def test_whoever_leaves_waits_no_longer(site: LocalApp) -> None:
    ada = site.browser()
    look_for(ada)
    assert ada.post("/lobby/leave").headers["location"] == "/lobby"
    assert ada.get("/lobby/state").json() == {"state": "none"}
    assert look_for(site.browser()) == "/lobby"
    assert site.browser().get("/lobby/state").json() == {"state": "none"}
    assert site.browser().post("/lobby/leave").status_code == 303


def test_a_game_that_there_is_not_is_one_sentence(site: LocalApp) -> None:
    answer = site.browser().post("/lobby", data={"game": "chess"})
    assert answer.status_code == 404
    assert "There is no game &#39;chess&#39;." in answer.text


def test_programs_meet_by_the_api_and_the_ticket_is_a_secret(site: LocalApp) -> None:
    ada, ben = site.browser(), site.browser()
    first = ada.post("/api/v1/lobby", json={"game": "double"}).json()
    assert (first["state"], first["game"], first["seat"]) == ("waiting", "double-or-nothing", None)
    second = ben.post("/api/v1/lobby", json={}).json()
    assert second["state"] == "paired"
    found = ada.get("/api/v1/lobby", headers=bearer(first["token"])).json()
    assert found["seat"]["match"]["id"] == second["seat"]["match"]["id"]
    assert found["seat"]["token"] == first["token"]
    assert (found["seat"]["seat"], second["seat"]["seat"]) == (1, 2)
    assert first["token"] not in str(second)
    assert found["seat"]["match"]["clock"]["running"] in (1, 2), "both have seen the match by now"
    entry = site.store.lobby.find(hashed(first["token"]))
    assert entry
    assert first["token"] not in repr(entry)


def test_the_secret_of_a_browser_is_never_told_to_a_script(site: LocalApp) -> None:
    ada = site.browser(new_token())
    look_for(ada)
    for answer in (ada.get("/api/v1/lobby"), ada.get("/lobby/state"), ada.get("/lobby")):
        assert ada.token
        assert ada.token not in answer.text
    assert ada.get("/api/v1/lobby").status_code == 404


def test_a_program_can_leave_and_is_told_that_it_does_not_wait(site: LocalApp) -> None:
    who = site.browser()
    ticket = bearer(who.post("/api/v1/lobby", json={"game": None}).json()["token"])
    assert who.get("/api/v1/lobby", headers=ticket).json()["state"] == "waiting"
    left = who.request("DELETE", "/api/v1/lobby", headers=ticket)
    assert (left.status_code, left.content) == (204, b"")
    missed = who.get("/api/v1/lobby", headers=ticket)
    assert (missed.status_code, missed.json()) == (404, {"error": "You are not looking for an opponent."})
    assert who.get("/api/v1/lobby").status_code == 404


def test_a_full_queue_is_told_with_when_to_come_again(site: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.storage.lobby.MOST_WAITING", 0)
    answer = site.browser().post("/api/v1/lobby", json={})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
    assert "Too many people are looking for an opponent." in answer.json()["error"]
    assert site.browser().post("/lobby").status_code == 429


def test_a_site_without_a_lobby_has_neither_buttons_nor_addresses(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        app = LocalApp(store, Site(MatchService(store, Hub()), has_lobby=False))
        who = app.browser()
        assert all("/lobby" not in who.get(page).text for page in PAGES)
        for method, path in (("GET", "/lobby"), ("POST", "/lobby"), ("GET", "/lobby/state"), ("GET", "/api/v1/lobby")):
            assert who.request(method, path).status_code == 404
        assert "/api/v1/lobby" not in who.get("/api/v1/openapi.json").json()["paths"]
        app.close()
