from collections import Counter
from random import Random

import pytest

from bitduel.core.errors import UnknownNameError
from bitduel.core.match import Match
from bitduel.games import make
from bitduel.players import player


def test_random_chooses_every_legal_move_and_no_other() -> None:
    game = make("31")
    random = player("random", game, Random(1))
    assert random
    chosen = Counter(random.choose(Match(game).view(1)) for _ in range(1000))
    assert set(chosen) == set(game.moves)
    assert max(chosen.values()) < 2 * min(chosen.values())


def test_a_human_is_asked_by_the_interface() -> None:
    assert player(" Human ", make("64"), Random(1)) is None


def test_an_unknown_player_is_named_with_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="There is: human, random"):
        player("nobody", make("64"), Random(1))
