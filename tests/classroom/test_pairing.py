"""Pairings: everybody plays one other, seats are fair, and nobody is met again while that can be avoided."""

from collections import Counter
from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitduel.classroom.pairing import Entrant, Pairing, pair_free, pair_round


class Tournament:
    """Pupils who come and go, and everything that has happened to them."""

    def __init__(self, size: int, seed: int) -> None:
        self.rng = Random(seed)
        self.here = list(range(1, size + 1))
        self.slots = {pupil: slot for slot, pupil in enumerate(self.rng.sample(self.here, size))}
        self.points: Counter[int] = Counter()
        self.balance: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.met: dict[int, Counter[int]] = {pupil: Counter() for pupil in self.here}

    def arrive(self) -> None:
        pupil = len(self.met) + 1
        self.met[pupil] = Counter()
        self.here.append(pupil)
        self.slots[pupil] = len(self.slots)

    def leave(self) -> None:
        self.here.remove(self.rng.choice(self.here))

    def entrants(self) -> list[Entrant]:
        return [
            Entrant(
                each, self.points[each], dict(self.met[each]), self.balance[each], self.byes[each], self.slots[each]
            )
            for each in self.here
        ]

    def play(self, number: int, scheduled: bool = False) -> Pairing:
        """Pair a round, check that it is legal, and let chance decide the matches."""
        pairing = pair_round(self.entrants(), self.rng, number, scheduled)
        everybody = [pupil for pair in pairing.pairs for pupil in pair] + [pairing.odd] * (pairing.odd is not None)
        assert sorted(filter(None, everybody)) == sorted(self.here)
        for first, second in pairing.pairs:
            self.met[first][second] += 1
            self.met[second][first] += 1
            self.balance[first] += 1
            self.balance[second] -= 1
            self.points[self.rng.choice((first, second))] += 1
        if pairing.odd:
            self.byes[pairing.odd] += 1
            self.points[pairing.odd] += 1
        return pairing

    def could_pair(self, with_repeats: bool) -> bool:
        """Whether a pairing exists in which nobody's seats get more uneven, nobody sits out again, and none repeats."""
        graph = networkx.Graph()
        fewest = min(self.byes[each] for each in self.here)
        for a in self.here:
            if len(self.here) % 2 and self.byes[a] == fewest:
                graph.add_edge(a, 0)
            for b in self.here:
                if a < b and self.balance[a] * self.balance[b] <= 0 and (with_repeats or not self.met[a][b]):
                    graph.add_edge(a, b)
        return 2 * len(networkx.max_weight_matching(graph)) == len(self.here) + len(self.here) % 2


@given(st.integers(2, 24), st.integers(0, 10**6))
def test_everybody_meets_everybody_once_in_a_round_robin(size: int, seed: int) -> None:
    tournament = Tournament(size, seed)
    for number in range(1, size + size % 2):
        tournament.play(number, scheduled=True)
        assert max(map(abs, tournament.balance.values())) <= 1
    assert all(tournament.met[a][b] == 1 for a in tournament.here for b in tournament.here if a != b)
    assert set(tournament.byes.values()) <= {1}


@given(st.integers(2, 24), st.integers(0, 10**6))
def test_swiss_rounds_repeat_nothing_and_share_the_seats(size: int, seed: int) -> None:
    tournament = Tournament(size, seed)
    for number in range(1, (size + 1) // 2 + 1):
        tournament.play(number)
        assert max(map(abs, tournament.balance.values())) <= 1
        assert max(max(met.values(), default=0) for met in tournament.met.values()) <= 1
    assert max(tournament.byes.values(), default=0) <= 1


@given(st.integers(2, 30), st.integers(0, 10**6), st.lists(st.sampled_from(["", "", "+", "-", "+-"]), max_size=12))
def test_nothing_is_uneven_or_repeated_while_that_can_be_avoided(size: int, seed: int, changes: list[str]) -> None:
    tournament = Tournament(size, seed)
    for number, change in enumerate(changes, 1):
        if "+" in change:
            tournament.arrive()
        if "-" in change and len(tournament.here) > 2:
            tournament.leave()
        fair, fresh = tournament.could_pair(with_repeats=True), tournament.could_pair(with_repeats=False)
        before = {pupil: Counter(met) for pupil, met in tournament.met.items()}
        uneven = {pupil for pupil, balance in tournament.balance.items() if abs(balance) > 1}
        byes = Counter(tournament.byes)
        pairing = tournament.play(number)
        if fair:
            assert {pupil for pupil, balance in tournament.balance.items() if abs(balance) > 1} <= uneven
            if pairing.odd:
                assert byes[pairing.odd] == min(byes[each] for each in tournament.here)
        if fresh:
            assert not [pair for pair in pairing.pairs if before[pair[0]][pair[1]]]


@pytest.mark.thorough
@given(st.integers(41, 200), st.integers(0, 10**6))
@settings(max_examples=15)
def test_large_classes_are_paired_as_well(size: int, seed: int) -> None:
    tournament = Tournament(size, seed)
    for number in range(1, 8):
        if number % 3 == 0:
            tournament.arrive()
            tournament.leave()
        tournament.play(number)
    assert max(map(abs, tournament.balance.values())) <= 1
    assert max(max(met.values(), default=0) for met in tournament.met.values()) <= 1


def test_winners_meet_winners() -> None:
    entrants = [Entrant(pupil, points=float(pupil > 4)) for pupil in range(1, 9)]
    for pair in pair_round(entrants, Random(1)).pairs:
        assert len({pupil > 4 for pupil in pair}) == 1


def test_the_last_in_the_standings_sits_out_first() -> None:
    entrants = [Entrant(pupil, points=float(pupil)) for pupil in range(1, 6)]
    assert pair_round(entrants, Random(1)).odd == 1
    entrants[0] = entrants[0]._replace(byes=1)
    assert pair_round(entrants, Random(1)).odd == 2


def test_those_who_are_free_are_paired_unless_that_is_refused() -> None:
    entrants = [Entrant(1, 3), Entrant(2, 3), Entrant(3, 0), Entrant(4, 0)]
    assert {frozenset(pair) for pair in pair_free(entrants, [], Random(1))} == {frozenset((1, 2)), frozenset((3, 4))}
    assert all(set(pair) != {1, 2} for pair in pair_free(entrants, [(2, 1)], Random(1)))
    assert pair_free(entrants[:2], [(1, 2)], Random(1)) == []
    assert pair_free(entrants[:1], [], Random(1)) == []
