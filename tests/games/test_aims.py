"""The line that says what is to be done, with the options as chosen."""

import pytest

from bitduel.games.registry import GameClass, all_games, make


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_without_a_choice_the_aim_is_the_game_s_own_line(kind: GameClass) -> None:
    assert kind().goal == kind.aim


@pytest.mark.parametrize(
    ("game", "options", "goal"),
    [
        ("64", {"target": 100}, "Add 2 or double the shared total. Make exactly 100."),
        ("64", {"step": 3}, "Add 3 or double the shared total. Make exactly 64."),
        ("double", {"target": 100}, "Add one or double the shared number. Make exactly 100."),
        ("double", {"step": 2}, "Add 2 or double the shared number. Make exactly 20."),
        ("31", {"length": 15}, "Move 1, 2, 4, 8 or 16 steps. Be first to reach or pass 15."),
        ("31", {"finish": "exact"}, "Move 1, 2, 4, 8 or 16 steps. Be first to reach 31."),
    ],
)
def test_the_aim_says_what_the_options_chose(game: str, options: dict[str, object], goal: str) -> None:
    assert make(game, options).goal == goal
