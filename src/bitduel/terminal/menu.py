"""The menu: game, opponent, who starts, rounds; then play; then again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.games import Kind, shelf
from bitduel.players.spec import COMPUTERS, HUMAN, Spec
from bitduel.terminal.keeper import Keeper
from bitduel.terminal.play import QuitError, Setup, play_and_leave
from bitduel.terminal.rulesheet import option_lines, rule_lines
from bitduel.terminal.screen import Screen, open_screen

T = TypeVar("T")
QUIT = "quit"
MOST_ROUNDS = 1000


def run() -> None:
    """Ask, play, and ask again until nobody wants to play any more."""
    screen = open_screen(plain=False)
    screen.say([f"bitduel {__version__}: five small games about doubling and bits"], "turn")
    try:
        setup = ask_setup(screen)
        while True:
            _play(setup, screen)
            setup = _ask_next(setup, screen)
    except QuitError:
        screen.say(["Goodbye."])


def ask_setup(screen: Screen) -> Setup:
    """Everything about a match, asked one thing at a time."""
    kind = _pick(screen, "Which game?", [(k.title, k.aim, k) for k in shelf()])
    opponents = [("Two people", "at this keyboard", HUMAN)]
    opponents += [(f"The computer, {who.name}", who.about, who.name) for who in COMPUTERS]
    opponent = _pick(screen, "Who plays?", opponents, default=1)
    starters = [("Toss a coin", "", "toss"), ("Player 1", "", "1"), ("Player 2", "", "2")]
    first = _pick(screen, "Who starts?", starters, default=1)
    rounds = _ask(screen, "How many rounds? (Enter for 1): ", _rounds)
    game = _ask_options(screen, kind)
    screen.say(["", *rule_lines(game), ""])
    return Setup(game=game, players=(Spec(HUMAN), Spec(opponent)), first=first, rounds=rounds)


def _play(setup: Setup, screen: Screen) -> None:
    with Keeper(None, setup.players, setup.names, setup.rounds) as keeper:
        play_and_leave(setup, screen, keeper)


def _ask_next(setup: Setup, screen: Screen) -> Setup:
    again = [("Again", "", "again"), ("Again, with seats swapped", "", "swap"), ("Another game", "", "other")]
    wish = _pick(screen, "What next?", [*again, ("Leave", "", QUIT)], default=1)
    if wish == QUIT:
        raise QuitError
    if wish == "other":
        return ask_setup(screen)
    screen.say([""])
    return setup if wish == "again" else swapped(setup)


def swapped(setup: Setup) -> Setup:
    """The same with seats exchanged."""
    return replace(setup, players=setup.players[::-1], names=setup.names[::-1])


def _pick(screen: Screen, question: str, items: Sequence[tuple[str, str, T]], default: int | None = None) -> T:
    width = max(len(title) for title, _, _ in items)
    lines = [f"  {i}  {title:<{width}}  {about}".rstrip() for i, (title, about, _) in enumerate(items, 1)]
    screen.say(["", question, *lines])
    enter = f", Enter for {default}" if default else ""

    def read(answer: str) -> T:
        number = answer or str(default or "")
        if number not in map(str, range(1, len(items) + 1)):
            raise BitduelError(f"Please enter a number from 1 to {len(items)}, or 'quit'.")
        return items[int(number) - 1][2]

    return _ask(screen, f"Your choice (1-{len(items)}{enter}): ", read)


def _ask(screen: Screen, prompt: str, read: Callable[[str], T]) -> T:
    while True:
        answer = screen.ask(prompt).strip().lower()
        if answer == QUIT:
            raise QuitError
        try:
            return read(answer)
        except BitduelError as error:
            screen.say([str(error)], "wrong")


def _rounds(answer: str) -> int:
    if answer in ("", *map(str, range(1, MOST_ROUNDS + 1))):
        return int(answer or 1)
    raise BitduelError(f"Please enter a number from 1 to {MOST_ROUNDS}.")


def _ask_options(screen: Screen, kind: Kind) -> Game[Any]:
    def read(answer: str) -> Game[Any] | None:
        if answer == "options":
            screen.say([line for option in kind.declared for line in option_lines(option)])
            return None
        pairs = [part.partition("=") for part in answer.split()]
        return kind(**{name: value for name, _, value in pairs})

    while True:
        game = _ask(screen, "Enter to play, 'options' to see what can be chosen, or NAME=VALUE: ", read)
        if game is not None:
            return game
