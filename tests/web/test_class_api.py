"""The API of classes: a lesson from the first request to the last, every error, and what nobody may see."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web.site import Site
from web.sites import Browser, LocalApp, Stream, bearer

CLASSES = "/api/v1/classes"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[LocalApp]:
    """A site with classes."""
    with open_store(f"sqlite:///{tmp_path}/class.db") as store:
        made = LocalApp(store, Site(MatchService(store, Hub()), has_classes=True))
        yield made
        made.close()


class Room:
    """A class by the API."""

    def __init__(self, app: LocalApp, names: tuple[str, ...] = ("Ada", "Ben")) -> None:
        self.app = app
        self.browser = app.browser()
        answer = self.browser.post(CLASSES, json={"title": "Year 7"})
        assert answer.status_code == 201, answer.text
        self.code, self.token = answer.json()["class"]["code"], answer.json()["token"]
        self.url = f"{CLASSES}/{self.code}"
        self.pupils = [self.join(name).json() for name in names]

    def join(self, name: str) -> httpx.Response:
        return self.browser.post(f"{self.url}/pupils", json={"name": name})

    def teach(self, path: str, method: str = "POST", **more: Any) -> httpx.Response:
        return self.browser.request(method, f"{self.url}{path}", headers=bearer(self.token), **more)

    def pupil(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self.browser.get(self.url, headers=bearer(self.pupils[number]["token"])).json()
        return found

    def play_all(self, seed: int = 1) -> None:
        rng = Random(seed)
        for number in range(len(self.pupils)):
            now = self.pupil(number)["now"]
            while now["kind"] == "match":
                url, tokens = f"/api/v1/matches/{now['match']}", [each["token"] for each in self.pupils]
                views = [self.browser.get(url, headers=bearer(each)).json() for each in tokens]
                mine = next((at for at, each in enumerate(views) if each["view"]["legal"]), None)
                if mine is None:
                    break
                view = views[mine]["view"]
                body = {"ply": view["ply"], "move": rng.choice(view["legal"])}
                assert self.browser.post(f"{url}/moves", json=body, headers=bearer(tokens[mine])).status_code == 200


def sentence(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    error: str = answer.json()["error"]
    assert "\n" not in error
    return error


def test_a_lesson_from_the_first_request_to_the_last(app: LocalApp) -> None:
    room = Room(app, ("Ada", "Ben", "Cleo", "Dan"))
    assert room.pupil(0)["now"] == {**room.pupil(0)["now"], "kind": "wait", "reason": "lobby"}
    body = {"kind": "swiss", "game": "double", "rounds": 2, "clock": {"move": 60}}
    state = room.teach("/activity", json=body).json()
    assert [each["over"] for each in state["matches"]] == [False, False]
    now = room.pupil(0)["now"]
    assert (now["kind"], now["token"]) == ("match", room.pupils[0]["token"])
    assert room.teach("/pause").json()["paused"]
    url = f"/api/v1/matches/{now['match']}"
    refused = [
        room.browser.post(f"{url}/moves", json={"ply": 0, "move": "add"}, headers=bearer(each["token"])).status_code
        for each in room.pupils
    ]
    assert 409 in refused
    assert not room.teach("/resume").json()["paused"]
    early = room.teach("/next")
    room.play_all()
    assert "still playing" in sentence(early, 409)
    state = room.teach("/next", json={"round": 1}).json()
    assert state["activity"]["round"] == 2
    room.play_all(2)
    assert "last round" in sentence(room.teach("/next"), 409)
    assert room.teach("/finish").json()["activity"]["finished"]
    pupils = room.teach("", "GET").json()["pupils"]
    assert sum(each["points"] for each in pupils) == 4
    table = room.teach("/results.csv", "GET")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(list(csv.DictReader(io.StringIO(table.text)))) == 4
    assert room.teach("", "DELETE").status_code == 204
    sentence(room.teach("", "GET"), 404)


def test_every_error_is_one_sentence_with_its_status(app: LocalApp) -> None:
    room = Room(app)
    join, ada = f"{room.url}/pupils", room.pupils[0]["token"]
    sentence(room.browser.get(f"{CLASSES}/BABAB", headers=bearer(ada)), 404)
    sentence(room.browser.post(f"{CLASSES}/hello/pupils", json={"name": "Eve"}), 404)
    sentence(room.browser.post(join, json={"name": "Ada"}), 409)
    sentence(room.browser.post(join, json={"name": "Computer"}), 400)
    sentence(room.browser.post(join, json={"name": ""}), 400)
    sentence(room.browser.post(join, json={}), 422)
    sentence(room.browser.get(room.url), 403)
    sentence(room.browser.post(f"{room.url}/pause", headers=bearer(ada)), 403)
    sentence(room.browser.post(f"{room.url}/pause"), 403)
    sentence(room.teach("/next"), 409)
    sentence(room.teach("/finish"), 409)
    sentence(room.teach("/activity", json={"kind": "swiss"}), 400)
    sentence(room.teach("/activity", json={"kind": "swiss", "game": "chess"}), 404)
    sentence(room.teach("/activity", json={"kind": "chess", "game": "double"}), 422)
    sentence(room.teach("/activity", json={"kind": "arena", "game": "double", "rounds": 3}), 400)
    sentence(room.teach("/activity", json={"kind": "pairs", "game": "double", "pairs": [[1, 9]]}), 404)
    sentence(room.teach("/activity", json={"kind": "pairs", "game": "double", "options": {"target": 10**9}}), 400)
    sentence(room.teach("/activity", json={"kind": "pairs", "game": "battle", "options": {"secret": 3}}), 400)
    assert room.teach("/activity", json={"kind": "pairs", "game": "double"}).status_code == 200
    sentence(room.teach("/activity", json={"kind": "pairs", "game": "double"}), 409)
    sentence(room.teach("/pupils/9", "PATCH", json={"name": "Eve"}), 404)
    sentence(room.teach("/pupils/1", "PATCH", json={"name": "Ben"}), 409)
    sentence(room.browser.post(f"{room.url}/answer", json={"item": 1}, headers=bearer(ada)), 409)
    sentence(room.browser.post(f"{room.url}/return", json={"name": "Ada", "pin": "x"}), 403)
    sentence(room.browser.post(f"{room.url}/seat", json={"secret": "x"}), 404)
    assert room.teach("/lock").json()["locked"]
    assert "locked" in sentence(room.join("Eve"), 409)
    assert room.teach("/unlock").json()["locked"] is False


def test_a_pupil_changes_the_device_by_pin_and_by_link(app: LocalApp) -> None:
    room = Room(app)
    pin = room.pupils[0]["pupil"]["pin"]
    assert len(pin) == 4
    answer = room.browser.post(f"{room.url}/return", json={"name": "Ada", "pin": pin})
    assert answer.status_code == 200
    sentence(room.browser.get(room.url, headers=bearer(room.pupils[0]["token"])), 403)
    assert room.browser.get(room.url, headers=bearer(answer.json()["token"])).json()["name"] == "Ada"
    link = room.teach("/pupils/1/link").json()
    assert link["link"].endswith(f"/class/{room.code}/seat/{link['secret']}")
    taken = room.browser.post(f"{room.url}/seat", json={"secret": link["secret"]})
    assert taken.json()["pupil"]["name"] == "Ada"
    sentence(room.browser.post(f"{room.url}/seat", json={"secret": link["secret"]}), 404)
    changed = room.teach("/pupils/1", "PATCH", json={"name": "Ada L.", "new_pin": True}).json()
    answer = room.browser.post(f"{room.url}/return", json={"name": "Ada L.", "pin": changed["pin"]})
    assert answer.status_code == 200


def test_codes_and_pins_cannot_be_guessed_for_long(app: LocalApp) -> None:
    room = Room(app)
    guesser = app.browser(where="10.0.0.9")
    token = bearer("x" * 43)
    answers = [guesser.post(f"{CLASSES}/BABAB/pupils", json={"name": "Eve"}, headers=token) for _ in range(12)]
    assert [each.status_code for each in answers] == [404] * 10 + [429] * 2
    assert room.join("Eve").status_code == 201, "others are let in"


def test_a_pupil_sees_nobodys_secrets(app: LocalApp) -> None:
    room = Room(app, ("Ada", "Ben", "Cleo"))
    room.teach("/activity", json={"kind": "pairs", "game": "battle"})
    seen = [
        str(room.pupil(0)),
        room.browser.get(f"{room.url}/screen").text,
        room.teach("", "GET").text,
    ]
    for number, each in enumerate(room.pupils):
        for text in seen[1:] if number == 0 else seen:
            assert each["token"] not in text
            assert f"'{each['pupil']['pin']}'" not in text
            assert f'"{each["pupil"]["pin"]}"' not in text
    assert all("deal" not in text and "secret" not in text.replace('"secret":null', "") for text in seen)


def test_a_browser_is_not_told_its_own_secret(app: LocalApp) -> None:
    room = Room(app)
    pupil: Browser = app.browser(room.pupils[0]["token"])
    room.teach("/activity", json={"kind": "pairs", "game": "double"})
    state = pupil.get(room.url).json()
    assert state["now"]["match"]
    assert state["now"]["token"] is None


def test_puzzles_are_answered_by_the_api(app: LocalApp) -> None:
    room = Room(app)
    assert room.teach("/activity", json={"kind": "puzzles", "game": "double", "count": 1}).status_code == 200
    now = room.pupil(0)["now"]
    assert (now["kind"], now["item"], now["count"]) == ("puzzle", 1, 1)
    assert "solution" not in now["puzzle"]
    headers = bearer(room.pupils[0]["token"])
    hint = room.browser.post(f"{room.url}/answer", json={"item": 1}, headers=headers).json()
    assert hint["right"] is None
    assert hint["said"]
    sentence(room.browser.post(f"{room.url}/answer", json={"item": 1, "answer": ["nothing"]}, headers=headers), 400)
    sentence(room.browser.post(f"{room.url}/answer", json={"item": 2, "answer": ["add"]}, headers=headers), 409)


def test_events_come_to_those_whom_a_change_concerns(app: LocalApp) -> None:
    room = Room(app)
    headers = bearer(room.pupils[0]["token"])

    async def listen() -> list[str]:
        async with Stream(app, f"{room.url}/events", headers) as stream:
            assert (await stream.start())["status"] == 200
            first = await stream.event()
            await room.browser.ask(
                "POST", f"{room.url}/activity", json={"kind": "pairs", "game": "double"}, headers=bearer(room.token)
            )
            return [first, await stream.event()]

    first, second = app.run(listen())
    assert first.startswith("event: changed")
    assert second.startswith("event: changed")
    assert first != second


def test_an_arena_goes_on_by_itself(app: LocalApp) -> None:
    room = Room(app, ("Ada", "Ben", "Cleo", "Dan"))
    room.teach("/activity", json={"kind": "arena", "game": "double", "minutes": 1})

    async def resign_and_wait() -> None:
        headers = [bearer(each["token"]) for each in room.pupils]
        views = [(await room.browser.ask("GET", room.url, headers=each)).json() for each in headers]
        before = {each["now"]["match"] for each in views}
        for match in before:
            for each in headers:
                await room.browser.ask("POST", f"/api/v1/matches/{match}/resignation", headers=each)
        async with Stream(app, f"{room.url}/events", headers[0]) as stream:
            await stream.start()
            for _ in range(5):
                now = (await room.browser.ask("GET", room.url, headers=headers[0])).json()["now"]
                if now["kind"] == "match" and now["match"] not in before:
                    return
                await stream.event()
        raise AssertionError("nobody was paired again")

    app.run(resign_and_wait())


def test_there_are_no_classes_where_the_site_does_not_offer_them(strict_app: LocalApp) -> None:
    assert strict_app.browser().post(CLASSES, json={}).status_code in (404, 405)


@pytest.mark.parametrize("kind", ["pairs", "ladder"])
@pytest.mark.parametrize("paused", [False, True])
def test_nobody_is_helped_in_a_match_of_a_class(app: LocalApp, kind: str, paused: bool) -> None:
    room = Room(app)
    room.teach("/activity", json={"kind": kind, "game": "double"})
    headers = bearer(room.pupils[0]["token"])
    url = f"/matches/{room.pupil(0)['now']['match']}"
    if paused:
        room.teach("/pause")
    before = room.browser.get(f"/api/v1{url}", headers=headers).json()
    assert not {"take-back", "call-off", "rematch", "device"} & {*before["table"]["can"]}
    ply = before["view"]["ply"]
    tried = {"take-back": {"ply": ply}, "calling-off": {"ply": ply}, "coach": {"coach": True}, "device": {}, "next": {}}
    for path, body in tried.items():
        answer = room.browser.post(f"/api/v1{url}/{path}", json=body, headers=headers)
        assert "when you play in a class" in sentence(answer, 409)
    forms = {**{each: {"ply": ply} for each in ("take-back", "call-off", "device", "next")}, "coach": {"answer": "yes"}}
    pupil = app.browser(room.pupils[0]["token"])
    for path, form in forms.items():
        answer = pupil.post(f"{url}/{path}", data=form)
        assert answer.status_code == 409
        assert "when you play in a class" in answer.text
    assert room.browser.get(f"/api/v1{url}", headers=headers).json() == before
