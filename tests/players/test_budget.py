"""A budget is never exceeded, by however many threads and processes."""

import pickle
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import BitduelError
from bitduel.players.player import HaltError
from bitduel.players.settings import Budget

QUESTIONS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), max_size=20)


@given(st.integers(1, 100), QUESTIONS)
def test_what_was_held_back_and_used_never_exceeds_it(most: int, questions: list[tuple[int, int]]) -> None:
    budget, used = Budget(most), 0
    for held, needed in questions:
        try:
            budget.reserve(held)
        except HaltError:
            assert used + held > most
            continue
        budget.settle(held, min(held, needed))
        used += min(held, needed)
    assert budget.spent == used <= most


def test_what_is_left_is_told_to_the_token() -> None:
    budget = Budget(10)
    budget.reserve(3)
    with pytest.raises(HaltError, match="used up: 7 are left, and the next question may need 8"):
        budget.reserve(8)
    budget.reserve(7)


def test_a_service_that_takes_more_than_it_may_is_counted_in_full() -> None:
    budget = Budget(10)
    budget.reserve(5)
    budget.settle(5, 500)
    with pytest.raises(HaltError, match="The budget of 10 tokens is used up: 0 are left"):
        budget.reserve(1)


def take(budget: Budget, times: int) -> int:
    """How often three tokens were there."""
    taken = 0
    for _ in range(times):
        try:
            budget.reserve(3)
        except HaltError:
            break
        taken += 1
    return taken


@pytest.mark.parametrize("on_disk", [False, True])
def test_threads_share_it(on_disk: bool, tmp_path: Path) -> None:
    budget = Budget(90, tmp_path / "ledger" if on_disk else None)
    with ThreadPoolExecutor(4) as pool:
        taken = sum(pool.map(lambda _: take(budget, 20), range(4)))
    assert taken == 30
    assert budget.spent == 90


def test_processes_share_a_ledger_and_later_runs_go_on_with_it(tmp_path: Path) -> None:
    budget = Budget(90, tmp_path / "folder" / "ledger")
    code = f"import pickle; b = pickle.loads({pickle.dumps(budget)!r})\nfor _ in range(7): b.reserve(3)"
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait(120) for process in running] == [0, 0]
    assert budget.spent == 42
    assert take(budget, 99) == 16
    assert budget.ledger
    assert stat.S_IMODE(budget.ledger.stat().st_mode) == 0o600


def test_without_a_ledger_it_stays_in_its_process() -> None:
    with pytest.raises(BitduelError, match="only through a ledger"):
        pickle.dumps(Budget(5))


def test_a_ledger_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("12\nlots\n")
    with pytest.raises(HaltError, match="doesn't contain only numbers"):
        Budget(5, tmp_path / "ledger").reserve(1)
    with pytest.raises(HaltError, match="Can't use the token ledger"):
        Budget(5, tmp_path / "ledger" / "below").reserve(1)
