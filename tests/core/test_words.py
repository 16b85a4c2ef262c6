import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.endings import Outcome
from bitduel.core.errors import PlayerNameError
from bitduel.core.score import Score
from bitduel.core.words import LONGEST_NAME, check_names, listed


@pytest.mark.parametrize("bad", ["", "   ", "a\x1b[31m", "a\nb", "x" * 33, "\u202eevil", "zero\u200bwidth", "\x00"])
def test_names_cannot_be_empty_long_or_carry_control_sequences(bad: str) -> None:
    with pytest.raises(PlayerNameError) as caught:
        check_names(bad, None)
    assert str(caught.value).isprintable()


@given(st.text())
def test_a_name_is_taken_printable_and_short_or_refused(name: str) -> None:
    try:
        first, _ = check_names(name, None)
    except PlayerNameError:
        return
    assert first.isprintable()
    assert 0 < len(first) <= LONGEST_NAME


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
