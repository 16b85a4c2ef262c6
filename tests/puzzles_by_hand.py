"""What is right at a position, found a second time by trying everything; nothing of the package's solver is used.

Open games are tried by the naive rules of brute.py, and the two tables of the race in the dark by hand. Each answer is
a worth for every move, the higher the better, and each sight says which moves look best to somebody who sees so far.
"""

from collections.abc import Callable, Mapping
from functools import cache

from bitduel.games.binary_battle.equilibrium import Equilibrium
from brute import State, initial, moves, result, solve, view
from brute import apply as played

Worth = tuple[int, int]
"""Two for a win, one for a draw, nothing for a loss; then the sooner a win and the later a loss the better."""

FAR = 10_000
SIGHTS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27)
LUCK = 1 / 8
DEEP = 20_000
"""So deep these look into a match; whoever uses them makes room for it, and puts it back."""


def stand(slug: str, options: Mapping[str, int | str], made: tuple[str, ...]) -> State:
    """The state after some moves."""
    chosen = {name.replace("-", "_"): value for name, value in options.items()}
    state = initial(slug, chosen)
    for move in made:
        state = played(state, move)
    return state


class Tree:
    """Worths of the moves of one open game without loops, by looking at everything below a state once."""

    def __init__(self) -> None:
        self.known: dict[State, tuple[int, int]] = {}

    def worths(self, state: State) -> dict[str, tuple[int, int]]:
        """For every move 1, 0 or -1 for the player who makes it, and the plies to the end."""
        return {move: _turned(self.value(played(state, move))) for move in moves(state)}

    def value(self, state: State) -> tuple[int, int]:
        """The same for the player to move."""
        if state not in self.known:
            over = result(state)
            if over is not None:
                self.known[state] = (0 if over[0] is None else 1 if over[0] == state.mover else -1, 0)
            else:
                self.known[state] = max(self.worths(state).values(), key=_rank)
        return self.known[state]


class Loops:
    """The same of a game in which positions come again: all states at once, by brute.py."""

    def __init__(self, slug: str, options: Mapping[str, int | str]) -> None:
        self.table = solve(slug, **{name.replace("-", "_"): value for name, value in options.items()})

    def worths(self, state: State) -> dict[str, tuple[int, int]]:
        """For every move 1, 0 or -1 for the player who makes it, and the plies to the end."""
        told = {move: self.table[view(played(state, move))] for move in moves(state)}
        return {
            move: _turned(({"win": 1, "draw": 0, "loss": -1}[kind], plies or 0)) for move, (kind, plies) in told.items()
        }


def _turned(value: tuple[int, int]) -> tuple[int, int]:
    return -value[0], value[1] + 1 if value[0] else 0


def _rank(worth: tuple[int, int]) -> tuple[int, int]:
    return worth[0], -worth[0] * worth[1]


def answer(worths: Mapping[str, tuple[int, int]]) -> tuple[str, list[str]]:
    """What is asked, and all right answers."""
    top = max(worths.values(), key=_rank)
    if top[0] >= 0:
        return ("win" if top[0] else "draw"), [move for move, worth in worths.items() if worth[0] == top[0]]
    return "defend", [move for move, worth in worths.items() if worth == top]


def grade(worths: Mapping[str, tuple[int, int]], right: list[str]) -> int:
    """The grade: who sees so far takes an end beyond for neither good nor bad, and chooses by lot."""
    return _grade(lambda sight: {m: _rank(w) if w[0] and w[1] <= sight else (0, 0) for m, w in worths.items()}, right)


def _grade(look: Callable[[int], Mapping[str, object]], right: list[str]) -> int:
    lost = 0.0
    for sight in SIGHTS:
        seen = look(sight)
        top = max(seen.values())  # type: ignore[type-var]
        best = [move for move, worth in seen.items() if worth == top or _near(worth, top)]
        lost += sum(move not in right for move in best) / len(best)
    return 1 if lost < 1e-9 else min(7, 2 + int(lost + 1e-9))


def _near(one: object, other: object) -> bool:
    return isinstance(one, float) and isinstance(other, float) and abs(one - other) < 1e-9


