"""Luck apart from skill: what the deal explains of a result, and the score without it."""

from math import sqrt
from typing import Any, NamedTuple

from bitduel.arena.sure import Estimate, around
from bitduel.arena.tally import Dealt, Tally, Title


class Luck(NamedTuple):
    """One player's score in a game with a deal, as it was and with the luck of the deals taken out."""

    player: str
    games: int
    luck: float
    """The mean luck of the deals: how much likelier than usual they made a win, with perfect play on both sides."""
    share: float
    """So much of a deal's luck went into the results: about 1 between perfect players, less where luck is wasted."""
    explained: float
    """The part of the variance of the results that the deals explain, from 0 to 1."""
    score: Estimate
    adjusted: Estimate
    """The score that remains with even deals."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        return {**self._asdict(), "score": self.score.as_data(), "adjusted": self.adjusted.as_data()}


def luck(tally: Tally, title: Title) -> list[Luck]:
    """Everybody's luck in a game; nothing where nothing is dealt."""
    seats: dict[str, list[tuple[Dealt, int]]] = {}
    for pairing, book in tally.books.items():
        if pairing.title == title and book.dealt.games and pairing.one != pairing.two:
            seats.setdefault(pairing.one, []).append((book.dealt, 1))
            seats.setdefault(pairing.two, []).append((book.dealt, -1))
    found = [_of(name, parts) for name, parts in seats.items()]
    return sorted(found, key=lambda each: -each.adjusted.value)


def _of(player: str, parts: list[tuple[Dealt, int]]) -> Luck:
    """From all who sat so: the spread within each pairing, and how much of it goes with the luck of the deals."""
    games = sum(part.games for part, _ in parts)
    points = sum(part.points if sign > 0 else part.games - part.points for part, sign in parts)
    lucks = sum(sign * part.luck for part, sign in parts)
    results = sum(part.point_squares - part.points**2 / part.games for part, _ in parts)
    spread = sum(part.luck_squares - part.luck**2 / part.games for part, _ in parts)
    common = sum(part.products - part.points * part.luck / part.games for part, _ in parts)
    share = common / spread if spread > 0 else 0.0
    explained = min(1.0, common * share / results) if results > 0 else 0.0
    left = max(0.0, results * (1 - explained))
    plain, without = (sqrt(rest / max(1, games - used)) / sqrt(games) for rest, used in ((results, 1), (left, 2)))
    score = points / games
    return Luck(
        player=player,
        games=games,
        luck=lucks / games,
        share=share,
        explained=explained,
        score=around(score, plain, 0.0, 1.0),
        adjusted=around(score - share * lucks / games, without, 0.0, 1.0),
    )
