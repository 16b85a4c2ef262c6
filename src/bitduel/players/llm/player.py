"""A language model as a player."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from bitduel.core.game import Game
from bitduel.core.outcomes import ALLOWANCE
from bitduel.core.view import View
from bitduel.players.llm.answer import AnswerFault, read_move
from bitduel.players.llm.client import Chat, ExchangeLog, Message
from bitduel.players.llm.prompt import Prompt
from bitduel.players.llm.service import Tokens, find_service
from bitduel.players.player import FaultError
from bitduel.players.settings import PlayerLimits

NO_ANSWER = "(no answer)"
"""The text that stands for an empty answer, because many services want one between two questions."""
MAX_ECHO = 4000
"""The most characters of a wrong answer that are sent back to the model, from its end."""


class LlmPlayer:
    """A player that asks a model for every move, up to a number of attempts until its answer is a legal one.

    `calls`, `tokens` and `faults` (by kind) count everything so far, and `exchange.path` is the log of the match.
    """

    def __init__(
        self,
        game: Game[Any],
        rng: Random,
        model: str,
        limits: PlayerLimits,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.settings = limits.llm.validated()
        self.folder = limits.folder
        self.moves = game.moves
        self.prompt = Prompt(game, self.settings)
        self.chat = Chat(find_service(self.settings.url), model, self.settings, rng, wait)
        self.faults: Counter[str] = Counter()
        self.exchange: ExchangeLog | None = None
        self._seen: tuple[str, ...] | None = None
        """The moves up to the last own turn; None before a match."""
        self._used_before = (0, 0)
        """Answers and tokens of earlier matches."""
        self._conversation: list[Message] = []

    @property
    def calls(self) -> int:
        """The number of requests to the service."""
        return self.chat.calls

    @property
    def tokens(self) -> Tokens:
        """All tokens that the service has counted."""
        return self.chat.tokens

    def choose(self, view: View) -> str:
        """Return the model's move; raise FaultError where it gives none, HaltError where it cannot be asked."""
        exchange = self._begin(view)
        messages = self._messages(view)
        fault = None
        for attempt in range(1, self.settings.attempts + 1):
            exchange.ply, exchange.attempt = view.ply, attempt
            self._check_allowance()
            response = self.chat.ask(messages, exchange)
            answer = read_move(response, self.prompt.rename(view.legal), self.prompt.rename(self.moves))
            messages.append(_message("assistant", response.text.strip()[-MAX_ECHO:] or NO_ANSWER))
            if not isinstance(answer, AnswerFault):
                move = self.prompt.original[answer]
                exchange.log(move=move)
                return move
            fault = answer
            self.faults[fault.kind] += 1
            exchange.log(fault=fault.kind, told=fault.message)
            messages.append(_message("user", self.prompt.correction(fault, view)))
        assert fault
        attempts = self.settings.attempts
        raise FaultError(fault.reason, f"it gave no legal move in {attempts} answers; the last was {fault.kind}")

    def over(self, view: View) -> None:
        """Log the result; the next match gets another log and another conversation."""
        if self.exchange and view.over:
            self.exchange.log(over=view.over._asdict())
        self._seen = None

    def close(self) -> None:
        """Refuse further requests."""
        self.chat.close()

    def _check_allowance(self) -> None:
        """Raise FaultError if this model has used its allowance of answers or tokens for the match.

        It is the model's loss: nobody must get a draw by talking until nothing is left.
        """
        answers, tokens = self.chat.answers - self._used_before[0], self.chat.charged - self._used_before[1]
        limits = (answers, self.settings.match_calls, "answers"), (tokens, self.settings.match_tokens, "tokens")
        for used, limit, unit in limits:
            if used >= limit:
                raise FaultError(ALLOWANCE, f"it has used {used:,} {unit}, and the limit per match is {limit:,}")

    def _begin(self, view: View) -> ExchangeLog:
        """Return the log of the match; a history that does not continue the known moves is another match."""
        seen = self._seen
        continues = seen is not None and len(view.history) > len(seen) and view.history[: len(seen)] == seen
        if self.exchange is None or not continues:
            self._seen = None
            self._used_before = self.chat.answers, self.chat.charged
            self.exchange = ExchangeLog(self.folder, view)
        return self.exchange

    def _messages(self, view: View) -> list[Message]:
        """Return the whole prompt, or the conversation so far with the new turn."""
        continues = not self.settings.stateless and self._seen is not None
        if not continues:
            self._conversation = [_message("system", self.prompt.preface(view))]
        since = len(self._seen or ()) if continues else 0
        self._conversation.append(_message("user", self.prompt.turn(view, since)))
        self._seen = view.history
        return self._conversation


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
