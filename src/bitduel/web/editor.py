"""Setting up a position: a form with a field for everything that stands somewhere, and the line that leads there."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, shown
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.shortest_path import UnknownPositionError, shortest_path

PLACED, TURN, MARK = "set-", "turn", "place"
"""The names of the fields, of whose turn it is, and of the button that says that a position is set."""
LONGEST = 40
LARGEST = 10**12
TURNS = dict(zip(map(str, SEATS), PLAYERS, strict=True)) | {"": "either"}
ORDER = {"1": "You move first", "2": "You move second"}
Placed = Mapping[str, list[str]]
"""What was filled in; a row of lamps sends one value for each that is lit."""


class EditorLamp(NamedTuple):
    """One bit of a row: what it counts, its place from the left, and whether it is on."""

    value: int
    place: int
    lit: bool


class EditorField(NamedTuple):
    """One field of a position: a number, a switch, or a row of lamps."""

    name: str
    label: str
    kind: str
    value: int
    high: int
    lamps: tuple[EditorLamp, ...] = ()


class Editor(NamedTuple):
    """The form, filled in with a position or with what a seat knows."""

    title: str
    places: tuple[EditorField, ...]
    turn: str
    turns: Mapping[str, str]
    options: Mapping[str, str]


def placed_in(items: Iterable[tuple[str, str]]) -> Placed | None:
    """What a query says of a position that is to be set; None where it sets none."""
    given = [(name, value[:LONGEST]) for name, value in items]
    if not any(name == MARK for name, _ in given):
        return None
    found: dict[str, list[str]] = {}
    for name, value in given:
        if name == TURN or name.startswith(PLACED):
            found.setdefault(name, []).append(value.strip())
    return found


def editor(match: Match, placed: Placed | None, options: Mapping[str, str]) -> Editor | None:
    """The form at the position of a match, or as it was filled in; None where positions cannot be looked up."""
    if not isinstance(_judge(match.game), TableEvaluator):
        return None
    position, turn = match.position, ""
    if placed is not None:
        values = [_lenient(placed.get(PLACED + name, [])) for name in position._fields]
        position, turn = type(position)(*values), _turn(placed)
    return Editor("Set up a position", _places(match.game, position), turn, TURNS, options)


def dark_editor(game: Game[Any], view: View, placed: Placed | None, options: Mapping[str, str]) -> Editor | None:
    """The form for what a seat knows, where the seats see different things and the game names what one can know."""
    if not (game.hidden and game.words.fields):
        return None
    seen = {name: getattr(view.board, name) for name in game.words.fields if name in view.board._fields}
    values = {name: int(look, 2) if isinstance(look, str) else int(look) for name, look in seen.items()}
    turn = str(view.seat)
    if placed is not None:
        values, turn = {name: _lenient(placed.get(PLACED + name, [])) for name in seen}, _turn(placed) or turn
    places = tuple(_place(game, name, values[name], _most(seen), look) for name, look in seen.items())
    return Editor("Set up what you know", places, turn, ORDER, options)


def dark_line(game: Game[Any], placed: Placed) -> tuple[list[str], str, str]:
    """The shortest line of own moves to what was filled in, a deal that fits it, and the seat whose line it is."""
    names = game.words.fields
    known = {name: _number(placed.get(PLACED + name, []), label) for name, label in names.items()}
    found = game.recall(known) if game.hidden else None
    if found is None:
        raise UnknownPositionError("Nobody can come to know just that by any line of moves.")
    return *found, _turn(placed) or "1"


def _most(seen: Mapping[str, object]) -> int:
    """The largest number that a row of digits makes."""
    return max(((1 << len(look)) - 1 for look in seen.values() if isinstance(look, str)), default=LARGEST)


def line(game: Game[Any], placed: Placed) -> list[str]:
    """The shortest line to the position that was filled in; raises BitduelError where there is none."""
    judge = _judge(game)
    if not isinstance(judge, TableEvaluator):
        raise BitduelError("Positions of this game are told by their moves.")
    names = game.words.fields
    values = [_number(placed.get(PLACED + name, []), names.get(name, name)) for name in game.start()._fields]
    turn = _turn(placed)
    return shortest_path(judge.solution.table, ",".join(map(str, values)), int(turn) if turn else None)


def _judge(game: Game[Any]) -> object:
    return evaluator_for(game) if game.transparent else None


def _turn(placed: Placed) -> str:
    turn = (placed.get(TURN) or [""])[0]
    return turn if turn in map(str, SEATS) else ""


def _number(texts: list[str], label: str) -> int:
    """A number, or lamps together; nothing lit is 0."""
    for text in texts:
        if not (text.isascii() and text.isdigit()):
            raise BitduelError(f"'{label}' takes a whole number, not '{shown(text)}'.")
    return sum(int(text) for text in set(texts))


def _lenient(texts: list[str]) -> int:
    """What can be shown again of something that was filled in."""
    return min(LARGEST, sum(int(text) for text in set(texts) if text.isascii() and text.isdigit()))


def _places(game: Game[Any], position: Any) -> tuple[EditorField, ...]:
    """How every field is shown follows from how a seat sees it: a row of digits, yes or no, else a number."""
    seen = game.observe(game.start(), True, False)
    looks = seen if len(seen) == len(position) else position
    fields = zip(position._fields, position, game.ranges, looks, strict=True)
    return tuple(_place(game, name, value, end - 1, look) for name, value, end, look in fields)


def _place(game: Game[Any], name: str, value: int, high: int, look: object) -> EditorField:
    label = game.words.fields.get(name, name.replace("_", " "))
    label = label[:1].upper() + label[1:]
    if isinstance(look, bool):
        return EditorField(PLACED + name, label, "switch", value, high)
    if isinstance(look, str):
        bits = [1 << place for place in reversed(range(len(look)))]
        lamps = tuple(EditorLamp(bit, place, bool(value & bit)) for place, bit in enumerate(bits, 1))
        return EditorField(PLACED + name, label, "lamps", value, high, lamps)
    return EditorField(PLACED + name, label, "number", value, high)
