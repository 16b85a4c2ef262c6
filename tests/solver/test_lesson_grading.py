"""What is said to answers, and matches that are played out against best play."""

import pytest

from bitduel.core.errors import MoveError
from bitduel.core.evaluation import DRAW
from bitduel.core.lesson import Lesson, Play, Stand
from bitduel.games import find, make
from bitduel.solver.lesson_grading import AnswerError, answer, begin, go_on, outcome_said, reaches, right_answers, told
from nim_lesson import CHOICE, MATCH, step


def of(game: str) -> Lesson:
    found = find(game).lesson()
    assert found
    return found


def test_a_right_move_is_praised_and_a_wrong_one_refuted_to_the_end() -> None:
    asked = step(6)
    moment = begin(asked)
    assert answer(moment, "2") == (True, (asked.praise,), (), False)
    wrong = answer(moment, "1")
    assert (wrong.right, wrong.said, wrong.ends) == (False, (asked.wrong,), True)
    match = moment.match
    for move in wrong.line:
        match = match.after(move)
    assert match.outcome
    assert match.outcome.winner == 2
    assert told(asked, moment.match, wrong.line)[:2] == ["You: 1, 5 sticks are left", "Your opponent: play 1"]
    assert outcome_said(asked, match) == "Your opponent wins."
    assert outcome_said(asked, moment.match) == "And so on: you win in 2 moves."
    assert outcome_said(asked, moment.match.after("2")) == "And so on: you win in 1 move."


def test_some_moves_are_blamed_in_words_of_their_own() -> None:
    moment = begin(step(6, blame={"3": "Three is too many."}))
    assert answer(moment, "3").said == ("Three is too many.",)


def test_an_answer_is_read_whatever_its_letters_and_blanks() -> None:
    moment = begin(CHOICE)
    assert answer(moment, " 4 ").right
    assert not answer(moment, "3").right
    assert right_answers(moment) == ("4",)
    with pytest.raises(AnswerError):
        answer(moment, "5")


@pytest.mark.parametrize("text", ["4", "", "everything", "\x1b[2J"])
def test_what_is_no_move_is_refused(text: str) -> None:
    for asked in (step(6), MATCH):
        with pytest.raises(MoveError):
            answer(begin(asked), text)


def test_a_match_is_answered_by_best_play_the_same_every_time() -> None:
    first, again = (begin(MATCH, ("3",)) for _ in range(2))
    assert first.match == again.match
    assert first.match.ply == 2
    assert right_answers(first) == ("3",)
    over = go_on(first, "3")
    assert over.done
    assert reaches(over)
    assert over.ending
    assert over.ending.said == (MATCH.praise,)
    with pytest.raises(AnswerError, match="over"):
        go_on(over, "1")


def test_what_gives_a_win_away_is_refuted_and_cannot_be_gone_on_with() -> None:
    moment = begin(MATCH)
    verdict = answer(moment, "1")
    assert (verdict.right, verdict.said) == (False, (MATCH.wrong,))
    assert verdict.line[0] == "1"
    with pytest.raises(AnswerError, match="taken back"):
        begin(MATCH, ("1",))


def test_who_goes_second_is_answered_before_the_first_move() -> None:
    second = next(each for each in of("double").steps if isinstance(each, Play))
    moment = begin(second)
    assert (second.seat, moment.match.ply, moment.match.to_move) == (2, 1, 2)


def test_a_draw_is_held_for_as_many_turns_as_are_asked() -> None:
    hold = of("bits").steps[-1]
    assert isinstance(hold, Play)
    assert hold.value == DRAW
    moment = begin(hold)
    while not moment.done:
        moment = go_on(moment, right_answers(moment)[0])
    assert reaches(moment)
    assert moment.match.outcome or moment.own == hold.turns


def test_in_the_dark_chances_are_told_and_no_line_is_shown() -> None:
    moment = begin(of("battle").steps[0])
    wrong = answer(moment, "toggle 1")
    assert not wrong.right
    assert wrong.line == ()
    assert wrong.said[1] == "It wins 40 times in 100, the best 92 times in 100."


def test_who_loses_in_the_dark_without_a_mistake_is_comforted() -> None:
    last = of("battle").steps[-1]
    assert isinstance(last, Play)
    unlucky = Play(**{**vars(last), "stand": Stand(make("battle"), (), "10000")})
    moment = begin(unlucky, ("toggle 2",))
    assert moment.match.outcome
    assert moment.match.outcome.winner == 2
    assert moment.ending
    assert moment.ending.said == (last.unlucky,)
    assert reaches(moment)
