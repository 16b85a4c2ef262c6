"""Corner it: hit the secret within the fewest turns, whatever the answers are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2
from typing import ClassVar, NamedTuple

from bitduel.core.lesson import LessonPosition
from bitduel.core.phrases import join_with_and
from bitduel.core.puzzle import Form, Question, Refutation
from bitduel.games.binary_battle.equilibrium.information_states import toggled
from bitduel.games.binary_battle.puzzles.knowledge import (
    BattlePuzzle,
    Knowledge,
    bit_of,
    position_of,
    shortest_lines,
    turns_after,
    turns_needed,
)
from bitduel.games.binary_battle.rules import BattleRules

DECISIONS = 2
"""The fewest decisions of a puzzle."""


class Step(NamedTuple):
    """A turn with one right toggle: what is known, the toggle, the turns left with it, and what it leads to."""

    known: Knowledge
    bit: int
    turns: int
    after: Knowledge


@lru_cache(maxsize=1 << 14)
def most_awkward_line(bits: int, known: Knowledge) -> tuple[Step, ...]:
    """Return the turns with one right toggle, up to the first with several, against the most awkward answers.

    Of two equally awkward answers it is the one with more decisions after it.
    """
    turns = turns_needed(bits, known)
    right = [bit for bit in range(1, bits + 1) if turns_after(bits, known, bit) < turns]
    if known.left == 1 or len(right) > 1:
        return ()
    answers = known.after(toggled(bits, known.number, right[0]))
    awkward = [after for after in answers if turns_needed(bits, after) == turns - 1]
    after = max(awkward, key=lambda each: (len(most_awkward_line(bits, each)), each.left))
    return (Step(known, right[0], turns, after), *most_awkward_line(bits, after))


@dataclass(frozen=True, kw_only=True)
class CornerIt(BattlePuzzle):
    """Find the toggles that hit the secret in time for sure; no secret is chosen, only answers are."""

    kind: ClassVar[str] = "corner-it"
    form: ClassVar[Form] = Form.LINE
    title: ClassVar[str] = "Corner it"

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The decisions, with the most awkward answers."""
        return most_awkward_line(self.rules.bits, self.known)

    def _position(self, answered: int) -> LessonPosition:
        """Return the match after some answers."""
        before = shortest_lines(self.rules.bits, self.known)[self.known]
        toggles = [*before, *(step.bit for step in self.steps[:answered])]
        now = self.steps[answered - 1].after if answered else self.known
        return position_of(self.rules, 1, toggles, self.known, now)

    @property
    def position(self) -> LessonPosition:
        """A match in which the first player knows this."""
        return self._position(0)

    @property
    def end(self) -> LessonPosition:
        """The match after the last answer, which a secret decides that nobody has chosen."""
        return self._position(len(self.steps))

    @property
    def turns(self) -> int:
        """The turns within which the secret is hit for sure."""
        return self.steps[0].turns

    @property
    def task(self) -> str:
        """The number, the range and the turns."""
        row = self.rules.row(self.known.number)
        return (
            f"Your number is {row} ({self.known.number}), and {self.known.range_phrase}. Be sure to hit it within "
            f"{self.turns} turns, whatever the answers are."
        )

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the next toggle, while only one is right."""
        if len(answers) == len(self.steps):
            return None
        step = self.steps[len(answers)]
        return Question(
            prompt=f"{_capital(step.known.range_phrase)}, and you have {step.turns} turns. What do you toggle?",
            candidates=self.candidates(step.known),
            right=(f"toggle {step.bit}",),
            position=self._position(len(answers)),
        )

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the feedback on the last toggle."""
        return (self.steps[len(answers) - 1].after.feedback(),)

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return the numbers to look at, and those one toggle away with the turns for the numbers left."""
        step = self.steps[len(answers)]
        known = step.known
        near = sorted(self.target(known, bit) for bit in self.guesses(known))
        now = f"{join_with_and(near)} can be hit now" if near else "None can be hit now"
        return (
            f"Which numbers from {known.low} to {known.high} are one toggle from {known.number}?",
            f"{now}. You have {step.turns} turns for {known.left} numbers, so check which "
            'numbers you can still reach after "less" and after "greater".',
        )

    @property
    def hints(self) -> tuple[str, str, str]:
        """The numbers one toggle away, the turns for the numbers left, and the first toggle."""
        return (*self.look_and_idea(()), f"Begin with {self.toggle_phrase(self.known, self.steps[0].bit)}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The range that each answer to the right toggles leaves."""
        sentences = [self._why(step) for step in self.steps]
        last = self.steps[-1].after
        numbers = f"{last.low} is" if last.left == 1 else f"{last.low} to {last.high} are"
        turns = _more_turns(turns_needed(self.rules.bits, last), "is enough", "are enough")
        return (*sentences, f"In the end {numbers} left, and {turns}.")

    def _why(self, step: Step) -> str:
        target = self.target(step.known, step.bit)
        made = f"Toggle {step.bit} makes {target}."
        if not step.known.can_be(target):
            return f"{made} That can't be the secret, but from there you can hit every possible number in time."
        parts = [f"if it is {after.feedback()}, {self._left(after)}" for after in step.known.after(target)]
        return f"{made} {_capital('; '.join(parts))}. Any other toggle can take longer."

    def _left(self, known: Knowledge) -> str:
        turns = _more_turns(turns_needed(self.rules.bits, known), "is enough", "are enough")
        return f"{known.range_phrase} and {turns}"

    @property
    def score(self) -> float:
        """The toggles to choose from, those that cost just one turn more, and the turns."""
        tempting = sum(
            any(turns_after(self.rules.bits, step.known, bit) == step.turns for bit in range(1, self.rules.bits + 1))
            for step in self.steps
        )
        return len(self.steps) * log2(self.rules.bits) + tempting + log2(1 + self.turns)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Give the answer after which the turns are too few."""
        step, bit = self.steps[len(answers)], bit_of(wrong[0])
        target, left = self.target(step.known, bit), step.turns - 1
        after = max(step.known.after(target), key=lambda each: turns_needed(self.rules.bits, each))
        needed = _more_turns(turns_needed(self.rules.bits, after), "may be needed", "may be needed")
        only = f"but you have only {left}." if left else "but you have none left."
        if not step.known.can_be(target):
            news = f"{target} can't be the secret, so you learn nothing."
        else:
            news = f"You make {target}. If it is {after.feedback()}, {after.range_phrase}."
        return Refutation((f"{news} Then {needed}, {only}",), (wrong[0],))


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _more_turns(turns: int, one: str, several: str) -> str:
    return f"{turns} more turn {one}" if turns == 1 else f"{turns} more turns {several}"


def corner_it(game: BattleRules) -> Iterator[CornerIt]:
    """Yield everything that can be known and has two decisions or more; of two mirror images, one."""
    last = (1 << game.bits) - 1
    chosen = set[Knowledge]()
    for known in sorted(shortest_lines(game.bits)):
        # The mirror image switches every bit: "less" becomes "greater", and the toggles stay.
        mirrored = Knowledge(last - known.number, last - known.high, last - known.low)
        steps = most_awkward_line(game.bits, known)
        if len({step.bit for step in steps}) >= DECISIONS and mirrored not in chosen:
            chosen.add(known)
            yield CornerIt(game=game, parameters={name: str(each) for name, each in known._asdict().items()})
