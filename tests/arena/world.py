"""Runs of a world of which everything is known, to see how often intervals hold the truth.

Two games: in one nothing is dealt; in the other every round has a deal that all its matches share, which favours a
seat, and suits some players more than others whoever they meet. How long matches are and how much is given away in
them differs from match to match.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from math import exp
from random import Random
from typing import NamedTuple

from arena.synthetic_rows import row
from bitduel.arena.game_record import GameRecord
from bitduel.arena.intervals import Estimate
from bitduel.arena.measures import luck_shares, measure
from bitduel.arena.strength import fit_strengths
from bitduel.arena.tally import EMPTY_CELL, Clusters, Result, RunTally, SeatedPair

OPEN, DEALT = ("open", ()), ("dealt", ())
DEALS = 8
DAYS = (0.2, 1.0, 1.8)
MANY = 1e7


class Player(NamedTuple):
    """How strong somebody is, how much a deal can suit them, and how often they give how much away."""

    strength: float
    style: float = 0.0
    blunders: float = 0.2
    cost: float = 0.5


Players = dict[str, Player]
FIVE: Players = {
    "ada": Player(1.5, 0.4, 0.0),
    "ben": Player(0.5, 0.8, 0.05, 1.0),
    "cem": Player(0.0, 0.0, 0.2, 0.3),
    "dee": Player(-0.5, 1.2, 0.4),
    "eve": Player(-1.5, 0.2, 0.7, 0.8),
}
TWO: Players = {"ada": Player(0.6, 0.8, 0.02, 1.0), "ben": Player(-0.4, 0.4, 0.3)}
PLAIN = row()


def games(
    players: Players, titles: tuple[str, ...], rounds: int, rng: Random, paired: bool = True
) -> Iterator[GameRecord]:
    """The matches of a run, seats swapped or not."""
    for round_ in range(rounds):
        for title in titles:
            deal = rng.randrange(DEALS) if title == "dealt" else None
            for one, two in combinations(players, 2):
                for swapped in (False, True) if paired else (rng.random() < 0.5,):
                    seats = [two, one] if swapped else [one, two]
                    yield _game(players, title, seats, deal, rng)._replace(round=round_, swapped=swapped)


def _luck(deal: int | None) -> float:
    return 0.0 if deal is None else 0.35 * (1 if deal % 2 else -1)


def _suits(player: Player, name: str, deal: int | None) -> float:
    """Much, or little: for every deal and player, known by their names."""
    return 0.0 if deal is None else player.style * (1 if (deal + ord(name[0])) % DEALS < DEALS // 2 else -1)


def _weights(players: Players, seats: list[str], deal: int | None) -> tuple[float, float, float]:
    """How likely the first wins, the match is drawn, and the second wins."""
    first, second = (players[name] for name in seats)
    chances = first.strength + _suits(first, seats[0], deal) - second.strength - _suits(second, seats[1], deal)
    chances += 0.3 + 4 * _luck(deal)
    return exp(chances / 2), 0.4, exp(-chances / 2)


def _game(players: Players, title: str, seats: list[str], deal: int | None, rng: Random) -> GameRecord:
    first, second = (players[name] for name in seats)
    played = [_play(player, deal, rng) for player in (first, second)]
    return PLAIN._replace(
        game=title,
        options={},
        seats=seats,
        winner=rng.choices([1, None, 2], _weights(players, seats, deal))[0],
        deal=None if deal is None else str(deal),
        luck=None if deal is None else _luck(deal),
        decisions=[decisions for decisions, _, _ in played],
        blunders=[blunders for _, blunders, _ in played],
        regret=[lost for _, _, lost in played],
        held=[[decisions - blunders, decisions] for decisions, blunders, _ in played],
    )


def _play(player: Player, deal: int | None, rng: Random) -> tuple[int, int, float]:
    """Decisions, blunders and what they gave away; on a bad day and a bad deal more, and rarely a very long match."""
    decisions = 200 if rng.random() < 0.01 else rng.randrange(6)
    often = _often(player, deal, rng.choice(DAYS))
    blunders = sum(rng.random() < often for _ in range(decisions))
    return decisions, blunders, blunders * player.cost


def _often(player: Player, deal: int | None, day: float) -> float:
    return min(1.0, player.blunders * day * (1.5 if deal and deal > 4 else 1.0))


Named = dict[tuple[str, str], Estimate]


def measured(rows: Iterator[GameRecord]) -> Named:
    """Every estimate that a report prints, by its kind and player."""
    found = RunTally(rows)
    estimates: dict[tuple[str, str], Estimate | None] = {}
    for each in measure(found):
        standing, play = each.standing, each.play
        kinds = {"score": standing.score, "wins as first": standing.wins[0], "wins as second": standing.wins[1]}
        kinds |= {"regret": play.regret_per_decision, "blunders": play.blunder_rate, "kept": play.won_positions_kept}
        estimates |= {(kind, each.player): estimate for kind, estimate in kinds.items()}
    strong = fit_strengths(found.clusters())
    estimates |= {("strength", each.player): each.points for each in strong.players}
    estimates |= {("first seat", title[0]): estimate for title, estimate in strong.first_seat.items()}
    best = strong.players[0].player
    estimates |= {(f"behind {best}", name): lead for name, lead in strong.lead.items() if name != best}
    for each_luck in luck_shares(found, DEALT):
        estimates["luck score", each_luck.player] = each_luck.score
        estimates["luck adjusted", each_luck.player] = each_luck.adjusted
    return {key: estimate for key, estimate in estimates.items() if estimate}


class World(NamedTuple):
    """Who plays what, and whether seats are swapped."""

    name: str
    players: Players
    titles: tuple[str, ...]
    paired: bool = True

    def run(self, rounds: int, rng: Random) -> Named:
        """What is measured in a run of so many rounds."""
        return measured(games(self.players, self.titles, rounds, rng, self.paired))


WORLDS = [
    World("five, both games", FIVE, ("open", "dealt")),
    World("five, nothing dealt", FIVE, ("open",)),
    World("five, all dealt", FIVE, ("dealt",)),
    World("two, both games", TWO, ("open", "dealt")),
    World("two, nothing dealt", TWO, ("open",)),
    World("two, all dealt", TWO, ("dealt",)),
    World("two, seats not swapped", TWO, ("dealt",), paired=False),
]


@cache
def truth(name: str) -> dict[tuple[str, str], float]:
    """What endlessly many rounds come to: exactly, from all deals and ways to sit."""
    world = next(world for world in WORLDS if world.name == name)
    clusters: Clusters = {}
    for title in world.titles:
        deals = range(DEALS) if title == "dealt" else [None]
        for seats in permutations(world.players, 2):
            cell = EMPTY_CELL[:]
            for deal in deals:
                weights = _weights(world.players, list(seats), deal)
                for result, weight in zip((Result.WON, Result.DRAWN, Result.LOST), weights, strict=True):
                    cell[result] += MANY * weight / sum(weights) / len(deals)
            pairing = SeatedPair((title, ()), *seats)
            clusters.setdefault((pairing.title, frozenset(seats)), {0: {}})[0][pairing] = cell
    return {**_true_points(world, clusters), **_true_play(world), **_true_strengths(clusters)}


def _true_points(world: World, clusters: Clusters) -> dict[tuple[str, str], float]:
    cells = [each for stratum in clusters.values() for each in stratum[0].items()]
    found: dict[tuple[str, str], float] = {}
    for player in world.players:
        ways = {seat: [cell for pairing, cell in cells if pairing[1 + seat] == player] for seat in (0, 1)}
        for seat, kind in enumerate(("wins as first", "wins as second")):
            found[kind, player] = sum(cell[2 * seat] for cell in ways[seat]) / MANY / len(ways[seat])
        points = [cell[2 * seat] + cell[1] / 2 for seat in (0, 1) for cell in ways[seat]]
        found["score", player] = sum(points) / MANY / len(points)
        dealt = [cell[2 * (p.two == player)] + cell[1] / 2 for p, cell in cells if player in p[1:] and p.title == DEALT]
        if dealt:
            found["luck score", player] = found["luck adjusted", player] = sum(dealt) / MANY / len(dealt)
    return found


def _true_play(world: World) -> dict[tuple[str, str], float]:
    """Every match with a decision counts alike, and how many it has says nothing of how well they are made."""
    found: dict[tuple[str, str], float] = {}
    for name, player in world.players.items():
        shares = []
        for title in world.titles:
            deals = range(DEALS) if title == "dealt" else [None]
            often = [_often(player, deal, day) for deal in deals for day in DAYS]
            shares.append(sum(often) / len(often))
        blunders = sum(shares) / len(shares)
        found |= {("blunders", name): blunders, ("regret", name): blunders * player.cost, ("kept", name): 1 - blunders}
    return found


def _true_strengths(clusters: Clusters) -> dict[tuple[str, str], float]:
    found = fit_strengths(clusters)
    points = {("strength", each.player): each.points.value for each in found.players}
    return points | {("first seat", title[0]): seat.value for title, seat in found.first_seat.items()}


def coverage(world: World, rounds: int, runs: int) -> dict[tuple[str, str], tuple[int, int]]:
    """For each kind of estimate and player, how many intervals held the truth, and how many there were."""
    known, rng = truth(world.name), Random(f"{world.name} {rounds}")
    strength = {player: value for (kind, player), value in known.items() if kind == "strength"}
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for _ in range(runs):
        for (kind, player), estimate in world.run(rounds, rng).items():
            if estimate.low is None or estimate.high is None:
                continue
            best = kind.removeprefix("behind ")
            value = strength[best] - strength[player] if best != kind else known[kind, player]
            key = ("behind", "anybody") if best != kind else (kind, player)
            inside, printed = found.get(key, (0, 0))
            found[key] = inside + (estimate.low - 1e-9 <= value <= estimate.high + 1e-9), printed + 1
    return found
