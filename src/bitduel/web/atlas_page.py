"""The atlas of a game as typed data: who wins over one or two of its options, each cell the way to a game."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod
from threading import Lock
from time import thread_time
from typing import NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.errors import OptionError, TooLargeError
from bitduel.core.evaluation import DRAW, LOSS, WIN, Value
from bitduel.core.hints import told
from bitduel.core.options import Choice, Option, Setting, Whole
from bitduel.core.picture import PER_ROW, Chart, Spot
from bitduel.games import Kind
from bitduel.rendering.chart import chart_map
from bitduel.service.new_match import check_here
from bitduel.solver.atlas import OptionAxis, axis, chart, survey
from bitduel.web.quotas import TooManyError

MOST_CELLS = 1200
"""So many games are drawn on one page."""
MOST_SECONDS = 5.0
"""So long a survey may compute, however busy the machine is with others."""
PATIENCE = 5.0
"""Seconds to wait for the survey that somebody else has asked for."""
NARROW = PER_ROW // 2
"""Cells in a row where the window is narrow."""
RANGE_SIGNS = ("\N{HORIZONTAL ELLIPSIS}", "\N{EN DASH}", "-", " to ")
Given = Mapping[str, str]
"""What a form says of every option: a value, a range, or a list."""
SUMMARY = {WIN: "the player who starts wins {}", LOSS: "loses {}", DRAW: "draws {}"}
_one_at_a_time = Lock()


class OptionField(NamedTuple):
    """An option as a field: a text that takes ranges, or a box to tick for each choice."""

    name: str
    option: str
    help: str
    value: str
    choices: tuple[tuple[Setting, str, bool], ...] = ()


class AtlasPreset(NamedTuple):
    """A survey that is worth a look."""

    text: str
    url: str
    here: bool


class Atlas(NamedTuple):
    """A survey, drawn and in words."""

    chart: Chart
    maps: tuple[Markup, ...]
    """The picture, for a wide window and, where it is folded, for a narrow one."""
    values: frozenset[Value]
    summary: str
    over: str
    settings: str
    command: str
    query: str


def given_in(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What a query says of the options; several boxes of one option make a list."""
    found: dict[str, list[str]] = {}
    for name, value in items:
        if name.startswith("opt-") and value.strip():
            found.setdefault(name[4:], []).append(value.strip())
    return {name: ",".join(values) for name, values in found.items()}


def usual(kind: Kind) -> Given:
    """What is drawn for somebody who has not said: the game's own choice, or its first size."""
    if kind.surveys:
        return kind.surveys[0]
    whole = next((option for option in kind.declared if isinstance(option, Whole)), None)
    if whole is None:
        return {
            option.name: ",".join(map(str, option.choices))
            for option in kind.declared[:1]
            if isinstance(option, Choice)
        }
    high = min(whole.high, whole.quick or whole.high, max(int(whole.default), whole.low + 4 * PER_ROW - 1))
    return {whole.name: f"{whole.low}..{high}"}


def fields(kind: Kind, given: Given) -> list[OptionField]:
    """The form, as it was filled in."""
    return [
        _field(option, given.get(option.name, str(option.default))) for option in kind.declared if not option.secret
    ]


def presets(kind: Kind, given: Given) -> list[AtlasPreset]:
    """The surveys that the game itself proposes."""
    asked = {name: text for name, text in given.items() if text != str(_usual_value(kind, name))}
    return [AtlasPreset(_said(each), f"?{_query(each)}", dict(each) == asked) for each in kind.surveys]


def atlas(kind: Kind, given: Given) -> Atlas:
    """The survey that was asked for; raises OptionError for what is too much or no survey at all."""
    axes, fixed = _read(kind, given)
    found = drawn(kind, tuple(axes), tuple(fixed.items()))

    def link(spot: Spot) -> str:
        return f"/games/{kind.slug}/position?{_query({**fixed, **_options(spot)})}"

    folds = not found.down and len(found.across) > NARROW
    sizes = (PER_ROW, NARROW) if folds else (PER_ROW,)
    over = {each.name: _values(each) for each in axes}
    changed = {name: value for name, value in fixed.items() if value != _usual_value(kind, name)}
    return Atlas(
        chart=found,
        maps=tuple(chart_map(found, link, cell_name, size) for size in sizes),
        values=frozenset(spot.worth.value for row in found.spots for spot in row if spot and spot.worth.value),
        summary=_summary(found),
        over=_said(over),
        settings=", ".join(f"{name}={value}" for name, value in changed.items()),
        command=" ".join(
            [f"bitduel atlas {kind.short}", *(f"--over {n}={v}" for n, v in over.items())]
            + [f"--set {n}={v}" for n, v in changed.items()]
        ),
        query=_query({**changed, **over}),
    )


