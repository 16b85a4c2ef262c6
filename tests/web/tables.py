"""Two at a table, and time that passes when told so."""

from collections.abc import Callable
from typing import Any

from bitduel.core.endings import Outcome
from bitduel.core.game import Game
from bitduel.games import make
from bitduel.service.match_service import hashed, new_token
from bitduel.service.match_session import MatchSession
from bitduel.storage.timestamps import now
from bitduel.storage.writes import MatchMoment
from web.houses import House

LIT: tuple[str, ...] = ("add", "add", "double")


class Two:
    """Two people at a table."""

    def __init__(self, house: House, match_id: str, tokens: list[str]) -> None:
        self.house, self.id = house, match_id
        self.ada, self.ben = map(hashed, tokens)

    @property
    def seating(self) -> MatchSession:
        return self.house.desk.seating(self.id)

    @property
    def now(self) -> MatchMoment:
        return self.seating.moment

    @property
    def moves(self) -> tuple[str, ...]:
        return self.house.store.get(self.id).moves

    @property
    def outcome(self) -> Outcome | None:
        return self.house.store.get(self.id).outcome


Sit = Callable[..., Two]


def alone(house: House, opponent: str, *moves: str, first: str = "1", game: Game[Any] | None = None) -> Two:
    """A match of one browser, with some moves made."""
    tokens = [new_token(), new_token()]
    two = Two(house, house.desk.create(game or make("64"), opponent, first, (None, None), tokens[0]), tokens)
    for move in moves:
        house.desk.move(two.id, two.ada, two.seating.match.ply, move)
    return two


class Clock:
    """Time that passes when told so."""

    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> int:
        return self.now

    def pass_by(self, ticks: int) -> None:
        self.now += ticks
