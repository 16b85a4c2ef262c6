"""The menu: what to do, which game, which opponent, who starts; then play; then again."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bitduel import __version__
from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import Game
from bitduel.core.options import Choice
from bitduel.core.words import check_names
from bitduel.games import Kind, shelf
from bitduel.players.spec import COMPUTERS, HARD, HUMAN, Spec
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.play import Setup, play_and_leave
from bitduel.terminal.prompts import BackError, Item, ask, pick
from bitduel.terminal.round import QuitError
from bitduel.terminal.rulesheet import option_lines, rule_lines
from bitduel.terminal.screen import SHORTLY, Screen, open_screen

if TYPE_CHECKING:
    from bitduel.storage import StoredMatch

MOST_ROUNDS = 1000


def run() -> None:
    """Ask, play, and ask again until nobody wants to play any more."""
    screen = open_screen(plain=False)
    screen.say([f"bitduel {__version__}: five small games about doubling and bits"], "turn")
    try:
        if screen.fancy:
            screen.say(["('?' says what can be entered, 'back' goes back, 'q' leaves.)"], "quiet")
            _offer_what_was_left(screen)
        setup = ask_setup(screen)
        while True:
            match_id = _play(setup, screen)
            setup = ask_next(setup, screen, match_id)
    except QuitError:
        screen.say(["Goodbye."])


def ask_setup(screen: Screen) -> Setup:
    """Everything about a match, asked one thing at a time; what cannot be played is asked again."""
    steps = (_with_opponent, _named, _with_starter, _with_rounds, _with_options)
    step, setup = 0, Setup(_ask_game(screen)())
    while step < len(steps):
        try:
            setup = steps[step](setup, screen)
            step += 1
        except BackError:
            step -= 1
            if step < 0:
                step, setup = 0, Setup(_ask_game(screen)())
    setup = _playable(setup, screen)
    screen.say(["", *rule_lines(setup.game, screen.width), ""])
    return setup.called() if screen.fancy else setup


def _ask_game(screen: Screen) -> Kind:
    """The game to play; a terminal offers what else there is to do, and asks again after it."""
    items = [Item(kind.title, kind.aim, kind, (kind.slug, kind.short)) for kind in shelf()]
    question = "Which game?"
    if screen.fancy:
        items += [Item("Puzzle of the day", "One position, one move to find.", solve_today, ("puzzle", "daily"))]
        items += [Item("Learn a game", "Step by step, from the rules to best play.", learn, ("learn", "lesson"))]
    while True:
        chosen = pick(screen, question, items)
        if isinstance(chosen, type):
            return chosen
        chosen(screen)


def _with_opponent(setup: Setup, screen: Screen, back: bool = True) -> Setup:
    opponents = [Item("Two people", "at this keyboard", HUMAN, ("two", HUMAN))]
    opponents += [Item(f"The computer, {who.name}", who.about, who.name, (who.name,)) for who in COMPUTERS]
    chosen = pick(screen, "Who plays?", opponents, default=1, back=back)
    return replace(setup, players=(setup.players[0], Spec(chosen)))


def _with_starter(setup: Setup, screen: Screen) -> Setup:
    return replace(setup, first=pick(screen, "Who starts?", _starters(setup, screen), default=1, back=True))


def _with_rounds(setup: Setup, screen: Screen) -> Setup:
    prompt = "How many rounds? (Enter for 1): "
    return replace(setup, rounds=ask(screen, prompt, _rounds, _rounds_about(), room=SHORTLY, back=True))


def _with_options(setup: Setup, screen: Screen) -> Setup:
    return replace(setup, game=_ask_options(screen, type(setup.game), back=True))


def solve_today(screen: Screen) -> None:
    """The puzzle of the day; who leaves it is back at the menu."""
    from bitduel.terminal.commands.puzzle import solve_of_today

    screen.say([""])
    solve_of_today(screen)


def learn(screen: Screen) -> None:
    """A lesson; who leaves it is back at the menu."""
    from bitduel.terminal.commands.learn import give, lessons

    items = [
        Item(each.kind.title, f"{each.lesson.title} ({each.where})", each, (each.kind.slug, each.kind.short))
        for each in lessons()
    ]
    try:
        chosen = pick(screen, "Which game would you like to learn?", items, back=True)
    except BackError:
        return
    screen.say([""])
    give(chosen.kind, chosen.lesson, screen, None)


def _starters(setup: Setup, screen: Screen) -> list[Item]:
    """A coin, and both players as they are called."""
    one, two = setup.names
    if screen.fancy and not setup.players[1].is_human:
        one, two = "You", "The computer"
    words = [("player 1", setup.names[0].lower()), ("player 2", "computer")]
    return [
        Item("Toss a coin", "", "toss", ("toss",)),
        Item(one, "", "1", words[0]),
        Item(two, "", "2", words[1]),
    ]


def _playable(setup: Setup, screen: Screen) -> Setup:
    """The same; where options or opponent cannot be had, only these are asked for again."""
    while True:
        try:
            with screen.busy("The computer gets ready ..."):
                setup.checked().seats()
        except OptionError as error:
            screen.say([str(error)], "wrong")
            setup = replace(setup, game=_ask_options(screen, type(setup.game)))
        except BitduelError as error:
            screen.say([f"{error} Another opponent can play it: choose '{HARD}', for example."], "wrong")
            setup = _with_opponent(setup, screen, back=False)
        else:
            return setup


def _named(setup: Setup, screen: Screen) -> Setup:
    """On a terminal people may say what they are called."""
    if not screen.fancy:
        return setup
    people = [seat for seat in (1, 2) if setup.players[seat - 1].is_human]
    names = list(setup.names)
    for seat in people:

        def read(answer: str, seat: int = seat) -> str:
            wanted = [answer if seat == each else names[each - 1] for each in (1, 2)]
            return check_names(*wanted)[seat - 1] if answer else names[seat - 1]

        whose = ("First player's", "Second player's")[seat - 1] if len(people) == 2 else "Your"
        question = f"{whose} name? (Enter for {names[seat - 1]}): "
        names[seat - 1] = ask(screen, question, read, "Enter a name of up to 32 letters.", as_typed=True, back=True)
    return replace(setup, names=(names[0], names[1]))


def _play(setup: Setup, screen: Screen) -> str | None:
    with Autosave(None, setup.players, setup.names, setup.rounds) as keeper:
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
    try:
        with screen.busy("Looking at every move ..."):
            from bitduel.storage import open_store
            from bitduel.terminal.commands.review import report
        with open_store(db) as store:
            report(store, match_id, screen)
    except BitduelError as error:
        screen.say([str(error)], "wrong")


def _offer_what_was_left(screen: Screen) -> None:
    """The newest match that was left, if there is one that can go on."""
    from bitduel.terminal.commands.resume import go_on_with

    with screen.busy("Looking for a match that was left ..."):
        left, about = _what_was_left()
    if left is None:
        return
    items = [Item("Something new", "", False, ("new",)), Item("Resume", about, True, ("resume",))]
    if pick(screen, "A match was left. What would you like?", items, default=1):
        go_on_with(left.id, None, screen)


def _what_was_left() -> tuple["StoredMatch | None", str]:
    """The newest match that can go on, and what it is; where the store cannot be read there is none."""
    from bitduel.storage import StoreError, open_store
    from bitduel.storage.presentation import result

    try:
        with open_store() as store:
            left = store.unfinished()
            match = left.match() if left else None
    except StoreError:
        return None, ""
    if left is None or match is None or not all(spec.is_safe for spec in left.players):
        return None, ""
    return left, f"{match.game.title}: {' and '.join(left.names)}, {result(left, match)}"


def _rounds_about() -> str:
    return f"Enter a number from 1 to {MOST_ROUNDS}; who starts alternates. Enter alone takes 1."


def _rounds(answer: str) -> int:
    if answer in ("", *map(str, range(1, MOST_ROUNDS + 1))):
        return int(answer or 1)
    raise BitduelError(f"Please enter a number from 1 to {MOST_ROUNDS}.")


def _ask_options(screen: Screen, kind: Kind, back: bool = False) -> Game[Any]:
    def read(answer: str) -> Game[Any] | None:
        if answer == "options":
            screen.say([line for option in kind.declared for line in option_lines(option)])
            return None
        if answer == "rules":
            screen.say(rule_lines(kind(), screen.width))
            return None
        pairs = [part.partition("=") for part in answer.split()]
        return kind(**{name: value for name, _, value in pairs})

    about = "Enter plays as it is; 'options', 'rules', or options such as " + " ".join(_example(kind)) + "."
    if screen.fancy:
        screen.say(_worth_trying(kind), "quiet")
    while True:
        game = ask(
            screen, "Enter to play, 'options' to see what can be chosen, or NAME=VALUE: ", read, about, back=back
        )
        if game is not None:
            return game


def _example(kind: Kind) -> list[str]:
    return [f"{option.name}={option.default}" for option in kind.declared if option.default != ""][:2]


def _worth_trying(kind: Kind) -> list[str]:
    """Readings and sizes that make another game of it."""
    found = []
    for option in kind.declared:
        if isinstance(option, Choice):
            found += [f"{option.name}={value}" for value in option.choices if value != option.default]
    readings = f"Other readings: {', '.join(found)}. " if found else ""
    return [f"({readings}'rules' shows the rules.)"]
