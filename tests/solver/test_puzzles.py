"""Puzzles: one right move at each, found a second time by trying everything; graded, unlike each other, of a day."""

import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
import pytest

from battle_by_hand import hitting_chances
from bitduel.core.errors import BitduelError, MoveError
from bitduel.core.evaluation import AssumedWorth
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.hints import hint
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games import BUILT_IN, find, make
from bitduel.games.binary_battle.equilibrium import shipped
from bitduel.solver import puzzle_maker
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.exercises import Exercise, Goal
from bitduel.solver.explain import advise
from bitduel.solver.puzzle_deck import NoPuzzleError, any_of, daily, day_in, deck, grade_in, numbered, numbers, written
from bitduel.solver.puzzle_maker import MARGIN, found_in, made, marks_of, variants
from bitduel.solver.puzzle_words import RefutationStep, hints, praise, refutation, share_line, solution, verdict, why
from bitduel.solver.puzzles import GRADES, SIGHTS, Puzzle, grade_of, puzzle_of
from puzzles_by_hand import DEEP, Dark, Loops, Open, Tree, answer, dark_grade, grade, stand

MONDAY = date(2026, 11, 16)
PARTS = 1e-4
"""Chances are kept to so much."""


@pytest.fixture(autouse=True, scope="module")
def room_to_look_deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    yield
    sys.setrecursionlimit(before)


@cache
def by_hand(slug: str, options: tuple[tuple[str, Any], ...]) -> Tree | Loops:
    return Loops(slug, dict(options)) if _loops(slug) else Tree()


def _loops(slug: str) -> bool:
    """Whether positions can come again: only where somebody may reset what the other has done."""
    return any(move.startswith("reset") for move in find(slug)().moves)


@cache
def in_the_dark(bits: int) -> Dark:
    return Dark(shipped(bits), hitting_chances)


@cache
def on_an_open_table(bits: int) -> Open:
    return Open(bits)


def is_proved(puzzle: Puzzle) -> bool:
    """Whether trying everything finds the same goal, the same only answer and the same grade."""
    return _dark_is_proved(puzzle) if puzzle.game.chance else _open_is_proved(puzzle)


def _open_is_proved(puzzle: Puzzle) -> bool:
    game = puzzle.game
    worths = by_hand(game.slug, tuple(game.options.items())).worths(stand(game.slug, game.options, puzzle.moves))
    goal, right = answer(worths)
    found = (goal, tuple(right), grade(worths, right))
    return len(worths) > 1 and len(right) == 1 and found == (puzzle.goal, puzzle.right, puzzle.grade)


def _dark_is_proved(puzzle: Puzzle) -> bool:
    bits, board, (right,) = int(puzzle.game.options["bits"]), puzzle.view.board, puzzle.right
    number = int(board.mine, 2)
    if dark_grade(bits, number, board.low, board.high, [right]) != puzzle.grade:
        return False
    if not puzzle.game.hidden:
        return _open_table_is_proved(bits, number, int(board.theirs, 2), (board.low, board.high), right)
    turn = puzzle.match.ply // 2 + 1
    chances = in_the_dark(bits).chances(puzzle.seat, turn, number, board.low, board.high)
    second = max(chance for move, chance in chances.items() if move != right)
    kept = zip(chances.values(), puzzle.chances, strict=True)
    return chances[right] - second > MARGIN - PARTS and all(abs(one - other) < PARTS for one, other in kept)


def _open_table_is_proved(bits: int, mine: int, theirs: int, span: tuple[int, int], right: str) -> bool:
    """Looking ever further ahead, the least that the right toggle wins is more than the most that any other does."""
    for plies in PLIES:
        bounds = on_an_open_table(bits).bounds(mine, theirs, *span, plies)
        if all(most < bounds[right][0] for move, (_, most) in bounds.items() if move != right):
            return True
    return False


PLIES = (2, 4, 6, 8, 10, 12, *range(14, 40))


def some(count: int, seed: int) -> list[Puzzle]:
    """Puzzles of every game and grade; of large tables few, since trying everything takes long there."""
    heaps = list(deck().heaps.values())
    each = count // len(heaps) + 1
    return [numbered(n) for heap in heaps for n in Random(seed).sample(heap, min(each, len(heap)))]


