"""Style sheets, scripts and the icon: kept for good under the name of what is in them."""

import gzip
import re

import pytest

from bitduel.web.assets import asset_url, assets, takes_gzip
from web.houses import House


@pytest.mark.parametrize("name", sorted(assets()))
def test_a_file_is_kept_for_good_under_its_content_and_asked_about_under_its_name(house: House, name: str) -> None:
    who = house.browser()
    named = who.get(asset_url(name), headers={"accept-encoding": "identity"})
    assert named.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert named.content == assets()[name].body
    plain = who.get(f"/static/{name}", headers={"accept-encoding": "identity"})
    assert plain.headers["cache-control"] == "no-cache"
    assert plain.content == named.content
    again = who.get(f"/static/{name}", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_name_of_other_contents_is_not_kept(house: House) -> None:
    old = re.sub(r"\.[0-9a-f]{12}\.", ".0123456789ab.", asset_url("style.css"))
    answer = house.browser().get(old)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")


@pytest.mark.parametrize("path", ["/static/style.css", "/", "/games/binary-race-64"])
def test_what_is_the_same_for_everybody_is_sent_small_to_who_takes_it(house: House, path: str) -> None:
    who = house.browser()
    who.get(path)
    plain = who.get(path, headers={"accept-encoding": "identity"})
    small = who.get(path, headers={"accept-encoding": "br, gzip;q=0.8"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert int(small.headers["content-length"]) * 3 < int(plain.headers["content-length"])
    assert small.content == plain.content or gzip.decompress(small.content) == plain.content


def test_where_there_is_a_secret_nothing_is_compressed(house: House) -> None:
    made = house.browser().post("/games/64/play", data={"opponent": "friend"})
    for path in (made.headers["location"], f"{made.headers['location']}/fragment", "/matches"):
        answer = house.browser().get(path, headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [("gzip", True), ("br, GZIP ;q=0.5", True), ("", False), ("br", False), ("gzip;q=0", False), ("xgzip", False)],
)
def test_who_takes_what_gzip_makes(accepted: str, takes: bool) -> None:
    assert takes_gzip(accepted) is takes


def test_every_page_names_files_that_are_there(house: House) -> None:
    found = set(re.findall(r'"(/static/[^"]+)"', house.browser().get("/").text))
    assert found == {asset_url(name) for name in assets() if name != "arena.css"}, "which the arena's own pages name"
