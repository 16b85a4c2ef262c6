"""Binary Race to 31: move along a track by powers of two; whoever gets there first wins."""

from typing import NamedTuple

from bitduel.core.certificate import Certificate
from bitduel.core.evaluation import LOSS, WIN, Evaluation, Evaluator
from bitduel.core.game import WON, Game, Number, Truth, Variant
from bitduel.core.lesson import EvaluatorFor
from bitduel.core.match import other_seat
from bitduel.core.options import ChoiceOption, IntegerOption
from bitduel.core.phrases import subject
from bitduel.core.picture import MoveTarget, Picture, Scale, Token
from bitduel.core.view import View
from bitduel.core.worksheet import UnpluggedGame, Worksheet
from bitduel.games.law_evaluator import LawEvaluator

LENGTH = 31
"""The usual length of the track."""
LAST_STEPS = 3
"""The steps before the end on which the rulebook's sample offers fewer moves."""
LONGEST = 16
"""The longest move."""


def moves_needed(steps: int, exact: bool) -> int:
    """Count the moves that cover some steps; where the end may not be passed, one for each binary 1 of the rest."""
    whole, rest = divmod(steps, LONGEST)
    return whole + (rest.bit_count() if exact else rest > 0)


class TrackPosition(NamedTuple):
    """The steps that each player has made."""

    mine: Number
    theirs: Number


class TrackBoard(NamedTuple):
    """Both tokens, as a seat sees them."""

    mine: int
    theirs: int


class TrackRules(Game[TrackPosition]):
    """Two tokens on a track; the first to reach or pass the end wins."""

    declared_options = (
        IntegerOption(
            "length",
            LENGTH,
            "how many steps the track has",
            1,
            1_000_000,
            quick_limit=255,
            label="Steps to the end of the track",
            phrase="on a track of {} steps",
            phrases={1: "on a track of 1 step"},
        ),
        ChoiceOption(
            "finish",
            "sample",
            "which moves you may make near the end",
            {
                "sample": "with three or fewer to go, no move bigger than the smallest that finishes",
                "any": "any of the five moves",
                "exact": "you have to land exactly on the end",
            },
            label="The last steps",
            phrases={"any": "any move near the end", "exact": "exact finish"},
        ),
    )
    moves = ("1", "2", "4", "8", "16")
    reasons = {WON: "finish"}
    benchmark_options = {"length": 511}
    surveys = ({"length": "1..64"}, {"finish": "sample,any,exact", "length": "1..48"})
    variants = (
        Variant(
            "Track to 31, exact finish",
            {"finish": "exact"},
            "Every first move can still win, and the mistakes come later.",
            "win",
            9,
        ),
        Variant(
            "Track to 47, exact finish",
            {"length": 47, "finish": "exact"},
            "A little longer, and closer between two players who look a few moves ahead.",
            "win",
            11,
        ),
        Variant(
            "Track to 63, exact finish",
            {"length": 63, "finish": "exact"},
            "The liveliest track that is still short: both players stay in the race for longest.",
            "win",
            13,
        ),
    )
    checker = "track"

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.length = int(self.options["length"])
        self.finish = self.options["finish"]

    def start(self, deal: str = "") -> TrackPosition:
        """Return both tokens at the beginning of the track."""
        return TrackPosition(mine=0, theirs=0)

    def legal(self, position: TrackPosition, move: str) -> Truth:
        """Allow any move while the end is far; near it, what the chosen reading allows."""
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
        """Decide: reaching or passing the end wins."""
        return WON * (position.theirs >= self.length)

    @property
    def ranges(self) -> tuple[int, ...]:
        """The places of both tokens; one can pass the end by one move less a step."""
        return (self.length + 16, self.length + 16)

    @property
    def size(self) -> int:
        """Every pair of places."""
        return (self.length + 5) ** 2

    def evaluator(self) -> Evaluator:
        """Return the evaluator that counts moves."""
        return TrackEvaluator(self)

    def certificate(self) -> Certificate:
        """Prove the start by the moves that the last steps need; 16 steps more need one move more."""
        needs = [moves_needed(left, self.finish == "exact") for left in range(2 * LONGEST)]
        data = {**self.certificate_heading(TrackEvaluator(self).evaluate(self.start())), "needs": needs}
        return Certificate(data, f"the moves needed on the last {2 * LONGEST - 1} steps", f"{self.checker}_law")

    def worksheet(self, evaluator_for: EvaluatorFor) -> Worksheet:
        """Return the worksheet for these settings."""
        from bitduel.games.binary_race_31.worksheet import track_worksheet

        return track_worksheet(self, evaluator_for)

    def unplugged(self) -> UnpluggedGame:
        """Return the version to cut out for these settings."""
        from bitduel.games.binary_race_31.worksheet import track_unplugged

        return track_unplugged(self)

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Return both places, one's own first."""
        return view.board.mine, view.board.theirs

    def encode_positions(self, position: TrackPosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """Return both places, one's own first."""
        return (position.mine, position.theirs) if to_move else (position.theirs, position.mine)

    def observe(self, position: TrackPosition, to_move: bool, over: bool) -> TrackBoard:
        """Show both tokens, one's own first."""
        mover, waiting = int(position.mine), int(position.theirs)
        return TrackBoard(mine=mover, theirs=waiting) if to_move else TrackBoard(mine=waiting, theirs=mover)

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Draw both tokens between the beginning and the end of the track."""
        seat = view.seat or 1
        places = {seat: view.board.mine, other_seat(seat): view.board.theirs}
        tokens = tuple(Token(names[s - 1], places[s], s) for s in (1, 2))
        caption = " ".join(f"{subject(t.title, 'is')} at {t.at} of {self.length}." for t in tokens)
        ends = tuple(MoveTarget(move, view.board.mine + int(move), seat) for move in view.legal)
        return Picture(caption, scale=Scale(0, self.length, tokens, targets=ends))


class TrackEvaluator(LawEvaluator[TrackPosition]):
    """The value of every move by counting: whoever is to move wins with no more moves to make than the other.

    Neither player can hinder the other, so nothing else counts; docs/theorems.md proves it.
    """

    game: TrackRules

    @property
    def depth(self) -> int:
        """The plies of a whole race."""
        return 2 * self._needed(0)

    def evaluate(self, position: TrackPosition) -> Evaluation:
        """Return who gets there first, and when."""
        mine, theirs = self._needed(position.mine), self._needed(position.theirs)
        return Evaluation(WIN, 2 * mine - 1) if mine <= theirs else Evaluation(LOSS, 2 * theirs)

    def notes(self) -> list[str]:
        """Say that moves were counted."""
        return ["Worked out by counting the moves each player still needs, without listing all positions."]

    def _needed(self, place: Number) -> int:
        return moves_needed(self.game.length - int(place), self.game.finish == "exact")
