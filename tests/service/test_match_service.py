"""The service: programs go on whatever interrupted them."""

from typing import Any

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.games.registry import all_games, make
from bitduel.players import COMPUTERS
from bitduel.players.player import FunctionPlayer
from bitduel.service import match_service
from bitduel.service.credentials import hashed, invitation, new_token
from bitduel.service.match_session import LateError
from bitduel.storage import UnknownMatchError
from bitduel.storage.writes import MatchMoment
from web.sites import LocalApp


@pytest.mark.parametrize("game", [kind.short for kind in all_games()])
@pytest.mark.parametrize("level", [computer.name for computer in COMPUTERS])
def test_a_computer_that_was_interrupted_goes_on_when_somebody_looks(app: LocalApp, game: str, level: str) -> None:
    made = make(game, {"bits": 2} if game == "battle" else {})
    match_id = app.store.begin(Match(made, 2, "11" if made.has_chance else ""), ("human", level), ("Ada", "Computer"))
    table = app.service.session(match_id)
    assert table.match.to_move in (1, None)
    assert app.store.get(match_id).moves == tuple(table.match.moves) != ()


def test_only_a_whole_id_opens_a_match(app: LocalApp) -> None:
    match_id = app.store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
    for wrong in (match_id[:-1], match_id.upper(), f" {match_id}", f"{match_id}x", "", "%", "_" * 7):
        with pytest.raises(UnknownMatchError):
            app.service.session(wrong)
    assert app.service.session(match_id).stored.id == match_id


def test_whoever_opened_a_table_holds_its_seat_and_both_at_one_keyboard(app: LocalApp) -> None:
    token = new_token()
    for opponent, seats in (("friend", (1,)), ("easy", (1,)), ("here", (1, 2))):
        match_id = app.service.create(make("64"), opponent, "1", (None, None), token)
        table = app.service.session(match_id)
        assert table.seats(hashed(token)) == seats
        assert table.seats(token) == table.seats(None) == ()
        assert table.free_seat == (2 if opponent == "friend" else None)


def test_the_starter_is_the_one_wished_for_or_either(app: LocalApp) -> None:
    token = new_token()
    for first in ("1", "2"):
        match_id = app.service.create(make("64"), "friend", first, (None, None), token)
        assert app.store.get(match_id).first == int(first)
    tossed = {
        app.store.get(app.service.create(make("64"), "friend", "toss", (None, None), token)).first for _ in range(40)
    }
    assert tossed == {1, 2}


def test_a_wish_that_makes_no_sense_is_refused(app: LocalApp) -> None:
    for opponent, first in (("nobody", "1"), ("human", "1"), ("level:x", "1"), ("bot:x", "1"), ("friend", "3")):
        with pytest.raises(BitduelError):
            app.service.create(make("64"), opponent, first, (None, None), new_token())


def test_my_matches_are_the_newest_round_of_each_sitting(app: LocalApp) -> None:
    token = new_token()
    owner = hashed(token)
    one, two = (app.service.create(make("64"), "easy", "1", (None, None), token) for _ in range(2))
    app.service.resign(one, owner)
    again = app.site.offers.play_again(one, owner)
    assert [each.newest.stored.id for each in app.service.held_sittings(owner)] == [two, again]
    assert app.site.offers.play_again(one, owner) == again


