"""Bots: programs from outside that play by the line protocol of docs/bots.md, a JSON object a line."""

import json
import os
import shlex
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from bitduel.core.errors import printable
from bitduel.core.outcomes import GARBLED
from bitduel.core.view import View
from bitduel.players.player import FaultError, PlayerError
from bitduel.players.process import BotProcess, printable_line
from bitduel.players.settings import PlayerLimits

PROTOCOL = 1
MAX_SECONDS = 24 * 60 * 60.0
"""The longest time for an answer."""
EXAMPLE = 'such as "bot:python my_bot.py"'


def parse_command(command: str) -> list[str]:
    """Return the program and its arguments as they work from any folder; raise PlayerError if there is none."""
    if not command.isprintable():
        raise PlayerError(f"A bot's command must be one line of printable text. '{printable(command)}' isn't.")
    try:
        words = shlex.split(command)
    except ValueError:
        raise PlayerError(f"The command '{printable(command)}' has a quotation mark that is never closed.") from None
    if not words:
        raise PlayerError(f"A bot needs a command that starts it, {EXAMPLE}.")
    program = shutil.which(words[0])
    if program is None:
        raise PlayerError(f"Can't find a program called '{printable(words[0])}' to run as a bot.")
    return [str(Path(program).absolute()), *map(_make_absolute, words[1:])]


def _make_absolute(word: str) -> str:
    """Return an argument by its whole path, if it is a file here, or a folder that is written as one."""
    path, is_written_as_folder = Path(word), word in (".", "..") or os.sep in word
    with suppress(OSError):
        return str(path.absolute()) if path.is_file() or (is_written_as_folder and path.is_dir()) else word
    return word


class BotPlayer:
    """A bot: one process for each match, from its first turn to the end.

    Every mistake raises FaultError, and the process has ended by then.
    """

    def __init__(self, command: str, limits: PlayerLimits) -> None:
        if not limits.seconds > 0:
            raise PlayerError(f"The time limit per move must be more than 0 seconds, not {limits.seconds}.")
        self.arguments = parse_command(command)
        self.limits = limits._replace(seconds=min(limits.seconds, MAX_SECONDS))
        self.name = ""
        """Its own name, safe to show; known after the first question."""
        self.asked = 0
        """The number of questions so far."""
        self.isolated: bool | None = None
        """Whether nothing that it learns or writes outlives its match; None before the first question."""
        self._last_view: View | None = None
        self._process: BotProcess | None = None
        self._hello: dict[str, Any] = {}
        self._busy = Lock()

    def choose(self, view: View) -> str:
        """Return the bot's answer, legal or not."""
        with self._busy:
            try:
                return self._ask(self._running_process(view), view)
            except BaseException:
                self._end()
                raise

    def over(self, view: View) -> None:
        """Send the result, and end the process."""
        if not self._busy.acquire(blocking=False):
            self.close()
            return
        try:
            if self._process and view.over:
                final = view
                if view.deal and not self.limits.reveals and self._last_view:
                    final = self._last_view  # others are still to play the same deal
                result = {"type": "result", **view.over._asdict(), "seat": view.seat}
                result |= {"view": final.as_dict(), "history": list(final.history)}
                self._process.send_last(_encode(result) + _encode({"type": "bye"}))
        finally:
            self._end()
            self._busy.release()

    def close(self) -> None:
        """End the process, also while another thread waits for its answer."""
        if process := self._process:
            process.stop()
        with self._busy:
            self._end()

    def _running_process(self, view: View) -> BotProcess:
        """Return the process of this match, started and greeted where it is the first turn."""
        hello = {"game": view.game, "options": dict(view.options), "seat": view.seat}
        if self._process and self._hello != hello:
            self._end()
        if self._process is None:
            limits, self._hello = self.limits, hello
            self._process = BotProcess(self.arguments, limits.megabytes, limits.hidden, limits.sealed)
            self.isolated = self._process.is_sealed and self.isolated is not False
            greeting = _encode({"type": "hello", "protocol": PROTOCOL, **hello})
            answer = _decode(self._process.ask(greeting, limits.seconds), "hello")
            if type(answer.get("protocol")) is not int or answer["protocol"] != PROTOCOL:
                raise FaultError(GARBLED, f"it doesn't use protocol {PROTOCOL}")
            if not isinstance(answer.get("name"), str):
                raise FaultError(GARBLED, "its name is missing or isn't text")
            self.name = printable(answer["name"])
        return self._process

    def _ask(self, process: BotProcess, view: View) -> str:
        self.asked += 1
        self._last_view = view
        question = {
            "type": "move?",
            "id": self.asked,
            "view": view.as_dict(),
            "history": list(view.history),
            "legal": list(view.legal),
            "ms": int(self.limits.seconds * 1000),
        }
        answer = _decode(process.ask(_encode(question), self.limits.seconds), "move")
        if type(answer.get("id")) is not int or answer["id"] != self.asked:
            raise FaultError(
                GARBLED, f"its reply has the id {printable(repr(answer.get('id')))} instead of {self.asked}"
            )
        if not isinstance(answer.get("move"), str):
            raise FaultError(GARBLED, "its move is missing or isn't text")
        return str(answer["move"])

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.end()
        if self.limits.folder and process.errors:
            with (self.limits.folder / f"seat-{self._hello['seat']}.err").open("ab") as file:
                file.write(process.errors)


def _encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _decode(line: bytes, kind: str) -> dict[str, Any]:
    """Return the message in a line, if it is of this kind; raise FaultError."""
    try:
        message = json.loads(line.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FaultError(GARBLED, f"this isn't JSON: '{printable_line(line)}'") from None
    if not isinstance(message, dict) or message.get("type") != kind:
        raise FaultError(GARBLED, f"this isn't a message of type {kind}: '{printable_line(line)}'")
    return message


def _without_duplicates(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    pairs = list(pairs)
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields


def _refuse(constant: str) -> None:
    raise ValueError(constant)
