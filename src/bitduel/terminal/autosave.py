"""Saving matches while they are played: each move is stored before it is shown."""

from collections.abc import Callable
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS, Names
from bitduel.players.spec import HUMAN, Spec

if TYPE_CHECKING:
    from bitduel.storage import Store


class Autosave:
    """The storage of a series of rounds, from its first move on."""

    def __init__(self, db: str | None, players: tuple[Spec, Spec], names: Names, rounds: int = 1) -> None:
        self.db = db
        self.players = players
        self.names = names
        self.rounds = rounds
        self.round = 1
        self.sitting: str | None = None
        self.match_id: str | None = None
        self.last_id: str | None = None
        """The match that was finished last."""
        self.plies = self.backs = 0
        """The number of stored moves, and of times that some were taken back, as far as is known here."""
        self.trouble = ""
        """The reason why nothing more is stored, if the store has failed."""
        self._store: Store | None = None

    def __enter__(self) -> "Autosave":
        return self

    def __exit__(self, *_: object) -> None:
        if self._store:
            self._store.close()

    @property
    def store(self) -> "Store":
        """The store, opened when something is to be stored."""
        if self._store is None:
            from bitduel.storage import open_store

            self._store = open_store(self.db)
        return self._store

    def prepare(self) -> None:
        """Import the storage while the player is still thinking about the first move."""
        Thread(target=import_module, args=("bitduel.storage",), daemon=True).start()

    def moved(self, match: Match) -> None:
        """Store the last move of a match, and its outcome if it has one."""
        if self.match_id is None:
            self._write(lambda: self._begin(match))
        else:
            match_id, backs = self.match_id, self.backs
            self._write(lambda: self.store.add(match_id, match.ply - 1, match.moves[-1], match.outcome, backs))
        self.plies = match.ply

    def taken_back(self, match: Match) -> None:
        """Delete the moves that a match no longer has, unless others have played on with it elsewhere."""
        if match_id := self.match_id:
            self._write(lambda: self.store.take_back(match_id, match.ply, self.plies, self.backs))
            self.plies, self.backs = match.ply, self.backs + 1

    def resume(self, match_id: str, plies: int, backs: int) -> None:
        """Continue a match that is stored already."""
        self.match_id, self.plies, self.backs = match_id, plies, backs

    def ended(self, match: Match) -> None:
        """Store the outcome of a match that ended otherwise than by a move."""
        if self.match_id is None:
            self._write(lambda: self._begin(match))
        if (outcome := match.outcome) and (match_id := self.match_id):
            self._write(lambda: self.store.end(match_id, outcome))

    def next_round(self) -> None:
        """Begin another match of the same series."""
        self.last_id, self.match_id = self.match_id, None
        self.plies = self.backs = 0

    @property
    def can_be_resumed(self) -> bool:
        """Whether the match can be resumed: not every program is started from a stored match."""
        return bool(self.match_id) and not self.trouble and all(spec.is_safe for spec in self.players)

    def farewell(self) -> list[str]:
        """Return how to resume the match, if it can be."""
        return [f"To continue it: bitduel resume {self.match_id}"] if self.can_be_resumed else []

    def _write(self, work: Callable[[], object]) -> None:
        """Write to the store; if it fails, the game goes on unsaved, unless somebody else has moved first."""
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
            match, self.players, self.names, sitting=self.sitting, round=self.round, rounds=self.rounds, are_own=True
        )
        self.sitting = self.sitting or self.match_id


class NoAutosave(Autosave):
    """A series that is not stored."""

    def __init__(self) -> None:
        super().__init__(None, (Spec(HUMAN), Spec(HUMAN)), PLAYERS)

    def prepare(self) -> None:
        """Do nothing."""

    def _write(self, work: Callable[[], object]) -> None:
        pass
