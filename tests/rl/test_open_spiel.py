"""The games as OpenSpiel has them: its simulations and API tests, what is hidden, and its algorithms on our numbers."""

import pickle
import sys
import unittest
from random import Random
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from bitduel import solve
from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import DRAW
from bitduel.core.match import Match
from bitduel.games.registry import GameClass, all_games, make
from helpers import all_readings
from sixth_game.little_nim import LittleNim

pyspiel: Any = pytest.importorskip("pyspiel", reason="the extra open-spiel is not installed")
from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import exploitability, mcts, minimax  # noqa: E402

from bitduel.rl.open_spiel import SpielGame, SpielState, register, spiel_name  # noqa: E402
from bitduel.rl.spiel_algorithms import PlayerPolicy, PolicyError, tree  # noqa: E402
from bitduel.rl.spiel_history import longest_match  # noqa: E402

if spiel_name(LittleNim) not in pyspiel.registered_names():
    register(LittleNim)

KINDS: list[GameClass] = [*all_games(), LittleNim]
SMALL: dict[str, tuple[str, dict[str, object]]] = {
    "bitduel_double_or_nothing(target=9)": ("double", {"target": 9}),
    "bitduel_binary_race_64(target=12)": ("64", {"target": 12}),
    "bitduel_binary_race_31(length=5)": ("31", {"length": 5}),
    "bitduel_binary_race_bits(bits=2)": ("bits", {"bits": 2}),
    "bitduel_binary_race_bits(bits=3,first_move=flip,repetition=0,horizon=16)": (
        "bits",
        {"bits": 3, "first-move": "flip", "repetition": 0},
    ),
}
DARK = "bitduel_binary_battle(bits=2,horizon=6)"


def loaded(kind: GameClass, options: dict[str, object] | None = None) -> SpielGame:
    given = {name.replace("-", "_"): value for name, value in (options or {}).items()}
    game: SpielGame = pyspiel.load_game(spiel_name(kind), given)
    return game


def spiel_tests(game: SpielGame, whole: bool) -> unittest.TestResult:
    """OpenSpiel's own API tests, on a sample of states or on all."""
    from open_spiel.integration_tests import api_test

    base = api_test.EnforceAPIOnFullTreeBase if whole else api_test.EnforceAPIOnPartialTreeBase
    case = type("Ours", (base,), {"game": game, "game_name": str(game)})
    names = unittest.TestLoader().getTestCaseNames(case)
    # Two of them compare with numbers that are written down for OpenSpiel's games alone.
    suite = unittest.TestSuite(case(name) for name in names if name not in KNOWN_NUMBERS)
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun > 4
    return result


KNOWN_NUMBERS = ("test_number_of_nodes", "test_game_is_perfect_recall")


@pytest.mark.parametrize(("kind", "options"), [*all_readings(), (LittleNim, {})], ids=str)
def test_openspiels_simulations_run_with_serialisation(kind: GameClass, options: dict[str, object]) -> None:
    pyspiel.random_sim_test(loaded(kind, options), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_openspiels_api_tests_pass_on_every_game(kind: GameClass) -> None:
    result = spiel_tests(loaded(kind), whole=False)
    assert result.wasSuccessful(), [*result.failures, *result.errors]


@pytest.mark.parametrize("name", [DARK, "bitduel_binary_battle(bits=2,table=open,horizon=5)", *list(SMALL)[:4]])
def test_openspiels_api_tests_pass_on_whole_trees_and_nobody_forgets(name: str) -> None:
    from open_spiel.integration_tests import api_test

    game = pyspiel.load_game(name)
    result = spiel_tests(game, whole=True)
    assert result.wasSuccessful(), [*result.failures, *result.errors]
    assert api_test._assert_is_perfect_recall(game)


def test_games_and_states_pickle_and_clone() -> None:
    game = pyspiel.load_game("bitduel_binary_battle(bits=2,secret='01',table=open)")
    state = game.new_initial_state()
    state.apply_action(0)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state) == str(state.clone())
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    child = state.child(1)
    assert child.history() == [0, 1]
    assert state.history() == [0]


def test_options_are_parameters_and_wrong_ones_are_said_so() -> None:
    game = pyspiel.load_game("bitduel_binary_race_bits(bits=3,first_move=empty,repetition=0)")
    assert game.rules.game == make("bits", bits=3, first_move="empty", repetition=0)
    with pytest.raises(BitduelError, match="first-move must be turn, game, flip or empty"):
        pyspiel.load_game("bitduel_binary_race_bits(first_move=never)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'colour'"):
        pyspiel.load_game("bitduel_double_or_nothing(colour=3)")
    with pytest.raises(BitduelError, match="There are too many deals to list"):
        pyspiel.load_game("bitduel_binary_battle(bits=31)")
    with pytest.raises(BitduelError, match="horizon must be a number of plies"):
        pyspiel.load_game("bitduel_binary_battle(horizon=-1)")


