"""Binary Battle, sentence by sentence: each test is named after what its rulebook says."""

from collections import Counter
from itertools import product
from random import Random, SystemRandom
from unittest.mock import patch

import pytest

from bitduel.core.errors import MatchOverError, MoveError, OptionError, UnreadableMoveError
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import Outcome
from bitduel.core.view import UNSEEN
from bitduel.games.binary_battle import BinaryBattle
from bitduel.terminal.series import Setup
from helpers import bitduel

SAMPLE = [4, 1, 5, 2, 3, 1, 2, 5, 4]
SAMPLE_NUMBERS = ["00010", "10000", "00011", "11000", "00111", "01000", "01111", "01001", "01101"]
LESS = "Your number is less than the target."
GREATER = "Your number is greater than the target."
MATCHES = "Your number matches the target. You win!"
SAMPLE_FEEDBACK = [LESS, GREATER, LESS, GREATER, LESS, LESS, GREATER, LESS, MATCHES]
SECRETS = ["".join(bits) for bits in product("01", repeat=5)]


def match(secret: str, *places: int, first: int = 1, **options: object) -> Match:
    """A match after these bits have been toggled in turn."""
    game = BinaryBattle(**{"bits": len(secret), **options})
    return Match(game, first, deal=secret, moves=[f"toggle {place}" for place in places])


def number(playing: Match, seat: int) -> str:
    """What a seat sees as its own number."""
    row = playing.view(seat).board.mine
    assert isinstance(row, str)
    return row


def told(playing: Match) -> str:
    """The feedback that the player who has just moved is given."""
    seat = playing.seat_at(playing.ply - 1)
    return playing.game.words.played(playing.view(seat), playing.moves[-1], f"Player {seat}")[-1]


def test_the_secret_is_a_random_number_of_5_bits() -> None:
    game, rng = BinaryBattle(), Random(1)
    dealt = Counter(game.deal(rng) for _ in range(6400))
    assert sorted(dealt) == SECRETS
    assert all(140 < times < 260 for times in dealt.values())


def test_the_secret_comes_from_the_operating_system_unless_a_seed_is_asked_for() -> None:
    game = BinaryBattle()
    assert isinstance(Setup(game).rng("deal"), SystemRandom)
    with patch.object(SystemRandom, "randrange", return_value=0b01101):
        assert Match(game).deal == "01101"
    seeded = [[game.deal(Setup(game, seed=7).rng("deal")) for _ in range(5)] for _ in range(2)]
    assert seeded[0] == seeded[1]


def test_the_secret_remains_constant_throughout_the_game() -> None:
    playing = match("01101")
    for place in SAMPLE:
        playing.play(f"toggle {place}")
        assert playing.position.secret == 0b01101


def test_the_secret_is_a_number_from_0_to_31() -> None:
    assert [match(secret).position.secret for secret in SECRETS] == list(range(32))


@pytest.mark.parametrize("table", ["hidden", "open"])
def test_the_secret_is_unknown_to_both_players(table: str) -> None:
    views = []
    for secret in ("10001", "11110"):
        playing = Match(BinaryBattle(secret=secret, table=table), deal=secret, moves=["toggle 1", "toggle 2"])
        views.append([playing.view(seat) for seat in (1, 2, None)])
        for view in views[-1]:
            assert (view.deal, view.board.secret, "secret" in view.options) == (None, None, False)
    assert views[0] == views[1]


def test_the_secret_can_be_seen_once_the_game_is_over() -> None:
    playing = Match(BinaryBattle(secret="10000"), deal="10000", moves=["toggle 1"])
    for seat in (1, 2, None):
        view = playing.view(seat)
        assert (view.deal, view.board.secret, view.options["secret"]) == ("10000", "10000", "10000")


def test_both_players_begin_with_00000() -> None:
    playing = match("01101")
    assert (number(playing, 1), number(playing, 2)) == ("00000", "00000")


