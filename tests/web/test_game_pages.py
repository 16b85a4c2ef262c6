"""Every page of every game, and whole matches by ordinary forms, as with scripts switched off."""

import re
from html import unescape
from typing import Any

import httpx
import pytest

from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players.level_descriptions import level_about
from bitduel.service.credentials import hashed, new_token
from bitduel.web.start_form import LEVELS
from helpers import all_readings
from web.fixtures import StoreMatch
from web.sites import Browser, Form, LocalApp, SeatedMatch, choice, form_to, forms, links

SLUGS = [kind.slug for kind in all_games()]
BATTLE = "binary-battle"


def opened(who: Browser, path: str, status: int = 200) -> str:
    """A page that is whole and says what it is."""
    answer = who.get(path)
    assert answer.status_code == status, (path, answer.text)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = answer.text
    if "/fragment" not in path:
        assert page.startswith("<!doctype html>")
        assert page.rstrip().endswith("</html>")
        assert re.search(r"<title>\s*\S.*· bitduel</title>", page)
    assert "Undefined" not in page
    assert not re.search(r"{{|{%|\bNone\b(?! yet)", page)
    return page


def sent(who: Browser, form: Form, **fields: str) -> httpx.Response:
    return who.post(form.action, data={**form.hidden, **fields})


def start(who: Browser, slug: str, **fields: str) -> str:
    """Start a match by the game's form; return its address."""
    page = opened(who, f"/games/{slug}")
    form = form_to(page, "/play")
    if fields["opponent"] in [level["name"] for level in LEVELS]:
        fields = {**fields, "opponent": "computer", "level": fields["opponent"]}
    for name in ("opponent", *(("level",) if "level" in fields else ())):
        assert f'type="radio" name="{name}" value="{fields[name]}"' in page
    answer = sent(who, form, **fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def one_move(who: Browser, where: str) -> str:
    """Press a button of the page; the address it leads to, or nothing if it is not this player's turn."""
    found = [form for form in forms(opened(who, where)) if form.action.endswith("/move")]
    if not found:
        return ""
    (form,) = found
    moves = [unescape(value) for name, value in form.buttons if name == "move"]
    if not moves:
        return ""
    assert PASS not in moves
    answer = sent(who, form, move=choice(moves, int(form.hidden["ply"])))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def over(page: str) -> bool:
    return 'data-over="true"' in page


def invitation(page: str) -> str:
    found = re.search(r'value="http://localhost(/invite/[^"]+)"', page)
    assert found
    return found[1]


def two_browsers(app: LocalApp, slug: str, **fields: str) -> tuple[Browser, Browser, str]:
    """A match that two browsers play, by invitation."""
    ada, ben = app.browser(), app.browser()
    where = start(ada, slug, opponent="friend", name="Ada", **fields)
    link = invitation(opened(ada, where))
    form = form_to(opened(ben, link), link)
    assert sent(ben, form, name="Ben").headers["location"] == where
    return ada, ben, where


def played_out(where: str, *browsers: Browser) -> None:
    """Both press buttons until it is over."""
    turn = 0
    while not over(browsers[0].get(where).text):
        moved = [bool(one_move(who, where)) for who in browsers]
        assert any(moved)
        turn += 1
        assert turn < 1000


@pytest.mark.parametrize(("kind", "chosen"), all_readings(), ids=str)
def test_the_page_of_a_game_shows_each_reading(app: LocalApp, kind: GameClass, chosen: dict[str, Any]) -> None:
    query = "&".join(f"opt-{name}={value}" for name, value in chosen.items())
    page = opened(app.browser(), f"/games/{kind.slug}?{query}")
    rules = kind(**chosen).words.rules()
    assert all(rule in unescape(page) for rule in rules)
    for name, value in chosen.items():
        assert re.search(f'name="opt-{name}" value="{value}" checked', page)
    opened(app.browser(), f"/games/{kind.slug}/position?{query}")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("query", ["opt-colour=red", "opt-self=1", "opt-=1"])
def test_options_that_a_game_does_not_have_are_400(app: LocalApp, slug: str, query: str) -> None:
    for page in ("", "/position"):
        assert 'role="alert"' in opened(app.browser(), f"/games/{slug}{page}?{query}", 400)
    answer = app.browser().post(f"/games/{slug}/play", data={"opponent": "easy", **dict([query.split("=")])})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [
        "binary-race-64?opt-target=1000000000",
        "binary-race-64?opt-target=0",
        "double-or-nothing?opt-start=200",
        "binary-race-31?opt-length=1000000",
        "binary-race-bits?opt-bits=31",
        "binary-battle?opt-bits=6",
        "binary-battle?opt-secret=2",
        "binary-battle?opt-secret=111",
        "binary-battle?opt-table=round",
    ],
)
def test_values_that_an_option_cannot_have_are_400_on_every_page(app: LocalApp, wrong: str) -> None:
    slug, _, query = wrong.partition("?")
    assert 'role="alert"' in opened(app.browser(), f"/games/{wrong}", 400)
    assert 'role="alert"' in opened(app.browser(), f"/games/{slug}/position?{query}", 400)
    answer = app.browser().post(f"/games/{slug}/play", data={"opponent": "easy", **dict([query.split("=")])})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("field", [{"opponent": "nobody"}, {}, {"opponent": "easy", "first": "3"}])
