"""A match at one screen: the prompt for a move, its announcement, and commands such as hint and undo."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from typing import Any

from bitduel.core.errors import BitduelError, MoveError, SignalError, TooLargeError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other_seat
from bitduel.core.options import IntegerOption
from bitduel.core.outcomes import Outcome
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.players import Listener, Person, Player, ResignError, TakeBackError, drive
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.move_input import SHORTCUTS, explain_refusal, letters, parse_move
from bitduel.terminal.prompts import Dialog, ask_yes
from bitduel.terminal.screen import ResumedError, Screen
from bitduel.terminal.text import listing, print_error

UNDO_TOGETHER = "undo the last move, whoever made it"
TOO_LARGE = "No hints for a game this large. Choose smaller settings to get hints."


class BusyPlayer:
    """A program whose name is shown while it is thinking."""

    def __init__(self, player: Player, screen: Screen, name: str) -> None:
        self.player = player
        self.screen = screen
        self.name = name

    def choose(self, view: View) -> str:
        """Return the program's move."""
        with self.screen.busy(f"{self.name} is thinking..."):
            return self.player.choose(view)

    def over(self, view: View) -> None:
        """Pass the end of the match on to a program that has `over`."""
        over = getattr(self.player, "over", None)
        if over is not None:
            over(view)


