"""The page of one browser's matches: opponents, turns, results and totals."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from bitduel.core.match import other_seat
from bitduel.core.outcomes import DRAWN, LOST, WON, Outcome, is_counted, result_for
from bitduel.core.phrases import settings_phrase
from bitduel.learning.levels import OwnMatch
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import HeldSitting, MatchSession
from bitduel.storage import StoredMatch
from bitduel.web.http.clients import owner_of
from bitduel.web.site import SitePages, in_thread

YOURS = "yours"
RESULT_WORDS = {WON: "You won", LOST: "You lost", DRAWN: "A draw"}


class MatchRow(NamedTuple):
    """One match in the list, the newest of its sitting."""

    title: str
    options: str
    url: str
    against: str
    state: str
    """yours, open, won, lost, drawn, or over where none of these fits."""
    status: str
    score: str
    when: str
    """The time of the last change, for programs."""
    utc: str
    """The same for people whose browser does not convert it."""
    review: str | None


class ResultCount(NamedTuple):
    """Numbers of matches won, lost and drawn, in one game or in all."""

    title: str
    won: int
    lost: int
    drawn: int


class MyMatches(NamedTuple):
    """The whole page."""

    rows: list[MatchRow]
    total: ResultCount
    games: list[ResultCount]


def my_matches(service: MatchService, owner: str) -> MyMatches:
    """Return all matches of a browser, those in which it is its turn first."""
    rows: list[MatchRow] = []
    ends: Counter[tuple[str, str]] = Counter()
    for sitting in service.held_sittings(owner):
        session, rounds = sitting
        seats = session.seats(owner)
        ended = [ending(each.outcome, seats) for each in rounds if each.outcome]
        ends.update((session.match.game.title, end) for end in ended if end)
        rows.append(match_row(sitting, owner))
    first = {YOURS: 0, "open": 1}
    rows.sort(key=lambda row: row.when, reverse=True)
    rows.sort(key=lambda row: first.get(row.state, 2))
    titles = sorted({title for title, _ in ends})
    games = [ResultCount(title, ends[title, WON], ends[title, LOST], ends[title, DRAWN]) for title in titles]
    total = ResultCount(
        "", sum(each.won for each in games), sum(each.lost for each in games), sum(g.drawn for g in games)
    )
    return MyMatches(rows, total, games)


def matches_of(sittings: Sequence[HeldSitting], owner: str) -> list[OwnMatch]:
    """Return the rounds in which a browser held one seat."""
    held = [(sitting, sitting.newest.seats(owner)) for sitting in sittings]
    return [
        OwnMatch(stored, seats[0], newest.was_coached(seats[0], stored.round))
        for (newest, rounds), seats in held
        if len(seats) == 1
        for stored in rounds
    ]


def ending(outcome: Outcome, seats: Sequence[int]) -> str:
    """Return the result for the holder of one seat; empty if both are theirs, or it does not count."""
    return (result_for(seats[0], outcome) if len(seats) == 1 else None) or ""


def player_name(stored: StoredMatch, seat: int) -> str:
    """Return a player's name; a program's with its strength."""
    name, spec = stored.names[seat - 1], stored.players[seat - 1]
    return name if spec.is_human or f"({spec})" in name else f"{name} ({spec})"


def waiting_count(service: MatchService, owner: str) -> int:
    """Return in how many matches it is a browser's turn."""
    running = [each.newest for each in service.held_sittings(owner, only_running=True)]
    return sum(_state(session, session.seats(owner))[0] == YOURS for session in running)


def match_row(sitting: HeldSitting, owner: str) -> MatchRow:
    """Return a sitting as one line of the list."""
    session, rounds = sitting
    stored, match, seats = session.stored, session.match, session.seats(owner)
    state, status = _state(session, seats)
    changed = stored.changed.astimezone(UTC)
    return MatchRow(
        title=match.game.title,
        options=settings_phrase(match.game),
        url=f"/matches/{stored.id}",
        against=_against(session, seats),
        state=state,
        status=status,
        score=_score(rounds, seats),
        when=changed.strftime("%Y-%m-%dT%H:%M:%SZ"),
        utc=changed.strftime("%Y-%m-%d %H:%M UTC"),
        review=f"/matches/{stored.id}/review" if match.outcome and is_counted(match.outcome) else None,
    )


def _against(session: MatchSession, seats: Sequence[int]) -> str:
    if len(seats) == 2:
        return " and ".join(player_name(session.stored, seat) for seat in seats) + ", on one screen"
    opponent = other_seat(seats[0])
    if session.free_seat == opponent:
        return "waiting for your friend"
    return f"against {player_name(session.stored, opponent)}"


def _state(session: MatchSession, seats: Sequence[int]) -> tuple[str, str]:
    """Return the state of a match, for the style sheet and for people."""
    match, names = session.match, session.stored.names
    if match.outcome is None:
        if len(seats) == 2:
            return "open", "In progress"
        return (YOURS, "Your turn") if match.to_move in seats else ("open", "Their turn")
    end = ending(match.outcome, seats)
    if end:
        return end, RESULT_WORDS[end]
    if not is_counted(match.outcome):
        return "over", match.outcome.reason.capitalize()
    winner = match.outcome.winner
    return "over", f"{names[winner - 1]} won" if winner else RESULT_WORDS[DRAWN]


def _score(rounds: Sequence[StoredMatch], seats: Sequence[int]) -> str:
    """Return the score of a sitting for the holder of one seat, once there were several rounds."""
    ends = Counter(end for each in rounds if each.outcome and (end := ending(each.outcome, seats)))
    if ends.total() < 2:
        return ""
    drawn = f", {ends[DRAWN]} drawn" if ends[DRAWN] else ""
    return f"{ends[WON]} won, {ends[LOST]} lost{drawn} so far"


class MyMatchesPage(SitePages):
    """The endpoint of the list."""

    async def show(self, request: Request) -> Response:
        """Show the matches of this browser."""
        owner = owner_of(request)
        mine = await in_thread(my_matches, self.site.service, owner) if owner else None
        return self.site.page("matches.html", mine=mine)
