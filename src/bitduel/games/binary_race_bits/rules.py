"""Binary Race with bits: switch all your own bits on; put out your opponent's on the way."""

from functools import cached_property
from typing import NamedTuple

from bitduel.core.game import DRAWN, PASS, WON, Feature, Game, Number, Truth
from bitduel.core.lesson import Lesson
from bitduel.core.options import Choice, Whole
from bitduel.core.picture import Picture
from bitduel.core.view import View
from bitduel.games.binary_race_bits import picture
from bitduel.games.binary_race_bits.words import BinaryRaceBitsWords


class BitsPosition(NamedTuple):
    """Both rows of bits, position 1 highest, and who may still flip any bit."""

    mine: Number
    theirs: Number
    my_exception: Number
    their_exception: Number


class BitsBoard(NamedTuple):
    """What a seat sees: both rows, and who may still flip any bit."""

    mine: str
    theirs: str
    exception: bool
    their_exception: bool


class BinaryRaceBits(Game[BitsPosition]):
    """Two rows of bits; the first row that is all 1 wins."""

    slug = "binary-race-bits"
    short = "bits"
    title = "Binary Race with Bits"
    aim = "Flip your own bits, reset your opponent's; get all of yours to 1."
    declared = (
        Whole("bits", 4, "how many bits each player has", 1, 31, quick=12),
        Choice(
            "first-move",
            "turn",
            "when a player may flip any bit",
            {
                "turn": "on each player's own first turn",
                "game": "on the very first turn of the game only",
                "flip": "until one's own first flip, whenever it comes",
                "empty": "whenever one's own bits are all 0",
            },
        ),
        Choice(
            "edge",
            "open",
            "when an edge bit can be reset",
            {
                "open": "always: only a bit between two 1s is safe",
                "strict": "only while its one neighbour is 0",
            },
        ),
        Choice(
            "repetition",
            3,
            "how often a position must come up to be a draw",
            {3: "the third time is a draw", 0: "never"},
        ),
    )
    reasons = {WON: "complete", DRAWN: "stalemate"}
    large = {"bits": 31}
    surveys = ({"bits": "1..8", "first-move": "turn,game,flip,empty"}, {"edge": "open,strict", "bits": "1..8"})
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
        """How many times a position must come up to be a draw; 0 for never."""
        return int(self.options["repetition"])

    def start(self, deal: str = "") -> BitsPosition:
        """All bits 0; who has the exception depends on the reading."""
        mover = self.first_move != "empty"
        other = self.first_move in ("turn", "flip")
        return BitsPosition(mine=0, theirs=0, my_exception=int(mover), their_exception=int(other))

    def flippable(self, mine: Number, exception: Number) -> Number:
        """One's own 0s that have a 1 beside them, or any 0 with the exception."""
        anywhere = self.full * self._free(mine, exception)
        return ~mine & (mine << 1 | mine >> 1 | anywhere) & self.full

    def resettable(self, theirs: Number) -> Number:
        """The other's 1s that are not between two 1s; under edge=strict a wall counts as a 1."""
        return theirs & ~((theirs >> 1 | self.left_wall) & (theirs << 1 | self.right_wall))

    def stuck(self, mine: Number, theirs: Number, exception: Number) -> Truth:
        """Whether a player can neither flip nor reset."""
        return (self.flippable(mine, exception) | self.resettable(theirs)) == 0

    def legal(self, position: BitsPosition, move: str) -> Truth:
        """Flip or reset what the rules allow; pass only where nothing else is possible."""
        mine, theirs, exception, _ = position
        racing = theirs != self.full
        if move == PASS:
            their_exception = position.their_exception
            return racing & self.stuck(mine, theirs, exception) & (self.stuck(theirs, mine, their_exception) == 0)
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
        """A full row wins; if neither player can move it is a stalemate."""
        mine, theirs, exception, their_exception = position
        won = theirs == self.full
        neither = self.stuck(mine, theirs, exception) & self.stuck(theirs, mine, their_exception)
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

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Bit by bit, one's own first."""
        board = view.board
        return (*map(int, board.mine), *map(int, board.theirs), int(board.exception), int(board.their_exception))

    def encode_positions(self, position: BitsPosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Bit by bit, one's own first."""
        mine, theirs, exception, their_exception = position
        if not to_move:
            mine, theirs, exception, their_exception = theirs, mine, their_exception, exception
        bits = [row // bit % 2 for row in (mine, theirs) for bit in self.bit_of.values()]
        return (*bits, self._free(mine, exception), self._free(theirs, their_exception))

    def observe(self, position: BitsPosition, to_move: bool, over: bool) -> BitsBoard:
        """Both rows, one's own first."""
        mine, theirs, exception, their_exception = map(int, position)
        if not to_move:
            mine, theirs, exception, their_exception = theirs, mine, their_exception, exception
        free, their_free = self._free(mine, exception), self._free(theirs, their_exception)
        return BitsBoard(self._row(mine), self._row(theirs), bool(free), bool(their_free))

    def _free(self, row: Number, exception: Number) -> Number:
        """Whether a player may flip any bit, as a number."""
        return 1 * (row == 0) if self.first_move == "empty" else exception

    def _row(self, bits: int) -> str:
        return format(bits, f"0{self.bits}b")

    @classmethod
    def lesson(cls) -> Lesson:
        """The lesson of the game."""
        from bitduel.games.binary_race_bits.lessons import lesson

        return lesson()

    @cached_property
    def words(self) -> BinaryRaceBitsWords:
        """Every sentence of the game."""
        return BinaryRaceBitsWords(self.bits, str(self.first_move), str(self.options["edge"]), self.repetition)

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Two rows of lamps."""
        return picture.draw(view, names)
