"""The value of every toggle in Binary Battle, hidden or open, and certificates of the value of the start.

Equilibria come with the package, or are solved once and cached on disk.
"""

from functools import cache
from typing import Any

from bitduel.core.certificate import Certificate
from bitduel.core.errors import CertificateError, TooLargeError
from bitduel.core.evaluation import AssumedEvaluation, Evaluation, MoveEvaluation, Policy
from bitduel.core.folders import cache_folder
from bitduel.core.phrases import percentage
from bitduel.core.view import View
from bitduel.games.binary_battle import heuristics, policy_evaluation
from bitduel.games.binary_battle.equilibrium import (
    SHIPPED_BITS,
    Equilibrium,
    OpenSolution,
    Proof,
    load,
    open_plans,
    save,
    shipped,
    solve,
)
from bitduel.games.binary_battle.policy_evaluation import information_state
from bitduel.games.binary_battle.rules import BattleRules

MOST_BITS = 6
MOST_PROVED_BITS = {True: 7, False: 6}
"""The most bits that are proved on request, with the table hidden or open: it takes minutes."""


class _BattleEvaluator:
    """The size that is solved, and heuristics at any size, for both evaluators."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def check_size(self) -> None:
        """Raise TooLargeError for more bits than are solved."""
        if self.bits > MOST_BITS:
            raise TooLargeError(f"Binary Battle is solved for up to {MOST_BITS} bits. {self.bits} bits are too many.")

    def heuristic_priors(self, view: View) -> dict[str, float]:
        """Estimate how promising every toggle is, at any size."""
        return heuristics.priors(self.bits, view)

    def certain_wins(self, view: View, plies: int) -> list[str]:
        """Return the toggles that hit every secret that is left within some plies, the next toggles chosen well."""
        return heuristics.certain_hits(self.bits, view, plies)


class HiddenEvaluator(_BattleEvaluator):
    """Best responses to the equilibrium opponent, from what a seat knows."""

    def __init__(self, game: BattleRules) -> None:
        super().__init__(game.bits)
        self.game = game

    @property
    def equilibrium(self) -> Equilibrium:
        """The equilibrium, from the package, from disk or solved."""
        self.check_size()
        return equilibrium(self.bits)

    @property
    def depth(self) -> int:
        """The turns after which the equilibrium has always hit, for both players."""
        return sum(len(strategy.hits) for strategy in self.equilibrium.strategies)

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Evaluate every toggle by the probability to win with best play after it."""
        if horizon is not None:
            return heuristics.choices(self.bits, view, horizon)
        known = _order(view), *information_state(view)
        evaluation = Evaluation if self.equilibrium.expects(*known) else AssumedEvaluation
        wins = self.equilibrium.choices(*known)
        return [MoveEvaluation(f"toggle {bit}", evaluation(win_probability=win)) for bit, win in wins]

    def policy(self, view: View) -> dict[str, float]:
        """Return the equilibrium's strategy; off its paths a best response."""
        shares = self.equilibrium.behaviour(_order(view), *information_state(view))
        return {f"toggle {bit}": share for bit, share in enumerate(shares, 1) if share > 0}

    def policy_value(self, first: Policy, second: Policy) -> float:
        """Return the exact score of the player who starts."""
        return policy_evaluation.expected_score(self.game, first, second)

    def deal_value(self, deal: str) -> float:
        """Return the probability that the player who starts wins with this secret."""
        return self.equilibrium.value_for(int(deal, 2))

    def best_response(self, order: int, policy: Policy) -> Policy:
        """Return the best response to a policy in this order."""
        return policy_evaluation.best_response(self.game, order, policy)

    def best_response_value(self, order: int, policy: Policy, response: Policy) -> float:
        """Return the exact win probability of a response."""
        return policy_evaluation.best_response_value(self.game, order, policy, response)

    def notes(self) -> list[str]:
        """State the value, and how well it is known."""
        solved = self.equilibrium
        if solved.exact is None:
            sides = solved.certificate
            return [
                f"With perfect play the first player wins {100 * solved.value:.7f}% of the time, to the digits shown.",
                f"The best answers to both strategies win with probabilities {sides.first:.9f} and {sides.second:.9f}, "
                f"a gap of {abs(sides.gap):.0e}.",
            ]
        return [
            f"With perfect play the first player wins {100 * solved.value:.7f}% of the time, exactly {solved.exact}.",
            "Proved with exact fractions: no strategy wins more against the second player's, and none holds the first "
            "player's to less.",
        ]


