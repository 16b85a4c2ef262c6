"""Practice at a screen: the eight items after a lesson, and the match that shows mastery."""

from datetime import date
from secrets import SystemRandom

from bitduel.core.errors import EndOfInputError
from bitduel.core.lesson import Lesson
from bitduel.core.match import Match
from bitduel.core.practice import ENOUGH_RIGHT, PracticeItem, game_practice
from bitduel.games.registry import GameClass
from bitduel.learning.lesson_progress import RIGHT_ITEM, WRONG_ITEM, LessonProgress
from bitduel.learning.mastery import mastery_task, should_start, shows_mastery
from bitduel.learning.progress import open_puzzle_progress
from bitduel.learning.puzzle_deck import DeckPuzzle
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.match_dialog import MatchDialog
from bitduel.terminal.puzzle_dialog import PuzzleDialog
from bitduel.terminal.screen import SHORT_ANSWER, Screen, has_unicode
from bitduel.terminal.series import Setup

SIGNS = {RIGHT_ITEM: "✓", WRONG_ITEM: "✗"}
NO_TO = ("n", "no", "q", "quit")


def shown_row(row: str) -> str:
    """Return a row of items with the signs that the screen can show."""
    return "".join(SIGNS[mark] for mark in row) if has_unicode() else row


class PracticeDialog:
    """The items of a game at one screen."""

    def __init__(self, kind: GameClass, lesson: Lesson, screen: Screen, progress: LessonProgress) -> None:
        self.kind, self.lesson, self.screen, self.progress = kind, lesson, screen, progress
        self.puzzles = open_puzzle_progress()

    def run(self) -> int | None:
        """Ask all items; return the step to look at again, or None if the lesson is learnt."""
        items, row = game_practice(self.kind), ""
        for item in items:
            row += self._ask(item, len(items))
        enough = self.progress.note_practice(self.kind.slug, row)
        right = row.count(RIGHT_ITEM)
        self.screen.show([f"{right} of {len(row)} right at once: {shown_row(row)}"], "ending")
        if enough:
            self.screen.show(["You have learnt this lesson.", *self._what_comes_back(row)])
            self.screen.show([f"Next, a whole match: bitduel learn {self.kind.short} --match"])
            return None
        first = items[row.index(WRONG_ITEM)]
        again = f"Look at step {first.step} again: {self._title(first).rstrip('.?')}."
        self.screen.show([f"You need {ENOUGH_RIGHT} right at once, without a hint. {again}"])
        self.screen.show(self._what_comes_back(row))
        return first.step

    def _ask(self, item: PracticeItem, count: int) -> str:
        """Ask one item; return its mark."""
        chosen = DeckPuzzle(item.id, item)
        dialog = PuzzleDialog(chosen, self.screen)
        self.screen.show([f"Question {item.number} of {count}"], "turn")
        self.screen.show([item.task])
        dialog.ask_all(announces=item.number == 1)
        is_right = dialog.session.is_clean
        self.screen.show([*dialog.session.explanation, ""])
        self.puzzles.note(chosen, is_right, date.today())
        return RIGHT_ITEM if is_right else WRONG_ITEM

    def _what_comes_back(self, row: str) -> list[str]:
        if WRONG_ITEM not in row or self.puzzles.trouble:
            return []
        return ["What you missed comes back tomorrow: bitduel puzzle --mine"]

    def _title(self, item: PracticeItem) -> str:
        return self.lesson.steps[item.step - 1].title


class MasteryDialog(MatchDialog):
    """A match that is played without help."""

    HELP = {name: about for name, about in MatchDialog.HELP.items() if name not in ("hint", "undo")}


def play_for_mastery(kind: GameClass, screen: Screen, progress: LessonProgress, db: str | None) -> bool:
    """Play the match against perfect play that shows mastery; return whether it did."""
    game = kind()
    setup = Setup(game, (Spec(HUMAN), Spec("perfect"))).with_program_names()
    screen.show([f"{kind.title}: master it", mastery_task(game), "There are no hints, and nothing can be undone."])
    with screen.busy("Getting ready..."):
        seats = setup.seats()
    match = Match(game, 1 if should_start(game) else 2, game.deal(SystemRandom()))
    with Autosave(db, setup.players, setup.names) as autosave:
        MasteryDialog(match, seats, setup.names, screen, autosave).play()
    with screen.busy("Looking at your moves..."):
        is_mastered = shows_mastery(match, 1)
    if is_mastered:
        progress.note_mastered(kind.slug)
        screen.show([f"You have mastered {kind.title}."], "ending")
    else:
        screen.show([f"Not yet. To try again: bitduel learn {kind.short} --match"])
    return is_mastered


def wants(screen: Screen, question: str) -> bool:
    """Return whether somebody at a terminal agrees; Enter does."""
    try:
        return screen.is_interactive and screen.ask(f"{question} (Y/n): ", SHORT_ANSWER).strip().lower() not in NO_TO
    except EndOfInputError:
        return False
