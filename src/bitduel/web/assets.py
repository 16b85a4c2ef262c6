"""Style sheets, scripts and the icon; their names contain a hash, so that browsers may cache them forever."""

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
from bitduel.rendering.card import light_palette
from bitduel.rendering.sheets import sheet_style
from bitduel.rendering.svg import style_sheet

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
HASHED_NAME = re.compile(r"([a-z]+)\.[0-9a-f]{12}(\.[a-z]+)")
CSS, JAVASCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


class Asset(NamedTuple):
    """A file as it is sent, plain and compressed."""

    body: bytes
    compressed: bytes
    media_type: str
    hash: str


@cache
def assets() -> dict[str, Asset]:
    """Return every file by its plain name."""
    return {
        "pictures.css": _asset(style_sheet(), CSS),
        "style.css": _asset(_join("css"), CSS),
        "arena.css": _asset(sheet(), CSS),
        "sheets.css": _asset(sheet_style(), CSS),
        "class.css": _asset(_class_sheet(), CSS),
        "class.js": _asset((STATIC / "class.js").read_text("utf-8"), JAVASCRIPT),
        "live.js": _asset(_join("js"), JAVASCRIPT),
        "icon.svg": _asset((STATIC / "icon.svg").read_text("utf-8"), "image/svg+xml"),
    }


def _asset(text: str, media_type: str) -> Asset:
    body = text.encode()
    return Asset(body, gzip.compress(body, 9, mtime=0), media_type, sha256(body).hexdigest()[:12])


def _class_sheet() -> str:
    """Return the style sheet of classes; the projector is light, because rooms are."""
    sheet = (STATIC / "class.css").read_text("utf-8")
    return f"{sheet}\n:root:has(.class-screen) {{ color-scheme: light; {light_palette()} }}\n"


def _join(folder: str) -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted((STATIC / folder).iterdir()))


@cache
def asset_url(name: str) -> str:
    """Return the address of the present version of a file."""
    stem, _, suffix = name.partition(".")
    return f"/static/{stem}.{assets()[name].hash}.{suffix}"


def accepts_gzip(header: str) -> bool:
    """Return whether an Accept-Encoding header allows gzip."""
    encodings = [each.replace(" ", "").lower() for each in header.split(",")]
    return any(each.partition(";")[0] == "gzip" and not each.endswith((";q=0", ";q=0.0")) for each in encodings)


async def static(request: Request) -> Response:
    """Send a file: to be cached forever under its hashed name, and to be revalidated under its plain name."""
    requested = request.path_params["name"]
    hashed = HASHED_NAME.fullmatch(requested)
    name = hashed[1] + hashed[2] if hashed else requested
    asset = assets().get(name)
    if asset is None:
        raise HTTPException(404)
    cache_control = FOREVER if asset_url(name) == f"/static/{requested}" else "no-cache"
    headers = {"cache-control": cache_control, "etag": f'"{asset.hash}"', "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(asset.compressed, media_type=asset.media_type, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.body, media_type=asset.media_type, headers=headers)
