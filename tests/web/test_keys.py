from bitduel.core.game import PASS
from bitduel.games import make, shelf
from bitduel.web.keys import keys


def test_every_move_of_every_game_has_a_key_of_its_own() -> None:
    for kind in shelf():
        game = kind()
        found = keys(game)
        assert list(found) == [move for move in game.moves if move != PASS]
        assert len(set(found.values())) == len(found)
        assert all(len(key) == 1 and key.isalnum() for key in found.values())


def test_keys_are_what_is_typed_where_that_is_one_key() -> None:
    assert keys(make("64")) == {"add": "1", "double": "2"}
    assert keys(make("double")) == {"add": "a", "double": "d"}


def test_a_long_answer_has_its_last_character_or_the_key_below() -> None:
    assert keys(make("31"))["16"] == "6"
    found = keys(make("bits"))
    assert [found[f"flip {i}"] + found[f"reset {i}"] for i in range(1, 5)] == ["1q", "2w", "3e", "4r"]


def test_the_largest_rows_have_just_enough_keys() -> None:
    found = keys(make("bits", {"bits": 31}))
    assert len(set(found.values())) == len(found) == 62


def test_keys_are_not_found_sooner_by_who_has_chosen_the_same_secret() -> None:
    assert keys(make("battle", secret="01101")) is keys(make("battle", secret="10010")) is keys(make("battle"))
