"""Moves on a picture: a real button for each, with what it would do and what it is worth."""

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from bitduel.rendering.svg import shifted, tag, write

FORM = "move-form"
"""The form on the page to which the buttons belong."""

SIGNS = {"win": "✓", "loss": "✗", "draw": "="}


class BoardChoice(NamedTuple):
    """A move that can be made now: what it is called, where it leads, and what it is worth if that may be told."""

    move: str
    label: str
    leads: str
    key: str = ""
    worth: str = ""
    """win, loss or draw, or a chance in percent."""
    best: bool = False


BoardChoices = Mapping[str, BoardChoice]


def chosen(
    choice: BoardChoice, drawn: Markup, press: Markup, badge: tuple[float, float], **attributes: object
) -> Markup:
    """What belongs to a move on a picture: what it would do, its worth, and its button."""
    kind = f"choice best {choice.worth}" if choice.best else f"choice {choice.worth}"
    return tag("g", drawn, press, _badge(choice, badge), class_=kind.strip(), data_move=choice.move, **attributes)


def button(choice: BoardChoice, box: tuple[float, float, float, float], kind: str, leads_to: object = "") -> Markup:
    """A button of a form, in a box of the picture; it says in words what others see."""
    x, y, wide, high = (f"{number:.1f}" for number in box)
    shown = Markup("")
    if leads_to != "":
        shown = tag("span", choice.label, class_="label") + tag("span", f"→ {leads_to}", class_="to")
    said = f"{choice.label}: {choice.leads}"
    key = {"data_key": choice.key, "aria_keyshortcuts": choice.key} if choice.key else {}
    inside = tag(
        "button", shown, form=FORM, name="move", value=choice.move, class_=kind, aria_label=said, title=said, **key
    )
    return tag("foreignObject", inside, x=x, y=y, width=wide, height=high)


def _badge(choice: BoardChoice, at: tuple[float, float]) -> Markup:
    """What a move is worth, in colour, shape and sign."""
    if not choice.worth:
        return Markup("")
    sign = SIGNS.get(choice.worth, choice.worth)
    if choice.worth == "loss":
        shape = tag("path", class_="back", d="M0 -11L11 0L0 11L-11 0z")
    elif choice.worth == "draw":
        shape = tag("rect", class_="back", x=-9, y=-9, width=18, height=18)
    elif choice.worth == "win":
        shape = tag("circle", class_="back", r=10)
    else:
        shape = tag("rect", class_="back", x=-16, y=-9, width=32, height=18, rx=9)
    ring = tag("circle", class_="ring", r=14) if choice.best and sign != choice.worth else Markup("")
    text = write(0, 4.5, sign, "worth")
    return tag("g", ring, shape, text, class_="badge", transform=shifted(*at), aria_hidden="true")
