"""The page of a review as typed data."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel.core.hints import told
from bitduel.core.match import Match
from bitduel.core.words import Names
from bitduel.rendering.review import review_svg
from bitduel.service.match_service import MatchSession
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.remarks import Remark, conceded, counted, praise, remarks, standing_text, viewpoint
from bitduel.solver.review import Review, gives_away
from bitduel.web import boards
from bitduel.web.explorer import start_from


class StepLine(NamedTuple):
    """One move in the list beside the graph."""

    ply: int
    label: str
    turning: bool
    url: str
    said: str


class Mistake(NamedTuple):
    """A turning point to go to."""

    ply: int
    url: str


class TriedMove(NamedTuple):
    """A move that can be tried, and whether it was."""

    label: str
    leads: str
    url: str
    tried: bool


class Quiz(NamedTuple):
    """The position before a mistake, to do better: the question, the moves, and what is to be said of the one tried."""

    question: str
    moves: list[TriedMove]
    said: str
    right: bool
    number: int
    of: int


class ReviewPage(NamedTuple):
    """All that the page of a review shows, at one of its moves."""

    board: Markup
    caption: str
    svg: Markup
    ply: int
    last: int
    line: str
    better: str
    luck: str
    longer: str
    conceded: list[str]
    """At the end: what was given away by resigning, or otherwise without a move."""
    hindsight: str | None
    counted: str
    kind: str
    """A kind word where nobody made a mistake."""
    steps: list[StepLine]
    first_url: str
    prev_url: str | None
    next_url: str | None
    last_url: str
    here_url: str
    mistakes: int
    previous_mistake: Mistake | None
    next_mistake: Mistake | None
    try_url: str | None
    quiz: Quiz | None
    side: str
    """Whose side one plays who plays on from here."""
    play_on: dict[str, str] | None


def review_page(
    seating: MatchSession, found: Review, ply: int | None, mine: Sequence[int] = (), tried: str | None = None
) -> ReviewPage:
    """A review after so many moves, or at its first turning point; with a move that is tried, at that question."""
    names, match, last = seating.kept.names, seating.match, len(found.steps)
    mistakes = [step.ply + 1 for step in found.steps if step.turning]
    stops = sorted({*mistakes, last}) if found.concessions else mistakes
    ply = (stops[0] if stops else last) if ply is None else min(ply, last)
    you = mine[0] if len(mine) == 1 else None
    said_of = remarks(found, names, you)
    here_said = said_of[ply - 1] if ply else Remark()
    address = f"/matches/{seating.kept.id}/review"
    here = f"{address}?ply="
    step = found.steps[ply - 1] if ply else None
    asked = tried is not None and ply in mistakes
    shown = match.at(ply - 1).view(match.seat_at(ply - 1)) if asked else match.hindsight(ply)
    return ReviewPage(
        **boards.board(match.game, shown, names),
        svg=review_svg(found, names, ply),
        ply=ply,
        last=last,
        line=f"{names[step.seat - 1]}: {step.move}. {standing_text(step.after, names, ply == last, step.seat)}."
        if step
        else "The start.",
        better=here_said.better,
        luck=here_said.luck,
        longer=here_said.longer,
        conceded=conceded(found, names, you) if ply == last else [],
        hindsight=step.hindsight or None if step else None,
        counted=" ".join(filter(None, [*counted(found, names), viewpoint(found)])),
        kind=praise(found, names),
        steps=[
            StepLine(
                ply=each.ply + 1,
                label=f"{names[each.seat - 1]}: {each.move}",
                turning=each.turning,
                url=f"{here}{each.ply + 1}",
                said=". ".join(filter(None, each_said)),
            )
            for each, each_said in zip(found.steps, said_of, strict=True)
        ],
        first_url=f"{here}0",
        prev_url=f"{here}{ply - 1}" if ply else None,
        next_url=f"{here}{ply + 1}" if ply < last else None,
        last_url=f"{here}{last}",
        here_url=f"{here}{ply}",
        mistakes=len(stops),
        previous_mistake=next((Mistake(at, f"{here}{at}") for at in reversed(stops) if at < ply), None),
        next_mistake=next((Mistake(at, f"{here}{at}") for at in stops if at > ply), None),
        try_url=f"{here}{ply}&try=" if ply in mistakes else None,
        quiz=_quiz(match, names, ply, mistakes, tried, address) if asked and tried is not None else None,
        side=names[(you or match.seat_at(ply - asked)) - 1],
        play_on=_play_on(match, names, ply - asked, you),
    )


def _quiz(match: Match, names: Names, ply: int, mistakes: list[int], tried: str, address: str) -> Quiz:
    """The position before the move of this ply, from what its player could know then."""
    before = match.at(ply - 1)
    seat = before.next_seat
    view = before.view(seat)
    choices = evaluator_for(match.game).choices(view)
    chosen = next((choice for choice in choices if choice.move == tried), None)
    right = chosen is not None and not gives_away(choices, chosen)
    said = ""
    if chosen:
        verdict = f"{boards.label(chosen.move)} {told(chosen.worth)}"
        said = f"Yes! {verdict}." if right else f"Not this one: {verdict}. Try another."
    return Quiz(
        question=f"You are {names[seat - 1]}. Which move is better than {match.moves[ply - 1]}?",
        moves=[
            TriedMove(
                boards.label(choice.move),
                match.game.words.leads(view, choice.move),
                f"{address}?{urlencode({'ply': ply, 'try': choice.move})}",
                choice.move == tried,
            )
            for choice in choices
        ],
        said=said,
        right=right,
        number=mistakes.index(ply) + 1,
        of=len(mistakes),
    )


def _lost_at_once(match: Match, you: int) -> bool:
    """Whether the other wins before one can do anything."""
    if match.outcome or match.next_seat == you:
        return False
    return any(after.outcome and after.outcome.winner != you for after in map(match.after, match.legal))


def _play_on(match: Match, names: Names, ply: int, you: int | None) -> dict[str, str] | None:
    """What a form says that plays on from this ply: on one's own side, or for the player to move."""
    at = Match(match.game, match.first, match.deal, match.moves[:ply])
    fields = None if you and _lost_at_once(at, you) else start_from(at, you or at.next_seat)
    return {**fields, "name": names[you - 1]} if fields and you else fields
