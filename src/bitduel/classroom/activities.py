"""Activities: what was asked for, checked and completed, and the puzzle or step that a pupil is at."""

from collections.abc import Collection
from functools import lru_cache
from random import Random
from typing import Any

from bitduel.classroom.requests import ActivityRequest
from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.core.game import Game
from bitduel.core.lesson import Lesson, LessonStep, MatchStep, game_lesson
from bitduel.games.registry import find, make
from bitduel.learning.lesson_grading import LessonState, start_step
from bitduel.learning.puzzle_deck import DeckPuzzle, entries_of, puzzle_by_id, random_puzzle
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.service.new_match import check_fair, make_game
from bitduel.storage.classes import ActivityRecord, AnswerRecord, ClassRecord

PAIRS, ROUND_ROBIN, SWISS = "pairs", "round-robin", "swiss"
ARENA, LADDER, PUZZLES, LESSON = "arena", "ladder", "puzzles", "lesson"
IN_ROUNDS = (PAIRS, ROUND_ROBIN, SWISS)
"""The activities that are paired round by round."""
WITH_MATCHES = (*IN_ROUNDS, ARENA, LADDER)
DEFAULT_ROUNDS, DEFAULT_MINUTES, DEFAULT_PUZZLES = 4, 10, 5
FIELD_KINDS = {
    "rounds": (ROUND_ROBIN, SWISS),
    "minutes": (ARENA,),
    "count": (PUZZLES,),
    "grade": (PUZZLES,),
    "seconds": (PUZZLES,),
    "pairs": (PAIRS,),
    "best_of": (PAIRS,),
    "clock": (*IN_ROUNDS, ARENA, LADDER),
}
"""The activities for which a field has a meaning."""
MOVES = ","
"""Separates the moves of a learner in a step."""
TRIED = "\n"
"""Stands before each judged answer, after those moves; the next right move of a match ends this list."""


def settings_of(request: ActivityRequest, pupils: Collection[int], rng: Random) -> dict[str, Any]:
    """Return the settings of an activity as they are stored; raise BitduelError if it cannot be."""
    _check_fields(request)
    kind = find(request.game) if request.game is not None else None
    if request.kind in WITH_MATCHES:
        assert kind is not None
        check_fair(make_game(kind, request.options))
    if request.kind == LESSON and kind and game_lesson(kind) is None:
        raise UnknownNameError(f"There is no lesson for {kind.title} yet.")
    rounds = request.rounds
    if request.kind == ROUND_ROBIN:
        rounds = rounds or max(1, len(pupils) - 1 + len(pupils) % 2)
    if request.kind == SWISS:
        rounds = rounds or DEFAULT_ROUNDS
    items: list[str] = []
    if request.kind == PUZZLES:
        items = _choose_puzzles(request, rng)
    clock = request.clock.settings if request.clock else None
    return {
        "game": kind.slug if kind else None,
        "options": dict(request.options) if request.kind in WITH_MATCHES else {},
        "rounds": rounds,
        "minutes": (request.minutes or DEFAULT_MINUTES) if request.kind == ARENA else None,
        "count": len(items) or None,
        "best_of": request.best_of,
        "clock": clock and {clock.kind: clock.seconds},
        "odd": request.odd,
        "seconds": request.seconds,
        "pairs": request.pairs,
        "slots": rng.sample(sorted(pupils), len(pupils)),
        "items": items,
    }


def _check_fields(request: ActivityRequest) -> None:
    """Raise BitduelError for a field that is missing, or has no meaning in the activity."""
    if request.game is None and request.kind != PUZZLES:
        raise BitduelError("Choose a game for this activity.")
    for name, kinds in FIELD_KINDS.items():
        if getattr(request, name) not in (None, 1) and request.kind not in kinds:
            raise BitduelError(f"'{name}' can't be chosen for {request.kind}.")


