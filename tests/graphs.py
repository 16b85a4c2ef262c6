"""Games that are nothing but a graph: what holds for any game at all is tried on them."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from bitduel.core.game import Game, Number, Truth, Verdict


class Node(NamedTuple):
    node: Number


class Graph(Game[Node]):
    """Any game at all: where each move leads from each node (-1 for nowhere), and how each node stands."""

    slug, title, declared_options = "graph", "Graph", ()
    words = picture = observe = None  # type: ignore[assignment]

    def __init__(self, after: list[list[int]], verdicts: list[int]) -> None:
        super().__init__()
        self.after, self.verdicts = np.array(after), np.array(verdicts)

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.after.shape[1])))

    def start(self, deal: str = "") -> Node:
        return Node(0)

    def legal(self, position: Node, move: str) -> Truth:
        return (self.after[position.node, int(move)] >= 0) & (self.verdicts[position.node] == Verdict.OPEN)

    def play(self, position: Node, move: str) -> Node:
        return Node(self.after[position.node, int(move)])

    def verdict(self, position: Node) -> Number:
        return self.verdicts[position.node]

    @property
    def ranges(self) -> tuple[int, ...]:
        return (len(self.verdicts),)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Small graphs with loops, dead ends and several moves to one place."""
    size, moves = draw(st.integers(1, 25)), draw(st.integers(1, 4))
    nodes = st.integers(-1, size - 1)
    after = draw(st.lists(st.lists(nodes, min_size=moves, max_size=moves), min_size=size, max_size=size))
    verdicts = draw(st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 3]), min_size=size, max_size=size))
    return Graph(after, verdicts)
