"""The rows of games.jsonl: one JSON object per game, written fast and read one after another."""

import json
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from bitduel.arena.regret import MatchScores
from bitduel.arena.schedule import ScheduledGame
from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import PASS, Game
from bitduel.core.outcomes import Outcome
from bitduel.players.player import CachedPolicy, Player
from bitduel.players.spec import BOT

GAMES = "games.jsonl"
"""The file of a run's folder that has a row for each game."""

MAX_LINE = 4 << 20
MAX_NUMBER = 1e12
ROUNDING = 1e-6
"""The error allowed in a sum of rounded numbers."""

encode = json.JSONEncoder(check_circular=False).encode
quoted = lru_cache(maxsize=1 << 12)(encode)
"""Texts that occur often, or null."""

NO_STATEMENTS = '"tokens": [null, null], "faults": [{}, {}], "isolated": [null, null]'
"""The part of a row for players that state nothing about themselves."""


class RowPrefix(NamedTuple):
    """The text that all rows of two players in one game have in common."""

    text: str
    seed: int
    has_plain_moves: bool
    """Whether every move needs no escaping in JSON."""

    @classmethod
    def of(cls, game: Game[Any], one: str, two: str, seed: int) -> "RowPrefix":
        """Return the prefix for the players on seats 1 and 2."""
        shared = {"game": game.slug, "options": dict(game.options), "seats": [one, two], "first": 1}
        plain = all(encode(move) == f'"{move}"' for move in (*game.moves, PASS))
        return cls(encode(shared)[1:-1], seed, plain)


class EncodedMoves(NamedTuple):
    """The moves of a game and their losses, as text."""

    moves: str
    scores: str

    @classmethod
    def of(cls, moves: list[str], scores: MatchScores, plain: bool) -> "EncodedMoves":
        """Write what json.dumps would, but faster: lists of numbers look alike in Python and in JSON."""
        losses, (r1, r2), (d1, d2), (b1, b2), held = scores
        kept = "null"
        if held:
            (h1, of1), (h2, of2) = held
            kept = f"[[{h1}, {of1}], [{h2}, {of2}]]"
        return cls(
            '["' + '", "'.join(moves) + '"]' if plain and moves else encode(moves),
            f'"regret": [{r1}, {r2}], "decisions": [{d1}, {d2}], "blunders": [{b1}, {b2}], "held": {kept}, '
            f'"losses": {_number_list(losses)}',
        )


def encode_row(
    prefix: RowPrefix,
    game_id: str,
    scheduled: ScheduledGame,
    deal: str,
    outcome: Outcome,
    fault: str | None,
    encoded: EncodedMoves,
    luck: float | None,
    players: tuple[Player, Player],
    seconds: list[float],
) -> str:
    """Return the row of a game, as json.dumps writes it but faster."""
    winner, reason = outcome
    t1, t2 = seconds
    return (
        f'{{"id": "{game_id}", {prefix.text}, "deal": {quoted(deal or None)}, "moves": {encoded.moves}, '
        f'"winner": {winner or "null"}, "reason": {quoted(reason)}, "fault": {quoted(fault)}, '
        f'{encoded.scores}, "luck": {"null" if luck is None else luck}, {_statements(players)}, '
        f'"round": {scheduled.round}, "swapped": {"true" if scheduled.swapped else "false"}, '
        f'"seed": {prefix.seed}, "seconds": [{t1:.6f}, {t2:.6f}]}}'
    )


def _statements(players: tuple[Player, Player]) -> str:
    """Return the tokens that players used, their faults that did not end the game, and whether they were isolated."""
    if isinstance(players[0], CachedPolicy) and isinstance(players[1], CachedPolicy):
        return NO_STATEMENTS
    tokens = [_tokens(player) for player in players]
    faults = [getattr(player, "faults", None) or {} for player in players]
    isolated = [getattr(player, "isolated", None) for player in players]
    return f'"tokens": {_number_list(tokens)}, "faults": {encode(faults)}, "isolated": {encode(isolated)}'


def _tokens(player: Player) -> int | None:
    used = getattr(player, "tokens", None)
    return getattr(used, "total", used)


def _number_list(numbers: list[Any]) -> str:
    return f"{numbers}".replace("None", "null") if None in numbers else f"{numbers}"


class RowError(BitduelError):
    """A row that cannot be read, or a folder without any."""

    status = 1


