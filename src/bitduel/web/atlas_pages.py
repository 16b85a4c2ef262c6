"""The pages about a game at every size: the atlas over one or two of its options, and its laws with their proofs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import prod
from threading import Lock
from time import thread_time
from typing import NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bitduel.core.errors import BitduelError, OptionError, TooLargeError
from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.options import ChoiceOption, IntegerOption, Option, OptionValue
from bitduel.core.phrases import evaluation_phrase
from bitduel.core.picture import PER_ROW, Chart, ChartCell
from bitduel.games.registry import GameClass, find
from bitduel.rendering.charts import SIGN, chart_map, chart_svg
from bitduel.service.new_match import check_options, within_limits
from bitduel.solver.atlas import OptionAxis, atlas_chart, parse_axis, survey
from bitduel.web.http.quotas import TooManyError
from bitduel.web.http.worker_pools import SURVEYING
from bitduel.web.site import SitePages

MOST_CELLS = 1200
"""Games that are drawn on one page."""
MOST_SECONDS = 5.0
"""Seconds of processor time that one survey may take."""
PATIENCE = 5.0
"""Seconds to wait for the survey of another visitor."""
NARROW = PER_ROW // 2
"""Cells in a row of a narrow window."""
RANGE_SIGNS = ("\N{HORIZONTAL ELLIPSIS}", "\N{EN DASH}", "-", " to ")
MEANING = {WIN: "the first player wins", LOSS: "the first player loses", DRAW: "a draw"}
SUMMARY = {WIN: "the first player wins {}", LOSS: "loses {}", DRAW: "draws {}"}
SurveyForm = Mapping[str, str]
"""The text that a form has for each option: a value, a range, or a list."""
_survey_lock = Lock()


class AtlasPages(SitePages):
    """The endpoints about all sizes of a game."""

    async def atlas(self, request: Request) -> Response:
        """Show who wins over one or two options."""
        kind, form = _requested(request)
        return await SURVEYING.run(self.shared, request, self._atlas, kind, form)

    async def picture(self, request: Request) -> Response:
        """Send the same as a picture of its own."""
        return await SURVEYING.run(self._picture, *_requested(request))

    async def laws(self, request: Request) -> Response:
        """Show the proved laws of a game."""
        kind = find(request.path_params["slug"])
        return self.shared(request, self._laws, kind)

    def _atlas(self, kind: GameClass, form: SurveyForm) -> HTMLResponse:
        error, atlas = None, None
        try:
            atlas = Atlas(kind, form)
        except BitduelError as caught:
            error = caught
        return self.site.page(
            "atlas.html",
            game=kind,
            atlas=atlas,
            options=[within_limits(option) for option in kind.declared_options if not option.is_secret],
            form=form,
            presets=presets(kind, form),
            laws=kind().words.laws(),
            error=error,
            signs=SIGN,
            meaning=MEANING,
            order=(WIN, LOSS, DRAW),
            evaluation_phrase=evaluation_phrase,
        )

    def _laws(self, kind: GameClass) -> HTMLResponse:
        return self.site.page("laws.html", game=kind, laws=kind().words.laws())

    def _picture(self, kind: GameClass, form: SurveyForm) -> Response:
        return Response(chart_svg(Atlas(kind, form).chart), media_type="image/svg+xml")


def _requested(request: Request) -> tuple[GameClass, SurveyForm]:
    kind = find(request.path_params["slug"])
    return kind, survey_form(request.query_params.multi_items()) or default_survey(kind)


class AtlasPreset(NamedTuple):
    """A survey that the game proposes."""

    text: str
    url: str
    is_current: bool


class Atlas:
    """A survey, drawn and in words; raises OptionError for one that is too large or not a survey at all."""

    def __init__(self, kind: GameClass, form: SurveyForm) -> None:
        self._kind = kind
        axes, self._fixed = _parse(kind, form)
        self._over = {each.name: _values_text(each) for each in axes}
        self._changed = {name: value for name, value in self._fixed.items() if value != _default(kind, name)}
        self.chart = _labelled(kind, axes, draw_chart(kind, tuple(axes), tuple(self._fixed.items())))
        self._cells = [cell for row in self.chart.cells for cell in row if cell]
        self.values = {cell.evaluation.value for cell in self._cells if cell.evaluation.value}
        self.over = _in_words(kind, self._over)
        self.settings = ", ".join(_option(kind, name).after_title(value) for name, value in self._changed.items())
        self.query = _query({**self._changed, **self._over})

    @cached_property
    def maps(self) -> list[Markup]:
        """The picture for a wide window and, if it is folded, for a narrow one."""
        is_folded = not self.chart.down and len(self.chart.across) > NARROW
        widths = (PER_ROW, NARROW) if is_folded else (PER_ROW,)
        return [chart_map(self.chart, self._link, self._name, width) for width in widths]

    def _link(self, cell: ChartCell) -> str:
        return f"/games/{self._kind.slug}/position?{_query({**self._fixed, **_cell_options(cell)})}"

    def _name(self, cell: ChartCell) -> str:
        settings = [(_option(self._kind, name), value) for name, value in _cell_options(cell).items()]
        words = ", ".join(f"{option.label}: {option.describe(option.parse(value))}" for option, value in settings)
        return f"{words}. {evaluation_phrase(cell.evaluation).capitalize()}"

    @property
    def summary(self) -> str:
        """The number of games, and how they end."""
        counts = Counter(cell.evaluation.value for cell in self._cells if cell.evaluation.value)
        chances = [c.evaluation.win_probability for c in self._cells if c.evaluation.win_probability is not None]
        if counts:
            parts = [words.format(counts[value]) for value, words in SUMMARY.items() if counts[value]]
            return f"{len(self._cells)} games: {', '.join(parts)}."
        if not chances:
            return "There is no such game."
        lowest, highest = min(chances), max(chances)
        return f"{len(self._cells)} games: the first player wins {lowest:.0%} to {highest:.0%} of the time."


def survey_form(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the options in a query; several boxes of one option make a list."""
    fields: dict[str, list[str]] = {}
    for name, value in items:
        if name.startswith("opt-") and value.strip():
            fields.setdefault(name[4:], []).append(value.strip())
    return {name: ",".join(values) for name, values in fields.items()}


