"""Check a certificate of all positions of Binary Race to 64 or Double or Nothing: python3 number_race.py FILE"""

import json
import sys


def turns(options, number):
    """Apply the rules: add the step or double; reaching exactly the target wins, passing it loses."""
    for move, then in (("add", number + options["step"]), ("double", number * 2)):
        yield move, str(then), ["loss", 0] if then == options["target"] else ["win", 0] * (then > options["target"])


def judged(after):
    """Each move leads to a value and plies for the other player: win fast, else draw, else lose late."""
    rank = {m: {"loss": (2, -(n or 0)), "draw": (1, 0), "win": (0, n)}[value] for m, (value, n) in after.items()}
    kind, far = top = max(rank.values())
    return [("loss", "draw", "win")[kind], None if kind == 1 else abs(far) + 1, [m for m in rank if rank[m] == top]]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
game, said, found = given["game"], given["positions"], {}
options = {name: given["options"][name] for name in ("start", "target", "step")}
whole = all(type(size) is int and 1 <= size <= 10**9 for size in options.values())
if game not in ("binary-race-64", "double-or-nothing") or not whole or options["start"] >= options["target"]:
    raise ValueError("there is no such game")
todo = [str(options["start"])]
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
