"""What a store keeps, on each kind of database."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.games.registry import all_games, make
from bitduel.storage import OverError, PlyTakenError, Store, StoreError, UnknownMatchError, open_store, schema
from bitduel.storage.errors import DamagedError
from bitduel.storage.stored_match import written

Begin = Callable[..., str]


def played(slug: str, seed: int, most: int = 30) -> Match:
    """A match of random moves."""
    rng = Random(seed)
    game = make(slug)
    match = Match(game, first=rng.choice((1, 2)), deal=game.deal(rng))
    while match.to_move and match.ply < most:
        match.play(rng.choice(match.legal))
    return match


def same(one: Match, two: Match) -> bool:
    """Whether nothing tells two matches apart."""
    return all(
        getattr(one, name) == getattr(two, name) for name in ("first", "deal", "moves", "position", "outcome")
    ) and (one.game.slug, one.game.options) == (two.game.slug, two.game.options)


def test_a_store_knows_which_moves_a_match_began_with(url: str) -> None:
    with open_store(url) as store:
        match_id = store.begin(Match(make("double"), moves=("add",)), ("human", "easy"), ("Ada", "Computer"))
        assert (store.get(match_id).given, store.get(match_id).is_from_position) == (1, False)
        store.add(match_id, 1, "double")
        for kept in (store.get(match_id), store.find(match_id), *store.matches()):
            assert (kept.given, kept.is_from_position) == (1, True)
        plain = store.begin(Match(make("double")), ("human", "easy"), ("Ada", "Computer"))
        store.add(plain, 0, "add")
        assert not store.get(plain).is_from_position


@pytest.mark.parametrize("slug", [kind.slug for kind in all_games()])
def test_a_match_kept_move_by_move_comes_back_after_reopening(url: str, slug: str) -> None:
    whole = played(slug, 7)
    match = Match(whole.game, whole.first, whole.deal)
    with open_store(url) as store:
        match_id = store.begin(match, ("human", "random"), ("Ada", "Ben"))
        for ply, move in enumerate(whole.moves):
            match.play(move)
            store.add(match_id, ply, move, match.outcome)
    with open_store(url) as store:
        kept = store.get(match_id)
        assert same(kept.match(), whole)
        assert (written(kept.players), kept.names) == (("human", "random"), ("Ada", "Ben"))
        assert (kept.sitting, kept.round, kept.rounds) == (match_id, 1, 1)
        assert store.matches() == [kept]


@pytest.mark.parametrize("slug", [kind.slug for kind in all_games()])
def test_a_match_kept_with_all_its_moves_comes_back(store: Store, slug: str) -> None:
    whole = played(slug, 11)
    kept = store.get(store.begin(whole, ("human", "human"), ("Ada", "Ben")))
    assert same(kept.match(), whole)
    assert kept.outcome == whole.outcome


def test_options_come_back_as_they_were(store: Store) -> None:
    game = make("binary-battle", {"bits": 3, "secret": "101"})
    kept = store.get(store.begin(Match(game, 2, game.deal(Random(1))), ("human", "human"), ("Ada", "Ben")))
    assert kept.options == game.options
    assert kept.deal == "101"


def test_a_secret_is_not_in_the_text_form_of_a_kept_match(store: Store) -> None:
    game = make("binary-battle", {"secret": "10110"})
    kept = store.get(store.begin(Match(game, 1, "10110"), ("human", "human"), ("Ada", "Ben")))
    assert "10110" not in repr(kept)


def test_a_resigned_match_comes_back_resigned(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add")
    store.end(match_id, Outcome(2, RESIGNATION))
    assert store.get(match_id).match().outcome == Outcome(2, RESIGNATION)


def test_times_are_in_utc_and_move_forward(store: Store, begin: Begin) -> None:
    before = datetime.now(UTC)
    match_id = begin(store)
    first = store.get(match_id)
    store.add(match_id, 0, "add")
    second = store.get(match_id)
    assert before <= first.started == first.changed <= second.changed <= datetime.now(UTC)
    assert second.started == first.started
    assert second.changed.tzinfo is UTC


def test_a_ply_is_taken_once(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add")
    with pytest.raises(PlyTakenError, match=f"Move 1 of match {match_id} has already been made elsewhere."):
        store.add(match_id, 0, "double")
    assert store.get(match_id).moves == ("add",)


@pytest.mark.parametrize("ply", [-1, 2, 99])
def test_no_hole_can_be_left(store: Store, begin: Begin, ply: int) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add")
    with pytest.raises(PlyTakenError):
        store.add(match_id, ply, "add")
    assert store.get(match_id).moves == ("add",)


def test_a_move_and_the_result_it_brings_are_kept_together(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add", Outcome(1, "exact"))
    assert store.get(match_id).outcome == Outcome(1, "exact")


def test_the_loser_of_a_race_for_the_last_move_is_told_that_the_ply_is_taken(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add", Outcome(1, "exact"))
    with pytest.raises(PlyTakenError):
        store.add(match_id, 0, "double")


def test_a_finished_match_takes_no_more_changes(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add")
    store.end(match_id, Outcome(None, "repetition"))
    before = store.get(match_id)
    with pytest.raises(OverError, match="is over"):
        store.add(match_id, 1, "add")
    with pytest.raises(OverError, match="is over"):
        store.take_back(match_id, 0)
    with pytest.raises(OverError, match="is over"):
        store.end(match_id, Outcome(1, RESIGNATION))
    assert store.get(match_id) == before


def test_to_record_the_same_result_twice_changes_nothing(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.end(match_id, Outcome(1, RESIGNATION))
    before = store.get(match_id)
    store.end(match_id, Outcome(1, RESIGNATION))
    assert store.get(match_id) == before


def test_moves_taken_back_are_gone_and_others_can_follow(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    for ply in range(4):
        store.add(match_id, ply, "add")
    store.take_back(match_id, 2)
    store.add(match_id, 2, "double")
    assert store.get(match_id).moves == ("add", "add", "double")


@pytest.mark.parametrize(("ply", "of"), [(0, 1), (0, 3), (-1, None), (3, None)])
def test_only_moves_that_were_seen_are_taken_back(store: Store, begin: Begin, ply: int, of: int | None) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "add")
    store.add(match_id, 1, "add")
    with pytest.raises(PlyTakenError, match="has 2 moves now"):
        store.take_back(match_id, ply, of)
    assert store.get(match_id).moves == ("add", "add")


def test_changes_to_an_unknown_match_are_refused(store: Store) -> None:
    with pytest.raises(UnknownMatchError, match=r"There is no match '2222222'\."):
        store.add("2222222", 0, "add")
    with pytest.raises(UnknownMatchError, match=r"There is no match '2222222'\."):
        store.take_back("2222222", 0)
    with pytest.raises(UnknownMatchError, match=r"There is no match '2222222'\."):
        store.end("2222222", Outcome(1, RESIGNATION))


def test_text_that_is_not_unicode_is_refused_in_a_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="isn't Unicode"):
        store.begin(Match(make("64")), ("bot:./\udcff", "human"), ("Ada", "Ben"))
    assert store.matches() == []


def test_a_match_that_does_not_replay_is_said_to_be_damaged(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    store.add(match_id, 0, "castle")
    with pytest.raises(DamagedError, match=f"Match {match_id} cannot be replayed: 'castle' is not a move"):
        store.get(match_id).match()


def test_each_match_of_a_history_has_its_own_moves(store: Store) -> None:
    whole = [played(kind.slug, seed) for kind in all_games() for seed in range(3)]
    wanted = {store.begin(match, ("human", "human"), ("Ada", "Ben")): tuple(match.moves) for match in whole}
    assert {kept.id: kept.moves for kept in store.matches()} == wanted


def test_two_stores_see_each_other_s_moves(url: str, begin: Begin) -> None:
    with open_store(url) as one, open_store(url) as two:
        match_id = begin(one)
        two.add(match_id, 0, "add")
        assert one.get(match_id) == two.get(match_id)
        with pytest.raises(PlyTakenError):
            one.add(match_id, 0, "add")


def test_every_error_of_a_store_ends_a_command_with_status_one() -> None:
    kinds = StoreError.__subclasses__()
    assert issubclass(StoreError, BitduelError)
    assert {kind.status for kind in kinds} == {1}


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_comes_back_to_the_microsecond(moment: datetime) -> None:
    assert schema.from_ticks(schema.to_ticks(moment)) == moment
