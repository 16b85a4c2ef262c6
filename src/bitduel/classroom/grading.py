"""Answers of pupils graded: to a puzzle, where None asks for a hint, and to a step of a lesson."""

from collections.abc import Sequence

from bitduel.classroom.activities import MOVES, TRIED, lesson_state, plain_answer, puzzle_session, tried_answers
from bitduel.classroom.standings import FAILED, FIRST, LATER
from bitduel.core.errors import BitduelError
from bitduel.core.lesson import MatchStep
from bitduel.learning.lesson_grading import advance, grade_answer
from bitduel.learning.puzzle_session import EventKind
from bitduel.storage.classes import AnswerRecord, ClassRecord


def grade_puzzle(
    record: ClassRecord, pupil: int, item: int, answer: Sequence[str] | None
) -> tuple[AnswerRecord, bool | None, list[str]]:
    """Return the answers to a puzzle after one more, whether it is right (None for a hint), and what to say."""
    session = puzzle_session(record, pupil, item)
    before = record.answers.get((pupil, item)) or AnswerRecord("", 0, None)
    if answer is None:
        session.hint()
    else:
        session.answer(list(answer))
    feedback = session.feedback
    is_wrong = feedback is not None and feedback.kind in (EventKind.WRONG, EventKind.AGAIN)
    result = None
    if session.is_finished:
        result = FIRST if session.is_clean else LATER if session.is_solved else FAILED
    after = AnswerRecord(str(session), before.wrong + is_wrong, result)
    return after, None if answer is None else not is_wrong, list(feedback.sentences) if feedback else []


def grade_step(
    record: ClassRecord, pupil: int, item: int, answer: Sequence[str] | None
) -> tuple[AnswerRecord, bool | None, list[str]]:
    """Return the answers to a step of a lesson after one more, whether it is right, and what to say."""
    if answer is None or len(answer) != 1:
        raise BitduelError("Please send one answer.")
    state = lesson_state(record, pupil, item)
    before = record.answers.get((pupil, item)) or AnswerRecord("", 0, None)
    verdict = grade_answer(state, answer[0])
    made, given = before.events.partition(TRIED)[0], plain_answer(answer[0])
    tried = TRIED.join([made, *dict.fromkeys((*tried_answers(before), given))])
    if not verdict.is_right:
        return before._replace(events=tried, wrong=before.wrong + 1), False, list(verdict.sentences)
    done = FIRST if before.wrong == 0 else LATER
    if isinstance(state.step, MatchStep):
        after = advance(state, answer[0])
        events = MOVES.join(filter(None, [made, answer[0]]))
        ending = after.ending
        said = list(ending.sentences) if ending else []
        return AnswerRecord(events, before.wrong, done if after.is_done else None), True, said
    return before._replace(events=tried, result=done), True, list(verdict.sentences)
