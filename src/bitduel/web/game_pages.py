"""The page of a game: rules, settings, who should win, and the start form; and a sample match as an animation."""

import logging
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError, NotSolvedError, UnknownNameError
from bitduel.core.game import Game, Variant
from bitduel.core.lesson import game_lesson
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.practice import game_practice
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, find
from bitduel.learning.levels import LEVELS, FittingLevel, Lamp, fitting_level, level_results, lit_lamps, turns_phrase
from bitduel.learning.print_sheets import settings_query
from bitduel.players import Player, drive, player
from bitduel.players.spec import EASY, PERFECT, RANDOM
from bitduel.rendering.animation import animation_svg
from bitduel.rendering.board import miniature_svg
from bitduel.service.clocks import CHOICES, clock_in
from bitduel.service.new_match import make_game
from bitduel.solver.analysis import match_after
from bitduel.solver.atlas import has_position_chart
from bitduel.web import boards, link_previews
from bitduel.web.http.clients import client_of, owner_of
from bitduel.web.http.page_cache import ORIGIN
from bitduel.web.my_matches import matches_of
from bitduel.web.position_pages import LONGEST_MOVES, find_evaluator, game_or_default, position_query, verdict_of
from bitduel.web.site import SitePages, form_of, in_thread, in_turn, options_of, own_token, remember
from bitduel.web.start_form import AGAINST, FIRST, levels_in, names_in, opponent_in, start_form

LOOKS = {"light": (False, False), "dark": (True, False), "light-still": (False, True), "dark-still": (True, True)}
"""The versions of an animation: whether its colours are dark, and whether it stands still."""
DAY = {"cache-control": "public, max-age=86400"}
EXAMPLE_NAMES = ("Your side", "Computer")
MOST_PLIES = 20
"""The longest match of an animation."""
BEST_PLIES = 10
"""The length that shows enough, and soon enough."""
NEAR = 3
"""A difference from the best length that does not matter."""
PAIRS = ((EASY, PERFECT), (EASY, EASY))
TRIES = 12
log = logging.getLogger("bitduel.web")


class OwnLevels(NamedTuple):
    """The level that fits somebody in a game, and the levels that they have beaten, in words."""

    fitting: FittingLevel
    beaten: list[str]


class GamePages(SitePages):
    """The endpoints about games."""

    async def animation(self, request: Request) -> Response:
        """Send a whole match of a game as a small animation."""
        kind, look = find(request.path_params["slug"]), LOOKS.get(request.path_params["look"])
        if look is None:
            raise UnknownNameError("There is nothing at this address. Please check it for typing errors.")
        return await in_thread(self._animation, kind, *look)

    async def game(self, request: Request) -> Response:
        """Show one game: rules, readings as options, who should win."""
        kind, owner = find(request.path_params["slug"]), owner_of(request)
        own = await in_thread(self._own_levels, kind, owner) if owner else None
        if own:
            fields = {"level": own.fitting.level, **request.query_params}
            base = self.site.addresses.base(request.scope)
            page = await in_turn(self._game, kind, fields, base=base, own=own)
            page.headers["cache-control"] = "private, no-cache"
            return page
        if request.query_params:
            base = self.site.addresses.base(request.scope)
            return await in_turn(self.shared, request, self._game, kind, dict(request.query_params), base=base)
        return self.cached(request, f"/games/{kind.slug}", lambda: self._game(kind, {}))

    async def play(self, request: Request) -> Response:
        """Start a match from the form."""
        kind = find(request.path_params["slug"])
        fields = await form_of(request)
        token = own_token(request)
        try:
            await in_thread(self.site.creation_quota.take, client_of(request))
            match_id = await in_thread(self._create, kind, fields, token)
        except BitduelError as error:
            return await in_turn(self._game, kind, fields, error)
        return remember(request, RedirectResponse(f"/matches/{match_id}", 303), token)

    def _own_levels(self, kind: GameClass, owner: str) -> OwnLevels | None:
        """Return what a browser's own matches say of the levels; None where it has played none against a level."""
        mine = [
            each for each in matches_of(self.site.service.held_sittings(owner), owner) if each.stored.game == kind.slug
        ]
        results = level_results(mine, kind.slug)
        if not results:
            return None
        lit = lit_lamps(mine)
        beaten = [(level, lit[Lamp(kind.slug, level)]) for level in LEVELS if Lamp(kind.slug, level) in lit]
        return OwnLevels(fitting_level(results), [f"{level} ({turns_phrase(turns)})" for level, turns in beaten])

    def _animation(self, kind: GameClass, is_dark: bool, is_still: bool) -> Response:
        try:
            return Response(animation(kind, is_dark, is_still), media_type="image/svg+xml", headers=DAY)
        except Exception as error:
            # A game from outside can fail in any way.
            log.error("the game %s has no animation: %s: %s", kind.slug, type(error).__name__, error)
            raise UnknownNameError("There is no animation of this game.") from error

    def _create(self, kind: GameClass, fields: dict[str, str], token: str) -> str:
        game = make_game(kind, options_of(fields))
        moves = match_after(game, fields["moves"][:LONGEST_MOVES]).moves if fields.get("moves") else ()
        names, first = names_in(fields), fields.get("first", "toss")
        return self.site.service.create(game, opponent_in(fields), first, names, token, moves, clock_in(fields))

    def _game(
        self,
        kind: GameClass,
        fields: dict[str, str],
        error: BitduelError | None = None,
        base: str = ORIGIN,
        own: OwnLevels | None = None,
    ) -> HTMLResponse:
        game, option_error = game_or_default(kind, fields)
        error = error or option_error
        match, form = Match(game, deal=game.any_deal()), start_form(kind, fields, error)
        evaluator, view = find_evaluator(game), match.view(1)
        has_chart = has_position_chart(evaluator)
        return self.site.page(
            "game.html",
            error=error,
            game=kind,
            goal=game.goal,
            rules=game.words.rules(),
            settings_query=settings_query(game),
            short_rules=game.words.short_rules(),
            lesson=game_lesson(kind),
            has_practice=bool(game_practice(kind)),
            readings=game.words.readings,
            form=form,
            moves=fields.get("moves", "")[:LONGEST_MOVES],
            against=AGAINST,
            starters=FIRST,
            clock_choices=CHOICES,
            clock=fields.get("clock", ""),
            levels=levels_in(game),
            level_note=own.fitting.sentence if own else "",
            beaten=own.beaten if own else [],
            variants=[(each, variant_query(each)) for each in offered_variants(kind)],
            shown=fields.get("show") == "verdict" and not error,
            verdict=verdict_of(match) if evaluator else None,
            choices=boards.move_rows(evaluator, game, view) if evaluator else [],
            chart_url=f"/games/{game.slug}/chart{position_query(fields, [])}" if has_chart else None,
            position_url=boards.position_url(match),
            card=None if error else link_previews.game_card(base, game, fields),
            **boards.board(game, view if form.has_changes else sample_view(kind) or view, EXAMPLE_NAMES, you=1),
        )


