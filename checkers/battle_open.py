"""Check both plans of a certificate of Binary Battle on an open table, and the value: python3 battle_open.py FILE

A plan says for each position (mine theirs low high) the bit to toggle, the number that makes, how many secrets are
surely won, and the time until news: a step that tells nothing must come to a larger share, or to the same in less time.
"""

import json
import sys
from fractions import Fraction


def after(made, low, high):
    """Apply the rules: a number equal to the secret wins; otherwise both hear whether it is less or greater."""
    return [(a, b) for a, b in ((low, made - 1), (made + 1, high)) if a <= b] if low <= made <= high else [(low, high)]


def held(plan, todo, bits, mine, theirs, low, high):
    """Return the number of secrets that a plan wins for certain with the opponent to move, over the worst toggle."""
    for made in (theirs ^ 1 << place for place in range(bits)):
        keys = [f"{mine} {made} {left} {right}" for left, right in after(made, low, high)]
        todo += keys
        yield sum(plan[key][2] for key in keys), [] if low <= made <= high else [plan[keys[0]]]


def step(plan, todo, bits, key):
    """Return what a plan must say of a position, given what it says of the positions after it."""
    mine, theirs, low, high = map(int, key.split())
    number = mine ^ 1 << bits - (bit := 1 + range(1, bits + 1).index(plan[key][0]))
    cases = [list(held(plan, todo, bits, number, theirs, *case)) for case in after(number, low, high)]
    share = (news := low <= number <= high) + sum(min(sure for sure, _ in case) for case in cases)
    times = [wait[3] for case in cases for _, waits in case for wait in waits if wait[2] == share]
    return [bit, number, share, 0 if news or not share else 1 + max(times, default=0)]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
bits, plans = 1 + range(1, 7).index(given["bits"]), given["seats"]
whole = (0, 0, 0, 2**bits - 1)
todo, seats = ([" ".join(map(str, whole))], []), [{}, {}]
shares = plans[0][todo[0][0]][2], min(sure for sure, _ in held(plans[1], todo[1], bits, *whole))
for plan, keys, seat in zip(plans, todo, seats, strict=True):
    for key in keys:
        seat[key] = seat.get(key) or step(plan, keys, bits, key)
value = str(Fraction(shares[0], 2**bits))
said = {"game": "binary-battle", "bits": bits, "table": "open", "value": value, "seats": seats}
same = json.dumps(said, sort_keys=True) == json.dumps(given, sort_keys=True)
if sum(shares) != 2**bits or not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError("the plans do not prove it")
print(f"accepted: the first player wins Binary Battle of {bits} bits on an open table with probability {value}")
