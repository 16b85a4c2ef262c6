"""Lessons graded: the state of a learner in a step, and the verdict on an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bitduel.core.errors import MoveError, printable
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Evaluator, best_choices
from bitduel.core.game import PASS
from bitduel.core.lesson import OPPONENT, ChoiceStep, LessonStep, MatchStep, MoveStep, game_lesson
from bitduel.core.match import Match
from bitduel.core.phrases import frequency_phrase, moves_phrase, percentage
from bitduel.learning.review import is_mistake
from bitduel.solver.evaluators import evaluator_for

YOU = "You"
REFUTATION_PLIES = 6
"""The plies of a refutation that are shown, the learner's own move included."""


class AnswerError(MoveError):
    """An answer that the step does not offer."""


class AnswerVerdict(NamedTuple):
    """The verdict on an answer, and for a wrong move the line that refutes it, the learner's own move first."""

    is_right: bool
    sentences: tuple[str, ...]
    line: tuple[str, ...] = ()
    ends_match: bool = False
    """Whether the match is over after the line."""


@dataclass(frozen=True)
class LessonState:
    """The state of a learner in a step: the match, with the learner to move unless the step is done."""

    step: LessonStep
    match: Match
    move_count: int = 0
    """The moves that the learner has made in this step."""

    @property
    def is_done(self) -> bool:
        """Whether the match of a step is over, or a draw was held for the required number of turns."""
        turns = self._turns
        return self.match.outcome is not None or (turns is not None and self.move_count >= turns)

    @property
    def question(self) -> str:
        """The question, with the number of the turn where the match is to be held for some turns."""
        if self._turns is None:
            return self.step.question
        return f"{self.step.question} This is turn {self.move_count + 1} of {self._turns}."

    @property
    def ending(self) -> AnswerVerdict | None:
        """The verdict on a match that has been played to its end."""
        if not (isinstance(self.step, MatchStep) and self.is_done):
            return None
        outcome = self.match.outcome
        is_lost = outcome is not None and outcome.winner not in (self.step.seat, None)
        return AnswerVerdict(True, (self.step.unlucky if is_lost else self.step.praise,))

    @property
    def _turns(self) -> int | None:
        return self.step.turns if isinstance(self.step, MatchStep) else None


def start_step(step: LessonStep, moves: Sequence[str] = ()) -> LessonState:
    """Return the state after these moves of the learner, each answered by best play."""
    match = step.position.match
    if not isinstance(step, MatchStep):
        return LessonState(step, match)
    state = LessonState(step, _play_opponent(step, match))
    for move in moves:
        state = advance(state, move)
    return state


def advance(state: LessonState, move: str) -> LessonState:
    """Return the state after a right move and the reply to it; raise MoveError for any other move."""
    if state.is_done:
        raise AnswerError("This match is over.")
    if not grade_answer(state, move).is_right:
        raise AnswerError(f"'{printable(move)}' is a mistake, so it has been undone.")
    step = state.step
    assert isinstance(step, MatchStep)
    return LessonState(step, _play_opponent(step, state.match.after(move)), state.move_count + 1)


def grade_answer(state: LessonState, text: str) -> AnswerVerdict:
    """Return the verdict on an answer; raise MoveError if it is neither offered nor a legal move."""
    step = state.step
    if isinstance(step, ChoiceStep):
        return _grade_choice(step, text)
    assert isinstance(step, MoveStep | MatchStep)
    evaluator = evaluator_for(state.match.game)
    after = state.match.after(text)
    choices = evaluator.choices(state.match.view(step.seat))
    chosen = next(choice for choice in choices if choice.move == text)
    if isinstance(step, MoveStep):
        is_right, wrong = text in step.right, step.wrong_by_move.get(text, step.wrong)
    else:
        is_right, wrong = not is_mistake(choices, chosen), step.wrong
    if is_right:
        return AnswerVerdict(True, (step.praise,) if isinstance(step, MoveStep) else ())
    if state.match.game.has_chance:
        return AnswerVerdict(False, (wrong, *_chances(chosen.evaluation, best_choices(choices)[0].evaluation)))
    line = [text]
    while after.to_move and len(line) < REFUTATION_PLIES:
        line.append(_next_move(step, evaluator, after))
        after = after.after(line[-1])
    return AnswerVerdict(False, (wrong,), tuple(line), after.outcome is not None)


