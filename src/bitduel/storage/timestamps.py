"""Moments as every database keeps them alike: whole microseconds since 1970, in UTC."""

from datetime import UTC, date, datetime, timedelta
from time import time_ns
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_DAY = timedelta(days=1) // _TICK


def to_ticks(moment: datetime) -> int:
    """A moment as a number; one without a time zone is local time."""
    return (moment.astimezone(UTC) - _EPOCH) // _TICK


def from_ticks(ticks: int) -> datetime:
    """The moment in UTC that a number stands for."""
    return _EPOCH + ticks * _TICK


def day_only(day: date) -> datetime:
    """The moment that stands for a day without an hour: its very beginning in UTC, at which no match is begun."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def since_midnight(ticks: Any) -> Any:
    """The ticks since the beginning of the day in UTC, of a number or a column; 0 stands for a day without an hour."""
    return ticks % _DAY


def now() -> int:
    """Return this moment as a number."""
    return time_ns() // 1000
