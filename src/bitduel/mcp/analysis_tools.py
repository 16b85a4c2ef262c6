"""The tools that know better: hints, analysis, reviews and puzzles, each from what the one who asks may know."""

from datetime import UTC, datetime
from random import SystemRandom
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.hints import hint as hint_lines
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS, Names
from bitduel.games import find
from bitduel.mcp.match_tools import at_seat
from bitduel.mcp.requests import Analyse, Hint, PuzzleToolRequest, ReviewRequest
from bitduel.mcp.responses import (
    AnalysisTold,
    AnswerTold,
    HintTold,
    PuzzleTold,
    ReviewTold,
    StepTold,
)
from bitduel.service.match_service import MatchService, check_size, hashed, make_game
from bitduel.service.match_session import LateError, MatchSession, NotYourSeatError
from bitduel.solver import puzzles
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.explain import advise
from bitduel.solver.position import as_data, judgement, stand
from bitduel.solver.puzzle_query import PuzzleQuery, wished
from bitduel.solver.puzzle_words import refutation, verdict, why
from bitduel.solver.remarks import conceded, counted, praise, remarks
from bitduel.solver.review import Review as Reviewed
from bitduel.solver.review import as_data as review_data
from bitduel.solver.review import review as reviewed

RNG = SystemRandom()


def hint(desk: MatchService, wish: Hint) -> HintTold:
    """The best moves and why, from what the player to move may know."""
    seating, seat = at_seat(desk, wish.match_id, wish.token)
    if wish.agree and seating.two_people:
        desk.store.seats.agree(seating.kept.sitting, hashed(wish.token), True)
        seating = desk.changed(wish.match_id)
    if seating.two_people and not seating.coached:
        if not wish.agree:
            raise NotYourSeatError(
                "Between two there are hints only when both agree. Call hint with agree, or move without one."
            )
        return HintTold(agreed=False, ply=seating.match.ply, best=[], said=["The other has not agreed to hints yet."])
    if wish.agree and seating.two_people and not seating.match.outcome and seating.match.to_move != seat:
        return HintTold(agreed=True, ply=seating.match.ply, best=[], said=["Both agree. Ask when it is your turn."])
    match = _own_turn(seating, seat)
    advice = advise(evaluator_for(match.game), match)
    found = judgement(match)
    moves = [choice.judged.move for choice in advice]
    return HintTold(agreed=True, ply=match.ply, best=list(found.best), said=hint_lines(advice, moves))


def analyse(desk: MatchService, wish: Analyse) -> AnalysisTold:
    """What a position is worth to the player to move, and every move at it."""
    if (wish.match_id is None) == (wish.game is None):
        raise BitduelError("Say which position: match_id and token, or a game with its options and moves.")
    if wish.game is not None:
        match = stand(make_game(find(wish.game), wish.options), ", ".join(wish.moves))
        return _analysed(match, match.game.options, match.moves)
    assert wish.match_id is not None
    if wish.token is None:
        raise NotYourSeatError("Only who plays a match can have it analysed: give the token of your seat too.")
    seating, seat = at_seat(desk, wish.match_id, wish.token)
    if seating.two_people and not seating.coached:
        raise NotYourSeatError("Between two a match is analysed only when both agree: call hint with agree.")
    match = _own_turn(seating, seat)
    view = match.view(seat)
    return _analysed(match, view.options, list(view.history))


def review(desk: MatchService, wish: ReviewRequest) -> ReviewTold:
    """A finished match, judged move by move."""
    seating = desk.seating(wish.match_id)
    if seating.match.outcome is None:
        raise LateError("The match is not over; it can be reviewed when it is. Call view to see where it stands.")
    check_size(seating.match.game)
    names = seating.kept.names
    found = reviewed(seating.match, names)
    data = review_data(found, seating.kept.id)
    spoken = [[line for line in each if line] for each in remarks(found, names)]
    steps = [StepTold(**step, said=said) for step, said in zip(data.pop("steps"), spoken, strict=True)]
    return ReviewTold(**data, steps=steps, names=list(names), said=_summed_up(found, names))


def _summed_up(found: Reviewed, names: Names) -> list[str]:
    return [*counted(found, names), *conceded(found, names), *filter(None, [praise(found, names)])]


def puzzle(_desk: MatchService, wish: PuzzleToolRequest) -> PuzzleTold:
    """A puzzle, and what an answer to it is worth."""
    asked = PuzzleQuery(wish.game, wish.grade, wish.number, wish.date)
    if asked == PuzzleQuery():
        asked = PuzzleQuery(date=datetime.now(UTC).date().isoformat())
    if wish.answer and asked.date is None and asked.number is None:
        raise BitduelError("Say which puzzle you answer: give its number, which you were told with it.")
    found, date = wished(asked, RNG)
    answer = _answered(found, " ".join(wish.answer.lower().split())) if wish.answer else None
    shown = wish.solution or bool(answer and answer.right)
    data = {"view": None, "solution": None, **found.as_data(date, shown)}
    return PuzzleTold(
        **data,
        asked=found.asked,
        picture=found.game.picture(found.view, PLAYERS).caption,
        legal=list(found.view.legal),
        answer=answer,
    )


def _answered(puzzle: puzzles.Puzzle, move: str) -> AnswerTold:
    tried = puzzle.answer(move)
    after = why(puzzle, move) if tried.right else [step.said for step in refutation(puzzle, tried)]
    return AnswerTold(move=move, right=tried.right, said=[verdict(puzzle, tried), *after])


def _own_turn(seating: MatchSession, seat: int) -> Match:
    """The match, where the seat is to move and all is small enough to be known; raises BitduelError."""
    match = seating.match
    if match.outcome:
        raise LateError("The match is over. Call review to see what the moves were worth.")
    if match.to_move != seat:
        raise NotYourSeatError("It is not your turn. Call view with wait until it is.")
    check_size(match.game)
    return match


def _analysed(match: Match, options: Any, moves: list[str]) -> AnalysisTold:
    found = judgement(match)
    told = {**as_data(match, found), "options": options, "moves": moves, "best": list(found.best)}
    return AnalysisTold.model_validate(told)
