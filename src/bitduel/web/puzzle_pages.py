"""The pages of puzzles: the daily puzzle, and all others by id, game, kind and grade; answers are in the address."""

from calendar import Calendar
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from random import SystemRandom
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.core.puzzle import GRADES, Pick
from bitduel.games.registry import BUILT_IN, GameClass, all_games, find
from bitduel.learning.puzzle_deck import (
    FIRST_DAY,
    DeckPuzzle,
    NoPuzzleError,
    daily_puzzle,
    day_of,
    entries_of,
    parse_day,
    parse_grade,
    puzzle_by_id,
    random_puzzle,
    requested_day,
    sister,
)
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.web.puzzle_view import MOST_CARDS, PuzzlePage, day_phrase
from bitduel.web.site import SitePages, in_turn

RNG = SystemRandom()


class Today(NamedTuple):
    """The day at Greenwich, the last day that has begun anywhere, and the time left until the next puzzle."""

    day: date
    last: date
    minutes: int

    @property
    def left(self) -> str:
        """The time until the next puzzle, in words."""
        hours, minutes = divmod(self.minutes, 60)
        return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def today() -> Today:
    """Return the present day."""
    _, day, last = requested_day(None)
    midnight = datetime.combine(day + timedelta(1), time(), UTC)
    return Today(day, last, max(1, int((midnight - datetime.now(UTC)).total_seconds() / 60)))


class CalendarDay(NamedTuple):
    """A day of a month, and its address if it has a puzzle already."""

    day: date
    url: str | None
    is_today: bool


class Month(NamedTuple):
    """The calendar of a month, in weeks from Monday; None stands for days of other months."""

    first: date
    weeks: list[list[CalendarDay | None]]
    before: str | None
    after: str | None

    @classmethod
    def of(cls, day: date, now: Today) -> "Month":
        """Return the month of a day."""
        weeks = [
            [_calendar_day(each, now) if each.month == day.month else None for each in week]
            for week in Calendar().monthdatescalendar(day.year, day.month)
        ]
        first = day.replace(day=1)
        before, after = first - timedelta(1), (first + timedelta(31)).replace(day=1)
        return cls(
            first,
            weeks,
            f"/puzzles?month={before:%Y-%m}" if before >= FIRST_DAY else None,
            f"/puzzles?month={after:%Y-%m}" if after <= now.day else None,
        )


def _calendar_day(day: date, now: Today) -> CalendarDay:
    has_puzzle = FIRST_DAY <= day <= now.day
    return CalendarDay(day, f"/puzzle?date={day.isoformat()}" if has_puzzle else None, day == now.day)


class KindRow(NamedTuple):
    """A kind of puzzle of a game, with the number of puzzles of each grade."""

    kind: str
    title: str
    counts: list[int]


class GameRows(NamedTuple):
    """The kinds of puzzles of a game, and the number of puzzles of each grade."""

    game: GameClass
    counts: list[int]
    kinds: list[KindRow]


