"""Puzzles at a screen: one question after another, every wrong answer refuted, results saved."""

from calendar import Calendar
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta

from bitduel.core.errors import BitduelError, EndOfInputError
from bitduel.core.lesson import OPPONENT
from bitduel.core.match import Match
from bitduel.core.phrases import game_phrase
from bitduel.core.picture import Picture
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import Pick, Question
from bitduel.learning.lesson_grading import YOU
from bitduel.learning.progress import PuzzleProgress, is_clean, is_solved, open_puzzle_progress
from bitduel.learning.puzzle_deck import DeckPuzzle, daily_puzzle, sister
from bitduel.learning.puzzle_session import EventKind, PuzzleFeedback, PuzzleSession, in_ascii, right_answer, share_text
from bitduel.terminal.move_input import group_moves, parse_move
from bitduel.terminal.prompts import Dialog, QuitError, ask_yes
from bitduel.terminal.screen import ANSWER_WIDTH, SHORT_ANSWER, Screen, has_unicode
from bitduel.terminal.text import listing, print_error

SHORT_ROW = 6
"""More numbers than these are written as a range."""
DAY_SIGNS = {"clean": "✓", "solved": "~", "missed": "✗", "bridged": "·", "": " "}
PLAIN_DAY_SIGNS = {**DAY_SIGNS, "clean": "+", "missed": "x", "bridged": "."}
DAY_STATES = {
    "clean": "every move at once",
    "solved": "solved",
    "missed": "not solved",
    "bridged": "missed, but the streak goes on",
}
NO_OWN_PUZZLES = "You have nothing to practise today: no mistakes from your matches and no puzzles due."