def test_a_form_without_an_opponent_or_a_starter_is_400(app: LocalApp, field: dict[str, str]) -> None:
    answer = app.browser().post("/games/64/play", data=field)
    assert answer.status_code == 400
    assert "Choose" in answer.text


@pytest.mark.parametrize("slug", SLUGS)
def test_any_position_can_be_explored_move_by_move(app: LocalApp, slug: str) -> None:
    who, path = app.browser(), f"/games/{slug}/position"
    query = "?opt-secret=11111" if slug == BATTLE else ""
    for _ in range(4):
        page = opened(who, path + query)
        steps = [link for link in links(page) if link.startswith("?")]
        if not steps:
            break
        query = steps[-1]
        assert "moves=" in query
    assert "Take back" in page


def test_wrong_moves_of_a_position_are_400(app: LocalApp) -> None:
    for query in ("moves=sing", "moves=add,add,sing", "moves=" + "double," * 500):
        opened(app.browser(), f"/games/binary-race-64/position?{query}", 400)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("level", [level["name"] for level in LEVELS])
def test_a_whole_match_against_the_computer_by_forms(app: LocalApp, slug: str, level: str) -> None:
    who = app.browser()
    where = start(who, slug, opponent=level, first="toss", name="Ada")
    played_out(where, who)
    page = opened(who, where)
    assert "Ada" in page
    assert re.search("Same again|Try again|Swap who starts", page)
    assert "Computer" in page
    assert app.service.held_sittings(hashed(who.cookie))[0].newest.match.outcome


@pytest.mark.parametrize("slug", SLUGS)
def test_two_browsers_play_rounds_with_a_score_and_every_page_opens_on_the_way(app: LocalApp, slug: str) -> None:
    small = {"opt-bits": "2"} if slug == BATTLE else {}
    ada, ben, where = two_browsers(app, slug, first="1", **small)
    watcher = app.browser()
    turn = 0
    while not over(watcher.get(where).text):
        for who in (ada, ben, watcher) if turn < 2 else ():
            for path in ("", "/fragment", "?coach=1", "/fragment?coach=1", "?as=2"):
                opened(who, where + path)
            opened(who, "/matches")
            opened(who, f"{where}/review", 409)
            assert who is not watcher or not one_move(watcher, where)
        assert bool(one_move(ada, where)) or bool(one_move(ben, where))
        turn += 1
        assert turn < 1000
    for who in (ada, ben, watcher):
        page = opened(who, where)
        assert (">Rematch<" in page) == (who is not watcher)
        for ply in ("", "?ply=0", "?ply=1", "?ply=999999", "?ply=x"):
            opened(who, f"{where}/review{ply}")
    assert sent(ada, form_to(opened(ada, where), "/next")).headers["location"] == where
    assert "Waiting for Ben." in opened(ada, where)
    assert "Ada would like another round." in opened(ben, where)
    second = sent(ben, form_to(opened(ben, where), "/answer"), answer="yes").headers["location"]
    assert {who.post(f"{where}/next").headers["location"] for who in (ada, ben)} == {second} != {where}
    assert second in links(opened(ben, where))
    played_out(second, ada, ben)
    assert 'class="card score"' in opened(ada, second)
    rows = opened(ben, "/matches")
    assert second in links(rows)
    assert where not in links(rows)


@pytest.mark.parametrize("slug", SLUGS)
def test_two_at_one_keyboard_play_a_whole_match(app: LocalApp, slug: str) -> None:
    who = app.browser()
    where = start(who, slug, opponent="here", first="2", name="Ada", **({"opt-bits": "2"} if slug == BATTLE else {}))
    here, turn = where, 0
    while not over(page := opened(who, here)):
        here = one_move(who, here) or next(
            link for link in links(page) if link in (where, f"{where}?as=1", f"{where}?as=2")
        )
        turn += 1
        assert turn < 1000
    assert "Play another round" in opened(who, where)


