"""The site on other devices: the page with its address, and what a device needs to install it and to be offline."""

import json
from functools import cache, cached_property
from hashlib import sha256

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bitduel.rendering.card import colour
from bitduel.web.assets import STATIC, asset_url, assets
from bitduel.web.http.addresses import host_of, is_local
from bitduel.web.link_previews import DAY, png_response
from bitduel.web.site import SitePages

ICONS = {"icon-192": (192, False), "icon-512": (512, False), "maskable-512": (512, True), "touch-180": (180, True)}
"""The icons by name: the width, and whether the background reaches beyond what a device may cut away."""


class DevicePages(SitePages):
    """The endpoints for devices."""

    async def connect(self, request: Request) -> Response:
        """Show all addresses to the person who runs the site, and to visitors the one they use."""
        addresses = self.site.addresses
        sender = request.client.host if request.client else ""
        is_own = is_local(sender) and is_local(host_of(request.headers.get("host", "")))
        urls = list(addresses.urls()) if is_own else [addresses.base(request.scope)]
        return self.site.page("connect.html", urls=[f"{url}/" for url in urls])

    async def icon(self, request: Request) -> Response:
        """Send the icon of the site as a PNG file."""
        width, is_maskable = ICONS.get(request.path_params.get("name", "touch-180"), (0, False))
        if not width:
            raise HTTPException(404)
        return await png_response(self.site, request, icon_svg(is_maskable), DAY, width)

    async def manifest(self, _request: Request) -> Response:
        """Send the name, the colours and the icons of the site."""
        return JSONResponse(manifest(), media_type="application/manifest+json")

    async def service_worker(self, _request: Request) -> Response:
        """Send the script that shows a page if there is no connection; every version is another script."""
        return Response(self._service_worker, media_type="text/javascript")

    async def offline(self, _request: Request) -> Response:
        """Show the page for when there is no connection."""
        return self.site.page("offline.html")

    @cached_property
    def _service_worker(self) -> str:
        script = (STATIC / "worker.js").read_text("utf-8")
        files = json.dumps([asset_url(name) for name in assets()])
        page = bytes(self.site.page("offline.html").body)
        version = sha256(b"".join([script.encode(), files.encode(), page])).hexdigest()[:12]
        return script.replace("VERSION", version).replace("ASSETS", files)


@cache
def icon_svg(is_maskable: bool) -> str:
    """Return the icon, with a background beyond its edges for a device that cuts it to a shape."""
    svg = (STATIC / "icon.svg").read_text("utf-8")
    if not is_maskable:
        return svg
    background = '<rect x="-4" y="-4" width="40" height="40"'
    return svg.replace("0 0 32 32", "-4 -4 40 40").replace('<rect width="32" height="32" rx="8"', background)


def manifest() -> dict[str, object]:
    """Return the web app manifest."""
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
        "description": "Quick two-player games with numbers and bits.",
        "lang": "en",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": colour("--paper"),
        "theme_color": colour("--paper"),
        "categories": ["games"],
        "icons": icons,
    }
