"""The door: who may speak to the site, how much, and what every answer carries."""

from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from fastapi.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bitduel.web.http.addresses import host_of, is_local

LARGEST_BODY = 8 * 1024
TOO_LARGE = f"At most {LARGEST_BODY} bytes are taken."
DOUBLED = "The same header is given twice."
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
    """Checks Host, origin and size of every request, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, accepts: Callable[[str], bool], free: Iterable[str] = ()) -> None:
        self.app = app
        self.accepts = accepts
        self.free = frozenset(free)
        """Addresses that may be asked for by any name, by those who look after the site."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers: dict[bytes, str] = {}
        is_doubled = False
        for name, value in scope["headers"]:
            if name in SINGLE:
                is_doubled = is_doubled or name in headers
                headers[name] = value.decode("latin-1")
        trusted = scope["scheme"] == "https" or is_local(host_of(headers.get(b"host", "")))
        send = _with_headers(send, [*RAW, TRUSTWORTHY] if trusted else RAW)
        refusal = said(scope, 400, DOUBLED) if is_doubled else self._refusal(scope, headers)
        if refusal:
            await refusal(scope, receive, send)
            return
        await self.app(scope, receive if b"content-length" in headers else _limited(receive), send)

    def _refusal(self, scope: Scope, headers: Mapping[bytes, str]) -> Response | None:
        if not self.accepts(headers.get(b"host", "")) and scope["path"] not in self.free:
            return said(scope, 400, "This site does not go by that name.")
        if scope["method"] not in SAFE and _foreign(headers):
            return said(scope, 403, "Requests from other sites are refused.")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= LARGEST_BODY):
            return said(scope, 413, TOO_LARGE)
        return None


def _foreign(headers: Mapping[bytes, str]) -> bool:
    """Whether a browser says that another site sends this, by Sec-Fetch-Site, or else by Origin, or else by Referer."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get(b"origin", headers.get(b"referer"))
    try:
        return origin is not None and urlsplit(origin).netloc.lower() != headers.get(b"host", "").lower()
    except ValueError:
        return True


def said(scope: Scope, status: int, sentence: str) -> Response:
    """One sentence, as JSON for programs."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": sentence}, status)
    return PlainTextResponse(f"{sentence}\n", status)


def _limited(receive: Receive) -> Receive:
    """Count what comes from a sender who does not tell its length; servers cut off what is longer than was told."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return counted


def _with_headers(send: Send, always: list[tuple[bytes, bytes]]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], *always]
            if b"cache-control" not in dict(headers):
                headers.append(NEVER_KEPT)
            message = {**message, "headers": headers}
        await send(message)

    return sending
