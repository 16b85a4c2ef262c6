"""The deck of puzzles, made once so that everybody has the same: by id, by day, and by game and grade.

Each line of the file is one puzzle: its id, grade and odds, its game, its kind, and the parameters from which the
package of the game rebuilds it. The first line lists the puzzles of the days.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from bitduel.core.errors import BitduelError, UnknownNameError, printable
from bitduel.core.game import Game
from bitduel.core.phrases import join_with_or
from bitduel.core.practice import game_practice
from bitduel.core.puzzle import GRADES, Form, HasPuzzles, Pick, Puzzle
from bitduel.games.registry import BUILT_IN, GameClass, all_games, find

FILE = Path(__file__).parent / "deck.txt"
FIRST_DAY = date(2026, 11, 18)
"""The day of the daily puzzle number 1."""

LATEST_NUMBER = 1_000_000
"""No daily puzzle has a higher number."""
ID_LENGTH = 6
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EARLIEST_ZONE = timedelta(hours=14)
"""The furthest that a time zone is ahead of Greenwich."""


class NoPuzzleError(BitduelError):
    """No puzzle of that id or day, or of that game and grade."""


@dataclass(frozen=True)
class DeckEntry:
    """A puzzle of the deck, rebuilt when it is wanted."""

    id: str
    grade: int
    odds_text: str
    slug: str
    kind: str
    settings: str
    """The settings that are not the usual ones, as a query: target=28."""
    parameters: str

    @property
    def odds(self) -> Fraction:
        """The chance of guessing the puzzle."""
        return Fraction(self.odds_text)

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        game = find(self.slug)
        return rebuild(game(**dict(parse_qsl(self.settings))), self.kind, dict(parse_qsl(self.parameters)))

    @property
    def line(self) -> str:
        """The line of the file."""
        parts = (self.id, self.grade, self.odds_text, self.slug, self.kind, self.settings or "-", self.parameters)
        return " ".join(map(str, parts))


def rebuild(game: Game[Any], kind: str, parameters: Mapping[str, str]) -> Puzzle:
    """Return a puzzle from its game, the name of its kind and its parameters."""
    if isinstance(game, HasPuzzles):
        return next(each for each in game.puzzle_kinds() if each.kind == kind)(game=game, parameters=parameters)
    from bitduel.learning.puzzles import BestPlay

    return BestPlay(game=game, parameters=parameters)


def entry_of(puzzle: Puzzle) -> DeckEntry:
    """Return a puzzle as an entry; its id depends on nothing but what it is made of."""
    game = puzzle.game
    defaults = {option.name: option.default for option in game.declared_options}
    settings = urlencode({name: value for name, value in game.open_options.items() if value != defaults[name]})
    parameters = urlencode(puzzle.parameters)
    text = " ".join((game.slug, puzzle.kind, settings, parameters))
    number = int.from_bytes(sha256(text.encode()).digest()[:5], "big")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    name = "".join(digits[number // 36**place % 36] for place in range(ID_LENGTH))
    return DeckEntry(name, puzzle.grade, str(puzzle.odds), game.slug, puzzle.kind, settings, parameters)


class Deck:
    """The entries by id, and the ids of the daily puzzles; a line is parsed when its entry is wanted."""

    def __init__(self, text: str) -> None:
        first, *lines = text.splitlines()
        self.days = tuple(first.split()[1:])
        self._lines = {line[:ID_LENGTH]: line for line in lines}
        self._parsed: dict[str, DeckEntry] = {}

    @cached_property
    def entries(self) -> dict[str, DeckEntry]:
        """All entries by id."""
        return {name: self.entry(name) for name in self._lines}

    def __contains__(self, name: str) -> bool:
        """Return whether there is a puzzle of an id."""
        return name in self._lines

    def entry(self, name: str) -> DeckEntry:
        """Return the entry of an id; raise KeyError if there is none."""
        if name not in self._parsed:
            self._parsed[name] = _parse_entry(self._lines[name])
        return self._parsed[name]


@cache
def deck() -> Deck:
    """Return the deck, read once."""
    return Deck(FILE.read_text("ascii"))


def _parse_entry(line: str) -> DeckEntry:
    name, grade, odds, slug, kind, settings, parameters = line.split(" ")
    return DeckEntry(name, int(grade), odds, slug, kind, "" if settings == "-" else settings, parameters)


@cache
def external_entries(kind: GameClass) -> dict[str, DeckEntry]:
    """Make the puzzles of a game from outside, which are in no file."""
    from bitduel.learning.puzzle_generator import generate_external

    return {entry.id: entry for entry in map(entry_of, generate_external(kind))}


class DeckPuzzle(NamedTuple):
    """A puzzle with its id, and its day and number where it is a daily one."""

    id: str | None
    puzzle: Puzzle
    day: date | None = None

    @property
    def number(self) -> int | None:
        """The number of a daily puzzle, counted from the first day of the deck."""
        return None if self.day is None else (self.day - FIRST_DAY).days + 1

    def as_data(self, with_solution: bool = False) -> dict[str, Any]:
        """Return the settled JSON object; the deal is never part of it."""
        return {
            "date": self.day and self.day.isoformat(),
            "number": self.number,
            "id": self.id,
            **puzzle_data(self.puzzle, with_solution),
        }


def puzzle_data(puzzle: Puzzle, with_solution: bool = False) -> dict[str, Any]:
    """Return what is settled of a puzzle by itself, with its solution if wanted."""
    question = puzzle.question()
    assert question is not None, "a puzzle asks something"
    match = puzzle.position.match
    view = match.view(match.next_seat)
    data: dict[str, Any] = {
        "game": puzzle.game.slug,
        "options": puzzle.shown_options,
        "moves": list(view.history),
        "to_move": match.next_seat,
        "kind": puzzle.kind,
        "form": str(puzzle.form),
        "task": puzzle.task,
        "ask": [candidate.name for candidate in question.candidates],
        "grade": puzzle.grade,
        "odds": str(puzzle.odds),
    }
    if puzzle.game.has_chance:
        data["view"] = view.as_dict()
    return {**data, **_solution_data(puzzle)} if with_solution else data


def _solution_data(puzzle: Puzzle) -> dict[str, Any]:
    turns = list(puzzle.solution())
    answers = [answer for _, answer in turns]
    if len(turns) == 1 and turns[0][0].pick != Pick.ONE:
        return {"solution": list(answers[0])}
    data: dict[str, Any] = {"solution": [answer[0] if len(answer) == 1 else list(answer) for answer in answers]}
    if puzzle.form == Form.LINE:
        replies = [puzzle.replies(answers[: place + 1]) for place in range(len(answers))]
        data["replies"] = [reply[0] if len(reply) == 1 else list(reply) for reply in replies if reply]
    return data


def practice_item(name: str) -> DeckPuzzle | None:
    """Return an item of practice by its id, such as "double-3"; None if there is none."""
    items = (item for kind in all_games() for item in game_practice(kind))
    return next((DeckPuzzle(name, item) for item in items if item.id == name), None) if "-" in name else None


def puzzle_by_id(name: str) -> DeckPuzzle:
    """Return the puzzle or the item of practice of an id; raise NoPuzzleError if there is none."""
    name = name.strip().lower()
    if item := practice_item(name):
        return item
    if name in deck():
        return DeckPuzzle(name, deck().entry(name).puzzle)
    for kind in all_games()[len(BUILT_IN) :]:
        if entry := external_entries(kind).get(name):
            return DeckPuzzle(name, entry.puzzle)
    raise NoPuzzleError(f"There is no puzzle '{printable(name)}'. The first puzzle is from 18 November 2026.")


def entries_of(kind: GameClass | None = None, grade: int | None = None) -> list[DeckEntry]:
    """Return all entries, or those of a game or grade."""
    is_external = kind is not None and kind not in BUILT_IN
    entries = external_entries(kind) if kind is not None and is_external else deck().entries
    slug = kind and kind.slug
    return [each for each in entries.values() if slug in (None, each.slug) and grade in (None, each.grade)]


def random_puzzle(kind: GameClass | None, grade: int | None, rng: Random) -> DeckPuzzle:
    """Return a puzzle of a game and grade, every game as likely; raise NoPuzzleError if there is none."""
    kinds = [each for each in ([kind] if kind else BUILT_IN) if entries_of(each, grade)]
    if not kinds:
        of = f" for {kind.title}" if kind else ""
        grades = [str(each) for each in GRADES if entries_of(kind, each)]
        if not grades:
            raise NoPuzzleError(f"There are no puzzles{of}.")
        raise NoPuzzleError(f"There are no puzzles{of} of grade {grade}. Choose {join_with_or(grades)}.")
    entry = rng.choice(entries_of(rng.choice(kinds), grade))
    return DeckPuzzle(entry.id, entry.puzzle)


def sister(name: str) -> DeckPuzzle | None:
    """Return another puzzle of the same game, kind and grade, always the same; None where there is none."""
    if name not in deck():
        return None
    known = deck().entry(name)
    sisters = [each for each in entries_of(find(known.slug), known.grade) if each.kind == known.kind]
    entry = sisters[(sisters.index(known) + 1) % len(sisters)]
    return None if entry == known else DeckPuzzle(entry.id, entry.puzzle)


def daily_entry(day: date) -> DeckEntry:
    """Return the entry of the puzzle of a day: easy on Monday, hardest on Sunday; raise before the first day."""
    number = (day - FIRST_DAY).days
    if number < 0:
        raise NoPuzzleError("The daily puzzles begin on 2026-11-18, with puzzle 1.")
    days = deck().days
    return deck().entry(days[number % len(days)])


def daily_puzzle(day: date) -> DeckPuzzle:
    """Return the puzzle of a day by its date alone; raise before the first day."""
    entry = daily_entry(day)
    return DeckPuzzle(entry.id, entry.puzzle, day)


def day_of(number: int) -> date:
    """Return the day of a daily puzzle by its number."""
    try:
        return FIRST_DAY + timedelta(number - 1)
    except OverflowError:
        raise NoPuzzleError("That day's puzzle isn't available yet.") from None


def parse_grade(text: str) -> int:
    """Return a grade from text; raise BitduelError if it is none."""
    if text not in map(str, GRADES):
        raise BitduelError(f"The grade must be a whole number from {GRADES[0]} to {GRADES[-1]}.")
    return int(text)


def parse_day(text: str) -> date:
    """Return a day from text; raise BitduelError if it is none."""
    try:
        if not DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise BitduelError("Write the date like this: 2026-11-18.") from None


def requested_day(text: str | None) -> tuple[date, date, date]:
    """Return the day asked for, today at Greenwich, and the last day that has begun anywhere; raise for a later day."""
    now = datetime.now(UTC)
    today, last = now.date(), (now + EARLIEST_ZONE).date()
    day = today if text is None else parse_day(text)
    if day > last:
        raise UnknownNameError("That day's puzzle isn't available yet.")
    return day, today, last


class PuzzleQuery(NamedTuple):
    """A request for a puzzle; an empty one is for any puzzle at all."""

    game: str | None = None
    grade: int | None = None
    id: str | None = None
    number: int | None = None
    date: str | None = None


def find_puzzle(query: PuzzleQuery, rng: Random) -> DeckPuzzle:
    """Return a puzzle; raise BitduelError for none or a mixed query."""
    chosen = (query.date is not None) + (query.id is not None) + (query.number is not None)
    if chosen + bool(query.game or query.grade) > 1:
        raise BitduelError("Ask for one puzzle: by date, by number, by id, or by game and grade.")
    if query.date is not None:
        return daily_puzzle(requested_day(query.date)[0])
    if query.number is not None:
        return daily_puzzle(requested_day(day_of(query.number).isoformat())[0])
    if query.id is not None:
        return puzzle_by_id(query.id)
    return random_puzzle(find(query.game) if query.game else None, query.grade, rng)
