"""Binary Race to 31, sentence by sentence: each test is named after what its rulebook says."""

from collections.abc import Iterator
from itertools import product

import pytest

from bitduel.core.errors import IllegalMoveError, MatchOverError, UnreadableMoveError
from bitduel.core.game import OPEN
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_31.rules import TrackPosition
from helpers import bitduel

FIVE = ("1", "2", "4", "8", "16")
SAMPLE = ["16", "8", "8", "16", "4", "4", "2", "2", "1"]
SAMPLE_TEXT = """\
--- Binary Race Game Start ---

Player 1's Turn
Current Position: 0
Choose your move (1, 2, 4, 8, 16): 16
Player 1 moves to Position 16

Player 2's Turn
Current Position: 0
Choose your move (1, 2, 4, 8, 16): 8
Player 2 moves to Position 8

Player 1's Turn
Current Position: 16
Choose your move (1, 2, 4, 8, 16): 8
Player 1 moves to Position 24

Player 2's Turn
Current Position: 8
Choose your move (1, 2, 4, 8, 16): 16
Player 2 moves to Position 24

Player 1's Turn
Current Position: 24
Choose your move (1, 2, 4, 8, 16): 4
Player 1 moves to Position 28

Player 2's Turn
Current Position: 24
Choose your move (1, 2, 4, 8, 16): 4
Player 2 moves to Position 28

Player 1's Turn
Current Position: 28
Choose your move (1, 2, 4): 2
Player 1 moves to Position 30

Player 2's Turn
Current Position: 28
Choose your move (1, 2, 4): 2
Player 2 moves to Position 30

Player 1's Turn
Current Position: 30
Choose your move (1): 1
Player 1 moves to Position 31

Player 1 has reached or surpassed Position 31 and wins the game!

--- Game Over ---
"""


def legal(place: int, **options: object) -> tuple[str, ...]:
    """What a player standing there may move, the other still at 0."""
    return BinaryRace31(**options).turn(TrackPosition(mine=place, theirs=0)).legal


def match(*moves: str, **options: object) -> Match:
    """A match after these moves."""
    return Match(BinaryRace31(**options), moves=moves)


def tokens(playing: Match) -> tuple[int, int]:
    """Where Player 1 and Player 2 stand."""
    return playing.view(1).board.mine, playing.view(2).board.mine


def all_places(**options: object) -> Iterator[tuple[int, str, Match]]:
    """Every place, every move that is legal there, and a match that ends with that move by Player 1."""
    for place in range(31):
        for move in legal(place, **options):
            yield place, move, match(*["1"] * place * 2, move, **options)


def test_the_track_is_numbered_from_0_to_31() -> None:
    game = BinaryRace31()
    scale = game.picture(match().view(1), ("Player 1", "Player 2")).scale
    assert scale is not None
    assert (scale.low, scale.high) == (0, 31)
    assert game.options["length"] == 31


def test_both_players_begin_at_position_0() -> None:
    assert tokens(match()) == (0, 0)


def test_player_1_starts_unless_asked_otherwise() -> None:
    assert match().to_move == 1
    start = "--- Binary Race Game Start ---\n\nPlayer 1's Turn\n"
    assert bitduel("play", "31", stdin="quit\n").out.startswith(start)


def test_the_players_can_agree_who_starts() -> None:
    assert Match(BinaryRace31(), first=2, moves=SAMPLE).outcome == Outcome(2, "finish")
    swapped = (
        SAMPLE_TEXT.replace("Player 1", "Player X").replace("Player 2", "Player 1").replace("Player X", "Player 2")
    )
    assert bitduel("play", "31", "--plain", "--first", "2", stdin="\n".join(SAMPLE) + "\n").out == swapped


def test_a_coin_toss_can_decide_who_starts() -> None:
    tossed = {
        tuple(bitduel("play", "31", "--first", "toss", "--seed", str(seed), stdin="quit\n").out.splitlines()[:5])
        for seed in range(10)
    }
    start = "--- Binary Race Game Start ---"
    assert tossed == {
        (f"Coin toss: {name} starts.", "", start, "", f"{name}'s Turn") for name in ("Player 1", "Player 2")
    }


def test_each_player_has_a_token_of_their_own() -> None:
    playing = match("16", "8")
    assert (playing.view(1).board.mine, playing.view(1).board.theirs) == (16, 8)
    assert (playing.view(2).board.mine, playing.view(2).board.theirs) == (8, 16)


def test_the_moves_are_the_powers_of_two_from_1_to_16() -> None:
    assert BinaryRace31().moves == tuple(str(2**n) for n in range(5))
    assert match().legal == FIVE


def test_players_alternate_turns() -> None:
    playing = match()
    movers = []
    for move in SAMPLE:
        movers.append(playing.to_move)
        playing.play(move)
    assert movers == [1, 2, 1, 2, 1, 2, 1, 2, 1]


