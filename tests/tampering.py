"""Certificates checked by the standalone scripts, and changed in one place at a time."""

import io
import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

CHECKERS = Path(__file__).parents[1] / "checkers"

Where = tuple[Any, ...]


@cache
def _code(script: Path) -> Any:
    return compile(script.read_text(encoding="utf-8"), str(script), "exec")


def accepts(script: Path, text: str, folder: Path) -> bool:
    """Whether a script accepts a text as certificate; run in this process, or thousands would take long."""
    file = folder / "certificate.json"
    file.write_text(text, encoding="utf-8")
    out = io.StringIO()
    with patch.object(sys, "argv", [str(script), str(file)]), patch.object(sys, "excepthook"), redirect_stdout(out):
        try:
            # A script that ends with the process leaves it to that to close its file.
            with warnings.catch_warnings(action="ignore", category=ResourceWarning):
                exec(_code(script), {"__name__": "__main__"})
        except (Exception, SystemExit):
            return False
    return out.getvalue().startswith("accepted: ")


def changed(data: Any, most: int = 10**9, seed: int = 1) -> Iterator[tuple[str, str]]:
    """The data with one place changed, as text, and what was changed; all places, or so many of them by chance."""
    places = list(_places(data, ()))
    for where in places if len(places) <= most else Random(seed).sample(places, most):
        yield from _changes(data, where)


def _places(data: Any, where: Where) -> Iterator[Where]:
    yield where
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, inside in pairs:
        yield from _places(inside, (*where, step))


def _changes(data: Any, where: Where) -> Iterator[tuple[str, str]]:
    inside = data
    for step in where:
        inside = inside[step]
    for other in _others(inside):
        if json.dumps(other) != json.dumps(inside):
            yield json.dumps(_put(data, where, other)), f"{where}: {inside!r:.40} becomes {other!r:.40}"
    if isinstance(inside, dict) and inside:
        name = next(reversed(inside))
        again = json.dumps({name: inside[name]})[1:]
        mark = "a place for another entry"
        twice = json.dumps(_put(data, where, {**inside, mark: 0})).replace(f'"{mark}": 0}}', again)
        yield twice, f"{where}: {name!r} comes twice"


def _put(data: Any, where: Where, value: Any) -> Any:
    if not where:
        return value
    copy = deepcopy(data)
    inside = copy
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    return copy


def _others(value: Any) -> Iterator[Any]:
    """What might stand there instead: a neighbour, the same of another type, less, or more."""
    yield from (None, [], {}, [value])
    if isinstance(value, dict):
        names = list(value)
        for name in {*names[:1], *names[-1:]}:
            yield {other: value[other] for other in names if other != name}
            yield {f"{other}1" if other == name else other: value[other] for other in names}
            yield {f" {other}" if other == name else other: value[other] for other in names}
        yield {**value, "more": 1}
        yield {**value, "9 9 9 9": ["loss", 2, []]}
    elif isinstance(value, list):
        yield from (value[1:], value[:-1], [*value, *value[-1:]], value[::-1])
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, value + 2, float(value), str(value), bool(value), float("nan"))
    elif isinstance(value, str):
        yield from ("", f"{value} ", f" {value}", f"{value}0", value.upper(), value.swapcase()[::-1], 0, True)
        yield from ({"win": "loss", "loss": "win", "draw": "win"}.get(value, "draw"), "add", "double", "flip 1", "1/2")
    else:
        yield from (0, "null", False)
