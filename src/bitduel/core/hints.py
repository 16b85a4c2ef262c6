"""A hint: which moves are best and why, in a person's words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.evaluator import TIE, MoveEvaluation, best
from bitduel.core.move_plan import MovePlan, either, together

YOUR = "your"

MOST_DIGITS = 3
"""Chances that differ by less than this tells are said alike."""


class Act(NamedTuple):
    """A move in words: said of the player who hears it ('doubling to 10'), and of the opponent ('double to 10')."""

    doing: str
    theirs: str
    done: str = ""
    """The first said of the opponent, where that is something else."""

    @property
    def their_doing(self) -> str:
        """What the opponent is doing, said to the player."""
        return self.done or self.doing


class Advised(NamedTuple):
    """A move with its worth, how it is said, and what the opponent then does about it."""

    judged: MoveEvaluation
    doing: str
    ends: bool = False
    reply: str | None = None
    plan: MovePlan | None = None
    """How the match then goes on, of the one best move of which that is told."""
    remark: str = ""
    """What else is known of the move, from what its player may see."""


def moves(plies: int | None, whose: str = "") -> str:
    """So many plies as people count them: the moves of one player, the last one included."""
    if plies is None or plies == 1:
        return "" if plies is None else " at once"
    own = (plies + 1) // 2
    if whose:
        return f" in {own} of {whose} moves"
    return f" in {own} move{'' if own == 1 else 's'}"


def often(chance: float, beside: Iterable[float] = ()) -> str:
    """A probability as people say it, as exactly as it takes to look different from others beside it that are."""
    return f"{hundredths(chance, beside)} times in 100"


def hundredths(chance: float, beside: Iterable[float] = ()) -> str:
    """A probability in hundredths, with as many digits as tell it from others beside it."""
    others = [other for other in beside if abs(other - chance) > TIE]
    said = [f"{100 * chance:.{digits}f}" for digits in range(MOST_DIGITS + 1)]
    alone = (each for digits, each in enumerate(said) if each not in [f"{100 * o:.{digits}f}" for o in others])
    return next(alone, said[0])


def told(worth: Evaluation, whose: str = "") -> str:
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
    order = sorted(choices, key=lambda choice: -(choice.judged.worth.win_probability or 0))
    right = [choice for choice in order if choice.judged.move in good]
    wrong = [choice for choice in order if choice.judged.move not in good]
    praise = [(choice.doing, _praise(choice, _chances(wrong))) for choice in right]
    blame = [(choice.doing, _blame(choice, _chances(right))) for choice in wrong]
    return [f"Best: {either(names)}.", *_sentences(praise), *_further(choices), *_sentences(blame)]


def _further(choices: Sequence[Advised]) -> list[str]:
    """What the best move leads to, and why."""
    remarks = [choice.remark for choice in choices if choice.remark]
    return [line for choice in choices if choice.plan for line in choice.plan.told()] + remarks


def _chances(choices: Sequence[Advised]) -> list[float]:
    chances = (choice.judged.worth.win_probability for choice in choices)
    return [chance for chance in chances if chance is not None]


def _praise(choice: Advised, others: Sequence[float]) -> str:
    worth = choice.judged.worth
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability, others)}"
    if choice.ends and worth.value != DRAW:
        return told(worth, YOUR)
    if worth.value == WIN:
        return f"{told(worth, YOUR)}, whatever your opponent does"
    if worth.value == DRAW:
        return "keeps the draw; nobody can force a win"
    return f"{told(worth, YOUR)} against best play, but nothing holds out longer"


def _blame(choice: Advised, others: Sequence[float]) -> str:
    worth = choice.judged.worth
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability, others)}"
    if choice.ends or choice.reply is None:
        return told(worth, YOUR)
    if worth.value == WIN:
        return f"{told(worth, YOUR)}, which is slower"
    return f"lets your opponent {choice.reply}"


def _sentences(said: list[tuple[str, str]]) -> list[str]:
    """One sentence for all moves of which the same is said."""
    alike: dict[str, list[str]] = {}
    for doing, rest in said:
        alike.setdefault(rest, []).append(doing)
    lines = [f"{together(doings)} {rest}." for rest, doings in alike.items()]
    return [line[0].upper() + line[1:] for line in lines]
