"""Certificates: what the start of a game is worth, written down so that a short script can check it.

An open game is proved by all its positions: each with its value, its plies and its best moves. A win has a move to a
loss, from a loss all moves lead to wins, and from a draw no move leads to a loss but some move to a draw, so that
nobody can leave the draws but to his own harm. Where there are too many positions, or something is hidden, the game
itself may know a proof.
"""

from typing import Any

import numpy as np

from bitduel.core.certificate import Certificate, heading
from bitduel.core.errors import CertificateError, TooLargeError
from bitduel.core.evaluator import Evaluator
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.solver.evaluators import TableEvaluator

MOST_POSITIONS = 200_000
"""So many positions a certificate may list."""


def prove(game: Game[Any]) -> Certificate:
    """The certificate of a game; raises CertificateError with a sentence where none can be written."""
    if game.transparent and (game.size or 0) <= MOST_POSITIONS:
        try:
            return table_certificate(game)
        except TooLargeError:
            pass
    own = game.certificate()
    if own is not None:
        return own
    if game.transparent:
        raise CertificateError(
            f"{game.title} with these options has more than the {MOST_POSITIONS:,} positions that a certificate may "
            "list. Choose smaller options."
        )
    raise CertificateError(f"{game.title} hides something and knows no proof of its own, so there is no certificate.")


def is_proved(match: Match, judge: Evaluator) -> bool:
    """Whether the certificate of the game says what the position of a match is worth."""
    if isinstance(judge, TableEvaluator) and len(judge.solution.table) <= MOST_POSITIONS:
        return True
    return not match.moves and type(match.game).certificate is not Game.certificate


def table_certificate(game: Game[Any]) -> Certificate:
    """Every position that is not over, with value, plies and best moves."""
    judge = TableEvaluator(game, MOST_POSITIONS)
    table, solution = judge.solution.table, judge.solution
    indexes = np.flatnonzero(table.verdict == Verdict.OPEN)
    best = judge.outlook(indexes).best().tolist()
    positions = {}
    for index, good in zip(indexes.tolist(), best, strict=True):
        worth = solution.worth_at(index)
        moves = [move for move, is_good in zip(game.moves, good, strict=True) if is_good]
        positions[" ".join(map(str, table.position_at(index)))] = [str(worth.value), worth.plies, moves]
    data = {**heading(game, solution.worth_at(0)), "positions": positions}
    all_of_them = "the one position that is" if len(positions) == 1 else f"all {len(positions):,} positions that are"
    return Certificate(data, f"{all_of_them} not over", game.checker)
