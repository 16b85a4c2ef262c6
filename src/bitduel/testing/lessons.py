"""Checks of a game's lesson, where it has one: nothing it says may be false."""

from collections.abc import Iterator
from typing import Any

from bitduel.core.errors import NotSolvedError
from bitduel.core.evaluation import LOSS, WIN, Value
from bitduel.core.evaluator import best
from bitduel.core.game import Game
from bitduel.core.lesson import Choose, Lesson, Play, Step, Try
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.exercises import Exercise
from bitduel.solver.lesson_grading import answer, begin, go_on, reaches
from bitduel.solver.review import gives_away
from bitduel.testing.sample import MOST_POSITIONS, Check, GameProbe

FEWEST, MOST = 5, 10
LONGEST_TEXT = 600
"""Characters of a step that are read in about half a minute."""


def lessons_are_true(sample: GameProbe) -> Iterator[str]:
    """A lesson's right answers are what the solution says, and every claim in it holds."""
    lesson = _lesson(sample)
    if lesson is None:
        return
    for number, step in enumerate(lesson.steps, 1):
        sample.tried["step"] += 1
        yield from (f"step {number}: {said}" for said in problems(step))


def lessons_can_be_learnt(sample: GameProbe) -> Iterator[str]:
    """A lesson has five to ten short steps, and whoever follows its method gets through its matches."""
    lesson = _lesson(sample)
    if lesson is None:
        return
    if not FEWEST <= len(lesson) <= MOST:
        yield f"it has {len(lesson)} steps"
    if not isinstance(lesson.steps[-1], Play):
        yield "its last step is no match"
    for number, step in enumerate(lesson.steps, 1):
        sample.tried["step"] += 1
        length = sum(map(len, (*step.text, step.question)))
        if length > LONGEST_TEXT or not (step.title and step.text and step.question and step.hint):
            yield f"step {number} is too long, or says too little"
        if isinstance(step, Play) and not followed(lesson, step):
            yield f"step {number} cannot be done by the method"


def problems(step: Step) -> Iterator[str]:
    """Everything in a step that is not so."""
    yield from (f"it is not so: {claim.says}" for claim in step.claims if not claim.holds(evaluator_for))
    if isinstance(step, Choose):
        yield from (
            f"'{each.text}' is {'not ' * each.right}right: {each.claim.says}"
            for each in step.answers
            if each.claim.holds(evaluator_for) != each.right
        )
        if {True, False} != {each.right for each in step.answers}:
            yield "there is no right answer, or no wrong one"
    elif isinstance(step, Try):
        yield from _wrong_moves(step)
    elif isinstance(step, Play) and _most(step) != step.value:
        yield f"the learner has not a {step.value}"


def _wrong_moves(step: Try) -> Iterator[str]:
    exercise = Exercise(step.stand.game, step.stand.moves, step.stand.deal)
    if set(step.right) != set(exercise.right) or exercise.goal == "defend":
        yield f"right are {', '.join(exercise.right)} (to {exercise.goal}), not {', '.join(step.right)}"
    wrong = [move for move in exercise.match.legal if move not in step.right]
    if not wrong or not set(step.blame) <= set(wrong):
        yield "no move is wrong, or one is blamed that is not"
    for move in wrong:
        tried = exercise.answer(move)
        worse = tried.worth.value != best(exercise.choices)[0].worth.value or tried.worth.win_probability is not None
        if tried.right or not worse or (tried.worth.value == LOSS and not _is_refuted(step, move)):
            yield f"'{move}' is not refuted"


def _is_refuted(step: Try, move: str) -> bool:
    """Whether the line that is shown ends with the learner losing, as far as it is shown."""
    moment = begin(step)
    found, match = answer(moment, move), moment.match
    for each in found.line:
        match = match.after(each)
    if match.outcome:
        return match.outcome.winner not in (step.seat, None)
    worth = best(evaluator_for(match.game).choices(match.view(match.next_seat)))[0].worth
    return worth.value == (LOSS if match.next_seat == step.seat else WIN)


def _most(step: Play) -> Value | None:
    """The most that the learner can have."""
    match = begin(step).match
    return best(evaluator_for(match.game).choices(match.view(step.seat)))[0].worth.value


def followed(lesson: Lesson, step: Play) -> bool:
    """Whether the method of a lesson gets through a match that it asks for."""
    moment = begin(step)
    while not moment.done:
        move = lesson.method(moment.match.view(step.seat))
        if not answer(moment, move).right:
            return False
        moment = go_on(moment, move)
    return reaches(moment)


def _lesson(sample: GameProbe) -> Lesson | None:
    """The lesson of a game as it is by default, where it has one and is solved; other readings share it."""
    if sample.game != type(sample.game)():
        return None
    lesson = sample.game.lesson()
    if lesson is None:
        return None
    try:
        evaluator_for(sample.game)
    except NotSolvedError:
        return None
    return lesson


def methods_give_nothing_away(sample: GameProbe) -> Iterator[str]:
    """What a lesson teaches gives nothing away, at any position, unless it says that it does."""
    lesson = _lesson(sample)
    if lesson is None or not lesson.holds or not sample.game.transparent:
        return
    judge = evaluator_for(sample.game)
    for match in everywhere(sample.game, MOST_POSITIONS):
        sample.tried["moment"] += 1
        view = match.view(match.to_move)
        choices = judge.choices(view)
        move = lesson.method(view)
        made = next((choice for choice in choices if choice.move == move), None)
        if made is None or gives_away(choices, made):
            yield f"at {match!r} it says '{move}'"


def everywhere(game: Game[Any], most: int) -> Iterator[Match]:
    """A match at every position of an open game at which somebody has a choice, as many as there are or are wanted."""
    queue = [Match(game)]
    seen = {queue[0].position}
    for match in queue:
        if match.to_move and not match.must_pass:
            yield match
        fresh = [after for after in map(match.after, match.legal) if after.position not in seen]
        for after in fresh:
            if after.position not in seen and len(seen) < most:
                seen.add(after.position)
                queue.append(after)


CHECKS: tuple[Check, ...] = (lessons_are_true, lessons_can_be_learnt, methods_give_nothing_away)
