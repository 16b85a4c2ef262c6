"""The JSON API of puzzles."""

from random import SystemRandom
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from bitduel.core.errors import BitduelError
from bitduel.core.options import Setting
from bitduel.games import find
from bitduel.solve.puzzle_deck import OUTSIDE, any_of, daily, numbered
from bitduel.solve.puzzles import GRADES
from bitduel.web.api_out import PROBLEMS
from bitduel.web.puzzle_page import days_in
from bitduel.web.site import in_turn


class PuzzleOut(BaseModel):
    """A position and what is asked there; in a game with a deal also what the seat knows."""

    date: str | None
    number: int | None
    game: str
    options: dict[str, Setting]
    moves: list[str]
    to_move: int
    goal: str
    grade: int
    view: dict[str, Any] | None = None
    solution: list[str] | None = None


def puzzle_api() -> APIRouter:
    """The routes of the API."""
    router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

    @router.get(
        "/puzzles",
        response_model_exclude_unset=True,
        summary="The puzzle of a day or a number, or some puzzle of a game and grade",
    )
    async def puzzle(
        game: Annotated[str | None, Query(max_length=40, examples=["double"])] = None,
        grade: Annotated[int | None, Query(ge=GRADES[0], le=GRADES[-1])] = None,
        number: Annotated[int | None, Query(ge=1, le=100 * OUTSIDE)] = None,
        date: Annotated[str | None, Query(max_length=40, examples=["2026-11-16"])] = None,
        solution: bool = False,
    ) -> PuzzleOut:
        return await in_turn(lambda: found(game, grade, number, date, solution))

    return router


def found(game: str | None, grade: int | None, number: int | None, date: str | None, solution: bool) -> PuzzleOut:
    """The puzzle that is asked for."""
    if (date is not None) + (number is not None) + bool(game or grade) > 1:
        raise BitduelError("Ask for one: the puzzle of a date, of a number, or one of a game and grade.")
    if date is not None:
        day = days_in(date).day
        return PuzzleOut(**daily(day).as_data(day.isoformat(), solution))
    if number is not None:
        return PuzzleOut(**numbered(number).as_data(solution=solution))
    return PuzzleOut(**any_of(find(game) if game else None, grade, SystemRandom()).as_data(solution=solution))
