"""Moves at a prompt: the answers that are offered, and the reading of an answer, which may be abbreviated."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bitduel.core.phrases import join_with_or
from bitduel.core.view import View
from bitduel.core.words import Words

ABBREVIATION = re.compile(r"([a-z]+)(?: ?(\d+))?")
"""An abbreviated move: a, r2 or reset2."""
RANGE_LENGTH = 4
"""The number of consecutive places that are written as a range."""
SHORTCUTS = {"?": "help", "h": "hint", "u": "undo", "q": "quit"}
"""Keys that stand for a command, and so for no move."""


def parse_move(words: Words, view: View, answer: str) -> str | None:
    """Return the legal move that an answer means: in the rulebook's words, by its name, or abbreviated."""
    answer = " ".join(answer.lower().split())
    return words.understand(view, answer) or (answer if answer in view.legal else None) or expand(view, answer)


def expand(view: View, answer: str) -> str | None:
    """Return the legal move that an abbreviation means, if there is just one."""
    parts = ABBREVIATION.fullmatch(answer.strip().lower())
    if not parts or parts[0] in SHORTCUTS:
        return None
    start, place = parts.groups()
    fits = [move for move in view.legal if move.startswith(start) and (not place or move.split()[-1] == place)]
    return fits[0] if len(fits) == 1 else None


def letters(view: View) -> dict[str, str]:
    """Return the legal moves that are one word by the letter that is enough for them."""
    return {move[0]: move for move in view.legal if move.isalpha() and expand(view, move[0]) == move}


def explain_refusal(words: Words, view: View, moves: Sequence[str], answer: str) -> str:
    """Return why the move that an answer means is illegal now; nothing if it is not a move of the game."""
    kinds = {move.split()[0] for move in view.legal}
    for known in ([move for move in moves if move.split()[0] in kinds], moves):
        move = parse_move(words, replace(view, legal=tuple(known)), answer)
        if move is not None:
            return words.why_illegal(view, move)
    return ""


def offered_answers(words: Words, view: View) -> str:
    """Return the answers and what they do: 1 add, 2 double; or flip 1 or 4, reset 3."""
    pairs = [(words.answer(view, move), move) for move in view.legal]
    if any(move.endswith(answer) for answer, move in pairs):
        return group_moves(view.legal)
    return ", ".join(f"{answer} {move}" for answer, move in pairs)


def group_moves(moves: Sequence[str]) -> str:
    """Return moves grouped by their kind: flip 1 or 4, reset 3; toggle 1-5."""
    if any(len(move.split()) != 2 for move in moves):
        return join_with_or(moves)
    places: dict[str, list[str]] = {}
    for kind, place in (move.split() for move in moves):
        places.setdefault(kind, []).append(place)
    return ", ".join(f"{kind} {_format_places(each)}" for kind, each in places.items())


def _format_places(places: Sequence[str]) -> str:
    first, last = places[0], places[-1]
    is_range = first.isdigit() and [*places] == [str(int(first) + more) for more in range(len(places))]
    return f"{first}-{last}" if is_range and len(places) >= RANGE_LENGTH else join_with_or(places)
