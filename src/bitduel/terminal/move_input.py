"""Moves at a prompt: how they are offered, and how an answer is read that may be written shortly."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bitduel.core.move_plan import either
from bitduel.core.view import View
from bitduel.core.words import Words

TOGETHER = re.compile(r"([a-z]+) ?(\d+)")
"""A move written shortly: r2 or reset2."""

MANY = 4
"""So many places in a row are said as from the first to the last."""


def meant(words: Words, view: View, answer: str) -> str | None:
    """The legal move that an answer stands for: as the rulebook has it, by the move's name, or shortly."""
    said = " ".join(answer.lower().split())
    return words.understand(view, said) or (said if said in view.legal else None) or shortened(view, said)


def refused(words: Words, view: View, moves: Sequence[str], answer: str) -> str:
    """Why the move of the game that an answer stands for cannot be made now; empty where it stands for none."""
    kinds = {move.split()[0] for move in view.legal}
    for known in ([move for move in moves if move.split()[0] in kinds], moves):
        wished = meant(words, replace(view, legal=tuple(known)), answer)
        if wished is not None:
            return words.refusal(view, wished)
    return ""


def offered(words: Words, view: View) -> str:
    """What can be answered and what it does: 1 add, 2 double; or flip 1 or 4, reset 3."""
    pairs = [(words.answer(view, move), move) for move in view.legal]
    if any(move.endswith(answer) for answer, move in pairs):
        return grouped(view.legal)
    return ", ".join(f"{answer} {move}" for answer, move in pairs)


def grouped(moves: Sequence[str]) -> str:
    """Moves as a person would say them: flip 1 or 4, reset 3; toggle 1-5."""
    if any(len(move.split()) != 2 for move in moves):
        return either(moves)
    places: dict[str, list[str]] = {}
    for kind, place in (move.split() for move in moves):
        places.setdefault(kind, []).append(place)
    return ", ".join(f"{kind} {_places(found)}" for kind, found in places.items())


def _places(found: Sequence[str]) -> str:
    first, last = found[0], found[-1]
    in_row = first.isdigit() and [*found] == [str(int(first) + more) for more in range(len(found))]
    return f"{first}-{last}" if in_row and len(found) >= MANY else either(found)


def shortened(view: View, answer: str) -> str | None:
    """The legal move that a short answer stands for, if there is just one."""
    found = TOGETHER.fullmatch(answer.strip().lower())
    if not found:
        return None
    fits = [move for move in view.legal if move.startswith(found[1]) and move.split()[-1] == found[2]]
    return fits[0] if len(fits) == 1 else None
