"""The deck: proved by the rules written a second time, its quotas and days, its data, and exercises from positions."""

import re
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.puzzle import Form
from bitduel.games import registry
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.games.registry import BUILT_IN, make
from bitduel.learning.puzzle_deck import (
    FILE,
    FIRST_DAY,
    DeckEntry,
    NoPuzzleError,
    PuzzleQuery,
    daily_puzzle,
    day_of,
    deck,
    entries_of,
    entry_of,
    find_puzzle,
    parse_day,
    parse_grade,
    puzzle_by_id,
    random_puzzle,
    requested_day,
    sister,
)
from bitduel.learning.puzzle_generator import (
    DAYS,
    deck_text,
    first_decision,
    generate_deck,
)
from bitduel.learning.puzzles import OTHER_ODDS, BestPlay, Exercise, best_line, puzzle_from
from bitduel.learning.review import reasons
from bitduel.solver.evaluators import evaluator_for
from learning.puzzle_proofs import CHECKS

ENTRIES = list(deck().entries.values())
DAILY = [deck().entries[name] for name in deck().days]
YEAR = 365
NAMED_SETTING = re.compile(r"[a-z]=")
"""A setting as programs write it, which people never read."""
SAMPLE = 4
"""So many puzzles of each kind of a game are proved in the first tier, none of them with six bits."""


