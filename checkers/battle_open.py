"""Check both plans of a certificate of Binary Battle on an open table, and the value: python3 battle_open.py FILE

A plan says for each position (mine theirs low high) the bit to toggle, the number that makes, how many secrets are
surely won, and the time until news: a step that tells nothing must come to a larger share, or to the same in less time.
"""

import json
import sys
from fractions import Fraction


def after(made, low, high):
    """The rules: who makes the secret wins; otherwise both hear whether the number is less or greater."""
    return [(a, b) for a, b in ((low, made - 1), (made + 1, high)) if a <= b] if low <= made <= high else [(low, high)]


def held(plan, used, bits, mine, theirs, low, high):
    """The secrets that a plan is sure of when the other is to move: whatever he toggles, the least of it."""
    for made in (theirs ^ 1 << place for place in range(bits)):
        keys = [f"{mine} {made} {left} {right}" for left, right in after(made, low, high)]
        used.update(keys)
        yield sum(plan[key][2] for key in keys), [] if low <= made <= high else [plan[keys[0]]]


def step(plan, used, bits, key):
    """What a plan must say of a position, from what it says of those that come after it."""
    mine, theirs, low, high = map(int, key.split())
    bit, number = int(plan[key][0]), mine ^ 1 << bits - plan[key][0]
    cases = [list(held(plan, used, bits, number, theirs, *case)) for case in after(number, low, high)]
    news = low <= number <= high
    share = news + sum(min(sure for sure, _ in case) for case in cases)
    times = [wait[3] for case in cases for _, waits in case for wait in waits if wait[2] == share]
    return [bit, number, share, 0 if news or not share else 1 + max(times, default=0)]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!r}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read())
bits, (first, second) = range(8).index(given["bits"]), given["seats"]
whole = (0, 0, 0, 2**bits - 1)
used = {" ".join(map(str, whole))}, set()
shares = first["0 0 0 " + str(whole[3])][2], min(sure for sure, _ in held(second, used[1], bits, *whole))
right = [{key: step(plan, its, bits, key) for key in plan} for plan, its in zip((first, second), used, strict=True)]
value = str(Fraction(shares[0], 2**bits))
said = {"game": "binary-battle", "bits": int(bits), "table": "open", "value": value, "seats": right}
proved = sum(shares) == 2**bits and used == (set(first), set(second))
if not proved or json.dumps(said) != json.dumps(given) or "".join(text.split()) != "".join(json.dumps(said).split()):
    raise ValueError("the plans do not prove it")
print(f"accepted: the first player wins Binary Battle of {bits} bits on an open table with probability {value}")
