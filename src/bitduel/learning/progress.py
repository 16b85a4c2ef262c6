"""Progress with puzzles, kept on this machine: daily results, and what is to be practised again.

A file that cannot be read is never overwritten: the person gets one sentence, and nothing is saved.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitduel.core.errors import BitduelError
from bitduel.core.folders import data_folder, write_atomically
from bitduel.core.practice import PracticeItem
from bitduel.games.registry import find

if TYPE_CHECKING:
    from bitduel.learning.puzzle_deck import DeckPuzzle
    from bitduel.learning.puzzles import Exercise

PUZZLE_FILE = "puzzles.json"
PUZZLE_FORMAT = "bitduel puzzles 1"

FIRST_ROW = "2026-11-18"
"""The first day whose result is a row of marks, one for each decision; before, tries ended with the right one."""
RIGHT, WRONG = "✓", "✗"
MARKS = frozenset("✓~?✗ ")
"""The characters of a result: a row of marks, and perhaps that of the sister after a space."""
BRIDGE = 7
"""The days of which one may be missed without ending a streak."""

WAITING_DAYS = (1, 2, 4, 8, 16)
"""Days until a position is asked again, one step further each time it is known; after the last it is learnt."""

LARGEST_PUZZLE_FILE = 1 << 24
"""Bytes that are read at most."""

NEWEST_MATCHES = 50
"""The number of stored matches that are searched for turning points, the newest first."""


def is_solved(day: str, result: str) -> bool:
    """Return whether the result of a day is a solved puzzle: that of the day, or its sister."""
    if day < FIRST_ROW:
        return result.endswith(RIGHT)
    return any(WRONG not in row for row in result.split())


def is_clean(day: str, result: str) -> bool:
    """Return whether the result of a day is nothing but right first answers."""
    return bool(result) and set(result) == {RIGHT}


@dataclass
class ReviewCard:
    """A position for spaced repetition: how often it was known, and when it is asked next."""

    game: str
    options: dict[str, Any]
    moves: list[str]
    deal: str
    id: str = ""
    """The id of a puzzle of the deck or of an item of practice; empty for a position."""
    known: int = 0
    due: str = ""
    """A date; empty once the position is learnt."""

    @property
    def key(self) -> str:
        """Text that identifies the position."""
        return self.id or json.dumps([self.game, self.options, self.moves, self.deal], sort_keys=True)

    def exercise(self) -> "Exercise | None":
        """Return the position, or None if its game is gone or nobody is to move there."""
        from bitduel.learning.puzzles import Exercise

        try:
            exercise = Exercise(find(self.game)(**self.options), tuple(self.moves), self.deal)
            return exercise if exercise.match.to_move else None
        except (BitduelError, TypeError):
            return None

    def puzzle(self) -> "DeckPuzzle | None":
        """Return the puzzle of the card, or of its position; None if it is gone."""
        from bitduel.learning.puzzle_deck import DeckPuzzle, puzzle_by_id
        from bitduel.learning.puzzles import puzzle_from

        if self.id:
            try:
                return puzzle_by_id(self.id)
            except BitduelError:
                return None
        exercise = self.exercise()
        return DeckPuzzle(None, puzzle_from(exercise)) if exercise else None


def review_card(chosen: "DeckPuzzle") -> ReviewCard:
    """Return a new card for a puzzle, or for a position of a match."""
    game, position = chosen.puzzle.game, chosen.puzzle.position
    return ReviewCard(game.slug, dict(game.open_options), list(position.moves), position.deal, chosen.id or "")


@dataclass
class PuzzleProgress:
    """Tries at daily puzzles and cards to review; saved after every answer that counts."""

    path: Path | None = None
    days: dict[str, str] = field(default_factory=dict)
    cards: dict[str, ReviewCard] = field(default_factory=dict)
    solved: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The ids of the puzzles solved, by game and grade, each once."""
    begun: dict[str, str] = field(default_factory=dict)
    """The day whose puzzle was begun and not finished, with the answers so far as the text of a session."""
    trouble: str = ""
    """The reason why nothing is saved, if so."""

    def streak(self, today: date, counts: Callable[[str, str], bool] = is_solved) -> int:
        """Return the number of days in a row that count, up to today or yesterday; one missed in seven is bridged."""
        return self._streak(today, counts)[0]

    def bridged(self, today: date) -> list[date]:
        """Return the missed days between those of the streak."""
        return self._streak(today, is_solved)[1]

    def _streak(self, today: date, counts: Callable[[str, str], bool]) -> tuple[int, list[date]]:
        """Return the length of the streak, and the days that it bridges."""
        counted = {day for day, result in self.days.items() if counts(day, result)}
        solved = {day for day, result in self.days.items() if is_solved(day, result)}

        def is_in(day: date) -> bool:
            return day.isoformat() in counted

        def is_bridge(day: date) -> bool:
            """Return whether a day may be bridged: one that was solved with help ends a streak of days without."""
            is_missed = day.isoformat() not in solved and is_in(day - timedelta(1))
            return is_missed and (not bridged or day + timedelta(BRIDGE) <= bridged[-1])

        day, count = today if is_in(today) else today - timedelta(1), 0
        bridged: list[date] = []
        while True:
            if is_in(day):
                count += 1
            elif count and is_bridge(day):
                bridged.append(day)
            else:
                return count, bridged
            day -= timedelta(1)

    def note_day(self, day: date, row: str) -> None:
        """Save the row of marks of a day, unless that day has one."""
        if day.isoformat() not in self.days:
            self.days[day.isoformat()] = row
            self.begun.clear()
            self._save()

    def note_begun(self, day: date, play: str) -> None:
        """Save the answers so far to the puzzle of a day, which count even if somebody leaves it."""
        self.begun = {day.isoformat(): play}
        self._save()

    def note_sister(self, day: date, row: str) -> None:
        """Save the row of the sister of a day's puzzle, once."""
        if " " not in (first := self.days[day.isoformat()]):
            self.days[day.isoformat()] = f"{first} {row}"
            self._save()

    def note_solved(self, chosen: "DeckPuzzle", today: date) -> None:
        """Count a puzzle of the deck as solved, by its game and grade; not on the day on which it was missed."""
        puzzle = chosen.puzzle
        if chosen.id is None or isinstance(puzzle, PracticeItem):
            return
        card = self.cards.get(review_card(chosen).key)
        if card and not card.known and card.due > today.isoformat():
            return
        ids = self.solved.setdefault(puzzle.game.slug, {}).setdefault(str(puzzle.grade), [])
        if chosen.id not in ids:
            ids.append(chosen.id)
            self._save()

    def solved_phrase(self, slug: str) -> str:
        """Return how many puzzles of a game were solved, and up to which grade; empty where none was."""
        grades = {int(grade): len(ids) for grade, ids in self.solved.get(slug, {}).items() if ids}
        return f"{sum(grades.values())} solved, up to grade {max(grades)}" if grades else ""

    def note(self, chosen: "DeckPuzzle", is_known: bool, today: date, always: bool = False) -> None:
        """Schedule a puzzle that was missed, or one step later a card that is due and was known.

        With `always`, also schedule a puzzle that was known and has no card.
        """
        card = review_card(chosen)
        old = self.cards.get(card.key)
        is_due = bool(old.due) and old.due <= today.isoformat() if old else always
        if is_known and not is_due:
            return
        card.known = (old.known if old else 0) + 1 if is_known else 0
        is_learnt = card.known > len(WAITING_DAYS)
        card.due = "" if is_learnt else (today + timedelta(WAITING_DAYS[max(0, card.known - 1)])).isoformat()
        self.cards[card.key] = card
        self._save()

    def drop_lost(self) -> str:
        """Drop the cards whose puzzle is gone; say so in one sentence, or nothing."""
        lost = [key for key, card in self.cards.items() if card.due and card.puzzle() is None]
        if not lost:
            return ""
        for key in lost:
            del self.cards[key]
        self._save()
        count = "One puzzle" if len(lost) == 1 else f"{len(lost)} puzzles"
        return f"{count} to practise again {'is' if len(lost) == 1 else 'are'} gone, because the puzzles have changed."

    def due(self, today: date) -> list[ReviewCard]:
        """Return the cards to be asked again, those due longest first."""
        waiting = [card for card in self.cards.values() if card.due and card.due <= today.isoformat()]
        return sorted(waiting, key=lambda card: card.due)

    def _save(self) -> None:
        if self.path is None:
            return
        content = {
            "format": PUZZLE_FORMAT,
            "days": self.days,
            "cards": [vars(card) for card in self.cards.values()],
            "solved": self.solved,
            "begun": self.begun,
        }
        try:
            write_atomically(self.path, json.dumps(content, ensure_ascii=False, indent=1))
        except OSError as error:
            self.trouble = f"Your results can't be saved: {self.path} can't be written ({error.strerror})."
            self.path = None


