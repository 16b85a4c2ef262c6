"""The runs of a folder on the site: listed, reported on, kept while they stay as they are, and never started."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.synthetic_rows import line, written
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web import arena_pages
from bitduel.web.app import SiteOptions, create_app
from bitduel.web.arena_pages import RunReports
from bitduel.web.site import Site
from web.sites import Browser, LocalApp

Opening = Callable[[Path], Browser]


@pytest.fixture
def opening(tmp_path: Path) -> Iterator[Opening]:
    """A browser of a site that shows the runs of a folder."""
    with open_store(f"sqlite:///{tmp_path}/site.db") as store:
        made: list[LocalApp] = []

        def begin(folder: Path) -> Browser:
            app = LocalApp(store, Site(MatchService(store, Hub())))
            app.asgi = create_app(store, site=app.site, options=SiteOptions(arena=folder))
            made.append(app)
            return app.browser()

        yield begin
        for app in made:
            app.close()


def run(folder: Path, name: str, *rows: str) -> Path:
    return written(folder / name, list(rows) or [line(), line(id="2", swapped=True, seats=["ben", "ada"])])


def test_a_site_without_a_folder_has_no_arena(app: LocalApp) -> None:
    assert app.browser().get("/arena").status_code == 404
    assert "/arena" not in app.browser().get("/").text


def test_runs_are_listed_and_each_has_its_page(tmp_path: Path, opening: Opening) -> None:
    results = tmp_path / "results"
    run(results, "spring & autumn")
    run(results, "<i>odd")
    (results / "empty").mkdir()
    who = opening(results)
    listed = who.get("/arena").text
    assert "spring &amp; autumn" in listed
    assert "&lt;i&gt;odd" in listed
    assert "empty" not in listed
    assert 'href="/arena/spring%20%26%20autumn"' in listed
    page = who.get("/arena/spring%20%26%20autumn")
    assert page.status_code == 200
    assert ">Results<" in page.text
    assert "<style" not in page.text
    assert ' style="' not in page.text
    assert 'href="/arena"' in who.get("/").text


def test_one_run_is_shown_at_once(tmp_path: Path, opening: Opening) -> None:
    who = opening(run(tmp_path, "only"))
    assert ">Results<" in who.get("/arena").text


def test_its_style_sheet_is_there(tmp_path: Path, opening: Opening) -> None:
    who = opening(run(tmp_path, "only"))
    page = who.get("/arena").text
    sheet = page[page.index("/static/arena.") :].partition('"')[0]
    assert ".arena" in who.get(sheet).text


@pytest.mark.parametrize("name", ["nothing", "%2e%2e%2foutside", "..%2fresults", "a%00b"])
def test_nothing_but_runs_is_found(tmp_path: Path, opening: Opening, name: str) -> None:
    results = tmp_path / "results"
    run(results, "one")
    run(results, "two")
    run(tmp_path, "outside")
    assert opening(results).get(f"/arena/{name}").status_code == 404


def test_no_run_yet(tmp_path: Path, opening: Opening) -> None:
    assert "There are no runs yet" in opening(tmp_path / "nowhere").get("/arena").text


def test_a_broken_run_says_what_is_broken(tmp_path: Path, opening: Opening) -> None:
    answer = opening(run(tmp_path, "broken", "nonsense\n")).get("/arena")
    assert answer.status_code == 503
    assert "Line 1 of games.jsonl is not JSON." in answer.text


def test_a_run_that_is_too_large_is_left_to_the_terminal(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_pages, "LARGEST_RUN", 10)
    assert "too large" in opening(run(tmp_path, "large")).get("/arena").text


def test_a_report_is_made_anew_only_when_its_run_went_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = RunReports(run(tmp_path, "only"))
    (found,) = runs.all()
    first = runs.report(found)
    assert runs.report(found) is first
    run(tmp_path, "only", line(), line(id="2", round=1))
    assert runs.report(found) is first, "so soon it is good enough"
    monkeypatch.setattr(arena_pages, "FRESH_FOR", 0.0)
    second = runs.report(found)
    assert second is not first
    assert runs.report(found) is second


def test_only_so_many_reports_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_pages, "MOST_REPORTS", 2)
    for name in "abc":
        run(tmp_path, name)
    runs = RunReports(tmp_path)
    for found in runs.all():
        runs.report(found)
    assert len(runs.cache) == 2
