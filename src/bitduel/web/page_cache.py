"""Pages that are the same for everybody: made once, then answered before anything else is asked."""

import gzip
from functools import lru_cache

from markupsafe import escape
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.web.assets import takes_gzip
from bitduel.web.http.addresses import Addresses

ORIGIN = "http://here.invalid"
"""Stands in a page that is ready for the address at which the site is asked."""


def addressed(page: bytes, base: str) -> bytes:
    """A page that is ready, with the address that the site gives to others."""
    return _put_in(page, base)[0]


@lru_cache(maxsize=64)
def _put_in(page: bytes, base: str) -> tuple[bytes, bytes]:
    """The page, plain and compressed; it is the same for everybody, so its length tells nothing."""
    found = page.replace(ORIGIN.encode(), escape(base).encode())
    return found, gzip.compress(found, 6, mtime=0)


class CachedPages:
    """Answers from memory what has been asked before; everything else goes on."""

    def __init__(self, app: ASGIApp, pages: dict[str, bytes], addresses: Addresses) -> None:
        self.app = app
        self.pages = pages
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page that is ready, or go on."""
        plain = scope["type"] == "http" and scope["method"] == "GET" and not scope["query_string"]
        body = self.pages.get(scope["path"]) if plain else None
        if body is None:
            await self.app(scope, receive, send)
            return
        scope["bitduel.route"] = scope["path"]
        plain_body, small = _put_in(body, self.addresses.base(scope))
        accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
        compressed = takes_gzip(accepted.decode("latin-1"))
        body = small if compressed else plain_body
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"vary", b"accept-encoding"),
            *([(b"content-encoding", b"gzip")] if compressed else []),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
