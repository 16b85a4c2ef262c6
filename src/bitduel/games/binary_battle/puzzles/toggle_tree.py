"""Toggle tree: the toggle that wins most often, and then the best one after each answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import ClassVar, NamedTuple

from bitduel.core.lesson import LessonPosition
from bitduel.core.phrases import frequency_phrase
from bitduel.core.puzzle import Form, Question, Refutation
from bitduel.games.binary_battle.evaluator import equilibrium
from bitduel.games.binary_battle.puzzles.knowledge import (
    BattlePuzzle,
    Knowledge,
    bit_of,
    lines_of_length,
    position_of,
)
from bitduel.games.binary_battle.rules import BattleRules

MARGIN = 0.02
"""The margin, in chances to win, by which the best toggle must beat the next best."""
LAST_TURN = 5
"""The last turn of a seat at which a tree begins."""


class Branch(NamedTuple):
    """A decision: the turn, what is known, and how often each toggle wins, from the most often down."""

    turn: int
    known: Knowledge
    wins: tuple[tuple[float, int], ...]

    @property
    def bit(self) -> int:
        """The best toggle."""
        return self.wins[0][1]

    @property
    def is_clear(self) -> bool:
        """Whether one toggle is better than all others, by the margin."""
        return self.known.left > 1 and self.wins[0][0] - self.wins[1][0] >= MARGIN


@dataclass(frozen=True, kw_only=True)
class ToggleTree(BattlePuzzle):
    """Find the best toggle and the best after each answer; the parameters also name the seat and its turn."""

    kind: ClassVar[str] = "toggle-tree"
    form: ClassVar[Form] = Form.TREE
    title: ClassVar[str] = "Toggle tree"

    @property
    def seat(self) -> int:
        """The seat of the solver."""
        return int(self.parameters["seat"])

    @property
    def turn(self) -> int:
        """The turn of that seat."""
        return int(self.parameters["turn"])

    def _branch(self, turn: int, known: Knowledge) -> Branch:
        wins = equilibrium(self.rules.bits).choices(self.seat, turn, *known)
        return Branch(turn, known, tuple(sorted(((win, bit) for bit, win in wins), reverse=True)))

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The decisions: the first toggle, and one after each answer where one toggle is clearly best."""
        first = self._branch(self.turn, self.known)
        answers = [self._branch(self.turn + 1, after) for after in self._after(first)]
        return (first, *(branch for branch in answers if branch.is_clear))

    def _after(self, branch: Branch) -> list[Knowledge]:
        return branch.known.after(self.target(branch.known, branch.bit))

    @property
    def is_expected(self) -> bool:
        """Whether a perfect opponent can still be without a hit at every decision."""
        solved = equilibrium(self.rules.bits)
        return all(solved.expects(self.seat, branch.turn, *branch.known) for branch in self.branches)

    def _position(self, at: int) -> LessonPosition:
        """Return the match at a decision."""
        toggles = lines_of_length(self.rules.bits, self.turn - 1)[self.known]
        if at:
            toggles = (*toggles, self.branches[0].bit)
        return position_of(self.rules, self.seat, toggles, self.known, self.branches[at].known)

    @property
    def position(self) -> LessonPosition:
        """A match in which this seat knows this in this turn."""
        return self._position(0)

    @property
    def task(self) -> str:
        """The seat, the turn, the number and the range."""
        place, row = ("first", "second")[self.seat - 1], self.rules.row(self.known.number)
        return (
            f"You went {place}, and this is turn {self.turn} of yours. Your number is {row} ({self.known.number}), and "
            f"{self.known.range_phrase}. Both play perfectly from here. Which toggle wins most often? And which one "
            f"after {'each answer' if len(self.branches) > 2 else 'the answer'}?"
        )

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the first toggle, then for one after each answer."""
        at = len(answers)
        if at == len(self.branches):
            return None
        branch = self.branches[at]
        return Question(
            prompt=f"{self._situation(at)}What do you toggle?",
            candidates=self.candidates(branch.known),
            right=(f"toggle {branch.bit}",),
            position=self._position(at),
        )

    def _situation(self, at: int) -> str:
        """Return the answer to the first toggle at a later decision, as a sentence."""
        if at == 0:
            return ""
        known = self.branches[at].known
        return f"You made {known.number}. If it is {known.feedback()}, {known.range_phrase}. "

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the feedback on the first toggle that the next question is about; none at the end."""
        following = self.branches[len(answers) : len(answers) + 1]
        return tuple(branch.known.feedback() for branch in following)

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return what to look at, and the toggles that can hit at once with what else counts."""
        known = self.branches[len(answers)].known
        made = [f"toggle {bit} makes {self.target(known, bit)}" for bit in self.guesses(known)]
        second = "Which one leaves two parts that are quick to search?"
        if self.seat == 2:
            second = "Your opponent moves before you. Which numbers have they probably tried already?"
        hits = f"{'; '.join(made)}." if made else "none can."
        return "Which toggles could hit the secret now?", f"{hits[0].upper()}{hits[1:]} {second}"

    @property
    def hints(self) -> tuple[str, str, str]:
        """The toggles that can hit at once, what else counts, and the first toggle."""
        return (*self.look_and_idea(()), f"Begin with {self.toggle_phrase(self.known, self.branches[0].bit)}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The chances of the best toggle and the next best at every decision."""
        return tuple(self._why(at) for at in range(len(self.branches)))

    def _why(self, at: int) -> str:
        branch = self.branches[at]
        (best, bit), (next_best, _), *_ = branch.wins
        target = self.target(branch.known, bit)
        kind = "" if branch.known.can_be(target) else ", which can't be the secret but prepares a number that can,"
        return (
            f"{self._situation(at)}Toggle {bit} makes {target}{kind} and wins {frequency_phrase(best)} with perfect "
            f"play. The next best toggle wins {frequency_phrase(next_best)}."
        )

    def _is_plain(self, branch: Branch) -> bool:
        """Return whether the best toggle makes the possible number nearest to the middle."""
        known = branch.known
        distances = {bit: abs(2 * self.target(known, bit) - known.low - known.high) for bit in self.guesses(known)}
        return branch.bit in distances and distances[branch.bit] == min(distances.values())

    @property
    def score(self) -> float:
        """The toggles to choose from, those that are not nearest to the middle, and half of the width."""
        tempting = sum(not self._is_plain(branch) for branch in self.branches)
        return len(self.branches) * log2(self.rules.bits) + tempting + log2(1 + self.known.left) / 2

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Compare how often the toggle and the best one win."""
        branch, bit = self.branches[len(answers)], bit_of(wrong[0])
        win = next(win for win, each in branch.wins if each == bit)
        target = self.target(branch.known, bit)
        news = "" if branch.known.can_be(target) else f"{target} can't be the secret, so you learn nothing this turn. "
        best = branch.wins[0][0]
        chances = (
            f"Toggle {bit} wins {frequency_phrase(win, (best,))}, the best toggle {frequency_phrase(best, (win,))}."
        )
        return Refutation((news + chances,), (wrong[0],))


def toggle_tree(game: BattleRules) -> Iterator[ToggleTree]:
    """Yield what each seat can know in its first turns, with a clear best toggle and one after an answer at least."""
    for seat in (1, 2):
        for turn in range(1, LAST_TURN + 1):
            for known in sorted(lines_of_length(game.bits, turn - 1)):
                parameters = {"seat": str(seat), "turn": str(turn), **{n: str(v) for n, v in known._asdict().items()}}
                tree = ToggleTree(game=game, parameters=parameters)
                if known.left > 1 and tree.branches[0].is_clear and len(tree.branches) > 1 and tree.is_expected:
                    yield tree
