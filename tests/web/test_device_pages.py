"""What a device keeps of the site: a manifest, and a page for when there is no connection."""

import re

import pytest

from bitduel.web import device_pages
from web.sites import LocalApp, links


def test_the_manifest_names_the_site_its_colours_and_its_icons(app: LocalApp) -> None:
    answer = app.browser().get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["display"], told["start_url"], told["scope"]) == ("bitduel", "standalone", "/", "/")
    assert re.fullmatch("#[0-9a-f]{6}", told["theme_color"])
    assert re.fullmatch("#[0-9a-f]{6}", told["background_color"])
    assert [icon.get("purpose") for icon in told["icons"]].count("maskable") == 1
    for icon in told["icons"]:
        assert app.browser().get(icon["src"]).status_code == 200


def test_every_page_leads_to_the_manifest_and_the_touch_icon(app: LocalApp) -> None:
    for path in ("/", "/matches", "/games/64", "/nothing", "/offline"):
        found = links(app.browser().get(path).text)
        assert {"/manifest.webmanifest", "/apple-touch-icon.png"} <= {*found}


def test_the_worker_keeps_the_offline_page_and_what_it_needs_and_nothing_else(app: LocalApp) -> None:
    answer = app.browser().get("/service-worker.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    kept = {"/offline", *re.findall(r'"(/[^"]*)"', answer.text)}
    needed = links(app.browser().get("/offline").text)
    assert {link for link in needed if re.fullmatch(r"/static/[\w.]+", link)} <= kept
    assert not [path for path in kept if path != "/offline" and not path.startswith("/static/")]
    for path in kept:
        assert app.browser().get(path).status_code == 200


def test_the_offline_page_is_the_same_for_everybody(app: LocalApp) -> None:
    pages = {app.browser(token).get("/offline").text for token in (None, "a" * 43)}
    assert len(pages) == 1
    assert "set-cookie" not in app.browser().get("/offline").headers


def test_another_offline_page_is_another_worker(
    strict_app: LocalApp, app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = app.browser().get("/service-worker.js").text
    assert "VERSION" not in before
    monkeypatch.setattr(device_pages, "asset_url", lambda name: f"/static/other.{name}")
    assert strict_app.browser().get("/service-worker.js").text != before
