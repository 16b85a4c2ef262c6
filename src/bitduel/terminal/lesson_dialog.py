"""A lesson at a screen: step after step, what is answered to right and wrong, and what else can be said."""

from collections.abc import Callable
from secrets import token_hex
from string import ascii_lowercase
from textwrap import wrap
from typing import Any

from bitduel.core.errors import StopPlayingError
from bitduel.core.game import Game
from bitduel.core.lesson import Choose, Lesson, Play, Step, names
from bitduel.core.match import Match
from bitduel.core.move_plan import either
from bitduel.core.view import UNSEEN
from bitduel.solver.lesson_grading import AnswerVerdict, LessonState, answer, begin, go_on, outcome_said, told
from bitduel.terminal.move_input import meant, offered
from bitduel.terminal.round import QuitError
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import SHORTLY, Screen
from bitduel.terminal.text import PAPER, listing

HELP = {
    "help": "this list",
    "hint": "something to think of",
    "rules": "the rules of the game",
    "back": "the step before",
    "skip": "the next step, without an answer",
    "quit": "leave; you can go on later",
}
SHORT = {"?": "help", "h": "hint", "q": "quit"}
"""Keys that stand for a command."""
WHOLE = 10**6


def lot() -> str:
    """What decides by chance what is dealt."""
    return token_hex(8)


class GoError(StopPlayingError):
    """Somebody goes to another step."""

    def __init__(self, by: int) -> None:
        super().__init__()
        self.by = by


