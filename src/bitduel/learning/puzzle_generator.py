"""The deck, chosen from all puzzles that the games can make, and the puzzles of the days; see docs/puzzles.md."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from fractions import Fraction
from hashlib import sha256

import numpy as np

from bitduel.core.errors import BitduelError
from bitduel.core.game import Verdict
from bitduel.core.puzzle import GRADES, Form, HasPuzzles, Puzzle
from bitduel.games.daily_puzzles import DAILY_ODDS, DAILY_ROUND, STANDARD_SHARE
from bitduel.games.registry import GameClass, find
from bitduel.learning.puzzle_deck import FIRST_DAY, DeckEntry, entry_of
from bitduel.learning.puzzles import OTHER_ODDS, BestPlay
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.move_values import BoolArray
from bitduel.solver.table import position_key, shortest_path

PER_KIND = 60
"""The most puzzles of one kind and grade of a game."""
LARGEST_SHARE = Fraction(30, 100)
"""The most of the deck that a game may have, once there are enough games."""

DAYS = 730
APART = 30
"""The days between two puzzles with the same settings and first decision."""
MOST_MARKS = 12
"""The most sheets of marks in a number of days; 40 per cent of a month."""

MOST_POSITIONS, MOST_EXTERNAL, LONGEST_PATH = 40_000, 100, 24
EXTERNAL_TURNS = 4
"""A game from outside with more positions has no puzzles; its table gives lines of at most this many turns."""


def generate_deck(kinds: Iterable[GameClass]) -> list[Puzzle]:
    """Return the puzzles of the deck: of each game, kind and grade the usual sizes first, then by a hash."""
    stacks: dict[tuple[str, str, int], list[Puzzle]] = {}
    for kind in kinds:
        if issubclass(kind, HasPuzzles):
            for puzzle in kind.generate_puzzles(evaluator_for):
                if puzzle.grade == 1 or puzzle.odds <= OTHER_ODDS:
                    stacks.setdefault((kind.slug, puzzle.kind, puzzle.grade), []).append(puzzle)
    chosen = {stack: sorted(puzzles, key=_order)[:PER_KIND] for stack, puzzles in stacks.items()}
    _trim(chosen)
    return [puzzle for stack in chosen.values() for puzzle in stack]


def _order(puzzle: Puzzle) -> tuple[bool, bytes]:
    return not puzzle.is_standard, sha256(entry_of(puzzle).line.encode()).digest()


def _trim(stacks: dict[tuple[str, str, int], list[Puzzle]]) -> None:
    """Shorten the longest stacks of a game that has too large a share; with fewer than four games each has more."""
    if len({slug for slug, _, _ in stacks}) * LARGEST_SHARE < 1:
        return
    while True:
        sizes = Counter({slug: 0 for slug, _, _ in stacks})
        for (slug, _, _), puzzles in stacks.items():
            sizes[slug] += len(puzzles)
        slug, size = sizes.most_common(1)[0]
        if size <= LARGEST_SHARE * sizes.total():
            return
        max((puzzles for (each, _, _), puzzles in stacks.items() if each == slug), key=len).pop()


def deck_text(puzzles: Sequence[Puzzle]) -> str:
    """Return puzzles, and the ids of the days, as the text of a deck."""
    days = " ".join(entry_of(puzzle).id for puzzle in schedule(puzzles))
    return "\n".join([f"days {days}", *(entry_of(puzzle).line for puzzle in puzzles), ""])


class _Day:
    """A puzzle that a day may have, with what the choice depends on."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.entry: DeckEntry = entry_of(puzzle)
        self.is_marks = puzzle.form == Form.MARKS
        self.is_standard = puzzle.is_standard
        self.decision = first_decision(puzzle)


def first_decision(puzzle: Puzzle) -> str:
    """Return text that is the same for puzzles with the same settings and first decision."""
    question = puzzle.question()
    assert question is not None, "a puzzle asks something"
    place = question.position.moves if question.position else question.prompt
    return repr((puzzle.game.slug, puzzle.shown_options, place, question.right))


def schedule(puzzles: Sequence[Puzzle], days: int = DAYS) -> list[Puzzle]:
    """Return a puzzle for each day from the first, none twice: the games in turn, the grades by the weekday."""
    slugs = {puzzle.game.slug for puzzle in puzzles}
    games = [kind.slug for kind in DAILY_ROUND if kind.slug in slugs]
    stock: dict[str, list[_Day]] = {slug: [] for slug in games}
    for puzzle in puzzles:
        slug = puzzle.game.slug
        if slug in stock and puzzle.odds <= DAILY_ODDS[find(slug)]:
            stock[slug].append(_Day(puzzle))
    recent: deque[_Day] = deque(maxlen=APART - 1)
    used: Counter[object] = Counter()
    chosen: list[Puzzle] = []
    for number in range(days):
        slug = games[number % len(games)]
        weekday = (FIRST_DAY + timedelta(number)).weekday()
        if not stock[slug]:
            break
        day = min(stock[slug], key=lambda each: _reluctance(each, GRADES[weekday], recent, used))
        stock[slug].remove(day)
        recent.append(day)
        used.update([slug, (slug, "standard", day.is_standard), (slug, day.entry.kind)])
        chosen.append(day.puzzle)
    return chosen


def _reluctance(day: _Day, grade: int, recent: Sequence[_Day], used: Counter[object]) -> tuple[object, ...]:
    """Return what makes a puzzle unfit for a day, the gravest first."""
    slug = day.entry.slug
    is_repeated = any(day.decision == other.decision for other in recent)
    is_too_many = day.is_marks and sum(other.is_marks for other in recent) >= MOST_MARKS - 1
    wanted = used[slug, "standard", True] < STANDARD_SHARE[find(slug)] * (used[slug] + 1)
    distance = 0 if (grade, day.entry.grade) in ((1, 2),) else abs(grade - day.entry.grade)
    return (
        is_repeated + is_too_many,
        distance,
        day.is_standard != wanted,
        used[slug, day.entry.kind],
        day.entry.id,
    )


def generate_external(kind: GameClass) -> Iterator[Puzzle]:
    """Yield lines of best play in a game from outside, from positions at which one move alone is right."""
    game = kind()
    if not game.has_perfect_information:
        return
    try:
        evaluator = TableEvaluator(game, MOST_POSITIONS)
        table = evaluator.solution.table
    except BitduelError:
        return
    count = 0
    for index in np.flatnonzero(has_one_right_move(evaluator)).tolist():
        moves = shortest_path(table, position_key(table, index))
        if len(moves) > LONGEST_PATH or count == MOST_EXTERNAL:
            continue
        for turns in range(1, EXTERNAL_TURNS + 1):
            puzzle = BestPlay(game=game, parameters={"moves": ",".join(moves), "turns": str(turns)})
            if puzzle.grade == 1 or puzzle.odds <= OTHER_ODDS:
                count += 1
                yield puzzle
                break


def has_one_right_move(evaluator: TableEvaluator) -> BoolArray:
    """Return for each position whether it has a choice of moves, and exactly one of them is right."""
    moves = evaluator.move_values(np.arange(len(evaluator.solution.table)))
    top = np.where(moves.legal, moves.sign, -1).max(axis=1, keepdims=True)
    right = np.where(top < 0, moves.best(), moves.legal & (moves.sign == top))
    is_open = evaluator.solution.table.verdict == Verdict.OPEN
    return np.asarray(is_open & (moves.legal.sum(axis=1) > 1) & (right.sum(axis=1) == 1), np.bool_)
