"""Puzzles of Binary Race with bits: fill the row against an opponent whose habit is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import log2, prod
from typing import ClassVar, NamedTuple

from bitduel.core.game import OPEN, WON
from bitduel.core.lesson import LessonPosition
from bitduel.core.match import Match
from bitduel.core.outcomes import REPETITION, Outcome
from bitduel.core.phrases import join_with_and
from bitduel.core.puzzle import Candidate, Form, Question, Refutation
from bitduel.games.binary_race_bits.puzzles import BitsPuzzle, legal_moves, settled_positions
from bitduel.games.binary_race_bits.rules import BitsPosition, BitsRules

HABITS = ("flip", "last", "first", "turns")
"""Flip the leftmost bit possible; reset the other's last bit, or first bit, if allowed; flip and reset in turn."""
MOST_TURNS = 8
"""The turns after which a row counts as never full."""
MOST_ODDS = Fraction(1, 8)


class HabitState(NamedTuple):
    """A position before a turn of the solver, and what the habit does next where it alternates."""

    position: BitsPosition
    next_kind: str = ""


def habit_move(game: BitsRules, position: BitsPosition, habit: str, next_kind: str) -> str:
    """Return the move that a habit makes."""
    legal = legal_moves(game, position)
    wanted = f"reset {game.bits if habit == 'last' else 1}" if habit in ("last", "first") else ""
    if wanted in legal:
        return wanted
    kind = next_kind or "flip"
    return next((move for move in legal if move.startswith(kind)), legal[0])


def after_turn(game: BitsRules, habit: str, state: HabitState, move: str) -> tuple[str, HabitState]:
    """Return the answer of the habit to a move, "" where the match is over, and the state before the next turn."""
    position = game.play(state.position, move)
    if game.verdict(position) != OPEN:
        return "", HabitState(position, state.next_kind)
    reply = habit_move(game, position, habit, state.next_kind)
    following = {"": "", "flip": "reset", "reset": "flip"}[state.next_kind]
    return reply, HabitState(game.play(position, reply), following)


@lru_cache(maxsize=1 << 16)
def can_fill(game: BitsRules, habit: str, state: HabitState, turns: int) -> bool:
    """Return whether the row can be filled within some turns."""
    if turns == 0:
        return False
    return any(fills_in(game, habit, state, move, turns) for move in legal_moves(game, state.position))


def fills_in(game: BitsRules, habit: str, state: HabitState, move: str, turns: int) -> bool:
    """Return whether the row can be filled within some turns, of which this move is the first."""
    reply, after = after_turn(game, habit, state, move)
    if not reply:
        return bool(game.verdict(after.position) == WON)
    return can_fill(game, habit, after, turns - 1)


def turns_to_fill(game: BitsRules, habit: str, state: HabitState) -> int:
    """Return the fewest turns that fill the row; 0 where it takes too many."""
    return next((turns for turns in range(1, MOST_TURNS + 1) if can_fill(game, habit, state, turns)), 0)


