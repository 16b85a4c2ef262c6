"""Binary Race to 64, sentence by sentence: each test is named after what its rulebook says."""

import pytest

from bitduel.core.errors import MatchOverError, OptionError, UnknownNameError, UnreadableMoveError
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import Outcome
from bitduel.games.binary_race_64 import BinaryRace64
from helpers import bitduel

SAMPLE = ["double", "add", "double", "double", "double", "double"]
SAMPLE_ANSWERS = "2\n1\n2\n2\n2\n2\n"
SAMPLE_TEXT = """\
Player 1, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 2
New total is 2.

Player 2, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 1
New total is 4.

Player 1, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 2
New total is 8.

Player 2, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 2
New total is 16.

Player 1, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 2
New total is 32.

Player 2, choose an operation:
1. Add 2
2. Multiply by 2
Enter your choice (1 or 2): 2
New total is 64.
Player 2 wins by reaching exactly 64.
"""


def after(total: int, move: str) -> Match:
    """A match in which Player 1 has made one move from this total."""
    return Match(BinaryRace64(start=total), moves=[move])


def test_the_shared_total_starts_at_1() -> None:
    assert Match(BinaryRace64()).position == (1,)


def test_player_1_starts_unless_asked_otherwise() -> None:
    assert Match(BinaryRace64()).to_move == 1
    assert bitduel("play", "64", stdin="quit\n").out.startswith("Player 1, choose an operation:\n")


def test_the_players_can_decide_who_starts() -> None:
    match = Match(BinaryRace64(), first=2, moves=SAMPLE)
    assert match.outcome == Outcome(1, "exact")
    first, second, third = "Player 1", "Player 2", "the other"
    swapped = SAMPLE_TEXT.replace(first, third).replace(second, first).replace(third, second)
    assert bitduel("play", "64", "--plain", "--first", "2", stdin=SAMPLE_ANSWERS).out == swapped


def test_a_coin_toss_can_decide_who_starts() -> None:
    starters = set()
    for seed in range(10):
        out = bitduel("play", "64", "--first", "toss", "--seed", str(seed), stdin="quit\n").out
        toss, blank, question, *_ = out.splitlines()
        assert toss in ("Coin toss: Player 1 starts.", "Coin toss: Player 2 starts.")
        starter = toss.removeprefix("Coin toss: ").removesuffix(" starts.")
        assert (blank, question) == ("", f"{starter}, choose an operation:")
        starters.add(starter)
    assert starters == {"Player 1", "Player 2"}


def test_from_the_menu_a_coin_decides_who_starts() -> None:
    out = bitduel(stdin="1\n\nquit\nquit\n").out
    assert "\nCoin toss: Player " in out


def test_both_players_see_the_total_after_every_turn() -> None:
    match = Match(BinaryRace64())
    for move, total in zip(SAMPLE, [2, 4, 8, 16, 32, 64], strict=True):
        match.play(move)
        assert [match.view(seat).board.number for seat in (1, 2, None)] == [total] * 3


def test_adding_raises_the_total_by_2() -> None:
    assert [after(total, "add").position.number for total in range(1, 64)] == list(range(3, 66))


def test_multiplying_doubles_the_total() -> None:
    assert [after(total, "double").position.number for total in range(1, 64)] == list(range(2, 128, 2))


def test_both_operations_are_offered_on_every_turn() -> None:
    for total in range(1, 64):
        assert Match(BinaryRace64(start=total)).legal == ("add", "double")


def test_the_new_total_is_the_one_the_next_player_changes() -> None:
    match = Match(BinaryRace64(), moves=["add"])
    assert (match.to_move, match.position.number) == (2, 3)
    match.play("double")
    assert (match.to_move, match.position.number) == (1, 6)
    match.play("add")
    assert (match.to_move, match.position.number) == (2, 8)


def test_turns_alternate_until_the_game_ends() -> None:
    match = Match(BinaryRace64())
    movers = []
    while match.to_move:
        movers.append(match.to_move)
        match.play("add" if match.position.number < 63 else "double")
    assert movers == [1, 2] * 16


@pytest.mark.parametrize("text", ["add 2", "add 3", "subtract", "triple", "pass", "1", "2", ""])
def test_no_other_number_or_operation_is_a_move(text: str) -> None:
    match = Match(BinaryRace64())
    with pytest.raises(UnreadableMoveError, match=r"is not a move\. Choose from: add, double\."):
        match.play(text)
    assert (match.position.number, match.to_move, match.moves) == (1, 1, [])


