"""Binary Race with bits, sentence by sentence: each test is named after what its rulebook says."""

from dataclasses import replace
from itertools import product

import pytest

from bitduel.core.errors import IllegalMoveError, MatchOverError, UnreadableMoveError
from bitduel.core.game import PASS, Truth
from bitduel.core.match import Match
from bitduel.core.outcomes import REPETITION, Outcome
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.binary_race_bits.rules import BitsPosition
from helpers import bitduel

SAMPLE = ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3", "flip 4", "flip 4"]
SAMPLE_TEXT = """\
Player 1's turn.
Your bits: 0 0 0 0
Available actions:
- Flip one of your bits from 0 to 1.
  (First move: you can flip any bit.)
Enter the bit position to flip: 2
You flipped bit 2 to 1.

Player 2's turn.
Your bits: 0 0 0 0
Available actions:
- Flip one of your bits from 0 to 1.
  (First move: you can flip any bit.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 0 1 0 0. You can reset bit 2.)
Enter the bit position to flip, or 'reset' and a position: 3
You flipped bit 3 to 1.

Player 1's turn.
Your bits: 0 1 0 0
Available actions:
- Flip one of your bits from 0 to 1.
  (You can flip bits 1 and 3.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 0 0 1 0. You can reset bit 3.)
Enter the bit position to flip, or 'reset' and a position: 1
You flipped bit 1 to 1.

Player 2's turn.
Your bits: 0 0 1 0
Available actions:
- Flip one of your bits from 0 to 1.
  (You can flip bits 2 and 4.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 1 1 0 0. You can reset bits 1 and 2.)
Enter the bit position to flip, or 'reset' and a position: 2
You flipped bit 2 to 1.

Player 1's turn.
Your bits: 1 1 0 0
Available actions:
- Flip one of your bits from 0 to 1.
  (You can flip bit 3.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 0 1 1 0. You can reset bits 2 and 3.)
Enter the bit position to flip, or 'reset' and a position: 3
You flipped bit 3 to 1.

Player 2's turn.
Your bits: 0 1 1 0
Available actions:
- Flip one of your bits from 0 to 1.
  (You can flip bits 1 and 4.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 1 1 1 0. You can reset bits 1 and 3.)
Enter the bit position to flip, or 'reset' and a position: 4
You flipped bit 4 to 1.

Player 1's turn.
Your bits: 1 1 1 0
Available actions:
- Flip one of your bits from 0 to 1.
  (You can flip bit 4.)
- Reset one of your opponent's bits from 1 to 0.
  (Opponent's bits: 0 1 1 1. You can reset bits 2 and 4.)
Enter the bit position to flip, or 'reset' and a position: 4
You flipped bit 4 to 1.

Player 1 has 1 1 1 1 and wins the game!
"""

ROWS = ["".join(bits) for bits in product("01", repeat=4)]
UNFINISHED = [row for row in ROWS if row != "1111"]


def placed(mine: str, theirs: str, exception: bool = False) -> BitsPosition:
    """A position in the middle of a game, seen by the player to move."""
    return BitsPosition(int(mine, 2), int(theirs, 2), my_exception=int(exception), their_exception=0)


def places(kind: str, mine: str, theirs: str, **options: object) -> list[int]:
    """Where a player with these rows can flip or reset."""
    legal = BinaryRaceBits(**options).turn(placed(mine, theirs)).legal
    return [int(move.split()[1]) for move in legal if move.startswith(kind)]


def switched(row: str, place: int, bit: str) -> str:
    """The row with one bit changed to this."""
    return row[: place - 1] + bit + row[place:]


def match(*moves: str, **options: object) -> Match:
    """A match after these moves."""
    return Match(BinaryRaceBits(**options), moves=moves)


def rows(playing: Match) -> tuple[str, str]:
    """The bits of Player 1 and of Player 2."""
    return playing.view(1).board.mine, playing.view(2).board.mine


def test_each_player_starts_with_four_bits_at_0() -> None:
    assert rows(match()) == ("0000", "0000")