def test_a_deal_is_a_chance_node_unless_an_option_chose_it() -> None:
    state = pyspiel.load_game("bitduel_binary_battle(bits=2)").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(number, 0.25) for number in range(4)]
    assert [state.action_to_string(-1, number) for number in (0, 1, 3)] == ["deal 00", "deal 01", "deal 11"]
    chosen = pyspiel.load_game("bitduel_binary_battle(bits=2,secret='10')")
    assert chosen.new_initial_state().current_player() == 0
    assert chosen.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert chosen.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    race = pyspiel.load_game("bitduel_double_or_nothing")
    assert race.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION


def states(game: SpielGame) -> list[SpielState]:
    """Every state of a small game that is not a chance node."""
    queue = [game.new_initial_state()]
    met = {str(queue[0])}
    for state in queue:
        for child in map(state.child, state.legal_actions()):
            if str(child) not in met:
                met.add(str(child))
                queue.append(child)
    return [state for state in queue if not state.is_chance_node()]


def test_a_player_is_told_exactly_what_the_rules_tell() -> None:
    """Whatever is hidden: the same sights and moves of one's own give the same words and tensors, and others do not."""
    told: dict[Any, Any] = {}
    for state in states(pyspiel.load_game("bitduel_binary_battle(bits=2,horizon=4)")):
        match = state.match_history.match
        assert match
        if match.outcome:
            continue
        for seat in (1, 2):
            known = seat, tuple(at.view(seat).board for at in match.walk()), match.view(seat).history
            words = state.information_state_string(seat - 1), state.observation_string(seat - 1)
            tensors = tuple(state.information_state_tensor(seat - 1)), tuple(state.observation_tensor(seat - 1))
            assert told.setdefault(known, (words, tensors)) == (words, tensors)
    strings = {words[0] for words, _ in told.values()}
    written = {tensors[0] for _, tensors in told.values()}
    assert len(strings) == len(written) == len(told) > 20


def test_the_hidden_moves_of_the_other_stay_hidden() -> None:
    state = pyspiel.load_game("bitduel_binary_battle(bits=3,secret='110')").new_initial_state()
    for action in (2, 1):
        state.apply_action(action)
    assert state.information_state_string(0) == "player 0: 1/1/0/0/7, toggle 3 1/1/1/2/7, ? 1/2/1/2/7"
    assert state.information_state_string(1) == "player 1: 2/1/0/0/7, ? 2/1/0/0/7, toggle 2 2/2/2/3/7"
    assert state.observation_string(0) == "player 0: order=1 turn=2 number=1 low=2 high=7"


def test_observations_have_named_parts_within_0_and_1() -> None:
    game = pyspiel.load_game("bitduel_binary_race_31")
    state = game.new_initial_state()
    state.apply_action(4)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    assert list(observer.dict) == ["player", "ply", "features", "moves"]
    assert observer.dict["player"].tolist() == [0, 1]
    assert observer.dict["moves"][0].tolist() == [0, 0, 0, 0, 1, 0]
    assert observer.tensor.min() >= 0
    assert observer.tensor.max() <= 1
    everything = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    assert game.make_py_observer(everything) is None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"colour": "red"})


def test_a_match_is_cut_short_as_a_draw_at_the_horizon() -> None:
    state = pyspiel.load_game("bitduel_binary_battle(bits=4,horizon=3)").new_initial_state()
    for action in (15, 0, 0, 0):
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_repetition_ends_a_match_and_tells_states_apart() -> None:
    game = pyspiel.load_game("bitduel_binary_race_bits(bits=3)")
    match = next(match for seed in range(2000) if (match := _random_match(seed)).outcome and _repeats(match))
    state = game.new_initial_state()
    for move in match.moves:
        assert not state.is_terminal()
        state.apply_action(game.rules.game.moves.index(move))
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def _random_match(seed: int) -> Match:
    rng, match = Random(seed), Match(make("bits", bits=3))
    while match.legal:
        match.play(rng.choice(match.legal))
    return match


def _repeats(match: Match) -> bool:
    return match.outcome is not None and match.outcome.reason == "repetition"


