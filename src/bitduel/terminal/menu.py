"""The menu: it asks for a game and an opponent, plays the match, and asks again."""

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.core.game import Game, Variant
from bitduel.core.options import Option
from bitduel.core.puzzle import GRADES
from bitduel.games.registry import GameClass, all_games, find
from bitduel.players.spec import COMPUTERS, HARD, HUMAN
from bitduel.terminal.autosave import Autosave, NoAutosave
from bitduel.terminal.preferences import MATCH_SETTINGS, PreferenceFile, Preferences
from bitduel.terminal.prompts import BackError, Item, QuitError, ask, find_item, pick
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import Screen, has_unicode, open_screen
from bitduel.terminal.series import Setup, play_series
from bitduel.terminal.text import listing
from bitduel.terminal.unfinished import ask_unfinished, unfinished_matches

if TYPE_CHECKING:
    from bitduel.learning.levels import LevelResult

TURN_HEIGHT = 14
"""The most lines of the first turn of a match; rules are shown above it if both fit."""
SETTINGS_LINES = 5
"""Lines around the list of settings."""
GAME_TIP = "You can add an opponent and settings: 2 hard rounds=3."
NEWEST_MATCHES = 50
"""The number of a person's newest matches in a game by which a level is suggested."""
SETTINGS_WORDS = ("settings", "options")
SETTING = re.compile(r"\s+(?=[A-Za-z][\w-]*\s*=)")
"""The blanks before NAME=VALUE, whose value may have blanks in it."""


def run() -> None:
    """Ask, play, and ask again until somebody quits."""
    screen = open_screen(plain=False)
    screen.show([f"bitduel {__version__}: five quick games about doubling and bits"], "turn")
    screen.show(["(Type ? for help, q to quit.)"] if screen.is_interactive else [], "quiet")
    try:
        Menu(screen).run()
    except QuitError:
        screen.show(["Goodbye."])


class Answer(NamedTuple):
    """An answer in words and NAME=VALUE pairs."""

    words: str
    pairs: tuple[tuple[str, str], ...]


def parse_answer(typed: str) -> Answer:
    """Return the words of an answer and the settings after them."""
    first, *rest = SETTING.split(f" {typed.strip()}")
    pairs = (part.partition("=") for part in rest)
    return Answer(first.strip().lower(), tuple((name.strip().lower(), value.strip()) for name, _, value in pairs))