def test_each_player_has_bits_of_their_own() -> None:
    playing = match("flip 2", "flip 3")
    assert (playing.view(1).board.mine, playing.view(1).board.theirs) == ("0100", "0010")
    assert (playing.view(2).board.mine, playing.view(2).board.theirs) == ("0010", "0100")


@pytest.mark.parametrize(("place", "row"), [(1, "1000"), (2, "0100"), (3, "0010"), (4, "0001")])
def test_bits_are_numbered_from_left_to_right(place: int, row: str) -> None:
    assert rows(match(f"flip {place}"))[0] == row


def test_player_1_starts_unless_asked_otherwise() -> None:
    assert match().to_move == 1
    assert bitduel("play", "bits", stdin="quit\n").out.startswith("Player 1's turn.\n")


def test_the_players_can_agree_who_starts() -> None:
    playing = Match(BinaryRaceBits(), first=2, moves=SAMPLE)
    assert playing.outcome == Outcome(2, "complete")
    assert bitduel("play", "bits", "--first", "2", stdin="quit\n").out.startswith("Player 2's turn.\n")


def test_a_coin_toss_can_decide_who_starts() -> None:
    tossed = {
        tuple(bitduel("play", "bits", "--first", "toss", "--seed", str(seed), stdin="quit\n").out.splitlines()[:3])
        for seed in range(10)
    }
    assert tossed == {(f"Coin toss: {p} starts.", "", f"{p}'s turn.") for p in ("Player 1", "Player 2")}


def test_players_alternate_turns() -> None:
    playing = match()
    movers = []
    for move in SAMPLE:
        movers.append(playing.to_move)
        playing.play(move)
    assert movers == [1, 2, 1, 2, 1, 2, 1]


def test_a_turn_is_one_flip_or_one_reset() -> None:
    for mine, theirs in product(UNFINISHED, UNFINISHED):
        game = BinaryRaceBits()
        before = placed(mine, theirs, exception=True)
        for move in game.turn(before).legal:
            after = game.play(before, move)
            changed = (before.mine ^ after.theirs, before.theirs ^ after.mine)
            assert sorted(bits.bit_count() for bits in changed) == [0, 1], (mine, theirs, move)


def test_a_flip_turns_one_of_ones_own_bits_from_0_to_1() -> None:
    assert rows(match("flip 2", "flip 3", "flip 1")) == ("1100", "0010")
    for mine, theirs in product(UNFINISHED, UNFINISHED):
        for place in places("flip", mine, theirs):
            after = BinaryRaceBits().play(placed(mine, theirs), f"flip {place}")
            assert (after.theirs, after.mine) == (int(switched(mine, place, "1"), 2), int(theirs, 2))


def test_a_reset_turns_one_of_the_opponents_bits_from_1_to_0() -> None:
    assert rows(match("flip 2", "flip 3", "reset 3")) == ("0100", "0000")
    for mine, theirs in product(UNFINISHED, UNFINISHED):
        for place in places("reset", mine, theirs):
            after = BinaryRaceBits().play(placed(mine, theirs), f"reset {place}")
            assert (after.theirs, after.mine) == (int(mine, 2), int(switched(theirs, place, "0"), 2))


def test_a_bit_that_is_already_1_cannot_be_flipped() -> None:
    for mine, theirs in product(UNFINISHED, UNFINISHED):
        assert all(mine[place - 1] == "0" for place in places("flip", mine, theirs))
    with pytest.raises(IllegalMoveError, match="You can't play 'flip 2' now"):
        match("flip 2", "flip 3", "flip 2")


def test_a_bit_that_is_already_0_cannot_be_reset() -> None:
    for mine, theirs in product(UNFINISHED, UNFINISHED):
        assert all(theirs[place - 1] == "1" for place in places("reset", mine, theirs))
    with pytest.raises(IllegalMoveError, match="You can't play 'reset 2' now"):
        match("flip 2", "flip 3", "reset 2")


