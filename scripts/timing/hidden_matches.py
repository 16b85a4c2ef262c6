"""Matches in the dark that differ only in what is hidden, and all that can be asked about one."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple
from urllib.parse import urlencode

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.storage import Store

FORM = "application/x-www-form-urlencoded"


class Ask(NamedTuple):
    """One request, and the secret of whoever sends it."""

    method: str
    path: str
    token: str | None = None
    body: bytes = b""
    kind: str = "application/json"
    stream: bool = False
    """Whether the answer has no end, so that its beginning counts."""


class Dark(NamedTuple):
    """A match by what is hidden of it: the secret, and the moves of both seats in turn."""

    secret: str
    first: Sequence[str]
    second: Sequence[str]
    program: str = "human"
    """Who plays the second seat."""

    def moves(self, plies: int) -> list[str]:
        """So many moves, each seat going round its own."""
        pairs = zip(cycle(self.first), cycle(self.second), strict=False)
        return list(islice((move for pair in pairs for move in pair), plies))


class Pair(NamedTuple):
    """Two kinds of matches between which those who look may not tell."""

    name: str
    one: Dark
    two: Dark
    plies: int
    viewers: tuple[int | None, ...]
    """The seats that are told the same in both; None for a spectator."""


class Held(NamedTuple):
    """A match that is kept, and the secrets of its seats."""

    id: str
    ply: int
    tokens: tuple[str, str]

    def token(self, seat: int | None) -> str | None:
        """Return the secret token of a seat."""
        return self.tokens[seat - 1] if seat else None


def toggles(places: str) -> list[str]:
    """Toggles of these bits."""
    return [f"toggle {place}" for place in places]


WALK = toggles("5453545254535452")
"""Through all numbers below the highest bit, so that none comes twice for long."""
PAIRS = (
    Pair(
        "the secret",
        Dark("11001", toggles("1"), toggles("1")),
        Dark("11110", toggles("1"), toggles("1")),
        6,
        (1, 2, None),
    ),
    Pair(
        "the other's moves", Dark("11111", toggles("5"), toggles("4")), Dark("11111", toggles("5"), WALK), 40, (1, None)
    ),
)
PROGRAM = Pair(
    "what a program knows",
    Dark("10101", toggles("1"), toggles("22"), "easy"),
    Dark("11011", toggles("1"), toggles("13"), "easy"),
    4,
    (1,),
)
"""In one a program has learnt little, in the other much; it answers the next move."""


def keep(store: Store, dark: Dark, plies: int) -> Held:
    """Store a match with both seats taken and the coach on."""
    match = Match(make("battle"), 1, dark.secret, dark.moves(plies))
    assert not match.outcome
    tokens = new_token(), new_token()
    match_id = store.begin(match, ("human", dark.program), ("Ada", "Ben"))
    for seat in (1, 2) if dark.program == "human" else (1,):
        store.seats.claim(match_id, seat, hashed(tokens[seat - 1]))
        store.seats.set_coach(match_id, hashed(tokens[seat - 1]), True)
    return Held(match_id, plies, tokens)


def answers(held: Held, seat: int | None) -> dict[str, Ask]:
    """Everything that can be asked about a match without changing it."""
    page, api, token = f"/matches/{held.id}", f"/api/v1/matches/{held.id}", held.token(seat)

    def post(path: str, **wish: Any) -> Ask:
        if path.startswith("/api"):
            return Ask("POST", path, token, json.dumps(wish).encode())
        return Ask("POST", path, token, urlencode(wish).encode(), FORM)

    asked = {
        "page": Ask("GET", page, token),
        "page before": Ask("GET", f"{page}?at={held.ply - 1}", token),
        "fragment": Ask("GET", f"{page}/fragment", token),
        "moment": Ask("GET", f"{page}/moment", token),
        "events": Ask("GET", f"{page}/events", token, stream=True),
        "picture before": Ask("GET", f"{page}/picture-{held.ply - 1}.png", token),
        "record": Ask("GET", f"{page}/record", token),
        "API view": Ask("GET", api, token),
        "review refused": Ask("GET", f"{api}/review", token),
        "no such move": post(f"{api}/moves", ply=held.ply, move="toggle 9"),
        "late move": post(f"{page}/move", ply=0, move="toggle 2"),
    }
    if seat == 1:
        asked["page, other side"] = Ask("GET", f"{page}?as=2&notes=0", token)
        asked["own matches"] = Ask("GET", "/matches", token)
    return asked


def move(held: Held) -> Ask:
    """Return the next move, which is the first seat's."""
    wish = json.dumps({"ply": held.ply, "move": "toggle 5"}).encode()
    return Ask("POST", f"/api/v1/matches/{held.id}/moves", held.tokens[0], wish)