class PuzzleDialog(Dialog):
    """One puzzle at one screen."""

    HINT_COST = "(With a hint, this does not count as found at once.)"
    HELP = {
        "help": "this list",
        "rules": "the rules of the game",
        "hint": "a small hint, then bigger ones",
        "quit": "leave the puzzle",
    }

    def __init__(self, chosen: DeckPuzzle, screen: Screen) -> None:
        super().__init__(chosen.puzzle.game, screen)
        self.puzzle = chosen.puzzle
        self.session = PuzzleSession(puzzle=chosen.puzzle)
        self.save: Callable[[str], None] = lambda _: None

    def keep(self, begun: str, save: Callable[[str], None]) -> None:
        """Go on from the answers that were saved before, if they can be read, and save every further one."""
        try:
            self.session = PuzzleSession.parse(self.puzzle, begun)
        except BitduelError:
            return
        finally:
            self.save = save

    def run(self, title: str) -> PuzzleSession:
        """Ask until the puzzle is finished; return its session."""
        session = self.session
        self.screen.show([title], "turn")
        self.screen.show([f"{game_phrase(self.game)}: {session.introduction}", self.puzzle.task])
        if session.events:
            self.screen.show(
                ["You've begun this puzzle before. What you answered then counts.", *session.hints], "quiet"
            )
        self.ask_all()
        marks = session.row if has_unicode() else in_ascii(session.row)
        self.screen.show([f"{'Solved' if session.is_solved else 'Not solved'}: {marks}"], "ending")
        self.screen.show([*session.explanation])
        return session

    def ask_all(self, announces: bool = True) -> None:
        """Ask one question after another, after a line on what else can be typed."""
        if self.screen.is_interactive and announces:
            self.screen.show(["(You can also type: help, hint, rules, quit.)"], "quiet")
        while question := self.session.question:
            self._draw(question)
            self.screen.show([question.prompt] if question.prompt != self.puzzle.task else [])
            while not self._ask(question):
                continue

    def _draw(self, question: Question) -> None:
        match = question.position.match if question.position else None
        self._draw_picture(self._board(match, match.next_seat) if match else question.picture)

    @staticmethod
    def _board(match: Match, solver: int) -> Picture:
        """Return a position as the solver sees it."""
        names = (YOU, OPPONENT) if solver == 1 else (OPPONENT, YOU)
        return match.game.picture(match.view(solver), names)

    def _draw_picture(self, picture: Picture | None) -> None:
        if picture is None:
            return
        is_drawn = picture.rows or (picture.scale and picture.scale.tokens)
        if is_drawn and self.screen.is_terminal:
            self.screen.draw(picture)
        elif picture.caption.rstrip(".") not in self.puzzle.task:
            self.screen.show([f"   {picture.caption}"])

    def _ask(self, question: Question) -> bool:
        """Ask once; return whether that was an answer."""
        typed = self.screen.ask(f"Your answer ({offered(question)}): ", ANSWER_WIDTH).strip()
        if self.run_command(typed):
            return False
        if not typed:
            self.screen.show([how_to_answer(question)], "wrong")
            return False
        try:
            self.session.answer(self._read_answer(question, typed))
        except BitduelError as error:
            self.screen.show([f"{error} {how_to_answer(question)}"], "wrong")
            return False
        self.save(str(self.session))
        self._show_feedback()
        return True

    def _read_answer(self, question: Question, typed: str) -> list[str]:
        """Return the candidates that were typed: one as a move or by its name, or several."""
        names = [candidate.name for candidate in question.candidates]
        if question.pick == Pick.ONE and question.position and typed.lower() not in names:
            match = question.position.match
            move = parse_move(self.words, match.view(match.next_seat), typed)
            return [move] if move in names else read_names(question, typed)
        return read_names(question, typed)

    def _show_feedback(self) -> None:
        feedback = self.session.feedback
        assert feedback is not None, "an answer was given"
        style = "ending" if feedback.kind == EventKind.RIGHT else "wrong"
        self.screen.show([*feedback.sentences], style)
        self._show_refutation(feedback)
        if feedback.kind == EventKind.AGAIN:
            self.screen.show(["Try once more."])
        if feedback.kind == EventKind.WRONG:
            self.screen.show([f"Right: {right_answer(feedback.question)}."])
        if feedback.replies:
            are_moves = set(feedback.replies) <= set(self.game.moves)
            who = "Your opponent" if are_moves else "The answer"
            self.screen.show([f"{who}: {', '.join(feedback.replies)}."])

    def _show_refutation(self, feedback: PuzzleFeedback) -> None:
        """Show the moves that refute a wrong answer, and the board after them; then the position to try again from."""
        question, moves = feedback.question, feedback.shown_moves
        if not (moves and question.position):
            return
        match = question.position.match
        solver, line = match.next_seat, list[str]()
        for move in moves:
            phrase = match.game.words.move_phrase(match.view(match.next_seat), move)
            is_own = match.next_seat == solver
            line.append(f"you {phrase.imperative}" if is_own else f"your opponent {phrase.third_person}")
            match = match.after(move)
        self.screen.show([f"{line[0][0].upper()}{'; '.join(line)[1:]}:"], "quiet")
        self._draw_picture(self._board(match, solver))
        if feedback.kind == EventKind.AGAIN:
            self.screen.show(["Here's the position again:"], "quiet")
            self._draw(question)

    def do_help(self) -> None:
        """List the commands."""
        self.screen.show(["Type your answer, or:", *listing(list(self.HELP.items()), self.screen.line_width)])

    def do_hint(self) -> None:
        """Show the next hint, which costs the clean mark."""
        if self.session.has_hint:
            self.session.hint()
            self.save(str(self.session))
            self.screen.show([self.session.hints[-1]])
            if len(self.session.hints) == 1:
                self.screen.show([self.HINT_COST], "quiet")
        else:
            self.screen.show(["No more hints."], "quiet")


def offered(question: Question) -> str:
    """Return the candidates as they stand beside the prompt: 11-20; flip 1-4, reset 1-4; add or double."""
    names = [candidate.name for candidate in question.candidates]
    shown = group_moves(names) if all(len(name.split()) == 2 for name in names) else _in_short(names)
    many = {Pick.ONE: "", Pick.ALL: "; all that are right", Pick.CARDS: "; as often as you need"}[question.pick]
    return f"{shown}{many}"


def _in_short(names: list[str]) -> str:
    """Return numbers in a row as a range, and all else one after another."""
    if len(names) > SHORT_ROW and all(name.isdecimal() for name in names):
        first, second = int(names[0]), int(names[1])
        step, last = second - first, int(names[-1])
        if names == [str(number) for number in range(first, last + 1, step or 1)]:
            return f"{first}-{last}" if step == 1 else f"{first}, {second}, ... {last}"
    return ", ".join(names)


