"""Luck apart from skill: what the deal explains of a result, and the score without it."""

from collections import defaultdict
from typing import Any, NamedTuple

from bitduel.arena.intervals import Estimate, Spread, open_wilson, share
from bitduel.arena.tally import Dealt, LuckSums, RunTally, Title

FEWEST_ROUNDS = 2
"""One round has one deal a seat: it cannot tell the luck of the deal from the play."""


class LuckShare(NamedTuple):
    """One player's score in a game with a deal, as it was and with the luck of the deals taken out."""

    player: str
    games: int
    luck: float
    """The mean luck of the deals: how much likelier than usual they made a win, with perfect play on both sides."""
    share: float
    """So much of a deal's luck went into the results: about 1 between perfect players, less where luck is wasted."""
    explained: float | None
    """The part of the variance of the results that the deals explain, from 0 to 1; None if too few games tell."""
    score: Estimate
    adjusted: Estimate
    """The score that remains with even deals."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        return {**self._asdict(), "score": self.score.as_data(), "adjusted": self.adjusted.as_data()}


class _Round(NamedTuple):
    """What somebody has of all games of a cluster, which share their deals: how many, points, luck."""

    games: float = 0.0
    points: float = 0.0
    luck: float = 0.0


def luck(tally: RunTally, title: Title) -> list[LuckShare]:
    """Everybody's luck in a game; nothing where nothing is dealt."""
    seats: dict[str, list[tuple[Dealt, int]]] = {}
    for pairing, book in tally.books.items():
        if pairing.title == title and book.dealt and pairing.one != pairing.two:
            seats.setdefault(pairing.one, []).append((book.dealt, 1))
            seats.setdefault(pairing.two, []).append((book.dealt, -1))
    found = [_of(name, parts) for name, parts in seats.items()]
    return sorted(found, key=lambda each: -each.adjusted.value)


def _of(player: str, parts: list[tuple[Dealt, int]]) -> LuckShare:
    """From all who sat so: the spread within each pairing, and how much of it goes with the luck of the deals."""
    lots = [_together(dealt) for dealt, _ in parts]
    results = sum(lot.point_squares - lot.points**2 / lot.games for lot in lots)
    spread = sum(lot.luck_squares - lot.luck**2 / lot.games for lot in lots)
    common = sum(lot.products - lot.points * lot.luck / lot.games for lot in lots)
    slope = common / spread if spread > 0 else 0.0
    rounds = _rounds(parts)
    games, lucks = sum(each.games for each in rounds), sum(each.luck for each in rounds)
    score = share([[(each.points, each.games) for each in rounds]])
    assert score is not None, "somebody who played has a score"
    return LuckShare(
        player=player,
        games=int(games),
        luck=lucks / games,
        share=slope,
        explained=min(1.0, common * slope / results) if len(rounds) >= FEWEST_ROUNDS and results > 0 else None,
        score=score,
        adjusted=_adjusted(rounds, score, slope, len(parts)),
    )


def _together(dealt: Dealt) -> LuckSums:
    found = LuckSums()
    for lot in dealt.values():
        found |= lot
    return found


def _rounds(parts: list[tuple[Dealt, int]]) -> list[_Round]:
    """What somebody has of each cluster, whoever the opponent and wherever they sat."""
    found: dict[int, _Round] = defaultdict(_Round)
    for dealt, sign in parts:
        for cluster, lot in dealt.items():
            games, points, lucks = found[cluster]
            own = lot.points if sign > 0 else lot.games - lot.points
            found[cluster] = _Round(games + lot.games, points + own, lucks + sign * lot.luck)
    return list(found.values())


def _adjusted(rounds: list[_Round], score: Estimate, slope: float, means: int) -> Estimate:
    """The score with the luck taken out, by what is left of the spread between rounds.

    Where seats were swapped on every deal, luck has taken itself out: then it is the score. Otherwise degrees of
    freedom go into the slope, and into the means within which it was found; and doubt about it counts as far as luck
    was uneven.
    """
    if not any(each.luck for each in rounds):
        return score
    count, games = len(rounds), sum(each.games for each in rounds)
    mean = sum(each.luck for each in rounds) / games
    value = min(1.0, max(0.0, score.value - slope * mean))
    uneven = sum((each.luck - mean * each.games) ** 2 for each in rounds)
    freedom = min(count - 2, int(games) - means - 1)
    if freedom < 1 or not uneven:
        return Estimate(value)
    left = sum((each.points - slope * each.luck - value * each.games) ** 2 for each in rounds)
    variance = left * count / freedom * (1 / games**2 + mean**2 / (uneven * count))
    return open_wilson(value, variance, Spread(variance, freedom, count))
