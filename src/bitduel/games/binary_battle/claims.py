"""What the lesson claims beyond the worth of moves: when a search hits, who beats whom, how best play opens."""

from collections.abc import Mapping
from dataclasses import dataclass

from bitduel.core.evaluator import Duelling, Policy, Shares
from bitduel.core.lesson import ABOUT, JudgeOf, Method, Stand
from bitduel.core.view import View
from bitduel.games.binary_battle.rules import BinaryBattle


@dataclass(frozen=True)
class Hits:
    """That somebody who searches like this hits a secret in this turn of his, whatever the other does."""

    says: str
    method: Method
    secret: str
    turn: int

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether it is so, by searching; the other switches one bit on and off that never makes the secret."""
        idle = "toggle 2" if int(self.secret, 2) == 1 << len(self.secret) - 1 else "toggle 1"
        match = Stand(BinaryBattle(bits=len(self.secret)), (), self.secret).match
        while not match.outcome and match.ply < 2 * self.turn:
            match.play(self.method(match.view(1)))
            if not match.outcome:
                match.play(idle)
        return bool(match.outcome and match.outcome.winner == 1 and match.ply == 2 * self.turn - 1)


@dataclass(frozen=True)
class Duel:
    """That the one who starts wins so often, each searching in a way of his own; None for best play."""

    says: str
    first: Method | None
    second: Method | None
    chance: float

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether it is so, by following both through all their turns."""
        judge = judge_of(BinaryBattle())
        assert isinstance(judge, Duelling)
        habits = [
            Policy(judge.mixture, False) if method is None else sure(method) for method in (self.first, self.second)
        ]
        return abs(judge.duel(*habits) - self.chance) <= ABOUT


@dataclass(frozen=True)
class Opens:
    """That best play makes its first toggle with these chances, of the one who starts."""

    says: str
    shares: Mapping[str, float]

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether it is so."""
        match = Stand(BinaryBattle(), (), BinaryBattle().any_deal()).match
        found = judge_of(match.game).mixture(match.view(1))
        return set(found) == set(self.shares) and all(abs(found[m] - self.shares[m]) <= ABOUT for m in found)


def sure(method: Method) -> Policy:
    """Somebody who always does what a method says."""

    def behaviour(view: View) -> Shares:
        return {method(view): 1.0}

    return Policy(behaviour, True)
