"""What is to be played: all of it, the same every time, and nothing that cannot be."""

import pickle
from collections import Counter

import pytest

from bitduel.arena.schedule import Schedule, make_contender, make_schedule
from bitduel.core.errors import BitduelError
from bitduel.core.view import View
from bitduel.games.registry import all_games, make


def first(view: View) -> str:
    return view.legal[0]


def test_every_two_players_meet_in_every_game_and_round_on_both_seats() -> None:
    schedule = make_schedule(["perfect", "random", "level:2"], "64,battle", rounds=3)
    pairings = [schedule.game_at(number) for number in range(1, len(schedule) + 1)]
    assert len(schedule) == len(pairings) == 3 * 2 * 3 * 2
    met = Counter((p.game, p.round, *p.seats) for p in pairings)
    assert set(met.values()) == {1}
    assert {(one, two) for _, _, one, two in met} == {(a, b) for a in range(3) for b in range(3) if a != b}
    assert all(
        a.seats == b.seats[::-1] and a.round == b.round for a, b in zip(pairings[::2], pairings[1::2], strict=True)
    )


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    short, long = (make_schedule(["perfect", "random"], rounds=rounds) for rounds in (2, 5))
    assert [short.game_at(n) for n in range(1, len(short) + 1)] == [long.game_at(n) for n in range(1, len(short) + 1)]


def test_an_id_leads_back_to_its_game_and_no_other_text_does() -> None:
    schedule = make_schedule(["perfect", "random"], rounds=2)
    ids = [schedule.game_id(schedule.game_at(number)) for number in range(1, len(schedule) + 1)]
    assert [schedule.game_number(each) for each in ids] == list(range(1, len(schedule) + 1))
    for other in ("", "64", "64-", "64-0", "64-999", "bits-1", "64-01", "64-1 ", "64-²", "-1"):
        assert schedule.game_number(other) is None, other


def test_all_means_the_whole_shelf_and_options_go_where_they_fit() -> None:
    schedule = make_schedule(["perfect", "random"], "all", {"target": 10, "bits": 3})
    assert [type(game) for game in schedule.games] == all_games()
    assert [game.options.get("target") for game in schedule.games] == [10, None, 10, None, None]
    assert [game.options.get("bits") for game in schedule.games] == [None, 3, None, 3, None]


def test_games_may_be_given_whole_also_twice_with_other_options() -> None:
    schedule = make_schedule(["perfect", "random"], [make("double", target=9), make("double", target=10), "31"])
    assert len(schedule.games) == 3
    assert (
        len({schedule.game_id(schedule.game_at(number)) for number in range(1, len(schedule) + 1)})
        == len(schedule)
        == 6
    )


def test_a_plan_is_a_value() -> None:
    schedule = make_schedule(["perfect", ("first", first)], "64", rounds=2, seed=3)
    assert pickle.loads(pickle.dumps(schedule)) == schedule
    assert hash(schedule) == hash(make_schedule(["perfect", ("first", first)], "64", rounds=2, seed=3))
    assert schedule != make_schedule(["perfect", ("first", first)], "64", rounds=2, seed=4)
    assert isinstance(schedule, Schedule)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["perfect"],), "at least two players"),
        ((["perfect", "Perfect"],), "'perfect' is listed twice"),
        ((["perfect", ("perfect", first)],), "'perfect' is listed twice"),
        ((["perfect", "human"],), "person can't play"),
        ((["perfect", "nobody"],), "no player 'nobody'"),
        ((["perfect", "level:x"],), "A level must be a whole number"),
        ((["perfect", ("", first)],), "A player must be a name"),
        ((["perfect", ("first", 3)],), "A player must be a name"),
        ((["perfect", 3],), "A player must be a name"),
        ((["perfect", "random"], "chess"), "no game 'chess'"),
        ((["perfect", "random"], ""), "no game"),
        ((["perfect", "random"], []), "at least one game"),
        ((["perfect", "random"], "64,64"), "is listed twice"),
        ((["perfect", "random"], "64", {"size": 3}), "None of these games has an option 'size'"),
        ((["perfect", "random"], "64", {"target": 0}), "target must be"),
        ((["perfect", "random"], "64", {}, 0), "rounds must be"),
        ((["perfect", "random"], "64", {}, 1, -1), "seed must be"),
        ((["perfect", "random"], "64", {}, 90_000_000), "at most"),
    ],
)
def test_what_cannot_be_played_gets_one_sentence(arguments: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(BitduelError, match=sentence) as raised:
        make_schedule(*arguments)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)


def test_only_the_players_of_the_house_are_quick() -> None:
    assert make_contender("perfect").is_built_in
    assert make_contender("level:3").is_built_in
    assert not make_contender(("first", first)).is_built_in