def test_on_the_very_first_turn_player_1_may_flip_any_bit() -> None:
    for reading in ("turn", "game", "flip", "empty"):
        assert match(first_move=reading).legal == ("flip 1", "flip 2", "flip 3", "flip 4")


def test_player_2_has_the_exception_on_their_own_first_turn_too() -> None:
    playing = match("flip 2")
    assert playing.legal == ("flip 1", "flip 2", "flip 3", "flip 4", "reset 2")
    assert BinaryRaceBits().options["first-move"] == "turn"


def test_the_exception_is_gone_after_ones_own_first_turn() -> None:
    assert match("flip 2", "flip 3", "reset 3").legal == ("reset 2",)
    assert match("flip 2", "flip 3").legal == ("flip 1", "flip 3", "reset 3")


def test_read_as_game_only_the_very_first_turn_has_the_exception() -> None:
    assert match("flip 2", first_move="game").legal == ("reset 2",)


def test_read_as_game_the_sample_game_is_impossible() -> None:
    with pytest.raises(IllegalMoveError, match=r"You can't play 'flip 3' now\. Choose from: reset 2\."):
        match(*SAMPLE, first_move="game")
    for place in (1, 2, 3, 4):
        playing = match(f"flip {place}", f"reset {place}", first_move="game")
        assert playing.outcome == Outcome(None, "stalemate")


def test_read_as_flip_the_exception_lasts_until_ones_first_flip() -> None:
    kept = match("flip 2", "reset 2", PASS, first_move="flip")
    assert (kept.to_move, kept.legal) == (2, ("flip 1", "flip 2", "flip 3", "flip 4"))
    used = match("flip 2", "reset 2", PASS, "flip 3", "reset 3", first_move="flip")
    assert used.outcome == Outcome(None, "stalemate")


def test_read_as_turn_a_reset_on_ones_first_turn_uses_up_the_exception() -> None:
    assert match("flip 2", "reset 2", first_move="turn").outcome == Outcome(None, "stalemate")
    assert match("flip 2", "reset 2", first_move="flip").outcome is None


def test_read_as_empty_the_exception_comes_back_whenever_ones_bits_are_all_0() -> None:
    emptied = match("flip 2", "flip 3", "reset 3", first_move="empty")
    assert emptied.legal == ("flip 1", "flip 2", "flip 3", "flip 4", "reset 2")
    both = match("flip 2", "flip 3", "reset 3", "reset 2", first_move="empty")
    assert (rows(both), both.outcome) == (("0000", "0000"), None)
    assert both.legal == ("flip 1", "flip 2", "flip 3", "flip 4")
    assert match("flip 2", "flip 3", first_move="empty").legal == ("flip 1", "flip 3", "reset 3")


@pytest.mark.parametrize(
    ("place", "neighbours"),
    [(1, [2]), (2, [1, 3]), (3, [2, 4]), (4, [3])],
)
def test_bits_are_adjacent_to_the_bits_beside_them(place: int, neighbours: list[int]) -> None:
    only = "".join("1" if at == place else "0" for at in (1, 2, 3, 4))
    assert places("flip", only, "0000") == neighbours


def test_after_the_first_turn_a_flip_needs_an_adjacent_1() -> None:
    for mine in UNFINISHED:
        beside = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
        allowed = [p for p in beside if mine[p - 1] == "0" and any(mine[n - 1] == "1" for n in beside[p])]
        assert places("flip", mine, "0010") == allowed


def test_with_0100_bit_1_and_bit_3_can_be_flipped() -> None:
    assert places("flip", "0100", "0000") == [1, 3]


def test_a_reset_is_possible_instead_of_a_flip() -> None:
    assert match("flip 2", "flip 3").legal == ("flip 1", "flip 3", "reset 3")


def test_a_reset_is_possible_on_player_2s_first_turn() -> None:
    assert "reset 2" in match("flip 2").legal
    out = bitduel("play", "bits", "--plain", stdin="2\nquit\n").out
    assert "  (Opponent's bits: 0 1 0 0. You can reset bit 2.)\n" in out


