"""Rows made by hand and by simulation."""

import json
from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import Any

from bitduel.arena.game_record import GameRecord, parse_row

PLAIN: dict[str, Any] = {
    "id": "1",
    "game": "double-or-nothing",
    "options": {"start": 1, "target": 20, "step": 1},
    "seats": ["ada", "ben"],
    "first": 1,
    "deal": None,
    "moves": ["double", "add", "add"],
    "winner": 1,
    "reason": "exact",
    "fault": None,
    "regret": [0.0, 1.0],
    "decisions": [2, 1],
    "blunders": [0, 1],
    "held": [[2, 2], [0, 0]],
    "losses": [0.0, 1.0, 0.0],
    "luck": None,
    "tokens": [None, None],
    "faults": [{}, {}],
    "isolated": [None, None],
    "round": 0,
    "swapped": False,
    "seed": 1,
    "seconds": [0.5, 0.25],
}


def line(**more: Any) -> str:
    return json.dumps({**PLAIN, **more}) + "\n"


def row(**more: Any) -> GameRecord:
    return parse_row(line(**more).encode())


def pair(one: str, two: str, round_: int, straight: int | None, swapped: int | None, **more: Any) -> list[GameRecord]:
    """Two games with the seats swapped, by who won each: 1, 2 or None by seat."""
    return [
        row(id=f"{one}-{two}-{round_}-0", seats=[one, two], round=round_, winner=straight, **more),
        row(id=f"{one}-{two}-{round_}-1", seats=[two, one], round=round_, winner=swapped, swapped=True, **more),
    ]


def simulated(
    strengths: dict[str, float], rounds: int, first: float = 0.3, drawn: float = -1.0, seed: int = 1
) -> Iterator[GameRecord]:
    """Games between players of known strengths, as natural logarithms."""
    rng = Random(seed)
    names = list(strengths)
    for at, one in enumerate(names):
        for two in names[at + 1 :]:
            for round_ in range(rounds):
                results = [_result(rng, strengths[a] + first, strengths[b], drawn) for a, b in ((one, two), (two, one))]
                yield from pair(one, two, round_, *results)


def _result(rng: Random, one: float, two: float, drawn: float) -> int | None:
    weights = exp(one), exp(two), exp(drawn) * sqrt(exp(one) * exp(two))
    return rng.choices([1, 2, None], weights)[0]


def written(folder: Path, rows: list[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.jsonl").write_text("".join(rows), encoding="utf-8")
    return folder
