"""The lessons: every page follows from its address alone, so that it works without scripts and can be kept."""

from starlette.requests import Request
from starlette.responses import Response

from bitduel.core.errors import MoveError, UnknownNameError
from bitduel.games import Kind, find
from bitduel.web.learn_page import learn_page
from bitduel.web.site import Site, in_turn, status_of

SOON = {"cache-control": "public, max-age=300"}
"""The same address is the same page until the program is another one."""


class LearnPages:
    """Endpoints of the lessons."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def learn(self, request: Request) -> Response:
        """One step of a game's lesson, with an answer that was given or without."""
        kind = find(request.path_params["slug"])
        return await in_turn(self._learn, kind, dict(request.query_params))

    def _learn(self, kind: Kind, fields: dict[str, str]) -> Response:
        lesson = kind.lesson()
        if lesson is None:
            raise UnknownNameError(f"There is no lesson for {kind.title} yet.")
        error: MoveError | None = None
        try:
            page = learn_page(kind, lesson, fields)
        except MoveError as wrong:
            error = wrong
            page = learn_page(kind, lesson, {"step": fields.get("step", "")})
        code = status_of(error) if error else 200
        answer = self.site.page("learn.html", code, page=page, error=str(error) if error else None)
        if error is None:
            answer.headers.update(SOON)
        return answer
