"""A hint: which moves are best and why, in a person's words."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.judge import Judged, best
from bitduel.core.worth import DRAW, LOSS, WIN, Worth

YOUR = "your"


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


def moves(plies: int | None, whose: str = "") -> str:
    """So many plies as people count them: the moves of one player, the last one included."""
    if plies is None or plies == 1:
        return "" if plies is None else " at once"
    own = (plies + 1) // 2
    if whose:
        return f" in {own} of {whose} moves"
    return f" in {own} move{'' if own == 1 else 's'}"


def often(chance: float) -> str:
    """A probability as people say it."""
    return f"{100 * chance:.0f} times in 100"


def told(worth: Worth, whose: str = "") -> str:
    """What something is worth, in a few words; whose moves are counted is said if asked for."""
    if worth.win_probability is not None:
        return f"wins with probability {worth.win_probability:.3f}{' (assumed)' if worth.assumed else ''}"
    if worth.value is None:
        return "not known"
    return {WIN: "wins", DRAW: "draws", LOSS: "loses"}[worth.value] + moves(worth.plies, whose)


def hint(choices: Sequence[Advised], answers: Sequence[str]) -> list[str]:
    """The best moves and why, then what is wrong with the others; answers are what to type for each move."""
    judged = [choice.judged for choice in choices]
    good = {choice.move for choice in best(judged)}
    names = [answer for answer, choice in zip(answers, judged, strict=True) if choice.move in good]
    said = [(c.doing, _praise(c) if c.judged.move in good else _blame(c)) for c in choices]
    best_first = {c.doing: (c.judged.move not in good, -(c.judged.worth.win_probability or 0)) for c in choices}
    said.sort(key=lambda each: best_first[each[0]])
    return [f"Best: {either(names)}.", *_sentences(said)]


def either(items: Sequence[str]) -> str:
    """A choice as people say it: 1; 1 or 2; 1, 2 or 3."""
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last


def _praise(choice: Advised) -> str:
    worth = choice.judged.worth
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability)}"
    if choice.ends and worth.value != DRAW:
        return told(worth, YOUR)
    if worth.value == WIN:
        return f"{told(worth, YOUR)}, whatever your opponent does"
    if worth.value == DRAW:
        return "keeps the draw; nobody can force a win"
    return f"{told(worth, YOUR)} against best play, but nothing holds out longer"


def _blame(choice: Advised) -> str:
    worth = choice.judged.worth
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability)}"
    if choice.ends or choice.reply is None:
        return told(worth, YOUR)
    if worth.value == WIN:
        return f"{told(worth, YOUR)}, which is slower"
    return f"lets your opponent {choice.reply}"


def _sentences(said: list[tuple[str, str]]) -> list[str]:
    """One sentence for all moves of which the same is said."""
    together: dict[str, list[str]] = {}
    for doing, rest in said:
        together.setdefault(rest, []).append(doing)
    lines = [f"{either(doings)} {rest}." for rest, doings in together.items()]
    return [line[0].upper() + line[1:] for line in lines]
