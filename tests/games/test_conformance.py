"""What every game on the shelf must do, in every reading."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.game import PASS, Game, Verdict
from bitduel.core.match import Match
from bitduel.games import SHELF, Kind
from helpers import all_readings, deals


def small(kind: Kind, chosen: dict[str, object]) -> Game[Any]:
    """The game in a reading; where chance deals, small enough to visit every position of every deal."""
    dealt = any(option.secret for option in kind.declared)
    return kind(**chosen, **({"bits": 2} if dealt else {}))


GAMES = [pytest.param(small(*each), id=f"{each[0].short} {each[1]}") for each in all_readings()]


def reachable(game: Game[Any]) -> list[Any]:
    """Every reachable position, by plain breadth-first search on ints."""
    seen = dict.fromkeys(game.start(deal) for deal in deals(game))
    queue = list(seen)
    for position in queue:
        for move in game.turn(position).legal:
            after = game.turn(position).after(move).position
            if after not in seen:
                seen[after] = None
                queue.append(after)
    return queue


@pytest.mark.parametrize("game", GAMES)
def test_rules_say_the_same_of_a_number_and_of_an_array(game: Game[Any]) -> None:
    positions = reachable(game)
    arrays = type(positions[0])(*np.array(positions, dtype=np.int64).T)
    assert [int(game.verdict(p)) for p in positions] == list(game.verdict(arrays))
    for move in game.moves:
        legal = np.array([bool(game.legal(p, move)) for p in positions])
        assert (np.broadcast_to(game.legal(arrays, move), legal.shape) == legal).all(), move
        after = game.play(type(arrays)(*(field[legal] for field in arrays)), move)
        expected = [game.play(p, move) for p, may in zip(positions, legal, strict=True) if may]
        assert [tuple(map(int, row)) for row in zip(*after, strict=True)] == [tuple(p) for p in expected], move


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_over_or_has_a_legal_move_and_never_both(game: Game[Any]) -> None:
    for position in reachable(game):
        turn = game.turn(position)
        assert (turn.verdict != Verdict.OPEN) != bool(turn.legal), position


@pytest.mark.parametrize("game", GAMES)
def test_pass_is_legal_only_where_no_other_move_is(game: Game[Any]) -> None:
    for position in reachable(game):
        legal = game.turn(position).legal
        assert PASS not in legal or legal == (PASS,)


@pytest.mark.parametrize("game", GAMES)
def test_fields_stay_within_the_ranges_a_game_declares(game: Game[Any]) -> None:
    for position in reachable(game):
        assert all(0 <= field < limit for field, limit in zip(position, game.ranges, strict=True)), position


@pytest.mark.parametrize("game", GAMES)
def test_every_ending_has_a_reason_and_words(game: Game[Any]) -> None:
    found = {Verdict(game.turn(p).verdict) for p in reachable(game)} - {Verdict.OPEN}
    assert found <= set(game.reasons)


def playings(game: Game[Any], data: st.DataObject) -> Iterator[Match]:
    """A match after each of its moves, drawn at random."""
    match = Match(game, data.draw(st.sampled_from((1, 2))), data.draw(st.sampled_from(deals(game))))
    yield match
    while match.legal and match.ply < 60:
        match.play(data.draw(st.sampled_from(match.legal)))
        yield match


@given(st.data(), st.sampled_from([param.values[0] for param in GAMES]))
def test_views_words_and_pictures_exist_everywhere(data: st.DataObject, game: Game[Any]) -> None:
    names = ("Ada", "Alan")
    for match in playings(game, data):
        for seat in (1, 2, None):
            view = match.view(seat)
            assert game.picture(view, names).caption
            assert view.ply == match.ply
        if match.to_move and not match.must_pass:
            view = match.view(match.to_move)
            for move in view.legal:
                assert game.words.understand(view, game.words.answer(view, move)) == move
                assert game.words.leads(view, move)
        if match.outcome:
            assert game.words.end(match.outcome, names)


@given(st.data(), st.sampled_from([param.values[0] for param in GAMES]))
def test_a_match_is_rebuilt_from_its_moves(data: st.DataObject, game: Game[Any]) -> None:
    *_, match = playings(game, data)
    again = Match(game, match.first, match.deal, match.moves)
    assert (again.position, again.outcome, again.legal) == (match.position, match.outcome, match.legal)
    assert [again.view(s) for s in (1, 2, None)] == [match.view(s) for s in (1, 2, None)]


def test_names_on_the_shelf_are_unique() -> None:
    names = [name for kind in SHELF for name in (kind.slug, kind.short)]
    assert len(set(names)) == len(names)