class Menu:
    """The menu at a screen; a person's choices are saved for the next time."""

    def __init__(self, screen: Screen, db: str | None = None, is_saved: bool = True) -> None:
        self.screen = screen
        self.db = db
        self.is_saved = is_saved
        self.file = PreferenceFile()
        self.chosen = self.file.load() if screen.is_interactive else Preferences()
        self.has_left_match = False
        """Whether somebody has just left a match, which is then what the menu suggests to continue."""

    def run(self) -> None:
        """Ask for matches and play them."""
        self._report_trouble()
        while True:
            self.play(self.ask_setup())

    def play(self, setup: Setup | None) -> None:
        """Play a match, and again as long as the player wants to."""
        while setup:
            with self._autosave(setup) as autosave:
                starter = play_series(setup, self.screen, autosave, has_menu=True)
                if starter is None:
                    self.has_left_match = autosave.can_be_resumed
                    return
            setup = ask_next(setup, self.screen, autosave.last_id, starter, self.db)

    def _autosave(self, setup: Setup) -> Autosave:
        return Autosave(self.db, setup.players, setup.names, setup.rounds) if self.is_saved else NoAutosave()

    def ask_setup(self) -> Setup:
        """Ask for a game and an opponent; what else there is to choose can be typed with them."""
        while True:
            kind, is_ready = self._ask_game()
            try:
                if not is_ready:
                    self._ask_opponent(kind)
                setup = self._playable(kind)
            except BackError:
                continue
            self._introduce(setup)
            return setup

    def _report_trouble(self) -> None:
        if self.file.trouble:
            self.screen.show([self.file.trouble], "wrong")
            self.file.trouble = ""

    def _ask_game(self) -> tuple[GameClass, bool]:
        """Return a game, and whether the opponent was named with it; a terminal also offers puzzles and lessons."""
        while True:
            items = [Item(kind.title, kind.aim, kind, (kind.slug, kind.short)) for kind in all_games()]
            default = next((n for n, item in enumerate(items, 1) if item.value.slug == self.chosen.game), 1)
            if self.screen.is_interactive:
                items += self._more_items()
                default = len(items) if self.has_left_match else default
            self.has_left_match = False

            def read(typed: str, items: list[Item] = items) -> object:
                return self._read_game(typed, items)

            chosen = pick(self.screen, "Which game?", items, default, other=read, tip=GAME_TIP)
            if isinstance(chosen, type):
                return chosen, False
            if isinstance(chosen, tuple):
                return chosen
            if chosen:
                chosen()

    def _more_items(self) -> list[Item]:
        items = [
            Item("Puzzle of the day", _todays_puzzle(), self._solve_puzzle, ("puzzle", "daily")),
            Item("Learn a game", "Learn to play well, step by step.", self._learn, ("learn", "lesson")),
        ]
        with self.screen.busy("Looking for unfinished matches..."):
            count = len(unfinished_matches(self.db))
        if count:
            about = "You have an unfinished match." if count == 1 else f"You have {count} unfinished matches."
            items.append(Item("Continue a match", about, self._continue, ("continue", "resume")))
        return items

    def _read_game(self, typed: str, items: list[Item]) -> object:
        """Read what is typed instead of an item: settings, or a game with an opponent or settings after it."""
        answer = parse_answer(typed)
        if answer.words in SETTINGS_WORDS:
            self.screen.show(["Choose a game first. Then type 'settings' again."], "quiet")
            return None
        kind = find_item(items, answer.words)
        opponent = None
        if kind is None:
            start, _, last = answer.words.rpartition(" ")
            kind, opponent = find_item(items, start), find_item(_opponents(), last)
        if answer.words and (kind is None or not isinstance(kind.value, type)):
            raise BitduelError
        chosen = self.chosen
        for name, value in answer.pairs:
            chosen = chosen.changed(kind.value if kind else None, name, value)
        self.chosen = replace(chosen, opponent=opponent.value) if opponent else chosen
        if kind is None:
            self._show_changes(answer)
            return None
        return kind.value, opponent is not None

    def _show_changes(self, answer: Answer) -> None:
        self.screen.show([f"Changed: {', '.join(f'{name}={value}' for name, value in answer.pairs)}."], "quiet")

    def _ask_opponent(self, kind: GameClass, back: bool = True) -> None:
        """Ask for the opponent; the settings can be seen and changed before."""
        self._choose_fitting_level(kind)
        while True:
            items = _opponents(self._game_of(kind))
            default = next(n for n, item in enumerate(items, 1) if item.value == self.chosen.opponent)
            if self.screen.is_interactive:
                self.screen.show(["", self._settings_note(kind)], "quiet")
            chosen = pick(
                self.screen, "Who do you want to play?", items, default, back, lambda t: self._read_other(kind, t)
            )
            if chosen is not None:
                self.chosen = replace(self.chosen, opponent=chosen)
                return

    def _game_of(self, kind: GameClass) -> Game[Any]:
        """Return the game with the chosen settings, or as it is usually played where they do not fit together."""
        try:
            return self.chosen.setup(kind).game
        except BitduelError:
            return kind()

    def _choose_fitting_level(self, kind: GameClass) -> None:
        """Suggest the level that fits by the matches on this machine; two people at one keyboard stay two."""
        from bitduel.learning.levels import LEVELS, fitting_level

        if not self.screen.is_interactive or self.chosen.opponent not in LEVELS:
            return
        with self.screen.busy("Looking at your matches..."):
            results = _level_results(self.db, kind)
        if results:
            fitting = fitting_level(results)
            self.chosen = replace(self.chosen, opponent=fitting.level)
            self.screen.show(["", fitting.sentence] if fitting.sentence else [], "turn")

    def _read_other(self, kind: GameClass, typed: str) -> object:
        """Read settings in place of an opponent, or after one."""
        answer = parse_answer(typed)
        if answer.words in SETTINGS_WORDS:
            self._ask_settings(kind)
            return None
        if answer.words == "rules":
            self.screen.show(["", *rule_lines(kind(), self.screen.width)])
            return None
        opponent = find_item(_opponents(), answer.words)
        if answer.words and opponent is None:
            raise BitduelError
        self._change(kind, answer)
        return opponent.value if opponent else None

    def _change(self, kind: GameClass, answer: Answer) -> None:
        chosen = self.chosen
        for name, value in answer.pairs:
            chosen = chosen.changed(kind, name, value)
        self.chosen = chosen
        self._show_changes(answer)

    def _settings_note(self, kind: GameClass) -> str:
        different = [f"{name}={value}" for name, value in self.chosen.different(kind).items()]
        if not different:
            return "(Type 'settings' for names, who starts, rounds and more.)"
        return f"(Settings: {', '.join(different)}. Type 'settings' to change them.)"

    def _ask_settings(self, kind: GameClass) -> None:
        """List the settings, and change them one by one until Enter is pressed."""
        about = "Type a setting and its value, such as rounds=3, or 'defaults'. Press Enter when you're done."
        self._show_settings(kind)

        def read(typed: str) -> bool:
            answer = parse_answer(typed)
            if answer.words == "defaults":
                self.chosen = self.chosen.reset(kind)
            elif variant := _find_variant(kind, answer.words):
                for name, value in variant.options.items():
                    self.chosen = self.chosen.changed(kind, name, str(value))
                self.screen.show([f"Changed to {variant.name}. {variant.reason}"], "quiet")
            elif answer.words == "rules":
                self.screen.show(rule_lines(self.chosen.setup(kind).game, self.screen.width))
            elif answer.words not in ("", *SETTINGS_WORDS):
                raise BitduelError(about)
            if answer.pairs:
                self._change(kind, answer)
            if answer.words in ("defaults", *SETTINGS_WORDS):
                self._show_settings(kind)
            return not typed

        prompt = "Change one, such as rounds=3, or press Enter: "
        while not ask(self.screen, prompt, read, about, back=True, details=lambda: self._explain_settings(kind)):
            pass

    def _show_settings(self, kind: GameClass) -> None:
        """Show the settings, with what they mean where there is room for it."""
        lines, variants = self._explain_settings(kind), self._variant_lines(kind)
        if len(lines) + len(variants) + SETTINGS_LINES > self.screen.height:
            lines = [f"  {name}={value}" for name, value in self.chosen.listed(kind).items()]
            lines.append("(Type ? to see what they mean.)")
        self.screen.show(["", f"Settings for {kind.title}", *lines, *variants])

    def _variant_lines(self, kind: GameClass) -> list[str]:
        """Return the livelier sizes; to choose one, its letter is typed."""
        rows = [(letter, f"{each.name}: {each.reason}") for letter, each in zip("abc", kind.variants, strict=False)]
        return ["Livelier sizes (type a letter):", *listing(rows, self.screen.line_width)] if rows else []

    def _explain_settings(self, kind: GameClass) -> list[str]:
        abouts = MATCH_SETTINGS | {option.name: _about(option) for option in kind.declared_options}
        rows = [(f"{name}={value}", abouts[name]) for name, value in self.chosen.listed(kind).items()]
        return listing(rows, self.screen.line_width)

    def _playable(self, kind: GameClass) -> Setup:
        """Return a setup that can be played; ask again for settings or an opponent that do not fit."""
        while True:
            try:
                setup = self.chosen.setup(kind).checked()
            except BitduelError as error:
                self.screen.show([str(error)], "wrong")
                self._ask_settings(kind)
                continue
            try:
                with self.screen.busy("Getting ready..."):
                    setup.seats()
            except BitduelError as error:
                self.screen.show([f"{error} Try another opponent, such as '{HARD}'."], "wrong")
                self._ask_opponent(kind)
            else:
                break
        self.chosen = replace(self.chosen.without_secrets(kind), game=kind.slug)
        self.file.save(self.chosen)
        self._report_trouble()
        return setup.with_program_names() if self.screen.is_interactive else setup

    def _introduce(self, setup: Setup) -> None:
        """Show the rules, or only the aim where they would scroll the first turn away."""
        rules = rule_lines(setup.game, self.screen.width)
        if len(rules) + TURN_HEIGHT > self.screen.height:
            rules = [setup.game.goal, "(Type 'rules' to see all the rules.)"]
        self.screen.show(["", *rules, ""])

    def _solve_puzzle(self) -> None:
        self.screen.show([""])
        with self.screen.busy("Looking for the puzzle..."):
            from bitduel.terminal.puzzle_dialog import PuzzlePractice

            session = PuzzlePractice(self.screen)
        if session.ask_daily(session.today):
            self.screen.pause("Press Enter for the menu.")

    def _learn(self) -> None:
        from bitduel.terminal.commands.learning import LessonGiving, lessons

        items = [
            Item(each.kind.title, f"{each.lesson.title} ({each.progress})", each, (each.kind.slug, each.kind.short))
            for each in lessons()
        ]
        try:
            chosen = pick(self.screen, "Which game would you like to learn?", items, default=1, back=True)
        except BackError:
            return
        self.screen.show([""])
        LessonGiving(chosen.kind, chosen.lesson, self.screen, self.db).give()

    def _continue(self) -> None:
        series = ask_unfinished(self.screen, self.db)
        if series is None:
            return
        if not series.is_finished:
            self.has_left_match = True
            return
        self.play(ask_next(series.setup, self.screen, series.last_id, int(series.setup.first), self.db))


