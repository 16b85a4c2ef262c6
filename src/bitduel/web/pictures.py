"""The pictures that links show where they are posted, and the icons of the site."""

from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, find, shelf
from bitduel.rendering.card import card_svg, cover_svg
from bitduel.rendering.png import font
from bitduel.service.match_service import make_game
from bitduel.solver.position import stand
from bitduel.web.link_previews import mark, seen
from bitduel.web.site import Site, asker_of, in_thread, options_of

ICON = Path(__file__).parent / "static" / "icon.svg"
ICONS = {"icon-192": (192, False), "icon-512": (512, False), "maskable-512": (512, True), "touch-180": (180, True)}
"""The icons by name: how wide, and whether the ground reaches to the edges, for devices that cut them to a shape."""
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
FOR_A_DAY = {"cache-control": "public, max-age=86400"}
LONGEST_MOVES = 4000
COVER = (0, 1, 4)
"""Games of the shelf that look different."""


class Pictures:
    """Endpoints of PNG files."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def match(self, request: Request) -> Response:
        """A match after so many moves, as a spectator may see it."""
        ply = request.path_params["ply"]
        seating = await in_thread(self.site.desk.seating, request.path_params["id"])
        if not (ply.isascii() and ply.isdigit() and len(ply) < 7 and int(ply) <= seating.match.ply):
            raise HTTPException(404)
        picture = seen(seating, int(ply))
        kept = request.query_params.get("v") == mark(picture)
        return await self._png(request, await in_thread(_card, picture), FOR_EVER if kept else {})

    async def game(self, request: Request) -> Response:
        """A game with its options, after the moves that the address says."""
        kind = find(request.path_params["slug"])
        picture = await in_thread(_position, kind, dict(request.query_params))
        return await self._png(request, await in_thread(_card, picture), FOR_A_DAY)

    async def home(self, request: Request) -> Response:
        """A few of the games."""
        return await self._png(request, await in_thread(_cover), FOR_A_DAY)

    async def icon(self, request: Request) -> Response:
        """The icon of the site, for the first page of a device."""
        wide, cut = ICONS.get(request.path_params.get("name", "touch-180"), (0, False))
        if not wide:
            raise HTTPException(404)
        return await self._png(request, icon_svg(cut), FOR_A_DAY, wide)

    async def _png(self, request: Request, svg: str, kept: dict[str, str], wide: int | None = None) -> Response:
        made = await self.site.studio.png(svg, asker_of(request), wide)
        return Response(made, media_type="image/png", headers=kept)


@cache
def icon_svg(cut: bool) -> str:
    """The icon as it is, or with a ground that reaches beyond what a device may cut away."""
    svg = ICON.read_text("utf-8")
    if not cut:
        return svg
    ground = '<rect x="-4" y="-4" width="40" height="40"'
    return svg.replace("0 0 32 32", "-4 -4 40 40").replace('<rect width="32" height="32" rx="8"', ground)


def _card(picture: Picture) -> str:
    return card_svg(picture, font() is not None)


def _position(kind: Kind, fields: dict[str, str]) -> Picture:
    game = make_game(kind, options_of(fields))
    known = not game.chance or game.fixed_deal is not None
    match = stand(game, fields.get("moves", "")[:LONGEST_MOVES] if known else "")
    return game.picture(match.view(None), PLAYERS)


@cache
def _cover() -> str:
    """Some games of the shelf, each a few moves in."""
    return cover_svg([_few_moves_in(shelf()[number]) for number in COVER], font() is not None)


def _few_moves_in(kind: Kind) -> Picture:
    game = kind()
    match = Match(game, deal=game.any_deal())
    while match.ply < 5 and not match.outcome:
        match.play(match.legal[match.ply % len(match.legal)])
    return game.picture(match.view(1), PLAYERS)
