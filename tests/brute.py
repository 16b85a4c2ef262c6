"""A second, naive implementation of the five games, written from their rulebooks to check the real one.

Nothing is clever here: bits are strings, neighbours are listed, players are absolute seats 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Value = int | str
Result = tuple[int | None, str]
View = tuple[object, ...]
Verdict = tuple[str, int | None]

OTHER = {1: 2, 2: 1}
STEPS = (1, 2, 4, 8, 16)
DEFAULTS: dict[str, dict[str, Value]] = {
    "binary-race-64": {"start": 1, "target": 64, "step": 2},
    "double-or-nothing": {"start": 1, "target": 20, "step": 1},
    "binary-race-bits": {"bits": 4, "first_move": "turn", "edge": "open", "repetition": 3},
    "binary-battle": {"bits": 5, "secret": "", "table": "hidden"},
    "binary-race-31": {"length": 31, "finish": "sample"},
}
CHOICES = {
    "first_move": ("turn", "game", "flip", "empty"),
    "edge": ("open", "strict"),
    "table": ("hidden", "open"),
    "finish": ("sample", "any", "exact"),
}


def pick(pair: tuple[str, str], seat: int) -> str:
    """Return what belongs to one seat of a pair of rows."""
    return pair[0] if seat == 1 else pair[1]


def put(pair: tuple[str, str], seat: int, row: str) -> tuple[str, str]:
    """Return the pair of rows with one seat's row replaced."""
    return (row, pair[1]) if seat == 1 else (pair[0], row)


def write(row: str, position: int, bit: str) -> str:
    """Return the row with the bit at a position (counted from 1, from the left) replaced."""
    cells = list(row)
    cells[position - 1] = bit
    return "".join(cells)


def read(row: str, position: int) -> str:
    """Return the bit at a position, counted from 1, from the left."""
    return row[position - 1]


def positions(row: str) -> list[int]:
    """Return the bit positions of a row, from left to right."""
    return list(range(1, len(row) + 1))


def neighbours(row: str, position: int) -> list[int]:
    """Return the positions next to a position: two inside the row, one at an edge."""
    return [near for near in (position - 1, position + 1) if near in positions(row)]


@dataclass(frozen=True)
class Numbers:
    """binary-race-64 and double-or-nothing: one shared number."""

    total: int
    target: int
    step: int
    mover: int

    def result(self) -> Result | None:
        """Tell whether the last move hit the target or went past it."""
        if self.total == self.target:
            return OTHER[self.mover], "exact"
        if self.total > self.target:
            return self.mover, "exceeded"
        return None

    def legal(self) -> list[str]:
        """Return both operations: overshooting is allowed, and loses."""
        return ["add", "double"]

    def after(self, move: str) -> Numbers:
        """Return the state after an operation."""
        total = self.total + self.step if move == "add" else self.total + self.total
        return replace(self, total=total, mover=OTHER[self.mover])

    def view(self) -> View:
        """Return what the player to move has before them."""
        return (self.total,)


@dataclass(frozen=True)
class Bits:
    """binary-race-bits: two rows, and who has had a turn and who has flipped so far."""

    rows: tuple[str, str]
    mover: int
    first_move: str
    edge: str
    acted: frozenset[int] = frozenset()
    flipped: frozenset[int] = frozenset()

    def exception(self, seat: int) -> bool:
        """Tell whether a seat could use the first-move exception if it were to move now."""
        if self.first_move == "game":
            return len(self.acted) == 0 and seat == self.mover
        if self.first_move == "turn":
            return seat not in self.acted
        if self.first_move == "flip":
            return seat not in self.flipped
        return "1" not in pick(self.rows, seat)

    def can_flip(self, seat: int, position: int) -> bool:
        """Tell whether a seat may turn on one of its own bits."""
        row = pick(self.rows, seat)
        if read(row, position) == "1":
            return False
        return self.exception(seat) or any(read(row, near) == "1" for near in neighbours(row, position))

    def can_reset(self, seat: int, position: int) -> bool:
        """Tell whether a seat may turn off one of the other seat's bits."""
        row = pick(self.rows, OTHER[seat])
        if read(row, position) == "0":
            return False
        around = [read(row, near) for near in neighbours(row, position)]
        return around != ["1", "1"] and (self.edge == "open" or around != ["1"])

    def actions(self, seat: int) -> list[str]:
        """Return the flips, then the resets, open to a seat."""
        places = positions(self.rows[0])
        flips = [f"flip {place}" for place in places if self.can_flip(seat, place)]
        resets = [f"reset {place}" for place in places if self.can_reset(seat, place)]
        return flips + resets

    def result(self) -> Result | None:
        """Tell whether a row is full or neither player can move."""
        for seat in (1, 2):
            if "0" not in pick(self.rows, seat):
                return seat, "all-ones"
        if not self.actions(1) and not self.actions(2):
            return None, "stalemate"
        return None

    def legal(self) -> list[str]:
        """Return the actions of the player to move, or the pass if there is none."""
        return self.actions(self.mover) or ["pass"]

    def after(self, move: str) -> Bits:
        """Return the state after an action or a pass."""
        rows, flipped = self.rows, self.flipped
        if move.startswith("flip "):
            rows = put(rows, self.mover, write(pick(rows, self.mover), int(move[5:]), "1"))
            flipped = flipped | {self.mover}
        elif move.startswith("reset "):
            foe = OTHER[self.mover]
            rows = put(rows, foe, write(pick(rows, foe), int(move[6:]), "0"))
        acted = self.acted | {self.mover}
        return replace(self, rows=rows, mover=OTHER[self.mover], acted=acted, flipped=flipped)

    def view(self) -> View:
        """Return own row, other row and the exceptions left, as the player to move sees them."""
        me, foe = self.mover, OTHER[self.mover]
        return pick(self.rows, me), pick(self.rows, foe), self.exception(me), self.exception(foe)