def test_player_1_starts_unless_asked_otherwise() -> None:
    assert match("01101").to_move == 1
    assert bitduel("play", "battle", stdin="quit\n").out.startswith("Player 1, enter the bit position")


def test_the_players_can_agree_who_starts() -> None:
    assert match("01101", *SAMPLE, first=2).outcome == Outcome(2, "match")
    out = bitduel("play", "battle", "--first", "2", "--set", "secret=10000", stdin="1\n").out
    assert out.startswith("Player 2, enter the bit position to toggle (1-5): 1\n")
    assert out.endswith("\nPlayer 2 wins the game!\n")


def test_a_coin_toss_can_decide_who_starts() -> None:
    tossed = {
        tuple(bitduel("play", "battle", "--first", "toss", "--seed", str(seed), stdin="quit\n").out.splitlines()[:3])
        for seed in range(10)
    }
    prompt = "enter the bit position to toggle (1-5): quit"
    assert tossed == {(f"Coin toss: {p} starts.", "", f"{p}, {prompt}") for p in ("Player 1", "Player 2")}


def test_each_player_has_a_number_of_their_own() -> None:
    playing = match("01101", 4, 1)
    assert (number(playing, 1), number(playing, 2)) == ("00010", "10000")


@pytest.mark.parametrize(("place", "row"), list(enumerate(["10000", "01000", "00100", "00010", "00001"], 1)))
def test_bits_are_labelled_1_to_5_from_left_to_right(place: int, row: str) -> None:
    assert number(match("11111", place), 1) == row


@pytest.mark.parametrize(("place", "worth"), [(1, 16), (2, 8), (3, 4), (4, 2), (5, 1)])
def test_bit_1_is_worth_16_and_each_further_bit_half_as_much(place: int, worth: int) -> None:
    assert match("11111", place).position.theirs == worth


def test_the_value_of_a_number_is_the_sum_of_its_bits() -> None:
    assert match("11111", 2, 1, 3, 1, 5).position.theirs == 8 + 4 + 1
    for row in SECRETS[1:-1]:
        on = [place for place, bit in enumerate(row, 1) if bit == "1"]
        playing = match("11111", *[place for mine in on for place in (mine, 1)][:-1])
        assert number(playing, 1) == row
        assert playing.position.theirs == sum((16, 8, 4, 2, 1)[place - 1] for place in on)


def test_toggling_turns_a_0_into_a_1_and_a_1_into_a_0() -> None:
    playing = match("11111", 4)
    assert number(playing, 1) == "00010"
    playing.play("toggle 1")
    playing.play("toggle 4")
    assert number(playing, 1) == "00000"


def test_players_alternate_turns() -> None:
    playing = match("01101")
    movers = []
    for place in SAMPLE:
        movers.append(playing.to_move)
        playing.play(f"toggle {place}")
    assert movers == [1, 2, 1, 2, 1, 2, 1, 2, 1]


def test_on_every_turn_any_one_of_the_five_bits_can_be_toggled() -> None:
    playing = match("01101")
    for place in SAMPLE:
        assert playing.legal == ("toggle 1", "toggle 2", "toggle 3", "toggle 4", "toggle 5")
        playing.play(f"toggle {place}")


def test_a_turn_changes_one_bit_of_ones_own_number_and_nothing_else() -> None:
    for earlier, later in product(range(1, 6), repeat=2):
        before, after = match("11111", earlier, 3), match("11111", earlier, 3, later)
        assert after.position.theirs ^ before.position.mine == 1 << 5 - later
        assert after.position.mine == before.position.theirs


def test_after_a_turn_the_player_is_told_less_greater_or_equal() -> None:
    for secret, place in product(SECRETS, range(1, 6)):
        mine, aim = 1 << 5 - place, int(secret, 2)
        expected = LESS if mine < aim else GREATER if mine > aim else MATCHES
        assert told(match(secret, place)) == expected