def _level_results(db: str | None, kind: GameClass) -> "list[LevelResult]":
    """Return the results against the computer in a game; none where they cannot be read."""
    from bitduel.learning.levels import level_results, own_matches
    from bitduel.storage import open_store

    try:
        with open_store(db) as store:
            return level_results(own_matches(store.matches(game=kind.slug, limit=NEWEST_MATCHES)), kind.slug)
    except BitduelError:
        return []


def _opponents(game: Game[Any] | None = None) -> list[Item]:
    from bitduel.players.level_descriptions import level_about

    abouts = {each.name: level_about(game, each.name) if game else each.about for each in COMPUTERS}
    computers = [Item(f"Computer: {name}", about, name, (name,)) for name, about in abouts.items()]
    return [*computers, Item("Two people", "at this keyboard", HUMAN, ("two", "friend", HUMAN))]


def _find_variant(kind: GameClass, typed: str) -> Variant | None:
    return dict(zip("abc", kind.variants, strict=False)).get(typed)


def _about(option: Option) -> str:
    return f"{option.help} ({option.allowed})"


def ask_next(setup: Setup, screen: Screen, match_id: str | None, starter: int, db: str | None = None) -> Setup | None:
    """Ask what to do after a match that a seat started; return the setup of the next, or None for another game."""
    items = [Item("Play again", "", "again", ("again",)), Item("Play again and swap sides", "", "swap", ("swap",))]
    items += [Item("Another game", "", "other", ("other", "menu")), Item("Quit", "", "quit", ("leave", "exit"))]
    question = "What next?"
    if screen.is_interactive and match_id:
        question += f" (Saved as match {match_id}.)"
        items.insert(1, Item("Review", "see the turning points", "review", ("review",)))
    while True:
        choice = pick(screen, question, items, default=1)
        if choice == "quit":
            raise QuitError
        if choice == "other":
            return None
        if choice == "review" and match_id:
            _review(screen, match_id, db)
            continue
        screen.show([""])
        if choice == "again":
            return setup
        swapped = setup.swapped(starter)
        return swapped.with_program_names() if screen.is_interactive else swapped


def _review(screen: Screen, match_id: str, db: str | None) -> None:
    try:
        with screen.busy("Reviewing every move..."):
            from bitduel.storage import open_store
            from bitduel.terminal.commands.matches import show_review
        with open_store(db) as store:
            show_review(store, match_id, screen)
    except BitduelError as error:
        screen.show([str(error)], "wrong")


def _todays_puzzle() -> str:
    """Return which puzzle is today's, or how it was solved, and the streak."""
    from bitduel.learning.progress import open_puzzle_progress
    from bitduel.learning.puzzle_deck import NoPuzzleError, daily_entry
    from bitduel.learning.puzzle_session import in_ascii

    today, progress = date.today(), open_puzzle_progress()
    try:
        entry = daily_entry(today)
    except NoPuzzleError:
        return "A new one every day."
    row = progress.days.get(today.isoformat(), "")
    about = f"{find(entry.slug).title}, grade {entry.grade} of {GRADES[-1]}."
    if row:
        about = f"Done: {row if has_unicode() else in_ascii(row)}."
    streak = progress.streak(today)
    return f"{about} {streak} days in a row." if streak > 1 else about
