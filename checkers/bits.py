"""Check a certificate that lists all positions of Binary Race with bits: python3 bits.py FILE"""

import json
import sys


def acts(options, mine, theirs, free):
    """All one can do: flip a 0 beside a 1 (any 0, while free), or reset a 1 of theirs that is not between two 1s."""
    bits, free = options["bits"], mine == 0 if options["first-move"] == "empty" else free
    near = theirs << 1 | (1 | 2 << bits) * {"open": 0, "strict": 1}[options["edge"]]  # strict: a wall counts as a 1
    each = [(bits - shift, 1 << shift) for shift in reversed(range(bits))]
    flips = [(f"flip {p}", mine | b, theirs) for p, b in each if not mine & b and (free or mine & (b << 1 | b >> 1))]
    return flips + [(f"reset {p}", mine, theirs ^ b) for p, b in each if theirs & b and not (near & b and near & 4 * b)]


def turns(options, mine, theirs, free, their_free):
    """The rules: who can do nothing passes; a full row wins; if neither can do anything it is a draw."""
    for move, my, your in acts(options, mine, theirs, free) or [("pass", mine, theirs)]:
        still = free * (options["first-move"] == "flip" and not move.startswith("flip"))
        stuck = not acts(options, my, your, still) + acts(options, your, my, their_free)
        won = my + 1 == 1 << options["bits"]
        yield move, f"{your} {my} {their_free} {still}", ["loss", 0] * won or ["draw", None] * stuck


def judged(after):
    """Each move leads to a value and plies for the other player: win fast, else draw, else lose late."""
    rank = {m: {"loss": (2, -(n or 0)), "draw": (1, 0), "win": (0, n)}[value] for m, (value, n) in after.items()}
    kind, far = top = max(rank.values())
    return [("loss", "draw", "win")[kind], None if kind == 1 else abs(far) + 1, [m for m in rank if rank[m] == top]]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!r}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read())
kinds = {"bits": lambda n: range(32).index(n) or None, "first-move": str, "edge": str, "repetition": {0: 0, 3: 3}.get}
options, game = {name: kinds[name](given["options"][name]) for name in kinds}, "binary-race-bits"
first = "0 0 " + {"turn": "1 1", "flip": "1 1", "game": "1 0", "empty": "0 0"}[options["first-move"]]
found, todo = {}, [first]
for here in todo:
    if here not in found:
        then = list(turns(options, *map(int, here.split())))
        found[here] = judged({move: end or given["positions"][after][:2] for move, after, end in then})
        todo += [after for _, after, end in then if not end]
value, plies, _ = found[first]
command = " --set ".join([f"bitduel prove {game}", *(f"{name}={options[name]}" for name in options)])
right = {"game": game, "options": options, "command": command, "value": value, "plies": plies, "positions": found}
same = json.dumps(right, sort_keys=True) == json.dumps(given, sort_keys=True)
if not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError("something in it is not so, or is said twice")
print(f"accepted: {command[14:]} is a {value} for the player who starts; plies: {plies}")
