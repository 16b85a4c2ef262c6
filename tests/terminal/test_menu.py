from hypothesis import given
from hypothesis import strategies as st

from helpers import bitduel


def test_a_number_and_enter_are_enough() -> None:
    ran = bitduel(stdin="3\n1\n2\n\ntarget=4\ndouble\ndouble\n4\n")
    assert "Which game?" in ran.out
    assert "Player 2 wins the game!" in ran.out
    assert (ran.err, ran.status) == ("", 0)


def test_again_swap_and_another_game() -> None:
    game = "double\ndouble\n"
    ran = bitduel(stdin=f"3\n1\n2\n\ntarget=4\n{game}1\n{game}2\n{game}3\n1\n1\n2\n\ntarget=2\n2\nquit\n")
    assert ran.out.count("The number is exactly 4!") == 3
    assert "wins by reaching exactly 2." in ran.out
    assert ran.out.endswith("Goodbye.\n")
    assert ran.status == 0


def test_wrong_answers_are_asked_again_with_a_sentence() -> None:
    ran = bitduel(stdin="9\nx\n\n1\n1\n1\n0\n2000\n\nbogus=1\ntarget=1\noptions\nquit\n")
    assert ran.out.count("Please enter a number from 1 to 5, or 'quit'.") == 3
    assert ran.out.count("Please enter a number from 1 to 1000.") == 2
    assert "There is no option 'bogus'." in ran.out
    assert "target must be a whole number" in ran.out
    assert "start=1  the number at the start" in ran.out
    assert ran.status == 0


def test_a_coin_toss_is_the_default() -> None:
    ran = bitduel(stdin="1\n\n\n\n\nquit\nquit\n")
    assert "A coin is tossed: Player" in ran.out


def test_leaving_a_game_comes_back_to_the_menu() -> None:
    ran = bitduel(stdin="1\n1\n2\n\n\nquit\n4\n")
    assert "You have left the game." in ran.out
    assert "What next?" in ran.out
    assert ran.status == 0


def test_a_secret_that_is_chosen_against_the_computer_is_asked_for_again() -> None:
    ran = bitduel(stdin="battle\neasy\n\n\nsecret=01101\nquit\n")
    assert "against the computer it is dealt." in ran.out
    assert (ran.err, ran.status) == ("", 0)


def test_an_opponent_that_cannot_play_is_asked_for_again_and_nothing_else() -> None:
    ran = bitduel(stdin="battle\nperfect\n2\n\nbits=7\nhard\nquit\nquit\n")
    assert "choose 'hard', for example." in ran.out
    assert ran.out.count("Which game?") == ran.out.count("How many rounds?") == 1
    assert ran.out.count("Who plays?") == 2
    assert "Player 1, enter the bit position to toggle (1-7): " in ran.out


def test_a_question_mark_says_what_can_be_entered() -> None:
    ran = bitduel(stdin="?\n31\nh\n\n\n?\n\n?\nq\n")
    assert ran.out.count("'q' leaves.") == 4
    assert "Enter a number from 1 to 5, a name, or the beginning of one. 'q' leaves." in ran.out
    assert "Please enter" not in ran.out


@given(st.lists(st.one_of(st.sampled_from(["1", "2", "", "options", "target=5"]), st.text(max_size=10)), max_size=20))
def test_any_text_in_the_menu_ends_cleanly(answers: list[str]) -> None:
    ran = bitduel(stdin="\n".join(answers))
    assert ran.status in (0, 1)
    assert ran.err in ("", "bitduel: The input ended, so the game stops here.\n")
