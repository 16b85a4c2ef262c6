import pytest

from bitduel.core.endings import Outcome
from bitduel.core.errors import PlayerNameError
from bitduel.core.score import Score
from bitduel.core.words import check_names, listed


def test_the_two_players_need_different_names() -> None:
    assert check_names("Ada", None) == ("Ada", "Player 2")
    with pytest.raises(PlayerNameError, match="different names"):
        check_names("Player 2", None)


@pytest.mark.parametrize(("items", "text"), [([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1, 2 and 3")])
def test_lists_are_written_as_people_write_them(items: list[int], text: str) -> None:
    assert listed(items) == text


def test_the_score_is_kept_round_after_round() -> None:
    score = Score(3, ("Ada", "Alan"))
    assert score.announce(2) == "Round 1 of 3. Alan starts."
    score.add(Outcome(1, "exact"))
    score.add(Outcome(None, "repetition"))
    assert score.standing() == "Score after round 2 of 3: Ada 1, Alan 0, drawn 1."
    assert score.champion() == "Ada is the champion, 1 to 0!"
    score.add(Outcome(2, "exact"))
    assert score.champion() == "It is a tie, 1 to 1."
