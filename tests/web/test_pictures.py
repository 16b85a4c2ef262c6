"""Pictures of positions as files: real ones, of what a spectator may see, and no way to keep the site busy."""

from html import unescape
from itertools import product

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.service.credentials import hashed
from bitduel.web import png_worker
from bitduel.web.http.quotas import Quota, Rate
from bitduel.web.link_previews import picture_version, spectator_picture
from bitduel.web.png_worker import PngWorker
from codes import Png, read_png
from web.fixtures import StoreMatch
from web.sites import LocalApp, SeatedMatch


def picture(app: LocalApp, path: str) -> Png:
    """A picture that is really one."""
    answer = app.browser().get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return read_png(answer.content)


@pytest.mark.parametrize("slug", [kind.slug for kind in all_games()])
def test_every_game_has_a_picture(app: LocalApp, slug: str) -> None:
    assert picture(app, f"/games/{slug}/picture.png")[:2] == (1200, 630)


def test_every_move_of_a_match_has_a_picture_of_its_own_and_no_other_has_one(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match(moves=("double", "add"))
    pages = [app.browser().get(f"/matches/{seated.id}/picture-{ply}.png").content for ply in range(3)]
    assert len(set(pages)) == 3
    for ply in ("3", "-1", "x", "", "00000000", "9" * 5000, "1.5", "%31%00", "²"):
        assert app.browser().get(f"/matches/{seated.id}/picture-{ply}.png").status_code == 404, ply
    for path in ("/matches/zzzzzzz/picture-0.png", "/games/chess/picture.png", "/icons/icon-1.png", "/icons/.png"):
        assert app.browser().get(path).status_code == 404, path


def test_wrong_options_and_moves_have_no_picture(app: LocalApp) -> None:
    for query in ("opt-target=0", "opt-colour=red", "moves=sing", "opt-target=1000000000"):
        assert app.browser().get(f"/games/binary-race-64/picture.png?{query}").status_code == 400


def test_only_the_address_that_says_what_the_picture_shows_is_kept_for_ever(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match(moves=("double",))
    path = f"/matches/{seated.id}/picture-1.png"
    right = picture_version(spectator_picture(app.service.session(seated.id), 1))
    assert "immutable" in app.browser().get(f"{path}?v={right}").headers["cache-control"]
    for query in ("", "?v=", "?v=000000000000", f"?v={right}0"):
        assert app.browser().get(path + query).headers["cache-control"] == "no-store"


def test_in_the_dark_the_bytes_are_the_same_whatever_is_hidden_until_it_is_over(app: LocalApp) -> None:
    game = make("battle", {"bits": 3})
    shown: dict[int, set[bytes]] = {0: set(), 1: set(), 2: set()}
    marks: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    ended = set()
    for secret, one, two in product(("001", "111"), ("toggle 1", "toggle 2"), ("toggle 1", "toggle 2")):
        match = Match(game, 1, secret, [one])
        if match.outcome:
            continue
        match.play(two)
        if match.outcome:
            continue
        seated = SeatedMatch(app.store, match)
        for ply in range(3):
            for token in (*seated.tokens, None):
                path = f"/matches/{seated.id}/picture-{ply}.png"
                shown[ply].add(app.browser(token).get(path).content)
            marks[ply].add(picture_version(spectator_picture(app.service.session(seated.id), ply)))
        app.service.resign(seated.id, hashed(seated.tokens[0]))
        ended.add(app.browser().get(f"/matches/{seated.id}/picture-2.png").content)
    assert [len(each) for each in shown.values()] == [1, 1, 1]
    assert [len(each) for each in marks.values()] == [1, 1, 1]
    assert len(ended) > 2
    assert not ended & shown[2]


def test_icons_are_as_large_as_the_manifest_says(app: LocalApp) -> None:
    icons = app.browser().get("/manifest.webmanifest").json()["icons"]
    assert {"192x192", "512x512", "any"} == {icon["sizes"] for icon in icons}
    for icon in icons:
        if icon["type"] == "image/png":
            made = picture(app, icon["src"])
            assert f"{made.wide}x{made.tall}" == icon["sizes"]
    assert picture(app, "/apple-touch-icon.png")[:2] == (180, 180)


def test_pictures_are_drawn_once_and_only_so_many_a_minute_for_each_address(strict_app: LocalApp) -> None:
    strict_app.site.png_worker = PngWorker(Quota(Rate(2, 60), Rate(2, 60)))
    paths = [f"/games/binary-race-64/picture.png?opt-target={target}" for target in (10, 11, 12)]
    who = strict_app.browser()
    assert [who.get(path).status_code for path in paths] == [200, 200, 429]
    assert [who.get(path).status_code for path in (*paths[:2], *paths[:2])] == [200] * 4
    assert strict_app.browser(where="10.0.0.1").get(paths[2]).status_code == 200


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is drawn from now on, by somebody who draws nothing."""
    drawings: list[str] = []

    def draw(svg: str, wide: int | None) -> bytes:
        drawings.append(svg)
        return b"png"

    monkeypatch.setattr(png_worker, "draw", draw)
    return drawings


def test_whoever_comes_when_too_many_wait_is_asked_to_come_again(
    strict_app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png_worker, "MOST_WAITING", 1)
    drawings = counted(monkeypatch)
    who = strict_app.browser()
    paths = [f"/games/binary-race-64/picture.png?opt-target={target}" for target in range(10, 20)]
    found = [answer.status_code for answer in strict_app.together(*(who.ask("GET", path) for path in paths))]
    assert set(found) == {200, 429}
    assert len(drawings) == found.count(200)


def test_only_so_many_pictures_are_kept(strict_app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_worker, "MOST_CACHED", 2)
    drawings = counted(monkeypatch)
    who = strict_app.browser()
    for target in (10, 11, 12, 12, 10):
        assert who.get(f"/games/binary-race-64/picture.png?opt-target={target}").content == b"png"
    assert len(drawings) == 4


@pytest.mark.parametrize("command", [["false"], ["no such program"]])
def test_a_picture_that_cannot_be_drawn_is_one_sentence(
    strict_app: LocalApp, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(png_worker, "DRAW", command)
    answer = strict_app.browser().get("/picture.png")
    assert answer.status_code == 503
    assert "We couldn't draw that picture." in unescape(answer.text)
