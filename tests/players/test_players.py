from collections import Counter
from random import Random

import pytest

from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import player
from bitduel.players.player import format_seconds


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
    with pytest.raises(UnknownNameError, match="Choose from: human, easy, medium, hard, perfect, random, level:N"):
        player("nobody", make("64"), Random(1))


@pytest.mark.parametrize("spec", ["level:", "level:x", "level:-1", "level:99999999", "level:1.5"])
def test_a_level_is_a_whole_number(spec: str) -> None:
    with pytest.raises(BitduelError, match="A level must be a whole number"):
        player(spec, make("64"), Random(1))


@pytest.mark.parametrize("spec", ["perfect:1", "human:2", "random:"])
def test_other_players_take_no_number(spec: str) -> None:
    with pytest.raises(UnknownNameError):
        player(spec, make("64"), Random(1))


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 second"), (1.0, "1 second"), (0.5, "0.5 seconds"), (60, "60 seconds")]
)
def test_one_second_is_no_seconds(seconds: float, words: str) -> None:
    assert format_seconds(seconds) == words
