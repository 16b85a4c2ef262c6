"""What links show where they are posted, and the one card by which a friend is invited."""

import re
from html import unescape

import pytest

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games, make
from bitduel.service.credentials import hashed
from codes import grid_of, read_png, read_qr
from pictures import NASTY
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, SeatedMatch, links

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


def test_home_shows_a_title_a_sentence_and_a_picture(app: LocalApp) -> None:
    assert checked(app.browser(), "/")["og:url"] == "http://localhost/"


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_a_game_shows_its_title_and_its_aim(app: LocalApp, kind: GameClass) -> None:
    for path in (f"/games/{kind.slug}", f"/games/{kind.slug}/position"):
        told = checked(app.browser(), path)
        assert kind.title in told["og:title"]
        assert kind.aim in told["og:description"]


def test_a_game_shows_its_options(app: LocalApp) -> None:
    told = checked(app.browser(), "/games/binary-race-64?opt-target=100")
    assert "exactly 100" in told["og:description"]
    assert told["og:url"].endswith("?opt-target=100")
    assert told["og:image"].endswith("/picture.png?opt-target=100")


def test_a_position_shows_its_moves(app: LocalApp) -> None:
    told = checked(app.browser(), "/games/binary-race-64/position?moves=double,%20double&opt-target=100")
    assert "4" in told["og:image:alt"]
    assert told["og:image"].endswith("picture.png?moves=double%2C%20double&opt-target=100")
    assert card(app.browser(), "/games/binary-race-64/position?moves=sing") == {}
    assert card(app.browser(), "/games/binary-race-64?opt-target=0") == {}


def test_a_match_shows_who_plays_and_how_it_stands(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(moves=("double",), options={"target": 100})
    told = checked(app.browser(), f"/matches/{seated.id}")
    assert told["og:title"] == "Binary Race to 64: Ada against Ben"
    assert told["og:description"].startswith("Ben's turn.")
    assert "exactly 100" in told["og:description"]
    assert told["og:url"] == f"http://localhost/matches/{seated.id}"
    assert "og:title" not in card(app.browser(), f"/matches/{seated.id}/fragment")


def test_the_players_own_pages_have_no_card_which_only_programs_that_preview_links_read(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match(moves=("double",))
    assert checked(app.browser("n" * 43), f"/matches/{seated.id}") == checked(app.browser(), f"/matches/{seated.id}")
    assert [card(app.browser(token), f"/matches/{seated.id}") for token in seated.tokens] == [{}, {}]


def test_a_review_shows_the_move_it_is_at(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(moves=("double", "double"))
    app.service.resign(seated.id, hashed(seated.tokens[0]))
    pictures = {checked(app.browser(), f"/matches/{seated.id}/review?ply={ply}")["og:image"] for ply in range(3)}
    assert len(pictures) == 3


def test_an_invitation_shows_who_invites_and_never_its_own_address(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(seats=1, options={"target": 100})
    told = checked(app.browser(), f"/invite/{seated.id}/{seated.invitation}")
    assert told["og:title"] == "Ada has invited you to play Binary Race to 64"
    assert told["og:description"] == "Add 2 or double the shared total. Make exactly 100."
    assert not [value for value in told.values() if seated.invitation in value]


def test_a_page_that_is_the_same_for_everybody_still_names_the_address_it_was_asked_at(app: LocalApp) -> None:
    who = app.browser()
    for host in ("localhost", "127.0.0.1:8000", "localhost:9"):
        for path in ("/", "/games/binary-race-64", "/", "/games/binary-race-64?opt-target=9"):
            told = card(who, path, host=host)
            assert told["og:image"].startswith(f"http://{host}/"), path
            assert told["og:url"] == f"http://{host}{path}"
    assert "invalid" not in who.get("/").text.partition("<body>")[0]


def test_whatever_a_player_is_called_the_card_is_only_text(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(names=(NASTY, "Ben"))
    page = app.browser().get(f"/matches/{seated.id}").text
    assert "<script>" not in page
    assert NASTY in card(app.browser(), f"/matches/{seated.id}")["og:title"]


def test_the_invitation_is_one_card_with_a_code_that_leads_to_it(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(seats=1)
    for path in (f"/matches/{seated.id}", f"/matches/{seated.id}/fragment"):
        page = app.browser(seated.tokens[0]).get(path).text
        (code,) = re.findall(r'<svg class="qr".*?</svg>', page)
        assert read_qr(grid_of(code)) == f"http://localhost/invite/{seated.id}/{seated.invitation}"
        assert page.index('class="qr"') < page.index('class="board')
        assert page.index('id="share-link"') > page.index('id="more"')
    for token in (seated.tokens[1], None):
        assert 'class="qr"' not in app.browser(token).get(f"/matches/{seated.id}").text


def test_a_taken_invitation_offers_to_watch(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    page = app.browser().get(f"/invite/{seated.id}/{seated.invitation}").text
    assert f"/matches/{seated.id}" in links(page)
    assert "Watch the match" in page


def test_the_invitation_page_has_the_rules_in_three_lines_with_the_chosen_settings(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match(seats=1, options={"target": 100})
    page = app.browser().get(f"/invite/{seated.id}/{seated.invitation}").text
    rules = make("64", {"target": 100}).words.short_rules()
    assert len(rules) == 3
    assert all(f"<li>{rule}</li>" in page for rule in rules)
    assert "Settings: played to 100." in page
    assert "exactly 64" not in page


def test_whoever_invites_without_a_name_is_a_friend(app: LocalApp) -> None:
    seated = SeatedMatch(app.store, Match(make("64")), PLAYERS, seats=1)
    page = app.browser().get(f"/invite/{seated.id}/{seated.invitation}").text
    assert "<bdi>A friend</bdi> has invited you to play Binary Race to 64" in page
    assert "Player 1" not in page


def test_a_card_in_the_dark_tells_only_what_a_spectator_may_know(app: LocalApp) -> None:
    seen = set()
    for secret in ("0001", "0111", "1110"):
        for moves in (["toggle 1", "toggle 2"], ["toggle 2", "toggle 1"], ["toggle 1", "toggle 1"]):
            seated = SeatedMatch(app.store, Match(make("battle", {"bits": 4}), 1, secret, moves), seats=1)
            for path in (f"/matches/{seated.id}", f"/invite/{seated.id}/{seated.invitation}"):
                told = card(app.browser(), path)
                seen.add((path[:4], *(value.replace(seated.id, "ID") for value in told.values())))
    assert len(seen) == 2
