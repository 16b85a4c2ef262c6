from bitduel.core.hints import hint, often
from bitduel.core.match import Match
from bitduel.core.move_plan import either
from bitduel.games import make
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.explain import advise


def said(name: str, moves: list[str], deal: str = "", **options: object) -> list[str]:
    game = make(name, options)
    match = Match(game, deal=deal or game.any_deal(), moves=moves)
    view = match.view(match.to_move)
    advice = advise(evaluator_for(game), match)
    return hint(advice, [game.words.answer(view, choice.judged.move) for choice in advice])


def test_a_hint_says_what_the_opponent_would_do() -> None:
    assert "Doubling to 10 lets your opponent double to 20 and win." in said("double", ["double", "double", "add"])


def test_a_hint_in_a_lost_position_says_what_holds_out_longest() -> None:
    assert said("double", []) == [
        "Best: add or double.",
        "Adding 1 to make 2 or doubling to 2 loses in 7 of your moves against best play, but nothing holds out longer.",
        "From 2, only adding 1 to make 3 wins for your opponent, not doubling to 4.",
        "Whoever first passes 5 (20 quartered) loses. 5 is odd: every move from an odd number, such as 1, makes an "
        "even one, and adding 1 makes that odd again.",
    ]


def test_a_hint_names_the_plan_the_position_that_is_left_and_the_law() -> None:
    assert said("double", ["double", "double", "add", "add"]) == [
        "Best: double.",
        "Doubling to 12 wins in 5 of your moves, whatever your opponent does.",
        "From 12, adding 1 to make 13 is met by adding 1 to make 14; doubling to 24 loses at once.",
        "From 12 doubling passes 20, and adding 1 fits 8 times, an even number: you make the last.",
        "Adding 1 to make 7 lets your opponent double to 14 and win in 4 moves.",
    ]
    assert said("31", [])[2:4] == [
        "With you at 16 and your opponent at 0, whatever your opponent does is met by moving 16 to 32, which wins.",
        "Nobody can hinder the other: you need 1 more move, your opponent 2.",
    ]


def test_a_hint_says_which_moves_end_the_game() -> None:
    assert said("64", ["double"] * 5)[:2] == ["Best: 2.", "Doubling to 64 wins at once."]
    assert "Doubling to 124 loses at once." in said("64", ["double", "add", *["double"] * 3, *["add"] * 15])


def test_a_hint_in_a_drawn_position_warns_of_what_loses() -> None:
    lines = said("bits", ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3"])
    assert lines[0] == "Best: reset 1 or reset 3."
    assert "Flipping bit 1 or 4 lets your opponent flip bit 4 and win." in lines


def test_a_hint_in_the_dark_speaks_of_probabilities_and_of_nothing_hidden() -> None:
    for secret in ("001", "010"):
        lines = said("battle", ["toggle 1", "toggle 1"], deal=secret, bits=3)
        assert lines == said("battle", ["toggle 1", "toggle 1"], deal="010", bits=3)
        told = [int(line.split(" wins ")[1].split()[0]) for line in lines[1:] if " wins " in line]
        assert told == sorted(told, reverse=True)
        assert lines[1].endswith(" times in 100.")
        assert "000 is one of the 4 numbers that the secret can still be." in lines


def test_a_better_and_a_worse_chance_never_look_alike() -> None:
    lines = said("battle", ["toggle 1", "toggle 2", "toggle 4"], deal="0111", bits=4)
    assert lines[0] == "Best: 4."
    assert [line.split(" wins ")[1] for line in lines if " wins " in line][:2] == [
        "29.1 times in 100.",
        "29.0 times in 100.",
    ]
    assert (often(0.334), often(0.334, [0.3340000000001])) == ("33 times in 100", "33 times in 100")
    assert (often(0.334, [0.2]), often(0.334, [0.329, 0.2])) == ("33 times in 100", "33.4 times in 100")
    assert often(0.62984, [0.62956]) == "62.98 times in 100"
    assert often(0.6, [0.600001]) == "60 times in 100"


def test_a_hint_in_the_dark_says_whether_a_toggle_can_hit() -> None:
    words = make("battle", bits=3).words
    view = Match(make("battle", bits=3), deal="011", moves=["toggle 1", "toggle 2"]).view(1)
    assert words.remark(view, "toggle 1") == "000 is one of the 4 numbers that the secret can still be."
    assert words.remark(view, "toggle 2") == "110 cannot be the secret: it prepares a number that can."


def test_a_choice_is_said_as_people_say_it() -> None:
    assert [either(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