class MatchDialog(Dialog, Listener, Person):
    """One match at one screen: asks the people who sit here, and shows what happens."""

    HELP = {
        "help": "this list",
        "rules": "the rules of the game",
        "moves": "your moves and what each one does",
        "hint": "a question, then a clue, then the best moves",
        "undo": "undo back to your last turn",
        "resign": "give up",
        "quit": "leave the match",
    }

    def __init__(
        self,
        match: Match,
        seats: dict[int, Player | None],
        names: Names,
        screen: Screen,
        autosave: Autosave,
        notes: bool = True,
    ) -> None:
        super().__init__(match.game, screen)
        self.match = match
        self.view = match.view(None)
        """The view of the person at the prompt."""
        self.humans = [seat for seat, player in seats.items() if player is None]
        self.players: dict[int, Player | None] = {
            seat: BusyPlayer(player, screen, names[seat - 1]) if player else self for seat, player in seats.items()
        }
        self.names = names
        self.autosave = autosave
        self.notes = notes
        self.has_reported_trouble = False
        self.is_first_question = True
        self.hint_step = 0
        self.hinted_at: tuple[int, int | None] = (-1, None)
        """The step of the hint that was shown last, and the moment: the moves made, and the seat."""
        self.is_handed_over = match.game.is_hidden and len(self.humans) == 2 and screen.is_terminal

    def play(self) -> Outcome:
        """Play the match to its end."""
        if not self.match.ply:
            self.screen.show(self.words.opening())
        if self.is_handed_over:
            self.screen.pause(self.screen.ALONE.format(name=self.names[self.match.next_seat - 1]))
        with self.screen.private() if self.is_handed_over else nullcontext():
            drive(self.match, self.players, self)
            if self.is_handed_over:
                self._show_result()
                self.screen.pause("Press Enter to close this screen.")
        outcome = self._show_result()
        if not self._knows_deal(outcome):
            self.screen.show(self.words.reveal(self.match.view(None)))
        if self.screen.is_terminal:
            self.screen.draw(self.game.picture(self.match.view(None), self.names))
        return outcome

    def choose(self, view: View) -> str:
        """Return the move of a person; show the screen again after the program was stopped."""
        was_stopped = False
        while True:
            try:
                return self._ask(view, was_stopped)
            except ResumedError:
                was_stopped = True

    def _ask(self, view: View, was_stopped: bool) -> str:
        self.view = view
        name = self.names[(view.seat or 1) - 1]
        if self.is_handed_over and (was_stopped or not self.is_first_question):
            self.screen.hand_over(name, is_cleared=was_stopped)
        self.is_first_question = False
        self._show_turn(view, name)
        self._announce_commands()
        answer_width = max(len(self.words.answer(view, move)) for move in view.legal)
        while True:
            answer = self.screen.ask(self.words.prompt(view, name), answer_width)
            move = self._read_move(answer)
            if move is not None:
                return move
            if not self.run_command(answer, shortcuts=self.screen.is_interactive):
                self._refuse(answer)

    def _read_move(self, answer: str) -> str | None:
        """Return the legal move that an answer means; in a pipe, only the rulebook's words are read."""
        if self.screen.is_interactive:
            return parse_move(self.words, self.view, answer)
        return self.words.understand(self.view, answer)

    def _refuse(self, answer: str) -> None:
        """Explain why an answer is not a legal move and, the first time, what can be typed."""
        wrong = self.words.invalid_answer(self.view)
        self.screen.show([wrong], "wrong")
        if not self.screen.is_terminal:
            return
        reason = explain_refusal(self.words, self.view, self.game.moves, answer)
        self.screen.show([reason] if reason else [], "wrong")
        answers = [self.words.answer(self.view, move) for move in self.view.legal]
        named = re.findall(r"\w+", wrong)
        is_said = answers[0] in named and answers[-1] in named
        possible = "" if is_said else f"You can type: {', '.join(answers)}. "
        self.screen.show([f"{possible}(Type ? for help.)"], "quiet")

    def moved(self, match: Match, view: View, move: str) -> None:
        """Store a move, then show it."""
        self._save(self.autosave.moved)
        self._show_move(view, move)
        self._show_blank_line()

    def ended(self, match: Match, fault: str) -> None:
        """Store an end that was no move, and show the fault behind it."""
        self._save(self.autosave.ended)
        assert match.outcome
        loser = self.names[other_seat(match.outcome.winner or 1) - 1]
        self.screen.show([f"{loser}: {fault}"] if fault else [], "wrong")

    def taken_back(self, match: Match, seat: int) -> None:
        """Store that moves were taken back, then show it."""
        self._save(self.autosave.taken_back)
        is_alone = self.screen.is_terminal and self.humans == [seat]
        self.screen.show(
            ["Undone. It's your turn again." if is_alone else f"Undone. Back to {self.names[seat - 1]}'s last turn."]
        )
        self._show_blank_line()

    def _save(self, save: Callable[[Match], None]) -> None:
        """Save the match; say once that it cannot be saved any more, in a pipe on standard error."""
        with self.screen.busy("Saving the match..."):
            save(self.match)
        if not self.autosave.trouble or self.has_reported_trouble:
            return
        self.has_reported_trouble = True
        sentence = f"This match can't be saved. {self.autosave.trouble} (Use --no-save to play without saving.)"
        if self.screen.is_terminal:
            self.screen.show([sentence], "wrong")
        else:
            print_error(f"bitduel: {sentence}")

    def _show_blank_line(self) -> None:
        self.screen.show([] if self.match.outcome else [""])

    def _show_result(self) -> Outcome:
        outcome = self.match.outcome
        assert outcome
        self.screen.show(self.words.end(outcome, self.names), "ending")
        if self.screen.is_terminal:
            if len(self.humans) == 1:
                result = {self.humans[0]: "You win!", None: "It's a draw."}.get(outcome.winner, "You lose.")
                self.screen.show([result], "ending")
            reason = self.words.why_ended(self.match.view(None))
            self.screen.show([reason] if reason else [])
        return outcome

    def _knows_deal(self, outcome: Outcome) -> bool:
        """Return whether a pipe knows the deal: it was chosen on the command line, and a person has won by a move."""
        is_chosen, is_by_move = self.game.fixed_deal is not None, outcome.reason in self.game.reasons.values()
        return is_chosen and is_by_move and outcome.winner in self.humans and not self.screen.is_terminal

    def _show_move(self, view: View, move: str) -> None:
        assert view.seat
        name = self.names[view.seat - 1]
        if move == PASS:
            self.screen.show([self.words.passed(name)])
        elif view.seat in self.humans:
            self.screen.show(self.words.played(self.match.view(view.seat), move, name))
        elif self.game.is_hidden:
            self.screen.show([self.words.unseen_move(name)])
        elif self.screen.is_terminal:
            self.screen.show([f"{name} {self.words.move_phrase(view, move).report}."])
        else:
            self._show_turn(view, name)
            self.screen.show([self.words.prompt(view, name) + self.words.answer(view, move)])
            self.screen.show(self.words.played(self.match.view(view.seat), move, name))

    def _show_turn(self, view: View, name: str) -> None:
        picture = self.game.picture(view, self.names)
        self.screen.draw(picture if self.notes else picture.without_notes())
        self.screen.show(self.words.turn(view, name))

    def _offered_commands(self) -> list[str]:
        can_undo = self.game.has_perfect_information and any(
            self.match.last_turn(seat) is not None for seat in self.humans
        )
        refused = {"undo": not can_undo, "hint": not has_hints(self.game)}
        return [name for name in self.HELP if not refused.get(name)]

    def _announce_commands(self) -> None:
        if self.screen.is_terminal and not self.screen.has_announced_commands:
            later = ["undo"] if self.game.has_perfect_information else []
            commands = [name for name in self.HELP if name in (*self._offered_commands(), *later)]
            self.screen.show([f"(You can also type: {', '.join(commands)}.)"], "quiet")
        self.screen.has_announced_commands = True

    def do_help(self) -> None:
        """List the commands."""
        offered = self._offered_commands() if self.screen.is_terminal else list(self.HELP)
        helps = {**self.HELP, "undo": UNDO_TOGETHER} if self._undoes_together() else self.HELP
        rows = [(name, helps[name]) for name in offered]
        self.screen.show(["You can also type:", *listing(rows, self.screen.line_width)])
        if self.screen.is_interactive:
            short = letters(self.view) | {key: name for key, name in SHORTCUTS.items() if name in offered}
            self.screen.show([f"  ({', '.join(f'{key} for {word}' for key, word in short.items())})"])

    def do_moves(self) -> None:
        """Show the legal moves."""
        self.show_moves(self.view, self.screen.line_width)

    def do_hint(self) -> None:
        """Show the next step of the hint; on a terminal Ctrl-C ends the hint, not the game."""
        from bitduel.learning.hints import explain_moves, graded_hint
        from bitduel.solver.evaluators import evaluator_for

        try:
            with self.screen.busy("Thinking..."):
                advice = explain_moves(evaluator_for(self.game), self.match)
        except BitduelError as error:
            self.screen.show([TOO_LARGE if isinstance(error, TooLargeError) else str(error)], "wrong")
        except KeyboardInterrupt as error:
            if isinstance(error, SignalError) or not self.screen.is_interactive:
                raise
            self.screen.show(["Hint cancelled."], "quiet")
        else:
            answers = [self.words.answer(self.view, each.choice.move) for each in advice]
            self._show_hint(graded_hint(self.match, advice, answers).steps)

    def _show_hint(self, steps: list[list[str]]) -> None:
        """Show the step of a hint that follows the one shown last at this moment."""
        now = (self.match.ply, self.view.seat)
        self.hint_step = self.hint_step + 1 if self.hinted_at == now else 0
        self.hinted_at = now
        step = min(self.hint_step, len(steps) - 1)
        more = ["(Type hint again for a clue.)", "(Type hint again for the move.)", ""][step]
        self.screen.show([*steps[step], *([more] if more else [])])

    def _undoes_together(self) -> bool:
        return self.screen.is_interactive and len(self.humans) == 2

    def do_undo(self) -> None:
        """Take back to the last turn of the person who asks, or the last move between two people."""
        together = self._undoes_together() and self.match.ply > 0
        seat = self.match.seat_at(self.match.ply - 1) if together else self.view.seat
        assert seat
        try:
            copy(self.match).undo(seat)
        except MoveError as error:
            self.screen.show([str(error)], "wrong")
        else:
            raise TakeBackError(seat)

    def do_resign(self) -> None:
        """Give up."""
        if not self.screen.is_interactive or ask_yes(self.screen, "Resign? (y/N): "):
            raise ResignError


def has_hints(game: Game[Any]) -> bool:
    """Return whether a game can be evaluated; no solver is imported to say so of an ordinary size."""
    sizes = [
        (option.quick_limit, game.options[option.name])
        for option in game.declared_options
        if isinstance(option, IntegerOption)
    ]
    if all(quick is None or int(size) <= quick for quick, size in sizes):
        return True
    from bitduel.solver.evaluators import is_too_large

    return not is_too_large(game)
