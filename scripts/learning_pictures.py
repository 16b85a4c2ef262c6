"""Draws how the two worked examples learn; `make learning-pictures` runs it, and takes some minutes."""

import sys
from pathlib import Path

from bitduel import make
from scripts.curve import CurveAxis, curve_svg

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "examples"))


def learning() -> str:
    """Return the regret of the tabular learner, match by match."""
    from learn import learn

    points = [(float(matches), regret) for matches, regret in learn(make("double", target=50), every=2)]
    last = -(-int(points[-1][0]) // 100) * 100
    across = CurveAxis("matches played", [*range(0, last + 1, 100)])
    up = CurveAxis("points given away at a decision", (0, 0.1, 0.2, 0.3, 0.4, 0.5))
    return curve_svg("Double or Nothing to 50, learnt by playing oneself", points, across, up, (0, "perfect play"))


def equilibrium(most: int = 1000) -> tuple[str, str]:
    """How the value of CFR+ comes to ours, and how little a reply gains on its plan in the end."""
    from cfr import exact, learn

    moments = list(learn(3, most))
    across = CurveAxis("walks through the tree (CFR+)", (1, 10, 100, 1000), logarithmic=True)
    value = CurveAxis("value to the first player", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
    gain = CurveAxis("what best replies gain", (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1), logarithmic=True)
    title, goal = "Binary Battle of 3 bits, learnt by OpenSpiel", exact(3)
    return (
        curve_svg(title, [(each.walks, each.value) for each in moments], across, value, (goal, f"exactly {goal:.6f}")),
        curve_svg(f"{title}: how far from optimal", [(each.walks, each.gain) for each in moments], across, gain),
    )


def main() -> None:
    """One picture of the first example, two of the second."""
    (IMAGES / "learning.svg").write_text(learning(), encoding="utf-8")
    for name, picture in zip(("learning-battle", "learning-battle-gain"), equilibrium(), strict=True):
        (IMAGES / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
