"""The report of a run: everything measured, from a single pass over its rows, with a map of the blunders."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from bitduel.arena.exploitability import Exploitability, ExploitabilitySamples
from bitduel.arena.game_record import GameRecord, RowError, games_file, read_rows
from bitduel.arena.measures import LuckShare, PlayerMeasures, WinRecord, cross_table, luck_shares, measure
from bitduel.arena.strength import Strengths, fit_strengths
from bitduel.arena.tally import GameSample, Result, RunTally, SeatedPair, Title
from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.games.registry import make

SAMPLED_GAMES = 1000
"""The most games of each title that are analysed move by move."""
SHOWN_GAMES = 60
"""The most games that can be replayed in the page."""
MAX_PLAYERS, MAX_TITLES = 64, 64
"""The largest run that a page can show."""
MAX_BINS = 16
"""Pieces into which a longer scale is cut."""
MAX_MOVES = 24
"""A game with more moves has no map by move."""
MAX_PLIES = 20_000
"""Moves of a game that are looked at."""

SCALE, OWN, THEIRS, SHARED, MOVE = "number", "own cell", "opponent's cell", "cell", "move"

Cross = dict[tuple[str, str], WinRecord]


class BlunderPlace(NamedTuple):
    """The moves made at one place of the board, and their total loss."""

    moves: int = 0
    lost: float = 0.0

    @property
    def mean(self) -> float:
        """The mean loss of a move there."""
        return self.lost / self.moves if self.moves else 0.0


class BlunderMap(NamedTuple):
    """The regret of every player by place: number on the scale, cell that was switched, or move."""

    kind: str
    labels: tuple[str, ...]
    players: dict[str, tuple[BlunderPlace, ...]]

    def as_data(self) -> dict[str, Any]:
        """Return the data of a report."""
        players = {
            name: [{"moves": moves, "given_away": lost} for moves, lost in row] for name, row in self.players.items()
        }
        return {"by": self.kind, "places": list(self.labels), "players": players}


@dataclass(frozen=True)
class TitleReport:
    """The report of one game with its options."""

    title: Title
    game: Game[Any] | None
    """The game itself; None if it is not installed here."""
    measured: list[PlayerMeasures]
    strengths: Strengths
    cross: Cross
    luck: list[LuckShare]
    exploited: list[Exploitability]
    blunder_maps: list[BlunderMap]
    sample: list[GameRecord]

    @property
    def name(self) -> str:
        """The title of the game, with the options that are not the default."""
        usual = {option.name: option.default for option in self.game.declared_options} if self.game else {}
        chosen = [f"{name}={value}" for name, value in self.title[1] if name not in usual or usual[name] != value]
        title = self.game.title if self.game else printable(self.title[0])
        return f"{title} ({printable(', '.join(chosen), 80)})" if chosen else title

    def as_data(self) -> dict[str, Any]:
        """Return the data of a report."""
        return {
            "game": self.title[0],
            "options": dict(self.title[1]),
            "players": [each.as_data() for each in self.measured],
            "strength": self.strengths.as_data(),
            "cross_table": _cross_data(self.cross),
            "luck": self.luck,
            "exploitability": [each.as_data() for each in self.exploited],
            "given_away": [each.as_data() for each in self.blunder_maps],
        }


@dataclass(frozen=True)
class Report:
    """The report of a run."""

    name: str
    games: int
    ended_by_fault: int
    abandoned: int
    """Games that reached the limit of plies, and were drawn by that."""
    not_isolated: dict[str, int]
    """For each bot, the games after which it could remember what it learned."""
    measured: list[PlayerMeasures]
    strengths: Strengths
    strengths_without_faults: Strengths
    cross: Cross
    titles: list[TitleReport]

    @cached_property
    def games_to_show(self) -> list[tuple[TitleReport, GameRecord]]:
        """Some games of every title and pairing, limited to the size of a page."""
        limit = max(1, SHOWN_GAMES // len(self.titles))
        return [(title, row) for title in self.titles for row in _interleaved(title.sample)[:limit]]

    def as_data(self) -> dict[str, Any]:
        """Return everything as JSON-ready data; docs/arena-measures.md says what each key means."""
        data = {
            "games": self.games,
            "ended_by_fault": self.ended_by_fault,
            "abandoned": self.abandoned,
            "not_isolated": self.not_isolated,
            "players": [each.as_data() for each in self.measured],
            "strength": self.strengths.as_data(),
            "strength_without_faults": self.strengths_without_faults.as_data(),
            "cross_table": _cross_data(self.cross),
            "by_game": [each.as_data() for each in self.titles],
        }
        return {name: _plain(value) for name, value in data.items()}


def _plain(value: Any) -> Any:
    """Return a value in which named tuples, such as estimates, are dictionaries."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _cross_data(cross: Cross) -> list[dict[str, Any]]:
    return [{"player": one, "opponent": two, **record._asdict()} for (one, two), record in cross.items()]


def build(folder: Path) -> Report:
    """Return the report of the run in a folder; raise RowError with what is wrong."""
    return build_from(read_rows(games_file(folder)), printable(folder.resolve().name, 80))


