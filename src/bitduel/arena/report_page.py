"""A report as HTML with SVG charts: sections for any page, and one complete page."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from bitduel import __version__
from bitduel.arena.game_record import GameRecord
from bitduel.arena.intervals import Estimate
from bitduel.arena.report import BlunderPlace, Report, TitleReport, replay_choices
from bitduel.arena.report_text import summary
from bitduel.arena.schedule import short_name
from bitduel.arena.strength import Strength
from bitduel.core.errors import RequiredExtra, printable
from bitduel.rendering.board import picture_svg
from bitduel.rendering.svg import join, rounded, style_sheet, tag, text_at, translate

if TYPE_CHECKING:
    from jinja2 import Environment

NAME_WIDTH = 60
MAX_MOVES = 120
"""Moves of a game that are listed."""
CHART_WIDTH, ROW_HEIGHT, BASELINE, MARGIN = 300, 40, 16, 14
CHART_NAME_WIDTH = 28


class CostliestMove(NamedTuple):
    """The most costly move of a game, with the board before it."""

    id: str
    player: str
    move: str
    loss: float
    ply: int
    picture: Markup


@cache
def _templates() -> "Environment":
    with RequiredExtra("web", "A report as a page"):
        from jinja2 import Environment, PackageLoader

    loader = PackageLoader("bitduel.arena")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(
        name=_name,
        percent=percent,
        seconds=seconds,
        short=_short_mean,
        score_class=_score_class,
        loss_class=_loss_class,
        ending=ending,
        moves=_moves,
        max_moves=MAX_MOVES,
        bars=_bars,
        costliest_move=_costliest_move,
        strength_svg=strength_svg,
        bars_svg=bars_svg,
        version=__version__,
    )
    return environment


def sheet() -> str:
    """Return the style sheet of the sections."""
    return _sheet("report.css")


def _sheet(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def body(report: Report) -> Markup:
    """Return all sections of a report, for a page that has the style sheets."""
    ends = [bar.ends[1] for title in report.titles for _, bar in _bars(title)]
    context: dict[str, Any] = {
        "report": report,
        "sentences": summary(report),
        "most": max(ends, default=1.0),
        "order": [each.player for each in report.measured],
    }
    return Markup(_templates().get_template("report.html").render(context))


def page(report: Report) -> str:
    """Return a complete page that loads nothing else."""
    style = Markup("\n".join([style_sheet(), _sheet("page.css"), sheet()]))
    return _templates().get_template("page.html").render(report=report, style=style, body=body(report))


def percent(part: float) -> str:
    """Return a share as a percentage, with a decimal near 0 and 100."""
    if 0 < part < 0.0095 or 0.9905 < part < 1:
        return f"{100 * part:.1f}%"
    return f"{100 * part:.0f}%"


def seconds(time: float | None) -> str:
    """Return a time in the unit that fits it."""
    if time is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if time >= size:
            return f"{time / size:.3g} {unit}"
    return f"{time * 1e6:.0f} µs"


def ending(row: GameRecord) -> str:
    """Return how a game ended, in a few words."""
    if row.winner is None:
        return f"drawn ({printable(row.reason)})"
    return f"won by {_name(row.seats[row.winner - 1])} ({printable(row.reason)})"


def _name(text: object) -> str:
    return short_name(text, NAME_WIDTH)


def _short_mean(mean: float) -> str:
    return "0" if mean == 0 else "<.01" if mean < 0.005 else f"{mean:.2f}".removeprefix("0")


def _score_class(score: float) -> str:
    """Return the shade of a score, to either side of one half."""
    steps = min(3, 1 + int(abs(score - 0.5) * 6)) if abs(score - 0.5) >= 0.02 else 0
    return f"{'more' if score > 0.5 else 'less'}-{steps}" if steps else "even"


def _loss_class(place: BlunderPlace) -> str:
    """Return the shade of a place: the larger the loss, the deeper."""
    return "even" if place.mean < 0.005 else f"less-{1 + (place.mean >= 0.1) + (place.mean >= 0.3)}"


def _moves(row: GameRecord) -> list[tuple[str, float | None]]:
    return list(zip(row.moves, row.losses, strict=True))[:MAX_MOVES]


def _bars(title: TitleReport) -> list[tuple[str, Estimate]]:
    return [(each.player, each.play.regret_per_decision) for each in title.measured if each.play.regret_per_decision]


def _costliest_move(title: TitleReport) -> CostliestMove | None:
    """Return the most costly move among the sampled games."""
    losses = [(max((loss or 0.0 for loss in row.losses), default=0.0), at) for at, row in enumerate(title.sample)]
    most, at = max(losses, key=lambda each: (each[0], -each[1]), default=(0.0, 0))
    if title.game is None or most <= 0:
        return None
    row = title.sample[at]
    ply = next(ply for ply, loss in enumerate(row.losses, 1) if loss == most)
    for player, loss, picture, _, move in replay_choices(title.game, row):
        if loss == most:
            return CostliestMove(row.id, player, move, loss, ply, picture_svg(picture))
    return None


def strength_svg(players: Sequence[Strength], title: str) -> Markup:
    """Draw each strength as a dot on a line as long as its interval, above one scale."""
    low = min(0.0, *(each.points.ends[0] for each in players))
    high = max(0.0, *(each.points.ends[1] for each in players))
    zero = _x(0, low, high)
    height = ROW_HEIGHT * len(players) + 24
    ticks = "".join(f"M{zero} {ROW_HEIGHT * at + 21}v14" for at in range(len(players)))
    grid = tag("path", class_="zero", d=ticks)
    mean = text_at(float(zero), height - 6, "0", "tick", text_anchor="middle")
    values = "; ".join(f"{printable(each.player)}: {_signed(each.points)}" for each in players)
    return _svg(height, f"{title}. {values}.", grid + _rows([_strength(each, low, high) for each in players]) + mean)


def _strength(each: Strength, low: float, high: float) -> Markup:
    left, right = (_x(value, low, high) for value in each.points.ends)
    line = Markup("")
    if not each.points.is_open:
        line = tag("path", class_="reach", d=f"M{left} 28H{right}M{left} 24V32M{right} 24V32")
    dot = tag("circle", class_="dot", cx=_x(each.points.value, low, high), cy=28, r=5)
    return _label(each.player, f"{each.points.value:+.0f}") + line + dot


def _signed(points: Estimate) -> str:
    return f"{points.value:+.0f}" if points.is_open else "{:+.0f}, from {:+.0f} to {:+.0f}".format(*points)


def _x(value: float, low: float, high: float) -> str:
    return rounded(MARGIN + (CHART_WIDTH - 2 * MARGIN) * (value - low) / ((high - low) or 1))


def bars_svg(bars: Sequence[tuple[str, Estimate]], title: str, most: float) -> Markup:
    """Draw a bar for each player, with the interval as a thin line over it and the number beside the name."""
    values = "; ".join(f"{printable(name)}: {estimate.value:.3f}" for name, estimate in bars)
    return _svg(ROW_HEIGHT * len(bars), f"{title}. {values}.", _rows([_bar(*bar, most) for bar in bars]))


def _bar(name: str, estimate: Estimate, most: float) -> Markup:
    low, high = estimate.ends
    left, end, right = (
        rounded((CHART_WIDTH - 2) * min(1, value / (most or 1))) for value in (low, estimate.value, high)
    )
    groove = tag("rect", class_="groove", x=0, y=22, width=CHART_WIDTH, height=10, rx=3)
    bar = tag("rect", class_="bar", x=0, y=22, width=end, height=10, rx=3)
    line = tag("path", class_="reach", d=f"M{left} 27H{right}") if high > low else Markup("")
    return _label(name, f"{estimate.value:.3f}") + groove + bar + line


def _label(player: str, value: str) -> Markup:
    number = text_at(CHART_WIDTH, BASELINE, value, "value", text_anchor="end")
    return text_at(0, BASELINE, printable(player, CHART_NAME_WIDTH), "who") + number


def _rows(rows: Sequence[Markup]) -> Markup:
    return join(tag("g", row, transform=translate(0, ROW_HEIGHT * at)) for at, row in enumerate(rows))


def _svg(height: float, description: str, content: Markup) -> Markup:
    box = f"0 0 {CHART_WIDTH} {rounded(height)}"
    return tag("svg", tag("title", description), content, class_="plot", viewBox=box, role="img")
