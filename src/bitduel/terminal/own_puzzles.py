"""Puzzles of one's own: what one got wrong before, when it is due, and the turning points of one's own matches."""

from collections.abc import Iterator
from datetime import date

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.solver.exercises import Exercise
from bitduel.solver.puzzles import Puzzle, puzzle_of
from bitduel.storage import StoredMatch, open_store
from bitduel.storage.presentation import replayed
from bitduel.terminal.puzzle_progress import Progress, card_of, playable

NEWEST = 50
"""So many matches are looked at, the newest first."""


def own_puzzles(progress: Progress, db: str | None, today: date) -> Iterator[Puzzle]:
    """What is due first, then turning points that were never asked."""
    for card in list(progress.due(today)):
        exercise = playable(card)
        if exercise:
            yield puzzle_of(exercise)
    asked = set(progress.cards)
    for exercise in turning_points(db):
        key = card_of(exercise).key
        if key not in asked:
            asked.add(key)
            yield puzzle_of(exercise)


def turning_points(db: str | None) -> Iterator[Exercise]:
    """The positions at which a person of this machine gave something away, of the newest matches first."""
    with open_store(db) as store:
        kept = [each for each in store.matches(limit=NEWEST) if each.outcome]
    for each, match in replayed(kept).pairs:
        yield from _turns_of(each, match)


def _turns_of(kept: StoredMatch, match: Match) -> Iterator[Exercise]:
    from bitduel.solver.review import review

    try:
        steps = review(match, kept.names).steps
    except BitduelError:
        return  # Too large to be judged, or nobody can.
    for step in steps:
        if step.turning and kept.players[step.seat - 1].is_human:
            # Which seat began makes no difference to the position; in an exercise it is always the first.
            yield Exercise(match.game.dealt(""), tuple(match.moves[: step.ply]), match.deal)
