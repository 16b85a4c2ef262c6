"""A language model on a seat."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from bitduel.core.endings import ALLOWANCE
from bitduel.core.game import Game
from bitduel.core.view import View
from bitduel.players.limits import PlayerLimits
from bitduel.players.llm.answer import Fault, read
from bitduel.players.llm.chat import Chat, Message
from bitduel.players.llm.exchange import Exchange
from bitduel.players.llm.prompt import Prompt
from bitduel.players.llm.response import Tokens
from bitduel.players.llm.service import find_service
from bitduel.players.player import FaultError

SILENCE = "(no answer)"
"""Stands for an answer without words, because many services want one between two questions."""
MOST_ECHO = 4000
"""So many characters of a wrong answer are shown again to the model, from its end."""


class Spent(NamedTuple):
    """What one move took: calls, tokens, and what went wrong on the way, by kind."""

    calls: int
    tokens: Tokens
    faults: dict[str, int]


class LlmPlayer:
    """Asks a model for every move, again where its answer is no legal one, and up to a number of attempts.

    `calls`, `tokens` and `faults` (by kind) count all that was asked so far, `spent` the same of the last move, and
    `exchange.path` is the file of the match.
    """

    def __init__(
        self,
        game: Game[Any],
        rng: Random,
        model: str,
        terms: PlayerLimits,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.talk = terms.llm.checked()
        self.folder = terms.folder
        self.moves = game.moves
        self.prompt = Prompt(game, self.talk)
        self.chat = Chat(find_service(self.talk.url), model, self.talk, rng, wait)
        self.faults: Counter[str] = Counter()
        self.spent = Spent(0, Tokens(), {})
        self.exchange: Exchange | None = None
        self._seen: tuple[str, ...] | None = None
        """The moves up to the last own turn; None before a match."""
        self._before = (0, 0)
        """Answers and tokens of earlier matches."""
        self._said: list[Message] = []
        """The conversation so far, where there is one."""

    @property
    def calls(self) -> int:
        """How often the service was asked."""
        return self.chat.calls

    @property
    def tokens(self) -> Tokens:
        """All tokens that the service has counted."""
        return self.chat.tokens

    def choose(self, view: View) -> str:
        """The model's move; raises FaultError where it gives none, HaltError where it cannot be asked."""
        calls, tokens, faults = self.calls, self.tokens, self.faults.copy()
        try:
            return self._choose(view)
        finally:
            more = Tokens(*(now - then for now, then in zip(self.tokens, tokens, strict=True)))
            self.spent = Spent(self.calls - calls, more, dict(self.faults - faults))

    def over(self, view: View) -> None:
        """The match is over; the next one is another file and another conversation."""
        if self.exchange and view.over:
            self.exchange.note(over=view.over._asdict())
        self._seen = None

    def close(self) -> None:
        """Ask no more."""
        self.chat.close()

    def _choose(self, view: View) -> str:
        exchange = self._begin(view)
        messages = self._messages(view)
        fault = None
        for attempt in range(1, self.talk.attempts + 1):
            exchange.ply, exchange.attempt = view.ply, attempt
            self._check_allowance()
            said = self.chat.ask(messages, exchange)
            found = read(said, self.prompt.called(view.legal), self.prompt.called(self.moves))
            messages.append(_message("assistant", said.text.strip()[-MOST_ECHO:] or SILENCE))
            if not isinstance(found, Fault):
                move = self.prompt.old[found]
                exchange.note(move=move)
                return move
            fault = found
            self.faults[fault.kind] += 1
            exchange.note(fault=fault.kind, told=fault.told)
            messages.append(_message("user", self.prompt.again(fault, view)))
        assert fault
        raise FaultError(fault.reason, f"{self.talk.attempts} answers without a legal move; the last was {fault.kind}")

    def _check_allowance(self) -> None:
        """Raise FaultError where the match has taken as many answers or tokens of this model as it may.

        It is the model's loss: nobody must get a draw by talking until nothing is left.
        """
        answers, tokens = self.chat.answers - self._before[0], self.chat.charged - self._before[1]
        limits = (answers, self.talk.match_calls, "answers"), (tokens, self.talk.match_tokens, "tokens")
        for used, most, what in limits:
            if used >= most:
                raise FaultError(ALLOWANCE, f"it has used {used:,} {what} of the {most:,} that a match has for it")

    def _begin(self, view: View) -> Exchange:
        """The exchange of the match; a history that does not go on from what was seen is another match."""
        known = self._seen
        if self.exchange is None or known is None or len(view.history) <= len(known) or not _goes_on(known, view):
            self._seen, self._said = None, []
            self._before = self.chat.answers, self.chat.charged
            self.exchange = Exchange(self.folder, view)
        return self.exchange

    def _messages(self, view: View) -> list[Message]:
        """What is asked: all that holds for the match, then the turn; in a conversation, after what was said before."""
        going_on = not self.talk.stateless and self._seen is not None
        if not going_on:
            self._said = [_message("system", self.prompt.preface(view))]
        self._said.append(_message("user", self.prompt.turn(view, len(self._seen or ()) if going_on else 0)))
        self._seen = view.history
        return self._said


def _goes_on(known: tuple[str, ...], view: View) -> bool:
    return view.history[: len(known)] == known


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
