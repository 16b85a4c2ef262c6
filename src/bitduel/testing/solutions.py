"""Checks of evaluations, of the built-in players, and of a game's lesson."""

from collections.abc import Iterator
from random import Random
from typing import Any

from bitduel.core.errors import NotSolvedError
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Evaluator, best_choices
from bitduel.core.game import Game
from bitduel.core.lesson import ChoiceStep, Lesson, LessonStep, MatchStep, MoveStep, game_lesson
from bitduel.core.match import Match
from bitduel.learning.lesson_grading import advance, grade_answer, reaches_goal, start_step
from bitduel.learning.puzzles import Exercise
from bitduel.learning.review import is_mistake
from bitduel.players import drive, player
from bitduel.solver.evaluators import evaluator_for
from bitduel.testing.probe import MAX_PLIES, MAX_POSITIONS, GameProbe

EVALUATED_MATCHES = 3
MAX_BEST_PLAY = 2000
"""The most plies of perfect play that are checked."""
MIN_STEPS, MAX_STEPS = 5, 10
MAX_STEP_LENGTH = 600
"""Characters of a step, which take about half a minute to read."""


def check_evaluations(probe: GameProbe) -> Iterator[str]:
    """Yield problems with the evaluation of moves, and with optimal policies."""
    evaluator = _evaluator(probe)
    if evaluator is None:
        return
    for match in probe.moments(EVALUATED_MATCHES):
        if match.to_move:
            view = match.view(match.to_move)
            if [choice.move for choice in evaluator.choices(view)] != list(view.legal):
                yield f"{match!r} has a move without an evaluation"
            policy = evaluator.policy(view)
            if not set(policy) <= set(view.legal) or abs(sum(policy.values()) - 1) > 1e-9:
                yield f"{match!r} has no valid perfect play"


def check_best_play(probe: GameProbe) -> Iterator[str]:
    """Yield a problem if a match with perfect play does not end as evaluated."""
    evaluator = _evaluator(probe)
    if evaluator is None or not probe.game.has_perfect_information:
        return
    match = Match(probe.game)
    value, plies, _ = _evaluation(evaluator, match)
    if (plies or 0) > MAX_BEST_PLAY:
        return
    probe.tried["match"] += 1
    while match.to_move and match.ply <= (plies or MAX_PLIES):
        match.play(best_choices(evaluator.choices(match.view(match.to_move)))[0].move)
    if value == DRAW:
        if match.outcome and match.outcome.winner:
            yield f"{match!r} should be drawn"
        return
    winner = 1 if value == WIN else 2
    if not match.outcome or match.outcome.winner != winner or (plies or match.ply) != match.ply:
        yield f"{match!r} should be won by seat {winner} after {plies} plies"


def check_players(probe: GameProbe) -> Iterator[str]:
    """Yield matches that built-in players do not end by the rules."""
    names = ["random"] if _evaluator(probe) is None else ["random", "level:1", "perfect"]
    for seed, name in enumerate(names):
        rng = Random(seed)
        seats = {seat: player(name, probe.game, rng) for seat in (1, 2)}
        match = Match(probe.game, deal=probe.game.deal(rng))
        drive(match, seats, most_plies=MAX_PLIES)
        probe.tried["match"] += 1
        if match.outcome and match.outcome.reason not in {*probe.game.reasons.values(), "repetition"}:
            yield f"{name} ends {match!r}"


def _evaluator(probe: GameProbe) -> Evaluator | None:
    try:
        return evaluator_for(probe.game)
    except NotSolvedError:
        return None


def _evaluation(evaluator: Evaluator, match: Match) -> Evaluation:
    return best_choices(evaluator.choices(match.view(match.next_seat)))[0].evaluation


def check_claims(probe: GameProbe) -> Iterator[str]:
    """Yield what is false in the steps of the lesson."""
    lesson = _lesson(probe)
    for number, step in enumerate(lesson.steps if lesson else (), 1):
        probe.tried["step"] += 1
        yield from (f"step {number}: {problem}" for problem in step_problems(step))


