"""Asking a model through its service: with patience while the service is busy, within the budget, every call kept."""

from collections.abc import Callable
from random import Random
from time import monotonic, sleep
from typing import Any, TypeAlias

from bitduel.core.errors import shown
from bitduel.players.llm.exchange import Exchange
from bitduel.players.llm.http import Response, Trouble, post
from bitduel.players.llm.response import ModelResponse, Tokens, understood
from bitduel.players.llm.service import ModelService
from bitduel.players.llm.settings import Talk
from bitduel.players.player import HaltError

Message: TypeAlias = dict[str, str]

FIRST_WAIT, MOST_WAIT = 1.0, 60.0
"""Seconds before the second try, doubled for every other, up to the most; no service makes anybody wait longer."""
USUAL_ANSWER = 4096
"""So many tokens the longest answer has where there is a budget and nobody has said more."""
FRAME = 32
"""Tokens that a service may put around a message."""
LONG_NAME = "max_completion_tokens"
"""What some services call the longest answer; they say so, and are asked again."""


class Chat:
    """One model of one service."""

    def __init__(
        self, service: ModelService, model: str, talk: Talk, rng: Random, wait: Callable[[float], None] | None = None
    ) -> None:
        self.service = service
        self.model = model
        self.talk = talk
        self.rng = rng
        self.wait = wait or sleep
        self.calls = 0
        self.answers = 0
        self.tokens = Tokens()
        self.charged = 0
        """The tokens of all answers; of one that the service did not count, the most that it can have taken."""
        self.closed = False
        self.longest = "max_tokens"

    def ask(self, messages: list[Message], exchange: Exchange) -> ModelResponse:
        """What the model answers; raises HaltError where its service cannot be had, or the budget is used up."""
        tries = 0
        while True:
            found = self._once(messages, exchange)
            if isinstance(found, ModelResponse):
                return found
            if self._may_rename(found):
                self.longest = LONG_NAME
                continue
            tries += 1
            if not found.again or tries > self.talk.retries:
                times = f" (tried {tries} times)" if tries > 1 else ""
                raise HaltError(f"The service of '{shown(self.model)}' at {self.service.shown} {found.what}{times}.")
            self.wait(self._pause(tries, found.wait))

    def close(self) -> None:
        """Ask no more: who has been given up may still be waiting for an answer."""
        self.closed = True

    def _once(self, messages: list[Message], exchange: Exchange) -> ModelResponse | Trouble:
        if self.closed:
            raise HaltError("The match is over for this player.")
        body = self._body(messages)
        held = self._held(messages)
        if self.talk.budget:
            self.talk.budget.hold(held)
        begun = monotonic()
        found = self._understood(post(self.service, body, self.talk.seconds))
        used = self._used(found, held)
        if self.talk.budget:
            self.talk.budget.settle(held, used)
        self.calls += 1
        if isinstance(found, ModelResponse):
            self.answers += 1
            self.charged += used
        exchange.keep(body, found, monotonic() - begun)
        return found

    def _understood(self, response: Response | Trouble) -> ModelResponse | Trouble:
        found = understood(response, self.service.key) if isinstance(response, Response) else response
        if isinstance(found, ModelResponse) and found.tokens:
            self.tokens = self.tokens.plus(found.tokens)
        return found

    def _body(self, messages: list[Message]) -> dict[str, Any]:
        talk = self.talk
        longest = talk.max_tokens or (USUAL_ANSWER if talk.budget else None)
        asked = {"temperature": talk.temperature, "seed": talk.seed, self.longest: longest}
        given = {name: value for name, value in asked.items() if value is not None}
        return {"model": self.model, "messages": messages, **given}

    def _held(self, messages: list[Message]) -> int:
        """The most that a question can take: no token is shorter than a byte, and the answer has an end."""
        asked = sum(len(message["content"].encode()) + FRAME for message in messages)
        return asked + (self.talk.max_tokens or USUAL_ANSWER)

    def _used(self, found: ModelResponse | Trouble, held: int) -> int:
        if isinstance(found, ModelResponse):
            return found.tokens.total if found.tokens else held
        return held if found.spent else 0

    def _may_rename(self, found: Trouble) -> bool:
        return found.status == 400 and LONG_NAME in found.what and self.longest != LONG_NAME

    def _pause(self, tries: int, wanted: float | None) -> float:
        """As long as the service wants, or twice as long every time, and never quite together with others."""
        usual = min(FIRST_WAIT * 2.0 ** min(tries - 1, 10), MOST_WAIT)
        jitter = self.rng.uniform(0.5, 1.0)
        return min(wanted + FIRST_WAIT * (1 - jitter), MOST_WAIT) if wanted is not None else usual * jitter
