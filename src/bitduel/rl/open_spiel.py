"""OpenSpiel games: `pyspiel.load_game("bitduel_NAME(OPTION=VALUE)")` once this module is imported.

Options are parameters, with _ for -. A text that looks like a number is written in quotes. One parameter more,
`horizon`, cuts matches short as draws after that many plies, for algorithms that walk through the whole tree.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from bitduel.core.errors import RequiredExtra

with RequiredExtra("open-spiel", "OpenSpiel"):
    import pyspiel

from bitduel.games.registry import GameClass, all_games
from bitduel.rl.observations import reward
from bitduel.rl.spiel_history import History, Observer, SharedRules

HORIZON = "horizon"
QUOTE = "'"

Params = Mapping[str, Any]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options as an OpenSpiel game."""

    kind: ClassVar[GameClass]
    """The game; each has a class of its own in this module, as OpenSpiel needs one that is never freed."""

    def __init__(self, params: Params | None = None) -> None:
        kind, params = self.kind, params or {}
        options = {name: value.strip(QUOTE) if isinstance(value, str) else value for name, value in params.items()}
        horizon = int(options.pop(HORIZON, 0))
        rules = self.rules = SharedRules(kind(**options), horizon)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.game.moves),
            max_chance_outcomes=len(rules.deals),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.horizon,
        )
        super().__init__(_type(kind, bool(rules.deals), rules.game.has_perfect_information), info, dict(params))

    def new_initial_state(self) -> "SpielState":
        """Return the start, before the deal if there is one."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1 in a game with a deal, otherwise 0."""
        return int(bool(self.rules.deals))

    def make_py_observer(self, iig_obs_type: Any = None, params: object = None) -> Observer | None:
        """Return an observer; None for one that sees both seats at once."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(self.rules, kind, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a match: a chance node before the deal, then player 0 is seat 1 and starts."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.match_history = History(game.rules)

    def current_player(self) -> int:
        """Return the player to move."""
        history = self.match_history
        if history.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if history.is_over else history.match.next_seat - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every deal and how likely it is."""
        return [(number, float(deal.probability)) for number, deal in enumerate(self.match_history.rules.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match_history.match
        action = self.match_history.rules.encoder.action
        return [action[move] for move in self.match_history.match.legal]

    def _apply_action(self, action: int) -> None:
        rules = self.match_history.rules
        is_dealt = self.match_history.match is not None
        self.match_history.play(rules.game.moves[action] if is_dealt else rules.deals[action].text)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.match_history.rules
        return f"deal {rules.deals[action].text}" if player == pyspiel.PlayerId.CHANCE else rules.game.moves[action]

    def is_terminal(self) -> bool:
        """Return whether the match is over, or cut short."""
        return self.match_history.is_over

    def returns(self) -> list[float]:
        """Return 1 and -1 for the winner and the loser, else 0."""
        outcome = self.match_history.match.outcome if self.match_history.match else None
        return [reward(outcome, 1), reward(outcome, 2)]

    def __str__(self) -> str:
        return str(self.match_history)


def spiel_name(kind: GameClass) -> str:
    """Return the name by which OpenSpiel knows a game."""
    return f"bitduel_{kind.slug.replace('-', '_')}"


def _type(kind: GameClass, is_dealt: bool, has_perfect_information: bool) -> Any:
    """Return OpenSpiel's description of a game with these options."""
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=spiel_name(kind),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if is_dealt else chance.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if has_perfect_information else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={**{o.name.replace("-", "_"): o.default for o in kind.declared_options}, HORIZON: 0},
    )


def register(kind: GameClass) -> None:
    """Register a game with OpenSpiel; built-in and installed ones are already."""
    default = kind()
    is_dealt = default.has_chance and default.fixed_deal is None
    name = spiel_name(kind)
    game_class = globals()[name] = type(name, (SpielGame,), {"kind": kind, "__module__": __name__})
    pyspiel.register_game(_type(kind, is_dealt, default.has_perfect_information), game_class)


for each in all_games():
    register(each)