@dataclass(frozen=True)
class Battle:
    """binary-battle: two rows and the secret."""

    rows: tuple[str, str]
    secret: str
    mover: int
    begun: bool = False

    def result(self) -> Result | None:
        """Tell whether the last move matched the secret: the rows before the first turn do not count."""
        last = OTHER[self.mover]
        if self.begun and pick(self.rows, last) == self.secret:
            return last, "match"
        return None

    def legal(self) -> list[str]:
        """Return every bit: all can be toggled, always."""
        return [f"toggle {place}" for place in positions(self.secret)]

    def after(self, move: str) -> Battle:
        """Return the state after a toggle."""
        row, place = pick(self.rows, self.mover), int(move[7:])
        row = write(row, place, {"0": "1", "1": "0"}[read(row, place)])
        return replace(self, rows=put(self.rows, self.mover, row), mover=OTHER[self.mover], begun=True)

    def view(self) -> View:
        """Return own row, other row and the secret."""
        return pick(self.rows, self.mover), pick(self.rows, OTHER[self.mover]), self.secret


@dataclass(frozen=True)
class Track:
    """binary-race-31: two tokens on a track."""

    first: int
    second: int
    mover: int
    length: int
    finish: str

    def place(self, seat: int) -> int:
        """Return where a seat's token stands."""
        return self.first if seat == 1 else self.second

    def result(self) -> Result | None:
        """Tell whether a token has reached or passed the end."""
        for seat in (1, 2):
            if self.place(seat) >= self.length:
                return seat, "finish"
        return None

    def allowed(self, step: int) -> bool:
        """Tell whether the reading of the last moves lets the player to move take a step."""
        place = self.place(self.mover)
        if self.finish == "exact":
            return place + step <= self.length
        if self.finish == "any" or place + 3 < self.length:
            return True
        finishing = [other for other in STEPS if place + other >= self.length]
        return step <= min(finishing)

    def legal(self) -> list[str]:
        """Return the steps open to the player to move."""
        return [str(step) for step in STEPS if self.allowed(step)]

    def after(self, move: str) -> Track:
        """Return the state after a step."""
        place = self.place(self.mover) + int(move)
        if self.mover == 1:
            return replace(self, first=place, mover=2)
        return replace(self, second=place, mover=1)

    def view(self) -> View:
        """Return own place and the other's."""
        return self.place(self.mover), self.place(OTHER[self.mover])


State = Numbers | Bits | Battle | Track


