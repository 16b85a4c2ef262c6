"""The matches of one browser: whom against, whose turn, how they ended, and what that comes to."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import NamedTuple

from bitduel.core.endings import DRAWN, LOST, WON, Outcome, counts, result_for
from bitduel.core.match import other
from bitduel.service.match_service import MatchService, MatchSession
from bitduel.storage import StoredMatch
from bitduel.web import boards

SAID = {WON: "You won", LOST: "You lost", DRAWN: "A draw"}


class MatchRow(NamedTuple):
    """One match in the list; the newest of its sitting."""

    title: str
    options: str
    url: str
    against: str
    state: str
    """yours, open or over; and of those that are over won, lost or drawn, where that can be said."""
    status: str
    score: str
    when: str
    """The time for programs."""
    utc: str
    """The same for people whose browser does not tell it in the time of their place."""
    review: str | None


class ResultCount(NamedTuple):
    """What was won, lost and drawn: in one game, or in all."""

    title: str
    won: int
    lost: int
    drawn: int


class MyMatches(NamedTuple):
    """The whole page."""

    rows: list[MatchRow]
    total: ResultCount
    games: list[ResultCount]


def mine(desk: MatchService, owner: str) -> MyMatches:
    """All that a browser plays or has played; where it is its turn comes first."""
    rows: list[MatchRow] = []
    ends: Counter[tuple[str, str]] = Counter()
    for seating, rounds in desk.mine(owner):
        seats = seating.seats(owner)
        ended = [ending(each.outcome, seats) for each in rounds if each.outcome]
        ends.update((seating.match.game.title, end) for end in ended if end)
        rows.append(_row(seating, seats, rounds))
    first = {"yours": 0, "open": 1}
    rows.sort(key=lambda row: row.when, reverse=True)
    rows.sort(key=lambda row: first.get(row.state, 2))
    titles = sorted({title for title, _ in ends})
    games = [ResultCount(title, ends[title, WON], ends[title, LOST], ends[title, DRAWN]) for title in titles]
    total = ResultCount(
        "", sum(each.won for each in games), sum(each.lost for each in games), sum(g.drawn for g in games)
    )
    return MyMatches(rows, total, games)


def ending(outcome: Outcome, seats: Sequence[int]) -> str:
    """How a match ended for whoever has the one seat; empty where both are theirs, or it does not count."""
    return (result_for(seats[0], outcome) if len(seats) == 1 else None) or ""


def called(kept: StoredMatch, seat: int) -> str:
    """A player's name; a program's with how strong it is."""
    name, spec = kept.names[seat - 1], kept.players[seat - 1]
    return name if spec.is_human or f"({spec})" in name else f"{name} ({spec})"


def _row(seating: MatchSession, seats: Sequence[int], rounds: Sequence[StoredMatch]) -> MatchRow:
    kept, match = seating.kept, seating.match
    state, status = _stands(seating, seats)
    changed = kept.changed.astimezone(UTC)
    return MatchRow(
        title=match.game.title,
        options=boards.shown_options(match.game, match.view(None).options),
        url=f"/matches/{kept.id}",
        against=_against(seating, seats),
        state=state,
        status=status,
        score=_score(rounds, seats),
        when=changed.strftime("%Y-%m-%dT%H:%M:%SZ"),
        utc=changed.strftime("%Y-%m-%d %H:%M UTC"),
        review=f"/matches/{kept.id}/review" if match.outcome and counts(match.outcome) else None,
    )


def _against(seating: MatchSession, seats: Sequence[int]) -> str:
    if len(seats) == 2:
        return " and ".join(called(seating.kept, seat) for seat in seats) + ", at one keyboard"
    opponent = other(seats[0])
    if seating.free_seat == opponent:
        return "waiting for a friend"
    return f"against {called(seating.kept, opponent)}"


def _stands(seating: MatchSession, seats: Sequence[int]) -> tuple[str, str]:
    """How it stands, for the style sheet and for people."""
    match, names = seating.match, seating.kept.names
    if match.outcome is None:
        if len(seats) == 2:
            return "open", "Going on"
        return ("yours", "Your turn") if match.to_move in seats else ("open", "Their turn")
    end = ending(match.outcome, seats)
    if end:
        return end, SAID[end]
    if not counts(match.outcome):
        return "over", match.outcome.reason.capitalize()
    winner = match.outcome.winner
    return "over", f"{names[winner - 1]} won" if winner else SAID[DRAWN]


def _score(rounds: Sequence[StoredMatch], seats: Sequence[int]) -> str:
    """What the rounds of a sitting come to for who has one seat, once there were several."""
    ends = Counter(end for each in rounds if each.outcome and (end := ending(each.outcome, seats)))
    if ends.total() < 2:
        return ""
    drawn = f", {ends[DRAWN]} drawn" if ends[DRAWN] else ""
    return f"{ends[WON]} won, {ends[LOST]} lost{drawn} so far"
