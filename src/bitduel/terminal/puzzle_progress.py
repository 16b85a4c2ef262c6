"""What somebody has made of the puzzles, kept on this machine: days in a row, and what to ask again when."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.folders import write_whole
from bitduel.games import find
from bitduel.solver.exercises import Exercise
from bitduel.solver.puzzle_words import RIGHT, is_over
from bitduel.solver.puzzles import Puzzle

FILE = "puzzles.json"
FORMAT = "bitduel puzzles 1"
WAITS = (1, 2, 4, 8, 16)
"""After so many days a puzzle is asked again, one step further for every time it is known; then it is learnt."""
LIMIT = 1 << 24
"""So many bytes a file may have."""


@dataclass
class ReviewCard:
    """A position to be asked again: which one, how often it was known, and when it is next to be asked."""

    game: str
    options: dict[str, Any]
    moves: list[str]
    deal: str
    known: int = 0
    due: str = ""
    """A date; empty once it is learnt."""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return json.dumps([self.game, self.options, self.moves, self.deal], sort_keys=True)

    def exercise(self) -> Exercise:
        """The position; raises BitduelError where its game is no longer there."""
        return Exercise(find(self.game)(**self.options), tuple(self.moves), self.deal)


def card_of(exercise: Exercise | Puzzle) -> ReviewCard:
    """A position as it is kept."""
    game = exercise.game
    return ReviewCard(game.slug, dict(game.open_options), list(exercise.moves), exercise.deal)


@dataclass
class Progress:
    """Days and their tries, and the cards; written after every answer that counts."""

    path: Path | None = None
    days: dict[str, str] = field(default_factory=dict)
    cards: dict[str, ReviewCard] = field(default_factory=dict)
    trouble: str = ""
    """Why nothing is kept, if so."""

    def streak(self, today: date) -> int:
        """How many days in a row have been solved, today or until yesterday."""
        solved = {day for day, tries in self.days.items() if tries.endswith(RIGHT)}
        day = today if today.isoformat() in solved else today - timedelta(1)
        count = 0
        while day.isoformat() in solved:
            count, day = count + 1, day - timedelta(1)
        return count

    def note_day(self, day: date, tries: str) -> None:
        """Keep the tries of a day as they are made; those until it was first solved or given up count."""
        if not is_over(self.days.get(day.isoformat(), "")):
            self.days[day.isoformat()] = tries
            self._write()

    def note(self, exercise: Exercise | Puzzle, known: bool, today: date, always: bool = False) -> None:
        """What was not known is asked again tomorrow; what was, later and later, if it is asked again at all."""
        card = card_of(exercise)
        old = self.cards.get(card.key)
        if known and old is None and not always:
            return
        card.known = (old.known if old else 0) + 1 if known else 0
        learnt = card.known > len(WAITS)
        card.due = "" if learnt else (today + timedelta(WAITS[max(0, card.known - 1)])).isoformat()
        self.cards[card.key] = card
        self._write()

    def due(self, today: date) -> Iterator[ReviewCard]:
        """The cards that are to be asked again, those first that have waited longest."""
        waiting = [card for card in self.cards.values() if card.due and card.due <= today.isoformat()]
        yield from sorted(waiting, key=lambda card: card.due)

    def _write(self) -> None:
        """In one step, so that no half of it is ever seen."""
        if self.path is None:
            return
        content = {"format": FORMAT, "days": self.days, "cards": [vars(card) for card in self.cards.values()]}
        try:
            write_whole(self.path, json.dumps(content, ensure_ascii=False, indent=1))
        except OSError as error:
            self._give_up(f"Your results are not kept: {self.path} cannot be written ({error.strerror}).")

    def _give_up(self, why: str) -> None:
        self.path, self.trouble = None, why


def open_progress() -> Progress:
    """What is kept on this machine; where it cannot be read, nothing is kept and nothing is overwritten."""
    from bitduel.core.folders import data_folder

    try:
        path = data_folder() / FILE
    except OSError as error:
        return Progress(trouble=f"Your results are not kept: there is no folder for them ({error.strerror}).")
    try:
        with path.open("rb") as file:
            return _read(path, file.read(LIMIT))
    except FileNotFoundError:
        return Progress(path)
    except OSError as error:
        return Progress(trouble=f"Your results are not kept: {path} cannot be read ({error.strerror}).")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress(trouble=f"Your results are not kept: {path} is damaged. Move it away to begin anew.")


def _read(path: Path, text: bytes) -> Progress:
    content = json.loads(text)
    if content["format"] != FORMAT:
        raise ValueError("it is about something else")
    days = {date.fromisoformat(day).isoformat(): str(tries) for day, tries in content["days"].items()}
    cards = [ReviewCard(**card) for card in content["cards"]]
    for card in cards:
        if not (isinstance(card.known, int) and isinstance(card.options, dict) and isinstance(card.moves, list)):
            raise ValueError("a card is not as it should be")
        if card.due:
            date.fromisoformat(card.due)
    return Progress(path, days, {card.key: card for card in cards})


def playable(card: ReviewCard) -> Exercise | None:
    """The position of a card, if its game is still there and it can still be played."""
    try:
        exercise = card.exercise()
        return exercise if exercise.match.to_move else None
    except (BitduelError, TypeError):
        return None
