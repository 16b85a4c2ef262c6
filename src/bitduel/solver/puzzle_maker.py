"""Making puzzles: every position of small games at which one move alone is right, no two of them alike."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import BitduelError
from bitduel.core.evaluator import Evaluator, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.options import Choice, Option, Setting, Whole
from bitduel.core.view import View
from bitduel.games import Kind
from bitduel.solver.belief_tracking import Known, know
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.exercises import Exercise, Goal
from bitduel.solver.move_values import Truths
from bitduel.solver.puzzles import GRADES, Puzzle, difficulty, grade_of
from bitduel.solver.shortest_path import key_of, shortest_path

WIDEST, SIZES = 12, 48
"""A size goes from half of what is usual up to so many times that; of very many sizes so many are taken."""

VARIANTS = 600
"""So many variants of a game are looked at."""

MOST_POSITIONS = 40_000
"""A game with more positions is left out."""

LONGEST_WAY = 24
"""Where it takes more moves to come to, a position is left out: nobody wants to read them all."""

HABIT = 0.9
"""Where one and the same move is the answer to so large a part of a game's puzzles of one goal, nobody who knows the
game needs to look; then it is right no more often than the others, except where it is seen at a glance anyway."""

NEAR = 9
"""What is seen at a glance has an end at most so many plies away, or it is no more than not losing at once."""

FAR = 12
"""So many plies ahead two positions are compared before they are called alike."""

MARGIN = 0.02
"""In the dark the right move wins by so much more often than any other that no rounding makes another move right,
against the equilibrium that is kept."""

TURNS, MOST_KNOWN = 5, 250
"""In the dark so many turns of a player are followed, and at each turn so many of the things there are to know."""

GLIMPSES = (1, 3, 5)
"""In the dark moves are alike that win as often, and look as good to those who see so far."""

Marks = NDArray[np.uint64]


def made(kinds: Sequence[Kind], most: int, each: int = VARIANTS) -> list[Puzzle]:
    """Puzzles of these games in many readings and sizes, at the most so many of a game and grade.

    They come by game and grade; within these in an order that only they themselves decide.
    """
    sizes = [game for kind in kinds for game in variants(kind)[:each]]
    seen: set[int] = set()
    unique = [puzzle for game in sorted(sizes, key=strangeness) for puzzle in found_in(game, seen)]
    sorts: dict[tuple[Kind, Goal], list[Puzzle]] = {}
    for puzzle in unique:
        sorts.setdefault((type(puzzle.game), puzzle.goal), []).append(puzzle)
    fair = [puzzle for puzzles in sorts.values() for puzzle in _without_habit(puzzles)]
    return _dealt(filter(_is_worth_a_thought, fair), kinds, most)


def _without_habit(puzzles: Sequence[Puzzle]) -> Iterator[Puzzle]:
    """Those of a game and a goal; above the first grade a habit is right no more often than all other moves."""
    ((usual, count),) = Counter(puzzle.right[0] for puzzle in puzzles).most_common(1)
    for grade in GRADES:
        alike = [puzzle for puzzle in puzzles if puzzle.grade == grade]
        others = [puzzle for puzzle in alike if puzzle.right[0] != usual]
        usually = sorted((puzzle for puzzle in alike if puzzle.right[0] == usual), key=_other_lot)
        fair = grade == GRADES[0] or count < HABIT * len(puzzles)
        yield from [*others, *(usually if fair else usually[: len(others)])]


def _is_worth_a_thought(puzzle: Puzzle) -> bool:
    """Nothing is asked at a glance where one loses anyway, or where the other moves lose at once and the end is far."""
    if puzzle.grade > GRADES[0]:
        return True
    return puzzle.goal != Goal.DEFEND and (puzzle.answer(puzzle.right[0]).worth.plies or 0) <= NEAR


def _dealt(puzzles: Iterable[Puzzle], kinds: Sequence[Kind], most: int) -> list[Puzzle]:
    heaps: dict[tuple[int, int], list[Puzzle]] = {}
    for puzzle in puzzles:
        heaps.setdefault((kinds.index(type(puzzle.game)), puzzle.grade), []).append(puzzle)
    return [puzzle for place in sorted(heaps) for puzzle in sorted(heaps[place], key=_lot)[:most]]


def _lot(puzzle: Puzzle) -> bytes:
    return lot(_told(puzzle.game), puzzle.deal, *puzzle.moves)


def _other_lot(puzzle: Puzzle) -> bytes:
    """Another lot, so that who was chosen by it does not come first by the one."""
    return _lot(puzzle)[::-1]


def lot(*words: object) -> bytes:
    """What decides by chance, and the same on every machine."""
    return sha256(" ".join(map(str, words)).encode()).digest()


def _told(game: Game[Any]) -> str:
    return " ".join([game.slug, *(f"{name}={value}" for name, value in game.open_options.items())])


def variants(kind: Kind) -> list[Game[Any]]:
    """A game in every reading and many sizes, the usual one first, the strangest last."""
    names = [option.name for option in kind.declared]
    games = []
    for settings in product(*map(_settings, kind.declared)):
        try:
            games.append(kind(**dict(zip(names, settings, strict=True))))
        except BitduelError:
            continue  # These sizes do not go together.
    return sorted(games, key=lambda game: (strangeness(game), lot(_told(game))))


def strangeness(game: Game[Any]) -> int:
    """In how many options a game is not as usual; of puzzles that are alike the most usual one is kept."""
    return sum(game.options[option.name] != option.default for option in game.declared)


def _settings(option: Option) -> list[Setting]:
    if isinstance(option, Choice):
        return list(option.choices)
    if isinstance(option, Whole):
        usual = int(option.default)
        high = min(WIDEST * usual, option.high, option.quick or option.high)
        sizes = range(max(option.low, (usual + 1) // 2), high + 1)
        return [usual, *sorted(set(sizes) - {usual}, key=lambda size: lot(option.name, size))[:SIZES]]
    return [option.default]


def found_in(game: Game[Any], seen: set[int]) -> Iterator[Puzzle]:
    """The puzzles of a game with its options that are like none seen before, by their marks; these are then seen too.

    There are none where the game is too large, or nobody can judge it.
    """
    try:
        if game.transparent:
            yield from _in_the_open(TableEvaluator(game, MOST_POSITIONS), seen)
        else:
            yield from _in_the_dark(game, evaluator_for(game), seen)
    except BitduelError:
        return


def _in_the_open(judge: TableEvaluator, seen: set[int]) -> Iterator[Puzzle]:
    table = judge.solution.table
    marks = marks_of(judge).tolist()
    for index in np.flatnonzero(has_one_right_move(judge)).tolist():
        if marks[index] in seen:
            continue
        moves = tuple(shortest_path(table, key_of(table, index)))
        if len(moves) <= LONGEST_WAY:
            seen.add(marks[index])
            yield _puzzle(Exercise(judge.game, moves), judge)


def _puzzle(exercise: Exercise, judge: Evaluator, chances: tuple[float, ...] = ()) -> Puzzle:
    view = exercise.match.view(exercise.match.to_move)
    grade = grade_of(difficulty(judge, view, exercise.right))
    return Puzzle(0, exercise.game, exercise.moves, exercise.deal, exercise.goal, grade, exercise.right, chances)


def has_one_right_move(judge: TableEvaluator) -> Truths:
    """For each position whether there is a choice, and one right move."""
    outlook = judge.outlook(np.arange(len(judge.solution.table)))
    top = np.where(outlook.legal, outlook.sign, -1).max(axis=1, keepdims=True)
    right = np.where(top < 0, outlook.best(), outlook.legal & (outlook.sign == top))
    open_ = judge.solution.table.verdict == Verdict.OPEN
    return np.asarray(open_ & (outlook.legal.sum(axis=1) > 1) & (right.sum(axis=1) == 1), np.bool_)


def marks_of(judge: TableEvaluator) -> Marks:
    """A mark for every position: the same where everything that can be played from there has the same shape.

    What the moves are called, which game it is and how one came there make no difference. It is compared as far as
    some plies ahead, and beyond that by who wins and when.
    """
    table, (value, plies) = judge.solution.table, judge.solution.values
    known = [array.astype(np.int64).astype(np.uint64) for array in (value, plies, table.verdict)]
    here = _mixed(known[0] + _mixed(known[1] + _mixed(known[2])))
    legal = table.after >= 0
    marks = here
    for _ in range(FAR):
        below = np.where(legal, _mixed(marks)[table.after], np.uint64(0)).sum(axis=1, dtype=np.uint64)
        marks = _mixed(here + below)
    return marks


def _mixed(numbers: Marks) -> Marks:
    """Numbers that are near each other made into numbers that are not; sums of these tell sets apart."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _in_the_dark(game: Game[Any], judge: Evaluator, seen: set[int]) -> Iterator[Puzzle]:
    for known in moments(game):
        choices = judge.choices(known.view)
        chances = tuple(choice.worth.win_probability or 0.0 for choice in choices)
        *_, second, first = sorted(chances) if len(chances) > 1 else (1.0, 1.0)
        if first - second < MARGIN or any(choice.worth.assumed for choice in choices):
            continue
        mark = _dark_mark(judge, known.view, choices)
        if mark not in seen:
            seen.add(mark)
            yield _puzzle(Exercise(game, tuple(known.matches[known.deal].moves), known.deal), judge, chances)