def is_quickly_tried(puzzle: Puzzle) -> bool:
    sizes = {"bits": 4, "length": 62, "target": 300}
    return all(int(puzzle.game.options[name]) <= size for name, size in sizes.items() if name in puzzle.game.options)


def test_some_puzzles_of_every_game_are_proved_by_trying_everything() -> None:
    puzzles = [puzzle for puzzle in some(900, 7) if is_quickly_tried(puzzle)]
    assert len(puzzles) > 250
    assert {type(puzzle.game) for puzzle in puzzles} == set(BUILT_IN)
    assert not [puzzle.as_data(solution=True) for puzzle in puzzles if not is_proved(puzzle)]


@pytest.mark.slow
def test_ten_thousand_puzzles_are_proved_by_trying_everything() -> None:
    puzzles = [numbered(number) for number in numbers()]
    assert len(puzzles) >= 10_000
    assert not [puzzle.as_data(solution=True) for puzzle in puzzles if not is_proved(puzzle)]


def _mark(puzzle: Puzzle, judges: dict[Any, TableEvaluator]) -> int:
    if puzzle.game not in judges:
        judges[puzzle.game] = TableEvaluator(puzzle.game)
    judge = judges[puzzle.game]
    index = judge.solution.table.index_of(puzzle.match.position)
    return int(_marks(judge)[index])


@cache
def _marks(judge: TableEvaluator) -> Any:
    return marks_of(judge)


def test_no_two_puzzles_of_the_deck_are_the_same_position() -> None:
    seen = set()
    for number in numbers():
        puzzle = numbered(number)
        what = puzzle.view.board, (puzzle.seat, puzzle.match.ply) if puzzle.game.hidden else ()
        seen.add((puzzle.game.slug, tuple(puzzle.game.options.items()), what))
    assert len(seen) == len(numbers())


@pytest.mark.slow
def test_no_two_puzzles_of_the_deck_are_alike() -> None:
    judges: dict[Any, TableEvaluator] = {}
    open_ones = [puzzle for puzzle in map(numbered, numbers()) if not puzzle.game.chance]
    assert len({_mark(puzzle, judges) for puzzle in open_ones}) == len(open_ones)


@pytest.mark.slow
def test_the_deck_is_what_the_maker_makes() -> None:
    text = written(made(BUILT_IN, 2000))
    deck_text = written([numbered(number) for number in numbers()])
    assert text == deck_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("double", {"target": 20}, ("add", "double")), ("double", {"target": 20, "start": 3}, ("add",))),
        (("double", {"target": 20, "start": 5}, ()), ("double", {"target": 40, "start": 10, "step": 2}, ())),
        (("double", {"target": 50, "start": 5}, ()), ("64", {"target": 50, "start": 5, "step": 1}, ())),
        (("31", {"length": 20}, ("1", "2")), ("31", {"length": 24}, ("4", "2", "1", "4"))),
        (("bits", {}, ("flip 1", "flip 2")), ("bits", {}, ("flip 4", "flip 3"))),
    ],
    ids=["another way", "twice as large", "another game", "another length", "a mirror"],
)
def test_positions_are_alike_wherever_everything_that_can_be_played_has_the_same_shape(one: Any, other: Any) -> None:
    marks = []
    for name, options, moves in (one, other):
        game = find(name)(**options)
        judge = TableEvaluator(game)
        index = judge.solution.table.index_of(Match(game, moves=moves).position)
        marks.append(int(marks_of(judge)[index]))
    assert marks[0] == marks[1]


def test_positions_from_which_play_goes_otherwise_are_not_alike() -> None:
    judge = TableEvaluator(find("double")(target=200))
    marks = marks_of(judge).tolist()
    values = judge.solution.values
    assert len(set(marks)) > len(set(zip(values.value.tolist(), values.plies.tolist(), strict=True)))


def test_a_game_has_no_two_puzzles_that_are_alike_and_none_again() -> None:
    seen: set[int] = set()
    game = find("31")()
    found = list(found_in(game, seen))
    assert len(seen) >= len(found) > 5
    assert list(found_in(game, seen)) == []


def test_a_deck_is_read_as_it_is_written() -> None:
    puzzles = some(100, 11)
    lines = written(puzzles).splitlines()[-len(puzzles) :]
    told = [line.partition(" ")[2] for line in lines]
    assert told == [deck().lines[puzzle.number - 1].partition(" ")[2] for puzzle in puzzles]


