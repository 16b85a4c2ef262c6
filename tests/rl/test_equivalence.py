"""The same moves give the same legality, sight, result and rewards in the core and in every adapter."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import IntegerOption
from bitduel.core.view import View
from bitduel.games.registry import GameClass
from bitduel.rl import Batch
from helpers import all_readings
from sixth_game.little_nim import LittleNim

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
pyspiel: Any = pytest.importorskip("pyspiel", reason="the extra open-spiel is not installed")
from bitduel.rl.gymnasium import SeatEnv  # noqa: E402
from bitduel.rl.open_spiel import SpielState, register, spiel_name  # noqa: E402
from bitduel.rl.pettingzoo import AGENTS, env  # noqa: E402

MATCHES = int(os.environ.get("BITDUEL_MATCHES", "4"))
LONGEST = 400
SIZES = {"bits": 3, "length": 12, "target": 23, "sticks": 9}
"""Other sizes than the usual, by the names of options."""

if spiel_name(LittleNim) not in pyspiel.registered_names():
    register(LittleNim)

READINGS: list[tuple[GameClass, dict[str, object]]] = [*all_readings(), (LittleNim, {})]


def sized(kind: GameClass) -> dict[str, object]:
    """Other sizes of a game."""
    return {o.name: SIZES[o.name] for o in kind.declared_options if isinstance(o, IntegerOption) and o.name in SIZES}


def legal(game: Game[Any], mask: Any) -> tuple[str, ...]:
    return tuple(game.moves[number] for number in np.flatnonzero(mask))


class Adapters:
    """One match in all adapters at once; each step compares everything with the core."""

    def __init__(self, game: Game[Any], batch: Batch) -> None:
        deal = batch.deals[0] if game.has_chance else ""
        fixed = game.with_deal(deal)
        self.game, self.batch, self.core = game, batch, Match(game, deal=deal)
        self.zoo = env(fixed)
        self.zoo.reset()
        self.solo = {seat: SeatEnv(fixed, opponent=partial(self.other, seat), seat=seat) for seat in (1, 2)}
        self.coming: list[str] = []
        given = {name.replace("-", "_"): quoted(value) for name, value in game.options.items()}
        self.spiel: SpielState = pyspiel.load_game(spiel_name(type(game)), given).new_initial_state()
        if self.spiel.is_chance_node():
            deals = [self.spiel.action_to_string(-1, number) for number in self.spiel.legal_actions()]
            self.spiel.apply_action(deals.index(f"deal {deal}"))

    def other(self, seat: int, view: View) -> str:
        """The moves of the opponent, which are known beforehand."""
        return self.coming[view.ply]

    def compare(self) -> None:
        """What can be done, and what is seen."""
        core, game = self.core, self.game
        seat = core.next_seat
        agent = f"player_{seat}"
        row = game.encode_view(core.view(seat))
        assert self.zoo.agent_selection == agent
        seen = self.zoo.observe(agent)
        assert legal(game, seen["action_mask"]) == core.legal
        assert tuple(seen["observation"].tolist()) == row
        assert tuple(game.moves[action] for action in self.spiel.legal_actions()) == core.legal
        assert self.spiel.current_player() == seat - 1
        assert self.spiel.match_history.numbers(seat) == row
        assert legal(game, self.batch.mask[0]) == core.legal
        assert tuple(self.batch.observation[0].tolist()) == row
        assert self.batch.seat[0] == seat

    def play(self, move: str) -> None:
        """The same move everywhere."""
        action = self.game.moves.index(move)
        self.core.play(move)
        self.zoo.step(action)
        self.spiel.apply_action(action)
        self.batch.step([action])

    def compare_ends(self) -> None:
        """Who has won, and what everybody gets for it."""
        outcome = self.core.outcome
        assert outcome
        worth = {None: (0, 0), 1: (1, -1), 2: (-1, 1)}[outcome.winner]
        assert self.spiel.is_terminal()
        assert tuple(self.spiel.returns()) == worth
        assert all(self.zoo.terminations.values())
        assert tuple(self.zoo.rewards[agent] for agent in AGENTS) == worth
        assert self.batch.done[0]
        assert self.batch.reward[0] == worth[2 - self.core.next_seat]
        for seat in (1, 2):
            assert self._alone(seat) == (worth[seat - 1], outcome.reason)

    def _alone(self, seat: int) -> tuple[float, str]:
        """The whole match once more as a learner on one seat has it."""
        self.coming = self.core.moves
        solo = self.solo[seat]
        _, info = solo.reset(seed=0)
        reward, over = 0.0, False
        while not over:
            match = solo.match
            assert match.outcome or legal(self.game, info["action_mask"]) == match.legal
            action = 0 if match.outcome else self.game.moves.index(self.core.moves[match.ply])
            _, reward, over, _, info = solo.step(action)
        assert solo.match.moves == self.core.moves
        return reward, info["reason"]


def quoted(value: object) -> object:
    return f"'{value}'" if isinstance(value, str) and value.isdigit() else value


def compare(kind: GameClass, options: dict[str, object], matches: int) -> int:
    """Random matches of a game everywhere at once; says how many came to their end."""
    game = kind(**options)
    batch = Batch(game, 1, seed=7)
    rng = Random(str(options))
    ended = 0
    for _ in range(matches):
        adapters = Adapters(game, batch)
        while adapters.core.legal and adapters.core.ply < LONGEST:
            adapters.compare()
            adapters.play(rng.choice(adapters.core.legal))
        if not adapters.core.outcome:
            batch.reset(batch.seed + 1)
            continue
        adapters.compare_ends()
        ended += 1
    return ended


@pytest.mark.parametrize(("kind", "options"), READINGS, ids=str)
def test_every_reading_is_the_same_everywhere(kind: GameClass, options: dict[str, object]) -> None:
    assert compare(kind, options, MATCHES)


@pytest.mark.parametrize(("kind", "options"), READINGS, ids=str)
def test_other_sizes_are_the_same_everywhere(kind: GameClass, options: dict[str, object]) -> None:
    assert compare(kind, {**options, **sized(kind)}, MATCHES)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "options"), READINGS, ids=str)
def test_hundreds_of_matches_are_the_same_everywhere(kind: GameClass, options: dict[str, object]) -> None:
    assert compare(kind, options, 150)
    assert compare(kind, {**options, **sized(kind)}, 150)


OUTSIDE = """
import gymnasium, pettingzoo, pyspiel
import bitduel.rl.gymnasium, bitduel.rl.open_spiel, bitduel.rl.pettingzoo
zoo = pettingzoo.make("aec", "bitduel/little-nim-v0", sticks=4)
zoo.reset()
solo = gymnasium.make("bitduel/little-nim-v0", sticks=4, opponent=lambda view: "3")
solo.reset(seed=0)
state = pyspiel.load_game("bitduel_little_nim(sticks=4)").new_initial_state()
for action in (0, 2):
    zoo.step(action)
    state.apply_action(action)
print(zoo.rewards, solo.step(0)[1], state.returns())
"""


def test_a_game_that_is_installed_has_all_adapters(tmp_path: Path) -> None:
    notes = tmp_path / "little_nim-1.dist-info"
    notes.mkdir()
    source = Path(__file__).parents[1] / "sixth_game" / "little_nim.py"
    (tmp_path / "little_nim.py").write_bytes(source.read_bytes())
    (notes / "METADATA").write_text("Metadata-Version: 2.1\nName: little-nim\nVersion: 1\n")
    (notes / "entry_points.txt").write_text("[bitduel.games]\nnim = little_nim:LittleNim\n")
    search = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", OUTSIDE],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search},
    )
    assert ran.stderr == ""
    assert ran.stdout == "{'player_1': -1.0, 'player_2': 1.0} -1.0 [-1.0, 1.0]\n"
    assert ran.returncode == 0
