"""Check a chain that proves a number race of any size by its law: python3 number_race_law.py FILE

Zones are halves of the target: doubling leads into the next zone up, and from numbers of a zone that are steps apart it
wins from all or from none. A loser doubles at once, or adds until the zone is left. docs/number-races.md proves it.
"""

import json
import sys


def entry(number, target, step, said, used):
    """Return the value of a number, given the values of higher ones."""
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


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given, used = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int), set()
game, chain = given["game"], given["chain"]
options = {name: given["options"][name] for name in ("start", "target", "step")}
start, target, step = options.values()
whole = all(type(size) is int and 1 <= size <= 10**9 for size in options.values())
if game not in ("binary-race-64", "double-or-nothing") or not whole or start >= target:
    raise ValueError("there is no such game")
right = {str(n): entry(n, target, step, chain, used) for n in map(int, chain) if start <= n <= target}
command = " --set ".join([f"bitduel prove {game}", *(f"{name}={options[name]}" for name in options)])
value, plies = right[str(start)][:2]
said = {"game": game, "options": options, "command": command, "value": value, "plies": plies, "chain": right}
rests = {str(n) for n in used | {start}} == set(chain)
same = json.dumps(said, sort_keys=True) == json.dumps(given, sort_keys=True)
if not rests or not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError(f"not so, or said twice; what does not follow: {[n for n in chain if right[n] != chain[n]][:9]}")
print(f"accepted: {command[14:]} is a {value} for the player who starts; plies: {plies}")
