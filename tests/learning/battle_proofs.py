"""Proofs of the puzzles of Binary Battle: sure searches, equilibria and notes worked out a second time."""

import gzip
import json
from collections import Counter
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.puzzle import Puzzle, Question

MARGIN = 0.02
"""How much more often the best toggle of a tree wins."""
UNSURE = 99
Known = tuple[int, int, int]
"""A number, and the lowest and highest possible secret."""


def targets(bits: int, number: int) -> dict[str, int]:
    """Return the number that each toggle makes."""
    return {f"toggle {bit}": number ^ 1 << bits - bit for bit in range(1, bits + 1)}


def known_of(puzzle: Puzzle) -> Known:
    """Return what the solver knows at the start."""
    number, low, high = (int(puzzle.parameters[name]) for name in ("number", "low", "high"))
    return number, low, high


def answers_to(low: int, high: int, target: int) -> list[tuple[int, int]]:
    """Return the ranges that a number can leave, if it is not the secret."""
    ranges = [(low, target - 1), (target + 1, high)] if low <= target <= high else [(low, high)]
    return [each for each in ranges if each[0] <= each[1]]


def check_shown(question: Question, known: Known, task: str) -> None:
    """Check that a question stands at a match in which the solver knows exactly this, and that the deal is hidden."""
    assert question.position
    match = question.position.match
    assert not match.outcome
    board = match.view(match.next_seat).board
    assert (int(board.mine, 2), board.low, board.high) == known
    assert question.position.deal not in task
    assert all(question.position.deal not in candidate.text for candidate in question.candidates)


@cache
def sure_within(bits: int, number: int, low: int, high: int, turns: int) -> bool:
    """Return whether a secret in this range can be hit within these turns, whatever the answers are."""
    return turns > 0 and any(is_safe(bits, target, low, high, turns) for target in targets(bits, number).values())


def is_safe(bits: int, target: int, low: int, high: int, turns: int) -> bool:
    """Return the same after a toggle that makes a number."""
    return all(sure_within(bits, target, *left, turns - 1) for left in answers_to(low, high, target))


def check_corner_it(puzzle: Puzzle) -> None:
    """Check that each decision has one right toggle, that each answer is the most awkward, and what comes after."""
    bits = int(puzzle.game.options["bits"])
    number, low, high = known_of(puzzle)
    turns = next(turns for turns in range(1, UNSURE) if sure_within(bits, number, low, high, turns))
    assert f"within {turns} turns" in puzzle.task
    answers = list[tuple[str]]()
    while question := puzzle.question(answers):
        check_shown(question, (number, low, high), puzzle.task)
        moves = targets(bits, number)
        right = [move for move, target in moves.items() if is_safe(bits, target, low, high, turns)]
        assert [candidate.name for candidate in question.candidates] == list(moves)
        assert list(question.right) == right
        assert len(right) == 1
        answers.append((right[0],))
        number, turns = moves[right[0]], turns - 1
        (reply,) = puzzle.replies(answers)
        low, high = next(each for each in answers_to(low, high, number) if (number < each[0]) == (reply == "less"))
        assert not sure_within(bits, number, low, high, turns - 1)
    assert len(answers) >= 2
    assert len(set(answers)) > 1, "no habit solves it"
    assert puzzle.odds == Fraction(1, bits ** len(answers))