def test_in_the_dark_at_one_keyboard_the_screen_is_covered_between_turns(app: LocalApp) -> None:
    who = app.browser()
    where = start(who, BATTLE, opponent="here", first="1", **{"opt-secret": "11111"})
    page = opened(who, where)
    assert 'class="board' not in page
    assert f"{where}?as=1" in links(page)
    assert one_move(who, f"{where}?as=1") == f"{where}?as=1"
    after = opened(who, f"{where}?as=1")
    assert "Your new binary number is: 10000" in after
    assert where in links(after)
    assert not form_to(after, "/move").buttons
    covered = opened(who, where)
    assert f"{where}?as=2" in links(covered)
    assert "10000" not in covered
    other = opened(who, f"{where}?as=2")
    assert "has taken a turn." in other
    assert "Your new binary number is" not in other
    gone_back = opened(who, f"{where}?as=1")
    assert "10000" not in gone_back
    assert 'class="board' not in gone_back
    assert f"{where}?as=2" in links(gone_back)
    assert "10000" not in opened(who, f"{where}/fragment?as=1")


@pytest.mark.parametrize("slug", SLUGS)
def test_each_player_can_resign_also_before_a_move(app: LocalApp, slug: str) -> None:
    for loser in (0, 1):
        ada, ben, where = two_browsers(app, slug)
        who = (ada, ben)[loser]
        assert sent(who, form_to(opened(who, where), "/resign")).headers["location"] == where
        assert ("You resigned.", "Ben resigned.")[loser] in opened(ada, where)
        opened(app.browser(), f"{where}/review")
        assert who.post(f"{where}/resign").status_code == 409


def test_the_inviter_can_read_the_link_again_until_the_seat_is_taken(app: LocalApp) -> None:
    ada, ben = app.browser(), app.browser()
    where = start(ada, "double-or-nothing", opponent="friend", first="2")
    page = opened(ada, where)
    assert "Waiting for your friend to join." in page
    link = invitation(page)
    assert invitation(opened(ada, where)) == link
    assert "/invite/" not in opened(app.browser(), where)
    assert ada.get(link).headers["location"] == where
    assert ben.post(link).status_code == 303
    assert "/invite/" not in opened(ada, where)
    assert ben.get(link).headers["location"] == where
    assert "already joined" in opened(app.browser(), link)


def test_who_comes_second_is_told_that_the_seat_is_taken(app: LocalApp) -> None:
    ada = app.browser()
    link = invitation(opened(ada, start(ada, "binary-race-64", opponent="friend")))
    assert app.browser().post(link).status_code == 303
    answer = app.browser().post(link)
    assert answer.status_code == 409
    assert "already joined" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_match_that_nobody_joined_is_called_off_and_its_invitation_says_so(app: LocalApp) -> None:
    ada, ben = app.browser(), app.browser()
    where = start(ada, "binary-race-64", opponent="friend")
    page = opened(ada, where)
    link = invitation(page)
    assert not [form for form in forms(page) if form.action.endswith("/resign")]
    assert ada.post(f"{where}/resign").status_code == 409
    assert sent(ada, form_to(page, "/call-off")).status_code == 303
    page = opened(ada, where)
    assert "The match was cancelled at the start." in page
    assert "/review" not in page
    assert "/review" not in opened(ada, "/matches")
    assert "/invite/" not in page
    assert not [form for form in forms(page) if form.action.endswith("/next")]
    invited = opened(ben, link)
    assert "is over" in invited
    assert "<form" not in invited
    answer = ben.post(link)
    assert answer.status_code == 409
    assert "The match is over." in answer.text
    assert "set-cookie" not in answer.headers
    assert "You win" not in opened(ben, where)


def test_a_name_that_cannot_be_is_400_on_the_invitation_too(app: LocalApp) -> None:
    ada = app.browser()
    link = invitation(opened(ada, start(ada, "binary-race-64", opponent="friend", name="Ada")))
    for name in ("x" * 33, "a\u202eb", "Ada"):
        answer = app.browser().post(link, data={"name": name})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert form_to(answer.text, link)


TABLES = [*((slug, {}) for slug in SLUGS), (BATTLE, {"table": "open"})]