def settings(slug: str, options: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return all options of a game, the given ones in the place of the defaults."""
    chosen = dict(DEFAULTS[slug])
    for name, value in (options or {}).items():
        key = name.replace("-", "_")
        if key not in chosen:
            raise ValueError(f"{slug} has no option {name}")
        if key in CHOICES and value not in CHOICES[key]:
            raise ValueError(f"{name} cannot be {value}")
        chosen[key] = int(value) if isinstance(chosen[key], int) else str(value)
    return chosen


def initial(slug: str, options: Mapping[str, Value] | None = None, deal: str | None = None, first: int = 1) -> State:
    """Return the start of a game; the deal is the secret of binary-battle."""
    chosen = settings(slug, options)
    if slug in ("binary-race-64", "double-or-nothing"):
        if int(chosen["start"]) >= int(chosen["target"]):
            raise ValueError("the start must be below the target")
        return Numbers(int(chosen["start"]), int(chosen["target"]), int(chosen["step"]), first)
    if slug == "binary-race-31":
        return Track(0, 0, first, int(chosen["length"]), str(chosen["finish"]))
    row = "0" * int(chosen["bits"])
    if slug == "binary-race-bits":
        return Bits((row, row), first, str(chosen["first_move"]), str(chosen["edge"]))
    secret = str(chosen["secret"]) if deal is None else deal
    if len(secret) != len(row) or not set(secret) <= {"0", "1"}:
        raise ValueError(f"the secret must be {len(row)} bits, not {secret!r}")
    return Battle((row, row), secret, first)


def result(state: State) -> Result | None:
    """Return winner (None for a draw) and reason, or None while the game goes on."""
    return state.result()


def moves(state: State) -> list[str]:
    """Return the legal moves in order; none once the game is over."""
    return [] if state.result() is not None else state.legal()


def apply(state: State, move: str) -> State:
    """Return the state after a legal move."""
    if move not in moves(state):
        raise ValueError(f"illegal move: {move}")
    return state.after(move)


def view(state: State) -> View:
    """Return the position as the player to move sees it, whatever the players are called."""
    return state.view()


def reachable(start: State) -> set[State]:
    """Return every state that play can reach, the start and finished ones included."""
    found = {start}
    waiting = [start]
    while waiting:
        state = waiting.pop(0)
        for move in moves(state):
            then = apply(state, move)
            if then not in found:
                found.add(then)
                waiting.append(then)
    return found


def count_positions(slug: str, deal: str | None = None, **options: Value) -> int:
    """Return how many positions play can reach, counting a swap of the players' names once."""
    return len({view(state) for state in reachable(initial(slug, options, deal))})


def count_finished(slug: str, deal: str | None = None, **options: Value) -> int:
    """Return how many of the positions that play can reach are finished."""
    states = reachable(initial(slug, options, deal))
    return len({view(state) for state in states if result(state) is not None})


def count_sequences(state: State, plies: int) -> tuple[int, int]:
    """Return how many ways there are to go on for exactly so many plies, and how many then are finished."""
    if plies == 0:
        return 1, int(result(state) is not None)
    counts = [count_sequences(apply(state, move), plies - 1) for move in moves(state)]
    return sum(ways for ways, _ in counts), sum(ended for _, ended in counts)


def games_by_length(slug: str, depth: int, deal: str | None = None, **options: Value) -> list[tuple[int, int]]:
    """Return for each length from 0 to depth the number of move sequences and of finished games."""
    start = initial(slug, options, deal)
    return [count_sequences(start, plies) for plies in range(depth + 1)]


def ending(state: State) -> Verdict | None:
    """Return the verdict on a finished state for the player to move."""
    over = result(state)
    if over is None:
        return None
    winner = over[0]
    if winner is None:
        return "draw", None
    return "win" if winner == state.mover else "loss", 0


def successors(states: set[State]) -> dict[View, set[View]]:
    """Return which positions follow which, and make sure that the players' names do not matter."""
    graph: dict[View, set[View]] = {}
    for state in states:
        then = {view(apply(state, move)) for move in moves(state)}
        if graph.setdefault(view(state), then) != then:
            raise AssertionError(f"same view, different future: {state}")
    return graph


def plies_of(kind: str, known: list[Verdict | None]) -> list[int]:
    """Return the plies of all known verdicts of one kind."""
    return [one[1] for one in known if one is not None and one[0] == kind and one[1] is not None]


def judge(known: list[Verdict | None]) -> Verdict | None:
    """Return the verdict on a position from those on the positions that follow, as far as known."""
    lost, won = plies_of("loss", known), plies_of("win", known)
    if lost:
        return "win", 1 + min(lost)
    if len(won) == len(known):
        return "loss", 1 + max(won)
    return None


def solve(slug: str, **options: Value) -> dict[View, Verdict]:
    """Return for every reachable position win, draw or loss for the mover, and in how many plies."""
    states = reachable(initial(slug, options))
    graph = successors(states)
    ends = {view(state): ending(state) for state in states}
    table = dict(ends)
    while True:
        better = {here: ends[here] or judge([table[then] for then in graph[here]]) for here in graph}
        if better == table:
            return {here: known or ("draw", None) for here, known in table.items()}
        table = better


def verdict(slug: str, **options: Value) -> Verdict:
    """Return the verdict on the start of a game."""
    return solve(slug, **options)[view(initial(slug, options))]
