"""The pages about runs of the arena: what is in a folder, read and never started, as one report or a list of them."""

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
from bitduel.core.errors import UnknownNameError, shown
from bitduel.web.site import Site
from bitduel.web.worker_pools import SURVEYING

MOST_RUNS = 200
MOST_KEPT = 8
"""So many reports are kept ready."""
LARGEST = 256 << 20
"""A run with more bytes than this is for the terminal."""
SOON = 10.0
"""Seconds for which a report is good although its run goes on."""
TOO_LARGE = "This run is too large for a page made while somebody waits; 'bitduel arena report' reports on it."


class RunFolder(NamedTuple):
    """A run in the folder: its name, where it is, and when it last went on."""

    name: str
    folder: Path
    changed: datetime


class CachedReport(NamedTuple):
    """A report that is ready: of which state of the file, made when."""

    state: tuple[int, int]
    made: float
    body: Markup


class Runs:
    """The runs of a folder, and reports on them that are made when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: dict[Path, CachedReport] = {}

    def all(self) -> list[RunFolder]:
        """Every run, newest first: the folder itself, or the folders in it."""
        try:
            inside = [self.folder] if (self.folder / GAMES).is_file() else sorted(self.folder.iterdir())
            runs = [_run(folder) for folder in inside if (folder / GAMES).is_file()]
        except OSError:
            return []
        return sorted(runs, key=lambda run: run.changed, reverse=True)[:MOST_RUNS]

    def find(self, name: str) -> RunFolder:
        """The run of a name, among those that are there."""
        found = next((run for run in self.all() if run.name == name), None)
        if found is None:
            raise UnknownNameError(f"There is no run '{shown(name)}' here.")
        return found

    def report(self, run: RunFolder) -> Markup:
        """The report on a run: as it is kept, as long as the run is as it was."""
        try:
            state = (run.folder / GAMES).stat()
        except OSError:
            raise UnknownNameError(f"There is no run '{shown(run.name)}' here.") from None
        if state.st_size > LARGEST:
            raise RowError(TOO_LARGE)
        mark, kept = (state.st_mtime_ns, state.st_size), self.kept.get(run.folder)
        if kept and (kept.state == mark or monotonic() - kept.made < SOON):
            return kept.body
        made = body(build(run.folder))
        self.kept.pop(run.folder, None)
        while len(self.kept) >= MOST_KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[run.folder] = CachedReport(mark, monotonic(), made)
        return made


def _run(folder: Path) -> RunFolder:
    changed = datetime.fromtimestamp((folder / GAMES).stat().st_mtime, UTC)
    return RunFolder(folder.resolve().name, folder, changed)


class ArenaPages:
    """Endpoints about the runs of a folder."""

    def __init__(self, site: Site, runs: Runs) -> None:
        self.site = site
        self.runs = runs

    async def all(self, _request: Request) -> Response:
        """The list of runs, or the one there is."""
        runs = self.runs.all()
        if len(runs) == 1:
            return await SURVEYING.run(self._report, runs[0])
        return self.site.page("arena.html", runs=runs)

    async def one(self, request: Request) -> Response:
        """The report on one run."""
        return await SURVEYING.run(self._report, self.runs.find(request.path_params["run"]))

    def _report(self, run: RunFolder) -> Response:
        try:
            return self.site.page("arena.html", run=run, body=self.runs.report(run))
        except RowError as error:
            return self.site.page("arena.html", 503, run=run, error=str(error))


def arena_routes(site: Site, folder: Path | None) -> list[Route]:
    """Return the addresses of the runs in a folder, if there is one, and let every page link to them."""
    if folder is None:
        return []
    pages = ArenaPages(site, Runs(folder))
    site.templates.globals["arena"] = True
    return [Route("/arena", pages.all), Route("/arena/{run}", pages.one)]
