"""My matches: whom against, whose turn, how they ended for me, and what that comes to."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import ABANDONED, AGREED_DRAW, CALLED_OFF, ENDINGS, Outcome
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web.my_matches import MyMatches, my_matches
from helpers import bitduel
from web.sites import LocalApp, SeatedMatch, links


class Shelf:
    """One browser's matches, each put into the store as it should stand."""

    def __init__(self, app: LocalApp) -> None:
        self.app = app
        self.token = new_token()

    def add(
        self,
        moves: tuple[str, ...] = (),
        outcome: Outcome | None = None,
        seats: tuple[int, ...] = (1,),
        players: tuple[str, str] = ("human", "human"),
        names: tuple[str, str] = ("Ada", "Ben"),
        game: str = "64",
    ) -> str:
        store = self.app.store
        match_id = store.begin(Match(make(game), 1, "", moves), players, names)
        for seat in (1, 2):
            holder = self.token if seat in seats else new_token()
            if players[seat - 1] == "human":
                store.seats.claim(match_id, seat, hashed(holder))
        if outcome:
            store.end(match_id, outcome)
        return match_id

    def found(self) -> MyMatches:
        return my_matches(self.app.service, hashed(self.token))

    def page(self) -> str:
        return unescape(self.app.browser(self.token).get("/matches").text)


def test_what_is_my_turn_comes_first_then_what_goes_on_then_what_is_over(app: LocalApp) -> None:
    shelf = Shelf(app)
    shelf.add(("double",), Outcome(1, "resignation"))
    shelf.add(("double",))
    shelf.add(())
    shelf.add(("double",), Outcome(2, "resignation"))
    shelf.add((), seats=(1, 2))
    states = [row.state for row in shelf.found().rows]
    assert states == ["yours", "open", "open", "lost", "won"]


def test_results_are_told_from_my_side_and_added_up(app: LocalApp) -> None:
    shelf = Shelf(app)
    for outcome in (
        Outcome(1, "resignation"),
        Outcome(2, "resignation"),
        Outcome(1, "time"),
        Outcome(None, AGREED_DRAW),
    ):
        shelf.add(("double",), outcome, seats=(2,))
    shelf.add(("double",), Outcome(2, "resignation"), game="double", seats=(2,))
    shelf.add(("double",), Outcome(None, ABANDONED))
    shelf.add(("double",), Outcome(1, "resignation"), seats=(1, 2))
    found = shelf.found()
    assert found.total[1:] == (2, 2, 2)
    assert {(tally.title, *tally[1:]) for tally in found.games} == {
        ("Binary Race to 64", 1, 2, 2),
        ("Double or Nothing", 1, 0, 0),
    }
    statuses = [row.status for row in found.rows]
    assert sorted(statuses) == ["A draw", "A draw", "Ada won", "You lost", "You lost", "You won", "You won"]
    assert re.search(r"<b>2</b> won, <b>2</b> lost, <b>2</b> drawn", shelf.page())
    for row in found.rows:
        assert row.review in links(shelf.page())


def test_a_match_that_was_called_off_counts_nowhere(app: LocalApp) -> None:
    shelf = Shelf(app)
    shelf.add(("double",), Outcome(None, CALLED_OFF))
    shelf.add(("double",), Outcome(None, CALLED_OFF), seats=(1, 2))
    found = shelf.found()
    assert found.total[1:] == (0, 0, 0)
    assert found.games == []
    assert [row.status for row in found.rows] == ["Called off", "Called off"]
    assert "drawn" not in shelf.page().partition("<main")[2]


