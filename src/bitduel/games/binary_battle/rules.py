"""Binary Battle: toggle one bit a turn until your number is the secret one."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from random import Random
from typing import NamedTuple

from bitduel.core.arithmetic import choose, larger, smaller
from bitduel.core.certificate import Certificate
from bitduel.core.errors import OptionError
from bitduel.core.evaluator import Evaluator
from bitduel.core.game import OPEN, WON, Deal, Feature, Game, Number
from bitduel.core.lesson import Lesson
from bitduel.core.options import Choice, SecretBits, Whole
from bitduel.core.picture import Picture
from bitduel.core.view import View
from bitduel.games.binary_battle import picture
from bitduel.games.binary_battle.words import BinaryBattleWords

MOST_BITS = 31

LAST_TURN = 8
"""For learners all turns from this many for each bit on are the same; sensible play is long over by then."""


class BattlePosition(NamedTuple):
    """Both numbers, what each player has learnt of the secret (from low to high), and the secret."""

    mine: Number
    theirs: Number
    my_low: Number
    my_high: Number
    their_low: Number
    their_high: Number
    secret: Number


_position: Callable[[tuple[Number, ...]], BattlePosition] = partial(tuple.__new__, BattlePosition)
"""Makes a position of its fields in order, without the detour through their names: most of playing is this."""


class BattleBoard(NamedTuple):
    """What a seat sees: its own number and where the secret can be; the rest only when it may."""

    mine: str | None
    low: int
    high: int
    theirs: str | None = None
    secret: str | None = None


class BinaryBattle(Game[BattlePosition]):
    """Two numbers in the dark; the first to match the secret wins."""

    slug = "binary-battle"
    short = "battle"
    title = "Binary Battle"
    aim = "Toggle one bit a turn; be the first to hit the secret number."
    declared = (
        Whole("bits", 5, "how many bits the numbers have", 1, MOST_BITS, quick=5),
        SecretBits("secret", "", "the secret number, for puzzles and tests (dealt by chance if not given)", MOST_BITS),
        Choice(
            "table",
            "hidden",
            "what a player sees",
            {
                "hidden": "only one's own number and feedback",
                "open": "everything but the secret",
            },
        ),
    )
    reasons = {WON: "match"}
    surveys = ({"table": "hidden,open", "bits": "1..5"}, {"bits": "1..5"})

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.bits = int(self.options["bits"])
        self.secret = str(self.options["secret"])
        if self.secret and len(self.secret) != self.bits:
            raise OptionError(f"secret must be {self.bits} binary digits, not '{self.secret}'")
        self.bit_of = {f"toggle {place}": 1 << self.bits - place for place in range(1, self.bits + 1)}

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """One toggle for each bit, from left to right."""
        return tuple(self.bit_of)

    @property
    def hidden(self) -> bool:
        """Whether the seats see different things."""
        return self.options["table"] == "hidden"

    def deals(self) -> Iterator[Deal]:
        """The secret: as chosen, or each number equally likely."""
        from fractions import Fraction

        if self.secret:
            return iter((Deal(self.secret, Fraction(1)),))
        numbers = 1 << self.bits
        return (Deal(self.row(number), Fraction(1, numbers)) for number in range(numbers))

    @property
    def fixed_deal(self) -> str | None:
        """The secret, where an option chose it."""
        return self.secret or None

    def dealt(self, deal: str) -> "BinaryBattle":
        """The same game with this secret."""
        return type(self)(**{**self.options, "secret": deal})

    def deal(self, rng: Random) -> str:
        """One of the deals, without listing them."""
        return self.secret or self.row(rng.randrange(1 << self.bits))

    def recall(self, known: Mapping[str, int]) -> tuple[list[str], str] | None:
        """The toggles after which a player has this number and knows this of the secret, and its least value."""
        from bitduel.games.binary_battle.history import toggles_to

        line = toggles_to(self.bits, (known["mine"], known["low"], known["high"]))
        return None if line is None else ([f"toggle {place}" for place in line], self.row(known["low"]))

    def start(self, deal: str = "") -> BattlePosition:
        """Both numbers 0; nobody knows anything about the secret."""
        if len(deal) != self.bits or not set(deal) <= {"0", "1"}:
            raise OptionError(f"The secret that is dealt must be {self.bits} binary digits.")
        last = (1 << self.bits) - 1
        return BattlePosition(0, 0, my_low=0, my_high=last, their_low=0, their_high=last, secret=int(deal, 2))

    def play(self, position: BattlePosition, move: str) -> BattlePosition:
        """Toggle one bit and learn whether the number is less than, greater than or equal to the secret."""
        mine, theirs, low, high, their_low, their_high, secret = position
        number = mine ^ self.bit_of[move]
        raised = (low <= number) & (number <= secret)
        lowered = (number <= high) & (number >= secret)
        low = low + raised * (number + (number < secret) - low)
        high = high + lowered * (number - (number > secret) - high)
        return _position((theirs, number, their_low, their_high, low, high, secret))

    def verdict(self, position: BattlePosition) -> Number:
        """Only a number reached by a turn wins: its player then knows the secret and stands on it."""
        _, number, _, _, low, high, _ = position
        return WON * ((low == high) & (number == low))

    @property
    def ranges(self) -> tuple[int, ...]:
        """Any number of so many bits, in every field."""
        return (1 << self.bits,) * len(BattlePosition._fields)

    @property
    def features(self) -> tuple[Feature, ...]:
        """Who began, one's turn, one's number and where the secret can be; on an open table the other's number too."""
        names = ("number", "low", "high") if self.hidden else ("number", "theirs", "low", "high")
        last = (1 << self.bits) - 1
        turns = (Feature("order", 1, 2), Feature("turn", 1, LAST_TURN * self.bits))
        return (*turns, *(Feature(name, 0, last) for name in names))

    def encode_view(self, view: View) -> tuple[int, ...]:
        """What a seat sees, in numbers."""
        board = view.board
        order = 1 if view.seat == view.first else 2
        turn = min(view.ply // 2 + 1, LAST_TURN * self.bits)
        theirs = () if self.hidden else (int(board.theirs, 2),)
        return (order, turn, int(board.mine, 2), *theirs, board.low, board.high)

    def encode_positions(self, position: BattlePosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """The same of a whole position, without what is hidden."""
        order = 1 + ply % 2 if to_move else 2 - ply % 2
        turn = smaller(ply // 2 + 1, LAST_TURN * self.bits)
        mine, theirs, low, high, their_low, their_high, _ = position
        if not to_move:
            mine, theirs, low, high, their_low, their_high = theirs, mine, their_low, their_high, low, high
        shared = self.verdict(position) != OPEN if self.hidden else True
        low = choose(shared, larger(low, their_low), low)
        high = choose(shared, smaller(high, their_high), high)
        return (order, turn, mine, low, high) if self.hidden else (order, turn, mine, theirs, low, high)

    def observe(self, position: BattlePosition, to_move: bool, over: bool) -> BattleBoard:
        """One's own number and what one has learnt; the other's on an open table or at the end."""
        mine, theirs, low, high, their_low, their_high, secret = position
        if not to_move:
            mine, theirs, low, high, their_low, their_high = theirs, mine, their_low, their_high, low, high
        if self.hidden and not over:
            return BattleBoard(self.row(mine), low, high)
        low, high = max(low, their_low), min(high, their_high)
        return BattleBoard(
            self.row(mine), low, high, theirs=self.row(theirs), secret=self.row(secret) if over else None
        )

    def observe_as_spectator(self, position: BattlePosition) -> BattleBoard:
        """A spectator of a hidden table sees nothing but that the game goes on."""
        return BattleBoard(mine=None, low=0, high=(1 << self.bits) - 1)

    def evaluator(self) -> Evaluator:
        """The equilibrium, or the open table."""
        from bitduel.games.binary_battle.evaluator import HiddenEvaluator, OpenJudge

        return HiddenEvaluator(self.bits) if self.hidden else OpenJudge(self.bits)

    def certificate(self) -> Certificate:
        """Both players' plans, and the value that they prove."""
        from bitduel.games.binary_battle.certificate import certificate

        return certificate(self)

    def row(self, number: int) -> str:
        """A number as its binary digits."""
        return format(number, f"0{self.bits}b")

    @classmethod
    def lesson(cls) -> Lesson:
        """The lesson of the game."""
        from bitduel.games.binary_battle.lessons import lesson

        return lesson()

    @cached_property
    def words(self) -> BinaryBattleWords:
        """Every sentence of the game."""
        return BinaryBattleWords(self.bits, self.hidden, bool(self.secret))

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """One's own bits and the numbers that are still possible."""
        return picture.draw(self.bits, view, names)
