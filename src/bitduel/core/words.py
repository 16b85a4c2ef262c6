"""What the sentences of a game have in common; each room has its own Words over this."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bitduel.core.endings import ENDINGS, Outcome
from bitduel.core.errors import PlayerNameError
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.names import check_name, look
from bitduel.core.view import View

Names = tuple[str, str]

PLAYERS: Names = ("Player 1", "Player 2")


class Reading(NamedTuple):
    """How one point that a rulebook leaves open is read, and how to choose another reading."""

    point: str
    rulebook: str
    default: str
    choose: str = ""
    option: str = ""
    """The option that decides it, where one does."""


class Words(ABC):
    """Every sentence of a game that more than one interface says."""

    readings: tuple[Reading, ...] = ()
    fields: Mapping[str, str] = {}
    """What the fields of a position are called where somebody sets one up; in the dark, those of what a seat sees."""

    meanings: Mapping[str, str] = {}
    """What each word of a move is to do, without that word, so that it can be called something else; by "" what a move
    of numbers alone is to do."""
    nouns: tuple[str, ...] = ()
    """The things of the game that can be called something else, such as 'token'; two words for one are 'total sum'."""

    def aim(self) -> str:
        """What is to be done with the options as chosen; empty where they change nothing in the game's own line."""
        return ""

    def opening(self) -> list[str]:
        """What is said before the first turn."""
        return []

    @abstractmethod
    def turn(self, view: View, name: str) -> list[str]:
        """What the player to move is told before being asked."""

    @abstractmethod
    def prompt(self, view: View, name: str) -> str:
        """The question put to the player to move."""

    @abstractmethod
    def answers(self, view: View) -> Mapping[str, str]:
        """Which answers stand for which moves, in lower case."""

    @abstractmethod
    def wrong(self, view: View) -> str:
        """What is said to an answer that is no legal move."""

    def refusal(self, view: View, move: str) -> str:
        """Why a move of the game cannot be made now, said to the player to move; empty where every move can."""
        return ""

    @abstractmethod
    def played(self, view: View, move: str, name: str) -> list[str]:
        """What the player who made the move is told; the view is that seat's after the move."""

    @abstractmethod
    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """What is said when the rules end the match."""

    @abstractmethod
    def leads(self, view: View, move: str) -> str:
        """Where a legal move leads, in a few words, without judging it."""

    def act(self, view: View, move: str) -> Act:
        """A legal move of the view's seat in words: 'doubling to 10', and of an opponent 'double to 10'."""
        return Act(f"playing {move}", f"play {move}")

    def stands(self, view: View) -> str:
        """Where the seat of the view stands, to begin a sentence: 'From 12'; empty where that has no name."""
        return ""

    def reason(self, view: View) -> str:
        """Why the one to move wins, draws or loses here, by a law of the game, said to the seat of the view."""
        return ""

    def laws(self) -> tuple[Law, ...]:
        """What is true of the game at every size, the most telling first; nothing where no law is known."""
        return ()

    def remark(self, view: View, move: str) -> str:
        """What is worth knowing of a legal move in a game of chance, from what the view's seat knows."""
        return ""

    @abstractmethod
    def rules(self) -> list[str]:
        """The rules in our own words, a paragraph an item."""

    def hindsight(self, position: Any, mover: str, waiting: str) -> str:
        """What is known of a position only when the match is over; nothing in most games."""
        return ""

    def assumption(self) -> str:
        """What is assumed of an opponent of whom nothing is known, where a worth says that it is."""
        return ""

    def unseen(self, name: str) -> str:
        """What the others are told of a move they may not see."""
        return f"{name} has taken a turn."

    def reminder(self, view: View) -> str:
        """What a seat that has moved was told and goes by, said again after a move of the other that it may not see."""
        return ""

    def passed(self, name: str) -> str:
        """What is said when a player has no move."""
        return f"{name} has no available move and passes."

    def reveal(self, view: View) -> list[str]:
        """What was hidden and may be told once the match is over."""
        return [] if view.deal is None else [f"What was dealt: {view.deal}."]

    def why(self, view: View) -> str:
        """Why a match ended as it did, where somebody who has just learnt the game might wonder."""
        return ""

    def understand(self, view: View, answer: str) -> str | None:
        """The legal move an answer stands for, or None."""
        move = self.answers(view).get(" ".join(answer.lower().split()))
        return move if move in view.legal else None

    def answer(self, view: View, move: str) -> str:
        """The shortest answer that stands for a move."""
        return min((answer for answer, meant in self.answers(view).items() if meant == move), key=len)

    def end(self, outcome: Outcome, names: Names) -> list[str]:
        """What is said when the match is over, however it ended."""
        ending = ENDINGS.get(outcome.reason)
        return ["", ending.say(outcome, names)] if ending else self.ending(outcome, names)


def check_names(first: str | None, second: str | None) -> Names:
    """The names of both seats, checked; a missing one is Player 1 or Player 2."""
    names = tuple(check_name(n) if n is not None else p for n, p in zip((first, second), PLAYERS, strict=True))
    if look(names[0]) == look(names[1]):
        raise PlayerNameError(f"The two players need different names, not both '{names[0]}'.")
    return names[0], names[1]


def listed(items: Sequence[object]) -> str:
    """A list as people write it: 1; 1 and 2; 1, 2 and 3."""
    *most, last = map(str, items)
    return f"{', '.join(most)} and {last}" if most else last
