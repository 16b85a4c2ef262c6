"""Classes as their pages show them: the activity in words, boards, places, and the podium."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from bitduel.classroom.responses import (
    ActivityResponse,
    ClassMatchResponse,
    PlayedMatchResponse,
    PupilScore,
    ScreenState,
)
from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import LOSS, WIN, best_choices
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import Outcome, is_counted
from bitduel.core.phrases import settings_phrase
from bitduel.games.registry import find
from bitduel.service.clocks import settings_text
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import MatchSession
from bitduel.service.new_match import make_game
from bitduel.solver.evaluators import evaluator_for
from bitduel.storage.clocks import ClockSettings
from bitduel.web import boards
from bitduel.web.match_page import short_names

MATCH, COMPUTER, BYE = "match", "computer", "bye"
PUZZLES, LESSON, ARENA, LADDER = "puzzles", "lesson", "arena", "ladder"
MOST_ON_SCREEN = 10
"""The places that fit on the projector."""
MOST_NAMES = 48
"""The names that fit on the projector while a class gathers."""
STEPS = {1: 4, 2: 2, 3: 1}
"""The blocks of each step of the podium."""


class KindText(NamedTuple):
    """A kind of activity for people: its name, and a sentence that explains it."""

    title: str
    about: str


KINDS = {
    "pairs": KindText("Pairs", "Everyone plays a partner, once or best of three."),
    "swiss": KindText("Tournament", "Some rounds. In each, you meet somebody who has done as well as you."),
    "round-robin": KindText("Everyone plays everyone", "As many rounds as it takes, or fewer."),
    "arena": KindText("Arena", "For some minutes. Whoever is free gets the next opponent at once."),
    "ladder": KindText("Ladder", "Everyone climbs against the computer: easy, medium, hard, perfect."),
    "puzzles": KindText("Puzzles", "The same puzzles for all, at their own pace or one at a time."),
    "lesson": KindText("Lesson", "Everyone works through the lesson of a game, step by step."),
}


def heading(activity: ActivityResponse) -> str:
    """Return where an activity is, in a few words: Round 2 of 4."""
    if activity.kind == PUZZLES:
        if activity.seconds is not None:
            return f"Puzzle {max(1, activity.round)} of {activity.count}"
        return f"{activity.count} puzzle{'' if activity.count == 1 else 's'}"
    if activity.rounds:
        return f"Round {max(1, activity.round)} of {activity.rounds}"
    title = KINDS[activity.kind].title
    if activity.best_of > 1:
        title = f"{title}, best of {activity.best_of}"
    return f"{title}, round {activity.round}" if activity.kind == "pairs" and activity.round > 1 else title


def about(activity: ActivityResponse) -> str:
    """Return the game of an activity with its settings and its clock, in words."""
    parts = [activity.title] if activity.title else []
    if activity.game and activity.options:
        parts.append(settings_phrase(make_game(find(activity.game), activity.options)))
    if activity.clock:
        kind, seconds = next(iter(activity.clock.items()))
        parts.append(settings_text(ClockSettings(kind, seconds)))
    return ", ".join(filter(None, parts))


def goal(activity: ActivityResponse) -> str:
    """Return the aim of the game of an activity, in one sentence."""
    if not activity.game or activity.kind in (PUZZLES, LESSON):
        return ""
    return make_game(find(activity.game), activity.options).goal


def has_matches(activity: ActivityResponse | None) -> bool:
    """Return whether an activity is played on boards."""
    return activity is not None and activity.kind not in (PUZZLES, LESSON)


def ordinal(number: int) -> str:
    """Return a place in words: 1st, 2nd, 3rd, 11th."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else suffix}"


def points_text(points: float) -> str:
    """Return points as people write them: 2, 2½."""
    whole, half = int(points), points != int(points)
    return f"{whole or ''}½" if half else str(whole)


