"""Requests of the JSON API and arguments of the MCP tools: typed, bounded, and closed to unknown fields.

The docstrings of the classes are the descriptions in the published schemas.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WrapValidator,
    model_validator,
)

from bitduel.core.errors import BitduelError
from bitduel.core.options import OptionValue
from bitduel.games.registry import all_games, names
from bitduel.players.spec import HUMAN, KINDS
from bitduel.service.new_match import CLOCK_LIMITS, FRIEND, MOST_PLIES, OPPONENTS, opponent_of, within_limits
from bitduel.storage.clocks import MATCH, MOVE, ClockSettings
from bitduel.storage.writes import MatchMoment

SHORT, MAX_NAME_LENGTH, LONGEST_SECRET, LONGEST_WAIT = 40, 300, 100, 60
MOST_MOVES, MOST_OPTIONS, MOST_NUMBER = 200, 10, 1_000_000
LARGEST_SETTING = 10**18
MATCH_ID = "^[a-z0-9]+$"
OPPONENT = f"^({'|'.join((FRIEND, *OPPONENTS))}|level:[0-9]{{1,6}})$"
"""The pattern of an opponent's name, in lower case."""
OPPONENT_NAMES = f"{', '.join((FRIEND, *OPPONENTS))} or level:N"
COMPUTERS = {kind.form: kind.about for kind in KINDS.values() if kind.safe and kind.name != HUMAN}
"""The computer players that a tool can ask for, each with a description."""
TOOL_OPPONENTS = f"{', '.join(COMPUTERS)}; or {FRIEND}, for another client or a person"


class StrictModel(BaseModel):
    """A model that accepts its declared fields and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


def canonical_opponent(text: str) -> str:
    """Return "friend" or the canonical name of a computer player; raise BitduelError for any other text."""
    folded = text.strip().lower()
    return folded if folded == FRIEND else str(opponent_of(folded))


def _fold(name: object) -> object:
    return name.strip().lower() if isinstance(name, str) else name


def _check_opponent(name: str) -> str:
    try:
        return canonical_opponent(name)
    except BitduelError:
        raise ValueError(f"one of {OPPONENT_NAMES}") from None


def _check_setting(value: object, check: Callable[[object], OptionValue]) -> OptionValue:
    """Return a checked setting; raise one error, and not one for each member of the union."""
    try:
        return check(value)
    except ValidationError:
        short = f"a whole number or a text of at most {SHORT} characters"
        raise ValueError("a whole number" if isinstance(value, float) else short) from None


ShortText = Annotated[str, Field(max_length=SHORT)]
PlayerName = Annotated[str, Field(max_length=MAX_NAME_LENGTH)]
Count = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
Options = Annotated[
    dict[ShortText, Annotated[int | ShortText, WrapValidator(_check_setting)]], Field(max_length=MOST_OPTIONS)
]
Opponent = Annotated[
    str,
    BeforeValidator(_fold),
    Field(max_length=SHORT, pattern=OPPONENT, examples=[*OPPONENTS]),
    AfterValidator(_check_opponent),
]


class SolveRequest(StrictModel):
    """A position to evaluate."""

    game: ShortText = Field(examples=["double"])
    options: Options = Field(default_factory=dict)
    moves: list[ShortText] = Field(default_factory=list, max_length=MOST_MOVES)


class ClockRequest(StrictModel):
    """The seconds that each player has: for each move, or for the whole match."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    move: int | None = Field(default=None, ge=CLOCK_LIMITS[MOVE][0], le=CLOCK_LIMITS[MOVE][1], examples=[30])
    match: int | None = Field(default=None, ge=CLOCK_LIMITS[MATCH][0], le=CLOCK_LIMITS[MATCH][1])

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.move is None) == (self.match is None):
            raise ValueError('{"move": SECONDS} or {"match": SECONDS}')
        return self

    @property
    def settings(self) -> ClockSettings:
        """The settings in the form that the storage uses."""
        return ClockSettings(MOVE, self.move) if self.move is not None else ClockSettings(MATCH, self.match or 0)


class NewMatchRequest(StrictModel):
    """A match to start."""

    game: ShortText = Field(examples=["double"])
    options: Options = Field(default_factory=dict)
    opponent: Opponent = FRIEND
    first: Literal["1", "2", "toss"] = "toss"
    moves: list[ShortText] = Field(default_factory=list, max_length=MOST_MOVES)
    name: PlayerName | None = None
    clock: ClockRequest | None = None


class LobbyRequest(StrictModel):
    """A game to find an opponent in; null for any."""

    game: ShortText | None = Field(default=None, examples=["double"])


class JoinRequest(StrictModel):
    """A seat to take."""

    invitation: str = Field(max_length=LONGEST_SECRET)
    name: PlayerName | None = None


class MoveRequest(StrictModel):
    """A move, with the number of moves before it and, optionally, the number of take-backs so far."""

    ply: Count
    move: ShortText = Field(examples=["add"])
    backs: Count | None = None


