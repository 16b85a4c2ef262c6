"""Solve Binary Battle for 1 to 6 bits and write the equilibria that the package ships; `make equilibria` runs it."""

from bitduel.games.binary_battle.equilibrium import solve
from bitduel.games.binary_battle.equilibrium.files import FOLDER, SHIPPED_BITS, compressed

for bits in SHIPPED_BITS:
    found = solve(bits)
    assert found.proof, f"the value of {bits} bits could not be proved"
    path = FOLDER / f"{bits}.json.gz"
    path.write_bytes(compressed(found))
    print(f"{bits} bits: {found.proof.value}, {path.stat().st_size} bytes")
