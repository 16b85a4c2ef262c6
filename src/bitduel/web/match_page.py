"""The page of a match as typed data, filled from views and handed to its template."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel.core.endings import counts
from bitduel.core.errors import BitduelError
from bitduel.core.evaluator import MoveEvaluation, best
from bitduel.core.game import PASS, Game
from bitduel.core.hints import YOUR, hint, told
from bitduel.core.match import Match, other
from bitduel.core.score import Score
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.rendering.choices import BoardChoice
from bitduel.service import messages
from bitduel.service.match_service import MatchSession, check_size
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.explain import advise
from bitduel.storage import StoredMatch
from bitduel.web import boards
from bitduel.web.keys import keys
from bitduel.web.offers_page import OffersPage, Signs


class Link(NamedTuple):
    """Something to say, and where it leads."""

    text: str
    url: str


class Button(NamedTuple):
    """A move with where it leads, its key, and what it is worth if the coach is there; or that it is not to be had."""

    move: str
    label: str
    leads: str
    key: str
    kind: str
    legal: bool
    worth: str = ""
    best: bool = False
    sign: str = ""

    @property
    def choice(self) -> BoardChoice:
        """The same on the board."""
        return BoardChoice(self.move, self.label, self.leads, self.key, self.sign, self.best)


class Between(NamedTuple):
    """How it stood after one's own move, before the answer that came at once."""

    ply: int
    board: Markup


class Pair(NamedTuple):
    """Two moves, one of each player."""

    number: int
    first: str
    second: str


@dataclass(frozen=True)
class Around:
    """What a browser is to a match, and what lies around it."""

    mine: tuple[int, ...] = ()
    coached: bool = False
    score: str | None = None
    share: str | None = None
    invite: str | None = None
    next_id: str | None = None
    covered: bool = False
    """Nothing is shown, because the next player must look alone."""
    as_seat: int | None = None
    """Which side is looked at, where both are at one keyboard in the dark."""
    hand_over: Link | None = None
    notes: bool = True
    """Whether the picture shows what a player could also keep in mind."""
    table: OffersPage | None = None
    """What the players can settle between them."""


class Urls(NamedTuple):
    """Where everything about a match is."""

    self: str
    move: str
    resign: str
    next: str
    record: str
    events: str
    fragment: str
    position: str | None
    review: str | None
    coach: str | None
    notes: str | None
    share: str | None


@dataclass(frozen=True)
class MatchPage:
    """All that the page of a match shows."""

    id: str
    slug: str
    title: str
    options: str
    names: Names
    seat: int | None
    first: int
    to_move: int | None
    your_turn: bool
    ply: int
    aim: str
    rules: list[str]
    status: str
    said: list[str]
    over: bool
    winner: int | None
    board: Markup
    caption: str
    between: Between | None
    buttons: list[Button]
    moves: list[Pair]
    coached: bool
    notes: bool
    coach: list[boards.MoveRow] | None
    hint: list[str]
    score: str | None
    invite: str | None
    hand_over: Link | None
    next_id: str | None
    can_resign: bool
    can_call_off: bool
    can_next: bool
    spectator_note: str | None
    presence: Signs
    """Of each seat whether its player is here or away, where that is worth telling."""
    table: OffersPage | None
    urls: Urls = field(repr=False)


def match_page(seating: MatchSession, view: View, around: Around) -> MatchPage:
    """A match as one browser may see it."""
    match, kept = seating.match, seating.kept
    over = match.outcome is not None
    your_turn = view.seat is not None and view.seat == view.to_move
    rows, advice = coach(match, view) if around.coached and your_turn else (None, [])
    at_play = bool(around.mine) and not around.covered
    shown = buttons(match.game, view, rows or []) if at_play and not over else []
    choices = {b.move: b.choice for b in shown if b.legal} if at_play and not over else None
    seen = None if around.covered else boards.board(match.game, view, kept.names, around.notes, choices)
    return MatchPage(
        id=kept.id,
        slug=kept.game,
        title=match.game.title,
        options=boards.shown_options(match.game, view.options),
        names=kept.names,
        seat=None if over and len(around.mine) == 2 else view.seat,
        first=view.first,
        to_move=view.to_move,
        your_turn=your_turn,
        ply=view.ply,
        aim=match.game.goal,
        rules=match.game.words.rules(),
        status=messages.status(seating, view, around.mine),
        said=[] if around.covered else messages.said(seating, view, around.mine),
        over=over,
        winner=match.outcome.winner if match.outcome else None,
        board=seen["board"] if seen else Markup(""),
        caption=seen["caption"] if seen else "",
        between=between(seating, view, around),
        buttons=shown,
        moves=pairs(view),
        coached=around.coached,
        notes=around.notes,
        coach=rows,
        hint=advice,
        score=around.score,
        invite=around.invite,
        hand_over=around.hand_over,
        next_id=around.next_id,
        can_resign=at_play and seating.can_resign,
        can_call_off=at_play and seating.can_call_off,
        can_next=bool(around.mine) and seating.can_play_again and not around.next_id,
        spectator_note=None if around.mine or over else watching(match.game),
        presence=around.table.presence if around.table else (None, None),
        table=around.table,
        urls=_urls(f"/matches/{kept.id}", around, seating),
    )


