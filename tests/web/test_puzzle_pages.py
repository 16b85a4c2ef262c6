"""The pages and the API of puzzles: everything is in the address, and nothing is given away."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from html import unescape
from urllib.parse import quote

import pytest

from bitduel.core.puzzle import Pick, Question
from bitduel.learning.puzzle_deck import FIRST_DAY, daily_puzzle, deck, puzzle_by_id, sister
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.web.puzzle_pages import Month, Today
from web.sites import Browser, LocalApp

OF_THE_DAY = daily_puzzle(FIRST_DAY)
OF_EACH_KIND = list({(entry.slug, entry.kind): entry.id for entry in deck().entries.values()}.values())
LINE = puzzle_by_id(next(entry.id for entry in deck().entries.values() if entry.kind == "line"))


def opened(who: Browser, path: str, status: int = 200) -> str:
    answer = who.get(path)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def answered(who: Browser, page: str, path: str, question: Question, names: Sequence[str]) -> str:
    """The page after an answer, sent as the form on the page sends it."""
    form = page[page.index('id="move-form"') :]
    found = re.search(r'name="play" value="([^"]+)"', form)
    play = f"&play={found[1]}" if found else ""
    field = "laid" if question.pick == Pick.CARDS else "answer"
    if question.pick == Pick.ONE and f'name="move" value="{names[0]}"' in page:
        field = "move"
    if question.pick != Pick.CARDS:
        assert all(f'name="{field}" value="{name}"' in page for name in names)
    sent = "".join(f"&{field}={quote(name)}" for name in names)
    answer = who.get(f"{path}{play}{sent}{'' if question.pick == Pick.ONE else '&check=1'}")
    assert answer.status_code == 303
    return opened(who, answer.headers["location"])


def seen(who: Browser, page: str) -> str:
    """The page after a refutation."""
    found = re.search(r'id="go-on" data-step="0" href="([^"]+)"', page)
    return opened(who, found[1]) if found else page


def test_the_puzzle_of_a_day_asks_and_says_how_hard_it_is(app: LocalApp) -> None:
    page = opened(app.browser(), f"/puzzle?date={FIRST_DAY}")
    assert "<h1>Puzzle 1, Wednesday 18 November</h1>" in page
    assert OF_THE_DAY.puzzle.task in page
    assert f"grade {OF_THE_DAY.puzzle.grade} of 7. A guess is right 1 time in" in page
    assert f"{OF_THE_DAY.puzzle.grade} of 7</span>" in page


def test_without_a_date_it_is_today(app: LocalApp) -> None:
    today = datetime.now(UTC).date()
    number = daily_puzzle(today).number
    assert number is not None
    page = opened(app.browser(), "/puzzle")
    assert any(f"<h1>Puzzle {each}, " in page for each in (number, number + 1))
    assert opened(app.browser(), "/puzzle?number=1", 303) is not None


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_puzzle_of_every_kind_can_be_solved_without_scripts(app: LocalApp, name: str) -> None:
    who, path = app.browser(), f"/puzzles?id={name}"
    chosen = puzzle_by_id(name)
    page = opened(who, path)
    for question, answer in chosen.puzzle.solution():
        page = answered(who, page, path, question, answer)
    assert ">Solved</h2>" in page
    assert page.count("at once</span>") == chosen.puzzle.decisions
    assert all(sentence in page for sentence in chosen.puzzle.explanation)
    assert "Another one like this" in page


def test_after_a_miss_only_todays_puzzle_offers_a_second_try(app: LocalApp) -> None:
    for day, offers in ((datetime.now(UTC).date(), True), (FIRST_DAY, False)):
        session = PuzzleSession(puzzle=daily_puzzle(day).puzzle)
        while question := session.question:
            tried = sum(session.tried, ())
            wrong = [each.name for each in question.candidates if each.name not in (*question.right, *tried)]
            session.answer((wrong or question.right)[:1])
        page = opened(app.browser(), f"/puzzle?date={day}&play={session}&at=end")
        assert ("Second try: one like this" in page) == ("the day counts as solved" in page) == offers
        assert ("Another one like this" in page) != offers


def test_only_the_sister_of_a_day_that_was_missed_is_its_second_try(app: LocalApp) -> None:
    who, other = app.browser(), sister(OF_THE_DAY.id or "")
    assert other is not None
    session = PuzzleSession(puzzle=OF_THE_DAY.puzzle)
    for _, answer in OF_THE_DAY.puzzle.solution():
        session.answer(answer)
    solved = opened(who, f"/puzzle?date={FIRST_DAY}&play={session}")
    assert f'href="/puzzles?id={other.id}"' in solved
    assert f'data-second="{FIRST_DAY}"' in opened(who, f"/puzzles?id={other.id}&day={FIRST_DAY}")
    for name, day in ((LINE.id, FIRST_DAY), (other.id, "2026-11-17"), (other.id, "9999-12-31")):
        assert "data-second" not in opened(who, f"/puzzles?id={name}&day={day}")


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_puzzle_of_every_kind_can_be_failed_without_scripts(app: LocalApp, name: str) -> None:
    who, path, session = app.browser(), f"/puzzles?id={name}", PuzzleSession(puzzle=puzzle_by_id(name).puzzle)
    page = opened(who, path)
    while question := session.question:
        wrong = [
            each.name for each in question.candidates if each.name not in (*question.right, *sum(session.tried, ()))
        ]
        answer = [*(wrong or question.right)[:1]]
        page = seen(who, answered(who, page, path, question, answer))
        session.answer(answer)
    assert ">Not solved this time</h2>" in page
    assert page.count("missed</span>") == session.row.count("✗") > 0


def test_a_wrong_move_is_refuted_step_by_step_and_the_line_goes_on(app: LocalApp) -> None:
    who, path = app.browser(), f"/puzzles?id={LINE.id}"
    question, (right,) = next(LINE.puzzle.solution())
    wrong = next(name for name in question.counted if name != right)
    page = answered(who, opened(who, path), path, question, [wrong])
    refutation = LINE.puzzle.refute([], [wrong])
    assert refutation.sentences[0] in page
    assert f"1 of {len(refutation.moves)}" in page
    assert "The right answer: " not in page
    assert 'name="move"' not in page
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following
    assert f"2 of {len(refutation.moves)}" in opened(who, following[1])
    page = seen(who, page)
    assert "The right answer: " in page
    assert 'name="move"' in page


def test_cards_are_laid_out_and_taken_back_without_scripts(app: LocalApp) -> None:
    name = next(entry.id for entry in deck().entries.values() if entry.kind == "route")
    who, path = app.browser(), f"/puzzles?id={name}"
    page = opened(who, f"{path}&laid=16&lay=4")
    assert re.findall(r'name="laid" value="(\d+)"', page) == ["16", "4"]
    page = opened(who, f"{path}&laid=16&laid=4&take=16")
    assert re.findall(r'name="laid" value="(\d+)"', page) == ["4"]


def test_hints_are_told_when_asked_for(app: LocalApp) -> None:
    who, path = app.browser(), f"/puzzles?id={LINE.id}"
    assert LINE.puzzle.hints[0] not in opened(who, path)
    sent = who.get(f"{path}&hint=1")
    assert sent.status_code == 303
    assert LINE.puzzle.hints[0] in opened(who, sent.headers["location"])


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/puzzle?date=yesterday", 400, "Write the date like this"),
        ("/puzzle?date=9999-12-31", 404, "isn't available yet"),
        ("/puzzles?id=nobody", 404, "There is no puzzle 'nobody'"),
        ("/puzzles?game=64&grade=1", 404, "There are no puzzles for Binary Race to 64 of grade 1."),
        ("/puzzles?grade=8", 400, "The grade must be a whole number"),
        (f"/puzzles?id={LINE.id}&play=x", 400, "can't be read"),
        ("/puzzles?month=2026-13", 400, "Write the month like this: 2026-11."),
        (f"/puzzles?id={LINE.id}&answer=fly", 400, "isn't one of the answers"),
    ],
)
def test_what_there_is_not_gets_a_sentence(app: LocalApp, path: str, status: int, sentence: str) -> None:
    assert sentence in opened(app.browser(), path, status)


STRANGE = (
    *("", "\0", "a\0b", "é", "\u202e", "٣", "x" * 10_000, "1" * 10_000, "-1", "99", "1.2.3.4.5.6.7.8.9", "1-1-1"),
    *("h" * 300, "0", "..", "<script>alert(1)</script>", "%00", "[]", "{}", "double-9", "31-0"),
    *("2026-02-30", "0001-01-01", "9999-12-31", "0000-00-00", "20261119", "2026-W47-4", "2026-11-19T00:00"),
)
FIELDS = {
    "/puzzle": ("play", "date", "number", "at", "answer", "hint", "check", "lay", "laid"),
    "/puzzles": ("id", "day", "play", "game", "kind", "grade", "number", "month", "answer"),
    "/games/double-or-nothing/practice": ("row", "play", "at", "answer", "check"),
    "/games/binary-battle/learn": ("step", "answer", "move", "moves", "lot", "at"),
    "/api/v1/puzzles": ("date", "number", "id", "game", "grade", "solution"),
}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        pytest.param(path, field, marks=[pytest.mark.thorough] * (at > 1))
        for path, fields in FIELDS.items()
        for at, field in enumerate(fields)
    ],
)
def test_whatever_strangers_send_gets_a_page_or_one_sentence(path: str, field: str, app: LocalApp) -> None:
    who = app.browser()
    for value in STRANGE:
        for query in (f"{field}={quote(value)}", f"{field}={quote(value)}&{field}=1&{field}={quote(value)}"):
            reply = who.get(f"{path}?{query}")
            assert reply.status_code in (200, 303, 400, 404, 422), (query, reply.text)
            assert "Traceback" not in reply.text
            if not path.startswith("/api"):
                assert "<script>alert" not in reply.text
            elif reply.status_code != 200:
                assert list(reply.json()) == ["error"]
                assert len(reply.json()["error"]) < 300


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_no_page_gives_an_answer_away_before_it_is_earned(name: str, app: LocalApp) -> None:
    """What is told later is not in the source, and right and wrong answers are written in the same way."""
    puzzle, page = puzzle_by_id(name).puzzle, opened(app.browser(), f"/puzzles?id={name}")
    question = puzzle.question()
    assert question is not None
    wrong = next(each.name for each in question.candidates if not question.is_right([each.name]))
    for text in (*puzzle.hints, *puzzle.explanation, *puzzle.refute([], [wrong]).sentences):
        assert text not in page
    tags = re.findall(r'<(?:button|input)[^>]* name="(?:answer|move|lay)"[^>]*>', page)
    assert {re.search(r'value="([^"]*)"', tag)[1] for tag in tags} >= {each.name for each in question.candidates}  # type: ignore[index]
    shapes = {tuple(re.findall(r" ([a-z-]+)(?==| |>)", re.sub(r'"[^"]*"', "", tag))) for tag in tags}
    assert len({shape for shape in shapes if "disabled" not in shape}) == 1, shapes
    assert not re.search(r'(?:class|data-[a-z]+)="[^"]*(?:right|solution|best|good)[^"]*"', page[page.index("<main") :])


def test_a_stale_page_sent_twice_leads_to_the_same_page(app: LocalApp) -> None:
    who, (question, answer) = app.browser(), next(iter(LINE.puzzle.solution()))
    assert question.pick == Pick.ONE
    first = who.get(f"/puzzles?id={LINE.id}&answer={answer[0]}")
    again = who.get(f"/puzzles?id={LINE.id}&answer={answer[0]}")
    assert (first.status_code, first.headers["location"]) == (303, again.headers["location"])
    over = ".".join(["1"] * 40)
    page = opened(who, f"/puzzles?id={LINE.id}&play={over}&at=end&answer=add")
    assert "Solved" in page or "Not solved this time" in page


@pytest.mark.parametrize("path", ["/puzzles?number=123", "/puzzle?date=2026-11-17", "/puzzle?date=0001-01-01"])
def test_an_address_of_the_old_deck_leads_to_the_list(app: LocalApp, path: str) -> None:
    who = app.browser()
    sent = who.get(path)
    assert (sent.status_code, sent.headers["location"]) == (303, "/puzzles?old=1")
    assert "from the old collection" in opened(who, "/puzzles?old=1")


def test_a_day_asked_of_the_list_leads_to_the_puzzle_of_that_day(app: LocalApp) -> None:
    sent = app.browser().get("/puzzles?date=2026-11-18")
    assert (sent.status_code, sent.headers["location"]) == (303, "/puzzle?date=2026-11-18")
    assert app.browser().get("/puzzles?date=yesterday").status_code == 400


def test_practice_draws_a_puzzle_of_the_game_and_grade(app: LocalApp) -> None:
    sent = app.browser().get("/puzzles?game=double&grade=4")
    found = re.fullmatch(r"/puzzles\?id=([0-9a-z]+)", sent.headers["location"])
    assert found
    puzzle = puzzle_by_id(found[1]).puzzle
    assert (puzzle.game.short, puzzle.grade) == ("double", 4)


def test_the_list_counts_puzzles_by_game_kind_and_grade(app: LocalApp) -> None:
    who = app.browser()
    page = opened(who, "/puzzles")
    count = sum(entry.kind == "line" and entry.grade == 4 and "64" in entry.slug for entry in deck().entries.values())
    assert f"Binary Race to 64, Line, grade 4, {count} puzzles" in page
    sent = who.get("/puzzles?game=64&kind=line&grade=4")
    puzzle = puzzle_by_id(sent.headers["location"].partition("id=")[2]).puzzle
    assert (puzzle.kind, puzzle.grade) == ("line", 4)
    assert "There are no puzzles of this kind" in opened(who, "/puzzles?game=64&kind=route", 404)


def test_the_calendar_leads_to_the_days_that_have_a_puzzle(app: LocalApp) -> None:
    page = opened(app.browser(), "/puzzles?month=2026-11")
    assert 'href="/puzzle?date=2026-11-18"' in page
    assert 'href="/puzzle?date=2026-11-17"' not in page
    assert " to the next puzzle" in re.sub("<[^>]+>", "", page)


def test_months_and_time_left_are_said_in_words() -> None:
    now = Today(date(2026, 12, 3), date(2026, 12, 4), 312)
    assert now.left == "5 h 12 min"
    month = Month.of(date(2026, 11, 30), now)
    assert (month.before, month.after) == (None, "/puzzles?month=2026-12")
    assert [cell.url for cell in month.weeks[3] if cell][1:3] == [None, "/puzzle?date=2026-11-18"]


def test_programs_are_told_the_same_as_at_the_command_line(app: LocalApp) -> None:
    who = app.browser()
    told = who.get(f"/api/v1/puzzles?date={FIRST_DAY}").json()
    assert told == OF_THE_DAY.as_data()
    assert who.get("/api/v1/puzzles?number=1").json() == told
    solved = who.get(f"/api/v1/puzzles?id={LINE.id}&solution=true").json()
    assert solved == LINE.as_data(with_solution=True)
    drawn = who.get("/api/v1/puzzles?game=64&grade=5").json()
    assert (drawn["game"], drawn["grade"], drawn["number"]) == ("binary-race-64", 5, None)


@pytest.mark.parametrize(
    ("query", "status"),
    [("date=x", 400), ("date=9999-12-31", 404), ("id=nobody", 404), ("number=1&grade=2", 400), ("game=chess", 404)],
)
def test_programs_get_a_sentence_too(app: LocalApp, query: str, status: int) -> None:
    answer = app.browser().get(f"/api/v1/puzzles?{query}")
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")


def test_the_site_leads_to_the_puzzle_of_the_day(app: LocalApp) -> None:
    assert 'href="/puzzle"' in opened(app.browser(), "/puzzles")
