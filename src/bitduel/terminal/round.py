"""One match at one screen: what is asked, what is told, and what can be said at a prompt besides a move."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from copy import copy

from bitduel.core.endings import Outcome
from bitduel.core.errors import MoveError, StopPlayingError
from bitduel.core.game import PASS
from bitduel.core.match import Match, other
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.players import Listener, Player, ResignError, TakeBackError, drive
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.hints import give_hint, has_hints
from bitduel.terminal.human_players import AtScreen, Thinking
from bitduel.terminal.move_input import refused, shortened
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import SHORTLY, ResumedError, Screen
from bitduel.terminal.text import aside, listing

HELP = {
    "help": "this list",
    "rules": "the rules of the game",
    "moves": "what is possible now and where it leads",
    "hint": "the best moves and why",
    "undo": "take back to your own last turn",
    "resign": "give up this round",
    "quit": "leave",
}
UNDO_TOGETHER = "take back the last move, whoever made it"
SHORT = {"?": "help", "h": "hint", "u": "undo", "q": "quit"}
"""Keys that stand for a command on a terminal."""


class QuitError(StopPlayingError):
    """A player has asked to leave."""


class Round(Listener):
    """One match at one screen: asks who sits here, and tells what happens."""

    def __init__(
        self,
        match: Match,
        seats: dict[int, Player | None],
        names: Names,
        screen: Screen,
        keeper: Autosave,
        notes: bool = True,
    ) -> None:
        self.match = match
        self.words = match.game.words
        self.people = [seat for seat, who in seats.items() if who is None]
        self.players = {s: Thinking(who, screen, names[s - 1]) if who else AtScreen(self) for s, who in seats.items()}
        self.names = names
        self.screen = screen
        self.keeper = keeper
        self.notes = notes
        self.troubled = False
        self.handed_over = match.game.hidden and len(self.people) == 2 and screen.fancy
        self.commands: dict[str, Callable[[View], None]] = {
            "help": self._help,
            "rules": self._rules,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def play(self) -> Outcome:
        """Turn after turn until it is over."""
        if not self.match.ply:
            self.screen.say(self.words.opening())
        with self.screen.private() if self.handed_over else nullcontext():
            drive(self.match, self.players, self)
            if self.handed_over:
                self._tell_end()
                self.screen.pause("Press Enter to close this screen.")
        return self._close()

    def ask(self, view: View) -> str:
        """The move of somebody at this screen; the screen is shown again after the program was stopped."""
        stopped = False
        while True:
            try:
                return self._ask(view, stopped)
            except ResumedError:
                stopped = True

    def _ask(self, view: View, stopped: bool) -> str:
        name = self.names[(view.seat or 1) - 1]
        if self.handed_over and (view.ply or stopped):
            self.screen.hand_over(name, cleared=stopped)
        self._present(view, name)
        self._announce_commands()
        room = max(len(self.words.answer(view, move)) for move in view.legal)
        while True:
            answer = self.screen.ask(self.words.prompt(view, name), room)
            move = self.words.understand(view, answer) or self._shortened(view, answer)
            if move is not None:
                return move
            command = answer.strip().lower()
            command = SHORT.get(command, command) if self.screen.fancy else command
            if command in self.commands:
                self.commands[command](view)
            else:
                self._refuse(view, answer)

    def _shortened(self, view: View, answer: str) -> str | None:
        """The legal move that a short answer stands for, if there is just one."""
        return shortened(view, answer) if self.screen.fancy else None

    def _refuse(self, view: View, answer: str) -> None:
        self.screen.say([self.words.wrong(view)], "wrong")
        if self.screen.fancy:
            why = refused(self.words, view, self.match.game.moves, answer)
            self.screen.say([why] if why else [], "wrong")
            answers = ", ".join(self.words.answer(view, move) for move in view.legal)
            named = answers in self.words.wrong(view)
            possible = "" if named else f"You can enter: {answers}. "
            self.screen.say([f"{possible}('help' says what else.)"], "quiet")

    def moved(self, match: Match, view: View, move: str) -> None:
        """Keep the move before anybody is told."""
        with self.screen.busy("Keeping the match ..."):
            self.keeper.moved(match)
        self._tell_trouble()
        assert view.seat
        self._tell(view, view.seat, move, self.names[view.seat - 1])
        self._leave_a_line()

    def ended(self, match: Match, fault: str) -> None:
        """Keep how it ended."""
        with self.screen.busy("Keeping the match ..."):
            self.keeper.ended(match)
        self._tell_trouble()
        assert match.outcome
        loser = self.names[other(match.outcome.winner or 1) - 1]
        self.screen.say([f"{loser}: {fault}"] if fault else [], "wrong")

    def taken_back(self, match: Match, seat: int) -> None:
        """Keep what is left."""
        with self.screen.busy("Keeping the match ..."):
            self.keeper.taken_back(match)
        self._tell_trouble()
        self.screen.say([f"Taken back to {self.names[seat - 1]}'s last turn."])
        self._leave_a_line()

    def _tell_trouble(self) -> None:
        """Say once that nothing is kept any more; a pipe's own lines stay as they are."""
        if not self.keeper.trouble or self.troubled:
            return
        self.troubled = True
        said = f"This match is not kept: {self.keeper.trouble} (--no-save plays without keeping.)"
        if self.screen.fancy:
            self.screen.say([said], "wrong")
        else:
            aside(f"bitduel: {said}")

    def _leave_a_line(self) -> None:
        self.screen.say([] if self.match.outcome else [""])

    def _close(self) -> Outcome:
        outcome = self.match.outcome
        assert outcome
        self._tell_end()
        if not self._knows_deal(outcome):
            self.screen.say(self.words.reveal(self.match.view(None)))
        if self.screen.fancy:
            self.screen.draw(self.match.game.picture(self.match.view(None), self.names))
        return outcome

    def _tell_end(self) -> None:
        outcome = self.match.outcome
        assert outcome
        self.screen.say(self.words.end(outcome, self.names), "ending")
        if self.screen.fancy and len(self.people) == 1:
            told = {self.people[0]: "You win!", None: "It is a draw."}.get(outcome.winner, "You lose.")
            self.screen.say([told], "ending")
        why = self.words.why(self.match.view(None))
        if self.screen.fancy and why:
            self.screen.say([why])

    def _knows_deal(self, outcome: Outcome) -> bool:
        """Whether a pipe need not be told the deal: it was chosen on the command line, and somebody there has won."""
        chosen, by_move = self.match.game.fixed_deal is not None, outcome.reason in self.match.game.reasons.values()
        return chosen and by_move and outcome.winner in self.people and not self.screen.fancy

    def _tell(self, view: View, seat: int, move: str, name: str) -> None:
        if move == PASS:
            self.screen.say([self.words.passed(name)])
        elif seat in self.people:
            self.screen.say(self.words.played(self.match.view(seat), move, name))
        elif self.match.game.hidden:
            self.screen.say([self.words.unseen(name)])
        elif self.screen.fancy:
            self.screen.say([f"{name} chooses to {self.words.act(view, move).theirs}."])
        else:
            self._present(view, name)
            self.screen.echo(self.words.prompt(view, name), self.words.answer(view, move))
            self.screen.say(self.words.played(self.match.view(seat), move, name))

    def _present(self, view: View, name: str) -> None:
        picture = self.match.game.picture(view, self.names)
        self.screen.draw(picture if self.notes else picture.without_notes())
        self.screen.say(self.words.turn(view, name))

    def _offered(self) -> list[str]:
        """The commands that this match allows."""
        refused = {"undo"} if not (self.match.game.transparent and self._can_take_back()) else set()
        refused |= {"hint"} if not has_hints(self.match.game) else set()
        return [name for name in self.commands if name not in refused]

    def _announce_commands(self) -> None:
        if self.screen.fancy and not self.screen.commands_announced:
            self.screen.say([f"(You can also say: {', '.join(self._offered())}.)"], "quiet")
        self.screen.commands_announced = True

    def _help(self, view: View) -> None:
        offered = self._offered() if self.screen.fancy else list(self.commands)
        helps = {**HELP, "undo": UNDO_TOGETHER} if self.screen.fancy and len(self.people) == 2 else HELP
        said = [f"  {name:<8}{helps[name]}" for name in offered]
        short = ", ".join(f"{key} for {name}" for key, name in SHORT.items() if name in offered)
        self.screen.say(["You can also say:", *said, *([f"  ({short})"] if self.screen.fancy else [])])

    def _rules(self, view: View) -> None:
        self.screen.say(rule_lines(self.match.game, self.screen.width))

    def _moves(self, view: View) -> None:
        rows = [(self.words.answer(view, move), self.words.leads(view, move)) for move in view.legal]
        self.screen.say(listing(rows, self.screen.width if self.screen.fancy else sys.maxsize))

    def _hint(self, view: View) -> None:
        give_hint(self.match, view, self.screen)

    def _can_take_back(self) -> bool:
        return any(self.match.last_turn(seat) is not None for seat in self.people)

    def _undo(self, view: View) -> None:
        together = self.screen.fancy and len(self.people) == 2 and self.match.ply > 0
        seat = self.match.seat_at(self.match.ply - 1) if together else view.seat
        assert seat
        try:
            copy(self.match).undo(seat)
        except MoveError as error:
            self.screen.say([str(error)], "wrong")
        else:
            raise TakeBackError(seat)

    def _resign(self, view: View) -> None:
        if self.screen.fancy and not yes(self.screen.ask("Give up this round? (y/N): ", SHORTLY)):
            return
        raise ResignError

    def _quit(self, view: View) -> None:
        raise QuitError


def yes(answer: str) -> bool:
    """Whether an answer agrees; anything else does not."""
    return answer.strip().lower() in ("y", "yes")
