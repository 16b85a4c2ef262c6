"""Pages that are the same for everybody: rendered once, compressed once, and sent before anything is routed."""

import gzip
import re
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.web.assets import accepts_gzip
from bitduel.web.http.addresses import Addresses

ORIGIN = "http://here.invalid"
"""Stands in a cached page for the address that the site gives to others."""
PERSONAL = re.compile(r"/|/games/[^/]+")
"""The addresses of cached pages that a browser with a secret may get rendered for itself instead."""
REVALIDATED = "no-cache"
NEGOTIATED = frozenset({b"accept-encoding", b"if-none-match"})
Headers = list[tuple[bytes, bytes]]


class EncodedPage(NamedTuple):
    """A page as it is sent, plain and compressed; the tag is weak, as it names both."""

    plain: bytes
    compressed: bytes
    etag: str


@lru_cache(maxsize=64)
def _encoded(page: bytes, base: str) -> EncodedPage:
    """Return a page in both forms; it is the same for everybody, so its length reveals nothing."""
    plain = page.replace(ORIGIN.encode(), escape(base).encode())
    return EncodedPage(plain, gzip.compress(plain, 6, mtime=0), f'W/"{sha256(plain).hexdigest()[:16]}"')


def shared_response(request: Request, response: Response, base: str = ORIGIN) -> Response:
    """Return a page that is the same for everybody compressed, or as unchanged; anything else as it is.

    Never for a page with a secret: the length of what is compressed would reveal it.
    """
    if not isinstance(response, HTMLResponse) or response.status_code != 200:
        return response
    cache_control = response.headers.get("cache-control", REVALIDATED)
    status, body, headers = _answer(request.scope, _encoded(bytes(response.body), base), cache_control)
    sent = Response(body, status)
    sent.raw_headers = headers
    return sent


def _answer(scope: Scope, page: EncodedPage, cache_control: str = REVALIDATED) -> tuple[int, bytes, Headers]:
    """Return the status, the body and the headers that answer a request for a page."""
    asked = {name: value.decode("latin-1") for name, value in scope["headers"] if name in NEGOTIATED}
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", cache_control.encode()),
        (b"vary", b"accept-encoding, cookie" if PERSONAL.fullmatch(scope["path"]) else b"accept-encoding"),
        (b"etag", page.etag.encode()),
    ]
    if _has_tag(asked.get(b"if-none-match", ""), page.etag):
        return 304, b"", headers[1:]
    is_compressed = accepts_gzip(asked.get(b"accept-encoding", ""))
    body = page.compressed if is_compressed else page.plain
    headers.append((b"content-length", str(len(body)).encode()))
    return 200, body, [*headers, (b"content-encoding", b"gzip")] if is_compressed else headers


def _has_tag(header: str, etag: str) -> bool:
    """Return whether an If-None-Match header names a tag, strong or weak."""
    tags = [each.strip().removeprefix("W/") for each in header.split(",")]
    return "*" in tags or etag.removeprefix("W/") in tags


class CachedPages:
    """The routes of a site: cached pages, then the API or the pages."""

    def __init__(self, api: ASGIApp, pages: ASGIApp, cache: dict[str, bytes], addresses: Addresses) -> None:
        self.api = api
        self.pages = pages
        self.cache = cache
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, or by the API or the pages."""
        if scope["type"] == "http":
            if scope["path"].startswith("/api/"):
                await self.api(scope, receive, send)
                return
            path = scope["path"]
            is_cached = path in self.cache and scope["method"] == "GET" and not scope["query_string"]
            if is_cached and not (PERSONAL.fullmatch(path) and scope["bitduel.client"].visitor):
                scope["bitduel.route"] = path
                page = _encoded(self.cache[path], self.addresses.base(scope))
                status, body, headers = _answer(scope, page)
                await send({"type": "http.response.start", "status": status, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
        await self.pages(scope, receive, send)
