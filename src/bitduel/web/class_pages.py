"""The pages of a class for pupils: join, wait, play, come back; every form works without scripts."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from bitduel.classroom.classes import Classes
from bitduel.classroom.responses import PupilState
from bitduel.core.errors import BitduelError
from bitduel.service.credentials import hashed, new_token
from bitduel.web.class_bar import class_bar, go_url, place_text
from bitduel.web.class_screen_pages import ScreenPages
from bitduel.web.class_tasks import answer_in, lesson_page, puzzle_page
from bitduel.web.class_teacher_pages import TeacherPages
from bitduel.web.class_view import LESSON, PUZZLES, about, goal, heading, match_links
from bitduel.web.http.clients import client_of, owner_of, token_of
from bitduel.web.match_pages import PART
from bitduel.web.puzzle_pages import today
from bitduel.web.site import Site, form_of, in_thread, in_turn, own_token, remember, status_of

Endpoint = Callable[[Request], Awaitable[Response]]
LONGEST_CODE = 20
WAITING = {
    "lobby": ("You're in", "Your first task starts when your teacher starts it. Keep this page open."),
    "approval": ("Almost there", "Your teacher has to let you in. Keep this page open."),
    "bye": ("You sit out this round", "There is an odd number of players. You get a point for it."),
    "round": ("Your match is over", "Some others still play. The next round starts soon."),
    "pairing": ("Looking for your next opponent", "You play as soon as somebody is free."),
    "time": ("Time is up", "The next puzzle starts soon."),
    "done": ("You've done everything", "Well done. Your teacher starts what comes next."),
    "finished": ("That's it for now", "Your teacher starts what comes next. Keep this page open."),
}
"""The headline and the sentence of a page that waits, by the reason."""


class ClassPages:
    """The endpoints for pupils."""

    def __init__(self, site: Site, classes: Classes) -> None:
        self.site = site
        self.classes = classes

    def routes(self) -> list[Route]:
        """Return the addresses of a class for pupils."""
        return [
            Route("/class", self.enter),
            Route("/class", self.find, methods=["POST"]),
            Route("/class/new", self.create, methods=["POST"]),
            Route("/class/{code}", self.show),
            Route("/class/{code}/join", self.join, methods=["POST"]),
            Route("/class/{code}/return", self.return_form),
            Route("/class/{code}/return", self.come_back, methods=["POST"]),
            Route("/class/{code}/other", self.other),
            Route("/class/{code}/answer", self.answer, methods=["POST"]),
            Route("/class/{code}/bar", self.bar),
            Route("/class/{code}/title", self.title),
            Route("/class/{code}/seat/{secret}", self.seat),
            Route("/class/{code}/seat/{secret}", self.take_seat, methods=["POST"]),
        ]

    async def enter(self, request: Request) -> Response:
        """Show the form for a code and a name, and the one that starts a class."""
        return self.site.page("class.html", typed_code=request.query_params.get("code", "")[:LONGEST_CODE])

    async def find(self, request: Request) -> Response:
        """Join the class of a code under a name."""
        fields = await form_of(request)
        return await self._join(request, fields.get("code", "").strip(), fields)

    async def create(self, request: Request) -> Response:
        """Start a class, and show the teacher the link that leads back to it."""
        fields = await form_of(request)
        own, secret = own_token(request), new_token()

        def work() -> str:
            self.site.creation_quota.take(client_of(request))
            code = self.classes.create(fields.get("title", "").strip(), hashed(secret))
            self.classes.open_teacher(code, secret, hashed(own))
            return code

        try:
            code = await in_thread(work)
        except BitduelError as error:
            return self.site.page("class.html", error=error, title=fields.get("title", ""))
        link = f"{self.site.addresses.base(request.scope)}/class/{code}/teacher/{secret}"
        return remember(request, self.site.page("class_created.html", class_code=code, link=link), own)

    async def show(self, request: Request) -> Response:
        """Show a pupil what to do now, lead to a match, or offer a newcomer to join."""
        return await in_turn(self._show, request)

    async def join(self, request: Request) -> Response:
        """Join a class whose code is in the address."""
        return await self._join(request, request.path_params["code"], await form_of(request))

    async def other(self, request: Request) -> Response:
        """Offer to join as another on a device that two pupils share."""
        return await in_thread(self._join_page, request.path_params["code"], None, "", True)

    async def return_form(self, request: Request) -> Response:
        """Show the form for a name and a PIN."""
        summary = await in_thread(self.classes.summary, request.path_params["code"])
        return self.site.page("class_return.html", summary=summary)

    async def come_back(self, request: Request) -> Response:
        """Give a pupil the place again that belongs to a name and a PIN."""
        fields, code = await form_of(request), request.path_params["code"]
        name, pin = fields.get("name", "").strip(), fields.get("pin", "").strip()
        summary = await in_thread(self.classes.summary, code)

        def work() -> str:
            token = self._token_for(request, summary.code)
            with self.site.naming_class(request):
                self.classes.return_(summary.code, name, pin, token)
            return token

        try:
            token = await in_thread(work)
        except BitduelError as error:
            return self.site.page("class_return.html", error=error, summary=summary, typed_name=name)
        return remember(request, RedirectResponse(f"/class/{summary.code}", 303), token)

    async def title(self, request: Request) -> Response:
        """Tell a script the title of the class, and whether it has a list of names."""
        summary = await in_thread(self.classes.summary, request.path_params["code"])
        found = {"code": summary.code, "title": summary.title, "open": summary.is_open}
        return JSONResponse({**found, "names": bool(summary.free_names)}, headers={"cache-control": "no-store"})

    async def bar(self, request: Request) -> Response:
        """Show the bar that stands above a pupil's match."""
        state = await in_thread(self._state, request)
        return self.site.page("_class_bar.html", c=class_bar(state, request.query_params.get("match", "")))

    async def seat(self, request: Request) -> Response:
        """Show whose place a link of the teacher's hands over."""
        code, secret = request.path_params["code"], request.path_params["secret"]
        name = await in_thread(self.classes.look_link, code, secret)
        return self.site.page("class_seat.html", pupil=name, action=f"/class/{code}/seat/{secret}")

    async def take_seat(self, request: Request) -> Response:
        """Take the place that a link of the teacher's hands over."""
        code, secret = request.path_params["code"], request.path_params["secret"]

        def work() -> str:
            token = self._token_for(request, code)
            self.classes.take_link(code, secret, token)
            return token

        token = await in_thread(work)
        return remember(request, RedirectResponse(f"/class/{code}", 303), token)

    async def answer(self, request: Request) -> Response:
        """Answer a puzzle or a step of a lesson, or ask for a hint."""
        code, form = request.path_params["code"], await answer_in(request)
        return RedirectResponse(await in_turn(form.send, self.classes, code, owner_of(request)), 303)

    def _token_for(self, request: Request, code: str) -> str:
        """Return the secret for a place: a new one where this browser has a place in the class already."""
        has_place = self.classes.pupil_of(code, owner_of(request)) is not None
        return new_token() if has_place else own_token(request)

    def _state(self, request: Request) -> PupilState:
        return self.classes.pupil_state(request.path_params["code"], owner_of(request), token_of(request))

    async def _join(self, request: Request, code: str, fields: dict[str, str]) -> Response:
        name = (fields.get("listed") or fields.get("name", "")).strip()
        is_known = "code" in request.path_params

        def work() -> Response:
            with self.site.naming_class(request):
                summary = self.classes.summary(code)
            if not name and not is_known:
                return RedirectResponse(f"/class/{summary.code}", 303)
            token = self._token_for(request, summary.code)
            self.site.join_quota.take(client_of(request))
            self.classes.join(summary.code, name, token)
            return remember(request, RedirectResponse(f"/class/{summary.code}?new=1", 303), token)

        try:
            return await in_thread(work)
        except BitduelError as error:
            if is_known:
                return await in_thread(self._join_page, code, error, name)
            return self.site.page("class.html", error=error, typed_code=code[:LONGEST_CODE], typed_name=name)

    def _join_page(
        self, code: str, error: BitduelError | None = None, name: str = "", is_other: bool = False
    ) -> Response:
        summary = self.classes.summary(code)
        return self.site.page("class_join.html", error=error, summary=summary, typed_name=name, is_other=is_other)

    def _show(self, request: Request) -> Response:
        code, owner = request.path_params["code"], owner_of(request)
        if self.classes.pupil_of(code, owner) is None:
            if self.classes.is_teacher(code, owner):
                return RedirectResponse(f"/class/{self.classes.summary(code).code}/teacher", 303)
            return self._join_page(code)
        state, fields = self._state(request), request.query_params
        if state.now.kind == "match" and "new" not in fields and PART not in request.headers:
            return RedirectResponse(f"/matches/{state.now.match}", 303)
        try:
            return self._task(state, request) or self._wait(state, request)
        except BitduelError as error:
            return self._wait(state, request, error)

    def _task(self, state: PupilState, request: Request) -> Response | None:
        """Return the page of a puzzle or a step; None where there is nothing to answer, or the PIN is looked at."""
        if PART in request.headers or "new" in request.query_params:
            return None
        fields, owner, kind = request.query_params, owner_of(request), state.activity and state.activity.kind
        bar, item = class_bar(state), fields.get("item", "")
        shown = int(item) if item.isascii() and item.isdigit() and len(item) < 5 else None
        if kind == PUZZLES and (state.now.kind == "puzzle" or shown):
            puzzle = puzzle_page(self.classes, state, owner, shown, fields)
            return self.site.page("class_puzzle.html", p=puzzle, c=bar, now=today()) if puzzle else None
        if kind == LESSON and (state.now.kind == "lesson" or shown):
            step = lesson_page(self.classes, state, owner, shown, fields)
            return self.site.page("class_lesson.html", page=step, c=bar) if step else None
        return None

    def _wait(self, state: PupilState, request: Request, error: BitduelError | None = None) -> Response:
        template = "_class_pupil.html" if PART in request.headers else "class_pupil.html"
        code = status_of(error) if error else 200
        played = []
        if state.now.reason == "finished":
            played = self.classes.matches_of(state.code, owner_of(request), state.id)
        return self.site.page(template, code, error, **wait_context(state), matches=match_links(played))


def wait_context(state: PupilState) -> dict[str, Any]:
    """Return the content of the page of a pupil who waits."""
    headline, text = WAITING.get(state.now.reason or "lobby", WAITING["lobby"])
    activity = state.activity
    if state.now.kind != "wait":
        headline, text = "It's your turn to start", ""
    return {
        "s": state,
        "headline": headline,
        "text": text,
        "activity": heading(activity) if activity and not activity.finished else "",
        "about": about(activity) if activity else "",
        "goal": goal(activity) if activity and not activity.finished else "",
        "place": place_text(state),
        "go": go_url(state),
    }


def class_routes(site: Site) -> list[Route]:
    """Return the addresses of classes, on a site that has them."""
    if site.classes is None:
        return []
    pages = (TeacherPages(site, site.classes), ScreenPages(site, site.classes), ClassPages(site, site.classes))
    routes = [route for each in pages for route in each.routes()]
    return [Route(each.path, _guarded(site, each.endpoint), methods=each.methods) for each in routes]


def _guarded(site: Site, endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that counts wrong codes and links."""

    async def answer(request: Request) -> Response:
        with site.naming_class(request):
            return await endpoint(request)

    return answer