def test_a_number_that_is_less_or_greater_goes_on() -> None:
    for secret in SECRETS:
        playing = match(secret)
        for place in (1, 5, 2, 4, 3, 3, 4, 2, 5, 1) * 2:
            mover = playing.next_seat
            playing.play(f"toggle {place}")
            if number(playing, mover) == secret:
                break
            assert (playing.outcome, playing.to_move) == (None, other_seat(mover))


def test_the_example_turn_toggles_bit_3_of_01000_to_01100() -> None:
    playing = match("01101", 2, 1)
    assert (number(playing, 1), playing.position.mine) == ("01000", 8)
    playing.play("toggle 3")
    assert (number(playing, 1), playing.position.theirs) == ("01100", 12)
    assert told(playing) == LESS


def test_only_the_player_who_moved_gets_feedback() -> None:
    for place, feedback in ((4, (3, 31)), (1, (0, 15))):
        playing = match("01101", place)
        waiting, moved = playing.view(2).board, playing.view(1).board
        assert (waiting.low, waiting.high) == (0, 31)
        assert (moved.low, moved.high) == feedback


def test_players_learn_nothing_of_the_opponents_number_moves_or_feedback() -> None:
    views = {}
    for theirs in ((1, 2), (2, 1), (4, 4), (5, 3)):
        playing = match("01101", 4, theirs[0], 5, theirs[1])
        views[theirs] = playing.view(1)
        assert playing.view(1).history == ("toggle 4", UNSEEN, "toggle 5", UNSEEN)
        assert playing.view(1).board.theirs is None
    assert all(view == views[1, 2] for view in views.values())


def test_a_spectator_sees_nothing_but_that_the_game_goes_on() -> None:
    one, another = match("01101", 4, 1).view(None), match("10010", 5, 2).view(None)
    assert one == another
    assert (one.board.mine, one.board.theirs, one.history) == (None, None, (UNSEEN, UNSEEN))
    assert (one.board.low, one.board.high) == (0, 31), "the secret can be anything there is"


def test_moves_cannot_be_taken_back_to_learn_more() -> None:
    playing = match("01101", 4, 1)
    with pytest.raises(MoveError, match="can't take back moves in a game with hidden information"):
        playing.undo(1)
    assert playing.ply == 2


def test_matching_the_secret_wins_immediately() -> None:
    for place in range(1, 6):
        secret = format(1 << 5 - place, "05b")
        assert match(secret, place).outcome == Outcome(1, "match")
        away = place % 5 + 1
        assert match(secret, away, place).outcome == Outcome(2, "match")


def test_simultaneous_victory_cannot_happen_because_the_first_match_ends_the_game() -> None:
    playing = match("10000", 1)
    assert (playing.outcome, playing.to_move, playing.legal) == (Outcome(1, "match"), None, ())
    with pytest.raises(MatchOverError, match="The match is over"):
        playing.play("toggle 1")


@pytest.mark.parametrize("text", ["pass", "", "4", "toggle", "toggle 0", "toggle 6", "toggle 1 2"])
def test_there_is_no_option_to_pass_or_to_toggle_anything_but_one_bit(text: str) -> None:
    playing = match("01101", 4)
    with pytest.raises(UnreadableMoveError, match=r"is not a move\. Choose from: toggle 1, toggle 2"):
        playing.play(text)
    assert (playing.to_move, playing.ply) == (2, 1)


def test_the_game_is_won_only_by_matching_and_has_no_other_result() -> None:
    assert set(BinaryBattle.reasons.values()) == {"match"}
    for secret in SECRETS:
        playing, rng = match(secret), Random(secret)
        while not playing.outcome:
            playing.play(rng.choice(playing.legal))
        last = playing.seat_at(playing.ply - 1)
        assert playing.outcome == Outcome(last, "match")
        assert number(playing, last) == secret


