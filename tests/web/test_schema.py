"""The OpenAPI document holds: whatever fits it, or does not, is answered as it says."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.match_session import NotYourSeatError
from web.sites import LocalApp, SeatedMatch, bearer

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    ("GET", "/api/v1/games"),
    ("GET", "/api/v1/games/{name}"),
    ("POST", "/api/v1/matches"),
    ("POST", "/api/v1/matches/{id}/seat"),
    ("GET", "/api/v1/matches/{id}"),
    ("POST", "/api/v1/matches/{id}/moves"),
    ("POST", "/api/v1/matches/{id}/resignation"),
    ("POST", "/api/v1/matches/{id}/next"),
    ("POST", "/api/v1/matches/{id}/take-back"),
    ("POST", "/api/v1/matches/{id}/draw"),
    ("POST", "/api/v1/matches/{id}/answer"),
    ("POST", "/api/v1/matches/{id}/withdrawal"),
    ("POST", "/api/v1/matches/{id}/calling-off"),
    ("POST", "/api/v1/matches/{id}/claim"),
    ("POST", "/api/v1/matches/{id}/coach"),
    ("POST", "/api/v1/matches/{id}/device"),
    ("POST", "/api/v1/matches/{id}/device/seat"),
    ("GET", "/api/v1/matches/{id}/review"),
    ("GET", "/api/v1/matches/{id}/record"),
    ("GET", "/api/v1/puzzles"),
    ("POST", "/api/v1/solve"),
    ("POST", "/api/v1/lobby"),
    ("GET", "/api/v1/lobby"),
    ("DELETE", "/api/v1/lobby"),
]
WITHOUT_INPUT = [("GET", "/api/v1/games"), ("GET", "/api/v1/lobby"), ("DELETE", "/api/v1/lobby")]
"""Nothing about these can be wrong."""
STREAM = "/api/v1/matches/{id}/events"
"""Answers without end; what it says is in test_events."""

CALM = settings(
    max_examples=settings().max_examples // 5,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def document(app: LocalApp) -> dict[str, Any]:
    found: dict[str, Any] = app.browser().get("/api/v1/openapi.json").json()
    return found


def tables(app: LocalApp) -> list[SeatedMatch]:
    """Matches at several stages."""
    battle, race = make("battle", {"bits": 2}), make("64")
    over = Match(race, 1, "", ["add"])
    over.resign(2)
    found = [Match(battle, 1, "10"), Match(battle, 1, "10", ["toggle 2"]), Match(race, 1, "", ["add"]), over]
    return [SeatedMatch(app.store, match, seats=1 + number % 2) for number, match in enumerate(found, 1)]


def test_every_operation_is_tried(document: dict[str, Any]) -> None:
    declared = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert declared == {*OPERATIONS, ("GET", STREAM)}


@pytest.fixture(scope="module")
def schema(document: dict[str, Any]) -> Any:
    return schemathesis.openapi.from_dict(document)


def cases() -> Iterator[Any]:
    """Each operation, asked rightly and wrongly by a stranger and by both seats.

    In the first tier the first seat asks both ways where there is a match, and elsewhere the stranger rightly.
    """
    modes = {"right": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}
    seats = {"stranger": None, "seat-1": 1, "seat-2": 2}
    for (method, path), (who, seat), (how, mode) in product(OPERATIONS, seats.items(), modes.items()):
        quick = seat == 1 if "{id}" in path or "lobby" in path else seat is None and how == "right"
        name = f"{method}-{path.removeprefix('/api/v1')}-{who}-{how}"
        yield pytest.param(method, path, seat, mode, id=name, marks=[] if quick else [pytest.mark.thorough])


@pytest.mark.parametrize(("method", "path", "seat", "mode"), list(cases()))
def test_every_answer_is_one_that_the_document_declares(
    app: LocalApp, schema: Any, method: str, path: str, seat: int | None, mode: GenerationMode
) -> None:
    operation = schema[path][method]
    if mode is GenerationMode.NEGATIVE and (method, path) in WITHOUT_INPUT:
        return
    seated = tables(app)
    who = app.browser()

    @CALM
    @given(
        case=operation.as_strategy(generation_mode=mode),
        table=st.sampled_from(seated),
        known=st.booleans(),
        sensible=st.booleans(),
    )
    def check(case: Case[Any], table: SeatedMatch, known: bool, sensible: bool) -> None:
        if known and "{id}" in path:
            case.path_parameters = {"id": table.id}
        if sensible and isinstance(case.body, dict):
            case.body |= sense(app, path, table)
        own = bearer(table.tokens[seat - 1]) if seat else {}
        sent = case.as_transport_kwargs(base_url="http://localhost", headers=own)
        body = {"content": sent["data"]} if sent.get("data") is not None else {"json": sent.get("json")}
        answer = who.request(method, sent["url"], headers=dict(sent["headers"]), params=sent.get("params"), **body)
        case.validate_response(answer, checks=CHECKS)

    check()


def sense(app: LocalApp, path: str, table: SeatedMatch) -> dict[str, Any]:
    """Values by which a request has a chance to do something."""
    if path.endswith(("/take-back", "/draw", "/answer", "/calling-off", "/claim")):
        return dict(zip(("ply", "backs"), app.service.session(table.id).moment, strict=True))
    if path.endswith("/coach"):
        return {}
    if path.endswith("/device/seat"):
        with suppress(NotYourSeatError):  # an earlier request may have moved the seat
            return {"ticket": app.site.links.make(table.id, table.tokens[0]).secret if table.full else "x"}
        return {"ticket": "x"}
    if path.endswith("/moves"):
        kept = app.store.get(table.id)
        return {"ply": len(kept.moves), "move": kept.match().game.moves[0]}
    if path.endswith("/seat"):
        return {"invitation": table.invitation}
    if path.endswith("/lobby"):
        return {"game": "double"}
    if path.endswith("/solve"):
        return {"game": "64", "options": {}}
    return {"game": "double", "options": {}, "name": None}


def test_the_stream_is_declared_as_a_stream(document: dict[str, Any]) -> None:
    assert "text/event-stream" in document["paths"][STREAM]["get"]["responses"]["200"]["content"]


def test_what_is_refused_at_the_door_of_the_api_is_json_as_declared(app: LocalApp) -> None:
    who = app.browser()
    for more in (
        {"content": b"x" * 9000, "headers": {"content-type": "application/json"}},
        {"json": {"game": "64"}, "headers": {"origin": "http://evil.example"}},
        {"json": {"game": "64"}, "headers": {"host": "evil.example"}},
    ):
        answer = who.post("/api/v1/matches", **more)
        assert answer.status_code in (400, 403, 413)
        assert answer.json()["error"]
