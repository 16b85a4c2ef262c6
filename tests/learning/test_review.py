from itertools import pairwise
from unittest.mock import patch

import pytest

from bitduel.core.evaluation import AssumedEvaluation, Evaluation, MoveEvaluation, best_choices
from bitduel.core.match import Match
from bitduel.core.outcomes import ABANDONED, AGREED_DRAW, CALLED_OFF, RESIGNATION, TIME, Outcome
from bitduel.core.phrases import percentage
from bitduel.games.registry import all_games, make
from bitduel.learning.review import (
    LUCK,
    MISTAKE,
    ChanceShift,
    MatchValue,
    Review,
    ReviewedMove,
    is_mistake,
    review,
    review_data,
    won_positions,
)
from bitduel.learning.review_text import (
    concession_lines,
    decisive_moment,
    evaluation_text,
    mistake_summary,
    praise_players,
    remarks,
)
from bitduel.solver.evaluators import evaluator_for
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


def test_a_mistake_is_explained_by_the_law_of_the_game_to_whoever_reads_it() -> None:
    found = review(Match(make("double"), moves=["double", "add", "double", "double", "add", "double"]), NAMES)
    assert found.steps[-1].why != ("", "")
    told = [remarks(found, NAMES, reader)[-1].why for reader in (1, 2, None)]
    fits = "From 14, doubling goes past 20. Adding 1 still fits 6 times (an even number), so"
    assert told == [
        f"{fits} your opponent makes the last addition",
        f"{fits} you make the last addition",
        f"For Alan: {fits} you make the last addition",
    ]
    assert [remark.why for remark in remarks(found, NAMES)[:-1]] == [""] * 5
    assert "why" not in review_data(found, "1")["steps"][-1]


def test_a_mistake_in_the_dark_is_explained_by_what_its_player_knew() -> None:
    game = make("battle", bits=3)
    lines = {
        tuple(
            remark.why
            for remark in remarks(review(Match(game, deal=deal, moves=["toggle 3", "toggle 3", "toggle 3"])), NAMES)
        )
        for deal in ("110", "111")
    }
    assert len(lines) == 1
    assert next(iter(lines))[-1] == "Bit 2 makes 011, one of 6 possible numbers"


@pytest.mark.parametrize(
    ("name", "moves", "said"),
    [
        (
            "double",
            ["double", "add", "double", "double", "double"],
            "Alan was winning from the start. With the best defence it could have lasted until move 14; it ended with "
            "move 5.",
        ),
        ("double", ["double", "add", "double", "double", "add", "double"], "Move 6 decided the match."),
        (
            "double",
            ["double", "double", "add", "double", "double"],
            "Move 2 decided the match. With the best defence it could have lasted until move 13; it ended with move 5.",
        ),
        ("31", ["16", "1", "16"], "Ada was winning from the start. Alan then held out as long as possible."),
        ("bits", ["flip 2", "flip 2"], ""),
    ],
)
def test_a_review_says_which_move_decided_a_match_and_how_long_it_could_have_lasted(
    name: str, moves: list[str], said: str
) -> None:
    assert decisive_moment(review(Match(make(name), moves=moves)), NAMES) == said


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
    assert "toggles away from the secret" in known[0].hindsight
    assert known[-1].hindsight.startswith("Ada hit the secret, and Alan was ")
    assert evaluation_text(known[-1].after, ("Ada", "Alan"), is_over=True) == "Ada has won"
    assert review(Match(game, deal="111", moves=moves[:2])).steps[0].hindsight == ""


def test_what_a_chance_gains_without_anybodys_doing_is_luck() -> None:
    game = make("battle", {"bits": 3})
    hit = review(Match(game, deal="100", moves=["toggle 1"]))
    worth = max(c.evaluation.win_probability or 0 for c in evaluator_for(game).choices(Match(game, deal="100").view(1)))
    assert hit.steps[0].luck == pytest.approx(ChanceShift(worth, 1.0, ended=True))
    assert (
        remarks(hit, NAMES)[0].luck
        == f"lucky: the chance of winning with this move was {percentage(worth)}, and it won"
    )
    for deal in ("101", "011"):
        steps = review(Match(game, deal=deal, moves=["toggle 1", "toggle 3", "toggle 2", "toggle 2"])).steps
        for seat in (1, 2):
            first, second = (step for step in steps if step.seat == seat)
            expected, found = first.after.chance_of(seat), second.before.chance_of(seat)
            assert first.luck is None
            assert expected is not None
            assert found is not None
            assert second.luck == (ChanceShift(expected, found, False) if abs(found - expected) > LUCK else second.luck)


