"""The tools that analyse: hints, evaluations, reviews and puzzles, each from what the caller may know."""

from datetime import UTC, datetime
from random import SystemRandom
from typing import Any

from pydantic import Field

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.puzzle import GRADES
from bitduel.games.registry import find
from bitduel.learning.hints import explain_moves
from bitduel.learning.hints import hint_sentences as hint_lines
from bitduel.learning.puzzle_deck import LATEST_NUMBER, PuzzleQuery, find_puzzle
from bitduel.learning.puzzle_session import EventKind, PuzzleSession
from bitduel.learning.review import review as review_match
from bitduel.learning.review import review_data
from bitduel.learning.review_text import concession_lines, mistake_summary, praise_players, remarks
from bitduel.mcp.match_tools import find_seat
from bitduel.service.credentials import hashed
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError, MatchSession, NotYourSeatError
from bitduel.service.new_match import check_size, make_game
from bitduel.service.requests import (
    SHORT,
    AnalyseArguments,
    GameName,
    HintArguments,
    MoveText,
    ReviewArguments,
    StrictModel,
)
from bitduel.service.responses import (
    AnalysisResult,
    HintResult,
    PuzzleAnswerResult,
    PuzzleResult,
    ReviewResult,
    ReviewStepResult,
)
from bitduel.solver.analysis import analyse_position, analysis_data, match_after
from bitduel.solver.evaluators import evaluator_for

RNG = SystemRandom()


def hint(service: MatchService, arguments: HintArguments) -> HintResult:
    """Return the best moves and why, from what the player to move may know."""
    session, seat = find_seat(service, arguments.match_id, arguments.token)
    if session.is_between_people and arguments.agree:
        service.store.seats.set_coach(session.stored.sitting, hashed(arguments.token), True)
        session = service.refresh(arguments.match_id)
    if session.is_between_people and not session.is_coached:
        if not arguments.agree:
            raise NotYourSeatError(
                "When two players meet, hints need both players' consent. Call hint with agree, or move without a hint."
            )
        return _no_hint(session, False, "The other player has not agreed to hints yet.")
    if session.is_between_people and arguments.agree and not session.match.outcome and session.match.to_move != seat:
        return _no_hint(session, True, "Both players agree. Call hint again when it is your turn.")
    match = _match_to_move(session, seat)
    advice = explain_moves(evaluator_for(match.game), match)
    lines = hint_lines(advice, [choice.choice.move for choice in advice])
    return HintResult(agreed=True, ply=match.ply, best=list(analyse_position(match).best), said=lines)


def _no_hint(session: MatchSession, agreed: bool, sentence: str) -> HintResult:
    return HintResult(agreed=agreed, ply=session.match.ply, best=[], said=[sentence])


def analyse(service: MatchService, arguments: AnalyseArguments) -> AnalysisResult:
    """Return the evaluation of a position and of every move there, for the player to move."""
    if (arguments.match_id is None) == (arguments.game is None):
        raise BitduelError("Give a match_id and token, or a game with its options and moves.")
    if arguments.game is not None:
        match = match_after(make_game(find(arguments.game), arguments.options), ", ".join(arguments.moves))
        return _analysis(match, match.game.options, match.moves)
    assert arguments.match_id is not None
    if arguments.token is None:
        raise NotYourSeatError("Only a player in the match can have it analysed. Include your seat's token.")
    session, seat = find_seat(service, arguments.match_id, arguments.token)
    if session.is_between_people and not session.is_coached:
        raise NotYourSeatError("When two players meet, an analysis needs both players' consent. Call hint with agree.")
    match = _match_to_move(session, seat)
    view = match.view(seat)
    return _analysis(match, view.options, list(view.history))


def _analysis(match: Match, options: Any, moves: list[str]) -> AnalysisResult:
    evaluated = analyse_position(match)
    fields = {**analysis_data(match, evaluated), "options": options, "moves": moves, "best": list(evaluated.best)}
    return AnalysisResult.model_validate(fields)


def review(service: MatchService, arguments: ReviewArguments) -> ReviewResult:
    """Return the review of a finished match."""
    session = service.session(arguments.match_id)
    if session.match.outcome is None:
        raise LateError("You can review this match when it is over. Call view to see it now.")
    check_size(session.match.game)
    names = session.stored.names
    reviewed = review_match(session.match, names)
    fields = review_data(reviewed, session.stored.id)
    steps = [
        ReviewStepResult(**step, said=[line for line in remark if line])
        for step, remark in zip(fields.pop("steps"), remarks(reviewed, names), strict=True)
    ]
    summary = [*mistake_summary(reviewed, names), *concession_lines(reviewed, names), praise_players(reviewed, names)]
    return ReviewResult(**fields, steps=steps, names=list(names), said=[line for line in summary if line])


class PuzzleArguments(StrictModel):
    """A puzzle to solve: the puzzle of the day, or another."""

    date: str | None = Field(default=None, max_length=SHORT, description="The puzzle of this day, such as 2026-11-18.")
    number: int | None = Field(default=None, ge=1, le=LATEST_NUMBER, description="The daily puzzle with this number.")
    id: str | None = Field(default=None, max_length=SHORT, description="The puzzle with this id.")
    game: GameName | None = None
    grade: int | None = Field(default=None, ge=GRADES[0], le=GRADES[-1], description="The grade; 1 is easiest.")
    answers: list[list[MoveText]] = Field(
        default=[],
        max_length=50,
        description="Your answers to the questions so far, each a list of names from `ask` or `choices`. Give the id, "
        "date or number of the puzzle with them.",
    )
    solution: bool = Field(default=False, description="Give up and get the solution.")


def puzzle(_service: MatchService, arguments: PuzzleArguments) -> PuzzleResult:
    """Return a puzzle, and the verdict on the answers to it."""
    query = PuzzleQuery(arguments.game, arguments.grade, arguments.id, arguments.number, arguments.date)
    if query == PuzzleQuery():
        query = PuzzleQuery(date=datetime.now(UTC).date().isoformat())
    if arguments.answers and query.date is None and query.number is None and query.id is None:
        raise BitduelError("Which puzzle are these the answers to? Include its id, number or date.")
    chosen = find_puzzle(query, RNG)
    session = PuzzleSession(puzzle=chosen.puzzle)
    for answer in arguments.answers:
        session.answer([" ".join(name.lower().split()) for name in answer])
    data = chosen.as_data(arguments.solution or session.is_finished)
    return PuzzleResult(**data, answer=_answer(session) if session.feedback else None)


def _answer(session: PuzzleSession) -> PuzzleAnswerResult:
    feedback, question = session.feedback, session.question
    assert feedback is not None, "there was an answer"
    replies = [f"The reply: {', '.join(feedback.replies)}."] if feedback.replies else []
    return PuzzleAnswerResult(
        right=feedback.kind == EventKind.RIGHT,
        said=[*feedback.sentences, *replies, *session.explanation],
        marks=session.row,
        finished=session.is_finished,
        solved=session.is_solved,
        next=question.prompt if question else None,
        choices=[candidate.name for candidate in question.candidates] if question else [],
    )


def _match_to_move(session: MatchSession, seat: int) -> Match:
    """Return the match; raise BitduelError if the seat is not to move or the game is too large."""
    match = session.match
    if match.outcome:
        raise LateError("The match is over. Call review to see how good the moves were.")
    if match.to_move != seat:
        raise NotYourSeatError("It is not your turn. Call view with wait.")
    check_size(match.game)
    return match
