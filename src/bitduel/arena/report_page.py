"""A report as HTML: the pieces of it for any page, and one page that needs nothing else."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from bitduel import __version__
from bitduel.arena.blunder_positions import BlunderPosition, steps
from bitduel.arena.game_record import GameRecord
from bitduel.arena.intervals import Estimate
from bitduel.arena.names import called
from bitduel.arena.report import Report, TitleReport
from bitduel.arena.report_pictures import bars_svg, strength_svg
from bitduel.arena.report_words import summary
from bitduel.core.errors import shown
from bitduel.core.extras import extra
from bitduel.rendering.board import picture_svg
from bitduel.rendering.style import style_sheet

if TYPE_CHECKING:
    from jinja2 import Environment

LONGEST_NAME = 60
MOST_MOVES = 120
"""So many moves of a game are listed."""
NONE = "-"


class Dear(NamedTuple):
    """The dearest move that was seen in a game, with the board before it."""

    id: str
    player: str
    move: str
    loss: float
    ply: int
    picture: Markup


@cache
def _templates() -> "Environment":
    with extra("web", "A report as a page"):
        from jinja2 import Environment, PackageLoader

    made = Environment(loader=PackageLoader("bitduel.arena"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.globals.update(
        name=_name,
        percent=percent,
        seconds=seconds,
        short=_short,
        lean=_lean,
        shade=_shade,
        ending=ending,
        moves=_moves,
        most_moves=MOST_MOVES,
        bars=_bars,
        dearest=_dearest,
        strength_svg=strength_svg,
        bars_svg=bars_svg,
        version=__version__,
    )
    return made


def sheet() -> str:
    """The style sheet of the pieces."""
    return _sheet("report.css")


def _sheet(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def body(report: Report) -> Markup:
    """All sections of a report, for a page that has the style sheets."""
    ends = [bar.ends[1] for title in report.titles for _, bar in _bars(title)]
    context: dict[str, Any] = {
        "report": report,
        "sentences": summary(report),
        "most": max(ends, default=1.0),
        "order": [each.player for each in report.measured],
    }
    return Markup(_templates().get_template("report.html").render(context))


def page(report: Report) -> str:
    """One page that needs nothing from anywhere."""
    style = Markup("\n".join([style_sheet(), _sheet("page.css"), sheet()]))
    return _templates().get_template("page.html").render(report=report, style=style, body=body(report))


def percent(part: float) -> str:
    """A part of one as people say it; next to nothing is not nothing."""
    if 0 < part < 0.0095 or 0.9905 < part < 1:
        return f"{100 * part:.1f}%"
    return f"{100 * part:.0f}%"


def seconds(time: float | None) -> str:
    """A time as people say it."""
    if time is None:
        return NONE
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if time >= size:
            return f"{time / size:.3g} {unit}"
    return f"{time * 1e6:.0f} µs"


def ending(row: GameRecord) -> str:
    """How a game ended, in a few words."""
    if row.winner is None:
        return f"drawn ({shown(row.reason)})"
    return f"won by {_name(row.seats[row.winner - 1])} ({shown(row.reason)})"


def _name(text: object) -> str:
    """A stranger's text, printable and not too long."""
    return called(text, LONGEST_NAME)


def _short(mean: float) -> str:
    """A mean in little room."""
    return "0" if mean == 0 else "<.01" if mean < 0.005 else f"{mean:.2f}".removeprefix("0")


def _lean(score: float) -> str:
    """Which shade a score has: to either side of one half."""
    steps = min(3, 1 + int(abs(score - 0.5) * 6)) if abs(score - 0.5) >= 0.02 else 0
    return f"{'more' if score > 0.5 else 'less'}-{steps}" if steps else "even"


def _shade(place: BlunderPosition) -> str:
    """Which shade a place has: the more was given away there the deeper."""
    return "even" if place.mean < 0.005 else f"less-{1 + (place.mean >= 0.1) + (place.mean >= 0.3)}"


def _moves(row: GameRecord) -> list[tuple[str, float | None]]:
    return list(zip(row.moves, row.losses, strict=True))[:MOST_MOVES]


def _bars(title: TitleReport) -> list[tuple[str, Estimate]]:
    return [(each.player, each.play.regret) for each in title.measured if each.play.regret]


def _dearest(title: TitleReport) -> Dear | None:
    """The move that gave away most among the games that were looked at."""
    lost = [(max((loss or 0.0 for loss in row.losses), default=0.0), at) for at, row in enumerate(title.sample)]
    most, at = max(lost, key=lambda each: (each[0], -each[1]), default=(0.0, 0))
    if title.game is None or most <= 0:
        return None
    row = title.sample[at]
    ply = next(ply for ply, loss in enumerate(row.losses, 1) if loss == most)
    for player, loss, picture, _, move in steps(title.game, row):
        if loss == most:
            return Dear(row.id, player, move, loss, ply, picture_svg(picture))
    return None
