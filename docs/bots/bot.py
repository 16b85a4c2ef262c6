"""A bot: plays the legal moves in turn. Whatever it prints is a message; remarks go to standard error."""

import json
import sys


def answer(asked):
    """Return the reply to a message, or None."""
    if asked["type"] == "hello":
        return {"type": "hello", "protocol": 1, "name": "In turn"}
    if asked["type"] == "move?":
        legal = asked["legal"]
        return {"type": "move", "id": asked["id"], "move": legal[asked["id"] % len(legal)]}
    return None


for line in sys.stdin:
    message = answer(json.loads(line))
    if message:
        print(json.dumps(message), flush=True)
