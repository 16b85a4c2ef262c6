"""One game of the arena: driven, timed and scored, and told as a row."""

from collections.abc import Iterable
from contextlib import suppress
from threading import local
from time import perf_counter
from typing import Any, NamedTuple

from bitduel.arena.game_row import Account, Head, Story
from bitduel.arena.schedule import Contender, Schedule, ScheduledGame
from bitduel.arena.score import Scorer
from bitduel.arena.seeding import Source, Stream
from bitduel.core.endings import ABANDONED, Outcome
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.players.driver import Listener, Timed, drive, tell
from bitduel.players.player import CachedPolicy, FunctionPlayer, HaltError, Player
from bitduel.players.spec import KINDS, Spec, build, close

SHORT = 5
"""What matches of at most so many moves gave away is kept, as there are few of them."""

MOST_ACCOUNTS = 1 << 13


class Played(NamedTuple):
    """What came of some games: a row each, who won, and what stopped them before their end."""

    rows: list[str]
    results: list[tuple[int, int | None]]
    """The number of each game, and the seat that won it."""
    halt: str = ""


class MatchMeter(Listener):
    """Hears a match: what every player went by, how long each took, and by what fault it ended."""

    glances = True

    def __init__(self) -> None:
        self.sights: list[Any] = []
        self.seconds = [0.0, 0.0]
        self.fault: str | None = None
        self.since = perf_counter()

    def glanced(self, match: Match, sight: Any, move: str) -> None:
        """The time since the last move belongs to who made this one; seat 1 makes the first."""
        now = perf_counter()
        sights = self.sights
        self.seconds[len(sights) % 2] += now - self.since
        self.since = now
        sights.append(sight)

    def moved(self, match: Match, view: View, move: str) -> None:
        """The same of a move that took a view."""
        self.glanced(match, view.sight, move)

    def ended(self, match: Match, fault: str) -> None:
        """Somebody's turn was the last, without a move."""
        self.seconds[len(self.sights) % 2] += perf_counter() - self.since
        self.fault = fault or None


class WorkerSeat(NamedTuple):
    """Where a player of a plan sits against another: who it is, and where its chance comes from."""

    who: int
    contender: Contender
    source: Source


class GameWorker:
    """Where one game of a plan is played: its scorer, and its players as far as they can stay."""

    def __init__(self, plan: Schedule, game: Game[Any]) -> None:
        self.plan = plan
        self.game = game
        self.scorer = Scorer(game)
        self.key = plan.seed, game.slug, tuple(game.options.items())
        self.deals = Source(*self.key, "deal")
        self._dealt = 0, ""
        self._outside = not all(player.built_in for player in plan.players)
        self._accounts: dict[tuple[str, ...], Account] = {}
        self._staying: dict[int, Player] = {}
        self._seats: dict[tuple[int, int], tuple[WorkerSeat, WorkerSeat, Head]] = {}

    def play(self, pairing: ScheduledGame, measure: MatchMeter | None = None) -> tuple[str, int | None]:
        """The row of a game and who won it; raises HaltError where it has no result."""
        game_id, round_ = self.plan.id_of(pairing), pairing.round
        one, two, head = self._seats.get(pairing.seats) or self._seat(pairing)
        players = {1: self._seated(one, round_, game_id), 2: self._seated(two, round_, game_id)}
        match = Match(self.game, 1, self._deal(round_))
        measure = measure or MatchMeter()
        try:
            outcome = drive(match, players, measure, most_plies=self.plan.max_plies)
            if outcome is None:
                outcome = Outcome(None, ABANDONED)
                match.conclude(outcome)
                tell(match, players)
        finally:
            close(players.values())
            self._tidy(game_id)
        account, luck = self._account(match, measure.sights, head), self.scorer.luck(match.deal)
        seated, seconds = (players[1], players[2]), (measure.seconds[0], measure.seconds[1])
        quiet = isinstance(seated[0], CachedPolicy) and isinstance(seated[1], CachedPolicy)
        story = Story(game_id, pairing, match.deal, outcome, measure.fault, account, luck, seated, seconds, quiet)
        return story.line(head), outcome.winner

    def _account(self, match: Match, sights: list[Any], head: Head) -> Account:
        """The moves of a match and what they gave away; the same short matches come again and again."""
        key = (match.deal, *match.moves) if len(match.moves) <= SHORT else None
        found = self._accounts.get(key) if key else None
        if found is None:
            found = Account.of(match.moves, self.scorer.score(match, sights), head.plain)
            if key:
                if len(self._accounts) >= MOST_ACCOUNTS:
                    self._accounts.clear()
                self._accounts[key] = found
        return found

    def _seat(self, pairing: ScheduledGame) -> tuple[WorkerSeat, WorkerSeat, Head]:
        one, two = (self.plan.players[who] for who in pairing.seats)
        key = *self.key, one.name, two.name
        seats = [WorkerSeat(who, self.plan.players[who], Source(*key, n)) for n, who in enumerate(pairing.seats, 1)]
        found = self._seats[pairing.seats] = seats[0], seats[1], Head.of(self.game, one.name, two.name, self.plan.seed)
        return found

    def _deal(self, round_: int) -> str:
        """What is dealt in a round, to all players alike."""
        if not self.game.chance:
            return ""
        if self._dealt[0] != round_:
            self._dealt = round_, self.game.deal(Stream(self.deals, round_))
        return self._dealt[1]

    def _seated(self, seat: WorkerSeat, round_: int, game_id: str) -> Player:
        staying = self._staying.get(seat.who)
        if staying is not None:
            staying.rng.begin(seat.source, round_)  # type: ignore[attr-defined]
            return staying
        player = self._made(seat.contender.who, Stream(seat.source, round_), game_id)
        if isinstance(player, CachedPolicy):
            self._staying[seat.who] = player
        return player

    def _tidy(self, game_id: str) -> None:
        """Take away the folder of players from outside that left nothing in it."""
        folder = self.plan.terms.folder
        if self._outside and folder:
            with suppress(OSError):
                (folder / game_id).rmdir()

    def _made(self, who: Any, rng: Stream, game_id: str) -> Player:
        terms = self.plan.terms
        if not isinstance(who, Spec):
            return Timed(FunctionPlayer(who), terms.seconds)
        folder = terms.folder and terms.folder / game_id
        if folder is not None and not KINDS[who.kind].safe:
            folder.mkdir(parents=True, exist_ok=True)
        hidden = terms.hidden if terms.folder is None else (*terms.hidden, terms.folder)
        sealed = not self.plan.trust_bots
        player = build(who, self.game, rng, terms._replace(folder=folder, hidden=hidden, sealed=sealed, reveals=False))
        assert player is not None, "a plan has no humans"
        return player


class WorkerTables(local):
    """The tables of the plan that a thread plays: of its own, as the players that stay there draw random numbers."""

    plan: Schedule | None = None
    tables: tuple[GameWorker, ...] = ()

    def of(self, plan: Schedule) -> tuple[GameWorker, ...]:
        """The tables of this plan."""
        if self.plan != plan:
            self.plan, self.tables = plan, tuple(GameWorker(plan, game) for game in plan.games)
        return self.tables


ROOM = WorkerTables()


def play_some(plan: Schedule, numbers: Iterable[int]) -> Played:
    """Play some games of a plan one after the other: what every worker does, wherever it is."""
    tables = ROOM.of(plan)
    played = Played([], [])
    for number in numbers:
        pairing = plan.pairing(number)
        try:
            told, winner = tables[pairing.game].play(pairing)
        except HaltError as halt:
            return played._replace(halt=str(halt))
        played.rows.append(told)
        played.results.append((number, winner))
    return played
