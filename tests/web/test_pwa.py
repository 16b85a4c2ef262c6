"""What a device keeps of the site: a manifest, and a page for when there is no connection."""

import re

import pytest

from bitduel.web import pwa
from web.houses import House, links


def test_the_manifest_names_the_site_its_colours_and_its_icons(house: House) -> None:
    answer = house.browser().get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["display"], told["start_url"], told["scope"]) == ("bitduel", "standalone", "/", "/")
    assert re.fullmatch("#[0-9a-f]{6}", told["theme_color"])
    assert re.fullmatch("#[0-9a-f]{6}", told["background_color"])
    assert [icon.get("purpose") for icon in told["icons"]].count("maskable") == 1
    for icon in told["icons"]:
        assert house.browser().get(icon["src"]).status_code == 200


def test_every_page_leads_to_the_manifest_and_the_touch_icon(house: House) -> None:
    for path in ("/", "/matches", "/games/64", "/nothing", "/offline"):
        found = links(house.browser().get(path).text)
        assert {"/manifest.webmanifest", "/apple-touch-icon.png"} <= {*found}


def test_the_worker_keeps_the_offline_page_and_what_it_needs_and_nothing_else(house: House) -> None:
    answer = house.browser().get("/service-worker.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    kept = {"/offline", *re.findall(r'"(/[^"]*)"', answer.text)}
    needed = links(house.browser().get("/offline").text)
    assert {link for link in needed if re.fullmatch(r"/static/[\w.]+", link)} <= kept
    assert not [path for path in kept if path != "/offline" and not path.startswith("/static/")]
    for path in kept:
        assert house.browser().get(path).status_code == 200


def test_the_offline_page_is_the_same_for_everybody(house: House) -> None:
    pages = {house.browser(token).get("/offline").text for token in (None, "a" * 43)}
    assert len(pages) == 1
    assert "set-cookie" not in house.browser().get("/offline").headers


def test_another_offline_page_is_another_worker(
    strict_house: House, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house.browser().get("/service-worker.js").text
    assert "VERSION" not in before
    monkeypatch.setattr(pwa, "asset_url", lambda name: f"/static/other.{name}")
    assert strict_house.browser().get("/service-worker.js").text != before
