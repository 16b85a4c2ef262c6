"""Reviews in words: values, remarks on moves, mistakes, concessions and praise."""

from typing import NamedTuple

from bitduel.core.match import other_seat
from bitduel.core.outcomes import ENDINGS, Outcome, can_be_claimed
from bitduel.core.phrases import evaluation_phrase, frequency_phrase, join_with_or, moves_phrase, percentage
from bitduel.core.words import Names
from bitduel.learning.review import Concession, MatchValue, Review, ReviewedMove

VIEWPOINT = (
    "Each percentage is the chance of winning of the player who has just moved, given what that player knew. "
    "What they learn before their next move can change it."
)
"""The note on the percentages of a review where something is hidden."""


class Remark(NamedTuple):
    """A remark on one move: what was better and why, what was luck, what lost later; empty where there is nothing."""

    better: str = ""
    why: str = ""
    luck: str = ""
    longer: str = ""


def remarks(review: Review, names: Names, reader: int | None = None) -> tuple[Remark, ...]:
    """Return a remark on every move; `reader` is the seat of the person who reads it, if known."""
    last = last_chances(review)
    return tuple(
        Remark(
            better=_better_text(step, names, reader, step.ply in last) if step.turning else "",
            why=_why_text(step, names, reader) if step.turning else "",
            luck=_luck_text(step, names, reader),
            longer=_longer_text(step, names) if step.longer else "",
        )
        for step in review.steps
    )


def viewpoint(review: Review) -> str:
    """Return how to read the percentages of a review; empty if they are the same for both."""
    return VIEWPOINT if review.start.chance is not None else ""


def evaluation_text(value: MatchValue, names: Names, is_over: bool = False, seat: int | None = None) -> str:
    """Return who wins or has won; a chance is that of the seat that is given, or else of seat 1."""
    if is_over and value.chance in (0, 1):
        return f"{names[0] if value.chance else names[1]} has won"
    if seat and (chance := value.chance_of(seat)) is not None:
        return f"{names[seat - 1]} wins {frequency_phrase(chance)}{' (assumed)' if value.evaluation.is_assumed else ''}"
    if value.chance is not None:
        return f"{names[0]} {evaluation_phrase(value.evaluation)}"
    if value.winner is None:
        return "a draw"
    name = names[value.winner - 1]
    return f"{name} has won" if value.plies == 0 else f"{name} wins{moves_phrase(value.plies)}"


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


def _got_in_the_end(outcome: Outcome | None, mistake: ReviewedMove) -> bool:
    """Return whether the match ended at least as well as the player stood before a mistake."""
    if outcome is None:
        return False
    return outcome.winner == mistake.seat or (outcome.winner is None and mistake.before.winner is None)


def _has_again(later: ReviewedMove | Concession, mistake: ReviewedMove) -> bool:
    """Return whether a player has again, on a later turn, at least what a mistake gave away."""
    if later.seat != mistake.seat:
        return False
    return later.before.winner == mistake.seat or (mistake.before.winner is None and later.before.winner is None)


def mistake_summary(review: Review, names: Names) -> list[str]:
    """Return how many turning points there were, and whose mistakes they are."""
    mistakes = [step.seat for step in review.steps if step.turning] + [each.seat for each in review.concessions]
    count = len(mistakes)
    sentences = [f"{count or 'No'} turning point{'' if count == 1 else 's'}."]
    if count:
        sentences.append(f"Mistakes: {mistakes.count(1)} by {names[0]}, {mistakes.count(2)} by {names[1]}.")
    return sentences


def concession_lines(review: Review, names: Names, reader: int | None = None) -> list[str]:
    """Return how the match ended otherwise than by a move, and what was given away by that."""
    if not review.outcome or not review.concessions:
        return []
    ending = ENDINGS[review.outcome.reason].sentence(review.outcome, names)
    return [ending, *(_concession_text(each, names, reader) for each in review.concessions)]


def _concession_text(concession: Concession, names: Names, reader: int | None) -> str:
    player, the = _subject(concession.seat, names, reader)
    chance = concession.before.chance_of(concession.seat)
    if chance is not None:
        whose = "Your" if concession.seat == reader else f"{player}'s"
        return f"{whose} chance of winning was still {percentage(chance)}."
    return f"{player} could still have {'won' if concession.before.winner else 'drawn'} here. It was {the} last chance."


