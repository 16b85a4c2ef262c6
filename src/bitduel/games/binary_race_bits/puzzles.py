"""Puzzles of Binary Race with bits: which moves hold, which boards can come up, and beating a habit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import log2
from random import Random
from typing import ClassVar

from bitduel.core.game import OPEN, WON
from bitduel.core.lesson import LessonPosition
from bitduel.core.match import other_seat
from bitduel.core.phrases import join_with_and
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.puzzle import Candidate, Form, Pick, Puzzle, Question, Refutation, count_hint
from bitduel.games.binary_race_bits.rules import BITS, BitsPosition, BitsRules
from bitduel.games.binary_race_bits.words import spaced

SHEETS = 30
"""The sheets of boards for each number of bits and each player to move."""
COUNTS = ("none", "one", "two", "three", "four", "five", "six")
STRICT = "An end bit may be reset only while the bit beside it is 0."


@lru_cache(maxsize=64)
def reachable(game: BitsRules) -> dict[tuple[BitsPosition, int], tuple[str, ...]]:
    """Return the shortest moves to every position that can come up, with the seat to move there."""
    lines: dict[tuple[BitsPosition, int], tuple[str, ...]] = {(game.start(), 1): ()}
    queue = [*lines]
    for position, seat in queue:
        for move in legal_moves(game, position):
            after = game.play(position, move), other_seat(seat)
            if after not in lines:
                lines[after] = (*lines[position, seat], move)
                queue.append(after)
    return lines


def legal_moves(game: BitsRules, position: BitsPosition) -> list[str]:
    """Return the legal moves at a position; none once the match is over."""
    if game.verdict(position) != OPEN:
        return []
    return [move for move in game.moves if game.legal(position, move)]


def fills_row(game: BitsRules, position: BitsPosition, move: str) -> bool:
    """Return whether a move fills the row of the player who makes it."""
    return bool(game.verdict(game.play(position, move)) == WON)


def settled_positions(game: BitsRules) -> Iterator[tuple[BitsPosition, int]]:
    """Yield the positions at which both first turns are over, nobody has won, and somebody can move."""
    for position, seat in reachable(game):
        first_turns_over = position.my_exception == position.their_exception == 0
        if first_turns_over and position.mine | position.theirs and game.verdict(position) == OPEN:
            yield position, seat


def settings_sentences(game: BitsRules) -> str:
    """Return the settings that matter once the first turns are over, as sentences before a task."""
    sentences = [f"Each row has {game.bits} bits."] if game.bits != BITS else []
    sentences += [STRICT] if game.options["edge"] == "strict" else []
    sentences += ["Whenever all your bits are 0, you may flip any of them."] if game.first_move == "empty" else []
    return " ".join([*sentences, ""])


def bits_short(row: str) -> str:
    """Return how far a row is from being full."""
    missing = row.count("0")
    return "one bit short" if missing == 1 else f"{missing} bits short"


@dataclass(frozen=True, kw_only=True)
class BitsPuzzle(Puzzle):
    """A puzzle at a position after the first turns; its parameters name both rows."""

    @property
    def rules(self) -> BitsRules:
        """The rules with their settings."""
        assert isinstance(self.game, BitsRules)
        return self.game

    @cached_property
    def rows(self) -> BitsPosition:
        """The position of the solver, who is to move."""
        return BitsPosition(int(self.parameters["mine"], 2), int(self.parameters["theirs"], 2), 0, 0)

    @cached_property
    def position(self) -> LessonPosition:
        """The position, with the shortest moves that lead there."""
        lines = reachable(self.rules)
        return LessonPosition(self.game, next(lines[self.rows, seat] for seat in (1, 2) if (self.rows, seat) in lines))

    @property
    def opening(self) -> str:
        """The settings and both rows, as the beginning of a task."""
        mine, theirs = spaced(self.parameters["mine"]), spaced(self.parameters["theirs"])
        over = "" if self.rules.first_move == "empty" else " The first turns are over."
        return f"{settings_sentences(self.rules)}You have {mine}, your opponent {theirs}. It's your move.{over}"


@dataclass(frozen=True, kw_only=True)
class WhatHolds(BitsPuzzle):
    """Mark every move that is legal and does not lose at once."""

    kind: ClassVar[str] = "what-holds"
    form: ClassVar[Form] = Form.MARKS
    title: ClassVar[str] = "What holds?"

    @property
    def task(self) -> str:
        """Both rows, and what to mark."""
        return f"{self.opening} Mark every move that is legal and doesn't lose."

    @cached_property
    def losing(self) -> dict[str, str]:
        """The legal moves that lose, with the move that punishes each."""
        punished = {}
        for move in legal_moves(self.rules, self.rows):
            after = self.rules.play(self.rows, move)
            wins = [reply for reply in legal_moves(self.rules, after) if fills_row(self.rules, after, reply)]
            if wins:
                punished[move] = wins[0]
        return punished

    @cached_property
    def right(self) -> tuple[str, ...]:
        """The moves that hold."""
        return tuple(move for move in legal_moves(self.rules, self.rows) if move not in self.losing)

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the moves, all at once."""
        if answers:
            return None
        cells = tuple(Candidate(move) for move in self.game.moves[: 2 * self.rules.bits])
        prompt = "Which moves are legal and don't lose?"
        return Question(prompt=prompt, candidates=cells, right=self.right, pick=Pick.ALL, position=self.position)

    @property
    def is_alarm(self) -> bool:
        """Whether the opponent is one bit short."""
        return self.parameters["theirs"].count("0") == 1

    @property
    def hints(self) -> tuple[str, str, str]:
        """The number of missing bits, its consequence, and the number of marks with one of them."""
        theirs = self.parameters["theirs"]
        ends = "a 1 at an end of the block" + (" (a bit at the edge with a 1 beside it is safe)" * bool(self._strict))
        flips = "next to a 1" if self.parameters["mine"].strip("0") or self.rules.first_move != "empty" else "anywhere"
        idea = f"no danger yet, so every legal move is safe. You can flip a 0 {flips}, and reset {ends}."
        if self.is_alarm:
            idea = f"that is the danger sign. Only a reset helps, and you can only reset {ends}."
        return (
            "How many bits is your opponent short of a full row?",
            f"{spaced(theirs)} is {bits_short(theirs)}: {idea}",
            count_hint(self.right),
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The reason why exactly these moves hold."""
        theirs = self.parameters["theirs"]
        if not self.is_alarm:
            return (
                f"Your opponent has {spaced(theirs)} and is {bits_short(theirs)}, so nobody can lose in one move.",
                f"Every legal move is safe: {join_with_and(self.right)}.",
            )
        missing = theirs.index("0") + 1
        return (
            f"Your opponent has {spaced(theirs)} and wants to flip {missing}. If you flip, they fill their row.",
            f"After {' or '.join(self.right)} two bits are missing again.",
        )

    @property
    def _strict(self) -> bool:
        return self.rules.options["edge"] == "strict"

    @property
    def score(self) -> float:
        """The cells, an alarm, and an unusual edge or size."""
        return log2(2 * self.rules.bits) + 2 * self.is_alarm + self._strict + (self.rules.bits > BITS)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Name a move that is marked and should not be, or the other way round."""
        extra = [move for move in self.game.moves if move in wrong and move not in self.right]
        if not extra:
            missing = next(move for move in self.right if move not in wrong)
            return Refutation((f"A mark is missing: {missing} is legal and doesn't lose.",))
        move = extra[0]
        if move in self.losing:
            reply = self.losing[move]
            sentence = f"After {move}, your opponent plays {reply} and fills the row."
            return Refutation((sentence,), (move, reply))
        view = self.position.match.view(self.position.match.next_seat)
        return Refutation((f"You can't play {move}. {self.rules.words.why_illegal(view, move)}",))


@dataclass(frozen=True, kw_only=True)
class CanItHappen(Puzzle):
    """Mark the boards that can come up in legal play; the parameters name the player to move and both rows of each."""

    kind: ClassVar[str] = "can-it-happen"
    form: ClassVar[Form] = Form.BOARDS
    title: ClassVar[str] = "Can it happen?"

    @cached_property
    def boards(self) -> dict[str, tuple[str, str]]:
        """The rows of Player 1 and Player 2 on each board, by its letter."""
        boards = [board.split("/") for board in self.parameters["boards"].split()]
        return {chr(ord("A") + at): (first, second) for at, (first, second) in enumerate(boards)}

    @property
    def seat(self) -> int:
        """The player to move on every board."""
        return int(self.parameters["to-move"])

    @property
    def position(self) -> LessonPosition:
        """The start of the match."""
        return LessonPosition(self.game)

    @property
    def task(self) -> str:
        """The player to move, the rows, and what to mark."""
        assert isinstance(self.game, BitsRules)
        boards = "; ".join(f"{letter} {first} and {second}" for letter, (first, second) in self.boards.items())
        return (
            f"{settings_sentences(self.game)}It is Player {self.seat}'s turn. These are the rows of Player 1 and "
            f"Player 2: {boards}. Mark every board that can come up in a match."
        )

    @cached_property
    def right(self) -> tuple[str, ...]:
        """The letters of the boards that can come up."""
        assert isinstance(self.game, BitsRules)
        possible = possible_boards(self.game, self.seat)
        return tuple(letter for letter, rows in self.boards.items() if rows in possible)

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the boards, all at once."""
        if answers:
            return None
        boards = tuple(Candidate(letter, " and ".join(rows), _draw(*rows)) for letter, rows in self.boards.items())
        return Question(prompt="Which boards can come up?", candidates=boards, right=self.right, pick=Pick.ALL)

    @property
    def _counts(self) -> str:
        """The law of the counts, for the player to move."""
        return "both rows have the same number of 1s" if self.seat == 1 else "Player 1 is exactly one 1 ahead"

    @property
    def hints(self) -> tuple[str, str, str]:
        """The shape and the counts, the two laws, and one board with the number of all."""
        return (
            "First look at the shape of each row. Then count the 1s.",
            f"The 1s in a row always form one block. And when Player {self.seat} is to move, {self._counts}.",
            f"{len(self.right)} boards can come up. One is {self.right[0]}.",
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The two laws, and what is wrong with each other board."""
        others = [self._why_not(letter) for letter in self.boards if letter not in self.right]
        return (
            "A flip adds a 1 next to a 1, and a reset takes one from an end. So the 1s in a row form one block.",
            "Each turn, the player to move gains one 1 on the other, by a flip or by a reset. So when it is "
            f"Player {self.seat}'s turn, {self._counts}.",
            *others,
        )

    def _why_not(self, letter: str) -> str:
        """Return why a board cannot come up."""
        rows = self.boards[letter]
        broken = [row for row in rows if "0" in row.strip("0")]
        if broken:
            return f"{letter}: {broken[0]} is not one block."
        first, second = (row.count("1") for row in rows)
        return f"{letter}: the 1s don't fit. Player 1 has {COUNTS[first]}, and Player 2 has {COUNTS[second]}."

    @property
    def score(self) -> float:
        """The boards, the two laws, and an unusual size."""
        count = len(self.boards)
        return count / 2 + max(0, count - 6) + 2 + (len(self.boards["A"][0]) > BITS)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Name a board that is marked and should not be, or the other way round."""
        extra = [letter for letter in self.boards if letter in wrong and letter not in self.right]
        if extra:
            return Refutation((f"One of your boards can't come up. {self._why_not(extra[0])}",))
        missing = next(letter for letter in self.right if letter not in wrong)
        assert isinstance(self.game, BitsRules)
        moves = join_with_and(possible_boards(self.game, self.seat)[self.boards[missing]])
        return Refutation((f"{missing} is missing. It can come up: {moves}.",))


def _draw(first: str, second: str) -> Picture:
    """Draw a board without moves."""
    rows = []
    for seat, row in ((1, first), (2, second)):
        cells = (Cell(bit, str(place), Mark.ON if bit == "1" else Mark.OFF) for place, bit in enumerate(row, 1))
        rows.append(Row(f"Player {seat}", tuple(cells), seat))
    return Picture(f"Player 1 has {spaced(first)}. Player 2 has {spaced(second)}.", rows=tuple(rows))


@lru_cache(maxsize=16)
def possible_boards(game: BitsRules, seat: int) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the rows of Player 1 and Player 2 that can come up with this player to move, and the moves to each."""
    boards: dict[tuple[str, str], tuple[str, ...]] = {}
    for (position, to_move), moves in reachable(game).items():
        if to_move == seat and game.verdict(position) == OPEN:
            mine, theirs = (format(row, f"0{game.bits}b") for row in position[:2])
            boards.setdefault((mine, theirs) if seat == 1 else (theirs, mine), moves)
    return boards


def what_holds(game: BitsRules) -> Iterator[WhatHolds]:
    """Yield a puzzle for every position at which the player to move cannot win at once.

    Where an empty row may be flipped anywhere, only that is new.
    """
    for position, _ in settled_positions(game):
        is_new = game.first_move != "empty" or not position.mine
        if is_new and not any(fills_row(game, position, move) for move in legal_moves(game, position)):
            mine, theirs = (format(row, f"0{game.bits}b") for row in position[:2])
            yield WhatHolds(game=game, parameters={"mine": mine, "theirs": theirs})


def can_it_happen(game: BitsRules, seat: int) -> Iterator[CanItHappen]:
    """Yield sheets of boards, each with a broken block and with a wrong count, the same ones every time."""
    every = [format(row, f"0{game.bits}b") for row in range(game.full)]
    blocks = [row for row in every if "0" not in row.strip("0")]
    possible = sorted(rows for rows in possible_boards(game, seat) if "1" in rows[0] and "1" in rows[1])
    ahead = seat - 1
    gaps = [(one.count("1") - two.count("1"), one, two) for one, two in product(every, every)]
    miscounted = [(one, two) for gap, one, two in gaps if abs(gap - ahead) == 1 and {one, two} <= {*blocks[1:]}]
    broken = [(one, two) for gap, one, two in gaps if gap == ahead and (one in blocks) != (two in blocks)]
    cells = 8 if game.bits > BITS + 1 else 6
    for sheet in range(SHEETS):
        rng = Random(f"{game.bits} {seat} {sheet}")
        right = rng.randint(2, cells - 3)
        breaks = rng.randint(1, cells - right - 1)
        boards = rng.sample(possible, right) + rng.sample(broken, breaks)
        boards += rng.sample(miscounted, cells - right - breaks)
        rng.shuffle(boards)
        yield CanItHappen(game=game, parameters={"to-move": str(seat), "boards": " ".join(map("/".join, boards))})
