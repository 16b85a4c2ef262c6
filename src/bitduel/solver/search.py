"""A search a few plies deep by the rules alone, for games too large for a table."""

from typing import Any

from bitduel.core.evaluation import BY_SIGN, DRAW, UNKNOWN_EVALUATION, Evaluation, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View
from bitduel.solver.move_values import with_position

MOST_POSITIONS = 5_000
"""The number of positions searched for one move; a search that needs more is less deep."""

ForcedEnd = tuple[int, int] | None
"""1, 0 or -1 for the player to move and the plies to the end; None if no end can be forced within the depth."""

ENDS: dict[int, ForcedEnd] = {Verdict.WON: (-1, 0), Verdict.LOST: (1, 0), Verdict.DRAWN: (0, 0)}


class SearchEvaluator:
    """An evaluator that finds ends that can be forced within a horizon, at any size."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Return every legal move, with value and plies if its end is found; a repetition draws."""
        view = with_position(self.game, view)
        evaluations = _Search(self.game).deepen(view, MOST_POSITIONS if horizon is None else horizon)
        draws = dict.fromkeys(view.repeating, Evaluation(DRAW))
        return [MoveEvaluation(move, draws.get(move, found)) for move, found in evaluations.items()]


class _BudgetSpentError(Exception):
    """The search has used up its budget of positions."""


class _Search:
    """One iterative deepening, until everything is known or the budget is spent."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.budget = MOST_POSITIONS
        self.known: dict[Any, tuple[int, ForcedEnd]] = {}

    def deepen(self, view: View, horizon: int) -> dict[str, Evaluation]:
        after = {move: self.game.play(view.position, move) for move in view.legal}
        evaluations = dict.fromkeys(after, UNKNOWN_EVALUATION)
        try:
            for depth in range(horizon):
                before = self.budget
                evaluations = {move: _evaluation(self.forced_end(then, depth)) for move, then in after.items()}
                if depth and self.budget == before:
                    break
        except _BudgetSpentError:
            pass
        return evaluations

    def forced_end(self, position: Any, depth: int) -> ForcedEnd:
        verdict = self.game.verdict(position)
        if verdict:
            return ENDS[int(verdict)]
        searched, end = self.known.get(position, (0, None))
        if end is None and searched < depth:
            self.budget -= 1
            if self.budget < 0:
                raise _BudgetSpentError
            end = self.best_end(position, depth)
            self.known[position] = (depth, end)
        # An end that a deeper line has found does not count here: a nearer one may still be unknown.
        return end if end and end[1] <= depth else None

    def best_end(self, position: Any, depth: int) -> ForcedEnd:
        """Return the nearest win, or the furthest loss if every move loses."""
        win, loss, has_other = 0, 0, False
        for move in self.game.moves:
            if not self.game.legal(position, move):
                continue
            sign, plies = self.forced_end(self.game.play(position, move), depth - 1) or (0, 0)
            if sign < 0:
                win = min(win or plies + 1, plies + 1)
                if win == 1:
                    break
            elif sign > 0:
                loss = max(loss, plies + 1)
            else:
                has_other = True
        if win:
            return 1, win
        return (-1, loss) if loss and not has_other else None


def _evaluation(end: ForcedEnd) -> Evaluation:
    """Return the evaluation of a move that leads to a position with this end."""
    if end is None or end[0] == 0:
        return UNKNOWN_EVALUATION
    return Evaluation(BY_SIGN[-end[0]], end[1] + 1)
