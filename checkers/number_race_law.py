"""Check a chain that proves a number race of any size by its law: python3 number_race_law.py FILE

Zones are halves of the target: doubling leads into the next zone up, and from numbers of a zone that are steps apart it
wins from all or from none. A loser doubles at once, or adds until the zone is left. docs/number-races.md proves it.
"""

import json
import sys


def entry(number, target, step, said, used):
    """What must be said of a number, from what is said of higher ones."""
    look = lambda after: used.add(after) or said[str(after)][:2]
    if 2 * number > target:  # only adding is left
        count, rest = divmod(target - number, step)
        return ["win", count + (rest > 0), "add"] if count % 2 else ["loss", count + (rest > 0)]
    top = target >> (target // number).bit_length() - 1
    adds = (top - number) // step + 1
    out = number + adds * step  # the first number above the zone
    if adds > 1 and said[str(number)][0] == "win":  # one move is enough to show, and no other can win from here
        move = said[str(number)][2]
        value, plies = look({"add": number + step, "double": 2 * number}[move])
        return ["win", plies + 1, move] if value == "loss" else None
    value, plies = look(2 * number)
    beyond, more = look(out) if out <= target else ("win", 0)
    wins = [(far + 1, move) for v, far, move in ((beyond, more, "add"), (value, plies, "double")) if v == "loss"]
    if adds == 1 and wins:
        return ["win", *min(wins)]
    return ["loss", max(plies + 1, adds + more)] if value == "win" and (beyond == "win") == adds % 2 else None


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!r}")
given, used = json.loads(text := open(sys.argv[1], encoding="utf-8").read()), set()
game, chain = given["game"], given["chain"]
options = {name: int(given["options"][name]) for name in ("start", "target", "step")}
sizes = list(options.values())
right = {str(n): entry(n, *sizes[1:], chain, used) for n in map(int, chain)}
command = " --set ".join([f"bitduel prove {game}", *(f"{name}={options[name]}" for name in options)])
value, plies = right[str(sizes[0])][:2]
whole = {"game": game, "options": options, "command": command, "value": value, "plies": plies, "chain": right}
real = game in ("binary-race-64", "double-or-nothing") and 0 < sizes[0] < sizes[1] and sizes[2] > 0
rests = real and {str(n) for n in used | {sizes[0]}} == set(chain)
same = json.dumps(whole, sort_keys=True) == json.dumps(given, sort_keys=True)
if not rests or not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError("something in it is not so, or is said twice")
print(f"accepted: {command[14:]} is a {value} for the player who starts; plies: {plies}")