def test_every_variant_is_in_the_options_that_a_game_declares_and_the_usual_one_comes_first() -> None:
    for kind in BUILT_IN:
        games = variants(kind)
        assert games[0] == kind()
        assert len({tuple(game.options.items()) for game in games}) == len(games)


def test_the_grade_grows_with_those_who_go_wrong() -> None:
    assert [grade_of(lost) for lost in (0, 0.5, 1, 1.99, 2, 3, 4, 5, 10)] == [1, 2, 3, 3, 4, 5, 6, 7, 7]


def test_a_win_at_once_is_of_the_lowest_grade() -> None:
    for number in numbers():
        puzzle = numbered(number)
        if puzzle.goal == Goal.WIN and puzzle.match.after(puzzle.right[0]).outcome:
            assert puzzle.grade == GRADES[0]


def test_a_puzzle_becomes_harder_through_the_week_and_is_the_same_for_everybody() -> None:
    week = [daily(MONDAY + timedelta(day)) for day in range(7)]
    assert [puzzle.grade for puzzle in week] == list(GRADES)
    assert [puzzle.number for puzzle in week] == [daily(MONDAY + timedelta(day)).number for day in range(7)]
    assert len({type(puzzle.game) for puzzle in week}) > 2


def test_no_day_of_half_a_year_has_the_puzzle_of_another() -> None:
    days = [daily(MONDAY + timedelta(day)).number for day in range(182)]
    assert len(set(days)) == len(days)


def test_any_date_has_a_puzzle() -> None:
    for day in (date.min, date(1970, 1, 1), date(2100, 2, 28), date.max):
        assert daily(day).as_data(day.isoformat())["grade"] == day.isoweekday()


def test_what_a_program_is_told_is_settled_and_gives_nothing_away() -> None:
    puzzle = daily(MONDAY)
    data = puzzle.as_data(MONDAY.isoformat())
    assert [*data] == ["date", "number", "game", "options", "moves", "to_move", "goal", "grade"]
    assert puzzle.as_data(solution=True)["solution"] == list(puzzle.right)
    hidden = next(p for p in map(numbered, numbers(find("battle"))) if p.game.hidden and p.moves)
    told = hidden.as_data()
    assert told["view"]["deal"] is None
    assert "?" in told["moves"]
    assert "secret" not in told["options"]


def test_every_legal_move_is_either_right_or_refuted() -> None:
    for puzzle in some(60, 3):
        for move in puzzle.match.legal:
            tried = puzzle.answer(move)
            assert tried.right == (move in puzzle.right)
            assert verdict(puzzle, tried).endswith(".")
            steps = refutation(puzzle, tried)
            assert bool(steps) != puzzle.game.chance
            if steps and not tried.right and tried.worth.plies:
                _is_refuted(puzzle, steps, tried.worth.plies)


def _is_refuted(puzzle: Puzzle, steps: list[RefutationStep], plies: int) -> None:
    """To the end, or for six plies and then in a sentence."""
    over = steps[-1].view.over
    assert len(steps) == min(plies, 6)
    if over:
        assert over.winner not in (None, puzzle.seat)
    else:
        left = "at once" if plies == 7 else f"in {(plies - 5) // 2} move"
        assert f" And so on: Player {3 - puzzle.seat} wins {left}" in steps[-1].said


def test_what_is_no_move_is_refused() -> None:
    for puzzle in (daily(MONDAY), numbered(numbers(find("battle"))[0])):
        with pytest.raises(MoveError):
            puzzle.answer("halve")


def test_hints_give_away_more_and_more_but_never_the_answer() -> None:
    for puzzle in some(60, 5):
        told = hints(puzzle)
        assert len(told) == len(puzzle.wrong), "what comes of it, and all wrong moves but one"
        left = [move for move in puzzle.match.legal if f"It is not {_doing(puzzle, move)}." not in told]
        assert len(left) == 2
        assert puzzle.right[0] in left


def _doing(puzzle: Puzzle, move: str) -> str:
    return puzzle.game.words.act(puzzle.view, move).doing


