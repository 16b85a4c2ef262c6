"""The contract: what a game tells about itself."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from bitduel.core.errors import OptionError
from bitduel.core.options import Option, Setting, parse_all
from bitduel.core.turn import Turn

if TYPE_CHECKING:
    from fractions import Fraction

    from bitduel.core.certificate import Certificate
    from bitduel.core.evaluator import Evaluator
    from bitduel.core.lesson import Lesson
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


OPEN, WON, LOST, DRAWN = Verdict


class Deal(NamedTuple):
    """Something that chance can decide before the first move, and how likely that is."""

    text: str
    probability: "Fraction"


class Feature(NamedTuple):
    """One whole number about what a seat may see: its name, and the lowest and highest it can be."""

    name: str
    low: int
    high: int


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
    large: ClassVar[Mapping[str, Setting]] = {}
    """Options that make the game large enough to measure how fast it is solved."""
    surveys: ClassVar[tuple[Mapping[str, str], ...]] = ()
    """Options and their values over which it is worth looking who wins, the most telling first: {"target": "2..99"}."""
    checker: ClassVar[str] = ""
    """The script in checkers/ that states the rules of the game by itself; a game from outside may have its own."""
    most_turns: ClassVar[int] = 1 << 14
    """So many turns are kept at the most; then it begins anew."""

    def __init__(self, /, **options: object) -> None:
        self.options: dict[str, Setting] = parse_all(
            self.declared, {name.replace("_", "-"): value for name, value in options.items()}
        )
        self.turns: dict[P, Turn[P]] = {}
        """The turns that are kept, by position; their number is bounded."""
        self.rest = 0
        """So many turns are made without being kept, because few of those kept last were met again."""
        self.openings: dict[str, Turn[P]] = {}
        """The turns before the first move that are kept, by deal."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self), *self.options.items()))

    def __repr__(self) -> str:
        usual = {option.name: option.default for option in self.declared}
        chosen = {name: value for name, value in self.options.items() if value != usual[name]}
        told = {name: repr(value) if name in self.open_options else "..." for name, value in chosen.items()}
        words = "".join(f", {name.replace('-', '_')}={value}" for name, value in told.items())
        return f"make({self.slug!r}{words})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), dict(self.options))

    @property
    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """Every move there is; a move is its text and its index is its action number."""

    @abstractmethod
    def start(self, deal: str = "") -> P:
        """The position before the first move, after what chance has dealt."""

    def legal(self, position: P, move: str) -> Truth:
        """Whether the player to move may make this move: any, until the game is over, unless the rules say less."""
        return self.verdict(position) == OPEN

    @abstractmethod
    def play(self, position: P, move: str) -> P:
        """The position after a legal move, seen by the other player."""

    @abstractmethod
    def verdict(self, position: P) -> Number:
        """How the position stands for the player who just moved, as a Verdict."""

    @abstractmethod
    def observe(self, position: P, to_move: bool, over: bool) -> tuple[Any, ...]:
        """What a seat may see of a position: a named tuple filled field by field."""

    def observe_as_spectator(self, position: P) -> tuple[Any, ...]:
        """What a spectator may see where the seats see different things, while the match goes on."""
        raise NotImplementedError(f"{self.slug} is hidden, so it must say what a spectator sees")

    @property
    @abstractmethod
    def ranges(self) -> tuple[int, ...]:
        """For each field of a position, a number that it is always less than; no field is negative."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """What a seat may see as whole numbers, for learners: always as many, each in its range.

        Without a word of its own a game shows both seats the fields of its position; one that hides something
        must say what.
        """
        if not self.transparent:
            raise NotImplementedError(f"{self.slug} hides something, so it must say what learners see")
        fields: tuple[str, ...] = type(self.start())._fields  # type: ignore[attr-defined]
        return tuple(Feature(name, 0, end - 1) for name, end in zip(fields, self.ranges, strict=True))

    def encode_view(self, view: "View") -> tuple[int, ...]:
        """The features of what one seat sees."""
        return tuple(view.position)

    def encode_positions(self, position: P, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """The same of a position or arrays of them after so many moves, for the seat to move or the one that waits."""
        return tuple(position)

    @property
    def size(self) -> int | None:
        """About how many positions can be reached, where that is known without counting."""
        return None

    def evaluator(self) -> "Evaluator | None":
        """What the game itself knows of the worth of moves, beyond any table of positions."""
        return None

    def certificate(self) -> "Certificate | None":
        """What the game itself can prove of its start, beyond any table of positions."""
        return None

    def recall(self, known: Mapping[str, int]) -> "tuple[list[str], str] | None":
        """Where seats see different things: one's own moves after which one sees this, and a deal; None for neither."""
        return None

    @classmethod
    def lesson(cls) -> "Lesson | None":
        """Steps that lead from the rules to best play; a game need not have any."""
        return None

    @property
    @abstractmethod
    def words(self) -> "Words":
        """Every sentence of the game."""

    @property
    def goal(self) -> str:
        """The aim, with the options as chosen."""
        return self.words.aim() or self.aim

    @abstractmethod
    def picture(self, view: "View", names: tuple[str, str]) -> "Picture":
        """What the seat of the view sees, as drawing data."""

    @property
    def hidden(self) -> bool:
        """Whether the seats see different things."""
        return False

    def deals(self) -> Iterator[Deal]:
        """Everything that chance can deal before the first move; in most games it deals nothing."""
        from fractions import Fraction

        yield Deal("", Fraction(1))

    @property
    def fixed_deal(self) -> str | None:
        """What is dealt for certain because an option chose it, or None."""
        return None

    def dealt(self, deal: str) -> "Game[P]":
        """The same game with this deal chosen; itself where nothing is dealt."""
        return self

    @cached_property
    def chance(self) -> bool:
        """Whether something is dealt that nobody sees, so that positions alone do not tell what moves are worth."""
        return type(self).deals is not Game.deals

    @cached_property
    def transparent(self) -> bool:
        """Whether nothing at all is hidden from anybody: a position may be shown as it is."""
        return not (self.chance or self.hidden)

    def deal(self, rng: Random) -> str:
        """What chance decides before the first move, as text; nothing in most games."""
        if not self.chance:
            return ""
        if self.fixed_deal is not None:
            return self.fixed_deal
        deals = list(self.deals())
        return rng.choices([deal.text for deal in deals], [float(deal.probability) for deal in deals])[0]

    def any_deal(self) -> str:
        """Some deal, for looking at the start, where a deal does not matter yet."""
        return self.deal(Random(0))

    @cached_property
    def repetition(self) -> int:
        """How many times a position must come up to be a draw; 0 for never."""
        return 0

    @cached_property
    def open_options(self) -> dict[str, Setting]:
        """The options that players may see during a match."""
        secret = {option.name for option in self.declared if option.secret}
        return {name: value for name, value in self.options.items() if name not in secret}

    @cached_property
    def offers_all(self) -> bool:
        """Whether every move is legal until the game is over."""
        return type(self).legal is Game.legal

    def opening(self, deal: str = "") -> Turn[P]:
        """What can be done at the start; kept like every turn."""
        found = self.openings.get(deal)
        if found is None:
            if not isinstance(deal, str) or (deal and not self.chance):
                raise OptionError("Nothing like that is dealt in this game.")
            if self.fixed_deal not in (None, deal):
                raise OptionError("What is dealt is not what the options chose.")
            if len(self.openings) >= self.most_turns:
                self.forget()
            found = self.openings[deal] = self.turn(self.start(deal))
        return found

    def turn(self, position: P) -> Turn[P]:
        """What can be done at a position; kept, so that playing on is a look-up."""
        turn = self.turns.get(position)
        if turn is None:
            if len(self.turns) >= self.most_turns:
                self.forget()
            turn = self.turns[position] = Turn(self, position)
        return turn

    def forget(self) -> None:
        """Let go of all kept turns, and of their links, or a chain of them would live on in every match."""
        turns, self.turns, self.openings = self.turns, {}, {}
        met_again = 0
        for turn in turns.values():
            met_again += bool(turn.then)
            turn.then = {}
        self.rest = 4 * self.most_turns if met_again < len(turns) // 4 else 0

    def keep_nothing(self) -> None:
        """From now on every turn is made anew: what is met again would come sooner, and so tell that it was met."""
        self.forget()
        self.rest = 1 << 62


def _remake(kind: type[Game[P]], options: dict[str, Setting]) -> Game[P]:
    return kind(**options)
