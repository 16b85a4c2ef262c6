"""The small films of the home page."""

from xml.etree import ElementTree

import pytest

from bitduel.core.game import Game
from bitduel.games import Kind, shelf
from bitduel.web import animations
from bitduel.web.animations import LONGEST, whole_match
from bitduel.web.pages import LOOKS
from web.houses import House

GAMES = pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)


@GAMES
def test_a_film_is_a_whole_match_that_somebody_wins_by_the_last_move(kind: Kind) -> None:
    match = whole_match(kind)
    assert match.outcome
    assert match.outcome.winner == match.seat_at(match.ply - 1)
    assert 4 <= match.ply <= LONGEST
    assert whole_match(kind) == match, "always the same"


@GAMES
def test_every_look_of_a_film_is_served_to_be_kept(house: House, kind: Kind) -> None:
    looks = set()
    for look in LOOKS:
        answer = house.browser().get(f"/films/{kind.slug}/{look}.svg")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "max-age" in answer.headers["cache-control"]
        assert ElementTree.fromstring(answer.text) is not None
        assert ("<animate" in answer.text) == ("still" not in look)
        looks.add(answer.text)
    assert len(looks) == len(LOOKS)


def test_a_film_that_is_not_there_is_404(house: House) -> None:
    for path in ("/films/chess/light.svg", f"/films/{shelf()[0].slug}/red.svg", f"/films/{shelf()[0].slug}/light.png"):
        assert house.browser().get(path).status_code == 404


def test_a_game_that_fails_has_no_film_and_the_home_page_stays(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Game[tuple[int, ...]]:
        raise RuntimeError("a stranger's game")

    monkeypatch.setattr(animations, "_pictures", broken)
    animations.film.cache_clear()
    assert house.browser().get(f"/films/{shelf()[0].slug}/light.svg").status_code == 404
    assert house.browser().get("/").status_code == 200


def test_the_home_page_is_light(house: House) -> None:
    assert len(house.browser().get("/").content) < 20_000
