"""How a player can have come to know what they know: the shortest line of toggles, and a secret that fits."""

from collections import deque

Known = tuple[int, int, int]
"""One's own number, and the interval that the secret is in."""


def toggles_to(bits: int, goal: Known) -> list[int] | None:
    """The places to toggle, one after the other, with the right answers to each; None where nothing leads there."""
    start: Known = (0, 0, (1 << bits) - 1)
    whence: dict[Known, tuple[Known, int] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in whence:
        here = queue.popleft()
        for place in range(1, bits + 1):
            for then in _told(here, here[0] ^ 1 << bits - place):
                if then not in whence:
                    whence[then] = here, place
                    queue.append(then)
    return _line(whence, goal) if goal in whence else None


def _told(here: Known, number: int) -> list[Known]:
    """All that can be known after making a number that is not the secret."""
    _, low, high = here
    if not low <= number <= high:
        return [(number, low, high)]
    below, above = (number, number + 1, high), (number, low, number - 1)
    return [each for each in (below, above) if each[1] <= each[2]]


def _line(whence: dict[Known, tuple[Known, int] | None], at: Known) -> list[int]:
    line: list[int] = []
    step = whence[at]
    while step:
        at, place = step
        line.append(place)
        step = whence[at]
    return line[::-1]
