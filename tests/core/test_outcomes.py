"""The ways to end that are in no rulebook are known everywhere from one list."""

import json
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import ENDINGS, Outcome, SeriesScore
from bitduel.core.record import parse_record, record_match
from bitduel.core.words import PLAYERS
from bitduel.games.registry import make
from bitduel.storage import open_store
from bitduel.storage.errors import DamagedError
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
    assert parse_record(record_match(match).text(), make).match(make) == match
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


def test_the_score_is_kept_round_after_round() -> None:
    score = SeriesScore(3, ("Ada", "Alan"))
    assert score.announce(2) == "Round 1 of 3. Alan starts."
    score.add(Outcome(1, "exact"))
    score.add(Outcome(None, "repetition"))
    assert score.standing() == "Score after round 2 of 3: Ada 1, Alan 0, drawn 1."
    assert score.champion() == "Ada is the champion, 1 to 0!"
    score.add(Outcome(2, "exact"))
    assert score.champion() == "It's a tie, 1 to 1."