def test_no_match_is_longer_than_the_longest() -> None:
    assert longest_match(make("double", target=20)) == 19
    assert longest_match(make("64")) == 32
    assert longest_match(make("battle")) is None
    assert longest_match(make("battle", bits=1)) == 3, "where something is dealt too"
    assert longest_match(make("battle", bits=1, secret="1")) == 1
    assert pyspiel.load_game("bitduel_binary_battle(bits=1)").max_game_length() == 3
    assert longest_match(make("bits", bits=3, repetition=0)) is None
    assert longest_match(make("double", target=10**9)) is None
    most = longest_match(make("bits", bits=3))
    assert most
    assert max(_random_match(seed).ply for seed in range(200)) <= most


def value_iteration(game: SpielGame, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """OpenSpiel's value iteration; the package that it also imports is only for moves at the same time."""
    monkeypatch.setitem(sys.modules, "cvxpy", MagicMock())
    from open_spiel.python.algorithms import value_iteration

    values: dict[str, float] = value_iteration.value_iteration(game, -1, 1e-3, cyclic_game=True)
    return values


@pytest.mark.parametrize("name", SMALL)
def test_value_iteration_and_minimax_find_our_values_everywhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = pyspiel.load_game(name)
    short, options = SMALL[name]
    assert game.rules.game == make(short, options)
    values = value_iteration(game, monkeypatch)
    found = {str(state): state for state in states(game)}
    assert set(values) == set(found)
    for text, state in found.items():
        match = state.match_history.match
        assert match
        worth = solve(match)
        far = worth.plies is None or worth.plies > game.max_game_length() - match.ply
        sign = 0 if far else (worth.value or DRAW).sign
        assert values[text] == (sign if match.next_seat == 1 else -sign)
    assert minimax.alpha_beta_search(game)[0] == values[str(game.new_initial_state())]


@pytest.mark.parametrize(("bits", "horizon"), [(1, 3), (2, 6), (2, 9), (3, 12)])
def test_no_reply_gains_on_our_equilibrium_and_its_value_is_ours(bits: int, horizon: int) -> None:
    game = pyspiel.load_game(f"bitduel_binary_battle(bits={bits},horizon={horizon})")
    policy = PlayerPolicy(game)
    chance = solve(make("battle", bits=bits)).win_probability
    assert chance
    for player, sign in ((0, 1), (1, -1)):
        found = exploitability.best_response(game, policy, player)
        assert found["on_policy_value"] == pytest.approx(sign * (2 * chance - 1), abs=1e-9)
        assert found["best_response_value"] == pytest.approx(sign * (2 * chance - 1), abs=1e-9)
    assert exploitability.nash_conv(game, policy) == pytest.approx(0, abs=1e-9)


def test_a_weak_player_is_exploited_and_one_without_chances_cannot_be_a_policy() -> None:
    game = pyspiel.load_game(DARK)
    assert exploitability.nash_conv(game, PlayerPolicy(game, "random")) > 0.5
    with pytest.raises(PolicyError, match="has no move probabilities"):
        PlayerPolicy(game, lambda view: view.legal[0])


def test_a_tree_is_the_same_game() -> None:
    for name in (DARK, "bitduel_double_or_nothing(target=9)"):
        game = pyspiel.load_game(name)
        written = tree(game)
        rng = Random(1)
        for _ in range(50):
            one, two = game.new_initial_state(), written.new_initial_state()
            while not one.is_terminal():
                assert one.current_player() == two.current_player()
                at = rng.randrange(len(one.legal_actions()))
                one.apply_action(one.legal_actions()[at])
                two.apply_action(two.legal_actions()[at])
            assert two.is_terminal()
            assert one.returns() == two.returns()
    by_tree = pyspiel.expected_returns(written.new_initial_state(), pyspiel.UniformRandomPolicy(written), -1, True)
    policy = PlayerPolicy(game, "random")
    assert by_tree[0] == pytest.approx(exploitability.best_response(game, policy, 0)["on_policy_value"])


def test_tree_search_runs_and_finds_the_winning_move() -> None:
    game = pyspiel.load_game("bitduel_binary_race_31(length=16)")
    rng = np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(2, rng)
    bot = mcts.MCTSBot(game, 2, 100, evaluator, solve=True, random_state=rng)
    state = game.new_initial_state()
    assert game.rules.game.moves[bot.step(state)] == "16"


def test_openspiels_environment_for_learners_runs() -> None:
    environment = rl_environment.Environment(pyspiel.load_game("bitduel_binary_battle(bits=3,horizon=40)"))
    environment.seed(1)
    moment = environment.reset()
    rng = Random(1)
    while not moment.last():
        player = moment.observations["current_player"]
        moment = environment.step([rng.choice(moment.observations["legal_actions"][player])])
    assert sum(moment.rewards) == 0
