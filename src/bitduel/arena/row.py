"""How a game stands in games.jsonl: one JSON object a line, the keys always in the same order."""

import json
from functools import lru_cache
from typing import Any, NamedTuple

from bitduel.arena.plan import Pairing
from bitduel.arena.score import Scores
from bitduel.core.endings import Outcome
from bitduel.core.game import PASS, Game
from bitduel.players.player import Player

encode = json.JSONEncoder(check_circular=False).encode
quoted = lru_cache(maxsize=1 << 12)(encode)
"""Texts that come again and again, or null."""


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


class Story(NamedTuple):
    """All that is told of a game besides its head."""

    id: str
    pairing: Pairing
    deal: str
    moves: list[str]
    outcome: Outcome
    fault: str | None
    scores: Scores
    luck: float | None
    players: tuple[Player, Player]
    seconds: tuple[float, float]

    def line(self, head: Head) -> str:
        """Its row, as json.dumps writes it but faster: lists of numbers look alike in Python and in JSON."""
        moves = '["' + '", "'.join(self.moves) + '"]' if head.plain and self.moves else encode(self.moves)
        winner, reason = self.outcome
        losses, (r1, r2), (d1, d2), (b1, b2), held = self.scores
        one, two = self.players
        tokens = [_tokens(one), _tokens(two)]
        faults = [getattr(one, "faults", None) or {}, getattr(two, "faults", None) or {}]
        told = (
            f'{{"id": "{self.id}", {head.begin}, "deal": {quoted(self.deal or None)}, "moves": {moves}, '
            f'"winner": {winner or "null"}, "reason": {quoted(reason)}, "fault": {quoted(self.fault)}, '
            f'"regret": [{r1}, {r2}], "decisions": [{d1}, {d2}], "blunders": [{b1}, {b2}], "held": {held or "null"}, '
            f'"losses": {_nulled(losses)}, "luck": {"null" if self.luck is None else self.luck}, '
            f'"tokens": {_nulled(tokens)}, "faults": {encode(faults) if any(faults) else "[{}, {}]"}, '
            f'"round": {self.pairing.round}, "swapped": {"true" if self.pairing.swapped else "false"}, '
            f'"seed": {head.seed}, "seconds": '
        )
        t1, t2 = self.seconds
        return f"{told}[{t1:.6f}, {t2:.6f}]}}"


def _tokens(player: Player) -> int | None:
    """How many tokens a player has used, of whatever kind; None where it does not say."""
    used = getattr(player, "tokens", None)
    return getattr(used, "total", used)


def _nulled(numbers: list[Any]) -> str:
    return f"{numbers}".replace("None", "null") if None in numbers else f"{numbers}"
