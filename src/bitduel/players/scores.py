"""What players score against each other, seats swapped evenly: a win 1, a draw a half.

Without hidden information the score is exact, from the table; play that never ends is a draw. Where positions may
not be repeated for ever, what has been played matters too, so that nothing but many matches tells it. In the dark it is
exact where the game's judge can tell it, and otherwise comes from many matches, too. What comes from matches says how
many, and so how sure it is.
"""

from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bitduel.core.errors import TooLargeError
from bitduel.core.evaluator import Duelling, Policy
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.players.driver import drive
from bitduel.players.evaluating_players import KnownPlayer
from bitduel.players.levels import LEVELS, sharp, soft
from bitduel.players.player import RandomPlayer
from bitduel.players.spec import LEVEL, PERFECT, RANDOM, build, parse
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.move_values import Chances, MoveValues, Numbers, Truths, shared

MATCHES = 20_000
"""So many matches are played on the table where only matches tell."""

FEWER = 1_000
"""So many are played one by one."""

MOST_COUNTS = 50_000_000
"""So many counts of how often a position came up are kept at a time."""

MOST_STEPS = 1_000
"""So many moves a match without loops may have for its scores to be found step by step."""

MOST_EQUATIONS = 10_000
"""So many equations are solved at a time."""

NEVER = 1e-9
"""What is less likely than this in one move is taken as impossible: an end that takes a billion moves is none."""

CERTAIN = 3
"""Standard deviations to either side of what comes from matches."""


class ScoreBound(NamedTuple):
    """What somebody scores, and how far that may be off: 0 where it is exact."""

    points: float
    doubt: float = 0.0


def score(game: Game[Any], one: str, two: str) -> ScoreBound:
    """What one player scores against another; both are programs that are built in."""
    judge = evaluator_for(game)
    if isinstance(judge, TableEvaluator):
        return _played(judge, one, two) if game.repetition else ScoreBound(_exact(judge, one, two))
    if isinstance(judge, Duelling):
        habits = _habit(game, one), _habit(game, two)
        return ScoreBound((judge.duel(*habits) + 1 - judge.duel(*reversed(habits))) / 2)
    return _driven(game, one, two)


def plan(name: str, outlook: MoveValues) -> Chances:
    """How likely a player makes each move of an outlook."""
    kind, detail = parse(name)
    if kind == RANDOM:
        return shared(outlook.legal)
    if kind == LEVEL:
        return sharp(outlook, int(detail))
    return outlook.perfect() if kind == PERFECT else soft(outlook, LEVELS[kind])


def _exact(judge: TableEvaluator, one: str, two: str) -> float:
    outlook = judge.outlook(np.arange(len(judge.solution.table)))
    plans = plan(one, outlook), plan(two, outlook)
    return (_from_start(judge, *plans) + 1 - _from_start(judge, *reversed(plans))) / 2


def _from_start(judge: TableEvaluator, first: Chances, second: Chances) -> float:
    """What the player who starts scores: one linear equation for each position and player to move."""
    table = judge.solution.table
    size = len(table)
    here, move = np.nonzero(table.after >= 0)
    then = table.after[here, move]
    chances = np.concatenate([first[here, move], second[here, move]])
    likely = chances > NEVER
    steps = _Steps(
        np.concatenate([here, here + size])[likely], np.concatenate([then + size, then])[likely], chances[likely]
    )
    by_mover = np.select([table.verdict == Verdict.WON, table.verdict == Verdict.LOST], [1.0, 0.0], 0.5)
    points = np.concatenate([1 - by_mover, by_mover])
    ends = np.tile(table.verdict != Verdict.OPEN, 2)
    open_ = steps.leading_to(ends) & ~ends
    return float(steps.solved(np.where(open_, 0, points), open_)[0])