def test_a_bit_between_two_1s_cannot_be_reset() -> None:
    for reading in ("open", "strict"):
        for theirs in UNFINISHED:
            resets = places("reset", "0000", theirs, edge=reading)
            assert not [p for p in resets if theirs[p - 2 : p + 1] == "111" and p in (2, 3)]
    assert 2 not in places("reset", "0000", "1110")
    assert 3 not in places("reset", "0000", "0111")


@pytest.mark.parametrize("edge", ["open", "strict"])
def test_the_board_shows_every_bit_that_cannot_be_reset_as_safe_and_none_in_a_full_row(edge: str) -> None:
    game = BinaryRaceBits(edge=edge)
    for number in range(16):
        row = f"{number:04b}"
        safe = {place for place, bit in enumerate(row, 1) if bit == "1"} - {*places("reset", "0000", row, edge=edge)}
        board = game.observe(BitsPosition(0, number, 0, 0), to_move=True, over=row == "1111")
        view = replace(Match(game).view(1), board=board)
        mine, theirs = game.picture(view, ("Ada", "Alan")).rows
        assert not any(cell.is_safe for cell in mine.cells)
        assert {int(cell.label) for cell in theirs.cells if cell.is_safe} == (set() if row == "1111" else safe)


def test_a_bit_with_an_adjacent_0_can_be_reset() -> None:
    for reading in ("open", "strict"):
        for theirs in UNFINISHED:
            loose = {p for p in (1, 2, 3, 4) if theirs[p - 1] == "1" and "0" in theirs[max(p - 2, 0) : p + 1]}
            assert loose <= set(places("reset", "0000", theirs, edge=reading))


def test_an_edge_bit_whose_neighbour_is_0_can_be_reset() -> None:
    for reading in ("open", "strict"):
        assert places("reset", "0000", "1001", edge=reading) == [1, 4]


def test_with_1110_bit_1_can_be_reset_and_bit_2_cannot() -> None:
    assert places("reset", "0000", "1110") == [1, 3]


def test_an_edge_bit_whose_neighbour_is_1_can_be_reset() -> None:
    assert places("reset", "0000", "1100") == [1, 2]
    assert places("reset", "0000", "0011") == [3, 4]
    assert BinaryRaceBits().options["edge"] == "open"


def test_read_strictly_an_edge_bit_whose_neighbour_is_1_is_safe() -> None:
    assert places("reset", "0000", "1100", edge="strict") == [2]
    assert places("reset", "0000", "0011", edge="strict") == [3]
    assert places("reset", "0000", "1110", edge="strict") == [3]
    assert places("reset", "0000", "1011", edge="strict") == [1, 3]


def test_the_first_player_with_four_1s_wins_at_once() -> None:
    playing = match(*SAMPLE[:-1])
    assert (rows(playing), playing.outcome) == (("1110", "0111"), None)
    playing.play("flip 4")
    assert (rows(playing), playing.outcome) == (("1111", "0111"), Outcome(1, "complete"))


def test_no_move_is_possible_after_the_end() -> None:
    playing = match(*SAMPLE)
    assert (playing.to_move, playing.legal) == (None, ())
    with pytest.raises(MatchOverError, match="The match is over"):
        playing.play("reset 1")


def test_if_neither_player_can_move_it_is_a_stalemate_and_a_draw() -> None:
    playing = match("flip 2", "reset 2")
    assert rows(playing) == ("0000", "0000")
    assert playing.outcome == Outcome(None, "stalemate")
    out = bitduel("play", "bits", "--plain", stdin="2\nreset 2\n").out
    assert out.endswith("\nNeither player can move. The game ends in a stalemate.\n")


def test_a_player_who_can_neither_flip_nor_reset_passes() -> None:
    playing = match("flip 2", "reset 2", first_move="flip")
    assert (playing.to_move, playing.legal, playing.must_pass) == (1, (PASS,), True)
    playing.play(PASS)
    assert (playing.to_move, rows(playing)) == (2, ("0000", "0000"))


