"""Check a certificate that proves a track of any length by counting moves: python3 track_law.py FILE

Nobody can hinder anybody, so who starts wins in 2 m - 1 plies if m moves are needed. The certificate lists m for 0 to
31 steps left. From 16 steps on all five moves are allowed, so it goes on like that: 16 steps more need one move more.
"""

import json
import sys

MOVES = (1, 2, 4, 8, 16)
ALLOWED = {"length": range(1, 1_000_001), "finish": ["any", "exact", "sample"]}


def allowed(finish, left):
    """Apply the rules on the last steps: reaching the end, or passing it where that is allowed, wins."""
    most = {"any": 16, "exact": left, "sample": 16 if left > 3 else 2 * left - 1}[finish]
    return [move for move in MOVES if move <= most]


sys.excepthook = lambda kind, why, trace: print(f"refused: {why!a}")
given = json.loads(text := open(sys.argv[1], encoding="utf-8").read(), parse_float=int, parse_constant=int)
options = {name: values[values.index(given["options"][name])] for name, values in ALLOWED.items()}
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
if not same or "".join(text.split()) != "".join(json.dumps(given).split()):
    raise ValueError(f"not so, or said twice; the moves needed are {needs}")
print(f"accepted: {command[14:]} is a win for the player who starts; plies: {2 * moves - 1}")
