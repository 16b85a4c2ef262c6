"""A sixth game is one small module and one line: it plays in the terminal with no other change."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple
from unittest.mock import patch

from bitduel import games
from bitduel.core.game import Game, Number, Outcome, Truth, Verdict
from bitduel.core.options import Whole
from bitduel.core.picture import Picture, Scale, Token
from bitduel.core.view import View
from bitduel.core.words import Names, Words
from helpers import bitduel


class Position(NamedTuple):
    sticks: Number


class NimWords(Words):
    def turn(self, view: View, name: str) -> list[str]:
        return [f"{view.board.sticks} sticks."]

    def prompt(self, view: View, name: str) -> str:
        return f"{name}, take {' or '.join(view.legal)}: "

    def answers(self, view: View) -> Mapping[str, str]:
        return {move: move for move in view.legal}

    def wrong(self, view: View) -> str:
        return "You cannot take that."

    def played(self, view: View, move: str, name: str) -> list[str]:
        return [f"{name} takes {move}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        return [f"{names[(outcome.winner or 1) - 1]} takes the last stick and wins."]

    def leads(self, view: View, move: str) -> str:
        return f"{view.board.sticks - int(move)} sticks are left"

    def rules(self) -> list[str]:
        return ["Take one, two or three sticks. Whoever takes the last one wins."]


class Nim(Game[Position]):
    slug = "little-nim"
    short = "nim"
    title = "Little Nim"
    aim = "Take the last stick."
    declared = (Whole("sticks", 7, "how many sticks there are", 1, 1000),)
    moves = ("1", "2", "3")
    reasons = {Verdict.WON: "last"}

    def start(self, deal: str = "") -> Position:
        return Position(self.options["sticks"])

    def legal(self, position: Position, move: str) -> Truth:
        return position.sticks >= int(move)

    def play(self, position: Position, move: str) -> Position:
        return Position(position.sticks - int(move))

    def verdict(self, position: Position) -> Number:
        return Verdict.WON * (position.sticks == 0)

    @property
    def ranges(self) -> tuple[int, ...]:
        return (int(self.options["sticks"]) + 1,)

    def see(self, position: Position, to_move: bool, over: bool) -> Position:
        return position

    @cached_property
    def words(self) -> NimWords:
        return NimWords()

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        tokens = (Token("sticks", view.board.sticks),)
        return Picture("Sticks.", scale=Scale(0, int(self.options["sticks"]), tokens))


def test_a_sixth_game_plays_in_the_terminal() -> None:
    with patch.object(games, "SHELF", [*games.SHELF, Nim]):
        ran = bitduel("play", "nim", "--set", "sticks=4", stdin="4\nmoves\n3\n1\n")
    assert ran.out == (
        "4 sticks.\n"
        "Player 1, take 1 or 2 or 3: 4\n"
        "You cannot take that.\n"
        "Player 1, take 1 or 2 or 3: moves\n"
        "  1  3 sticks are left\n"
        "  2  2 sticks are left\n"
        "  3  1 sticks are left\n"
        "Player 1, take 1 or 2 or 3: 3\n"
        "Player 1 takes 3.\n"
        "\n"
        "1 sticks.\n"
        "Player 2, take 1: 1\n"
        "Player 2 takes 1.\n"
        "Player 2 takes the last stick and wins.\n"
    )


def test_a_sixth_game_has_rules_help_and_a_computer_opponent() -> None:
    with patch.object(games, "SHELF", [*games.SHELF, Nim]):
        assert "Take one, two or three sticks." in bitduel("rules", "little-nim").out
        assert bitduel("play", "nim", "--p1", "random", "--p2", "random", "--rounds", "2", "--seed", "1").status == 0
