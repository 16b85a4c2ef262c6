"""Who wins a number race: add the step or double, land on the target, never pass it."""

from math import gcd


def mover_wins(number: int, target: int, step: int) -> bool:
    """Say whether the player to move wins (at the target itself the mover has lost)."""
    _check(number, target, step)
    shared = gcd(number, step)
    number, target, step = number // shared, target // shared, step // shared
    if step == 1:
        return wins_by_one(number, target)
    if step == 2:
        return wins_by_two(number, target)
    return wins_by_caps(number, target, step)


def wins_by_one(number: int, target: int) -> bool:
    """Answer for step 1: quarter the target until it is odd or the number is large."""
    while target % 2 == 0 and 4 * number <= target:
        target //= 4
    if target % 2 == 0 and 2 * number <= target:
        return True
    return (target - number) % 2 == 1


def wins_by_two(number: int, target: int) -> bool:
    """Answer for step 2: even numbers halve to step 1, odd ones mind the fence."""
    if number % 2 == 0:
        return wins_by_one(number // 2, target // 2)
    if number <= fence(target):
        return True
    return (target - number) // 2 % 2 == 1


def fence(target: int) -> int:
    """Halve the target, then quarter it until it is odd (or 0: no fence)."""
    height = target // 2
    while height > 0 and height % 2 == 0:
        height //= 4
    return height


def wins_by_caps(number: int, target: int, step: int) -> bool:
    """Answer for any step, by the cap of the number."""
    return not _is_lost(number, cap_of(number, target, step), step)


def cap_of(number: int, target: int, step: int) -> int:
    """Find the cap of a number: walk down the zones, keeping one cap per remainder."""
    ceiling = target
    caps = dict.fromkeys(_remainders(number, target, step), target)
    while number <= ceiling // 2:
        ceiling //= 2
        known = [rest for rest in caps if 2 * rest % step in caps]
        caps = {rest: _next_cap(rest, ceiling, caps, step) for rest in known}
    return caps[number % step]


def plies_by_one(number: int, target: int) -> int:
    """Count the moves left with step 1: the winner hurries, the loser delays."""
    _check(number, target, 1)
    plies = 0
    while target % 2 == 0 and 4 * number <= target:
        plies += target - 2 * (target // 4)
        target //= 4
    if target % 2 == 0 and 2 * number <= target:
        return plies + 1 + target - 2 * number
    return plies + target - number


def plies_by_two(number: int, target: int) -> int:
    """Count the moves left with step 2, a last forced overshoot included."""
    _check(number, target, 2)
    if number == 1 and target in (3, 5):
        return target - 2
    overshoot = (target - number) % 2
    if number % 2 == 0:
        return plies_by_one(number // 2, target // 2) + overshoot
    if number <= fence(target):
        return 1 + plies_by_one(number, target // 2) + target % 2
    return (target - number) // 2 + overshoot


PLIES = {1: plies_by_one, 2: plies_by_two}
"""The steps with a short law of their own for how long a race takes; number_zones.py knows every step."""


def _remainders(number: int, target: int, step: int) -> list[int]:
    """List the remainders (by the step) that doubling can reach below the target."""
    found: dict[int, None] = {}
    while number <= target and number % step not in found:
        found[number % step] = None
        number *= 2
    return list(found)


def _next_cap(rest: int, ceiling: int, caps: dict[int, int], step: int) -> int:
    """Lower the cap of one remainder if doubling wins everywhere in this zone."""
    member = ceiling - (ceiling - rest) % step
    floor = ceiling // 2
    if member > floor and _is_lost(2 * member, caps[2 * rest % step], step):
        return floor
    return caps[rest]


def _is_lost(number: int, cap: int, step: int) -> bool:
    """Apply the cap rule: lost if an even count of whole steps fits below the cap."""
    return number <= cap and (cap - number) // step % 2 == 0


def _check(number: int, target: int, step: int) -> None:
    """Refuse what is no position of the race."""
    if not (1 <= number <= target and step >= 1):
        raise ValueError(f"no such race: number {number}, target {target}, step {step}")
