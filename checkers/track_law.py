"""Check a certificate that proves a track of any length by counting moves: python3 track_law.py FILE

Nobody can hinder anybody, so who starts wins in 2 m - 1 plies if m moves are needed. The certificate lists m for 0 to
31 steps left. From 16 steps on all five moves are allowed, so it goes on like that: 16 steps more need one move more.
"""

import json
import sys

MOVES = (1, 2, 4, 8, 16)


def allowed(finish, left):
    """The rules: the moves on the last steps; who reaches the end, or passes it where that is allowed, wins."""
    most = {"any": 16, "exact": left, "sample": 16 if left > 3 else 2 * left - 1}[finish]
    return [move for move in MOVES if move <= most]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!r}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read())
options = {name: kind(given["options"][name]) for name, kind in (("length", int), ("finish", str))}
needs = [0]
for left in range(1, 32):
    needs.append(1 + min(needs[max(left - move, 0)] for move in allowed(options["finish"], left)))
if any(needs[left + 16] != needs[left] + 1 for left in range(1, 16)) or needs[16] != 1:
    raise ValueError("the law does not hold")
more, rest = divmod(options["length"] - 1, 16)
moves = needs[rest + 1] + more
command = " --set ".join(["bitduel prove binary-race-31", *(f"{name}={options[name]}" for name in options)])
right = {"game": "binary-race-31", "options": options, "command": command}
right |= {"value": "win", "plies": 2 * moves - 1, "needs": needs}
same = json.dumps(right, sort_keys=True) == json.dumps(given, sort_keys=True)
if not same or options["length"] < 1 or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError("something in it is not so, or is said twice")
print(f"accepted: {command[14:]} is a win for the player who starts; plies: {2 * moves - 1}")