def test_a_round_that_was_called_off_is_not_in_the_score(app: LocalApp) -> None:
    shelf = Shelf(app)
    first = shelf.add(("double",), Outcome(1, "resignation"))
    store, game = app.store, make("64")
    again = store.begin(Match(game, 1), ("human", "human"), ("Ada", "Ben"), first, 2, 2)
    store.end(again, Outcome(None, CALLED_OFF))
    (row,) = shelf.found().rows
    assert (row.status, row.score) == ("Called off", "")
    assert shelf.found().total[1:] == (1, 0, 0)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(winner, each.reason)
        for each in ENDINGS.values()
        for winner in (None, 1, 2)
        if not each.by_moves and (each.won if winner else each.drawn)
    ],
    ids=str,
)
def test_the_site_and_the_terminal_count_every_ending_alike(tmp_path: Path, outcome: Outcome) -> None:
    url = f"sqlite:///{tmp_path}/matches.db"
    with open_store(url) as store:
        match = Match(make("64"), 1, "", ("double",))
        match_id = store.begin(match, ("human", "human"), ("Ada", "Ben"))
        store.seats.claim(match_id, 1, "ada")
        store.seats.claim(match_id, 2, "ben")
        store.end(match_id, outcome)
        found = my_matches(MatchService(store, Hub()), "ada").total
    tallies = json.loads(bitduel("stats", "--player", "Ada", "--json", "--db", url).out)
    assert (found.won, found.lost, found.drawn) == tuple(tallies[0][name] for name in ("won", "lost", "drawn"))
    assert tallies[0]["played"] == sum(found[1:])


def test_the_page_takes_one_transaction_however_many_matches_there_are(
    app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, runs = app.store._database._run, []

    def counted(*asked: Any) -> Any:
        runs.append(1)
        return run(*asked)

    monkeypatch.setattr(app.store._database, "_run", counted)
    shelf, found = Shelf(app), []
    for count in (0, 1, 30):
        for _ in range(count):
            first = shelf.add(("double",), Outcome(1, "resignation"))
            game = make("64")
            app.store.begin(Match(game, 1), ("human", "human"), ("Ada", "Ben"), first, 2, 2)
        runs.clear()
        shelf.page()
        found.append(len(runs))
    assert found == [1, 1, 1]


def test_rounds_of_one_sitting_are_one_row_with_a_score_and_all_count(app: LocalApp) -> None:
    shelf = Shelf(app)
    first = shelf.add(("double",), Outcome(1, "resignation"))
    store, game = app.store, make("64")
    for number, winner in ((2, 1), (3, 2)):
        again = store.begin(Match(game, 1), ("human", "human"), ("Ada", "Ben"), first, number, number)
        store.end(again, Outcome(winner, "resignation"))
    (row,) = shelf.found().rows
    assert row.url == f"/matches/{again}"
    assert row.score == "2 won, 1 lost so far"
    assert shelf.found().total[1:] == (2, 1, 0)


def test_the_computer_is_told_with_its_level_once(app: LocalApp) -> None:
    shelf = Shelf(app)
    shelf.add(players=("human", "medium"), names=("Ada", "Computer"))
    shelf.add(players=("human", "hard"), names=("Ada", "Computer (hard)"))
    assert {row.against for row in shelf.found().rows} == {"against Computer (medium)", "against Computer (hard)"}


def test_a_match_without_a_second_player_waits_for_a_friend(app: LocalApp) -> None:
    seated = SeatedMatch(app.store, Match(make("64"), 2), seats=1)
    (row,) = my_matches(app.service, hashed(seated.tokens[0])).rows
    assert (row.against, row.status) == ("waiting for your friend", "Their turn")


def test_two_at_one_keyboard_are_both_named(app: LocalApp) -> None:
    shelf = Shelf(app)
    shelf.add(seats=(1, 2))
    (row,) = shelf.found().rows
    assert row.against == "Ada and Ben, on one screen"


def test_times_are_for_programs_and_without_scripts_in_utc(app: LocalApp) -> None:
    shelf = Shelf(app)
    shelf.add()
    assert re.search(
        r'<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ">\d{4}-\d\d-\d\d \d\d:\d\d UTC</time>', shelf.page()
    )


def test_without_a_match_the_page_leads_to_a_game(app: LocalApp) -> None:
    for token in (None, new_token()):
        page = app.browser(token).get("/matches").text
        assert "Choose a game" in page
        assert "won" not in page.partition("<main")[2]
