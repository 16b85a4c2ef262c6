"""A move out of a model's answer: strictly, so that nobody ever guesses which of two moves was meant.

- What stands before the end of a `</think>` is thought and not read.
- If a line begins with `MOVE:`, the last such line counts, and what follows on it must be one move and nothing else. If
  other such lines name another move that is possible, nothing is read.
- Otherwise the whole answer must be one move and nothing else.
- Letter case, blanks, a code fence, quotes, backticks, asterisks, and one full stop at the end do not matter.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.endings import GARBLED, ILLEGAL_MOVE
from bitduel.core.errors import shown
from bitduel.players.llm.response import ModelResponse

ILLEGAL, UNREADABLE, CUT_OFF, REFUSED, EMPTY, FILTERED = (
    "illegal",
    "unreadable",
    "cut off",
    "refused",
    "empty",
    "filtered",
)
FAULTS = (ILLEGAL, UNREADABLE, CUT_OFF, REFUSED, EMPTY, FILTERED)
"""Every kind of answer that is no legal move."""

THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
MOVE_LINE = re.compile(r"^[ \t>*_`#-]*move[ \t*_`]*:(.*)$", re.IGNORECASE | re.MULTILINE)
FENCE = "```"
MARKS = "*_`'\"\u2018\u2019\u201c\u201d "


class Fault(NamedTuple):
    """An answer that is no legal move: which kind of fault, and what the model is told."""

    kind: str
    told: str

    @property
    def reason(self) -> str:
        """By which ending it loses whose last answer was this."""
        return ILLEGAL_MOVE if self.kind == ILLEGAL else GARBLED


def read(said: ModelResponse, legal: Sequence[str], moves: Sequence[str]) -> str | Fault:
    """The legal move that an answer names, or what is wrong with it."""
    if said.finish == "content_filter":
        return Fault(FILTERED, "Your answer was held back by a filter.")
    if said.refusal:
        return Fault(REFUSED, "You refused to answer. It is only a game; choose a move.")
    if said.finish == "length":
        return Fault(CUT_OFF, "Your answer was cut off because it was too long. Be shorter.")
    text = THOUGHT.sub("", said.text)
    if not text.strip():
        return Fault(EMPTY, "Your answer was empty.")
    possible, known = named(legal), named(moves)
    lines = [bare(line) for line in MOVE_LINE.findall(text)]
    if len({line for line in lines if line in possible}) > 1:
        return Fault(UNREADABLE, "Your answer names two different moves.")
    found = lines[-1] if lines else bare(unfenced(text))
    if found in possible:
        return possible[found]
    if found in known:
        return Fault(ILLEGAL, f"'{known[found]}' is not possible now.")
    if lines:
        return Fault(UNREADABLE, f"'{shown(found)}' is not a move.")
    return Fault(UNREADABLE, "No move could be read from your answer.")


def unfenced(text: str) -> str:
    """What stands in a code fence, where the whole text is one."""
    lines = text.strip().splitlines()
    fenced = len(lines) > 2 and lines[0].startswith(FENCE) and lines[-1].strip() == FENCE
    return "\n".join(lines[1:-1]) if fenced else text


def bare(text: str) -> str:
    """What is left of a text without everything that does not matter."""
    plain = " ".join(text.lower().split()).strip(MARKS)
    return plain.removesuffix(".").strip(MARKS)


def named(moves: Sequence[str]) -> dict[str, str]:
    """Moves by how they are written when nothing matters that does not; those that are then alike are not told."""
    often = Counter(map(bare, moves))
    return {bare(move): move for move in moves if often[bare(move)] == 1}
