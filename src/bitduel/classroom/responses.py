"""Responses about classes: what the teacher, a pupil and the projector may see."""

from typing import Any

from pydantic import BaseModel, Field

from bitduel.core.options import OptionValue


class ActivityResponse(BaseModel):
    """The activity of a class; `round` counts from 1, `ends_in` is in seconds and stands still during a pause."""

    number: int
    kind: str
    game: str | None
    title: str
    options: dict[str, OptionValue]
    round: int
    rounds: int | None
    minutes: int | None
    count: int | None
    best_of: int
    clock: dict[str, int] | None
    odd: str
    seconds: int | None
    ends_in: float | None
    finished: bool
    boards: int
    playing: int
    """How many of the boards of this round still play."""


class PupilScore(BaseModel):
    """A place in the standings: `kept` of `met` won positions kept, `first_try` puzzles solved at the first try."""

    rank: int
    id: int
    name: str
    points: float
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    kept: int
    met: int
    mistakes: int
    decisions: int
    first_try: int
    solved: int
    step: int
    wrong: int


class PupilTotal(BaseModel):
    """The solver's view of a pupil over all activities; `wrong` counts the wrong answers in lessons."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    kept: int = 0
    met: int = 0
    mistakes: int = 0
    decisions: int = 0
    first_try: int = 0
    solved: int = 0
    step: int = 0
    wrong: int = 0


class ClassPupilResponse(PupilScore):
    """A pupil as the teacher sees it: `away` in seconds, `joined` False for a name that nobody has taken yet."""

    here: bool
    away: float | None
    joined: bool
    approved: bool
    locked: bool
    doing: str
    match: str | None


class ClassMatchResponse(BaseModel):
    """A board of the current round: `kind` is match, computer or bye; `winner` is a seat, seat 1 moves first."""

    board: int
    round: int
    game: int
    kind: str
    match: str | None
    pupils: list[int | None]
    names: list[str]
    over: bool
    winner: int | None
    reason: str | None
    away: list[int]
    """The pupils of this board who are away."""


class PlayedMatchResponse(BaseModel):
    """A match of one pupil in any activity: `seat` is the pupil's, who moves first on seat 1."""

    activity: int
    kind: str
    game: str
    round: int
    match: str
    opponent: str
    seat: int
    over: bool
    winner: int | None
    reason: str | None
    kept: int | None
    met: int | None
    mistakes: int | None


class ItemResponse(BaseModel):
    """A puzzle or a step of a lesson: how many pupils are at it or have done it, and the wrong answers to it."""

    item: int
    task: str
    at: int
    first_try: int
    solved: int
    tried: int
    wrong: int


class TeacherState(BaseModel):
    """A class as its teacher sees it."""

    code: str
    title: str
    locked: bool
    approval: bool
    paused: bool
    expires: str
    version: int
    activity: ActivityResponse | None
    pupils: list[ClassPupilResponse]
    matches: list[ClassMatchResponse]
    items: list[ItemResponse]


class NowResponse(BaseModel):
    """The task of a pupil: play a match, solve a puzzle, take a step of a lesson, or wait (`reason` says why)."""

    kind: str
    reason: str | None = None
    match: str | None = None
    token: str | None = None
    opponent: str | None = None
    level: str | None = None
    game: str | None = None
    item: int | None = None
    count: int | None = None
    task: str | None = None
    candidates: list[str] | None = None
    pick: str | None = None
    puzzle: dict[str, Any] | None = None
    marks: str | None = None
    said: list[str] | None = None
    ends_in: float | None = None


class PupilState(BaseModel):
    """A class as one pupil sees it; `pin` is shown only to the browser for which it was made."""

    code: str
    title: str
    id: int
    name: str
    pin: str | None
    approved: bool
    paused: bool
    activity: ActivityResponse | None
    now: NowResponse
    points: float
    played: int
    rank: int
    version: int


class ScreenState(BaseModel):
    """A class on the projector: names, standings, boards as spectators see them, and one of them to feature."""

    code: str
    title: str
    locked: bool
    paused: bool
    activity: ActivityResponse | None
    names: list[str]
    here: int
    standings: list[PupilScore]
    matches: list[ClassMatchResponse]
    featured: str | None
    surest: int | None
    """The pupil who kept most of at least three won positions."""
    climber: int | None
    """The pupil whose second half went better than the first by most."""
    kept: int
    met: int
    version: int


class JoinedPupil(BaseModel):
    """A pupil's place: the id, the name and the personal PIN (null where the pupil knows it already)."""

    id: int
    name: str
    pin: str | None


class PupilTokenResponse(BaseModel):
    """A pupil and the secret token; send it as `Authorization: Bearer TOKEN`."""

    pupil: JoinedPupil
    token: str


class ClassTokenResponse(BaseModel):
    """A class and its teacher's secret token."""

    classroom: TeacherState = Field(alias="class")
    token: str


class HandoverResponse(BaseModel):
    """A link that hands a pupil's place to another device, once and for some minutes."""

    link: str
    secret: str
    minutes: int


class AnswerResponse(BaseModel):
    """The verdict on an answer, and what comes next."""

    right: bool | None
    said: list[str]
    now: NowResponse
