"""Binary Race to 31: move along a track by powers of two; whoever gets there first wins."""

from functools import cached_property
from typing import NamedTuple

from bitduel.core.certificate import Certificate
from bitduel.core.evaluator import Evaluator
from bitduel.core.game import WON, Feature, Game, Number, Truth
from bitduel.core.lesson import Lesson
from bitduel.core.options import Choice, Whole
from bitduel.core.picture import Picture
from bitduel.core.view import View
from bitduel.games.binary_race_31 import picture
from bitduel.games.binary_race_31.words import AIM, REACH, BinaryRace31Words

LAST_STEPS = 3
"""On this many last steps the rulebook's sample offers fewer moves."""


class TrackPosition(NamedTuple):
    """How far each player has come."""

    mine: Number
    theirs: Number


class TrackBoard(NamedTuple):
    """What a seat sees: both tokens."""

    mine: int
    theirs: int


class BinaryRace31(Game[TrackPosition]):
    """Two tokens on a track; the first to reach or pass the end wins."""

    slug = "binary-race-31"
    short = "31"
    title = "Binary Race to 31"
    aim = AIM.format(reach=REACH["sample"], length=31)
    declared = (
        Whole("length", 31, "where the track ends", 1, 1_000_000, quick=255),
        Choice(
            "finish",
            "sample",
            "which moves the last steps allow",
            {
                "sample": "on the last three steps, no move larger than the smallest that finishes",
                "any": "all five moves, always",
                "exact": "the end of the track may not be passed",
            },
        ),
    )
    moves = ("1", "2", "4", "8", "16")
    reasons = {WON: "finish"}
    large = {"length": 511}
    surveys = ({"length": "1..64"}, {"finish": "sample,any,exact", "length": "1..48"})
    checker = "track"

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.length = int(self.options["length"])
        self.finish = self.options["finish"]

    def start(self, deal: str = "") -> TrackPosition:
        """Both at the beginning of the track."""
        return TrackPosition(mine=0, theirs=0)

    def legal(self, position: TrackPosition, move: str) -> Truth:
        """Any move while the end is far; near it, what the chosen reading allows."""
        left = self.length - position.mine
        racing = position.theirs < self.length
        if self.finish == "exact":
            return racing & (int(move) <= left)
        if self.finish == "sample":
            return racing & ((left > LAST_STEPS) | (int(move) < 2 * left))
        return racing

    def play(self, position: TrackPosition, move: str) -> TrackPosition:
        """Move forward; then it is the other's turn."""
        return TrackPosition(mine=position.theirs, theirs=position.mine + int(move))

    def verdict(self, position: TrackPosition) -> Number:
        """Reaching or passing the end wins."""
        return WON * (position.theirs >= self.length)

    @property
    def ranges(self) -> tuple[int, ...]:
        """A token can pass the end by one move less a step."""
        return (self.length + 16, self.length + 16)

    @property
    def size(self) -> int:
        """Any place for either token."""
        return (self.length + 5) ** 2

    def evaluator(self) -> Evaluator:
        """The law of the track."""
        from bitduel.games.binary_race_31.law import TrackJudge

        return TrackJudge(self)

    def certificate(self) -> Certificate:
        """How many moves are needed from the last places, and that 16 steps more need one more."""
        from bitduel.games.binary_race_31.law import certificate

        return certificate(self)

    @property
    def features(self) -> tuple[Feature, ...]:
        """Where both tokens are."""
        return tuple(Feature(name, 0, end - 1) for name, end in zip(TrackBoard._fields, self.ranges, strict=True))

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Both tokens, one's own first."""
        return view.board.mine, view.board.theirs

    def encode_positions(self, position: TrackPosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Both tokens, one's own first."""
        return (position.mine, position.theirs) if to_move else (position.theirs, position.mine)

    def observe(self, position: TrackPosition, to_move: bool, over: bool) -> TrackBoard:
        """Both tokens, one's own first."""
        mover, waiting = int(position.mine), int(position.theirs)
        return TrackBoard(mine=mover, theirs=waiting) if to_move else TrackBoard(mine=waiting, theirs=mover)

    @classmethod
    def lesson(cls) -> Lesson:
        """The lesson of the game."""
        from bitduel.games.binary_race_31.lessons import lesson

        return lesson()

    @cached_property
    def words(self) -> BinaryRace31Words:
        """Every sentence of the game."""
        return BinaryRace31Words(self.length, str(self.finish))

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Two tokens on a track."""
        return picture.draw(self.length, view, names)
