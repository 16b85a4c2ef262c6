"""Questions at a screen: a choice from a list, a line, yes or no, and commands in place of an answer."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from bitduel.core.errors import BitduelError, StopPlayingError
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View
from bitduel.terminal.move_input import SHORTCUTS
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import ANSWER_WIDTH, SHORT_ANSWER, Screen
from bitduel.terminal.text import listing

T = TypeVar("T")
QUITS = "Type 'q' to quit."
GOES_BACK = "Type 'back' to go back."
USUAL_LINES = 6
"""Lines around the items of a menu: its title above it, the question, and the prompt."""


class QuitError(StopPlayingError):
    """A request to leave."""


class BackError(Exception):
    """A request for the previous question."""


class Item(NamedTuple):
    """An item of a menu: its title, a description, its value, and other words that select it."""

    title: str
    about: str
    value: Any
    words: tuple[str, ...] = ()


def pick(
    screen: Screen,
    question: str,
    items: Sequence[Item],
    default: int | None = None,
    back: bool = False,
    other: Callable[[str], Any] | None = None,
    tip: str = "",
) -> Any:
    """Ask for one of several items, by its number, its name or the beginning of its name.

    With `other`, answers that select no item are read by it; it raises BitduelError if it cannot read one either.
    The tip is part of the help.
    """
    full = _describe_items(screen, items)
    short = [f"  {n}  {item.title}" for n, item in enumerate(items, 1)]
    screen.show(["", question, *(full if fits(screen, items) else short)])
    enter = f", Enter for {default}" if default else ""
    wrong = "Please type a number or a name from the list, or 'q' to quit."

    def read(answer: str) -> Any:
        item = items[default - 1] if default and not answer else find_item(items, answer)
        if item:
            return item.value
        if other is None or not answer:
            raise BitduelError(wrong)
        try:
            return other(answer)
        except BitduelError as error:
            raise BitduelError(str(error) or wrong) from None

    usual = f" Press Enter for {items[default - 1].title}." if default else ""
    about = f"Type a number or the first letters of a name.{usual}{tip and f' {tip}'}"
    numbers = f"1-{len(items)}" if len(items) > 1 else "1"
    prompt = f"Your choice ({numbers}{enter}): "
    return ask(screen, prompt, read, about, SHORT_ANSWER, back, details=lambda: full)


def fits(screen: Screen, items: Sequence[Item]) -> bool:
    """Return whether a menu can be seen at once with the descriptions of its items."""
    return len(_describe_items(screen, items)) + USUAL_LINES <= screen.height


def _describe_items(screen: Screen, items: Sequence[Item]) -> list[str]:
    return listing([(str(n), item.title, item.about) for n, item in enumerate(items, 1)], screen.line_width)


def find_item(items: Sequence[Item], answer: str) -> Item | None:
    """Return the only item that an answer selects: by its number, one of its words, or the beginning of its title."""
    answer = answer.lower()
    if answer in map(str, range(1, len(items) + 1)):
        return items[int(answer) - 1]
    matching = [item for item in items if answer in (*item.words, item.title.lower())]
    matching = matching or [item for item in items if answer and item.title.lower().startswith(answer)]
    return matching[0] if len(matching) == 1 else None


def ask(
    screen: Screen,
    prompt: str,
    read: Callable[[str], T],
    about: str,
    answer_width: int = ANSWER_WIDTH,
    back: bool = False,
    details: Callable[[], list[str]] = list,
) -> T:
    """Ask until the answer can be read; '?' explains what can be typed, with details if there are some.

    With `back`, BackError is raised if somebody at a terminal wants the question before.
    """
    back = back and screen.is_interactive
    while True:
        typed = screen.ask(prompt, answer_width).strip()
        answer = typed.lower()
        if answer in ("q", "quit"):
            raise QuitError
        if answer in ("?", "h", "help"):
            screen.show([*details(), f"{about} {GOES_BACK if back else ''} {QUITS}".replace("  ", " ")], "quiet")
            continue
        if back and answer in ("b", "back"):
            raise BackError
        try:
            return read(typed)
        except BitduelError as error:
            screen.show([str(error)], "wrong")


def ask_yes(screen: Screen, question: str) -> bool:
    """Return whether somebody agrees; anything but yes does not."""
    return screen.ask(question, SHORT_ANSWER).strip().lower() in ("y", "yes")


class Dialog:
    """A dialog about a game whose answers may also be commands: a method `do_NAME` for each name in `HELP`."""

    HELP: dict[str, str] = {}

    def __init__(self, game: Game[Any], screen: Screen) -> None:
        self.game = game
        self.words = game.words
        self.screen = screen

    def run_command(self, answer: str, shortcuts: bool = True) -> bool:
        """Run the command that an answer means; return whether it is one."""
        command = answer.strip().lower()
        command = SHORTCUTS.get(command, command) if shortcuts else command
        if command not in self.HELP:
            return False
        getattr(self, f"do_{command}")()
        return True

    def do_rules(self) -> None:
        """Show the rules of the game."""
        self.screen.show(rule_lines(self.game, self.screen.width))

    def do_quit(self) -> None:
        """Leave."""
        raise QuitError

    def show_moves(self, view: View, width: int) -> None:
        """Show the legal moves and where they lead."""
        rows = [(self.words.answer(view, move), self._result_of(view, move)) for move in view.legal]
        self.screen.show(listing(rows, width))

    def _result_of(self, view: View, move: str) -> str:
        """Return where a move leads, with a warning where it ends the match in a draw."""
        result = self.words.leads_to(view, move)
        if move in view.repeating:
            return f"{result} (a draw: the same position again)"
        if view.position is not None and self.game.verdict(self.game.play(view.position, move)) == Verdict.DRAWN:
            return f"{result} (this ends the match in a draw)"
        return result
