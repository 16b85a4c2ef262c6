"""Who gives a lesson: where a learner stands in a step, and what is said to an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bitduel.core.errors import MoveError, shown
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.evaluator import Evaluator, best
from bitduel.core.game import PASS
from bitduel.core.hints import moves, often
from bitduel.core.lesson import OPPONENT, Choose, Play, Step, Try
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.exercises import best_play
from bitduel.solver.review import gives_away

YOU_DO = "You"
SHOWN = 6
"""So many moves of a refutation are shown, its first included, unless it ends before."""


class AnswerError(MoveError):
    """An answer that the step does not offer."""


class AnswerVerdict(NamedTuple):
    """What is said to an answer, and for a wrong move how play goes on, the learner's own move first."""

    right: bool
    said: tuple[str, ...]
    line: tuple[str, ...] = ()
    ends: bool = False
    """Whether the match is over after the line."""


@dataclass(frozen=True)
class LessonState:
    """Where a learner stands in a step: the match, with the learner to move unless it is over or done."""

    step: Step
    match: Match
    own: int = 0
    """So many moves the learner has made here."""

    @property
    def done(self) -> bool:
        """Whether a match that is played out is through: over, or held for as long as was asked."""
        turns = self.step.turns if isinstance(self.step, Play) else None
        return self.match.outcome is not None or (turns is not None and self.own >= turns)

    @property
    def question(self) -> str:
        """What is asked, and of a match that is held for some turns in which of them."""
        turns = self.step.turns if isinstance(self.step, Play) else None
        return self.step.question if turns is None else f"{self.step.question} This is turn {self.own + 1} of {turns}."

    @property
    def ending(self) -> AnswerVerdict | None:
        """What is said when a match has been played out."""
        if not (isinstance(self.step, Play) and self.done):
            return None
        outcome = self.match.outcome
        lost = outcome is not None and outcome.winner not in (self.step.seat, None)
        return AnswerVerdict(True, (self.step.unlucky if lost else self.step.praise,))


def begin(step: Step, own: Sequence[str] = ()) -> LessonState:
    """Where a learner stands who has made these moves of a match, each answered by best play."""
    match = step.stand.match
    if not isinstance(step, Play):
        return LessonState(step, match)
    moment = LessonState(step, _answered(step, match))
    for move in own:
        moment = go_on(moment, move)
    return moment


def go_on(moment: LessonState, move: str) -> LessonState:
    """After one more move of the learner that gives nothing away, and the answer to it; raises MoveError for others."""
    if moment.done:
        raise AnswerError("This match is over.")
    if not answer(moment, move).right:
        raise AnswerError(f"'{shown(move)}' gives something away, so it is taken back.")
    step = moment.step
    assert isinstance(step, Play)
    return LessonState(step, _answered(step, moment.match.after(move)), moment.own + 1)


def answer(moment: LessonState, text: str) -> AnswerVerdict:
    """What is said to an answer; raises MoveError for what is none."""
    step = moment.step
    if isinstance(step, Choose):
        return _chosen(step, text)
    assert isinstance(step, Try | Play)
    judge = evaluator_for(moment.match.game)
    after = moment.match.after(text)
    choices = judge.choices(moment.match.view(step.seat))
    judged = next(choice for choice in choices if choice.move == text)
    right = text in step.right if isinstance(step, Try) else not gives_away(choices, judged)
    if right:
        return AnswerVerdict(True, (step.praise,) if isinstance(step, Try) else ())
    said = step.blame.get(text, step.wrong) if isinstance(step, Try) else step.wrong
    chance = _chances(judged.worth, best(choices)[0].worth)
    if moment.match.game.chance:
        return AnswerVerdict(False, (said, *chance))
    line = best_play(judge, after)[: SHOWN - 1]
    for move in line:
        after = after.after(move)
    return AnswerVerdict(False, (said,), (text, *line), after.outcome is not None)


def right_answers(moment: LessonState) -> tuple[str, ...]:
    """Every answer that is right."""
    step = moment.step
    if isinstance(step, Choose):
        return tuple(each.text for each in step.answers if each.right)
    return tuple(move for move in moment.match.legal if answer(moment, move).right)


def _chosen(step: Choose, text: str) -> AnswerVerdict:
    wanted = " ".join(text.casefold().split())
    for each in step.answers:
        if each.text.casefold() == wanted:
            return AnswerVerdict(each.right, (each.said,))
    raise AnswerError(f"'{shown(text)}' is none of the answers.")


def _chances(made: Evaluation, top: Evaluation) -> tuple[str, ...]:
    if made.win_probability is None or top.win_probability is None:
        return ()
    one, two = made.win_probability, top.win_probability
    return (f"It wins {often(one, [two])}, the best {often(two, [one])}.",)


def _answered(step: Play, match: Match) -> Match:
    """The match when it is the learner's turn to choose: the other plays best, and who must pass does."""
    judge = evaluator_for(match.game)
    while match.to_move and (match.to_move != step.seat or match.must_pass):
        match = match.after(reply(judge, match))
    return match


def reply(judge: Evaluator, match: Match) -> str:
    """What best play does, the same every time: the likeliest move, of equal ones the first."""
    if match.must_pass:
        return PASS
    assert match.to_move
    mixture = judge.mixture(match.view(match.to_move))
    return max(match.legal, key=lambda move: mixture.get(move, 0))


def reaches(moment: LessonState) -> bool:
    """Whether a match that is played out came to what was to be had, or to a draw where that is all; luck aside."""
    step, outcome = moment.step, moment.match.outcome
    if not isinstance(step, Play) or not moment.done:
        return False
    if step.value is None:
        return True
    winner = outcome.winner if outcome else None
    return winner == step.seat or (step.value == DRAW and winner is None)


def told(step: Step, match: Match, line: Sequence[str]) -> list[str]:
    """How play goes on, a line for each move: who makes it, and what it does."""
    said = []
    for move in line:
        view, yours = match.view(match.next_seat), match.next_seat == step.seat
        words = match.game.words
        if move == PASS:
            said.append(f"{YOU_DO if yours else OPPONENT}: {PASS}")
        elif yours:
            said.append(f"{YOU_DO}: {move}, {words.leads(view, move)}")
        else:
            said.append(f"{OPPONENT}: {words.act(view, move).theirs}")
        match = match.after(move)
    return said


def outcome_said(step: Step, match: Match) -> str:
    """Who has won, or how it will end, said to the learner."""
    if match.outcome is None:
        return f"And so on: {_to_come(step, match)}."
    return {step.seat: "You win.", None: "It is a draw."}.get(match.outcome.winner, f"{OPPONENT} wins.")


def _to_come(step: Step, match: Match) -> str:
    """How a match that is not over ends by best play."""
    worth = best(evaluator_for(match.game).choices(match.view(match.next_seat)))[0].worth
    if worth.value not in (WIN, LOSS):
        return "nobody wins"
    yours = (worth.value == WIN) == (match.next_seat == step.seat)
    return f"{'you win' if yours else 'your opponent wins'}{moves(worth.plies)}"
