"""Draws the pictures of the documentation; `make pictures` runs it."""

from pathlib import Path

from bitduel.games.registry import find
from bitduel.rendering.charts import chart_svg
from bitduel.solver.atlas import atlas_chart, parse_axis, survey
from bitduel.solver.atlas import position_chart as whole
from bitduel.solver.evaluators import TableEvaluator

IMAGES = Path(__file__).parents[1] / "docs" / "images"

ATLASES = {
    "lost-targets-step-1": ("double", ["target=2..255"]),
    "lost-targets-step-2": ("64", ["target=2..255"]),
    "steps-and-targets": ("64", ["step=1..12", "target=2..40"]),
    "equilibrium-values": ("battle", ["bits=1..6"]),
}


def main() -> None:
    """Every picture, one file each."""
    IMAGES.mkdir(exist_ok=True)
    for name, (game, over) in ATLASES.items():
        kind = find(game)
        axes = [parse_axis(kind, text) for text in over]
        (IMAGES / f"{name}.svg").write_text(
            chart_svg(atlas_chart(kind, axes, survey(kind, axes, {}))), encoding="utf-8"
        )
    for game in ("64", "31"):
        picture = whole(TableEvaluator(find(game)()))
        assert picture
        (IMAGES / f"whole-{game}.svg").write_text(chart_svg(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
