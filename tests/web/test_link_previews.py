"""What links show where they are posted, and the one card by which a friend is invited."""

import re
from html import unescape

import pytest

from bitduel.core.match import Match
from bitduel.games import Kind, make, shelf
from bitduel.service.match_service import hashed
from codes import grid_of, read_png, read_qr
from pictures import NASTY
from web.conftest import Hold
from web.houses import Browser, Held, House, links

META = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+|description)" content="([^"]*)">')


def card(who: Browser, path: str, **headers: str) -> dict[str, str]:
    """What a page says of itself elsewhere."""
    return {name: unescape(value) for name, value in META.findall(who.get(path, headers=headers).text)}


def checked(who: Browser, path: str) -> dict[str, str]:
    """A whole card, whose picture is there."""
    told = card(who, path)
    assert told["og:title"]
    assert told["og:description"] == told["description"]
    assert told["og:image:alt"]
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:image"].startswith("http://localhost/")
    answer = who.get(told["og:image"])
    assert answer.headers["content-type"] == "image/png"
    assert read_png(answer.content)[:2] == (1200, 630)
    assert (told["og:image:width"], told["og:image:height"]) == ("1200", "630")
    return told


def test_home_shows_a_title_a_sentence_and_a_picture(house: House) -> None:
    assert checked(house.browser(), "/")["og:url"] == "http://localhost/"


@pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)
def test_a_game_shows_its_title_and_its_aim(house: House, kind: Kind) -> None:
    for path in (f"/games/{kind.slug}", f"/games/{kind.slug}/position"):
        told = checked(house.browser(), path)
        assert kind.title in told["og:title"]
        assert kind.aim in told["og:description"]


def test_a_game_shows_its_options(house: House) -> None:
    told = checked(house.browser(), "/games/binary-race-64?opt-target=100")
    assert "exactly 100" in told["og:description"]
    assert told["og:url"].endswith("?opt-target=100")
    assert told["og:image"].endswith("/picture.png?opt-target=100")


def test_a_position_shows_its_moves(house: House) -> None:
    told = checked(house.browser(), "/games/binary-race-64/position?moves=double,%20double&opt-target=100")
    assert "4" in told["og:image:alt"]
    assert told["og:image"].endswith("picture.png?moves=double%2C%20double&opt-target=100")
    assert card(house.browser(), "/games/binary-race-64/position?moves=sing") == {}
    assert card(house.browser(), "/games/binary-race-64?opt-target=0") == {}


def test_a_match_shows_who_plays_and_how_it_stands_to_everybody_alike(house: House, hold: Hold) -> None:
    held = hold(moves=("double",), options={"target": 100})
    told = [checked(house.browser(token), f"/matches/{held.id}") for token in (*held.tokens, None)]
    assert told[0] == told[1] == told[2]
    assert told[0]["og:title"] == "Binary Race to 64: Ada against Ben"
    assert told[0]["og:description"].startswith("Ben is to move.")
    assert "exactly 100" in told[0]["og:description"]
    assert told[0]["og:url"] == f"http://localhost/matches/{held.id}"
    assert "og:title" not in card(house.browser(), f"/matches/{held.id}/fragment")


def test_a_review_shows_the_move_it_is_at(house: House, hold: Hold) -> None:
    held = hold(moves=("double", "double"))
    house.desk.resign(held.id, hashed(held.tokens[0]))
    pictures = {checked(house.browser(), f"/matches/{held.id}/review?ply={ply}")["og:image"] for ply in range(3)}
    assert len(pictures) == 3


def test_an_invitation_shows_who_invites_and_never_its_own_address(house: House, hold: Hold) -> None:
    held = hold(seats=1, options={"target": 100})
    told = checked(house.browser(), f"/invite/{held.id}/{held.invitation}")
    assert told["og:title"] == "Ada invites you to Binary Race to 64"
    assert told["og:description"] == "Add 2 or double the shared total; make it exactly 100."
    assert not [value for value in told.values() if held.invitation in value]


def test_a_page_that_is_the_same_for_everybody_still_names_the_address_it_was_asked_at(house: House) -> None:
    who = house.browser()
    for host in ("localhost", "127.0.0.1:8000", "localhost:9"):
        for path in ("/", "/games/binary-race-64", "/", "/games/binary-race-64?opt-target=9"):
            told = card(who, path, host=host)
            assert told["og:image"].startswith(f"http://{host}/"), path
            assert told["og:url"] == f"http://{host}{path}"
    assert "invalid" not in who.get("/").text.partition("<body>")[0]


def test_whatever_a_player_is_called_the_card_is_only_text(house: House, hold: Hold) -> None:
    held = hold(names=(NASTY, "Ben"))
    page = house.browser().get(f"/matches/{held.id}").text
    assert "<script>" not in page
    assert NASTY in card(house.browser(), f"/matches/{held.id}")["og:title"]


def test_the_invitation_is_one_card_with_a_code_that_leads_to_it(house: House, hold: Hold) -> None:
    held = hold(seats=1)
    for path in (f"/matches/{held.id}", f"/matches/{held.id}/fragment"):
        page = house.browser(held.tokens[0]).get(path).text
        (code,) = re.findall(r'<svg class="qr".*?</svg>', page)
        assert read_qr(grid_of(code)) == f"http://localhost/invite/{held.id}/{held.invitation}"
        assert page.index('class="qr"') < page.index('class="board')
        assert page.index('id="share-link"') > page.index('id="more-title"')
    for token in (held.tokens[1], None):
        assert 'class="qr"' not in house.browser(token).get(f"/matches/{held.id}").text


def test_a_taken_invitation_offers_to_watch(house: House, hold: Hold) -> None:
    held = hold()
    page = house.browser().get(f"/invite/{held.id}/{held.invitation}").text
    assert f"/matches/{held.id}" in links(page)
    assert "Watch the match" in page


def test_the_invitation_page_says_the_aim_with_the_chosen_options(house: House, hold: Hold) -> None:
    held = hold(seats=1, options={"target": 100})
    page = house.browser().get(f"/invite/{held.id}/{held.invitation}").text
    assert "make it exactly 100." in page.partition("<body>")[2]
    assert "exactly 64" not in page


def test_a_card_in_the_dark_tells_only_what_a_spectator_may_know(house: House) -> None:
    seen = set()
    for secret in ("0001", "0111", "1110"):
        for moves in (["toggle 1", "toggle 2"], ["toggle 2", "toggle 1"], ["toggle 1", "toggle 1"]):
            held = Held(house.store, Match(make("battle", {"bits": 4}), 1, secret, moves), seats=1)
            for path in (f"/matches/{held.id}", f"/invite/{held.id}/{held.invitation}"):
                told = card(house.browser(), path)
                seen.add((path[:4], *(value.replace(held.id, "ID") for value in told.values())))
    assert len(seen) == 2
