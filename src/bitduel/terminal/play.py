"""Playing at one screen: turns, rounds, and what can be said at a prompt besides a move."""

from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any

from bitduel.core.endings import Outcome
from bitduel.core.errors import BitduelError, MoveError, StopPlayingError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other
from bitduel.core.score import Score
from bitduel.core.view import View
from bitduel.core.words import PLAYERS, Names
from bitduel.players import Listener, Person, Player, ResignError, TakeBackError, build, drive
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal.keeper import Keeper
from bitduel.terminal.rulesheet import rule_lines
from bitduel.terminal.screen import Screen


class QuitError(StopPlayingError):
    """A player has asked to leave."""


@dataclass(frozen=True)
class Setup:
    """All that is decided before the first round."""

    game: Game[Any]
    players: tuple[Spec, Spec] = (Spec(HUMAN), Spec(HUMAN))
    names: Names = PLAYERS
    first: str = "1"
    rounds: int = 1
    seed: int | None = None

    def rng(self, purpose: str) -> Random:
        """Randomness of its own for each purpose: the operating system's, or from the seed."""
        return SystemRandom() if self.seed is None else Random(f"{self.seed} {purpose}")

    def seats(self) -> dict[int, Player | None]:
        """Who sits where; None for a human."""
        return {s: build(self.players[s - 1], self.game, self.rng(f"seat {s}")) for s in (1, 2)}


class Sitting:
    """Rounds between the same two players; the start alternates."""

    def __init__(self, setup: Setup, screen: Screen, keeper: Keeper) -> None:
        self.setup = setup
        self.screen = screen
        self.keeper = keeper
        self.score = Score(setup.rounds, setup.names)
        self.seats = setup.seats()
        self.deals = setup.rng("deal")

    def play(self) -> None:
        """All rounds from the first."""
        self.go_on(self._starter())

    def go_on(self, starter: int, match: Match | None = None) -> None:
        """The rounds that are left; the first of them may be under way."""
        while self.score.played < self.setup.rounds:
            self._announce(starter)
            self._round(match or Match(self.setup.game, starter, self.setup.game.deal(self.deals)))
            starter, match = other(starter), None
        if self.setup.rounds > 1:
            self.screen.say([self.score.champion()], "ending")

    def _announce(self, starter: int) -> None:
        if self.setup.rounds > 1:
            self.screen.say([self.score.announce(starter), ""], "turn")

    def _round(self, match: Match) -> None:
        self.keeper.round = self.score.played + 1
        self.score.add(Round(match, self.seats, self.setup.names, self.screen, self.keeper).play())
        self.keeper.next_round()
        if self.setup.rounds > 1:
            more = [""] if self.score.played < self.setup.rounds else []
            self.screen.say(["", self.score.standing(), *more])

    def _starter(self) -> int:
        if self.setup.first != "toss":
            return int(self.setup.first)
        starter = self.setup.rng("toss").choice((1, 2))
        self.screen.say([f"A coin is tossed: {self.setup.names[starter - 1]} starts.", ""], "turn")
        return starter


def play_and_leave(setup: Setup, screen: Screen, keeper: Keeper) -> None:
    """Play all rounds, keeping every move; leaving early is fine."""
    if screen.fancy:
        keeper.prepare()
    try:
        Sitting(setup, screen, keeper).play()
    except QuitError:
        leave(screen, keeper)


def leave(screen: Screen, keeper: Keeper) -> None:
    """What is said to a player who leaves; a pipe needs no advice."""
    screen.say(["You have left the game."])
    if screen.fancy:
        screen.say(keeper.farewell(), "quiet")


HELP = {
    "help": "this list",
    "rules": "the rules of the game",
    "moves": "what is possible now and where it leads",
    "hint": "the best moves and why",
    "undo": "take back to your own last turn",
    "resign": "give up this round",
    "quit": "leave",
}


