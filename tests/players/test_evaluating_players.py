"""Players that know: the perfect one is never beaten from a won position, and levels are ordered."""

from random import Random

import pytest

from bitduel.core.evaluation import LOSS, Evaluation, MoveEvaluation, best_choices
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import drive, player
from bitduel.players.evaluating_players import LEVELS, NamedLevelPlayer
from bitduel.players.spec import EASY, HARD, MEDIUM
from bitduel.solver.evaluators import evaluator_for


def play(kind: GameClass, names: tuple[str, str], rounds: int, **options: object) -> float:
    """The share of points that the first of two players wins, starting every other time."""
    game = kind(**options)
    rng = Random(1)
    seats = {seat: player(name, game, rng) for seat, name in zip((1, 2), names, strict=True)}
    points = 0.0
    for number in range(rounds):
        match = Match(game, 1 + number % 2, game.deal(rng))
        outcome = drive(match, seats)
        assert outcome
        points += {None: 0.5, 1: 1.0, 2: 0.0}[outcome.winner]
    return points / rounds


@pytest.mark.parametrize("kind", all_games())
def test_stronger_players_win_more(kind: GameClass) -> None:
    assert play(kind, ("perfect", "random"), 100) > 0.5
    assert play(kind, (HARD, EASY), 100) > 0.5
    assert play(kind, ("perfect", MEDIUM), 100) > 0.55


def test_named_levels_see_further_and_further() -> None:
    assert [LEVELS[name].foresight for name in (EASY, MEDIUM, HARD)] == [1, 2, 4]
    assert [LEVELS[name].depth for name in (EASY, MEDIUM, HARD)] == [2, 4, 8]


@pytest.mark.parametrize("name", ["64", "31", "double"])
def test_the_perfect_player_wins_every_won_start_against_random(name: str) -> None:
    game = make(name)
    lost = best_choices(evaluator_for(game).choices(Match(game).view(1)))[0].evaluation.value == LOSS
    rng = Random(3)
    perfect = player("perfect", game, rng)
    assert perfect
    for _ in range(50):
        match = Match(game)
        while match.to_move:
            mine = match.to_move == (2 if lost else 1)
            match.play(perfect.choose(match.view(match.to_move)) if mine else rng.choice(match.legal))
        assert match.outcome
        assert match.outcome.winner == (2 if lost else 1)


class Chances:
    """An evaluator of a game with hidden information that has chances of winning and no heuristic."""

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        chances = (0.5, 0.25, 0.0, None)
        return [
            MoveEvaluation(move, Evaluation(None, None, wins)) for move, wins in zip(view.legal, chances, strict=True)
        ]


def test_without_a_heuristic_a_level_goes_by_the_chances_of_winning_and_rules_no_move_out() -> None:
    game = make("battle", {"bits": 4})
    for name in LEVELS:
        level = NamedLevelPlayer(game, Random(1), name)
        level.evaluator = Chances()
        best, second, lost, unknown = level.policy(Match(game, deal="0110").view(1)).values()
        assert best > second > lost == unknown > 0


def test_level_0_is_random_and_level_1_takes_a_win() -> None:
    game = make("31")
    view = Match(game, moves=["16", "1"]).view(1)
    blind, seeing = (player(f"level:{n}", game, Random(1)) for n in (0, 1))
    assert blind
    assert seeing
    assert len({blind.choose(view) for _ in range(100)}) == 5
    assert {seeing.choose(view) for _ in range(20)} == {"16"}


def test_the_perfect_player_mixes_in_the_dark() -> None:
    game = make("battle")
    perfect = player("perfect", game, Random(1))
    assert perfect
    view = Match(game, deal="01101").view(1)
    openings = [perfect.choose(view) for _ in range(3000)]
    shares = evaluator_for(game).policy(view)
    for move, share in shares.items():
        assert openings.count(move) / 3000 == pytest.approx(share, abs=0.05)
    assert set(openings) == set(shares)