class _Steps(NamedTuple):
    """Where play goes from each position, and how likely."""

    here: Numbers
    then: Numbers
    chances: Chances

    def leading_to(self, ends: Truths) -> Truths:
        """Which positions lead to an end with any chance at all; from the others play goes on for ever."""
        leading = ends
        while True:
            more = leading.copy()
            more[self.here[leading[self.then]]] = True
            if (more == leading).all():
                return leading
            leading = more

    def solved(self, points: Chances, open_: Truths) -> Chances:
        """The points of the open positions: step by step where play has no loops, else by solving all equations."""
        for _ in range(MOST_STEPS):
            sums = np.bincount(self.here, self.chances * points[self.then], len(points))
            better = np.where(open_, sums, points)
            if (better == points).all():
                return points
            points = better
        return self._by_equations(np.where(open_, 0, points), open_)

    def _by_equations(self, points: Chances, open_: Truths) -> Chances:
        count = int(np.count_nonzero(open_))
        if count > MOST_EQUATIONS:
            raise TooLargeError(
                f"Scores with loops are exact for up to {MOST_EQUATIONS:,} positions, not for {count:,}."
            )
        place = np.cumsum(open_) - 1
        inside = open_[self.here] & open_[self.then]
        known = np.bincount(self.here, self.chances * points[self.then], len(points))[open_]
        matrix = np.eye(count)
        rows, columns = place[self.here[inside]], place[self.then[inside]]
        np.subtract.at(matrix, (rows, columns), self.chances[inside])
        found = points.copy()
        found[open_] = np.linalg.solve(matrix, known)
        return found


def _played(judge: TableEvaluator, one: str, two: str, matches: int = MATCHES) -> ScoreBound:
    """What comes of many matches, played side by side on the table under the rule of repetition."""
    rng = np.random.default_rng(matches)
    at_once = max(1, MOST_COUNTS // len(judge.solution.table))
    points: list[Numbers] = []
    for begin in range(0, matches // 2, at_once):
        count = min(at_once, matches // 2 - begin)
        points += [_side_by_side(judge, (one, two), count, rng), 1 - _side_by_side(judge, (two, one), count, rng)]
    return _sampled(np.concatenate(points))


def _side_by_side(judge: TableEvaluator, names: tuple[str, str], matches: int, rng: np.random.Generator) -> Numbers:
    """What the player who starts scores in each match."""
    table, often = judge.solution.table, judge.game.repetition
    met = np.zeros((matches, 2, len(table)), np.int8)
    met[:, 0, 0] = 1
    points, open_ = np.full(matches, 0.5), np.arange(matches)
    at: Numbers = np.zeros(matches, np.int32)
    ply = 0
    while len(open_):
        mover, ply = ply % 2, ply + 1
        then = table.after[at]
        repeating = (then >= 0) & (met[open_[:, None], 1 - mover, then] >= often - 1)
        at = then[np.arange(len(at)), _drawn(plan(names[mover], judge.outlook(at, repeating)), rng)]
        met[open_, 1 - mover, at] += 1
        verdict = table.verdict[at]
        won = np.select([verdict == Verdict.WON, verdict == Verdict.LOST], [1.0, 0.0], 0.5)
        points[open_] = 1 - won if mover else won
        on = (verdict == Verdict.OPEN) & (met[open_, 1 - mover, at] < often)
        open_, at = open_[on], at[on]
    return points


def _drawn(chances: Chances, rng: np.random.Generator) -> Numbers:
    """One move for each position, drawn by these chances."""
    upto = chances.cumsum(axis=1)
    dice = rng.random((len(chances), 1)) * upto[:, -1:]
    return np.asarray((upto <= dice).sum(axis=1))


def _driven(game: Game[Any], one: str, two: str, matches: int = FEWER) -> ScoreBound:
    """What comes of some matches, played one by one."""
    rng = Random(matches)
    players = [build(parse(name), game, rng) for name in (one, two)]
    points = []
    for number in range(matches):
        match = Match(game, 1 + number % 2, game.deal(rng))
        outcome = drive(match, {1: players[0], 2: players[1]})
        points.append({1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5) if outcome else 0.5)
    return _sampled(np.array(points))


def _sampled(points: Numbers) -> ScoreBound:
    return ScoreBound(float(points.mean()), CERTAIN * float(points.std()) / sqrt(len(points)))


@lru_cache(maxsize=16)
def _habit(game: Game[Any], name: str) -> Policy:
    player = build(parse(name), game, Random(0))
    assert isinstance(player, KnownPlayer | RandomPlayer), "a program whose chances can be told"
    return Policy(player.behaviour, player.timeless)
