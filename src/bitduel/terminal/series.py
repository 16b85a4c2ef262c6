"""A series of rounds between the same two players at one screen, from its start or resumed."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, NamedTuple

from bitduel.core.errors import BitduelError, EndOfInputError, OptionError, SignalError, printable
from bitduel.core.game import Game
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import SeriesScore, is_counted
from bitduel.core.words import PLAYERS, Names
from bitduel.players import DEFAULT_LIMITS, Player, PlayerLimits, build, close
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.match_dialog import MatchDialog
from bitduel.terminal.prompts import QuitError, ask_yes
from bitduel.terminal.screen import Screen

if TYPE_CHECKING:
    from bitduel.storage import Store, StoredMatch

CONTINUE_FROM_MENU = "It's saved. You can continue it from the menu."


@dataclass(frozen=True)
class Setup:
    """The settings of a series, decided before its first round."""

    game: Game[Any]
    players: tuple[Spec, Spec] = (Spec(HUMAN), Spec(HUMAN))
    names: Names = PLAYERS
    first: str = "1"
    rounds: int = 1
    seed: int | None = None
    notes: bool = True
    """Whether pictures show what a player could also remember."""
    limits: PlayerLimits = DEFAULT_LIMITS
    """The limits for programs from outside."""

    def rng(self, purpose: str) -> Random:
        """Return a source of randomness for one purpose: the operating system's, or from the seed."""
        return SystemRandom() if self.seed is None else Random(f"{self.seed} {purpose}")

    def seats(self) -> dict[int, Player | None]:
        """Build the player of each seat; None stands for a human."""
        return {s: build(self.players[s - 1], self.game, self.rng(f"seat {s}"), self.limits) for s in (1, 2)}

    def checked(self) -> "Setup":
        """Return the same setup; raise OptionError if somebody facing a program chose what is dealt."""
        chosen = [
            option.name for option in self.game.declared_options if option.is_secret and self.game.options[option.name]
        ]
        if chosen and sum(spec.is_human for spec in self.players) == 1:
            raise OptionError(
                f"You can choose the {chosen[0]} only when two people share a keyboard. "
                "Against the computer it is picked at random."
            )
        return self

    def with_program_names(self) -> "Setup":
        """Return the same setup with programs named by their kind, if they have no name of their own."""
        names = [
            name if name != default or spec.is_human else f"Computer ({spec if spec.is_safe else spec.kind})"
            for name, default, spec in zip(self.names, PLAYERS, self.players, strict=True)
        ]
        if names[0] == names[1]:
            names = [f"{name} {seat}" for seat, name in enumerate(names, 1)]
        return replace(self, names=(names[0], names[1]))

    def swapped(self, starter: int) -> "Setup":
        """Return the same setup with seats exchanged, so that the other player starts; default names stay."""
        names = [default if name in PLAYERS else name for name, default in zip(self.names[::-1], PLAYERS, strict=True)]
        return replace(self, players=self.players[::-1], names=(names[0], names[1]), first=str(starter))


class RoundSeries:
    """Rounds between the same two players; they start in turn."""

    def __init__(self, setup: Setup, screen: Screen, autosave: Autosave) -> None:
        self.setup = setup
        self.screen = screen
        self.autosave = autosave
        self.score = SeriesScore(setup.rounds, setup.names)
        with screen.busy("Getting ready..."):
            self.seats = setup.seats()
        self.humans = [seat for seat, player in self.seats.items() if player is None]
        self.deals = setup.rng("deal")

    def play(self) -> int:
        """Play all rounds; return the seat that started the first."""
        self._warn()
        starter = self._starter()
        self.play_rest(starter)
        return starter

    def play_rest(self, starter: int, match: Match | None = None) -> None:
        """Play the rounds that are left, the first of which may be under way; close the players in the end."""
        several = self.setup.rounds > 1
        try:
            while self.score.played < self.setup.rounds:
                if several:
                    self.screen.show([self.score.announce(starter), ""], "turn")
                self._play_round(match or Match(self.setup.game, starter, self.setup.game.deal(self.deals)))
                starter, match = other_seat(starter), None
        finally:
            close(self.seats.values())
        if several:
            self.screen.show([self.score.champion()], "ending")

    def _play_round(self, match: Match) -> None:
        self.autosave.round = self.score.played + 1
        dialog = MatchDialog(match, self.seats, self.setup.names, self.screen, self.autosave, self.setup.notes)
        self.score.add(dialog.play())
        self.autosave.next_round()
        if self.setup.rounds > 1:
            more = self.score.played < self.setup.rounds
            self.screen.show(["", self.score.standing(), *[""] * more])
            if more:
                self.screen.pause("Press Enter for the next round.")

    def _starter(self) -> int:
        if self.setup.first != "toss":
            return int(self.setup.first)
        starter = self.setup.rng("toss").choice((1, 2))
        you = " That's you." if self.screen.is_interactive and self.humans == [starter] else ""
        self.screen.show([f"Coin toss: {self.setup.names[starter - 1]} starts.{you}", ""], "turn")
        return starter

    def _warn(self) -> None:
        """Ask two people whether to play a hidden game where the screen cannot be cleared between turns."""
        if self.screen.is_terminal or not (self.setup.game.is_hidden and len(self.humans) == 2 and sys.stdin.isatty()):
            return
        self.screen.show(["A plain screen can't hide anything, so you'll both see everything."])
        if not ask_yes(self.screen, "Play anyway? (y/N): "):
            raise QuitError


