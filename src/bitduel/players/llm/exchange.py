"""The full exchange with a model, kept as JSON Lines: what was asked, what was answered, what it cost."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from bitduel.core.view import View
from bitduel.players.llm.http import Trouble
from bitduel.players.llm.response import ModelResponse
from bitduel.players.player import HaltError


class Exchange:
    """The file of one match; nobody but its owner can read it. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None, view: View) -> None:
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        name = f"{moment}-{view.game}-seat-{view.seat}-{token_hex(4)}.jsonl"
        self.path = folder / name if folder else None
        self.ply, self.attempt = view.ply, 1

    def keep(self, request: dict[str, Any], found: ModelResponse | Trouble, seconds: float) -> None:
        """Keep one call."""
        if isinstance(found, ModelResponse):
            tokens = found.tokens and found.tokens._asdict()
            answer = {**found._asdict(), "tokens": tokens, "status": 200}
        else:
            answer = {"status": found.status, "error": found.what}
        place = {"ply": self.ply, "attempt": self.attempt}
        self._write({**place, "request": request, "answer": answer, "seconds": round(seconds, 3)})

    def note(self, **what: Any) -> None:
        """Keep what came of an answer, or of the match."""
        self._write({"ply": self.ply, "attempt": self.attempt, **what})

    def _write(self, row: dict[str, Any]) -> None:
        if self.path is None:
            return
        line = json.dumps({"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **row})
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "a", encoding="ascii") as file:
                file.write(line + "\n")
        except OSError as error:
            raise HaltError(f"The exchange cannot be kept in {self.path.parent}: {error.strerror}.") from None
