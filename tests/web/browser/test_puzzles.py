"""A puzzle of a day in a real browser, with scripts and without: wrong and right answers, and the line to share."""

from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from bitduel.solver.puzzle_deck import daily
from web.browser.conftest import Visit

DAY = date(2026, 10, 23)
PUZZLE = daily(DAY)


def press(page: Page, move: str) -> None:
    page.locator(f"#move-form button[value='{move}']").click()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_wrong_answer_is_refuted_on_the_board_and_the_right_one_can_be_shared(scripts: bool, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts, viewport={"width": 360, "height": 780})
    page.goto(f"/puzzle?date={DAY}")
    press(page, PUZZLE.wrong[0])
    verdict, board = page.locator(".answer"), page.locator("figure.board figcaption")
    expect(verdict).to_contain_text("No: ")
    seen = [board.inner_text()]
    for step in (2, 3):
        page.locator("a[rel=next]").click()
        expect(page.locator(".where")).to_have_text(f"{step} of 6")
        seen.append(board.inner_text())
    assert len(set(seen)) == 3
    page.locator("#again").click()
    expect(page.locator("#move-form .tried")).to_have_count(1)
    page.locator("#hint").click()
    expect(page.locator("main")).to_contain_text("The right move wins in")
    page.locator(f".board button[value='{PUZZLE.right[0]}']").click()
    expect(verdict).to_contain_text("Yes!")
    expect(page.locator("#share-line")).to_have_value(f"bitduel {DAY} · 5/7 · ?✗✓")
    if scripts:
        expect(page.locator("#announcer")).to_contain_text("Yes!")


def test_days_in_a_row_and_what_was_wrong_are_kept_in_the_browser(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    today = datetime.now(UTC).date()
    before = {str(today - timedelta(day)): "✗✓" for day in (1, 2)}
    page.goto("/puzzles")
    page.evaluate("(days) => localStorage.setItem('bitduel-puzzles', JSON.stringify({ days, cards: {} }))", before)
    page.goto(f"/puzzle?date={today}")
    puzzle = daily(today)
    press(page, puzzle.wrong[0])
    again = page.locator("#again")
    if again.count():
        again.click()
    press(page, puzzle.right[0])
    line = f"bitduel {today} · {puzzle.grade}/7 · ✗✓ · streak 3"
    expect(page.locator("#share-line")).to_have_value(line)
    expect(page.locator(".result [data-streak]")).to_have_text("3 days in a row.")
    page.locator("[data-copy=share-line]").click()
    expect(page.locator("[data-copy=share-line]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == line
    page.reload()
    kept = page.evaluate("JSON.parse(localStorage.getItem('bitduel-puzzles')).cards")
    assert kept == {str(puzzle.number): {"known": 0, "due": str(today + timedelta(1))}}
    kept[str(puzzle.number)]["due"] = str(today)
    page.evaluate("(c) => localStorage.setItem('bitduel-puzzles', JSON.stringify({ days: {}, cards: c }))", kept)
    page.goto("/puzzles")
    page.get_by_role("link", name="Try again what you got wrong (1)").click()
    expect(page.locator("h1")).to_have_text(f"Puzzle {puzzle.number}")


def test_tries_of_today_are_kept_as_they_are_made_and_a_solved_puzzle_says_so(visit: Visit) -> None:
    page = visit()
    today = datetime.now(UTC).date()
    puzzle = daily(today)
    page.goto(f"/puzzle?date={today}")
    page.locator("#hint").click()
    expect(page.locator("main")).to_contain_text("A wrong move" if puzzle.goal == "draw" else "The right move")
    press(page, puzzle.wrong[0])
    expect(page.locator(".answer")).to_contain_text("No: ")
    page.goto("/puzzles")
    page.goto(f"/puzzle?date={today}")
    expect(page.locator("[data-goes-on]")).to_be_visible()
    expect(page.locator("#move-form .tried")).to_have_count(1)
    press(page, puzzle.right[0])
    line = f"bitduel {today} · {puzzle.grade}/7 · ?✗✓"
    expect(page.locator("#share-line")).to_have_value(line)
    page.goto(f"/puzzle?date={today}")
    expect(page.locator("[data-done]")).to_contain_text("You have solved today's puzzle.")
    expect(page.locator("#done-line")).to_have_value(line)
    expect(page.locator("[data-goes-on]")).to_be_hidden()


def test_whoever_opens_an_address_with_tries_in_it_has_solved_nothing(visit: Visit) -> None:
    page = visit()
    today = datetime.now(UTC).date()
    page.goto(f"/puzzle?date={today}&tries={daily(today).right[0]}")
    expect(page.locator(".answer")).to_contain_text("Yes!")
    assert page.evaluate("localStorage.getItem('bitduel-puzzles')") is None
    page.goto(f"/puzzle?date={today}")
    expect(page.locator("#move-form")).to_be_visible()
    expect(page.locator("[data-done]")).to_be_hidden()
