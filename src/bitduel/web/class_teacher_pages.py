"""The teacher's page of a class: roster, activity, boards, standings, and what each pupil has understood."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pydantic import ValidationError
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bitduel.classroom.activities import FIELD_KINDS, IN_ROUNDS
from bitduel.classroom.classes import Classes
from bitduel.classroom.errors import StillPlayingError
from bitduel.classroom.requests import ActivityRequest
from bitduel.classroom.responses import ClassPupilResponse, PupilTotal, TeacherState
from bitduel.core.errors import BitduelError
from bitduel.core.lesson import game_lesson
from bitduel.core.puzzle import GRADES
from bitduel.games.registry import all_games, find
from bitduel.service.clocks import CHOICES, clock_in
from bitduel.service.credentials import hashed
from bitduel.service.new_match import make_game
from bitduel.web.api import error_sentence
from bitduel.web.class_view import (
    ARENA,
    BYE,
    KINDS,
    LESSON,
    PUZZLES,
    BoardView,
    MatchLink,
    about,
    away_text,
    board_view,
    count_text,
    has_matches,
    has_result,
    heading,
    match_links,
    ordinal,
    points_text,
    score_text,
)
from bitduel.web.http.clients import owner_of
from bitduel.web.match_pages import PART
from bitduel.web.puzzle_view import day_phrase
from bitduel.web.site import Site, form_of, in_thread, in_turn, own_token, remember, status_of
from bitduel.web.start_form import SettingField, setting_field

SHOWN = ("pupil", "board", "chances", "ask")
"""What a teacher looks at, which the address says."""
NUMBERS = ("rounds", "minutes", "count", "grade", "seconds", "best_of")
DEFAULTS = {"kind": "swiss", "rounds": "4", "minutes": "10", "count": "5", "odd": "bye", "best_of": "1"}
MOST_CHOSEN = 40
"""The most pupils for whom partners can be chosen by hand."""
MOST_BOARDS = 100
"""The boards that one page shows."""


class GameSettings(NamedTuple):
    """The settings of a game in the form of an activity."""

    slug: str
    title: str
    settings: list[SettingField]
    has_lesson: bool


class HandedOut(NamedTuple):
    """The means by which a pupil comes back; shown once, since only its hash is stored."""

    pin: str = ""
    link: str = ""
    minutes: int = 0


class TeacherPages:
    """The endpoints for the teacher."""

    def __init__(self, site: Site, classes: Classes) -> None:
        self.site = site
        self.classes = classes

    def routes(self) -> list[Route]:
        """Return the addresses for the teacher."""
        return [
            Route("/class/{code}/teacher", self.show),
            Route("/class/{code}/teacher", self.act, methods=["POST"]),
            Route("/class/{code}/teacher/pairs", self.pairs),
            Route("/class/{code}/teacher/{secret}", self.open),
        ]

    async def open(self, request: Request) -> Response:
        """Make this browser the teacher's, and lead on to the page without the secret."""
        code, secret, token = request.path_params["code"], request.path_params["secret"], own_token(request)

        def work() -> str:
            self.classes.open_teacher(code, secret, hashed(token))
            return self.classes.summary(code).code

        canonical = await in_thread(work)
        return remember(request, RedirectResponse(f"/class/{canonical}/teacher", 303), token)

    async def show(self, request: Request) -> Response:
        """Show the class as its teacher sees it."""
        return await in_turn(self._page, request, request.query_params)

    async def pairs(self, request: Request) -> Response:
        """Show the form in which partners are chosen."""

        def work() -> Response:
            state = self.classes.teacher_state(request.path_params["code"], owner_of(request))
            pupils = [each for each in state.pupils if each.joined and each.approved][:MOST_CHOSEN]
            form = activity_form(request.query_params)
            return self.site.page("class_pairs.html", s=state, pupils=pupils, form=form)

        return await in_thread(work)

    async def act(self, request: Request) -> Response:
        """Do what a button of the teacher's page says."""
        fields = await form_of(request)
        code, owner = request.path_params["code"], owner_of(request)
        shown = {name: fields[f"see-{name}"] for name in SHOWN if fields.get(f"see-{name}")}

        def work() -> Response:
            try:
                if fields.get("do") in ("pin", "link"):
                    return self._page(request, QueryParams(shown), handed=self._hand_out(code, owner, fields))
                changed = self._act(code, owner, fields)
            except StillPlayingError as error:
                return self._page(request, QueryParams({**shown, "ask": "next"}), error)
            except BitduelError as error:
                return self._page(request, QueryParams(shown), error, fields)
            if changed is None:
                return RedirectResponse("/class", 303)
            query = urlencode({name: value for name, value in {**shown, **changed}.items() if value})
            return RedirectResponse(f"/class/{code}/teacher{'?' if query else ''}{query}", 303)

        return await in_turn(work)

    def _act(self, code: str, owner: str | None, fields: Mapping[str, str]) -> dict[str, str] | None:
        """Do what a form says, and return what the page shows then; None if the class is gone."""
        classes, action = self.classes, fields.get("do", "")
        simple: dict[str, Callable[[str, str | None], None]] = {
            "pause": classes.pause,
            "resume": classes.resume,
            "finish": classes.finish,
            "lock": classes.lock,
            "unlock": classes.unlock,
        }
        if action in simple:
            simple[action](code, owner)
        elif action == "start":
            classes.set_activity(code, owner, activity_in(fields))
            return {"board": ""}
        elif action == "next":
            classes.next_round(code, owner, _number(fields.get("round", "")), early=fields.get("early") == "1")
            return {"ask": "", "board": ""}
        elif action == "change":
            classes.change(code, owner, title=fields.get("title"))
        elif action == "approval":
            classes.change(code, owner, approval=fields.get("approval") == "1")
        elif action == "add":
            classes.add(code, owner, fields.get("name", "").strip())
        elif action == "delete":
            classes.delete(code, owner)
            return None
        else:
            return self._act_on_pupil(code, owner, action, fields)
        return {}

    def _act_on_pupil(self, code: str, owner: str | None, action: str, fields: Mapping[str, str]) -> dict[str, str]:
        pupil = _number(fields.get("pupil", "")) or 0
        if action == "approve":
            self.classes.approve(code, owner, pupil)
        elif action == "rename":
            self.classes.rename(code, owner, pupil, fields.get("name", "").strip())
        elif action == "remove":
            self.classes.remove(code, owner, pupil)
            return {"pupil": ""}
        else:
            raise BitduelError("Please press one of the buttons.")
        return {}

    def _hand_out(self, code: str, owner: str | None, fields: Mapping[str, str]) -> HandedOut:
        """Return what a pupil needs to come back: a new PIN, or a link for another device."""
        pupil = _number(fields.get("pupil", "")) or 0
        if fields["do"] == "pin":
            return HandedOut(pin=self.classes.new_pin(code, owner, pupil))
        made = self.classes.link(code, owner, pupil)
        return HandedOut(link=made.link, minutes=made.minutes)

    def _page(
        self,
        request: Request,
        shown: QueryParams,
        error: BitduelError | None = None,
        fields: Mapping[str, str] | None = None,
        handed: HandedOut | None = None,
    ) -> Response:
        """Return the page, or its part that changes."""
        state = self.classes.teacher_state(request.path_params["code"], owner_of(request))
        template = "_class_teacher.html" if PART in request.headers else "class_teacher.html"
        base = self.site.addresses.base(request.scope)
        page = TeacherPage(self.classes, owner_of(request), state, shown, base, fields or {}, handed)
        return self.site.page(template, status_of(error) if error else 200, error, t=page)


