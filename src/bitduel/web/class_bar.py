"""The bar of a class above a match, a puzzle or a lesson: who plays, where the class is, and what comes next."""

from typing import Any

from starlette.requests import Request

from bitduel.classroom.responses import PupilState
from bitduel.service.match_session import MatchSession
from bitduel.web.class_view import LESSON, PUZZLES, heading, ordinal, points_phrase
from bitduel.web.http.clients import owner_of, token_of
from bitduel.web.site import Site


def go_url(state: PupilState) -> str:
    """Return where a pupil has something to do now; empty if nowhere."""
    if state.now.kind == "match":
        return f"/matches/{state.now.match}"
    if state.now.kind == "wait":
        return ""
    # Where all are at the same puzzle, the next one has another address, so that scripts lead everybody there.
    is_paced = state.activity is not None and state.activity.seconds is not None
    return f"/class/{state.code}?round={state.now.item}" if is_paced else f"/class/{state.code}"


def place_text(state: PupilState) -> str:
    """Return the place and the score of a pupil; empty before the first result."""
    if not state.activity or not (state.played or state.points):
        return ""
    if state.activity.kind in (PUZZLES, LESSON):
        return f"{ordinal(state.rank)} place"
    return f"{ordinal(state.rank)} place, {points_phrase(state.points)}"


def class_bar(state: PupilState, match_id: str = "") -> dict[str, Any]:
    """Return the content of the bar above a match or a task: the name, the round, and where to go next."""
    activity = state.activity
    go = go_url(state)
    return {
        "code": state.code,
        "name": state.name,
        "pin": state.pin,
        "title": state.title,
        "heading": heading(activity) if activity and not activity.finished else "",
        "ends_in": activity.ends_in if activity and not activity.finished else None,
        "paused": state.paused,
        "place": place_text(state),
        "is_late": state.now.reason == "time",
        "go": go if go != f"/matches/{match_id}" else "",
        "match": match_id,
    }


def code_of(site: Site, session: MatchSession, owner: str | None) -> str | None:
    """Return the code of the class of a match, for who has a seat in it, even after leaving the class."""
    if site.classes is None or len(session.seats(owner)) != 1:
        return None
    return site.classes.code_of_match(session.stored.id)


def is_pupil(site: Site, code: str, owner: str | None) -> bool:
    """Return whether somebody is in a class as a pupil."""
    return site.classes is not None and site.classes.pupil_of(code, owner) is not None


def class_bar_of(site: Site, request: Request, code: str, session: MatchSession) -> dict[str, Any]:
    """Return the bar above a match of a class."""
    assert site.classes
    return class_bar(site.classes.pupil_state(code, owner_of(request), token_of(request)), session.stored.id)
