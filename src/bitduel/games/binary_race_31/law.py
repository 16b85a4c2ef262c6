"""Who wins the race along the track, at any length: whoever needs no more moves than the other.

Nobody can hinder anybody, so all that counts is how many moves each still needs; docs/theorems.md proves it.
"""

from typing import TYPE_CHECKING

from bitduel.core.certificate import Certificate, heading
from bitduel.core.evaluation import LOSS, WIN, Evaluation
from bitduel.core.view import View
from bitduel.games.law import LawJudge

if TYPE_CHECKING:
    from bitduel.games.binary_race_31.rules import BinaryRace31, TrackPosition

LONGEST = 16
"""The longest move."""


def needed(left: int, exact: bool) -> int:
    """How many moves so many steps need; where the end may not be passed, a move for each 1 of the rest in binary."""
    whole, rest = divmod(left, LONGEST)
    return whole + (rest.bit_count() if exact else rest > 0)


class TrackJudge(LawJudge["TrackPosition"]):
    """Counts the moves that both still need."""

    game: "BinaryRace31"

    @property
    def depth(self) -> int:
        """The plies of a whole race."""
        return 2 * self._needed(0)

    def stand(self, view: View) -> "TrackPosition":
        """Both tokens."""
        return type(self.game.start())(view.board.mine, view.board.theirs)

    def worth(self, position: "TrackPosition") -> Evaluation:
        """Who gets there first, and when."""
        mine, theirs = self._needed(position.mine), self._needed(position.theirs)
        return Evaluation(WIN, 2 * mine - 1) if mine <= theirs else Evaluation(LOSS, 2 * theirs)

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by counting the moves that both still need, without a table."]

    def _needed(self, place: int) -> int:
        return needed(self.game.length - place, self.game.finish == "exact")


def certificate(game: "BinaryRace31") -> Certificate:
    """The moves needed on the last places; from there on 16 steps more need one move more."""
    judge = TrackJudge(game)
    needs = [needed(left, game.finish == "exact") for left in range(2 * LONGEST)]
    data = {**heading(game, judge.worth(game.start())), "needs": needs}
    return Certificate(data, f"the moves needed on the last {2 * LONGEST - 1} steps", f"{game.checker}_law")
