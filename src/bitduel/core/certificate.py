"""Certificates: proofs of the value of a game that a short independent script can check."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Certificate(NamedTuple):
    """A proof of the value of the start of a game."""

    data: Mapping[str, Any]
    """The proof, JSON-ready."""
    about: str
    """The content in a few words."""
    checker: str = ""
    """The script in checkers/ that checks it; empty if there is none."""

    def text(self) -> str:
        """Return the certificate as JSON, one entry a line."""
        return "".join(_lines(self.data)) + "\n"


def _lines(data: Any, indent: str = "") -> Iterator[str]:
    """Write objects, and lists of objects, with one entry a line, and everything else on one line."""
    if isinstance(data, Mapping):
        yield from _block("{}", [(f"{json.dumps(key)}: ", value) for key, value in data.items()], indent)
    elif isinstance(data, list) and data and isinstance(data[0], Mapping):
        yield from _block("[]", [("", value) for value in data], indent)
    else:
        yield json.dumps(data)


def _block(marks: str, entries: list[tuple[str, Any]], indent: str) -> Iterator[str]:
    inside = f"{indent} "
    yield marks[0]
    for number, (name, value) in enumerate(entries):
        yield f"{',' if number else ''}\n{inside}{name}"
        yield from _lines(value, inside)
    yield f"\n{indent}{marks[1]}"