def default_survey(kind: GameClass) -> SurveyForm:
    """Return the first survey that the game proposes, or one over its first size."""
    if kind.surveys:
        return kind.surveys[0]
    for option in kind.declared_options:
        if isinstance(option, IntegerOption):
            high = min(
                option.high, option.quick_limit or option.high, max(option.default, option.low + 4 * PER_ROW - 1)
            )
            return {option.name: f"{option.low}..{high}"}
    first = kind.declared_options[0] if kind.declared_options else None
    return {first.name: ",".join(map(str, first.choices))} if isinstance(first, ChoiceOption) else {}


def presets(kind: GameClass, form: SurveyForm) -> list[AtlasPreset]:
    """Return the surveys that the game proposes."""
    current = {name: text for name, text in form.items() if text != str(_default(kind, name))}
    return [AtlasPreset(_in_words(kind, each), f"?{_query(each)}", dict(each) == current) for each in kind.surveys]


@lru_cache(maxsize=64)
def draw_chart(kind: GameClass, axes: tuple[OptionAxis, ...], fixed: tuple[tuple[str, OptionValue], ...]) -> Chart:
    """Return the chart of a survey; only one is computed at a time, within the limit of a page."""
    if not _survey_lock.acquire(timeout=PATIENCE):
        raise TooManyError("The site is busy drawing other maps. Please try again in a minute.")
    try:
        start = thread_time()

        def check_time(_done: int) -> None:
            if thread_time() - start > MOST_SECONDS:
                raise TooLargeError("That takes too long here. Try fewer or smaller values.")

        return atlas_chart(kind, axes, survey(kind, axes, dict(fixed), check_time, table_limit=0))
    finally:
        _survey_lock.release()


