"""Pages that are the same for everybody: made once, then answered before anything else is asked."""

from starlette.types import ASGIApp, Receive, Scope, Send


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
        length = str(len(body)).encode()
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
