"""The pages of practice: eight items by forms alone, the result, and mastery in the review of a match."""

import re
from html import escape, unescape
from urllib.parse import urlencode

import pytest

from bitduel.core.lesson import ChoiceStep, game_lesson
from bitduel.core.practice import game_practice
from bitduel.games.registry import BUILT_IN, GameClass, find
from bitduel.learning.lesson_grading import advance, start_step
from web.sites import Browser, LocalApp, form_to, links
from web.test_game_pages import opened

GAMES = pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.short)


def answered(who: Browser, at: str, answers: list[tuple[str, ...]]) -> str:
    """The page after these answers, each sent by the form."""
    page = opened(who, at)
    for answer in answers:
        assert all(re.search(rf'name="(?:answer|move)" value="{re.escape(escape(each))}"', page) for each in answer)
        form = re.search(r'<form id="move-form"[^>]*>(.*?)</form>', page, re.DOTALL)
        assert form
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])
        sent = [*((name, unescape(value)) for name, value in hidden), *(("answer", each) for each in answer)]
        reply = who.get(f"{at.partition('?')[0]}?{urlencode([*sent, ('check', '1')])}")
        assert reply.status_code == 303
        page = opened(who, reply.headers["location"])
        if go_on := re.search(r'id="go-on" data-step="0" href="([^"]+)"', page):
            page = opened(who, unescape(go_on[1]))
    return page


@GAMES
def test_eight_items_by_forms_alone_and_the_lesson_is_learnt(kind: GameClass, app: LocalApp) -> None:
    who, at = app.browser(), f"/games/{kind.slug}/practice"
    for item in game_practice(kind):
        page = opened(who, at)
        assert f"Practice: question {item.number} of 8" in page
        assert item.task in unescape(page)
        page = answered(who, at, [answer for _, answer in item.solution()])
        assert item.why in unescape(page)
        assert f"/games/{kind.slug}/learn?step={item.step}" in links(page)
        at = next(link for link in links(page) if "/practice?row=" in link and "play" not in link)
    page = opened(who, at)
    assert "8 of 8 right" in page
    assert "You have learnt this lesson" in page
    assert 'data-row="++++++++" data-learnt' in page


@GAMES
def test_exactly_the_answers_can_be_pressed(kind: GameClass, app: LocalApp) -> None:
    for item in game_practice(kind):
        page = opened(app.browser(), f"/games/{kind.slug}/practice?row={'1' * (item.number - 1)}")
        main = page[page.index('id="main"') :]
        offered = re.findall(r'<(?:button|input)[^>]* name="(?:answer|move)" value="([^"]*)"', main)
        assert {unescape(each) for each in offered} == {each.name for each in item.questions[0].candidates}, item.id


