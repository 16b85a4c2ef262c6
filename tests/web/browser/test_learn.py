"""Whole lessons in a real browser, with scripts and without: right and wrong answers, by hand and by keys."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.lesson import ChoiceStep, MatchStep, game_lesson
from bitduel.games.registry import GameClass, find
from bitduel.learning.lesson_grading import advance, start_step
from helpers import right_answers
from web.browser.conftest import Visit, fits
from web.browser.test_every_page import check_with_axe


def press(page: Page, name: str, value: str) -> None:
    """Press a button on the board or below it, by the keyboard."""
    page.locator(f"main:not([aria-busy]) button[name={name}][value='{value}']").first.press("Enter")


def ready(page: Page) -> None:
    """Wait until what was pressed has been done."""
    expect(page.locator("main:not([aria-busy])")).to_have_count(1)


def learn(page: Page, kind: GameClass) -> None:
    """Answer every question of a lesson wrongly, where one can, and then rightly."""
    lesson = game_lesson(kind)
    assert lesson
    page.goto(f"/games/{kind.slug}/learn")
    for number, step in enumerate(lesson.steps, 1):
        expect(page.locator(".count")).to_have_text(f"Step {number} of {len(lesson)}")
        moment, own = start_step(step), list[str]()
        name = "answer" if isinstance(step, ChoiceStep) else "move"
        offered = [each.text for each in step.answers] if isinstance(step, ChoiceStep) else moment.match.legal
        wrong = [each for each in offered if each not in right_answers(moment)]
        if wrong:
            press(page, name, wrong[0])
            expect(page.locator(".answer")).to_contain_text("Not quite.")
            if page.locator("#again").count():
                page.locator("main:not([aria-busy]) #again").press("Enter")
                expect(page.locator("#again")).to_have_count(0)
        while not moment.is_done:
            move = (
                lesson.method(moment.match.view(step.seat)) if isinstance(step, MatchStep) else right_answers(moment)[0]
            )
            press(page, name, move)
            if not isinstance(step, MatchStep):
                break
            moment, own = advance(moment, move), [*own, move]
            if not moment.is_done:
                expect(page.locator("#move-form input[name=moves]")).to_have_value(
                    re.compile(rf"^([^,]+(, |$)){{{moment.move_count}}}$")
                )
        expect(page.locator(".answer.good")).to_contain_text("Right.")
        if number < len(lesson):
            page.locator("main:not([aria-busy]) #next-step").press("Enter")
    expect(page.get_by_role("heading", name="You've finished the lesson")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "scripts"),
    [("31", True), pytest.param("bits", False, marks=pytest.mark.thorough)],
    ids=["scripts", "no scripts"],
)
def test_a_whole_lesson_with_wrong_and_right_answers(visit: Visit, name: str, scripts: bool) -> None:
    learn(visit(viewport={"width": 360, "height": 800}, java_script_enabled=scripts), find(name))


def test_with_scripts_answers_change_the_page_in_place_and_keys_do_all(visit: Visit) -> None:
    page = visit()
    page.goto("/games/double-or-nothing/learn?step=2")
    page.evaluate("window.same = true")
    page.keyboard.press("a")
    expect(page.locator(".answer")).to_contain_text("That makes 10")
    expect(page.locator("#announcer")).to_contain_text("Not quite.")
    expect(page).to_have_url(re.compile(r"\?(step=2&)?move=add"))
    ready(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("figcaption")).to_have_text("The number is 10. The target is 20.")
    ready(page)
    page.keyboard.press("t")
    expect(page.locator(".answer")).to_have_count(0)
    ready(page)
    page.keyboard.press("d")
    expect(page.locator(".answer.good")).to_be_visible()
    assert page.evaluate("window.same")
    page.go_back()
    expect(page.locator(".answer.good")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".answer.good")).to_be_visible()
    ready(page)
    page.keyboard.press("n")
    expect(page.locator(".count")).to_have_text("Step 3 of 10")
    ready(page)
    page.keyboard.press("a")
    expect(page.locator(".option.right")).to_have_text(re.compile("The even ones"))
    page.goto("/games/double-or-nothing/learn")
    page.get_by_role("link", name="Continue with step 4").click()
    expect(page.locator(".count")).to_have_text("Step 4 of 10")


@pytest.mark.parametrize(
    ("scheme", "path"),
    [
        ("light", "binary-battle/learn?step=5&answer=Half+the+time"),
        ("dark", "binary-race-bits/learn?step=2&move=flip+1"),
    ],
    ids=["light", "dark"],
)
def test_steps_and_refutations_fit_and_pass_axe(visit: Visit, scheme: str, path: str) -> None:
    page = visit(color_scheme=scheme)
    page.goto(f"/games/{path}")
    check_with_axe(page, path)
    fits(page, path)


def test_steps_are_marked_by_how_they_were_taken_and_shown_on_the_page_of_the_game(visit: Visit) -> None:
    page = visit()
    page.goto("/games/double-or-nothing/learn?step=1")
    press(page, "move", "double")
    expect(page.locator("#next-step")).to_be_visible()
    expect(page.locator("[data-place='1']")).to_have_class("done")
    page.goto("/games/double-or-nothing/learn?step=2")
    page.locator("#hint summary").click()
    press(page, "move", "double")
    expect(page.locator("[data-place='2']")).to_have_class("helped")
    page.goto("/games/double-or-nothing/learn?step=3")
    page.locator("[data-skip]").click()
    expect(page.locator("[data-place='3'] [data-said]")).to_have_text(", skipped")
    page.goto("/games/double-or-nothing/practice?row=11111111")  # an address alone earns nothing
    answered = {"runs": {"double-or-nothing": {"row": "11101111", "day": datetime.now(UTC).date().isoformat()}}}
    page.evaluate("(answered) => localStorage.setItem('bitduel-puzzles', JSON.stringify(answered))", answered)
    for _ in range(2):
        page.goto("/games/double-or-nothing/practice?row=11101111")
        expect(page.get_by_role("heading", name="You have learnt this lesson")).to_be_visible()
    page.goto("/games/double-or-nothing/practice?row=11111111")
    page.goto("/games/double-or-nothing")
    expect(page.locator("[data-earned] li")).to_have_text(
        ["○ Lesson: 2 of 10 steps (1 with help, 1 skipped)", "✓ Practice: 7 of 8, learnt"]
    )
    fits(page, "game")


@pytest.mark.thorough
def test_help_at_a_step_is_remembered_while_another_step_is_taken(visit: Visit) -> None:
    page = visit()
    for number, move in ((1, "add"), (2, "add"), (1, "double"), (2, "double")):
        page.goto(f"/games/double-or-nothing/learn?step={number}&move={move}")
    for number in (1, 2):
        expect(page.locator(f"[data-place='{number}']")).to_have_class("helped")


def test_steps_of_before_count_as_done(visit: Visit) -> None:
    page = visit()
    page.goto("/games/binary-race-31")
    page.evaluate("localStorage.setItem('bitduel-lesson-binary-race-31', '4')")
    page.goto("/games/binary-race-31/learn")
    expect(page.locator(".places .done")).to_have_count(3)
    page.get_by_role("link", name="Continue with step 4").click()
    expect(page.locator(".count")).to_have_text("Step 4 of 9")


@pytest.mark.thorough
def test_after_the_last_step_a_lesson_goes_on_with_the_one_that_was_skipped(visit: Visit) -> None:
    page = visit()
    page.goto("/games/double-or-nothing")
    steps = {str(number): "skipped" if number == 4 else "done" for number in range(1, 11)}
    stored = {"double-or-nothing": {"step": 10, "steps": steps}}
    page.evaluate("(stored) => localStorage.setItem('bitduel-lessons', JSON.stringify(stored))", stored)
    for path in ("/games/double-or-nothing", "/games/double-or-nothing/learn", "/"):
        page.goto(path)
        expect(page.get_by_role("link", name="Continue with step 4")).to_be_visible()
    expect(page.locator("[data-earned-in=double-or-nothing]")).to_have_text("Lesson 9 of 10")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_practice_fits_and_passes_axe(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    for path in ("practice", "practice?row=11100111", "practice?match=1"):
        page.goto(f"/games/binary-race-bits/{path}")
        check_with_axe(page, path)
        fits(page, path)
