"""Style sheets, scripts and the icon: kept for good under the name of what is in them."""

import gzip
import re

import pytest

from bitduel.web.assets import accepts_gzip, asset_url, assets
from web.sites import LocalApp


@pytest.mark.parametrize("name", sorted(assets()))
def test_a_file_is_kept_for_good_under_its_content_and_asked_about_under_its_name(app: LocalApp, name: str) -> None:
    who = app.browser()
    named = who.get(asset_url(name), headers={"accept-encoding": "identity"})
    assert named.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert named.content == assets()[name].body
    plain = who.get(f"/static/{name}", headers={"accept-encoding": "identity"})
    assert plain.headers["cache-control"] == "no-cache"
    assert plain.content == named.content
    again = who.get(f"/static/{name}", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_name_of_other_contents_is_not_kept(app: LocalApp) -> None:
    old = re.sub(r"\.[0-9a-f]{12}\.", ".0123456789ab.", asset_url("style.css"))
    answer = app.browser().get(old)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")


PUBLIC = [
    "/",
    *("/games/binary-race-64", "/games/binary-race-64?opt-target=9", "/games/binary-race-64/position"),
    *("/games/binary-race-64/atlas", "/games/binary-race-31/chart", "/games/binary-race-64/laws"),
    *("/games/binary-race-64/learn", "/puzzle?date=2026-11-18", "/puzzles"),
]
"""Pages that are the same for everybody."""


@pytest.mark.parametrize("path", ["/static/style.css", *PUBLIC])
def test_what_is_the_same_for_everybody_is_sent_small_to_who_takes_it(app: LocalApp, path: str) -> None:
    who = app.browser()
    who.get(path)
    plain = who.get(path, headers={"accept-encoding": "identity"})
    small = who.get(path, headers={"accept-encoding": "br, gzip;q=0.8"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.headers["vary"] == plain.headers["vary"]
    assert "accept-encoding" in small.headers["vary"]
    assert int(small.headers["content-length"]) * 3 < int(plain.headers["content-length"])
    assert small.content == plain.content or gzip.decompress(small.content) == plain.content


@pytest.mark.parametrize("path", PUBLIC)
def test_a_page_that_has_not_changed_is_not_sent_again(app: LocalApp, path: str) -> None:
    who = app.browser()
    tag = who.get(path).headers["etag"]
    for asked in (tag, f'"other", {tag}', tag.removeprefix("W/")):
        again = who.get(path, headers={"if-none-match": asked})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert who.get(path, headers={"if-none-match": '"other"'}).status_code == 200


def test_where_there_is_a_secret_nothing_is_compressed(app: LocalApp) -> None:
    made = app.browser().post("/games/64/play", data={"opponent": "friend"})
    for path in (made.headers["location"], f"{made.headers['location']}/fragment", "/matches"):
        answer = app.browser().get(path, headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [("gzip", True), ("br, GZIP ;q=0.5", True), ("", False), ("br", False), ("gzip;q=0", False), ("xgzip", False)],
)
def test_who_takes_what_gzip_makes(accepted: str, takes: bool) -> None:
    assert accepts_gzip(accepted) is takes


def test_every_page_names_files_that_are_there(app: LocalApp) -> None:
    pages = ("/", "/games/double-or-nothing/print")
    found = {name for page in pages for name in re.findall(r'"(/static/[^"]+)"', app.browser().get(page).text)}
    others = {"arena.css", "class.css", "class.js"}
    assert found == {asset_url(name) for name in assets() if name not in others}, "which pages of their own name"
