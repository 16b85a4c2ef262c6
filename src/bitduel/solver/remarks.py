"""A review in words."""

from typing import NamedTuple

from bitduel.core.endings import ENDINGS, Outcome, can_be_claimed
from bitduel.core.hints import hundredths, moves, often, told
from bitduel.core.match import other
from bitduel.core.move_plan import either
from bitduel.core.words import Names
from bitduel.solver.review import Concession, MatchValue, Review, ReviewedMove

VIEWPOINT = (
    "Each figure is the chance of the player who has just moved, from what that player knew then. "
    "What comes to light before the player's next move changes it."
)
"""How the figures of a review are to be read where something is hidden."""


class Remark(NamedTuple):
    """What is said of one move: what was better, what was luck, what lost later; all empty where there is nothing."""

    better: str = ""
    luck: str = ""
    longer: str = ""


def remarks(review: Review, names: Names, you: int | None = None) -> tuple[Remark, ...]:
    """What is said of every move; you is the seat of the one who reads it, where that is known."""
    last = last_chances(review)
    return tuple(
        Remark(
            better=_better(step, names, you, step.ply in last) if step.turning else "",
            luck=_luck(step, names, you) if step.luck else "",
            longer=_longer(step, names) if step.longer else "",
        )
        for step in review.steps
    )


def viewpoint(review: Review) -> str:
    """How the figures of a review are to be read; empty where they say the same to both."""
    return VIEWPOINT if review.start.chance is not None else ""


def standing_text(standing: MatchValue, names: Names, over: bool = False, seat: int | None = None) -> str:
    """Who stands to win, or has won, in words; a chance is told of seat 1, or as its own to the seat that is named."""
    if over and standing.chance in (0, 1):
        return f"{names[0] if standing.chance else names[1]} has won"
    if seat and (own := standing.own(seat)) is not None:
        return f"{names[seat - 1]} wins {often(own)}{' (assumed)' if standing.worth.assumed else ''}"
    if standing.chance is not None:
        return f"{names[0]} {told(standing.worth)}"
    if standing.winner is None:
        return "a draw"
    name = names[standing.winner - 1]
    if standing.plies == 0:
        return f"{name} has won"
    return f"{name} wins{moves(standing.plies)}"


def last_chances(review: Review) -> set[int]:
    """Return the plies of the moves that gave away what their player neither had again nor got in the end."""
    return {
        step.ply
        for step in review.steps
        if step.turning
        and not _got_in_the_end(review.outcome, step)
        and not any(_has_again(later, step) for later in review.steps[step.ply + 1 :])
        and not any(_has_again(each, step) for each in review.concessions)
    }


def _got_in_the_end(outcome: Outcome | None, lost: ReviewedMove) -> bool:
    """Return whether the match ended at least as well as a player stood before a mistake, whoever was to thank."""
    if outcome is None:
        return False
    return outcome.winner == lost.seat or (outcome.winner is None and lost.before.winner is None)


def _has_again(later: ReviewedMove | Concession, lost: ReviewedMove) -> bool:
    """Whether a player has again, on a later turn, at least what a move gave away."""
    if later.seat != lost.seat:
        return False
    return later.before.winner == lost.seat or (lost.before.winner is None and later.before.winner is None)


def counted(review: Review, names: Names) -> list[str]:
    """How many turning points there were, and whose mistakes they are."""
    mistakes = [step.seat for step in review.steps if step.turning] + [each.seat for each in review.concessions]
    turns = len(mistakes)
    said = [f"{turns or 'No'} turning point{'' if turns == 1 else 's'}."]
    if turns:
        said.append(f"Mistakes of {names[0]}: {mistakes.count(1)}, of {names[1]}: {mistakes.count(2)}.")
    return said


def conceded(review: Review, names: Names, you: int | None = None) -> list[str]:
    """What was given away by an end that is no move: how it ended, and what there still was for whom."""
    if not review.outcome or not review.concessions:
        return []
    return [
        ENDINGS[review.outcome.reason].say(review.outcome, names),
        *(_conceded(each, names, you) for each in review.concessions),
    ]


def _conceded(found: Concession, names: Names, you: int | None) -> str:
    who, whose = ("You", "your") if found.seat == you else (names[found.seat - 1], "the")
    own = found.before.own(found.seat)
    if own is not None:
        return f"{who} would still have won {often(own)}."
    return f"{who} could still have {'won' if found.before.winner else 'drawn'} here, {whose} last chance."


def praise(review: Review, names: Names) -> str:
    """A kind word for those who have earned it; empty where somebody made a mistake."""
    if review.concessions or any(step.turning for step in review.steps):
        return ""
    if not review.steps:
        return "No move was made, so no mistake either."
    winner, both_moved = review.start.winner, len({step.seat for step in review.steps}) == 2
    if winner is None:
        return "Well played by both: nobody made a mistake." if both_moved else "Nobody made a mistake."
    if not review.outcome or review.outcome.winner != winner:
        return f"Nobody made a mistake: {names[winner - 1]} stood to win from the start."
    kept = f"{names[winner - 1]} stood to win from the start, and kept it."
    if can_be_claimed(review.outcome) or any(step.longer for step in review.steps):
        return f"Well played by {names[winner - 1]}: {kept} {names[other(winner) - 1]} could have held out longer."
    return f"Well played by both: {kept}" if both_moved else f"Well played by {names[winner - 1]}: {kept}"


def _better(step: ReviewedMove, names: Names, you: int | None, last: bool) -> str:
    """What the player could have done instead, and what for."""
    better = either(step.better)
    before, after = step.before.own(step.seat), step.after.own(step.seat)
    if before is not None and after is not None:
        return f"{better} was better: it wins {often(before, [after])}, this move {hundredths(after, [before])}"
    could = "won" if step.before.winner == step.seat else "drawn"
    who, whose = ("You", "your") if step.seat == you else (names[step.seat - 1], "the")
    return f"{who} could still have {could} here, by {better}" + (f", {whose} last chance" if last else "")


def _luck(step: ReviewedMove, names: Names, you: int | None) -> str:
    """A chance that changed without anybody's doing."""
    if step.luck is None:
        return ""
    expected, found, ended, shared = step.luck
    kind = "luck" if found > expected else "bad luck"
    if ended:
        result = {1.0: "it did", 0.0: "it lost"}.get(found, "the match was drawn")
        return f"{kind}: this move wins {often(expected)}, and {result}"
    whose, that = ("your", "your") if step.seat == you else (f"{names[step.seat - 1]}'s", "that")
    changed = (
        f"had {'risen' if found > expected else 'fallen'} from {hundredths(expected)} to {hundredths(found)} in 100"
    )
    if shared:
        return f"{kind}: since the last move {whose} chance {changed}, by what came to light"
    return f"{kind}: since {whose} last move {that} chance {changed}, by what came to light"


def _longer(step: ReviewedMove, names: Names) -> str:
    """What would have put off the end in a lost position."""
    said, plies = f"{either(step.longer)} would have held out longer", step.before.plies
    return said if plies is None else f"{said}: {names[other(step.seat) - 1]} then wins{moves(plies - 1)}"
