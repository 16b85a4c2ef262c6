"""What the players of a match can settle now, as typed data for the page and the API."""

from dataclasses import dataclass
from typing import NamedTuple

from bitduel.core.match import other
from bitduel.core.score import Score
from bitduel.service.match_session import MatchSession
from bitduel.service.presence import Presence
from bitduel.storage import StoredMatch
from bitduel.storage.seats import Offer
from bitduel.web.offers import AGAIN, BACK, DRAW, asked, turn_back

Signs = tuple[str | None, str | None]
HERE, AWAY = "here", "away"


class Wording(NamedTuple):
    """How a question is put, answered, waited for and refused."""

    ask: str
    yes: str
    no: str
    waiting: str
    refused: str


WORDS = {
    DRAW: Wording(
        "{name} offers a draw.",
        "Accept the draw",
        "No, play on",
        "You offer a draw. {name} has not answered yet.",
        "{name} would rather play on.",
    ),
    BACK: Wording(
        "{name} would like to take back the last move.",
        "Allow it",
        "No, play on",
        "You have asked to take back your move. {name} has not answered yet.",
        "{name} wants the move to stand.",
    ),
    AGAIN: Wording(
        "{name} would like another round.",
        "Play another round",
        "No, thanks",
        "You would like another round. Waiting for {name}.",
        "{name} does not want another round now.",
    ),
}


class OfferQuestion(NamedTuple):
    """What the other asks, with both answers."""

    kind: str
    text: str
    yes: str
    no: str


class Waiting(NamedTuple):
    """What one has asked, or what came of it."""

    kind: str
    text: str
    open: bool


class Coach(NamedTuple):
    """Whether the coach is there for both, and what one can say to it."""

    on: bool
    text: str
    button: str | None = None
    wanted: bool = True
    asked: bool = False
    """Whether the other waits for an answer."""


class Possible(NamedTuple):
    """What one browser can do now beside moving, and what is asked."""

    own: Offer | None
    """What its player asks, or was just refused."""
    theirs: Offer | None
    """What the other asks and waits for."""
    left: bool
    """Whether the other has been away for so long that the match can be claimed."""
    take_back: bool
    draw: bool
    call_off: bool
    again: bool
    device: bool


def possible(presence: Presence, seating: MatchSession, owner: str | None, rounds: list[StoredMatch]) -> Possible:
    """Return what one browser can do now beside moving."""
    mine, partner, over = seating.seats(owner), seating.partner(owner), seating.match.outcome is not None
    own = asked(seating, mine[0]) if mine else None
    theirs = asked(seating, partner) if partner else None
    began = len(rounds) > seating.kept.round
    playing = bool(mine) and not over
    can_call_off = playing and seating.can_call_off
    return Possible(
        own=own,
        theirs=theirs if theirs and not theirs.declined and not (over and began) else None,
        left=bool(playing and partner and presence.left_for_long(seating, partner)),
        take_back=playing and _can_take_back(seating, owner, own),
        draw=bool(playing and partner and not can_call_off and not (own and own.kind == DRAW)),
        call_off=can_call_off,
        again=bool(mine) and seating.can_play_again and not began and not own,
        device=playing and not seating.free_seat,
    )


@dataclass(frozen=True)
class OffersPage:
    """What can be settled now, seen by one browser."""

    url: str
    backs: int
    moment: str
    presence: Signs
    question: OfferQuestion | None = None
    waiting: Waiting | None = None
    take_back: str | None = None
    """What the button says, where moves can be taken back."""
    left: str | None = None
    """Who has been away for so long that the match can be claimed."""
    draw: bool = False
    call_off: bool = False
    again: str | None = None
    """What the button for another round says."""
    device: bool = False
    coach: Coach | None = None
    score: str | None = None


