"""The home page: a first game to win for newcomers, and what waits for those who have played here before."""

import logging
from collections import deque
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from bitduel.core.game import Game
from bitduel.core.lesson import game_lesson
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import DRAWN, LOST, WON
from bitduel.core.words import PLAYERS, Names
from bitduel.games.registry import GameClass, all_games
from bitduel.learning.levels import LEVELS as LEVEL_NAMES
from bitduel.learning.levels import Lamp, OwnMatch, fitting_level, level_results, lit_lamps, turns_phrase
from bitduel.learning.mastery import DRAW_RULE
from bitduel.players.spec import EASY
from bitduel.service.lobby import are_strangers
from bitduel.service.match_session import HeldSitting, MatchSession
from bitduel.web import boards, link_previews
from bitduel.web.game_pages import EXAMPLE_NAMES, still_picture
from bitduel.web.http.clients import owner_of
from bitduel.web.http.page_cache import ORIGIN
from bitduel.web.my_matches import YOURS, MatchRow, ending, match_row, matches_of, waiting_count
from bitduel.web.puzzle_pages import today
from bitduel.web.site import SitePages, in_thread, in_turn
from bitduel.web.start_form import LEVELS

MOST_SEARCHED = 2_000
"""Positions that are searched for a first game to win."""
WEEK = 7
RESULT_WORDS = {WON: "won", LOST: "lost", DRAWN: "drawn"}
log = logging.getLogger("bitduel.web")


class HomePages(SitePages):
    """The endpoints of the home page."""

    async def home(self, request: Request) -> Response:
        """Show what waits for this browser, or all games to somebody who is new."""
        if "move" in request.query_params:
            return await in_turn(self.shared, request, self._newcomer, request.query_params["move"])
        owner = owner_of(request)
        if owner and (page := await in_thread(self._returning, owner)):
            return page
        return await in_turn(self.cached, request, "/", self._newcomer)

    async def waiting(self, request: Request) -> Response:
        """Tell a script in how many matches it is this browser's turn."""
        owner = owner_of(request)
        count = await in_thread(waiting_count, self.site.service, owner) if owner else 0
        return JSONResponse({"waiting": count}, headers={"cache-control": "no-store"})

    def _newcomer(self, tried: str = "") -> HTMLResponse:
        games, first = all_games(), first_win()
        return self.site.page(
            "home.html",
            games=[(kind, still_picture(kind)) for kind in games],
            first=first_board(first, tried) if first else None,
            level=EASY,
            lessons=_lesson_links([type(first.game), *games] if first else games),
            card=link_previews.home_card(ORIGIN),
        )

    def _returning(self, owner: str) -> HTMLResponse | None:
        sittings = self.site.service.held_sittings(owner)
        if not sittings:
            return None
        page = self.site.page(
            "home_again.html",
            home=returning_home(sittings, owner),
            levels=LEVELS,
            turns_phrase=turns_phrase,
            draw_rule=DRAW_RULE,
        )
        page.headers["cache-control"] = "private, no-cache"
        return page


class FirstBoard(NamedTuple):
    """A board on which one move wins: before a move, after the right one, or after another."""

    kind: GameClass
    goal: str
    board: Markup
    moves: list[boards.MoveButton]
    """The moves that are not on the board itself."""
    state: str
    """won, missed, or empty before a move."""
    leads: str
    """The result of the move."""


@cache
def first_win() -> Match | None:
    """Return a position of the simplest game in which one move wins and no other ends it; None if there is none."""
    for kind in sorted(all_games(), key=_simplicity):
        try:
            match = _find_win(kind())
        except Exception as error:
            # A game from outside can fail in any way.
            log.error("the game %s has no first win: %s: %s", kind.slug, type(error).__name__, error)
            continue
        if match:
            return match
    return None


def _simplicity(kind: GameClass) -> tuple[int, float]:
    game = kind()
    return len(game.moves), game.size or float("inf")


def _find_win(game: Game[Any]) -> Match | None:
    """Search the positions of a game, those after the fewest moves first."""
    if not game.has_perfect_information:
        return None
    queue, known = deque([Match(game)]), {game.start()}
    while queue and len(known) < MOST_SEARCHED:
        match = queue.popleft()
        after = [match.after(move) for move in match.legal]
        if _has_one_win(match, after):
            return match
        for each in after:
            if not each.outcome and each.position not in known:
                known.add(each.position)
                queue.append(each)
    return None


def _has_one_win(match: Match, after: Sequence[Match]) -> bool:
    ended = [each.outcome for each in after if each.outcome]
    return len(after) > 1 and len(ended) == 1 and ended[0].winner == match.next_seat


def first_board(match: Match, tried: str) -> FirstBoard:
    """Return the first board after a move; one that cannot be made is as none."""
    game, seat = match.game, match.next_seat
    view, names = match.view(seat), EXAMPLE_NAMES if seat == 1 else EXAMPLE_NAMES[::-1]
    after = match.after(tried) if tried in match.legal else None
    buttons = [each for each in boards.move_buttons(game, view, []) if each.legal]
    is_won = after is not None and after.outcome is not None
    shown = after.view(seat) if after and is_won else view
    choices = None if is_won else {each.move: each.choice for each in buttons}
    on_board = game.picture(view, names).moves
    return FirstBoard(
        kind=type(game),
        goal=game.goal,
        board=boards.board(game, shown, names, choices=choices)["board"],
        moves=[] if is_won else [each for each in buttons if each.move not in on_board],
        state=("won" if is_won else "missed") if after else "",
        leads=game.words.leads_to(view, tried) if after else "",
    )


