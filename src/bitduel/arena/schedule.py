"""What is to be played: every two players, every game, every round, both ways round, with the same deals for all."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, OptionError, UnknownOptionError, shown
from bitduel.core.game import Game
from bitduel.core.options import Setting
from bitduel.core.view import View
from bitduel.games import find, shelf
from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.llm.service import find_service
from bitduel.players.spec import KINDS, LLM, Spec, parse

Function = Callable[[View], str]
Entry = str | Spec | tuple[str, Function]
"""How a player is given: as one writes it, or a Python function from view to move and what to call it."""

ALL = "all"
MOST_GAMES = 100_000_000
MOST_SEED = 2**63 - 1
MAX_PLIES = 400
"""A game that takes longer is abandoned, unless said otherwise; usual ones are over long before."""
MOST_PLIES = 1_000_000


class PlanError(BitduelError):
    """Something that cannot be played."""


class Contender(NamedTuple):
    """A player by the name that stands in the rows, and how to have it."""

    name: str
    who: Spec | Function

    @property
    def built_in(self) -> bool:
        """Whether it is one of this house, so that its moves take no time worth mentioning."""
        return isinstance(self.who, Spec) and KINDS[self.who.kind].safe


class ScheduledGame(NamedTuple):
    """One game that is to be played; the number counts from 1 in the plan's order."""

    number: int
    game: int
    one: int
    two: int
    round: int
    swapped: bool

    @property
    def seats(self) -> tuple[int, int]:
        """Who sits on seat 1 and who on seat 2."""
        return (self.two, self.one) if self.swapped else (self.one, self.two)


