"""The contract: what a game tells about itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import IntEnum
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from bitduel.core.errors import IllegalMoveError, UnreadableMoveError, shown
from bitduel.core.options import Option, Value, parse_all

if TYPE_CHECKING:
    from bitduel.core.judge import Judge
    from bitduel.core.picture import Picture
    from bitduel.core.view import View
    from bitduel.core.words import Words

Number: TypeAlias = Any
"""A whole number, or an array of them: the rules are arithmetic that works on both."""

Truth: TypeAlias = Any
"""True or False, or an array of them."""

PASS = "pass"
"""The move of a player who has no other; legal only there."""


class Verdict(IntEnum):
    """How a position stands for the player who just moved."""

    OPEN = 0
    WON = 1
    LOST = 2
    DRAWN = 3


class Outcome(NamedTuple):
    """How a match ended: who won (None for a draw) and why."""

    winner: int | None
    reason: str


REPETITION = "repetition"
RESIGNATION = "resignation"

P = TypeVar("P", bound=tuple[Any, ...])


class Game(ABC, Generic[P]):
    """Rules with options chosen; positions are named tuples seen by the player to move."""

    slug: ClassVar[str]
    short: ClassVar[str]
    title: ClassVar[str]
    aim: ClassVar[str]
    declared: ClassVar[tuple[Option, ...]]
    reasons: ClassVar[Mapping[int, str]]
    """Why a match ended, for each verdict that ends it; one word each."""

    def __init__(self, /, **options: object) -> None:
        self.options: dict[str, Value] = parse_all(
            self.declared, {name.replace("_", "-"): value for name, value in options.items()}
        )
        self._turns: dict[P, Turn[P]] = {}
        self._openings: dict[str, Turn[P]] = {}

    @property
    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """Every move there is; a move is its text and its index is its action number."""

    @abstractmethod
    def start(self, deal: str = "") -> P:
        """The position before the first move, after what chance has dealt."""

    @abstractmethod
    def legal(self, position: P, move: str) -> Truth:
        """Whether the player to move may make this move; no move is legal once the game is over."""

    @abstractmethod
    def play(self, position: P, move: str) -> P:
        """The position after a legal move, seen by the other player."""

    @abstractmethod
    def verdict(self, position: P) -> Number:
        """How the position stands for the player who just moved, as a Verdict."""

    @abstractmethod
    def see(self, position: P, to_move: bool, over: bool) -> tuple[Any, ...]:
        """What a seat may see of a position: a named tuple filled field by field."""

    def watch(self, position: P, over: bool) -> tuple[Any, ...]:
        """What a spectator may see of a position where the seats see different things."""
        return self.see(position, True, over)

    @property
    @abstractmethod
    def ranges(self) -> tuple[int, ...]:
        """For each field of a position, a number that it is always less than; no field is negative."""

    @property
    def size(self) -> int | None:
        """About how many positions can be reached, where that is known without counting."""
        return None

    def judge(self) -> "Judge | None":
        """What the game itself knows of the worth of moves, beyond any table of positions."""
        return None

    @property
    @abstractmethod
    def words(self) -> "Words":
        """Every sentence of the game."""

    @abstractmethod
    def picture(self, view: "View", names: tuple[str, str]) -> "Picture":
        """What the seat of the view sees, as drawing data."""

    @property
    def hidden(self) -> bool:
        """Whether the seats see different things."""
        return False

    @property
    def chance(self) -> bool:
        """Whether something is dealt by chance, so that positions alone do not tell what moves are worth."""
        return any(option.secret for option in self.declared)

    def deal(self, rng: Random) -> str:
        """What chance decides before the first move, as text; nothing in most games."""
        return ""

    def any_deal(self) -> str:
        """Some deal, for looking at the start, where a deal does not matter yet."""
        return self.deal(Random(0))

    @property
    def repetition(self) -> int:
        """How many times a position must come up to be a draw; 0 for never."""
        return 0

    @cached_property
    def open_options(self) -> dict[str, Value]:
        """The options that players may see during a match."""
        secret = {option.name for option in self.declared if option.secret}
        return {name: value for name, value in self.options.items() if name not in secret}

    def opening(self, deal: str = "") -> "Turn[P]":
        """What can be done at the start; kept like every turn."""
        found = self._openings.get(deal)
        if found is None:
            found = self._openings[deal] = self.turn(self.start(deal))
        return found

    def turn(self, position: P) -> "Turn[P]":
        """What can be done at a position; kept, so that playing on is a look-up."""
        found = self._turns.get(position)
        if found is None:
            if len(self._turns) >= 100_000:
                self._turns.clear()
            found = self._turns[position] = Turn(self, position)
        return found


class Turn(Generic[P]):
    """A position with its verdict, its legal moves and where they lead."""

    __slots__ = ("_game", "legal", "position", "then", "verdict")

    def __init__(self, game: Game[P], position: P) -> None:
        self._game = game
        self.position = position
        self.verdict = int(game.verdict(position))
        self.legal = tuple(move for move in game.moves if game.legal(position, move))
        self.then: dict[str, Turn[P]] = {}
        """Where the moves lead that have been asked for so far."""

    def after(self, move: str) -> "Turn[P]":
        """The turn a legal move leads to; raises MoveError for any other text."""
        turn = self.then.get(move)
        if turn is None:
            if move not in self.legal:
                raise self._refusal(move)
            turn = self.then[move] = self._game.turn(self._game.play(self.position, move))
        return turn

    def _refusal(self, move: str) -> UnreadableMoveError | IllegalMoveError:
        legal = ", ".join(self.legal) or "none, the game is over"
        if move in self._game.moves:
            return IllegalMoveError(f"'{move}' is not possible now. Possible: {legal}.")
        return UnreadableMoveError(f"'{shown(move)}' is not a move. Possible: {legal}.")
