"""Nothing in a lesson is false, and what it teaches beats or holds `perfect` wherever that is possible."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bitduel.core.evaluation import DRAW, LOSS, WIN, Value
from bitduel.core.game import PASS, Game
from bitduel.core.lesson import ChoiceStep, EvaluationClaim, Lesson, LessonStep, MatchStep, MoveStep, game_lesson
from bitduel.core.match import Match
from bitduel.core.phrases import frequency_phrase
from bitduel.core.view import View
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_battle.equilibrium.information_states import start, successors, toggled
from bitduel.games.binary_battle.equilibrium.strategies import RealizationPlan, best_response, rewards
from bitduel.games.binary_battle.evaluator import equilibrium as solved
from bitduel.games.binary_battle.lesson import PLAIN_SECOND, PLAN_SECOND, VALUE, binary_search, taught_plan
from bitduel.games.binary_battle.rules import BattleBoard
from bitduel.games.number_race.law import NumberLaw, fence
from bitduel.games.number_race.lesson import has_odd, quarters
from bitduel.games.registry import all_games, find, make
from bitduel.learning.lesson_grading import grade_answer, start_step
from bitduel.players import player
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.testing.solutions import method_succeeds, reachable_matches, step_problems
from helpers import right_answers

MOST_PLIES = 80
"""A match without a winner that is still going on after so many plies has been held."""


def lesson_of(name: str) -> Lesson:
    found = game_lesson(find(name))
    assert found
    return found


STEPS = [
    pytest.param(step, id=f"{kind.short} {number}")
    for kind in all_games()
    for number, step in enumerate(lesson_of(kind.slug).steps, 1)
]
OTHER_GAMES: dict[str, list[dict[str, Any]]] = {
    "64": [{"target": target} for target in (20, 21, 22, 42, 44, 63, 64, 100)]
    + [{"start": 2}, {"target": 85, "start": 4}],
    "double": [{"target": target} for target in (2, 3, 10, 20, 33, 40, 42, 64)] + [{"start": 3, "target": 50}],
    "31": [{"finish": finish, "length": length} for finish in ("sample", "any", "exact") for length in (7, 31, 41)],
    "bits": [
        *({"bits": bits} for bits in (1, 2, 3, 4, 5)),
        *(
            {"first-move": first, "edge": edge}
            for first, edge in product(("turn", "game", "flip", "empty"), ("open", "strict"))
        ),
    ],
}
GAMES = [pytest.param(name, options, id=f"{name} {options}") for name, each in OTHER_GAMES.items() for options in each]


@pytest.mark.parametrize("step", STEPS)
def test_every_step_says_what_the_solution_says(step: LessonStep) -> None:
    assert list(step_problems(step)) == []


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_short_and_calm(step: LessonStep) -> None:
    texts = [*step.text, step.question, step.hint]
    assert 10 <= sum(len(text.split()) for text in (step.title, *step.text, step.question)) <= 60
    assert not re.search(r"!|\{|\}|None|  ", " ".join(texts))


@pytest.mark.parametrize("step", STEPS)
def test_every_answer_gets_a_word_and_some_are_right_and_some_wrong(step: LessonStep) -> None:
    moment = start_step(step)
    offered = moment.match.legal if isinstance(step, MoveStep | MatchStep) else [each.text for each in step.answers]  # type: ignore[attr-defined]
    said = {each: grade_answer(moment, each) for each in offered}
    right = set(right_answers(moment))
    assert right == {each for each, verdict in said.items() if verdict.is_right}
    assert right
    assert isinstance(step, MatchStep) or right < set(offered)
    assert all(verdict.sentences and all(verdict.sentences) for verdict in said.values() if not verdict.is_right)
    assert "!" not in " ".join(text for verdict in said.values() for text in verdict.sentences)


def test_a_false_lesson_is_found_out() -> None:
    step = lesson_of("double").steps[0]
    assert isinstance(step, MoveStep)
    assert list(step_problems(replace(step, right=("add",))))
    assert list(step_problems(replace(step, right=("add", "double"))))
    chosen = lesson_of("double").steps[2]
    upside_down = tuple(replace(each, is_right=not each.is_right) for each in chosen.answers)  # type: ignore[attr-defined]
    assert len(list(step_problems(replace(chosen, answers=upside_down)))) == 3  # type: ignore[call-arg]
    last = [step for step in lesson_of("double").steps if isinstance(step, MatchStep)][-1]
    assert list(step_problems(replace(last, value=LOSS)))


@pytest.mark.parametrize("name", [kind.short for kind in all_games()])
def test_whoever_follows_the_method_gets_through_every_match_of_the_lesson(name: str) -> None:
    lesson = lesson_of(name)
    assert 5 <= len(lesson) <= 10
    matches = [step for step in lesson.steps if isinstance(step, MatchStep)]
    assert matches
    assert all(method_succeeds(lesson, step) for step in matches)


def played_out(match: Match, seat: int, method: Callable[[View], str], other: Any) -> Value:
    """What the method gets out of a match on this seat against another player."""
    while match.to_move and match.ply < MOST_PLIES:
        view = match.view(match.to_move)
        move = PASS if match.must_pass else method(view) if match.to_move == seat else other.choose(view)
        match = match.after(move)
    winner = match.outcome.winner if match.outcome else None
    return {seat: WIN, None: DRAW}.get(winner, LOSS)


def tried(game: Game[Any], method: Callable[[View], str]) -> dict[Value, int]:
    """From how many positions the method won, and held, against `perfect`; from all where that is possible."""
    evaluator, perfect = evaluator_for(game), player("perfect", game, Random(1))
    assert isinstance(evaluator, TableEvaluator)
    found = dict.fromkeys(Value, 0)
    for match in reachable_matches(game, 10_000):
        seat = match.to_move
        index = evaluator.solution.table.index_of(match.position)
        assert seat is not None
        assert index is not None
        value = evaluator.solution.evaluation_at(index).value
        assert value is not None
        if value != LOSS:
            assert played_out(match, seat, method, perfect) == value, match
        found[value] += 1
    return found


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_method_beats_or_holds_perfect_from_every_position(name: str, options: dict[str, object]) -> None:
    found = tried(make(name, options), lesson_of(name).method)
    assert found[WIN] + found[DRAW] > 0


@pytest.mark.parametrize("target", range(2, 130))
def test_dividing_by_4_again_and_again_tells_who_should_start(target: int) -> None:
    """The rule of the last step, checked with a search of its own."""
    lost = [True] * (target + 1)
    for number in range(target - 1, 0, -1):
        lost[number] = not any(lost[made] for made in (number + 1, 2 * number) if made <= target)
    assert has_odd(quarters(target)) == lost[1]
    for number in range(target - 1, 0, -1):
        lost[number] = not any(lost[made] for made in (number + 2, 2 * number) if made <= target)
    half = quarters(target // 2)
    assert (target % 2 == 1 and not has_odd(half)) == lost[1]
    assert has_odd(half) == (not lost[1] and lost[2] and target > 2) or target == 2


@pytest.mark.parametrize("name", [kind.short for kind in all_games()])
def test_no_lesson_uses_base_4_and_binary_is_explained_where_it_comes_up(name: str) -> None:
    texts = [" ".join((step.title, *step.text, step.question, step.hint)) for step in lesson_of(name).steps]
    assert not any("base 4" in text for text in texts)
    if name == "31":
        first = next(text for text in texts if "binary" in text)
        assert "In binary, 11 is 1011: a 1 for each move you use, a 0 for the 4." in first


@pytest.mark.parametrize("name", ["64", "double"])
def test_good_to_leave_is_explained_before_it_is_used_and_the_target_is_good(name: str) -> None:
    steps = lesson_of(name).steps
    defined = next(number for number, step in enumerate(steps) if "good to leave if" in " ".join(step.text))
    assert all("good" not in " ".join((*step.text, step.question)).lower() for step in steps[:defined])
    target = steps[0].position.game.target  # type: ignore[attr-defined]
    assert any(re.search(rf"\b{target} is good( too)?: make it and you", " ".join(step.text)) for step in steps)


def as_plan(bits: int, method: Callable[[View], str]) -> RealizationPlan:
    """A method as a plan of the equilibrium's kind, which can be paid in whole numbers."""
    game = BinaryBattle(bits=bits)
    weights, todo = {}, [start(bits)]
    while todo:
        state = todo.pop()
        seen = BattleBoard(mine=game.row(state.number), low=state.low, high=state.high)
        bit = int(method(replace(Match(game, deal=game.any_deal()).view(1), board=seen)).split()[1])
        weights[state] = tuple(int(place == bit) for place in range(1, bits + 1))
        todo += successors(state, toggled(bits, state.number, bit))
    made = RealizationPlan(bits, 1, weights)
    made.check()
    return made