def _choose_puzzles(request: ActivityRequest, rng: Random) -> list[str]:
    kind = find(request.game) if request.game is not None else None
    wanted = request.count or DEFAULT_PUZZLES
    if kind is not None:
        entries = entries_of(kind, request.grade)
        if not entries:
            random_puzzle(kind, request.grade, rng)  # which says what there is
        chosen = rng.sample(entries, min(wanted, len(entries)))
        return [each.id for each in sorted(chosen, key=lambda each: each.grade)]
    puzzles = {random_puzzle(None, request.grade, rng).id for _ in range(4 * wanted)}
    return sorted(each for each in puzzles if each)[:wanted]


def game_of(activity: ActivityRecord) -> Game[Any]:
    """Return the game of an activity with matches."""
    return make(activity.settings["game"], activity.settings["options"])


def title_of(activity: ActivityRecord) -> str:
    """Return the title of the game of an activity, or empty for puzzles of all games."""
    return find(activity.settings["game"]).title if activity.settings["game"] else ""


def is_paced(activity: ActivityRecord) -> bool:
    """Return whether everybody is at the same puzzle, with a countdown."""
    return activity.kind == PUZZLES and activity.settings["seconds"] is not None


def item_count(activity: ActivityRecord) -> int:
    """Return the number of puzzles or steps."""
    if activity.kind == PUZZLES:
        return len(activity.settings["items"])
    return len(lesson_of(activity)) if activity.kind == LESSON else 0


def item_of(record: ClassRecord, pupil: int) -> int | None:
    """Return the number of the puzzle or step that a pupil is at; None if nothing is left to do now."""
    activity = record.activity
    if activity is None:
        return None
    items = [activity.round] if is_paced(activity) else range(1, item_count(activity) + 1)
    return next((item for item in items if not _is_done(record, pupil, item)), None)


def _is_done(record: ClassRecord, pupil: int, item: int) -> bool:
    answer = record.answers.get((pupil, item))
    return answer is not None and answer.result is not None


def deck_puzzle(activity: ActivityRecord, item: int) -> DeckPuzzle:
    """Return a puzzle of an activity."""
    return puzzle_by_id(activity.settings["items"][item - 1])


@lru_cache(maxsize=256)
def puzzle_object(puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle as the API describes it, without its solution."""
    return puzzle_by_id(puzzle_id).as_data()


def puzzle_session(record: ClassRecord, pupil: int, item: int) -> PuzzleSession:
    """Return a puzzle with the answers of a pupil so far."""
    assert record.activity
    answer = record.answers.get((pupil, item))
    return PuzzleSession.parse(deck_puzzle(record.activity, item).puzzle, answer.events if answer else "")


def lesson_of(activity: ActivityRecord) -> Lesson:
    """Return the lesson of an activity."""
    lesson = game_lesson(find(activity.settings["game"]))
    if lesson is None:
        raise BitduelError("This lesson is not installed.")
    return lesson


def lesson_step(activity: ActivityRecord, pupil: int, item: int) -> LessonStep:
    """Return a step of the lesson, with a deal of the pupil's own where something is dealt."""
    step = lesson_of(activity).steps[item - 1]
    if isinstance(step, MatchStep) and step.position.game.has_chance:
        return step.with_deal(str(pupil + item))
    return step


def lesson_state(record: ClassRecord, pupil: int, item: int) -> LessonState:
    """Return a step of the lesson with the moves of a pupil so far."""
    assert record.activity
    answer = record.answers.get((pupil, item))
    made = answer.events.partition(TRIED)[0] if answer else ""
    moves = made.split(MOVES) if made else []
    return start_step(lesson_step(record.activity, pupil, item), moves)


def plain_answer(text: str) -> str:
    """Return an answer in the form in which it is remembered."""
    return " ".join(text.casefold().split())


def tried_answers(answer: AnswerRecord | None) -> tuple[str, ...]:
    """Return the answers to a step of a lesson that have been judged, and counted, since its last move."""
    return tuple(answer.events.split(TRIED)[1:]) if answer else ()
