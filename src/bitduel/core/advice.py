"""A hint: which moves are best and why, in a person's words."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.judge import DRAW, LOSS, WIN, Judged, best


class Act(NamedTuple):
    """A move in words: said of the player who hears it ('doubling to 10'), and of the opponent ('double to 10')."""

    doing: str
    theirs: str


class Advised(NamedTuple):
    """A move with its worth, how it is said, and what the opponent then does about it."""

    judged: Judged
    doing: str
    ends: bool = False
    reply: str | None = None


def plies(count: int | None) -> str:
    """So many plies, in words."""
    return "" if count is None else " at once" if count == 1 else f" in {count} plies"


def worth(judged: Judged) -> str:
    """What a move is worth, in a few words."""
    if judged.win_probability is not None:
        return f"wins with probability {judged.win_probability:.3f}"
    if judged.value == DRAW:
        return "draws"
    return {WIN: "wins", LOSS: "loses"}.get(judged.value or "", "not known") + plies(judged.plies)


def hint(choices: Sequence[Advised], answers: Sequence[str]) -> list[str]:
    """The best moves and why, then what is wrong with the others; answers are what to type for each move."""
    judged = [choice.judged for choice in choices]
    good = {choice.move for choice in best(judged)}
    names = [answer for answer, choice in zip(answers, judged, strict=True) if choice.move in good]
    said = [(c.doing, _praise(c) if c.judged.move in good else _blame(c)) for c in choices]
    said.sort(key=lambda each: each[0] not in {c.doing for c in choices if c.judged.move in good})
    return [f"Best: {either(names)}.", *_sentences(said)]


def either(items: Sequence[str]) -> str:
    """A choice as people say it: 1; 1 or 2; 1, 2 or 3."""
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last


def _praise(choice: Advised) -> str:
    value = choice.judged.value
    if choice.judged.win_probability is not None or (choice.ends and value != DRAW):
        return worth(choice.judged)
    if value == WIN:
        return f"{worth(choice.judged)}, whatever your opponent does"
    if value == DRAW:
        return "keeps the draw; nobody can force a win"
    return f"{worth(choice.judged)} against best play, but nothing holds out longer"


def _blame(choice: Advised) -> str:
    if choice.judged.win_probability is not None or choice.ends or choice.reply is None:
        return worth(choice.judged)
    if choice.judged.value == WIN:
        return f"{worth(choice.judged)}, which is slower"
    return f"lets your opponent {choice.reply}"


def _sentences(said: list[tuple[str, str]]) -> list[str]:
    """One sentence for all moves of which the same is said."""
    together: dict[str, list[str]] = {}
    for doing, rest in said:
        together.setdefault(rest, []).append(doing)
    lines = [f"{either(doings)} {rest}." for rest, doings in together.items()]
    return [line[0].upper() + line[1:] for line in lines]
