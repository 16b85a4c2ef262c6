"""Matches are in the same store: a person watches on the site what a model plays, and takes the other seat there."""

import asyncio
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from agents import Agent, LocalServer, local_server
from bitduel.games.registry import make
from bitduel.service.credentials import hashed
from bitduel.storage import open_store
from bitduel.storage.coordination import CHANNEL
from postgres_server import Cluster
from web.sites import PATIENT, LocalApp, Stream


@pytest.fixture
def app(here: LocalServer, url: str) -> Iterator[LocalApp]:
    """A site over the same file, with a store of its own."""
    with open_store(url) as store:
        made = LocalApp(store)
        yield made
        made.close()


def test_a_person_watches_what_a_model_plays(app: LocalApp, by_pipe: Agent) -> None:
    seat = by_pipe.ask("start_match", game="double", opponent="perfect", first="1", name="Model")
    watch = seat["match"]["watch"]
    assert "Model" in app.browser().get(watch).text

    async def see() -> tuple[str, str]:
        async with Stream(app, f"{watch}/events") as stream:
            await stream.start()
            before = await stream.event()
            made = {"match_id": seat["match_id"], "token": seat["token"], "ply": 0, "move": "add"}
            await asyncio.to_thread(by_pipe.ask, "move", **made)
            after = await stream.event()
            while after == before:
                after = await stream.event()
            return before, after

    before, after = app.run(see())
    assert before != after
    shown = app.browser().get(f"/api/v1{watch}").json()
    told = by_pipe.ask("view", match_id=seat["match_id"])
    assert shown["view"]["history"] == told["history"]
    assert shown["names"] == told["names"]
    assert len(told["history"]) == 2


def test_a_person_takes_the_other_seat_on_the_site(app: LocalApp, ada: Agent) -> None:
    seat = ada.ask("start_match", game="64", first="1", name="Model")
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    person = app.browser()
    assert "Model" in person.get(f"/invite/{seat['invitation']}").text
    assert person.post(f"/invite/{seat['invitation']}", data={"name": "Person"}).status_code < 400
    ada.ask("move", ply=0, move="add", **own)
    assert person.post(f"{seat['match']['watch']}/move", data={"ply": "1", "move": "double"}).status_code < 400
    told = ada.ask("view", **own, wait=int(PATIENT))
    assert told["your_turn"]
    assert told["history"] == ["add", "double"]
    assert told["names"] == ["Model", "Person"]


def test_a_model_takes_a_seat_that_was_offered_on_the_site(app: LocalApp, ada: Agent) -> None:
    body = {"game": "double", "opponent": "friend", "first": "2", "name": "Person"}
    made = app.browser().post("/api/v1/matches", json=body).json()
    link = f"http://localhost/invite/{made['match']['id']}/{made['invitation']}"
    seat = ada.ask("start_match", invitation=link, name="Model")
    assert (seat["seat"], seat["match"]["your_turn"]) == (2, True)


def test_who_plays_here_counts_as_present_on_the_site(app: LocalApp, ada: Agent, ben: Agent) -> None:
    seat = ada.ask("start_match", game="double", first="1")
    ben.ask("start_match", invitation=seat["invitation"])
    ada.ask("view", match_id=seat["match_id"], token=seat["token"])
    session = app.service.session(seat["match_id"])
    assert [app.service.presence.is_present(session, each) for each in (1, 2)] == [True, True]
    assert session.seats(hashed(seat["token"])) == (1,)


def test_through_postgresql_every_site_hears_which_match_has_changed(postgres_cluster: Cluster) -> None:
    heard: list[str] = []
    ready, changed, stopped = Event(), Event(), Event()

    def hear(text: str) -> None:
        heard.append(text)
        changed.set()

    with open_store(postgres_cluster.fresh()) as store:
        assert store.notifications
        listener = Thread(target=store.notifications.listen, args=(CHANNEL, stopped, hear, ready.set))
        listener.start()
        assert ready.wait(PATIENT)
        service = local_server(store).service
        match_id = service.create(make("double"), "friend", "1", (None, None), "token")
        service.move(match_id, hashed("token"), 0, "add")
        assert changed.wait(PATIENT)
        stopped.set()
        listener.join()
    assert set(heard) == {match_id}
