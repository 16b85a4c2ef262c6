"""A seat moves to another browser by a link: once, soon, by a button, and the old browser only watches."""

import re

import pytest
from sqlalchemy import text

from bitduel.service.match_service import hashed
from bitduel.storage import timestamps
from bitduel.web import seat_links
from bitduel.web.seat_links import MINUTES
from web.conftest import Hold
from web.houses import Browser, House, bearer, form_to


def link_of(who: Browser, match_id: str) -> str:
    """Make a link by the page's button; its path."""
    assert who.post(f"/matches/{match_id}/device").headers["location"] == f"/matches/{match_id}/device"
    page = who.get(f"/matches/{match_id}/device").text
    found = re.search(r'value="http://localhost(/seat/[^"]+)"', page)
    assert found, page
    return found[1]


def test_the_seat_goes_to_whoever_opens_the_link_and_says_yes(house: House, hold: Hold) -> None:
    held = hold(moves=("add", "add"))
    old, new = house.browser(held.tokens[0]), house.browser()
    assert f"/matches/{held.id}/device" in old.get(f"/matches/{held.id}").text
    link = link_of(old, held.id)
    page = new.get(link)
    assert page.status_code == 200
    assert "Ada" in page.text
    assert house.store.seats.owners(held.id)[1] == hashed(held.tokens[0]), "looking takes nothing"
    answer = new.post(form_to(page.text, link).action)
    assert answer.headers["location"] == f"/matches/{held.id}"
    assert house.store.seats.owners(held.id) == {1: hashed(new.cookie), 2: hashed(held.tokens[1])}
    form = {"ply": "2", "move": "add"}
    assert old.post(f"/matches/{held.id}/move", data=form).status_code == 403
    assert new.post(f"/matches/{held.id}/move", data=form).status_code == 303
    assert 'name="move"' not in old.get(f"/matches/{held.id}").text


def test_a_link_works_once_and_a_second_click_of_the_same_browser_harms_nothing(house: House, hold: Hold) -> None:
    held = hold()
    link = link_of(house.browser(held.tokens[0]), held.id)
    new, late = house.browser(), house.browser()
    assert new.post(link).status_code == 303
    assert new.post(link).headers["location"] == f"/matches/{held.id}"
    for answer in (late.get(link), late.post(link)):
        assert answer.status_code == 404
        assert f'href="/matches/{held.id}"' in answer.text
    assert house.store.seats.owners(held.id)[1] == hashed(new.cookie)


def test_a_link_to_a_seat_of_a_match_that_is_over_says_so_and_moves_nothing(house: House, hold: Hold) -> None:
    held = hold(moves=("add", "add"))
    old, new = house.browser(held.tokens[0]), house.browser()
    link = link_of(old, held.id)
    house.desk.resign(held.id, hashed(held.tokens[1]))
    for answer in (new.get(link), new.post(link), old.post(f"/matches/{held.id}/device")):
        assert answer.status_code == 409
        assert "The match is over." in answer.text
    assert "The match is over" in old.get(f"/matches/{held.id}/device").text
    assert house.store.seats.owners(held.id)[1] == hashed(held.tokens[0])


def test_of_two_who_say_yes_at_once_one_gets_the_seat(house: House, hold: Hold) -> None:
    for _ in range(8):
        held = hold()
        link = link_of(house.browser(held.tokens[0]), held.id)
        asked = [house.browser() for _ in range(2)]
        answers = house.together(*(who.ask("POST", link) for who in asked))
        assert sorted(answer.status_code for answer in answers) == [303, 404]
        won = asked[[answer.status_code for answer in answers].index(303)]
        assert house.store.seats.owners(held.id)[1] == hashed(won.cookie)


def test_a_new_link_takes_the_place_of_the_old(house: House, hold: Hold) -> None:
    held = hold()
    old = house.browser(held.tokens[0])
    first, second = link_of(old, held.id), link_of(old, held.id)
    assert first != second
    assert house.browser().get(first).status_code == 404
    assert house.browser().get(second).status_code == 200


