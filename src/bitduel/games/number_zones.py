"""How long a number race takes, for every step: zones between halves of the target, as docs/number-races.md proves.

Doubling leads from a zone into the next one up. Among the numbers of a zone that are whole steps apart, doubling wins
from all or from none; and a loser either adds until the zone is left behind, or doubles at once.
"""

from typing import NamedTuple

MOST_KEPT = 100_000
"""So many answers are kept; then it begins anew."""


class Way(NamedTuple):
    """The way up by adding: after so many additions the number is the first above its zone."""

    adds: int
    out: int


class Zones:
    """The races to one target by one step, from any number."""

    def __init__(self, target: int, step: int) -> None:
        self.target, self.step = target, step
        self._tops: dict[tuple[int, int], bool | None] = {}
        self._plies: dict[int, int] = {}

    def lost(self, number: int) -> bool:
        """Whether the player to move loses (at the target itself the mover has lost)."""
        if self._is_high(number):
            return (self.target - number) // self.step % 2 == 0
        top = self._top(number)
        lost = self._top_is_lost(number, top)
        return lost is not None and lost == ((top - number) // self.step % 2 == 0)

    def plies(self, number: int) -> int:
        """The moves left when the winner hurries and the loser delays, a last move past the target included."""
        found = self._plies.get(number)
        if found is None:
            found = self._count(number)
            if len(self._plies) >= MOST_KEPT:
                self._plies.clear()
            self._plies[number] = found
        return found

    def way(self, number: int) -> Way:
        """How adding leads out of the zone of a number."""
        adds = (self._top(number) - number) // self.step + 1
        return Way(adds, number + adds * self.step)

    def needs(self, number: int) -> list[int]:
        """The higher numbers whose answers show the answer for this one; none in the highest zone."""
        if self._is_high(number):
            return []
        way, then = self.way(number), 2 * number
        if way.adds > 1 and not self.lost(number):
            return [then] if self.lost(then) else [number + self.step]
        return [then, way.out] if way.out <= self.target else [then]

    def move(self, number: int) -> str | None:
        """The fastest winning move, adding where both are as fast; None for a lost number."""
        if self.lost(number):
            return None
        after = number + self.step
        adds = after <= self.target and self.lost(after) and self.plies(after) < self.plies(number)
        return "add" if adds else "double"

    def _count(self, number: int) -> int:
        if self._is_high(number):
            return -((number - self.target) // self.step)
        (adds, out), then = self.way(number), 2 * number
        if self.lost(then):
            quick = 1 + self.plies(then)
            return min(quick, 1 + self.plies(out)) if adds == 1 and self._hands_over(out) else quick
        if not self.lost(number):
            return 1 + self.plies(number + self.step)
        return max(1 + self.plies(then), adds + (self.plies(out) if out <= self.target else 0))

    def _hands_over(self, number: int) -> bool:
        """Whether a number is there to be reached and lost for who then has to move."""
        return number <= self.target and self.lost(number)

    def _is_high(self, number: int) -> bool:
        return 2 * number > self.target

    def _top(self, number: int) -> int:
        """The highest number of the zone: the target halved as often as it stays at least this number."""
        return self.target >> (self.target // number).bit_length() - 1

    def _top_is_lost(self, number: int, top: int) -> bool | None:
        """Whether the highest of the numbers of the zone that are steps apart is lost; None if all of them are won."""
        key = number % self.step, top
        if key not in self._tops:
            if len(self._tops) >= MOST_KEPT:
                self._tops.clear()
            highest = top - (top - number) % self.step
            lost = None if self.lost(2 * highest) else not self._hands_over(highest + self.step)
            self._tops[key] = lost
        return self._tops[key]
