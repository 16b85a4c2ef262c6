from bitduel.core.advice import either, hint
from bitduel.core.match import Match
from bitduel.games import make
from bitduel.solve.explain import advise
from bitduel.solve.oracle import oracle


def said(name: str, moves: list[str], deal: str = "", **options: object) -> list[str]:
    game = make(name, options)
    match = Match(game, deal=deal or game.any_deal(), moves=moves)
    view = match.view(match.to_move)
    advice = advise(oracle(game), match)
    return hint(advice, [game.words.answer(view, choice.judged.move) for choice in advice])


def test_a_hint_says_what_the_opponent_would_do() -> None:
    assert "Doubling to 10 lets your opponent double to 20 and win." in said("double", ["double", "double", "add"])


def test_a_hint_in_a_lost_position_says_what_holds_out_longest() -> None:
    assert said("double", []) == [
        "Best: add or double.",
        "Adding 1 to make 2 or doubling to 2 loses in 7 of your moves against best play, but nothing holds out longer.",
    ]


def test_a_hint_says_which_moves_end_the_game() -> None:
    assert said("64", ["double"] * 5)[:2] == ["Best: 2.", "Doubling to 64 wins at once."]
    assert "Doubling to 124 loses at once." in said("64", ["double", "add", *["double"] * 3, *["add"] * 15])


def test_a_hint_in_a_drawn_position_warns_of_what_loses() -> None:
    lines = said("bits", ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3"])
    assert lines[0] == "Best: reset 1 or reset 3."
    assert "Flipping bit 1 or flipping bit 4 lets your opponent flip bit 4 and win." in lines


def test_a_hint_in_the_dark_speaks_of_probabilities_and_of_nothing_hidden() -> None:
    for secret in ("001", "010"):
        lines = said("battle", ["toggle 1", "toggle 1"], deal=secret, bits=3)
        assert lines == said("battle", ["toggle 1", "toggle 1"], deal="010", bits=3)
        told = [int(line.split(" wins ")[1].split()[0]) for line in lines[1:]]
        assert told == sorted(told, reverse=True)
        assert lines[1].endswith(" times in 100.")


def test_a_choice_is_said_as_people_say_it() -> None:
    assert [either(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