def some_of_every_kind() -> list[DeckEntry]:
    """Return the sample of the first tier, evenly spread over the deck."""
    stacks: dict[tuple[str, str], list[DeckEntry]] = {}
    for entry in ENTRIES:
        if "bits=6" not in entry.settings:
            stacks.setdefault((entry.slug, entry.kind), []).append(entry)
    return [entry for stack in stacks.values() for entry in stack[:: len(stack) // SAMPLE][:SAMPLE]]


def check(entry: DeckEntry) -> None:
    """Prove a puzzle, and that the file says of it what is so."""
    puzzle = entry.puzzle
    assert entry_of(puzzle) == entry
    CHECKS[entry.slug, entry.kind](puzzle)
    assert entry.grade == 1 or entry.odds <= OTHER_ODDS
    assert len({hint for hint in puzzle.hints if hint}) == 3
    assert all(puzzle.explanation)
    assert not NAMED_SETTING.search(" ".join([puzzle.task, *puzzle.hints, *puzzle.explanation]))
    if puzzle.form == Form.LINE:
        answers = [answer for question, answer in puzzle.solution() if question.is_decision]
        assert len(set(answers)) > 1, "it is not solved by always the same move"
    data = find_puzzle(PuzzleQuery(id=entry.id), Random(0)).as_data(with_solution=True)
    assert data["solution"]


def test_some_puzzles_of_every_kind_are_proved_by_trying_everything() -> None:
    for entry in some_of_every_kind():
        check(entry)


@pytest.mark.thorough
def test_every_puzzle_of_the_deck_is_proved_by_trying_everything() -> None:
    for entry in ENTRIES:
        check(entry)


@pytest.mark.thorough
def test_every_wrong_answer_is_refuted_by_moves_that_can_be_played_and_a_sentence() -> None:
    for entry in ENTRIES:
        answers = list[tuple[str, ...]]()
        for question, answer in entry.puzzle.solution():
            for candidate in question.candidates:
                if question.is_right([candidate.name]):
                    continue
                refutation = entry.puzzle.refute(answers, [candidate.name])
                assert refutation.sentences
                assert len(refutation.moves) <= 6
                if refutation.moves and question.position and not entry.puzzle.game.has_chance:
                    match = question.position.match
                    for move in refutation.moves:
                        match.play(move)
            answers.append(answer)


@pytest.mark.thorough
def test_the_deck_is_what_the_generator_makes() -> None:
    assert deck_text(generate_deck(BUILT_IN)) == FILE.read_text("ascii")


def test_no_two_puzzles_have_the_same_id_and_every_grade_has_some() -> None:
    assert len(ENTRIES) == len(FILE.read_text("ascii").splitlines()) - 1
    assert {entry.grade for entry in ENTRIES} == set(range(1, 8))


def test_no_game_has_more_than_three_tenths_of_the_deck() -> None:
    shares = Counter(entry.slug for entry in ENTRIES)
    assert set(shares) == {kind.slug for kind in BUILT_IN}
    assert max(shares.values()) <= 0.3 * len(ENTRIES)


def test_every_kind_of_puzzle_is_in_the_deck_and_has_a_proof() -> None:
    assert {(entry.slug, entry.kind) for entry in ENTRIES} == set(CHECKS)


def test_no_puzzle_from_grade_two_on_can_be_guessed_once_in_four_times() -> None:
    assert max(entry.odds for entry in ENTRIES if entry.grade > 1) <= OTHER_ODDS == Fraction(1, 4)


def test_two_years_of_days_have_no_puzzle_twice() -> None:
    assert len(DAILY) == len(set(deck().days)) == DAYS == 2 * YEAR


def test_no_daily_puzzle_can_be_guessed_once_in_eight_times_or_five_in_battle() -> None:
    worst = {slug: max(entry.odds for entry in DAILY if entry.slug == slug) for slug in {e.slug for e in DAILY}}
    assert worst.pop("binary-battle") <= Fraction(1, 5)
    assert max(worst.values()) <= Fraction(1, 8)


def test_any_eight_days_have_all_five_games() -> None:
    for first in range(DAYS - 7):
        assert len({entry.slug for entry in DAILY[first : first + 8]}) == 5


def test_a_third_of_the_daily_puzzles_of_each_year_have_the_usual_size() -> None:
    is_usual = [entry.puzzle.is_standard for entry in DAILY]
    assert all(3 * sum(year) >= len(year) == YEAR for year in (is_usual[:YEAR], is_usual[YEAR:]))


def test_at_most_two_of_five_daily_puzzles_of_a_month_are_sheets_of_marks() -> None:
    is_marks = [entry.puzzle.form == Form.MARKS for entry in DAILY]
    assert all(5 * sum(is_marks[first : first + 30]) <= 2 * 30 for first in range(DAYS - 29))
    months: dict[tuple[int, int], list[bool]] = {}
    for number, each in enumerate(is_marks):
        day = FIRST_DAY + timedelta(number)
        months.setdefault((day.year, day.month), []).append(each)
    assert all(5 * sum(month) <= 2 * len(month) for month in months.values())


def test_no_two_puzzles_of_thirty_days_begin_with_the_same_decision() -> None:
    last: dict[str, int] = {}
    for number, entry in enumerate(DAILY):
        decision = first_decision(entry.puzzle)
        assert number - last.get(decision, -30) >= 30
        last[decision] = number


def test_the_grade_grows_through_the_week() -> None:
    by_weekday: dict[int, list[int]] = {}
    for number, entry in enumerate(DAILY):
        by_weekday.setdefault((FIRST_DAY + timedelta(number)).weekday(), []).append(entry.grade)
    means = [sum(grades) / len(grades) for _, grades in sorted(by_weekday.items())]
    assert means == sorted(means)


def test_the_days_begin_with_number_one() -> None:
    chosen = daily_puzzle(FIRST_DAY)
    assert (chosen.number, chosen.day, day_of(1)) == (1, date(2026, 11, 18), FIRST_DAY)
    assert daily_puzzle(FIRST_DAY + timedelta(DAYS)).id == chosen.id
    with pytest.raises(NoPuzzleError, match="begin on 2026-11-18, with puzzle 1"):
        daily_puzzle(FIRST_DAY - timedelta(1))
    with pytest.raises(NoPuzzleError, match="available"):
        day_of(10**9)


def test_what_a_program_is_told_is_settled_and_gives_nothing_away() -> None:
    keys = "date number id game options moves to_move kind form task ask grade odds"
    data = daily_puzzle(FIRST_DAY).as_data()
    assert " ".join(data) == keys
    assert (data["date"], data["number"]) == ("2026-11-18", 1)
    line = next(entry for entry in ENTRIES if entry.kind == "line")
    told = puzzle_by_id(line.id).as_data(with_solution=True)
    assert (told["date"], told["number"], told["id"]) == (None, None, line.id)
    assert " ".join(told) == f"{keys} solution replies"
    assert len(told["solution"]) == len(told["replies"]) + 1
    assert Fraction(told["odds"]) == line.odds


def test_a_hidden_target_is_not_in_the_settings() -> None:
    entry = next(entry for entry in ENTRIES if entry.kind == "find-the-target")
    assert "target" not in puzzle_by_id(entry.id).as_data()["options"]


def test_a_sister_is_another_puzzle_of_the_same_game_kind_and_grade() -> None:
    for entry in some_of_every_kind():
        other = sister(entry.id)
        if other is not None:
            known = entry_of(other.puzzle)
            assert (known.slug, known.kind, known.grade) == (entry.slug, entry.kind, entry.grade)
            assert known.id != entry.id
    assert sister("nobody") is None


def test_puzzles_are_chosen_by_game_and_grade_or_there_is_a_sentence() -> None:
    chosen = random_puzzle(DoubleOrNothing, 4, Random(1))
    assert (chosen.puzzle.game.slug, chosen.puzzle.grade) == ("double-or-nothing", 4)
    assert random_puzzle(None, 7, Random(1)).puzzle.grade == 7
    with pytest.raises(NoPuzzleError, match=r"There are no puzzles for Binary Race to 64 of grade 1\. Choose 2, "):
        random_puzzle(BinaryRace64, 1, Random(1))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (PuzzleQuery(id="x", number=1), "Ask for one puzzle"),
        (PuzzleQuery(game="64", date="2026-11-18"), "Ask for one puzzle"),
        (PuzzleQuery(date="9999-12-31"), "isn't available yet"),
        (PuzzleQuery(number=999_999), "isn't available yet"),
        (PuzzleQuery(id="\x1b"), "There is no puzzle"),
        (PuzzleQuery(date="2026-11-17"), "begin on 2026-11-18"),
    ],
)
def test_what_there_is_not_gets_a_sentence(query: PuzzleQuery, sentence: str) -> None:
    with pytest.raises(BitduelError, match=sentence):
        find_puzzle(query, Random(1))


