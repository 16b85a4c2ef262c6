"""Proofs of puzzles by the rules written a second time: every move of every line is tried out."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod

import brute
from bitduel.core.puzzle import Puzzle, Question
from learning.battle_proofs import check_corner_it, check_costs, check_notes, check_toggle_tree
from learning.bits_proofs import check_beat_the_habit, check_can_it_happen, check_what_holds

CARDS = (1, 2, 4, 8, 16)


@lru_cache(1 << 18)
def wins(state: brute.State) -> bool:
    """Return whether the player to move wins; the game must be one without draws."""
    over = state.result()
    if over is not None:
        return over[0] == state.mover
    return any(not wins(state.after(move)) for move in state.legal())


def number(game: Puzzle, total: int, target: int | None = None) -> brute.Numbers:
    """Return a number race at a number."""
    options = game.game.options
    return brute.Numbers(total, int(options["target"]) if target is None else target, int(options["step"]), 1)


def start_of(puzzle: Puzzle, question: Question) -> brute.State:
    """Return the state of a question, from the first move of its game on."""
    assert question.position is not None
    game = question.position.game
    state = brute.initial(game.slug, {name.replace("-", "_"): value for name, value in game.options.items()})
    for move in question.position.moves:
        state = brute.apply(state, move)
    return state


def at_once(state: brute.State, move: str) -> int | None:
    """Return the winner if a move ends the game."""
    over = state.after(move).result()
    return over[0] if over else None


def check_turn(state: brute.State, question: Question) -> Fraction:
    """Check that exactly the winning moves are right; return the chance of guessing one among different results."""
    assert [candidate.name for candidate in question.candidates] == state.legal()
    right = [move for move in state.legal() if not wins(state.after(move))]
    assert list(question.right) == right
    safe = {state.after(move): move for move in state.legal() if at_once(state, move) in (None, state.mover)}
    return Fraction(len({state.after(move) for move in right}), len(safe))


def is_clear(state: brute.State) -> bool:
    """Return whether the player to move has at most one move at every turn that does not lose at once."""
    if state.result() is not None:
        return True
    safe = {state.after(move) for move in state.legal() if at_once(state, move) in (None, state.mover)}
    return len(safe) < 2 and all(
        is_clear(after.after(reply)) for after in safe if after.result() is None for reply in after.legal()
    )


def check_line(puzzle: Puzzle) -> None:
    """Check uniqueness, replies and odds of a line, that it needs both moves, and that its end is clear."""
    odds, answers, state = [], [], None
    for question, answer in puzzle.solution():
        state = start_of(puzzle, question)
        odds.append(check_turn(state, question))
        assert odds[-1] == question.odds
        answers.append(answer)
        state = brute.apply(state, *answer)
        for reply in puzzle.replies(answers):
            replies = [move for move in state.legal() if at_once(state, move) is None]
            solver, after = 3 - state.mover, {move: state.after(move) for move in replies}
            cheap = [move for move in replies if any(at_once(after[move], win) == solver for win in ("add", "double"))]
            assert reply in replies
            assert reply not in cheap or len(cheap) == len(replies)
            state = brute.apply(state, reply)
    assert state is not None
    assert odds[0] < 1, "it begins with a decision"
    assert len({answer for answer, chance in zip(answers, odds, strict=True) if chance < 1}) > 1, "no habit solves it"
    assert all(is_clear(state.after(move)) for move in state.legal() if state.result() is None)
    assert puzzle.odds == prod(odds, start=Fraction(1))
    assert len([chance for chance in odds if chance < 1]) == puzzle.decisions


def check_thrift(puzzle: Puzzle) -> None:
    """Check that each answer is the shortest winning move, each reply the longest move, and the end a win."""
    chances, answers = [], []
    state: brute.State | None = None
    for question, answer in puzzle.solution():
        state = start_of(puzzle, question)
        chances.append(Fraction(1, len(state.legal())))
        shortest = min((move for move in state.legal() if not wins(state.after(move))), key=int)
        assert (question.right, answer) == ((shortest,), (shortest,))
        answers.append(answer)
        state = state.after(shortest)
        for reply in puzzle.replies(answers):
            assert reply == max(state.legal(), key=int)
            state = state.after(reply)
    assert state is not None
    assert state.result() is not None
    assert puzzle.odds == prod(chances, start=Fraction(1))
    assert len(set(answers)) > 1


def check_marks(is_marked: Callable[[int], bool], puzzle: Puzzle) -> None:
    """Check every cell of a sheet."""
    ((question, answer),) = puzzle.solution()
    assert [name for name in question.candidates if is_marked(int(name.name))] == [
        name for name in question.candidates if name.name in answer
    ]
    assert puzzle.odds == Fraction(1, 2 ** len(question.candidates))


def check_good_to_leave(puzzle: Puzzle) -> None:
    """Check that exactly the numbers are marked from which the player to move loses, and the target."""
    target = int(puzzle.game.options["target"])
    check_marks(lambda total: total == target or not wins(number(puzzle, total)), puzzle)


def check_winning_squares(puzzle: Puzzle) -> None:
    """Check that exactly the squares are marked from which the player to move wins."""
    length, finish = int(puzzle.game.options["length"]), str(puzzle.game.options["finish"])
    theirs = int(puzzle.parameters["theirs"])
    check_marks(lambda square: wins(brute.Track(square, theirs, 1, length, finish)), puzzle)


def check_find_the_target(puzzle: Puzzle) -> None:
    """Check that the clues fit one target alone, and that neither is enough."""
    clues = [(int(clue[:-1]), clue[-1] == "+") for clue in puzzle.parameters["clues"].split()]
    ((question, _),) = puzzle.solution()

    def fits(target: int, total: int, is_good: bool) -> bool:
        return total <= target and (total == target or not wins(number(puzzle, total, target))) == is_good

    targets = [int(candidate.name) for candidate in question.candidates]
    assert [str(t) for t in targets if all(fits(t, *clue) for clue in clues)] == list(question.right)
    assert len(question.right) == 1
    assert all(sum(fits(t, *clue) for t in targets) > 1 for clue in clues)
    assert puzzle.odds == Fraction(1, len(targets))
    assert "target" not in puzzle.shown_options


def check_crossroads(puzzle: Puzzle) -> None:
    """Check that each board has one winning move, and that both moves are needed."""
    turns = list(puzzle.solution())
    odds = [check_turn(start_of(puzzle, question), question) for question, _ in turns]
    assert puzzle.odds == prod(odds, start=Fraction(1)) == Fraction(1, 2 ** len(turns))
    assert {answer for _, answer in turns} == {("add",), ("double",)}


def check_route(puzzle: Puzzle) -> None:
    """Check that no other cards, and no fewer, lead to the end before the opponent."""
    ((question, answer),) = puzzle.solution()
    state = start_of(puzzle, question)
    assert isinstance(state, brute.Track)
    mine, theirs = (state.length - state.place(seat) for seat in (state.mover, 3 - state.mover))

    def ways(steps: int, count: int) -> list[tuple[int, ...]]:
        return [cards for cards in combinations_with_replacement(CARDS, count) if sum(cards) == steps]

    assert ways(mine, len(answer)) == [tuple(sorted(map(int, answer)))]
    assert not any(ways(theirs, count) for count in range(len(answer)))
    assert ways(theirs, len(answer))
    assert puzzle.odds == Fraction(1, len(list(combinations_with_replacement(CARDS, len(answer)))))


CHECKS: dict[tuple[str, str], Callable[[Puzzle], None]] = {
    ("binary-race-64", "line"): check_line,
    ("binary-race-64", "good-to-leave"): check_good_to_leave,
    ("binary-race-64", "crossroads"): check_crossroads,
    ("double-or-nothing", "line"): check_line,
    ("double-or-nothing", "good-to-leave"): check_good_to_leave,
    ("double-or-nothing", "find-the-target"): check_find_the_target,
    ("binary-race-31", "thrift"): check_thrift,
    ("binary-race-31", "route"): check_route,
    ("binary-race-31", "winning-squares"): check_winning_squares,
    ("binary-race-bits", "what-holds"): check_what_holds,
    ("binary-race-bits", "can-it-happen"): check_can_it_happen,
    ("binary-race-bits", "beat-the-habit"): check_beat_the_habit,
    ("binary-battle", "notes"): check_notes,
    ("binary-battle", "costs"): check_costs,
    ("binary-battle", "corner-it"): check_corner_it,
    ("binary-battle", "toggle-tree"): check_toggle_tree,
}
"""The proof of each kind."""
