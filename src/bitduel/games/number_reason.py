"""Why a number is lost for whoever must move, in a sentence or two; docs/number-races.md has the proofs."""

from math import gcd

from bitduel.games.number_law import cap_of, fence, mover_wins


def why_lost(number: int, target: int, step: int, last: str = "the other makes") -> str:
    """The reason, or nothing for a number that is won; last says who makes the last move that fits."""
    if mover_wins(number, target, step):
        return ""
    if 2 * number > target:
        return _sentence(_high(number, target, step, last))
    shared = gcd(number, step)
    if shared > 1:
        return _shared(number, target, step, shared, last)
    if step == 1:
        return _by_one(number, target, last)
    if step == 2:
        return _sentence(_odd_by_two(number, target, last))
    return _sentence(_by_cap(number, target, step))


def _shared(number: int, target: int, step: int, shared: int, last: str) -> str:
    """Where every number that can come up is a multiple of one and the same."""
    how = "Halved" if shared == 2 else f"Divided by {shared}"
    small = number // shared, target // shared, step // shared
    return f"{how}, it is a race from {small[0]} to {small[1]} by adding {small[2]}. {why_lost(*small, last)}"


def _high(number: int, target: int, step: int, last: str) -> str:
    fits = (target - number) // step
    if not fits:
        return f"every move from {number} passes {target}"
    return f"from {number} doubling passes {target}, and adding {step} fits {_times(fits)}: {last} the last"


def _by_one(number: int, target: int, last: str) -> str:
    """The upper half is told elsewhere, so a target that cannot be quartered is odd."""
    goal, count = target, 0
    while goal % 2 == 0 and 4 * number <= goal:
        goal, count = goal // 4, count + 1
    inside = _sentence(_high(number, goal, 1, last) if 2 * number > goal else _odd_goal(number, goal))
    if not count:
        return inside
    quartered = "quartered" if count == 1 else f"quartered {count} times"
    return f"Whoever first passes {goal} ({target} {quartered}) loses. {inside}"


def _odd_goal(number: int, goal: int) -> str:
    from_here = f"every move from an odd number, such as {number}, makes an even one"
    return f"{goal} is odd: {from_here}, and adding 1 makes that odd again"


def _odd_by_two(number: int, target: int, last: str) -> str:
    high, fits = fence(target), (target - number) // 2
    doubling = f"above {high}" if high else "here"
    return f"doubling an odd number loses {doubling}, and adding 2 fits {_times(fits)}: {last} the last"


def _by_cap(number: int, target: int, step: int) -> str:
    cap = cap_of(number, target, step)
    fits = (cap - number) // step
    below = f"adding {step} fits below it {_times(fits)}" if fits else f"adding {step} passes it"
    return f"by the law of caps the cap of {number} is {cap}, and {below}"


def _times(fits: int) -> str:
    return f"{fits} times, an even number"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
