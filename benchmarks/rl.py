"""Matches stepped side by side, beside bare look-ups, and beside peers where they are installed."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np

from benchmarks.figure import Figure, alternating_times, shortest_time
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games
from bitduel.rl.batch import Batch

SIZES = (1_024, 65_536)
STEPS = 40
BURSTS = 12
PEER_STEPS = 5
MOVES = 5_000


def figures() -> Iterator[Figure]:
    """Yield random matches of each game: rewards, masks, ends and restarts included."""
    for kind in all_games():
        for size in SIZES:
            ours, bare = alternating_times(_stepping(Batch(kind(), size, 1)), _bare(size), BURSTS)
            name = f"{kind.short}: {size:,} matches at once, steps"
            yield Figure(name, size * STEPS / ours, "bare look-ups", size * STEPS / bare, "per second")
    fewest, size = min(all_games(), key=lambda kind: len(kind().moves)), SIZES[-1]
    if find_spec("pgx") and find_spec("jax"):
        # One after the other: the threads of JAX go on spinning for a while when they have nothing to do.
        with one_core():
            ours, theirs = shortest_time(_stepping(Batch(fewest(), size, 1)), BURSTS), shortest_time(_pgx(size), BURSTS)
        name = f"{fewest.short}: {size:,} matches at once on one core"
        yield Figure(name, size * STEPS / ours, "pgx tic-tac-toe", size * PEER_STEPS / theirs, "per second")
    if find_spec("pyspiel"):
        ours, theirs = alternating_times(_playing(fewest()), _open_spiel(), BURSTS)
        yield Figure(
            f"{fewest.short}: one match after the other", MOVES / ours, "OpenSpiel's C++", MOVES / theirs, "per second"
        )


@contextmanager
def one_core() -> Iterator[None]:
    """Run on one processor, where the system allows the choice."""
    set_affinity = getattr(os, "sched_setaffinity", None)
    processors = os.sched_getaffinity(0) if set_affinity else set()
    if set_affinity:
        set_affinity(0, {min(processors)})
    try:
        yield
    finally:
        if set_affinity:
            set_affinity(0, processors)


def _playing(game: Game[Any]) -> Callable[[], None]:
    """Return a work: random matches through the public interface."""
    rng = Random(1)
    dice = [rng.random() for _ in range(MOVES)]

    def play() -> None:
        match = Match(game)
        for die in dice:
            legal = match.legal
            match.play(legal[int(die * len(legal))])
            if match.outcome:
                match = Match(game)

    return play


def _open_spiel() -> Callable[[], None]:
    """Return a work: random tic-tac-toe, which OpenSpiel has in C++, through its public interface."""
    import pyspiel

    game, rng = pyspiel.load_game("tic_tac_toe"), Random(1)
    dice = [rng.random() for _ in range(MOVES)]

    def play() -> None:
        state = game.new_initial_state()
        for die in dice:
            legal = state.legal_actions()
            state.apply_action(legal[int(die * len(legal))])
            if state.is_terminal():
                state = game.new_initial_state()

    return play


def _stepping(batch: Batch) -> Callable[[], None]:
    """Return a work: the same random matches again and again, all attributes read after each step."""
    rng = np.random.default_rng(1)
    actions = []
    for _ in range(STEPS):
        actions.append(batch.sample(rng))
        batch.step(actions[-1])

    def play() -> None:
        batch.reset()
        for chosen in actions:
            batch.step(chosen)
            batch.mask, batch.reward, batch.done, batch.seat  # noqa: B018

    return play


def _bare(size: int) -> Callable[[], None]:
    """Return a work: one look-up for each step, the least that a table needs."""
    table = np.arange(64)
    indices = np.random.default_rng(1).integers(0, 64, size)

    def look() -> None:
        for _ in range(STEPS):
            table.take(indices, mode="clip")

    return look


def _pgx(size: int) -> Callable[[], None]:
    """Return a work: tic-tac-toe in pgx, compiled, with as many matches at once and restarts."""
    import jax  # type: ignore[import-not-found, unused-ignore]
    import pgx  # type: ignore[import-not-found, unused-ignore]
    from pgx.experimental.wrappers import auto_reset  # type: ignore[import-not-found, unused-ignore]

    env = pgx.make("tic_tac_toe")
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    keys = jax.random.split(jax.random.PRNGKey(0), size)

    def choose(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.log(mask.astype(jax.numpy.float32)), axis=1)

    state, choose = init(keys), jax.jit(choose)
    actions = choose(jax.random.PRNGKey(1), state.legal_action_mask)
    jax.block_until_ready(step(state, actions, keys))

    def play() -> None:
        current = state
        for _ in range(PEER_STEPS):
            current = step(current, actions, keys)
        jax.block_until_ready(current)

    return play
