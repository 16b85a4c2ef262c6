"""What every tool takes, as typed data with bounds; options are those that games declare."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bitduel.games import names, shelf
from bitduel.players.spec import KINDS
from bitduel.service.match_service import FRIEND, MOST_PLIES
from bitduel.service.new_match import here
from bitduel.solver.puzzle_deck import OUTSIDE
from bitduel.solver.puzzles import GRADES

SHORT, LONGEST_NAME, LONGEST_WAIT, MOST_MOVES = 40, 300, 60, 200
LARGEST = 10**18

OPPONENTS = [kind.written for kind in KINDS.values() if kind.safe and kind.make]
"""The programs that can be played against here, as they are written."""
WHOM = f"{', '.join(OPPONENTS)}; or {FRIEND}, for another client or a person"


class StrictRequest(BaseModel):
    """Takes what is declared and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _games(schema: dict[str, Any]) -> None:
    schema["enum"] = names()


def _options(schema: dict[str, Any]) -> None:
    """Every option of every game, as the games declare it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind in shelf():
        for option in kind.declared:
            told = {"description": f"{kind.short}: {option.help}", **here(option).schema}
            found.setdefault(option.name, []).append(told)
    schema["properties"] = {name: {"anyOf": forms} for name, forms in found.items()}
    schema["additionalProperties"] = False


def _setting(value: object) -> object:
    """Something that an option can be set to, if it fits the declaration."""
    whole = type(value) is int and abs(value) < LARGEST
    if not whole and not (isinstance(value, str) and len(value) <= SHORT):
        raise ValueError("an option is set to a whole number or a short text")
    return value


Text = Annotated[str, Field(max_length=SHORT)]
Move = Annotated[str, Field(min_length=1, max_length=SHORT)]
Named = Annotated[str, Field(max_length=SHORT, json_schema_extra=_games, description="A game of list_games.")]
Options = Annotated[
    dict[Text, Annotated[Any, AfterValidator(_setting)]],
    Field(max_length=10, json_schema_extra=_options, description="Options of the game; see list_games."),
]
Id = Annotated[
    str,
    Field(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="The id of a match, from start_match."),
]
Token = Annotated[
    str, Field(max_length=100, description="The secret of your seat, from start_match. Tell it to nobody.")
]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES, description="How many moves have been made, as view tells it.")]


class ListGames(StrictRequest):
    """Nothing has to be said."""


class Rules(StrictRequest):
    """Which rules to read."""

    game: Named
    options: Options = Field(default_factory=dict)


class StartMatch(StrictRequest):
    """A table to open, or an invitation to one."""

    game: Named | None = None
    options: Options = Field(default_factory=dict)
    opponent: Text = Field(
        default=FRIEND,
        description=f"Who plays against you: {WHOM}, who takes the other seat by the invitation that you get.",
        examples=[FRIEND, *OPPONENTS[:-1], "level:3"],
    )
    first: Literal["1", "2", "toss"] = Field(
        default="toss", description="Who starts: 1 is you, who opens the table; 2 the other."
    )
    name: str | None = Field(default=None, max_length=LONGEST_NAME, description="What you would like to be called.")
    invitation: str | None = Field(
        default=None,
        max_length=LONGEST_NAME,
        description="Take the free seat of another's match by this invitation; then say nothing else but your name.",
    )


class Look(StrictRequest):
    """A match to look at: with the token from its seat, without one as a spectator."""

    match_id: Id
    token: Token | None = None
    wait: int = Field(default=0, ge=0, le=LONGEST_WAIT, description="Wait up to so many seconds until it is your turn.")


class MoveToolRequest(StrictRequest):
    """A move at the expected ply."""

    match_id: Id
    token: Token
    ply: Ply
    move: Move = Field(
        description="One of the legal moves that view lists; or 'resign'; or, before both have moved, 'call off'."
    )


class Hint(StrictRequest):
    """Help for the player to move."""

    match_id: Id
    token: Token
    agree: bool = Field(
        default=False,
        description="Between two clients or people: say that you agree to hints for both. They come when both have.",
    )


class Analyse(StrictRequest):
    """A position: of a match that you play, or any that moves lead to."""

    match_id: Id | None = None
    token: Token | None = None
    game: Named | None = None
    options: Options = Field(default_factory=dict)
    moves: list[Move] = Field(
        default_factory=list, max_length=MOST_MOVES, description="The moves from the start of the game."
    )


class ReviewRequest(StrictRequest):
    """A match that is over."""

    match_id: Id


class PuzzleToolRequest(StrictRequest):
    """A puzzle to solve: of the day unless another is asked for."""

    date: str | None = Field(default=None, max_length=SHORT, description="The puzzle of that day, as 2026-11-16.")
    number: int | None = Field(default=None, ge=1, le=100 * OUTSIDE, description="The puzzle of that number.")
    game: Named | None = None
    grade: int | None = Field(default=None, ge=GRADES[0], le=GRADES[-1], description="How hard: 1 is easy.")
    answer: Move | None = Field(
        default=None, description="Your move; say the date or number of the puzzle again with it."
    )
    solution: bool = Field(default=False, description="Give up, and be told the right move.")
