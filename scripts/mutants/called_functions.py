"""A plugin of pytest: which functions of ours each test calls, and how long the test takes; for the mutants."""

import json
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

SOURCES = os.environ["BITDUEL_REACH_SOURCES"]
FOLDERS = ("core", "games", "solver", "players", "learning")
called: dict[str, dict[str, float]] = {}
known: dict[CodeType, str | None] = {}


def name_of(code: CodeType) -> str | None:
    """How a change in this function names its place, or None for what is not ours."""
    file = code.co_filename.removeprefix(SOURCES).lstrip("/")
    if file == code.co_filename or not file.startswith(FOLDERS):
        return None
    parts = [part for part in code.co_qualname.split(".") if not part.startswith("<")]
    return f"{file} {'.'.join(parts) or 'module'}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what is called while a test runs, its fixtures included."""
    met: set[CodeType] = set()

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            met.add(frame.f_code)

    sys.setprofile(look)
    try:
        result = yield
    finally:
        sys.setprofile(None)
    for code in met:
        name = known.setdefault(code, name_of(code)) if code not in known else known[code]
        if name is not None:
            called.setdefault(name, {})[item.nodeid] = item.stash.get(TOOK, 0.0)
    return result


TOOK: pytest.StashKey[float] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add up how long the parts of a test take."""
    report = yield
    item.stash[TOOK] = item.stash.get(TOOK, 0.0) + report.duration
    return report


def pytest_sessionfinish() -> None:
    """Write down what this process has seen."""
    Path(os.environ["BITDUEL_REACH"], f"{os.getpid()}.json").write_text(json.dumps(called))
