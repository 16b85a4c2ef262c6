"""The small films of whole matches."""

from xml.etree import ElementTree

import pytest

from bitduel.core.game import Game
from bitduel.games.registry import GameClass, all_games
from bitduel.web import game_pages
from bitduel.web.game_pages import LOOKS, MOST_PLIES, sample_match
from web.sites import LocalApp

GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)


@GAMES
def test_a_film_is_a_whole_match_that_somebody_wins_by_the_last_move(kind: GameClass) -> None:
    match = sample_match(kind)
    assert match.outcome
    assert match.outcome.winner == match.seat_at(match.ply - 1)
    assert 4 <= match.ply <= MOST_PLIES
    assert sample_match(kind) == match, "always the same"


@GAMES
def test_every_look_of_a_film_is_served_to_be_kept(app: LocalApp, kind: GameClass) -> None:
    looks = set()
    for look in LOOKS:
        answer = app.browser().get(f"/films/{kind.slug}/{look}.svg")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "max-age" in answer.headers["cache-control"]
        assert ElementTree.fromstring(answer.text) is not None
        assert ("<animate" in answer.text) == ("still" not in look)
        looks.add(answer.text)
    assert len(looks) == len(LOOKS)


def test_a_film_that_is_not_there_is_404(app: LocalApp) -> None:
    for path in (
        "/films/chess/light.svg",
        f"/films/{all_games()[0].slug}/red.svg",
        f"/films/{all_games()[0].slug}/light.png",
    ):
        assert app.browser().get(path).status_code == 404


def test_a_game_that_fails_has_no_film_and_the_home_page_stays(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Game[tuple[int, ...]]:
        raise RuntimeError("a stranger's game")

    monkeypatch.setattr(game_pages, "_pictures", broken)
    game_pages.animation.cache_clear()
    assert app.browser().get(f"/films/{all_games()[0].slug}/light.svg").status_code == 404
    assert app.browser().get("/").status_code == 200


def test_the_home_page_is_light(app: LocalApp) -> None:
    answer = app.browser().get("/", headers={"accept-encoding": "gzip"})
    assert int(answer.headers["content-length"]) < 20_000
