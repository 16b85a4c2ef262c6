"""The words of a game: every sentence that more than one interface shows."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from bitduel.core.errors import PlayerNameError
from bitduel.core.names import check_name, visible_form
from bitduel.core.outcomes import ENDINGS, Outcome
from bitduel.core.phrases import MovePhrase
from bitduel.core.view import View

Names = tuple[str, str]

PLAYERS: Names = ("Player 1", "Player 2")


class Reading(NamedTuple):
    """The reading of a point that a rulebook leaves open, and how to choose another."""

    point: str
    rulebook: str
    default: str
    choose: str = ""
    option: str = ""
    """The option that chooses the reading, if there is one."""


class Law(NamedTuple):
    """A law of a game, true at every size: its statement, its idea and its proof."""

    name: str
    """Its anchor on a page: words with hyphens between them."""
    title: str
    statement: str
    why: str
    """The idea of the proof, in a sentence."""
    proof: tuple[str, ...]
    """The proof, one paragraph an item."""
    source: str
    """The document with the whole proof."""


class Words(ABC):
    """The sentences of a game; those that have a default are optional."""

    readings: tuple[Reading, ...] = ()
    fields: Mapping[str, str] = {}
    """Labels for the fields of a position in an editor; with hidden information, for those that a seat sees."""

    meanings: Mapping[str, str] = {}
    """The meaning of each word of a move, explained without that word, so that it can be replaced; of a move that is
    only a number under the key ""."""
    nouns: tuple[str, ...] = ()
    """The nouns of the game that can be replaced, such as 'token'; two words for one thing are 'total sum'."""

    def aim(self) -> str:
        """Return the aim with the chosen options; empty if they do not change it."""
        return ""

    def opening(self) -> list[str]:
        """Return the lines before the first turn."""
        return []

    @abstractmethod
    def turn(self, view: View, name: str) -> list[str]:
        """Return the lines before the question to the player to move."""

    @abstractmethod
    def prompt(self, view: View, name: str) -> str:
        """Return the question to the player to move."""

    @abstractmethod
    def answers(self, view: View) -> Mapping[str, str]:
        """Return the moves by the answers that stand for them, in lower case."""

    @abstractmethod
    def invalid_answer(self, view: View) -> str:
        """Return the sentence after an answer that is no legal move."""

    def why_illegal(self, view: View, move: str) -> str:
        """Return why a move cannot be made now; empty if every move can."""
        return ""

    @abstractmethod
    def played(self, view: View, move: str, name: str) -> list[str]:
        """Return the lines for the player who made a move; the view is that seat's after it."""

    @abstractmethod
    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Return the lines after an ending by the rules."""

    def own_ending(self, outcome: Outcome, is_winner: bool) -> str:
        """Return an ending by the rules for one of the players; empty if the lines with names have to do."""
        return ""

    @abstractmethod
    def leads_to(self, view: View, move: str) -> str:
        """Return the result of a legal move in a few words, without an evaluation."""

    def move_phrase(self, view: View, move: str) -> MovePhrase:
        """Return a legal move in words: 'doubling to 10', and for the opponent 'double to 10'."""
        return MovePhrase(f"playing {move}", f"play {move}")

    def position_phrase(self, view: View) -> str:
        """Return the position as the beginning of a sentence, such as 'From 12'; empty if it has no name."""
        return ""

    def reason(self, view: View) -> str:
        """Return why the player to move wins, draws or loses, by a law of the game, for the view's seat."""
        return ""

    def question(self, view: View) -> str:
        """Return the question that leads the player to move to a good move: where to look."""
        return "What can your opponent do after each of your moves?"

    def laws(self) -> tuple[Law, ...]:
        """Return the laws of the game, the most useful first."""
        return ()

    def remark(self, view: View, move: str) -> str:
        """Return a remark on a legal move in a game of chance, from what the view's seat knows."""
        return ""

    @abstractmethod
    def rules(self) -> list[str]:
        """Return the rules, one paragraph an item."""

    def short_rules(self) -> list[str]:
        """Return the rules in three lines, for somebody who is about to play for the first time."""
        return self.rules()[:3]

    def hindsight(self, position: Any, mover: str, waiting: str) -> str:
        """Return what only the end of the match reveals of a position."""
        return ""

    def assumption(self) -> str:
        """Return the assumption on the opponent that an assumed evaluation rests on."""
        return ""

    def unseen_move(self, name: str) -> str:
        """Return the line for those who may not see a move."""
        return f"{name} has taken a turn."

    def reminder(self, view: View) -> str:
        """Return what a seat already knows, to repeat after a move of the opponent that it may not see."""
        return ""

    def passed(self, name: str) -> str:
        """Return the line for a player who has no move."""
        return f"{name} has no available move and passes."

    def reveal(self, view: View) -> list[str]:
        """Return the lines that reveal what was hidden, once the match is over."""
        return [] if view.deal is None else [f"Hidden until now: {view.deal}."]

    def why_ended(self, view: View) -> str:
        """Return an explanation of the ending for somebody who is new to the game; usually empty."""
        return ""

    def symbol(self, move: str) -> str:
        """Return a move as short as can be, for the key that makes it, such as '+1'; empty if it has no symbol."""
        return ""

    def listed(self, position: Any, move: str) -> str:
        """Return a legal move of a position as a list of moves shows it, such as '\u00d72 to 12'."""
        return move

    def understand(self, view: View, answer: str) -> str | None:
        """Return the legal move that an answer stands for, or None."""
        move = self.answers(view).get(" ".join(answer.lower().split()))
        return move if move in view.legal else None

    def answer(self, view: View, move: str) -> str:
        """Return the shortest answer that stands for a move."""
        return min((answer for answer, meant in self.answers(view).items() if meant == move), key=len)

    def end(self, outcome: Outcome, names: Names) -> list[str]:
        """Return the lines after any ending."""
        ending = ENDINGS.get(outcome.reason)
        return ["", ending.sentence(outcome, names)] if ending else self.ending(outcome, names)


def check_names(first: str | None, second: str | None) -> Names:
    """Return the names of both seats, checked; a missing one is Player 1 or Player 2."""
    names = tuple(check_name(n) if n is not None else p for n, p in zip((first, second), PLAYERS, strict=True))
    if visible_form(names[0]) == visible_form(names[1]):
        raise PlayerNameError(f"Both players are called '{names[0]}'. Please use different names.")
    return names[0], names[1]
