"""Responses of the JSON API and results of the MCP tools.

The published schemas are built from these types, with the docstrings of the classes as descriptions.
"""

from typing import Any

from pydantic import BaseModel

from bitduel.core.options import OptionValue
from bitduel.service.requests import SeatTicket


class ErrorResponse(BaseModel):
    """An error, explained in one sentence."""

    error: str


class OfferResponse(BaseModel):
    """A request from one player to the other, and whether it was declined."""

    seat: int
    kind: str
    declined: bool


class OffersResponse(BaseModel):
    """Open offers, presence and possible actions; every request names `ply` and `backs`, the number of take-backs."""

    backs: int
    asked: list[OfferResponse]
    presence: list[str | None]
    coach: list[bool]
    can: list[str]
    next: str | None


class ClockResponse(BaseModel):
    """A clock: the seconds for each move or for the whole match, and what each seat has left at the time `now`.

    `running` is the seat whose clock runs: none before both players have seen the match, and none after its end.
    """

    kind: str
    seconds: int
    remaining: list[float]
    running: int | None
    now: str


class MatchResponse(BaseModel):
    """A match as the caller may see it."""

    id: str
    names: list[str]
    players: list[str]
    round: int
    sitting: str
    waiting: bool
    view: dict[str, Any]
    table: OffersResponse
    clock: ClockResponse | None


class SeatResponse(BaseModel):
    """Your seat, with its secret token: send it as `Authorization: Bearer TOKEN`."""

    seat: int
    token: str
    invitation: str | None
    match: MatchResponse


class LobbyResponse(BaseModel):
    """Somebody who looks for an opponent: `waiting`, or `paired`, with the seat in the match that was found.

    The token is the secret by which to ask again, and that of the seat.
    """

    state: str
    token: str
    game: str | None
    waited: float
    seat: SeatResponse | None


class SeatTicketResponse(SeatTicket):
    """A ticket that moves a seat, and the number of minutes it is valid."""

    minutes: int


class EvaluationResponse(BaseModel):
    """An evaluation for the player to move; `assumed` means that it rests on an assumption about the opponent."""

    value: str | None
    plies: int | None
    win_probability: float | None
    assumed: bool = False


class ChoiceResponse(EvaluationResponse):
    """A move and its evaluation."""

    move: str


class SolveResponse(EvaluationResponse):
    """The evaluation of a position and of every move in it."""

    game: str
    options: dict[str, OptionValue]
    moves: list[str]
    to_move: int
    over: dict[str, Any] | None
    choices: list[ChoiceResponse]


class PuzzleResponse(BaseModel):
    """A puzzle; in a game with a deal, `view` is what the seat knows."""

    date: str | None
    number: int | None
    id: str | None
    game: str
    options: dict[str, OptionValue]
    moves: list[str]
    to_move: int
    kind: str
    form: str
    task: str
    ask: list[str]
    grade: int
    odds: str
    view: dict[str, Any] | None = None
    solution: list[str | list[str]] | None = None
    replies: list[str | list[str]] | None = None


class OptionResult(BaseModel):
    """An option of a game; a secret one is random in every match and can be chosen only in analyse."""

    name: str
    default: OptionValue
    help: str
    secret: bool
    allowed: dict[str, Any]


class GameResult(BaseModel):
    """A game that can be played."""

    slug: str
    short: str
    title: str
    aim: str
    hidden: bool
    options: list[OptionResult]


class GamesResult(BaseModel):
    """All games, and the opponents."""

    games: list[GameResult]
    opponents: dict[str, str]


class RulesResult(BaseModel):
    """The rules of a game with its options chosen; `text` has all of them in Markdown."""

    slug: str
    title: str
    aim: str
    options: dict[str, OptionValue]
    moves: list[str]
    rules: list[str]
    text: str


class OutcomeResult(BaseModel):
    """The result of a match; without a winner it is a draw."""

    winner: int | None
    reason: str


class MatchResult(BaseModel):
    """A match as the caller may see it."""

    match_id: str
    game: str
    options: dict[str, OptionValue]
    names: list[str]
    players: list[str]
    seat: int | None
    first: int
    to_move: int | None
    your_turn: bool
    ply: int
    legal: list[str]
    board: dict[str, Any]
    picture: str
    history: list[str]
    over: OutcomeResult | None
    deal: str | None
    waiting: bool
    clock: ClockResponse | None
    said: list[str]
    next: str
    watch: str


class SeatResult(BaseModel):
    """Your seat, with its secret token."""

    match_id: str
    seat: int
    token: str
    invitation: str | None
    match: MatchResult


class EvaluationResult(BaseModel):
    """An evaluation for the player to move: win, draw or loss in a number of plies, or a chance of winning."""

    value: str | None = None
    plies: int | None = None
    win_probability: float | None = None
    assumed: bool = False


class ChoiceResult(EvaluationResult):
    """A move and its evaluation."""

    move: str


class HintResult(BaseModel):
    """The best moves and the reasons; empty until both players have agreed to hints."""

    agreed: bool
    ply: int
    best: list[str]
    said: list[str]


class AnalysisResult(EvaluationResult):
    """The evaluation of a position and of every move in it, with perfect play afterwards."""

    game: str
    options: dict[str, OptionValue]
    moves: list[str]
    to_move: int
    over: OutcomeResult | None
    best: list[str]
    choices: list[ChoiceResult]


class StandingResult(BaseModel):
    """The winner with perfect play and the number of plies, or seat 1's chance of winning."""

    winner: int | None
    plies: int | None
    chance: float | None
    assumed: bool = False


class LuckResult(BaseModel):
    """A change in the chance of winning that neither player caused."""

    expected: float
    found: float
    ended: bool
    shared: bool = False


class ReviewStepResult(BaseModel):
    """One move: who was winning before and after it, and the better moves."""

    ply: int
    seat: int
    move: str
    before: StandingResult
    after: StandingResult
    better: list[str]
    turning: bool
    hindsight: str
    luck: LuckResult | None
    longer: list[str]
    said: list[str]


class ConcessionResult(BaseModel):
    """A player who gave up a better result without a move, for example by resigning, and who was winning then."""

    seat: int
    before: StandingResult


class ReviewResult(BaseModel):
    """A finished match, evaluated move by move."""

    id: str
    names: list[str]
    start: StandingResult
    steps: list[ReviewStepResult]
    over: OutcomeResult | None
    concessions: list[ConcessionResult]
    said: list[str]


class PuzzleAnswerResult(BaseModel):
    """The answers to a puzzle so far, the last of them judged, and the next question."""

    right: bool
    said: list[str]
    marks: str
    finished: bool
    solved: bool
    next: str | None
    choices: list[str]


class PuzzleResult(PuzzleResponse):
    """A puzzle; in a game with a deal, `view` is what the seat knows."""

    answer: PuzzleAnswerResult | None