class Teaching:
    """A lesson for somebody at a screen."""

    def __init__(self, game: Game[Any], lesson: Lesson, screen: Screen, reached: Callable[[int], None]) -> None:
        self.game = game
        self.lesson = lesson
        self.screen = screen
        self.reached = reached
        """Hears which step comes next; the first is 1."""
        self.announced = False

    def give(self, number: int) -> None:
        """All steps from this one on; whoever leaves early raises StopPlayingError."""
        while number <= len(self.lesson):
            self.reached(number)
            try:
                self._step(number, self.lesson.steps[number - 1])
                number += 1
            except GoError as going:
                number = max(1, number + going.by)
        self.screen.say([f"That was the whole lesson: {self.lesson.title}."], "ending")
        self.screen.say([f"Now play it: bitduel play {self.game.short} --vs hard"])

    def _step(self, number: int, step: Step) -> None:
        self.screen.say([f"Step {number} of {len(self.lesson)}: {step.title}", ""], "turn")
        for number_of, paragraph in enumerate(step.text):
            self.screen.say([*[""] * (number_of > 0), *self._wrapped(paragraph)])
        if isinstance(step, Play):
            self._play(step)
        else:
            self._question(step)
        self.reached(number + 1)
        self._pause(last=number == len(self.lesson))

    def _question(self, step: Step) -> None:
        """Ask until the answer is right; a wrong one is refuted."""
        with self.screen.busy("Thinking ..."):
            moment = begin(step)
        self._draw(step, moment.match)
        while True:
            given = self._ask(moment)
            with self.screen.busy("Thinking ..."):
                verdict = answer(moment, given)
            self._tell(step, moment.match, verdict)
            if verdict.right:
                return

    def _play(self, step: Play) -> None:
        """A whole match, dealt anew each time; what gives something away is refuted and taken back."""
        step = step.dealt(lot())
        with self.screen.busy("Thinking ..."):
            moment = begin(step)
        self.screen.say([""] if moment.match.ply > len(step.stand.moves) else [])
        self._tell_moves(step, moment.match, len(step.stand.moves))
        self._draw(step, moment.match)
        while not moment.done:
            given = self._ask(moment)
            with self.screen.busy("Thinking ..."):
                verdict = answer(moment, given)
                if verdict.right:
                    before, moment = moment.match.ply, go_on(moment, given)
            if verdict.right:
                self._tell_moves(step, moment.match, before)
                self._draw(step, moment.match)
            else:
                self._tell(step, moment.match, verdict)
        ending = moment.ending
        assert ending
        self.screen.say(
            [*self._wrapped(" ".join(ending.said)), *moment.match.game.words.reveal(moment.match.view(None)), ""],
            "ending",
        )

    def _tell_moves(self, step: Step, match: Match, since: int) -> None:
        """What was played since a ply, from what the learner may see."""
        words = match.game.words
        for ply in range(since, match.ply):
            seat, move = match.seat_at(ply), match.moves[ply]
            if match.view(step.seat).history[ply] == UNSEEN:
                self.screen.say([words.unseen(names(step)[seat - 1])])
            elif match.game.hidden and seat == step.seat:
                self.screen.say(words.played(match.at(ply + 1).view(seat), move, names(step)[seat - 1]))
            else:
                self.screen.say([f"{line}." for line in told(step, match.at(ply), (move,))])

    def _tell(self, step: Step, match: Match, verdict: AnswerVerdict) -> None:
        head = "Right." if verdict.right else "Not this one."
        said = f"{head} {' '.join(verdict.said)}"
        self.screen.say(self._wrapped(said), "ending" if verdict.right else "wrong")
        if verdict.line:
            end = match
            for move in verdict.line:
                end = end.after(move)
            self.screen.say([f"  {line}" for line in (*told(step, match, verdict.line), outcome_said(step, end))])
            self._draw(step, end)
            self.screen.say(["Now the position again:"], "quiet")
            self._draw(step, match)
        else:
            self.screen.say([""])

    def _draw(self, step: Step, match: Match) -> None:
        picture = match.game.picture(match.view(step.seat), names(step))
        self.screen.say([] if self.screen.fancy else ["", f"({picture.caption})"])
        self.screen.draw(picture)

    def _ask(self, moment: LessonState) -> str:
        """An answer that the step offers; everything else that can be said is dealt with here."""
        step = moment.step
        self.screen.say(self._wrapped(moment.question))
        read, prompt, room = self._reader(step, moment.match)
        if not self.announced:
            self.screen.say([f"(You can also say: {', '.join(HELP)}.)"], "quiet")
        self.announced = True
        while True:
            said = " ".join(self.screen.ask(prompt, room).lower().split())
            answer = read(said)
            if answer is not None:
                return answer
            self._command(SHORT.get(said, said), step)

    def _reader(self, step: Step, match: Match) -> tuple[Callable[[str], str | None], str, int]:
        """How an answer is read, how it is asked for, and how much room it needs."""
        if isinstance(step, Choose):
            letters = dict(zip(ascii_lowercase, (each.text for each in step.answers), strict=False))
            width = self.screen.width if self.screen.fancy else WHOLE
            self.screen.say(listing(list(letters.items()), width))
            texts = {text.lower(): text for text in letters.values()}
            return (
                (lambda said: letters.get(said) or texts.get(said)),
                f"Your answer ({either(list(letters))}): ",
                SHORTLY,
            )
        view, words = match.view(step.seat), match.game.words

        room = max(map(len, view.legal))
        return (lambda said: meant(words, view, said)), f"Your move ({offered(words, view)}): ", room

    def _command(self, said: str, step: Step) -> None:
        if said == "help":
            self.screen.say(listing(list(HELP.items()), self.screen.width))
        elif said == "hint":
            self.screen.say(self._wrapped(step.hint or "Think of what your opponent can do next."))
        elif said == "rules":
            self.screen.say(rule_lines(step.stand.game, self.screen.width))
        elif said in ("back", "skip"):
            self.screen.say([""])
            raise GoError(1 if said == "skip" else -1)
        elif said == "quit":
            raise QuitError
        else:
            self.screen.say(["That is none of the answers. 'help' says what else you can say."], "wrong")

    def _pause(self, last: bool) -> None:
        """On a terminal a step is left when it has been read."""
        if not self.screen.fancy:
            return
        said = self.screen.ask("Press Enter to finish: " if last else "Press Enter for the next step: ", SHORTLY)
        said = said.strip().lower()
        if SHORT.get(said, said) == "quit":
            raise QuitError
        if said == "back":
            raise GoError(-1)
        self.screen.say([""])

    def _wrapped(self, paragraph: str) -> list[str]:
        """A paragraph as lines that are read with ease; a pipe gets it whole."""
        return wrap(paragraph, min(self.screen.width, PAPER)) if self.screen.fancy else [paragraph]