def buttons(game: Game[Any], view: View, told_of: list[boards.MoveRow]) -> list[Button]:
    """Every move as a button, always in the same place; those that cannot be made now are not to be pressed."""
    worths = {each.move: each for each in told_of}
    some = any(not each.best for each in told_of) or len(told_of) == 1
    shown = []
    for move in game.moves:
        if move == PASS:
            continue
        legal, judged = move in view.legal, worths.get(move)
        leads = game.words.leads(view, move) if legal else ""
        worth, best_of_all, mark = (judged.worth, judged.best and some, judged.sign) if judged else ("", False, "")
        key = keys(game).get(move, "")
        shown.append(Button(move, boards.label(move), leads, key, move.split()[0], legal, worth, best_of_all, mark))
    return shown


def watching(game: Game[Any]) -> str:
    """What somebody without a seat is told."""
    if game.hidden:
        return "You are watching. You see only what both players may know, until the match is over."
    return "You are watching; moves appear by themselves."


def between(seating: MatchSession, view: View, around: Around) -> Between | None:
    """The board after one's own move, where a program has answered it."""
    match = seating.match
    if len(around.mine) != 1 or around.covered or match.ply < 2:
        return None
    answered = match.seat_at(match.ply - 1) != view.seat and match.seat_at(match.ply - 2) == view.seat
    if not answered or not seating.is_computer(match.seat_at(match.ply - 1)) or PASS in match.moves[-2:]:
        return None
    before = match.at(match.ply - 1).view(view.seat)
    return Between(before.ply, boards.board(match.game, before, seating.kept.names, around.notes, {})["board"])


def pairs(view: View) -> list[Pair]:
    """The moves so far, two to a row."""
    moves = [*view.history, ""]
    return [Pair(i // 2 + 1, moves[i], moves[i + 1]) for i in range(0, view.ply, 2)]


def coach(match: Match, view: View) -> tuple[list[boards.MoveRow] | None, list[str]]:
    """Every move's worth and the hint, for the player to move; nothing where the game is too large to tell."""
    if not view.legal:
        return None, []
    try:
        check_size(match.game)
        advice = advise(evaluator_for(match.game), match)
    except BitduelError as error:
        return None, [str(error)]
    judged = [each.judged for each in advice]
    good = {choice.move for choice in best(judged)}
    rows = [
        boards.MoveRow(c.move, boards.label(c.move), told(c.worth, YOUR), c.move in good, sign=sign(c)) for c in judged
    ]
    return rows, hint(advice, [row.label for row in rows])


def sign(judged: MoveEvaluation) -> str:
    """What a move is worth, short enough for a sign on the board."""
    chance = judged.worth.win_probability
    return f"{chance:.0%}" if chance is not None else judged.worth.value or ""


def score_text(rounds: list[StoredMatch], names: Names) -> str | None:
    """The score of a sitting, once it has more than one round."""
    score = Score(len(rounds), names)
    for kept in rounds:
        if kept.outcome:
            score.add(kept.outcome)
    return score.standing() if score.played and len(rounds) > 1 else None


def hand_over(seating: MatchSession) -> Link | None:
    """Between two at one keyboard in the dark: who should look now, and the link that shows their side."""
    seat = seating.match.to_move
    if seat is None:
        return None
    name = seating.kept.names[seat - 1]
    return Link(f"{name}, go on when only you can see the screen.", f"/matches/{seating.kept.id}?as={seat}")


def cover(seating: MatchSession, seat: int) -> Link:
    """After a turn in the dark: the link that covers the screen for the other player."""
    name = seating.kept.names[other(seat) - 1]
    return Link(f"Cover the screen and hand over to {name}.", f"/matches/{seating.kept.id}")


def _urls(address: str, around: Around, seating: MatchSession) -> Urls:
    match = seating.match
    alone = bool(match.outcome) or not seating.two_people
    here = {"as": around.as_seat or "", "coach": "1" if around.coached else "", "notes": "" if around.notes else "0"}

    def to(path: str = "", **changed: str) -> str:
        asked = {name: value for name, value in {**here, **changed}.items() if value}
        return f"{address}{path}?{urlencode(asked)}" if asked else f"{address}{path}"

    playing = bool(around.mine) and not match.outcome
    has_notes = playing and match.game.hidden and not around.covered
    return Urls(
        self=to(coach=""),
        move=f"{address}/move",
        resign=f"{address}/resign",
        next=f"{address}/next",
        record=f"{address}/record",
        events=f"{address}/events",
        fragment=to("/fragment"),
        position=boards.position_url(match) if alone or seating.coached else None,
        review=f"{address}/review" if match.outcome and counts(match.outcome) else None,
        coach=to(coach="" if around.coached else "1") if playing and alone else None,
        notes=to(notes="0" if around.notes else "") if has_notes else None,
        share=around.share,
    )
