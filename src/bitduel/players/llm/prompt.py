"""What a model is told: the rules in the game's own words, what its seat sees, and how to answer.

All of it follows from the view of the seat, and nothing else of a match ever comes here.
"""

import json
from typing import Any

from bitduel.core.game import PASS, Game
from bitduel.core.view import View
from bitduel.players.llm.answer import Fault
from bitduel.players.llm.obfuscation import new_tongue, own_tongue
from bitduel.players.llm.settings import FULL, NONE, Talk

FORM = "MOVE: <move>"
ANSWER = {
    True: f"Think first, as long as you need. Then end your answer with one line of its own: {FORM}",
    False: f"Answer with this one line and nothing else, no explanation: {FORM}",
}


class Prompt:
    """Everything that is said to a model in one game, by the switches of a talk."""

    def __init__(self, game: Game[Any], talk: Talk) -> None:
        self.game = game
        self.talk = talk
        self.tongue = own_tongue(game) if talk.renamed is None else new_tongue(game, talk.renamed)
        self.old = {new: old for old, new in self.tongue.moves.items()}
        """The moves of the game by what they are called here."""

    def preface(self, view: View) -> str:
        """What holds for the whole match."""
        me, other = self._names(view)
        known = [move for move in self.tongue.moves if move != PASS]
        return "\n".join(
            [
                f"You play {self.tongue.title}, a game for two. You are {me}; your opponent is {other}.",
                *self._rules(),
                f"A move is written as one of these: {self._listed(known)}.",
                *self.tongue.meanings,
                ANSWER[self.talk.scratchpad],
            ]
        )

    def turn(self, view: View, since: int = 0) -> str:
        """What the seat sees now, and the moves from one on."""
        told = {"board": view.board._asdict(), "options": view.options}
        lines = [
            self.tongue.say(self.game.picture(view, self.tongue.names).caption),
            self.tongue.say(json.dumps(told)),
            *(self._history(view, since) if self.talk.history else []),
            *([f"Possible moves: {self._listed(view.legal)}."] if self.talk.legal else []),
            f"{self._names(view)[0]}, it is your turn. {FORM}",
        ]
        return "\n".join(lines)

    def again(self, fault: Fault, view: View) -> str:
        """What is said to an answer that is no legal move."""
        possible = f" Possible moves: {self._listed(view.legal)}." if self.talk.legal else ""
        return f"{fault.told}{possible} {ANSWER[self.talk.scratchpad]}"

    def called(self, moves: tuple[str, ...]) -> list[str]:
        """Moves as they are called here."""
        return [self.tongue.moves[move] for move in moves]

    def _rules(self) -> list[str]:
        if self.talk.rules == NONE:
            return []
        rules = self.game.words.rules() if self.talk.rules == FULL else []
        return [self.tongue.say(line) for line in (self.game.goal, *rules)]

    def _history(self, view: View, since: int) -> list[str]:
        if not view.history[since:]:
            return ["No move has been made yet."]
        me, other = self._names(view)
        order = (me, other) if view.first == view.seat else (other, me)
        moves = [
            f"{ply + 1}. {order[ply % 2]}: {self.tongue.moves.get(move, 'unseen')}"
            for ply, move in enumerate(view.history)
        ]
        return [f"{'Moves since then' if since else 'Moves so far'}:", *moves[since:]]

    def _listed(self, moves: tuple[str, ...] | list[str]) -> str:
        return ", ".join(self.tongue.moves[move] for move in moves)

    def _names(self, view: View) -> tuple[str, str]:
        """What the seat and its opponent are called."""
        names = self.tongue.names
        return (names[0], names[1]) if view.seat == 1 else (names[1], names[0])
