"""The page of a match as typed data, filled from views and handed to its template."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel.core.advice import YOUR, hint, told
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.judge import best
from bitduel.core.match import Match, other
from bitduel.core.score import Score
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.solve.explain import advise
from bitduel.solve.oracle import oracle
from bitduel.store import Kept
from bitduel.web import show
from bitduel.web.desk import Seating, check_size


class Link(NamedTuple):
    """Something to say, and where it leads."""

    text: str
    url: str


class Button(NamedTuple):
    """A legal move with where it leads and its key, where there is one."""

    move: str
    label: str
    leads: str
    key: str | None
    kind: str


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


class Urls(NamedTuple):
    """Where everything about a match is."""

    self: str
    move: str
    resign: str
    next: str
    record: str
    events: str
    fragment: str
    position: str
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
    status: str
    said: list[str]
    over: bool
    winner: int | None
    board: Markup
    caption: str
    legal: list[Button]
    moves: list[Pair]
    coached: bool
    notes: bool
    coach: list[show.Told] | None
    hint: list[str]
    score: str | None
    invite: str | None
    hand_over: Link | None
    next_id: str | None
    can_resign: bool
    can_next: bool
    spectator_note: str | None
    urls: Urls = field(repr=False)


def match_page(seating: Seating, view: View, around: Around) -> MatchPage:
    """A match as one browser may see it."""
    match, kept = seating.match, seating.kept
    over = match.outcome is not None
    seen = None if around.covered else show.board(match.game, view, kept.names, around.notes)
    your_turn = view.seat is not None and view.seat == view.to_move
    rows, advice = coach(match, view) if around.coached and your_turn else (None, [])
    in_the_dark = view.seat is None and match.game.hidden and not over and not around.covered
    return MatchPage(
        id=kept.id,
        slug=kept.game,
        title=match.game.title,
        options=show.shown_options(match.game, view.options),
        names=kept.names,
        seat=view.seat,
        first=view.first,
        to_move=view.to_move,
        your_turn=your_turn,
        ply=view.ply,
        status=show.status(seating, view),
        said=[] if around.covered else show.said(seating, view),
        over=over,
        winner=match.outcome.winner if match.outcome else None,
        board=seen["board"] if seen else Markup(""),
        caption=seen["caption"] if seen else "",
        legal=buttons(match.game, view) if your_turn else [],
        moves=pairs(view),
        coached=around.coached,
        notes=around.notes,
        coach=rows,
        hint=advice,
        score=around.score,
        invite=around.invite,
        hand_over=around.hand_over,
        next_id=around.next_id,
        can_resign=bool(around.mine) and not over and not around.covered,
        can_next=bool(around.mine) and over and not around.next_id,
        spectator_note="You see only what both players may know, until the match is over." if in_the_dark else None,
        urls=_urls(f"/matches/{kept.id}", around, match),
    )


def buttons(game: Game[Any], view: View) -> list[Button]:
    """The legal moves as buttons."""
    words = game.words
    return [
        Button(move, show.label(move), words.leads(view, move), _key(words.answer(view, move)), move.split()[0])
        for move in view.legal
        if move != PASS
    ]


def _key(answer: str) -> str | None:
    """What would be typed, where that is one key: a digit, or the first letter of a word."""
    return answer if len(answer) == 1 else answer[0] if answer.isalpha() else None


def pairs(view: View) -> list[Pair]:
    """The moves so far, two to a row."""
    moves = [*view.history, ""]
    return [Pair(i // 2 + 1, moves[i], moves[i + 1]) for i in range(0, view.ply, 2)]


def coach(match: Match, view: View) -> tuple[list[show.Told] | None, list[str]]:
    """Every move's worth and the hint, for the player to move; nothing where the game is too large to tell."""
    if not view.legal:
        return None, []
    try:
        check_size(match.game)
        advice = advise(oracle(match.game), match)
    except BitduelError as error:
        return None, [str(error)]
    judged = [each.judged for each in advice]
    good = {choice.move for choice in best(judged)}
    rows = [show.Told(c.move, show.label(c.move), told(c.worth, YOUR), c.move in good) for c in judged]
    return rows, hint(advice, [row.label for row in rows])


def score_text(rounds: list[Kept], names: Names) -> str | None:
    """The score of a sitting, once it has more than one round."""
    score = Score(len(rounds), names)
    for kept in rounds:
        if kept.outcome:
            score.add(kept.outcome)
    return score.standing() if score.played and len(rounds) > 1 else None


def hand_over(seating: Seating) -> Link | None:
    """Between two at one keyboard in the dark: who should look now, and the link that shows their side."""
    seat = seating.match.to_move
    if seat is None:
        return None
    name = seating.kept.names[seat - 1]
    return Link(f"{name}, go on when only you can see the screen.", f"/matches/{seating.kept.id}?as={seat}")


def cover(seating: Seating, seat: int) -> Link:
    """After a turn in the dark: the link that covers the screen for the other player."""
    name = seating.kept.names[other(seat) - 1]
    return Link(f"Cover the screen and hand over to {name}.", f"/matches/{seating.kept.id}")


def _urls(address: str, around: Around, match: Match) -> Urls:
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
        position=show.position_url(match),
        review=f"{address}/review" if match.outcome else None,
        coach=to(coach="" if around.coached else "1") if playing else None,
        notes=to(notes="0" if around.notes else "") if has_notes else None,
        share=around.share,
    )