def test_the_chosen_move_is_announced() -> None:
    out = bitduel("play", "31", "--plain", stdin="16\n8\n4\n2\nquit\n").out
    assert "Choose your move (1, 2, 4, 8, 16): 16\nPlayer 1 moves to Position 16\n" in out
    assert "Choose your move (1, 2, 4, 8, 16): 8\nPlayer 2 moves to Position 8\n" in out
    assert "Choose your move (1, 2, 4, 8, 16): 4\nPlayer 1 moves to Position 20\n" in out
    assert "Choose your move (1, 2, 4, 8, 16): 2\nPlayer 2 moves to Position 10\n" in out


def test_the_move_is_added_to_the_players_own_position() -> None:
    for place, move, playing in all_places(finish="any"):
        assert tokens(playing) == (place + int(move), place)


def test_a_position_is_kept_for_the_next_turn() -> None:
    playing = match("16", "8", "4")
    assert tokens(playing) == (20, 8)
    playing.play("2")
    assert tokens(playing) == (20, 10)


def test_reaching_or_surpassing_31_wins_and_nothing_less_does() -> None:
    for finish in ("sample", "any", "exact"):
        for place, move, playing in all_places(finish=finish):
            expected = Outcome(1, "finish") if place + int(move) >= 31 else None
            assert playing.outcome == expected, (finish, place, move)


def test_landing_exactly_on_31_is_not_required() -> None:
    playing = match("16", "1", "16")
    assert (tokens(playing), playing.outcome) == ((32, 1), Outcome(1, "finish"))
    late = match("16", "16", "8", "8", "4", "4", "4")
    assert (tokens(late), late.outcome) == ((32, 28), Outcome(1, "finish"))


def test_player_2_wins_by_getting_there_first() -> None:
    playing = match("1", "16", "1", "16")
    assert (tokens(playing), playing.outcome) == ((2, 32), Outcome(2, "finish"))


@pytest.mark.parametrize("text", ["-1", "0", "3", "5", "32", "pass", "+2", "back", "", "16.0"])
def test_only_forward_moves_by_the_five_powers_are_moves(text: str) -> None:
    playing = match("16")
    with pytest.raises(UnreadableMoveError, match=r"is not a move\. Choose from: 1, 2, 4, 8, 16\."):
        playing.play(text)
    assert (tokens(playing), playing.to_move) == ((16, 0), 2)


def test_every_move_goes_forward() -> None:
    for place, _, playing in all_places():
        assert tokens(playing)[0] > place


def test_the_same_move_may_be_chosen_again_and_again() -> None:
    playing = match(*["1"] * 60)
    assert (tokens(playing), playing.outcome) == ((30, 30), None)
    playing.play("1")
    assert playing.outcome == Outcome(1, "finish")


def test_at_29_only_1_or_2_can_be_chosen() -> None:
    assert legal(29) == ("1", "2")
    with pytest.raises(IllegalMoveError, match=r"You can't play '4' now\. Choose from: 1, 2\."):
        match(*["1"] * 58, "4")


@pytest.mark.parametrize(
    ("finish", "at_27", "at_28", "at_29", "at_30"),
    [
        ("sample", FIVE, ("1", "2", "4"), ("1", "2"), ("1",)),
        ("any", FIVE, FIVE, FIVE, FIVE),
        ("exact", ("1", "2", "4"), ("1", "2"), ("1", "2"), ("1",)),
    ],
)
def test_the_last_moves_in_each_reading(
    finish: str, at_27: tuple[str, ...], at_28: tuple[str, ...], at_29: tuple[str, ...], at_30: tuple[str, ...]
) -> None:
    assert [legal(place, finish=finish) for place in (27, 28, 29, 30)] == [at_27, at_28, at_29, at_30]


def test_by_default_the_last_moves_are_those_of_the_sample() -> None:
    assert BinaryRace31().options["finish"] == "sample"
    assert [legal(place) for place in (24, 28, 30)] == [FIVE, ("1", "2", "4"), ("1",)]


def test_while_more_than_three_steps_are_left_all_five_moves_can_be_chosen() -> None:
    assert {legal(place) for place in range(28)} == {FIVE}


def test_on_the_last_three_steps_no_move_is_larger_than_the_smallest_that_finishes() -> None:
    for place in (28, 29, 30):
        smallest = min(step for step in (1, 2, 4, 8, 16) if place + step >= 31)
        assert legal(place) == tuple(move for move in FIVE if int(move) <= smallest)


def test_read_as_exact_31_may_not_be_passed() -> None:
    for place in range(31):
        assert legal(place, finish="exact") == tuple(move for move in FIVE if place + int(move) <= 31)
    with pytest.raises(IllegalMoveError, match=r"You can't play '16' now\. Choose from: 1, 2, 4, 8\."):
        match("16", "16", "16", finish="exact")


