"""No answer on a worksheet is wrong: each is worked out again by naive rules, for ten sizes of every game."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import brute
from bitduel.core.game import Game
from bitduel.core.lesson import LessonPosition
from bitduel.core.worksheet import (
    PaperCards,
    PaperStrip,
    SheetError,
    Worksheet,
    WorksheetQuestion,
    game_worksheet,
    unplugged_game,
)
from bitduel.games.registry import all_games, make
from bitduel.solver.evaluators import evaluator_for

Options = dict[str, Any]
SIZES: dict[str, list[Options]] = {
    "double": [
        {},
        *({"target": target} for target in (8, 10, 21, 24, 42, 100)),
        {"start": 2, "target": 48},
        {"start": 2, "target": 50, "step": 3},
        {"target": 64, "step": 5},
    ],
    "64": [
        {},
        *({"target": target} for target in (28, 44, 60, 85)),
        {"target": 90, "step": 3},
        {"target": 100, "step": 3},
        {"target": 100, "step": 4},
        {"start": 5},
        {"start": 2, "target": 200},
    ],
    "31": [
        *({"finish": finish} for finish in ("sample", "exact", "any")),
        {"length": 8},
        {"length": 15, "finish": "exact"},
        {"length": 20},
        {"length": 41, "finish": "any"},
        {"length": 47, "finish": "exact"},
        {"length": 48},
        {"length": 63, "finish": "exact"},
    ],
    "bits": [
        *({"bits": bits} for bits in (4, 3, 5, 6)),
        {"edge": "strict"},
        {"first-move": "flip"},
        {"first-move": "empty"},
        {"first-move": "empty", "edge": "strict"},
        {"bits": 3, "first-move": "empty", "edge": "strict"},
        {"bits": 5, "first-move": "flip", "edge": "strict"},
        {"repetition": 0},
    ],
    "battle": [
        *({"bits": bits, "table": table} for bits in (5, 4, 3, 6) for table in ("hidden", "open")),
        {"secret": "10110"},
        {"bits": 4, "secret": "0110"},
    ],
}
FIRST_TIER = 3
GAMES = [
    pytest.param(name, options, id=f"{name} {options}", marks=[pytest.mark.thorough] if at >= FIRST_TIER else [])
    for name, each in SIZES.items()
    for at, options in enumerate(each)
]


@cache
def _worksheet(name: str, options: tuple[tuple[str, Any], ...]) -> Worksheet:
    return game_worksheet(make(name, **dict(options)), evaluator_for)


def worksheet(name: str, options: Options) -> Worksheet:
    return _worksheet(name, tuple(options.items()))


def test_there_are_at_least_ten_sizes_of_every_game() -> None:
    assert set(SIZES) == {kind.short for kind in all_games()}
    assert all(len(sizes) >= 10 for sizes in SIZES.values())


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_answer_is_right_when_it_is_worked_out_again(name: str, options: Options) -> None:
    game = make(name, **options)
    for question in worksheet(name, options).questions:
        CHECKS[game.checker or name][question.topic](game, question)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_worksheet_has_enough_questions_and_each_has_an_answer(name: str, options: Options) -> None:
    questions = worksheet(name, options).questions
    assert 6 <= len(questions) <= 10
    for question in questions:
        assert question.items
        assert all(item.solution and (item.cells or item.answer) for item in question.items)
        texts = [question.prompt, question.why, *(item.text for item in question.items)]
        assert not [text for text in texts if re.search(r"None|[{}]|  ", text)]


# Number races


@cache
def race_is_won(number: int, target: int, step: int) -> bool:
    return bool(race_wins(number, target, step))


def race_wins(number: int, target: int, step: int) -> list[tuple[str, int]]:
    """The winning moves with the numbers that they make, the moves that make the same number once."""
    state = brute.Numbers(number, target, step, 1)
    found = []
    for move in state.legal():
        after = state.after(move)
        over = after.result()
        if over[0] == 1 if over else not race_is_won(after.total, target, step):
            found.append((move, after.total))
    return found[:1] if len({made for _, made in found}) == 1 else found


def sizes_of(game: Game[Any]) -> tuple[int, int]:
    return int(game.options["target"]), int(game.options["step"])


def said(moves: list[tuple[str, int]]) -> str:
    return " or ".join(f"{move}, {made}" for move, made in moves)


def check_good(game: Game[Any], question: WorksheetQuestion) -> None:
    item = question.items[0]
    assert item.position
    target, step = sizes_of(item.position.game)
    for text, is_right in item.cells:
        assert is_right == (int(text) == target or not race_is_won(int(text), target, step))
    for reason in question.items[1:]:
        assert reason.answer == "adding 1 always makes an odd number from an even one"
        assert step == target % 2 == 1
        assert all(int(text) % 2 == is_right for text, is_right in item.cells)
    if fence := re.search(r"doubling wins from the odd \w+ (.*), and", question.prompt):
        doubled = [n for n in range(1, target, 2) if ("double", 2 * n) in race_wins(n, target, step)]
        assert doubled == [int(each) for each in re.findall(r"\d+", fence[1])]


def check_winning_moves(game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert item.answer == said(race_wins(int(item.text.split()[0]), *sizes_of(game)))
        assert item.answer


def check_trap(game: Game[Any], question: WorksheetQuestion) -> None:
    number = int(question.prompt.split()[2].rstrip("."))
    target, step = sizes_of(game)
    assert not race_is_won(number, target, step)
    made = sorted({number + step, 2 * number})
    opponent, own = ([int(each) for each in re.findall(r"\d+", item.answer)] for item in question.items)
    assert opponent == made
    assert set(own) == {after for each in made for _, after in race_wins(each, target, step)}


def check_who_starts(game: Game[Any], question: WorksheetQuestion) -> None:
    is_won = race_is_won(int(game.options["start"]), *sizes_of(game))
    assert question.items[0].answer.startswith("First, " if is_won else "Second, ")
    assert ("not good to leave" in question.items[0].answer) == is_won
    if is_won:
        (move, left), *_ = race_wins(int(game.options["start"]), *sizes_of(game))
        act = "Doubling" if move == "double" else f"Adding {sizes_of(game)[1]}"
        assert question.why == f"{act} makes {left}, which is good to leave."


def check_line(game: Game[Any], question: WorksheetQuestion) -> None:
    target, step = sizes_of(game)
    found = re.search(r"is (\d+), and it is your move", question.prompt)
    assert found
    start, parts = int(found[1]), re.findall(r"(add|double)(?: \d+)?, (\d+)(?: \((\d+)\))?", question.items[0].answer)
    assert f"three moves that each leave a good {question.prompt.split()[1]}," in question.prompt
    assert list(good_lines(start, 3, target, step)) == [[(move, int(made)) for move, made, _ in parts]]
    assert [reply for _, _, reply in parts] == [*(str(int(made) + step) for _, made, _ in parts[:-1]), ""]


def good_lines(number: int, count: int, target: int, step: int) -> Iterator[list[tuple[str, int]]]:
    """All ways to leave so many good numbers against an opponent who always adds."""
    if count == 0:
        yield []
        return
    for move, made in (("add", number + step), ("double", 2 * number)):
        if made == target or (made < target and not race_is_won(made, target, step)):
            yield from ([(move, made), *rest] for rest in good_lines(made + step, count - 1, target, step))


def check_targets(game: Game[Any], question: WorksheetQuestion) -> None:
    start = int(game.options["start"])
    for text, is_right in question.items[0].cells:
        assert is_right == race_is_won(start, int(text), sizes_of(game)[1])


def check_only_adding(game: Game[Any], question: WorksheetQuestion) -> None:
    target, step = sizes_of(game)
    numbers = [int(each) for each in re.findall(r"\d+", question.items[0].text + question.items[0].answer)]
    assert numbers == list(range(numbers[0], target, step))
    assert question.items[1].answer == str(numbers[-1])
    assert numbers[-1] + step > target > numbers[-1]
    assert 2 * numbers[0] > target


def check_same_number(game: Game[Any], question: WorksheetQuestion) -> None:
    number = int(question.items[0].answer)
    assert [n for n in range(1, 500) if n + sizes_of(game)[1] == 2 * n] == [number]


# The track


@cache
def track_value(mine: int, theirs: int, length: int, finish: str) -> tuple[bool, int]:
    """Whether the player to move wins, and in how many plies."""
    state = brute.Track(mine, theirs, 1, length, finish)
    wins: list[int] = []
    losses: list[int] = []
    for move in state.legal():
        after = state.after(move)
        if after.result():
            return True, 1
        won, plies = track_value(after.second, after.first, length, finish)
        (losses if won else wins).append(plies + 1)
    return (True, min(wins)) if wins else (False, max(losses))


def track_wins(mine: int, theirs: int, length: int, finish: str) -> list[str]:
    state = brute.Track(mine, theirs, 1, length, finish)
    after = {move: state.after(move) for move in state.legal()}
    return [m for m, s in after.items() if s.result() or not track_value(s.second, s.first, length, finish)[0]]


def track_at(position: LessonPosition | None) -> tuple[int, int, int, str]:
    assert position
    match = position.match
    board = match.view(match.next_seat).board
    return board.mine, board.theirs, int(position.game.options["length"]), str(position.game.options["finish"])


@cache
def fewest_moves(steps: int, finish: str) -> int:
    """The fewest moves of one token over the last steps of a long track."""
    length, reached, count = 500, {500 - steps}, 0
    while not any(place >= length for place in reached):
        tokens = [brute.Track(place, 0, 1, length, finish) for place in reached]
        reached = {token.after(move).first for token in tokens for move in token.legal()}
        count += 1
    return count


def check_moves_needed(game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert int(item.answer) == fewest_moves(int(item.text.split()[0]), str(game.options["finish"]))


def check_who_wins(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        mine, theirs, *track = track_at(item.position)
        assert item.text == f"You {mine}, opponent {theirs}:"
        assert (item.answer == "you") == track_value(mine, theirs, *track)[0]


def check_track_moves(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        if item.cells:
            assert [text for text, is_right in item.cells if is_right] == track_wins(*track_at(item.position))
        else:
            assert int(item.answer) == (track_value(*track_at(item.position))[1] + 1) // 2


def ways(number: int, count: int, most: int = 16) -> Iterator[list[int]]:
    if count == 0:
        yield from [[]] if number == 0 else []
        return
    for card in (16, 8, 4, 2, 1):
        if card <= min(number, most):
            yield from ([card, *rest] for rest in ways(number - card, count - 1, card))


def check_cards(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        number, cards = int(item.text.split()[0]), [int(each) for each in item.answer.split(" + ")]
        assert sum(cards) == number
        assert not any(list(ways(number, count)) for count in range(len(cards)))
        assert list(ways(number, len(cards))) == [cards]


def check_most_cards(game: Game[Any], question: WorksheetQuestion) -> None:
    counts = {number: fewest_moves(number, "exact") for number in range(1, int(game.options["length"]) + 1)}
    numbers, most = question.items[0].answer.split(": ")
    assert most == f"{max(counts.values())} cards"
    found = [number for number, count in counts.items() if count == max(counts.values())]
    assert [int(each) for each in re.findall(r"\d+", numbers)] == found


def check_shortest(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert item.answer == track_wins(*track_at(item.position))[0]


# Rows of bits


@cache
def bits_table(options: tuple[tuple[str, Any], ...]) -> dict[brute.View, brute.Verdict]:
    return brute.solve("binary-race-bits", **dict(options))


@cache
def bits_states(options: tuple[tuple[str, Any], ...]) -> list[brute.Bits]:
    return [s for s in brute.reachable(brute.initial("binary-race-bits", dict(options))) if isinstance(s, brute.Bits)]


def bits_options(game: Game[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name.replace("-", "_"), value) for name, value in game.options.items())


def bits_values(position: LessonPosition | None) -> dict[str, str]:
    """What every legal move leads to, for the player who makes it."""
    assert position
    options = bits_options(position.game)
    state = brute.initial("binary-race-bits", dict(options))
    for move in position.moves:
        state = brute.apply(state, move)
    table, other = bits_table(options), {"win": "loss", "loss": "win", "draw": "draw"}
    return {move: other[table[brute.view(brute.apply(state, move))][0]] for move in brute.moves(state)}


def check_bits_moves(value: str) -> Callable[[Game[Any], WorksheetQuestion], None]:
    def check(_game: Game[Any], question: WorksheetQuestion) -> None:
        for item in question.items:
            assert {cell.text: cell.is_right for cell in item.cells} == {
                move: found == value for move, found in bits_values(item.position).items()
            }

    return check


def check_rows(game: Game[Any], question: WorksheetQuestion) -> None:
    possible = {row for state in bits_states(bits_options(game)) for row in state.rows}
    for text, is_right in question.items[0].cells:
        assert is_right == (text.replace(" ", "") in possible)


def check_resettable(game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        row = item.text.replace(" ", "")
        state = brute.Bits((row, "0" * len(row)), 2, str(game.options["first-move"]), str(game.options["edge"]))
        assert [cell.is_right for cell in item.cells] == [state.can_reset(2, place) for place in brute.positions(row)]


def check_counts(game: Game[Any], question: WorksheetQuestion) -> None:
    names = ("", "one 1", "two 1s", "three 1s", "four 1s", "five 1s")
    for item in question.items:
        found = re.fullmatch(r"It is Player (\d)'s turn, and Player 1 has (.*):", item.text)
        assert found
        states = [s for s in bits_states(bits_options(game)) if not s.result() and s.mover == int(found[1])]
        seconds = {s.rows[1].count("1") for s in states if s.rows[0].count("1") == names.index(found[2])}
        assert seconds == {int(item.answer)}


def check_losing(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert int(item.answer) == list(bits_values(item.position).values()).count("loss")


def check_empty(game: Game[Any], question: WorksheetQuestion) -> None:
    empty = "0" * int(game.options["bits"])
    ends = [s.result() for s in bits_states(bits_options(game)) if s.rows == (empty, empty) and s.acted == {1, 2}]
    assert (None, "stalemate") in ends
    assert question.items[0].answer.startswith("A draw.")


def check_best_play(game: Game[Any], question: WorksheetQuestion) -> None:
    assert brute.verdict("binary-race-bits", **dict(bits_options(game)))[0] == "draw"
    endless = "Nobody can force a win; with perfect play it can go on for ever"
    assert question.items[0].answer == ("Nobody: it is a draw" if game.options["repetition"] else endless)


# The battle


def check_binary(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items[:3]:
        assert int(item.answer, 2) == int(item.text.split()[0])
    for item in question.items[3:]:
        assert int(item.text.split()[0], 2) == int(item.answer)


def check_one_toggle(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        row = item.text.split()[0]
        state = brute.Battle((row, row), row, 1)
        made = [int(state.after(move).rows[0], 2) for move in state.legal()]
        assert [int(each) for each in item.answer.split(", ")] == made


def check_distance(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        first, second = re.findall(r"[01]{3,6}(?= \()", item.text)
        assert int(item.answer) == sum(a != b for a, b in zip(first, second, strict=True))
        assert [int(each) for each in re.findall(r"\((\d+)\)", item.text)] == [int(first, 2), int(second, 2)]


def fits(secret: int, told: list[tuple[int, str]]) -> bool:
    return all(number < secret if word == "less" else number > secret for number, word in told)


def check_range(game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        told = [(int(number), word) for number, word in re.findall(r"(\d+) is (less|greater)", item.text)]
        possible = [secret for secret in range(1 << int(game.options["bits"])) if fits(secret, told)]
        low, *high = [int(each) for each in re.findall(r"\d+", item.answer)]
        assert possible == list(range(low, (high or [low])[0] + 1))
        rows = [0, *(number for number, _ in told)]
        assert all((a ^ b).bit_count() == 1 for a, b in pairwise(rows))


def check_hits(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert item.position
        match = item.position.match
        bits, secret, number = int(match.game.options["bits"]), int(match.deal, 2), 0
        told = []
        for move in match.moves[::2]:
            number ^= 1 << bits - int(move.split()[1])
            told.append((number, "less" if number < secret else "greater"))
        right = [fits(number ^ 1 << bits - place, told) for place in range(1, bits + 1)]
        assert [cell.is_right for cell in item.cells] == right


def search(secret: str) -> int:
    """Count the turns of the search from the left, by the rules."""
    state, turns = brute.Battle(("0" * len(secret), "0" * len(secret)), secret, 1), 0
    for place in brute.positions(secret):
        for _ in range(2):
            state = brute.Battle(state.after(f"toggle {place}").rows, secret, 1)
            turns += 1
            if state.rows[0] == secret:
                return turns
            if state.rows[0] < secret:
                break
    raise AssertionError("the search finds every secret")


def check_search(_game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        assert int(item.answer) == search(item.text.rstrip(":"))


def check_copying(game: Game[Any], question: WorksheetQuestion) -> None:
    rows = [format(secret, f"0{game.options['bits']}b") for secret in range(1 << int(game.options["bits"]))]
    assert all(search(row) > 0 for row in rows)  # both need as many turns, so the first to take that turn hits
    assert question.items[0].answer == "The player who goes first, every time"


def check_first_toggle(_game: Game[Any], question: WorksheetQuestion) -> None:
    (item,) = question.items
    assert item.position
    choices = evaluator_for(item.position.game).choices(item.position.match.view(1))
    chances = [choice.evaluation.win_probability or 0.0 for choice in choices]
    assert [cell.is_right for cell in item.cells] == [abs(chance - max(chances)) < 1e-9 for chance in chances]
    assert f"{100 * max(chances):.0f}%" in question.why


@cache
def is_sure(turns: int, number: int, low: int, high: int, bits: int) -> bool:
    if low > high:
        return True
    if turns == 0:
        return False
    for made in (number ^ 1 << bit for bit in range(bits)):
        left = [(low, made - 1), (made + 1, high)] if low <= made <= high else [(low, high)]
        if all(is_sure(turns - 1, made, *each, bits) for each in left):
            return True
    return False


def check_sure(game: Game[Any], question: WorksheetQuestion) -> None:
    for item in question.items:
        number, low, high = (int(each) for each in re.findall(r"(?<![\d(])\d+(?!\))", item.text))
        known = number, low, high, int(game.options["bits"])
        turns = int(item.answer)
        assert is_sure(turns, *known)
        assert not is_sure(turns - 1, *known)


CHECKS: dict[str, dict[str, Callable[[Game[Any], WorksheetQuestion], None]]] = {
    "number_race": {
        "good-to-leave": check_good,
        "winning-moves": check_winning_moves,
        "trap": check_trap,
        "who-starts": check_who_starts,
        "line": check_line,
        "targets": check_targets,
        "only-adding": check_only_adding,
        "same-number": check_same_number,
    },
    "track": {
        "moves-needed": check_moves_needed,
        "who-wins": check_who_wins,
        "moves-that-win": check_track_moves,
        "first-move": check_track_moves,
        "cards": check_cards,
        "most-cards": check_most_cards,
        "shortest-win": check_shortest,
    },
    "bits": {
        "moves-that-win": check_bits_moves("win"),
        "moves-that-hold": check_bits_moves("draw"),
        "possible-rows": check_rows,
        "resettable": check_resettable,
        "counts": check_counts,
        "losing-moves": check_losing,
        "empty-rows": check_empty,
        "best-play": check_best_play,
    },
    "battle": {
        "binary": check_binary,
        "one-toggle": check_one_toggle,
        "distance": check_distance,
        "range": check_range,
        "hits": check_hits,
        "search-turns": check_search,
        "copying": check_copying,
        "first-toggle": check_first_toggle,
        "sure-turns": check_sure,
    },
}


# The usual sizes, as teachers checked them by hand


def answers(name: str, topic: str, at: int = 0) -> list[str]:
    questions = [question for question in worksheet(name, {}).questions if question.topic == topic]
    return [item.solution for item in questions[at].items]


def test_the_usual_worksheets_say_what_was_checked_by_hand() -> None:
    assert answers("double", "good-to-leave") == ["12, 14, 16, 18, 20"]
    assert answers("double", "trap") == ["6 or 10", "12 or 20"]
    assert answers("double", "good-to-leave", 1) == ["1, 3, 5"]
    assert answers("double", "line") == ["add 1, 3 (4) add 1, 5 (6) double, 12"]
    assert answers("double", "good-to-leave", 2) == ["1, 4, 6, 14, 16, 18, 20, 22, 24"]
    assert answers("double", "targets") == ["2, 8, 10"]
    assert answers("64", "only-adding") == ["59, 61, 63", "63"]
    assert answers("64", "good-to-leave") == ["35, 39, 43, 47, 51, 55, 59, 63"]
    assert answers("64", "good-to-leave", 1) == ["36, 40, 44, 48, 52, 56, 60, 64"]
    assert answers("64", "good-to-leave", 2) == ["4, 12, 16"]
    assert answers("64", "good-to-leave", 3) == ["2, 6, 16, 20, 24, 28"]
    assert answers("31", "first-move") == ["16", "3"]
    assert answers("battle", "search-turns")[1:4] == ["6", "7", "9"]
    assert sum(search(format(secret, "05b")) for secret in range(32)) / 32 == 5.625


# Sizes that do not suit a sheet, and pieces

BAD: list[tuple[str, Options]] = [
    ("double", {"target": 7}),
    ("double", {"target": 401}),
    ("64", {"step": 17}),
    ("31", {"length": 7}),
    ("31", {"length": 129}),
    ("bits", {"bits": 2}),
    ("bits", {"bits": 7}),
    ("bits", {"first-move": "game"}),
    ("battle", {"bits": 2}),
    ("battle", {"bits": 7}),
]


@pytest.mark.parametrize(("name", "options"), BAD)
def test_sizes_that_do_not_suit_a_sheet_get_one_sentence(name: str, options: Options) -> None:
    game = make(name, **options)
    for ask in (lambda: game_worksheet(game, evaluator_for), lambda: unplugged_game(game)):
        with pytest.raises(SheetError, match=r"^[A-Z][^\n]*\.$"):
            ask()


@pytest.mark.parametrize(("target", "step"), [(24, 1), (41, 1), (90, 3), (100, 4)])
def test_columns_of_odd_and_even_numbers_are_only_for_steps_that_stay_in_one(target: int, step: int) -> None:
    text = unplugged_game(make("64", target=target, step=step)).whole_class
    assert ("columns" in text) == (target > 40 and step % 2 == 0)
    assert ("chairs" in text) == (target <= 40)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_pieces_to_cut_out_are_all_that_a_match_needs(name: str, options: Options) -> None:
    game = make(name, **options)
    unplugged = unplugged_game(game)
    assert unplugged.material
    assert unplugged.whole_class
    assert 4 <= len(unplugged.steps) <= 8
    squares = [square for part in unplugged.parts if isinstance(part, PaperStrip) for square in part.squares]
    cards = [card.front for part in unplugged.parts if isinstance(part, PaperCards) for card in part.cards]
    needed = {
        "number_race": lambda: squares == [str(each) for each in range(1, int(game.options["target"]) + 1)],
        "track": lambda: (
            squares == [str(each) for each in range(int(game.options["length"]) + 1)] and set(game.moves) < set(cards)
        ),
        "bits": lambda: len(squares) == len(cards) == 2 * int(game.options["bits"]),
        "": lambda: set(map(str, range(1 << int(game.options["bits"])))) <= set(cards),
    }
    assert needed[game.checker]()
