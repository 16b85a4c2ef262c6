"""What the moves of a match gave away, by the judge of its game and by what each seat could know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.evaluator import TIE, Dealt, Evaluator, MoveEvaluation
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for

POINTS = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}

BLUNDER = 0.05
"""Who gives away at least this chance of winning in the dark has blundered; elsewhere who gives away anything."""

DIGITS = 9
"""Worths are told apart, and written, up to so many digits."""

MOST_KEPT = 1 << 16
"""So many sights are kept with what moves give away there; then it begins anew."""


class Stakes(NamedTuple):
    """What is at stake at a turn: what each move gives away, whether it matters, and whether the turn is won."""

    losses: dict[str, float]
    decision: bool
    won: bool


class Scores(NamedTuple):
    """What a match says of both seats, each pair for seats 1 and 2; `held` is None in the dark."""

    losses: list[float | None]
    regret: list[float]
    decisions: list[int]
    blunders: list[int]
    held: list[list[int]] | None


class Scorer:
    """Scores the matches of one game, and keeps what it has found."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.evaluator: Evaluator = evaluator_for(game)
        self.blunder = BLUNDER if game.chance else TIE
        self._fate = self.evaluator.fate if game.chance and isinstance(self.evaluator, Dealt) else None
        self._kept: dict[Any, Stakes] = {}
        self._luck: dict[str, float] = {}

    def score(self, match: Match, sights: Sequence[Any]) -> Scores:
        """What each move of a match gave away; the sights are those of its plies."""
        kept, blunder = self._kept, self.blunder
        losses: list[float | None] = []
        regret: list[float] = [0, 0]
        decisions, blunders, held, had = [0, 0], [0, 0], [0, 0], [0, 0]
        seat = match.first - 1
        again: Match | None = None
        for sight, move in zip(sights, match.moves, strict=True):
            stakes = kept.get(sight)
            if stakes is None:
                again = again or Match(match.game, match.first, match.deal)
                stakes = self._met(sight, again, match.moves[again.ply : len(losses)])
            loss = stakes.losses[move]
            if stakes.decision:
                decisions[seat] += 1
                if loss:
                    regret[seat] += loss
                    blunders[seat] += loss >= blunder
            if stakes.won:
                had[seat] += 1
                held[seat] += not loss
            losses.append(None if move == PASS else loss)
            seat = 1 - seat
        if not self.game.chance:
            return Scores(losses, regret, decisions, blunders, [[held[0], had[0]], [held[1], had[1]]])
        return Scores(losses, [round(each, DIGITS) for each in regret], decisions, blunders, None)

    def luck(self, deal: str) -> float | None:
        """How much likelier a deal makes it that seat 1 wins with perfect play; None where nothing is dealt."""
        fate = self._fate
        if fate is None:
            return None
        if deal not in self._luck:
            usual = sum(float(each.probability) * fate(each.text) for each in self.game.deals())
            self._luck[deal] = _exact(fate(deal) - usual)
        return self._luck[deal]

    def _met(self, sight: Any, again: Match, moves: Sequence[str]) -> Stakes:
        """What is at stake at a sight that is new, where these moves lead a match that is played again."""
        for move in moves:
            again.play(move)
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        found = self._kept[sight] = stakes_of(self.evaluator.choices(again.view(again.next_seat)))
        return found


def stakes_of(choices: Sequence[MoveEvaluation]) -> Stakes:
    """What is at stake where these moves can be made."""
    worths = {choice.move: _points(choice) for choice in choices}
    top = max(worths.values())
    losses = {move: _exact(top - worth) for move, worth in worths.items()}
    won = any(choice.worth.value == WIN for choice in choices)
    return Stakes(losses, any(losses.values()), won)


def _points(choice: MoveEvaluation) -> float:
    """What a move is worth in points: a win 1, a draw a half, in the dark the chance of winning."""
    chance = choice.worth.win_probability
    return POINTS[choice.worth.value or DRAW] if chance is None else chance


def _exact(loss: float) -> float:
    return 0 if abs(loss) < TIE else round(loss, DIGITS)