def test_read_as_exact_the_sample_would_not_offer_what_it_offers() -> None:
    assert legal(24, finish="exact") == ("1", "2", "4")
    assert legal(28, finish="exact") == ("1", "2")


def test_read_as_any_the_sample_would_offer_more_than_it_does() -> None:
    assert legal(28, finish="any") == legal(30, finish="any") == FIVE


def test_a_player_at_30_wins_on_the_last_step() -> None:
    playing = match(*SAMPLE[:-1])
    assert (tokens(playing), playing.legal) == ((30, 30), ("1",))
    playing.play("1")
    assert (tokens(playing), playing.outcome) == ((31, 30), Outcome(1, "finish"))


@pytest.mark.parametrize(
    ("moves", "ends"), [(SAMPLE, (31, 30)), (["16", "1", "16"], (32, 1)), (["1", "16", "1", "16"], (2, 32))]
)
def test_the_game_ends_immediately_and_no_further_move_is_made(moves: list[str], ends: tuple[int, int]) -> None:
    playing = match(*moves)
    assert (playing.to_move, playing.legal) == (None, ())
    for move in FIVE:
        with pytest.raises(MatchOverError, match="The match is over"):
            playing.play(move)
    assert tokens(playing) == ends


def test_the_game_is_won_outright_and_has_no_other_result() -> None:
    assert set(BinaryRace31.reasons.values()) == {"finish"}
    assert {playing.outcome for _, _, playing in all_places()} == {None, Outcome(1, "finish")}
    for place, behind in product(range(31), repeat=2):
        verdict = BinaryRace31().verdict(TrackPosition(mine=behind, theirs=place))
        assert verdict == OPEN, "no lead wins before the end"


def test_the_sample_game_move_by_move() -> None:
    told = [
        (1, 0, 0, "16"),
        (2, 16, 0, "8"),
        (1, 16, 8, "8"),
        (2, 24, 8, "16"),
        (1, 24, 24, "4"),
        (2, 28, 24, "4"),
        (1, 28, 28, "2"),
        (2, 30, 28, "2"),
        (1, 30, 30, "1"),
    ]
    playing = match()
    for mover, first, second, move in told:
        assert (playing.to_move, tokens(playing), playing.outcome) == (mover, (first, second), None)
        playing.play(move)
    assert (tokens(playing), playing.outcome) == ((31, 30), Outcome(1, "finish"))


def test_the_sample_interaction_word_for_word() -> None:
    ran = bitduel("play", "binary-race-31", "--plain", stdin="\n".join(SAMPLE) + "\n")
    assert (ran.out, ran.err, ran.status) == (SAMPLE_TEXT, "", 0)


@pytest.mark.parametrize("answer", ["0", "3", "32", "x", "", "-1", "pass", "1 2"])
def test_an_answer_that_is_no_move_is_asked_again(answer: str) -> None:
    ran = bitduel("play", "31", "--plain", stdin=f"{answer}\nquit\n")
    prompt = "Choose your move (1, 2, 4, 8, 16): "
    assert ran.out == (
        "--- Binary Race Game Start ---\n\nPlayer 1's Turn\nCurrent Position: 0\n"
        f"{prompt}{answer}\nInvalid move. Please choose one of: 1, 2, 4, 8, 16.\n"
        f"{prompt}quit\nYou left the game.\n"
    )


def test_near_the_end_a_move_that_is_too_large_is_asked_again() -> None:
    out = bitduel("play", "31", "--plain", stdin="16\n16\n8\n8\n4\n4\n8\n16\n4\n").out
    assert out.endswith(
        "Player 1's Turn\nCurrent Position: 28\n"
        "Choose your move (1, 2, 4): 8\nInvalid move. Please choose one of: 1, 2, 4.\n"
        "Choose your move (1, 2, 4): 16\nInvalid move. Please choose one of: 1, 2, 4.\n"
        "Choose your move (1, 2, 4): 4\nPlayer 1 moves to Position 32\n\n"
        "Player 1 has reached or surpassed Position 31 and wins the game!\n\n--- Game Over ---\n"
    )


@pytest.mark.parametrize(("length", "moves"), [(1, ("1",)), (2, ("1", "2")), (3, ("1", "2", "4")), (4, FIVE)])
def test_the_length_of_the_track_can_be_chosen(length: int, moves: tuple[str, ...]) -> None:
    playing = match(length=length)
    assert playing.legal == moves
    playing.play(moves[-1])
    assert playing.outcome == Outcome(1, "finish")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("finish=fast", "finish must be sample, any or exact, not 'fast'"),
        ("length=0", "length must be a whole number from 1 to 1000000, not '0'"),
        ("length=long", "length must be a whole number from 1 to 1000000, not 'long'"),
        ("target=31", "There is no setting 'target'. Choose from: length, finish."),
    ],
)
def test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed(setting: str, sentence: str) -> None:
    ran = bitduel("play", "31", "--plain", "--set", setting)
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {sentence}\n", 2)