def _parse(kind: GameClass, form: SurveyForm) -> tuple[list[OptionAxis], dict[str, OptionValue]]:
    """Return the axes and the fixed options; of two axes the shorter is first and goes down."""
    axes, fixed = [], {}
    for name, text in form.items():
        axis = parse_axis(kind, f"{name}={_plain_range(text)}")
        values = tuple(dict.fromkeys(axis.values))
        _check_count(len(values))
        for value in values:
            check_options(kind.declared_options, {axis.name: value})
        if len(values) == 1:
            fixed[axis.name] = values[0]
        else:
            axes.append(OptionAxis(axis.name, values))
    if not axes:
        raise OptionError("Vary one or two settings: enter a range such as 2..50, or a list such as 1, 2, 5.")
    if len(axes) > 2:
        raise OptionError(f"You can vary at most two settings, not {len(axes)}.")
    axes.sort(key=lambda each: len(each.values))
    _check_count(prod(len(each.values) for each in axes))
    return axes, fixed


def _check_count(count: int) -> None:
    if count > MOST_CELLS:
        raise OptionError(f"That would be {count:,} games. A map can have at most {MOST_CELLS:,}.")


def _plain_range(text: str) -> str:
    """Return a range with two dots, in whichever of the usual ways it is written."""
    for sign in RANGE_SIGNS:
        low, separator, high = text.partition(sign)
        if separator and f"{low}{high}".isascii() and low.strip().isdigit() and high.strip().isdigit():
            return f"{low.strip()}..{high.strip()}"
    return text


def _default(kind: GameClass, name: str) -> OptionValue | None:
    return next((option.default for option in kind.declared_options if option.name == name), None)


def _values_text(axis: OptionAxis) -> str:
    first, last = axis.values[0], axis.values[-1]
    if isinstance(first, int) and axis.values == tuple(range(first, int(last) + 1)):
        return f"{first}..{last}"
    return ",".join(map(str, axis.values))


def _cell_options(cell: ChartCell) -> dict[str, str]:
    pairs = (part.partition("=") for part in cell.key.split(","))
    return {name: value for name, _, value in pairs}


def _query(options: Mapping[str, object]) -> str:
    return urlencode({f"opt-{name}": value for name, value in options.items()}, quote_via=quote, safe=",")


def _in_words(kind: GameClass, form: SurveyForm) -> str:
    """Return a survey in words: 'Target: 2 to 127'; of a setting that takes all its values only the label."""
    parts = []
    for name, values in form.items():
        option, words = _option(kind, name), values.replace("..", " to ").replace(",", ", ")
        is_whole = isinstance(option, ChoiceOption) and values.count(",") + 1 == len(option.choices)
        parts.append(option.label if is_whole else f"{option.label}: {words}")
    return " \N{MIDDLE DOT} ".join(parts)


def _option(kind: GameClass, name: str) -> Option:
    return next(option for option in kind.declared_options if option.name == name)


def _labelled(kind: GameClass, axes: Sequence[OptionAxis], chart: Chart) -> Chart:
    """Return the chart with its axes in words; a choice is named as it is after the title of the game."""
    labels = [tuple(_short_value(_option(kind, axis.name), value) for value in axis.values) for axis in axes]
    titles = [_option(kind, axis.name).label for axis in axes]
    if len(axes) == 1:
        return chart._replace(across=labels[0], across_title=titles[0])
    return chart._replace(across=labels[1], across_title=titles[1], down=labels[0], down_title=titles[0])


def _short_value(option: Option, value: OptionValue) -> str:
    if not isinstance(option, ChoiceOption):
        return str(value)
    return "usual" if value == option.default else option.after_title(value)
