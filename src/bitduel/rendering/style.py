"""The style sheets of the pictures: for a page of its own, or for one picture that stands alone."""

from functools import cache
from importlib.resources import files

from markupsafe import Markup

WIDTH = 420
ALONE = "display: block; max-width: {}px; padding: 8px; background: var(--paper); font-family: system-ui, sans-serif"


@cache
def style_sheet() -> str:
    """The colours and the pictures, for a page."""
    return "\n".join(files(__package__).joinpath(name).read_text("utf-8") for name in ("palette.css", "pictures.css"))


@cache
def _own_style() -> Markup:
    """The same for one picture: its colours are its own and touch nothing around it."""
    return Markup("<style>{}</style>").format(Markup(style_sheet().replace(":root", ".picture")))


def alone(svg: Markup) -> str:
    """A picture that needs no page around it, with its colours inside."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" style="{ALONE.format(WIDTH)}"'
    return str(svg).replace("<svg", head, 1).replace("</title>", f"</title>{_own_style()}", 1)
