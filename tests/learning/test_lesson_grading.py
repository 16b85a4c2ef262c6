"""What is said to answers, and matches that are played out against best play."""

from dataclasses import replace

import pytest

from bitduel.core.errors import MoveError
from bitduel.core.evaluation import DRAW
from bitduel.core.lesson import Lesson, LessonPosition, MatchStep, game_lesson
from bitduel.games.registry import find, make
from bitduel.learning.lesson_grading import (
    AnswerError,
    LessonState,
    advance,
    grade_answer,
    line_text,
    outcome_text,
    reaches_goal,
    start_step,
)
from helpers import right_answers
from nim_lesson import CHOICE, MATCH, step


def of(game: str) -> Lesson:
    found = game_lesson(find(game))
    assert found
    return found


def test_a_right_move_is_praised_and_a_wrong_one_refuted_to_the_end() -> None:
    asked = step(6)
    moment = start_step(asked)
    assert grade_answer(moment, "2") == (True, (asked.praise,), (), False)
    wrong = grade_answer(moment, "1")
    assert (wrong.is_right, wrong.sentences, wrong.ends_match) == (False, (asked.wrong,), True)
    match = moment.match
    for move in wrong.line:
        match = match.after(move)
    assert match.outcome
    assert match.outcome.winner == 2
    assert line_text(asked, moment.match, wrong.line)[:2] == ["You play 1", "Your opponent plays 1"]
    assert outcome_text(asked, match) == "Your opponent wins."
    assert outcome_text(asked, moment.match) == "And so on: you win in 2 moves."
    assert outcome_text(asked, moment.match.after("2")) == "And so on: you win with the next move."


def test_the_learner_plays_on_in_a_refutation_as_the_lesson_teaches() -> None:
    """On a track that is lost anyway nobody creeps on by one step."""
    lesson = of("31")
    for number in (4, 5):
        moment = start_step(lesson.steps[number - 1])
        for move in ("1", "2"):
            assert grade_answer(moment, move).line[2] == "16"


def test_some_moves_are_blamed_in_words_of_their_own() -> None:
    moment = start_step(step(6, wrong_by_move={"3": "Three is too many."}))
    assert grade_answer(moment, "3").sentences == ("Three is too many.",)


def test_an_answer_is_read_whatever_its_letters_and_blanks() -> None:
    moment = start_step(CHOICE)
    assert grade_answer(moment, " 4 ").is_right
    assert not grade_answer(moment, "3").is_right
    assert right_answers(moment) == ("4",)
    with pytest.raises(AnswerError):
        grade_answer(moment, "5")


@pytest.mark.parametrize("text", ["4", "", "everything", "\x1b[2J"])
def test_what_is_no_move_is_refused(text: str) -> None:
    for asked in (step(6), MATCH):
        with pytest.raises(MoveError):
            grade_answer(start_step(asked), text)


def test_a_match_is_answered_by_best_play_the_same_every_time() -> None:
    first, again = (start_step(MATCH, ("3",)) for _ in range(2))
    assert first.match == again.match
    assert first.match.ply == 2
    assert right_answers(first) == ("3",)
    over = advance(first, "3")
    assert over.is_done
    assert reaches_goal(over)
    assert over.ending
    assert over.ending.sentences == (MATCH.praise,)
    with pytest.raises(AnswerError, match="over"):
        advance(over, "1")


def test_what_gives_a_win_away_is_refuted_and_cannot_be_gone_on_with() -> None:
    moment = start_step(MATCH)
    verdict = grade_answer(moment, "1")
    assert (verdict.is_right, verdict.sentences) == (False, (MATCH.wrong,))
    assert verdict.line[0] == "1"
    with pytest.raises(AnswerError, match="undone"):
        start_step(MATCH, ("1",))


def test_who_goes_second_is_answered_before_the_first_move() -> None:
    second = next(each for each in of("double").steps if isinstance(each, MatchStep))
    moment = start_step(second)
    assert (second.seat, moment.match.ply, moment.match.to_move) == (2, 1, 2)


def test_a_draw_is_held_for_as_many_turns_as_are_asked() -> None:
    hold = of("bits").steps[-1]
    assert isinstance(hold, MatchStep)
    assert hold.value == DRAW
    moment = start_step(hold)
    while not moment.is_done:
        moment = advance(moment, right_answers(moment)[0])
    assert reaches_goal(moment)
    assert moment.match.outcome or moment.move_count == hold.turns


def test_in_the_dark_chances_are_told_and_no_line_is_shown() -> None:
    moment = start_step(of("battle").steps[0])
    wrong = grade_answer(moment, "toggle 1")
    assert not wrong.is_right
    assert wrong.line == ()
    assert wrong.sentences[1] == "It wins 40% of the time; the best move wins 92%."


def test_who_loses_in_the_dark_without_a_mistake_is_comforted() -> None:
    last = of("battle").steps[5]
    assert isinstance(last, MatchStep)
    unlucky = MatchStep(**{**vars(last), "position": LessonPosition(make("battle"), (), "10000")})
    moment = start_step(unlucky, ("toggle 2",))
    assert moment.match.outcome
    assert moment.match.outcome.winner == 2
    assert moment.ending
    assert moment.ending.sentences == (last.unlucky,)
    assert reaches_goal(moment)


def test_a_match_that_is_to_be_held_is_done_after_its_turns() -> None:
    held = replace(MATCH, turns=2)
    states = [LessonState(held, held.position.match, count) for count in (1, 2)]
    assert [state.is_done for state in states] == [False, True]
    assert states[0].question.endswith("This is turn 2 of 2.")
