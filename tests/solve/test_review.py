from unittest.mock import patch

import pytest

from bitduel.core.advice import often
from bitduel.core.judge import Judged
from bitduel.core.match import Match
from bitduel.core.worth import AssumedWorth, Worth
from bitduel.games import make, shelf
from bitduel.solve.oracle import oracle
from bitduel.solve.remarks import remarks, standing_text
from bitduel.solve.review import LUCK, SLIP, Luck, Review, Standing, Step, gives_away, review
from bitduel.solve.statistics import won_positions
from helpers import standing

NAMES = ("Ada", "Alan")


def test_the_moment_where_the_result_changed_hands_is_found() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    found = review(match)
    assert found.start == standing(winner=2, plies=14)
    assert [step.turning for step in found.steps] == [False] * 5 + [True]
    last = found.steps[-1]
    assert last.better == ("add",)
    assert last.before == standing(winner=2, plies=7)
    assert last.after == standing(winner=1, plies=0)


def test_standings_go_on_from_move_to_move_in_an_open_game() -> None:
    for name in ("64", "double", "31", "bits"):
        match = Match(make(name))
        while match.to_move and match.ply < 30:
            match.play(match.legal[match.ply % len(match.legal)])
        found = review(match)
        now = found.start
        for step in found.steps:
            assert step.before == now
            now = step.after


def test_in_the_dark_moves_are_judged_by_what_their_player_could_know_then() -> None:
    moves = ["toggle 1", "toggle 2", "toggle 2", "toggle 1", "toggle 3"]
    game = make("battle", {"bits": 3})
    one, two = (review(Match(game, deal=deal, moves=moves[:2])) for deal in ("001", "000"))
    assert [step.after.chance for step in one.steps][:1] == [step.after.chance for step in two.steps][:1]
    over = Match(game, deal="111", moves=moves)
    assert over.outcome
    assert review(over).steps[-1].after == standing(chance=1.0)
    known = review(over, ("Ada", "Alan")).steps
    assert "toggles from the secret" in known[0].hindsight
    assert known[-1].hindsight.startswith("Ada hit the secret, and Alan was ")
    assert standing_text(known[-1].after, ("Ada", "Alan"), over=True) == "Ada has won"
    assert review(Match(game, deal="111", moves=moves[:2])).steps[0].hindsight == ""


def test_what_a_chance_gains_without_anybodys_doing_is_luck() -> None:
    game = make("battle", {"bits": 3})
    hit = review(Match(game, deal="100", moves=["toggle 1"]))
    worth = max(c.worth.win_probability or 0 for c in oracle(game).choices(Match(game, deal="100").view(1)))
    assert hit.steps[0].luck == pytest.approx(Luck(worth, 1.0, ended=True))
    assert remarks(hit, NAMES)[0].luck == f"luck: this move wins {often(worth)}, and it did"
    for deal in ("101", "011"):
        steps = review(Match(game, deal=deal, moves=["toggle 1", "toggle 3", "toggle 2", "toggle 2"])).steps
        for seat in (1, 2):
            first, second = (step for step in steps if step.seat == seat)
            expected, found = first.after.own(seat), second.before.own(seat)
            assert first.luck is None
            assert expected is not None
            assert found is not None
            assert second.luck == (Luck(expected, found, False) if abs(found - expected) > LUCK else second.luck)


def test_luck_is_told_to_whom_it_concerns() -> None:
    lucky, unlucky = Luck(0.25, 0.5, False), Luck(0.5, 0.25, False)
    step = Step(2, 1, "toggle 1", standing(chance=0.5), standing(chance=0.5), (), False, "", lucky)
    found = Review(standing(chance=0.5), (step, step._replace(seat=2, luck=unlucky), step._replace(luck=None)), None)
    assert [each.luck for each in remarks(found, NAMES, you=1)] == [
        "luck: since your last move your chance had risen from 25 to 50 in 100, by what came to light",
        "bad luck: since Alan's last move that chance had fallen from 50 to 25 in 100, by what came to light",
        "",
    ]


def test_there_is_no_luck_where_all_is_open() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    assert not any(step.luck for step in review(match).steps)


def test_the_last_chance_is_yours_where_you_are_known() -> None:
    found = review(Match(make("double"), moves=["double", "add", "double", "double", "add", "double"]))
    assert remarks(found, NAMES)[-1].better == "Alan could still have won here, by add, the last chance"
    assert remarks(found, NAMES, you=2)[-1].better == "You could still have won here, by add, your last chance"
    assert remarks(found, NAMES, you=1)[-1].better == "Alan could still have won here, by add, the last chance"


def test_a_chance_that_comes_again_is_not_the_last() -> None:
    found = review(Match(make("31"), moves=["2", "4", "8", "1", "16", "1", "16"]))
    mistakes = [step.ply for step in found.steps if step.turning and step.seat == 1]
    assert mistakes
    assert not any("last chance" in each.better for each in remarks(found, NAMES)[:4:2])


def test_the_lean_orders_standings_from_seat_to_seat() -> None:
    order = [standing(1, 0), standing(1, 9), standing(), standing(2, 9), standing(2, 0)]
    leans = [each.lean for each in order]
    assert leans == sorted(leans, reverse=True)
    assert leans[0] == 1
    assert leans[-1] == -1


def test_how_often_a_won_position_was_kept() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    assert won_positions(match, 2) == (2, 3)
    assert won_positions(match, 1) == (0, 0)
    assert won_positions(Match(make("battle"), deal="00000"), 1) is None


def test_every_game_can_be_reviewed() -> None:
    for kind in shelf():
        game = kind()
        match = Match(game, deal=game.any_deal())
        while match.to_move and match.ply < 20:
            match.play(match.legal[-1])
        assert len(review(match).steps) == match.ply


def test_a_review_looks_at_every_ply_once() -> None:
    game = make("64", {"target": 10**6})
    counts = []
    for plies in (100, 200, 400):
        match = Match(game, moves=["add"] * plies)
        with patch.object(Match, "play", autospec=True, side_effect=Match.play) as played:
            review(match)
            won_positions(match, 1)
        counts.append(played.call_count)
    assert counts == [2 * 100, 2 * 200, 2 * 400]


def test_a_resignation_does_not_change_what_the_moves_were_worth() -> None:
    moves = ["double", "add", "double"]
    match = Match(make("double"), moves=moves)
    before = review(match).steps
    match.resign(2)
    assert [step.after for step in review(match).steps] == [step.after for step in before]
    assert review(match).outcome == match.outcome


def test_in_the_dark_only_more_than_a_slip_of_chance_is_given_away() -> None:
    choices = [Judged(name, Worth(win_probability=chance)) for name, chance in (("a", 0.5), ("b", 0.485), ("c", 0.47))]
    assert [gives_away(choices, choice) for choice in choices] == [False, False, True]
    assert SLIP == 0.02


def test_a_standing_says_that_it_rests_on_an_assumption_where_it_does_and_only_there() -> None:
    chance = {"winner": None, "plies": None, "chance": 0.25}
    assert Standing(Worth(win_probability=0.25)).as_data() == chance
    assert Standing(AssumedWorth(win_probability=0.25)).as_data() == {**chance, "assumed": True}
    match = Match(make("battle", {"bits": 3}), deal="110", moves=["toggle 3"] * 60)
    found = review(match)
    assert "assumed" not in found.steps[0].before.as_data()
    assert found.steps[-1].before.as_data()["assumed"] is True
