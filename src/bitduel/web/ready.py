"""Pages that are the same for everybody: made once, then answered before anything else is asked."""

from functools import lru_cache

from markupsafe import escape
from starlette.types import ASGIApp, Receive, Scope, Send

ORIGIN = "http://here.invalid"
"""Stands in a page that is ready for the address at which the site is asked."""


def addressed(page: bytes, scope: Scope) -> bytes:
    """A page that is ready, with the address at which this request came."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return _put_in(page, f"{scope['scheme']}://{host.decode('latin-1')}")


@lru_cache(maxsize=64)
def _put_in(page: bytes, base: str) -> bytes:
    return page.replace(ORIGIN.encode(), escape(base).encode())


class ReadyPages:
    """Answers from memory what has been asked before; everything else goes on."""

    def __init__(self, app: ASGIApp, pages: dict[str, bytes]) -> None:
        self.app = app
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page that is ready, or go on."""
        plain = scope["type"] == "http" and scope["method"] == "GET" and not scope["query_string"]
        body = self.pages.get(scope["path"]) if plain else None
        if body is None:
            await self.app(scope, receive, send)
            return
        body = addressed(body, scope)
        length = str(len(body)).encode()
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