class PlayedSeries(NamedTuple):
    """A series that was resumed: its setup, whether it is over, and the match that was finished last."""

    setup: Setup
    is_finished: bool
    last_id: str | None


def play_series(setup: Setup, screen: Screen, autosave: Autosave, has_menu: bool = False) -> int | None:
    """Play all rounds, saving every move; return the seat that started, or None if somebody left early."""
    starters: list[int] = []
    if screen.is_terminal:
        autosave.prepare()

    def play() -> None:
        starters.append(RoundSeries(setup, screen, autosave).play())

    return starters[0] if _play_with_farewell(play, screen, autosave, has_menu) else None


def _play_with_farewell(play: Callable[[], None], screen: Screen, autosave: Autosave, has_menu: bool = False) -> bool:
    """Play; tell a person who leaves, by whatever key, how to resume. A pipe needs no advice."""
    farewell = autosave.farewell if screen.is_interactive else list
    try:
        play()
    except SignalError:
        raise  # nobody may be there any more to read anything
    except QuitError:
        screen.show(["You left the game."])
        advice = farewell()
        screen.show([CONTINUE_FROM_MENU] if advice and has_menu else advice, "quiet")
        return False
    except (EndOfInputError, KeyboardInterrupt):
        screen.show(farewell(), "quiet")
        raise
    return True


class ResumeError(BitduelError):
    """A stored match that cannot be resumed here."""

    status = 1


def resume_series(match_id: str | None, db: str | None, screen: Screen, has_menu: bool = False) -> PlayedSeries:
    """Resume the series of a stored match, or of the newest unfinished one."""
    from bitduel.games.registry import make
    from bitduel.storage import open_store
    from bitduel.storage.presentation import summary

    with open_store(db) as store:
        rounds = _stored_rounds(store, match_id)
        is_taken = bool(store.seats.owners(rounds[-1].sitting))
    last = rounds[-1]
    match = last.match()
    for spec in last.players:  # any other player could run a stranger's command
        if not spec.is_safe:
            raise ResumeError(
                f"This match was played by '{printable(str(spec))}', which can't be started again from a saved match."
            )
    if is_taken and match.game.is_hidden:
        raise ResumeError(f"Match {last.id} is being played elsewhere. Only its players can see what is hidden.")
    first = str(rounds[0].first)
    setup = Setup(make(last.game, last.options), last.players, last.names, first=first, rounds=last.rounds)
    if screen.is_interactive:
        screen.show([*summary(last, match), ""])
    with Autosave(db, last.players, last.names, last.rounds) as autosave:
        autosave.sitting = last.sitting
        series = RoundSeries(setup, screen, autosave)
        for stored in rounds:
            if stored.outcome:
                series.score.add(stored.outcome)
        starter, under_way = (other_seat(last.first), None) if match.outcome else (last.first, match)
        if under_way:
            autosave.resume(last.id, len(last.moves), last.backs)
        is_finished = _play_with_farewell(lambda: series.play_rest(starter, under_way), screen, autosave, has_menu)
        return PlayedSeries(setup, is_finished, autosave.last_id)


def _stored_rounds(store: "Store", match_id: str | None) -> "list[StoredMatch]":
    stored = store.get(match_id) if match_id else store.unfinished()
    if stored is None:
        raise ResumeError("There is no unfinished match to continue.")
    rounds = store.sitting(stored.sitting)
    last = rounds[-1]
    if last.outcome and (last.round == last.rounds or not is_counted(last.outcome)):
        raise ResumeError("This match is over.")
    return rounds
