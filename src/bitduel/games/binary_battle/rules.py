"""Binary Battle: toggle one bit a turn until your number is the secret one."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from random import Random
from typing import NamedTuple

from bitduel.core.errors import OptionError
from bitduel.core.game import OPEN, WON, Deal, Feature, Game, Number, Truth, Variant
from bitduel.core.lesson import EvaluatorFor
from bitduel.core.match import other_seat
from bitduel.core.options import ChoiceOption, IntegerOption, SecretBitsOption
from bitduel.core.phrases import subject
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.view import View
from bitduel.core.worksheet import UnpluggedGame, Worksheet

BITS = 5
"""The usual number of bits."""
MOST_BITS = 31

LAST_TURN = 8
"""The turn, for each bit, from which on learners see all turns as the same: sensible play is over by then."""


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
"""Make a position of its fields in order, without the detour through their names: most of playing is this."""


class BattleBoard(NamedTuple):
    """A seat's own number and where the secret can be; the rest only when the seat may see it."""

    mine: str | None
    low: int
    high: int
    theirs: str | None = None
    secret: str | None = None


class BattleRules(Game[BattlePosition]):
    """Two numbers that hunt one secret; the first to match it wins."""

    declared_options = (
        IntegerOption(
            "bits",
            BITS,
            "how many bits the numbers have",
            1,
            MOST_BITS,
            quick_limit=5,
            label="Bits in each number",
            phrase="with {} bits",
            phrases={1: "with 1 bit"},
        ),
        SecretBitsOption(
            "secret",
            "",
            "the secret number; picked at random unless you set it",
            MOST_BITS,
            label="Secret",
        ),
        ChoiceOption(
            "table",
            "hidden",
            "what you see of your opponent",
            {"hidden": "nothing", "open": "everything except the secret"},
            label="What you see of your opponent",
            phrases={"open": "open table"},
        ),
    )
    reasons = {WON: "match"}
    variants = (
        Variant(
            "Open table",
            {"table": "open"},
            "You both see every guess, so the only luck is in the secret.",
            win_probability=9 / 16,
        ),
        Variant(
            "Six bits, open table",
            {"bits": 6, "table": "open"},
            "The fairest version, and as long as the standard game.",
            win_probability=35 / 64,
        ),
    )
    surveys = ({"table": "hidden,open", "bits": "1..5"}, {"bits": "1..5"})

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.bits = int(self.options["bits"])
        self.secret = str(self.options["secret"])
        if self.secret and len(self.secret) != self.bits:
            raise OptionError(f"secret must have {self.bits} binary digits, not '{self.secret}'")
        self.bit_of = {f"toggle {place}": 1 << self.bits - place for place in range(1, self.bits + 1)}

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """One toggle for each bit, from left to right."""
        return tuple(self.bit_of)

    @property
    def is_hidden(self) -> bool:
        """True if each seat sees only its own number."""
        return self.options["table"] == "hidden"

    def deals(self) -> Iterator[Deal]:
        """Return the secret as chosen, or each number equally likely."""
        from fractions import Fraction

        if self.secret:
            return iter((Deal(self.secret, Fraction(1)),))
        numbers = 1 << self.bits
        return (Deal(self.row(number), Fraction(1, numbers)) for number in range(numbers))

    @property
    def fixed_deal(self) -> str | None:
        """The secret, where an option chose it."""
        return self.secret or None

    def with_deal(self, deal: str) -> "BattleRules":
        """Return the same game with this secret."""
        return type(self)(**{**self.options, "secret": deal})

    def deal(self, rng: Random) -> str:
        """Draw one of the deals, without listing them."""
        return self.secret or self.row(rng.randrange(1 << self.bits))

    def moves_to_see(self, known: Mapping[str, int]) -> tuple[list[str], str] | None:
        """Return the shortest toggles to this number and this knowledge, and the least secret that fits; or None."""
        from bitduel.games.binary_battle.equilibrium.information_states import start, successors

        goal = known["mine"], known["low"], known["high"]
        queue, lines = [start(self.bits)], {tuple(start(self.bits))[1:]: list[str]()}
        for state in queue:
            if goal in lines:
                return lines[goal], self.row(known["low"])
            for move, bit in self.bit_of.items():
                for after in reversed(successors(state, state.number ^ bit)):
                    if after[1:] not in lines:
                        lines[after[1:]] = [*lines[state[1:]], move]
                        queue.append(after)
        return None

    def start(self, deal: str = "") -> BattlePosition:
        """Return both numbers 0 and nothing known of the secret."""
        if len(deal) != self.bits or not set(deal) <= {"0", "1"}:
            raise OptionError(f"The secret must have {self.bits} binary digits.")
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
        """Decide: only a number reached by a turn wins; its player then knows the secret and is on it."""
        _, number, _, _, low, high, _ = position
        return WON * ((low == high) & (number == low))

    @property
    def ranges(self) -> tuple[int, ...]:
        """Any number of these bits, in every field."""
        return (1 << self.bits,) * len(BattlePosition._fields)

    @property
    def features(self) -> tuple[Feature, ...]:
        """One's order, turn and number and where the secret can be; on an open table the other's number too."""
        names = ("number", "low", "high") if self.is_hidden else ("number", "theirs", "low", "high")
        last = (1 << self.bits) - 1
        turns = (Feature("order", 1, 2), Feature("turn", 1, LAST_TURN * self.bits))
        return (*turns, *(Feature(name, 0, last) for name in names))

    def worksheet(self, evaluator_for: EvaluatorFor) -> Worksheet:
        """Return the worksheet for these settings."""
        from bitduel.games.binary_battle.worksheet import battle_worksheet

        return battle_worksheet(self, evaluator_for)

    def unplugged(self) -> UnpluggedGame:
        """Return the version to cut out for these settings."""
        from bitduel.games.binary_battle.worksheet import battle_unplugged

        return battle_unplugged(self)

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Return what a seat sees, in numbers."""
        board = view.board
        order = 1 if view.seat == view.first else 2
        turn = min(view.ply // 2 + 1, LAST_TURN * self.bits)
        theirs = () if self.is_hidden else (int(board.theirs, 2),)
        return (order, turn, int(board.mine, 2), *theirs, board.low, board.high)

    def encode_positions(self, position: BattlePosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Return the same of a whole position, without what is hidden."""
        order = 1 + ply % 2 if to_move else 2 - ply % 2
        turn = _smaller(ply // 2 + 1, LAST_TURN * self.bits)
        mine, theirs, low, high, their_low, their_high, _ = position
        if not to_move:
            mine, theirs, low, high, their_low, their_high = theirs, mine, their_low, their_high, low, high
        shared = self.verdict(position) != OPEN if self.is_hidden else True
        low = _choose(shared, _larger(low, their_low), low)
        high = _choose(shared, _smaller(high, their_high), high)
        return (order, turn, mine, low, high) if self.is_hidden else (order, turn, mine, theirs, low, high)

    def observe(self, position: BattlePosition, to_move: bool, over: bool) -> BattleBoard:
        """Show a seat its number and what it has learnt; the other's on an open table or at the end."""
        mine, theirs, low, high, their_low, their_high, secret = position
        if not to_move:
            mine, theirs, low, high, their_low, their_high = theirs, mine, their_low, their_high, low, high
        if self.is_hidden and not over:
            return BattleBoard(self.row(mine), low, high)
        low, high = max(low, their_low), min(high, their_high)
        return BattleBoard(
            self.row(mine), low, high, theirs=self.row(theirs), secret=self.row(secret) if over else None
        )

    def observe_as_spectator(self, position: BattlePosition) -> BattleBoard:
        """Show a spectator of a hidden table nothing but that the game goes on."""
        return BattleBoard(mine=None, low=0, high=(1 << self.bits) - 1)

    def row(self, number: int) -> str:
        """Return a number as its binary digits."""
        return format(number, f"0{self.bits}b")

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Draw the rows that may be seen, above the scale of all numbers with the possible ones marked."""
        seat, low, high = view.seat or 1, view.board.low, view.board.high
        seen = sorted([(seat, view.board.mine), (other_seat(seat), view.board.theirs)])
        rows = [(s, row) for s, row in seen if row is not None]
        tokens = tuple(Token(names[s - 1], int(row, 2), s) for s, row in rows)
        scale = Scale(0, (1 << self.bits) - 1, tokens, span=(low, high), has_goal=False)
        numbers = " ".join(f"{subject(token.title, 'has')} {token.at}." for token in tokens)
        secret = f"The secret is {low}." if low == high else f"The secret is a number from {low} to {high}."
        drawn = tuple(Row(names[s - 1], _cells(row, view.legal if s == view.seat else ()), s) for s, row in rows)
        return Picture(f"{numbers} {secret}".strip(), drawn, scale, bare_caption="" if view.over else numbers)


def _cells(row: str, legal: tuple[str, ...]) -> tuple[Cell, ...]:
    """Draw a cell for each bit, labelled by its place from the left, with its weight as a note."""
    number, weights = int(row, 2), [1 << len(row) - place for place in range(1, len(row) + 1)]
    moves = [move if (move := f"toggle {place}") in legal else "" for place in range(1, len(row) + 1)]
    made = [str(number ^ weight) if move else "" for weight, move in zip(weights, moves, strict=True)]
    return tuple(
        Cell(bit, str(place + 1), Mark.ON if bit == "1" else Mark.OFF, str(weights[place]), moves[place], made[place])
        for place, bit in enumerate(row)
    )


def _choose(condition: Truth, yes: Number, no: Number) -> Number:
    """Return yes where the condition holds, no elsewhere."""
    return no + condition * (yes - no)


def _larger(a: Number, b: Number) -> Number:
    return _choose(a > b, a, b)


def _smaller(a: Number, b: Number) -> Number:
    return _choose(a < b, a, b)
