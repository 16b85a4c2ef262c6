"""The JSON API of classes, for the pages of teachers and pupils and for programs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from bitduel.classroom.classes import Classes
from bitduel.classroom.requests import (
    ActivityRequest,
    ClassAnswerRequest,
    ClassChangeRequest,
    ClassJoinRequest,
    HandoverRequest,
    NewClassRequest,
    NextRequest,
    PupilChangeRequest,
    ReturnRequest,
)
from bitduel.classroom.responses import (
    AnswerResponse,
    ClassTokenResponse,
    HandoverResponse,
    JoinedPupil,
    PlayedMatchResponse,
    PupilState,
    PupilTokenResponse,
    ScreenState,
    TeacherState,
)
from bitduel.core.errors import BitduelError
from bitduel.service.credentials import hashed, new_token
from bitduel.web.api import ERRORS
from bitduel.web.http.clients import Client, bearer_of, client_of, owner_of
from bitduel.web.http.streams import ALIVE, PATIENCE, EventStream, event
from bitduel.web.site import Site, in_thread

Code = Annotated[str, Path(min_length=1, max_length=40, examples=["TUMAK"])]
Pupil = Annotated[int, Path(ge=1, le=1_000_000)]
REST = 0.3
"""Seconds between two events of one stream: in a busy class something changes all the time."""
CSV = "text/csv"


def class_api(site: Site, classes: Classes) -> APIRouter:
    """Return the routes of classes."""
    router = APIRouter(prefix="/api/v1/classes", responses=ERRORS)

    def guarded(request: Request, work: Callable[..., Any], *args: Any) -> Any:
        """Run work that names a class, and count wrong codes and secrets."""
        with site.naming_class(request):
            return work(*args)

    def state(request: Request, code: str) -> Response:
        """Answer with the class as whoever asks may see it."""
        found = guarded(request, classes.state, code, owner_of(request), bearer_of(request))
        return Response(found.model_dump_json(), media_type="application/json")

    async def act(request: Request, work: Callable[..., Any], code: str, *args: Any) -> Response:
        """Run work of the teacher, and answer with the class."""

        def run() -> Response:
            guarded(request, work, code, owner_of(request), *args)
            return state(request, code)

        return await in_thread(run)

    def entered(joined: JoinedPupil, token: str) -> PupilTokenResponse:
        return PupilTokenResponse(pupil=joined, token=token)

    @router.post("", status_code=201, summary="Create a class; you are its teacher")
    async def create(body: NewClassRequest, request: Request) -> ClassTokenResponse:
        await in_thread(site.class_quota.take, client_of(request))
        token = bearer_of(request) or new_token()

        def work() -> ClassTokenResponse:
            code = classes.create(body.title, hashed(token), body.names)
            return ClassTokenResponse(**{"class": classes.teacher_state(code, hashed(token))}, token=token)

        return await in_thread(work)

    @router.get(
        "/{code}",
        response_model=TeacherState | PupilState,
        summary="View a class: with the teacher's token everything, with a pupil's what that pupil may see",
    )
    async def view(code: Code, request: Request) -> Response:
        return await in_thread(state, request, code)

    @router.get("/{code}/screen", summary="View a class as the projector shows it")
    async def screen(code: Code, request: Request) -> ScreenState:
        found: ScreenState = await in_thread(guarded, request, classes.screen_state, code)
        return found

    @router.post("/{code}/pupils", status_code=201, summary="Join a class under a name")
    async def join(code: Code, body: ClassJoinRequest, request: Request) -> PupilTokenResponse:
        await in_thread(site.join_quota.take, client_of(request))
        token = bearer_of(request) or new_token()
        return entered(await in_thread(guarded, request, classes.join, code, body.name, token), token)

    @router.post("/{code}/return", summary="Come back by name and PIN, on this device or another")
    async def come_back(code: Code, body: ReturnRequest, request: Request) -> PupilTokenResponse:
        token = bearer_of(request) or new_token()
        return entered(await in_thread(guarded, request, classes.return_, code, body.name, body.pin, token), token)

    @router.post("/{code}/seat", summary="Take over a pupil's place with the secret of a link from the teacher")
    async def take(code: Code, body: HandoverRequest, request: Request) -> PupilTokenResponse:
        token = bearer_of(request) or new_token()
        return entered(await in_thread(guarded, request, classes.take_link, code, body.secret, token), token)

    @router.post("/{code}/pupils/{id}/link", summary="Get a link that hands a pupil's place to another device, once")
    async def link(code: Code, id: Pupil, request: Request) -> HandoverResponse:  # noqa: A002 - named as in the path
        found: HandoverResponse = await in_thread(guarded, request, classes.link, code, owner_of(request), id)
        base = site.addresses.base(request.scope)
        return found.model_copy(update={"link": f"{base}{found.link}"})

    @router.patch("/{code}/pupils/{id}", summary="Rename a pupil, approve the name, or give a new PIN")
    async def change_pupil(code: Code, id: Pupil, body: PupilChangeRequest, request: Request) -> JoinedPupil:  # noqa: A002
        def work() -> JoinedPupil:
            owner = owner_of(request)
            if body.name is not None:
                classes.rename(code, owner, id, body.name)
            if body.approved:
                classes.approve(code, owner, id)
            pin = classes.new_pin(code, owner, id) if body.new_pin else None
            return JoinedPupil(id=id, name=classes.name_of(code, owner, id), pin=pin)

        found: JoinedPupil = await in_thread(guarded, request, work)
        return found

    @router.delete("/{code}/pupils/{id}", status_code=204, response_class=Response, summary="Remove a pupil")
    async def remove(code: Code, id: Pupil, request: Request) -> None:  # noqa: A002
        await in_thread(guarded, request, classes.remove, code, owner_of(request), id)

    @router.get("/{code}/pupils/{id}/matches", summary="List all matches of a pupil, the newest first")
    async def played(code: Code, id: Pupil, request: Request) -> list[PlayedMatchResponse]:  # noqa: A002
        found: list[PlayedMatchResponse] = await in_thread(
            guarded, request, classes.matches_of, code, owner_of(request), id
        )
        return found

    @router.patch("/{code}", response_model=TeacherState, summary="Change the title, or let names need your approval")
    async def change(code: Code, body: ClassChangeRequest, request: Request) -> Response:
        return await act(request, classes.change, code, body.title, body.approval)

    @router.delete("/{code}", status_code=204, response_class=Response, summary="Delete a class with all names")
    async def delete(code: Code, request: Request) -> None:
        await in_thread(guarded, request, classes.delete, code, owner_of(request))

    @router.post("/{code}/activity", response_model=TeacherState, summary="Start an activity")
    async def activity(code: Code, body: ActivityRequest, request: Request) -> Response:
        return await act(request, classes.set_activity, code, body)

    @router.post(
        "/{code}/next",
        response_model=TeacherState,
        summary="Start the next round or puzzle; boards that still play are ended only if `early` is true",
    )
    async def next_round(code: Code, request: Request, body: NextRequest | None = None) -> Response:
        body = body or NextRequest()
        return await act(request, classes.next_round, code, body.round, body.early)

    for name, work, summary in (
        ("pause", classes.pause, "Freeze all boards and clocks"),
        ("resume", classes.resume, "Go on after a pause"),
        ("finish", classes.finish, "End the activity; what still plays does not count"),
        ("lock", classes.lock, "Let nobody else join"),
        ("unlock", classes.unlock, "Let others join again"),
    ):
        router.add_api_route(
            f"/{{code}}/{name}",
            _command(act, work),
            methods=["POST"],
            name=name,
            response_model=TeacherState,
            summary=summary,
        )

    @router.post("/{code}/answer", summary="Answer the puzzle or the step of the lesson that you are at")
    async def answer(code: Code, body: ClassAnswerRequest, request: Request) -> AnswerResponse:
        found: AnswerResponse = await in_thread(
            guarded, request, classes.answer, code, owner_of(request), body.item, body.answer
        )
        return found

    @router.get(
        "/{code}/results.csv",
        response_model=None,
        responses={200: {"content": {CSV: {"schema": {"type": "string"}}}}},
        summary="Get the results of all activities as a table",
    )
    async def results(code: Code, request: Request) -> Response:
        table = await in_thread(guarded, request, classes.results_csv, code, owner_of(request))
        name = f'attachment; filename="bitduel-class-{code.upper()[:5]}.csv"' if code.isalpha() else "attachment"
        return Response(table, media_type=f"{CSV}; charset=utf-8", headers={"content-disposition": name})

    @router.get(
        "/{code}/events",
        response_model=None,
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
        summary="Get an event whenever the class changes for you; with as=screen, for the projector",
    )
    async def events(
        code: Code, request: Request, view: Annotated[str | None, Query(alias="as", pattern="^screen$")] = None
    ) -> EventStream:
        owner = owner_of(request)
        key = await in_thread(guarded, request, classes.key_for, code, owner, view == "screen")
        return EventStream(class_changes(site, classes, key, client_of(request)))

    return router


def _command(act: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    async def command(code: Code, request: Request) -> Response:
        response: Response = await act(request, work, code)
        return response

    return command


async def class_changes(site: Site, classes: Classes, key: str, client: Client) -> AsyncIterator[bytes]:
    """Yield a short text now, and whenever a class changes for one of those who watch it."""
    own = site.streams_per_visitor.take(client.key) if client.visitor else nullcontext()
    all_there = site.streams_per_address.take(f"{client.address} playing" if client.is_playing else client.address)
    present = site.service.presence.watching(client.visitor) if client.visitor else nullcontext()
    try:
        with own, all_there, present:
            async with site.service.hub.subscribe(key) as subscriber:
                sent, now = "", (await in_thread(classes.update_of, key)).text
                while True:
                    if now != sent:
                        yield event("changed", now)
                        await asyncio.sleep(REST)
                    sent = now
                    while (heard := await subscriber.next(PATIENCE)) is None:
                        yield ALIVE
                    now = heard
    except BitduelError as error:
        yield event("refused", str(error), again=60_000)