def test_a_pass_happens_by_itself_and_is_said() -> None:
    ran = bitduel("play", "bits", "--plain", "--set", "first-move=flip", stdin="2\nreset 2\n3\n3\n")
    assert ran.out == (
        "Player 1's turn.\nYour bits: 0 0 0 0\nAvailable actions:\n- Flip one of your bits from 0 to 1.\n"
        "  (First move: you can flip any bit.)\nEnter the bit position to flip: 2\nYou flipped bit 2 to 1.\n\n"
        "Player 2's turn.\nYour bits: 0 0 0 0\nAvailable actions:\n- Flip one of your bits from 0 to 1.\n"
        "  (First move: you can flip any bit.)\n- Reset one of your opponent's bits from 1 to 0.\n"
        "  (Opponent's bits: 0 1 0 0. You can reset bit 2.)\n"
        "Enter the bit position to flip, or 'reset' and a position: reset 2\nYou reset your opponent's bit 2 to 0.\n\n"
        "Player 1 has no available move and passes.\n\n"
        "Player 2's turn.\nYour bits: 0 0 0 0\nAvailable actions:\n- Flip one of your bits from 0 to 1.\n"
        "  (First move: you can flip any bit.)\nEnter the bit position to flip: 3\nYou flipped bit 3 to 1.\n\n"
        "Player 1's turn.\nYour bits: 0 0 0 0\nAvailable actions:\n- Reset one of your opponent's bits from 1 to 0.\n"
        "  (Opponent's bits: 0 0 1 0. You can reset bit 3.)\nEnter the bit position to reset: 3\n"
        "You reset your opponent's bit 3 to 0.\n\nNeither player can move. The game ends in a stalemate.\n"
    )
    assert (ran.err, ran.status) == ("", 0)


def test_passing_is_not_allowed_while_another_move_is() -> None:
    for moves in ([], ["flip 2"], ["flip 2", "flip 3"], ["flip 2", "flip 3", "reset 3"], SAMPLE[:5]):
        with pytest.raises(IllegalMoveError, match="You can't play 'pass' now"):
            match(*moves, PASS)
    for mine, theirs, exception in product(UNFINISHED, UNFINISHED, (False, True)):
        legal = BinaryRaceBits().turn(placed(mine, theirs, exception)).legal
        assert PASS not in legal or legal == (PASS,)


def test_the_sample_game_move_by_move() -> None:
    told = [
        (1, "0000", "0000", [1, 2, 3, 4], "flip 2"),
        (2, "0100", "0000", [1, 2, 3, 4], "flip 3"),
        (1, "0100", "0010", [1, 3], "flip 1"),
        (2, "1100", "0010", [2, 4], "flip 2"),
        (1, "1100", "0110", [3], "flip 3"),
        (2, "1110", "0110", [1, 4], "flip 4"),
        (1, "1110", "0111", [4], "flip 4"),
    ]
    playing = match()
    for mover, first, second, flips, action in told:
        assert (playing.to_move, rows(playing), playing.outcome) == (mover, (first, second), None)
        assert [int(move.split()[1]) for move in playing.legal if move.startswith("flip")] == flips
        playing.play(action)
    assert rows(playing) == ("1111", "0111")
    assert playing.outcome == Outcome(1, "complete")


def test_on_turn_6_of_the_sample_bit_1_can_be_flipped_as_well_as_bit_4() -> None:
    playing = match(*SAMPLE[:5])
    assert (playing.to_move, rows(playing)) == (2, ("1110", "0110"))
    assert playing.legal == ("flip 1", "flip 4", "reset 1", "reset 3")


def test_the_sample_interaction_with_the_resets_listed() -> None:
    ran = bitduel("play", "binary-race-bits", "--plain", stdin="2\n3\n1\n2\n3\n4\n4\n")
    assert (ran.out, ran.err, ran.status) == (SAMPLE_TEXT, "", 0)