def test_luck_is_told_to_whom_it_concerns() -> None:
    lucky, unlucky = ChanceShift(0.25, 0.5, False), ChanceShift(0.5, 0.25, False)
    step = ReviewedMove(2, 1, "toggle 1", standing(chance=0.5), standing(chance=0.5), (), False, "", lucky)
    found = Review(standing(chance=0.5), (step, step._replace(seat=2, luck=unlucky), step._replace(luck=None)), None)
    assert [each.luck for each in remarks(found, NAMES, reader=1)] == [
        "lucky: what you learned since the last move changed your chance of winning from 25% to 50%",
        "unlucky: what Alan learned since the last move changed Alan's chance of winning from 50% to 25%",
        "",
    ]


@pytest.mark.parametrize(("found", "said"), [(1.0, "lucky"), (0.0, "unlucky"), (0.5, "unlucky")])
def test_a_move_that_ended_the_match_says_what_it_really_did(found: float, said: str) -> None:
    luck = ChanceShift(0.8, found, ended=True)
    step = ReviewedMove(2, 1, "toggle 1", standing(chance=0.8), standing(chance=found), (), False, "", luck)
    did = {1.0: "it won", 0.0: "it lost", 0.5: "the match was drawn"}[found]
    expected = f"{said}: the chance of winning with this move was 80%, and {did}"
    assert remarks(Review(standing(chance=0.8), (step,), None), NAMES)[0].luck == expected


def test_what_a_move_gave_away_is_no_luck_of_the_other_where_both_see_it() -> None:
    game = make("battle", {"bits": 3, "table": "open"})
    moves = ["toggle 3", "toggle 1", "toggle 2", "toggle 1", "toggle 2", "toggle 2"]
    steps = review(Match(game, deal="010", moves=moves)).steps
    blunder, winner = steps[4:]
    assert blunder.turning
    assert (steps[3].after.chance_of(2), winner.before.chance_of(2)) == (0.0, 1.0)
    assert winner.luck is None
    for before, step in pairwise(steps):
        expected, found = before.after.chance_of(step.seat), step.before.chance_of(step.seat)
        assert expected is not None
        assert found is not None
        assert step.luck == (ChanceShift(expected, found, False, True) if abs(found - expected) > LUCK else None)
    told = remarks(review(Match(game, deal="010", moves=moves)), NAMES)[2].luck
    assert (
        told == "lucky: what both players learned since the last move changed Ada's chance of winning from 67% to 100%"
    )


def test_there_is_no_luck_where_all_is_open() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    assert not any(step.luck for step in review(match).steps)


def test_the_last_chance_is_yours_where_you_are_known() -> None:
    found = review(Match(make("double"), moves=["double", "add", "double", "double", "add", "double"]))
    assert remarks(found, NAMES)[-1].better == "Alan could still have won here with add. It was the last chance"
    assert (
        remarks(found, NAMES, reader=2)[-1].better == "You could still have won here with add. It was your last chance"
    )
    assert (
        remarks(found, NAMES, reader=1)[-1].better == "Alan could still have won here with add. It was the last chance"
    )


def test_a_chance_that_comes_again_is_not_the_last() -> None:
    found = review(Match(make("31"), moves=["2", "4", "8", "1", "16", "1", "16"]))
    mistakes = [step.ply for step in found.steps if step.turning and step.seat == 1]
    assert mistakes
    assert not any("last chance" in each.better for each in remarks(found, NAMES)[:4:2])


@pytest.mark.parametrize(
    ("outcome", "is_last"),
    [(Outcome(2, RESIGNATION), False), (Outcome(1, RESIGNATION), True), (Outcome(None, AGREED_DRAW), True)],
)
def test_a_chance_is_not_the_last_of_who_wins_in_the_end(outcome: Outcome, is_last: bool) -> None:
    match = Match(make("double"), moves=["double", "double"])
    assert review(match).steps[1].turning
    match.conclude(outcome)
    assert ("last chance" in remarks(review(match), NAMES)[1].better) == is_last


@pytest.mark.parametrize(("winner", "is_last"), [(2, False), (None, False), (1, True)])
def test_a_draw_that_was_given_away_and_then_reached_was_not_the_last_chance(winner: int | None, is_last: bool) -> None:
    match = Match(make("bits", {"bits": 2}), moves=["flip 2", "flip 1"])
    mistake = review(match).steps[1]
    assert mistake.turning
    assert mistake.before.winner is None
    match.conclude(Outcome(winner, RESIGNATION if winner else AGREED_DRAW))
    assert ("last chance" in remarks(review(match), NAMES)[1].better) == is_last