@pytest.mark.parametrize(("slug", "options"), TABLES, ids=str)
def test_every_link_of_a_match_leads_somewhere_at_every_stage(
    app: LocalApp, store_match: StoreMatch, slug: str, options: dict[str, str]
) -> None:
    first = make(slug).moves[0]
    deal = {"deal": "00111"} if slug == BATTLE else {}
    broken = set()
    for moves, end in (((), False), ((first, first), False), ((first,), True)):
        seated = store_match(slug, moves, options=options, **deal)
        if end:
            app.service.resign(seated.id, hashed(seated.tokens[0]))
        followed: set[str] = set()
        for token in (*seated.tokens, None):
            who = app.browser(token)
            for path in (f"/matches/{seated.id}", *([f"/matches/{seated.id}/review"] if end else [])):
                page = opened(who, path)
                new = {*links(page)} - {form.action for form in forms(page)} - followed
                followed |= new
                for link in new:
                    if link.startswith("#") or link.endswith("/events"):
                        continue
                    answer = who.get(httpx.URL(f"http://localhost{path}").join(link).raw_path.decode())
                    if answer.status_code not in (200, 303):
                        broken.add((link.replace(seated.id, "ID"), answer.status_code))
    assert not broken


def test_pages_that_are_not_there_are_404_and_still_pages(app: LocalApp) -> None:
    who = app.browser()
    for path in (
        "/nothing",
        "/games/chess",
        "/games/chess/position",
        "/matches/zzzzzzz",
        "/matches/zzzzzzz/fragment",
        "/matches/zzzzzzz/events",
        "/matches/zzzzzzz/record",
        "/matches/zzzzzzz/review",
        "/matches/%00",
        "/matches/a%2Fb",
        "/matches/\N{SNOWMAN}",
        "/invite/zzzzzzz/x",
        "/static/nothing.css",
    ):
        answer = who.get(path)
        assert answer.status_code == 404, path
        assert answer.text.startswith("<!doctype html>")


def test_wrong_methods_are_405(app: LocalApp) -> None:
    who = app.browser()
    for method, path in (
        ("POST", "/"),
        ("GET", "/games/64/play"),
        ("GET", "/matches/zzzzzzz/move"),
        ("GET", "/matches/zzzzzzz/resign"),
        ("GET", "/matches/zzzzzzz/next"),
        ("DELETE", "/matches/zzzzzzz"),
        ("PUT", "/invite/a/b"),
        ("POST", "/static/style.css"),
    ):
        answer = who.request(method, path)
        assert answer.status_code == 405, path


def test_head_is_answered_like_get_without_a_body(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    for path in ("/", "/games/64", f"/matches/{seated.id}", "/static/style.css"):
        answer = app.browser().request("HEAD", path)
        assert answer.status_code == 200
        assert answer.content == b""


def test_the_notes_of_a_match_in_the_dark_can_be_hidden_and_stay_hidden(app: LocalApp) -> None:
    seated = SeatedMatch(app.store, Match(make("battle"), 1, "01101"))
    browser = app.browser(seated.tokens[0])
    page = browser.get(f"/matches/{seated.id}").text
    assert "still possible: 0 to 31" in page
    assert f'href="/matches/{seated.id}?notes=0"' in page
    without = browser.get(f"/matches/{seated.id}?notes=0").text.partition("<body>")[2]
    assert "still possible:" not in without
    assert "The secret is a number from" not in without
    answer = browser.post(f"/matches/{seated.id}/move", data={"ply": "0", "move": "toggle 1", "notes": "0"})
    assert answer.headers["location"] == f"/matches/{seated.id}?notes=0"


def test_the_page_starts_at_the_level_that_fits_this_browser_and_says_why(app: LocalApp) -> None:
    token, path = new_token(), "/games/binary-race-31"
    assert 'value="easy" checked' in app.browser().get(path).text, "from now on the page is cached"
    for _ in range(2):
        match_id = app.store.begin(Match(make("31")), ("human", "easy"), ("Mira", "Computer (easy)"))
        app.store.seats.claim(match_id, 1, hashed(token))
        app.store.end(match_id, Outcome(1, "resignation"))
    answer = app.browser(token).get(path)
    assert 'value="medium" checked' in answer.text
    assert "You won twice, so the level is now medium." in answer.text
    assert "Beaten: easy (going first)</p>" in answer.text
    assert answer.headers["cache-control"] == "private, no-cache"
    chosen = app.browser(token).get(f"{path}?level=hard").text
    assert 'value="hard" checked' in chosen
    everybody = app.browser().get(path)
    assert 'value="easy" checked' in everybody.text
    assert "Beaten:" not in everybody.text
    assert "cookie" in everybody.headers["vary"]


def test_the_page_says_how_often_a_level_overlooks_a_threat_and_offers_livelier_sizes(app: LocalApp) -> None:
    page = app.browser().get("/games/bits").text
    for name in ("easy", "medium", "hard"):
        assert level_about(make("bits"), name) in page
    assert "/games/binary-race-bits?opt-first-move=empty&amp;opt-edge=strict" in page