def against_best_play(bits: int, method: Callable[[View], str], seat: int) -> Fraction:
    """How often a method wins against the equilibrium, exactly."""
    proof = solved(bits).proof
    assert proof
    other = proof.plans[2 - seat]
    paid = rewards(seat, other)
    hits = as_plan(bits, method).hits
    won = sum(paid[t][secret] * parts for t, row in enumerate(hits[: len(paid)]) for secret, parts in enumerate(row))
    return Fraction(won, other.scale << bits)


def test_in_the_dark_the_plan_wins_as_much_as_anything_can_as_first_and_nearly_as_much_as_second() -> None:
    assert solved(5).exact == VALUE
    assert against_best_play(5, taught_plan, 1) == VALUE
    assert against_best_play(5, taught_plan, 2) == PLAN_SECOND < 1 - VALUE
    assert against_best_play(5, binary_search, 2) == PLAIN_SECOND < PLAN_SECOND
    assert float(1 - VALUE - PLAN_SECOND) < 0.0011


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_with_fewer_bits_the_plan_is_never_worse_than_plain_binary_search(bits: int) -> None:
    for seat in (1, 2):
        assert against_best_play(bits, taught_plan, seat) >= against_best_play(bits, binary_search, seat)
    assert against_best_play(bits, taught_plan, 1) == solved(bits).exact


