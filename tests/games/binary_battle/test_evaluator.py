"""What toggles are worth, from what a seat knows, kept on disk between runs."""

from pathlib import Path

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import best_choices
from bitduel.core.match import Match
from bitduel.games.binary_battle import evaluator
from bitduel.games.binary_battle.equilibrium import SHIPPED_BITS
from bitduel.games.registry import make
from bitduel.solver.evaluators import evaluator_for


def test_the_second_player_is_judged_by_the_second_seat_whoever_starts() -> None:
    game = make("battle", {"bits": 3})
    solved = evaluator_for(game)
    for first in (1, 2):
        match = Match(game, first, "110", ["toggle 1"])
        assert match.to_move
        chance = best_choices(solved.choices(match.view(match.to_move)))[0].evaluation.win_probability
        assert chance == pytest.approx((1 - 43 / 56) * 8 / 7, abs=1e-9)


def test_an_open_table_is_judged_exactly() -> None:
    game = make("battle", {"bits": 4, "table": "open"})
    view = Match(game, deal="0110").view(1)
    assert best_choices(evaluator_for(game).choices(view))[0].evaluation.win_probability == 5 / 8
    assert evaluator_for(game).policy(view) == {"toggle 2": 1.0}


def test_too_many_bits_get_a_sentence() -> None:
    with pytest.raises(BitduelError, match=r"solved for up to 6 bits\. 9 bits are too many"):
        evaluator_for(make("battle", {"bits": 9}))


def test_a_seat_that_has_dithered_for_long_is_judged_too() -> None:
    game = make("battle", {"bits": 2})
    match = Match(game, deal="10", moves=["toggle 2", "toggle 2"] * 100)
    assert match.to_move
    assert len(evaluator_for(game).choices(match.view(match.to_move))) == 2


def test_what_is_solved_is_kept_and_what_is_damaged_is_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitduel.games.binary_battle.evaluator.SHIPPED_BITS", ())
    monkeypatch.setattr(evaluator, "cache_folder", lambda: tmp_path)
    value = evaluator.equilibrium.__wrapped__(3).value
    [kept] = tmp_path.iterdir()
    kept.write_bytes(b"damaged")
    assert evaluator.equilibrium.__wrapped__(3).value == value
    monkeypatch.setattr("bitduel.games.binary_battle.evaluator.solve", pytest.fail)
    assert evaluator.equilibrium.__wrapped__(3).value == value


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise PermissionError

    monkeypatch.setattr("bitduel.games.binary_battle.evaluator.SHIPPED_BITS", ())
    monkeypatch.setattr(evaluator, "cache_folder", nowhere)
    assert evaluator.equilibrium.__wrapped__(2).value == 7 / 8
    monkeypatch.setattr(evaluator, "cache_folder", lambda: Path("/nowhere/at/all"))
    assert evaluator.equilibrium.__wrapped__(2).value == 7 / 8


def test_what_the_package_ships_is_neither_solved_nor_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("solve", "load", "save"):
        monkeypatch.setattr(f"bitduel.games.binary_battle.evaluator.{name}", pytest.fail)
    for bits in SHIPPED_BITS:
        assert evaluator.equilibrium.__wrapped__(bits).bits == bits
