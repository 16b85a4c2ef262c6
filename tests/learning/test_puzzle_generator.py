"""How the deck and its days are chosen, on small stocks of made-up puzzles; the whole deck is tested elsewhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar

import pytest

from bitduel.core.lesson import LessonPosition
from bitduel.core.puzzle import Candidate, Form, Puzzle, Question, Refutation
from bitduel.games.registry import make
from bitduel.learning.puzzle_deck import FIRST_DAY, entry_of
from bitduel.learning.puzzle_generator import (
    deck_text,
    generate_deck,
    generate_external,
    has_one_right_move,
    schedule,
)
from bitduel.learning.puzzles import BestPlay, Exercise
from bitduel.solver.evaluators import TableEvaluator
from bitduel.solver.table import position_key, shortest_path


@dataclass(frozen=True, kw_only=True)
class Simple(Puzzle):
    """A puzzle whose parameters say what the choice depends on: its grade, odds and prompt."""

    kind: ClassVar[str] = "simple"
    form: ClassVar[Form] = Form.CHOICE
    title: ClassVar[str] = "Simple"

    grade: int = 3
    odds: Fraction = Fraction(1, 16)

    @property
    def position(self) -> LessonPosition:
        return LessonPosition(self.game)

    @property
    def task(self) -> str:
        return self.parameters["prompt"]

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        return None if answers else Question(prompt=self.task, candidates=(Candidate("1"),), right=("1",))

    @property
    def hints(self) -> tuple[str, str, str]:
        return "", "", ""

    @property
    def explanation(self) -> tuple[str, ...]:
        return ()

    @property
    def score(self) -> float:
        return 0

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        return Refutation(())


class Other(Simple):
    """A puzzle of another kind."""

    kind = "other"


class Sheet(Simple):
    """A sheet of marks."""

    kind = "sheet"
    form = Form.MARKS


numbers = iter(range(10**6))


def simple(
    count: int = 1, game: str = "31", like: type[Simple] = Simple, prompt: str = "", size: int = 0, **known: Any
) -> list[Simple]:
    """Return puzzles with prompts of their own unless one is given; with a size, of an unusual one."""
    options = {"length": size} if size else {}
    return [
        like(game=make(game, options), parameters={"n": str(n), "prompt": prompt or str(n)}, **known)
        for n in islice(numbers, count)
    ]


def kind_of(slug: str, puzzles: Sequence[Puzzle]) -> Any:
    """Return a game with these puzzles."""

    class Kind:
        @classmethod
        def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
            return ()

        @classmethod
        def generate_puzzles(cls, evaluator_for: object) -> Iterator[Puzzle]:
            return iter(puzzles)

    Kind.slug = slug  # type: ignore[attr-defined]
    return Kind


def sizes(deck: Sequence[Puzzle]) -> dict[tuple[str, int], int]:
    """Return the number of puzzles by kind and grade."""
    return dict(Counter((puzzle.kind, puzzle.grade) for puzzle in deck))


def test_a_game_with_more_than_three_tenths_of_the_deck_loses_puzzles_of_its_longest_stacks() -> None:
    large = [*simple(50, grade=2), *simple(20, grade=3), *simple(4, grade=4)]
    small = [simple(20, like=Other, grade=grade) for grade in (5, 6, 7)]
    deck = generate_deck([kind_of("large", large), *(kind_of(str(n), each) for n, each in enumerate(small))])
    assert sizes(deck) == {
        ("simple", 2): 10,
        ("simple", 3): 11,
        ("simple", 4): 4,
        **{("other", grade): 20 for grade in (5, 6, 7)},
    }


def test_with_three_games_each_may_have_more_of_the_deck() -> None:
    deck = generate_deck([kind_of("large", simple(50)), *(kind_of(each, simple(2, like=Other)) for each in "ab")])
    assert sizes(deck) == {("simple", 3): 50, ("other", 3): 4}


def test_of_one_kind_and_grade_sixty_are_chosen_those_of_the_usual_size_first() -> None:
    usual, larger = simple(20, grade=2), simple(70, grade=2, size=63)
    deck = generate_deck([kind_of("only", [*larger, *usual, *simple(5, grade=4)])])
    assert sizes(deck) == {("simple", 2): 60, ("simple", 4): 5}
    assert all(puzzle in deck for puzzle in usual)
    assert deck == generate_deck([kind_of("only", [*usual, *larger[::-1], *(p for p in deck if p.grade == 4)])])


def test_what_can_be_guessed_more_than_once_in_four_times_is_left_out_above_grade_one() -> None:
    odds = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 5)]
    for grade, kept in ((1, odds), (2, odds[2:])):
        deck = generate_deck([kind_of("only", [simple(grade=grade, odds=each)[0] for each in odds])])
        assert {puzzle.odds for puzzle in deck} == {*kept}


def test_a_game_without_puzzles_has_none_in_the_deck() -> None:
    assert generate_deck([object]) == []  # type: ignore[list-item]


def test_the_first_line_of_a_deck_has_the_ids_of_its_days() -> None:
    puzzles = simple(3)
    days, *lines = deck_text(puzzles).splitlines()
    entries = [entry_of(puzzle) for puzzle in puzzles]
    assert lines == [entry.line for entry in entries]
    assert days.split() == ["days", *(entry_of(puzzle).id for puzzle in schedule(puzzles))]
    assert {*days.split()[1:]} == {entry.id for entry in entries}


def test_a_day_has_the_grade_of_its_weekday() -> None:
    assert FIRST_DAY.strftime("%A") == "Wednesday"
    chosen = schedule([puzzle for grade in range(2, 8) for puzzle in simple(5, grade=grade)], 14)
    assert [puzzle.grade for puzzle in chosen] == [3, 4, 5, 6, 7, 2, 2] * 2


def test_without_the_grade_of_the_weekday_the_nearest_is_chosen() -> None:
    stock = [*simple(grade=1), *simple(grade=4), *simple(grade=6)]
    assert [puzzle.grade for puzzle in schedule(stock, 3)] == [4, 6, 1]


def test_on_a_monday_grade_two_is_as_good_as_one_but_not_the_other_way_round() -> None:
    stock = [puzzle for grade in (1, *range(2, 8)) for puzzle in simple(grade=grade)]
    chosen = schedule([*stock, *simple(like=Other, grade=2)], 7)
    assert [(puzzle.kind, puzzle.grade) for puzzle in chosen[5:]] == [("other", 2), ("simple", 2)]


def test_the_games_take_turns_and_the_days_end_with_the_puzzles_of_one_of_them() -> None:
    stock = [*simple(3, game="64"), *simple(9, game="31"), *simple(9, game="double")]
    chosen = schedule(stock)
    slugs = [puzzle.game.slug.removeprefix("binary-race-") for puzzle in chosen]
    assert slugs == ["64", "double-or-nothing", "31", "64", "double-or-nothing", *slugs[:3]]
    assert len({puzzle.task for puzzle in chosen}) == len(chosen)


def test_a_puzzle_that_is_guessed_more_than_once_in_eight_times_has_no_day() -> None:
    stock = [*simple(odds=Fraction(1, 7)), *simple(odds=Fraction(1, 8)), *simple(odds=Fraction(1, 9))]
    assert {puzzle.odds for puzzle in schedule(stock)} == {Fraction(1, 8), Fraction(1, 9)}


def test_the_same_first_decision_comes_again_after_thirty_days() -> None:
    chosen = schedule([*simple(3, prompt="again"), *simple(60, grade=1)], 61)
    assert [number for number, puzzle in enumerate(chosen) if puzzle.task == "again"] == [0, 30, 60]


def test_fewer_than_twelve_of_thirty_days_are_sheets_of_marks() -> None:
    chosen = schedule([*simple(45, like=Sheet), *simple(45, grade=20)], 45)
    is_marks = [puzzle.form == Form.MARKS for puzzle in chosen]
    assert max(sum(is_marks[first : first + 30]) for first in range(16)) == 11


def test_a_game_has_its_usual_size_as_often_as_it_should() -> None:
    chosen = schedule([*simple(20), *simple(20, size=63)], 20)
    assert sum(puzzle.is_standard for puzzle in chosen[:10]) == 7
    assert sum(puzzle.is_standard for puzzle in chosen) == 14


def test_the_kinds_of_a_game_take_turns() -> None:
    chosen = schedule([*simple(5), *simple(5, like=Other)], 10)
    assert all({one.kind, two.kind} == {"simple", "other"} for one, two in zip(chosen[::2], chosen[1::2], strict=True))


@pytest.mark.parametrize(("name", "options"), [("64", {}), ("bits", {"edge": "strict"})])
def test_one_move_is_right_where_the_player_has_a_choice_and_all_others_give_something_away(
    name: str, options: dict[str, object]
) -> None:
    evaluator = TableEvaluator(make(name, options))
    table = evaluator.solution.table
    found = has_one_right_move(evaluator)
    assert found.any()
    for index in range(len(table)):
        exercise = Exercise(table.game, tuple(shortest_path(table, position_key(table, index))))
        has_choice = bool(exercise.match.to_move) and len(exercise.match.legal) > 1
        assert found[index] == (has_choice and len(exercise.right) == 1)


def test_a_game_from_outside_has_at_most_a_hundred_lines_from_positions_that_are_not_far_away() -> None:
    puzzles = list(generate_external(type(make("31"))))
    assert len(puzzles) == 100
    assert len({entry_of(puzzle).id for puzzle in puzzles}) == 100
    for puzzle in puzzles:
        assert puzzle.grade == 1 or puzzle.odds <= Fraction(1, 4)
        assert len(puzzle.position.moves) <= 24


def test_a_line_from_outside_is_no_longer_than_it_must_be_not_to_be_guessed() -> None:
    puzzles = [puzzle for puzzle in generate_external(type(make("64"))) if isinstance(puzzle, BestPlay)]
    assert {(puzzle.turns, puzzle.odds) for puzzle in puzzles} == {(1, Fraction(1, 2)), (2, Fraction(1, 4))}
    assert all((puzzle.grade == 1) == (puzzle.turns == 1) for puzzle in puzzles)


def test_a_game_with_hidden_information_or_too_many_positions_has_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [*generate_external(type(make("battle")))]
    monkeypatch.setattr("bitduel.learning.puzzle_generator.MOST_POSITIONS", 50)
    assert not [*generate_external(type(make("64")))]
