"""The site and its API never start a language model, whoever asks and whatever is kept."""

from collections.abc import Iterator

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from players.llm_server import Service, first_possible, serving
from web.sites import LocalApp

MODEL = "llm:m"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with serving(first_possible) as running:
        monkeypatch.setenv("BITDUEL_LLM_URL", running.url)
        yield running


def test_nobody_can_ask_for_one(app: LocalApp, service: Service) -> None:
    who = app.browser()
    answer = who.post("/api/v1/matches", json={"game": "64", "opponent": MODEL})
    assert 400 <= answer.status_code < 500
    assert MODEL not in who.get("/").text + who.get("/games/binary-race-64").text
    assert not service.asked


def test_a_kept_match_with_one_is_shown_and_the_model_never_asked(app: LocalApp, service: Service) -> None:
    match_id = app.store.begin(Match(make("64")), (MODEL, MODEL), ("Ada", "Model"))
    who = app.browser()
    for path in (f"/matches/{match_id}", f"/api/v1/matches/{match_id}"):
        assert who.get(path).status_code == 200
    assert app.store.get(match_id).moves == ()
    assert not service.asked
