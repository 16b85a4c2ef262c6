"""Hidden in time as well: what is done for an answer is the same, line for line, whatever the rules leave hidden.

No clock is read here. `make clocks` measures; here every line that runs is counted, and every cache asked.
"""

import gc
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import _lru_cache_wrapper, partial
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import bitduel
from bitduel.core.match import Match
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.registry import make
from bitduel.service import match_service
from bitduel.service.hub import StorageWatcher
from bitduel.service.presence import Presence
from bitduel.storage.schema import ID_ALPHABET
from scripts.timing import clients, comparison, hidden_matches
from web.sites import LocalApp

HOME = str(Path(bitduel.__file__).parent)
ROOT = Path(__file__).parents[2]
Steps = Counter[tuple[str, int]]
Ask = Callable[[Any], object]


def steps(work: Callable[[], object]) -> Steps:
    """How often each line of ours ran, templates included."""
    met: Steps = Counter()

    def line(frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            met[frame.f_code.co_filename, frame.f_lineno] += 1
        return line

    def call(frame: FrameType, _event: str, _arg: object) -> Any:
        is_timer = frame.f_code is StorageWatcher.run.__code__
        return line if frame.f_code.co_filename.startswith(HOME) and not is_timer else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return met


def difference(ask: Ask, pairs: Iterable[tuple[Any, Any]]) -> Steps:
    """What differs between the two of every pair; a single one may have had to wait for a lock of the database."""
    found: Steps = Counter()
    for one, two in pairs:
        first, second = steps(partial(ask, one)), steps(partial(ask, two))
        assert sum(first.values()) > 50, "something was done"
        found = (first - second) | (second - first)
        if not found:
            break
    return found


def caches() -> list[Any]:
    """Every cache of ours."""
    found = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    return [each for each in found if getattr(each, "__module__", "").startswith("bitduel.")]


@pytest.fixture
def ask(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Ask the site something without threads, which cannot be traced, and without the work that a timer starts."""
    monkeypatch.setattr(StorageWatcher, "check", lambda _self: None)
    monkeypatch.setattr(Presence, "tick", lambda _self: None)
    inside = clients.Inside.__new__(clients.Inside)
    inside.app = app.asgi
    with clients.in_one_thread():
        yield lambda asked: app.run(inside.ask(asked))


CASES = [(pair, seat) for pair in hidden_matches.PAIRS for seat in pair.viewers]
NAMES = [f"{pair.name}, {f'seat {seat}' if seat else 'spectator'}" for pair, seat in CASES]


@pytest.mark.parametrize(("pair", "seat"), CASES, ids=NAMES)
def test_every_answer_takes_the_same_steps_whatever_is_hidden(app: LocalApp, ask: Ask, pair: Any, seat: Any) -> None:
    warm, *seated = (hidden_matches.keep(app.store, kind, pair.plies) for kind in (pair.one, *(pair.one, pair.two) * 3))
    for asked in hidden_matches.answers(warm, seat).values():
        ask(asked)
    for each in seated:
        ask(
            hidden_matches.Ask("GET", "/offline", each.token(seat))
        )  # what is kept of a visitor's own secret is no news
    kept = caches()
    known = [cache.cache_info()[1:] for cache in kept]
    for name in hidden_matches.answers(warm, seat):
        asks = [hidden_matches.answers(each, seat)[name] for each in seated]
        pairs = list(zip(asks[::2], asks[1::2], strict=True))
        for _ in ("first", "again"):
            assert not difference(ask, pairs), name
    assert [cache.cache_info()[1:] for cache in kept] == known, "nothing was new to any cache"


@pytest.mark.parametrize("pair", hidden_matches.PAIRS, ids=[pair.name for pair in hidden_matches.PAIRS])
def test_a_move_takes_the_same_steps_whatever_is_hidden(app: LocalApp, ask: Ask, pair: Any) -> None:
    asks = moves_in(app, ask, pair)
    assert not difference(ask, asks)


def test_what_a_program_has_seen_changes_no_step_around_its_thought(
    app: LocalApp, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_service, "in_constant_time", lambda _thought: "toggle 1")
    assert not difference(ask, moves_in(app, ask, hidden_matches.PROGRAM))


def moves_in(app: LocalApp, ask: Ask, pair: Any) -> list[tuple[Any, Any]]:
    """The next move in some matches of two kinds that have been looked at, after one in another."""
    warm, *seated = (hidden_matches.keep(app.store, kind, pair.plies) for kind in (pair.one, *(pair.one, pair.two) * 3))
    for each in (warm, *seated):
        ask(hidden_matches.answers(each, 1)["page"])
    ask(hidden_matches.move(warm))
    assert len(app.store.get(warm.id).moves) > pair.plies
    asks = [hidden_matches.move(each) for each in seated]
    return list(zip(asks[::2], asks[1::2], strict=True))


@pytest.mark.parametrize("path", ["/matches/{}", "/matches/{}/moment", "/api/v1/matches/{}", "/invite/{}/guess"])
def test_the_beginning_of_an_id_is_looked_up_like_any_other_letters(app: LocalApp, ask: Ask, path: str) -> None:
    found = hidden_matches.keep(app.store, hidden_matches.PAIRS[0].one, 2).id
    ids = {kept.id for kept in app.store.matches()}
    for length in (3, 5, 6):
        others = ("".join(letters) for letters in product(ID_ALPHABET, repeat=length))
        wrong = next(each for each in others if not any(match_id.startswith(each) for match_id in ids))
        asks = [hidden_matches.Ask("GET", path.format(each)) for each in (found[:length], wrong)]
        ask(asks[1])
        assert not difference(ask, [(asks[0], asks[1])] * 3)


def test_what_is_met_again_in_the_dark_is_not_found_sooner() -> None:
    game = make("battle")
    game.disable_cache()
    moves = hidden_matches.PAIRS[1].one.moves(40)
    match = Match(game, 1, "11111", moves)
    assert all(not turn.successors for turn in game.turns.values())
    assert len(game.turns) <= 1
    assert match == Match(make("battle"), 1, "11111", moves)


def test_the_counting_of_steps_sees_what_is_met_again(app: LocalApp, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BinaryBattle, "disable_cache", lambda _game: None)
    assert difference(ask, moves_in(app, ask, hidden_matches.PAIRS[1]))


def samples(rng: np.random.Generator, delay: float, things: int = 32, looks: int = 12) -> Any:
    """Times as they come on a busy machine: some things are slower than others, some looks are far too long."""
    usual = 400e-6 + rng.normal(0, 5e-6, (things, 1))
    busy = rng.exponential(20e-6, (things, looks)) + (rng.random((things, looks)) < 0.1) * 3e-3
    return usual + busy + delay


def test_a_planted_difference_is_found_and_none_where_there_is_none() -> None:
    rng = np.random.default_rng(13)
    quiet = [comparison.told(samples(rng, 0), samples(rng, 0), rng) for _ in range(40)]
    assert sum(result.found for result in quiet) <= 1
    assert 0.4 < np.mean([result.guessing.value for result in quiet]) < 0.6
    planted = [comparison.told(samples(rng, 0), samples(rng, 20e-6), rng) for _ in range(40)]
    assert sum(result.found for result in planted) >= 38
    assert all(10e-6 < result.effect < 30e-6 for result in planted)
    assert np.mean([result.guessing.value for result in planted]) > 0.9


def test_what_would_be_found_is_found() -> None:
    rng = np.random.default_rng(14)
    small = comparison.told(samples(rng, 0), samples(rng, 0), rng).detectable
    assert 0 < small < 20e-6
    found = [comparison.told(samples(rng, 0), samples(rng, small), rng).found for _ in range(60)]
    assert sum(found) >= 50
    halved = [comparison.told(samples(rng, 0), samples(rng, small / 3), rng).found for _ in range(60)]
    assert sum(halved) < 40


def test_the_rank_test_is_that_of_the_power() -> None:
    rng = np.random.default_rng(15)
    times = comparison.taken(np.concatenate([samples(rng, 0), samples(rng, 0)]))
    delay = comparison.detectable(times, rng) * 0.6
    slowly = np.mean([_found(times, delay, rng) for _ in range(400)])
    assert abs(comparison.power(times, delay, rng, 400) - slowly) < 0.12


def _found(times: Any, delay: float, rng: np.random.Generator) -> bool:
    one, two = np.array_split(rng.permutation(times), 2)
    return bool(comparison.rank_test(one, two + delay) < comparison.ALPHA)


def test_a_guesser_that_has_nothing_to_go_by_is_right_half_of_the_time() -> None:
    rng = np.random.default_rng(16)
    right, tried = np.sum([comparison.guesses(rng.random(20), rng.random(20), rng) for _ in range(100)], axis=0)
    assert tried == 4000
    assert 0.45 < right / tried < 0.55


@pytest.mark.thorough
def test_the_measurement_runs_inside_and_on_a_served_site() -> None:
    small = ["--matches", "4", "--looks", "1", "--moves", "3", "--walks", "1", "--trials", "1", "--only", "moment"]
    command = [sys.executable, "-m", "scripts.timing", *small]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    assert "In this program" in ran.stdout
    assert "On a site that is served" in ran.stdout
    assert "walks along ids" in ran.stdout
    assert ran.stdout.count("would find") >= 8