class TeacherPage:
    """The content of the teacher's page."""

    def __init__(
        self,
        classes: Classes,
        owner: str | None,
        state: TeacherState,
        shown: Mapping[str, str],
        base: str,
        fields: Mapping[str, str],
        handed: HandedOut | None = None,
    ) -> None:
        self.state, self.activity, self.base = state, state.activity, base
        self.shown = {name: shown[name] for name in SHOWN if shown.get(name)}
        self.url = f"/class/{state.code}/teacher"
        self.action = self.url
        self.classes, self.owner, self.service = classes, owner, classes.service
        self.fields, self.handed = fields, handed
        self.names = {each.id: each.name for each in state.pupils}

    @property
    def is_running(self) -> bool:
        """Whether an activity goes on."""
        return self.activity is not None and not self.activity.finished

    @property
    def is_choosing(self) -> bool:
        """Whether the form for an activity is shown."""
        return not self.is_running

    @property
    def expires(self) -> str:
        """The day on which the class is deleted."""
        return day_phrase(datetime.fromisoformat(self.state.expires).date())

    @property
    def heading(self) -> str:
        """Where the activity is, or the title of the class."""
        if self.activity and not self.activity.finished:
            return heading(self.activity)
        return self.state.title or f"Class {self.state.code}"

    @property
    def about(self) -> str:
        """The game of the activity."""
        return about(self.activity) if self.activity else ""

    @property
    def kind_title(self) -> str:
        """The name of the kind of activity."""
        return KINDS[self.activity.kind].title if self.activity else ""

    @property
    def boards_done(self) -> int:
        """The number of boards that have finished."""
        return self.activity.boards - self.activity.playing if self.activity else 0

    @property
    def has_next(self) -> bool:
        """Whether there is a next round or a next puzzle to start by hand."""
        activity = self.activity
        if activity is None or activity.finished:
            return False
        if activity.kind == PUZZLES and activity.seconds is not None:
            return activity.round < (activity.count or 0)
        return activity.kind in IN_ROUNDS and (activity.rounds is None or activity.round < activity.rounds)

    @property
    def next_text(self) -> str:
        """The label of the button for the next round."""
        is_puzzle = self.activity is not None and self.activity.kind == PUZZLES
        return f"Next {'puzzle' if is_puzzle else 'round'}{'…' if self.activity and self.activity.playing else ''}"

    @property
    def pupils(self) -> list[ClassPupilResponse]:
        """The pupils, those who wait for approval first, then by name."""
        return sorted(self.state.pupils, key=lambda each: (each.approved or not each.joined, each.name.casefold()))

    @property
    def here(self) -> int:
        """The number of pupils who are here."""
        return sum(each.here for each in self.state.pupils)

    @property
    def joined(self) -> int:
        """The number of pupils who have joined."""
        return sum(each.joined for each in self.state.pupils)

    @property
    def standings(self) -> list[ClassPupilResponse]:
        """The pupils who take part, the best first."""
        return sorted((each for each in self.state.pupils if each.joined and each.approved), key=_place)

    @property
    def has_chances(self) -> bool:
        """Whether the solver can say who can win without telling what is hidden."""
        activity = self.activity
        if activity is None or not activity.game or not has_matches(activity):
            return False
        return make_game(find(activity.game), activity.options).has_perfect_information

    @property
    def boards(self) -> list[BoardView]:
        """The boards of this round; of an arena those that still play first."""
        if not self.activity or not has_matches(self.activity):
            return []
        is_arena = self.activity.kind == ARENA
        matches = [each for each in self.state.matches if each.kind != BYE]
        matches.sort(key=lambda each: (is_arena and each.over, each.board))
        chances = bool(self.shown.get("chances"))
        return [board_view(self.service, each, self.names, chances) for each in matches[:MOST_BOARDS]]

    @property
    def unseen_boards(self) -> int:
        """The number of boards that are too many for the page."""
        return max(0, sum(each.kind != BYE for each in self.state.matches) - MOST_BOARDS)

    @property
    def every(self) -> int:
        """The seconds after which a script looks again while boards play: more for more boards."""
        return 2 + sum(each.kind != BYE for each in self.state.matches) // 15

    @property
    def byes(self) -> list[str]:
        """The names of those who sit out this round."""
        return [each.names[0] for each in self.state.matches if each.kind == BYE and each.names]

    @property
    def large(self) -> str:
        """The match whose board is shown large."""
        return self.shown.get("board", "")

    @property
    def pupil(self) -> ClassPupilResponse | None:
        """The pupil whose card is open."""
        chosen = _number(self.shown.get("pupil", ""))
        return next((each for each in self.state.pupils if each.id == chosen), None)

    @property
    def form(self) -> dict[str, str]:
        """The fields of the form for an activity, as they were filled in."""
        return activity_form(self.fields)

    @property
    def games(self) -> list[GameSettings]:
        """The games with their settings."""
        return [
            GameSettings(
                kind.slug,
                kind.title,
                [
                    setting_field(option, self.fields, f"opt-{kind.slug}-{option.name}")
                    for option in kind.declared_options
                    if not option.is_secret
                ],
                game_lesson(kind) is not None,
            )
            for kind in all_games()
        ]

    kinds, clocks, grades = KINDS, CHOICES, GRADES
    puzzle_kind, lesson_kind = PUZZLES, LESSON

    @property
    def has_results(self) -> bool:
        """Whether anybody has done something that counts."""
        return any(map(has_result, self.state.pupils))

    @property
    def matches(self) -> list[MatchLink]:
        """The matches of the pupil whose card is open."""
        return match_links(self.classes.matches_of(self.state.code, self.owner, self.pupil.id)) if self.pupil else []

    @property
    def total(self) -> PupilTotal:
        """What the pupil whose card is open has reached in all activities."""
        assert self.pupil
        return self.classes.total_of(self.state.code, self.owner, self.pupil.id)

    def steps(self, number: int) -> str:
        """Return a number of steps with its word."""
        return count_text(number, "step")

    ordinal, points, away = staticmethod(ordinal), staticmethod(points_text), staticmethod(away_text)

    def score(self, pupil: ClassPupilResponse) -> str:
        """Return what the standings count."""
        return score_text(pupil, self.activity.kind) if self.activity else ""

    def look(self, **changed: str) -> str:
        """Return the address of the page that shows something else."""
        query = {name: value for name, value in {**self.shown, **changed}.items() if value and name != "ask"}
        return f"{self.url}?{urlencode(query)}" if query else self.url

    @property
    def has_matches(self) -> bool:
        """Whether the activity is played on boards."""
        return has_matches(self.activity)