class EquilibriumByHand:
    """The plans of the package, read, checked and answered a second time."""

    def __init__(self, bits: int) -> None:
        self.bits, self.size = bits, 1 << bits
        folder = files("bitduel.games.binary_battle.equilibrium") / "shipped"
        content = json.loads(gzip.decompress((folder / f"{bits}.json.gz").read_bytes()))
        self.hits = [self._hits(plan["scale"], plan["turns"]) for plan in content["plans"]]
        self.in_time = {1: self._alive(self.hits[1])[:-1], 2: self._alive(self.hits[0])[1:]}
        self.tables = {seat: self._answers(seat) for seat in (1, 2)}
        best = [max(self._worths(seat, 1, (0, 0, self.size - 1)).values()) / self.size for seat in (1, 2)]
        assert abs(sum(best) - 1) < 1e-9, "neither seat can win more than the other leaves it"
        assert abs(best[0] - Fraction(content["value"])) < 1e-9

    def _hits(self, scale: int, turns: list[list[int]]) -> NDArray[np.float64]:
        """Return by turn and secret how often a plan hits, after a check that what enters a state leaves it."""
        coming, leaving = Counter({(1, 0, 0, self.size - 1): scale}), Counter[tuple[int, ...]]()
        hits = np.zeros((max(turn for turn, *_ in turns), self.size))
        for turn, number, low, high, *parts in turns:
            assert min(parts) >= 0
            leaving[turn, number, low, high] += sum(parts)
            for target, part in zip(targets(self.bits, number).values(), parts, strict=True):
                if part and low <= target <= high:
                    hits[turn - 1, target] += part / scale
                for left in answers_to(low, high, target) if part else ():
                    coming[turn + 1, target, *left] += part
        assert coming == leaving
        assert np.allclose(hits.sum(axis=0), 1)
        return hits

    def _alive(self, hits: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return by turn and secret how likely it is that it has not been hit before; the last is never."""
        return [*hits[::-1].cumsum(axis=0)[::-1], np.zeros(self.size)]

    def _answers(self, seat: int) -> list[NDArray[np.float64]]:
        """Return by turn the most that can be won [after making a number, lowest secret, highest secret + 1]."""
        later = np.zeros((self.size, self.size + 1, self.size + 1))
        tables = []
        for in_time in reversed(self.in_time[seat]):
            making = later.copy()
            for number in range(self.size):
                below, above = later[number, : number + 1, number], later[number, number + 1, number + 1 :]
                making[number, : number + 1, number + 1 :] = in_time[number] + below[:, None] + above[None, :]
            tables.append(making)
            near = [[number ^ 1 << place for place in range(self.bits)] for number in range(self.size)]
            later = np.array([making[each].max(axis=0) for each in near])
        return tables[::-1]

    def _worths(self, seat: int, turn: int, known: Known) -> dict[str, float]:
        number, low, high = known
        table = self.tables[seat][turn - 1]
        return {move: float(table[target, low, high + 1]) for move, target in targets(self.bits, number).items()}

    def chances(self, seat: int, turn: int, known: Known) -> dict[str, float]:
        """Return how often each toggle wins, given that the match goes on."""
        mass = float(self.in_time[seat][turn - 1][known[1] : known[2] + 1].sum())
        assert mass > 1e-12, "the opponent may still be without a hit"
        return {move: worth / mass for move, worth in self._worths(seat, turn, known).items()}


equilibrium_by_hand = cache(EquilibriumByHand)


def clear_best(chances: dict[str, float]) -> str | None:
    """Return the toggle that wins more often than any other by the margin, if there is one."""
    best, following = sorted(chances, key=chances.__getitem__, reverse=True)[:2]
    return best if chances[best] - chances[following] >= MARGIN else None


def check_toggle_tree(puzzle: Puzzle) -> None:
    """Check the chances of every toggle of the tree, and that it asks after every answer with a clear best toggle."""
    bits = int(puzzle.game.options["bits"])
    seat, turn, known = int(puzzle.parameters["seat"]), int(puzzle.parameters["turn"]), known_of(puzzle)
    solved, moves = equilibrium_by_hand(bits), targets(bits, known[0])
    best = clear_best(solved.chances(seat, turn, known))
    assert best
    after = [(moves[best], low, high) for low, high in answers_to(*known[1:], moves[best]) if low < high]
    clear = [each for each in after if clear_best(solved.chances(seat, turn + 1, each))]
    assert clear
    answers = list[tuple[str, ...]]()
    for state, at in [(known, turn), *((each, turn + 1) for each in clear)]:
        question = puzzle.question(answers)
        assert question
        check_shown(question, state, puzzle.task)
        match = question.position and question.position.match
        assert match
        assert (match.next_seat, match.ply // 2 + 1) == (seat, at)
        chances = solved.chances(seat, at, state)
        assert [candidate.name for candidate in question.candidates] == list(chances)
        assert question.right == (clear_best(chances),)
        stated: Any = match.game.evaluator()
        wins = {each.move: each.evaluation.win_probability for each in stated.choices(match.view(seat))}
        assert all(abs(wins[move] - chance) < 1e-9 for move, chance in chances.items())
        answers.append(question.right)
        following = clear[len(answers) - 1 : len(answers)]
        assert puzzle.replies(answers) == tuple("less" if number < low else "greater" for number, low, _ in following)
    assert puzzle.question(answers) is None
    assert puzzle.odds == Fraction(1, bits ** len(answers))


def check_notes(puzzle: Puzzle) -> None:
    """Check that the notes can be taken, and that exactly the secrets are marked that would be answered so."""
    bits = int(puzzle.game.options["bits"])
    lines = puzzle.task.partition(": ")[2].partition(". ")[0].split("; ")
    noted = [line.replace(":", "").split() for line in lines]
    rows = [0, *(int(row, 2) for _, _, row, _, _ in noted)]
    toggles = [f"{verb} {bit}" for verb, bit, *_ in noted]
    assert all(targets(bits, one)[toggle] == two for toggle, (one, two) in zip(toggles, pairwise(rows), strict=True))
    signs = [(int(row, 2), word) for _, _, row, _, word in noted]
    check_sheet(puzzle, lambda s: all(row != s and (row < s) == (word == "less") for row, word in signs))


def check_sheet(puzzle: Puzzle, is_marked: Any) -> None:
    """Check every number of a sheet, and that no position beside it gives the answer away."""
    ((question, answer),) = puzzle.solution()
    names = [candidate.name for candidate in question.candidates]
    assert list(answer) == [name for name in names if is_marked(int(name))]
    assert 2 <= len(answer) <= len(names) - 2
    assert question.position is None
    assert not puzzle.position.moves
    assert puzzle.odds == Fraction(1, 2 ** len(names))


@cache
def search_turns(bits: int, secret: int) -> int:
    """Return the turn in which plain binary search hits a secret, played out."""
    number, turns = 0, 0
    for place in reversed(range(bits)):
        number, turns = number | 1 << place, turns + 1
        if number > secret:
            number, turns = number & ~(1 << place), turns + 1
        if number == secret:
            break
    return turns


def check_costs(puzzle: Puzzle) -> None:
    """Check that exactly the secrets are marked that plain binary search hits by the turn, or in it."""
    bits, turn, is_by = int(puzzle.game.options["bits"]), int(puzzle.parameters["turn"]), "by turn" in puzzle.task
    check_sheet(puzzle, lambda s: search_turns(bits, s) == turn or (is_by and search_turns(bits, s) < turn))
