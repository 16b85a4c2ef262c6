"""A lesson: short steps from the rules of a game to its best play, as data, with every claim it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Protocol

from bitduel.core.evaluation import Evaluation, Value
from bitduel.core.evaluator import Evaluator, best
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.view import View

ABOUT = 0.0005
"""A probability that is claimed may be off by so much: it is told in whole hundredths."""

JudgeOf = Callable[[Game[Any]], Evaluator]
Method = Callable[[View], str]
"""What a lesson teaches, as code: from what a seat may see to a move."""


@dataclass(frozen=True)
class Stand:
    """A position: a game, the moves that lead there, Player 1 making the first, and what was dealt."""

    game: Game[Any]
    moves: tuple[str, ...] = ()
    deal: str = ""

    @property
    def match(self) -> Match:
        """A match that stands there."""
        return Match(self.game, deal=self.deal, moves=self.moves)

    def as_data(self) -> dict[str, Any]:
        """The position as JSON-ready data."""
        options = {**self.game.open_options} if self.game.chance else {**self.game.options}
        return {"options": options, "moves": list(self.moves)}


class Claim(Protocol):
    """Something that a lesson says, and how it can be found out whether it is so."""

    @property
    def says(self) -> str:
        """The claim in words."""

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether it is so, asking whoever knows what the moves of a game are worth."""


@dataclass(frozen=True)
class Worthy:
    """That positions are worth so much to the player to move, or a move there to who makes it; None claims nothing."""

    says: str
    where: tuple[Stand, ...]
    worth: Evaluation
    move: str = ""

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether every one of the positions is worth that."""
        return bool(self.where) and all(self._holds(stand, judge_of) for stand in self.where)

    def _holds(self, stand: Stand, judge_of: JudgeOf) -> bool:
        match = stand.match
        choices = judge_of(stand.game).choices(match.view(match.next_seat))
        wanted = [choice for choice in choices if self.move in ("", choice.move)]
        found = best(wanted)[0].worth if wanted else Evaluation()
        return all(_agree(said, is_so) for said, is_so in zip(self.worth, found, strict=True))


def _agree(said: Any, is_so: Any) -> bool:
    if isinstance(said, float):
        return is_so is not None and abs(said - is_so) <= ABOUT
    return said is None or said == is_so


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing to understand: what is told, a position to look at, and a question."""

    kind: ClassVar[str]
    title: str
    text: tuple[str, ...]
    question: str
    stand: Stand
    hint: str = ""
    claims: tuple[Claim, ...] = ()

    @property
    def seat(self) -> int:
        """Where the learner sits."""
        return self.stand.match.next_seat

    def as_data(self) -> dict[str, Any]:
        """The step as JSON-ready data."""
        told = {"kind": self.kind, "title": self.title, "text": list(self.text), "question": self.question}
        return {**told, **self.stand.as_data(), "hint": self.hint, "claims": [claim.says for claim in self.claims]}


@dataclass(frozen=True, kw_only=True)
class Try(Step):
    """A move is asked for; whoever makes another is shown what comes of it."""

    kind = "try"
    right: tuple[str, ...]
    praise: str
    wrong: str
    """What is said to a wrong move, unless there is more to say to that very one."""
    blame: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The step as JSON-ready data."""
        return {**super().as_data(), "right": list(self.right)}


@dataclass(frozen=True)
class Answer:
    """Something that can be answered, what is said to it, and the claim it makes."""

    text: str
    said: str
    claim: Claim
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Choose(Step):
    """One of several answers is asked for; right are those whose claims hold."""

    kind = "choose"
    answers: tuple[Answer, ...]

    def as_data(self) -> dict[str, Any]:
        """The step as JSON-ready data."""
        right = [answer.text for answer in self.answers if answer.right]
        return {**super().as_data(), "answers": [answer.text for answer in self.answers], "right": right}


@dataclass(frozen=True, kw_only=True)
class Play(Step):
    """A match is played out against best play; what gives something away is shown and taken back."""

    kind = "play"
    side: int = 1
    """Where the learner sits."""
    value: Value | None
    """The most the learner can have; None in the dark, where it is a chance."""
    turns: int | None = None
    """After so many turns of the learner it is done, where it need not end by itself."""
    praise: str
    wrong: str
    unlucky: str = ""
    """What is said if the other wins although nothing was given away, which only happens in the dark."""

    @property
    def seat(self) -> int:
        """Where the learner sits."""
        return self.side

    def dealt(self, lot: str) -> "Play":
        """The same match with what this lot deals, which cannot be told by looking at it; itself where nothing is."""
        if not self.stand.game.chance:
            return self
        deal = self.stand.game.deal(Random(f"{lot} {self.title}"))
        return replace(self, stand=replace(self.stand, deal=deal))

    def as_data(self) -> dict[str, Any]:
        """The step as JSON-ready data."""
        return {**super().as_data(), "seat": self.side, "value": self.value and str(self.value), "turns": self.turns}


@dataclass(frozen=True)
class Lesson:
    """All steps of a game's lesson, and the method they lead to."""

    title: str
    steps: tuple[Step, ...]
    method: Method
    holds: bool = True
    """Whether the method wins wherever that is possible and else draws wherever that is; in the dark nothing can."""

    def __len__(self) -> int:
        return len(self.steps)

    def as_data(self) -> dict[str, Any]:
        """The lesson as JSON-ready data."""
        return {"title": self.title, "steps": [step.as_data() for step in self.steps]}

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Everything that any of the steps claims, those of answers only where they are right."""
        chosen = [step for step in self.steps if isinstance(step, Choose)]
        answered = [answer.claim for step in chosen for answer in step.answers if answer.right]
        return (*(claim for step in self.steps for claim in step.claims), *answered)


YOU, OPPONENT = "Your side", "Your opponent"


def names(step: Step) -> tuple[str, str]:
    """What both seats are called in a lesson."""
    return (YOU, OPPONENT) if step.seat == 1 else (OPPONENT, YOU)
