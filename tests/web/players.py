"""Two at a table, and time that passes when told so."""

from collections.abc import Callable
from typing import Any

from bitduel.core.game import Game
from bitduel.core.outcomes import Outcome
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.service.match_session import MatchSession
from bitduel.storage.schema import now
from bitduel.storage.writes import MatchMoment
from web.sites import LocalApp

LIT: tuple[str, ...] = ("add", "add", "double")


class TwoPlayers:
    """Two people at a table."""

    def __init__(self, app: LocalApp, match_id: str, tokens: list[str]) -> None:
        self.app, self.id = app, match_id
        self.ada, self.ben = map(hashed, tokens)

    @property
    def session(self) -> MatchSession:
        return self.app.service.session(self.id)

    @property
    def now(self) -> MatchMoment:
        return self.session.moment

    @property
    def moves(self) -> tuple[str, ...]:
        return self.app.store.get(self.id).moves

    @property
    def outcome(self) -> Outcome | None:
        return self.app.store.get(self.id).outcome


SeatPlayers = Callable[..., TwoPlayers]


def alone(app: LocalApp, opponent: str, *moves: str, first: str = "1", game: Game[Any] | None = None) -> TwoPlayers:
    """A match of one browser, with some moves made."""
    tokens = [new_token(), new_token()]
    two = TwoPlayers(app, app.service.create(game or make("64"), opponent, first, (None, None), tokens[0]), tokens)
    for move in moves:
        app.service.move(two.id, two.ada, two.session.match.ply, move)
    return two


class Clock:
    """Time that passes when told so."""

    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> int:
        return self.now

    def pass_by(self, ticks: int) -> None:
        self.now += ticks
