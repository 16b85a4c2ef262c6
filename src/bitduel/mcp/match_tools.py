"""The tools that play: start_match gives a token for a seat, and a caller sees only what that seat may see."""

from bitduel.core.errors import BitduelError, MoveError
from bitduel.games.registry import find
from bitduel.service import messages
from bitduel.service.clocks import clock_response
from bitduel.service.credentials import hashed, invitation, new_token
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError, MatchSession, NotYourSeatError, WrongInvitationError
from bitduel.service.new_match import make_game
from bitduel.service.requests import (
    TOOL_OPPONENTS,
    MoveArguments,
    StartMatchArguments,
    ViewArguments,
    canonical_opponent,
)
from bitduel.service.responses import MatchResult, OutcomeResult, SeatResult
from bitduel.storage import UnknownMatchError
from bitduel.storage.stored_match import written
from bitduel.storage.writes import MatchMoment

RESIGN, CALL_OFF = "resign", "call off"


def start_match(service: MatchService, arguments: StartMatchArguments) -> SeatResult:
    """Open a match and take its first seat, or take the free seat of another match."""
    token = new_token()
    if arguments.invitation is not None:
        return _join(service, arguments, arguments.invitation, token)
    if arguments.game is None:
        raise BitduelError("Give a game or an invitation. Call list_games to see the games.")
    game = make_game(find(arguments.game), arguments.options)
    opponent = check_opponent(arguments.opponent)
    match_id = service.create(game, opponent, arguments.first, (arguments.name, None), token)
    return _seat_result(service, match_id, token, 1)


def check_opponent(text: str) -> str:
    """Return "friend" or the canonical name of a computer player."""
    try:
        return canonical_opponent(text)
    except BitduelError:
        raise BitduelError(f"Choose an opponent: {TOOL_OPPONENTS}.") from None


def _join(service: MatchService, arguments: StartMatchArguments, link: str, token: str) -> SeatResult:
    """Take the seat of an invitation from start_match, or of an invitation link of the site."""
    extra = arguments.model_fields_set - {"invitation", "name"}
    if extra:
        raise BitduelError(f"With an invitation, give only your name. Leave out {', '.join(sorted(extra))}.")
    *_, match_id, secret = ("", "", *link.strip().rstrip("/").split("/"))
    try:
        seat = service.join(match_id, secret, arguments.name, hashed(token))
    except (UnknownMatchError, WrongInvitationError):
        raise WrongInvitationError("This invitation is not valid. Ask the person who sent it for a new one.") from None
    return _seat_result(service, match_id, token, seat)


def _seat_result(service: MatchService, match_id: str, token: str, seat: int) -> SeatResult:
    session = service.visit(match_id, hashed(token))
    is_waiting = session.free_seat is not None
    return SeatResult(
        match_id=match_id,
        seat=seat,
        token=token,
        invitation=f"{match_id}/{invitation(token, match_id)}" if is_waiting else None,
        match=match_result(session, seat),
    )


def view(service: MatchService, arguments: ViewArguments) -> MatchResult:
    """Return a match as the caller may see it."""
    if arguments.token is None:
        return match_result(service.session(arguments.match_id), None)
    return match_result(*find_seat(service, arguments.match_id, arguments.token))


def move(service: MatchService, arguments: MoveArguments) -> MatchResult:
    """Move at the expected ply, resign or call the match off; an error says how to continue."""
    match_id, ply = arguments.match_id, arguments.ply
    session, seat = find_seat(service, match_id, arguments.token)
    owner, text = hashed(arguments.token), " ".join(arguments.move.lower().split())
    try:
        if text == RESIGN:
            if ply != session.match.ply:
                raise LateError("Nothing was changed: that is not the current ply.")
            session = service.resign(match_id, owner)
        elif text == CALL_OFF:
            session = service.call_off(match_id, owner, MatchMoment(ply, session.stored.backs))
        else:
            session = service.move(match_id, owner, ply, text)
    except MoveError as error:
        raise MoveError(f"{error} Nothing was changed. Call move with ply {ply} again.") from None
    except (LateError, NotYourSeatError) as error:
        now = match_result(service.session(match_id), seat)
        raise LateError(f"{error} The ply is {now.ply} now. {now.next}") from None
    return match_result(session, seat)


def find_seat(service: MatchService, match_id: str, token: str) -> tuple[MatchSession, int]:
    """Return a match and the seat that a token holds in it; raise NotYourSeatError if it holds none."""
    session = service.visit(match_id, hashed(token))
    seats = session.seats(hashed(token))
    if len(seats) != 1:
        raise NotYourSeatError(
            "This token isn't valid for this match. Use the token start_match returned with this match_id, "
            "or call view without a token to watch as a spectator."
        )
    return session, seats[0]


def match_result(session: MatchSession, seat: int | None) -> MatchResult:
    """Return a match as a seat or a spectator may see it."""
    stored, seen = session.stored, session.match.view(seat)
    seats = () if seat is None else (seat,)
    return MatchResult(
        match_id=stored.id,
        game=seen.game,
        options=session.match.game.open_options,
        names=list(stored.names),
        players=list(written(stored.players)),
        seat=seat,
        first=seen.first,
        to_move=seen.to_move,
        your_turn=seat is not None and seen.to_move == seat,
        ply=seen.ply,
        legal=list(seen.legal),
        board=seen.board._asdict(),
        picture=session.match.game.picture(seen, stored.names).caption,
        history=list(seen.history),
        over=OutcomeResult(**seen.over._asdict()) if seen.over else None,
        deal=seen.deal,
        waiting=session.free_seat is not None,
        clock=clock_response(session.stored.clock) if session.stored.clock else None,
        said=[messages.status(session, seen, seats), *messages.sentences(session, seen, seats)],
        next=_next_step(session, seat),
        watch=f"/matches/{stored.id}",
    )


def _next_step(session: MatchSession, seat: int | None) -> str:
    seen = session.match.view(seat)
    if seen.over:
        return "Call review to see how well the match was played, or start_match for another."
    if seat is None:
        return "Call view again to follow the match."
    if seen.to_move == seat:
        return f"Call move with ply {seen.ply} and one of: {', '.join(seen.legal)}."
    if session.free_seat:
        return "It is the other player's turn. Give them the invitation, then call view with wait."
    return "It is not your turn yet. Call view with wait."