def how_to_answer(question: Question) -> str:
    """Return how an answer is typed."""
    example = question.candidates[0].name
    if question.pick == Pick.ONE:
        return f"Type one of them, such as '{example}', or 'hint'."
    second = question.candidates[min(1, len(question.candidates) - 1)].name
    return f"Type all of them with spaces between, such as '{example} {second}', or 'none', or 'hint'."


def read_names(question: Question, typed: str) -> list[str]:
    """Return the candidates that were typed: one, or several with spaces or commas between them.

    The word before a number need not be repeated: reset 2 4. What is no candidate is returned as it is.
    """
    names = {candidate.name.lower(): candidate.name for candidate in question.candidates}
    text = " ".join(typed.lower().replace(",", " ").split())
    if text in names or question.pick == Pick.ONE:
        return [names.get(text, typed)]
    if text == "none":
        return []
    longest = max(len(name.split()) for name in names)
    words, found, verb = text.split(), list[str](), ""
    while words:
        sizes = (size for size in range(min(longest, len(words)), 0, -1) if " ".join(words[:size]) in names)
        size = next(sizes, 1)
        name = " ".join(words[:size])
        if name not in names and f"{verb} {name}" in names:
            name = f"{verb} {name}"
        verb = name.rpartition(" ")[0]
        found.append(names.get(name, name))
        words = words[size:]
    return found