def _next_move(step: LessonStep, evaluator: Evaluator, match: Match) -> str:
    """Return the best move; of the learner's moves that are as good, the one that the lesson teaches."""
    view = match.view(match.next_seat)
    best = best_choices(evaluator.choices(view))
    lesson = game_lesson(type(match.game))
    taught = lesson.method(view) if lesson and view.seat == step.seat and not match.must_pass else ""
    return taught if any(choice.move == taught for choice in best) else best[0].move


def _grade_choice(step: ChoiceStep, text: str) -> AnswerVerdict:
    wanted = " ".join(text.casefold().split())
    for answer in step.answers:
        if answer.text.casefold() == wanted:
            return AnswerVerdict(answer.is_right, (answer.feedback,))
    raise AnswerError(f"'{printable(text)}' isn't one of the answers.")


def _chances(chosen: Evaluation, best: Evaluation) -> tuple[str, ...]:
    one, two = chosen.win_probability, best.win_probability
    if one is None or two is None:
        return ()
    return (f"It wins {frequency_phrase(one, [two])}; the best move wins {percentage(two, [one])}.",)


def _play_opponent(step: MatchStep, match: Match) -> Match:
    """Return the match at the learner's next choice: the opponent plays best, and forced passes are made."""
    evaluator = evaluator_for(match.game)
    while match.to_move and (match.to_move != step.seat or match.must_pass):
        match = match.after(likeliest_move(evaluator, match))
    return match


def likeliest_move(evaluator: Evaluator, match: Match) -> str:
    """Return the move that best play makes most often, the first of equals."""
    if match.must_pass:
        return PASS
    assert match.to_move
    policy = evaluator.policy(match.view(match.to_move))
    return max(match.legal, key=lambda move: policy.get(move, 0))


def reaches_goal(state: LessonState) -> bool:
    """Return whether a match that is done came to the value of its step, luck aside."""
    step, outcome = state.step, state.match.outcome
    if not isinstance(step, MatchStep) or not state.is_done:
        return False
    winner = outcome.winner if outcome else None
    return step.value is None or winner == step.seat or (step.value == DRAW and winner is None)


def line_text(step: LessonStep, match: Match, line: Sequence[str]) -> list[str]:
    """Return one line of text for each move: who makes it, and what it does."""
    lines = []
    for move in line:
        view, is_learner, words = match.view(match.next_seat), match.next_seat == step.seat, match.game.words
        if move == PASS:
            lines.append(f"{YOU} pass" if is_learner else f"{OPPONENT} passes")
        elif is_learner:
            lines.append(f"{YOU} {words.move_phrase(view, move).imperative}")
        else:
            lines.append(f"{OPPONENT} {words.move_phrase(view, move).report}")
        match = match.after(move)
    return lines


def outcome_text(step: LessonStep, match: Match) -> str:
    """Return who has won, or how the match ends with perfect play, in words for the learner."""
    if match.outcome:
        return {step.seat: "You win.", None: "It's a draw."}.get(match.outcome.winner, f"{OPPONENT} wins.")
    evaluation = best_choices(evaluator_for(match.game).choices(match.view(match.next_seat)))[0].evaluation
    if evaluation.value not in (WIN, LOSS):
        return "And so on: nobody wins."
    is_win = (evaluation.value == WIN) == (match.next_seat == step.seat)
    return f"And so on: {'you win' if is_win else 'your opponent wins'}{moves_phrase(evaluation.plies)}."
