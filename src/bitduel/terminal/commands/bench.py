"""`bitduel bench`: how fast everything is, beside how fast it could be."""

import json
from collections.abc import Iterator
from importlib import import_module

import click

from bitduel.core.figures import Figure
from bitduel.games import SHELF

EXAMPLES = """\b
Examples:
  bitduel bench
  bitduel bench solve terminal
  bitduel bench --json
"""

AREAS = {
    "games": ["bitduel.games.bench"],
    "rooms": [f"{kind.__module__.rpartition('.')[0]}.bench" for kind in SHELF],
    "solve": ["bitduel.solve.bench"],
    "store": ["bitduel.store.bench"],
    "terminal": ["bitduel.terminal.bench"],
    "web": ["bitduel.web.bench"],
}
"""Where the figures of each area are measured; named as text, for some areas come later in the house."""


@click.command("bench", epilog=EXAMPLES)
@click.argument("areas", nargs=-1, type=click.Choice(list(AREAS)), metavar="[AREA]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
def command(areas: tuple[str, ...], as_json: bool) -> None:
    """Measure every figure beside its near-limit in the same run, as ratios.

    Ratios can be compared between machines; rates and seconds cannot.
    """
    rows = []
    for figure in measure(areas or tuple(AREAS)):
        rows.append({**figure._asdict(), "ratio": figure.ratio})
        if not as_json:
            print(line(figure), flush=True)
    if as_json:
        print(json.dumps(rows, indent=2))


def measure(areas: tuple[str, ...]) -> Iterator[Figure]:
    """The figures of some areas, one after the other."""
    for area in areas:
        for name in AREAS[area]:
            try:
                module = import_module(name)
            except ModuleNotFoundError as error:
                if error.name != name:
                    raise
                continue
            yield from module.figures()


def line(figure: Figure) -> str:
    """A figure in one line."""
    values = f"{amount(figure.measured, figure.unit):>12}   {figure.limit_name} {amount(figure.limit, figure.unit):>10}"
    return f"{figure.name:<44} {values}   ratio {figure.ratio:.3g}"


def amount(value: float, unit: str) -> str:
    """A rate in millions, or a time in milliseconds."""
    if unit != "per second":
        return f"{value * 1e3:.1f} ms"
    return f"{value / 1e6:.2f} M/s" if value > 1e5 else f"{value:.0f} /s"
