"""Style sheets, scripts and the icon: named after what is in them, so that browsers may keep them for good."""

import gzip
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bitduel.arena.report_page import sheet
from bitduel.rendering.style import style_sheet

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
NAMED = re.compile(r"([a-z]+)\.[0-9a-f]{12}(\.[a-z]+)")


class Asset(NamedTuple):
    """A file as it is sent, plain and compressed."""

    body: bytes
    small: bytes
    kind: str
    mark: str


def _asset(text: str, kind: str) -> Asset:
    body = text.encode()
    return Asset(body, gzip.compress(body, 9, mtime=0), kind, sha256(body).hexdigest()[:12])


def _joined(kind: str) -> str:
    """All files of a kind in the order of their names."""
    return "\n".join(file.read_text("utf-8") for file in sorted((STATIC / kind).iterdir()))


@cache
def assets() -> dict[str, Asset]:
    """Every file by its plain name."""
    return {
        "pictures.css": _asset(style_sheet(), "text/css; charset=utf-8"),
        "style.css": _asset(_joined("css"), "text/css; charset=utf-8"),
        "arena.css": _asset(sheet(), "text/css; charset=utf-8"),
        "live.js": _asset(_joined("js"), "text/javascript; charset=utf-8"),
        "icon.svg": _asset((STATIC / "icon.svg").read_text("utf-8"), "image/svg+xml"),
    }


def asset_url(name: str) -> str:
    """Where a file is as long as it is just so."""
    stem, _, end = name.partition(".")
    return f"/static/{stem}.{assets()[name].mark}.{end}"


def takes_gzip(accepted: str) -> bool:
    """Whether a header of accepted encodings lets through what gzip makes."""
    wishes = [wish.replace(" ", "").lower() for wish in accepted.split(",")]
    return any(wish.partition(";")[0] == "gzip" and not wish.endswith((";q=0", ";q=0.0")) for wish in wishes)


async def static(request: Request) -> Response:
    """A file, kept for good under the name of what is in it, and asked about each time under its plain name."""
    asked = request.path_params["name"]
    found = NAMED.fullmatch(asked)
    name = found[1] + found[2] if found else asked
    asset = assets().get(name)
    if asset is None:
        raise HTTPException(404)
    kept = FOREVER if asset_url(name) == f"/static/{asked}" else "no-cache"
    headers = {"cache-control": kept, "etag": f'"{asset.mark}"', "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(asset.small, media_type=asset.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.body, media_type=asset.kind, headers=headers)
