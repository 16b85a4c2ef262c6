"""Every game for OpenSpiel: `pyspiel.load_game("bitduel_NAME(OPTION=VALUE)")` once this module is imported.

Options are parameters, with _ for -. A text that looks like a number is written in quotes. One parameter more,
`horizon`, cuts matches short after so many plies, as draws: algorithms that walk through all there is need an end.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from bitduel.core.extras import extra

with extra("open-spiel", "OpenSpiel"):
    import pyspiel

from bitduel.core.options import Setting
from bitduel.games import Kind, shelf
from bitduel.rl.information_state import reward
from bitduel.rl.spiel_line import Line, SharedRules
from bitduel.rl.spiel_observer import Observer

HORIZON = "horizon"
QUOTE = "'"

Params = Mapping[str, Any]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours with its options, as OpenSpiel sees it."""

    kind: ClassVar[Kind]
    """Which game it is; each has a class of its own in this module, for OpenSpiel needs one that is never let go."""

    def __init__(self, params: Params | None = None) -> None:
        kind, params = self.kind, params or {}
        given = {name: _plain(value) for name, value in params.items() if name != HORIZON}
        self.table = SharedRules(kind(**given), int(params.get(HORIZON, 0)))
        table = self.table
        info = pyspiel.GameInfo(
            num_distinct_actions=len(table.game.moves),
            max_chance_outcomes=len(table.deals),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=table.horizon,
        )
        super().__init__(_type(kind, bool(table.deals), table.game.transparent), info, dict(params))

    def new_initial_state(self) -> "SpielState":
        """The start, before the deal if there is one."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """One, where something is dealt."""
        return int(bool(self.table.deals))

    def make_py_observer(self, iig_obs_type: Any = None, params: object = None) -> Observer | None:
        """Who sees what; None for a view into both hands at once."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(self.table, kind, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A moment of a match: a chance node before the deal, then player 0 is seat 1 and starts."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.line = Line(game.table)

    def current_player(self) -> int:
        """Whose turn it is."""
        line = self.line
        if line.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if line.over else line.match.next_seat - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Everything that can be dealt, and how likely it is."""
        return [(number, float(deal.probability)) for number, deal in enumerate(self.line.table.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.line.match
        action = self.line.table.sight.action
        return [action[move] for move in self.line.match.legal]

    def _apply_action(self, action: int) -> None:
        table = self.line.table
        if self.line.match is None:
            self.line.deal(table.deals[action].text)
        else:
            self.line.play(table.game.moves[action])

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.line.table
        return f"deal {table.deals[action].text}" if player == pyspiel.PlayerId.CHANCE else table.game.moves[action]

    def is_terminal(self) -> bool:
        """Whether the match is over, or cut short."""
        return self.line.over

    def returns(self) -> list[float]:
        """1 and -1 for who has won and lost, else 0."""
        outcome = self.line.match.outcome if self.line.match else None
        return [reward(outcome, 1), reward(outcome, 2)]

    def __str__(self) -> str:
        return str(self.line)


def spiel_name(kind: Kind) -> str:
    """The name by which OpenSpiel knows a game."""
    return f"bitduel_{kind.slug.replace('-', '_')}"


def _plain(value: object) -> object:
    return value.strip(QUOTE) if isinstance(value, str) else value


def _type(kind: Kind, dealt: bool, open_to_all: bool) -> Any:
    """What OpenSpiel wants to know of a game, with these options."""
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=spiel_name(kind),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if dealt else chance.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if open_to_all else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_parameters(kind),
    )


def _parameters(kind: Kind) -> dict[str, Setting]:
    declared = {option.name.replace("-", "_"): option.default for option in kind.declared}
    return {**declared, HORIZON: 0}


def register(kind: Kind) -> None:
    """Make a game known to OpenSpiel; those on the shelf are already."""
    usual = kind()
    dealt = usual.chance and usual.fixed_deal is None
    name = spiel_name(kind)
    made = globals()[name] = type(name, (SpielGame,), {"kind": kind, "__module__": __name__})
    pyspiel.register_game(_type(kind, dealt, usual.transparent), made)


for each in shelf():
    register(each)