@pytest.mark.parametrize("text", ["", "2026-11-1", "18.11.2026", "2026-02-30", "2026-11-1\u0668"])
def test_a_day_is_written_in_one_way(text: str) -> None:
    with pytest.raises(BitduelError, match="Write the date like this"):
        parse_day(text)
    assert requested_day(None)[0] <= requested_day(None)[2]


@pytest.mark.parametrize("text", ["0", "8", "x", "1.5"])
def test_a_grade_is_a_whole_number(text: str) -> None:
    with pytest.raises(BitduelError, match="from 1 to 7"):
        parse_grade(text)


def test_a_game_from_outside_has_lines_made_of_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from bitduel.games.binary_race_bits.rules import BitsRules

    class Other(BitsRules):
        slug, short, title, aim = "other-bits", "other", "Other Bits", "Fill your row."
        words = make("bits").words

    monkeypatch.setattr(registry, "all_games", lambda: [*BUILT_IN, Other])
    monkeypatch.setattr("bitduel.learning.puzzle_deck.all_games", lambda: [*BUILT_IN, Other])
    monkeypatch.setattr("bitduel.learning.puzzle_deck.find", lambda _: Other)
    entries = entries_of(Other)
    assert entries
    for entry in entries:
        assert entry.grade == 1 or entry.odds <= OTHER_ODDS
        chosen = puzzle_by_id(entry.id)
        assert isinstance(chosen.puzzle, BestPlay)
        for question, answer in chosen.puzzle.solution():
            assert set(answer) <= set(question.right)


def test_a_position_of_a_match_asks_for_a_line_where_one_move_could_be_guessed() -> None:
    game = make("double")
    puzzle = puzzle_from(Exercise(game, ("add",)))
    question = puzzle.question()
    assert question is not None
    assert (question.right, puzzle.task) == (("add",), "Win against the best defence.")
    assert puzzle.question([question.right])
    assert puzzle.odds <= OTHER_ODDS
    assert puzzle.refute([], ["double"]).moves[0] == "double"
    assert puzzle.hints[2] == "Add."
    assert puzzle.explanation[0].startswith("Add wins in ")
    assert puzzle.hints[0] == game.words.question(Match(game, moves=("add",)).view(2))
    assert puzzle.explanation[1] == puzzle.hints[1] == reasons(Match(game, moves=("add",)), "add")[1]


@pytest.mark.parametrize(
    ("game", "moves"), [("double", ("add", "double", "double", "add", "double")), ("battle", ()), ("bits", ("flip 1",))]
)
def test_a_turning_point_that_can_be_guessed_is_of_the_first_grade(game: str, moves: tuple[str, ...]) -> None:
    made = make(game)
    puzzle = puzzle_from(Exercise(made, moves, made.any_deal()))
    assert puzzle.odds <= OTHER_ODDS or puzzle.grade == 1
    assert all(puzzle.hints)


@pytest.mark.parametrize(
    ("game", "moves", "task"),
    [
        ("64", (), "Win against the best defence."),
        ("double", (), "Every move loses. Find one that lasts longest."),
        ("bits", (), "Find a move that does not lose."),
    ],
)
def test_the_task_is_the_best_that_can_be_reached(game: str, moves: tuple[str, ...], task: str) -> None:
    assert puzzle_from(Exercise(make(game), moves)).task == task


def test_in_a_game_of_chance_the_likeliest_move_is_asked_for() -> None:
    puzzle = puzzle_from(Exercise(make("battle", {"bits": 2}), deal="10"))
    question: Any = puzzle.question()
    assert puzzle.task == "Find a move with the best chance of winning."
    assert question.right
    assert not puzzle.replies([question.right])


def test_a_line_of_best_play_is_bounded() -> None:
    game = make("64")
    line = best_line(evaluator_for(game), Exercise(game).match, 5)
    assert len(line) == 5
