"""Check a certificate that lists all positions of Little Nim: python3 check_little_nim.py FILE"""

import json
import sys


def turns(sticks):
    """The rules: take one, two or three sticks; who takes the last one wins."""
    for move in range(1, min(sticks, 3) + 1):
        yield str(move), str(sticks - move), ["loss", 0] * (move == sticks)


def judged(after):
    """Each move leads to a value and plies for the other player: win fast, else lose late."""
    rank = {move: {"loss": (1, -plies), "win": (0, plies)}[value] for move, (value, plies) in after.items()}
    won, far = top = max(rank.values())
    return [("loss", "win")[won], abs(far) + 1, [move for move in rank if rank[move] == top]]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
sticks = 1 + range(1, 1001).index(given["options"]["sticks"])
found, todo = {}, [str(sticks)]
for here in todo:
    if here not in found:
        then = list(turns(int(here)))
        found[here] = judged({move: end or given["positions"][after][:2] for move, after, end in then})
        todo += [after for _, after, end in then if not end]
value, plies, _ = found[str(sticks)]
command, options = f"bitduel prove little-nim --set sticks={sticks}", {"sticks": sticks}
right = {"game": "little-nim", "options": options, "command": command, "value": value, "plies": plies}
same = json.dumps({**right, "positions": found}, sort_keys=True) == json.dumps(given, sort_keys=True)
if not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError("something in it is not so, or is said twice")
print(f"accepted: {command[14:]} is a {value} for the player who starts; plies: {plies}")
