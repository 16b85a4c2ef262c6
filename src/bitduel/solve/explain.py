"""Why a move is good or bad: what it is worth, and what the opponent does about it."""

from bitduel.core.advice import Advised
from bitduel.core.judge import Judge, Judged, best
from bitduel.core.match import Match


def advise(judge: Judge, match: Match) -> list[Advised]:
    """Every legal move with its worth and the opponent's best answer, where everything is open."""
    seat = match.to_move
    assert seat is not None
    view = match.view(seat)
    return [_advised(judge, match, choice, seat) for choice in judge.choices(view)]


def _advised(judge: Judge, match: Match, choice: Judged, seat: int) -> Advised:
    words = match.game.words
    doing = words.act(match.view(seat), choice.move).doing
    if match.game.chance:
        return Advised(choice, doing)
    after = match.after(choice.move)
    if after.outcome:
        return Advised(choice, doing, ends=True)
    return Advised(choice, doing, reply=_reply(judge, after))


def _reply(judge: Judge, match: Match) -> str | None:
    """What the opponent then does, said to the player."""
    assert match.to_move
    view = match.view(match.to_move)
    if match.must_pass:
        return None
    answer = best(judge.choices(view))[0]
    wins = " and win" if answer.worth.plies == 1 else ""
    return match.game.words.act(view, answer.move).theirs + wins
