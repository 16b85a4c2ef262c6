"""The page of a review: a finished match move by move, and quizzes at its turning points."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bitduel.core.match import Match
from bitduel.core.phrases import choice_phrases
from bitduel.learning.review import Review, is_mistake, review
from bitduel.learning.review_text import (
    Remark,
    concession_lines,
    decisive_moment,
    evaluation_text,
    mistake_summary,
    praise_players,
    remarks,
    viewpoint,
)
from bitduel.rendering.charts import history_svg
from bitduel.service.match_session import LateError, MatchSession
from bitduel.service.new_match import check_size
from bitduel.solver.evaluators import evaluator_for
from bitduel.web import boards, link_previews
from bitduel.web.http.clients import owner_of
from bitduel.web.match_page import PageContext, match_page
from bitduel.web.practice_pages import mastery_of
from bitduel.web.site import SitePages, in_thread, in_turn
from bitduel.web.start_form import LEVELS, play_on_fields


class ReviewPages(SitePages):
    """The endpoint of reviews."""

    async def review(self, request: Request) -> Response:
        """Show a finished match move by move."""
        ply = request.query_params.get("ply", "")
        at = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 7 else None
        session = await in_thread(self.site.service.session, request.path_params["id"])
        return await in_turn(self._review, request, session, at)

    def _review(self, request: Request, session: MatchSession, ply: int | None) -> HTMLResponse:
        if session.match.outcome is None:
            raise LateError("You can review the match once it is over.")
        check_size(session.match.game)
        seats, tried = session.seats(owner_of(request)), request.query_params.get("try")
        reviewed = review(session.match, session.stored.names)
        page = ReviewPage(session, reviewed, ply, seats[0] if len(seats) == 1 else None, tried)
        around = match_page(session, session.match.view(None), PageContext(own_seats=seats, share=str(request.url)))
        base = self.site.addresses.base(request.scope)
        card = link_previews.match_card(base, session, page.ply) if tried is None else None
        seat = seats[0] if len(seats) == 1 else None
        mastery = mastery_of(session, seat)
        return self.site.page("review.html", m=around, review=page, levels=LEVELS, card=card, mastery=mastery)


class ReviewPage:
    """A review after one of the moves, by default at the first turning point; with a tried move, a quiz there."""

    def __init__(
        self, session: MatchSession, reviewed: Review, ply: int | None, seat: int | None, tried: str | None
    ) -> None:
        match, names = session.match, session.stored.names
        self._address = f"/matches/{session.stored.id}/review"
        self._mistakes = [step.ply + 1 for step in reviewed.steps if step.turning]
        self.last = len(reviewed.steps)
        self.stops = sorted({*self._mistakes, self.last}) if reviewed.concessions else self._mistakes
        self.ply = (self.stops[0] if self.stops else self.last) if ply is None else min(ply, self.last)
        is_mistake_here = self.ply in self._mistakes
        self.quiz = (
            Quiz(match, names, self.ply, tried, self._address) if tried is not None and is_mistake_here else None
        )
        start = self.ply - 1 if self.quiz else self.ply
        shown = match.at(start).view(match.seat_at(start)) if self.quiz else match.hindsight(self.ply)
        drawn = boards.board(match.game, shown, names, you=seat)
        self.board, self.caption = drawn["board"], drawn["caption"]
        self.svg = history_svg(reviewed.leads, reviewed.turning_plies, names, self.ply)
        step = reviewed.steps[self.ply - 1] if self.ply else None
        self.line = "Start."
        if step:
            standing = evaluation_text(step.after, names, self.ply == self.last, step.seat)
            self.line = f"{names[step.seat - 1]}: {step.move}. {'A draw' if standing == 'a draw' else standing}."
        self.steps = list(zip(reviewed.steps, remarks(reviewed, names, seat), strict=True))
        self.remark = self.steps[self.ply - 1][1] if self.ply else Remark()
        self.conceded = concession_lines(reviewed, names, seat) if self.ply == self.last else []
        self.decisive = decisive_moment(reviewed, names) if self.ply == self.last else ""
        self.hindsight = step.hindsight if step else ""
        summary = " ".join(filter(None, [*mistake_summary(reviewed, names), viewpoint(reviewed)]))
        self.lead = praise_players(reviewed, names) or summary
        self.try_url = f"{self.url(self.ply)}&try=" if is_mistake_here else None
        self.side = names[(seat or match.seat_at(start)) - 1]
        self.play_on = _play_on(match, names, start, seat)

    def url(self, ply: int) -> str:
        """Return the address of the review after a number of moves."""
        return f"{self._address}?ply={ply}"

    @property
    def previous_mistake(self) -> int:
        """The ply of the last turning point before this move; 0 for none."""
        return max((at for at in self.stops if at < self.ply), default=0)

    @property
    def next_mistake(self) -> int:
        """The ply of the first turning point after this move; 0 for none."""
        return min((at for at in self.stops if at > self.ply), default=0)

    @property
    def mistake_number(self) -> int:
        """The number of this mistake among all of them."""
        return self._mistakes.index(self.ply) + 1

    @property
    def mistake_count(self) -> int:
        """The number of mistakes."""
        return len(self._mistakes)


class Quiz:
    """The question which move is better than the one that was made, from what its player knew, and a tried answer."""

    def __init__(self, match: Match, names: tuple[str, str], ply: int, tried: str, address: str) -> None:
        seat = match.seat_at(ply - 1)
        view = match.at(ply - 1).view(seat)
        evaluator = evaluator_for(match.game)
        choices = evaluator.choices(view)
        chosen = next((choice for choice in choices if choice.move == tried), None)
        self.tried = tried
        self.question = f"You are {names[seat - 1]}. Which move is better than {match.moves[ply - 1]}?"
        self.right = chosen is not None and not is_mistake(choices, chosen)
        self.verdict = ""
        if chosen:
            phrase = f"{boards.label(chosen.move)} {choice_phrases([chosen])[0]}"
            self.verdict = f"Yes! {phrase}." if self.right else f"Not quite: {phrase}. Try another move."
        self.moves = [
            row._replace(url=f"{address}?{urlencode({'ply': ply, 'try': row.move})}")
            for row in boards.move_rows(evaluator, match.game, view)
        ]


def _play_on(match: Match, names: tuple[str, str], ply: int, seat: int | None) -> dict[str, str] | None:
    """Return the fields of a form that plays on from a ply: on one's own side, or for the player to move."""
    start = Match(match.game, match.first, match.deal, match.moves[:ply])
    fields = None if seat and _is_lost_at_once(start, seat) else play_on_fields(start, seat or start.next_seat)
    return {**fields, "name": names[seat - 1]} if fields and seat else fields


def _is_lost_at_once(match: Match, seat: int) -> bool:
    if match.outcome or match.next_seat == seat:
        return False
    return any(after.outcome and after.outcome.winner != seat for after in map(match.after, match.legal))
