"""Phrases: lists and evaluations as people write them."""

import pytest

from bitduel.core.phrases import join_with_and, settings_phrase
from bitduel.games.registry import make
from sixth_game.little_nim import LittleNim


@pytest.mark.parametrize(("items", "text"), [([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1, 2 and 3")])
def test_lists_are_written_as_people_write_them(items: list[int], text: str) -> None:
    assert join_with_and(items) == text


@pytest.mark.parametrize(
    ("game", "options", "phrase"),
    [
        ("64", {}, ""),
        ("64", {"target": 44, "start": 3}, "from 3, played to 44"),
        ("double", {"target": 221, "step": 2}, "to 221, adding 2"),
        ("bits", {"bits": 5}, "with 5 bits"),
        ("bits", {"bits": 1, "repetition": 0}, "with 1 bit, no draw by repetition"),
        ("bits", {"edge": "strict", "first-move": "empty"}, "any bit whenever yours are all 0, strict edges"),
        ("31", {"finish": "exact"}, "exact finish"),
        ("31", {"length": 40, "finish": "any"}, "on a track of 40 steps, any move near the end"),
        ("battle", {"table": "open", "bits": 4}, "with 4 bits, open table"),
    ],
)
def test_settings_that_are_not_the_usual_ones_are_told_in_words(
    game: str, options: dict[str, object], phrase: str
) -> None:
    assert settings_phrase(make(game, **options)) == phrase


def test_a_chosen_secret_is_not_told_among_the_settings() -> None:
    assert settings_phrase(make("battle", secret="01101")) == ""


def test_settings_of_a_game_without_words_for_them_are_told_by_name_and_value() -> None:
    assert settings_phrase(LittleNim(sticks=9)) == "sticks 9"
