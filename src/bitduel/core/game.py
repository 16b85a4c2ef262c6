"""The contract for games: the rules, the options, and what else a game declares."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from bitduel.core.errors import IllegalMoveError, OptionError, UnreadableMoveError, printable
from bitduel.core.options import Option, OptionValue, parse_all

if TYPE_CHECKING:
    from fractions import Fraction

    from bitduel.core.certificate import Certificate
    from bitduel.core.evaluation import Evaluation, Evaluator
    from bitduel.core.picture import Picture
    from bitduel.core.view import View
    from bitduel.core.words import Words

Number: TypeAlias = Any
"""An integer, or an array of integers: the rules are arithmetic that works on both."""

Truth: TypeAlias = Any
"""True or False, or an array of them."""

PASS = "pass"
"""The move of a player who has no other move; legal only there."""


class Verdict(IntEnum):
    """The verdict on a position for the player who just moved."""

    OPEN = 0
    WON = 1
    LOST = 2
    DRAWN = 3


OPEN, WON, LOST, DRAWN = Verdict


class Deal(NamedTuple):
    """A deal, which chance decides before the first move, and its probability."""

    text: str
    probability: "Fraction"


class Feature(NamedTuple):
    """One integer of an observation: its name, and the lowest and highest value."""

    name: str
    low: int
    high: int


class Variant(NamedTuple):
    """A game with other settings that is livelier: its name, and why; with what the solver finds there."""

    name: str
    options: "Mapping[str, OptionValue]"
    reason: str
    """One sentence for people who choose."""
    value: str | None = None
    """The value for the player who starts: win, draw or loss; None with hidden information."""
    plies: int | None = None
    win_probability: float | None = None

    def as_data(self) -> "dict[str, Any]":
        """Return what people choose by as JSON-ready data."""
        return {"name": self.name, "options": dict(self.options), "reason": self.reason}


P = TypeVar("P", bound=tuple[Any, ...])


class Turn(Generic[P]):
    """A position with its verdict, its legal moves and the turns after them."""

    __slots__ = ("_game", "legal", "may_end", "position", "successors", "verdict")

    legal: tuple[str, ...]
    may_end: int
    """A number other than 0 if the match is over, or may be over by repetition."""

    def __init__(self, game: "Game[P]", position: P) -> None:
        self._game = game
        self.position = position
        self.verdict = verdict = game.verdict(position)
        self.may_end = verdict or game.repetition
        if game.allows_every_move:
            self.legal = () if verdict else game.moves
        else:
            self.legal = tuple([move for move in game.moves if game.legal(position, move)])
        self.successors: dict[str, Turn[P]] = {}
        """The turns after moves that led to a cached turn; most turns of a wide game are met only once."""

    def after(self, move: str) -> "Turn[P]":
        """Return the turn after a legal move; raise MoveError for any other text."""
        turn = self.successors.get(move)
        if turn is not None:
            return turn
        if move not in self.legal:
            raise self._error(move)
        game = self._game
        position = game.play(self.position, move)
        if game.uncached_turns:
            game.uncached_turns -= 1
            return Turn(game, position)
        turn = game.turns.get(position)
        if turn is None:
            return game.turn(position)
        self.successors[move] = turn
        return turn

    def _error(self, move: str) -> UnreadableMoveError | IllegalMoveError:
        choices = f"Choose from: {', '.join(self.legal)}." if self.legal else "The game is over."
        if move in self._game.moves:
            return IllegalMoveError(f"You can't play '{move}' now. {choices}")
        return UnreadableMoveError(f"'{printable(str(move))}' is not a move. {choices}")


class Game(ABC, Generic[P]):
    """The rules of a game with its options chosen; a position is a named tuple, seen by the player to move."""

    slug: ClassVar[str]
    short: ClassVar[str]
    title: ClassVar[str]
    aim: ClassVar[str]
    declared_options: ClassVar[tuple[Option, ...]]
    reasons: ClassVar[Mapping[int, str]]
    """The reason for each verdict that ends a match, one word each."""
    benchmark_options: ClassVar[Mapping[str, OptionValue]] = {}
    """Options that make the game large enough to measure the speed of solving."""
    longest_forced_win: ClassVar[int | None] = None
    """The most plies that a forced win takes with any options, where the game knows it."""
    surveys: ClassVar[tuple[Mapping[str, str], ...]] = ()
    """Ranges of options for an atlas of who wins, the most instructive first: {"target": "2..99"}."""
    variants: ClassVar[tuple[Variant, ...]] = ()
    """Two or three livelier settings that people may like to try."""
    checker: ClassVar[str] = ""
    """The script in checkers/ that restates the rules; a game from outside may have its own."""
    max_cached_turns: ClassVar[int] = 1 << 14
    """The number of cached turns at which the cache is cleared."""

    def __init__(self, /, **options: object) -> None:
        self.options: dict[str, OptionValue] = parse_all(
            self.declared_options, {name.replace("_", "-"): value for name, value in options.items()}
        )
        self.turns: dict[P, Turn[P]] = {}
        """Cached turns by position."""
        self.uncached_turns = 0
        """The number of turns to make without caching, because few of those cached last were met again."""
        self.openings: dict[str, Turn[P]] = {}
        """Cached turns before the first move, by deal."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self), *self.options.items()))

    def __repr__(self) -> str:
        shown = {name: repr(value) if name in self.open_options else "..." for name, value in self.options.items()}
        arguments = [f", {name.replace('-', '_')}={shown[name]}" for name in self._chosen_options]
        return f"make({self.slug!r}{''.join(arguments)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), dict(self.options))

    @property
    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """Every move of the game, in a fixed order: a move is its text, and its index is its action number."""

    @abstractmethod
    def start(self, deal: str = "") -> P:
        """Return the position before the first move."""

    def legal(self, position: P, move: str) -> Truth:
        """Return whether the player to move may make a move; by default any move, until the game is over."""
        return self.verdict(position) == OPEN

    @abstractmethod
    def play(self, position: P, move: str) -> P:
        """Return the position after a legal move, seen by the other player."""

    @abstractmethod
    def verdict(self, position: P) -> Number:
        """Return the Verdict on a position for the player who just moved."""

    @abstractmethod
    def observe(self, position: P, to_move: bool, over: bool) -> tuple[Any, ...]:
        """Return what a seat may see of a position, as a named tuple filled field by field."""

    def observe_as_spectator(self, position: P) -> tuple[Any, ...]:
        """Return what a spectator may see during a match, where the seats see different things."""
        raise NotImplementedError(f"{self.slug} is hidden, so it must say what a spectator sees")

    @property
    @abstractmethod
    def ranges(self) -> tuple[int, ...]:
        """An upper bound for each field of a position, exclusive; no field is negative."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The integers of an observation, for learners; by default the fields of the position.

        A game without perfect information must define its own.
        """
        if not self.has_perfect_information:
            raise NotImplementedError(f"{self.slug} hides something, so it must say what learners see")
        fields: tuple[str, ...] = type(self.start())._fields  # type: ignore[attr-defined]
        return tuple(Feature(name, 0, end - 1) for name, end in zip(fields, self.ranges, strict=True))

    def encode_view(self, view: "View") -> tuple[int, ...]:
        """Return the features of a view."""
        return tuple(view.position)

    def encode_positions(self, position: P, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Return the features of a position, or of arrays, after `ply` moves, for the seat to move or the other."""
        return tuple(position)

    @property
    def size(self) -> int | None:
        """The approximate number of reachable positions, or None if that would take counting."""
        return None

    def evaluator(self) -> "Evaluator | None":
        """Return the game's own evaluator, if it has one that needs no table of positions."""
        return None

    def certificate(self) -> "Certificate | None":
        """Return the game's own certificate, if it has one that needs no table of positions."""
        return None

    def certificate_heading(self, start: "Evaluation") -> dict[str, Any]:
        """Return the first entries of a certificate of a game with perfect information.

        The command repeats the options, so that a checker sees when somebody changed only one of the two.
        """
        return {
            "game": self.slug,
            "options": dict(self.open_options),
            "command": self.proof_command(),
            "value": str(start.value),
            "plies": start.plies,
        }

    def proof_command(self, with_defaults: bool = True) -> str:
        """Return the command that proves the game, with or without the options that have their default."""
        names = [name for name in self.open_options if with_defaults or name in self._chosen_options]
        return f"bitduel prove {self.slug}" + "".join(f" --set {name}={self.options[name]}" for name in names)

    def moves_to_see(self, known: Mapping[str, int]) -> "tuple[list[str], str] | None":
        """Return own moves and a deal after which a seat sees these fields, where the seats see different things."""
        return None

    @property
    @abstractmethod
    def words(self) -> "Words":
        """Every sentence of the game."""

    @property
    def goal(self) -> str:
        """The aim with the chosen options."""
        return self.words.aim() or self.aim

    @abstractmethod
    def picture(self, view: "View", names: tuple[str, str]) -> "Picture":
        """Return drawing data of a view."""

    @property
    def is_hidden(self) -> bool:
        """Whether the seats see different things."""
        return False

    def deals(self) -> Iterator[Deal]:
        """Yield every deal; by default nothing is dealt."""
        from fractions import Fraction

        yield Deal("", Fraction(1))

    @property
    def fixed_deal(self) -> str | None:
        """The deal that an option chose, or None."""
        return None

    def with_deal(self, deal: str) -> "Game[P]":
        """Return the same game with a deal chosen; the game itself if nothing is dealt."""
        return self

    @cached_property
    def has_chance(self) -> bool:
        """Whether something is dealt that nobody sees."""
        return type(self).deals is not Game.deals

    @cached_property
    def has_perfect_information(self) -> bool:
        """Whether nothing is hidden from anybody, so that the position itself may be shown."""
        return not (self.has_chance or self.is_hidden)

    def deal(self, rng: Random) -> str:
        """Draw a deal; an empty text if nothing is dealt."""
        if not self.has_chance:
            return ""
        if self.fixed_deal is not None:
            return self.fixed_deal
        deals = list(self.deals())
        return rng.choices([deal.text for deal in deals], [float(deal.probability) for deal in deals])[0]

    def any_deal(self) -> str:
        """Return some deal, for uses in which it does not matter."""
        return self.deal(Random(0))

    @cached_property
    def repetition(self) -> int:
        """The number of times that a position must come up for a draw; 0 for never."""
        return 0

    @cached_property
    def open_options(self) -> dict[str, OptionValue]:
        """The options that players may see during a match."""
        secret = {option.name for option in self.declared_options if option.is_secret}
        return {name: value for name, value in self.options.items() if name not in secret}

    @property
    def _chosen_options(self) -> list[str]:
        return [option.name for option in self.declared_options if self.options[option.name] != option.default]

    @cached_property
    def allows_every_move(self) -> bool:
        """Whether every move is legal until the game is over."""
        return type(self).legal is Game.legal

    def opening_turn(self, deal: str = "") -> Turn[P]:
        """Return the turn before the first move, from the cache if it is there."""
        turn = self.openings.get(deal)
        if turn is None:
            if not isinstance(deal, str) or (deal and not self.has_chance):
                raise OptionError("Nothing is dealt in this game.")
            if self.fixed_deal not in (None, deal):
                raise OptionError("That deal is not the one in the settings.")
            if len(self.openings) >= self.max_cached_turns:
                self.clear_cache()
            turn = self.openings[deal] = self.turn(self.start(deal))
        return turn

    def turn(self, position: P) -> Turn[P]:
        """Return the turn at a position, from the cache if it is there."""
        turn = self.turns.get(position)
        if turn is None:
            if len(self.turns) >= self.max_cached_turns:
                self.clear_cache()
            turn = self.turns[position] = Turn(self, position)
        return turn

    def clear_cache(self) -> None:
        """Forget all turns and the links between them, which would keep a chain of turns alive in every match."""
        turns, self.turns, self.openings = self.turns, {}, {}
        met_again = 0
        for turn in turns.values():
            met_again += bool(turn.successors)
            turn.successors = {}
        self.uncached_turns = 4 * self.max_cached_turns if met_again < len(turns) // 4 else 0

    def disable_cache(self) -> None:
        """Cache no turn from now on: a faster answer would tell that a position had come up before."""
        self.clear_cache()
        self.uncached_turns = 1 << 62


def _remake(kind: type[Game[P]], options: dict[str, OptionValue]) -> Game[P]:
    return kind(**options)
