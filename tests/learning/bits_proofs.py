"""Proofs of the puzzles of Binary Race with Bits by the rules written a second time."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod

from bitduel.core.puzzle import Puzzle
from brute import OTHER, Bits, Verdict, View, solve

MOST_TURNS = 8
DUE_NEXT = {"": "", "flip": "reset", "reset": "flip"}


def start_by_hand(puzzle: Puzzle) -> Bits:
    """Return the start of the game of a puzzle."""
    options = puzzle.game.options
    row = "0" * int(options["bits"])
    return Bits((row, row), 1, str(options["first-move"]), str(options["edge"]))


def by_hand(puzzle: Puzzle) -> Bits:
    """Return the position of a puzzle, after moves that are all legal; the first turns are over."""
    state = start_by_hand(puzzle)
    for move in puzzle.position.moves:
        assert state.result() is None
        assert move in state.legal()
        state = state.after(move)
    assert state.rows[state.mover - 1] == puzzle.parameters["mine"]
    assert state.rows[OTHER[state.mover] - 1] == puzzle.parameters["theirs"]
    assert state.acted == {1, 2} or state.first_move == "empty"
    return state


@cache
def verdicts(bits: int, first_move: str, edge: str) -> dict[View, Verdict]:
    """Return who wins from every position, and how soon."""
    return solve("binary-race-bits", bits=bits, first_move=first_move, edge=edge)


def check_what_holds(puzzle: Puzzle) -> None:
    """Check that exactly the moves are marked that are legal and after which the opponent cannot force a win."""
    state = by_hand(puzzle)
    table = verdicts(len(state.rows[0]), state.first_move, state.edge)
    ((question, right),) = puzzle.solution()
    every = [f"{verb} {place}" for verb in ("flip", "reset") for place in range(1, len(state.rows[0]) + 1)]
    after = {move: state.after(move) for move in state.legal()}
    assert [candidate.name for candidate in question.candidates] == every
    assert list(right) == [move for move in every if move in after and table[after[move].view()][0] != "win"]
    assert right
    assert not any((each.result() or (0, ""))[0] == state.mover for each in after.values()), "it is not won at once"
    assert puzzle.odds == Fraction(1, 2 ** len(every))


@cache
def boards_by_hand(start: Bits) -> set[tuple[int, tuple[str, str]]]:
    """Return the player to move and both rows of everything that can come up before the end of a match."""
    queue, seen = [start], {start}
    for state in queue:
        if state.result() is None:
            for move in state.legal():
                after = state.after(move)
                if state.first_move != "flip":
                    after = replace(after, flipped=frozenset())
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
    return {(state.mover, state.rows) for state in queue if state.result() is None}


def check_can_it_happen(puzzle: Puzzle) -> None:
    """Check that exactly the boards are marked that can come up, and that the text shows the boards themselves."""
    possible = boards_by_hand(start_by_hand(puzzle))
    seat = int(puzzle.parameters["to-move"])
    ((question, right),) = puzzle.solution()
    shown = {each.name: tuple(each.text.split(" and ")) for each in question.candidates}
    assert len(set(shown.values())) == len(shown)
    assert list(right) == [letter for letter, (one, two) in shown.items() if (seat, (one, two)) in possible]
    assert 2 <= len(right) <= len(shown) - 2
    assert all(f"{letter} {one} and {two}" in puzzle.task for letter, (one, two) in shown.items())
    others = " ".join(puzzle.explanation[2:])
    assert "is not one block" in others
    assert "the 1s don't fit" in others
    assert puzzle.odds == Fraction(1, 2 ** len(shown))


def reply_by_hand(state: Bits, habit: str, due: str) -> str:
    """Return what a habit plays, by its description."""
    legal = state.legal()
    flips = [move for move in legal if move.startswith("flip")]
    resets = [move for move in legal if move.startswith("reset")]
    if habit in ("last", "first"):
        wanted = f"reset {len(state.rows[0]) if habit == 'last' else 1}"
        if wanted in legal:
            return wanted
    return ([*resets, *flips] if due == "reset" else [*flips, *resets, *legal])[0]


def answered(state: Bits, move: str, habit: str, due: str) -> Bits | None:
    """Return the position after a move and the habit's answer, the one after a full row; None after any other end."""
    after = state.after(move)
    if after.result() is None:
        after = after.after(reply_by_hand(after, habit, due))
        return after if after.result() is None else None
    return after if after.result() == (state.mover, "all-ones") else None


@cache
def count_plans(state: Bits, habit: str, due: str, turns: int) -> int:
    """Count the plans that fill the row in exactly so many turns."""
    if state.result() is not None:
        return int(turns == 0)
    if turns == 0:
        return 0
    following = [answered(state, move, habit, due) for move in state.legal()]
    return sum(count_plans(each, habit, DUE_NEXT[due], turns - 1) for each in following if each)


def check_beat_the_habit(puzzle: Puzzle) -> None:
    """Check that there is one shortest plan, that it has more than one move, and the habit's answers to it."""
    habit, due = puzzle.parameters["habit"], puzzle.parameters.get("next", "")
    state = by_hand(puzzle)
    turns = next(turns for turns in range(1, MOST_TURNS + 1) if count_plans(state, habit, due, turns))
    assert f"Fill your row in {turns} turns." in puzzle.task
    assert count_plans(state, habit, due, turns) == 1
    answers, choices = list[tuple[str, ...]](), list[int]()
    for question, answer in puzzle.solution():
        left = turns - len(answers) - 1
        following = {move: answered(state, move, habit, due) for move in state.legal()}
        right = [m for m, each in following.items() if each and count_plans(each, habit, DUE_NEXT[due], left)]
        assert [candidate.name for candidate in question.candidates] == state.legal()
        assert list(question.right) == list(answer) == right
        answers.append(answer)
        choices.append(len(following))
        after = state.after(answer[0])
        replies = () if after.result() else (reply_by_hand(after, habit, due),)
        assert puzzle.replies(answers) == replies
        reached, due = following[answer[0]], DUE_NEXT[due]
        assert reached
        state = reached
    assert len(answers) == turns
    assert "0" not in state.rows[0]
    assert puzzle.odds == Fraction(1, prod(choices))
    assert len(set(answers)) > 1, "no habit of one's own solves it"
