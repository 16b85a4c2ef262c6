"""The lobby: people who look for an opponent are paired, always on a clock, and under names that the site gives."""

from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.words import Names
from bitduel.games.registry import all_games, find
from bitduel.players import HUMAN
from bitduel.service.match_service import RNG, MatchService
from bitduel.service.new_match import make_game, new_match
from bitduel.storage.clocks import MOVE, ClockSettings
from bitduel.storage.lobby import PRESENT_FOR, LobbyEntry
from bitduel.storage.schema import SECOND, now
from bitduel.storage.stored_match import new_row

CLOCK = ClockSettings(MOVE, 30)
"""The clock of every match that begins here."""
COME_WITHIN = 30
"""Seconds in which both must have opened the match; otherwise it is called off."""
COMPUTER_AFTER = 20
"""Seconds of waiting after which a match against the computer is offered."""
COLOURS = ("Amber", "Blue", "Coral", "Golden", "Green", "Indigo", "Orange", "Pink", "Purple", "Red", "Silver", "White")
NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_STRANGERS = {f"{colour} {number}" for colour in COLOURS for number in NUMBERS}


class NotWaitingError(BitduelError):
    """A request about a place in the queue that does not exist."""


class LobbyState(NamedTuple):
    """The state of a search for an opponent, as shown to the searcher."""

    game: str | None
    """The slug of the game; None for any."""
    waited: float
    """Seconds since the beginning."""
    match_id: str | None
    """The match, once an opponent was found."""


def stranger_names(rng: Random) -> Names:
    """Return names for two who do not know each other; neither colour nor number is the same."""
    (colour, other_colour), (number, other_number) = rng.sample(COLOURS, 2), rng.sample(NUMBERS, 2)
    return f"{colour} {number}", f"{other_colour} {other_number}"


def are_strangers(names: Names) -> bool:
    """Return whether both names are such as the lobby gives to people who do not know each other."""
    return all(name in _STRANGERS for name in names)


class LobbyService:
    """The queue, for people who are known by the hash of a secret."""

    def __init__(self, service: MatchService) -> None:
        self.service = service
        self.queue = service.store.lobby

    def enter(self, owner: str, game: str | None) -> LobbyState:
        """Look for an opponent in a game or any; return at once, with a match if an opponent is waiting."""
        slug = find(game).slug if game is not None else None
        return self._state(owner, self.queue.enter(owner, slug, self._new_row))

    def poll(self, owner: str) -> LobbyState:
        """Return the state of a search, and mark the searcher as present; raise NotWaitingError if there is none."""
        entry = self.queue.find(owner)
        if entry is None:
            raise NotWaitingError("You are not looking for an opponent.")
        if entry.match_id is None and entry.present_until < now() + PRESENT_FOR // 2:
            entry = self.queue.enter(owner, entry.game, self._new_row)
        return self._state(owner, entry)

    def leave(self, owner: str) -> None:
        """Stop looking."""
        self.queue.leave(owner)

    def _state(self, owner: str, entry: LobbyEntry) -> LobbyState:
        if entry.match_id:
            self.service.presence.mark_playing(owner)
        return LobbyState(entry.game, max(0, now() - entry.since) / SECOND, entry.match_id)

    def _new_row(self, game: str | None) -> dict[str, Any]:
        kind = find(game) if game else RNG.choice(list(all_games()))
        match = new_match(make_game(kind, {}), RNG.choice((1, 2)), RNG, ())
        come_until = now() + COME_WITHIN * SECOND
        return new_row(match, (HUMAN, HUMAN), stranger_names(RNG), clock=CLOCK, come_until=come_until)
