"""A program from outside that plays by the line protocol of docs/bots.md: a JSON object a line, request then reply."""

import json
import os
import shlex
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from bitduel.core.endings import GARBLED
from bitduel.core.errors import shown
from bitduel.core.view import View
from bitduel.players.limits import PlayerLimits
from bitduel.players.player import FaultError
from bitduel.players.process import Process, cleaned
from bitduel.players.spec import PlayerError

PROTOCOL = 1
LONGEST = 24 * 60 * 60.0
"""No bot is waited for longer, in seconds."""
EXAMPLE = 'such as "bot:python my_bot.py"'


def check(command: str) -> str:
    """The command as it was written, if it can be run; raises PlayerError."""
    arguments(command)
    return command


def arguments(command: str) -> list[str]:
    """The program and its arguments as they work from any folder; raises PlayerError where there is no such program."""
    if not command.isprintable():
        raise PlayerError(f"A bot's command is printable text on one line, not '{shown(command)}'.")
    try:
        words = shlex.split(command)
    except ValueError:
        raise PlayerError(f"The command '{shown(command)}' has a quote that is never closed.") from None
    if not words:
        raise PlayerError(f"A bot needs a command that starts it, {EXAMPLE}.")
    program = shutil.which(words[0])
    if program is None:
        raise PlayerError(f"There is no program '{shown(words[0])}' that could be run as a bot.")
    return [str(Path(program).absolute()), *map(_from_anywhere, words[1:])]


def _from_anywhere(word: str) -> str:
    """The same argument, if it is a file here, or a folder that is written as one, by its whole path."""
    path, as_folder = Path(word), word in (".", "..") or os.sep in word
    with suppress(OSError):
        return str(path.absolute()) if path.is_file() or (as_folder and path.is_dir()) else word
    return word


class BotPlayer:
    """A bot: one process for each match, from its first turn to the end.

    Whatever it does wrong is a FaultError, and the process is gone when that is raised.
    """

    def __init__(self, command: str, terms: PlayerLimits) -> None:
        if not terms.seconds > 0:
            raise PlayerError(f"The time for a move must be more than 0 seconds, not {terms.seconds}.")
        self.arguments = arguments(command)
        self.terms = terms._replace(seconds=min(terms.seconds, LONGEST))
        self.name = ""
        """What it calls itself, safe to show; known once it has been asked."""
        self.asked = 0
        self.isolated: bool | None = None
        """Whether nothing that it learns or writes outlives its match; None before it has been asked."""
        self._last_asked: View | None = None
        self._process: Process | None = None
        self._greeted: dict[str, Any] = {}
        self._busy = Lock()

    def choose(self, view: View) -> str:
        """What the bot answers, legal or not."""
        with self._busy:
            try:
                return self._answer(self._running(view), view)
            except BaseException:
                self._end()
                raise

    def over(self, view: View) -> None:
        """Tell it how the match ended, and let it go."""
        if not self._busy.acquire(blocking=False):
            self.close()
            return
        try:
            if self._process and view.over:
                result = {"type": "result", **view.over._asdict(), "seat": view.seat}
                seen = self._without_deal(view)
                told = {**result, "view": seen.as_dict(), "history": list(seen.history)}
                self._process.bid_farewell(_line(told) + _line({"type": "bye"}))
        finally:
            self._end()
            self._busy.release()

    def _without_deal(self, view: View) -> View:
        """What it may see of the end: no more than at its last turn, where the same deal may still be played."""
        return self._last_asked if view.deal and not self.terms.reveals and self._last_asked else view

    def close(self) -> None:
        """End it for certain, also while it is being asked."""
        if process := self._process:
            process.stop()
        with self._busy:
            self._end()

    def _running(self, view: View) -> Process:
        """The process of this match, started and greeted where it is the first turn."""
        hello = {"game": view.game, "options": dict(view.options), "seat": view.seat}
        if self._process and self._greeted != hello:
            self._end()
        if self._process is None:
            terms, self._greeted = self.terms, hello
            self._process = Process(self.arguments, terms.megabytes, terms.hidden, terms.sealed)
            self.isolated = self._process.is_sealed and self.isolated is not False
            asked = _line({"type": "hello", "protocol": PROTOCOL, **hello})
            answer = _read(self._process.ask(asked, self.terms.seconds), "hello")
            if type(answer.get("protocol")) is not int or answer["protocol"] != PROTOCOL:
                raise FaultError(GARBLED, f"it does not speak protocol {PROTOCOL}")
            if not isinstance(answer.get("name"), str):
                raise FaultError(GARBLED, "it gave no name that is a text")
            self.name = shown(answer["name"])
        return self._process

    def _answer(self, process: Process, view: View) -> str:
        self.asked += 1
        self._last_asked = view
        question = {
            "type": "move?",
            "id": self.asked,
            "view": view.as_dict(),
            "history": list(view.history),
            "legal": list(view.legal),
            "ms": int(self.terms.seconds * 1000),
        }
        answer = _read(process.ask(_line(question), self.terms.seconds), "move")
        if type(answer.get("id")) is not int or answer["id"] != self.asked:
            raise FaultError(GARBLED, f"it answered {shown(repr(answer.get('id')))} where {self.asked} was asked")
        if not isinstance(answer.get("move"), str):
            raise FaultError(GARBLED, "it gave no move that is a text")
        return str(answer["move"])

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.end()
        if self.terms.folder and process.errors:
            with (self.terms.folder / f"seat-{self._greeted['seat']}.err").open("ab") as file:
                file.write(process.errors)


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _read(line: bytes, kind: str) -> dict[str, Any]:
    """The message in a line, if it is of this kind; raises FaultError."""
    try:
        found = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FaultError(GARBLED, f"this is no JSON: '{cleaned(line)}'") from None
    if not isinstance(found, dict) or found.get("type") != kind:
        raise FaultError(GARBLED, f"this is no message of type {kind}: '{cleaned(line)}'")
    return found


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The object, unless it says something twice."""
    pairs = list(pairs)
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _refuse(constant: str) -> None:
    raise ValueError(constant)