@pytest.mark.parametrize(("total", "move"), [(62, "add"), (32, "double")])
def test_making_the_total_exactly_64_wins(total: int, move: str) -> None:
    match = after(total, move)
    assert match.position.number == 64
    assert match.outcome == Outcome(1, "exact")
    elsewhere = {after(start, move).outcome for start in range(1, 64) if start != total}
    assert elsewhere == {None, Outcome(2, "exceeded")}


def test_no_total_below_64_ends_the_game() -> None:
    for total in range(1, 62):
        assert after(total, "add").outcome is None
    for total in range(1, 32):
        assert after(total, "double").outcome is None


def test_exceeding_64_loses_at_once() -> None:
    for total in range(33, 64):
        assert after(total, "double").outcome == Outcome(2, "exceeded")
    assert after(63, "add").outcome == Outcome(2, "exceeded")


def test_at_63_every_move_is_offered_and_loses() -> None:
    match = Match(BinaryRace64(), moves=["add"] * 31)
    assert (match.position.number, match.to_move, match.legal) == (63, 2, ("add", "double"))
    for move in match.legal:
        assert Match(BinaryRace64(), moves=[*match.moves, move]).outcome == Outcome(1, "exceeded")


@pytest.mark.parametrize("move", ["add", "double"])
def test_whoever_ends_the_game_the_other_player_has_the_other_result(move: str) -> None:
    for first in (1, 2):
        won = Match(BinaryRace64(start=62 if move == "add" else 32), first, moves=[move])
        lost = Match(BinaryRace64(start=63), first, moves=[move])
        assert won.outcome == Outcome(first, "exact")
        assert lost.outcome == Outcome(other_seat(first), "exceeded")


@pytest.mark.parametrize("moves", [SAMPLE, ["add"] * 32, ["add"] * 16 + ["double"]])
def test_no_move_is_possible_after_the_end(moves: list[str]) -> None:
    match = Match(BinaryRace64(), moves=moves)
    assert (match.to_move, match.legal) == (None, ())
    with pytest.raises(MatchOverError, match="The match is over"):
        match.play("add")


def test_several_rounds_are_counted_to_an_overall_winner() -> None:
    ran = bitduel("play", "64", "--plain", "--rounds", "3", "--set", "target=2", stdin="2\n2\n1\n")
    assert ran.out == (
        "Round 1 of 3. Player 1 starts.\n\n"
        "Player 1, choose an operation:\n1. Add 2\n2. Multiply by 2\nEnter your choice (1 or 2): 2\nNew total is 2.\n"
        "Player 1 wins by reaching exactly 2.\n\nScore after round 1 of 3: Player 1 1, Player 2 0.\n\n"
        "Round 2 of 3. Player 2 starts.\n\n"
        "Player 2, choose an operation:\n1. Add 2\n2. Multiply by 2\nEnter your choice (1 or 2): 2\nNew total is 2.\n"
        "Player 2 wins by reaching exactly 2.\n\nScore after round 2 of 3: Player 1 1, Player 2 1.\n\n"
        "Round 3 of 3. Player 1 starts.\n\n"
        "Player 1, choose an operation:\n1. Add 2\n2. Multiply by 2\nEnter your choice (1 or 2): 1\nNew total is 3.\n"
        "Player 1 loses by exceeding 2. Player 2 wins.\n\nScore after round 3 of 3: Player 1 1, Player 2 2.\n"
        "Player 2 is the champion, 2 to 1!\n"
    )


def test_the_sample_game_move_by_move() -> None:
    game = BinaryRace64()
    match = Match(game)
    told = [
        (1, 1, {"add": 3, "double": 2}),
        (2, 2, {"add": 4, "double": 4}),
        (1, 4, {"add": 6, "double": 8}),
        (2, 8, {"add": 10, "double": 16}),
        (1, 16, {"add": 18, "double": 32}),
        (2, 32, {"add": 34, "double": 64}),
    ]
    for (mover, total, options), choice in zip(told, SAMPLE, strict=True):
        assert (match.to_move, match.position.number, match.outcome) == (mover, total, None)
        assert {move: game.play(match.position, move).number for move in match.legal} == options
        match.play(choice)
    assert match.position.number == 64
    assert match.outcome == Outcome(2, "exact")


