"""Keep an equilibrium in a file, and believe it only after checking it anew."""

import io
import os
import tempfile
import zipfile
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from bitduel.games.binary_battle.equilibrium.knowledge import Array, check_bits
from bitduel.games.binary_battle.equilibrium.mixture import Mixture
from bitduel.games.binary_battle.equilibrium.solution import Equilibrium

FORMAT = "binary-battle 1"
NAMES = ("states1", "chances1", "states2", "chances2", "fraction")
LIMIT = 1 << 26


def save(equilibrium: Equilibrium, path: Path) -> None:
    """Write an equilibrium to a file in one step, so that no half of it is ever seen."""
    fields = _fields(equilibrium)
    seal = np.array([FORMAT, str(equilibrium.bits), _digest(fields)])
    buffer = io.BytesIO()
    content: dict[str, Any] = {"seal": seal, **fields}
    np.savez_compressed(buffer, **content)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(buffer.getvalue())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def load(path: Path, bits: int) -> Equilibrium:
    """Read an equilibrium and recompute its certificate; ValueError if anything is wrong."""
    seal, fields = _read(path)
    if seal != [FORMAT, str(bits), _digest(fields)]:
        raise ValueError(f"{path} is damaged or not an equilibrium of {bits} bits")
    try:
        found = _build(bits, fields)
        found.check()
    except (ArithmeticError, IndexError, TypeError) as error:
        raise ValueError(f"{path} holds no equilibrium") from error
    return found


def _fields(equilibrium: Equilibrium) -> dict[str, Array]:
    first, second = equilibrium.mixtures
    exact = "" if equilibrium.exact is None else str(equilibrium.exact)
    arrays = (
        first.states.astype(np.int16),
        first.chances.astype(np.float64),
        second.states.astype(np.int16),
        second.chances.astype(np.float64),
        np.array(exact),
    )
    return dict(zip(NAMES, arrays, strict=True))


def _digest(fields: dict[str, Array]) -> str:
    seal = sha256()
    for name in NAMES:
        field = fields[name]
        seal.update(f"{name} {field.dtype.str} {field.shape};".encode())
        seal.update(np.ascontiguousarray(field).tobytes())
    return seal.hexdigest()


def _read(path: Path) -> tuple[list[str], dict[str, Array]]:
    content = io.BytesIO(path.read_bytes())
    try:
        with zipfile.ZipFile(content) as inside:
            if sum(part.file_size for part in inside.infolist()) > LIMIT:
                raise ValueError("there is too much in it")
        with np.load(content, allow_pickle=False) as kept:
            return [str(word) for word in kept["seal"]], {name: kept[name] for name in NAMES}
    # Reading a foreign or damaged archive can fail in more ways than anyone has listed.
    except Exception as error:
        raise ValueError(f"{path} cannot be read as an equilibrium") from error


def _build(bits: int, fields: dict[str, Array]) -> Equilibrium:
    check_bits(bits)
    first, second = (_mixture(bits, fields[f"states{seat}"], fields[f"chances{seat}"]) for seat in (1, 2))
    text = str(fields["fraction"])
    return Equilibrium(bits, (first, second), Fraction(text) if text else None)


def _mixture(bits: int, states: Array, chances: Array) -> Mixture:
    whole = np.asarray(states, dtype=np.int64)
    if whole.shape != (len(chances), 4) or chances.shape[1:] != (bits,):
        raise ValueError("the strategy has the wrong shape")
    if (whole[:, 1:] >= 1 << bits).any() or (whole < 0).any() or whole[-1, 0] > 1000:
        raise ValueError("the strategy has numbers out of range")
    return Mixture(bits, whole, chances)
