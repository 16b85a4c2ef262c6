"""The page that shows how other devices get here."""

from starlette.requests import Request
from starlette.responses import Response

from bitduel.web.http.addresses import host_of, is_local
from bitduel.web.site import Site, address


class ConnectPage:
    """The addresses of the site, with a QR code."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def connect(self, request: Request) -> Response:
        """Show every address to whoever runs the site, and to all others the one that they use themselves."""
        addresses = self.site.addresses
        own = is_local(address(request)) and is_local(host_of(request.headers.get("host", "")))
        urls = list(addresses.urls()) if own else [addresses.base(request.scope)]
        return self.site.page("connect.html", urls=[f"{url}/" for url in urls])
