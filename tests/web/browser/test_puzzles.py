"""Puzzles in a real browser: every form played, results kept for each person, and what other pages know of them."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from bitduel.core.puzzle import Form, Pick, Question
from bitduel.learning.puzzle_deck import FIRST_DAY, DeckPuzzle, daily_puzzle, deck, practice_item, puzzle_by_id
from bitduel.learning.puzzle_session import PuzzleSession
from web.browser.conftest import Visit, Watch

OF_EACH_KIND = {(entry.slug, entry.kind): entry for entry in deck().entries.values()}
OF_EACH_FORM = {entry.puzzle.form: entry.id for entry in OF_EACH_KIND.values()}
LINE = puzzle_by_id(OF_EACH_KIND["binary-race-64", "line"].id)


def give(page: Page, question: Question, answer: tuple[str, ...]) -> None:
    """Answer as a person does: on the board, with toggles, or with cards."""
    if question.pick == Pick.ONE:
        page.locator(f"button:is([name=move], [name=answer])[value='{answer[0]}']").click()
        return
    for name in answer:
        choose = f".hand [value='{name}']" if question.pick == Pick.CARDS else f"label.cell:has([value='{name}'])"
        page.locator(choose).click()
        if question.pick == Pick.CARDS:
            expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
    if question.pick == Pick.CARDS:
        expect(page.locator(".laid button")).to_have_count(len(answer))
    page.locator("[name=check]").click()


def solve(page: Page, chosen: DeckPuzzle) -> None:
    """Give every right answer."""
    for number, (question, answer) in enumerate(chosen.puzzle.solution(), 1):
        give(page, question, answer)
        if question.is_decision:
            expect(page.locator(".mark-row > .first")).to_have_count(number)
    expect(page.locator("#result")).to_have_text("Solved")


@pytest.mark.parametrize(
    "form",
    [pytest.param(form, marks=[] if form == Form.LINE else pytest.mark.thorough) for form in OF_EACH_FORM],
    ids=str,
)
def test_a_puzzle_of_each_form_is_solved_on_one_screen_of_a_phone(form: Form, visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.goto(f"/puzzles?id={OF_EACH_FORM[form]}")
    assert page.locator(".frame").bounding_box()["height"] <= 740  # type: ignore[index]
    solve(page, puzzle_by_id(OF_EACH_FORM[form]))


@pytest.mark.thorough
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_wrong_move_is_refuted_on_the_board_step_by_step_and_the_line_goes_on(scripts: bool, visit: Visit) -> None:
    page = visit(java_script_enabled=scripts)
    page.goto(f"/puzzles?id={LINE.id}")
    question, (right,) = next(LINE.puzzle.solution())
    wrong = next(name for name in question.counted if name != right)
    give(page, question, (wrong,))
    expect(page.locator(".verdict-line")).to_contain_text(LINE.puzzle.refute([], [wrong]).sentences[0])
    board = page.locator(".board [role=img]")
    seen = [board.get_attribute("aria-label")]
    page.locator("a[rel=next]").click()
    expect(page.locator(".where")).to_contain_text("2 of")
    seen.append(board.get_attribute("aria-label"))
    assert seen[0] != seen[1]
    page.locator("#go-on").click()
    expect(page.locator(".mark-row > .wrong")).to_have_count(1)
    expect(page.locator("button[name=move]:enabled").first).to_be_visible()
    if scripts:
        expect(page.locator("#announcer")).to_contain_text("The right answer")


def open_with_results(page: Page, results: dict[str, str], cards: dict[str, object] | None = None) -> None:
    """Open the page of puzzles in a browser that has results of days, and cards to be asked again."""
    page.goto("/puzzles")
    kept = {"days": results, "cards": cards or {}}
    page.evaluate("(kept) => localStorage.setItem('bitduel-puzzles', JSON.stringify(kept))", kept)
    page.reload()


def open_on_the_first_day(route: Route) -> None:
    """Let a page believe that it is the first day of the puzzles."""
    response = route.fetch()
    today = datetime.now(UTC).date().isoformat()
    assert today in response.text()
    route.fulfill(response=response, body=response.text().replace(today, FIRST_DAY.isoformat()))


def test_results_of_the_old_puzzles_keep_the_streak_and_what_they_ask_again_is_gone(visit: Visit) -> None:
    page = visit()
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # what a worker fetches is not routed
    page.clock.set_fixed_time(datetime.combine(FIRST_DAY, time(12), UTC))
    page.route("**/puzzles", open_on_the_first_day)
    results = {str(FIRST_DAY - timedelta(day)): "✗✓" for day in (1, 3)}
    open_with_results(page, results, {"123": {"known": 0, "due": str(FIRST_DAY)}})
    expect(page.locator("[data-dropped]")).to_be_visible()
    expect(page.locator("[data-streak]")).to_contain_text("2 days in a row")


def test_the_result_of_a_day_is_known_on_other_pages_and_counts_once(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    today = datetime.now(UTC).date()
    open_with_results(page, {str(today - timedelta(day)): "✓" for day in (1, 3)})
    expect(page.locator("[data-streak]")).to_contain_text("2 days in a row")
    expect(page.locator("[data-dropped]")).to_be_hidden()
    page.locator("[data-puzzle-link]").click()
    solve(page, daily_puzzle(today))
    expect(page.locator("#share-line")).to_have_value(f"{share_of(daily_puzzle(today))} · streak 3")
    page.locator("[data-copy=share-line]").click()
    expect(page.locator("[data-copy=share-line]")).to_have_text("Copied")
    page.goto("/puzzle")
    expect(page.locator("#result")).to_have_text("Solved")
    for path in ("/puzzles", "/"):
        page.goto(path)
        expect(page.locator("[data-puzzle-link]")).to_have_text("See your result")
        expect(page.locator("[data-solved-today]")).to_have_text("✓ solved")
    expect(page.locator("[data-days-in-a-row]")).to_have_text("3 days in a row")
    expect(page.locator("[data-me-streak]")).to_have_text("3")
    puzzle = daily_puzzle(today).puzzle
    earned = page.locator(f"[data-earned-in={puzzle.game.slug}]")
    expect(earned).to_have_text(f"Puzzles up to grade {puzzle.grade}")
    page.goto(f"/games/{puzzle.game.slug}")
    expect(page.locator("[data-earned]")).to_have_text(f"✓ Puzzles: 1 solved, up to grade {puzzle.grade}")


def share_of(chosen: DeckPuzzle) -> str:
    """The text to share when everything was found at once."""
    title, puzzle = chosen.puzzle.game.title, chosen.puzzle
    return f"bitduel {chosen.number} · {title} · grade {puzzle.grade}\n{'✓' * puzzle.decisions}"


@pytest.mark.thorough
def test_somebody_else_on_the_same_device_starts_afresh(visit: Visit) -> None:
    page = visit()
    page.goto("/puzzles")
    today = datetime.now(UTC).date()
    days = {str(today - timedelta(day)): {"marks": "✓", "own": True} for day in (1, 2)}
    page.evaluate("(days) => localStorage.setItem('bitduel-puzzles', JSON.stringify({ days }))", days)
    page.reload()
    expect(page.locator("[data-streak]")).to_contain_text("2 days in a row")
    page.locator(".person summary").click()
    page.locator("#new-person").fill("Noor")
    page.locator(".person form button").click()
    expect(page.locator(".person summary")).to_have_text("Progress of Noor. Not you?")
    expect(page.locator("[data-streak]")).to_be_hidden()
    page.locator(".person summary").click()
    page.locator(".person button").first.click()
    expect(page.locator("[data-streak]")).to_contain_text("2 days in a row")


@pytest.mark.thorough
def test_whoever_opens_an_address_with_answers_in_it_has_solved_nothing(visit: Visit) -> None:
    page = visit()
    solve_page = visit()
    today = datetime.now(UTC).date()
    solve_page.goto("/puzzle")
    solve(solve_page, daily_puzzle(today))
    page.goto(solve_page.url)
    expect(page.locator("#result")).to_have_text("Solved")
    assert page.evaluate("localStorage.getItem('bitduel-puzzles')") is None


def kept(page: Page) -> Any:
    """What the browser keeps of puzzles."""
    return page.evaluate("JSON.parse(localStorage.getItem('bitduel-puzzles'))")


def give_wrong(page: Page, question: Question) -> None:
    """Give a wrong answer, and wait until the page has changed."""
    give(page, question, (next(each.name for each in question.candidates if each.name not in question.right),))
    expect(page.locator(".verdict-line")).to_be_visible()


@pytest.mark.thorough
def test_a_day_goes_on_where_it_was_left_whatever_lies_between(visit: Visit) -> None:
    page = visit()
    address, chosen = f"/puzzle?date={FIRST_DAY}", daily_puzzle(FIRST_DAY)
    question, answer = next(chosen.puzzle.solution())
    page.goto(address)
    give_wrong(page, question)
    begun = page.locator("[data-puzzle]").get_attribute("data-play")
    page.goto(f"/puzzles?id={LINE.id}")
    give_wrong(page, next(LINE.puzzle.solution())[0])
    page.goto(f"{address}&again=1")
    give(page, question, answer)
    expect(page.locator(f"[data-play='{begun}']")).to_have_count(1)
    assert kept(page)["begun"][str(FIRST_DAY)]["play"] == begun
    page.goto(address)
    expect(page.locator(f"[data-play='{begun}']")).to_have_count(1)


@pytest.mark.thorough
def test_the_last_move_of_somebody_elses_play_is_no_result(visit: Visit) -> None:
    page, day = visit(), FIRST_DAY + timedelta(1)
    session = PuzzleSession(puzzle=daily_puzzle(day).puzzle)
    *first, last = session.puzzle.solution()
    for _, answer in first:
        session.answer(answer)
    page.goto(f"/puzzle?date={day}&play={session}")
    give(page, *last)
    expect(page.locator("#result")).to_have_text("Solved")
    expect(page.locator("[data-uncounted]")).to_be_visible()
    assert kept(page) is None


@pytest.mark.thorough
def test_a_missed_question_of_practice_cannot_be_answered_again(visit: Visit) -> None:
    page, item = visit(), practice_item("double-1")
    assert item is not None
    question, answer = next(item.puzzle.solution())
    page.goto("/games/double-or-nothing/practice")
    give_wrong(page, question)
    while not page.locator("#result").count():
        if page.locator("#go-on").count():
            page.locator("#go-on").click()
            expect(page.locator("#go-on")).to_have_count(0)
        else:
            give_wrong(page, question)
    page.goto("/games/double-or-nothing/practice?again=1")
    give(page, question, answer)
    page.wait_for_url("**/practice?row=0")
    assert kept(page)["runs"]["double-or-nothing"]["row"] == "0"


@pytest.mark.thorough
def test_a_clean_day_stays_clean_whatever_was_played_after_it(visit: Visit) -> None:
    page, today = visit(), datetime.now(UTC).date()
    page.goto("/puzzles")
    days = {str(today): {"marks": "✓✓", "own": True, "second": "✗✓"}}
    page.evaluate("(days) => localStorage.setItem('bitduel-puzzles', JSON.stringify({ days }))", days)
    page.reload()
    expect(page.locator(f"[data-day='{today}'] .mark-lamp")).to_have_class("mark-lamp first")


@pytest.mark.thorough
def test_a_puzzle_played_again_right_after_a_miss_shows_nothing(visit: Visit) -> None:
    page, today = visit(), datetime.now(UTC).date()
    card = {"known": 0, "due": str(today + timedelta(1))}
    open_with_results(page, {}, {LINE.id or "": card})
    page.goto(f"/puzzles?id={LINE.id}")
    solve(page, LINE)
    assert (kept(page)["cards"][LINE.id], kept(page)["solved"]) == (card, {})


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["begun", "days"])
def test_a_stored_play_that_cannot_be_read_any_more_is_begun_afresh(place: str, visit: Visit, watch: Watch) -> None:
    watch.expect("status of 400")
    page, day = visit(), str(FIRST_DAY)
    stored = {"begun": {"date": day, "play": "999"}, "days": {day: {"marks": "✗", "play": "999", "own": True}}}
    page.goto("/puzzles")
    page.evaluate("(kept) => localStorage.setItem('bitduel-puzzles', JSON.stringify(kept))", {place: stored[place]})
    page.goto(f"/puzzle?date={day}")
    page.wait_for_function("!localStorage.getItem('bitduel-puzzles').includes('999')")
    expect(page.locator("#move-form")).to_be_visible()
    if place == "days":
        assert kept(page)["days"][day]["marks"] == "✗"


@pytest.mark.thorough
def test_a_day_solved_with_its_sister_says_so(visit: Visit) -> None:
    page, session = visit(), PuzzleSession(puzzle=daily_puzzle(FIRST_DAY).puzzle)
    while question := session.question:
        session.answer([next(each.name for each in question.candidates if each.name not in question.right)])
    page.goto("/puzzles")
    day = {"marks": session.row, "play": str(session), "own": True, "second": "✓"}
    stored = {"days": {str(FIRST_DAY): day}}
    page.evaluate("(stored) => localStorage.setItem('bitduel-puzzles', JSON.stringify(stored))", stored)
    page.goto(f"/puzzle?date={FIRST_DAY}")
    expect(page.locator("#result")).to_have_text("Solved with the second try")
