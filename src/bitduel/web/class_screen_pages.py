"""The projector of a class: how to join, names as they arrive, standings and one match, and the podium."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bitduel.classroom.classes import Classes
from bitduel.classroom.responses import PupilScore, ScreenState
from bitduel.web.class_view import (
    BYE,
    MOST_NAMES,
    MOST_ON_SCREEN,
    BoardView,
    Laurel,
    PodiumStep,
    about,
    board_view,
    goal,
    has_matches,
    has_result,
    heading,
    laurels,
    ordinal,
    podium,
    score_text,
)
from bitduel.web.match_pages import PART
from bitduel.web.site import Site, in_turn


class ScreenPages:
    """The endpoint of the projector."""

    def __init__(self, site: Site, classes: Classes) -> None:
        self.site = site
        self.classes = classes

    def routes(self) -> list[Route]:
        """Return the address of the projector."""
        return [Route("/class/{code}/screen", self.show)]

    async def show(self, request: Request) -> Response:
        """Show what the whole class may see."""
        return await in_turn(self._page, request)

    def _page(self, request: Request) -> Response:
        state = self.classes.screen_state(request.path_params["code"])
        template = "_class_screen.html" if PART in request.headers else "class_screen.html"
        return self.site.page(template, v=ScreenPage(self.site, state, self.site.addresses.base(request.scope)))


class ScreenPage:
    """The content of the projector."""

    def __init__(self, site: Site, state: ScreenState, base: str) -> None:
        self.state, self.activity, self.base = state, state.activity, base
        self.service = site.service

    @property
    def scene(self) -> str:
        """The scene that is shown: the lobby, the activity, or the podium."""
        if self.activity is None:
            return "lobby"
        return "podium" if self.activity.finished else "play"

    @property
    def join_url(self) -> str:
        """The address that leads to the class without typing a code."""
        return f"{self.base}/class/{self.state.code}"

    @property
    def address(self) -> str:
        """The address to type."""
        return f"{self.base.partition('://')[2]}/class"

    @property
    def names(self) -> list[str]:
        """The names in the order of arrival, the latest if there are too many."""
        return self.state.names[-MOST_NAMES:]

    @property
    def more(self) -> int:
        """The number of names that are not shown."""
        return max(0, len(self.state.names) - MOST_NAMES)

    @property
    def heading(self) -> str:
        """The progress of the activity."""
        return heading(self.activity) if self.activity else ""

    @property
    def about(self) -> str:
        """The game of the activity."""
        return about(self.activity) if self.activity else ""

    @property
    def goal(self) -> str:
        """The aim of the game."""
        return goal(self.activity) if self.activity else ""

    @property
    def after(self) -> str:
        """The heading of the podium."""
        activity = self.activity
        if activity and activity.rounds:
            return f"After {activity.round} round{'' if activity.round == 1 else 's'}"
        return "The result"

    @property
    def standings(self) -> list[PupilScore]:
        """The first places."""
        return self.state.standings[:MOST_ON_SCREEN]

    @property
    def kind(self) -> str:
        """The kind of activity."""
        return self.activity.kind if self.activity else ""

    @property
    def featured(self) -> BoardView | None:
        """The match that everybody watches."""
        found = next((each for each in self.state.matches if each.match and each.match == self.state.featured), None)
        return board_view(self.service, found, {}) if found else None

    @property
    def has_matches(self) -> bool:
        """Whether the activity is played on boards."""
        return has_matches(self.activity)

    @property
    def boards(self) -> int:
        """The number of boards of this round."""
        return sum(each.kind != BYE for each in self.state.matches)

    @property
    def boards_done(self) -> int:
        """The number of boards that have finished."""
        return sum(each.kind != BYE and each.over for each in self.state.matches)

    @property
    def podium(self) -> list[PodiumStep]:
        """The first three places."""
        return podium(self.state.standings, self.kind)

    @property
    def laurels(self) -> list[Laurel]:
        """Honours for pupils beside the podium."""
        return laurels(self.state)

    ordinal = staticmethod(ordinal)

    @property
    def has_results(self) -> bool:
        """Whether anybody has done something that counts."""
        return any(map(has_result, self.state.standings))

    def score(self, pupil: PupilScore) -> str:
        """Return what the standings count."""
        return score_text(pupil, self.kind)