class MomentRequest(StrictModel):
    """The moment that a request is about: the number of moves and of take-backs so far."""

    ply: Count
    backs: Count = 0

    @property
    def moment(self) -> MatchMoment:
        """The moment in the form that the storage uses."""
        return MatchMoment(self.ply, self.backs)


class AnswerRequest(MomentRequest):
    """A yes or no to the opponent's request."""

    kind: Literal["draw", "take-back", "rematch"] = Field(examples=["draw", "take-back", "rematch"])
    yes: bool


class ClaimRequest(MomentRequest):
    """A claim to a match that the opponent has abandoned."""

    result: Literal["win", "draw"]


class CoachRequest(StrictModel):
    """Consent to the coach in a match between two people, or its withdrawal."""

    coach: bool


class SeatTicket(StrictModel):
    """A ticket that moves a seat to another device, once and within a few minutes."""

    ticket: str = Field(max_length=LONGEST_SECRET)


def _list_games(schema: dict[str, Any]) -> None:
    schema["enum"] = names()


def _list_options(schema: dict[str, Any]) -> None:
    """Put every option of every game into a schema."""
    properties: dict[str, list[dict[str, Any]]] = {}
    for kind in all_games():
        for option in kind.declared_options:
            declared = {"description": f"{kind.short}: {option.help}", **within_limits(option).schema}
            properties.setdefault(option.name, []).append(declared)
    schema["properties"] = {name: {"anyOf": forms} for name, forms in properties.items()}
    schema["additionalProperties"] = False


def _check_tool_setting(value: object) -> object:
    is_number = type(value) is int and abs(value) < LARGEST_SETTING
    if not is_number and not (isinstance(value, str) and len(value) <= SHORT):
        raise ValueError("an option must be a whole number or a short text")
    return value


MoveText = Annotated[str, Field(min_length=1, max_length=SHORT)]
GameName = Annotated[str, Field(max_length=SHORT, json_schema_extra=_list_games, description="A game from list_games.")]
ToolOptions = Annotated[
    dict[ShortText, Annotated[Any, AfterValidator(_check_tool_setting)]],
    Field(max_length=MOST_OPTIONS, json_schema_extra=_list_options, description="Options of the game; see list_games."),
]
MatchId = Annotated[
    str, Field(min_length=1, max_length=32, pattern=MATCH_ID, description="The ID of a match, from start_match.")
]
Token = Annotated[
    str, Field(max_length=LONGEST_SECRET, description="The token of your seat, from start_match. Keep it secret.")
]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES, description="The number of moves made so far; see view.")]


class ListGamesArguments(StrictModel):
    """No arguments."""


class RulesArguments(StrictModel):
    """The game whose rules to read."""

    game: GameName
    options: ToolOptions = Field(default_factory=dict)


class StartMatchArguments(StrictModel):
    """A match to start, or an invitation to accept."""

    game: GameName | None = None
    options: ToolOptions = Field(default_factory=dict)
    opponent: ShortText = Field(
        default=FRIEND,
        description=f"Your opponent: {TOOL_OPPONENTS}, who joins with the invitation that you get.",
        examples=[FRIEND, *[*COMPUTERS][:-1], "level:3"],
    )
    first: Literal["1", "2", "toss"] = Field(
        default="toss", description="Who starts: 1 is you, 2 is your opponent, toss is a coin toss."
    )
    name: str | None = Field(default=None, max_length=MAX_NAME_LENGTH, description="Your name in the match.")
    invitation: str | None = Field(
        default=None,
        max_length=MAX_NAME_LENGTH,
        description="Join another player's match with this invitation. Give nothing except your name.",
    )


class ViewArguments(StrictModel):
    """A match to view: with a token as its seat sees it, without one as a spectator."""

    match_id: MatchId
    token: Token | None = None
    wait: int = Field(default=0, ge=0, le=LONGEST_WAIT, description="Wait up to this many seconds for your turn.")


class MoveArguments(StrictModel):
    """A move at the expected ply."""

    match_id: MatchId
    token: Token
    ply: Ply
    move: MoveText = Field(
        description="One of the legal moves that view lists, or 'resign', or 'call off' before both players have moved."
    )


class HintArguments(StrictModel):
    """A request for a hint."""

    match_id: MatchId
    token: Token
    agree: bool = Field(
        default=False,
        description="In a match between two clients or people: agree to hints. Both players must agree to get them.",
    )


class AnalyseArguments(StrictModel):
    """A position to analyse: in your own match, or any position that moves lead to."""

    match_id: MatchId | None = None
    token: Token | None = None
    game: GameName | None = None
    options: ToolOptions = Field(default_factory=dict)
    moves: list[MoveText] = Field(
        default_factory=list, max_length=MOST_MOVES, description="The moves from the start of the game."
    )


class ReviewArguments(StrictModel):
    """A finished match to review."""

    match_id: MatchId
