"""The page of a match as typed data for its template: turn bar, board, moves, what can be done, and the end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other_seat
from bitduel.core.options import OptionValue
from bitduel.core.outcomes import is_counted, result_for
from bitduel.core.phrases import settings_phrase
from bitduel.core.view import UNSEEN, View
from bitduel.core.words import PLAYERS, Names
from bitduel.service import messages
from bitduel.service.clocks import ClockPanel, clock_panel
from bitduel.service.match_session import MatchSession
from bitduel.storage import StoredMatch
from bitduel.web import boards
from bitduel.web.coach import CoachHint, coach
from bitduel.web.match_end import NO_END, MatchEnd
from bitduel.web.offer_pages import OffersPanel, series_score


class Link(NamedTuple):
    """A text, and the address that it leads to."""

    text: str
    url: str


class EarlierBoard(NamedTuple):
    """The board after one's own move, before the program's answer that came at once."""

    ply: int
    board: Markup


class SeatLabel(NamedTuple):
    """One half of the turn bar: the player, and a word on what that player does."""

    seat: int
    name: str
    level: str
    """The strength of a computer."""
    note: str
    waiting: str
    """The note once it is this player's turn."""


class MoveLink(NamedTuple):
    """A move that was made, and the address of the position after it."""

    ply: int
    seat: int
    text: str
    url: str
    is_shown: bool

    @property
    def made(self) -> str:
        """The number that the move led to, if it led to one."""
        number = self.text.rpartition(" to ")[2]
        return number if number.isdigit() else ""


@dataclass(frozen=True)
class PageContext:
    """The part of a match's page that depends on who asks, and how."""

    own_seats: tuple[int, ...] = ()
    coached: bool = False
    score: str | None = None
    share: str | None = None
    invite: str | None = None
    next_id: str | None = None
    covered: bool = False
    """Whether nothing is shown, because the next player must look alone."""
    as_seat: int | None = None
    """The seat that is shown, where two share a keyboard with hidden information."""
    hand_over: Link | None = None
    notes: bool = True
    """Whether the picture shows what a player could also remember."""
    at: int | None = None
    """The number of moves after which the match is shown, where that is not now."""
    table: OffersPanel | None = None
    """The offers that the players can make and answer."""
    end: MatchEnd = NO_END
    """The end, as shown to the player of one seat."""
    class_url: str | None = None
    """The address of the class in which the match is played, for its pupils."""


class Urls(NamedTuple):
    """The addresses of a match."""

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
    now: str
    share: str | None


@dataclass(frozen=True)
class MatchPage:
    """The content of the page of a match."""

    id: str
    slug: str
    title: str
    options: str
    who: str
    """Who plays whom: to a player without a name, "you against" the other."""
    names: Names
    seats: list[SeatLabel]
    seat: int | None
    to_move: int | None
    your_turn: bool
    ply: int
    aim: str
    rules: list[str]
    status: str
    said: list[str]
    over: bool
    winner: int | None
    drawn: bool
    result: str
    """won, lost or drawn, for the holder of one seat."""
    at: int | None
    playable: bool
    """Whether all moves are made on the board."""
    board: Markup
    caption: str
    between: EarlierBoard | None
    buttons: list[boards.MoveButton]
    moves: list[MoveLink]
    coached: bool
    notes: bool
    hints: list[CoachHint]
    score: str | None
    invite: str | None
    hand_over: Link | None
    next_id: str | None
    end: MatchEnd
    """The end, as shown to the player of one seat."""
    class_url: str | None
    can_resign: bool
    can_call_off: bool
    can_next: bool
    spectator_note: str | None
    presence: list[str | None]
    """Of each seat whether its player is here or away, where that is worth telling."""
    table: OffersPanel | None
    clock: ClockPanel | None
    urls: Urls = field(repr=False)


class GameTexts(NamedTuple):
    """The texts about a game with its options, which are the same in every match of it."""

    options: str
    aim: str
    rules: list[str]


@lru_cache(maxsize=256)
def game_texts(kind: type[Game[Any]], options: tuple[tuple[str, OptionValue], ...]) -> GameTexts:
    """Return the texts about a game; secret options are not part of the cache."""
    game = kind(**dict(options))
    return GameTexts(settings_phrase(game), game.goal, game.words.rules())


