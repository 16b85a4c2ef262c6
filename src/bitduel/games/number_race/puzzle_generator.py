"""The puzzles of the number races from which a deck may choose, in a fixed order."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from bitduel.core.puzzle import Puzzle
from bitduel.games.number_race.law import NumberLaw, fence
from bitduel.games.number_race.puzzle_reasons import is_good, made, path_to
from bitduel.games.number_race.puzzles import GoodToLeave, NumberLine
from bitduel.games.number_race.rules import NumberRace
from bitduel.games.number_race.target_puzzles import Crossroads, FindTheTarget

DECISIONS = range(2, 7)
"""The decisions of a line."""
HIGHEST_START = 12
"""The highest number from which a line of an unusual target starts."""
WINDOWS = (10, 12, 16, 20)
CANDIDATES = (8, 10, 12)
TARGET_LISTS, CROSSROADS = 60, 240
"""The lists of targets of each length, and the sets of boards, that are tried."""


class Line(NamedTuple):
    """The decisions of a line, as numbers and moves, and the defence."""

    decisions: tuple[tuple[int, str], ...] = ()
    defence: tuple[str, ...] = ()


def generate_lines(kind: type[NumberRace], targets: Sequence[int]) -> Iterator[Puzzle]:
    """Yield the lines that need both moves; of lines with the same decisions the shortest."""
    usual = kind().target
    for target in targets:
        game = kind(target=target)
        lines: dict[tuple[tuple[int, str], ...], tuple[int, Line]] = {}
        for number in range(1, target if target == usual else HIGHEST_START + 1):
            for line in _lines(game, number) if _is_reached(game, number) and not game.law.is_lost(number) else ():
                if _is_worth_playing(line, number):
                    known = lines.setdefault(line.decisions, (number, line))
                    if len(line.defence) < len(known[1].defence):
                        lines[line.decisions] = (number, line)
        for number, line in lines.values():
            yield NumberLine(game=game, parameters={"number": str(number), "defence": " ".join(line.defence)})


def _is_worth_playing(line: Line, number: int) -> bool:
    numbers, moves = [each for each, _ in line.decisions], {move for _, move in line.decisions}
    is_all = len(line.decisions) == len(line.defence) + 1
    return is_all and len(moves) > 1 and len(numbers) in DECISIONS and numbers[0] == number


def _is_reached(game: NumberRace, number: int) -> bool:
    try:
        path_to(game, number)
    except ValueError:
        return False
    return True


def _lines(game: NumberRace, number: int) -> Iterator[Line]:
    """Yield the lines from a number that the player to move wins, with one right move at each turn."""
    options = {made(game, number, move): move for move in ("double", "add")}
    options = {after: move for after, move in options.items() if after <= game.target}
    right = [after for after in options if is_good(game, after)]
    if len(right) != 1:
        return
    left = right[0]
    decisions = ((number, options[left]),) if len(options) > 1 else ()
    replies = {after: move for move in game.moves if (after := made(game, left, move)) < game.target}
    if all(_is_clear(game, after) for after in replies):
        yield Line(decisions)
        return
    is_blunder = {after: game.law.plies(after) == 1 for after in replies}
    for after, reply in replies.items():
        if (is_blunder[after] and not all(is_blunder.values())) or _is_clear(game, after):
            continue
        for rest in _lines(game, after):
            if len(decisions) + len(rest.decisions) <= DECISIONS[-1]:
                yield Line(decisions + rest.decisions, (reply, *rest.defence))


@cache
def _is_clear(game: NumberRace, number: int) -> bool:
    """Return whether the winner, who is to move, has nothing to decide from here on, whatever the other does."""
    options = {after for move in game.moves if (after := made(game, number, move)) <= game.target}
    if len(options) != 1:
        return not options
    left = options.pop()
    return left == game.target or all(
        _is_clear(game, after) for move in game.moves if (after := made(game, left, move)) < game.target
    )


def generate_windows(kind: type[NumberRace], targets: Sequence[int]) -> Iterator[Puzzle]:
    """Yield windows of numbers with at least two numbers to mark, and two not to mark."""
    usual = kind().target
    for target in targets:
        game = kind(target=target)
        for length in WINDOWS:
            for low in range(1, target - length + 2, 1 if target == usual else 5):
                puzzle = GoodToLeave(game=game, parameters={"from": str(low), "to": str(low + length - 1)})
                if 2 <= len(puzzle.marks) <= length - 2:
                    yield puzzle


def generate_targets(kind: type[NumberRace]) -> Iterator[Puzzle]:
    """Yield lists of targets with two clues, neither of which is enough."""
    for length in CANDIDATES:
        for number in range(TARGET_LISTS):
            rng = Random(f"targets {length} {number}")
            targets = sorted(rng.sample(range(12, 12 + 5 * length, 4), length // 2 + 1))
            others = [each for each in range(12, 12 + 5 * length) if each not in targets]
            targets = sorted([*targets, *rng.sample(others, length - len(targets))])
            yield from _clues(kind, targets, rng)


def _clues(kind: type[NumberRace], targets: Sequence[int], rng: Random) -> Iterator[Puzzle]:
    """Yield at most one puzzle for each target of a list: both clues needed, few targets left after the first."""
    game = kind()
    listed = " ".join(map(str, targets))
    for target in rng.sample(targets, 3):
        law = NumberLaw(target, game.step)
        numbers = rng.sample(range(1, targets[0] + 6), 12)
        clues = [f"{number}{'+' if law.is_lost(number) else '-'}" for number in numbers if number < target]
        for pair in combinations(clues, 2):
            puzzle = FindTheTarget(game=game, parameters={"targets": listed, "clues": " ".join(pair)})
            left = sorted(len(puzzle.fitting([clue])) for clue in puzzle.clues)
            if len(puzzle.fitting(puzzle.clues)) == 1 and 2 <= left[0] <= 4 and left[1] < len(targets):
                yield puzzle
                break


def generate_crossroads(kind: type[NumberRace]) -> Iterator[Puzzle]:
    """Yield sets of four to six boards; on at least two of them adding wins, and on at least two doubling."""
    game = kind()
    for count in range(CROSSROADS):
        rng = Random(f"crossroads {count}")
        boards = sorted({_board(game, rng) for _ in range(rng.choice((4, 5, 6)))})
        puzzle = Crossroads(game=game, parameters={"boards": " ".join(f"{n}:{target}" for n, target in boards)})
        moves = [answer[0] for _, answer in puzzle.solution()]
        if len(boards) >= 4 and min(moves.count("add"), moves.count("double")) >= 2:
            yield puzzle


def _board(game: NumberRace, rng: Random) -> tuple[int, int]:
    """Return an odd total and a target, with a fence near the total as often as not."""
    while True:
        total, target = rng.choice(range(1, 15, 2)), rng.choice(range(20, 126, 2))
        law = NumberLaw(target, game.step)
        is_right = [2 * total <= target and law.is_lost(2 * total), law.is_lost(total + game.step)]
        if sum(is_right) == 1 and 2 * total <= target and (fence(target) <= 4 * total or rng.random() < 0.2):
            return total, target
