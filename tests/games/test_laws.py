"""Every law that a game states is so, over a range: each has a check here that follows its words."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from bitduel.core.evaluation import DRAW, WIN, Value
from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.solver.analysis import analyse_position
from bitduel.solver.evaluators import TableEvaluator

ROOT = Path(__file__).parents[2]
LAWS = {law.name: law for kind in all_games() for law in kind().words.laws()}


def value(name: str, **options: object) -> Value | None:
    """What the start is worth, by the table."""
    return analyse_position(make(name, options)).value


def base_4(number: int) -> str:
    return (base_4(number // 4) if number >= 4 else "") + str(number % 4)


def adding_one() -> None:
    for target in range(2, 70):
        for number in range(1, target):
            goal = target
            while goal % 2 == 0 and number * 4 <= goal:
                goal //= 4
            wins = (goal - number) % 2 == 1 if goal % 2 or number * 2 > goal else True
            assert (value("double", start=number, target=target) == WIN) == wins


def lost_targets_adding_one() -> None:
    for target in range(2, 300):
        assert (value("double", target=target) != WIN) == bool(set(base_4(target)) & {"1", "3"})


def adding_two() -> None:
    for target in range(2, 60):
        fence = target // 2
        while fence % 2 == 0 and fence:
            fence //= 4
        for number in range(1, target):
            found = value("64", start=number, target=target) == WIN
            if number % 2 == 0:
                half = target // 2
                assert found == (number // 2 < half and value("double", start=number // 2, target=half) == WIN)
            else:
                assert found == (number <= fence or (target - number) // 2 % 2 == 1)


def lost_targets_adding_two() -> None:
    for target in range(2, 300):
        digits = base_4(target)
        assert (value("64", target=target) != WIN) == (set(digits) <= {"0", "1"} and digits[-1] == "1")


def every_step() -> None:
    for step, target in product((1, 2, 3, 5, 6), (7, 20, 45, 64)):
        caps, parts = [target] * step, list[range]()
        while target >> len(parts):
            parts.append(range((target >> len(parts) + 1) + 1, (target >> len(parts)) + 1))

        def lost(number: int, caps: list[int], step: int = step) -> bool:
            cap = caps[number % step]
            return number <= cap and (cap - number) // step % 2 == 0

        for part in parts:
            before = list(caps)
            for number in part:
                if 2 * number <= target and lost(2 * number, before):
                    caps[number % step] = part.start - 1
            for number in part:
                if number < target:
                    assert (value("64", start=number, target=target, step=step) != WIN) == lost(number, caps)


def fewer_moves() -> None:
    for length, finish in product((1, 15, 16, 17, 31, 33), ("sample", "any", "exact")):
        evaluator = TableEvaluator(make("31", length=length, finish=finish))
        table = evaluator.solution.table

        def needs(place: int, length: int = length, exact: bool = finish == "exact") -> int:
            whole, rest = divmod(length - place, 16)
            return whole + (bin(rest).count("1") if exact else int(rest > 0))

        for index in range(len(table)):
            mine, theirs = table.position_at(index)
            if not table.verdict[index]:
                assert (evaluator.solution.evaluation_at(index).value == WIN) == (needs(mine) <= needs(theirs))
        assert evaluator.solution.evaluation_at(0).value == WIN


def a_draw() -> None:
    for bits, first, edge in product((1, 2, 3, 4), ("turn", "game", "flip", "empty"), ("open", "strict")):
        evaluator = TableEvaluator(make("bits", {"bits": bits, "first-move": first, "edge": edge}))
        table = evaluator.solution.table
        assert evaluator.solution.evaluation_at(0).value == (DRAW if bits > 1 else WIN)
        for index in range(len(table) if bits > 1 else 0):
            short = bits - bin(table.position_at(index).mine).count("1") == 1
            if not table.verdict[index]:
                assert evaluator.solution.evaluation_at(index).value == (WIN if short else DRAW)


def bounds() -> None:
    for bits in (2, 3, 4):
        wins = analyse_position(make("battle", bits=bits)).win_probability
        assert wins is not None
        assert 1 / 2 + 3 / (16 * (2 * bits - 1)) <= wins <= 1 - (1 - 1 / bits) / 2**bits


def odd_and_even() -> None:
    game = make("battle", bits=3)
    for deal in game.deals():
        lines: list[list[str]] = [[]]
        for _ in range(5):
            lines = [[*line, move] for line in lines for move in game.moves]
            for line in lines[:: max(1, len(lines) // 60)]:
                match = Match(game, deal=deal.text)
                for move in line:
                    if not match.outcome:
                        match.play(move)
                if match.outcome:
                    turn = (match.ply + 1) // 2
                    assert turn % 2 == deal.text.count("1") % 2


CHECKS: dict[str, Callable[[], None]] = {
    "adding-one": adding_one,
    "lost-targets-adding-one": lost_targets_adding_one,
    "adding-two": adding_two,
    "lost-targets-adding-two": lost_targets_adding_two,
    "every-step": every_step,
    "fewer-moves": fewer_moves,
    "a-draw": a_draw,
    "bounds": bounds,
    "odd-and-even": odd_and_even,
}


def test_every_law_has_its_check() -> None:
    assert set(LAWS) == set(CHECKS)
    assert all(kind().words.laws() for kind in all_games())


@pytest.mark.parametrize("name", CHECKS)
def test_a_law_is_so(name: str) -> None:
    CHECKS[name]()


@pytest.mark.parametrize("name", LAWS)
def test_a_law_is_stated_and_proved_in_whole_sentences_and_the_document_exists(name: str) -> None:
    law = LAWS[name]
    assert all(text.endswith(".") for text in (law.statement, law.why, *law.proof))
    assert law.proof
    assert (ROOT / law.source).is_file()


def test_the_surveys_of_a_game_are_of_its_own_options() -> None:
    for kind in all_games():
        for survey in kind.surveys:
            assert set(survey) <= {option.name for option in kind.declared_options}
            assert 1 <= len(survey) <= 2
