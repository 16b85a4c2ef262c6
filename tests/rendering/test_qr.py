import re

import pytest

from bitduel.rendering.qr import TERMINAL_QUIET_ZONE, qr_svg, qr_text
from codes import grid_of, read_qr
from pictures import NASTY, parsed

INVITATION = "https://games.example.org/invite/k3m9x2q/0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    "text", ["http://a.b", "http://127.0.0.1:8000/invite/abcdefg/" + "f" * 32, INVITATION, "x" * 100, "y" * 130]
)
def test_a_code_is_read_as_the_text_it_was_made_of(text: str) -> None:
    assert read_qr(grid_of(qr_svg(text))) == text


def test_a_code_is_dark_on_white_in_every_theme_and_needs_no_style() -> None:
    svg = qr_svg(INVITATION)
    root = parsed(svg)
    ground, code = root.findall("rect") + root.findall("path")
    assert (ground.get("fill"), code.get("fill")) == ("#ffffff", "#000000")
    assert ground.get("width") == ground.get("height") == root.get("viewBox", "").split()[2]
    assert "style=" not in svg


def test_a_code_says_what_it_is_to_those_who_do_not_see_it() -> None:
    root = parsed(qr_svg(INVITATION, NASTY))
    assert root.get("role") == "img"
    assert root[0].text == NASTY


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "NO_COLOR"])
@pytest.mark.parametrize("text", ["http://a.b", "http://192.168.100.100:8000/", INVITATION])
def test_a_code_in_a_terminal_is_read_as_the_text_it_was_made_of(text: str, colour: bool) -> None:
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in qr_text(text, colour).split("\n")]
    upper, lower = ("\u2580\u2588", "\u2584\u2588") if colour else (" \u2584", " \u2580")
    rows = [[char in half for char in line] for line in lines for half in (upper, lower)]
    assert len({len(row) for row in rows}) == 1
    size = len(rows[0]) - 2 * TERMINAL_QUIET_ZONE
    inner = range(TERMINAL_QUIET_ZONE, TERMINAL_QUIET_ZONE + size)
    assert read_qr([[rows[y][x] for x in inner] for y in inner]) == text
    assert not any(dark for y, row in enumerate(rows) for x, dark in enumerate(row) if not (y in inner and x in inner))


def test_the_code_of_a_usual_address_fits_a_small_terminal() -> None:
    lines = qr_text("http://192.168.100.100:8000/", colour=False).split("\n")
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 40
