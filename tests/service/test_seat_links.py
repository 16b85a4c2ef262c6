"""A seat moves to another browser by a link: once, soon, by a button, and the old browser only watches."""

import re

import pytest
from sqlalchemy import text

from bitduel.service import seat_links
from bitduel.service.credentials import hashed
from bitduel.service.seat_links import MINUTES
from bitduel.storage import schema
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, bearer, form_to


def link_of(who: Browser, match_id: str) -> str:
    """Make a link by the page's button; its path."""
    assert who.post(f"/matches/{match_id}/device").headers["location"] == f"/matches/{match_id}/device"
    page = who.get(f"/matches/{match_id}/device").text
    found = re.search(r'value="http://localhost(/seat/[^"]+)"', page)
    assert found, page
    return found[1]


def test_the_seat_goes_to_whoever_opens_the_link_and_says_yes(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(moves=("add", "add"))
    old, new = app.browser(seated.tokens[0]), app.browser()
    assert f"/matches/{seated.id}/device" in old.get(f"/matches/{seated.id}").text
    link = link_of(old, seated.id)
    page = new.get(link)
    assert page.status_code == 200
    assert "Ada" in page.text
    assert app.store.seats.owners(seated.id)[1] == hashed(seated.tokens[0]), "looking takes nothing"
    answer = new.post(form_to(page.text, link).action)
    assert answer.headers["location"] == f"/matches/{seated.id}"
    assert app.store.seats.owners(seated.id) == {1: hashed(new.cookie), 2: hashed(seated.tokens[1])}
    form = {"ply": "2", "move": "add"}
    assert old.post(f"/matches/{seated.id}/move", data=form).status_code == 403
    assert new.post(f"/matches/{seated.id}/move", data=form).status_code == 303
    assert 'name="move"' not in old.get(f"/matches/{seated.id}").text


def test_a_link_works_once_and_a_second_click_of_the_same_browser_harms_nothing(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match()
    link = link_of(app.browser(seated.tokens[0]), seated.id)
    new, late = app.browser(), app.browser()
    assert new.post(link).status_code == 303
    assert new.post(link).headers["location"] == f"/matches/{seated.id}"
    for answer in (late.get(link), late.post(link)):
        assert answer.status_code == 404
        assert f'href="/matches/{seated.id}"' in answer.text
    assert app.store.seats.owners(seated.id)[1] == hashed(new.cookie)


def test_a_link_to_a_seat_of_a_match_that_is_over_says_so_and_moves_nothing(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match(moves=("add", "add"))
    old, new = app.browser(seated.tokens[0]), app.browser()
    link = link_of(old, seated.id)
    app.service.resign(seated.id, hashed(seated.tokens[1]))
    for answer in (new.get(link), new.post(link), old.post(f"/matches/{seated.id}/device")):
        assert answer.status_code == 409
        assert "The match is over." in answer.text
    assert "The match is over" in old.get(f"/matches/{seated.id}/device").text
    assert app.store.seats.owners(seated.id)[1] == hashed(seated.tokens[0])


def test_of_two_who_say_yes_at_once_one_gets_the_seat(app: LocalApp, store_match: StoreMatch) -> None:
    for _ in range(8):
        seated = store_match()
        link = link_of(app.browser(seated.tokens[0]), seated.id)
        asked = [app.browser() for _ in range(2)]
        answers = app.together(*(who.ask("POST", link) for who in asked))
        assert sorted(answer.status_code for answer in answers) == [303, 404]
        won = asked[[answer.status_code for answer in answers].index(303)]
        assert app.store.seats.owners(seated.id)[1] == hashed(won.cookie)


def test_a_new_link_takes_the_place_of_the_old(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    old = app.browser(seated.tokens[0])
    first, second = link_of(old, seated.id), link_of(old, seated.id)
    assert first != second
    assert app.browser().get(first).status_code == 404
    assert app.browser().get(second).status_code == 200


def test_a_link_is_too_old_after_ten_minutes(
    app: LocalApp, store_match: StoreMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = store_match()
    moment = schema.now() - MINUTES * 60 * 1_000_000
    monkeypatch.setattr(seat_links, "now", lambda: moment - 1)
    secret = app.site.links.make(seated.id, seated.tokens[0]).secret
    monkeypatch.undo()
    new = app.browser()
    for method in ("GET", "POST"):
        assert new.request(method, f"/seat/{seated.id}/{secret}").status_code == 404
    assert app.store.seats.owners(seated.id)[1] == hashed(seated.tokens[0])
    assert "Make a link" in app.browser(seated.tokens[0]).get(f"/matches/{seated.id}/device").text


def test_only_a_hash_of_the_secret_is_kept(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    secret = link_of(app.browser(seated.tokens[0]), seated.id).rpartition("/")[2]
    with app.store._database._engine.connect() as connection:
        rows = connection.execute(text("SELECT * FROM tickets")).all()
    assert any(hashed(secret) in row for row in rows)
    assert not any(secret in row or seated.tokens[0] in row for row in rows)


def test_the_opponent_cannot_take_both_seats(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    link = link_of(app.browser(seated.tokens[0]), seated.id)
    ben = app.browser(seated.tokens[1])
    assert ben.post(link).headers["location"] == f"/matches/{seated.id}"
    assert app.store.seats.owners(seated.id) == {1: hashed(seated.tokens[0]), 2: hashed(seated.tokens[1])}


def test_who_has_no_seat_makes_no_link(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    for who in (app.browser(), app.browser("x" * 43)):
        assert who.post(f"/matches/{seated.id}/device").status_code == 403
        assert who.get(f"/matches/{seated.id}/device").status_code == 403
    waiting = store_match(seats=1)
    assert app.browser(waiting.tokens[0]).post(f"/matches/{waiting.id}/device").status_code == 409


def test_at_one_keyboard_both_seats_go_along(app: LocalApp) -> None:
    old, new = app.browser(), app.browser()
    where = old.post("/games/64/play", data={"opponent": "here"}).headers["location"]
    new.post(link_of(old, where.rpartition("/")[2]))
    assert 'name="move"' in new.get(where).text
    assert 'name="move"' not in old.get(where).text


def test_what_was_asked_and_agreed_stays_with_the_seat(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(moves=("add", "add", "double"))
    old, new, ben = app.browser(seated.tokens[0]), app.browser(), app.browser(seated.tokens[1])
    old.post(f"/matches/{seated.id}/draw", data={"ply": "3"})
    new.post(link_of(old, seated.id))
    assert "Ada offers a draw." in ben.get(f"/matches/{seated.id}").text
    assert "You offered a draw. Waiting for Ben." in new.get(f"/matches/{seated.id}").text


def test_programs_move_their_seat_too(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    who, api = app.browser(), f"/api/v1/matches/{seated.id}"
    made = who.post(f"{api}/device", headers=bearer(seated.tokens[1])).json()
    assert made["minutes"] == MINUTES
    taken = who.post(f"{api}/device/seat", json={"ticket": made["ticket"]})
    assert (taken.status_code, taken.json()["seat"]) == (200, 2)
    assert app.store.seats.owners(seated.id)[2] == hashed(taken.json()["token"])
    assert who.post(f"{api}/device/seat", json={"ticket": made["ticket"]}).status_code == 404


def test_guessing_is_limited(strict_app: LocalApp) -> None:
    who = strict_app.browser()
    where = who.post("/games/64/play", data={"opponent": "here"}).headers["location"]
    path = where.replace("/matches/", "/seat/")
    answers = [who.get(f"{path}/{'0' * 32}").status_code for _ in range(12)]
    assert answers == [404] * 10 + [429] * 2