def test_where_several_moves_win_as_often_nothing_false_is_said_of_the_one() -> None:
    game = find("battle")()
    puzzle = puzzle_of(Exercise(game, (), "01101"))
    assert puzzle.right == ("toggle 1", "toggle 2", "toggle 3")
    said = verdict(puzzle, puzzle.answer("toggle 1"))
    assert said == "Toggling bit 1 to 10000 wins 68 times in 100, and nothing wins more often."
    assert solution(puzzle).endswith(" wins 68 times in 100, and nothing wins more often.")
    alone = next(each for each in map(numbered, numbers(find("battle"))))
    assert verdict(alone, alone.answer(alone.right[0])).endswith(", and nothing else as often.")


def test_a_wrong_move_never_looks_as_good_as_the_right_one() -> None:
    puzzle = puzzle_of(Exercise(find("battle")(bits=4), ("toggle 1", "toggle 2", "toggle 4"), "0111"))
    right, wrong = (verdict(puzzle, puzzle.answer(move)) for move in ("toggle 4", "toggle 1"))
    assert right.endswith(" wins 29.1 times in 100, and nothing else as often.")
    assert wrong.endswith(" wins 29.0 times in 100, and another move more often.")
    assert hints(puzzle)[0] == "The right move wins 29.1 times in 100."


def test_where_several_moves_win_sooner_or_later_the_answer_does_not_say_how_soon() -> None:
    puzzle = Puzzle(0, find("double")(target=8), ("add",), "", Goal.WIN, 1, ("add", "double"))
    worths = [puzzle.answer(move).worth for move in puzzle.right]
    assert (worths[0] == worths[1]) == (" in " in solution(puzzle))


def test_a_win_that_is_there_needs_no_opponent() -> None:
    at_once = [puzzle for puzzle in map(numbered, numbers(grade=1)) if puzzle.goal == Goal.WIN]
    puzzle = next(each for each in at_once if each.match.after(each.right[0]).outcome)
    assert verdict(puzzle, puzzle.answer(puzzle.right[0])).endswith(" wins at once.")
    assert solution(puzzle).endswith(" wins at once.")
    assert why(puzzle, puzzle.right[0]) == []


def test_a_right_answer_is_explained_as_a_hint_explains_it() -> None:
    for puzzle in some(60, 9):
        (right,) = puzzle.right
        said = why(puzzle, right)
        assert bool(said) == (puzzle.match.after(right).outcome is None or puzzle.game.chance)
        if not puzzle.game.chance:
            told = hint(advise(evaluator_for(puzzle.game), puzzle.match), puzzle.match.legal)
            assert [line for line in said if line not in told] == []


def test_no_answer_is_a_habit_in_any_game_and_goal() -> None:
    sorts: dict[Any, Counter[str]] = {}
    for puzzle in map(numbered, numbers()):
        if puzzle.grade > GRADES[0]:
            sorts.setdefault((puzzle.game.slug, puzzle.goal), Counter())[puzzle.right[0]] += 1
    assert len(sorts) == 6
    for count in sorts.values():
        assert max(count.values()) < 0.9 * count.total()


@pytest.mark.parametrize(
    "text", ["", "x", "20261116", "2026-W47-1", "2026-13-01", "2026-1-1", " 2026-11-16", "2026-11-16\n"]
)
def test_a_day_is_written_in_one_way(text: str) -> None:
    with pytest.raises(BitduelError, match="A date is written as year, month and day, like 2026-11-16"):
        day_in(text)
    assert day_in("2026-11-16") == MONDAY


@pytest.mark.parametrize("text", ["", "0", "8", "1e3", "1.0", "01", "-1", "²"])
def test_a_grade_is_a_whole_number(text: str) -> None:
    with pytest.raises(BitduelError, match="A grade is a whole number from 1 to 7"):
        grade_in(text)
    assert grade_in("7") == 7


def test_the_line_to_share_says_nothing_but_the_day_the_grade_and_the_tries() -> None:
    assert share_line("2026-11-16", 3, "✗✗✓", 4) == "bitduel 2026-11-16 · 3/7 · ✗✗✓ · streak 4"
    assert share_line("2026-11-16", 3, "✓", 1) == "bitduel 2026-11-16 · 3/7 · ✓"
    assert share_line("2026-11-16", 3, "?✗-", plain=True) == "bitduel 2026-11-16 | 3/7 | ?x-"


