"""Questions of the menu: one of several things, or a line that can be read; asked until there is an answer."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from bitduel.core.errors import BitduelError
from bitduel.terminal.round import QuitError
from bitduel.terminal.screen import ROOM_TO_TYPE, SHORTLY, Screen
from bitduel.terminal.text import listing

T = TypeVar("T")
LEAVE = ("q", "quit")
BACK = ("b", "back")
LEAVES = "'q' leaves."
BACK_AND_LEAVE = f"'back' goes back, {LEAVES}"
HELP = ("?", "h", "help")


class BackError(Exception):
    """Somebody wants the question before this one again."""


class Item(NamedTuple):
    """Something to choose: what it is called, what it is, and other words that mean it."""

    title: str
    about: str
    value: Any
    words: tuple[str, ...] = ()


def pick(screen: Screen, question: str, items: Sequence[Item], default: int | None = None, back: bool = False) -> Any:
    """One of several things, by its number, its name or the beginning of its name."""
    rows = [(str(number), item.title, item.about) for number, item in enumerate(items, 1)]
    width = screen.width if screen.fancy else 10**6
    screen.say(["", question, *(line.rstrip() for line in listing(rows, width))])
    enter = f", Enter for {default}" if default else ""

    def read(answer: str) -> Any:
        answer = answer or str(default or "")
        if answer in map(str, range(1, len(items) + 1)):
            return items[int(answer) - 1].value
        meant = [item for item in items if answer and answer in (*item.words, item.title.lower())]
        meant = meant or [item for item in items if answer and item.title.lower().startswith(answer)]
        if len(meant) != 1:
            raise BitduelError(f"Please enter a number from 1 to {len(items)}, or 'quit'.")
        return meant[0].value

    usual = f" Enter alone takes {default}." if default else ""
    about = f"Enter a number from 1 to {len(items)}, a name, or the beginning of one.{usual}"
    return ask(screen, f"Your choice (1-{len(items)}{enter}): ", read, about, room=SHORTLY, back=back)


def ask(
    screen: Screen,
    prompt: str,
    read: Callable[[str], T],
    about: str,
    as_typed: bool = False,
    room: int = ROOM_TO_TYPE,
    back: bool = False,
) -> T:
    """Ask until the answer can be read; whoever wants to know is told what can be entered.

    Where there is a question to go back to, BackError says that somebody at a terminal wants to.
    """
    back = back and screen.fancy
    while True:
        typed = screen.ask(prompt, room).strip()
        answer = typed.lower()
        if answer in LEAVE:
            raise QuitError
        if answer in (HELP[:1] if as_typed else HELP):
            screen.say([f"{about} {BACK_AND_LEAVE if back else LEAVES}"], "quiet")
            continue
        if back and answer in (BACK[1:] if as_typed else BACK):
            raise BackError
        try:
            return read(typed if as_typed else answer)
        except BitduelError as error:
            screen.say([str(error)], "wrong")
