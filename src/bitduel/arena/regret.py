"""Regret: the losses of the moves of a match, by the game's evaluator and what each seat could know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, TOLERANCE, WIN, DealEvaluator, Evaluator, MoveEvaluation
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for

POINTS = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}

BLUNDER = 0.05
"""The least loss of winning chances that is a blunder with hidden information; elsewhere any loss is one."""

DIGITS = 9
"""The precision to which values are compared and written."""

MAX_CACHED_STATES = 1 << 16
"""Information states in the cache before it is emptied."""


class Stakes(NamedTuple):
    """The loss of each move at a turn, whether the choice matters, and whether the position is won."""

    losses: dict[str, float]
    is_decision: bool
    is_won: bool


class MatchScores(NamedTuple):
    """The measures of a match, each pair for seats 1 and 2; `held` is None with hidden information."""

    losses: list[float | None]
    regret: list[float]
    decisions: list[int]
    blunders: list[int]
    held: list[list[int]] | None


class Scorer:
    """A scorer of the matches of one game, with a cache of the stakes by information state."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.evaluator: Evaluator = evaluator_for(game)
        self.blunder = BLUNDER if game.has_chance else TOLERANCE
        self._deal_value = (
            self.evaluator.deal_value if game.has_chance and isinstance(self.evaluator, DealEvaluator) else None
        )
        self._stakes: dict[Any, Stakes] = {}
        self._luck: dict[str, float] = {}

    def score(self, match: Match, states: Sequence[Any]) -> MatchScores:
        """Return the loss of each move of a match; `states` are the information states of its plies."""
        cache, blunder = self._stakes, self.blunder
        losses: list[float | None] = []
        regret: list[float] = [0, 0]
        decisions, blunders, held, had = [0, 0], [0, 0], [0, 0], [0, 0]
        seat = match.first - 1
        replay: Match | None = None
        for state, move in zip(states, match.moves, strict=True):
            stakes = cache.get(state)
            if stakes is None:
                replay = replay or Match(match.game, match.first, match.deal)
                stakes = self._evaluate(state, replay, match.moves[replay.ply : len(losses)])
            loss = stakes.losses[move]
            if stakes.is_decision:
                decisions[seat] += 1
                if loss:
                    regret[seat] += loss
                    blunders[seat] += loss >= blunder
            if stakes.is_won:
                had[seat] += 1
                held[seat] += not loss
            losses.append(None if move == PASS else loss)
            seat = 1 - seat
        if not self.game.has_chance:
            return MatchScores(losses, regret, decisions, blunders, [[held[0], had[0]], [held[1], had[1]]])
        return MatchScores(losses, [round(each, DIGITS) for each in regret], decisions, blunders, None)

    def luck(self, deal: str) -> float | None:
        """Return how much a deal adds to seat 1's chance with perfect play; None if nothing is dealt."""
        value = self._deal_value
        if value is None:
            return None
        if deal not in self._luck:
            mean = sum(float(each.probability) * value(each.text) for each in self.game.deals())
            self._luck[deal] = _rounded(value(deal) - mean)
        return self._luck[deal]

    def _evaluate(self, state: Any, replay: Match, moves: Sequence[str]) -> Stakes:
        """Return and cache the stakes of a new state, reached by these moves."""
        for move in moves:
            replay.play(move)
        if len(self._stakes) >= MAX_CACHED_STATES:
            self._stakes.clear()
        stakes = self._stakes[state] = stakes_of(self.evaluator.choices(replay.view(replay.next_seat)))
        return stakes


def stakes_of(choices: Sequence[MoveEvaluation]) -> Stakes:
    """Return the stakes of a turn with these evaluated moves."""
    points = {choice.move: _points(choice) for choice in choices}
    best = max(points.values())
    losses = {move: _rounded(best - value) for move, value in points.items()}
    return Stakes(losses, any(losses.values()), any(choice.evaluation.value == WIN for choice in choices))


def _points(choice: MoveEvaluation) -> float:
    """Return the value of a move in points: the winning chance if known, else a win 1 and a draw a half."""
    chance = choice.evaluation.win_probability
    return POINTS[choice.evaluation.value or DRAW] if chance is None else chance


def _rounded(loss: float) -> float:
    return 0 if abs(loss) < TOLERANCE else round(loss, DIGITS)