def check_lesson_form(probe: GameProbe) -> Iterator[str]:
    """Yield problems with the number and length of steps, and matches that the lesson's method fails in."""
    lesson = _lesson(probe)
    if lesson is None:
        return
    if not MIN_STEPS <= len(lesson) <= MAX_STEPS:
        yield f"it has {len(lesson)} steps"
    if not any(isinstance(step, MatchStep) for step in lesson.steps):
        yield "none of its steps is a match"
    for number, step in enumerate(lesson.steps, 1):
        probe.tried["step"] += 1
        length = sum(map(len, (*step.text, step.question)))
        if length > MAX_STEP_LENGTH or not (step.title and step.text and step.question and step.hint):
            yield f"step {number} is too long or too short"
        if isinstance(step, MatchStep) and not method_succeeds(lesson, step):
            yield f"the method fails in step {number}"


def check_lesson_method(probe: GameProbe) -> Iterator[str]:
    """Yield positions at which the method of a sound lesson makes a mistake."""
    lesson = _lesson(probe)
    if lesson is None or not lesson.is_sound or not probe.game.has_perfect_information:
        return
    evaluator = evaluator_for(probe.game)
    for match in reachable_matches(probe.game, MAX_POSITIONS):
        probe.tried["moment"] += 1
        view = match.view(match.to_move)
        choices = evaluator.choices(view)
        move = lesson.method(view)
        choice = next((choice for choice in choices if choice.move == move), None)
        if choice is None or is_mistake(choices, choice):
            yield f"at {match!r} it says '{move}'"


def _lesson(probe: GameProbe) -> Lesson | None:
    """Return the lesson of a solved game with its default options; other variants share it."""
    lesson = game_lesson(type(probe.game)) if probe.game == type(probe.game)() else None
    return lesson if lesson and _evaluator(probe) else None


def step_problems(step: LessonStep) -> Iterator[str]:
    """Yield everything in a step that is false."""
    yield from (f"this is false: {claim.statement}" for claim in step.claims if not claim.holds(evaluator_for))
    if isinstance(step, ChoiceStep):
        yield from (
            f"'{each.text}' is {'not ' * each.is_right}right: {each.claim.statement}"
            for each in step.answers
            if each.claim.holds(evaluator_for) != each.is_right
        )
        if {True, False} != {each.is_right for each in step.answers}:
            yield "it needs a right answer and a wrong one"
    elif isinstance(step, MoveStep):
        yield from _move_problems(step)
    elif isinstance(step, MatchStep):
        match = start_step(step).match
        if _evaluation(evaluator_for(match.game), match).value != step.value:
            yield f"the position is not a {step.value} for the learner"


def _move_problems(step: MoveStep) -> Iterator[str]:
    exercise = Exercise(step.position.game, step.position.moves, step.position.deal)
    if set(step.right) != set(exercise.right) or exercise.best.value == LOSS:
        known = f"{', '.join(exercise.right)} ({exercise.best.value})"
        yield f"the right moves are {known}, not {', '.join(step.right)}"
    wrong = [move for move in exercise.match.legal if move not in step.right]
    if not wrong or not set(step.wrong_by_move) <= set(wrong):
        yield "it needs a wrong move, and must not call a right one wrong"
    best = best_choices(exercise.choices)[0].evaluation
    for move in wrong:
        answer = exercise.answer(move)
        value, _, win_probability = answer.evaluation
        is_worse = value != best.value or win_probability is not None
        if answer.is_right or not is_worse or (value == LOSS and not _is_refuted(step, move)):
            yield f"'{move}' is not shown to be wrong"


def _is_refuted(step: MoveStep, move: str) -> bool:
    """Return whether the learner has lost, or is losing, at the end of the line that is shown."""
    state = start_step(step)
    match = state.match
    for each in grade_answer(state, move).line:
        match = match.after(each)
    if match.outcome:
        return match.outcome.winner not in (step.seat, None)
    return _evaluation(evaluator_for(match.game), match).value == (LOSS if match.next_seat == step.seat else WIN)


def method_succeeds(lesson: Lesson, step: MatchStep) -> bool:
    """Return whether the method of a lesson completes a match step."""
    state = start_step(step)
    while not state.is_done:
        move = lesson.method(state.match.view(step.seat))
        if not grade_answer(state, move).is_right:
            return False
        state = advance(state, move)
    return reaches_goal(state)


def reachable_matches(game: Game[Any], limit: int) -> Iterator[Match]:
    """Yield a match at every reachable position of an open game with a choice of moves, up to a limit."""
    queue = [Match(game)]
    seen = {queue[0].position}
    for match in queue:
        if match.to_move and not match.must_pass:
            yield match
        for after in map(match.after, match.legal):
            if after.position not in seen and len(seen) < limit:
                seen.add(after.position)
                queue.append(after)