def table_page(presence: Presence, seating: MatchSession, owner: str | None, rounds: list[StoredMatch]) -> OffersPage:
    """What one browser can do now beside moving, in words."""
    kept, mine, partner = seating.kept, seating.seats(owner), seating.partner(owner)
    can = possible(presence, seating, owner, rounds)
    name = kept.names[partner - 1] if partner else ""
    went_on = seating.match.outcome is not None and len(rounds) > kept.round
    return OffersPage(
        url=f"/matches/{kept.id}",
        backs=kept.backs,
        moment=moment(presence, seating, len(rounds)),
        presence=signs(presence, seating, owner),
        question=_question(can.theirs, name) if can.theirs else None,
        waiting=_waiting(can.own, name) if can.own and not went_on else None,
        left=name if can.left else None,
        take_back=("Ask to take back" if seating.two_people else "Take back") if can.take_back else None,
        draw=can.draw,
        call_off=can.call_off,
        again=("Rematch" if partner else "Play another round") if can.again else None,
        device=can.device,
        coach=_coach(seating, mine, name),
        score=tally(rounds, kept.names),
    )


def moment(presence: Presence, seating: MatchSession, rounds: int) -> str:
    """Where a match is, for pages to know whether they are old; nothing in it that a spectator may not know.

    Its moves, whether it is over, who has come, the rounds; then whatever else has been said or has happened.
    """
    over = seating.match.outcome is not None
    parts = [str(seating.match.ply), "over" if over else "open", str(len(seating.holders))]
    parts.append(str(rounds if over else seating.kept.round))
    return " ".join([*parts, *_beside(presence, seating)])


def _beside(presence: Presence, seating: MatchSession) -> list[str]:
    found = [f"back{seating.kept.backs}"] if seating.kept.backs else []
    for seat in (1, 2):
        held = seating.holders.get(seat)
        if held is None:
            continue
        question = asked(seating, seat) if held.asked else None
        found += [f"{'no-' if question.declined else ''}{question.kind}{seat}"] if question else []
        found += [f"here{seat}"] if seating.two_people and presence.is_here(seating, seat) else []
        found += [f"left{seat}"] if presence.left_for_long(seating, seat) else []
        found += [f"coach{seat}"] if held.coach else []
        found += [f"moved{seat}.{held.moved}"] if held.moved else []
    return found


def signs(presence: Presence, seating: MatchSession, owner: str | None) -> Signs:
    """Who of the others is at the table; nothing about oneself, a program, or an empty seat."""
    mine = seating.seats(owner)

    def sign(seat: int) -> str | None:
        if seat in mine or seat not in seating.holders or not seating.two_people:
            return None
        return HERE if presence.is_here(seating, seat) else AWAY

    return sign(1), sign(2)


def tally(rounds: list[StoredMatch], names: tuple[str, str]) -> str | None:
    """The score of the rounds that are over and count."""
    if len(rounds) == 1 and not rounds[0].outcome:
        return None
    score = Score(len(rounds), names)
    for kept in rounds:
        if kept.outcome:
            score.add(kept.outcome)
    return score.tally(":") if score.played else None


def _question(theirs: Offer, name: str) -> OfferQuestion:
    words = WORDS[theirs.kind]
    return OfferQuestion(theirs.kind, words.ask.format(name=name), words.yes, words.no)


def _waiting(own: Offer, name: str) -> Waiting:
    words = WORDS[own.kind]
    text = words.refused if own.declined else words.waiting
    return Waiting(own.kind, text.format(name=name), not own.declined)


def _can_take_back(seating: MatchSession, owner: str | None, own: Offer | None) -> bool:
    if turn_back(seating, owner) is None or (own and own.kind == BACK):
        return False
    return not seating.two_people or seating.partner(owner) is not None


def _coach(seating: MatchSession, mine: tuple[int, ...], name: str) -> Coach | None:
    """How the coach stands in a match between two people that goes on."""
    if not seating.two_people or len(seating.holders) < 2 or seating.match.outcome:
        return None
    if not mine:
        return Coach(True, "The coach is on for both players.") if seating.coached else None
    me, them = seating.holders[mine[0]].coach, seating.holders[other(mine[0])].coach
    if me and them:
        return Coach(True, "The coach is on for both of you.", "Switch it off for both", False)
    if me:
        return Coach(False, f"You would like the coach. {name} has not said yes.", "Play without it", False)
    if them:
        return Coach(False, f"{name} would like the coach for both of you.", "Yes, for both of us", asked=True)
    return Coach(False, "In a match between two the coach comes only if both say yes.", "Ask for the coach")