def open_puzzle_progress() -> PuzzleProgress:
    """Read the progress in puzzles; if the file is unreadable, return progress that is not saved and says why."""
    try:
        path = data_folder() / PUZZLE_FILE
    except OSError as error:
        return PuzzleProgress(trouble=f"Your results can't be saved: there is no folder for them ({error.strerror}).")
    try:
        with path.open("rb") as file:
            return parse_puzzle_progress(path, file.read(LARGEST_PUZZLE_FILE))
    except FileNotFoundError:
        return PuzzleProgress(path)
    except OSError as error:
        return PuzzleProgress(trouble=f"Your results can't be saved: {path} can't be read ({error.strerror}).")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return PuzzleProgress(
            trouble=f"Your results can't be saved because {path} is damaged. Move or delete it to start again."
        )


def parse_puzzle_progress(path: Path, text: bytes) -> PuzzleProgress:
    """Return the progress that a file holds; raise ValueError, TypeError, KeyError or AttributeError for any other."""
    content = json.loads(text)
    if content["format"] != PUZZLE_FORMAT:
        raise ValueError("another format")
    days = {date.fromisoformat(day).isoformat(): str(tries) for day, tries in content["days"].items()}
    if not all(tries.split() and set(tries) <= MARKS for tries in days.values()):
        raise ValueError("a malformed result")
    cards = [ReviewCard(**card) for card in content["cards"]]
    for card in cards:
        if not (isinstance(card.known, int) and isinstance(card.options, dict) and isinstance(card.moves, list)):
            raise ValueError("a malformed card")
        if card.due:
            date.fromisoformat(card.due)
    solved = {
        slug: {str(int(grade)): [str(name) for name in names] for grade, names in grades.items()}
        for slug, grades in content.get("solved", {}).items()
    }
    begun = {date.fromisoformat(day).isoformat(): str(play) for day, play in content.get("begun", {}).items()}
    return PuzzleProgress(path, days, {card.key: card for card in cards}, solved, begun)


