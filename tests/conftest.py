"""What every test gets: folders of its own instead of the user's."""

import gc
import os
import sqlite3
from collections.abc import Generator, Iterator
from pathlib import Path
from subprocess import SubprocessError
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Pool, event

from helpers import output_of

# Collecting makes a million objects that stay: the garbage collector need not look at them again and again.
gc.disable()

# A slow machine is no failure, nor are examples that a filter drops; where nobody can look at a rare one, the examples
# are the same every time.
settings.register_profile(
    "bitduel",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("first tier", settings.get_profile("bitduel"), max_examples=30)

pytest_plugins = ["fake_time", "postgres_server", "web.fixtures"]


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in the first tier."""
    settings.load_profile("first tier" if "not thorough" in config.getoption("markexpr") else "bitduel")


def pytest_collection_finish() -> None:
    """Leave all that was collected aside, and look for garbage as usual from now on."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what a program said that a test had started and that failed: Python's own error keeps it to itself."""
    report = yield
    if call.excinfo and isinstance(call.excinfo.value, SubprocessError):
        report.sections += output_of(call.excinfo.value)
    return report


def _hurry(connection: object, record: Any, _proxy: object) -> None:
    if isinstance(connection, sqlite3.Connection) and "hurried" not in record.info:
        record.info["hurried"] = True
        connection.execute("PRAGMA synchronous = OFF")


@pytest.fixture(scope="session", autouse=True)
def no_power_cuts() -> Iterator[None]:
    """In this process SQLite leaves it to the system when to write to the disk: only a power cut would tell."""
    event.listen(Pool, "checkout", _hurry)
    yield
    event.remove(Pool, "checkout", _hurry)


@pytest.fixture
def power_cuts(no_power_cuts: None) -> Iterator[None]:
    """SQLite waits for the disk as it does for users."""
    event.remove(Pool, "checkout", _hurry)
    yield
    event.listen(Pool, "checkout", _hurry)


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests away from what the user has kept, also in programs that they start."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(home / name))
        patch.delenv("BITDUEL_DB", raising=False)
        yield home
