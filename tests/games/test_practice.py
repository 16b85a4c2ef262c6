"""Items of practice: eight for each game, in the words of its lesson, each answer found again by brute force."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement

import pytest

from bitduel.core.game import DRAWN, OPEN, WON
from bitduel.core.lesson import game_lesson
from bitduel.core.practice import ENOUGH_RIGHT, PracticeItem, game_practice
from bitduel.core.puzzle import Pick
from bitduel.games.binary_battle.lesson import binary_search, taught_plan
from bitduel.games.registry import BUILT_IN, make
from bitduel.learning.puzzle_deck import puzzle_by_id
from bitduel.learning.puzzle_session import PuzzleMark, PuzzleSession

ITEMS = {item.id: item for kind in BUILT_IN for item in game_practice(kind)}
EACH = pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))


@cache
def loses(number: int, target: int, step: int) -> bool:
    """Whether whoever must move from a number loses a race, by trying everything."""
    return not any(
        made == target or loses(made, target, step) for made in (number + step, 2 * number) if made <= target
    )


def moves_that_win(number: int, target: int, step: int) -> set[str]:
    made = {"add": number + step, "double": 2 * number}
    return {move for move, after in made.items() if after <= target and loses(after, target, step)}


@cache
def to_go(steps: int, exact: bool) -> int:
    """The fewest moves on a track, by trying all sets of moves."""
    for count in range(10):
        for moves in combinations_with_replacement((1, 2, 4, 8, 16), count):
            if sum(moves) == steps or (not exact and sum(moves) >= steps):
                return count
    raise AssertionError


@cache
def wins_race(mine: int, theirs: int, length: int, exact: bool) -> frozenset[int]:
    """The moves that win a race, by trying everything."""
    fits = [move for move in (1, 2, 4, 8, 16) if not exact or mine + move <= length]
    return frozenset(m for m in fits if mine + m >= length or not wins_race(theirs, mine + m, length, exact))


def held(options: dict[str, object], rows: tuple[str, str]) -> set[str]:
    """The legal moves after which the other cannot fill the row at once."""
    game = make("bits", options)
    position = game.start()._replace(mine=int(rows[0], 2), theirs=int(rows[1], 2), my_exception=0, their_exception=0)
    return {
        move for move in legal(game, position) if not any(fills(game, after) for after in answers(game, position, move))
    }


def legal(game, position) -> list[str]:  # type: ignore[no-untyped-def]
    return [move for move in game.moves if game.legal(position, move)] if game.verdict(position) == OPEN else []


def fills(game, position) -> bool:  # type: ignore[no-untyped-def]
    return bool(game.verdict(position) == WON)


def answers(game, position, move: str) -> Iterator[object]:  # type: ignore[no-untyped-def]
    after = game.play(position, move)
    yield from (game.play(after, reply) for reply in legal(game, after))


def filling(rows: tuple[str, str]) -> set[str]:
    game = make("bits")
    position = game.start()._replace(mine=int(rows[0], 2), theirs=int(rows[1], 2), my_exception=0, their_exception=0)
    return {move for move in legal(game, position) if fills(game, game.play(position, move))}


def rows_that_come_up() -> set[str]:
    game, seen = make("bits"), set()
    todo = [game.start()]
    for position in todo:
        for move in legal(game, position):
            after = game.play(position, move)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return {
        f"{position.mine:04b} {position.theirs:04b}"
        for position in seen
        if not (position.my_exception or position.their_exception)
    }


def search_turns(secret: str) -> int:
    """The turns that plain binary search needs alone, by playing it."""
    from bitduel.core.match import Match

    match = Match(make("battle"), deal=secret)
    idle = "toggle 5"
    while not match.outcome:
        match.play(binary_search(match.view(1)))
        if not match.outcome:
            match.play(idle)
    return (match.ply + 1) // 2


def planned(name: str) -> set[str]:
    position = ITEMS[name].position
    match = position.match
    return {taught_plan(match.view(match.next_seat))}


def toggled(number: int) -> dict[str, int]:
    return {f"toggle {bit}": number ^ 1 << 5 - bit for bit in range(1, 6)}


def good(numbers: range, target: int, step: int) -> set[str]:
    return {str(number) for number in numbers if loses(number, target, step) or number == target}


def track(*squares: int, length: int = 31, exact: bool = False) -> set[str]:
    return {str(move) for move in wins_race(*squares, length, exact)}


def who(*squares: int, exact: bool = False) -> set[str]:
    return {"you" if wins_race(*squares, 31, exact) else "your opponent"}


FOUND: dict[str, Callable[[], list[set[str]]]] = {
    "double-1": lambda: [moves_that_win(8, 20, 1)],
    "double-2": lambda: [good(range(11, 21), 20, 1)],
    "double-3": lambda: [moves_that_win(number, 20, 1) for number in (13, 15, 17)],
    "double-4": lambda: [moves_that_win(4, 20, 1)],
    "double-5": lambda: [moves_that_win(number, 20, 1) for number in (2, 4)],
    "double-6": lambda: [good(range(1, 7), 24, 1)],
    "double-7": lambda: [{str(target) for target in (34, 36, 40) if not loses(1, target, 1)}],
    "double-8": lambda: [moves_that_win(3, 10, 1), moves_that_win(7, 10, 1), moves_that_win(9, 10, 1)],
    "64-1": lambda: [moves_that_win(57, 64, 2)],
    "64-2": lambda: [good(range(33, 64, 2), 64, 2)],
    "64-3": lambda: [moves_that_win(46, 64, 2)],
    "64-4": lambda: [moves_that_win(26, 64, 2)],
    "64-5": lambda: [moves_that_win(8, 64, 2)],
    "64-6": lambda: [moves_that_win(14, 64, 2), moves_that_win(18, 64, 2)],
    "64-7": lambda: [{str(target) for target in (65, 66, 68) if loses(1, target, 2)}],
    "64-8": lambda: [
        {str(max(odd for odd in range(1, 60, 2) if "double" in moves_that_win(odd, 60, 2)))},
        moves_that_win(3, 60, 2),
        moves_that_win(9, 60, 2),
    ],
    "31-1": lambda: [{str(to_go(47, False))}],
    "31-2": lambda: [who(14, 15)],
    "31-3": lambda: [track(7, 7)],
    "31-4": lambda: [track(13, 3)],
    "31-5": lambda: [{str(to_go(27, True))}],
    "31-6": lambda: [track(18, 17, exact=True)],
    "31-7": lambda: [who(16, 8, exact=True)],
    "31-8": lambda: [{str(to_go(48, False))}, track(0, 0, length=48)],
    "bits-1": lambda: [filling(("1110", "0111"))],
    "bits-2": lambda: [held({}, ("0110", "0111"))],
    "bits-3": lambda: [held({"edge": "strict"}, ("0110", "0111"))],
    "bits-4": lambda: [{"none"} if len(held({}, ("0100", "1100"))) == 4 else {"all"}],
    "bits-5": lambda: [{"yes" if any("1011" in rows for rows in rows_that_come_up()) else "no"}],
    "bits-6": lambda: [{"two"}],
    "bits-7": lambda: [{"a draw"}],
    "bits-8": lambda: [held({"bits": 6, "edge": "strict"}, ("001111", "111110"))],
    "battle-1": lambda: [{f"from {16 + 1} to 31"}],
    "battle-2": lambda: [{f"from {16 + 1} to {24 - 1}"}],
    "battle-3": lambda: [{move for move, number in toggled(16).items() if number < 16}],
    "battle-4": lambda: [{str(search_turns("00110"))}],
    "battle-5": lambda: [{str(search_turns("10101"))}],
    "battle-6": lambda: [{move for move, number in toggled(20).items() if number in (21, 22, 23)}],
    "battle-7": lambda: [planned("battle-7")],
    "battle-8": lambda: [planned("battle-8")],
}


@EACH
def test_every_answer_is_found_by_brute_force(item: PracticeItem) -> None:
    assert [set(question.right) for question in item.questions] == FOUND[item.id]()


@EACH
def test_every_item_belongs_to_a_step_and_is_short(item: PracticeItem) -> None:
    lesson = game_lesson(type(item.game))
    assert lesson is not None
    assert 1 <= item.step <= len(lesson)
    for text in (item.task, item.hint, item.why):
        assert text[0].isupper() or text[0].isdigit()
        assert len(text.split()) <= 40
        assert "  " not in text
        assert not {"!", "{", "None"} & set(text.split())


@EACH
def test_every_item_can_be_solved_and_every_wrong_answer_gets_a_sentence(item: PracticeItem) -> None:
    session = PuzzleSession(puzzle=item)
    for question, answer in item.solution():
        names = [candidate.name for candidate in question.candidates]
        assert len(set(names)) == len(names) >= 2
        assert set(question.right) <= set(names)
        assert question.is_decision
        wrong = [name for name in names if name not in question.right]
        if question.pick == Pick.ONE:
            assert all(item.refute(session.answers, [name]).sentences for name in wrong)
        session.answer(answer)
    assert session.is_clean
    assert str(PuzzleSession.parse(item, str(session))) == str(session)


@EACH
def test_nobody_in_a_refutation_lets_the_target_be_made_at_once_if_another_move_does_not(item: PracticeItem) -> None:
    if item.game.short not in ("double", "64"):
        return
    target, step = (int(item.game.options[name]) for name in ("target", "step"))
    for (number, _), refutation in item.wrong.items():
        position = item.questions[number].position
        total = position.match.view(position.match.next_seat).board.number if position else 0
        for ply, move in enumerate(refutation.moves):
            makes = {"add": total + step, "double": 2 * total}
            if ply and ply % 2 == 0 and target in (makes[move] + step, 2 * makes[move]):
                other = makes["add" if move == "double" else "double"]
                assert target in (other + step, 2 * other) or other > target, refutation
            total = makes[move]


def test_the_pictures_of_practice_call_the_player_you() -> None:
    for item in ITEMS.values():
        match = item.position.match
        names = ("You", "Your opponent") if match.next_seat == 1 else ("Your opponent", "You")
        caption = item.game.picture(match.view(match.next_seat), names).caption
        assert "You is" not in caption
        assert "You has" not in caption


def test_every_game_has_eight_and_no_id_comes_twice() -> None:
    assert [len(game_practice(kind)) for kind in BUILT_IN] == [8] * len(BUILT_IN)
    assert len(ITEMS) == 8 * len(BUILT_IN) == len(FOUND)
    assert ENOUGH_RIGHT == 7
    assert all([item.number for item in game_practice(kind)] == [*range(1, 9)] for kind in BUILT_IN)


def test_player_2_to_move_has_two_when_player_1_has_three() -> None:
    rows = rows_that_come_up()
    three = [row for row in rows if row.split()[1].count("1") == 3 and row.split()[0].count("1") < 3]
    assert three
    assert all(row.split()[0].count("1") == 2 for row in three)


def test_two_empty_rows_are_a_draw() -> None:
    game = make("bits")
    empty = game.start()._replace(my_exception=0, their_exception=0)
    assert not [move for move in game.moves if game.legal(empty, move)]
    assert game.verdict(empty) == DRAWN


def test_a_wrong_answer_is_marked_and_the_right_one_played() -> None:
    session = PuzzleSession(puzzle=ITEMS["double-3"])
    session.answer(["double"])
    assert session.marks == [PuzzleMark.WRONG]
    assert session.feedback is not None
    assert session.feedback.sentences == ("26 is past 20. You lose at once.",)
    assert session.answers == [("add",)]


@EACH
def test_an_item_that_comes_back_is_a_puzzle_like_any_other_for_programs(item: PracticeItem) -> None:
    chosen = puzzle_by_id(item.id)
    data = chosen.as_data(with_solution=True)
    assert (data["id"], data["kind"], data["grade"], data["number"]) == (item.id, "practice", 1, None)
    assert json.loads(json.dumps(data)) == data
    session = PuzzleSession(puzzle=chosen.puzzle)
    while session.has_hint:
        session.hint()
    assert len(session.hints) == 3
    assert all(hint.strip() and "None" not in hint for hint in session.hints)
