"""Why a move is good or bad: what it is worth, what the opponent does about it, and how that is met."""

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.evaluator import Evaluator, MoveEvaluation, best
from bitduel.core.game import PASS
from bitduel.core.hints import Advised
from bitduel.core.match import Match, other
from bitduel.core.move_plan import Meeting, MovePlan, PlannedReply


def advise(judge: Evaluator, match: Match) -> list[Advised]:
    """Every legal move with its worth and the opponent's best answer, where everything is open; one with a plan."""
    seat = match.to_move
    assert seat is not None
    choices = judge.choices(match.view(seat))
    first = best(choices)[0].move
    return [_advised(judge, match, choice, first == choice.move) for choice in choices]


def plan(judge: Evaluator, match: Match, choice: MoveEvaluation) -> MovePlan | None:
    """What a move leaves and how every answer to it is met; nothing where the move ends the match."""
    seat, value, words = match.to_move, choice.worth.value, match.game.words
    after = match.after(choice.move)
    if after.outcome or value is None or seat is None:
        return None
    where = words.stands(after.view(seat)) or f"After {_doing(match, choice.move)}"
    told = after if value == WIN else match
    answers = judge.choices(after.view(after.to_move))
    return MovePlan(where, value, tuple(_answer(judge, after, each) for each in answers), words.reason(told.view(seat)))


def _advised(judge: Evaluator, match: Match, choice: MoveEvaluation, first: bool) -> Advised:
    words, view = match.game.words, match.view(match.to_move)
    doing = _doing(match, choice.move)
    if match.game.chance:
        return Advised(choice, doing, remark=words.remark(view, choice.move) if first else "")
    after = match.after(choice.move)
    if after.outcome:
        return Advised(choice, doing, ends=True)
    return Advised(choice, doing, reply=_reply(judge, after), plan=plan(judge, match, choice) if first else None)


def _reply(judge: Evaluator, match: Match) -> str | None:
    """What the opponent then does and what for, said to the player."""
    assert match.to_move
    if match.must_pass:
        return None
    view = match.view(match.to_move)
    answer = best(judge.choices(view))[0]
    value, plies, _ = answer.worth
    for_what = {WIN: " and win", DRAW: " and hold the draw", LOSS: "", None: ""}[value]
    soon = f" in {(plies + 1) // 2} moves" if value == WIN and plies and plies > 1 else ""
    return match.game.words.act(view, answer.move).theirs + for_what + soon


def _answer(judge: Evaluator, match: Match, choice: MoveEvaluation) -> PlannedReply:
    """An answer of the opponent's, with all the replies that meet it best."""
    doing = _doing(match, choice.move, mine=False)
    after = match.after(choice.move)
    if after.outcome:
        return PlannedReply(choice.move, doing, choice.worth, ends=True)
    replies = judge.choices(after.view(other(match.next_seat)))
    good = best(replies)
    meetings = tuple(Meeting(c.move, _doing(after, c.move), bool(after.after(c.move).outcome)) for c in good)
    risky = any(reply.worth.value == LOSS for reply in replies) and good[0].worth.value != LOSS
    return PlannedReply(choice.move, doing, choice.worth, False, meetings, risky)


def _doing(match: Match, move: str, mine: bool = True) -> str:
    """A move of the player to move, said by the player who hears it or of the opponent."""
    if move == PASS:
        return "passing"
    act = match.game.words.act(match.view(match.to_move), move)
    return act.doing if mine else act.their_doing