@pytest.mark.parametrize("answer", ["0", "5", "4", "flip 4", "2", "reset 2", "reset", "pass", "", "toggle 1", "1 3"])
def test_an_answer_that_is_no_available_action_is_asked_again(answer: str) -> None:
    out = bitduel("play", "bits", "--plain", stdin=f"2\n3\n{answer}\nquit\n").out
    question = "Enter the bit position to flip, or 'reset' and a position: "
    assert out.endswith(
        f"{question}{answer}\nInvalid action. Please choose one of the available actions.\n"
        f"{question}quit\nYou left the game.\n"
    )


def test_a_bare_position_is_no_reset_where_a_flip_is_possible() -> None:
    out = bitduel("play", "bits", "--plain", stdin="2\n2\n2\nquit\n").out
    question = "Enter the bit position to flip, or 'reset' and a position: "
    assert out.endswith(
        "  (Opponent's bits: 0 1 0 0. You can reset bit 2.)\n"
        f"{question}2\nInvalid action. Please choose one of the available actions.\n"
        f"{question}quit\nYou left the game.\n"
    )


@pytest.mark.parametrize("answer", ["1", "flip 1", " FLIP   1 "])
def test_a_flip_can_be_said_with_or_without_its_word(answer: str) -> None:
    out = bitduel("play", "bits", "--plain", stdin=f"2\n3\n{answer}\nquit\n").out
    assert "You flipped bit 1 to 1.\n" in out


def test_a_bare_position_is_a_reset_where_only_resets_are_possible() -> None:
    out = bitduel("play", "bits", "--plain", stdin="2\n3\nreset 3\n2\n").out
    assert "Enter the bit position to reset: 2\nYou reset your opponent's bit 2 to 0.\n" in out


ROUND_AND_ROUND = ["flip 2", "flip 3", "flip 1", "flip 2", "reset 2", "reset 1", "flip 1"]


def test_a_position_that_comes_up_for_the_third_time_is_a_draw() -> None:
    playing = match()
    for move in ROUND_AND_ROUND:
        assert playing.outcome is None
        playing.play(move)
    assert rows(playing) == ("1100", "0010")
    assert playing.outcome == Outcome(None, REPETITION)
    out = bitduel("play", "bits", "--plain", stdin="2\n3\n1\n2\nreset 2\nreset 1\n1\n").out
    assert out.endswith("\nThe same position has come up three times. The game is a draw.\n")


def test_the_start_counts_as_the_first_time_of_its_position() -> None:
    again = ["flip 2", "reset 2"]
    assert match(*again, first_move="empty").position == match(first_move="empty").position
    assert match(*again, "flip 2", first_move="empty").outcome is None
    assert match(*again, *again, first_move="empty").outcome == Outcome(None, REPETITION)


def test_with_repetition_0_play_may_go_round_for_ever() -> None:
    playing = match(*ROUND_AND_ROUND, repetition=0)
    for _ in range(50):
        for move in ("flip 2", "reset 2", "reset 1", "flip 1"):
            playing.play(move)
    assert (playing.ply, rows(playing), playing.outcome) == (207, ("1100", "0010"), None)


class Idle(BinaryRaceBits):
    """The game with a pass that is always legal, from a position in the middle."""

    def start(self, deal: str = "") -> BitsPosition:
        """Two bits already on, nobody's first turn yet."""
        return BitsPosition(mine=0b0100, theirs=0b0100, my_exception=self.left, their_exception=self.left)

    def legal(self, position: BitsPosition, move: str) -> Truth:
        """Pass, always."""
        return move == PASS

    left = 0


def plies_to_a_draw(game: BinaryRaceBits) -> int:
    playing = Match(game)
    while not playing.outcome:
        playing.play(PASS)
    assert playing.outcome == Outcome(None, REPETITION)
    return playing.ply


def test_the_same_bits_with_the_other_player_to_move_are_another_position() -> None:
    assert plies_to_a_draw(Idle()) == 4


