"""The home page: a first game to win for somebody new, and what waits for those who have played here."""

import re
from html import unescape
from random import Random

import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.registry import all_games, find, make
from bitduel.service.credentials import hashed, new_token
from bitduel.service.lobby import stranger_names
from bitduel.web import home_pages
from bitduel.web.home_pages import first_win, returning_home
from bitduel.web.start_form import LEVELS
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, form_to, forms, links


@pytest.fixture
def win() -> Match:
    """The first game to win."""
    match = first_win()
    assert match
    return match


def winning_move(match: Match) -> str:
    (move,) = [move for move in match.legal if match.after(move).outcome]
    return move


def beaten(app: LocalApp, owner: str, game: str, level: str, winner: int = 1, **options: object) -> None:
    """Store a finished match against the computer."""
    match_id = app.store.begin(Match(make(game, options)), ("human", level), ("Mira", f"Computer ({level})"))
    app.store.seats.claim(match_id, 1, owner)
    app.store.end(match_id, Outcome(winner, "resignation"))


def test_somebody_new_sees_every_game_with_its_picture_and_nothing_is_loaded_later(app: LocalApp) -> None:
    page = app.browser().get("/").text
    for kind in all_games():
        assert kind.aim in unescape(page)
        assert form_to(page, f"/games/{kind.slug}/play").buttons == [("opponent", "easy")]
    assert page.count('class="picture miniature"') == len(all_games())
    assert len(re.findall("<img", page)) == 1, "the icon"


def test_on_the_first_board_one_move_wins_and_no_other_ends_the_game(win: Match) -> None:
    after = [win.after(move) for move in win.legal]
    assert [each.outcome.winner for each in after if each.outcome] == [win.next_seat]
    assert len(after) > 1


def test_the_winning_move_leads_to_a_real_match_without_scripts(app: LocalApp, win: Match) -> None:
    who = app.browser()
    page = who.get("/").text
    assert re.findall('name="move" value="([^"]*)" form="move-form"', page) == list(win.legal)
    won = who.get("/", params={"move": winning_move(win)}).text
    assert "You won!" in won
    assert won.count('class="primary') == 1, "one clear next step"
    form = next(form for form in forms(won) if form.action == f"/games/{win.game.slug}/play")
    assert form.buttons == [("opponent", "easy")]
    assert who.post(form.action, data={"opponent": "easy"}).status_code == 303


def test_another_move_on_the_first_board_says_that_there_is_a_better_one(app: LocalApp, win: Match) -> None:
    other = next(move for move in win.legal if move != winning_move(win))
    page = app.browser().get("/", params={"move": other}).text
    assert "Not yet:" in page
    assert f'value="{winning_move(win)}"' in page
    assert "Not yet" not in app.browser().get("/", params={"move": "sing"}).text


def test_a_game_that_fails_is_not_the_first_one(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Match | None:
        raise RuntimeError("a stranger's game")

    monkeypatch.setattr(home_pages, "_find_win", broken)
    assert first_win.__wrapped__() is None


def test_a_cookie_without_a_match_sees_what_everybody_sees(app: LocalApp) -> None:
    assert app.browser(new_token()).get("/").text == app.browser().get("/").text


def test_whose_turn_it_is_stands_in_the_heading_and_in_the_navigation(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("double", names=("Mira", "Ben"))
    mira, ben = (app.browser(token) for token in seated.tokens)
    page = mira.get("/").text
    assert re.search(r"<h1>Your turn, <bdi>Mira</bdi></h1>", page)
    assert "One match is waiting for you." in page
    assert f"/matches/{seated.id}" in links(page)
    assert re.search(r"data-waiting><span data-count>1<", page)
    assert mira.get("/waiting").json() == {"waiting": 1}
    assert "Their turn in Double or Nothing" in ben.get("/").text
    assert re.search(r"data-waiting hidden>", ben.get("/").text)
    assert ben.get("/waiting").json() == app.browser().get("/waiting").json() == {"waiting": 0}


def test_the_page_of_one_browser_is_neither_cached_nor_compressed(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    answer = app.browser(seated.tokens[0]).get("/", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Ada" not in app.browser().get("/").text


def test_without_a_running_match_the_puzzle_takes_the_large_place(app: LocalApp) -> None:
    token = new_token()
    beaten(app, hashed(token), "double", "easy")
    page = app.browser(token).get("/").text
    assert re.search(r"<h1>Welcome back, <bdi>Mira</bdi></h1>", page)
    assert re.search(r'class="card today lead-card"', page)
    assert page.count('class="button primary') == 1
    assert 1 <= len(re.findall("data-day=", page)) <= 7, "the days of the deck, of the last week"


def test_the_home_page_knows_nobody_by_a_name_of_the_lobby(app: LocalApp) -> None:
    token, names = new_token(), stranger_names(Random(1))
    match_id = app.store.begin(Match(make("double")), ("human", "human"), names)
    app.store.seats.claim(match_id, 1, hashed(token))
    assert "<bdi>" not in re.findall("<h1>.*</h1>", app.browser(token).get("/").text)[0]
    beaten(app, hashed(token), "double", "easy")
    app.store.seats.claim(app.store.begin(Match(make("double")), ("human", "human"), names), 2, hashed(token))
    assert "<bdi>Mira</bdi></h1>" in app.browser(token).get("/").text


def test_a_lamp_is_lit_by_a_win_with_the_usual_settings_and_the_next_opponent_fits(app: LocalApp) -> None:
    owner = hashed(new_token())
    beaten(app, owner, "double", "easy")
    beaten(app, owner, "double", "easy")
    beaten(app, owner, "64", "hard", winner=2)
    beaten(app, owner, "31", "perfect", length=3)
    home = returning_home(app.service.held_sittings(owner), owner)
    lamps = {game.kind.slug: game.lamps for game in home.games}
    assert home.lit == 1
    assert home.lamps == len(all_games()) * len(LEVELS)
    assert lamps[find("double").slug] == (frozenset({1}), frozenset(), frozenset(), frozenset())
    played = {game.kind: (game.last, game.next_level) for game in home.games}
    assert played[find("double")] == ("won, easy. You won twice, so the level is now medium.", "medium")
    assert played[find("64")] == ("lost, hard", "hard")
    assert played[find("bits")] == ("new to you", "easy")


def test_a_game_with_a_running_match_is_not_new(app: LocalApp) -> None:
    token = new_token()
    app.service.create(find("bits")(), "easy", "1", ("Mira", None), token)
    owner = hashed(token)
    home = returning_home(app.service.held_sittings(owner), owner)
    assert next(game.last for game in home.games if game.kind is find("bits")) == "not finished yet"


def test_a_hidden_match_at_one_screen_shows_only_what_everybody_may_see(app: LocalApp) -> None:
    who: Browser = app.browser()
    form = {"opponent": "here", "first": "1", "opt-secret": "11111"}
    where = who.post("/games/binary-battle/play", data=form).headers["location"]
    who.post(f"{where}/move", data={"move": "toggle 1", "ply": "0"})
    page = who.get("/").text
    assert where in links(page)
    assert "10000" not in page
