"""Previews of links where they are posted: a title, a sentence, and a PNG picture of what a spectator may see."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bitduel import __version__
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games, find
from bitduel.rendering.card import card_svg, cover_svg
from bitduel.rendering.png import font
from bitduel.service import messages
from bitduel.service.match_session import MatchSession
from bitduel.service.new_match import make_game
from bitduel.solver.analysis import match_after
from bitduel.web.assets import FOREVER
from bitduel.web.http.clients import client_of
from bitduel.web.site import Site, SitePages, in_thread, options_of

TITLE = "bitduel: quick two-player games with numbers and bits"
TEXT = "Quick two-player games with numbers and bits. Play the computer or a friend, and have every move explained."
DAY = {"cache-control": "public, max-age=86400"}
LONGEST_MOVES = 4000
COVER = (0, 1, 4)
"""The games on the picture of the home page, which look different."""


class LinkPreview(NamedTuple):
    """The preview of a page; addresses are absolute."""

    title: str
    text: str
    picture: str
    caption: str
    url: str | None = None


def home_card(base: str) -> LinkPreview:
    """Return the preview of the home page."""
    return LinkPreview(TITLE, TEXT, f"{base}/picture.png", "Positions from three of the games.", f"{base}/")


def game_card(base: str, game: Game[Any], fields: Mapping[str, str]) -> LinkPreview:
    """Return the preview of a game with its options."""
    address, query = f"{base}/games/{game.slug}", _query(fields, "moves")
    picture = game.picture(Match(game, deal=game.any_deal()).view(None), PLAYERS)
    return LinkPreview(game.title, game.goal, f"{address}/picture.png{query}", picture.caption, f"{address}{query}")


def position_card(base: str, game: Game[Any], caption: str, fields: Mapping[str, str]) -> LinkPreview:
    """Return the preview of a position."""
    address, query = f"{base}/games/{game.slug}", _query(fields)
    title, text = f"A position in {game.title}", f"Who should win here? {game.goal}"
    return LinkPreview(title, text, f"{address}/picture.png{query}", caption, f"{address}/position{query}")


def match_card(base: str, session: MatchSession, ply: int | None = None) -> LinkPreview:
    """Return the preview of a match as a spectator sees it, or of its review after a number of moves."""
    names, game = session.stored.names, session.match.game
    title = f"{game.title}: {names[0]} against {names[1]}"
    text = f"{messages.status(session, session.match.view(None))} {game.goal}"
    address = f"{base}/matches/{session.stored.id}"
    url = address if ply is None else f"{address}/review?ply={ply}"
    return LinkPreview(title, text, *_picture_url(base, session, ply), url)


def invitation_card(base: str, session: MatchSession) -> LinkPreview:
    """Return the preview of an invitation, without its address, which is a secret."""
    game = session.match.game
    title = f"{host_name(session)} has invited you to play {game.title}"
    return LinkPreview(title, game.goal, *_picture_url(base, session))


def host_name(session: MatchSession) -> str:
    """Return the name of the player who invites, or words for one who gave none."""
    name = session.stored.names[0]
    return "A friend" if name in PLAYERS else name


def spectator_picture(session: MatchSession, ply: int | None = None) -> Picture:
    """Return what a spectator may see after a number of moves: everything only once the match is over."""
    match = session.match
    view = match.view(None) if ply is None else match.hindsight(ply)
    return match.game.picture(view, session.stored.names)


def picture_version(picture: Picture) -> str:
    """Return a short hash of a picture, so that each version can be cached forever."""
    return sha256(f"{__version__} {picture!r}".encode("utf-8", "replace")).hexdigest()[:12]


def _picture_url(base: str, session: MatchSession, ply: int | None = None) -> tuple[str, str]:
    picture = spectator_picture(session, ply)
    at = session.match.ply if ply is None else ply
    return f"{base}/matches/{session.stored.id}/picture-{at}.png?v={picture_version(picture)}", picture.caption


def _query(fields: Mapping[str, str], *without: str) -> str:
    """Return the options and moves among some fields as a canonical query."""
    known = {name: value for name, value in fields.items() if name.startswith("opt-") or name == "moves"}
    chosen = {name: value for name, value in known.items() if value.strip() and name not in without}
    return f"?{urlencode(chosen, quote_via=quote)}" if chosen else ""


class LinkPictures(SitePages):
    """The endpoints of the pictures."""

    async def match(self, request: Request) -> Response:
        """Send a match after a number of moves, as a spectator may see it."""
        ply = request.path_params["ply"]
        session = await in_thread(self.site.service.session, request.path_params["id"])
        if not (ply.isascii() and ply.isdigit() and len(ply) < 7 and int(ply) <= session.match.ply):
            raise HTTPException(404)
        picture = spectator_picture(session, int(ply))
        is_current = request.query_params.get("v") == picture_version(picture)
        svg = await in_thread(_card, picture)
        return await png_response(self.site, request, svg, {"cache-control": FOREVER} if is_current else {})

    async def game(self, request: Request) -> Response:
        """Send a game with its options, after the moves in the address."""
        kind = find(request.path_params["slug"])
        picture = await in_thread(_position, kind, dict(request.query_params))
        return await png_response(self.site, request, await in_thread(_card, picture), DAY)

    async def home(self, request: Request) -> Response:
        """Send a few of the games."""
        return await png_response(self.site, request, await in_thread(_cover), DAY)


async def png_response(
    site: Site, request: Request, svg: str, headers: dict[str, str], width: int | None = None
) -> Response:
    """Return an SVG picture as a PNG file, within the client's quota."""
    body = await site.png_worker.png(svg, client_of(request), width)
    return Response(body, media_type="image/png", headers=headers)


def _card(picture: Picture) -> str:
    return card_svg(picture, font() is not None)


def _position(kind: GameClass, fields: dict[str, str]) -> Picture:
    game = make_game(kind, options_of(fields))
    is_known = not game.has_chance or game.fixed_deal is not None
    match = match_after(game, fields.get("moves", "")[:LONGEST_MOVES] if is_known else "")
    return game.picture(match.view(None), PLAYERS)


@cache
def _cover() -> str:
    return cover_svg([_few_moves_in(all_games()[number]) for number in COVER], font() is not None)


def _few_moves_in(kind: GameClass) -> Picture:
    game = kind()
    match = Match(game, deal=game.any_deal())
    while match.ply < 5 and not match.outcome:
        match.play(match.legal[match.ply % len(match.legal)])
    return game.picture(match.view(1), PLAYERS)
