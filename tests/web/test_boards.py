from bitduel.core.game import PASS
from bitduel.games.registry import all_games, make
from bitduel.web.boards import is_playable, keys


def test_every_move_of_every_game_has_a_key_of_its_own() -> None:
    for kind in all_games():
        game = kind()
        found = keys(game)
        assert list(found) == [move for move in game.moves if move != PASS]
        assert len(set(found.values())) == len(found)
        assert all(len(key) == 1 and key.isalnum() for key in found.values())


def test_keys_are_first_letters_where_these_differ_the_same_in_both_number_races() -> None:
    assert keys(make("64")) == keys(make("double")) == {"add": "a", "double": "d"}


def test_keys_are_what_is_typed_where_that_is_one_key() -> None:
    assert keys(make("battle")) == {f"toggle {place}": str(place) for place in range(1, 6)}


def test_the_board_of_every_game_is_the_only_set_of_buttons() -> None:
    assert all(is_playable(kind()) for kind in all_games())


def test_a_long_answer_has_its_last_character_or_the_key_below() -> None:
    assert keys(make("31"))["16"] == "6"
    found = keys(make("bits"))
    assert [found[f"flip {i}"] + found[f"reset {i}"] for i in range(1, 5)] == ["1q", "2w", "3e", "4r"]


def test_the_largest_rows_have_just_enough_keys() -> None:
    found = keys(make("bits", {"bits": 31}))
    assert len(set(found.values())) == len(found) == 62


def test_keys_are_not_found_sooner_by_who_has_chosen_the_same_secret() -> None:
    assert keys(make("battle", secret="01101")) is keys(make("battle", secret="10010")) is keys(make("battle"))
