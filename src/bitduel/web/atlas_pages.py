"""The pages about a game at every size: its atlas, the picture of it, and its laws with their proofs."""

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.hints import told
from bitduel.games import Kind, find
from bitduel.rendering.chart import LEGEND, SIGN, chart_svg
from bitduel.web.atlas_page import Given, atlas, fields, given_in, presets, usual
from bitduel.web.site import Site, status_of
from bitduel.web.worker_pools import SURVEYING


class AtlasPages:
    """Endpoints about all sizes of a game."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def atlas(self, request: Request) -> Response:
        """Who wins over one or two options."""
        kind = find(request.path_params["slug"])
        return await SURVEYING.run(self._atlas, kind, given_in(request.query_params.multi_items()) or usual(kind))

    async def picture(self, request: Request) -> Response:
        """The same as a picture that stands alone."""
        kind = find(request.path_params["slug"])
        return await SURVEYING.run(self._picture, kind, given_in(request.query_params.multi_items()) or usual(kind))

    async def laws(self, request: Request) -> Response:
        """What is proved of a game."""
        kind = find(request.path_params["slug"])
        return self.site.page("laws.html", game=kind, laws=kind().words.laws())

    def _atlas(self, kind: Kind, given: Given) -> HTMLResponse:
        error, found = None, None
        try:
            found = atlas(kind, given)
        except BitduelError as wrong:
            error = wrong
        context: dict[str, Any] = {"signs": SIGN, "meaning": LEGEND, "order": (WIN, LOSS, DRAW), "told": told}
        return self.site.page(
            "atlas.html",
            code=status_of(error) if error else 200,
            game=kind,
            atlas=found,
            fields=fields(kind, given),
            presets=presets(kind, given),
            laws=kind().words.laws(),
            error=str(error) if error else None,
            **context,
        )

    def _picture(self, kind: Kind, given: Given) -> Response:
        return Response(chart_svg(atlas(kind, given).chart), media_type="image/svg+xml")