def test_whoever_knows_the_plan_does_better_against_it_as_the_lesson_warns() -> None:
    assert 1 - best_response(2, as_plan(5, taught_plan)) == Fraction(15, 32)


def test_the_page_about_lessons_has_these_fractions() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
    for fraction in (VALUE, 1 - VALUE, PLAN_SECOND, PLAIN_SECOND):
        assert f"{fraction}, {float(fraction):.5f}" in page


def test_a_chance_that_is_claimed_is_the_one_that_is_told() -> None:
    steps = lesson_of("battle").steps
    right = [
        answer.claim for step in steps if isinstance(step, ChoiceStep) for answer in step.answers if answer.is_right
    ]
    claimed = (*(claim for step in steps for claim in step.claims), *right)
    claims = [claim for claim in claimed if isinstance(claim, EvaluationClaim)]
    assert len(claims) == 3
    for claim in claims:
        match = claim.positions[0].match
        worths = {each.move: each.evaluation for each in evaluator_for(match.game).choices(match.view(match.next_seat))}
        assert frequency_phrase(worths[claim.move].win_probability or 0) in claim.statement


def said_in(step: LessonStep) -> list[str]:
    """Every sentence of a step, those after an answer included."""
    moment = start_step(step)
    offered = moment.match.legal if isinstance(step, MoveStep | MatchStep) else [each.text for each in step.answers]  # type: ignore[attr-defined]
    return [
        *step.text,
        step.question,
        step.hint,
        *(text for each in offered for text in grade_answer(moment, each).sentences),
    ]


@pytest.mark.parametrize("name", ["64", "double"])
def test_no_lesson_of_a_number_race_says_that_a_move_cannot_be_made(name: str) -> None:
    """Both moves are always offered; one that goes too far loses."""
    for step in lesson_of(name).steps:
        for text in said_in(step):
            assert not re.search(r"can only|(can't|cannot|nobody can|no longer) (add|double)", text, re.IGNORECASE), (
                text
            )


@pytest.mark.parametrize("name", ["64", "double"])
def test_numbers_that_a_lesson_counts_down_are_good_to_leave_with_the_target_of_the_step(name: str) -> None:
    counted = 0
    for step in lesson_of(name).steps:
        game = start_step(step).match.game
        for text in said_in(step):
            for listed in re.findall(r"(?:\d+, )+\.\.\.", text):
                numbers = [int(number) for number in re.findall(r"\d+", listed)]
                values = [
                    evaluator_for(stood).choices(Match(stood).view(1)) for stood in (at(game, n) for n in numbers)
                ]
                assert all(choice.evaluation.value == LOSS for choices in values for choice in choices), text
                assert {one - two for one, two in pairwise(numbers)} == {4}
                counted += 1
    assert counted >= (3 if name == "64" else 0)


def at(game: Game[Any], number: int) -> Game[Any]:
    """The same race from another number."""
    return type(game)(**{**game.options, "start": number})


