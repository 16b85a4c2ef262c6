"""The tools that play: a seat is taken by start_match and proved by its token, and nobody gets more than a view."""

from bitduel.core.errors import BitduelError, MoveError
from bitduel.games import find
from bitduel.mcp.requests import WHOM, Look, MoveToolRequest, StartMatch
from bitduel.mcp.responses import MatchTold, OverTold, SeatTold
from bitduel.service import messages
from bitduel.service.match_service import (
    FRIEND,
    LateError,
    MatchService,
    hashed,
    invitation,
    make_game,
    new_token,
    opponent_of,
)
from bitduel.service.match_session import MatchSession, NotYourSeatError, WrongInvitationError
from bitduel.storage import UnknownMatchError
from bitduel.storage.writes import MatchMoment

RESIGN, CALL_OFF = "resign", "call off"


def start_match(desk: MatchService, wish: StartMatch) -> SeatTold:
    """Open a table and take its first seat, or take the free seat of another's."""
    token = new_token()
    if wish.invitation is not None:
        return _joined(desk, wish, token)
    if wish.game is None:
        raise BitduelError("Say which game to start, or give an invitation. Call list_games to see what there is.")
    game = make_game(find(wish.game), wish.options)
    match_id = desk.create(game, check_opponent(wish.opponent), wish.first, (wish.name, None), token)
    return _taken(desk, match_id, token, 1)


def check_opponent(text: str) -> str:
    """A friend, or a program in its canonical form."""
    folded = text.strip().lower()
    try:
        return folded if folded == FRIEND else str(opponent_of(folded))
    except BitduelError:
        raise BitduelError(f"Choose whom to play against: {WHOM}.") from None


def _joined(desk: MatchService, wish: StartMatch, token: str) -> SeatTold:
    """The seat of an invitation, as start_match gives it out or as a link of the site."""
    said = wish.model_fields_set - {"invitation", "name"}
    if said:
        raise BitduelError(f"An invitation says all but your name: leave out {', '.join(sorted(said))}.")
    assert wish.invitation is not None
    *_, match_id, secret = ("", "", *wish.invitation.strip().rstrip("/").split("/"))
    try:
        seat = desk.join(match_id, secret, wish.name, hashed(token))
    except (UnknownMatchError, WrongInvitationError):
        raise WrongInvitationError("This invitation is not valid. Ask whoever gave it to you for it again.") from None
    return _taken(desk, match_id, token, seat)


def _taken(desk: MatchService, match_id: str, token: str, seat: int) -> SeatTold:
    seating = desk.look(match_id, hashed(token))
    inviting = seating.free_seat is not None
    return SeatTold(
        match_id=match_id,
        seat=seat,
        token=token,
        invitation=f"{match_id}/{invitation(token, match_id)}" if inviting else None,
        match=match_told(seating, seat),
    )


def view(desk: MatchService, wish: Look) -> MatchTold:
    """A match as the caller may see it."""
    if wish.token is None:
        return match_told(desk.seating(wish.match_id), None)
    seating, seat = at_seat(desk, wish.match_id, wish.token)
    return match_told(seating, seat)


def move(desk: MatchService, wish: MoveToolRequest) -> MatchTold:
    """Make a move at the expected ply, resign there, or call the match off; what went wrong says how to go on."""
    seating, seat = at_seat(desk, wish.match_id, wish.token)
    owner, text = hashed(wish.token), " ".join(wish.move.lower().split())
    try:
        if text == RESIGN:
            return match_told(_resigned(desk, seating, owner, wish.ply), seat)
        if text == CALL_OFF:
            return match_told(desk.call_off(wish.match_id, owner, MatchMoment(wish.ply, seating.kept.backs)), seat)
        return match_told(desk.move(wish.match_id, owner, wish.ply, text), seat)
    except MoveError as error:
        raise MoveError(f"{error} Nothing was changed; call move with ply {wish.ply} again.") from None
    except (LateError, NotYourSeatError) as error:
        now = match_told(desk.seating(wish.match_id), seat)
        raise LateError(f"{error} The ply is {now.ply} now. {now.next}") from None


def _resigned(desk: MatchService, seating: MatchSession, owner: str, ply: int) -> MatchSession:
    if ply != seating.match.ply:
        raise LateError("Nothing was changed: the match is not where you think it is.")
    return desk.resign(seating.kept.id, owner)


def at_seat(desk: MatchService, match_id: str, token: str) -> tuple[MatchSession, int]:
    """A match, and the seat that a token holds in it; raises NotYourSeatError where it holds none."""
    seating = desk.look(match_id, hashed(token))
    mine = seating.seats(hashed(token))
    if len(mine) != 1:
        raise NotYourSeatError(
            "This token holds no seat in this match. Give the token that start_match gave you with this match_id; "
            "view without a token shows what spectators see."
        )
    return seating, mine[0]


def match_told(seating: MatchSession, seat: int | None) -> MatchTold:
    """All that a seat, or a spectator, may know of a match."""
    kept, seen = seating.kept, seating.match.view(seat)
    mine = () if seat is None else (seat,)
    return MatchTold(
        match_id=kept.id,
        game=seen.game,
        options=seating.match.game.open_options,
        names=list(kept.names),
        players=list(kept.written),
        seat=seat,
        first=seen.first,
        to_move=seen.to_move,
        your_turn=seat is not None and seen.to_move == seat,
        ply=seen.ply,
        legal=list(seen.legal),
        board=seen.board._asdict(),
        picture=seating.match.game.picture(seen, kept.names).caption,
        history=list(seen.history),
        over=OverTold(**seen.over._asdict()) if seen.over else None,
        deal=seen.deal,
        waiting=seating.free_seat is not None,
        said=[messages.status(seating, seen, mine), *messages.said(seating, seen, mine)],
        next=_next(seating, seat),
        watch=f"/matches/{kept.id}",
    )


def _next(seating: MatchSession, seat: int | None) -> str:
    """What the caller can do now."""
    seen = seating.match.view(seat)
    if seen.over:
        return "Call review to see how the match was played, or start_match for another."
    if seat is None:
        return "Call view again to see how the match goes on."
    if seen.to_move == seat:
        return f"Call move with ply {seen.ply} and one of: {', '.join(seen.legal)}."
    if seating.free_seat:
        return "Give the invitation to the other player, for it is the other's turn; then call view with wait."
    return "Call view with wait until it is your turn."
