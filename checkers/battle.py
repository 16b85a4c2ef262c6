"""Check both plans of a certificate of Binary Battle in the dark, and the value they prove: python3 battle.py FILE"""

import json
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from math import lcm


def after(made, low, high):
    """Apply the rules: a number equal to the secret wins; otherwise the player hears whether it is less or greater."""
    return [(a, b) for a, b in ((low, made - 1), (made + 1, high)) if a <= b] if low <= made <= high else [(low, high)]


def survival(bits, plan):
    """Return [turns made][secret] -> the chance of no hit yet; a plan lists the states it reaches, and no other."""
    hits, reach, fair = Counter(), Counter({f"1 0 0 {2**bits - 1}": Fraction(1)}), True
    for key in sorted(plan, key=lambda key: int(key.split()[0])):
        turn, number, low, high = map(int, key.split())
        weight, chances = reach.pop(key), [Fraction(*map(int, text.split("/"))) for text in plan[key]]
        fair &= [*map(str, chances)] == plan[key] and len(chances) == bits and sum(chances) == 1 and min(chances) >= 0
        for made, chance in [(number ^ 2 ** (bits - bit), c * weight) for bit, c in enumerate(chances, 1) if c]:
            hits[turn, made] += chance * (low <= made <= high)
            for left, right in after(made, low, high):
                reach[f"{turn + 1} {made} {left} {right}"] += chance
    gone = [[sum(hits[t, s] for t in range(1, made + 1)) for s in range(2**bits)] for made in range(turn + 1)]
    return [[1 - chance for chance in row] for row in gone] if fair and not reach else None


@cache
def best(seat, turn, number, low, high):
    """Return the most that a seat can still win by toggling one bit a turn, in parts of the scale."""
    if not any((now := worth[seat][turn])[low : high + 1]):
        return 0
    made, then = [number ^ 1 << place for place in range(bits)], turn + 1
    return max(now[m] * (low <= m <= high) + sum(best(seat, then, m, *c) for c in after(m, low, high)) for m in made)


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
first, second = (survival(bits := 1 + range(1, 8).index(given["bits"]), plan) for plan in given["seats"])
scale = lcm(*(chance.denominator for row in first + second for chance in row))
worth = [[[int(chance * scale) for chance in row] for row in rows] for rows in (second, first[1:])]
value, rest = (Fraction(best(seat, 0, 0, 0, 2**bits - 1), scale << bits) for seat in (0, 1))
right = json.dumps({"game": "binary-battle", "bits": bits, "value": str(value), "seats": given["seats"]})
if value + rest != 1 or json.dumps(given) != right or "".join(text.split()) != "".join(right.split()):
    raise ValueError("the plans do not prove it")
print(f"accepted: the first player wins Binary Battle of {bits} bits with probability {value} ({float(value):.9f})")
