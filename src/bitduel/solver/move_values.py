"""What moves lead to, as arrays of positions by moves: the form in which players weigh them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.evaluation import Evaluation
from bitduel.core.evaluator import DepthLimitedEvaluator, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View

Truths = NDArray[np.bool_]
Numbers = NDArray[Any]
Chances = NDArray[np.float64]

UNKNOWN = 1 << 40
"""Stands for the plies of an end of which nobody knows how far away it is."""

SAME = 1e-6
"""Hopes closer than this are the same."""


@dataclass(frozen=True)
class MoveValues:
    """Some positions by moves: what is legal and what each move is worth to the player who makes it."""

    legal: Truths
    sign: Numbers
    """1 for a win, -1 for a loss, 0 for a draw and for what is not known."""
    plies: Numbers
    """To the end; 0 where the sign is."""
    ends: Truths
    """Whether the move ends the match, drawn."""
    hopes: Callable[[], Chances]
    """What one may hope to score by each move; asked for only where that matters."""

    @property
    def draws(self) -> Truths:
        """The legal moves that neither win nor lose, as far as is known."""
        return np.asarray(self.legal & (self.sign == 0), np.bool_)

    def alive(self, moves: Truths) -> Truths:
        """Of these moves, without those that end the match drawn where another draw among them goes on."""
        lasting = moves & self.draws & ~self.ends
        return moves & ~(self.ends & lasting.any(axis=1, keepdims=True))

    def best(self, sight: float = np.inf) -> Truths:
        """The best moves, wins taken fast and losses put off, as far as somebody sees."""
        far = 1 + self.plies.max(initial=0)
        rank = np.where(self.plies <= sight, self.sign * (far - self.plies), 0)
        rank = np.where(self.legal, rank, -far - 1)
        return np.asarray(self.legal & (rank == rank.max(axis=1, keepdims=True)), np.bool_)

    def perfect(self) -> Chances:
        """Optimal play: of the best moves, those that promise most, each equally likely."""
        moves = self.alive(self.best())
        if moves.sum(axis=1).max(initial=0) > 1:
            hope = np.where(moves, self.hopes(), -1)
            moves &= hope >= hope.max(axis=1, keepdims=True) - SAME
        return shared(moves)


def shared(weights: Numbers) -> Chances:
    """Weights of moves as chances; nothing where there is no move."""
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), np.float64)


def named(moves: Sequence[str], chances: Chances) -> dict[str, float]:
    """The chances of moves at one position, by their names."""
    return {move: chance for move, chance in zip(moves, chances[0].tolist(), strict=True) if chance > 0}


def glimpse(
    choices: Sequence[MoveEvaluation], ending: Sequence[bool], slips: Callable[[], Sequence[float]]
) -> MoveValues:
    """The outlook of one position, as far as these choices tell; of draws nothing more is known."""
    sign = [choice.worth.value.sign if choice.worth.value else 0 for choice in choices]
    plies = [_distance(choice.worth) for choice in choices]
    row = (1, len(choices))
    return MoveValues(
        legal=np.ones(row, np.bool_),
        sign=np.reshape(sign, row),
        plies=np.reshape(plies, row),
        ends=np.reshape(ending, row),
        hopes=lambda: np.where(np.reshape(sign, row) < 0, np.reshape(slips(), row), 0.5),
    )


def slips(game: Game[Any], judge: DepthLimitedEvaluator, view: View, sight: int | None) -> list[float]:
    """For each legal move what is hoped of an answer at random: half of it, and the more the likelier that is wrong."""
    match = Match(game, view.first, "", view.history)
    return [_slip(judge, match.after(move), sight) for move in view.legal]


def _slip(judge: DepthLimitedEvaluator, match: Match, sight: int | None) -> float:
    if match.to_move is None:
        return 0.5
    near = sight and min(sight, 2)
    ranks = [choice.worth.rank[0] for choice in judge.choices(match.view(match.to_move), near)]
    return (1 + sum(rank < max(ranks) for rank in ranks) / len(ranks)) / 2


def _distance(worth: Evaluation) -> int:
    """The plies to the end; none where no end is known, and further than any where only its plies are not."""
    if not (worth.value and worth.value.sign):
        return 0
    return UNKNOWN if worth.plies is None else worth.plies


def ending(game: Game[Any], view: View) -> list[bool]:
    """For each legal move whether it ends the match drawn, by the rules or by repetition."""
    after = [game.verdict(game.play(view.position, move)) for move in view.legal]
    drawn = [verdict == Verdict.DRAWN for verdict in after]
    return [over or move in view.repeating for over, move in zip(drawn, view.legal, strict=True)]


def whole(game: Game[Any], view: View) -> View:
    """A view with its position; one that came from elsewhere is played again."""
    return view if view.position is not None else Match(game, view.first, "", view.history).view(view.seat)
