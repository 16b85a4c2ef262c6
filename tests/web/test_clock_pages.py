"""Clocks on the site: chosen in a form or by the API, and shown to everybody."""

from typing import Any

import pytest

from bitduel.core.errors import BitduelError
from bitduel.service.clocks import CHOICES, clock_in, settings_text
from bitduel.storage.clocks import MATCH, MOVE, ClockSettings
from web.sites import LocalApp, bearer


@pytest.mark.parametrize("text", CHOICES)
def test_every_clock_of_the_list_can_be_chosen(text: str) -> None:
    chosen = clock_in({"clock": text})
    assert (f"{chosen.kind}:{chosen.seconds}" if chosen else "") == text
    assert settings_text(chosen) == CHOICES[text] if chosen else True


@pytest.mark.parametrize("text", ["30", "move:", "move:x", "move:-5", "move:٣", "move:99999999999", ":30"])
def test_other_clocks_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BitduelError, match=r"\.$"):
        clock_in({"clock": text})


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (ClockSettings(MOVE, 90), "1 minute 30 seconds per move"),
        (ClockSettings(MATCH, 3600), "60 minutes each"),
        (ClockSettings(MOVE, 61), "1 minute 1 second per move"),
    ],
)
def test_a_clock_is_said_in_words(clock: ClockSettings, text: str) -> None:
    assert settings_text(clock) == text


def test_the_form_of_a_game_offers_a_clock_for_a_friend(app: LocalApp) -> None:
    ada = app.browser()
    assert '<select id="clock" name="clock"' in ada.get("/games/double-or-nothing").text
    began = ada.post("/games/double-or-nothing/play", data={"opponent": "friend", "clock": "match:300"})
    page = ada.get(began.headers["location"]).text
    assert page.count("<b>5:00</b>") == 2
    assert "The clock starts" not in page, "nobody has joined yet"


def test_a_clock_against_the_computer_is_refused_on_the_form_and_stays_chosen(app: LocalApp) -> None:
    answer = app.browser().post("/games/double-or-nothing/play", data={"opponent": "easy", "clock": "move:30"})
    assert answer.status_code == 400
    assert "You can use a clock only if two people each play on their own device." in answer.text
    assert '<option value="move:30" selected>' in answer.text


def clocked(app: LocalApp) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both seats of a match on a clock that runs."""
    who = app.browser()
    wanted = {"game": "double", "first": "1", "clock": {"match": 120}}
    ada = who.post("/api/v1/matches", json=wanted).json()
    there = f"/api/v1/matches/{ada['match']['id']}"
    ben = who.post(f"{there}/seat", json={"invitation": ada["invitation"]}).json()
    for seat in (ada, ben):
        seat["match"] = who.get(there, headers=bearer(seat["token"])).json()
    return ada, ben


def test_programs_see_the_clock_of_both_seats_and_the_time_of_the_server(app: LocalApp) -> None:
    ada, ben = clocked(app)
    assert ada["match"]["clock"]["running"] is None
    clock = ben["match"]["clock"]
    assert (clock["kind"], clock["seconds"], clock["running"]) == ("match", 120, 1)
    assert 100 < clock["remaining"][0] <= 120
    assert clock["remaining"][1] == 120
    assert clock["now"].endswith("+00:00")
    seen = app.browser().get(f"/api/v1/matches/{ada['match']['id']}").json()
    assert seen["clock"]["running"] == 1
    moved = app.browser().post(
        f"/api/v1/matches/{ada['match']['id']}/moves", json={"ply": 0, "move": "add"}, headers=bearer(ada["token"])
    )
    assert moved.json()["clock"]["running"] == 2


def test_a_match_without_a_clock_says_so(app: LocalApp) -> None:
    answer = app.browser().post("/api/v1/matches", json={"game": "double", "opponent": "easy"})
    assert answer.json()["match"]["clock"] is None
    assert 'role="timer"' not in app.browser().get(f"/matches/{answer.json()['match']['id']}").text


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [
        ({"move": 4}, "'clock.move' must be at least 5."),
        ({"match": 10_801}, "'clock.match' must be at most 10800."),
        ({"move": 1.5}, "'clock.move' must be a whole number."),
        ({"move": True}, "'clock.move' must be a whole number."),
        ({"day": 1}, "There is no field 'clock.day' here."),
        ({}, '\'clock\' must be {"move": SECONDS} or {"match": SECONDS}.'),
        ({"move": 30, "match": 300}, '\'clock\' must be {"move": SECONDS} or {"match": SECONDS}.'),
        (30, "'clock' must be an object."),
    ],
)
def test_a_clock_that_there_cannot_be_is_one_sentence(app: LocalApp, clock: object, sentence: str) -> None:
    answer = app.browser().post("/api/v1/matches", json={"game": "double", "clock": clock})
    assert (answer.status_code, answer.json()["error"]) == (422, sentence)


def test_the_last_move_before_the_flag_and_the_flag_are_told_to_everybody_who_watches(app: LocalApp) -> None:
    ada, _ = clocked(app)
    _, (event,) = app.listen(f"/matches/{ada['match']['id']}/events")
    assert " clock1." in event
