"""What every tool gives, as typed data: schemas of the results are made from it."""

from typing import Any

from pydantic import BaseModel

from bitduel.core.options import Setting


class ResponseModel(BaseModel):
    """Something that is told; what does not apply is null."""


class OptionTold(ResponseModel):
    """An option of a game; a secret one is dealt by chance in every match, and can be chosen only for analyse."""

    name: str
    default: Setting
    help: str
    secret: bool
    allowed: dict[str, Any]


class GameTold(ResponseModel):
    """A game that can be played."""

    slug: str
    short: str
    title: str
    aim: str
    hidden: bool
    options: list[OptionTold]


class GamesTold(ResponseModel):
    """All games, and whom one can play against."""

    games: list[GameTold]
    opponents: dict[str, str]


class RulesTold(ResponseModel):
    """The rules of a game with its options chosen; `text` has all of it in Markdown."""

    slug: str
    title: str
    aim: str
    options: dict[str, Setting]
    moves: list[str]
    rules: list[str]
    text: str


class OverTold(ResponseModel):
    """How a match ended; without a winner it is a draw."""

    winner: int | None
    reason: str


class MatchTold(ResponseModel):
    """A match as the caller may see it."""

    match_id: str
    game: str
    options: dict[str, Setting]
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
    over: OverTold | None
    deal: str | None
    waiting: bool
    said: list[str]
    next: str
    watch: str


class SeatTold(ResponseModel):
    """A seat that was taken, with the secret that proves it."""

    match_id: str
    seat: int
    token: str
    invitation: str | None
    match: MatchTold


class WorthTold(ResponseModel):
    """What something is worth to the player to move: win, draw or loss and in how many plies, or a chance to win."""

    value: str | None = None
    plies: int | None = None
    win_probability: float | None = None
    assumed: bool = False


class ChoiceTold(WorthTold):
    """A move and what it is worth."""

    move: str


class HintTold(ResponseModel):
    """The best moves and why; while the other has not agreed to hints there are none."""

    agreed: bool
    ply: int
    best: list[str]
    said: list[str]


class AnalysisTold(WorthTold):
    """What a position is worth to the player to move, with best play, and every move at it."""

    game: str
    options: dict[str, Setting]
    moves: list[str]
    to_move: int
    over: OverTold | None
    best: list[str]
    choices: list[ChoiceTold]


class StandingTold(ResponseModel):
    """Who stands to win with best play and in how many plies, or how likely seat 1 is to win."""

    winner: int | None
    plies: int | None
    chance: float | None
    assumed: bool = False


class LuckTold(ResponseModel):
    """A chance that changed without anybody's doing."""

    expected: float
    found: float
    ended: bool
    shared: bool = False


class StepTold(ResponseModel):
    """One move: how the match stood before and after it, and what would have been better."""

    ply: int
    seat: int
    move: str
    before: StandingTold
    after: StandingTold
    better: list[str]
    turning: bool
    hindsight: str
    luck: LuckTold | None
    longer: list[str]
    said: list[str]


class ConcessionTold(ResponseModel):
    """Who ended the match otherwise than by a move and so gave away what there still was, and how it stood."""

    seat: int
    before: StandingTold


class ReviewTold(ResponseModel):
    """A finished match, judged move by move."""

    id: str
    names: list[str]
    start: StandingTold
    steps: list[StepTold]
    over: OverTold | None
    concessions: list[ConcessionTold]
    said: list[str]


class AnswerTold(ResponseModel):
    """What an answer to a puzzle is worth, and how play then goes on."""

    move: str
    right: bool
    said: list[str]


class PuzzleTold(ResponseModel):
    """A position and what is asked there; in a game in the dark `view` is what the seat knows."""

    date: str | None
    number: int | None
    game: str
    options: dict[str, Setting]
    moves: list[str]
    to_move: int
    goal: str
    grade: int
    asked: str
    picture: str
    legal: list[str]
    view: dict[str, Any] | None
    answer: AnswerTold | None
    solution: list[str] | None
