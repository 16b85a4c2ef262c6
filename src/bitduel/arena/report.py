"""The report of a run: everything measured, from one reading of its rows."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bitduel.arena.blunder_positions import Where, where
from bitduel.arena.exploit import Exploited, Watch
from bitduel.arena.game_record import GameRecord, RowError, games_file, read
from bitduel.arena.luck import LuckShare, luck
from bitduel.arena.measures import Measured, WinRecord, abandoned, cross_table, faults_ended, measure
from bitduel.arena.sample import GameSample
from bitduel.arena.strength import Strengths, strengths
from bitduel.arena.tally import RunTally, SeatedPair, Title
from bitduel.arena.tally import tally as tally_of
from bitduel.core.errors import BitduelError, shown
from bitduel.core.game import Game
from bitduel.games import make

LOOKED_AT = 1000
"""So many games of each title are kept to be looked at move by move."""
SHOWN_GAMES = 60
"""So many games can be replayed in the page."""
MOST_PLAYERS, MOST_TITLES = 64, 64
"""A run of more than that is none that a page can show."""

Cross = dict[tuple[str, str], WinRecord]


@dataclass(frozen=True)
class TitleReport:
    """All about one game with its options."""

    title: Title
    game: Game[Any] | None
    """The game itself; None where nobody here knows it."""
    measured: list[Measured]
    strengths: Strengths
    cross: Cross
    luck: list[LuckShare]
    exploited: list[Exploited]
    where: list[Where]
    sample: list[GameRecord]

    @property
    def name(self) -> str:
        """What the game is called, with the options that are not as usual."""
        usual = {option.name: option.default for option in self.game.declared} if self.game else {}
        chosen = [f"{name}={value}" for name, value in self.title[1] if name not in usual or usual[name] != value]
        called = self.game.title if self.game else shown(self.title[0])
        return f"{called} ({shown(', '.join(chosen), 80)})" if chosen else called

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        return {
            "game": self.title[0],
            "options": dict(self.title[1]),
            "players": [each.as_data() for each in self.measured],
            "strength": strength_data(self.strengths),
            "cross_table": cross_data(self.cross),
            "luck": [each.as_data() for each in self.luck],
            "exploitability": [each.as_data() for each in self.exploited],
            "given_away": [each.as_data() for each in self.where],
        }


@dataclass(frozen=True)
class Report:
    """All about a run."""

    name: str
    tally: RunTally
    titles: list[TitleReport]

    @cached_property
    def measured(self) -> list[Measured]:
        """Every player over all games."""
        return measure(self.tally)

    @cached_property
    def strengths(self) -> Strengths:
        """How strong everybody is over all games, faults counted as losses."""
        return strengths(self.tally.clusters())

    @cached_property
    def strengths_without_faults(self) -> Strengths:
        """The same without the games that somebody's fault ended."""
        return strengths(self.tally.clusters(), faults_count=False)

    @cached_property
    def cross(self) -> Cross:
        """Who won how often against whom, over all games."""
        return cross_table(self.tally)

    @cached_property
    def ended_by_fault(self) -> int:
        """How many games somebody's fault ended."""
        return faults_ended(self.tally)

    @cached_property
    def abandoned(self) -> int:
        """How many games reached the limit of plies, and were drawn by that."""
        return abandoned(self.tally)

    @property
    def not_isolated(self) -> dict[str, int]:
        """By bot, the matches in which what it learnt could outlive them."""
        return dict(self.tally.not_isolated)

    @cached_property
    def games_to_show(self) -> list[tuple[TitleReport, GameRecord]]:
        """Some games of every title and pairing, by turns, as many as a page has room for."""
        room = max(1, SHOWN_GAMES // len(self.titles))
        return [(title, row) for title in self.titles for row in _by_turns(title.sample)[:room]]

    def as_data(self) -> dict[str, Any]:
        """Everything as JSON-ready data; docs/arena-measures.md says what each key means."""
        return {
            "games": self.tally.games,
            "ended_by_fault": self.ended_by_fault,
            "abandoned": self.abandoned,
            "not_isolated": self.not_isolated,
            "players": [each.as_data() for each in self.measured],
            "strength": strength_data(self.strengths),
            "strength_without_faults": strength_data(self.strengths_without_faults),
            "cross_table": cross_data(self.cross),
            "by_game": [each.as_data() for each in self.titles],
        }


def strength_data(found: Strengths) -> dict[str, Any]:
    """Strengths as JSON-ready data."""
    seats = [
        {"game": t[0], "options": dict(t[1]), "first_seat": e.as_data(), "draws_between_equals": found.draws[t]}
        for t, e in found.first_seat.items()
    ]
    players = [{**each.as_data(), "behind": found.lead[each.player].as_data()} for each in found.players]
    return {"players": players, "groups": found.groups, "games": seats}


def cross_data(cross: Cross) -> list[dict[str, Any]]:
    """A cross table as JSON-ready data."""
    return [{"player": one, "opponent": two, **record._asdict()} for (one, two), record in cross.items()]


def build(folder: Path) -> Report:
    """The report of the run in a folder; raises RowError with what is wrong."""
    return build_from(read(games_file(folder)), shown(folder.resolve().name, 80))


def build_from(rows: Iterable[GameRecord], name: str) -> Report:
    """The report of some rows, read once."""
    watch = Watch()
    samples: dict[Title, GameSample] = defaultdict(lambda: GameSample(LOOKED_AT))

    def sampling(seated: SeatedPair) -> list[GameSample]:
        found = [samples[seated.title], *watch.samples_for(seated)]
        if len(samples) > MOST_TITLES:
            raise RowError(f"A run of more than {MOST_TITLES} games with different options cannot be reported on.")
        return found

    tally = tally_of(rows, sampling)
    if not tally.games:
        raise RowError("No game of this run is over yet, so there is nothing to report.")
    if len(tally.players) > MOST_PLAYERS:
        raise RowError(f"A run of more than {MOST_PLAYERS} players cannot be reported on.")
    return Report(name, tally, [_title(tally, watch, title, sample.rows) for title, sample in samples.items()])


def _title(tally: RunTally, watch: Watch, title: Title, sample: list[GameRecord]) -> TitleReport:
    game = _made(title)
    return TitleReport(
        title=title,
        game=game,
        measured=measure(tally, title),
        strengths=strengths(tally.clusters(title)),
        cross=cross_table(tally, title),
        luck=luck(tally, title),
        exploited=watch.exploited(title),
        where=where(game, sample) if game else [],
        sample=sample,
    )


def _made(title: Title) -> Game[Any] | None:
    try:
        return make(title[0], dict(title[1]))
    except (BitduelError, TypeError):
        return None


def _by_turns(rows: Iterable[GameRecord]) -> list[GameRecord]:
    """The same games, so that one of every pairing comes before the second of any."""
    pairings: dict[tuple[str, ...], list[GameRecord]] = defaultdict(list)
    for row in rows:
        pairings[tuple(row.seats)].append(row)
    return [row for turn in zip_longest(*pairings.values()) for row in turn if row is not None]