def personal_puzzles(progress: PuzzleProgress, db: str | None, today: date) -> "Iterator[DeckPuzzle]":
    """Yield the cards that are due, then turning points of this person's matches that were never asked."""
    from bitduel.learning.puzzle_deck import DeckPuzzle
    from bitduel.learning.puzzles import puzzle_from

    for card in progress.due(today):
        if chosen := card.puzzle():
            yield chosen
    asked = set(progress.cards)
    for exercise in _turning_points(db):
        chosen = DeckPuzzle(None, puzzle_from(exercise))
        key = review_card(chosen).key
        if key not in asked:
            asked.add(key)
            yield chosen


def _turning_points(db: str | None) -> "Iterator[Exercise]":
    """Yield the positions at which a person on this machine gave something away, of the newest matches first."""
    from bitduel.learning.puzzles import Exercise
    from bitduel.learning.review import review
    from bitduel.storage import open_store
    from bitduel.storage.presentation import replay_all

    with open_store(db) as store:
        finished = [stored for stored in store.matches(limit=NEWEST_MATCHES) if stored.outcome]
    for stored, match in replay_all(finished).pairs:
        try:
            steps = review(match, stored.names).steps
        except BitduelError:
            continue  # The game is too large to be solved, or has no evaluator.
        for step in steps:
            if step.turning and stored.players[step.seat - 1].is_human:
                # Which seat began makes no difference to the position; in an exercise it is always the first.
                yield Exercise(match.game.with_deal(""), tuple(match.moves[: step.ply]), match.deal)
