"""What every registered game must do, in every reading: the suite that is public as `bitduel.testing`."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games
from bitduel.testing.conformance import CHECKS, Check, readings, run
from bitduel.testing.probe import GameProbe

GAMES = [game for kind in all_games() for game in readings(kind)]
SAMPLES = {game: GameProbe(game) for game in GAMES}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.problems.__name__)
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_reading_of_every_game_keeps_the_contract(game: Game[Any], check: Check) -> None:
    assert not run(check, SAMPLES[game]).problems


@given(st.data(), st.sampled_from(GAMES))
def test_a_match_of_any_moves_is_rebuilt_from_them(data: st.DataObject, game: Game[Any]) -> None:
    deal = data.draw(st.sampled_from([deal.text for deal in game.deals()]))
    match = Match(game, data.draw(st.sampled_from((1, 2))), deal)
    while match.legal and match.ply < 60:
        match.play(data.draw(st.sampled_from(match.legal)))
    again = Match(game, match.first, match.deal, match.moves)
    assert again == match
    assert [again.view(s) for s in (1, 2, None)] == [match.view(s) for s in (1, 2, None)]


def test_names_on_the_shelf_are_unique() -> None:
    names = [name for kind in all_games() for name in (kind.slug, kind.short)]
    assert len(set(names)) == len(names)