def test_a_computers_move_that_comes_after_a_resignation_is_forgotten(
    app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = app.store.begin(Match(make("31"), 2), ("human", "random"), ("Ada", "Computer"))
    add = app.store.add

    def too_late(*values: Any) -> None:
        app.store.end(match_id, Outcome(2, RESIGNATION))
        add(*values)

    monkeypatch.setattr(app.store, "add", too_late)
    table = app.service.session(match_id)
    assert table.match.outcome == (2, RESIGNATION)
    assert table.match.moves == []


def test_a_match_cannot_grow_without_end(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.service.match_service.MOST_PLIES", 2)
    token = new_token()
    match_id = app.service.create(make("64"), "here", "1", (None, None), token)
    for ply in range(2):
        app.service.move(match_id, hashed(token), ply, "add")
    with pytest.raises(LateError, match="at most 2 moves"):
        app.service.move(match_id, hashed(token), 2, "add")
    assert len(app.store.get(match_id).moves) == 2


def test_a_friend_is_named_in_every_round(app: LocalApp) -> None:
    token = new_token()
    first = app.service.create(make("64"), "friend", "1", ("Ada", None), token)
    app.service.join(first, invitation(token, first), "Ben", hashed("ben"))
    app.service.resign(first, hashed(token))
    app.site.offers.play_again(first, hashed(token))
    second = app.site.offers.play_again(first, hashed("ben"))
    assert second
    assert app.store.get(second).names == ("Ada", "Ben")


def test_nobody_resigns_to_an_empty_seat(app: LocalApp) -> None:
    token, owner = new_token(), hashed(new_token())
    match_id = app.service.create(make("64"), "friend", "1", ("Ada", None), token, ["add", "add", "add"])
    assert app.service.session(match_id).can_call_off, "however many moves were made before it"
    with pytest.raises(LateError, match="Cancel the match instead"):
        app.service.resign(match_id, hashed(token))
    assert app.store.get(match_id).outcome is None
    app.service.join(match_id, invitation(token, match_id), "Ben", owner)
    with pytest.raises(LateError, match="has begun"):
        app.service.call_off(match_id, hashed(token), app.service.session(match_id).moment)
    assert app.service.resign(match_id, owner).match.outcome == Outcome(1, "resignation")


def test_the_seat_of_a_match_that_is_over_cannot_be_taken(app: LocalApp) -> None:
    token = new_token()
    match_id = app.service.create(make("64"), "friend", "1", ("Ada", None), token)
    session = app.service.call_off(match_id, hashed(token), MatchMoment(0, 0))
    assert (session.free_seat, session.is_between_people, session.can_play_again) == (None, True, False)
    with pytest.raises(LateError, match="The match is over"):
        app.service.join(match_id, invitation(token, match_id), "Ben", hashed("ben"))
    assert app.store.seats.owners(match_id) == {1: hashed(token)}
    assert app.store.get(match_id).names[1] != "Ben"
    with pytest.raises(LateError, match="Nobody joined"):
        app.site.offers.play_again(match_id, hashed(token))


def test_looking_at_a_match_of_two_programs_plays_nothing(app: LocalApp) -> None:
    long = make("31", {"length": 20_000})
    match_id = app.store.begin(Match(long, moves=["1"]), ("random", "random"), ("One", "Two"))
    page = app.browser().get(f"/matches/{match_id}")
    assert page.status_code == 200
    assert app.store.get(match_id).moves == ("1",)


def test_a_program_does_not_go_on_beyond_the_limits_of_the_site(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_service, "MOST_PLIES", 3)
    moves = ["flip 2", "flip 3", "flip 1"]
    match_id = app.store.begin(Match(make("bits"), moves=moves), ("human", "random"), ("Ada", "Computer"))
    assert app.service.session(match_id).match.ply == 3
    large = make("31", {"length": 20_000})
    match_id = app.store.begin(Match(large, moves=["1"]), ("human", "perfect"), ("Ada", "Computer"))
    assert app.service.session(match_id).match.ply == 1


def test_a_match_from_elsewhere_that_is_too_large_gets_a_sentence_instead_of_a_review(app: LocalApp) -> None:
    match = Match(make("31", {"length": 20_000}), moves=["1"])
    match.resign(1)
    match_id = app.store.begin(match, ("human", "human"), ("Ada", "Ben"))
    assert match.outcome
    app.store.end(match_id, match.outcome)
    browser = app.browser()
    assert browser.get(f"/matches/{match_id}").status_code == 200
    for path in (f"/matches/{match_id}/review", f"/api/v1/matches/{match_id}/review"):
        answer = browser.get(path)
        assert answer.status_code == 400
        assert "length must be at most 255 here, not 20000" in answer.text


@pytest.mark.parametrize("kind", ["Human", "HUMAN ", "bot:anything", "level:9999999", "?"])
def test_whatever_kind_of_player_is_stored_the_page_opens(app: LocalApp, kind: str) -> None:
    match_id = app.store.begin(Match(make("double"), 2), ("human", "human"), ("Ada", "Ben"))
    with app.store._database._engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE matches SET player_2 = '{kind}' WHERE id = '{match_id}'")
    assert app.browser().get(f"/matches/{match_id}").status_code == 200
    assert app.browser().get(f"/api/v1/matches/{match_id}").status_code == 200
    assert app.store.get(match_id).moves == ()


def test_a_program_that_fails_loses_its_match_and_whoever_runs_the_site_is_told(
    app: LocalApp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(match_service, "build", lambda *_: FunctionPlayer(lambda view: "nonsense"))
    match_id = app.store.begin(Match(make("double"), 2), ("human", "random"), ("Ada", "Computer"))
    assert app.service.session(match_id).match.outcome == Outcome(1, "illegal move")
    assert app.store.get(match_id).outcome == Outcome(1, "illegal move")
    assert "'nonsense' is not legal" in caplog.text


def test_however_an_address_is_spelt_a_page_is_kept_once(app: LocalApp) -> None:
    browser = app.browser()
    spellings = [
        name for kind in all_games() for name in (kind.slug, kind.short, kind.slug.upper(), f"%20{kind.short}")
    ]
    pages = {spelling: browser.get(f"/games/{spelling}") for spelling in spellings}
    assert {page.status_code for page in pages.values()} == {200}
    assert set(app.site.cached_pages) <= {"/", *(f"/games/{kind.slug}" for kind in all_games())}
    assert len({page.text for page in pages.values()}) == len(all_games())