def dark_grade(bits: int, number: int, low: int, high: int, right: list[str]) -> int:
    """The grade where something is hidden: who sees so far counts the secrets that can be hit in time."""
    return _grade(lambda sight: _hits(bits, number, low, high, (sight + 1) // 2), right)


def _hits(bits: int, number: int, low: int, high: int, turns: int) -> dict[str, float]:
    return {f"toggle {p}": _arrive(bits, number ^ 1 << bits - p, low, high, turns) for p in range(1, bits + 1)}


def _arrive(bits: int, number: int, low: int, high: int, turns: int) -> float:
    if not low <= number <= high:
        return (1 - LUCK) * _most(bits, number, low, high, turns - 1)
    below, above = _most(bits, number, low, number - 1, turns - 1), _most(bits, number, number + 1, high, turns - 1)
    return 1 + (1 - LUCK) * (below + above)


@cache
def _most(bits: int, number: int, low: int, high: int, turns: int) -> float:
    if not turns or low > high:
        return 0.0
    return max(_hits(bits, number, low, high, turns).values())


class Dark:
    """Chances against an opponent who plays the equilibrium and shows nothing."""

    def __init__(self, game: Equilibrium, chances: Callable[[Equilibrium, int, int], list[float]]) -> None:
        self.bits, size = game.bits, 1 << game.bits
        hits = {seat: [chances(game, seat, secret) for secret in range(size)] for seat in (1, 2)}
        self.left = {seat: [_still_there(row) for row in hits[3 - seat]] for seat in (1, 2)}
        self.cached = cache(self._best)

    def _alone(self, seat: int, turn: int, secret: int) -> float:
        """How likely the opponent has not hit the secret before one's own turn."""
        row, turns = self.left[seat][secret], turn - 1 if seat == 1 else turn
        return row[min(turns, len(row) - 1)]

    def chances(self, seat: int, turn: int, number: int, low: int, high: int) -> dict[str, float]:
        """How often every toggle wins, the match going on."""
        mass = sum(self._alone(seat, turn, secret) for secret in range(low, high + 1))
        worths = {p: self._after(seat, turn, number ^ 1 << self.bits - p, low, high) for p in range(1, self.bits + 1)}
        return {f"toggle {place}": worth / mass for place, worth in worths.items()}

    def _after(self, seat: int, turn: int, number: int, low: int, high: int) -> float:
        if not low <= number <= high:
            return self.cached(seat, turn + 1, number, low, high)
        below, above = (
            self.cached(seat, turn + 1, number, low, number - 1),
            self.cached(seat, turn + 1, number, number + 1, high),
        )
        return self._alone(seat, turn, number) + below + above

    def _best(self, seat: int, turn: int, number: int, low: int, high: int) -> float:
        if low > high or sum(self._alone(seat, turn, secret) for secret in range(low, high + 1)) < 1e-12:
            return 0.0
        return max(self._after(seat, turn, number ^ 1 << place, low, high) for place in range(self.bits))


def _still_there(hits: list[float]) -> list[float]:
    left = [1.0]
    for chance in hits:
        left.append(left[-1] - chance)
    return [max(0.0, each) for each in left]


class Open:
    """Bounds of the chances where all but the secret is open: what takes too long counts for one or for the other."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.cached = cache(self._won)

    def bounds(self, mine: int, theirs: int, low: int, high: int, plies: int) -> dict[str, tuple[float, float]]:
        """For every toggle the least and the most it can win."""
        length, found = high - low + 1, {}
        for place in range(1, self.bits + 1):
            target = mine ^ 1 << self.bits - place
            least, most = (length - self._lost(target, theirs, low, high, plies, 1 - late) for late in (0, 1))
            found[f"toggle {place}"] = (least / length, most / length)
        return found

    def _lost(self, target: int, theirs: int, low: int, high: int, left: int, late: int) -> int:
        """What the other gets after a move to this number, out of the secrets that are possible."""
        if low <= target <= high:
            return self.cached(theirs, target, low, target - 1, left, late) + self.cached(
                theirs, target, target + 1, high, left, late
            )
        return self.cached(theirs, target, low, high, left, late)

    def _won(self, mine: int, theirs: int, low: int, high: int, left: int, late: int) -> int:
        length = high - low + 1
        if length <= 0 or not left:
            return late * max(0, length)
        return max(
            length - self._lost(mine ^ 1 << place, theirs, low, high, left - 1, 1 - late) for place in range(self.bits)
        )
