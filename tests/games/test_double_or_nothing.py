"""Double or Nothing, sentence by sentence: each test is named after what its rulebook says."""

import pytest

from bitduel.core.errors import MatchOverError, OptionError, UnreadableMoveError
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.double_or_nothing import DoubleOrNothing
from helpers import bitduel

SAMPLE = ["double", "add", "double", "double", "add", "double"]
SAMPLE_TEXT = """\
Current Number: 1
Player 1, choose 'add' to add one or 'double' to double it: double
You chose to double it. New number is 2.

Current Number: 2
Player 2, choose 'add' to add one or 'double' to double it: add
You chose to add one. New number is 3.

Current Number: 3
Player 1, choose 'add' to add one or 'double' to double it: double
You chose to double it. New number is 6.

Current Number: 6
Player 2, choose 'add' to add one or 'double' to double it: double
You chose to double it. New number is 12.

Current Number: 12
Player 1, choose 'add' to add one or 'double' to double it: add
You chose to add one. New number is 13.

Current Number: 13
Player 2, choose 'add' to add one or 'double' to double it: double
You chose to double it. New number is 26.

The number exceeded 20!
Player 2 loses. Player 1 wins the game!
"""


def after(number: int, move: str) -> Match:
    """A match in which Player 1 has made one move from this number."""
    return Match(DoubleOrNothing(start=number), moves=[move])


def test_the_number_starts_at_1() -> None:
    assert Match(DoubleOrNothing()).position == (1,)


def test_two_players_take_turns() -> None:
    match = Match(DoubleOrNothing())
    movers = []
    while match.to_move:
        movers.append(match.to_move)
        match.play("add")
    assert movers == [1, 2] * 9 + [1]


def test_player_1_starts_unless_asked_otherwise() -> None:
    assert Match(DoubleOrNothing()).to_move == 1
    prompt = "Current Number: 1\nPlayer 1, choose 'add' to add one or 'double' to double it: "
    assert bitduel("play", "double", stdin="quit\n").out.startswith(prompt)


def test_the_players_can_agree_that_player_2_starts() -> None:
    assert Match(DoubleOrNothing(), first=2, moves=SAMPLE).outcome == Outcome(2, "exceeded")
    out = bitduel("play", "double", "--plain", "--first", "2", stdin="\n".join(SAMPLE) + "\n").out
    assert out.startswith("Current Number: 1\nPlayer 2, choose")
    assert out.endswith("The number exceeded 20!\nPlayer 1 loses. Player 2 wins the game!\n")


def test_a_coin_toss_can_decide_who_starts() -> None:
    tossed = {
        tuple(bitduel("play", "double", "--first", "toss", "--seed", str(seed), stdin="quit\n").out.splitlines()[:4])
        for seed in range(10)
    }
    prompt = "choose 'add' to add one or 'double' to double it: quit"
    assert tossed == {
        (f"Coin toss: {name} starts.", "", "Current Number: 1", f"{name}, {prompt}")
        for name in ("Player 1", "Player 2")
    }


def test_both_players_see_the_same_number_and_change_it() -> None:
    match = Match(DoubleOrNothing())
    for move, number in zip(SAMPLE, [2, 3, 6, 12, 13, 26], strict=True):
        match.play(move)
        assert [match.view(seat).board.number for seat in (1, 2, None)] == [number] * 3


def test_adding_raises_the_number_by_1() -> None:
    assert [after(number, "add").position.number for number in range(1, 20)] == list(range(2, 21))


def test_doubling_multiplies_the_number_by_2() -> None:
    assert [after(number, "double").position.number for number in range(1, 20)] == list(range(2, 40, 2))


def test_a_player_must_add_or_double_and_cannot_pass() -> None:
    for number in range(1, 20):
        match = Match(DoubleOrNothing(start=number))
        assert match.legal == ("add", "double")
        with pytest.raises(UnreadableMoveError, match=r"'pass' is not a move\. Choose from: add, double\."):
            match.play("pass")


@pytest.mark.parametrize(("number", "move"), [(19, "add"), (10, "double")])
def test_reaching_exactly_20_wins(number: int, move: str) -> None:
    match = after(number, move)
    assert (match.position.number, match.outcome) == (20, Outcome(1, "exact"))
    for step in (1, 3):
        for start in range(1, 20):
            ended = Match(DoubleOrNothing(start=start, step=step), moves=[move])
            assert (ended.outcome == Outcome(1, "exact")) == (ended.position.number == 20)


def test_exceeding_20_loses_at_once_and_the_other_player_wins() -> None:
    for number in range(11, 20):
        assert after(number, "double").outcome == Outcome(2, "exceeded")
    assert Match(DoubleOrNothing(start=11), first=2, moves=["double"]).outcome == Outcome(1, "exceeded")


def test_the_game_continues_until_20_is_reached_or_exceeded() -> None:
    for number in range(1, 19):
        assert after(number, "add").outcome is None
    for number in range(1, 10):
        assert after(number, "double").outcome is None


def test_adding_one_never_overshoots_but_a_longer_step_may_leave_only_losing_moves() -> None:
    assert all(after(number, "add").position.number <= 20 for number in range(1, 20))
    match = Match(DoubleOrNothing(start=19, step=3))
    assert match.legal == ("add", "double")
    for move in match.legal:
        assert Match(match.game, moves=[move]).outcome == Outcome(2, "exceeded")