class PuzzlePages(SitePages):
    """The endpoints of puzzles."""

    async def daily(self, request: Request) -> Response:
        """Show the puzzle of today or of an earlier day."""
        return await in_turn(self.shared, request, self._daily, request.query_params)

    async def all(self, request: Request) -> Response:
        """Show a puzzle by its id, some puzzle of a game, kind and grade, or the list of these."""
        return await in_turn(self.shared, request, self._all, request.query_params)

    def _daily(self, fields: QueryParams) -> Response:
        if (number := fields.get("number", "")).isdecimal() and len(number) < 7:
            return RedirectResponse(f"/puzzle?date={day_of(int(number)).isoformat()}", 303)
        if (fields.get("date") or "9") < FIRST_DAY.isoformat() and parse_day(fields["date"]):
            # A puzzle of the deck before this one: its days are gone.
            return RedirectResponse("/puzzles?old=1", 303)
        day, _, _ = requested_day(fields.get("date") or None)
        now = today()
        newest = now.day if day <= now.day else now.last
        after = day + timedelta(1)
        days = {
            "before": (day - timedelta(1)).isoformat() if day > FIRST_DAY else None,
            "after": after.isoformat() if after <= newest else None,
        }
        address = {"date": day.isoformat()}
        return self._show(daily_puzzle(day), "/puzzle", address, fields, days=days, month=Month.of(day, now), now=now)

    def _all(self, fields: QueryParams) -> Response:
        chosen = {name: fields[name] for name in ("game", "kind", "grade") if fields.get(name)}
        if fields.get("id"):
            address = {"id": fields["id"]}
            if fields.get("day"):
                address.update(_second_try(fields["id"], parse_day(fields["day"])))
            return self._show(puzzle_by_id(fields["id"]), "/puzzles", address, fields, now=today())
        if fields.get("date"):
            return RedirectResponse(f"/puzzle?date={parse_day(fields['date']).isoformat()}", 303)
        if fields.get("number"):
            # A puzzle of the deck before this one: its numbers are gone.
            return RedirectResponse("/puzzles?old=1", 303)
        if chosen or "any" in fields:
            return RedirectResponse(f"/puzzles?id={_draw(chosen).id}", 303)
        now = today()
        return self.site.page(
            "puzzles.html",
            rows=[_game_rows(each) for each in BUILT_IN],
            grades=GRADES,
            others=all_games()[len(BUILT_IN) :],
            total=len(entries_of()),
            now=now,
            month=Month.of(_month_day(fields.get("month", ""), now), now),
            newest=daily_puzzle(now.day),
            day_text=day_phrase(now.day),
            is_old="old" in fields,
        )

    def _show(
        self, chosen: DeckPuzzle, path: str, address: dict[str, str], fields: QueryParams, **context: Any
    ) -> Response:
        session = PuzzleSession.parse(chosen.puzzle, fields.get("play", ""))
        page = PuzzlePage(chosen, session, path, address, fields.get("at", ""))
        page.laid = laid_cards(session, fields)
        answer = [*fields.getlist("answer"), *fields.getlist("move")]
        if not session.is_finished and (answer or "check" in fields):
            session.answer(page.laid if page.is_cards else answer)
        elif "hint" in fields:
            session.hint()
        else:
            return self.site.page("puzzle.html", p=page, **context)
        return RedirectResponse(page.url(), 303)


def laid_cards(session: PuzzleSession, fields: QueryParams) -> list[str]:
    """Return the cards that are laid out: those before, one more, or one fewer."""
    question = session.question
    if question is None or question.pick != Pick.CARDS:
        return []
    names = [candidate.name for candidate in question.candidates]
    if session.tried and not {"laid", "lay", "take", "check"} & fields.keys():
        return [*session.tried[-1]]
    laid = [name for name in fields.getlist("laid") + fields.getlist("lay") if name in names][:MOST_CARDS]
    taken = fields.get("take", "")
    if taken in laid:
        laid.remove(taken)
    return laid


def _second_try(name: str, day: date) -> dict[str, str]:
    """Return the field of an address that makes a puzzle the second try of a day; nothing if it isn't its sister."""
    first = daily_puzzle(day).id if day >= FIRST_DAY else None
    other = sister(first) if first else None
    return {"day": day.isoformat()} if other and other.id == name else {}


def _draw(chosen: dict[str, str]) -> DeckPuzzle:
    """Return some puzzle of a game, kind and grade; raise NoPuzzleError if there is none."""
    game = find(chosen["game"]) if "game" in chosen else None
    grade = parse_grade(chosen["grade"]) if "grade" in chosen else None
    if "kind" not in chosen:
        return random_puzzle(game, grade, RNG)
    entries = [each for each in entries_of(game, grade) if each.kind == chosen["kind"]]
    if not entries:
        raise NoPuzzleError("There are no puzzles of this kind and grade.")
    entry = RNG.choice(entries)
    return DeckPuzzle(entry.id, entry.puzzle)


def _game_rows(game: GameClass) -> GameRows:
    """Return the kinds of puzzles of a game, with their numbers."""
    entries = entries_of(game)
    counts = Counter((each.kind, each.grade) for each in entries)
    titles = {each.kind: each for each in entries}
    kinds = [
        KindRow(kind, entry.puzzle.title, [counts[kind, grade] for grade in GRADES]) for kind, entry in titles.items()
    ]
    return GameRows(game, [sum(row.counts[at] for row in kinds) for at in range(len(GRADES))], kinds)


def _month_day(text: str, now: Today) -> date:
    """Return a day of the month that an address names; today where it names none that has puzzles."""
    if not text:
        return now.day
    try:
        day = parse_day(f"{text}-28")
    except BitduelError:
        raise BitduelError("Write the month like this: 2026-11.") from None
    return day if day >= FIRST_DAY and day.replace(day=1) <= now.day else now.day
