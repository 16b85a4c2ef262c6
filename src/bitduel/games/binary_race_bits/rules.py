"""Binary Race with bits: switch all your own bits on; put out your opponent's on the way."""

from functools import cached_property
from typing import NamedTuple

from bitduel.core.game import DRAWN, PASS, WON, Feature, Game, Number, Truth, Variant
from bitduel.core.lesson import EvaluatorFor
from bitduel.core.match import other_seat
from bitduel.core.options import ChoiceOption, IntegerOption
from bitduel.core.phrases import subject
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.view import View
from bitduel.core.worksheet import UnpluggedGame, Worksheet

BITS = 4
"""The usual number of bits in a row."""


class BitsPosition(NamedTuple):
    """Both rows of bits, position 1 highest, and who may still flip any bit."""

    mine: Number
    theirs: Number
    my_exception: Number
    their_exception: Number


class BitsBoard(NamedTuple):
    """Both rows, and who may still flip any bit, as a seat sees them."""

    mine: str
    theirs: str
    exception: bool
    their_exception: bool


class BitsRules(Game[BitsPosition]):
    """Two rows of bits; the first row that is all 1 wins."""

    declared_options = (
        IntegerOption(
            "bits",
            BITS,
            "how many bits each player has",
            1,
            31,
            quick_limit=12,
            label="Bits for each player",
            phrase="with {} bits",
            phrases={1: "with 1 bit"},
        ),
        ChoiceOption(
            "first-move",
            "turn",
            "when a player may flip any bit",
            {
                "turn": "on their own first turn",
                "game": "only on the very first turn of the game",
                "flip": "until their first flip",
                "empty": "whenever all their bits are 0",
            },
            label="Players may flip any bit",
            phrases={
                "game": "any bit only on the very first turn",
                "flip": "any bit until your first flip",
                "empty": "any bit whenever yours are all 0",
            },
        ),
        ChoiceOption(
            "edge",
            "open",
            "when a bit at the end of a row can be reset",
            {"open": "always", "strict": "only while the bit next to it is 0"},
            label="An end bit can be reset",
            phrases={"strict": "strict edges"},
        ),
        ChoiceOption(
            "repetition",
            3,
            "whether a position that occurs three times is a draw",
            {3: "the third time is a draw", 0: "play on for ever"},
            label="Same position again",
            phrases={0: "no draw by repetition"},
        ),
    )
    reasons = {WON: "complete", DRAWN: "stalemate"}
    benchmark_options = {"bits": 31}
    longest_forced_win = 1
    surveys = ({"bits": "1..8", "first-move": "turn,game,flip,empty"}, {"edge": "open,strict", "bits": "1..8"})
    variants = (
        Variant(
            "Four bits, strict edges",
            {"first-move": "empty", "edge": "strict"},
            "Nobody is ever stuck with an empty row, so matches last longer and are won more often.",
            "draw",
        ),
        Variant(
            "Three bits, strict edges",
            {"bits": 3, "first-move": "empty", "edge": "strict"},
            "Short rows fill quickly, so every move matters; play two matches and take turns to start.",
            "draw",
        ),
    )
    checker = "bits"

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.bits = int(self.options["bits"])
        self.full = (1 << self.bits) - 1
        self.first_move = self.options["first-move"]
        strict = self.options["edge"] == "strict"
        self.left_wall = (self.full + 1 >> 1) * strict
        self.right_wall = 1 * strict
        self.bit_of = {str(place): 1 << self.bits - place for place in range(1, self.bits + 1)}

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """Flips from left to right, resets from left to right, pass."""
        return (*(f"flip {p}" for p in self.bit_of), *(f"reset {p}" for p in self.bit_of), PASS)

    @cached_property
    def repetition(self) -> int:
        """The number of times a position must come up to be a draw; 0 for never."""
        return int(self.options["repetition"])

    def start(self, deal: str = "") -> BitsPosition:
        """Return all bits 0; who has the exception depends on the reading."""
        mover = self.first_move != "empty"
        other = self.first_move in ("turn", "flip")
        return BitsPosition(mine=0, theirs=0, my_exception=int(mover), their_exception=int(other))

    def flippable(self, mine: Number, exception: Number) -> Number:
        """Return one's own 0s that have a 1 beside them, or any 0 with the exception."""
        anywhere = self.full * self._free(mine, exception)
        return ~mine & (mine << 1 | mine >> 1 | anywhere) & self.full

    def resettable(self, theirs: Number) -> Number:
        """Return the other's 1s that are not between two 1s; under edge=strict a wall counts as a 1."""
        return theirs & ~((theirs >> 1 | self.left_wall) & (theirs << 1 | self.right_wall))

    def is_stuck(self, mine: Number, theirs: Number, exception: Number) -> Truth:
        """Tell whether a player can neither flip nor reset."""
        return (self.flippable(mine, exception) | self.resettable(theirs)) == 0

    def legal(self, position: BitsPosition, move: str) -> Truth:
        """Allow flips and resets by the rules; pass only where nothing else is possible."""
        mine, theirs, exception, _ = position
        racing = theirs != self.full
        if move == PASS:
            their_exception = position.their_exception
            return racing & self.is_stuck(mine, theirs, exception) & (self.is_stuck(theirs, mine, their_exception) == 0)
        kind, place = move.split()
        can = self.flippable(mine, exception) if kind == "flip" else self.resettable(theirs)
        return racing & (can & self.bit_of[place] != 0)

    def play(self, position: BitsPosition, move: str) -> BitsPosition:
        """Switch one bit; then it is the other's turn."""
        mine, theirs, exception, their_exception = position
        kind, _, place = move.partition(" ")
        bit = self.bit_of.get(place, 0)
        flips = kind == "flip"
        return BitsPosition(
            mine=theirs if flips else theirs & ~bit,
            theirs=mine | bit if flips else mine,
            my_exception=their_exception,
            their_exception=exception * (self.first_move == "flip" and not flips),
        )

    def verdict(self, position: BitsPosition) -> Number:
        """Decide: a full row wins; if neither player can move it is a stalemate."""
        mine, theirs, exception, their_exception = position
        won = theirs == self.full
        neither = self.is_stuck(mine, theirs, exception) & self.is_stuck(theirs, mine, their_exception)
        return WON * won + DRAWN * (neither > won)

    @property
    def ranges(self) -> tuple[int, ...]:
        """Any bits, with or without the exceptions."""
        return (self.full + 1, self.full + 1, 2, 2)

    @property
    def features(self) -> tuple[Feature, ...]:
        """Every bit of both rows, and who may still flip any."""
        rows = [f"{whose} {place}" for whose in ("mine", "theirs") for place in self.bit_of]
        return tuple(Feature(name, 0, 1) for name in (*rows, "exception", "their exception"))

    def worksheet(self, evaluator_for: EvaluatorFor) -> Worksheet:
        """Return the worksheet for these settings."""
        from bitduel.games.binary_race_bits.worksheet import bits_worksheet

        return bits_worksheet(self, evaluator_for)

    def unplugged(self) -> UnpluggedGame:
        """Return the version to cut out for these settings."""
        from bitduel.games.binary_race_bits.worksheet import bits_unplugged

        return bits_unplugged(self)

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Return bit by bit, one's own first."""
        board = view.board
        return (*map(int, board.mine), *map(int, board.theirs), int(board.exception), int(board.their_exception))

    def encode_positions(self, position: BitsPosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Return bit by bit, one's own first."""
        mine, theirs, exception, their_exception = position
        if not to_move:
            mine, theirs, exception, their_exception = theirs, mine, their_exception, exception
        bits = [row // bit % 2 for row in (mine, theirs) for bit in self.bit_of.values()]
        return (*bits, self._free(mine, exception), self._free(theirs, their_exception))

    def observe(self, position: BitsPosition, to_move: bool, over: bool) -> BitsBoard:
        """Show both rows, one's own first."""
        mine, theirs, exception, their_exception = map(int, position)
        if not to_move:
            mine, theirs, exception, their_exception = theirs, mine, their_exception, exception
        free, their_free = self._free(mine, exception), self._free(theirs, their_exception)
        return BitsBoard(self._row(mine), self._row(theirs), bool(free), bool(their_free))

    def _free(self, row: Number, exception: Number) -> Number:
        """Return whether a player may flip any bit, as a number."""
        return 1 * (row == 0) if self.first_move == "empty" else exception

    def _row(self, bits: int) -> str:
        return format(bits, f"0{self.bits}b")

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Draw both rows, bit by bit."""
        seat = view.seat or 1
        bits = {seat: view.board.mine, other_seat(seat): view.board.theirs}
        kind = {seat: "flip", other_seat(seat): "reset"}
        rows = tuple(Row(names[s - 1], self._cells(bits[s], kind[s], view.legal), s) for s in (1, 2))
        caption = " ".join(f"{subject(names[s - 1], 'has')} {' '.join(bits[s])}." for s in (1, 2))
        return Picture(caption, rows=rows)

    def _cells(self, row: str, kind: str, legal: tuple[str, ...]) -> tuple[Cell, ...]:
        """Draw a cell for each bit, labelled by its place, with the move that is legal there."""
        bits = int(row, 2)
        safe = bits & ~self.resettable(bits) if bits != self.full else 0
        return tuple(
            Cell(
                text,
                place,
                Mark.ON if text == "1" else Mark.OFF,
                move=move if (move := f"{kind} {place}") in legal else "",
                is_safe=safe & bit != 0,
            )
            for text, (place, bit) in zip(row, self.bit_of.items(), strict=True)
        )
