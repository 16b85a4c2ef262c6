"""Moves that are written shortly on a terminal."""

import re

from bitduel.core.view import View

TOGETHER = re.compile(r"([a-z]+) ?(\d+)")
"""A move written shortly: r2 or reset2."""


def shortened(view: View, answer: str) -> str | None:
    """The legal move that a short answer stands for, if there is just one."""
    found = TOGETHER.fullmatch(answer.strip().lower())
    if not found:
        return None
    fits = [move for move in view.legal if move.startswith(found[1]) and move.split()[-1] == found[2]]
    return fits[0] if len(fits) == 1 else None