def _dark_mark(judge: Evaluator, view: View, choices: Sequence[MoveEvaluation]) -> int:
    """The same where the moves are worth the same and look the same, in whatever order."""
    seen = [choices, *(judge.choices(view, sight) for sight in GLIMPSES)]
    worths = sorted(tuple(f"{choice.worth.win_probability:.6f}" for choice in move) for move in zip(*seen, strict=True))
    return int.from_bytes(sha256(repr(worths).encode()).digest()[:8], "big")


def moments(game: Game[Any]) -> Iterator[Known]:
    """What there is to know for either player, turn by turn; of very many things some, always the same."""
    for seat in (1, 2) if game.hidden else (1,):
        level = {_key(known): known for known in [know(game, seat, ())]}
        for _ in range(TURNS if game.hidden else 2 * TURNS):
            yield from level.values()
            after = {_key(then): then for known in level.values() for then in _next(game, known)}
            level = dict(sorted(after.items(), key=lambda each: lot(each[0]))[:MOST_KNOWN])


def _next(game: Game[Any], known: Known) -> Iterator[Known]:
    for move in known.view.legal:
        for answer in known.answers(move):
            if answer.over is None:
                try:
                    yield know(game, known.seat, (*known.line, move), answer.deal)
                except BitduelError:
                    continue  # Whatever the other does, the match is over before the next turn.


def _key(known: Known) -> str:
    return repr((known.view.seat, known.view.ply, tuple(known.view.board)))