def test_several_rounds_are_counted_to_an_overall_champion() -> None:
    ran = bitduel("play", "battle", "--plain", "--rounds", "3", "--set", "secret=10000", stdin="1\n2\n1\n2\n1\n")
    won = "You toggled Bit 1.\nYour new binary number is: 10000\nYour number matches the target. You win!\n\n"
    assert ran.out == (
        "Round 1 of 3. Player 1 starts.\n\n"
        f"Player 1, enter the bit position to toggle (1-5): 1\n{won}Player 1 wins the game!\n\n"
        "Score after round 1 of 3: Player 1 1, Player 2 0.\n\n"
        "Round 2 of 3. Player 2 starts.\n\n"
        "Player 2, enter the bit position to toggle (1-5): 2\n"
        "You toggled Bit 2.\nYour new binary number is: 01000\nYour number is less than the target.\n\n"
        f"Player 1, enter the bit position to toggle (1-5): 1\n{won}Player 1 wins the game!\n\n"
        "Score after round 2 of 3: Player 1 2, Player 2 0.\n\n"
        "Round 3 of 3. Player 1 starts.\n\n"
        "Player 1, enter the bit position to toggle (1-5): 2\n"
        "You toggled Bit 2.\nYour new binary number is: 01000\nYour number is less than the target.\n\n"
        f"Player 2, enter the bit position to toggle (1-5): 1\n{won}Player 2 wins the game!\n\n"
        "Score after round 3 of 3: Player 1 2, Player 2 1.\n"
        "Player 1 is the champion, 2 to 1!\n"
    )


def test_the_sample_game_move_by_move() -> None:
    playing = match("01101")
    values = [2, 16, 3, 24, 7, 8, 15, 9, 13]
    for ply, place in enumerate(SAMPLE):
        assert (playing.to_move, playing.outcome) == (1 + ply % 2, None)
        playing.play(f"toggle {place}")
        assert number(playing, 1 + ply % 2) == SAMPLE_NUMBERS[ply]
        assert playing.position.theirs == values[ply]
        assert told(playing) == SAMPLE_FEEDBACK[ply]
    assert playing.outcome == Outcome(1, "match")


def test_the_sample_interaction_word_for_word() -> None:
    turns = [
        f"Player {1 + ply % 2}, enter the bit position to toggle (1-5): {place}\n"
        f"You toggled Bit {place}.\nYour new binary number is: {SAMPLE_NUMBERS[ply]}\n{SAMPLE_FEEDBACK[ply]}\n"
        for ply, place in enumerate(SAMPLE)
    ]
    answers = "".join(f"{place}\n" for place in SAMPLE)
    ran = bitduel("play", "binary-battle", "--plain", "--set", "secret=01101", stdin=answers)
    assert ran.out == "\n".join(turns) + "\nPlayer 1 wins the game!\n"
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize("answer", ["0", "6", "x", "", "-1", "1 2", "12345", "pass"])
def test_an_answer_that_is_no_bit_position_is_asked_again(answer: str) -> None:
    ran = bitduel("play", "battle", "--plain", "--set", "secret=10000", stdin=f"{answer}\n1\n")
    prompt = "Player 1, enter the bit position to toggle (1-5): "
    assert ran.out == (
        f"{prompt}{answer}\nInvalid bit position. Please enter a number from 1 to 5.\n"
        f"{prompt}1\nYou toggled Bit 1.\nYour new binary number is: 10000\n"
        "Your number matches the target. You win!\n\nPlayer 1 wins the game!\n"
    )


@pytest.mark.parametrize("answer", ["1", "toggle 1", " Toggle  1 "])
def test_a_bit_can_be_said_with_or_without_the_word(answer: str) -> None:
    out = bitduel("play", "battle", "--plain", "--set", "secret=11111", stdin=f"{answer}\nquit\n").out
    assert "You toggled Bit 1.\nYour new binary number is: 10000\n" in out