class OpenEvaluator(_BattleEvaluator):
    """Exact values where both numbers and all feedback are public."""

    @property
    def depth(self) -> int:
        """The plies that guesses at the middle need, roughly."""
        return 2 * self.bits

    @property
    def solution(self) -> OpenSolution:
        """Every position, solved on first use."""
        self.check_size()
        return open_solution(self.bits)

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Evaluate every toggle by the probability to win with best play after it."""
        if horizon is not None:
            return heuristics.choices(self.bits, view, horizon)
        wins = self.solution.choices(*_public_state(view))
        return [MoveEvaluation(f"toggle {bit}", Evaluation(win_probability=float(win))) for bit, win in wins]

    def policy(self, view: View) -> dict[str, float]:
        """Return one best toggle: of equal ones the one that brings news soonest."""
        return {f"toggle {self.solution.best(*_public_state(view))}": 1.0}

    def deal_value(self, deal: str) -> float:
        """Return 1 or 0: whether the player who starts wins with this secret, as play is pure."""
        return self.solution.value_for(int(deal, 2))

    def notes(self) -> list[str]:
        """State the value of the start, exactly."""
        start = self.solution.start
        return [f"With perfect play the first player wins {percentage(float(start))} of the time, exactly {start}."]


def _order(view: View) -> int:
    return 1 if view.seat == view.first else 2


def _public_state(view: View) -> tuple[int, int, int, int]:
    """Return both numbers, one's own first, and where the secret can be."""
    board = view.board
    return int(board.mine, 2), int(board.theirs, 2), board.low, board.high


open_solution = cache(OpenSolution)


@cache
def equilibrium(bits: int) -> Equilibrium:
    """Return the equilibrium from the package, or from disk if the file proves it; else solve and save it."""
    if bits in SHIPPED_BITS:
        return shipped(bits)
    try:
        path = cache_folder() / f"binary-battle-{bits}.json"
    except OSError:
        return solve(bits)
    try:
        return load(path, bits)
    except (OSError, ValueError):
        solved = solve(bits)
    try:
        save(solved, path)
    except OSError:
        return solved
    return solved


def certificate(game: BattleRules) -> Certificate:
    """Prove the value of the start by both players' plans, which hold it against whatever the other does."""
    most = MOST_PROVED_BITS[game.is_hidden]
    if game.bits > most:
        raise CertificateError(
            f"Binary Battle with these settings can be proved for up to {most} bits. {game.bits} bits are too many."
        )
    return _hidden_certificate(game.bits) if game.is_hidden else _open_certificate(game.bits)


def _hidden_certificate(bits: int) -> Certificate:
    recorded = equilibrium(bits).proof
    if recorded is None:
        raise CertificateError(f"The solution for {bits} bits is known only in floating point, which proves nothing.")
    proof = Proof(recorded.plans)
    seats = [{_key(state): [*map(str, plan.shares(state))] for state in sorted(plan.weights)} for plan in proof.plans]
    data = {"game": "binary-battle", "bits": bits, "value": str(proof.value), "seats": seats}
    return Certificate(data, f"both plans, for {sum(map(len, seats)):,} states of knowledge", "battle")


def _open_certificate(bits: int) -> Certificate:
    value, plans = open_plans(bits)
    seats = [{_key(position): list(step) for position, step in plan.items()} for plan in plans]
    data = {"game": "binary-battle", "bits": bits, "table": "open", "value": str(value), "seats": seats}
    return Certificate(data, f"both plans, for {sum(map(len, seats)):,} positions", "battle_open")


def _key(numbers: tuple[Any, ...]) -> str:
    return " ".join(map(str, numbers))
