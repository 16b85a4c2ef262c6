"""The pages of puzzles: the one of a day, and all others by game and grade."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.games import BUILT_IN, find, shelf
from bitduel.solve.puzzle_deck import NoPuzzleError, any_of, daily, numbered, numbers
from bitduel.solve.puzzles import GRADES
from bitduel.web.puzzle_page import MOST_TRIES, Asked, day_links, puzzle_page
from bitduel.web.site import Site, in_turn

AHEAD = timedelta(hours=14)
"""So far ahead of Greenwich it may be the next day somewhere."""

FIRST_DAY = date(2020, 1, 6)
"""There is no puzzle of a day before this one."""


class PuzzlePages:
    """Endpoints of puzzles; everything is in the address, so that nothing is kept here."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def daily(self, request: Request) -> Response:
        """The puzzle of today, or of a day before."""
        return await in_turn(self._daily, dict(request.query_params))

    async def all(self, request: Request) -> Response:
        """A puzzle by its number, some puzzle of a game and grade, or the choice of these."""
        return await in_turn(self._all, dict(request.query_params))

    def _daily(self, fields: Mapping[str, str]) -> Response:
        now = datetime.now(UTC)
        today, last = now.date(), (now + AHEAD).date()
        day = day_in(fields.get("date", ""), today)
        if day > last:
            raise UnknownNameError("The puzzle of that day is not told before it has come.")
        puzzle = daily(day)
        asked = Asked(puzzle.number, f"/puzzle?date={day.isoformat()}", day.isoformat(), day in (today, last))
        return self._shown(asked, fields, days=day_links(day, today if day <= today else last))

    def _all(self, fields: Mapping[str, str]) -> Response:
        chosen = {name: fields[name] for name in ("game", "grade") if fields.get(name)}
        kind = find(chosen["game"]) if "game" in chosen else None
        grade = number_in(chosen["grade"]) if "grade" in chosen else None
        if fields.get("number"):
            kept = "".join(
                f"&{name}={value}" for name, value in (("game", kind and kind.slug), ("grade", grade)) if value
            )
            number = number_in(fields["number"])
            return self._shown(Asked(number, f"/puzzles?number={number}{kept}"), fields, kept=kept)
        if chosen or "any" in fields:
            number = any_of(kind, grade, SystemRandom()).number
            more = "".join(f"&{name}={value}" for name, value in chosen.items())
            return RedirectResponse(f"/puzzles?number={number}{more}", 303)
        rows = [(each, [len(numbers(each, grade)) for grade in GRADES]) for each in BUILT_IN]
        return self.site.page(
            "puzzles.html", rows=rows, grades=GRADES, others=shelf()[len(BUILT_IN) :], total=len(numbers())
        )

    def _shown(self, asked: Asked, fields: Mapping[str, str], **more: Any) -> Response:
        tries = tuple(dict.fromkeys(each.strip() for each in fields.get("tries", "").split(",") if each.strip()))
        if len(tries) > MOST_TRIES:
            raise BitduelError("So often nobody tries.")
        asked = asked._replace(
            tries=tries,
            hints=min(number_in(fields.get("hints") or "0"), MOST_TRIES),
            shown=fields.get("show") == "1",
            step=number_in(fields.get("step") or "0"),
        )
        if fields.get("move"):
            tries = (*(move for move in tries if move != fields["move"]), fields["move"])
            right = fields["move"] in numbered(asked.number).right
            return RedirectResponse(asked.url(tries=tries, step=int(not right)), 303)
        return self.site.page("puzzle.html", p=puzzle_page(asked), **more)


def day_in(text: str, today: date) -> date:
    """A day as an address says it; raises where that is none, or too long ago."""
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BitduelError(f"A date is written like {today.isoformat()}.") from None
    if day < FIRST_DAY:
        raise NoPuzzleError(f"The first puzzle of a day is that of {FIRST_DAY.isoformat()}.")
    return day


def number_in(text: str) -> int:
    """A number as an address says it; raises where that is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BitduelError("That is no number.")
    return int(text)
