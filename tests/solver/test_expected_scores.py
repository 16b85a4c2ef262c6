"""What a perfect player may hope for against one who chooses at random, by plain calculation."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from bitduel.core.evaluation import DRAW, best_choices
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.solver import expected_scores as module
from bitduel.solver.evaluators import TableEvaluator
from bitduel.solver.expected_scores import CONTINUATION, CONVERGED, DRAW_PENALTY
from bitduel.solver.move_values import TOLERANCE
from graphs import Graph, Node, graphs

GAMES: list[tuple[str, dict[str, Any]]] = [
    *(("bits", {"bits": bits, "first-move": first}) for bits in (2, 3, 4) for first in ("turn", "flip", "empty")),
    ("bits", {"edge": "strict"}),
    *(("31", {"length": 12, "finish": finish}) for finish in ("sample", "any", "exact")),
    ("double", {}),
    ("64", {"target": 30}),
]


class Plain:
    """The same hopes, position by position, until none moves any more."""

    def __init__(self, game: Game[Any]) -> None:
        evaluator = TableEvaluator(game)
        self.solution = evaluator.solution
        self.table = evaluator.solution.table
        self.index = {move: number for number, move in enumerate(game.moves)}
        self.all = range(len(self.table))
        self.ours = {at: (1 + self.sign(at)) / 2 - self.spoilt(at) for at in self.all}
        self.theirs = {at: (1 - self.sign(at)) / 2 - self.spoilt(at) for at in self.all}
        while max(map(self.round_, self.all)) > 1e-12:
            pass

    def sign(self, at: int) -> int:
        return int(self.solution.values.value[at])

    def spoilt(self, at: int) -> float:
        return DRAW_PENALTY if self.table.verdict[at] == Verdict.DRAWN else 0

    def then(self, at: int, move: str) -> int:
        return int(self.table.after[at, self.index[move]])

    def kept(self, at: int) -> list[int]:
        """Where the perfect player may go: best moves, and no end of a draw that could go on."""
        good = [self.then(at, choice.move) for choice in best_choices(self.solution.choices(at))]
        lasting = [then for then in good if self.table.verdict[then] != Verdict.DRAWN]
        return lasting or good

    def round_(self, at: int) -> float:
        choices = self.solution.choices(at)
        if not choices:
            return 0
        before = self.ours[at], self.theirs[at]
        self.ours[at] = max(self.theirs[then] for then in self.kept(at))
        mean = sum(self.ours[self.then(at, choice.move)] for choice in choices) / len(choices)
        known = (1 - self.sign(at)) / 2
        self.theirs[at] = known + CONTINUATION * (mean - known)
        return abs(self.ours[at] - before[0]) + abs(self.theirs[at] - before[1])


def check(game: Game[Any]) -> None:
    plain, evaluator = Plain(game), TableEvaluator(game)
    assert evaluator.expected_scores == pytest.approx(
        [plain.theirs[at] for at in plain.all], abs=CONVERGED / (1 - CONTINUATION)
    )


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_hopes_agree_with_a_plain_calculation(name: str, options: dict[str, Any]) -> None:
    check(make(name, options))


@settings(deadline=None)
@given(graphs())
def test_hopes_agree_with_a_plain_calculation_on_any_graph(game: Graph) -> None:
    check(game)


def test_hopes_by_hand() -> None:
    # At 0 we move to 1 or 2. At 1 one of two moves loses to us at 3; at 2 two of three do. The others end drawn at 4.
    game = Graph([[1, 2, -1], [3, 4, -1], [3, 3, 4], [-1] * 3, [-1] * 3], [0, 0, 0, Verdict.LOST, Verdict.DRAWN])
    evaluator = TableEvaluator(game)
    at = [evaluator.solution.table.index_of(Node(node)) for node in range(5)]
    hopes = evaluator.expected_scores[np.array(at)]
    assert hopes[3:].tolist() == [0, 0.5 - DRAW_PENALTY]
    assert hopes[1] == pytest.approx(0.5 + 0.95 * (1 + (0.5 - DRAW_PENALTY)) / 2 - 0.95 * 0.5)
    assert hopes[2] == pytest.approx(0.5 + 0.95 * (1 + 1 + (0.5 - DRAW_PENALTY)) / 3 - 0.95 * 0.5)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_hopes_are_never_less_than_what_best_play_gives(name: str, options: dict[str, Any]) -> None:
    evaluator = TableEvaluator(make(name, options))
    sure = (1 - evaluator.solution.values.value.astype(float)) / 2
    assert (evaluator.expected_scores >= sure - DRAW_PENALTY - TOLERANCE).all()
    assert (evaluator.expected_scores <= 1).all()


def test_a_game_that_goes_round_for_ever_has_hopes_too() -> None:
    loop = Graph([[1, -1], [0, 2], [-1, -1]], [0, 0, Verdict.LOST])
    evaluator = TableEvaluator(loop)
    # The opponent stands at 1: he goes round, or loses at once.
    hope = 0.5
    for _ in range(1000):
        hope = 0.5 + 0.95 * ((hope + 1) / 2 - 0.5)
    assert evaluator.expected_scores[1] == pytest.approx(hope)


def test_who_cannot_win_keeps_the_match_alive_for_longer() -> None:
    evaluator = TableEvaluator(make("bits"))
    view = Match(make("bits"), moves=["flip 2", "flip 2", "flip 1"]).view(2)
    assert {choice.evaluation.value for choice in evaluator.choices(view)} == {DRAW}
    assert set(evaluator.policy(view)) == {"flip 1", "flip 3"}, "a reset would lead towards a stalemate"


def test_a_very_large_table_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_POSITIONS", 10)
    evaluator = TableEvaluator(make("bits"))
    known = (1 - evaluator.solution.values.value.astype(float)) / 2
    assert evaluator.expected_scores == pytest.approx(known, abs=DRAW_PENALTY)
