"""The pages about arena runs: the runs in a folder, and a report on each; the site never starts a run."""

from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bitduel.arena.game_record import GAMES, RowError
from bitduel.arena.report import build
from bitduel.arena.report_page import body
from bitduel.core.errors import UnknownNameError, printable
from bitduel.web.http.worker_pools import SURVEYING
from bitduel.web.site import Site

MOST_RUNS = 200
MOST_REPORTS = 8
"""Reports that are cached."""
LARGEST_RUN = 256 << 20
"""Bytes; a larger run is reported on in the terminal."""
FRESH_FOR = 10.0
"""Seconds for which the report of a run in progress is reused."""
TOO_LARGE = "This run is too large to show here. Use 'bitduel arena report' instead."


class RunFolder(NamedTuple):
    """A run: its name, its folder, and the time of its last game."""

    name: str
    folder: Path
    changed: datetime


class CachedReport(NamedTuple):
    """A report, the state of the file that it was made from, and when it was made."""

    state: tuple[int, int]
    made: float
    body: Markup


class RunReports:
    """The runs of a folder, and their reports, made on the first request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache: OrderedDict[Path, CachedReport] = OrderedDict()

    def all(self) -> list[RunFolder]:
        """Return every run, newest first: the folder itself, or the folders in it."""
        try:
            folders = [self.folder] if (self.folder / GAMES).is_file() else sorted(self.folder.iterdir())
            runs = [_run(folder) for folder in folders if (folder / GAMES).is_file()]
        except OSError:
            return []
        return sorted(runs, key=lambda run: run.changed, reverse=True)[:MOST_RUNS]

    def find(self, name: str) -> RunFolder:
        """Return the run with a name; raise UnknownNameError if there is none."""
        for run in self.all():
            if run.name == name:
                return run
        raise _unknown_run(name)

    def report(self, run: RunFolder) -> Markup:
        """Return the report on a run, from the cache unless the run has gone on."""
        try:
            status = (run.folder / GAMES).stat()
        except OSError:
            raise _unknown_run(run.name) from None
        if status.st_size > LARGEST_RUN:
            raise RowError(TOO_LARGE)
        state, cached = (status.st_mtime_ns, status.st_size), self.cache.get(run.folder)
        if cached and (cached.state == state or monotonic() - cached.made < FRESH_FOR):
            return cached.body
        report = CachedReport(state, monotonic(), body(build(run.folder)))
        self.cache[run.folder] = report
        self.cache.move_to_end(run.folder)
        while len(self.cache) > MOST_REPORTS:
            self.cache.popitem(last=False)
        return report.body


def _run(folder: Path) -> RunFolder:
    changed = datetime.fromtimestamp((folder / GAMES).stat().st_mtime, UTC)
    return RunFolder(folder.resolve().name, folder, changed)


def _unknown_run(name: str) -> UnknownNameError:
    return UnknownNameError(f"There is no run '{printable(name)}'.")


class ArenaPages:
    """The endpoints about the runs of a folder."""

    def __init__(self, site: Site, runs: RunReports) -> None:
        self.site = site
        self.runs = runs

    async def all(self, _request: Request) -> Response:
        """Show the list of runs, or the only one."""
        runs = self.runs.all()
        if len(runs) == 1:
            return await SURVEYING.run(self._report, runs[0])
        return self.site.page("arena.html", runs=runs)

    async def one(self, request: Request) -> Response:
        """Show the report on one run."""
        return await SURVEYING.run(self._report, self.runs.find(request.path_params["run"]))

    def _report(self, run: RunFolder) -> Response:
        try:
            return self.site.page("arena.html", run=run, body=self.runs.report(run))
        except RowError as error:
            return self.site.page("arena.html", 503, run=run, error=error)


def arena_routes(site: Site, folder: Path | None) -> list[Route]:
    """Return the addresses of the runs in a folder, if there is one, and let every page link to them."""
    if folder is None:
        return []
    pages = ArenaPages(site, RunReports(folder))
    site.templates.globals["arena"] = True
    return [Route("/arena", pages.all), Route("/arena/{run}", pages.one)]