def test_praise_counts_the_tries() -> None:
    assert [praise(tries) for tries in ("✓", "✗✓", "✗✗✓", "?✓")] == [
        "Yes! Right at the first try.",
        "Yes! Right at the second try.",
        "Yes! You have found it.",
        "Yes! You have found it.",
    ]


def test_any_position_can_be_asked_and_then_more_than_one_move_may_be_right() -> None:
    puzzle = puzzle_of(Exercise(find("bits")()))
    assert (puzzle.number, puzzle.goal) == (0, Goal.DRAW)
    assert len(puzzle.right) > 1
    assert puzzle.asked == "Find a move that does not lose."


def test_puzzles_are_chosen_by_game_and_grade_or_there_is_a_sentence() -> None:
    puzzle = any_of(find("64"), 5, Random(1))
    assert (puzzle.game.short, puzzle.grade) == ("64", 5)
    with pytest.raises(NoPuzzleError, match="There is no puzzle of Binary Race with Bits of grade 7, only of 1 or 2"):
        any_of(find("bits"), 7, Random(1))
    with pytest.raises(BitduelError, match="There is no puzzle 0; they go from 1 to"):
        numbered(0)


def test_a_game_from_outside_has_puzzles_of_its_own_and_none_of_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    from sixth_game.little_nim import LittleNim

    of_the_day = daily(MONDAY)
    monkeypatch.setattr("bitduel.solver.puzzle_deck.shelf", lambda: [*BUILT_IN, LittleNim])
    puzzle = any_of(LittleNim, None, Random(1))
    assert type(puzzle.game) is LittleNim
    assert numbered(puzzle.number) == puzzle
    assert Exercise(puzzle.game, puzzle.moves).right == puzzle.right
    assert daily(MONDAY) == of_the_day
    assert not [number for number in numbers() if type(numbered(number).game) is LittleNim]


def test_the_days_stay_as_they_are() -> None:
    """Whoever makes another deck changes the puzzles that others have shared."""
    assert [daily(MONDAY + timedelta(day)).number for day in range(7)] == [37, 6594, 6706, 570, 9971, 7507, 5725]


def _pinned(puzzles: list[Puzzle]) -> str:
    told = [(each.game.slug, each.moves, each.deal, str(each.goal), each.grade, each.right) for each in puzzles]
    return sha256(repr(told).encode()).hexdigest()[:16]


def test_the_maker_makes_the_same_of_two_sizes_of_every_open_game_each_time() -> None:
    puzzles = made([kind for kind in BUILT_IN if not kind().chance], 3, each=2)
    assert len(puzzles) == 32
    assert _pinned(puzzles) == "af49d061ec1b8f2c"


@pytest.mark.parametrize(
    ("table", "count", "pinned"), [("hidden", 54, "e918b8f0ee984a7a"), ("open", 20, "64690b561ee6574d")]
)
def test_the_maker_finds_the_same_in_three_bits_each_time(table: str, count: int, pinned: str) -> None:
    puzzles = list(found_in(find("battle")(bits=3, table=table), set()))
    assert len(puzzles) == count
    assert _pinned(puzzles) == pinned


def test_those_who_grade_see_so_far_as_is_written() -> None:
    assert SIGHTS == (1, 2, 3, 4, 6, 8, 11, 15, 20, 27)


def test_marks_are_mixed_as_splitmix64_does() -> None:
    """Its numbers from the seeds 0 and 1234567, as Sebastiano Vigna's program prints them."""
    gamma, seeds = 0x9E3779B97F4A7C15, (0, 1234567)
    steps = np.array([(seed + gamma * step) % 2**64 for seed in seeds for step in range(3)], np.uint64)
    assert [int(number) for number in puzzle_maker._mixed(steps)] == [
        *(0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F),
        *(6457827717110365317, 3203168211198807973, 9817491932198370423),
    ]


def test_a_chance_that_rests_on_an_assumption_makes_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("battle", {"bits": 3})
    judge = evaluator_for(game)
    assert list(puzzle_maker._in_the_dark(game, judge, set()))
    known = judge.choices

    def partly(view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        first, *rest = known(view, horizon)
        return [MoveEvaluation(first.move, AssumedWorth(*first.worth)), *rest]

    monkeypatch.setattr(judge, "choices", partly)
    assert not list(puzzle_maker._in_the_dark(game, judge, set()))
