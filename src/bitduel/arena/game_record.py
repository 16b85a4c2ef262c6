"""The rows of a run: one game a line, read one after the other, however many there are."""

import json
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, shown
from bitduel.players.spec import BOT

GAMES = "games.jsonl"
"""The file of a run's folder that has a row for each game."""

LONGEST_LINE = 4 << 20
MOST = 1e12
"""No number in a row is larger."""

ROUNDED = 1e-6
"""By so much a sum of rounded numbers may be off."""

Numbers = list[float]


class RowError(BitduelError):
    """A row that cannot be read, or a folder without any."""

    status = 1


class GameRecord(NamedTuple):
    """One game that was played."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[str]
    deal: str | None
    moves: list[str]
    winner: int | None
    reason: str
    fault: str | None
    regret: Numbers
    decisions: list[int]
    blunders: list[int]
    held: list[list[int]] | None
    losses: list[float | None]
    luck: float | None
    tokens: list[int | None]
    faults: list[dict[str, int]]
    isolated: list[bool | None]
    round: int
    swapped: bool
    seconds: Numbers

    @property
    def title(self) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """The game with its options, as a key."""
        return self.game, tuple(self.options.items())


SCALARS = {str, int, float, bool, type(None)}
TEXT = {str}
FIELDS = GameRecord._fields
_decode = json.JSONDecoder().decode
_fields = itemgetter(*FIELDS)


def games_file(folder: Path) -> Path:
    """Where the rows of a run are; raises RowError where there are none."""
    path = folder / GAMES
    if not path.is_file():
        raise RowError(f"There is no {GAMES} in '{shown(str(folder), 80)}', so no run to report on.")
    return path


def read(path: Path) -> Iterator[GameRecord]:
    """Every row of a file; what was torn off at its end, by a run that was cut short, is ignored."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                whole = line.endswith(b"\n")
                try:
                    yield parse(line)
                except RowError as error:
                    if not whole and not file.read(1):
                        return
                    raise RowError(f"Line {number} of {path.name} {error}.") from None
    except OSError as error:
        raise RowError(f"'{shown(str(path), 80)}' cannot be read: {error.strerror}.") from None


def parse(line: bytes) -> GameRecord:
    """One row; raises RowError with what is wrong in the rest of a sentence."""
    try:
        data = _decode(line.decode())
    except (ValueError, RecursionError):
        raise RowError("is no JSON") from None
    if isinstance(data, dict) and "isolated" not in data:
        data["isolated"] = _unknown(data.get("seats"))
    try:
        row = GameRecord._make(_fields(data))
    except KeyError as missing:
        raise RowError(f"has no '{missing.args[0]}'") from None
    except TypeError:
        raise RowError("is no JSON object") from None
    try:
        sound = _is_sound(row)
    except (TypeError, ValueError, AttributeError):
        sound = False
    if not sound:
        raise RowError(f"has a value that no row can have: {_odd(row)}")
    return row


def _unknown(seats: object) -> list[bool | None]:
    """What an older row does not say: nobody knows whether its bots were isolated, so they were not."""
    names = seats if isinstance(seats, list) and len(seats) == 2 else ("", "")
    return [False if str(name).startswith(f"{BOT}:") else None for name in names]


def _is_sound(row: GameRecord) -> bool:
    """Whether what is counted has the form that is counted; TypeError and ValueError mean no."""
    one, two = row.seats
    regret_1, regret_2 = row.regret
    decisions_1, decisions_2 = row.decisions
    blunders_1, blunders_2 = row.blunders
    seconds_1, seconds_2 = row.seconds
    tokens_1, tokens_2 = row.tokens
    faults_1, faults_2 = row.faults
    isolated_1, isolated_2 = row.isolated
    if row.held is not None:
        (kept_1, had_1), (kept_2, had_2) = row.held
        if not 0 <= kept_1 <= had_1 <= MOST or not 0 <= kept_2 <= had_2 <= MOST:
            return False
    return (
        isinstance(one, str)
        and isinstance(two, str)
        and isinstance(row.game, str)
        and isinstance(row.reason, str)
        and isinstance(row.id, str)
        and isinstance(row.round, int)
        and row.swapped in (True, False)
        and row.winner in (1, 2, None)
        and (row.fault is None or isinstance(row.fault, str))
        and (row.deal is None or isinstance(row.deal, str))
        and isinstance(row.moves, list)
        and isinstance(row.losses, list)
        and len(row.losses) == len(row.moves)
        and 0 <= regret_1 <= decisions_1 + ROUNDED
        and 0 <= regret_2 <= decisions_2 + ROUNDED
        and (isolated_1 is None or isinstance(isolated_1, bool))
        and (isolated_2 is None or isinstance(isolated_2, bool))
        and 0 <= blunders_1 <= decisions_1 <= MOST
        and 0 <= blunders_2 <= decisions_2 <= MOST
        and 0 <= seconds_1 <= MOST
        and 0 <= seconds_2 <= MOST
        and (tokens_1 is None or 0 <= tokens_1 <= MOST)
        and (tokens_2 is None or 0 <= tokens_2 <= MOST)
        and (row.luck is None or -1 <= row.luck <= 1)
        and not (faults_1 and not all(0 <= count <= MOST for count in faults_1.values()))
        and not (faults_2 and not all(0 <= count <= MOST for count in faults_2.values()))
        and set(map(type, row.options.values())) <= SCALARS
        and set(map(type, row.moves)) <= TEXT
        and not [loss for loss in row.losses if loss is not None and not 0 <= loss <= 1]
    )


def _odd(row: GameRecord) -> str:
    """The first field that makes a row unsound, found by putting a sound one in its place."""
    sound = GameRecord("", "", {}, ["", ""], None, [], None, "", None, [0, 0], [0, 0], [0, 0], None, [], None,
                [None, None], [{}, {}], [None, None], 0, False, [0, 0])  # fmt: skip
    plain = sound._asdict()
    for name in FIELDS:
        together = ("moves", "losses") if name in ("moves", "losses") else ("decisions", "blunders", "regret")
        names = together if name in together else (name,)
        tried = sound._replace(**{each: getattr(row, each) for each in names})
        try:
            if _is_sound(tried):
                continue
        except (TypeError, ValueError, AttributeError):
            pass
        return f"{name} is {shown(json.dumps(getattr(row, name), default=str))}"
    return f"{len(plain)} fields"
