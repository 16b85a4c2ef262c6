"""Playing at one screen: a sitting of rounds between the same two players."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Any

from bitduel.core.errors import EndOfInputError, OptionError, SignalError
from bitduel.core.game import Game
from bitduel.core.match import Match, other
from bitduel.core.score import Score
from bitduel.core.words import PLAYERS, Names
from bitduel.players import USUAL, Player, PlayerLimits, build, close
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.round import QuitError, Round, yes
from bitduel.terminal.screen import SHORTLY, Screen


@dataclass(frozen=True)
class Setup:
    """All that is decided before the first round."""

    game: Game[Any]
    players: tuple[Spec, Spec] = (Spec(HUMAN), Spec(HUMAN))
    names: Names = PLAYERS
    first: str = "1"
    rounds: int = 1
    seed: int | None = None
    notes: bool = True
    """Whether pictures show what a player could also keep in mind."""
    terms: PlayerLimits = USUAL
    """On what terms programs from outside play."""

    def rng(self, purpose: str) -> Random:
        """Randomness of its own for each purpose: the operating system's, or from the seed."""
        return SystemRandom() if self.seed is None else Random(f"{self.seed} {purpose}")

    def seats(self) -> dict[int, Player | None]:
        """Who sits where; None for a human."""
        return {s: build(self.players[s - 1], self.game, self.rng(f"seat {s}"), self.terms) for s in (1, 2)}

    def checked(self) -> "Setup":
        """The same, if it may be played: who faces a program may not choose what is dealt."""
        chosen = [option.name for option in self.game.declared if option.secret and self.game.options[option.name]]
        if chosen and sum(spec.is_human for spec in self.players) == 1:
            raise OptionError(
                f"{chosen[0]} can be chosen only by two people at one keyboard; against the computer it is dealt."
            )
        return self

    def called(self) -> "Setup":
        """The same with programs called by what they are, where nobody gave them a name."""
        names = [
            name if name != usual or spec.is_human else f"Computer ({spec if spec.is_safe else spec.kind})"
            for name, usual, spec in zip(self.names, PLAYERS, self.players, strict=True)
        ]
        if names[0] == names[1]:
            names = [f"{name} {seat}" for seat, name in enumerate(names, 1)]
        return replace(self, names=(names[0], names[1]))

    def swapped(self) -> "Setup":
        """The same with seats exchanged; who is called by the number of the seat is so again."""
        names = [usual if name in PLAYERS else name for name, usual in zip(self.names[::-1], PLAYERS, strict=True)]
        return replace(self, players=self.players[::-1], names=(names[0], names[1]))


class RoundSeries:
    """Rounds between the same two players; the start alternates."""

    def __init__(self, setup: Setup, screen: Screen, keeper: Autosave) -> None:
        self.setup = setup
        self.screen = screen
        self.keeper = keeper
        self.score = Score(setup.rounds, setup.names)
        with screen.busy("The computer gets ready ..."):
            self.seats = setup.seats()
        self.deals = setup.rng("deal")

    def play(self) -> None:
        """All rounds from the first."""
        self._warn()
        self.go_on(self._starter())

    def go_on(self, starter: int, match: Match | None = None) -> None:
        """The rounds that are left; the first of them may be under way. However they end, the players are let go."""
        try:
            while self.score.played < self.setup.rounds:
                self._announce(starter)
                self._round(match or Match(self.setup.game, starter, self.setup.game.deal(self.deals)))
                starter, match = other(starter), None
        finally:
            close(self.seats.values())
        if self.setup.rounds > 1:
            self.screen.say([self.score.champion()], "ending")

    def _announce(self, starter: int) -> None:
        if self.setup.rounds > 1:
            self.screen.say([self.score.announce(starter), ""], "turn")

    def _round(self, match: Match) -> None:
        self.keeper.round = self.score.played + 1
        played = Round(match, self.seats, self.setup.names, self.screen, self.keeper, self.setup.notes)
        self.score.add(played.play())
        self.keeper.next_round()
        if self.setup.rounds > 1:
            more = self.score.played < self.setup.rounds
            self.screen.say(["", self.score.standing(), *[""] * more])
            if more:
                self.screen.pause("Press Enter for the next round.")

    def _starter(self) -> int:
        if self.setup.first != "toss":
            return int(self.setup.first)
        starter = self.setup.rng("toss").choice((1, 2))
        people = [seat for seat, who in self.seats.items() if who is None]
        you = " That is you." if self.screen.fancy and people == [starter] else ""
        self.screen.say([f"A coin is tossed: {self.setup.names[starter - 1]} starts.{you}", ""], "turn")
        return starter

    def _warn(self) -> None:
        """Two people at a keyboard cannot keep anything from each other where the screen cannot be cleared."""
        people = [seat for seat, who in self.seats.items() if who is None]
        if self.screen.fancy or not (self.setup.game.hidden and len(people) == 2 and sys.stdin.isatty()):
            return
        self.screen.say(["Nothing can be hidden on a plain screen: both of you will see everything."])
        if not yes(self.screen.ask("Play all the same? (y/N): ", SHORTLY)):
            raise QuitError


def play_and_leave(setup: Setup, screen: Screen, keeper: Autosave) -> bool:
    """Play all rounds, keeping every move; leaving early is fine, and says so by False."""
    if screen.fancy:
        keeper.prepare()
    return with_farewell(lambda: RoundSeries(setup, screen, keeper).play(), screen, keeper)


def with_farewell(play: Callable[[], None], screen: Screen, keeper: Autosave) -> bool:
    """Whoever leaves, by whatever key, is told how to go on; a pipe needs no advice."""
    try:
        play()
    except SignalError:
        raise  # nobody may be there any more to read anything
    except QuitError:
        screen.say(["You have left the game."])
        _advise(screen, keeper)
        return False
    except (EndOfInputError, KeyboardInterrupt):
        _advise(screen, keeper)
        raise
    return True


def _advise(screen: Screen, keeper: Autosave) -> None:
    if screen.fancy:
        screen.say(keeper.farewell(), "quiet")
