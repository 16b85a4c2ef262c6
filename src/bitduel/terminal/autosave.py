"""Keeps what is played: each move is in the store before it is shown."""

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS, Names
from bitduel.players.spec import HUMAN, Spec

if TYPE_CHECKING:
    from bitduel.storage import Store


class Autosave:
    """Puts a sitting into the store, from its first move on."""

    def __init__(self, db: str | None, players: tuple[Spec, Spec], names: Names, rounds: int = 1) -> None:
        self.db = db
        self.players = players
        self.names = names
        self.rounds = rounds
        self.round = 1
        self.sitting: str | None = None
        self.match_id: str | None = None
        self.last_id: str | None = None
        """The match that was played to its end last."""
        self.plies = self.backs = 0
        """How many moves are kept, and how often some were taken back, as far as is known here."""
        self.trouble = ""
        """Why nothing more is kept, if the store has failed."""
        self._store: Store | None = None

    def __enter__(self) -> "Autosave":
        return self

    def __exit__(self, *_: object) -> None:
        if self._store:
            self._store.close()

    @property
    def store(self) -> "Store":
        """The store, opened when something is to be kept."""
        if self._store is None:
            from bitduel.storage import open_store

            self._store = open_store(self.db)
        return self._store

    def prepare(self) -> None:
        """Load what keeping needs while the player is still thinking about the first move."""
        Thread(target=_load, daemon=True).start()

    def moved(self, match: Match) -> None:
        """Keep the last move of a match, and how it ended if it did."""
        if self.match_id is None:
            self._write(lambda: self._begin(match))
        else:
            match_id, backs = self.match_id, self.backs
            self._write(lambda: self.store.add(match_id, match.ply - 1, match.moves[-1], match.outcome, backs))
        self.plies = match.ply

    def taken_back(self, match: Match) -> None:
        """Forget the moves that a match no longer has, unless others have played on with it elsewhere."""
        if match_id := self.match_id:
            self._write(lambda: self.store.take_back(match_id, match.ply, self.plies, self.backs))
            self.plies, self.backs = match.ply, self.backs + 1

    def goes_on(self, match_id: str, plies: int, backs: int) -> None:
        """What comes now belongs to a match that has been kept before."""
        self.match_id, self.plies, self.backs = match_id, plies, backs

    def ended(self, match: Match) -> None:
        """Keep how a match ended otherwise than by a move."""
        if self.match_id is None:
            self._write(lambda: self._begin(match))
        if (outcome := match.outcome) and (match_id := self.match_id):
            self._write(lambda: self.store.end(match_id, outcome))

    def next_round(self) -> None:
        """What comes now is another match of the same sitting."""
        self.last_id, self.match_id = self.match_id, None
        self.plies = self.backs = 0

    def farewell(self) -> list[str]:
        """How to go on with what was left, where that can be: not every program is started from a kept match."""
        can = self.match_id and not self.trouble and all(spec.is_safe for spec in self.players)
        return [f"'bitduel resume {self.match_id}' goes on with it."] if can else []

    def _write(self, work: Callable[[], object]) -> None:
        """Write to the store; if it cannot be written the game goes on unkept, unless somebody else was first."""
        from bitduel.storage import OverError, PlyTakenError, RoundTakenError, StoreError

        if self.trouble:
            return
        try:
            work()
        except (PlyTakenError, OverError, RoundTakenError):
            raise
        except StoreError as error:
            self.trouble = str(error)

    def _begin(self, match: Match) -> None:
        self.match_id = self.store.begin(
            match, self.players, self.names, sitting=self.sitting, round=self.round, rounds=self.rounds
        )
        self.sitting = self.sitting or self.match_id


class NoKeeper(Autosave):
    """Plays without a trace."""

    def __init__(self) -> None:
        super().__init__(None, (Spec(HUMAN), Spec(HUMAN)), PLAYERS)

    def prepare(self) -> None:
        """Nothing is needed."""

    def moved(self, match: Match) -> None:
        """Nothing is kept."""

    def ended(self, match: Match) -> None:
        """Nothing is kept."""


def _load() -> None:
    from importlib import import_module

    import_module("bitduel.storage")
