"""Checks of every request before it is answered, and the headers of every answer."""

from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from fastapi.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bitduel.web.http.addresses import host_of, is_local

LARGEST_BODY = 8 * 1024
TOO_LARGE = f"That is too large. The limit is {LARGEST_BODY} bytes."
DOUBLED = "The same header was sent twice."
SAFE = {"GET", "HEAD", "OPTIONS"}
SINGLE = frozenset(
    {b"host", b"origin", b"referer", b"sec-fetch-site", b"content-length", b"authorization", b"content-type"}
)
"""Headers of which two would be understood differently by different programs."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # under no-referrer Chromium sends "Origin: null" with our own forms
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

RAW = [(name.encode(), value.encode()) for name, value in ALWAYS.items()]
TRUSTWORTHY = (b"cross-origin-opener-policy", b"same-origin")
"""For https and this machine; elsewhere browsers ignore it, and complain."""
NEVER_KEPT = (b"cache-control", b"no-store")


class RequestChecks:
    """Middleware that checks Host, origin and size of every request, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, accepts: Callable[[str], bool], free: Iterable[str] = ()) -> None:
        self.app = app
        self.accepts = accepts
        self.free = frozenset(free)
        """Paths that are answered under any host name, for probes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers: dict[bytes, str] = {}
        is_doubled = False
        for name, value in scope["headers"]:
            if name in SINGLE:
                is_doubled = is_doubled or name in headers
                headers[name] = value.decode("latin-1")
        is_trustworthy = scope["scheme"] == "https" or is_local(host_of(headers.get(b"host", "")))
        added = [*RAW, TRUSTWORTHY] if is_trustworthy else RAW

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = [*message["headers"], *added]
                if b"cache-control" not in dict(sent):
                    sent.append(NEVER_KEPT)
                message = {**message, "headers": sent}
            await send(message)

        refusal = (400, DOUBLED) if is_doubled else self._refusal(scope, headers)
        if refusal:
            await error_response(scope, *refusal)(scope, receive, send_with_headers)
            return
        await self.app(scope, receive if b"content-length" in headers else _limited(receive), send_with_headers)

    def _refusal(self, scope: Scope, headers: Mapping[bytes, str]) -> tuple[int, str] | None:
        """Return the status and the sentence with which a request is refused, if it is."""
        host = headers.get(b"host", "")
        if not self.accepts(host) and scope["path"] not in self.free:
            return 400, "This site doesn't use that address."
        if scope["method"] not in SAFE:
            # A browser says by Sec-Fetch-Site, or else by Origin, or else by Referer, which site sends a form.
            if (site := headers.get(b"sec-fetch-site")) is not None:
                is_foreign = site not in ("same-origin", "none")
            else:
                origin = headers.get(b"origin", headers.get(b"referer"))
                is_foreign = origin is not None and not _is_of_host(origin, host)
            if is_foreign:
                return 403, "We can't accept that form. It came from another website."
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= LARGEST_BODY):
            return 413, TOO_LARGE
        return None


def _is_of_host(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def error_response(scope: Scope, status: int, sentence: str) -> Response:
    """Return one sentence, as JSON for programs."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": sentence}, status)
    return PlainTextResponse(f"{sentence}\n", status)


def _limited(receive: Receive) -> Receive:
    """Bound a body whose length is not declared; a server cuts off what is longer than declared."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return counted
