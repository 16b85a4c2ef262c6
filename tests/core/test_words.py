"""The names of both seats."""

import pytest

from bitduel.core.errors import PlayerNameError
from bitduel.core.words import check_names


def test_the_two_players_need_different_names() -> None:
    assert check_names("Ada", None) == ("Ada", "Player 2")
    with pytest.raises(PlayerNameError, match="different names"):
        check_names("Player 2", None)