def count_text(number: int, word: str) -> str:
    """Return a number with its word: 1 point, 2 points."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def points_phrase(points: float) -> str:
    """Return points with their word: 1 point, 2½ points."""
    return f"{points_text(points)} point{'' if points in (0.5, 1) else 's'}"


def away_text(seconds: float) -> str:
    """Return how long somebody has been away: 40 s, 3 min."""
    return f"{int(seconds)} s" if seconds < 100 else f"{int(seconds / 60)} min"


class BoardView(NamedTuple):
    """A board of the class as a spectator sees it."""

    number: int
    match: str | None
    names: tuple[str, str]
    turn: int | None
    """The seat to move, or of the winner."""
    over: bool
    result: str
    """Who won, where it is over."""
    note: str
    """Who can win, why it ended, or who is away."""
    is_away: bool
    board: Markup | None
    caption: str


def board_view(
    service: MatchService, board: ClassMatchResponse, names_by_id: dict[int, str], chances: bool = False
) -> BoardView:
    """Return a board; with `chances` it says who can win, where nothing is hidden."""
    if board.match is None:
        name = board.names[0] if board.names else ""
        return BoardView(board.board, None, (name, ""), None, True, "", "A bye: one point", False, None, "")
    session = service.session(board.match)
    match, view = session.match, session.match.view(None)
    drawn = boards.board(match.game, view, session.stored.names, notes=False)
    names = short_names(session)
    outcome = Outcome(board.winner, board.reason) if board.reason else match.outcome
    winner = outcome.winner if outcome else None
    result = ""
    if outcome:
        result = f"{names[winner - 1]} won" if winner else "A draw" if is_counted(outcome) else "Doesn't count"
    away = [names_by_id[pupil] for pupil in board.away if pupil in names_by_id]
    note = f"{' and '.join(away)} away" if away and not outcome else ""
    if outcome and not is_counted(outcome):
        note = outcome.reason
    if not note and chances:
        note = chance_text(session)
    return BoardView(
        board.board, board.match, names, winner or view.to_move, board.over, result, note, bool(away), **drawn
    )


def chance_text(session: MatchSession) -> str:
    """Return who can win with best play, where nothing is hidden and the match goes on."""
    match = session.match
    if match.outcome or not match.to_move or not match.game.has_perfect_information:
        return ""
    try:
        value = _value(match)
    except BitduelError:
        return ""
    if value not in (WIN, LOSS):
        return "Nobody can force a win"
    seat = match.to_move if value == WIN else other_seat(match.to_move)
    return f"{session.stored.names[seat - 1]} can win"


def _value(match: Match) -> Any:
    return best_choices(evaluator_for(match.game).choices(match.view(match.to_move)))[0].evaluation.value


class MatchLink(NamedTuple):
    """A match of one pupil: against whom, how it ended, and the address of its review or of the match."""

    text: str
    result: str
    url: str


MOST_LINKS = 20
"""The matches of one pupil that a page lists."""


def match_links(matches: Sequence[PlayedMatchResponse]) -> list[MatchLink]:
    """Return the matches of a pupil, the newest first; one that does not count is left out."""
    links = []
    for each in matches:
        if each.over and each.winner is None and not each.reason:
            continue
        counts = not each.reason or is_counted(Outcome(each.winner, each.reason))
        ended = "won" if each.winner == each.seat else "lost" if each.winner else "a draw"
        ended = ended if counts else f"{each.reason}, doesn't count"
        result = ended if each.over else "still playing"
        kept = f", {each.kept} of {each.met} won positions kept" if each.over and each.met and counts else ""
        url = f"/matches/{each.match}{'/review' if each.over and counts else ''}"
        links.append(MatchLink(f"{find(each.game).title} against {each.opponent}", f"{result}{kept}", url))
    return links[:MOST_LINKS]


class PodiumStep(NamedTuple):
    """A step of the podium: the place, its height in blocks, and who stands there."""

    place: int
    blocks: int
    names: tuple[str, ...]
    score: str


def podium(standings: Sequence[PupilScore], score: str) -> list[PodiumStep]:
    """Return the first three places from left to right; nobody without points stands on it."""
    steps = []
    for place, blocks in STEPS.items():
        there = [each for each in standings if each.rank == place and (each.points or each.solved or each.step)]
        if there:
            names = tuple(each.name for each in there)
            steps.append(PodiumStep(place, blocks, names, score_text(there[0], score)))
    return sorted(steps, key=lambda step: (2, 1, 3).index(step.place))


def score_text(score: PupilScore, kind: str) -> str:
    """Return what the standings of a kind of activity count, in words."""
    if kind == PUZZLES:
        return f"{score.solved} solved"
    if kind == LESSON:
        return f"{count_text(score.step, 'step')} done"
    return points_phrase(score.points)


def has_result(score: PupilScore) -> bool:
    """Return whether a pupil has done anything that counts."""
    return bool(score.played or score.points or score.solved or score.step or score.wrong)


class Laurel(NamedTuple):
    """Something that one pupil, or the whole class, can be proud of."""

    title: str
    name: str
    text: str
    part: float | None = None
    """A share to draw as a bar."""


def laurels(state: ScreenState) -> list[Laurel]:
    """Return what stands beside the podium, so that more than three can be proud."""
    by_id = {each.id: each for each in state.standings}
    found = []
    if state.surest in by_id:
        surest = by_id[state.surest]
        found.append(Laurel("Surest hand", surest.name, f"{surest.kept} of {surest.met} won positions kept"))
    if state.climber in by_id:
        climber = by_id[state.climber]
        found.append(Laurel("Biggest step", climber.name, "played better and better"))
    if state.met:
        text = f"{state.kept} of {state.met} won positions kept"
        found.append(Laurel("The whole class", "", text, state.kept / state.met))
    elif solved := sum(each.solved for each in state.standings):
        found.append(Laurel("The whole class", "", f"{count_text(solved, 'puzzle')} solved"))
    elif steps := sum(each.step for each in state.standings):
        found.append(Laurel("The whole class", "", f"{count_text(steps, 'step')} done"))
    return found