def test_above_the_fence_the_odd_totals_to_leave_are_counted_down_from_the_largest() -> None:
    (step,) = [step for step in lesson_of("64").steps if step.title == "Extra: doubling odd totals"]
    assert "Above 5, leave 43, 39, 35, ..." in " ".join(step.text)
    for target in range(4, 200):
        largest = target - 1 + target % 2
        counted = set(range(largest, fence(target), -4))
        for number in range(1, target, 2):
            assert NumberLaw(target, 2).is_lost(number) == (number in counted), (number, target)


def test_what_is_said_to_be_a_quarter_is_one_or_says_that_it_is_rounded() -> None:
    for name in ("64", "double"):
        for step in lesson_of(name).steps:
            text = " ".join(step.text)
            for whole, part in re.findall(r"is (\d+), a quarter of (?:that|it) is (\d+)", text):
                assert int(whole) == 4 * int(part), text


def plan_as_said(number: int, low: int, high: int, bits: int, nearer: Callable[[int, int], int]) -> int:
    """The number that the plan makes next, read from the lesson once more; `nearer` is how far away a number is."""
    made = [number ^ 1 << place for place in reversed(range(bits))]
    if high - low + 1 == 1 << bits:
        return made[1]
    possible = sorted((m for m in made if low <= m <= high), key=lambda m: abs(2 * m - low - high))
    if not possible:
        return min(made, key=lambda m: min(nearer(m, secret) for secret in range(low, high + 1)))
    return possible[1 if 7 <= high - low + 1 <= 15 and len(possible) > 1 else 0]


def misses(nearer: Callable[[int, int], int]) -> int:
    """How many of the secrets the plan never hits."""
    missed = 0
    for secret in range(32):
        number, low, high, seen = 0, 0, 31, set[tuple[int, int, int]]()
        while number != secret or not seen:
            if (number, low, high) in seen:
                missed += 1
                break
            seen.add((number, low, high))
            number = plan_as_said(number, low, high, 5, nearer)
            if low <= number < secret:
                low = number + 1
            if secret < number <= high:
                high = number - 1
    return missed


def test_the_plan_in_the_dark_counts_toggles_not_distance() -> None:
    assert misses(lambda made, secret: (made ^ secret).bit_count()) == 0
    assert misses(lambda made, secret: abs(made - secret)) == 10
    (step,) = [step for step in lesson_of("battle").steps if step.title == "A plan to follow"]
    assert "the toggle that leaves you the fewest toggles from a possible number" in " ".join(step.text)
    assert "In a tie, use the leftmost bit." in step.hint
    game = BinaryBattle()
    view = Match(game, deal=game.any_deal()).view(1)
    for low, high in combinations(range(32), 2):
        for number in range(32):
            move = taught_plan(replace(view, board=BattleBoard(mine=game.row(number), low=low, high=high)))
            made = plan_as_said(number, low, high, 5, lambda made, secret: (made ^ secret).bit_count())
            assert number ^ 1 << 5 - int(move.split()[1]) == made


def test_a_search_costs_what_the_lesson_says_for_every_secret() -> None:
    hits = as_plan(5, binary_search).hits
    for secret in range(32):
        (turn,) = [turn for turn, row in enumerate(hits, 1) if row[secret]]
        to_last_1 = f"{secret:05b}".rstrip("0")
        assert turn == (to_last_1.count("1") + 2 * to_last_1.count("0") if secret else 2), f"{secret:05b}"


ROWS = [{"bits": bits} for bits in range(2, 6)] + [
    {"first-move": first, "edge": edge}
    for first, edge in product(("turn", "game", "flip", "empty"), ("open", "strict"))
]


@pytest.mark.parametrize("options", ROWS, ids=str)
def test_one_bit_missing_is_the_alarm_and_before_it_one_may_do_as_one_likes(options: dict[str, Any]) -> None:
    game = make("bits", options)
    alarms = 0
    for match in reachable_matches(game, 10_000):
        view = match.view(match.next_seat)
        missing = view.board.theirs.count("0")
        values = {each.move: each.evaluation.value for each in evaluator_for(game).choices(view)}
        if missing > 1 or match.must_pass:
            assert LOSS not in values.values(), match
        elif WIN not in values.values():
            gap = view.board.theirs.index("0")
            beside = f"reset {2 if gap == 0 else gap}"
            assert values[beside] == DRAW, match
            alarms += 1
    assert alarms or options.get("first-move") == "game"


def test_with_four_bits_both_rows_have_equally_many_1s_after_each_turn_of_the_second_player() -> None:
    for match in reachable_matches(make("bits"), 10_000):
        board = match.view(1).board
        assert board.mine.count("1") - board.theirs.count("1") == (match.next_seat == 2)
