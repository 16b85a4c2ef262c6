"""Files of equilibria: proved anew when they are read; those of the package are proved by its tests.

A file holds the two plans in whole numbers and nothing else: the value is what they prove when they are read. The
package's own files hold the value as well, so that hints start at once.
"""

import gzip
import json
import os
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from bitduel.games.binary_battle.equilibrium.information_states import InformationState, check_bits
from bitduel.games.binary_battle.equilibrium.solution import Equilibrium, proved
from bitduel.games.binary_battle.equilibrium.strategies import Proof, RealizationPlan

FORMAT = "binary-battle 2"
LIMIT = 1 << 24
"""The most bytes of a file."""
FOLDER = Path(__file__).parent / "shipped"
SHIPPED_BITS = range(1, 7)


def shipped(bits: int) -> Equilibrium:
    """Return the equilibrium that comes with the package."""
    content = json.loads(gzip.decompress((FOLDER / f"{bits}.json.gz").read_bytes()))
    return proved(Proof.recorded(_plans(content, bits), Fraction(content["value"])))


def compressed(equilibrium: Equilibrium) -> bytes:
    """Return an equilibrium as the package ships it."""
    assert equilibrium.proof
    content = {**_content(equilibrium), "value": str(equilibrium.proof.value)}
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), 9, mtime=0)


def save(equilibrium: Equilibrium, path: Path) -> None:
    """Write an equilibrium to a file in one step, so that nobody reads half of it; skip one without a proof."""
    if equilibrium.proof is None:
        return
    content = _content(equilibrium)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".draft")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(content, file, separators=(",", ":"))
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def load(path: Path, bits: int) -> Equilibrium:
    """Read an equilibrium and prove it; ValueError if anything is wrong."""
    check_bits(bits)
    try:
        return proved(Proof(_read(path, bits)))
    except OSError:
        raise
    # A foreign or damaged file can be wrong in more ways than anyone has listed.
    except Exception as error:
        raise ValueError(f"{path} doesn't contain an equilibrium for {bits} bits: {error}") from error


def _content(equilibrium: Equilibrium) -> dict[str, Any]:
    plans = equilibrium.proof.plans if equilibrium.proof else ()
    return {"format": FORMAT, "bits": equilibrium.bits, "plans": [_data(plan) for plan in plans]}


def _data(plan: RealizationPlan) -> dict[str, Any]:
    return {"scale": plan.scale, "turns": [[*state, *parts] for state, parts in plan.weights.items()]}


def _read(path: Path, bits: int) -> tuple[RealizationPlan, RealizationPlan]:
    with path.open("rb") as file:
        text = file.read(LIMIT + 1)
    if len(text) > LIMIT:
        raise ValueError("it is too large")
    return _plans(json.loads(text), bits)


def _plans(content: dict[str, Any], bits: int) -> tuple[RealizationPlan, RealizationPlan]:
    if (content["format"], content["bits"]) != (FORMAT, bits):
        raise ValueError("it has another format or number of bits")
    first, second = (_plan(bits, plan) for plan in content["plans"])
    return first, second


def _plan(bits: int, data: dict[str, Any]) -> RealizationPlan:
    rows = data["turns"]
    if not all(type(number) is int for number in [data["scale"], *(number for row in rows for number in row)]):
        raise ValueError("it has a number that is not whole")
    weights = {InformationState(*row[:4]): tuple(row[4:]) for row in rows}
    if len(weights) < len(rows):
        raise ValueError("a state is listed twice")
    return RealizationPlan(bits, data["scale"], weights)