class Round(Listener):
    """One match at one screen: asks who sits here, and tells what happens."""

    def __init__(
        self, match: Match, seats: dict[int, Player | None], names: Names, screen: Screen, keeper: Keeper
    ) -> None:
        self.match = match
        self.words = match.game.words
        self.people = [seat for seat, who in seats.items() if who is None]
        self.players = {seat: who or AtScreen(self) for seat, who in seats.items()}
        self.names = names
        self.screen = screen
        self.keeper = keeper
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
        return self._close()

    def ask(self, view: View) -> str:
        """The move of somebody at this screen; asked again until it is one."""
        name = self.names[(view.seat or 1) - 1]
        if self.handed_over and view.ply:
            self.screen.hand_over(name)
        self._present(view, name)
        self._announce_commands()
        while True:
            answer = self.screen.ask(self.words.prompt(view, name))
            move = self.words.understand(view, answer)
            if move is not None:
                return move
            if (command := answer.strip().lower()) in self.commands:
                self.commands[command](view)
            else:
                self.screen.say([self.words.wrong(view)], "wrong")

    def moved(self, match: Match, view: View, move: str) -> None:
        """Keep the move before anybody is told."""
        self.keeper.moved(match)
        assert view.seat
        self._tell(view, view.seat, move, self.names[view.seat - 1])
        self._leave_a_line()

    def ended(self, match: Match, fault: str) -> None:
        """Keep how it ended."""
        self.keeper.ended(match)
        self.screen.say([fault] if fault else [], "wrong")

    def taken_back(self, match: Match, seat: int) -> None:
        """Keep what is left."""
        self.keeper.taken_back(match)
        self.screen.say([f"Taken back to {self.names[seat - 1]}'s last turn."])
        self._leave_a_line()

    def _leave_a_line(self) -> None:
        self.screen.say([] if self.match.outcome else [""])

    def _close(self) -> Outcome:
        outcome = self.match.outcome
        assert outcome
        self.screen.say(self.words.end(outcome, self.names), "ending")
        if not self._seen_ending(outcome):
            self.screen.say(self.words.reveal(self.match.view(None)))
        if self.screen.fancy:
            self.screen.draw(self.match.game.picture(self.match.view(None), self.names))
        return outcome

    def _seen_ending(self, outcome: Outcome) -> bool:
        """Whether everybody at the screen has just seen the move that ended the match."""
        by_move = self.match.game.reasons.values()
        return outcome.reason in by_move and outcome.winner in self.people and not self.screen.fancy

    def _tell(self, view: View, seat: int, move: str, name: str) -> None:
        if move == PASS:
            self.screen.say([self.words.passed(name)])
            return
        if seat not in self.people:
            if self.match.game.hidden:
                self.screen.say([self.words.unseen(name)])
                return
            self._present(view, name)
            self.screen.echo(self.words.prompt(view, name), self.words.answer(view, move))
        self.screen.say(self.words.played(self.match.view(seat), move, name))

    def _present(self, view: View, name: str) -> None:
        self.screen.draw(self.match.game.picture(view, self.names))
        self.screen.say(self.words.turn(view, name))

    def _announce_commands(self) -> None:
        if self.screen.fancy and not self.screen.commands_announced:
            self.screen.say([f"(You can also say: {', '.join(self.commands)}.)"], "quiet")
        self.screen.commands_announced = True

    def _help(self, view: View) -> None:
        self.screen.say(["You can also say:", *(f"  {name:<8}{what}" for name, what in HELP.items())])

    def _rules(self, view: View) -> None:
        self.screen.say(rule_lines(self.match.game))

    def _moves(self, view: View) -> None:
        answers = {self.words.answer(view, move): self.words.leads(view, move) for move in view.legal}
        width = max(map(len, answers))
        self.screen.say([f"  {answer:<{width}}  {leads}" for answer, leads in answers.items()])

    def _hint(self, view: View) -> None:
        from bitduel.core.advice import hint
        from bitduel.solve.explain import advise
        from bitduel.solve.oracle import oracle

        try:
            with self.screen.busy("Thinking ..."):
                advice = advise(oracle(self.match.game), self.match)
        except BitduelError as error:
            self.screen.say([str(error)], "wrong")
        else:
            answers = [self.words.answer(view, choice.judged.move) for choice in advice]
            self.screen.say(hint(advice, answers))

    def _undo(self, view: View) -> None:
        assert view.seat
        try:
            copy(self.match).undo(view.seat)
        except MoveError as error:
            self.screen.say([str(error)], "wrong")
        else:
            raise TakeBackError

    def _resign(self, view: View) -> None:
        raise ResignError

    def _quit(self, view: View) -> None:
        raise QuitError


class AtScreen(Person):
    """Somebody who sits at the screen of a round."""

    def __init__(self, at: Round) -> None:
        self.at = at

    def choose(self, view: View) -> str:
        """What is typed."""
        return self.at.ask(view)
