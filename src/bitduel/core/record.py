"""A match as text, in the manner of PGN: tags, then numbered moves, then the result; read and written here alone."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from bitduel.core.endings import Outcome, can_be_claimed
from bitduel.core.errors import BitduelError, shown
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.core.view import UNSEEN
from bitduel.core.words import PLAYERS, Names, check_names

Make = Callable[[str, Mapping[str, object]], Game[Any]]

RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
OPEN = "*"
_WINNERS = {text: winner for winner, text in RESULTS.items()}
HUMANS = ("human", "human")
LARGEST = 1 << 20
LONGEST_KIND = 200

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]$')
_NUMBER = re.compile(r"\b\d+\.+(?=\s|\w|$)\s*")
_DATE = re.compile(r"\d{4}([-.])\d\d\1\d\d(?!\d)", re.ASCII)


class RecordError(BitduelError):
    """A text that is no record of a match; says where and why."""

    status = 1

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"Line {line}: {sentence}")
        self.line = line


@dataclass(frozen=True)
class Record:
    """All that a record tells of a match; the moves of a match in the dark are unseen until it is over."""

    game: str
    options: dict[str, Setting]
    moves: tuple[str, ...]
    outcome: Outcome | None
    first: int = 1
    deal: str | None = None
    names: Names = PLAYERS
    players: tuple[str, str] = HUMANS
    date: str = ""
    unread_date: str = ""
    """The date as it was written, where no calendar has that day."""

    def text(self) -> str:
        """The canonical text."""
        return "\n".join([*self._tags(), "", *self._movetext(), self._result(), ""])

    def match(self, make: Make) -> Match:
        """The match, played again; raises BitduelError where that is not possible."""
        if UNSEEN in self.moves:
            raise BitduelError("The moves of a match in the dark can be read only when it is over.")
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


def record(match: Match, names: Names = PLAYERS, players: tuple[str, str] = HUMANS, date: str = "") -> Record:
    """The record of a match; of one in the dark that still goes on, only what a spectator may see."""
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


def parse(text: str, make: Make) -> Record:
    """The record a text holds, replayed and checked; lenient in form, strict in content."""
    if len(text) > LARGEST:
        raise RecordError(1, "this is too long for the record of a match.")
    tags, moves, result = _read(text.removeprefix("\ufeff"))
    if "game" not in tags:
        raise RecordError(1, 'there is no tag that names the game, such as [Game "NAME"].')
    with _at(tags["game"][0]):
        make(tags["game"][1], {})
    with _at(tags.get("options", tags["game"])[0]):
        game = make(tags["game"][1], _options(tags.get("options", (0, ""))[1]))
    return _build(game, tags, moves, result)


def decode(raw: bytes) -> str:
    """The text of a file; raises RecordError at the first line that is not UTF-8."""
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise RecordError(number, "this is not UTF-8 text.") from None
        if b"\x00" in line:
            raise RecordError(number, "this is not UTF-8 text.")
    return raw.decode()


class _at:  # noqa: N801 - read as a phrase: with _at(line)
    """What goes wrong inside is said with the number of the line."""

    def __init__(self, line: int) -> None:
        self.line = max(line, 1)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BitduelError) and not isinstance(error, RecordError):
            raise RecordError(self.line, str(error)) from None


Tags = dict[str, tuple[int, str]]
Moves = list[tuple[int, str]]


def _read(text: str) -> tuple[Tags, Moves, tuple[int, str]]:
    """Tags, moves and result, each with its line."""
    tags: Tags = {}
    moves: Moves = []
    result = (0, "")
    for number, line in _lines(text):
        if line.startswith("["):
            name, value = _tag(number, line)
            if tags.get(name, (0, value))[1] != value:
                raise RecordError(number, f"{name} is said twice, and not the same.")
            tags.setdefault(name, (number, value))
            continue
        for token in _tokens(line):
            if result[1]:
                raise RecordError(number, f"there is more after the result: '{shown(token)}'.")
            if token in (*RESULTS.values(), OPEN):
                result = (number, token)
            else:
                moves.append((number, token))
    return tags, moves, result


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments, which stand in braces or after a semicolon, but never in a tag."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("[") and not inside:
            yield number, line.strip()
            continue
        kept = ""
        for part in re.split(r"([{};])", line):
            if part == ";" and not inside:
                break
            inside = part == "{" if part in ("{", "}") else inside
            kept += part if not inside and part != "}" else ""
        yield number, kept.strip()


def _tag(number: int, line: str) -> tuple[str, str]:
    found = _TAG.match(line)
    if not found:
        raise RecordError(number, f"""this is not a tag such as [Player1 "Ada"]: '{shown(line)}'.""")
    return found[1].lower(), re.sub(r"\\(.)", r"\1", found[2])


def _tokens(line: str) -> list[str]:
    words = [" ".join(part.lower().split()) for part in _NUMBER.sub(",", line).split(",")]
    parts = [piece for word in words for piece in _split_result(word)]
    return [part for part in parts if part]


def _split_result(word: str) -> list[str]:
    """A result may follow the last move without a comma."""
    head, _, last = word.rpartition(" ")
    return [head, last] if last in (*RESULTS.values(), OPEN) else [word]


def _options(text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        if options.setdefault(name, value) != value:
            raise BitduelError(f"{shown(name)} is said twice, and not the same.")
    return options


def _build(game: Game[Any], tags: Tags, moves: Moves, result: tuple[int, str]) -> Record:
    first = _first(tags)
    deal = tags.get("deal", (0, ""))
    with _at(deal[0]):
        match = Match(game, first, _deal(game, deal[1], moves))
    for line, text in moves:
        for move in _moves_in(text, game):
            if move == UNSEEN:
                raise RecordError(line, "the moves of a match in the dark can be read only when it is over.")
            with _at(line):
                match.play(move)
    _check_result(match, tags, result)
    with _at(tags.get("player1", (1, ""))[0]):
        names = check_names(*(tags.get(f"player{seat}", (0, None))[1] for seat in (1, 2)))
    kinds = [tags.get(f"kind{seat}", (0, ""))[1] or HUMANS[0] for seat in (1, 2)]
    written = tags.get("date", (0, ""))[1].strip()
    found = record(match, names, (_clean(kinds[0]), _clean(kinds[1])), _date(written))
    if written and not found.date and "?" not in written:  # as in PGN, a question mark stands for what is not known
        found = replace(found, unread_date=written)
    # What a text tells of a match that goes on is no secret of ours: it can be played on.
    if not (deal[1] or game.fixed_deal):
        return found
    return replace(found, moves=tuple(match.moves), deal=match.deal or None, options=game.options)


def _clean(kind: str) -> str:
    """What a seat's kind of player is called, if it can be printed."""
    return kind if kind.isprintable() and len(kind) <= LONGEST_KIND else HUMANS[0]


