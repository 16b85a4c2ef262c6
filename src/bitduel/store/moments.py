"""Moments as every database keeps them alike: whole microseconds since 1970, in UTC."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


def to_ticks(moment: datetime) -> int:
    """A moment as a number; one without a time zone is local time."""
    return (moment.astimezone(UTC) - _EPOCH) // _TICK


def from_ticks(ticks: int) -> datetime:
    """The moment in UTC that a number stands for."""
    return _EPOCH + ticks * _TICK


def now() -> int:
    """This moment as a number."""
    return to_ticks(datetime.now(UTC))
