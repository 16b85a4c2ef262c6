"""The panel of a match page where the players settle things between them, and its forms."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bitduel.core.errors import BitduelError
from bitduel.core.match import other_seat
from bitduel.core.outcomes import SeriesScore, is_counted
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError, MatchSession
from bitduel.service.offers import (
    AGAIN,
    BACK,
    CLAIM,
    DEVICE,
    DRAW,
    KINDS,
    available_actions,
    match_update,
    presence_labels,
)
from bitduel.storage import StoredMatch
from bitduel.storage.seats import Offer
from bitduel.storage.writes import MatchMoment
from bitduel.web.http.clients import client_of, owner_of
from bitduel.web.site import Site, form_of, in_thread

Act = Callable[[str, str | None, dict[str, str]], MatchSession]
"""Applies a form to a match, by the match's id, the owner and the fields."""
ANSWERS = {"yes": True, "no": False}
RESULTS = {"win": True, "draw": False}


class Wording(NamedTuple):
    """The sentences of an offer: made, accepted, declined, waiting, and after it was declined."""

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
        "You offered a draw. Waiting for {name}.",
        "{name} has declined the draw.",
    ),
    BACK: Wording(
        "{name} would like to take back the last move.",
        "Allow it",
        "No, play on",
        "You asked to take back your move. Waiting for {name}.",
        "{name} doesn't want you to take the move back.",
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
    """The other's offer, with both answers."""

    kind: str
    text: str
    yes: str
    no: str


class OwnOffer(NamedTuple):
    """One's own offer that is open or was declined."""

    kind: str
    text: str
    open: bool


class CoachAgreement(NamedTuple):
    """The agreement to the coach, and the button that changes one's own answer."""

    on: bool
    text: str
    button: str | None = None
    wanted: bool = True
    asked: bool = False
    """Whether the opponent waits for an answer."""


@dataclass(frozen=True)
class OffersPanel:
    """The offers that one browser can make and answer now."""

    url: str
    backs: int
    moment: str
    presence: list[str | None]
    """For each seat, whether its player is present, if that is shown."""
    question: OfferQuestion | None = None
    waiting: OwnOffer | None = None
    take_back: str | None = None
    """The label of the button, where moves can be taken back."""
    left: str | None = None
    """The name of a player who has been away so long that the match can be claimed."""
    draw: bool = False
    again: str | None = None
    """The label of the button for another round."""
    device: bool = False
    coach: CoachAgreement | None = None
    score: str | None = None


def offers_panel(
    service: MatchService, session: MatchSession, own_seats: tuple[int, ...], rounds: list[StoredMatch]
) -> OffersPanel:
    """Return what the holder of these seats can do now beside moving, in words."""
    stored, partner = session.stored, session.partner(own_seats)
    actions = available_actions(service.presence, session, own_seats, rounds)
    name = stored.names[partner - 1] if partner else ""
    over = session.match.outcome is not None
    went_on = over and len(rounds) > stored.round
    return OffersPanel(
        url=f"/matches/{stored.id}",
        backs=stored.backs,
        moment=match_update(service, session).text,
        presence=presence_labels(service.presence, session, own_seats),
        question=_question(actions.theirs, name) if actions.theirs else None,
        waiting=_own_offer(actions.own, name) if actions.own and not went_on else None,
        left=name if CLAIM in actions.can else None,
        take_back=("Ask to take back" if session.is_between_people else "Take back") if BACK in actions.can else None,
        draw=DRAW in actions.can,
        again=_again_label(session, own_seats) if AGAIN in actions.can else None,
        device=DEVICE in actions.can,
        coach=_coach_agreement(session, own_seats, name),
        score=_tally(rounds, stored.names) if len(rounds) > 1 or (over and session.is_between_people) else None,
    )


def _again_label(session: MatchSession, own_seats: tuple[int, ...]) -> str:
    """Return the label of the button for another round."""
    outcome = session.match.outcome
    if len(own_seats) != 1 or not outcome:
        return "Play another round"
    if session.is_between_people:
        return "Rematch"
    if not is_counted(outcome):
        return "Play another round"
    return "Same again" if outcome.winner in own_seats else "Try again"


def series_score(rounds: list[StoredMatch], names: tuple[str, str]) -> SeriesScore:
    """Return the score of the rounds that are over and count."""
    score = SeriesScore(len(rounds), names)
    for stored in rounds:
        if stored.outcome:
            score.add(stored.outcome)
    return score


def _tally(rounds: list[StoredMatch], names: tuple[str, str]) -> str | None:
    score = series_score(rounds, names)
    return score.tally(":") if score.played else None


def _question(theirs: Offer, name: str) -> OfferQuestion:
    words = WORDS[theirs.kind]
    return OfferQuestion(theirs.kind, words.ask.format(name=name), words.yes, words.no)


def _own_offer(own: Offer, name: str) -> OwnOffer:
    words = WORDS[own.kind]
    text = words.refused if own.declined else words.waiting
    return OwnOffer(own.kind, text.format(name=name), not own.declined)


def _coach_agreement(session: MatchSession, own_seats: tuple[int, ...], name: str) -> CoachAgreement | None:
    """Return the answers of both people in a running match about the coach."""
    if not session.is_between_people or len(session.holders) < 2 or session.match.outcome:
        return None
    if not own_seats:
        return CoachAgreement(True, "The coach is on for both players.") if session.is_coached else None
    me, them = session.holders[own_seats[0]].coach, session.holders[other_seat(own_seats[0])].coach
    if me and them:
        return CoachAgreement(True, "The coach is on for both players.", "Turn the coach off", False)
    if me:
        return CoachAgreement(False, f"You asked for the coach. Waiting for {name}.", "Play without it", False)
    if them:
        return CoachAgreement(False, f"{name} would like the coach for both of you.", "Yes, for both of us", asked=True)
    return CoachAgreement(False, "When two people play, the coach helps only if you both agree.", "Ask for the coach")


def number(fields: dict[str, str], name: str, usual: str = "") -> int:
    """Return a whole number that a form must have."""
    text = fields.get(name, usual)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise LateError("That page is out of date. Go back to the match to see how it stands.")
    return int(text)


def moment_of(fields: dict[str, str]) -> MatchMoment:
    """Return the moment of a match at which a form was made."""
    return MatchMoment(number(fields, "ply"), number(fields, "backs", "0"))


def one_of(fields: dict[str, str], name: str, known: dict[str, bool]) -> bool:
    """Return which of two answers a form gives."""
    if fields.get(name) not in known:
        raise BitduelError(f"Choose one of {', '.join(known)}.")
    return known[fields[name]]


def kept_query(fields: dict[str, str]) -> dict[str, str]:
    """Return the query of the page after a form: with the coach, and without the notes, as the page before it."""
    asked = {}
    if fields.get("coach") == "1":
        asked["coach"] = "1"
    if fields.get("notes") == "0":
        asked["notes"] = "0"
    return asked


class OfferPages:
    """The forms of offers, each of which leads back to the match."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.offers = site.offers

    def routes(self) -> list[Route]:
        """Return the routes of all forms."""
        offers, call_off = self.offers, self.site.service.call_off
        forms: dict[str, Act] = {
            "take-back": lambda match, who, form: offers.take_back(match, who, moment_of(form)),
            "draw": lambda match, who, form: offers.offer_draw(match, who, moment_of(form)),
            "withdraw": lambda match, who, _: offers.withdraw(match, who),
            "call-off": lambda match, who, form: call_off(match, who, moment_of(form)),
            "claim": lambda match, who, form: offers.claim(
                match, who, one_of(form, "result", RESULTS), moment_of(form)
            ),
            "coach": lambda match, who, form: offers.agree_to_coach(match, who, one_of(form, "answer", ANSWERS)),
        }
        endpoints: dict[str, Any] = {name: partial(self._act, act) for name, act in forms.items()}
        endpoints |= {"answer": self.answer, "next": self.next_round}
        return [Route(f"/matches/{{id}}/{name}", endpoint, methods=["POST"]) for name, endpoint in endpoints.items()]

    async def answer(self, request: Request) -> Response:
        """Accept or decline the other's offer; to accept another round leads there."""
        form = await form_of(request)
        kind, yes = form.get("kind", ""), one_of(form, "answer", ANSWERS)
        if kind not in KINDS:
            raise BitduelError("There is no such offer.")
        if kind == AGAIN and yes:
            return await self.next_round(request)
        return await self._act(
            lambda match, who, _: self.offers.answer(match, who, kind, yes, moment_of(form)), request
        )

    async def next_round(self, request: Request) -> Response:
        """Begin another round between the same two, once both want it."""
        match_id = request.path_params["id"]
        await in_thread(self.site.creation_quota.take, client_of(request))
        found = await in_thread(self.offers.play_again, match_id, owner_of(request))
        return RedirectResponse(f"/matches/{found or match_id}", 303)

    async def _act(self, act: Act, request: Request) -> Response:
        fields = await form_of(request)
        await in_thread(self.site.offer_quota.take, client_of(request))
        match_id = request.path_params["id"]
        await in_thread(act, match_id, owner_of(request), fields)
        asked = kept_query(fields)
        return RedirectResponse(f"/matches/{match_id}{'?' if asked else ''}{urlencode(asked)}", 303)
