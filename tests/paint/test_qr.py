import pytest

from bitduel.paint.qr import qr_svg
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