@dataclass(frozen=True, kw_only=True)
class BeatTheHabit(BitsPuzzle):
    """Fill the row in the fewest turns against a habit; the parameters name the rows, the habit and its next move."""

    kind: ClassVar[str] = "beat-the-habit"
    form: ClassVar[Form] = Form.LINE
    title: ClassVar[str] = "Beat the habit"

    @property
    def habit(self) -> str:
        """The habit of the opponent."""
        return self.parameters["habit"]

    @cached_property
    def start(self) -> HabitState:
        """The state before the first turn."""
        return HabitState(self.rows, self.parameters.get("next", ""))

    @cached_property
    def turns(self) -> int:
        """The fewest turns that fill the row."""
        return turns_to_fill(self.rules, self.habit, self.start)

    @property
    def habit_sentence(self) -> str:
        """The habit in words."""
        if self.habit == "flip":
            return "Your opponent always flips the leftmost bit possible."
        if self.habit == "turns":
            return (
                "Your opponent flips in one turn and resets in the next, always the leftmost bit possible. They begin "
                f"with a {self.start.next_kind}. If they can't do one, they do the other."
            )
        return (
            f"Your opponent resets your {self.habit} bit whenever that is allowed. Otherwise they flip the leftmost "
            "bit possible."
        )

    @property
    def task(self) -> str:
        """The rows, the habit, and the number of turns."""
        no_flip = "" if self.habit == "turns" else " If they can't flip, they reset the leftmost bit possible."
        return f"{self.opening} {self.habit_sentence}{no_flip} Fill your row in {self.turns} turns."

    def _played(self, answers: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], HabitState]:
        """Return all moves after these answers, the opponent's among them, and the state they lead to."""
        state, moves = self.start, list[str]()
        for (move,) in answers:
            reply, state = after_turn(self.rules, self.habit, state, move)
            moves += [move, reply] if reply else [move]
        return tuple(moves), state

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the next move."""
        moves, state = self._played(answers)
        legal = legal_moves(self.rules, state.position)
        if not legal:
            return None
        left = self.turns - len(answers)
        return Question(
            prompt=f"Turn {len(answers) + 1} of {self.turns}: what do you play?",
            candidates=tuple(Candidate(move) for move in legal),
            right=tuple(move for move in legal if fills_in(self.rules, self.habit, state, move, left)),
            position=LessonPosition(self.game, self.position.moves + moves),
        )

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the move of the habit; none after the last flip."""
        moves, _ = self._played(answers)
        before, _ = self._played(answers[:-1])
        return moves[len(before) + 1 :]

    @cached_property
    def plan(self) -> tuple[str, ...]:
        """The moves of the solver."""
        return tuple(move for _, (move,) in self.solution())

    @property
    def _idea(self) -> str:
        """Return the idea behind the plan, with the numbers of this position."""
        if self.habit == "flip":
            return f"They never reset a bit. You are {self.turns} bits short, so you have to flip on every turn."
        if self.habit == "turns":
            kinds = ["flip", "reset"] if self.start.next_kind == "flip" else ["reset", "flip"]
            flips = [str(turn) for turn in range(1, self.turns) if kinds[(turn + 1) % 2] == "flip"]
            when = f"turn {flips[0]}" if len(flips) == 1 else f"turns {join_with_and(flips)}"
            return (
                f"They flip on {when} and reset on the others. You must be one bit short just before they flip "
                f"on their turn {self.turns - 1}."
            )
        place, beside = (self.rules.bits, self.rules.bits - 1) if self.habit == "last" else (1, 2)
        if self.plan[-1] == f"flip {place}":
            return f"If bit {place} is on, it can be reset. So flip it last, when all your other bits are on."
        return f"Bit {place} is safe while bit {beside} is on. So first make sure that bit {beside} is on and stays on."

    @property
    def hints(self) -> tuple[str, str, str]:
        """The question to ask about the habit, its consequence, and the first move."""
        look = {
            "flip": "Does your opponent ever reset one of your bits?",
            "turns": "On which of their turns does your opponent not reset a bit?",
        }
        bit = f"Which of your bits do they reset? When is bit {self.rules.bits if self.habit == 'last' else 1} safe?"
        return look.get(self.habit, bit), self._idea, f"Begin with {self.plan[0]}."

    @property
    def explanation(self) -> tuple[str, ...]:
        """The idea, and the plan with the answers of the habit."""
        moves, _ = self._played([(move,) for move in self.plan])
        own, answered = moves[::2], moves[1::2]
        pairs = [f"{move} (they {reply})" for move, reply in zip(own, answered, strict=False)]
        return (
            self._idea,
            f"The plan is {', '.join([*pairs, own[-1]])}. Any other move would cost at least one turn more.",
        )

    @property
    def score(self) -> float:
        """The moves to choose from, and the turns."""
        return log2(prod(len(question.candidates) for question, _ in self.solution())) + log2(2 * self.turns)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Play the move, and count the turns that are needed then."""
        before, state = self._played(answers)
        (move,) = wrong
        match = LessonPosition(self.game, (*self.position.moves, *before, move)).match
        if match.outcome:
            return Refutation((f"After {move} {_why_drawn(match.outcome)}, and the match is a draw.",), (move,))
        reply, after = after_turn(self.rules, self.habit, state, move)
        moves, match = (move, reply), match.after(reply)
        if match.outcome and match.outcome.winner:
            return Refutation((f"After {move} they {reply} and fill their row.",), moves)
        if match.outcome:
            drawn = f"After {move} they {reply}. Then {_why_drawn(match.outcome)}, and the match is a draw."
            return Refutation((drawn,), moves)
        left, needed = self.turns - len(answers) - 1, self._turns_left(match, after)
        if not needed:
            return Refutation((f"After {move} they {reply}. From there you need more than {MOST_TURNS} turns.",), moves)
        turns = "turn" if left == 1 else "turns"
        only = f"you have only {left} {turns} left" if left else "this was your last turn"
        more = "1 more turn" if needed == 1 else f"{needed} more turns"
        sentence = f"After {move} they {reply}. Then you need {more}, but {only}."
        return Refutation((sentence,), moves)

    def _turns_left(self, match: Match, state: HabitState) -> int:
        """Return the fewest turns that fill the row in a match before it is a draw; 0 where it takes too many."""
        return next((turns for turns in range(1, MOST_TURNS + 1) if self._fills(match, state, turns)), 0)

    def _fills(self, match: Match, state: HabitState, turns: int) -> bool:
        """Return whether the row can be filled within some turns, before the match is a draw."""
        for move in match.legal:
            if not (turns and fills_in(self.rules, self.habit, state, move, turns)):
                continue
            moved = match.after(move)
            if moved.outcome and moved.outcome.winner:
                return True
            if not moved.outcome:
                reply, after = after_turn(self.rules, self.habit, state, move)
                if self._fills(moved.after(reply), after, turns - 1):
                    return True
        return False


def _why_drawn(outcome: Outcome) -> str:
    """Return why a match is a draw."""
    return "the same position has come up three times" if outcome.reason == REPETITION else "nobody can move"


def beat_the_habit(game: BitsRules) -> Iterator[BeatTheHabit]:
    """Yield the positions of Player 1 and the habits with one shortest plan that cannot be guessed."""
    for position, seat in settled_positions(game):
        mine, theirs = (format(row, f"0{game.bits}b") for row in position[:2])
        for habit in HABITS if seat == 1 else ():
            for next_kind in ("flip", "reset") if habit == "turns" else ("",):
                parameters = {"mine": mine, "theirs": theirs, "habit": habit}
                parameters |= {"next": next_kind} if next_kind else {}
                puzzle = BeatTheHabit(game=game, parameters=parameters)
                if puzzle.turns and _is_sound(puzzle):
                    yield puzzle


def _is_sound(puzzle: BeatTheHabit) -> bool:
    """Return whether every move of the plan is the only right one, and guessing it is unlikely."""
    steps = list(puzzle.solution())
    is_varied = len({answer for _, answer in steps}) > 1
    return is_varied and all(len(question.right) == 1 for question, _ in steps) and puzzle.odds <= MOST_ODDS
