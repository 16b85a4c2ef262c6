"""Pictures of positions as files: real ones, of what a spectator may see, and no way to keep the site busy."""

from itertools import product

import pytest

from bitduel.core.match import Match
from bitduel.games import make, shelf
from bitduel.service.match_service import hashed
from bitduel.web import png_worker
from bitduel.web.link_previews import mark, seen
from bitduel.web.png_worker import PngWorker
from bitduel.web.quotas import Quota, Rate
from codes import Png, read_png
from web.conftest import Hold
from web.houses import Held, House


def picture(house: House, path: str) -> Png:
    """A picture that is really one."""
    answer = house.browser().get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return read_png(answer.content)


@pytest.mark.parametrize("slug", [kind.slug for kind in shelf()])
def test_every_game_has_a_picture(house: House, slug: str) -> None:
    assert picture(house, f"/games/{slug}/picture.png")[:2] == (1200, 630)


def test_every_move_of_a_match_has_a_picture_of_its_own_and_no_other_has_one(house: House, hold: Hold) -> None:
    held = hold(moves=("double", "add"))
    pages = [house.browser().get(f"/matches/{held.id}/picture-{ply}.png").content for ply in range(3)]
    assert len(set(pages)) == 3
    for ply in ("3", "-1", "x", "", "00000000", "9" * 5000, "1.5", "%31%00", "²"):
        assert house.browser().get(f"/matches/{held.id}/picture-{ply}.png").status_code == 404, ply
    for path in ("/matches/zzzzzzz/picture-0.png", "/games/chess/picture.png", "/icons/icon-1.png", "/icons/.png"):
        assert house.browser().get(path).status_code == 404, path


def test_wrong_options_and_moves_have_no_picture(house: House) -> None:
    for query in ("opt-target=0", "opt-colour=red", "moves=sing", "opt-target=1000000000"):
        assert house.browser().get(f"/games/binary-race-64/picture.png?{query}").status_code == 400


def test_only_the_address_that_says_what_the_picture_shows_is_kept_for_ever(house: House, hold: Hold) -> None:
    held = hold(moves=("double",))
    path = f"/matches/{held.id}/picture-1.png"
    right = mark(seen(house.desk.seating(held.id), 1))
    assert "immutable" in house.browser().get(f"{path}?v={right}").headers["cache-control"]
    for query in ("", "?v=", "?v=000000000000", f"?v={right}0"):
        assert house.browser().get(path + query).headers["cache-control"] == "no-store"


def test_in_the_dark_the_bytes_are_the_same_whatever_is_hidden_until_it_is_over(house: House) -> None:
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
        held = Held(house.store, match)
        for ply in range(3):
            for token in (*held.tokens, None):
                path = f"/matches/{held.id}/picture-{ply}.png"
                shown[ply].add(house.browser(token).get(path).content)
            marks[ply].add(mark(seen(house.desk.seating(held.id), ply)))
        house.desk.resign(held.id, hashed(held.tokens[0]))
        ended.add(house.browser().get(f"/matches/{held.id}/picture-2.png").content)
    assert [len(each) for each in shown.values()] == [1, 1, 1]
    assert [len(each) for each in marks.values()] == [1, 1, 1]
    assert len(ended) > 2
    assert not ended & shown[2]


def test_icons_are_as_large_as_the_manifest_says(house: House) -> None:
    icons = house.browser().get("/manifest.webmanifest").json()["icons"]
    assert {"192x192", "512x512", "any"} == {icon["sizes"] for icon in icons}
    for icon in icons:
        if icon["type"] == "image/png":
            made = picture(house, icon["src"])
            assert f"{made.wide}x{made.tall}" == icon["sizes"]
    assert picture(house, "/apple-touch-icon.png")[:2] == (180, 180)


def test_pictures_are_drawn_once_and_only_so_many_a_minute_for_each_address(strict_house: House) -> None:
    strict_house.site.studio = PngWorker(Quota(Rate(2, 60), Rate(2, 60)))
    paths = [f"/games/binary-race-64/picture.png?opt-target={target}" for target in (10, 11, 12)]
    who = strict_house.browser()
    assert [who.get(path).status_code for path in paths] == [200, 200, 429]
    assert [who.get(path).status_code for path in (*paths[:2], *paths[:2])] == [200] * 4
    assert strict_house.browser(where="10.0.0.1").get(paths[2]).status_code == 200


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is drawn from now on, by somebody who draws nothing."""
    drawings: list[str] = []

    def drawn(svg: str, wide: int | None) -> bytes:
        drawings.append(svg)
        return b"png"

    monkeypatch.setattr(png_worker, "drawn", drawn)
    return drawings


def test_whoever_comes_when_too_many_wait_is_asked_to_come_again(
    strict_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png_worker, "WAITING", 1)
    drawings = counted(monkeypatch)
    who = strict_house.browser()
    paths = [f"/games/binary-race-64/picture.png?opt-target={target}" for target in range(10, 20)]
    found = [answer.status_code for answer in strict_house.together(*(who.ask("GET", path) for path in paths))]
    assert set(found) == {200, 429}
    assert len(drawings) == found.count(200)


def test_only_so_many_pictures_are_kept(strict_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_worker, "KEPT", 2)
    drawings = counted(monkeypatch)
    who = strict_house.browser()
    for target in (10, 11, 12, 12, 10):
        assert who.get(f"/games/binary-race-64/picture.png?opt-target={target}").content == b"png"
    assert len(drawings) == 4


@pytest.mark.parametrize("command", [["false"], ["no such program"]])
def test_a_picture_that_cannot_be_drawn_is_one_sentence(
    strict_house: House, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(png_worker, "DRAW", command)
    answer = strict_house.browser().get("/picture.png")
    assert answer.status_code == 503
    assert "could not be drawn" in answer.text
