"""Clocks of matches as people and programs see and choose them, and the timer by which time runs out."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.service.match_service import MatchService
from bitduel.service.new_match import clock_settings
from bitduel.service.responses import ClockResponse
from bitduel.storage import StoreError
from bitduel.storage.clocks import BEAT, MOVE, Clock, ClockSettings
from bitduel.storage.schema import SECOND, from_ticks, now

INTERVAL = 1.0
"""The most seconds between two checks of the clocks."""
CHOICES = {
    "": "no clock",
    "move:10": "10 seconds per move",
    "move:30": "30 seconds per move",
    "move:60": "1 minute per move",
    "match:180": "3 minutes each",
    "match:300": "5 minutes each",
    "match:600": "10 minutes each",
}
"""The clocks that a form offers."""


class SeatTime(NamedTuple):
    """The time of one player."""

    text: str
    seconds: float
    is_running: bool


class ClockPanel(NamedTuple):
    """The clock of a match, for its page."""

    seats: tuple[SeatTime, SeatTime]
    about: str


def clock_response(clock: Clock) -> ClockResponse:
    """Return a clock as it is now, for programs."""
    moment = now()
    return ClockResponse(
        kind=clock.kind,
        seconds=clock.seconds,
        remaining=[round(ticks / SECOND, 3) for ticks in clock.remaining(moment)],
        running=clock.running,
        now=from_ticks(moment).isoformat(timespec="milliseconds"),
    )


def clock_panel(clock: Clock) -> ClockPanel:
    """Return a clock as it is now, for a page."""
    times = [
        SeatTime(clock_text(ticks), round(ticks / SECOND, 1), clock.running == seat)
        for seat, ticks in enumerate(clock.remaining(now()), 1)
    ]
    return ClockPanel((times[0], times[1]), settings_text(clock.settings))


def clock_text(ticks: int) -> str:
    """Return a time as on a clock, whole seconds that are not yet used up: 0:30, or 1:05:00."""
    minutes, seconds = divmod(-(-max(0, ticks) // SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def settings_text(settings: ClockSettings) -> str:
    """Return the settings of a clock in words."""
    minutes, seconds = divmod(settings.seconds, 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((minutes, "minute"), (seconds, "second"))
        if count
    ]
    return f"{' '.join(parts)} {'per move' if settings.kind == MOVE else 'each'}"


def clock_in(fields: Mapping[str, str]) -> ClockSettings | None:
    """Return the clock that a form chooses; raise BitduelError for one that there cannot be."""
    text = fields.get("clock", "").strip()
    if not text:
        return None
    kind, _, seconds = text.partition(":")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) < 10):
        raise BitduelError("Please choose a clock from the list.")
    return clock_settings(kind, int(seconds))


class FlagTimer:
    """Ends the matches whose time is up, and tells the storage that a server is at work while a clock runs."""

    def __init__(self, service: MatchService) -> None:
        self.service = service
        self.every = INTERVAL
        self._last_beat = 0

    def tick(self) -> float:
        """End what has to end now, and return the seconds until the next look."""
        clocks = self.service.store.clocks
        deadlines = clocks.deadlines()
        if not deadlines:
            return self.every
        if now() >= self._last_beat + BEAT:
            self._last_beat = now()
            self.service.announce(clocks.beat())
        for deadline in deadlines:
            if deadline.flag <= now():
                self.service.announce(clocks.end_if_up(deadline.match_id))
        to_come = [deadline.flag for deadline in deadlines if deadline.flag > now()]
        return min([self.every, *((flag - now()) / SECOND for flag in to_come)])

    async def run(self) -> None:
        """Tick until cancelled; if the store does not answer, try again."""
        while True:
            wait = self.every
            with suppress(StoreError):
                wait = await asyncio.to_thread(self.tick)
            await asyncio.sleep(max(0.01, wait))
