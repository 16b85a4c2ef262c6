"""Requests about classes: typed, bounded, and closed to unknown fields."""

from typing import Annotated, Literal

from pydantic import Field

from bitduel.core.puzzle import GRADES
from bitduel.service.requests import ClockRequest, Options, PlayerName, ShortText, StrictModel

LONGEST_TITLE = 60
MOST_ROUNDS, MOST_MINUTES, MOST_PUZZLES, MOST_PAIRS = 50, 120, 20, 500
LONGEST_COUNTDOWN = 600
MOST_CELLS = 64

Kind = Literal["pairs", "round-robin", "swiss", "arena", "ladder", "puzzles", "lesson"]
PupilId = Annotated[int, Field(ge=1, le=1_000_000)]
Secret = Annotated[str, Field(max_length=100)]


class NewClassRequest(StrictModel):
    """A class to create."""

    title: str = Field(default="", max_length=LONGEST_TITLE, examples=["Year 7"])
    names: list[PlayerName] = Field(default_factory=list, max_length=MOST_PAIRS)


class ClassJoinRequest(StrictModel):
    """A name to join a class with."""

    name: PlayerName = Field(examples=["Ada"])


class ReturnRequest(StrictModel):
    """The name and the personal PIN of a pupil who comes back."""

    name: PlayerName
    pin: str = Field(min_length=1, max_length=10, examples=["4821"])


class HandoverRequest(StrictModel):
    """The secret of a link by which the teacher hands a pupil's place to another device."""

    secret: Secret


class ClassChangeRequest(StrictModel):
    """A new title, or whether names appear only after the teacher's approval."""

    title: str | None = Field(default=None, max_length=LONGEST_TITLE)
    approval: bool | None = None


class PupilChangeRequest(StrictModel):
    """A new name for a pupil, an approval, or the wish for a new PIN."""

    name: PlayerName | None = None
    approved: Literal[True] | None = None
    new_pin: Literal[True] | None = None


class NextRequest(StrictModel):
    """The round to leave: `round` as a guard against sending this twice, `early` to end boards that still play."""

    round: int | None = Field(default=None, ge=0, le=1_000_000)
    early: bool = False


class ActivityRequest(StrictModel):
    """An activity for the whole class."""

    kind: Kind
    game: ShortText | None = Field(default=None, examples=["double"])
    options: Options = Field(default_factory=dict)
    rounds: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)
    minutes: int | None = Field(default=None, ge=1, le=MOST_MINUTES)
    count: int | None = Field(default=None, ge=1, le=MOST_PUZZLES)
    grade: int | None = Field(default=None, ge=GRADES[0], le=GRADES[-1])
    seconds: int | None = Field(default=None, ge=5, le=LONGEST_COUNTDOWN)
    pairs: list[Annotated[list[PupilId], Field(min_length=2, max_length=2)]] | None = Field(
        default=None, max_length=MOST_PAIRS
    )
    best_of: Literal[1, 3] = 1
    clock: ClockRequest | None = None
    odd: Literal["bye", "computer"] = "bye"


class ClassAnswerRequest(StrictModel):
    """An answer to a puzzle (names of candidates, or none for a hint) or to a step of a lesson (one text)."""

    item: int = Field(ge=1, le=1000)
    answer: list[ShortText] | None = Field(default=None, max_length=MOST_CELLS, examples=[["add"]])
