"""The pages and the API of puzzles: everything is in the address, and nothing is given away."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest

from bitduel.games import BUILT_IN, find
from bitduel.solve.puzzle_deck import daily, numbered, numbers
from bitduel.solve.puzzles import Puzzle
from web.houses import Browser, House

DAY = date(2026, 10, 2)
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
        ("/puzzle?date=1999-01-01", 404, "The first puzzle of a day is that of 2020-01-06."),
        ("/puzzle?date=tomorrow", 400, "A date is written like"),
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
        ("date=x", 422),
    ],
)
def test_programs_get_a_sentence_too(house: House, query: str, status: int) -> None:
    answer = house.browser().get(f"/api/v1/puzzles?{query}")
    assert answer.status_code == status
    assert answer.json()["error"]


def test_the_site_leads_to_the_puzzle_of_the_day(house: House) -> None:
    page = opened(house.browser(), "/")
    assert page.count('href="/puzzle"') == 2
