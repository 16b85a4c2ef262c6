"""Who sits at a screen: somebody who is asked, or a program that shows when it takes its time."""

from typing import Protocol

from bitduel.core.view import View
from bitduel.players import Person, Player
from bitduel.terminal.screen import Screen


class HumanPlayer(Protocol):
    """Asks somebody for a move."""

    def ask(self, view: View) -> str:
        """The move of somebody at this screen."""


class AtScreen(Person):
    """Somebody who sits at the screen of a round."""

    def __init__(self, at: HumanPlayer) -> None:
        self.at = at

    def choose(self, view: View) -> str:
        """What is typed."""
        return self.at.ask(view)


class Thinking:
    """A program that shows when it takes its time."""

    def __init__(self, player: Player, screen: Screen, name: str) -> None:
        self.player = player
        self.screen = screen
        self.name = name

    def choose(self, view: View) -> str:
        """What the program chooses."""
        with self.screen.busy(f"{self.name} is thinking ..."):
            return self.player.choose(view)

    def over(self, view: View) -> None:
        """How the match ended is told to a program that wants to know."""
        over = getattr(self.player, "over", None)
        if over is not None:
            over(view)