def test_a_link_is_too_old_after_ten_minutes(house: House, hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    held = hold()
    moment = timestamps.now() - MINUTES * 60 * 1_000_000
    monkeypatch.setattr(seat_links, "now", lambda: moment - 1)
    secret = house.site.links.make(held.id, held.tokens[0]).secret
    monkeypatch.undo()
    new = house.browser()
    for method in ("GET", "POST"):
        assert new.request(method, f"/seat/{held.id}/{secret}").status_code == 404
    assert house.store.seats.owners(held.id)[1] == hashed(held.tokens[0])
    assert "Make the link" in house.browser(held.tokens[0]).get(f"/matches/{held.id}/device").text


def test_only_a_hash_of_the_secret_is_kept(house: House, hold: Hold) -> None:
    held = hold()
    secret = link_of(house.browser(held.tokens[0]), held.id).rpartition("/")[2]
    with house.store._database._engine.connect() as connection:
        rows = connection.execute(text("SELECT * FROM tickets")).all()
    assert any(hashed(secret) in row for row in rows)
    assert not any(secret in row or held.tokens[0] in row for row in rows)


def test_the_opponent_cannot_take_both_seats(house: House, hold: Hold) -> None:
    held = hold()
    link = link_of(house.browser(held.tokens[0]), held.id)
    ben = house.browser(held.tokens[1])
    assert ben.post(link).headers["location"] == f"/matches/{held.id}"
    assert house.store.seats.owners(held.id) == {1: hashed(held.tokens[0]), 2: hashed(held.tokens[1])}


def test_who_has_no_seat_makes_no_link(house: House, hold: Hold) -> None:
    held = hold()
    for who in (house.browser(), house.browser("x" * 43)):
        assert who.post(f"/matches/{held.id}/device").status_code == 403
        assert who.get(f"/matches/{held.id}/device").status_code == 403
    waiting = hold(seats=1)
    assert house.browser(waiting.tokens[0]).post(f"/matches/{waiting.id}/device").status_code == 409


def test_at_one_keyboard_both_seats_go_along(house: House) -> None:
    old, new = house.browser(), house.browser()
    where = old.post("/games/64/play", data={"opponent": "here"}).headers["location"]
    new.post(link_of(old, where.rpartition("/")[2]))
    assert 'name="move"' in new.get(where).text
    assert 'name="move"' not in old.get(where).text


def test_what_was_asked_and_agreed_stays_with_the_seat(house: House, hold: Hold) -> None:
    held = hold(moves=("add", "add", "double"))
    old, new, ben = house.browser(held.tokens[0]), house.browser(), house.browser(held.tokens[1])
    old.post(f"/matches/{held.id}/draw", data={"ply": "3"})
    new.post(link_of(old, held.id))
    assert "Ada offers a draw." in ben.get(f"/matches/{held.id}").text
    assert "has not answered yet" in new.get(f"/matches/{held.id}").text


def test_programs_move_their_seat_too(house: House, hold: Hold) -> None:
    held = hold()
    who, api = house.browser(), f"/api/v1/matches/{held.id}"
    made = who.post(f"{api}/device", headers=bearer(held.tokens[1])).json()
    assert made["minutes"] == MINUTES
    taken = who.post(f"{api}/device/seat", json={"ticket": made["ticket"]})
    assert (taken.status_code, taken.json()["seat"]) == (200, 2)
    assert house.store.seats.owners(held.id)[2] == hashed(taken.json()["token"])
    assert who.post(f"{api}/device/seat", json={"ticket": made["ticket"]}).status_code == 404


def test_guessing_is_limited(strict_house: House) -> None:
    who = strict_house.browser()
    where = who.post("/games/64/play", data={"opponent": "here"}).headers["location"]
    path = where.replace("/matches/", "/seat/")
    answers = [who.get(f"{path}/{'0' * 32}").status_code for _ in range(12)]
    assert answers == [404] * 10 + [429] * 2