def test_two_wrong_items_lead_back_to_the_step_of_the_first(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/double-or-nothing/practice?row=11100111")
    assert "6 of 8 right" in page
    assert "7 are enough." in page
    assert "/games/double-or-nothing/learn?step=5" in links(page)
    assert "data-learnt" not in page


def test_a_wrong_move_is_refuted_on_the_board(app: LocalApp) -> None:
    who, at = app.browser(), "/games/binary-race-64/practice?row=11"
    assert "92 is past 64. You lose at once." in opened(who, f"{at}&play=2")
    page = answered(who, at, [("double",)])
    assert 'id="more" href="/games/binary-race-64/practice?row=110"' in page


@pytest.mark.parametrize("row", ["2", "111111111", "x"])
def test_a_result_that_cannot_be_is_a_sentence(app: LocalApp, row: str) -> None:
    reply = app.browser().get(f"/games/binary-race-64/practice?row={row}")
    assert reply.status_code == 404
    assert "There is no such result of practice." in unescape(reply.text)


def test_an_item_comes_back_at_its_address_among_the_puzzles(app: LocalApp) -> None:
    page = opened(app.browser(), "/puzzles?id=double-3")
    assert 'data-puzzle="double-3"' in page
    assert game_practice(find("double"))[2].task in unescape(page)


def test_the_page_of_a_game_leads_to_practice_and_to_the_match(app: LocalApp) -> None:
    who = app.browser()
    found = links(opened(who, "/games/binary-race-31"))
    assert "/games/binary-race-31/practice" in found
    page = opened(who, next(link for link in found if link.endswith("practice?match=1")))
    assert "You go first, and from there you can win." in page
    assert form_to(page, "/play").hidden == {"opponent": "computer", "level": "perfect", "first": "1"}


def test_practice_is_not_among_the_puzzles_and_has_no_grade(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/double-or-nothing/practice")
    head = page[page.index('class="puzzle-head"') : page.index("</header>", page.index('class="puzzle-head"'))]
    assert "/games/double-or-nothing/learn?step=4" in links(head)
    assert "/puzzles" not in links(head)
    assert "of 7" not in page
    assert "From step 4 of the lesson." in head
    assert "<b>Answer 1</b>" in page
    assert '<a href="/puzzle" aria-current="page">' not in page
    assert '<a href="/" aria-current="page">' in page
    again = opened(app.browser(), "/puzzles?id=double-1")
    assert "of 7" not in again
    assert '<a href="/puzzle" aria-current="page">' in again


@GAMES
def test_the_end_of_a_lesson_leads_to_the_proofs(kind: GameClass, app: LocalApp) -> None:
    lesson = game_lesson(kind)
    assert lesson is not None
    number, step = len(lesson), lesson.steps[-1]
    if isinstance(step, ChoiceStep):
        answer = next(each.text for each in step.answers if each.is_right)
        page = opened(app.browser(), f"/games/{kind.slug}/learn?{urlencode({'step': number, 'answer': answer})}")
    else:
        page = through_match(app.browser(), kind, number)
    assert "You've finished the lesson" in unescape(page)
    assert f"/games/{kind.slug}/laws" in links(page)
    assert "Proof" in opened(app.browser(), f"/games/{kind.slug}/laws")


def through_match(who: Browser, kind: GameClass, number: int) -> str:
    """The page of the match of a lesson, played to its end by the method that it teaches."""
    lesson = game_lesson(kind)
    assert lesson is not None
    state = start_step(lesson.steps[number - 1])
    moves: list[str] = []
    while not state.is_done:
        moves.append(lesson.method(state.match.view(state.step.seat)))
        state = advance(state, moves[-1])
    asked = {"step": number, "moves": ", ".join(moves[:-1]), "move": moves[-1]}
    return opened(who, f"/games/{kind.slug}/learn?{urlencode(asked)}")


def played_for_mastery(who: Browser, moves: tuple[str, ...], coached_at: int | None = None) -> str:
    """The review of a match against perfect play in Binary Race to 31, with the coach before one of the moves."""
    form = {"opponent": "computer", "level": "perfect", "first": "1"}
    match = who.post("/games/binary-race-31/play", data=form).headers["location"]
    for number, move in enumerate(moves):
        if number == coached_at:
            assert "Question" in opened(who, f"{match}?coach=1")
        ply = re.search(r'name="ply" value="(\d+)"', opened(who, match))
        assert ply
        assert who.post(f"{match}/move", data={"move": move, "ply": ply[1]}).status_code == 303
    return f"{match}/review"


@pytest.mark.parametrize("coached_at", [0, 1])
def test_the_coach_by_an_address_counts_as_help(app: LocalApp, coached_at: int) -> None:
    who = app.browser()
    review = played_for_mastery(who, ("16", "16"), coached_at)
    page = opened(who, review)
    assert "data-mastered" not in page
    assert "You had help in this match, so it doesn't show mastery." in unescape(page)
    clean = opened(who, played_for_mastery(who, ("16", "16")))
    assert "data-mastered" in clean
    assert "You had help" not in clean


def test_nobody_else_can_spoil_a_match_by_its_address_and_after_the_end_the_coach_is_no_help(app: LocalApp) -> None:
    who = app.browser()
    form = {"opponent": "computer", "level": "perfect", "first": "1"}
    match = who.post("/games/binary-race-31/play", data=form).headers["location"]
    opened(app.browser(), f"{match}?coach=1")
    for move in ("16", "16"):
        ply = re.search(r'name="ply" value="(\d+)"', opened(who, match))
        assert ply
        who.post(f"{match}/move", data={"move": move, "ply": ply[1]})
    opened(who, f"{match}?coach=1")
    assert "data-mastered" in opened(who, f"{match}/review")


@pytest.mark.parametrize(("moves", "is_mastered"), [(("16", "16"), True), (("1", "16"), False)])
def test_the_review_of_a_match_against_perfect_play_shows_mastery(
    app: LocalApp, moves: tuple[str, ...], is_mastered: bool
) -> None:
    who = app.browser()
    form = {"opponent": "computer", "level": "perfect", "first": "1"}
    match = who.post("/games/binary-race-31/play", data=form).headers["location"]
    for move in moves:
        ply = re.search(r'name="ply" value="(\d+)"', opened(who, match))
        assert ply
        assert who.post(f"{match}/move", data={"move": move, "ply": ply[1]}).status_code == 303
    if not is_mastered:
        who.post(f"{match}/resign", data={})
    assert ("data-mastered" in opened(who, f"{match}/review")) == is_mastered
    assert "data-mastered" not in opened(app.browser(), f"{match}/review")
