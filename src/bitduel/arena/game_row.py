"""How a game stands in games.jsonl: one JSON object a line, the keys always in the same order."""

import json
from functools import lru_cache
from typing import Any, NamedTuple

from bitduel.arena.schedule import ScheduledGame
from bitduel.arena.score import Scores
from bitduel.core.endings import Outcome
from bitduel.core.game import PASS, Game
from bitduel.players.player import Player

encode = json.JSONEncoder(check_circular=False).encode
quoted = lru_cache(maxsize=1 << 12)(encode)
"""Texts that come again and again, or null."""

QUIET = '"tokens": [null, null], "faults": [{}, {}], "isolated": [null, null]'
"""What stands in a row of players that say nothing of themselves."""


class Head(NamedTuple):
    """What the rows of two players in one game have in common, written once."""

    begin: str
    seed: int
    plain: bool
    """Whether every move stands in JSON as it is."""

    @classmethod
    def of(cls, game: Game[Any], one: str, two: str, seed: int) -> "Head":
        """For the players on seats 1 and 2."""
        shared = {"game": game.slug, "options": dict(game.options), "seats": [one, two], "first": 1}
        plain = all(encode(move) == f'"{move}"' for move in (*game.moves, PASS))
        return cls(encode(shared)[1:-1], seed, plain)


class Account(NamedTuple):
    """The moves of a game and what they gave away, as they stand in its row."""

    moves: str
    scores: str

    @classmethod
    def of(cls, moves: list[str], scores: Scores, plain: bool) -> "Account":
        """As json.dumps writes them but faster: lists of numbers look alike in Python and in JSON."""
        losses, (r1, r2), (d1, d2), (b1, b2), held = scores
        kept = "null"
        if held:
            (h1, of1), (h2, of2) = held
            kept = f"[[{h1}, {of1}], [{h2}, {of2}]]"
        return cls(
            '["' + '", "'.join(moves) + '"]' if plain and moves else encode(moves),
            f'"regret": [{r1}, {r2}], "decisions": [{d1}, {d2}], "blunders": [{b1}, {b2}], "held": {kept}, '
            f'"losses": {_nulled(losses)}',
        )


class Story(NamedTuple):
    """All that is told of a game besides its head."""

    id: str
    pairing: ScheduledGame
    deal: str
    outcome: Outcome
    fault: str | None
    account: Account
    luck: float | None
    players: tuple[Player, Player]
    seconds: tuple[float, float]
    quiet: bool = False
    """Whether both players are of this house, and never say anything."""

    def line(self, head: Head) -> str:
        """Its row, as json.dumps writes it but faster."""
        winner, reason = self.outcome
        moves, scores = self.account
        told = (
            f'{{"id": "{self.id}", {head.begin}, "deal": {quoted(self.deal or None)}, "moves": {moves}, '
            f'"winner": {winner or "null"}, "reason": {quoted(reason)}, "fault": {quoted(self.fault)}, '
            f'{scores}, "luck": {"null" if self.luck is None else self.luck}, '
            f"{QUIET if self.quiet else _spent(self.players)}, "
            f'"round": {self.pairing.round}, "swapped": {"true" if self.pairing.swapped else "false"}, '
            f'"seed": {head.seed}, "seconds": '
        )
        t1, t2 = self.seconds
        return f"{told}[{t1:.6f}, {t2:.6f}]}}"


def _spent(players: tuple[Player, Player]) -> str:
    """What players say of themselves: tokens they used, faults they were forgiven, and whether they were isolated."""
    faults = [getattr(player, "faults", None) or {} for player in players]
    isolated = [getattr(player, "isolated", None) for player in players]
    told = f'"tokens": {_nulled([_tokens(player) for player in players])}, "faults": {encode(faults)}'
    return f'{told}, "isolated": {encode(isolated)}'


def _tokens(player: Player) -> int | None:
    """How many tokens a player has used, of whatever kind; None where it does not say."""
    used = getattr(player, "tokens", None)
    return getattr(used, "total", used)


def _nulled(numbers: list[Any]) -> str:
    return f"{numbers}".replace("None", "null") if None in numbers else f"{numbers}"
