"""Prove everything: certificates made, checked by the standalone scripts, changed or forged, and refused.

Every default game in every reading, Binary Battle from 1 bit to 6 and a few large games. Each certificate is made by
`bitduel prove` and checked by its script, both in processes of their own; then it is changed in some places, one at a
time, and forged so that everything in it fits, and the script must refuse every one.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from bitduel.core.options import ChoiceOption  # noqa: E402
from bitduel.games.registry import all_games  # noqa: E402
from forging import forged  # noqa: E402
from tampering import changed  # noqa: E402

LARGE = [
    "64 step=3 target=1000000000",
    "double target=999999999",
    "31 length=1000000",
    "31 length=1000000 finish=exact",
    "bits bits=31",
]


MOST_FORGED = 200_000
"""Certificates of so many letters are forged; larger ones are changed only."""


def wanted(bits: int) -> Iterator[list[str]]:
    """Every game to prove: its name, then its options."""
    for kind in all_games():
        choices = [
            [f"{o.name}={value}" for value in o.choices] for o in kind.declared_options if isinstance(o, ChoiceOption)
        ]
        yield from ([kind.short, *chosen] for chosen in product(*choices))
    yield from (line.split() for line in LARGE)
    yield from (["battle", f"bits={count}", "table=open"] for count in range(1, min(bits, 4) + 1))
    yield from (["battle", f"bits={count}"] for count in range(1, bits + 1))


def run(*command: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run a program, and tell how long it took."""
    began = perf_counter()
    ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    return perf_counter() - began, ran


def prove(game: list[str], file: Path, changes: int) -> bool:
    """Make, check and change one certificate; tell in a line how that went, and whether all is well."""
    sets = [part for option in game[1:] for part in ("--set", option)]
    made, ran = run("-m", "bitduel", "prove", game[0], *sets, "-o", str(file))
    if ran.returncode:
        print(f"{' '.join(game):<52} NOT MADE: {ran.stderr.strip()}")
        return False
    script = str(ROOT / ran.stdout.split("python3 ")[1].split()[0])
    checked, verdict = run(script, str(file))
    data = json.loads(file.read_text())
    refused = [_is_refused(script, file, text) for text in _changes(data, changes)]
    false = _forgeries(Path(script), data, changes)
    unmasked = [_is_refused(script, file, text) for text in false]
    well = verdict.stdout.startswith("accepted") and verdict.returncode == 0 and all(refused) and all(unmasked)
    word = verdict.stdout.split(":")[0]
    print(
        f"{' '.join(game):<52} made {made:6.1f} s  {word} {checked:6.1f} s  "
        f"refused {sum(refused)} of {len(refused)} changes, {sum(unmasked)} of {len(false)} forgeries"
        f"{'' if well else '   WRONG'}",
        flush=True,
    )
    return well


def _changes(data: Any, count: int) -> list[str]:
    found = [text for text, _ in changed(data, most=count)]
    return Random(1).sample(found, min(count, len(found)))


def _forgeries(script: Path, data: Any, count: int) -> list[str]:
    """Return forged certificates that are consistent in themselves; none of the largest, which take too long."""
    return [] if len(json.dumps(data)) > MOST_FORGED else forged(script, data, count)


def _is_refused(script: str, file: Path, text: str) -> bool:
    other = file.with_suffix(".changed")
    other.write_text(text)
    _, ran = run(script, str(other))
    return ran.returncode == 1 and ran.stdout.startswith("refused: ")


def main() -> int:
    """Prove all that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bits", type=int, default=6, help="prove Binary Battle up to so many bits")
    parser.add_argument("--changes", type=int, default=5, help="change each certificate so many times")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        well = [prove(game, Path(folder) / "proof.json", chosen.changes) for game in wanted(chosen.bits)]
    print(f"{sum(well)} of {len(well)} are proved, and refused when changed or forged.")
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
