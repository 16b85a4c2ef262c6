"""Check a certificate that lists all positions of Binary Race to 31: python3 track.py FILE"""

import json
import sys

ALLOWED = {"length": range(1, 1_000_001), "finish": ["any", "exact", "sample"]}


def turns(options, mine, theirs):
    """Apply the rules: move 1, 2, 4, 8 or 16 steps, at the end as the finish allows; reaching the end wins."""
    left = options["length"] - mine
    for move in (1, 2, 4, 8, 16):
        if {"any": True, "exact": move <= left, "sample": left > 3 or move < 2 * left}[options["finish"]]:
            yield str(move), f"{theirs} {mine + move}", ["loss", 0] * (move >= left)


def judged(after):
    """Each move leads to a value and plies for the other player: win fast, else draw, else lose late."""
    rank = {m: {"loss": (2, -(n or 0)), "draw": (1, 0), "win": (0, n)}[value] for m, (value, n) in after.items()}
    kind, far = top = max(rank.values())
    return [("loss", "draw", "win")[kind], None if kind == 1 else abs(far) + 1, [m for m in rank if rank[m] == top]]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
options = {name: values[values.index(given["options"][name])] for name, values in ALLOWED.items()}
game, said, found, todo = "binary-race-31", given["positions"], {}, ["0 0"]
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
