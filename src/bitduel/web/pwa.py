"""What a device needs to keep the site: a manifest, and a page for when there is no connection."""

import json
from functools import cached_property
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bitduel.rendering.plain import colour
from bitduel.web.assets import STATIC, asset_url, assets
from bitduel.web.site import Site


class PwaPages:
    """Endpoints for devices."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def manifest(self, _request: Request) -> Response:
        """The name, the colours and the icons of the site."""
        return JSONResponse(manifest(), media_type="application/manifest+json")

    async def worker(self, _request: Request) -> Response:
        """The script that shows a page where there is no connection; another version of it is another script."""
        return Response(self._worker, media_type="text/javascript")

    async def offline(self, _request: Request) -> Response:
        """The page for when there is no connection, the same for everybody."""
        return self.site.page("offline.html")

    @cached_property
    def _worker(self) -> str:
        script = (STATIC / "worker.js").read_text("utf-8")
        files = json.dumps([asset_url(name) for name in assets()])
        page = bytes(self.site.page("offline.html").body)
        version = sha256(b"".join([script.encode(), files.encode(), page])).hexdigest()[:12]
        return script.replace("VERSION", version).replace("ASSETS", files)


def manifest() -> dict[str, object]:
    """The manifest; sizes and names of icons are those that are drawn."""
    icons = [
        {"src": asset_url("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": "/icons/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/icons/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "/icons/maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    return {
        "id": "/",
        "name": "bitduel",
        "short_name": "bitduel",
        "description": "Small duels of doubling and bits.",
        "lang": "en",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": colour("--paper"),
        "theme_color": colour("--paper"),
        "categories": ["games"],
        "icons": icons,
    }
