"""Pairings: who plays whom, and who moves first; networkx finds the matching of least cost.

Costs are ordered: nobody gets a seat twice more often than the other, then nobody sits out twice, then nobody meets
the same opponent again, and only then do standings count.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

SEAT_COST, BYE_COST, REPEAT_COST, OFF_SCHEDULE_COST = 10**15, 10**13, 10**9, 10**6
SCORE_COST, NOISE = 10, 10
LAST_COST = 10**5
"""The cost of letting somebody sit out who is one place further up in the standings."""
FEW = 40
"""With more than these, only neighbours in the standings are candidates, as long as that costs nothing else."""
NEIGHBOURS = 12
NOBODY = 0
"""The place of the bye in a matching; ids of pupils begin with 1."""


class Entrant(NamedTuple):
    """A pupil to be paired."""

    id: int
    points: float = 0.0
    met: Mapping[int, int] = {}
    """How often this pupil has met others."""
    balance: int = 0
    """How many more times this pupil has moved first than second."""
    byes: int = 0
    slot: int = 0
    """The place in the schedule of a round robin."""


class Pairing(NamedTuple):
    """The pairs of a round, who moves first in front, and the pupil who has no opponent."""

    pairs: list[tuple[int, int]]
    odd: int | None


def pair_round(entrants: Sequence[Entrant], rng: Random, round_number: int = 1, scheduled: bool = False) -> Pairing:
    """Pair everybody, near in the standings; or by the schedule of a round robin, as far as pupils are here."""
    shuffled = rng.sample(list(entrants), len(entrants))
    shuffled.sort(key=lambda each: -each.points)
    ranks = {each.id: rank for rank, each in enumerate(shuffled)}
    by_id = {each.id: each for each in shuffled}
    slots = 1 + max((each.slot for each in entrants), default=0)
    noise = {each.id: rng.randrange(NOISE) for each in shuffled}

    def cost(one: Entrant, two: Entrant) -> int:
        price = SEAT_COST * (one.balance * two.balance > 0) + REPEAT_COST * one.met.get(two.id, 0)
        if scheduled:
            return price + OFF_SCHEDULE_COST * (not is_scheduled(one.slot, two.slot, slots, round_number))
        return price + SCORE_COST * int(2 * (one.points - two.points)) ** 2 + (noise[one.id] ^ noise[two.id])

    def bye_cost(one: Entrant) -> int:
        if scheduled:
            return BYE_COST * one.byes + OFF_SCHEDULE_COST * (not is_bye(one.slot, slots, round_number))
        return BYE_COST * one.byes + LAST_COST * (len(shuffled) - 1 - ranks[one.id])

    edges = _edges(shuffled, cost, bye_cost, NEIGHBOURS if len(shuffled) > FEW and not scheduled else len(shuffled))
    matching = _match(edges)
    if edges and (2 * len(matching) < len(shuffled) or sum(edges[pair] for pair in matching) >= REPEAT_COST):
        edges = _edges(shuffled, cost, bye_cost, len(shuffled))
        matching = _match(edges)
    pairs = [pair for pair in matching if NOBODY not in pair]
    odd = next((max(pair) for pair in matching if NOBODY in pair), None)
    prefers_first = {each.id: _begins(each.slot, slots, round_number) for each in shuffled} if scheduled else {}
    if not scheduled and len(shuffled) <= FEW:
        prefers_first = _look_ahead(by_id, pairs, odd)
    return Pairing([seat_pair(by_id[a], by_id[b], rng, prefers_first) for a, b in sorted(pairs)], odd)


def pair_free(entrants: Sequence[Entrant], refused: Iterable[tuple[int, int]], rng: Random) -> list[tuple[int, int]]:
    """Pair those who are free and near in the standings, except for pairs that are refused."""
    by_id = {each.id: each for each in entrants}
    without = {(min(pair), max(pair)) for pair in refused}
    ranked = sorted(entrants, key=lambda each: -each.points)
    edges = {
        (min(one.id, two.id), max(one.id, two.id)): SEAT_COST * (one.balance * two.balance > 0)
        + SCORE_COST * int(2 * (one.points - two.points)) ** 2
        + one.met.get(two.id, 0)
        for at, one in enumerate(ranked)
        for two in ranked[at + 1 : at + 1 + 2 * NEIGHBOURS]
    }
    matching = _match({pair: price for pair, price in edges.items() if pair not in without})
    return [seat_pair(by_id[a], by_id[b], rng) for a, b in sorted(matching)]


def seat_pair(one: Entrant, two: Entrant, rng: Random, prefers_first: Mapping[int, bool] = {}) -> tuple[int, int]:
    """Return two ids, first the one who moves first: who did so less often, or by preference, or by chance."""
    if one.balance != two.balance:
        return (one.id, two.id) if one.balance < two.balance else (two.id, one.id)
    begins = prefers_first.get(one.id, not prefers_first.get(two.id, rng.random() < 0.5))
    return (one.id, two.id) if begins else (two.id, one.id)


def is_scheduled(one: int, two: int, slots: int, round_number: int) -> bool:
    """Return whether two places meet in a round of the circle: the last of an even number meets who would sit out."""
    modulus, turn = _circle(slots, round_number)
    if slots % 2 == 0 and slots - 1 in (one, two):
        return min(one, two) == turn
    return (one + two) % modulus == 2 * turn % modulus


def is_bye(slot: int, slots: int, round_number: int) -> bool:
    """Return whether a place sits out in a round of the circle."""
    return slots % 2 == 1 and slot == _circle(slots, round_number)[1]


def _begins(slot: int, slots: int, round_number: int) -> bool:
    """Return whether a place moves first: so placed, everybody alternates from round to round."""
    modulus, turn = _circle(slots, round_number)
    distance = (slot - turn) % modulus
    if slot == modulus or distance == 0:
        return slot != modulus
    return distance % 2 == 1 if distance <= modulus // 2 else (modulus - distance) % 2 == 0


def _circle(slots: int, round_number: int) -> tuple[int, int]:
    modulus = max(1, slots - 1 if slots % 2 == 0 else slots)
    return modulus, (round_number - 1) % modulus


def _edges(
    ranked: Sequence[Entrant],
    cost: Callable[[Entrant, Entrant], int],
    bye_cost: Callable[[Entrant], int],
    reach: int,
) -> dict[tuple[int, int], int]:
    """Return the cost of each pair of neighbours within a reach, and of each bye where somebody has to sit out."""
    edges = {
        (min(one.id, two.id), max(one.id, two.id)): cost(one, two)
        for at, one in enumerate(ranked)
        for two in ranked[at + 1 : at + 1 + reach]
    }
    if len(ranked) % 2:
        edges |= {(NOBODY, each.id): bye_cost(each) for each in ranked}
    return edges


def _match(edges: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return the matching with most pairs, and among those the one of least cost."""
    import networkx  # which takes long to load, and sites without classes do not need it

    most = max(edges.values(), default=0) + 1
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, two, most - cost) for (one, two), cost in edges.items())
    return [(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph, maxcardinality=True)]