class Schedule:
    """Everything that a run plays, the same for the same arguments: a value."""

    def __init__(
        self,
        players: Sequence[Contender],
        games: Sequence[Game[Any]],
        rounds: int = 1,
        seed: int = 0,
        terms: PlayerLimits = USUAL,
        max_plies: int = MAX_PLIES,
        trust_bots: bool = False,
    ) -> None:
        self.players = tuple(players)
        self.games = tuple(games)
        self.rounds = rounds
        self.seed = seed
        self.terms = terms
        self.max_plies = max_plies
        self.trust_bots = trust_bots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schedule) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Schedule, self._parts

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.players, self.games, self.rounds, self.seed, self.terms, self.max_plies, self.trust_bots

    def with_terms(self, terms: PlayerLimits) -> "Schedule":
        """The same games on other terms."""
        return Schedule(self.players, self.games, self.rounds, self.seed, terms, self.max_plies, self.trust_bots)

    @property
    def _key(self) -> tuple[Any, ...]:
        """The parts, where a budget with its account on disk is a value: every worker has its own copy of it."""
        budget = self.terms.llm.budget
        account = (budget.most, budget.ledger) if budget and budget.ledger else budget
        terms = self.terms._replace(llm=self.terms.llm._replace(budget=None))
        return *self.with_terms(terms)._parts, account

    def __len__(self) -> int:
        return self.rounds * len(self.games) * len(self.pairs) * 2

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two players."""
        return list(combinations(range(len(self.players)), 2))

    def pairing(self, number: int) -> ScheduledGame:
        """The game with this number; each round is played in whole before the next."""
        rest, swapped = divmod(number - 1, 2)
        rest, pair = divmod(rest, len(self.pairs))
        round_, game = divmod(rest, len(self.games))
        return ScheduledGame(number, game, *self.pairs[pair], round_ + 1, bool(swapped))

    def id_of(self, pairing: ScheduledGame) -> str:
        """What a game is called: its name and its number."""
        return f"{self.games[pairing.game].short}-{pairing.number}"

    def number_of(self, game_id: str) -> int | None:
        """The number of a game of this plan, None for any other text."""
        digits = game_id.rpartition("-")[2]
        if not (digits.isascii() and digits.isdigit() and len(digits) < 12 and 1 <= int(digits) <= len(self)):
            return None
        return int(digits) if self.id_of(self.pairing(int(digits))) == game_id else None

    def as_data(self) -> dict[str, Any]:
        """What was asked, as JSON-ready data; who goes on may have more to spend."""
        models = any(isinstance(player.who, Spec) and player.who.kind == LLM for player in self.players)
        talk = {name: value for name, value in self.terms.llm.settings().items() if name != "budget"}
        return {
            "players": [player.name for player in self.players],
            "games": [{"game": game.slug, "options": dict(game.options)} for game in self.games],
            "rounds": self.rounds,
            "seed": self.seed,
            "seconds": self.terms.seconds,
            "max_plies": self.max_plies,
            "trust_bots": self.trust_bots,
            "llm": talk if models else None,
        }


def make_plan(
    players: Iterable[Entry],
    games: str | Iterable[str | Game[Any]] = ALL,
    settings: Mapping[str, object] | None = None,
    rounds: int = 1,
    seed: int = 0,
    terms: PlayerLimits = USUAL,
    max_plies: int = MAX_PLIES,
    trust_bots: bool = False,
) -> Schedule:
    """The plan that is meant; raises with one sentence what cannot be played."""
    contenders = [contender(entry) for entry in players]
    if len(contenders) < 2:
        raise PlanError("An arena takes at least two players.")
    _all_different([each.name for each in contenders], "player")
    chosen = list(_games(games, settings or {}))
    if not chosen:
        raise PlanError("An arena takes at least one game.")
    _all_different([f"{game.short} {json.dumps(game.options)}" for game in chosen], "game")
    _whole("rounds", rounds, 1, MOST_GAMES)
    _whole("seed", seed, 0, MOST_SEED)
    _whole("max_plies", max_plies, 1, MOST_PLIES)
    if not terms.seconds > 0:
        raise PlanError(f"The time for a move must be more than 0 seconds, not {terms.seconds}.")
    if any(isinstance(each.who, Spec) and each.who.kind == LLM for each in contenders):
        # The address from wherever it came: who goes on later, or plays elsewhere, must ask the same service.
        terms = terms._replace(llm=terms.llm._replace(url=find_service(terms.llm.url).address))
    plan = Schedule(contenders, chosen, rounds, seed, terms, max_plies, trust_bots)
    if len(plan) > MOST_GAMES:
        raise PlanError(f"That would be {len(plan):,} games; an arena plays at most {MOST_GAMES:,}.")
    return plan


def contender(entry: Entry) -> Contender:
    """The player that is meant."""
    if isinstance(entry, str | Spec):
        spec = parse(entry) if isinstance(entry, str) else entry
        if spec.is_human:
            raise PlanError("A human cannot play in the arena; every player must be a program.")
        return Contender(str(spec), spec)
    name, function = entry if isinstance(entry, tuple) and len(entry) == 2 else ("", None)
    if not (isinstance(name, str) and name and name.isprintable() and callable(function)):
        raise PlanError(f"A player is a name, or a name and a function from view to move, not {shown(repr(entry))}.")
    return Contender(name, function)


def _games(games: str | Iterable[str | Game[Any]], settings: Mapping[str, object]) -> Iterable[Game[Any]]:
    """The games with the options of each; an option must fit at least one of them."""
    if isinstance(games, str):
        wanted: list[str | Game[Any]] = [*(kind.slug for kind in shelf())] if games == ALL else [*games.split(",")]
    else:
        wanted = list(games)
    kinds = [find(each) if isinstance(each, str) else each for each in wanted]
    known = {option.name for kind in kinds for option in kind.declared}
    fresh = {name.replace("_", "-"): value for name, value in settings.items()}
    for name in fresh:
        if name not in known:
            raise UnknownOptionError(f"None of these games has an option '{shown(name)}'.")
    for kind in kinds:
        if isinstance(kind, Game):
            if fresh:
                raise OptionError("A game that is given whole has its options already.")
            yield kind
        else:
            yield kind(**{o.name: fresh[o.name] for o in kind.declared if o.name in fresh})


def _all_different(names: list[str], what: str) -> None:
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise PlanError(f"The {what} '{shown(twice, 80)}' is there twice.")


def _whole(name: str, value: Setting, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise PlanError(f"{name} must be a whole number from {low} to {high}, not '{shown(str(value))}'.")