def build_from(rows: Iterable[GameRecord], name: str) -> Report:
    """Return the report of some rows; they are read only once."""
    hidden_games = ExploitabilitySamples()
    samples: dict[Title, GameSample] = defaultdict(lambda: GameSample(SAMPLED_GAMES))

    def sampling(pair: SeatedPair) -> list[GameSample]:
        found = [samples[pair.title], *hidden_games.samples_for(pair)]
        if len(samples) > MAX_TITLES:
            raise RowError(f"A report can cover at most {MAX_TITLES} games with different options.")
        return found

    tally = RunTally(rows, sampling)
    if not tally.games:
        raise RowError("No game of this run has finished yet, so there is nothing to report.")
    if len(tally.players) > MAX_PLAYERS:
        raise RowError(f"A report can cover at most {MAX_PLAYERS} players.")
    return Report(
        name=name,
        games=tally.games,
        ended_by_fault=tally.count(Result.WON_BY_FAULT, Result.LOST_BY_FAULT),
        abandoned=tally.count(Result.ABANDONED),
        not_isolated=dict(tally.not_isolated),
        measured=measure(tally),
        strengths=fit_strengths(tally.clusters()),
        strengths_without_faults=fit_strengths(tally.clusters(), faults_count=False),
        cross=cross_table(tally),
        titles=[_title(tally, hidden_games, title, sample.rows) for title, sample in samples.items()],
    )


def _title(tally: RunTally, hidden_games: ExploitabilitySamples, title: Title, sample: list[GameRecord]) -> TitleReport:
    try:
        game = make(title[0], dict(title[1]))
    except (BitduelError, TypeError):
        game = None
    return TitleReport(
        title=title,
        game=game,
        measured=measure(tally, title),
        strengths=fit_strengths(tally.clusters(title)),
        cross=cross_table(tally, title),
        luck=luck_shares(tally, title),
        exploited=hidden_games.measure(title),
        blunder_maps=map_blunders(game, sample) if game else [],
        sample=sample,
    )


def _interleaved(rows: Iterable[GameRecord]) -> list[GameRecord]:
    """Return the same games, with one of every pairing before the second of any."""
    pairings: dict[tuple[str, ...], list[GameRecord]] = defaultdict(list)
    for row in rows:
        pairings[tuple(row.seats)].append(row)
    return [row for turn in zip_longest(*pairings.values()) for row in turn if row is not None]


def map_blunders(game: Game[Any], rows: Iterable[GameRecord]) -> list[BlunderMap]:
    """Return the loss of every player in some games, by each kind of place on the board."""
    found: dict[str, dict[str, dict[Any, BlunderPlace]]] = {}
    scale = (0, 0)
    left = MAX_PLIES
    for row in rows:
        for name, loss, picture, seat, move in replay_choices(game, row):
            left -= 1
            for kind, place in _places(game, picture, seat, move):
                places = found.setdefault(kind, {}).setdefault(name, {})
                moves, lost = places.get(place, BlunderPlace())
                places[place] = BlunderPlace(moves + 1, lost + loss)
            if picture.scale:
                scale = picture.scale.low, picture.scale.high
        if left <= 0:
            break
    kinds = (kind for kind in (SCALE, OWN, THEIRS, SHARED, MOVE) if kind in found)
    return [_binned(found[SCALE], *scale) if kind == SCALE else _labelled(kind, found[kind], game) for kind in kinds]


def replay_choices(game: Game[Any], row: GameRecord) -> Iterator[tuple[str, float, Picture, int, str]]:
    """Yield every choice of a game: the player, its loss, the board it saw, its seat, and the move."""
    try:
        match = Match(game, 1, row.deal or "")
        for move, loss in zip(row.moves, row.losses, strict=True):
            if loss is not None and match.to_move:
                seat = match.to_move
                yield row.seats[seat - 1], loss, game.picture(match.view(seat), PLAYERS), seat, move
            match.play(move)
    except BitduelError:
        return


def _places(game: Game[Any], picture: Picture, seat: int, move: str) -> Iterator[tuple[str, Any]]:
    tokens = picture.scale.tokens if picture.scale else ()
    own = next((token.at for token in tokens if token.seat in (None, seat)), None)
    if own is not None:
        yield SCALE, own
    cells = [(row.seat, cell.label) for row in picture.rows for cell in row.cells if cell.move == move]
    for whose, label in cells:
        yield {None: SHARED, seat: OWN}.get(whose, THEIRS), label
    if not cells and move != PASS and len(game.moves) <= MAX_MOVES:
        yield MOVE, move


def _labelled(kind: str, found: dict[str, dict[Any, BlunderPlace]], game: Game[Any]) -> BlunderMap:
    seen = {place for places in found.values() for place in places}
    order = game.moves if kind == MOVE else sorted(seen, key=lambda label: (len(label), label))
    labels = tuple(place for place in order if place in seen)
    players = {name: tuple(places.get(label, BlunderPlace()) for label in labels) for name, places in found.items()}
    return BlunderMap(kind, labels, players)


def _binned(found: dict[str, dict[Any, BlunderPlace]], low: int, high: int) -> BlunderMap:
    """Cut the scale into pieces of equal length, up to the last number on which a token was."""
    last = min(high, max(at for places in found.values() for at in places))
    width = -(-(last - low + 1) // MAX_BINS)
    starts = range(low, last + 1, width)
    ends = [min(at + width - 1, last) for at in starts]
    labels = tuple(str(at) if at == end else f"{at}-{end}" for at, end in zip(starts, ends, strict=True))
    players = {}
    for name, places in found.items():
        row = [BlunderPlace()] * len(starts)
        for at, place in places.items():
            index = min(max(0, (at - low) // width), len(row) - 1)
            row[index] = BlunderPlace(row[index].moves + place.moves, row[index].lost + place.lost)
        players[name] = tuple(row)
    return BlunderMap(SCALE, labels, players)
