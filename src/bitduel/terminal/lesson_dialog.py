"""A lesson at a screen: its steps, the verdicts on answers, and commands such as hint and skip."""

from collections.abc import Callable
from secrets import token_hex
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, NamedTuple

from bitduel.core.errors import StopPlayingError
from bitduel.core.game import Game
from bitduel.core.lesson import ChoiceStep, Lesson, LessonStep, MatchStep, seat_names
from bitduel.core.match import Match
from bitduel.core.phrases import join_with_or
from bitduel.core.view import UNSEEN
from bitduel.learning.lesson_grading import (
    AnswerVerdict,
    LessonState,
    advance,
    grade_answer,
    line_text,
    outcome_text,
    start_step,
)
from bitduel.learning.lesson_progress import StepMark
from bitduel.terminal.move_input import SHORTCUTS, offered_answers, parse_move
from bitduel.terminal.prompts import Dialog
from bitduel.terminal.screen import SHORT_ANSWER, Screen
from bitduel.terminal.text import PLAIN_WIDTH, listing


def deal_seed() -> str:
    """Return the seed of a new deal."""
    return token_hex(8)


class StepError(StopPlayingError):
    """Somebody goes to another step."""

    def __init__(self, by: int) -> None:
        super().__init__()
        self.by = by


class SkipError(StopPlayingError):
    """Somebody leaves a step without an answer."""


class LessonQuestion(NamedTuple):
    """A prompt, the reading of its answer, and the width that an answer takes."""

    prompt: str
    read: Callable[[str], str | None]
    answer_width: int


