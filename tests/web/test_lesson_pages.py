"""The pages of lessons: all from their addresses, with right and wrong answers, whole lessons by forms alone."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from bitduel.core.lesson import ChoiceStep, Lesson, MatchStep, game_lesson
from bitduel.games.registry import GameClass, all_games, find
from bitduel.learning.lesson_grading import start_step
from bitduel.web.lesson_pages import LessonPage
from helpers import right_answers
from nim_lesson import lesson as nim_lesson
from sixth_game.little_nim import LittleNim
from web.sites import Browser, Form, LocalApp, links
from web.test_game_pages import opened

FORM = re.compile(r'<form[^>]*method="get" action="([^"#]+)#[a-z]+"[^>]*>(.*?)</form>', re.DOTALL)
GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)


def lesson_of(kind: GameClass) -> Lesson:
    found = game_lesson(kind)
    assert found
    return found


def address(kind: GameClass, **fields: object) -> str:
    return f"/games/{kind.slug}/learn?{urlencode(fields)}"


def asked(page: str) -> Form:
    """The form of the step; its buttons may be on the board."""
    ((action, inside),) = FORM.findall(page)
    return Form(action, inside)


def sent(form: Form, name: str, value: str) -> str:
    """The address that a button leads to."""
    return f"{form.action}?{urlencode({**form.hidden, name: value})}"


def verdict(page: str) -> str:
    found = re.search(r'<p class="answer( good)?" data-say>(.*?)</p>', page, re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", "", found[2]).split())) if found else ""


@GAMES
def test_a_whole_lesson_by_its_forms(kind: GameClass, app: LocalApp) -> None:
    who, lesson = app.browser(), lesson_of(kind)
    where = f"/games/{kind.slug}/learn"
    for number, each in enumerate(lesson.steps, 1):
        step = each.with_deal("0") if isinstance(each, MatchStep) else each
        page = opened(who, where)
        assert f"Step {number} of {len(lesson)}" in page
        if isinstance(step, MatchStep):
            moment = start_step(step)
            own: list[str] = []
            while "data-move" in page:
                own.append(lesson.method(moment.match.view(step.seat)))
                page = opened(who, sent(asked(page), "move", own[-1]))
                moment = start_step(step, own)
        else:
            name = "answer" if isinstance(step, ChoiceStep) else "move"
            page = opened(who, sent(asked(page), name, right_answers(start_step(step))[0]))
        assert verdict(page).startswith("✓ Right.")
        where = next((link for link in links(page) if link.endswith(f"step={number + 1}")), "")
    assert not where
    assert "You've finished the lesson" in page


@GAMES
def test_wrong_answers_are_refuted_on_the_board_step_by_step(kind: GameClass, app: LocalApp) -> None:
    who = app.browser()
    for number, step in enumerate(lesson_of(kind).steps, 1):
        moment = start_step(step)
        offered = [each.text for each in step.answers] if isinstance(step, ChoiceStep) else moment.match.legal
        for wrong in set(offered) - set(right_answers(moment)):
            name = "answer" if isinstance(step, ChoiceStep) else "move"
            page = opened(who, address(kind, step=number, **{name: wrong}))
            assert verdict(page).startswith("✗ Not quite.")
            if isinstance(step, ChoiceStep) or kind().has_chance:
                assert asked(page)
                continue
            shown = [unescape(link) for link in links(page) if "at=" in link]
            assert shown
            boards = {re.findall(r"<figcaption>.*?</figcaption>", opened(who, each))[0] for each in shown}
            assert len(boards) > 1, "the board changes"
            assert "Take it back" in page


def test_a_match_keeps_the_learners_moves_in_its_address(app: LocalApp) -> None:
    who, kind = app.browser(), find("double")
    page = opened(who, address(kind, step=7, moves="add", move="add"))
    assert asked(page).hidden == {"step": "7", "moves": "add, add"}
    assert "You add 1 to make 5. Your opponent adds 1 to make 6." in page
    wrong = opened(who, address(kind, step=7, moves="add, add", move="add"))
    assert "Not quite." in verdict(wrong)
    assert address(kind, step=7, moves="add, add").replace("+", "%20") in [unescape(link) for link in links(wrong)]


def test_in_the_dark_the_secret_is_told_only_when_it_has_been_hit(app: LocalApp) -> None:
    who, kind = app.browser(), find("battle")
    step = lesson_of(kind).steps[5]
    assert isinstance(step, MatchStep)
    lot = next(number for number in range(1, 999) if step.with_deal(str(number)).position.deal == "10110")
    page = opened(who, address(kind, step=6, lot=lot, moves="toggle 2, toggle 1"))
    assert "10110" not in page
    assert "Your opponent has taken a turn." in page
    assert asked(page).hidden == {"step": "6", "lot": str(lot), "moves": "toggle 2, toggle 1"}
    over = opened(who, address(kind, step=6, lot=lot, moves="toggle 2, toggle 1, toggle 2, toggle 4, toggle 3"))
    assert "You hit the secret first." in verdict(over)
    assert "The secret was 10110." in verdict(over)
    assert address(kind, step=6, lot=lot + 1) in [unescape(link) for link in links(over)], "from the start, dealt anew"


def test_a_board_on_which_one_plays_says_so(app: LocalApp) -> None:
    who = app.browser()
    assert "Make your move on the board." in opened(who, address(find("bits"), step=2))
    assert "Make your move on the board." not in opened(who, address(find("bits"), step=3))


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"step": "0"}, 404),
        ({"step": "11"}, 404),
        ({"step": "x"}, 404),
        ({"step": "9" * 5000}, 404),
        ({"step": "1", "move": "halve"}, 400),
        ({"step": "3", "answer": "<script>"}, 400),
        ({"step": "7", "moves": "double, double, double"}, 400),
        ({"step": "7", "moves": "add, " * 500}, 400),
        ({"step": "7", "moves": "nonsense"}, 400),
        ({"step": "2", "move": "add", "at": "-1"}, 200),
        ({"step": "2", "move": "add", "at": "99"}, 200),
        ({"step": "2", "moves": "add"}, 200),
        ({"step": "3", "answer": "THE EVEN ONES"}, 200),
    ],
)
def test_what_is_asked_wrongly_is_a_sentence(app: LocalApp, fields: dict[str, str], status: int) -> None:
    page = opened(app.browser(), address(find("double"), **fields), status)
    assert "<script>" not in page
    assert ("Please check this" in page) == (status == 400)


def test_pages_can_be_kept_and_need_no_cookie(app: LocalApp) -> None:
    answer = app.browser().get(address(find("31"), step=4, move="1"))
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert "set-cookie" not in answer.headers
    assert app.browser().get(address(find("31"), step=4, move="7")).headers["cache-control"] == "no-store"


def test_home_and_the_pages_of_games_lead_to_the_lessons(app: LocalApp, strict_app: LocalApp) -> None:
    who: Browser = strict_app.browser()
    assert [link for link in links(opened(who, "/")) if link.endswith("/learn")]
    for kind in all_games():
        assert f"/games/{kind.slug}/learn" in links(opened(who, f"/games/{kind.slug}"))


def test_a_game_without_a_lesson_says_so(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = find("double")
    monkeypatch.setattr(kind, "lesson", classmethod(lambda _: None))
    page = opened(app.browser(), f"/games/{kind.slug}/learn", 404)
    assert "There is no lesson for Double or Nothing yet." in page
    assert "/learn" not in opened(app.browser(), f"/games/{kind.slug}?opt-target=21")


def test_where_a_board_does_not_show_its_moves_they_stand_below_it() -> None:
    page = LessonPage(LittleNim, nim_lesson(), {"step": "3"})
    assert page.has_buttons
    assert [move.move for move in page.moves] == ["1", "2", "3"]
    wrong = LessonPage(LittleNim, nim_lesson(), {"step": "3", "move": "1"})
    assert (wrong.right, wrong.line_end) == (False, "Your opponent wins.")
    assert wrong.line[0] == "You play 1"
    assert not LessonPage(find("bits"), lesson_of(find("bits")), {"step": "2"}).has_buttons
