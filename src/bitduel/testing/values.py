"""Checks of what a game is worth and of who plays it."""

from collections.abc import Iterator
from random import Random

from bitduel.core.errors import NotSolvedError
from bitduel.core.evaluation import DRAW, WIN
from bitduel.core.evaluator import Evaluator, best
from bitduel.core.match import Match
from bitduel.players import drive, player
from bitduel.solver.evaluators import evaluator_for
from bitduel.testing.sample import LONGEST, Check, GameProbe

MOST_MOMENTS = 3
MOST_PLIES = 2000


def every_move_is_judged(sample: GameProbe) -> Iterator[str]:
    """Every legal move has a worth, and optimal play chooses among the legal moves."""
    judge = _judge(sample)
    if judge is None:
        return
    for match in sample.moments(MOST_MOMENTS):
        if match.to_move:
            view = match.view(match.to_move)
            if [choice.move for choice in judge.choices(view)] != list(view.legal):
                yield f"{match!r} is not judged move by move"
            mixture = judge.mixture(view)
            if not set(mixture) <= set(view.legal) or abs(sum(mixture.values()) - 1) > 1e-9:
                yield f"{match!r} has no sound optimal play"


def best_play_comes_true(sample: GameProbe) -> Iterator[str]:
    """With best play on both sides a match ends as the start promises."""
    judge = _judge(sample)
    if judge is None or not sample.game.transparent:
        return
    match = Match(sample.game)
    worth = best(judge.choices(match.view(1)))[0].worth
    if (worth.plies or 0) > MOST_PLIES:
        return
    sample.tried["match"] += 1
    drive(match, {1: _Best(judge), 2: _Best(judge)}, most_plies=(worth.plies or LONGEST) + 1)
    if worth.value == DRAW:
        if match.outcome and match.outcome.winner:
            yield f"{match!r} should be drawn"
        return
    winner = 1 if worth.value == WIN else 2
    if not match.outcome or match.outcome.winner != winner or (worth.plies or match.ply) != match.ply:
        yield f"{match!r} should be won by seat {winner} in {worth.plies} plies"


class _Best:
    """Plays the first of the best moves."""

    def __init__(self, judge: Evaluator) -> None:
        self.evaluator = judge

    def choose(self, view: object) -> str:
        return best(self.evaluator.choices(view))[0].move  # type: ignore[arg-type]


def programs_play_it(sample: GameProbe) -> Iterator[str]:
    """The built-in players play whole matches of it."""
    names = ["random"] if _judge(sample) is None else ["random", "level:1", "perfect"]
    for seed, name in enumerate(names):
        rng = Random(seed)
        seats = {seat: player(name, sample.game, rng) for seat in (1, 2)}
        match = Match(sample.game, deal=sample.game.deal(rng))
        drive(match, seats, most_plies=LONGEST)
        sample.tried["match"] += 1
        if match.outcome and match.outcome.reason not in {*sample.game.reasons.values(), "repetition"}:
            yield f"{name} ends {match!r}"


def _judge(sample: GameProbe) -> Evaluator | None:
    """The judge of the game; None where it is too large, or hides something and has no judge of its own."""
    try:
        return evaluator_for(sample.game)
    except NotSolvedError:
        return None


CHECKS: tuple[Check, ...] = (every_move_is_judged, best_play_comes_true, programs_play_it)
