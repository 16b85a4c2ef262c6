"""The ways to end that are in no rulebook are known everywhere from one list."""

import json
from pathlib import Path

import pytest

from bitduel.core.endings import ENDINGS, Outcome
from bitduel.core.match import Match
from bitduel.core.record import parse, record
from bitduel.core.words import PLAYERS
from bitduel.games import make
from bitduel.storage import DamagedError, open_store
from helpers import bitduel

CLAIMED = [
    Outcome(winner, ending.reason)
    for ending in ENDINGS.values()
    for winner in (1, 2, None)
    if not ending.by_moves and (ending.drawn if winner is None else ending.won)
]


def ended(outcome: Outcome) -> Match:
    match = Match(make("31"), moves=["1", "2"])
    match.conclude(outcome)
    return match


@pytest.mark.parametrize("outcome", CLAIMED)
def test_an_ending_is_told_in_a_sentence_that_names_the_winner(outcome: Outcome) -> None:
    said = " ".join(make("31").words.end(outcome, PLAYERS))
    assert (f"Player {outcome.winner} wins" in said) == (outcome.winner is not None)
    assert "{" not in said


@pytest.mark.parametrize("outcome", CLAIMED)
def test_an_ending_survives_record_and_store(outcome: Outcome, tmp_path: Path) -> None:
    match = ended(outcome)
    assert parse(record(match).text(), make).match(make) == match
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        match_id = store.begin(match, ("human", "human"), PLAYERS)
        store.end(match_id, outcome)
        assert store.get(match_id).match() == match
    tally = json.loads(bitduel("stats", "--db", db, "--json").out)[0]
    assert tally["otherwise"] == {outcome.reason: 1}
    assert f"1 {outcome.reason}" in bitduel("stats", "--db", db).out
    assert outcome.reason in bitduel("show", match_id, "--db", db).out


def test_a_stored_ending_that_nobody_declared_is_damage(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/matches.db") as store:
        match_id = store.begin(Match(make("31"), moves=["1"]), ("human", "human"), PLAYERS)
        store.end(match_id, Outcome(1, "boredom"))
        with pytest.raises(DamagedError, match="boredom"):
            store.get(match_id).match()
