"""Check a certificate that lists all positions of Binary Race with bits: python3 bits.py FILE"""

import json
import sys

FIRST = {"turn": "0 0 1 1", "flip": "0 0 1 1", "game": "0 0 1 0", "empty": "0 0 0 0"}
ALLOWED = {"bits": range(1, 32), "first-move": [*FIRST], "edge": ["open", "strict"], "repetition": [3, 0]}


def acts(options, mine, theirs, free):
    """All one can do: flip a 0 beside a 1 (any 0, while free), or reset a 1 of theirs that is not between two 1s."""
    bits, free = options["bits"], mine == 0 if options["first-move"] == "empty" else free
    near = theirs << 1 | (1 | 2 << bits) * (options["edge"] == "strict")  # strict: a wall counts as a 1
    each = [(bits - shift, 1 << shift) for shift in reversed(range(bits))]
    flips = [(f"flip {p}", mine | b, theirs) for p, b in each if not mine & b and (free or mine & (b << 1 | b >> 1))]
    return flips + [(f"reset {p}", mine, theirs ^ b) for p, b in each if theirs & b and not (near & b and near & 4 * b)]


def turns(options, mine, theirs, free, other):
    """Apply the rules: a player without a move passes; a full row wins; if neither can move it is a draw."""
    for move, my, your in acts(options, mine, theirs, free) or [("pass", mine, theirs)]:
        still = free * (options["first-move"] == "flip" and not move.startswith("flip"))
        full, stuck = 1 << options["bits"], not acts(options, my, your, still) + acts(options, your, my, other)
        yield move, f"{your} {my} {other} {still}", ["loss", 0] * (my + 1 == full) or ["draw", None] * stuck


def judged(after):
    """Each move leads to a value and plies for the other player: win fast, else draw, else lose late."""
    rank = {m: {"loss": (2, -(n or 0)), "draw": (1, 0), "win": (0, n)}[value] for m, (value, n) in after.items()}
    kind, far = top = max(rank.values())
    return [("loss", "draw", "win")[kind], None if kind == 1 else abs(far) + 1, [m for m in rank if rank[m] == top]]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
options = {name: values[values.index(given["options"][name])] for name, values in ALLOWED.items()}
game, said, found, todo = "binary-race-bits", given["positions"], {}, [FIRST[options["first-move"]]]
for here in todo:
    if here not in found:
        then = list(turns(options, *map(int, here.split())))
        found[here] = judged({move: end or said[after][:2] for move, after, end in then})
        todo += [after for _, after, end in then if not end]
value, plies, _ = found[todo[0]]
command = " --set ".join([f"bitduel prove {game}", *(f"{name}={options[name]}" for name in options)])
right = {"game": game, "options": options, "command": command, "value": value, "plies": plies, "positions": found}
same = json.dumps(right, sort_keys=True) == json.dumps(given, sort_keys=True)
if not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError(f"not so, or said twice; what does not follow: {[h for h in found if found[h] != said[h]][:9]}")
print(f"accepted: {command[14:]} is a {value} for the player who starts; plies: {plies}")