def test_the_sample_interaction_word_for_word() -> None:
    ran = bitduel("play", "binary-race-64", "--plain", stdin=SAMPLE_ANSWERS)
    assert (ran.out, ran.err, ran.status) == (SAMPLE_TEXT, "", 0)


def test_doubling_48_gives_96_and_loses() -> None:
    match = after(48, "double")
    assert (match.position.number, match.outcome) == (96, Outcome(2, "exceeded"))


def test_at_56_adding_is_safe_and_doubling_loses() -> None:
    added, doubled = after(56, "add"), after(56, "double")
    assert (added.position.number, added.outcome) == (58, None)
    assert (doubled.position.number, doubled.outcome) == (112, Outcome(2, "exceeded"))


def test_each_turn_asks_the_player_to_select_an_operation() -> None:
    out = bitduel("play", "64", "--plain", stdin="1\n1\nquit\n").out
    asked = [line for line in out.splitlines() if "choose" in line]
    assert asked == [f"Player {seat}, choose an operation:" for seat in (1, 2, 1)]
    assert out.count("1. Add 2\n2. Multiply by 2\nEnter your choice (1 or 2): ") == 3


@pytest.mark.parametrize("answer", ["0", "3", "two", "", "add", "12", "-1", "1.0", "\N{FULLWIDTH DIGIT TWO}"])
def test_only_1_and_2_are_accepted_as_choices(answer: str) -> None:
    ran = bitduel("play", "64", "--plain", stdin=f"{answer}\nquit\n")
    assert ran.out == (
        "Player 1, choose an operation:\n1. Add 2\n2. Multiply by 2\n"
        f"Enter your choice (1 or 2): {answer}\nInvalid choice. Please enter 1 or 2.\n"
        "Enter your choice (1 or 2): quit\nYou left the game.\n"
    )


def test_blanks_around_a_choice_do_not_matter() -> None:
    out = bitduel("play", "64", "--plain", stdin="  2 \nquit\n").out
    assert "Enter your choice (1 or 2):   2 \nNew total is 2.\n" in out


def test_the_new_total_is_displayed_after_each_move() -> None:
    out = bitduel("play", "64", "--plain", stdin="1\n2\n1\nquit\n").out
    shown = [line for line in out.splitlines() if line.startswith("New total")]
    assert shown == ["New total is 3.", "New total is 6.", "New total is 8."]


def test_a_player_who_exceeds_64_is_declared_the_loser() -> None:
    out = bitduel("play", "64", "--plain", "--set", "start=48", stdin="2\n").out
    assert out.endswith("New total is 96.\nPlayer 1 loses by exceeding 64. Player 2 wins.\n")


def test_start_target_and_step_can_be_chosen() -> None:
    assert BinaryRace64().options == {"start": 1, "target": 64, "step": 2}
    match = Match(BinaryRace64(start=4, target=13, step=5))
    assert match.position.number == 4
    match.play("double")
    match.play("add")
    assert (match.position.number, match.outcome) == (13, Outcome(2, "exact"))


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("target=x", "target must be a whole number from 2 to 1000000000, not 'x'"),
        ("target=1", "target must be a whole number from 2 to 1000000000, not '1'"),
        ("start=0", "start must be a whole number from 1 to 999999999, not '0'"),
        ("start=-3", "start must be a whole number from 1 to 999999999, not '-3'"),
        ("target=1000000001", "target must be a whole number from 2 to 1000000000, not '1000000001'"),
        ("start=1000000000", "start must be a whole number from 1 to 999999999, not '1000000000'"),
        ("step=1000000001", "step must be a whole number from 1 to 1000000000, not '1000000001'"),
        ("step=0", "step must be a whole number from 1 to 1000000000, not '0'"),
        ("start=64", "start (64) must be less than target (64)"),
        ("colour=red", "There is no setting 'colour'. Choose from: start, target, step."),
        ("targt=9", "There is no setting 'targt'. Did you mean 'target'? Choose from: start, target, step."),
    ],
)
def test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed(setting: str, sentence: str) -> None:
    ran = bitduel("play", "64", "--plain", "--set", setting)
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {sentence}\n", 2)
    name, _, value = setting.partition("=")
    with pytest.raises((OptionError, UnknownNameError)) as raised:
        BinaryRace64(**{name: value})
    assert str(raised.value) == sentence
