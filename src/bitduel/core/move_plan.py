"""Why a move is good, a ply deeper: what it leaves to the opponent, every answer there, and how each is met."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value

MOST_GROUPS = 3
"""So many ways to meet answers are told; a hint is read between two moves."""

MOST_NAMED = 4
"""So many moves are named in one breath."""


class Meeting(NamedTuple):
    """A move that meets an answer as well as can be; whether it ends the match."""

    move: str
    doing: str
    ends: bool = False


class PlannedReply(NamedTuple):
    """An answer of the opponent's: how it is said, what it is worth to him, and how it is met."""

    move: str
    doing: str
    worth: Evaluation
    ends: bool = False
    meetings: tuple[Meeting, ...] = ()
    risky: bool = False
    """Whether some other reply would give away what the best one keeps."""


class MovePlan(NamedTuple):
    """What a move leaves: where that is, what the move is worth, every answer to it, and the reason by a law."""

    where: str
    value: Value
    answers: tuple[PlannedReply, ...]
    reason: str = ""

    def told(self) -> list[str]:
        """The plan in a few sentences."""
        body = {WIN: _winning, DRAW: _holding, LOSS: _losing}[self.value](self.answers)
        said = f"{self.where}, {body}." if body else ""
        return [line for line in (said, self.reason) if line]


class _Group(NamedTuple):
    """Answers of which the same is said."""

    answers: tuple[PlannedReply, ...]
    said: str


def _winning(answers: Sequence[PlannedReply]) -> str:
    """Every answer is met: said of each, or of all at once."""
    ended = [answer for answer in answers if answer.ends]
    groups = _met([answer for answer in answers if not answer.ends])
    if len(groups) == 1 and not ended and len(answers) > 1:
        return f"whatever your opponent does is met {groups[0].said}"
    parts: list[tuple[Sequence[PlannedReply], str]] = [(group.answers, f"{{}} is met {group.said}") for group in groups]
    return _listed([*parts, *([(ended, "{} loses at once")] if ended else [])], len(answers))


def _met(answers: Sequence[PlannedReply]) -> list[_Group]:
    """As few groups as a greedy hand finds: each is met by one and the same reply."""
    left, groups = list(answers), []
    while left:
        replies = dict.fromkeys(meeting for answer in left for meeting in answer.meetings)
        reply = max(replies, key=lambda each: sum(each in answer.meetings for answer in left))
        same = tuple(answer for answer in left if reply in answer.meetings)
        left = [answer for answer in left if reply not in answer.meetings]
        groups.append(_Group(same, f"by {reply.doing}{', which wins' if reply.ends else ''}"))
    return groups


def _losing(answers: Sequence[PlannedReply]) -> str:
    """Which answers the opponent has to find."""
    right = [answer for answer in answers if answer.worth.value == WIN]
    saved = [answer for answer in answers if answer.worth.value != WIN]
    if not saved:
        return "every answer wins for your opponent" if len(answers) > 1 else f"{_named(right)} wins for your opponent"
    return f"only {_named(right)} wins for your opponent, not {_named(saved)}"


def _holding(answers: Sequence[PlannedReply]) -> str:
    """Which answers need care, and which do not."""
    risky = [answer for answer in answers if answer.risky]
    if not risky:
        return "whatever your opponent does, no reply of yours loses"
    replies: dict[tuple[Value, tuple[Meeting, ...]], list[PlannedReply]] = {}
    for answer in risky:
        value = WIN if answer.worth.value == LOSS else DRAW
        replies.setdefault((value, answer.meetings), []).append(answer)
    parts = [
        (tuple(after), f"after {{}} only {_named(meetings)} {'wins' if value == WIN else 'holds'}")
        for (value, meetings), after in replies.items()
    ]
    calm = "; else no reply of yours loses" if len(risky) < len(answers) and len(parts) <= MOST_GROUPS else ""
    return _listed(parts, 0) + calm


def _listed(parts: Sequence[tuple[Sequence[PlannedReply], str]], everything: int) -> str:
    """One clause for each group, small ones first; of many the last is 'anything else', where all are told."""
    order = sorted(parts, key=lambda each: len(each[0]))
    clauses = [said.format(_named(answers)) for answers, said in order[:MOST_GROUPS]]
    last, said = order[-1]
    if everything and 1 < len(order) <= MOST_GROUPS and len(last) > 2:
        clauses[-1] = said.format("anything else")
    return "; ".join(clauses) + ("; and so on" if len(order) > MOST_GROUPS else "")


def _named(items: Sequence[PlannedReply] | Sequence[Meeting]) -> str:
    """Some moves as people say them; of many the first few."""
    doings = list(dict.fromkeys(item.doing for item in items))
    return together(doings if len(doings) <= MOST_NAMED else [*doings[:MOST_NAMED], "others"])


def together(doings: Sequence[str]) -> str:
    """Moves to choose from; what differs in the last word only is said once: 'flipping bit 1 or 3'."""
    stems: dict[str, list[str]] = {}
    for doing in doings:
        stem, _, last = doing.rpartition(" ")
        stems.setdefault(stem, []).append(last)
    groups = [f"{stem} {either(lasts)}".strip() for stem, lasts in stems.items()]
    nested = len(groups) > 1 and len(groups) < len(doings)
    return ", or ".join(groups) if nested else either(groups)


def either(items: Sequence[str]) -> str:
    """A choice as people say it: 1; 1 or 2; 1, 2 or 3."""
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last
