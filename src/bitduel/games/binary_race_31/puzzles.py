"""The puzzles of Binary Race to 31: the shortest moves that win, whole routes, and squares to win from."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import comb, log2, prod
from typing import ClassVar

from bitduel.core.lesson import LessonPosition
from bitduel.core.phrases import join_with_and
from bitduel.core.picture import Picture, Scale, Token
from bitduel.core.puzzle import Candidate, Form, NumberSheet, Pick, Question, Refutation, count_hint
from bitduel.games.binary_race_31.puzzle_positions import TrackPuzzle, moves_phrase
from bitduel.games.binary_race_31.rules import LONGEST, TrackPosition

MOST_REFUTATION_PLIES = 6


@dataclass(frozen=True, kw_only=True)
class Thrift(TrackPuzzle):
    """A race to be won with the shortest move that still wins, every time."""

    kind: ClassVar[str] = "thrift"
    form: ClassVar[Form] = Form.LINE
    title: ClassVar[str] = "Thrift"

    @property
    def task(self) -> str:
        """Name track and squares, and what is asked."""
        return (
            f"{self.places} Win with the shortest move that still wins, every time. (A longer move may win too, but "
            "it is not the answer. Your opponent makes the longest move.)"
        )

    @cached_property
    def moves(self) -> tuple[tuple[str, str], ...]:
        """The turns to the end: the shortest winning move, and the longest reply; the last has none."""
        turns = []
        mine, theirs = self.mine, self.theirs
        while mine < self.game.length:
            move = self._right(mine, theirs)
            mine += int(move)
            reply = self._legal(theirs, mine)[-1] if mine < self.game.length else ""
            theirs += int(reply or 0)
            turns.append((move, reply))
        return tuple(turns)

    def _legal(self, mover: int, waiting: int) -> list[str]:
        return [move for move in self.game.moves if self.game.legal(TrackPosition(mover, waiting), move)]

    def _wins(self, mine: int, theirs: int, move: str) -> bool:
        after = mine + int(move)
        return after >= self.game.length or self.needed(after) < self.needed(theirs)

    def _right(self, mine: int, theirs: int) -> str:
        return next(move for move in self._legal(mine, theirs) if self._wins(mine, theirs, move))

    def _squares(self, turn: int) -> tuple[int, int]:
        mine = self.mine + sum(int(move) for move, _ in self.moves[:turn])
        return mine, self.theirs + sum(int(reply) for _, reply in self.moves[:turn])

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the next move, to the end of the race."""
        if len(answers) == len(self.moves):
            return None
        mine, theirs = self._squares(len(answers))
        played = tuple(move for turn in self.moves[: len(answers)] for move in turn)
        cells = tuple(Candidate(move, f"{move}, to {mine + int(move)}") for move in self._legal(mine, theirs))
        return Question(
            prompt=f"You are at {mine}, your opponent at {theirs}. What is the shortest move that wins?",
            candidates=cells,
            right=(self.moves[len(answers)][0],),
            position=LessonPosition(self.game, (*self.position.moves, *played)),
        )

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the longest move of the opponent, until the race is over."""
        return tuple(filter(None, [self.moves[len(answers) - 1][1]]))

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return the things to count, and the counts."""
        mine, other = self._squares(len(answers))
        theirs, left = self.needed(other), self.game.length - mine
        if theirs == 1:
            idea = f"So you must finish now, and you have {left} steps left."
        elif self.is_exact:
            idea = f"You have {left} steps left, which takes {moves_phrase(self.needed(mine))}. After your move, "
            idea += f"{theirs - 1} more must be enough: one for each full 16, and one for each 1 of the rest in binary."
        else:
            idea = f"After your move at most {LONGEST * (theirs - 1)} steps may be left, and you have {left}."
        return (
            "Count how many moves your opponent still needs. You may use just as many, because you move first.",
            f"They need {moves_phrase(theirs)}. {idea}",
        )

    @property
    def hints(self) -> tuple[str, str, str]:
        """The things to count; the counts; the first move."""
        move = self.moves[0][0]
        left = self.game.length - self.mine - int(move)
        return (*self.look_and_idea(()), f"Begin with {move}. That leaves {max(0, left)}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The counts after every move."""
        lines = []
        for turn, (move, _) in enumerate(self.moves):
            mine, theirs = self._squares(turn)
            after = mine + int(move)
            if after >= self.game.length:
                lines.append(f"{move} takes you to the end: you win.")
            else:
                lines.append(
                    f"{move} leaves {self.game.length - after} steps, which is {moves_phrase(self.needed(after))}; "
                    f"your opponent still needs {self.needed(theirs)}."
                )
        return tuple(lines)

    @property
    def odds(self) -> Fraction:
        """The chance of guessing one of the legal moves at every turn."""
        return Fraction(1, prod(map(len, self._choices)))

    @property
    def _choices(self) -> list[list[str]]:
        return [self._legal(*self._squares(turn)) for turn in range(len(self.moves))]

    @property
    def score(self) -> float:
        """The legal moves, the turns at which a shorter move loses, and the length of the line."""
        turns = list(zip(self._choices, self.moves, strict=True))
        tempting = sum(choices[0] != move for choices, (move, _) in turns)
        return sum(log2(len(choices)) for choices, _ in turns) + tempting + log2(2 * len(turns))

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Name a shorter move, or race to the end."""
        mine, theirs = self._squares(len(answers))
        move, right = wrong[0], self.moves[len(answers)][0]
        if int(move) > int(right):
            return Refutation((f"{move} wins too, but {right} is enough.",), (move,))
        after, moves = mine + int(move), [move]
        sentence = (
            f"{move} leaves {self.game.length - after} steps, which is {moves_phrase(self.needed(after))}. Your "
            f"opponent needs {self.needed(theirs)} and moves next: they get there first."
        )
        squares = [theirs, after]
        while len(moves) < MOST_REFUTATION_PLIES and squares[1] < self.game.length and squares[0] < self.game.length:
            moves.append(self._legal(*squares)[-1])
            squares = [squares[1], squares[0] + int(moves[-1])]
        return Refutation((sentence,), tuple(moves))


@dataclass(frozen=True, kw_only=True)
class Route(TrackPuzzle):
    """All moves to the exact end, to be laid out as cards in any order."""

    kind: ClassVar[str] = "route"
    form: ClassVar[Form] = Form.CARDS
    title: ClassVar[str] = "Route"

    @cached_property
    def left(self) -> int:
        """The steps to the end."""
        return self.game.length - self.mine

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The fewest moves to the end, the longest first."""
        whole, rest = divmod(self.left, LONGEST)
        return ("16",) * whole + tuple(move for move in reversed(self.game.moves) if rest & int(move))

    @property
    def task(self) -> str:
        """Name track and squares, and what is asked."""
        return (
            f"{self.places} Lay out all your moves to the end, in any order, so that you finish first. Use "
            f"{len(self.cards)} cards from 1, 2, 4, 8 and 16. You may use a card more than once."
        )

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the cards."""
        if answers:
            return None
        return Question(
            prompt="Lay out all your moves to the end.",
            candidates=tuple(Candidate(move) for move in self.game.moves),
            right=self.cards,
            pick=Pick.CARDS,
            position=self.position,
        )

    @property
    def hints(self) -> tuple[str, str, str]:
        """The things to count; the counts; one card."""
        count = len(self.cards)
        idea = f"You have {self.left} steps left. Your opponent needs {moves_phrase(count)}, so you may use {count}."
        return (
            "How many moves does your opponent need, and how far do you have to go?",
            f"{idea} In binary {self.left} is {self.left:b}.",
            f"One of the cards is {self.cards[0]}.",
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The sum of the cards."""
        count = len(self.cards)
        return (
            f"{self.left} = {' + '.join(self.cards)}: one move for every full 16, and one for each 1 of the rest in "
            f"binary. That is {moves_phrase(count)}, as many as your opponent needs, and you move first.",
        )

    @property
    def score(self) -> float:
        """The ways to lay the cards, a 16 among them, and a rest of three moves or more."""
        ways = comb(len(self.game.moves) + len(self.cards) - 1, len(self.cards))
        return log2(ways) + (self.left > LONGEST) + ((self.left % LONGEST).bit_count() >= 3)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Compare sum or number of the cards."""
        total = sum(map(int, wrong))
        if total != self.left:
            return Refutation((f"These cards make {total} steps. You have {self.left} to go.",))
        return Refutation((f"That is {moves_phrase(len(wrong))}. Your opponent needs only {len(self.cards)}.",))


@dataclass(frozen=True, kw_only=True)
class WinningSquares(TrackPuzzle, NumberSheet):
    """A window of squares, of which those are to be marked from which the player to move wins."""

    kind: ClassVar[str] = "winning-squares"
    title: ClassVar[str] = "Winning squares"

    @property
    def position(self) -> LessonPosition:
        """The start of the race."""
        return LessonPosition(self.game)

    def is_marked(self, number: int) -> bool:
        """Return whether the player to move wins from a square."""
        return self.needed(number) <= self.needed(self.theirs)

    @property
    def task(self) -> str:
        """Name track, opponent and window."""
        return (
            f"{self.track} Your opponent is at {self.theirs}, and it's your move. Mark every square from "
            f"{self.numbers[0]} to {self.numbers[-1]} from which you win."
        )

    @property
    def picture(self) -> Picture:
        """The track with the opponent."""
        tokens = (Token("Your opponent", self.theirs, 2),)
        return Picture(f"Your opponent is at {self.theirs}.", scale=Scale(0, self.game.length, tokens))

    @property
    def hints(self) -> tuple[str, str, str]:
        """The thing to count first; the way to count; the smallest mark."""
        theirs = self.needed(self.theirs)
        how = self.counting if self.is_exact else f"at most {LONGEST * theirs} steps left"
        return (
            "First count the moves that your opponent needs.",
            f"They need {moves_phrase(theirs)}. You win from every square that needs no more: {how}.",
            count_hint(self.marks),
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The count of the opponent, and the marks."""
        return self.hints[1], f"You win from {join_with_and(self.marks)}."

    @property
    def score(self) -> float:
        """The cells, and the changes between won and lost squares."""
        changes = sum(self.is_marked(one) != self.is_marked(other) for one, other in pairwise(self.numbers))
        return log2(len(self.numbers)) + 0.75 * changes

    def why(self, number: int) -> str:
        """Count the moves from a square."""
        mine, theirs = moves_phrase(self.needed(number)), self.needed(self.theirs)
        needs = f"From {number} you need {mine}, and your opponent needs {theirs}."
        end = "You move first, so you win." if self.is_marked(number) else "Your opponent gets there first."
        return f"{needs} {end}"
