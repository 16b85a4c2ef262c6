"""Whole lessons in a real browser, with scripts and without: right and wrong answers, by hand and by keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from bitduel.core.lesson import Choose, Play
from bitduel.games import Kind, find
from bitduel.solver.lesson_grading import begin, go_on, right_answers
from web.browser.conftest import Visit, fits
from web.browser.test_every_page import check_with_axe


def press(page: Page, name: str, value: str) -> None:
    """Press a button on the board or below it, by the keyboard."""
    page.locator(f"main:not([aria-busy]) button[name={name}][value='{value}']").first.press("Enter")


def ready(page: Page) -> None:
    """Wait until what was pressed has been done."""
    expect(page.locator("main:not([aria-busy])")).to_have_count(1)


def learn(page: Page, kind: Kind) -> None:
    """Answer every question of a lesson wrongly, where one can, and then rightly."""
    lesson = kind.lesson()
    assert lesson
    page.goto(f"/games/{kind.slug}/learn")
    for number, step in enumerate(lesson.steps, 1):
        expect(page.locator(".count")).to_have_text(f"Step {number} of {len(lesson)}")
        moment, own = begin(step), list[str]()
        name = "answer" if isinstance(step, Choose) else "move"
        offered = [each.text for each in step.answers] if isinstance(step, Choose) else moment.match.legal
        wrong = [each for each in offered if each not in right_answers(moment)]
        if wrong:
            press(page, name, wrong[0])
            expect(page.locator(".answer")).to_contain_text("Not this one.")
            if page.locator("#again").count():
                page.locator("main:not([aria-busy]) #again").press("Enter")
                expect(page.locator("#again")).to_have_count(0)
        while not moment.done:
            move = lesson.method(moment.match.view(step.seat)) if isinstance(step, Play) else right_answers(moment)[0]
            press(page, name, move)
            if not isinstance(step, Play):
                break
            moment, own = go_on(moment, move), [*own, move]
            if not moment.done:
                expect(page.locator("#move-form input[name=moves]")).to_have_value(
                    re.compile(rf"^([^,]+(, |$)){{{moment.own}}}$")
                )
        expect(page.locator(".answer.good")).to_contain_text("Right.")
        if number < len(lesson):
            page.locator("main:not([aria-busy]) #next-step").press("Enter")
    expect(page.get_by_role("heading", name="That was the whole lesson")).to_be_visible()


@pytest.mark.parametrize(("name", "scripts"), [("31", True), ("bits", False)], ids=["scripts", "no scripts"])
def test_a_whole_lesson_with_wrong_and_right_answers(visit: Visit, name: str, scripts: bool) -> None:
    learn(visit(viewport={"width": 360, "height": 800}, java_script_enabled=scripts), find(name))


def test_with_scripts_answers_change_the_page_in_place_and_keys_do_all(visit: Visit) -> None:
    page = visit()
    page.goto("/games/double-or-nothing/learn?step=2")
    page.evaluate("window.same = true")
    page.keyboard.press("a")
    expect(page.locator(".answer")).to_contain_text("That leaves 10")
    expect(page.locator("#announcer")).to_contain_text("Not this one.")
    expect(page).to_have_url(re.compile(r"\?(step=2&)?move=add"))
    ready(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("figcaption")).to_have_text("The number is 10; the target is 20.")
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
    expect(page.locator(".count")).to_have_text("Step 3 of 9")
    page.keyboard.press("a")
    expect(page.locator(".option.right")).to_have_text(re.compile("The even ones"))
    page.goto("/games/double-or-nothing/learn")
    page.get_by_role("link", name="Go on with step 3").click()
    expect(page.locator(".count")).to_have_text("Step 3 of 9")


@pytest.mark.parametrize(
    ("scheme", "path"),
    [
        ("light", "binary-battle/learn?step=7&answer=With+any+bit%2C+evenly"),
        ("dark", "binary-race-bits/learn?step=2&move=flip+1"),
    ],
    ids=["light", "dark"],
)
def test_steps_and_refutations_fit_and_pass_axe(visit: Visit, scheme: str, path: str) -> None:
    page = visit(color_scheme=scheme)
    page.goto(f"/games/{path}")
    check_with_axe(page, path)
    fits(page, path)
