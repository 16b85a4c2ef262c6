"""The sentences of Binary Race to 64."""

from collections.abc import Mapping

from bitduel.core.endings import Outcome
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.match import other
from bitduel.core.view import View
from bitduel.core.words import Names, Words
from bitduel.games.number_race import (
    OVERSHOOT,
    STARTER,
    NumberPosition,
    NumberRace,
    act,
    laws,
    meanings,
    reason,
    stands,
)

AIM = "Add {step} or double the shared total; make it exactly {target}."


class BinaryRace64Words(Words):
    """Numbered operations, as the rulebook prints them."""

    readings = (OVERSHOOT, STARTER)
    fields = {"number": "the total"}
    nouns = ("number total",)

    def __init__(self, game: NumberRace) -> None:
        self.game = game
        self.meanings = meanings(game)

    def aim(self) -> str:
        """The step and the target as chosen."""
        return AIM.format(step=self.game.step, target=self.game.target)

    def turn(self, view: View, name: str) -> list[str]:
        """The two operations."""
        return [f"{name}, choose an operation:", f"1. Add {self.game.step}", "2. Multiply by 2"]

    def prompt(self, view: View, name: str) -> str:
        """The question."""
        return "Enter your choice (1 or 2): "

    def answers(self, view: View) -> Mapping[str, str]:
        """Only 1 and 2, as the rulebook demands."""
        return {"1": "add", "2": "double"}

    def wrong(self, view: View) -> str:
        """The answer to anything else."""
        return "Invalid choice. Please enter 1 or 2."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """The new total."""
        return [f"New total is {view.board.number}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Who won, by reaching the target or by the other exceeding it."""
        winner = outcome.winner or 1
        if outcome.reason == "exact":
            return [f"{names[winner - 1]} wins by reaching exactly {self.game.target}."]
        loser = names[other(winner) - 1]
        return [f"{loser} loses by exceeding {self.game.target}. {names[winner - 1]} wins."]

    def leads(self, view: View, move: str) -> str:
        """The total after the move."""
        total = self.game.play(NumberPosition(view.board.number), move).number
        return f"the total becomes {total}"

    def act(self, view: View, move: str) -> Act:
        """The operation and the number it makes."""
        return act(self.game, view, move)

    def stands(self, view: View) -> str:
        """The number from which it goes on."""
        return stands(view)

    def reason(self, view: View) -> str:
        """What the law of the number races says."""
        return reason(self.game, view)

    def laws(self) -> tuple[Law, ...]:
        """The laws of the number races."""
        return laws(self.game)

    def rules(self) -> list[str]:
        """The rules in our own words."""
        game = self.game
        return [
            f"Both players share one total. It starts at {game.first_number}.",
            f"On your turn you either add {game.step} to the total or multiply it by 2. There is nothing else "
            "to do, and you cannot pass.",
            f"If your move makes the total exactly {game.target}, you win.",
            f"If your move makes it more than {game.target}, you lose at once.",
        ]
