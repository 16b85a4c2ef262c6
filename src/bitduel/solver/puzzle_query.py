"""Which puzzle somebody asks for from afar: that of a day which has come, of a number, or some puzzle of a kind."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import NamedTuple

from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.games import find
from bitduel.solver.puzzle_deck import any_of, daily, day_in, numbered
from bitduel.solver.puzzles import Puzzle

AHEAD = timedelta(hours=14)
"""So far ahead of Greenwich it may be the next day somewhere."""


class Days(NamedTuple):
    """The day that is asked for, today at Greenwich, and the last day that has begun somewhere."""

    day: date
    today: date
    last: date


def days_in(text: str | None) -> Days:
    """The day that an address says, or today; raises where it is none, or has not begun anywhere."""
    now = datetime.now(UTC)
    today, last = now.date(), (now + AHEAD).date()
    day = today if text is None else day_in(text)
    if day > last:
        raise UnknownNameError("The puzzle of that day is not told before it has come.")
    return Days(day, today, last)


class PuzzleQuery(NamedTuple):
    """What somebody asks for; nothing means any puzzle at all."""

    game: str | None = None
    grade: int | None = None
    number: int | None = None
    date: str | None = None


class Wished(NamedTuple):
    """A puzzle, and the day that it is the puzzle of, where it was asked for by that."""

    puzzle: Puzzle
    date: str | None = None


def wished(wish: PuzzleQuery, rng: Random) -> Wished:
    """The puzzle that is asked for; raises BitduelError where that is none, or more than one."""
    if (wish.date is not None) + (wish.number is not None) + bool(wish.game or wish.grade) > 1:
        raise BitduelError("Ask for one: the puzzle of a date, of a number, or one of a game and grade.")
    if wish.date is not None:
        day = days_in(wish.date).day
        return Wished(daily(day), day.isoformat())
    if wish.number is not None:
        return Wished(numbered(wish.number))
    return Wished(any_of(find(wish.game) if wish.game else None, wish.grade, rng))
