"""A model's move, read strictly from its answer: an ambiguous answer is never guessed.

- Whatever precedes the end of a `</think>` is ignored.
- If a line begins with `MOVE:`, the last such line counts, and the rest of it must be one move and nothing else. If
  other such lines name another legal move, nothing is read.
- Otherwise the whole answer must be one move and nothing else.
- Letter case, blanks, a code fence, quotes, backticks, asterisks, and one full stop at the end do not matter.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.errors import printable
from bitduel.core.outcomes import GARBLED, ILLEGAL_MOVE
from bitduel.players.llm.service import ModelResponse

FAULTS = ("illegal", "unreadable", "cut off", "refused", "empty", "filtered")
"""The kinds of answers without a legal move."""
ILLEGAL, UNREADABLE, CUT_OFF, REFUSED, EMPTY, FILTERED = FAULTS

THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
MOVE_LINE = re.compile(r"^[ \t>*_`#-]*move[ \t*_`]*:(.*)$", re.IGNORECASE | re.MULTILINE)
FENCE = "```"
MARKS = "*_`'\"\u2018\u2019\u201c\u201d "


class AnswerFault(NamedTuple):
    """An answer without a legal move: the kind of fault, and the message to the model."""

    kind: str
    message: str

    @property
    def reason(self) -> str:
        """The ending by which a model loses whose last answer this was."""
        return ILLEGAL_MOVE if self.kind == ILLEGAL else GARBLED


def read_move(response: ModelResponse, legal: Sequence[str], moves: Sequence[str]) -> str | AnswerFault:
    """Return the legal move that an answer names, or what is wrong with it."""
    if response.finish == "content_filter":
        return AnswerFault(FILTERED, "Your answer was blocked by a content filter.")
    if response.refusal:
        return AnswerFault(REFUSED, "You refused to answer. This is only a game. Please choose a move.")
    if response.finish == "length":
        return AnswerFault(CUT_OFF, "Your answer was cut off because it was too long. Please be brief.")
    text = THOUGHT.sub("", response.text)
    if not text.strip():
        return AnswerFault(EMPTY, "Your answer was empty.")
    legal_by_text, moves_by_text = _by_text(legal), _by_text(moves)
    lines = [_normalize(line) for line in MOVE_LINE.findall(text)]
    if len({line for line in lines if line in legal_by_text}) > 1:
        return AnswerFault(UNREADABLE, "Your answer names two different moves.")
    candidate = lines[-1] if lines else _normalize(_unfence(text))
    if candidate in legal_by_text:
        return legal_by_text[candidate]
    if candidate in moves_by_text:
        return AnswerFault(ILLEGAL, f"You can't play '{moves_by_text[candidate]}' now.")
    if lines:
        return AnswerFault(UNREADABLE, f"'{printable(candidate)}' is not a move.")
    return AnswerFault(UNREADABLE, "We couldn't find a move in your answer.")


def _unfence(text: str) -> str:
    """Return the inside of a code fence, where the whole text is one."""
    lines = text.strip().splitlines()
    is_fenced = len(lines) > 2 and lines[0].startswith(FENCE) and lines[-1].strip() == FENCE
    return "\n".join(lines[1:-1]) if is_fenced else text


def _normalize(text: str) -> str:
    plain = " ".join(text.lower().split()).strip(MARKS)
    return plain.removesuffix(".").strip(MARKS)


def _by_text(moves: Sequence[str]) -> dict[str, str]:
    """Return the moves by their normalized text, without those that share one."""
    counts = Counter(map(_normalize, moves))
    return {_normalize(move): move for move in moves if counts[_normalize(move)] == 1}