def test_the_same_bits_with_other_exceptions_left_are_another_position() -> None:
    class Fresh(Idle):
        left = 1

    assert plies_to_a_draw(Fresh()) == 6
    fresh, later = match("flip 2").position, match("flip 2", "flip 3", "reset 3").position
    assert (fresh.mine, fresh.theirs) == (later.mine, later.theirs) == (0b0000, 0b0100)
    assert (fresh.my_exception, later.my_exception) == (1, 0)


@pytest.mark.parametrize(("bits", "moves"), [(1, 1), (2, 3), (6, 11)])
def test_the_number_of_bits_can_be_chosen(bits: int, moves: int) -> None:
    playing = match(bits=bits)
    while playing.legal:
        assert rows(playing)[0].count("0") + rows(playing)[0].count("1") == bits
        playing.play(next(move for move in playing.legal if move.startswith("flip")))
    assert (playing.ply, playing.outcome) == (moves, Outcome(1, "complete"))


def test_every_reading_can_be_chosen() -> None:
    default: dict[str, int | str] = {"bits": 4, "first-move": "turn", "edge": "open", "repetition": 3}
    assert BinaryRaceBits().options == default
    for reading in ("turn", "game", "flip", "empty"):
        assert BinaryRaceBits(first_move=reading).options == {**default, "first-move": reading}
    for edge, repetition in product(("open", "strict"), (0, 3)):
        chosen = BinaryRaceBits(edge=edge, repetition=repetition)
        assert chosen.options == {**default, "edge": edge, "repetition": repetition}


@pytest.mark.parametrize("text", ["flip", "flip 0", "flip 5", "2", "toggle 2", ""])
def test_no_other_action_is_a_move(text: str) -> None:
    playing = match()
    with pytest.raises(UnreadableMoveError, match=r"is not a move\. Choose from: flip 1, flip 2, flip 3, flip 4\."):
        playing.play(text)
    assert (rows(playing), playing.to_move) == (("0000", "0000"), 1)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("first-move=never", "first-move must be turn, game, flip or empty, not 'never'"),
        ("edge=soft", "edge must be open or strict, not 'soft'"),
        ("repetition=2", "repetition must be 3 or 0, not '2'"),
        ("bits=0", "bits must be a whole number from 1 to 31, not '0'"),
        ("bits=32", "bits must be a whole number from 1 to 31, not '32'"),
        (
            "edges=open",
            "There is no setting 'edges'. Did you mean 'edge'? Choose from: bits, first-move, edge, repetition.",
        ),
    ],
)
def test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed(setting: str, sentence: str) -> None:
    ran = bitduel("play", "bits", "--plain", "--set", setting)
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {sentence}\n", 2)


def visited(game: BinaryRaceBits) -> dict[BitsPosition, int]:
    """Every position that can be reached, with the parity of the plies to it where that is always the same."""
    found = {game.start(): 0}
    queue = list(found)
    for position in queue:
        turn = game.turn(position)
        for move in turn.legal:
            after = turn.after(move).position
            if after not in found:
                found[after] = 1 - found[position]
                queue.append(after)
    return found


def test_in_the_default_reading_nobody_ever_has_to_pass() -> None:
    game = BinaryRaceBits()
    assert not [p for p in visited(game) if game.turn(p).legal == (PASS,)]
    with_flip = BinaryRaceBits(first_move="flip")
    assert [p for p in visited(with_flip) if with_flip.turn(p).legal == (PASS,)]


def test_before_each_turn_of_the_starting_player_both_have_as_many_1s_so_only_that_player_can_win() -> None:
    for edge, reading in product(("open", "strict"), ("turn", "empty")):
        game = BinaryRaceBits(edge=edge, first_move=reading)
        for position, parity in visited(game).items():
            ahead = position.theirs.bit_count() - position.mine.bit_count()
            assert ahead == parity
            assert position.theirs != game.full or parity == 1


def test_fields_and_features_are_bounded_by_what_bits_can_be() -> None:
    game = BinaryRaceBits(bits=3)
    assert game.ranges == (8, 8, 2, 2)
    assert [(feature.low, feature.high) for feature in game.features] == [(0, 1)] * 8