def match_page(session: MatchSession, view: View, context: PageContext) -> MatchPage:
    """Return the page of a match as one browser may see it."""
    match, stored, own_seats = session.match, session.stored, context.own_seats
    over = match.outcome is not None
    about = game_texts(type(match.game), tuple(match.game.open_options.items()))
    is_now = context.at is None
    your_turn = view.seat is not None and view.seat == view.to_move
    rows, hints = coach(match, view) if context.coached and your_turn and is_now else ([], [])
    at_play = bool(own_seats) and not context.covered
    shown = boards.move_buttons(match.game, view, rows) if at_play and not over and is_now else []
    if stored.paused:
        shown = [each._replace(legal=False) for each in shown]
    urls = _urls(f"/matches/{stored.id}", context, session)
    names, moves = short_names(session), listed_moves(session, view)
    reader = own_seats[0] if len(own_seats) == 1 else None
    seen = None if context.covered else _board(match, view, context, names, shown, reader)
    result = (result_for(reader, match.outcome) or "") if match.outcome and reader else ""
    return MatchPage(
        id=stored.id,
        slug=stored.game,
        title=match.game.title,
        options=about.options,
        who=who_plays(session, own_seats),
        names=stored.names,
        seats=seat_labels(session, view, own_seats, names, moves),
        seat=None if over and len(own_seats) == 2 else view.seat,
        to_move=view.to_move,
        your_turn=your_turn,
        ply=match.ply,
        aim=about.aim,
        rules=about.rules,
        status=messages.status(session, view, own_seats, names),
        said=[] if context.covered else messages.sentences(session, view, own_seats, names),
        over=over,
        winner=match.outcome.winner if match.outcome else None,
        drawn=match.outcome is not None and match.outcome.winner is None and is_counted(match.outcome),
        result=result,
        at=context.at,
        playable=boards.is_playable(match.game),
        board=seen["board"] if seen else Markup(""),
        caption=seen["caption"] if seen else "",
        between=between(session, view, context, names) if is_now and reader and session.computers else None,
        buttons=shown,
        moves=move_links(match, moves, context, urls),
        coached=context.coached,
        notes=context.notes,
        hints=hints,
        score=context.score,
        invite=context.invite,
        hand_over=context.hand_over,
        next_id=context.next_id,
        end=context.end,
        class_url=context.class_url,
        can_resign=at_play and session.can_resign,
        can_call_off=at_play and session.can_call_off and not context.class_url,
        can_next=over and bool(own_seats) and session.can_play_again and not context.next_id,
        spectator_note=None if own_seats or over else spectator_note(match.game),
        presence=context.table.presence if context.table else [None, None],
        table=context.table,
        clock=clock_panel(stored.clock) if stored.clock else None,
        urls=urls,
    )


def _board(
    match: Match, view: View, context: PageContext, names: Names, buttons: list[boards.MoveButton], reader: int | None
) -> boards.Board:
    """Return the board now, or as it was earlier; the reader is the holder of one seat, None for two or a spectator."""
    if context.at is not None:
        view = match.hindsight(context.at) if match.outcome else match.at(context.at).view(view.seat)
    choices = {button.move: button.choice for button in buttons} if buttons else None
    return boards.board(match.game, view, names, context.notes, choices, reader)


def who_plays(session: MatchSession, own_seats: tuple[int, ...]) -> str:
    """Return who plays whom, for the holder of these seats."""
    names = session.stored.names
    if len(own_seats) != 1 or names[own_seats[0] - 1] not in PLAYERS:
        return f"{names[0]} against {names[1]}"
    name = names[other_seat(own_seats[0]) - 1]
    return f"you against {'a friend' if name in PLAYERS else name}"


def short_names(session: MatchSession) -> Names:
    """Return the names for small places: a computer's without its strength."""
    first, second = session.stored.names
    first = first.partition(" (")[0] if 1 in session.computers else first
    second = second.partition(" (")[0] if 2 in session.computers else second
    return session.stored.names if first == second else (first, second)


def seat_labels(
    session: MatchSession, view: View, own_seats: tuple[int, ...], names: Names, moves: Sequence[str]
) -> list[SeatLabel]:
    """Return both halves of the turn bar."""
    labels, free_seat = [], session.free_seat
    for seat, name in enumerate(names, 1):
        is_you = own_seats == (seat,)
        level = session.stored.names[seat - 1][len(name) + 2 : -1]
        waiting = "your turn" if is_you else "thinking" if seat in session.computers else "to move"
        note = waiting if view.to_move == seat else _last_move(view, moves, seat)
        shown = "You" if is_you else name
        if seat == free_seat:
            note, shown = "not here yet", "Your friend" if name in PLAYERS else name
        labels.append(SeatLabel(seat, shown, level, note, waiting))
    return labels


