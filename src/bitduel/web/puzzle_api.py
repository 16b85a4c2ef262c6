"""The JSON API of puzzles."""

from random import SystemRandom
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from bitduel.core.options import Setting
from bitduel.solver.puzzle_deck import OUTSIDE
from bitduel.solver.puzzle_query import PuzzleQuery, wished
from bitduel.solver.puzzles import GRADES
from bitduel.web.api_out import PROBLEMS
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
        return await in_turn(lambda: found(PuzzleQuery(game, grade, number, date), solution))

    return router


def found(wish: PuzzleQuery, solution: bool) -> PuzzleOut:
    """The puzzle that is asked for."""
    puzzle, date = wished(wish, SystemRandom())
    return PuzzleOut(**puzzle.as_data(date, solution))