def test_starting_on_the_secret_is_no_match() -> None:
    playing = match("00000")
    assert (playing.outcome, playing.to_move) == (None, 1)
    playing.play("toggle 1")
    assert (playing.outcome, playing.to_move, number(playing, 2)) == (None, 2, "00000")


def test_the_secret_00000_is_won_by_coming_back_to_it() -> None:
    playing = match("00000", 1, 2, 1)
    assert (number(playing, 1), playing.outcome) == ("00000", Outcome(1, "match"))
    assert match("00000", 1, 2, 3, 2).outcome == Outcome(2, "match")
    out = bitduel("play", "battle", "--plain", "--set", "secret=00000", stdin="1\n2\n1\n").out
    assert out == (
        "Player 1, enter the bit position to toggle (1-5): 1\nYou toggled Bit 1.\n"
        "Your new binary number is: 10000\nYour number is greater than the target.\n\n"
        "Player 2, enter the bit position to toggle (1-5): 2\nYou toggled Bit 2.\n"
        "Your new binary number is: 01000\nYour number is greater than the target.\n\n"
        "Player 1, enter the bit position to toggle (1-5): 1\nYou toggled Bit 1.\n"
        "Your new binary number is: 00000\nYour number matches the target. You win!\n\nPlayer 1 wins the game!\n"
    )


def test_on_an_open_table_everything_but_the_secret_is_public() -> None:
    assert BinaryBattle().options["table"] == "hidden"
    playing = match("01101", 4, 1, table="open")
    for seat, mine, theirs in ((1, "00010", "10000"), (2, "10000", "00010")):
        view = playing.view(seat)
        assert (view.board.mine, view.board.theirs, view.board.secret, view.deal) == (mine, theirs, None, None)
        assert (view.board.low, view.board.high) == (3, 15)
        assert view.history == ("toggle 4", "toggle 1")


def test_the_feedback_is_the_same_on_an_open_table() -> None:
    playing = match("01101", table="open")
    for place, feedback in zip(SAMPLE, SAMPLE_FEEDBACK, strict=True):
        playing.play(f"toggle {place}")
        assert told(playing) == feedback


def test_the_secret_can_be_chosen_for_puzzles_and_tests() -> None:
    assert BinaryBattle(secret="01101").deal(Random(1)) == "01101"
    out = bitduel("play", "battle", "--plain", "--set", "secret=00001", stdin="5\n").out
    assert out.endswith("Your new binary number is: 00001\n" + MATCHES + "\n\nPlayer 1 wins the game!\n")


@pytest.mark.parametrize("bits", [1, 3, 8])
def test_the_number_of_bits_can_be_chosen(bits: int) -> None:
    playing = match("0" * (bits - 1) + "1", bits)
    assert playing.outcome == Outcome(1, "match")
    game, rng = BinaryBattle(bits=bits), Random(1)
    assert {len(game.deal(rng)) for _ in range(50)} == {bits}
    out = bitduel("play", "battle", "--plain", "--set", f"bits={bits}", stdin="quit\n").out
    assert out.startswith(f"Player 1, enter the bit position to toggle (1-{bits}): quit\n")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("secret=0110", "secret must have 5 binary digits, not '0110'"),
        ("secret=01201", "secret must be binary digits, one for each bit, not '01201'"),
        ("bits=0", "bits must be a whole number from 1 to 31, not '0'"),
        ("table=glass", "table must be hidden or open, not 'glass'"),
        ("target=3", "There is no setting 'target'. Did you mean 'table'? Choose from: bits, secret, table."),
    ],
)
def test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed(setting: str, sentence: str) -> None:
    ran = bitduel("play", "battle", "--plain", "--set", setting)
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {sentence}\n", 2)


@pytest.mark.parametrize("deal", ["", "0110", "01102", "011011"])
def test_nothing_but_5_binary_digits_can_be_dealt(deal: str) -> None:
    with pytest.raises(OptionError, match="The secret must have 5 binary digits"):
        Match(BinaryBattle(), deal=deal)
