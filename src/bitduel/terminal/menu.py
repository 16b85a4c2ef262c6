"""The menu: what to do, which game, which opponent, who starts; then play; then again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.options import Choice
from bitduel.core.words import check_names
from bitduel.games import Kind, shelf
from bitduel.players.spec import COMPUTERS, HUMAN, Spec
from bitduel.terminal.keeper import Keeper
from bitduel.terminal.play import Setup, play_and_leave
from bitduel.terminal.round import QuitError
from bitduel.terminal.rulesheet import option_lines, rule_lines
from bitduel.terminal.screen import Screen, open_screen
from bitduel.terminal.text import listing

T = TypeVar("T")
LEAVE = ("q", "quit")
MOST_ROUNDS = 1000


class Item(NamedTuple):
    """Something to choose: what it is called, what it is, and other words that mean it."""

    title: str
    about: str
    value: Any
    words: tuple[str, ...] = ()


def run() -> None:
    """Ask, play, and ask again until nobody wants to play any more."""
    screen = open_screen(plain=False)
    screen.say([f"bitduel {__version__}: five small games about doubling and bits"], "turn")
    try:
        if screen.fancy:
            _offer_what_was_left(screen)
        setup = ask_setup(screen)
        while True:
            match_id = _play(setup, screen)
            setup = ask_next(setup, screen, match_id)
    except QuitError:
        screen.say(["Goodbye."])


def ask_setup(screen: Screen) -> Setup:
    """Everything about a match, asked one thing at a time; what cannot be played is asked again."""
    while True:
        kind = pick(screen, "Which game?", [Item(k.title, k.aim, k, (k.slug, k.short)) for k in shelf()])
        opponents = [Item("Two people", "at this keyboard", HUMAN, ("two", HUMAN))]
        opponents += [Item(f"The computer, {who.name}", who.about, who.name, (who.name,)) for who in COMPUTERS]
        opponent = pick(screen, "Who plays?", opponents, default=1)
        starters = [Item("Toss a coin", "", "toss", ("toss",)), Item("Player 1", "", "1"), Item("Player 2", "", "2")]
        first = pick(screen, "Who starts?", starters, default=1)
        rounds = ask(screen, "How many rounds? (Enter for 1): ", _rounds)
        setup = Setup(_ask_options(screen, kind), (Spec(HUMAN), Spec(opponent)), first=first, rounds=rounds)
        try:
            setup = _named(setup, screen)
            with screen.busy("The computer gets ready ..."):
                setup.seats()
        except BitduelError as error:
            screen.say([str(error)], "wrong")
            continue
        screen.say(["", *rule_lines(setup.game, screen.width), ""])
        return setup


def _named(setup: Setup, screen: Screen) -> Setup:
    """On a terminal people may say what they are called, and programs are called by what they are."""
    if not screen.fancy:
        return setup
    people = [seat for seat in (1, 2) if setup.players[seat - 1].is_human]
    names = list(setup.names)
    for seat in people:

        def read(answer: str, seat: int = seat) -> str:
            wanted = [answer if seat == each else names[each - 1] for each in (1, 2)]
            return check_names(*wanted)[seat - 1] if answer else names[seat - 1]

        names[seat - 1] = ask(screen, f"Your name? (Enter for {names[seat - 1]}): ", read, as_typed=True)
    return replace(setup, names=(names[0], names[1])).called()


def _play(setup: Setup, screen: Screen) -> str | None:
    with Keeper(None, setup.players, setup.names, setup.rounds) as keeper:
        play_and_leave(setup, screen, keeper)
        return keeper.last_id


def ask_next(setup: Setup, screen: Screen, match_id: str | None, db: str | None = None) -> Setup:
    """What to do after a match; looking at it leads back here."""
    while True:
        wish = pick(screen, *_after(screen, match_id), default=1)
        if wish == "quit":
            raise QuitError
        if wish == "other":
            return ask_setup(screen)
        if wish == "review" and match_id:
            _review(screen, match_id, db)
            continue
        screen.say([""])
        return setup if wish == "again" else setup.swapped().called() if screen.fancy else setup.swapped()


def _after(screen: Screen, match_id: str | None) -> tuple[str, list[Item]]:
    items = [Item("Again", "", "again"), Item("Again, with seats swapped", "", "swap", ("swap",))]
    items += [Item("Another game", "", "other", ("other",)), Item("Leave", "", "quit", ("leave",))]
    if screen.fancy and match_id:
        items.insert(1, Item("Review", "where it was decided", "review", ("review",)))
    kept = f" (This match is kept as {match_id}.)" if screen.fancy and match_id else ""
    return f"What next?{kept}", items


def _review(screen: Screen, match_id: str, db: str | None) -> None:
    from bitduel.store import open_store
    from bitduel.terminal.commands.review import report

    try:
        with open_store(db) as store:
            report(store, match_id, screen)
    except BitduelError as error:
        screen.say([str(error)], "wrong")


def _offer_what_was_left(screen: Screen) -> None:
    """The newest match that was left, if there is one that can go on."""
    from bitduel.store import StoreError, open_store
    from bitduel.store.telling import result
    from bitduel.terminal.commands.resume import go_on_with

    try:
        with open_store() as store:
            left = store.unfinished()
            match = left.match() if left else None
    except StoreError:
        return
    if left is None or match is None or not all(spec.is_safe for spec in left.players):
        return
    about = f"{match.game.title}: {' and '.join(left.names)}, {result(left, match)}"
    items = [Item("Something new", "", False, ("new",)), Item("Resume", about, True, ("resume",))]
    if pick(screen, "A match was left. What would you like?", items, default=1):
        go_on_with(left.id, None, screen)


def pick(screen: Screen, question: str, items: Sequence[Item], default: int | None = None) -> Any:
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

    return ask(screen, f"Your choice (1-{len(items)}{enter}): ", read)


def ask(screen: Screen, prompt: str, read: Callable[[str], T], as_typed: bool = False) -> T:
    """Ask until the answer can be read."""
    while True:
        typed = screen.ask(prompt).strip()
        answer = typed.lower()
        if answer in LEAVE:
            raise QuitError
        try:
            return read(typed if as_typed else answer)
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
        if answer == "rules":
            screen.say(rule_lines(kind(), screen.width))
            return None
        pairs = [part.partition("=") for part in answer.split()]
        return kind(**{name: value for name, _, value in pairs})

    if screen.fancy:
        screen.say(_worth_trying(kind), "quiet")
    while True:
        game = ask(screen, "Enter to play, 'options' to see what can be chosen, or NAME=VALUE: ", read)
        if game is not None:
            return game


def _worth_trying(kind: Kind) -> list[str]:
    """Readings and sizes that make another game of it."""
    found = []
    for option in kind.declared:
        if isinstance(option, Choice):
            found += [f"{option.name}={value}" for value in option.choices if value != option.default]
    readings = f"Other readings: {', '.join(found)}. " if found else ""
    return [f"({readings}'rules' shows the rules.)"]
