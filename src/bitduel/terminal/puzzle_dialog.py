"""One puzzle at one screen: asked until the right move is found, every wrong one refuted on the board."""

from collections.abc import Callable

from bitduel.core.view import UNSEEN, View
from bitduel.core.words import PLAYERS
from bitduel.solver.puzzle_words import (
    HINTED,
    RIGHT,
    SHOWN,
    WRONG,
    grade_text,
    hints,
    is_over,
    praise,
    refutation,
    role,
    solution,
    verdict,
    why,
)
from bitduel.solver.puzzles import Puzzle
from bitduel.terminal.move_input import meant, offered, refused
from bitduel.terminal.round import QuitError
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import SHORTLY, Screen
from bitduel.terminal.text import listing

HELP = {
    "help": "this list",
    "rules": "the rules of the game",
    "moves": "what is possible and where it leads",
    "hint": "a little help, then more",
    "show": "give up and see the answer",
    "quit": "leave",
}
SHORT = {"?": "help", "h": "hint", "q": "quit"}
"""Keys that stand for a command."""
NEXT_STEP = "Enter goes on, s skips, q leaves: "


class Puzzling:
    """Asks one puzzle; what came of it is in the tries, those made before included."""

    def __init__(
        self, puzzle: Puzzle, screen: Screen, tries: str = "", tried: Callable[[str], None] = lambda _: None
    ) -> None:
        self.puzzle = puzzle
        self.tried = tried
        """Hears the tries so far whenever there is one more."""
        self.screen = screen
        self.words = puzzle.game.words
        self.view = puzzle.view
        self.tries = tries
        self.early = ""
        """What was said while a refutation was shown: it is the next answer."""
        self.left = hints(puzzle)[tries.count(HINTED) :]
        self.commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "rules": self._rules,
            "moves": self._moves,
            "hint": self._hint,
            "show": self._show,
            "quit": self._quit,
        }

    @property
    def solved(self) -> bool:
        """Whether the right move was found."""
        return self.tries.endswith(RIGHT)

    @property
    def over(self) -> bool:
        """Whether it was found or given up."""
        return is_over(self.tries)

    def run(self, title: str) -> str:
        """Ask until it is solved or given up; the signs of the tries."""
        self._introduce(title)
        while not self.over:
            self._present()
            while (move := self._answer()) is None and not self.over:
                continue
            if move is not None:
                self._try(move)
        return self.tries

    def _introduce(self, title: str) -> None:
        game = self.puzzle.game
        usual = {option.name: option.default for option in game.declared}
        chosen = ", ".join(f"{name}={value}" for name, value in game.open_options.items() if value != usual[name])
        name = f"{game.title} ({chosen})" if chosen else game.title
        self.screen.say([f"{title}, {grade_text(self.puzzle.grade)}"], "turn")
        self.screen.say([f"{name}: {game.goal}"])
        history = ", ".join("unseen" if move == UNSEEN else move for move in self.view.history)
        self.screen.say([f"Moves so far: {history}."] if history else [], "quiet")
        self.screen.say(["(You can also say: help, hint, show, quit.)"] if self.screen.fancy else [], "quiet")

    def _present(self) -> None:
        self._draw(self.view)
        self.screen.say([f"{role(self.puzzle)} {self.puzzle.asked}"], "turn")

    def _draw(self, view: View) -> None:
        picture = self.puzzle.game.picture(view, PLAYERS)
        self.screen.say([] if self.screen.fancy else [f"   {picture.caption}"])
        self.screen.draw(picture)

    def _answer(self) -> str | None:
        """A legal move, or None where something else was said."""
        view = self.view
        answer = self.early or self.screen.ask(f"Your move ({self._answers()}): ", max(map(len, view.legal)))
        self.early = ""
        move = meant(self.words, view, answer)
        command = answer.strip().lower()
        command = SHORT.get(command, command)
        if move is None and command in self.commands:
            self.commands[command]()
        elif move is None:
            why_not = refused(self.words, view, self.puzzle.game.moves, answer) or "That is no move here."
            self.screen.say([f"{why_not} Say one of these, or help: {self._answers()}."], "wrong")
        return move

    def _answers(self) -> str:
        return offered(self.words, self.view)

    def _note(self, sign: str) -> None:
        self.tries += sign
        self.tried(self.tries)

    def _try(self, move: str) -> None:
        with self.screen.busy("Looking for the best reply ..."):
            tried = self.puzzle.answer(move)
            steps = [] if tried.right else refutation(self.puzzle, tried)
        self._note(RIGHT if tried.right else WRONG)
        if tried.right:
            self.screen.say([praise(self.tries)], "ending")
            self.screen.say([verdict(self.puzzle, tried), *why(self.puzzle, move)])
            return
        self.screen.say([verdict(self.puzzle, tried)], "wrong")
        for number, step in enumerate(steps[1:], 2):
            self.screen.say([step.said])
            self._draw(step.view)
            if number < len(steps) and self.screen.fancy and self._skips():
                break
        self.screen.say(["Try another move."])

    def _skips(self) -> bool:
        said = self.screen.ask(NEXT_STEP, SHORTLY).strip().lower()
        if SHORT.get(said, said) == "quit":
            self._quit()
        self.early = "" if said in ("s", "skip") else said
        return bool(said)

    def _help(self) -> None:
        said = [f"  {name:<8}{about}" for name, about in HELP.items()]
        self.screen.say(["Say your move, or:", *said])

    def _rules(self) -> None:
        self.screen.say(rule_lines(self.puzzle.game, self.screen.width))

    def _moves(self) -> None:
        rows = [(self.words.answer(self.view, move), self.words.leads(self.view, move)) for move in self.view.legal]
        self.screen.say(listing(rows, self.screen.width))

    def _hint(self) -> None:
        if self.left:
            self._note(HINTED)
            self.screen.say([self.left.pop(0)])
        else:
            self.screen.say(["There is nothing more to say; 'show' gives the answer."], "quiet")

    def _show(self) -> None:
        self._note(SHOWN)
        self.screen.say([solution(self.puzzle), *why(self.puzzle, self.puzzle.right[0])])

    def _quit(self) -> None:
        raise QuitError