def test_a_draw_that_is_given_away_twice_was_not_lost_for_good_the_first_time() -> None:
    match = Match(
        make("bits", {"bits": 3}), moves=["flip 2", "flip 3", "flip 1", "flip 2", "reset 2", "flip 2", "flip 3"]
    )
    found = review(match)
    drawn = [step for step in found.steps if step.turning and step.seat == 2]
    assert [step.before.winner for step in drawn] == [None, None]
    told = [remarks(found, NAMES)[step.ply].better for step in drawn]
    assert ["last chance" in better for better in told] == [False, True]


def test_a_draw_given_away_that_never_came_back_was_the_last_chance() -> None:
    match = Match(make("bits", {"bits": 2}), moves=["flip 2", "flip 1"])
    while match.to_move:
        match.play(
            next(choice.move for choice in best_choices(evaluator_for(match.game).choices(match.view(match.to_move))))
        )
    found = review(match)
    (given,) = [step for step in found.steps if step.turning]
    assert given.before.winner is None
    assert "last chance" in remarks(found, NAMES)[given.ply].better


def test_the_lean_orders_standings_from_seat_to_seat() -> None:
    order = [standing(1, 0), standing(1, 9), standing(), standing(2, 9), standing(2, 0)]
    leans = [each.lead for each in order]
    assert leans == sorted(leans, reverse=True)
    assert leans[0] == 1
    assert leans[-1] == -1


def test_how_often_a_won_position_was_kept() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    assert won_positions(match, 2) == (2, 3)
    assert won_positions(match, 1) == (0, 0)
    assert won_positions(Match(make("battle"), deal="00000"), 1) is None


def test_every_game_can_be_reviewed() -> None:
    for kind in all_games():
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
    looks = 3  # for the review, for the won positions, and where a move was a mistake for the better one
    assert counts == [looks * 100, looks * 200, looks * 400]


def test_a_resignation_does_not_change_what_the_moves_were_worth() -> None:
    moves = ["double", "add", "double"]
    match = Match(make("double"), moves=moves)
    before = review(match).steps
    match.resign(2)
    assert [step.after for step in review(match).steps] == [step.after for step in before]
    assert review(match).outcome == match.outcome


@pytest.mark.parametrize(
    ("game", "moves", "outcome", "seats", "said"),
    [
        ("double", ["double"], Outcome(1, RESIGNATION), [2], "Alan could still have won here. It was the last chance."),
        (
            "double",
            ["double", "add"],
            Outcome(1, RESIGNATION),
            [2],
            "Alan could still have won here. It was the last chance.",
        ),
        ("double", ["double"], Outcome(1, TIME), [2], "Alan could still have won here. It was the last chance."),
        ("double", [], Outcome(1, ABANDONED), [2], "Alan could still have won here. It was the last chance."),
        ("double", ["double"], Outcome(2, RESIGNATION), [], ""),
        (
            "double",
            ["double"],
            Outcome(None, AGREED_DRAW),
            [2],
            "Alan could still have won here. It was the last chance.",
        ),
        ("double", ["double"], Outcome(None, ABANDONED), [], ""),
        ("double", ["double"], Outcome(None, CALLED_OFF), [], ""),
        ("bits", ["flip 2"], Outcome(1, RESIGNATION), [2], "Alan could still have drawn here. It was the last chance."),
        ("bits", ["flip 2"], Outcome(2, RESIGNATION), [1], "Ada could still have drawn here. It was the last chance."),
        ("bits", ["flip 2"], Outcome(None, AGREED_DRAW), [], ""),
    ],
)
def test_who_ends_a_match_with_less_than_there_was_has_made_a_mistake(
    game: str, moves: list[str], outcome: Outcome, seats: list[int], said: str
) -> None:
    match = Match(make(game), moves=moves)
    match.conclude(outcome)
    found = review(match)
    assert [each.seat for each in found.concessions] == seats
    assert concession_lines(found, NAMES)[1:] == ([said] if said else [])
    assert (
        mistake_summary(found, NAMES)[1:]
        == [f"Mistakes: {seats.count(1)} by Ada, {seats.count(2)} by Alan."][: len(seats)]
    )
    assert bool(praise_players(found, NAMES)) != bool(seats)
    won = won_positions(match, 2)
    assert won is not None
    assert won.met - won.held == (seats == [2] and game == "double")
    assert review_data(found, "k7m")["concessions"] == [
        {"seat": each.seat, "before": each.before.as_data()} for each in found.concessions
    ]


