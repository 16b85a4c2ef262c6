"""The deck: puzzles that were made once, so that everybody has the same; and which of them is the one of a day."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.move_plan import either
from bitduel.games import BUILT_IN, Kind, find, shelf
from bitduel.solver.exercises import Goal
from bitduel.solver.puzzles import GRADES, Puzzle

FILE = Path(__file__).parent / "deck.txt"

GAME, HEAP = "=", "#"
"""Begin a line that says a game and its options, which puzzles name by its number; and one that says how many puzzles
of a game and grade there are, in the order in which they then come."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A move is the digit of its number in the game's list of moves."""

GOALS = {goal.value[0] if goal != Goal.DEFEND else "l": goal for goal in Goal}

PARTS = 10_000
"""Chances of winning are kept in so many parts."""

OUTSIDE = 1_000_000
"""The puzzles of a game from outside are numbered from a multiple of this."""

FEW, VARIANTS = 100, 40
"""Of a game from outside so many variants are looked at while somebody waits, and so many puzzles of a grade kept."""


DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class NoPuzzleError(BitduelError):
    """A puzzle that there is not."""


class Deck(NamedTuple):
    """Lines of puzzles in order, the games that they name, and where those of a game and grade begin and end."""

    games: tuple[str, ...]
    lines: tuple[str, ...]
    heaps: dict[tuple[str, int], range]


@cache
def deck() -> Deck:
    """The deck, read once."""
    lines = FILE.read_text("ascii").splitlines()
    games = tuple(line[2:] for line in lines if line.startswith(GAME))
    counted = [line.split()[1:] for line in lines[len(games) :] if line.startswith(HEAP)]
    heaps, number = {}, 1
    for slug, grade, count in counted:
        heaps[slug, int(grade)] = range(number, number + int(count))
        number += int(count)
    return Deck(games, tuple(lines[len(games) + len(counted) :]), heaps)


def written(puzzles: Sequence[Puzzle]) -> str:
    """A deck as text, to be read again; the puzzles come by game and grade."""
    games = list(dict.fromkeys(_game_line(puzzle.game) for puzzle in puzzles))
    place = {game: number for number, game in enumerate(games)}
    lines = [f"{place[_game_line(puzzle.game)]} {_line(puzzle)}" for puzzle in puzzles]
    heaps = Counter(f"{puzzle.game.slug} {puzzle.grade}" for puzzle in puzzles)
    heads = [*(f"{GAME} {game}" for game in games), *(f"{HEAP} {heap} {count}" for heap, count in heaps.items())]
    return "\n".join([*heads, *lines, ""])


def _game_line(game: Game[Any]) -> str:
    usual = {option.name: option.default for option in game.declared}
    return " ".join([game.slug, *(f"{k}={v}" for k, v in game.open_options.items() if v != usual[k])])


def _line(puzzle: Puzzle) -> str:
    letter = next(letter for letter, goal in GOALS.items() if goal == puzzle.goal)
    moves, right = (_digits(puzzle.game, each) for each in (puzzle.moves, puzzle.right))
    chances = ",".join(str(round(PARTS * chance)) for chance in puzzle.chances)
    return f"{letter}{puzzle.grade} {moves}>{right} {puzzle.deal} {chances}".rstrip()


def _digits(game: Game[Any], moves: Iterable[str]) -> str:
    return "".join(DIGITS[game.moves.index(move)] for move in moves)


def numbered(number: int) -> Puzzle:
    """The puzzle of a number; raises NoPuzzleError where there is none."""
    lines = deck().lines
    if 1 <= number <= len(lines):
        return _read(number, lines[number - 1])
    outside = shelf()[len(BUILT_IN) :]
    place, rest = divmod(number, OUTSIDE)
    if 1 <= place <= len(outside) and 1 <= rest <= len(_live(outside[place - 1])):
        return _live(outside[place - 1])[rest - 1]
    raise NoPuzzleError(f"There is no puzzle {number}; they go from 1 to {len(lines)}.")


def _read(number: int, line: str) -> Puzzle:
    place, kind, played, *dark = line.split(" ")
    game = _game(int(place))
    moves, right = ([game.moves[DIGITS.index(digit)] for digit in each] for each in played.split(">"))
    deal, chances = dark or ("", "")
    parts = [int(part) / PARTS for part in chances.split(",") if part]
    return Puzzle(number, game, tuple(moves), deal, GOALS[kind[0]], int(kind[1]), tuple(right), tuple(parts))


@cache
def _game(place: int) -> Game[Any]:
    slug, *settings = deck().games[place].split(" ")
    return find(slug)(**dict(setting.split("=") for setting in settings))


@cache
def _live(kind: Kind) -> tuple[Puzzle, ...]:
    """The puzzles of a game from outside, made here and now."""
    from dataclasses import replace

    from bitduel.solver.puzzle_maker import made

    first = OUTSIDE * (1 + shelf().index(kind) - len(BUILT_IN))
    return tuple(replace(puzzle, number=first + place) for place, puzzle in enumerate(made([kind], FEW, VARIANTS), 1))


def numbers(kind: Kind | None = None, grade: int | None = None) -> list[int]:
    """The numbers of all puzzles of a game and grade, if asked for."""
    if kind is not None and kind not in BUILT_IN:
        return [puzzle.number for puzzle in _live(kind) if grade in (None, puzzle.grade)]
    heaps = deck().heaps.items()
    wanted = [heap for (slug, of), heap in heaps if kind in (None, find(slug)) and grade in (None, of)]
    return [number for heap in wanted for number in heap]


def grade_in(text: str) -> int:
    """A grade as somebody writes it; raises BitduelError where that is none."""
    if text not in map(str, GRADES):
        raise BitduelError(f"A grade is a whole number from {GRADES[0]} to {GRADES[-1]}.")
    return int(text)


def day_in(text: str) -> date:
    """A day as somebody writes it; raises BitduelError where that is none."""
    try:
        if not DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise BitduelError("A date is written as year, month and day, like 2026-11-16.") from None


def any_of(kind: Kind | None, grade: int | None, rng: Random) -> Puzzle:
    """Some puzzle of a game and grade, every game as likely; raises NoPuzzleError where there is none."""
    kinds = [each for each in ([kind] if kind else BUILT_IN) if numbers(each, grade)]
    if not kinds:
        of = f" of {kind.title}" if kind else ""
        there = [str(each) for each in GRADES if numbers(kind, each)]
        others = f" of grade {grade}, only of {either(there)}" if there else ""
        raise NoPuzzleError(f"There is no puzzle{of}{others}.")
    return numbered(rng.choice(numbers(rng.choice(kinds), grade)))


def daily(day: date) -> Puzzle:
    """The puzzle of a day: easy on a Monday, hardest on a Sunday, and by the date alone.

    The games that have puzzles of the day's grade take turns, week by week, and each goes through its own in order:
    it takes years until one comes again.
    """
    week, weekday = divmod(day.toordinal() - 1, 7)
    grade = GRADES[weekday]
    heaps = [deck().heaps[kind.slug, grade] for kind in BUILT_IN if (kind.slug, grade) in deck().heaps]
    heap = heaps[(week + 2 * weekday) % len(heaps)]
    return numbered(heap[week // len(heaps) % len(heap)])
