"""The sentences of Double or Nothing."""

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

AIM = "Add {step} or double the shared number; make it exactly {target}."


class DoubleOrNothingWords(Words):
    """Words for moves, as the rulebook prints them."""

    readings = (OVERSHOOT, STARTER)
    fields = {"number": "the number"}
    nouns = ("number",)

    def __init__(self, game: NumberRace) -> None:
        self.game = game
        self.meanings = meanings(game)
        self.step = "one" if game.step == 1 else str(game.step)
        self.acts = {
            "add": f"add {self.step}",
            "double": "double it",
        }

    def aim(self) -> str:
        """The step and the target as chosen."""
        return AIM.format(step=self.step, target=self.game.target)

    def turn(self, view: View, name: str) -> list[str]:
        """The number as it stands."""
        return [f"Current Number: {view.board.number}"]

    def prompt(self, view: View, name: str) -> str:
        """The question."""
        return f"{name}, choose 'add' to {self.acts['add']} or 'double' to {self.acts['double']}: "

    def answers(self, view: View) -> Mapping[str, str]:
        """Only the two words, as the rulebook demands."""
        return {"add": "add", "double": "double"}

    def wrong(self, view: View) -> str:
        """The answer to anything else."""
        return "Invalid action. Please choose 'add' or 'double'."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """What was chosen and the new number."""
        return [f"You chose to {self.acts[move]}. New number is {view.board.number}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Who won, by reaching the target or by the other exceeding it."""
        winner = outcome.winner or 1
        if outcome.reason == "exact":
            return ["", f"The number is exactly {self.game.target}!", f"{names[winner - 1]} wins the game!"]
        loser = names[other(winner) - 1]
        said = f"{loser} loses. {names[winner - 1]} wins the game!"
        return ["", f"The number exceeded {self.game.target}!", said]

    def leads(self, view: View, move: str) -> str:
        """The number after the move."""
        number = self.game.play(NumberPosition(view.board.number), move).number
        return f"the number becomes {number}"

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
            f"Both players share one number. It starts at {game.first_number}.",
            f"On your turn you either {self.acts['add']} (say 'add') or double the number (say 'double'). "
            "You cannot pass.",
            f"If your move makes the number exactly {game.target}, you win.",
            f"If your move makes it more than {game.target}, you lose at once.",
        ]