def _look_ahead(by_id: Mapping[int, Entrant], pairs: Sequence[tuple[int, int]], odd: int | None) -> dict[int, bool]:
    """Return who should move first so that the next round can be paired without repeats and with fair seats.

    A second matching, of pairs that have not met, says who could meet next; in a pair of the next round one has to
    move first now and the other second.
    """
    now = {frozenset(pair) for pair in pairs}
    edges = {
        (a, b): 0 for a in by_id for b in by_id if a < b and b not in by_id[a].met and frozenset((a, b)) not in now
    }
    if odd is not None:
        edges |= {(NOBODY, a): 0 for a in by_id if a != odd and not by_id[a].byes}
    following = {a: b for pair in _match(edges) for a, b in (pair, pair[::-1])}
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    begins: dict[int, bool] = {}

    def settle(pupil: int, value: bool) -> None:
        if pupil not in partner or pupil in begins:
            return
        begins[pupil], begins[partner[pupil]] = value, not value
        for each in (pupil, partner[pupil]):
            after = following.get(each, NOBODY)
            if after in partner and by_id[each].balance == by_id[after].balance == 0:
                settle(after, not begins[each])

    for pupil, other in partner.items():
        if by_id[pupil].balance != by_id[other].balance:
            settle(pupil, by_id[pupil].balance < by_id[other].balance)
    for pupil in partner:
        settle(pupil, True)
    return begins