def _subject(seat: int, names: Names, reader: int | None) -> tuple[str, str]:
    """Return the player as a subject, and the article for what is the player's."""
    return ("You", "your") if seat == reader else (names[seat - 1], "the")


def praise_players(review: Review, names: Names) -> str:
    """Return praise for those who have earned it; empty if somebody made a mistake."""
    if review.concessions or any(step.turning for step in review.steps):
        return ""
    if not review.steps:
        return "No moves were made, so there were no mistakes."
    winner, both_moved = review.start.winner, len({step.seat for step in review.steps}) == 2
    if winner is None:
        return "Well played, both of you. Nobody made a mistake." if both_moved else "Nobody made a mistake."
    if not review.outcome or review.outcome.winner != winner:
        return f"Nobody made a mistake. {names[winner - 1]} was winning from the start."
    kept = f"{names[winner - 1]} was winning from the start and made no mistake."
    if can_be_claimed(review.outcome) or any(step.longer for step in review.steps):
        return f"Well played, {names[winner - 1]}. {kept} {names[other_seat(winner) - 1]} could have lasted longer."
    return f"Well played, {'both of you' if both_moved else names[winner - 1]}. {kept}"


def _better_text(step: ReviewedMove, names: Names, reader: int | None, is_last_chance: bool) -> str:
    better = join_with_or(step.better)
    best, chance = step.before.chance_of(step.seat), step.chance
    if best is not None and chance is not None:
        return f"{better} was better: {percentage(best, [chance])} instead of {percentage(chance, [best])}"
    could = "won" if step.before.winner == step.seat else "drawn"
    player, the = _subject(step.seat, names, reader)
    last_chance = f". It was {the} last chance" if is_last_chance else ""
    return f"{player} could still have {could} here with {better}{last_chance}"


def _why_text(step: ReviewedMove, names: Names, reader: int | None) -> str:
    """Return the reason for the reader, or for the player whose mistake it was; without its last full stop."""
    why = step.why[(reader or step.seat) - 1].rstrip(".")
    return f"For {names[step.seat - 1]}: {why}" if why and reader is None and "ou" in why else why


def decisive_moment(review: Review, names: Names) -> str:
    """Return which move decided the match, and how long it could have lasted; empty if that is not known."""
    outcome = review.outcome
    if outcome is None or not outcome.winner or review.start.chance is not None or can_be_claimed(outcome):
        return ""
    values = [review.start, *(step.after for step in review.steps)]
    decided = next((at for at in range(len(values), 0, -1) if values[at - 1].winner != outcome.winner), 0)
    if decided >= len(values) or values[decided].plies is None:
        return ""
    sentence = f"{names[outcome.winner - 1]} was winning from the start."
    if decided:
        sentence = f"Move {decided} decided the match."
    longest, last = decided + (values[decided].plies or 0), len(review.steps)
    if decided == last:
        return sentence
    if longest <= last:
        return f"{sentence} {names[other_seat(outcome.winner) - 1]} then held out as long as possible."
    return f"{sentence} With the best defence it could have lasted until move {longest}; it ended with move {last}."


def _luck_text(step: ReviewedMove, names: Names, reader: int | None) -> str:
    if step.luck is None:
        return ""
    expected, found, ended, shared = step.luck
    kind = "lucky" if found > expected else "unlucky"
    if ended:
        result = {1.0: "it won", 0.0: "it lost"}.get(found, "the match was drawn")
        return f"{kind}: the chance of winning with this move was {percentage(expected)}, and {result}"
    change = f"from {percentage(expected)} to {percentage(found)}"
    player, whose = ("you", "your") if step.seat == reader else (names[step.seat - 1], f"{names[step.seat - 1]}'s")
    learned = "both players" if shared else player
    return f"{kind}: what {learned} learned since the last move changed {whose} chance of winning {change}"


def _longer_text(step: ReviewedMove, names: Names) -> str:
    text, plies = f"{join_with_or(step.longer)} would have lasted longer", step.before.plies
    return text if plies is None else f"{text}: {names[other_seat(step.seat) - 1]} then wins{moves_phrase(plies - 1)}"
