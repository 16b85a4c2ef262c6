"""Draws how the two worked examples learn; `make learning-pictures` runs it, and takes some minutes."""

import sys
from pathlib import Path

from bitduel import make
from bitduel.paint.curve import Axis, curve_svg

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "examples"))


def learning() -> str:
    """What the tabular learner gives away, match by match."""
    from learn import learn

    points = [(float(matches), regret) for matches, regret in learn(make("double", target=50), every=2)]
    last = -(-int(points[-1][0]) // 100) * 100
    across = Axis("matches played", [*range(0, last + 1, 100)])
    up = Axis("points given away at a decision", (0, 0.1, 0.2, 0.3, 0.4, 0.5))
    return curve_svg("Double or Nothing to 50, learnt by playing oneself", points, across, up, (0, "perfect play"))


def equilibrium(most: int = 500) -> str:
    """How near the average plan of CFR+ comes to what no reply can gain on."""
    from cfr import learn

    points = [(float(moment.walks), moment.gain) for moment in learn(3, most)]
    across = Axis("walks through the tree (CFR+)", (1, 10, 100, 1000), logarithmic=True)
    up = Axis("what best replies gain", (1e-4, 1e-3, 1e-2, 1e-1, 1), logarithmic=True)
    return curve_svg("Binary Battle of 3 bits, learnt by OpenSpiel", points, across, up)


def main() -> None:
    """Both pictures."""
    (IMAGES / "learning.svg").write_text(learning(), encoding="utf-8")
    (IMAGES / "learning-battle.svg").write_text(equilibrium(), encoding="utf-8")


if __name__ == "__main__":
    main()