class GameRecord(NamedTuple):
    """One game that was played; the fields are those of its row."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[str]
    deal: str | None
    moves: list[str]
    winner: int | None
    reason: str
    fault: str | None
    regret: list[float]
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
    seconds: list[float]

    @property
    def title(self) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """The game with its options, as a key."""
        return self.game, tuple(self.options.items())


SCALARS = {str, int, float, bool, type(None)}
_decode = json.JSONDecoder().decode
_fields = itemgetter(*GameRecord._fields)


def games_file(folder: Path) -> Path:
    """Return the file with the rows of a run; raise RowError if there is none."""
    path = folder / GAMES
    if not path.is_file():
        raise RowError(f"There is no {GAMES} in '{printable(str(folder), 80)}', so there is no run to report.")
    return path


def read_rows(path: Path) -> Iterator[GameRecord]:
    """Yield every row of a file; an incomplete last line, from a run that was cut short, is ignored."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE):
                number += 1
                is_whole = line.endswith(b"\n")
                try:
                    yield parse_row(line)
                except RowError as error:
                    if not is_whole and not file.read(1):
                        return
                    raise RowError(f"Line {number} of {path.name} {error}.") from None
    except OSError as error:
        raise RowError(f"'{printable(str(path), 80)}' can't be read: {error.strerror}.") from None


def parse_row(line: bytes | str) -> GameRecord:
    """Read one row; raise RowError with what is wrong, as the rest of a sentence."""
    try:
        data = _decode(line if isinstance(line, str) else line.decode())
    except (ValueError, RecursionError):
        raise RowError("is not JSON") from None
    if isinstance(data, dict) and "isolated" not in data:
        data["isolated"] = _assumed_isolation(data.get("seats"))
    try:
        row = GameRecord._make(_fields(data))
    except KeyError as missing:
        raise RowError(f"has no '{missing.args[0]}'") from None
    except TypeError:
        raise RowError("is not a JSON object") from None
    if not _is_sound(row):
        raise RowError(f"has an impossible value: {_unsound_field(row)}")
    return row


def _assumed_isolation(seats: object) -> list[bool | None]:
    """Return the isolation of an older row, which does not state it: its bots count as not isolated."""
    names = seats if isinstance(seats, list) and len(seats) == 2 else ("", "")
    return [False if str(name).startswith(f"{BOT}:") else None for name in names]


def _is_sound(row: GameRecord) -> bool:
    """Return whether all values have the types and ranges of a row."""
    try:
        return _has_sound_seats(row) and (
            isinstance(row.game, str)
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
            and (row.luck is None or -1 <= row.luck <= 1)
            and set(map(type, row.options.values())) <= SCALARS
            and set(map(type, row.moves)) <= {str}
            and not [loss for loss in row.losses if loss is not None and not 0 <= loss <= 1]
        )
    except (TypeError, ValueError, AttributeError):
        return False


def _has_sound_seats(row: GameRecord) -> bool:
    if row.held is not None:
        (kept_1, had_1), (kept_2, had_2) = row.held
        if not 0 <= kept_1 <= had_1 <= MAX_NUMBER or not 0 <= kept_2 <= had_2 <= MAX_NUMBER:
            return False
    lists = row.seats, row.regret, row.decisions, row.blunders, row.seconds, row.tokens, row.faults, row.isolated
    for name, regret, decisions, blunders, seconds, tokens, faults, isolated in zip(*lists, strict=True):
        if not (
            isinstance(name, str)
            and 0 <= regret <= decisions + ROUNDING
            and 0 <= blunders <= decisions <= MAX_NUMBER
            and 0 <= seconds <= MAX_NUMBER
            and (tokens is None or 0 <= tokens <= MAX_NUMBER)
            and not (faults and not all(0 <= count <= MAX_NUMBER for count in faults.values()))
            and (isolated is None or isinstance(isolated, bool))
        ):
            return False
    return len(row.seats) == 2


def _unsound_field(row: GameRecord) -> str:
    """Return the first unsound field, found by putting the fields into a sound row one at a time."""
    sound = GameRecord("", "", {}, ["", ""], None, [], None, "", None, [0, 0], [0, 0], [0, 0], None, [], None,
                [None, None], [{}, {}], [None, None], 0, False, [0, 0])  # fmt: skip
    for name in GameRecord._fields:
        related = ("moves", "losses") if name in ("moves", "losses") else ("decisions", "blunders", "regret")
        names = related if name in related else (name,)
        if not _is_sound(sound._replace(**{each: getattr(row, each) for each in names})):
            return f"{name} is {printable(json.dumps(getattr(row, name), default=str))}"
    return f"{len(GameRecord._fields)} fields"
