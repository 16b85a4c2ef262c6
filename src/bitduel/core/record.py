"""Records: matches as text in the manner of PGN, with tags, numbered moves and the result."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import OptionValue
from bitduel.core.outcomes import Outcome, can_be_claimed
from bitduel.core.view import UNSEEN
from bitduel.core.words import PLAYERS, Names, check_names

GameFactory = Callable[[str, Mapping[str, object]], Game[Any]]

RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
OPEN = "*"
HUMANS = ("human", "human")
MAX_LENGTH = 1 << 20
"""Characters of a record."""
MAX_PLAYER_LENGTH = 200

_WINNERS = {text: winner for winner, text in RESULTS.items()}
_RESULT_TEXTS = (*RESULTS.values(), OPEN)

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]$')
_NUMBER = re.compile(r"\b\d+\.+(?=\s|\w|$)\s*")
_DATE = re.compile(r"\d{4}([-.])\d\d\1\d\d(?!\d)", re.ASCII)


class RecordError(BitduelError):
    """A text that is no record of a match, with the line and the reason."""

    status = 1

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"Line {line}: {sentence}")
        self.line = line


@dataclass(frozen=True)
class Record:
    """The content of a record; hidden moves are unseen until the match is over."""

    game: str
    options: dict[str, OptionValue]
    moves: tuple[str, ...]
    outcome: Outcome | None
    first: int = 1
    deal: str | None = None
    names: Names = PLAYERS
    players: tuple[str, str] = HUMANS
    date: str = ""
    unread_date: str = ""
    """The date as it was written, if no such day exists."""

    def text(self) -> str:
        """Return the canonical text."""
        return "\n".join([*self._tags(), "", *self._movetext(), self._result(), ""])

    def match(self, make: GameFactory) -> Match:
        """Replay the match; raise BitduelError if that is not possible."""
        if UNSEEN in self.moves:
            raise BitduelError(
                "This game has hidden information, so its moves can be read only when the match is over."
            )
        game = make(self.game, self.options)
        match = Match(game, self.first, self.deal or game.fixed_deal or game.any_deal(), self.moves)
        if self.outcome and not match.outcome:
            match.conclude(self.outcome)
        return match

    def _tags(self) -> Iterator[str]:
        tags = {
            "Game": self.game,
            "Options": " ".join(f"{name}={value}" for name, value in self.options.items() if value != ""),
            "Player1": self.names[0],
            "Player2": self.names[1],
            "Kind1": self.players[0],
            "Kind2": self.players[1],
            "First": str(self.first),
            "Date": self.date,
            "Deal": self.deal or "",
            "Result": self._result(),
            "Reason": self.outcome.reason if self.outcome else "",
        }
        return (f'[{name} "{_quoted(value)}"]' for name, value in tags.items() if value)

    def _movetext(self) -> Iterator[str]:
        pairs = (self.moves[i : i + 2] for i in range(0, len(self.moves), 2))
        return (f"{number}. {', '.join(pair)}" for number, pair in enumerate(pairs, 1))

    def _result(self) -> str:
        return RESULTS[self.outcome.winner] if self.outcome else OPEN


def record_match(match: Match, names: Names = PLAYERS, players: tuple[str, str] = HUMANS, date: str = "") -> Record:
    """Return the record of a match, with nothing in it that a spectator may not see."""
    view = match.view(None)
    return Record(
        game=view.game,
        options=dict(view.options),
        moves=view.history,
        outcome=view.over,
        first=view.first,
        deal=view.deal,
        names=names,
        players=players,
        date=date,
    )


def parse_record(text: str, make: GameFactory) -> Record:
    """Read a record, and check it by replaying it; lenient in form, strict in content."""
    if len(text) > MAX_LENGTH:
        raise RecordError(1, "this is too long to be the record of a match.")
    tags, moves, result = _read(text.removeprefix("\ufeff"))
    if "game" not in tags:
        raise RecordError(1, 'the name of the game is missing, for example [Game "NAME"].')
    line, name = tags["game"]
    with _at_line(line):
        make(name, {})
    with _at_line(tags["options"].line or line):
        game = make(name, _options(tags["options"].text))
    return _build(game, tags, moves, result)


def decode_record(raw: bytes) -> str:
    """Decode the bytes of a file; raise RecordError at the first line that is not UTF-8 text."""
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise RecordError(number, "this is not UTF-8 text.") from None
        if b"\x00" in line:
            raise RecordError(number, "this is not UTF-8 text.")
    return raw.decode()


@contextmanager
def _at_line(line: int) -> Iterator[None]:
    """Add the number of the line to errors inside."""
    try:
        yield
    except RecordError:
        raise
    except BitduelError as error:
        raise RecordError(max(line, 1), str(error)) from None


class _Entry(NamedTuple):
    """A piece of a record, and the number of its line."""

    line: int = 0
    text: str = ""


class _Tags(dict[str, _Entry]):
    """The tags of a record by their names in lower case; a missing one is empty."""

    def __missing__(self, name: str) -> _Entry:
        return _Entry()


def _read(text: str) -> tuple[_Tags, list[_Entry], _Entry]:
    """Return the tags, the moves and the result."""
    tags, moves, result = _Tags(), list[_Entry](), _Entry()
    for number, line in _lines(text):
        if line.startswith("["):
            name, value = _tag(number, line)
            if tags.setdefault(name, _Entry(number, value)).text != value:
                raise RecordError(number, f"there are two different values for {name}.")
            continue
        for token in _tokens(line):
            if result.text:
                raise RecordError(number, f"there is more after the result: '{printable(token)}'.")
            if token in _RESULT_TEXTS:
                result = _Entry(number, token)
            else:
                moves.append(_Entry(number, token))
    return tags, moves, result


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without comments, which are in braces or after a semicolon, but never in a tag."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("[") and not inside:
            yield number, line.strip()
            continue
        rest = ""
        for part in re.split(r"([{};])", line):
            if part == ";" and not inside:
                break
            inside = part == "{" if part in ("{", "}") else inside
            rest += part if not inside and part != "}" else ""
        yield number, rest.strip()


def _tag(number: int, line: str) -> tuple[str, str]:
    tag = _TAG.match(line)
    if not tag:
        raise RecordError(number, f"""this is not a tag such as [Player1 "Ada"]: '{printable(line)}'.""")
    return tag[1].lower(), re.sub(r"\\(.)", r"\1", tag[2])


def _tokens(line: str) -> list[str]:
    parts = [" ".join(part.lower().split()) for part in _NUMBER.sub(",", line).split(",")]
    return [token for part in parts for token in _split_result(part) if token]


def _split_result(text: str) -> list[str]:
    """Split off a result that follows the last move without a comma."""
    head, _, last = text.rpartition(" ")
    return [head, last] if last in _RESULT_TEXTS else [text]


def _options(text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        if options.setdefault(name, value) != value:
            raise BitduelError(f"there are two different values for {printable(name)}.")
    return options


def _build(game: Game[Any], tags: _Tags, moves: list[_Entry], result: _Entry) -> Record:
    with _at_line(tags["deal"].line):
        match = Match(game, _first(tags), _deal(game, tags["deal"].text, moves))
    for line, text in moves:
        for move in _split_moves(text, game):
            if move == UNSEEN:
                raise RecordError(
                    line, "this game has hidden information, so its moves can be read only when the match is over."
                )
            with _at_line(line):
                match.play(move)
    _check_result(match, tags, result)
    with _at_line(tags["player1"].line):
        names = check_names(*(tags[f"player{seat}"].text if f"player{seat}" in tags else None for seat in (1, 2)))
    written = tags["date"].text.strip()
    record = record_match(match, names, (_player(tags["kind1"].text), _player(tags["kind2"].text)), _date(written))
    if written and not record.date and "?" not in written:  # as in PGN, a question mark stands for what is not known
        record = replace(record, unread_date=written)
    if not (tags["deal"].text or game.fixed_deal):
        return record
    # Whoever wrote the text knows the deal of a match that goes on: it can be played on.
    return replace(record, moves=tuple(match.moves), deal=match.deal or None, options=game.options)


def _player(text: str) -> str:
    return text if text and text.isprintable() and len(text) <= MAX_PLAYER_LENGTH else HUMANS[0]


def _date(text: str) -> str:
    """Return the day that a text begins with, or ""; not in year 1, of which a time zone may make year 0."""
    written = _DATE.match(text)
    try:
        day = date.fromisoformat(written[0].replace(".", "-")) if written else date.min
        return day.isoformat() if day.year > 1 else ""
    except ValueError:
        return ""


def _first(tags: _Tags) -> int:
    line, text = tags.get("first", _Entry(0, "1"))
    if text not in ("1", "2"):
        raise RecordError(line, f"First must be 1 or 2, not '{printable(text)}'.")
    return int(text)


def _split_moves(text: str, game: Game[Any]) -> Iterator[str]:
    """Yield the moves of a text without commas, each as long as possible; or the rest of it, if no move fits."""
    known, words, at = {*game.moves, UNSEEN}, text.split(), 0
    counts = range(max(len(move.split()) for move in known), 0, -1)
    while at < len(words):
        pieces = (" ".join(words[at : at + count]) for count in counts)
        move = next((piece for piece in pieces if piece in known), None) or " ".join(words[at:])
        yield move
        at += move.count(" ") + 1


def _deal(game: Game[Any], deal: str, moves: list[_Entry]) -> str:
    if not game.has_chance:
        return ""
    if game.fixed_deal and deal not in ("", game.fixed_deal):
        raise BitduelError(f"'{printable(deal)}' is the secret here, but the settings say '{game.fixed_deal}'.")
    if moves and not (deal or game.fixed_deal or any(UNSEEN in move.text for move in moves)):
        raise BitduelError(f'the secret is missing, for example [Deal "{next(iter(game.deals())).text}"].')
    return deal or game.any_deal()


def _check_result(match: Match, tags: _Tags, result: _Entry) -> None:
    """Raise RecordError unless the result follows from the moves, or can be claimed where they leave it open."""
    tag = tags["result"]
    if tag.text and result.text and tag.text != result.text:
        raise RecordError(result.line, f"the result is {result.text} here, but the tag says {printable(tag.text)}.")
    for line, text in (tag, result):
        if not text:
            continue
        if text not in _RESULT_TEXTS:
            raise RecordError(line, f"'{printable(text)}' isn't a result. Choose from: {', '.join(_RESULT_TEXTS)}.")
        outcome = Outcome(_WINNERS[text], tags["reason"].text.lower()) if text in _WINNERS else None
        if outcome and not match.outcome and can_be_claimed(outcome):
            match.conclude(outcome)
        actual = RESULTS[match.outcome.winner] if match.outcome else OPEN
        if text != actual:
            raise RecordError(line, f"the result says {text}, but the moves give {actual}.")


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