def listed_moves(session: MatchSession, view: View) -> Sequence[str]:
    """Return the moves so far as a view shows them: with what they lead to, where nothing is hidden."""
    return view.history if session.match.game.is_hidden else session.listed_moves


def _last_move(view: View, moves: Sequence[str], seat: int) -> str:
    """Return the last move of a seat in a word or two, or the number of its turns where they are hidden."""
    own = moves[view.first != seat :: 2]
    if not own:
        return ""
    if own[-1] == UNSEEN:
        return f"{len(own)} {'turn' if len(own) == 1 else 'turns'} taken"
    return own[-1]


def move_links(match: Match, moves: Sequence[str], context: PageContext, urls: Urls) -> list[MoveLink]:
    """Return the moves so far, each with the address of the position after it."""
    join = "&" if "?" in urls.now else "?"
    shown = match.ply if context.at is None else context.at
    return [
        MoveLink(ply, match.seat_at(ply - 1), move, f"{urls.now}{join}at={ply}", ply == shown)
        for ply, move in enumerate(moves, 1)
    ]


def spectator_note(game: Game[Any]) -> str:
    """Return the note for a spectator."""
    if game.is_hidden:
        return "You're watching. Until the match is over, you see only what both players can see."
    return "You're watching. New moves appear automatically."


def between(session: MatchSession, view: View, context: PageContext, names: Names) -> EarlierBoard | None:
    """Return the board after the own move of somebody with one seat, where a program has answered it."""
    match = session.match
    if context.covered or match.ply < 2:
        return None
    answered = match.seat_at(match.ply - 1) != view.seat and match.seat_at(match.ply - 2) == view.seat
    if not answered or match.seat_at(match.ply - 1) not in session.computers or PASS in match.moves[-2:]:
        return None
    before = match.at(match.ply - 1).view(view.seat)
    choices = {button.move: button.choice for button in boards.move_buttons(match.game, before, [])}
    drawn = boards.board(match.game, before, names, context.notes, choices, context.own_seats[0])
    return EarlierBoard(before.ply, drawn["board"])


def score_text(rounds: list[StoredMatch], names: Names) -> str | None:
    """Return the score of a sitting with more than one round, once one of them counts."""
    score = series_score(rounds, names)
    return score.standing() if score.played else None


def hand_over(session: MatchSession) -> Link | None:
    """Return the link that shows the side of the player to move, between two at one keyboard."""
    seat = session.match.to_move
    if seat is None:
        return None
    name = session.stored.names[seat - 1]
    return Link(f"{name}, continue when only you can see the screen.", f"/matches/{session.stored.id}?as={seat}")


def cover(session: MatchSession, seat: int) -> Link:
    """Return the link that covers the screen for the other player, after a turn."""
    name = session.stored.names[other_seat(seat) - 1]
    return Link(f"Cover the screen and pass it to {name}.", f"/matches/{session.stored.id}")


def _urls(address: str, context: PageContext, session: MatchSession) -> Urls:
    match = session.match
    is_in_class = context.class_url is not None and not match.outcome
    alone = bool(match.outcome) or not (session.is_between_people or is_in_class)
    here = {"as": context.as_seat or "", "coach": "1" if context.coached else "", "notes": "" if context.notes else "0"}
    at = "" if context.at is None else str(context.at)

    def to(path: str = "", **changed: str) -> str:
        asked = {name: value for name, value in {**here, **changed}.items() if value}
        return f"{address}{path}?{urlencode(asked)}" if asked else f"{address}{path}"

    playing = bool(context.own_seats) and not match.outcome
    has_notes = playing and match.game.is_hidden and not context.covered
    return Urls(
        self=to(coach=""),
        move=f"{address}/move",
        resign=f"{address}/resign",
        next=f"{address}/next",
        record=f"{address}/record",
        events=f"{address}/events",
        fragment=to("/fragment", at=at),
        position=boards.position_url(match) if alone or context.coached else None,
        review=f"{address}/review" if match.outcome and is_counted(match.outcome) else None,
        coach=to(coach="" if context.coached else "1") if playing and alone else None,
        notes=to(notes="0" if context.notes else "") if has_notes else None,
        now=to(),
        share=context.share,
    )
