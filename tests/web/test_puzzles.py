"""The pages and the API of puzzles: everything is in the address, and nothing is given away."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest

from bitduel.games import BUILT_IN, find
from bitduel.solver.puzzle_deck import daily, numbered, numbers
from bitduel.solver.puzzle_words import why
from bitduel.solver.puzzles import Puzzle
from web.houses import Browser, House

DAY = date(2026, 10, 23)
OF_THE_DAY = daily(DAY)
EACH = [numbers(kind)[0] for kind in BUILT_IN]


def opened(who: Browser, path: str, status: int = 200) -> str:
    answer = who.get(path)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def tried(who: Browser, path: str, move: str) -> str:
    """The page after a move, sent as the form sends it."""
    answer = who.get(f"{path}&move={move}")
    assert answer.status_code == 303
    return opened(who, answer.headers["location"])


def test_the_puzzle_of_a_day_asks_and_says_what_is_asked(house: House) -> None:
    page = opened(house.browser(), f"/puzzle?date={DAY}")
    assert f"<h1>Puzzle of {DAY}</h1>" in page
    assert OF_THE_DAY.asked in page
    for move in OF_THE_DAY.match.legal:
        assert f'value="{move}"' in page


def test_without_a_date_it_is_today(house: House) -> None:
    today = datetime.now(UTC).date()
    page = opened(house.browser(), "/puzzle")
    assert any(f"<h1>Puzzle of {day}</h1>" in page for day in (today, today + timedelta(1)))


def test_a_wrong_answer_is_refuted_step_by_step_and_one_tries_on(house: House) -> None:
    who, path = house.browser(), f"/puzzle?date={DAY}"
    page = tried(who, path, OF_THE_DAY.wrong[0])
    assert "No: " in page
    assert "Try another move" in page
    seen = 1
    while found := re.search(r'href="([^"]+)" rel="next"', page):
        page = opened(who, found[1])
        seen += 1
    assert seen > 3
    assert f"{seen} of {seen}" in page
    assert re.search(r"Player \d (wins|loses)", page)
    again = re.search(r'id="again" href="([^"]+)"', page)
    assert again
    page = opened(who, again[1])
    assert 'class="move tried"' in page
    solved = tried(who, again[1], OF_THE_DAY.right[0])
    assert "Yes! Right at the second try." in solved
    assert f'value="bitduel {DAY} · 5/7 · ✗✓"' in solved


def test_a_puzzle_is_found_by_its_number(house: House) -> None:
    page = opened(house.browser(), "/puzzles")
    form = re.search(r'<form[^>]* action="([^"]*)">(.*?)</form>', page, re.DOTALL)
    assert form
    assert 'name="number"' in form[2]
    assert f"Puzzle {EACH[1]}" in opened(house.browser(), f"{form[1]}?number={EACH[1]}")


@pytest.mark.parametrize("number", EACH)
def test_every_move_of_a_puzzle_of_every_game_can_be_tried(house: House, number: int) -> None:
    who, puzzle = house.browser(), numbered(number)
    for move in puzzle.match.legal:
        page = tried(who, f"/puzzles?number={number}", move)
        assert ("Yes! " in page) == (move in puzzle.right)
        assert "share-line" not in page


def test_hints_and_the_answer_are_told_when_asked_for(house: House) -> None:
    who = house.browser()
    assert "The right move" not in opened(who, f"/puzzle?date={DAY}")
    assert "The right move wins in" in opened(who, f"/puzzle?date={DAY}&hints=1")
    shown = opened(who, f"/puzzle?date={DAY}&show=1")
    assert "whatever your opponent does" in shown
    assert f'value="bitduel {DAY} · 5/7 · -"' in shown


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/puzzle?date=2126-11-16", 404, "The puzzle of that day is not told before it has come."),
        ("/puzzle?date=tomorrow", 400, "A date is written as year, month and day, like 2026-11-16."),
        ("/puzzle?date=20261116", 400, "A date is written as year, month and day, like 2026-11-16."),
        ("/puzzles?grade=1e3", 400, "A grade is a whole number from 1 to 7."),
        ("/puzzle?date=2026-11-16&tries=halve", 400, "'halve' is not a move."),
        (f"/puzzle?date=2026-11-16&tries={','.join(map(str, range(99)))}", 400, "So often nobody tries."),
        ("/puzzles?number=x", 400, "That is no number."),
        ("/puzzles?number=0", 404, "There is no puzzle 0"),
        ("/puzzles?game=chess", 404, "There is no game 'chess'."),
        ("/puzzles?game=bits&grade=7", 404, "There is no puzzle of Binary Race with Bits of grade 7"),
    ],
)
def test_what_there_is_not_gets_a_sentence(house: House, path: str, status: int, sentence: str) -> None:
    assert sentence in opened(house.browser(), path, status)


def test_every_day_that_has_been_has_its_puzzle(house: House) -> None:
    for day in ("0001-01-01", "1999-01-01"):
        assert f"<h1>Puzzle of {day}</h1>" in opened(house.browser(), f"/puzzle?date={day}")
        assert house.browser().get(f"/api/v1/puzzles?date={day}").json()["date"] == day


def test_what_is_not_told_yet_is_told_to_nobody(house: House) -> None:
    told = house.browser().get("/api/v1/puzzles?date=2126-11-16").json()["error"]
    assert "The puzzle of that day is not told before it has come." in str(told)


def test_what_is_tried_after_the_right_answer_is_no_try(house: House) -> None:
    who = house.browser()
    page = opened(who, f"/puzzle?date={DAY}&tries={OF_THE_DAY.right[0]},{OF_THE_DAY.wrong[0]}")
    assert f'value="bitduel {DAY} · 5/7 · ✓"' in page
    assert "Yes! Right at the first try." in page


def test_a_right_answer_is_explained(house: House) -> None:
    page = opened(house.browser(), f"/puzzle?date={DAY}&tries={OF_THE_DAY.right[0]}")
    assert " ".join(why(OF_THE_DAY, OF_THE_DAY.right[0])) in page
    puzzle = dark()
    page = opened(house.browser(), f"/puzzles?number={puzzle.number}&tries={puzzle.right[0]}")
    assert puzzle.game.words.remark(puzzle.view, puzzle.right[0]) in page


def test_practice_draws_a_puzzle_of_the_game_and_grade_and_then_another(house: House) -> None:
    who = house.browser()
    assert re.search(r'href="/puzzles\?game=[\w-]+&grade=3"', opened(who, "/puzzles"))
    answer = who.get("/puzzles?game=64&grade=5")
    assert answer.status_code == 303
    found = re.fullmatch(r"/puzzles\?number=(\d+)&game=64&grade=5", answer.headers["location"])
    assert found
    puzzle = numbered(int(found[1]))
    assert (puzzle.game.short, puzzle.grade) == ("64", 5)
    page = opened(who, f"{answer.headers['location']}&show=1")
    assert f'href="/puzzles?any=1&game={puzzle.game.slug}&grade=5"' in page


def dark() -> Puzzle:
    return next(puzzle for puzzle in map(numbered, numbers(find("battle"))) if puzzle.game.hidden and puzzle.moves)


def test_in_the_dark_nothing_is_shown_but_what_one_knows(house: House) -> None:
    who, puzzle = house.browser(), dark()
    page = tried(who, f"/puzzles?number={puzzle.number}", puzzle.wrong[0])
    assert "unseen" in page
    assert "another move more often" in page


def test_programs_are_told_the_same_as_at_the_command_line(house: House) -> None:
    who = house.browser()
    assert who.get(f"/api/v1/puzzles?date={DAY}").json() == OF_THE_DAY.as_data(DAY.isoformat())
    told = who.get(f"/api/v1/puzzles?number={dark().number}&solution=true").json()
    assert told == dark().as_data(solution=True)
    drawn = who.get("/api/v1/puzzles?game=double&grade=4").json()
    assert (drawn["date"], drawn["game"], drawn["grade"]) == (None, find("double").slug, 4)
    assert who.get("/api/v1/puzzles").status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("date=2026-11-16&number=3", 400),
        ("number=99999999", 404),
        ("grade=8", 422),
        ("game=chess", 404),
        ("date=x", 400),
        ("date=20261116", 400),
        ("date=", 400),
        ("date=2126-11-16", 404),
    ],
)
def test_programs_get_a_sentence_too(house: House, query: str, status: int) -> None:
    answer = house.browser().get(f"/api/v1/puzzles?{query}")
    assert answer.status_code == status
    assert answer.json()["error"]


def test_the_site_leads_to_the_puzzle_of_the_day(house: House) -> None:
    page = opened(house.browser(), "/")
    assert page.count('href="/puzzle"') == 2
