"""What toggles are worth in Binary Battle, and how it is known: solved once, then kept on disk."""

from functools import cache
from typing import TYPE_CHECKING

from bitduel.core.errors import TooLargeError
from bitduel.core.evaluation import AssumedWorth, Evaluation
from bitduel.core.evaluator import MoveEvaluation, Policy
from bitduel.core.folders import cache_folder
from bitduel.core.view import View
from bitduel.games.binary_battle import information_state

if TYPE_CHECKING:
    from bitduel.games.binary_battle.equilibrium import Equilibrium, OpenSolution

MOST_BITS = 6


def check_size(bits: int) -> None:
    """Refuse what cannot be solved."""
    if bits > MOST_BITS:
        raise TooLargeError(f"Binary Battle is solved for up to {MOST_BITS} bits, not for {bits}.")


class HiddenEvaluator:
    """Best responses to the equilibrium opponent, from what a seat knows."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def check(self) -> None:
        """Raise TooLargeError for more bits than are solved."""
        check_size(self.bits)

    @property
    def equilibrium(self) -> "Equilibrium":
        """The equilibrium, solved or from disk."""
        self.check()
        return equilibrium(self.bits)

    @property
    def depth(self) -> int:
        """The turns after which the equilibrium has always hit, for both players."""
        return sum(len(mixture.hits) for mixture in self.equilibrium.mixtures)

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every toggle with the probability to win by it and best play after it."""
        if horizon is not None:
            return information_state.soon(self.bits, view, horizon)
        known = knowledge(view)
        kind = Evaluation if self.equilibrium.expects(*known) else AssumedWorth
        return [
            MoveEvaluation(f"toggle {bit}", kind(win_probability=win)) for bit, win in self.equilibrium.choices(*known)
        ]

    def mixture(self, view: View) -> dict[str, float]:
        """The equilibrium's mixture; off its paths a best response."""
        shares = self.equilibrium.behaviour(*knowledge(view))
        return {f"toggle {bit}": share for bit, share in enumerate(shares, 1) if share > 0}

    def hunches(self, view: View) -> dict[str, float]:
        """How promising every toggle looks, at any size."""
        return information_state.hunches(self.bits, view)

    def duel(self, first: Policy, second: Policy) -> float:
        """What the player who starts scores, exactly: neither can hinder the other, so each is followed alone."""
        from bitduel.games.binary_battle.duel import score

        return score(self.bits, first, second)

    def fate(self, deal: str) -> float:
        """How likely the equilibrium makes the player who starts to win with this secret."""
        return self.equilibrium.value_for(int(deal, 2))

    def reply(self, order: int, habit: Policy) -> Policy:
        """The best toggles against somebody's play, by going back through all that can be known."""
        from bitduel.games.binary_battle.best_response import best_reply

        return best_reply(self.bits, order, habit)

    def replied(self, order: int, habit: Policy, reply: Policy) -> float:
        """What a reply wins, exactly."""
        from bitduel.games.binary_battle.best_response import worth

        return worth(self.bits, order, habit, reply)

    def notes(self) -> list[str]:
        """The value, and how well it is known."""
        found = self.equilibrium
        if found.exact is None:
            sides = found.certificate
            return [
                f"The first player wins with probability about {found.value:.9f}.",
                f"The best replies to both mixtures win {sides.first:.9f} and {sides.second:.9f}; "
                f"their gap is {abs(sides.gap):.0e}.",
            ]
        return [
            f"The first player wins with probability {found.value:.9f}, exactly {found.exact}.",
            "Proved in whole numbers: no reply to the second player's mixture wins more, none to the first player's "
            "lets him win less.",
        ]


class OpenJudge:
    """Exact values where both numbers and all feedback are public."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def check(self) -> None:
        """Raise TooLargeError for more bits than are solved."""
        check_size(self.bits)

    @property
    def depth(self) -> int:
        """About as many plies as guesses at the middle need."""
        return 2 * self.bits

    @property
    def solution(self) -> "OpenSolution":
        """Every position, solved when first asked for."""
        self.check()
        return open_solution(self.bits)

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every toggle with the probability to win by it and best play after it."""
        if horizon is not None:
            return information_state.soon(self.bits, view, horizon)
        found = self.solution.choices(*public(view))
        return [MoveEvaluation(f"toggle {bit}", Evaluation(win_probability=float(win))) for bit, win in found]

    def mixture(self, view: View) -> dict[str, float]:
        """One best toggle: of equal ones the one that brings news soonest."""
        return {f"toggle {self.solution.best(*public(view))}": 1.0}

    def hunches(self, view: View) -> dict[str, float]:
        """How promising every toggle looks, at any size."""
        return information_state.hunches(self.bits, view)

    def fate(self, deal: str) -> float:
        """Whether the player who starts wins with this secret, as play is pure."""
        return self.solution.value_for(int(deal, 2))

    def notes(self) -> list[str]:
        """The value of the start, exactly."""
        return [f"The first player wins with probability {self.solution.start}."]


def knowledge(view: View) -> tuple[int, int, int, int, int]:
    """What a seat knows: its place in the order, its turn, its number, and where the secret can be."""
    order = 1 if view.seat == view.first else 2
    board = view.board
    return order, view.ply // 2 + 1, int(board.mine, 2), board.low, board.high


def public(view: View) -> tuple[int, int, int, int]:
    """Both numbers, one's own first, and where the secret can be."""
    board = view.board
    return int(board.mine, 2), int(board.theirs, 2), board.low, board.high


@cache
def open_solution(bits: int) -> "OpenSolution":
    """The open table of so many bits, solved."""
    from bitduel.games.binary_battle.equilibrium import OpenSolution

    return OpenSolution(bits)


@cache
def equilibrium(bits: int) -> "Equilibrium":
    """The equilibrium: the package's own, or from disk if what is there proves it, else solved and kept."""
    from bitduel.games.binary_battle.equilibrium import SHIPPED_BITS, load, save, shipped, solve

    if bits in SHIPPED_BITS:
        return shipped(bits)
    try:
        path = cache_folder() / f"binary-battle-{bits}.json"
    except OSError:
        return solve(bits)
    try:
        return load(path, bits)
    except (OSError, ValueError):
        found = solve(bits)
    try:
        save(found, path)
    except OSError:
        return found
    return found