class LessonDialog(Dialog):
    """A lesson for somebody at a screen."""

    HELP = {
        "help": "this list",
        "hint": "a hint",
        "rules": "the rules of the game",
        "back": "go to the step before",
        "skip": "go on without an answer",
        "quit": "quit; you can continue later",
    }

    def __init__(
        self, game: Game[Any], lesson: Lesson, screen: Screen, reached: Callable[[int, int, StepMark | None], None]
    ) -> None:
        super().__init__(game, screen)
        self.lesson = lesson
        self.step = lesson.steps[0]
        """The step that is being taken."""
        self.reached = reached
        """Called with the number of a step, of the one that comes next, and how it was taken, None for not yet."""
        self.has_help = False
        """Whether the step took a hint or a wrong answer."""
        self.has_announced_commands = False

    def run(self, number: int) -> None:
        """Take all steps from this one on; raise StopPlayingError if somebody leaves early."""
        while number <= len(self.lesson):
            self.reached(number, number, None)
            try:
                self._take_step(number, self.lesson.steps[number - 1])
                number += 1
            except SkipError:
                self.reached(number, number + 1, StepMark.SKIPPED)
                number += 1
            except StepError as error:
                number = max(1, number + error.by)
        self.screen.show([f"That's the end of the lesson: {self.lesson.title}."], "ending")
        self.screen.show([f"Why it works, move by move: bitduel solve {self.game.short} --why"])
        self.screen.show([f"To play it: bitduel play {self.game.short} --vs hard"])

    def _take_step(self, number: int, step: LessonStep) -> None:
        self.screen.show([f"Step {number} of {len(self.lesson)}: {step.title}", ""], "turn")
        for position, paragraph in enumerate(step.text):
            self.screen.show([*[""] * (position > 0), *self._wrap(paragraph)])
        self.step = step.with_deal(deal_seed()) if isinstance(step, MatchStep) else step
        self.game = step.position.game
        self.words = self.game.words
        self.has_help = False
        with self.screen.busy("Thinking..."):
            state = start_step(self.step)
        if isinstance(step, MatchStep):
            self._play(state)
        else:
            self._ask_until_right(state)
        self.reached(number, number + 1, StepMark.HELPED if self.has_help else StepMark.DONE)
        self._pause(is_last=number == len(self.lesson))

    def _ask_until_right(self, state: LessonState) -> None:
        self._draw(state.match)
        is_right = False
        while not is_right:
            given = self._ask(state)
            with self.screen.busy("Thinking..."):
                verdict = grade_answer(state, given)
            self._show_verdict(state.match, verdict)
            is_right = verdict.is_right

    def _play(self, state: LessonState) -> None:
        """Play a whole match; a move that gives something away is refuted and taken back."""
        start = len(self.step.position.moves)
        self.screen.show([""] if state.match.ply > start else [])
        self._show_moves(state.match, start)
        while not state.is_done:
            given = self._ask(state)
            with self.screen.busy("Thinking..."):
                verdict = grade_answer(state, given)
                following = advance(state, given) if verdict.is_right else None
            if following:
                self._show_moves(following.match, state.match.ply)
                state = following
            else:
                self._show_verdict(state.match, verdict)
        assert state.ending
        reveal = self.words.reveal(state.match.view(None))
        self.screen.show([*self._wrap(" ".join(state.ending.sentences)), *reveal, ""], "ending")

    def _show_moves(self, match: Match, since: int) -> None:
        """Show what the learner may see of the moves since a ply, and the position."""
        for ply in range(since, match.ply):
            seat, move = match.seat_at(ply), match.moves[ply]
            name = seat_names(self.step)[seat - 1]
            if match.view(self.step.seat).history[ply] == UNSEEN:
                self.screen.show([self.words.unseen_move(name)])
            elif self.game.is_hidden and seat == self.step.seat:
                self.screen.show(self.words.played(match.at(ply + 1).view(seat), move, name))
            else:
                self.screen.show([f"{line}." for line in line_text(self.step, match.at(ply), (move,))])
        self._draw(match)

    def _show_verdict(self, match: Match, verdict: AnswerVerdict) -> None:
        head = "Right." if verdict.is_right else "Not quite."
        self.has_help = self.has_help or not verdict.is_right
        text = self._wrap(f"{head} {' '.join(verdict.sentences)}")
        self.screen.show(text, "ending" if verdict.is_right else "wrong")
        if not verdict.line:
            self.screen.show([""])
            return
        end = match
        for move in verdict.line:
            end = end.after(move)
        line = (*line_text(self.step, match, verdict.line), outcome_text(self.step, end))
        self.screen.show([f"  {part}" for part in line])
        self._draw(end)
        self.screen.show(["Here's the position again:"], "quiet")
        self._draw(match)

    def _draw(self, match: Match) -> None:
        picture = self.game.picture(match.view(self.step.seat), seat_names(self.step))
        self.screen.show([] if self.screen.is_terminal else ["", f"({picture.caption})"])
        self.screen.draw(picture)

    def _ask(self, state: LessonState) -> str:
        """Return an answer that the step offers; run commands until there is one."""
        self.screen.show(self._wrap(state.question))
        question = self._question(state.match)
        if not self.has_announced_commands:
            self.screen.show([f"(You can also type: {', '.join(self.HELP)}.)"], "quiet")
        self.has_announced_commands = True
        while True:
            typed = " ".join(self.screen.ask(question.prompt, question.answer_width).lower().split())
            answer = question.read(typed)
            if answer is not None:
                return answer
            if not self.run_command(typed):
                self.screen.show(["That isn't one of the answers. Type 'help' to see what you can type."], "wrong")

    def _question(self, match: Match) -> LessonQuestion:
        if isinstance(self.step, ChoiceStep):
            letters = dict(zip(ascii_lowercase, (each.text for each in self.step.answers), strict=False))
            self.screen.show(listing(list(letters.items()), self.screen.line_width))
            answers = {text.lower(): text for text in letters.values()} | letters
            return LessonQuestion(f"Your answer ({join_with_or(list(letters))}): ", answers.get, SHORT_ANSWER)
        view = match.view(self.step.seat)
        prompt = f"Your move ({offered_answers(self.words, view)}): "
        return LessonQuestion(prompt, lambda typed: parse_move(self.words, view, typed), max(map(len, view.legal)))

    def do_help(self) -> None:
        """List the commands."""
        self.screen.show(listing(list(self.HELP.items()), self.screen.width))

    def do_hint(self) -> None:
        """Show the hint of the step."""
        self.has_help = True
        self.screen.show(self._wrap(self.step.hint or "Think about what your opponent can do next."))

    def do_back(self) -> None:
        """Go to the step before."""
        self.screen.show([""])
        raise StepError(-1)

    def do_skip(self) -> None:
        """Go to the next step without an answer."""
        self.screen.show(["Skipped. You can come back to it.", ""], "quiet")
        raise SkipError

    def _pause(self, is_last: bool) -> None:
        """Wait on a terminal until a step has been read."""
        if not self.screen.is_interactive:
            return
        prompt = "Press Enter to finish: " if is_last else "Press Enter for the next step: "
        typed = self.screen.ask(prompt, SHORT_ANSWER).strip().lower()
        if SHORTCUTS.get(typed, typed) == "quit":
            self.do_quit()
        if typed == "back":
            raise StepError(-1)
        self.screen.show([""])

    def _wrap(self, paragraph: str) -> list[str]:
        """Wrap a paragraph; a pipe gets it whole."""
        return wrap(paragraph, min(self.screen.width, PLAIN_WIDTH)) if self.screen.is_interactive else [paragraph]