@pytest.mark.parametrize("moves", [SAMPLE, ["add"] * 19, ["add"] * 9 + ["double"]])
def test_no_move_is_possible_after_the_end(moves: list[str]) -> None:
    match = Match(DoubleOrNothing(), moves=moves)
    assert (match.to_move, match.legal) == (None, ())
    with pytest.raises(MatchOverError, match="The match is over"):
        match.play("add")


@pytest.mark.parametrize("answer", ["triple", "3", "", "a", "add one", "double it", "1", "2", "pass"])
def test_anything_but_add_or_double_is_asked_again(answer: str) -> None:
    ran = bitduel("play", "double", "--plain", stdin=f"{answer}\nadd\nquit\n")
    prompt = "choose 'add' to add one or 'double' to double it: "
    assert ran.out == (
        f"Current Number: 1\nPlayer 1, {prompt}{answer}\nInvalid action. Please choose 'add' or 'double'.\n"
        f"Player 1, {prompt}add\nYou chose to add one. New number is 2.\n\n"
        f"Current Number: 2\nPlayer 2, {prompt}quit\nYou left the game.\n"
    )


def test_case_and_surrounding_blanks_of_an_answer_do_not_matter() -> None:
    out = bitduel("play", "double", "--plain", stdin="ADD\n Double \nquit\n").out
    assert "You chose to add one. New number is 2.\n" in out
    assert "You chose to double it. New number is 4.\n" in out
    assert "Invalid" not in out


def test_from_7_adding_gives_8_and_doubling_gives_14() -> None:
    assert after(7, "add").position.number == 8
    assert after(7, "double").position.number == 14


def test_the_new_number_is_displayed_after_each_turn() -> None:
    lines = bitduel("play", "double", "--plain", stdin="add\nadd\nadd\nquit\n").out.splitlines()
    assert [line for line in lines if "New number" in line] == [
        f"You chose to add one. New number is {number}." for number in (2, 3, 4)
    ]
    assert [line for line in lines if line.startswith("Current Number")] == [
        f"Current Number: {number}" for number in (1, 2, 3, 4)
    ]


def test_a_game_is_only_won_or_lost() -> None:
    found = set()
    for number in range(1, 20):
        for move in ("add", "double"):
            outcome = after(number, move).outcome
            if outcome:
                found.add(outcome)
    assert found == {Outcome(1, "exact"), Outcome(2, "exceeded")}


def test_the_sample_game_move_by_move() -> None:
    match = Match(DoubleOrNothing())
    told = [(1, 1, "double"), (2, 2, "add"), (1, 3, "double"), (2, 6, "double"), (1, 12, "add"), (2, 13, "double")]
    for mover, number, action in told:
        assert (match.to_move, match.position.number, match.outcome) == (mover, number, None)
        match.play(action)
    assert (match.position.number, match.outcome) == (26, Outcome(1, "exceeded"))


def test_the_sample_interaction_word_for_word() -> None:
    ran = bitduel("play", "double-or-nothing", "--plain", stdin="\n".join(SAMPLE) + "\n")
    assert (ran.out, ran.err, ran.status) == (SAMPLE_TEXT, "", 0)


def test_reaching_20_is_announced_as_a_win() -> None:
    out = bitduel("play", "double", "--plain", "--set", "start=10", stdin="double\n").out
    assert out.endswith("New number is 20.\n\nThe number is exactly 20!\nPlayer 1 wins the game!\n")


def test_start_target_and_step_can_be_chosen() -> None:
    assert DoubleOrNothing().options == {"start": 1, "target": 20, "step": 1}
    match = Match(DoubleOrNothing(start=2, target=13, step=3), moves=["add", "double", "add"])
    assert (match.position.number, match.outcome) == (13, Outcome(1, "exact"))
    out = bitduel("play", "double", "--plain", "--set", "step=3", stdin="add\nquit\n").out
    assert "choose 'add' to add 3 or 'double' to double it: add\nYou chose to add 3. New number is 4.\n" in out


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("target=many", "target must be a whole number from 2 to 1000000000, not 'many'"),
        ("target=1", "target must be a whole number from 2 to 1000000000, not '1'"),
        ("target=1000000001", "target must be a whole number from 2 to 1000000000, not '1000000001'"),
        ("start=0", "start must be a whole number from 1 to 999999999, not '0'"),
        ("start=1000000000", "start must be a whole number from 1 to 999999999, not '1000000000'"),
        ("step=1000000001", "step must be a whole number from 1 to 1000000000, not '1000000001'"),
        ("step=0", "step must be a whole number from 1 to 1000000000, not '0'"),
        ("start=20", "start (20) must be less than target (20)"),
        ("target", "--set takes NAME=VALUE, not 'target'."),
    ],
)
def test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed(setting: str, sentence: str) -> None:
    ran = bitduel("play", "double", "--plain", "--set", setting)
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {sentence}\n", 2)


def test_a_start_beyond_the_target_is_no_game() -> None:
    with pytest.raises(OptionError, match=r"start \(30\) must be less than target \(20\)"):
        DoubleOrNothing(start=30)