def _date(text: str) -> str:
    """Return the day that a text begins with, or "" if there is none; years begin at 2, for the sake of time zones."""
    found = _DATE.match(text)
    try:
        day = date.fromisoformat(found[0].replace(".", "-")) if found else date.min
        return day.isoformat() if day.year > 1 else ""
    except ValueError:
        return ""


def _first(tags: Tags) -> int:
    line, text = tags.get("first", (0, "1"))
    if text not in ("1", "2"):
        raise RecordError(line, f"First must be 1 or 2, not '{shown(text)}'.")
    return int(text)


def _moves_in(text: str, game: Game[Any]) -> Iterator[str]:
    """The moves of a stretch of text without commas, each as many words as make a move; or all of it, if none do."""
    known, words, at = {*game.moves, UNSEEN}, text.split(), 0
    counts = range(max(len(move.split()) for move in known), 0, -1)
    while at < len(words):
        pieces = (" ".join(words[at : at + count]) for count in counts)
        move = next((piece for piece in pieces if piece in known), None) or " ".join(words[at:])
        yield move
        at += move.count(" ") + 1


def _deal(game: Game[Any], deal: str, moves: Moves) -> str:
    if not game.chance:
        return ""
    if game.fixed_deal and deal not in ("", game.fixed_deal):
        raise BitduelError(f"'{shown(deal)}' was dealt, but the options chose '{game.fixed_deal}'.")
    if moves and not (deal or game.fixed_deal or any(UNSEEN in move for _, move in moves)):
        raise BitduelError(f'what was dealt is missing, such as [Deal "{next(iter(game.deals())).text}"].')
    return deal or game.any_deal()


def _check_result(match: Match, tags: Tags, result: tuple[int, str]) -> None:
    """What the text says of the result must be what the moves give, or a way to end that is in no rulebook."""
    tag = tags.get("result", (0, ""))
    if tag[1] and result[1] and tag[1] != result[1]:
        raise RecordError(result[0], f"the result is {result[1]} here, but the tag says {shown(tag[1])}.")
    for line, said in (tag, result):
        if not said:
            continue
        if said not in (*RESULTS.values(), OPEN):
            there_is = ", ".join((*RESULTS.values(), OPEN))
            raise RecordError(line, f"'{shown(said)}' is no result; there is: {there_is}.")
        outcome = Outcome(_WINNERS[said], tags.get("reason", (0, ""))[1].lower()) if said in _WINNERS else None
        if outcome and not match.outcome and can_be_claimed(outcome):
            match.conclude(outcome)
        given = RESULTS[match.outcome.winner] if match.outcome else OPEN
        if said != given:
            raise RecordError(line, f"the result says {said}, but the moves give {given}.")


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
