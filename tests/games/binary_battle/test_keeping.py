"""Files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from battle_by_hand import solved
from bitduel.games.binary_battle.equilibrium import Equilibrium, Mixture, load, save
from bitduel.games.binary_battle.equilibrium.knowledge import start


@pytest.mark.parametrize("bits", [1, 3, 5])
def test_what_is_saved_is_loaded(bits: int, tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(solved(bits), path)
    again = load(path, bits)
    assert (again.exact, again.value) == (solved(bits).exact, solved(bits).value)
    assert again.behaviour(2, *start(bits)) == solved(bits).behaviour(2, *start(bits))
    assert list(tmp_path.iterdir()) == [path]


def test_every_damage_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(solved(2), path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            assert load(path, 2).exact == solved(2).exact
        except ValueError:
            continue
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="kept"):
            load(path, 2)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(solved(3), path)
    with pytest.raises(ValueError, match="2 bits"):
        load(path, 2)
    np.savez(path, other=np.arange(3))
    with pytest.raises(ValueError, match="cannot be read"):
        load(path, 3)
    np.save(path.with_suffix(".npy"), np.arange(3))
    with pytest.raises(ValueError, match="cannot be read"):
        load(path.with_suffix(".npy"), 3)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.npz", 3)


def test_a_well_sealed_lie_is_refused(tmp_path: Path) -> None:
    game, path = solved(3), tmp_path / "kept.npz"
    first, second = game.mixtures
    pure = Mixture(3, first.states, np.eye(3)[first.chances.argmax(axis=1)])
    save(Equilibrium(3, (pure, second), game.exact), path)
    with pytest.raises(ValueError, match=r"strategy|equilibrium"):
        load(path, 3)
    broken = Mixture(3, first.states, np.full_like(first.chances, np.nan))
    save(Equilibrium(3, (broken, second), game.exact), path)
    with pytest.raises(ValueError, match="probabilities"):
        load(path, 3)


def test_loading_needs_no_scipy(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(solved(4), path)
    script = (
        "import sys, pathlib, bitduel.games.binary_battle.equilibrium as b; game = b.load(pathlib.Path(sys.argv[1]), 4)"
    )
    script += "; game.choices(1, 1, 0, 0, 15); sys.exit('scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, cwd=Path(__file__).parents[1])