def _place(pupil: ClassPupilResponse) -> tuple[int, str]:
    return pupil.rank or 10**6, pupil.name.casefold()


def activity_form(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of the form for an activity, with the usual ones where they are not filled in."""
    return {**DEFAULTS, **{name: value for name, value in fields.items() if value}}


def activity_in(fields: Mapping[str, str]) -> ActivityRequest:
    """Return the activity that a form describes; raise BitduelError for one that there cannot be."""
    kind = fields.get("kind", "")
    given: dict[str, Any] = {"kind": kind}
    if fields.get("game"):
        slug = find(fields["game"]).slug
        given["game"] = slug
        prefix = f"opt-{slug}-"
        options = {name.removeprefix(prefix): value for name, value in fields.items() if name.startswith(prefix)}
        given["options"] = {} if kind in (PUZZLES, LESSON) else _changed_options(slug, options)
    for name in NUMBERS:
        if fields.get(name) and kind in FIELD_KINDS.get(name, ()):
            number = _number(fields[name])
            given[name] = fields[name] if number is None else number
    if kind in FIELD_KINDS["clock"] and (clock := clock_in(fields)):
        given["clock"] = {clock.kind: clock.seconds}
    if fields.get("odd"):
        given["odd"] = fields["odd"]
    if kind == "pairs" and (pairs := _pairs_in(fields)):
        given["pairs"] = pairs
    try:
        return ActivityRequest(**given)
    except ValidationError as error:
        found = error.errors()[0]
        raise BitduelError(error_sentence({**found, "loc": ("body", *found["loc"])})) from None


def _changed_options(slug: str, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that are not the usual ones."""
    usual = {option.name: str(option.default) for option in find(slug).declared_options}
    return {name: value.strip() for name, value in values.items() if value.strip() and value != usual.get(name)}


def _pairs_in(fields: Mapping[str, str]) -> list[list[int]]:
    """Return the pairs that were chosen by hand; raise BitduelError if somebody is in two."""
    chosen: dict[int, int] = {}
    for name, value in fields.items():
        pupil, partner = _number(name.removeprefix("with-")), _number(value)
        if not name.startswith("with-") or not pupil or not partner or chosen.get(pupil) == partner:
            continue
        if pupil == partner or pupil in chosen or partner in chosen:
            raise BitduelError("Each pupil can be in one pair only.")
        chosen |= {pupil: partner, partner: pupil}
    return [[pupil, partner] for pupil, partner in chosen.items() if pupil < partner]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