class PuzzlePractice:
    """Puzzles at one screen, with the results that are stored on this machine."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.progress = open_puzzle_progress()
        self.today = date.today()

    def ask_daily(self, day: date) -> bool:
        """Ask the puzzle of a day, and end with the text to share; return False where somebody leaves it.

        Only the first result of today counts, and that of its sister after a miss.
        """
        with self.screen.busy("Looking for the puzzle..."):
            chosen, is_today = daily_puzzle(day), day == self.today
        before = self.progress.days.get(day.isoformat(), "") if is_today else ""
        if before:
            done = f"You've already done today's puzzle: {self._shown(before)}. Only your first result counts."
            self.screen.show([done], "quiet")
        with self._leaving():
            dialog = PuzzleDialog(chosen, self.screen)
            if is_today and not before:
                begun = self.progress.begun.get(day.isoformat(), "")
                dialog.keep(begun, lambda play: self.progress.note_begun(day, play))
            session = dialog.run(f"Puzzle {chosen.number}, {day_phrase(day)}")
            if is_today:
                self.progress.note_day(day, session.row)
            self._note(chosen, session)
            if is_today and not session.is_solved and not before:
                self._ask_sister(chosen)
            self._show_result(chosen, self.progress.days[day.isoformat()] if is_today else session.row, is_today)
            self.report_trouble()
            return True
        return False

    def _ask_sister(self, chosen: DeckPuzzle) -> None:
        """Offer another puzzle of the same game, kind and grade: the second try of the day."""
        other = sister(chosen.id) if chosen.id else None
        question = "Try a sister puzzle: the same kind, other numbers? (y/N): "
        if other is None or not self.screen.is_interactive or not ask_yes(self.screen, question):
            return
        self.screen.show([""])
        session = PuzzleDialog(other, self.screen).run("Second try")
        assert chosen.day is not None, "a daily puzzle has a day"
        self.progress.note_sister(chosen.day, session.row)
        self._note(other, session)

    def _note(self, chosen: DeckPuzzle, session: PuzzleSession, always: bool = False) -> None:
        """Save a puzzle that was solved, and when it is asked again."""
        if session.is_solved:
            self.progress.note_solved(chosen, self.today)
        self.progress.note(chosen, session.is_clean, self.today, always)

    def _show_result(self, chosen: DeckPuzzle, result: str, is_today: bool) -> None:
        """Show the text to share, the streak, and how long it is to the next puzzle."""
        streak = self.progress.streak(self.today) if is_today else 0
        assert chosen.number is not None, "a daily puzzle has a number"
        text = share_text(chosen.number, chosen.puzzle, result.split(), streak, not has_unicode())
        if is_today and self.screen.is_interactive:
            self.screen.show(["", *month_lines(self.progress, self.today, has_unicode())])
        self.screen.show(["", *text.split("\n")], "turn")
        if streak > 1:
            clean = self.progress.streak(self.today, is_clean)
            at_once = f", {clean} with every move at once" if clean > 1 else ""
            self.screen.show([f"{streak} days in a row{at_once}."])
        if due := len(self.progress.due(self.today)):
            self.screen.show([f"Again today: {due}. To practise: bitduel puzzle --mine"])
        self.screen.show([f"The next puzzle is in {time_left(datetime.now())}."] if is_today else [], "quiet")

    @staticmethod
    def _shown(row: str) -> str:
        return row if has_unicode() else in_ascii(row)

    def ask_in_turn(self, puzzles: Iterator[DeckPuzzle], are_own: bool) -> None:
        """Ask puzzles one after the other, as long as there are more and the player wants more."""
        count = 0
        if are_own and (dropped := self.progress.drop_lost()):
            self.screen.show([dropped], "quiet")
        with self._leaving():
            while chosen := self._next(puzzles):
                if count and self._is_enough():
                    return
                self.screen.show([""] if count else [])
                count += 1
                title = f"Puzzle {chosen.id}" if chosen.id else "Practice position"
                if isinstance(chosen.puzzle, PracticeItem):
                    title = chosen.puzzle.title
                session = PuzzleDialog(chosen, self.screen).run(title)
                self._note(chosen, session, always=are_own)
                self.report_trouble()
            self.screen.show([""] if count else [])
            self.screen.show(["That's all for today." if count else NO_OWN_PUZZLES] if are_own else [])
            self.report_trouble()

    def _next(self, puzzles: Iterator[DeckPuzzle]) -> DeckPuzzle | None:
        with self.screen.busy("Looking for puzzles..."):
            return next(puzzles, None)

    def _is_enough(self) -> bool:
        return self.screen.ask("Another? (Y/n): ", SHORT_ANSWER).strip().lower() in ("n", "no", "q", "quit")

    @contextmanager
    def _leaving(self) -> Iterator[None]:
        """Tell a player who leaves so, and whether results could not be stored."""
        try:
            yield
        except QuitError:
            self.screen.show(["You left the puzzle."])
            self.report_trouble()
        except EndOfInputError:
            self.report_trouble()
            raise EndOfInputError("this") from None

    def report_trouble(self) -> None:
        """Say once that results are not stored."""
        if self.progress.trouble:
            print_error(f"bitduel: {self.progress.trouble}")
            self.progress.trouble = ""


def month_lines(progress: PuzzleProgress, today: date, has_signs: bool) -> list[str]:
    """Return the days of the month so far with a sign for each result, and what the signs mean."""
    signs = DAY_SIGNS if has_signs else PLAIN_DAY_SIGNS
    bridged, weeks = progress.bridged(today), Calendar().monthdatescalendar(today.year, today.month)
    states = {day: _state(progress, day, bridged) for week in weeks for day in week}
    lines = [f"{today:%B}", "Mo   Tu   We   Th   Fr   Sa   Su"]
    for week in (week for week in weeks if week[0] <= today):
        cells = (f"{day.day:>2}{signs[states[day]]}" if day.month == today.month else "" for day in week)
        lines.append("  ".join(f"{cell:<3}" for cell in cells).rstrip())
    seen = {states[day] for day in states if day.month == today.month}
    meanings = [f"{signs[state]} {words}" for state, words in DAY_STATES.items() if state in seen]
    return [*lines, *([f"({', '.join(meanings)})"] if meanings else [])]


def _state(progress: PuzzleProgress, day: date, bridged: Collection[date]) -> str:
    """Return the state of a day, as DAY_STATES has it; empty where nothing was done."""
    result = progress.days.get(day.isoformat(), "")
    if result and is_solved(day.isoformat(), result):
        return "clean" if is_clean(day.isoformat(), result) else "solved"
    return "bridged" if day in bridged else "missed" if result else ""


def time_left(now: datetime) -> str:
    """Return the time until the next day begins: 5 h 12 min."""
    midnight = datetime.combine(now.date() + timedelta(1), time(), now.tzinfo)
    hours, minutes = divmod(max(1, int((midnight - now).total_seconds() / 60)), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def day_phrase(day: date) -> str:
    """Return a day as people write it: Wednesday 18 November."""
    return f"{day:%A} {day.day} {day:%B}"
