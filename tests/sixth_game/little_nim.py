"""Little Nim: take one, two or three sticks; whoever takes the last one wins."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from bitduel.core.game import Game, Number, Truth, Verdict
from bitduel.core.options import IntegerOption
from bitduel.core.outcomes import Outcome
from bitduel.core.picture import Picture, Scale, Token
from bitduel.core.view import View
from bitduel.core.words import Names, Words


class Position(NamedTuple):
    sticks: Number


class LittleNimWords(Words):
    def turn(self, view: View, name: str) -> list[str]:
        return [f"{view.board.sticks} sticks."]

    def prompt(self, view: View, name: str) -> str:
        return f"{name}, take {' or '.join(view.legal)}: "

    def answers(self, view: View) -> Mapping[str, str]:
        return {move: move for move in view.legal}

    def invalid_answer(self, view: View) -> str:
        return "You cannot take that."

    def played(self, view: View, move: str, name: str) -> list[str]:
        return [f"{name} takes {move}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        return [f"{names[(outcome.winner or 1) - 1]} takes the last stick and wins."]

    def leads_to(self, view: View, move: str) -> str:
        return f"{view.board.sticks - int(move)} sticks are left"

    def rules(self) -> list[str]:
        return ["Take one, two or three sticks. Whoever takes the last one wins."]


class LittleNim(Game[Position]):
    slug, short, title, aim = "little-nim", "nim", "Little Nim", "Take the last stick."
    declared_options = (IntegerOption("sticks", 7, "how many sticks there are", 1, 1000),)
    moves = ("1", "2", "3")
    reasons = {Verdict.WON: "last"}

    def start(self, deal: str = "") -> Position:
        return Position(int(self.options["sticks"]))

    def legal(self, position: Position, move: str) -> Truth:
        return position.sticks >= int(move)

    def play(self, position: Position, move: str) -> Position:
        return Position(position.sticks - int(move))

    def verdict(self, position: Position) -> Number:
        return Verdict.WON * (position.sticks == 0)

    @property
    def ranges(self) -> tuple[int, ...]:
        return (self.start().sticks + 1,)

    def observe(self, position: Position, to_move: bool, over: bool) -> Position:
        return Position(int(position.sticks))

    @cached_property
    def words(self) -> LittleNimWords:
        return LittleNimWords()

    def picture(self, view: View, names: Names) -> Picture:
        left, all_of_them = view.board.sticks, self.start().sticks
        return Picture(f"{left} sticks are left.", scale=Scale(0, all_of_them, (Token("sticks", left),)))
