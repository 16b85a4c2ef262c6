"""Certificates: the value of a game's start, written down so that a short script can check it.

An open game is proved by all its positions, each with its value, its plies and its best moves. A win has a move to a
loss, all moves from a loss lead to wins, and no move from a draw leads to a loss but some move leads to a draw, so
that a player leaves the draws only by losing. Where there are too many positions, or something is hidden, the game
may have a proof of its own.
"""

from typing import Any

import numpy as np

from bitduel.core.certificate import Certificate
from bitduel.core.errors import CertificateError, TooLargeError
from bitduel.core.evaluation import Evaluator
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.solver.evaluators import TableEvaluator

MOST_POSITIONS = 200_000
"""The number of positions that a certificate may list."""


def prove(game: Game[Any]) -> Certificate:
    """Return the certificate of a game; raise CertificateError with a sentence if there is none."""
    if game.has_perfect_information and (game.size or 0) <= MOST_POSITIONS:
        try:
            return table_certificate(game)
        except TooLargeError:
            pass
    own = game.certificate()
    if own is not None:
        return own
    if game.has_perfect_information:
        raise CertificateError(
            f"With these settings {game.title} has too many positions for a certificate, which can list at most "
            f"{MOST_POSITIONS:,}. Choose smaller settings."
        )
    raise CertificateError(f"{game.title} has hidden information and no proof of its own, so there is no certificate.")


def is_proved(match: Match, evaluator: Evaluator) -> bool:
    """Return whether the certificate of the game covers the position of a match."""
    if isinstance(evaluator, TableEvaluator) and len(evaluator.solution.table) <= MOST_POSITIONS:
        return True
    return not match.moves and type(match.game).certificate is not Game.certificate


def table_certificate(game: Game[Any]) -> Certificate:
    """Return a certificate of every position that is not over, with value, plies and best moves."""
    evaluator = TableEvaluator(game, MOST_POSITIONS)
    solution, table = evaluator.solution, evaluator.solution.table
    indexes = np.flatnonzero(table.verdict == Verdict.OPEN)
    best = evaluator.move_values(indexes).best().tolist()
    positions = {}
    for index, is_best in zip(indexes.tolist(), best, strict=True):
        evaluation = solution.evaluation_at(index)
        moves = [move for move, is_good in zip(game.moves, is_best, strict=True) if is_good]
        positions[" ".join(map(str, table.position_at(index)))] = [str(evaluation.value), evaluation.plies, moves]
    data = {**game.certificate_heading(solution.evaluation_at(0)), "positions": positions}
    what = "the only open position" if len(positions) == 1 else f"all {len(positions):,} open positions"
    return Certificate(data, what, game.checker)