class LessonLink(NamedTuple):
    """The lesson of a game, with the titles of its steps."""

    slug: str
    title: str
    steps: tuple[str, ...]


def _lesson_link(kind: GameClass) -> LessonLink | None:
    lesson = game_lesson(kind)
    return LessonLink(kind.slug, kind.title, tuple(step.title for step in lesson.steps)) if lesson else None


def _lesson_links(kinds: Sequence[GameClass]) -> list[LessonLink]:
    """Return the lessons of games, each once."""
    return list(filter(None, map(_lesson_link, dict.fromkeys(kinds))))


class PlayedGame(NamedTuple):
    """A game as somebody has played it: the last result, the lamps that are lit, and the next opponent."""

    kind: GameClass
    picture: Markup
    last: str
    lamps: tuple[frozenset[int], ...]
    """For each level, the turns from which its lamp was lit; none where it is not."""
    next_level: str


class MatchPreview(NamedTuple):
    """A running match, with its board."""

    row: MatchRow
    board: Markup


class ReturningHome(NamedTuple):
    """The content of the home page for somebody who has played here."""

    name: str
    preview: MatchPreview | None
    """The match to go on with."""
    waiting: int
    """The number of matches in which it is their turn."""
    running: list[MatchRow]
    """The other matches that go on."""
    games: list[PlayedGame]
    days: list[date]
    """The last days, today being the last."""
    left: str
    """The time until the next puzzle, in words."""
    lessons: list[LessonLink]

    @property
    def lit(self) -> int:
        """The number of lamps that are lit."""
        return sum(sum(map(bool, game.lamps)) for game in self.games)

    @property
    def lamps(self) -> int:
        """The number of lamps."""
        return len(self.games) * len(LEVELS)


def returning_home(sittings: Sequence[HeldSitting], owner: str) -> ReturningHome:
    """Return the home page of the holder of some seats."""
    running = [(match_row(each, owner), each.newest) for each in sittings if not each.newest.match.outcome]
    running.sort(key=lambda pair: pair[0].when, reverse=True)
    running.sort(key=lambda pair: pair[0].state != YOURS)
    now = today()
    return ReturningHome(
        name=_own_name(sittings, owner),
        preview=_preview(*running[0], owner) if running else None,
        waiting=sum(row.state == YOURS for row, _ in running),
        running=[row for row, _ in running[1:]],
        games=_played_games(sittings, owner),
        days=[now.day - timedelta(back) for back in reversed(range(WEEK))],
        left=now.left,
        lessons=_lesson_links(_by_last_played(sittings)),
    )


def _own_name(sittings: Sequence[HeldSitting], owner: str) -> str:
    """Return the name that somebody last played under, outside the lobby; empty if they gave none."""
    own = (each.newest for each in sittings if not are_strangers(each.newest.stored.names))
    session = next(own, None)
    if session is None:
        return ""
    own_seats = session.seats(owner)
    name = session.stored.names[own_seats[0] - 1] if own_seats else ""
    return "" if name in PLAYERS else name


def _preview(row: MatchRow, session: MatchSession, owner: str) -> MatchPreview:
    """Return a match with its board: what the holder of one seat sees without notes, or what everybody may see."""
    seats, game = session.seats(owner), session.match.game
    seat = seats[0] if len(seats) == 1 else None
    names: Names = session.stored.names
    return MatchPreview(row, boards.board(game, session.match.view(seat), names, notes=False, you=seat)["board"])


def _by_last_played(sittings: Sequence[HeldSitting]) -> list[GameClass]:
    played = [type(each.newest.match.game) for each in sittings]
    return list(dict.fromkeys([*played, *all_games()]))


def _played_games(sittings: Sequence[HeldSitting], owner: str) -> list[PlayedGame]:
    last: dict[str, str] = {}
    mine = matches_of(sittings, owner)
    lit = lit_lamps(mine)
    for sitting in sittings:
        seats = sitting.newest.seats(owner)
        for stored in reversed(sitting.rounds):
            result = ending(stored.outcome, seats) if stored.outcome else ""
            if not result:
                continue
            opponent = str(stored.players[other_seat(seats[0]) - 1])
            against = opponent if opponent in LEVEL_NAMES else f"against {stored.names[other_seat(seats[0]) - 1]}"
            last.setdefault(stored.game, f"{RESULT_WORDS[result]}, {against}")
    begun = {stored.game for sitting in sittings for stored in sitting.rounds}
    usual = {kind.slug: "not finished yet" if kind.slug in begun else "new to you" for kind in all_games()}
    return [_played_game(kind, last.get(kind.slug, usual[kind.slug]), lit, mine) for kind in all_games()]


def _played_game(kind: GameClass, last: str, lit: dict[Lamp, frozenset[int]], mine: Sequence[OwnMatch]) -> PlayedGame:
    lamps = tuple(lit.get(Lamp(kind.slug, level), frozenset()) for level in LEVEL_NAMES)
    fitting = fitting_level(level_results(mine, kind.slug))
    text = f"{last}. {fitting.sentence}" if fitting.sentence else last
    return PlayedGame(kind, still_picture(kind), text, lamps, fitting.level)
