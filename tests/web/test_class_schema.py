"""The OpenAPI document of classes holds: whatever fits it, or does not, is answered as it says."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode

from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web.http.quotas import GuessLimit, Quota, Rate
from bitduel.web.site import Site
from web.sites import LocalApp, bearer
from web.test_schema import CALM, CHECKS

CLASSES = "/api/v1/classes"
QUICK = [("GET", "/{code}"), ("POST", "/{code}/pupils"), ("POST", "/{code}/activity"), ("POST", "/{code}/answer")]
"""The operations that are tried in the first tier."""
STREAM = f"{CLASSES}/{{code}}/events"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalApp]:
    """A site with classes, on which nothing is counted."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('site')}/class.db") as store:
        many = Quota(Rate(10**9, 60))
        site = Site(
            MatchService(store, Hub()),
            has_classes=True,
            class_quota=many,
            join_quota=many,
            class_guesses=GuessLimit(Rate(10**9, 60)),
        )
        made = LocalApp(store, site)
        yield made
        made.close()


@pytest.fixture(scope="module")
def schema(app: LocalApp) -> Any:
    return schemathesis.openapi.from_dict(app.browser().get("/api/v1/openapi.json").json())


def operations() -> Iterator[Any]:
    """Each operation of classes, as its teacher, a pupil or a stranger asks."""
    paths = {
        "": ["POST"],
        "/{code}": ["GET", "PATCH", "DELETE"],
        "/{code}/pupils/{id}": ["PATCH", "DELETE"],
        "/{code}/pupils/{id}/matches": ["GET"],
        "/{code}/screen": ["GET"],
        "/{code}/results.csv": ["GET"],
    }
    posts = "pupils return seat activity next pause resume finish lock unlock answer pupils/{id}/link"
    for path, methods in [*paths.items(), *((f"/{{code}}/{each}", ["POST"]) for each in posts.split())]:
        for method in methods:
            for who in ("teacher", "pupil", "stranger"):
                is_quick = who == "teacher" and (method, path) in QUICK
                marks = [] if is_quick else [pytest.mark.thorough]
                yield pytest.param(method, f"{CLASSES}{path}", who, id=f"{method}-{path}-{who}", marks=marks)


def test_every_operation_is_tried(schema: Any) -> None:
    declared = {
        (method.upper(), path)
        for path, methods in schema.raw_schema["paths"].items()
        for method in methods
        if path.startswith(CLASSES)
    }
    assert declared == {tuple(each.values[:2]) for each in operations()} | {("GET", STREAM)}


@pytest.mark.parametrize(("method", "path", "who"), list(operations()))
def test_every_answer_is_one_that_the_document_declares(
    app: LocalApp, schema: Any, method: str, path: str, who: str
) -> None:
    operation, browser = schema[path][method], app.browser()

    @CALM
    @given(
        case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)),
        kind=st.sampled_from(["", "swiss", "lesson", "puzzles"]),
        known=st.booleans(),
    )
    def check(case: Case[Any], kind: str, known: bool) -> None:
        made = browser.post(CLASSES, json={"title": "Schema"}).json()
        code = made["class"]["code"]
        joined = [browser.post(f"{CLASSES}/{code}/pupils", json={"name": name}).json() for name in ("Ada", "Ben")]
        if kind:
            wish = {"kind": kind, "game": "double"}
            assert browser.post(f"{CLASSES}/{code}/activity", json=wish, headers=bearer(made["token"])).is_success
        if known and "{code}" in path:
            case.path_parameters = {"code": code, **({"id": 1} if "{id}" in path else {})}
        own = {"teacher": bearer(made["token"]), "pupil": bearer(joined[0]["token"]), "stranger": {}}[who]
        sent = case.as_transport_kwargs(base_url="http://localhost", headers=own)
        body = {"content": sent["data"]} if sent.get("data") is not None else {"json": sent.get("json")}
        answer = browser.request(method, sent["url"], headers=dict(sent["headers"]), params=sent.get("params"), **body)
        case.validate_response(answer, checks=CHECKS)

    check()