def cell_name(spot: Spot) -> str:
    """What a cell says to those who do not see it."""
    return f"{', '.join(f'{name} {value}' for name, value in _options(spot).items())}: {told(spot.worth)}"


@lru_cache(maxsize=64)
def drawn(kind: Kind, axes: tuple[OptionAxis, ...], fixed: tuple[tuple[str, Setting], ...]) -> Chart:
    """The chart of a survey, kept; one is made at a time, and none for longer than a page may take."""
    if not _one_at_a_time.acquire(timeout=PATIENCE):
        raise TooManyError("Others are waiting for their atlas. Please try again in a minute.")
    try:
        began = thread_time()

        def watch(_done: int) -> None:
            if thread_time() - began > MOST_SECONDS:
                raise TooLargeError("That takes too long here. Choose fewer values, or smaller ones.")

        return chart(kind, axes, survey(kind, axes, dict(fixed), watch, most=0))
    finally:
        _one_at_a_time.release()


def _read(kind: Kind, given: Given) -> tuple[list[OptionAxis], dict[str, Setting]]:
    """What varies and what does not; of two that vary the first goes down and the second across."""
    axes, fixed = [], {}
    for name, text in given.items():
        found = axis(kind, f"{name}={_plain(text)}")
        values = tuple(dict.fromkeys(found.values))
        _check_count(len(values))
        for value in values:
            check_here(kind.declared, {found.name: value})
        if len(values) == 1:
            fixed[found.name] = values[0]
        else:
            axes.append(OptionAxis(found.name, values))
    if not axes:
        raise OptionError("Let one or two options vary: a range such as 2..50, or a list such as 1, 2, 5.")
    if len(axes) > 2:
        raise OptionError(f"At most two options can vary, not {len(axes)}.")
    axes.sort(key=lambda each: len(each.values))
    _check_count(prod(len(each.values) for each in axes))
    return axes, fixed


def _check_count(count: int) -> None:
    if count > MOST_CELLS:
        raise OptionError(f"That would be {count:,} games; one page takes at most {MOST_CELLS:,}.")


def _plain(text: str) -> str:
    """A range however it is written."""
    for sign in RANGE_SIGNS:
        low, found, high = text.partition(sign)
        if found and f"{low}{high}".isascii() and low.strip().isdigit() and high.strip().isdigit():
            return f"{low.strip()}..{high.strip()}"
    return text


def _field(option: Option, value: str) -> OptionField:
    name = f"opt-{option.name}"
    if isinstance(option, Choice):
        ticked = value.split(",")
        boxes = tuple((each, meaning, str(each) in ticked) for each, meaning in option.choices.items())
        return OptionField(name, option.name, option.help, value, boxes)
    limits = (
        f"; {option.low:,} to {min(option.high, option.quick or option.high):,}" if isinstance(option, Whole) else ""
    )
    return OptionField(name, option.name, f"{option.help}{limits}", value)


def _usual_value(kind: Kind, name: str) -> Setting | None:
    return next((option.default for option in kind.declared if option.name == name), None)


def _values(each: OptionAxis) -> str:
    """The values of an axis as they are written."""
    first, last = each.values[0], each.values[-1]
    if isinstance(first, int) and each.values == tuple(range(first, int(last) + 1)):
        return f"{first}..{last}"
    return ",".join(map(str, each.values))


def _options(spot: Spot) -> dict[str, str]:
    pairs = (part.partition("=") for part in spot.key.split(","))
    return {name: value for name, _, value in pairs}


def _query(options: Mapping[str, object]) -> str:
    return urlencode({f"opt-{name}": value for name, value in options.items()}, quote_via=quote, safe=",")


def _said(survey_: Mapping[str, str]) -> str:
    """A survey in words: 'target 2 to 127'."""
    parts = [f"{name} {values.replace('..', ' to ').replace(',', ', ')}" for name, values in survey_.items()]
    return " and ".join(parts)


def _summary(found: Chart) -> str:
    spots: Sequence[Spot] = [spot for row in found.spots for spot in row if spot]
    counts = Counter(spot.worth.value for spot in spots if spot.worth.value)
    if not counts:
        chances = [spot.worth.win_probability for spot in spots if spot.worth.win_probability is not None]
        if not chances:
            return "No game is like that."
        return (
            f"{len(spots)} games: the player who starts wins with probability {min(chances):.3f} to {max(chances):.3f}."
        )
    parts = [words.format(counts[value]) for value, words in SUMMARY.items() if counts[value]]
    return f"{len(spots)} games: {', '.join(parts)}."