@pytest.mark.parametrize("table", ["hidden", "open"])
def test_resigning_gives_away_the_chance_that_its_player_knew_of(table: str) -> None:
    game = make("battle", {"bits": 4, "table": table})
    for seat in (1, 2):
        match = Match(game, deal="0110", moves=["toggle 1", "toggle 1"])
        steps = review(match).steps
        now = max(c.evaluation.win_probability or 0 for c in evaluator_for(game).choices(match.view(1)))
        match.resign(seat)
        (given,) = review(match).concessions
        knew = steps[1].after.chance_of(2) if table == "hidden" else 1 - now
        assert given.before.chance_of(seat) == pytest.approx(now if seat == 1 else knew)
        assert concession_lines(review(match), NAMES, reader=seat)[1].startswith("Your chance of winning was still ")


def test_a_win_that_was_there_again_when_its_player_resigned_was_not_lost_for_good() -> None:
    match = Match(make("31"), moves=["2", "4", "8", "1"])
    mistakes = [step.ply for step in review(match).steps if step.turning and step.seat == 1]
    assert mistakes
    assert review(match).steps[-1].after.winner == 1
    match.resign(1)
    assert not [each for each in remarks(review(match), NAMES)[::2] if "last chance" in each.better]


def test_whoever_shortens_a_lost_game_is_told_and_not_praised() -> None:
    quick = Match(make("double"), moves=["double", "add", "double", "double", "add", "add", "double"])
    found = review(quick)
    assert not any(step.turning for step in found.steps)
    assert [step.ply for step in found.steps if step.longer] == [2, 6]
    assert remarks(found, NAMES)[6].longer == "add would have lasted longer: Alan then wins in 3 moves"
    assert praise_players(found, NAMES) == (
        "Well played, Alan. Alan was winning from the start and made no mistake. Ada could have lasted longer."
    )
    long = Match(make("double"))
    while long.to_move:
        mixture = evaluator_for(long.game).policy(long.view(long.to_move))
        long.play(max(mixture, key=lambda move: mixture[move]))
    assert not any(step.longer for step in review(long).steps)
    assert (
        praise_players(review(long), NAMES)
        == "Well played, both of you. Alan was winning from the start and made no mistake."
    )


def test_whoever_resigns_a_lost_game_is_not_praised_and_made_no_mistake() -> None:
    match = Match(make("double"), moves=["double", "add"])
    match.resign(1)
    assert praise_players(review(match), NAMES).endswith("Ada could have lasted longer.")
    assert mistake_summary(review(match), NAMES) == ["No turning points."]


def test_whoever_never_moved_is_not_praised() -> None:
    lucky = review(Match(make("battle", {"bits": 3}), deal="100", moves=["toggle 1"]))
    assert praise_players(lucky, NAMES) == "Nobody made a mistake."
    quick = review(Match(make("31", {"length": 8}), moves=["8"]))
    assert praise_players(quick, NAMES) == "Well played, Ada. Ada was winning from the start and made no mistake."


def test_a_match_that_was_called_off_was_kept_by_nobody() -> None:
    match = Match(make("double"), moves=["double"])
    match.conclude(Outcome(None, CALLED_OFF))
    assert praise_players(review(match), NAMES) == "Nobody made a mistake. Alan was winning from the start."


def test_in_the_dark_only_more_than_a_slip_of_chance_is_given_away() -> None:
    choices = [
        MoveEvaluation(name, Evaluation(win_probability=chance))
        for name, chance in (("a", 0.5), ("b", 0.485), ("c", 0.47))
    ]
    assert [is_mistake(choices, choice) for choice in choices] == [False, False, True]
    assert MISTAKE == 0.02


def test_a_standing_says_that_it_rests_on_an_assumption_where_it_does_and_only_there() -> None:
    chance = {"winner": None, "plies": None, "chance": 0.25}
    assert MatchValue(Evaluation(win_probability=0.25)).as_data() == chance
    assert MatchValue(AssumedEvaluation(win_probability=0.25)).as_data() == {**chance, "assumed": True}
    match = Match(make("battle", {"bits": 3}), deal="110", moves=["toggle 3"] * 60)
    found = review(match)
    assert "assumed" not in found.steps[0].before.as_data()
    assert found.steps[-1].before.as_data()["assumed"] is True