def offered_variants(kind: GameClass) -> list[Variant]:
    """Return the variants of a game that are small enough to be answered at once."""
    offered = []
    for variant in kind.variants:
        with suppress(BitduelError):
            make_game(kind, {name: str(value) for name, value in variant.options.items()})
            offered.append(variant)
    return offered


def variant_query(variant: Variant) -> str:
    """Return the query of the page of a game with the settings of a variant."""
    return "?" + urlencode({f"opt-{name}": value for name, value in variant.options.items()})


@cache
def animation(kind: GameClass, is_dark: bool, is_still: bool) -> str:
    """Return the animation of a game, or one picture of it."""
    pictures = _pictures(kind)
    return animation_svg([pictures[_middle(len(pictures))]] if is_still else pictures, is_dark)


@cache
def still_picture(kind: GameClass) -> Markup:
    """Return a small picture from the middle of a match; empty for a game that fails."""
    try:
        pictures = _pictures(kind)
    except Exception as error:
        # A game from outside can fail in any way.
        log.error("the game %s has no picture: %s: %s", kind.slug, type(error).__name__, error)
        return Markup("")
    return miniature_svg(pictures[_middle(len(pictures))])


@cache
def sample_view(kind: GameClass) -> View | None:
    """Return what the first player sees in the middle of a match; None for a game that fails."""
    try:
        match = sample_match(kind)
        return match.at(_middle(match.ply)).view(1)
    except Exception as error:
        # A game from outside can fail in any way.
        log.error("the game %s has no sample: %s: %s", kind.slug, type(error).__name__, error)
        return None


def _middle(count: int) -> int:
    return count * 2 // 3


@cache
def _pictures(kind: GameClass) -> list[Picture]:
    match = sample_match(kind)
    return [match.game.picture(match.hindsight(ply), PLAYERS) for ply in range(match.ply + 1)]


@cache
def sample_match(kind: GameClass) -> Match:
    """Return a match of about the best length that is won by its last move; always the same one."""
    matches: list[Match] = []
    for pair in PAIRS:
        matches += [_play_match(kind, seed, pair) for seed in range(TRIES)]
        best = min(filter(_is_won_by_last_move, matches), key=_distance, default=matches[0])
        if _distance(best) <= NEAR:
            break
    return best


def _is_won_by_last_move(match: Match) -> bool:
    return match.outcome is not None and match.outcome.winner == match.seat_at(match.ply - 1)


def _distance(match: Match) -> int:
    return abs(match.ply - BEST_PLIES)


def _play_match(kind: GameClass, seed: int, pair: tuple[str, str]) -> Match:
    game, rng = kind(), Random(seed)
    match = Match(game, 1 + seed % 2, game.deal(rng))
    drive(match, {seat: _make_player(name, game, rng) for seat, name in enumerate(pair, 1)}, most_plies=MOST_PLIES)
    return match


def _make_player(name: str, game: Game[Any], rng: Random) -> Player | None:
    try:
        return player(name, game, rng)
    except NotSolvedError:
        return player(RANDOM, game, rng)
