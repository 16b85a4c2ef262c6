"""The menu as somebody at a terminal has it: a way back, the puzzle of the day, and the lessons."""

import pytest

from bitduel.core.game import Game
from bitduel.games import shelf
from bitduel.terminal import menu
from bitduel.terminal.round import QuitError
from terminal.test_round import Sheet

GAMES = len(shelf())


def test_back_goes_from_question_to_question_up_to_the_game() -> None:
    sheet = Sheet("31", "easy", "Ada", "2", "back", "B", "back", "back", "double", "two", "", "", "3", "2", "", "q")
    setup = menu.ask_setup(sheet)
    assert (setup.game.short, setup.rounds, setup.first, setup.names) == ("double", 2, "2", ("Player 1", "Player 2"))
    asked = [line for line in sheet.said if line.endswith("?") or line.startswith(("Your name?", "How many"))]
    assert [line.split("?")[0] for line in asked[:8]] == [
        *("Which game", "Who plays", "Your name", "Who starts", "How many rounds"),
        *("Who starts", "Your name", "Who plays"),
    ]
    assert asked[8] == "Which game?"


def test_the_first_question_has_nothing_before_it_and_a_pipe_has_no_way_back() -> None:
    for sheet in (Sheet("back"), Sheet("64", "back")):
        sheet.fancy = len(sheet.answers) == 1
        with pytest.raises(QuitError):
            menu.ask_setup(sheet)
        assert "Please enter a number from 1 to" in sheet.text


def test_who_wants_to_know_hears_of_the_way_back_where_there_is_one() -> None:
    sheet = Sheet("?", "64", "?")
    with pytest.raises(QuitError):
        menu.ask_setup(sheet)
    first, second = [line for line in sheet.said if line.endswith("'q' leaves.")]
    assert "back" not in first
    assert "'back' goes back, 'q' leaves." in second


@pytest.mark.parametrize("word", [str(GAMES + 1), "puzzle", "daily", "Puzzle of"])
def test_the_puzzle_of_the_day_is_in_the_menu_and_leads_back_to_it(word: str) -> None:
    sheet = Sheet(word, "q", "64")
    with pytest.raises(QuitError):
        menu.ask_setup(sheet)
    assert "Puzzle of 20" in sheet.text
    after = sheet.text.split("You have left the puzzle.")[1]
    assert after.index("Which game?") < after.index("Who plays?")


@pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.short)
def test_every_lesson_is_in_the_menu_and_leads_back_to_it(kind: type[Game[tuple[object, ...]]]) -> None:
    sheet = Sheet("learn", "back", str(GAMES + 2), kind.short, "q", "q")
    with pytest.raises(QuitError):
        menu.ask_setup(sheet)
    lesson = kind.lesson()
    assert lesson
    assert f"{kind.title}: {lesson.title}" in sheet.said
    assert "You have left the lesson." in sheet.said
    assert sheet.said.count("Which game?") == 3
