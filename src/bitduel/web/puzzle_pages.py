"""The pages of puzzles: the one of a day, and all others by game and grade."""

from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.games import BUILT_IN, find, shelf
from bitduel.solver.puzzle_deck import any_of, daily, grade_in, numbered, numbers
from bitduel.solver.puzzle_query import days_in
from bitduel.solver.puzzles import GRADES
from bitduel.web.puzzle_page import MOST_TRIES, PuzzleRequest, day_links, puzzle_page
from bitduel.web.site import Site, in_turn


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
        day, today, last = days_in(fields.get("date") or None)
        puzzle = daily(day)
        asked = PuzzleRequest(puzzle.number, f"/puzzle?date={day.isoformat()}", day.isoformat(), day in (today, last))
        return self._shown(asked, fields, days=day_links(day, today if day <= today else last))

    def _all(self, fields: Mapping[str, str]) -> Response:
        chosen = {name: fields[name] for name in ("game", "grade") if fields.get(name)}
        kind = find(chosen["game"]) if "game" in chosen else None
        grade = grade_in(chosen["grade"]) if "grade" in chosen else None
        if fields.get("number"):
            kept = "".join(
                f"&{name}={value}" for name, value in (("game", kind and kind.slug), ("grade", grade)) if value
            )
            number = number_in(fields["number"])
            return self._shown(PuzzleRequest(number, f"/puzzles?number={number}{kept}"), fields, kept=kept)
        if chosen or "any" in fields:
            number = any_of(kind, grade, SystemRandom()).number
            more = "".join(f"&{name}={value}" for name, value in chosen.items())
            return RedirectResponse(f"/puzzles?number={number}{more}", 303)
        rows = [(each, [len(numbers(each, grade)) for grade in GRADES]) for each in BUILT_IN]
        return self.site.page(
            "puzzles.html", rows=rows, grades=GRADES, others=shelf()[len(BUILT_IN) :], total=len(numbers())
        )

    def _shown(self, asked: PuzzleRequest, fields: Mapping[str, str], **more: Any) -> Response:
        tries = tuple(dict.fromkeys(each.strip() for each in fields.get("tries", "").split(",") if each.strip()))
        if len(tries) > MOST_TRIES:
            raise BitduelError("So often nobody tries.")
        right = numbered(asked.number).right
        asked = asked._replace(
            tries=up_to(right, tries),
            hints=min(number_in(fields.get("hints") or "0"), MOST_TRIES),
            shown=fields.get("show") == "1",
            step=number_in(fields.get("step") or "0"),
        )
        if fields.get("move"):
            tries = (*(move for move in asked.tries if move != fields["move"]), fields["move"])
            return RedirectResponse(asked.url(tries=tries, step=int(fields["move"] not in right)), 303)
        return self.site.page("puzzle.html", p=puzzle_page(asked), **more)


def up_to(right: Sequence[str], tries: tuple[str, ...]) -> tuple[str, ...]:
    """The tries until the right one; what comes after it is none."""
    place = next((number for number, move in enumerate(tries, 1) if move in right), len(tries))
    return tries[:place]


def number_in(text: str) -> int:
    """A number as an address says it; raises where that is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BitduelError("That is no number.")
    return int(text)
