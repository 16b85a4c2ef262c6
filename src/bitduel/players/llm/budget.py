"""How many tokens a whole run may cost: held back before every question, and settled when the answer has come."""

import os
from pathlib import Path
from threading import Lock
from typing import Any

from bitduel.core.errors import BitduelError, OptionError
from bitduel.players.player import HaltError


class Budget:
    """So many tokens and no more, for all who share it: threads, and with a ledger on disk processes and later runs.

    A ledger is a file of one number a line that is only ever added to: held back, given back. What a process that was
    killed had held back stays spent.
    """

    def __init__(self, most: int, ledger: Path | None = None) -> None:
        if most < 1:
            raise OptionError(f"A budget must be 1 token or more, not {most}")
        self.most = most
        self.ledger = ledger
        self._spent = 0
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Budget({self.most})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.ledger is None:
            raise BitduelError("A budget of tokens needs a ledger on disk to be shared between processes.")
        return Budget, (self.most, self.ledger)

    @property
    def spent(self) -> int:
        """Tokens that are spent or held back."""
        with self._lock:
            return self._count()

    def hold(self, tokens: int) -> None:
        """Keep tokens for a question; raises HaltError, and keeps none, where they are not there."""
        with self._lock:
            self._add(tokens)
            spent = self._count()
            if spent > self.most:
                self._add(-tokens)
                left = max(self.most - spent + tokens, 0)
                raise HaltError(
                    f"The budget of {self.most} tokens is used up: {left} are left, and the next question can take "
                    f"{tokens}."
                )

    def settle(self, held: int, used: int) -> None:
        """Give back what was held for a question and not used; a service that took more is counted in full."""
        with self._lock:
            self._add(used - held)

    def _add(self, tokens: int) -> None:
        if self.ledger is None:
            self._spent += tokens
            return
        try:
            self.ledger.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "ab", buffering=0) as file:
                file.write(f"{tokens}\n".encode())
        except OSError as error:
            raise self._trouble(error.strerror or str(error)) from None

    def _count(self) -> int:
        if self.ledger is None:
            return self._spent
        try:
            return sum(map(int, self.ledger.read_text(encoding="ascii").split()))
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise self._trouble(error.strerror or str(error)) from None
        except ValueError:
            raise self._trouble("it holds something else than numbers") from None

    def _trouble(self, why: str) -> HaltError:
        return HaltError(f"The ledger of tokens {self.ledger} cannot be used: {why}.")
