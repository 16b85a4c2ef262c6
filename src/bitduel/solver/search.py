"""Looking a few plies ahead by the rules alone, where a game is too large for a table."""

from typing import Any

from bitduel.core.evaluation import BY_SIGN, DRAW, UNSEEN_WORTH, Evaluation
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View
from bitduel.solver.move_values import whole

MOST_POSITIONS = 5_000
"""So many positions are looked at for one move; who would have to look at more sees less far."""

Found = tuple[int, int] | None
"""For the player to move 1, 0 or -1 and the plies to the end, or None where no end can be forced in sight."""

ENDS: dict[int, Found] = {Verdict.WON: (-1, 0), Verdict.LOST: (1, 0), Verdict.DRAWN: (0, 0)}


class SearchEvaluator:
    """Sees ends that can be forced within a horizon, at any size."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every legal move with its value and plies where its end is in sight; a repetition draws at once."""
        view = whole(self.game, view)
        found = _Look(self.game).ahead(view, MOST_POSITIONS if horizon is None else horizon)
        return [
            MoveEvaluation(move, Evaluation(DRAW) if move in view.repeating else worth) for move, worth in found.items()
        ]


class _TiredError(Exception):
    """Enough positions have been looked at."""


class _Look:
    """One look ahead: ever deeper, until everything is seen, or enough."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.left = MOST_POSITIONS
        self.known: dict[Any, tuple[int, Found]] = {}

    def ahead(self, view: View, horizon: int) -> dict[str, Evaluation]:
        after = {move: self.game.play(view.position, move) for move in view.legal}
        seen = dict.fromkeys(after, UNSEEN_WORTH)
        try:
            for depth in range(horizon):
                before = self.left
                seen = {move: _worth(self.forced(position, depth)) for move, position in after.items()}
                if depth and self.left == before:
                    break
        except _TiredError:
            pass
        return seen

    def forced(self, position: Any, depth: int) -> Found:
        verdict = self.game.verdict(position)
        if verdict:
            return ENDS[int(verdict)]
        looked, found = self.known.get(position, (0, None))
        if found is None and looked < depth:
            self.left -= 1
            if self.left < 0:
                raise _TiredError
            found = self.best(position, depth)
            self.known[position] = (depth, found)
        # What another line has shown further ahead does not count here: a nearer end may still be unknown.
        return found if found and found[1] <= depth else None

    def best(self, position: Any, depth: int) -> Found:
        """Win by the nearest loss of the other's, lose by the furthest win where there is nothing else."""
        won, lost, open_ = 0, 0, False
        for move in self.game.moves:
            if not self.game.legal(position, move):
                continue
            sign, plies = self.forced(self.game.play(position, move), depth - 1) or (0, 0)
            if sign < 0:
                won = min(won or plies + 1, plies + 1)
                if won == 1:
                    break
            elif sign > 0:
                lost = max(lost, plies + 1)
            else:
                open_ = True
        if won:
            return 1, won
        return (-1, lost) if lost and not open_ else None


def _worth(found: Found) -> Evaluation:
    """What it is worth to have moved to where this was found."""
    if found is None or found[0] == 0:
        return UNSEEN_WORTH
    return Evaluation(BY_SIGN[-found[0]], found[1] + 1)
