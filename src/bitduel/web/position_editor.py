"""The form that sets up a position: a field for every part of it, and the shortest line of moves that leads there."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.table import UnknownPositionError, shortest_path

PREFIX, TURN, SUBMIT = "set-", "turn", "place"
"""The names of the fields, of the player to move, and of the button."""
LONGEST = 40
LARGEST = 10**12
TURNS = dict(zip(map(str, SEATS), PLAYERS, strict=True)) | {"": "either"}
ORDER = {"1": "You move first", "2": "You move second"}
PositionForm = Mapping[str, list[str]]
"""The fields of a submitted form; a row of bits has one value for each bit that is on."""


class EditorField(NamedTuple):
    """One field of a position: a number, a switch, or a row of bits."""

    name: str
    label: str
    kind: str
    value: int
    high: int
    width: int = 0
    """The number of bits in a row of bits."""


class PositionEditor(NamedTuple):
    """The form, filled in with a position or with what a player knows."""

    title: str
    fields: tuple[EditorField, ...]
    turn: str
    turns: Mapping[str, str]
    options: Mapping[str, str]


def submitted_form(items: Iterable[tuple[str, str]]) -> PositionForm | None:
    """Return the fields of a query that sets up a position; None for any other query."""
    fields = [(name, value[:LONGEST]) for name, value in items]
    if not any(name == SUBMIT for name, _ in fields):
        return None
    form: dict[str, list[str]] = {}
    for name, value in fields:
        if name == TURN or name.startswith(PREFIX):
            form.setdefault(name, []).append(value.strip())
    return form


def position_editor(match: Match, form: PositionForm | None, options: Mapping[str, str]) -> PositionEditor | None:
    """Return the form at a match's position or as it was submitted; None if positions cannot be looked up."""
    if _table_evaluator(match.game) is None:
        return None
    position, turn = match.position, ""
    if form is not None:
        values = [_lenient_number(form.get(PREFIX + name, [])) for name in position._fields]
        position, turn = type(position)(*values), _turn(form)
    return PositionEditor("Set up a position", _fields(match.game, position), turn, TURNS, options)


def knowledge_editor(
    game: Game[Any], view: View, form: PositionForm | None, options: Mapping[str, str]
) -> PositionEditor | None:
    """Return the form for what a player knows, in a game with hidden information that names what can be known."""
    if not (game.is_hidden and game.words.fields):
        return None
    seen = {name: getattr(view.board, name) for name in game.words.fields if name in view.board._fields}
    values = {name: int(shape, 2) if isinstance(shape, str) else int(shape) for name, shape in seen.items()}
    turn = str(view.seat)
    if form is not None:
        values = {name: _lenient_number(form.get(PREFIX + name, [])) for name in seen}
        turn = _turn(form) or turn
    high = max(((1 << len(shape)) - 1 for shape in seen.values() if isinstance(shape, str)), default=LARGEST)
    fields = tuple(_field(game, name, values[name], high, shape) for name, shape in seen.items())
    return PositionEditor("Set up what you know", fields, turn, ORDER, options)


def line_to_knowledge(game: Game[Any], form: PositionForm) -> tuple[list[str], str, str]:
    """Return the shortest line of a player's own moves to what was submitted, a deal that fits, and the seat."""
    known = {name: _number(form.get(PREFIX + name, []), label) for name, label in game.words.fields.items()}
    recalled = game.moves_to_see(known) if game.is_hidden else None
    if recalled is None:
        raise UnknownPositionError("No sequence of moves leads to exactly this knowledge.")
    return *recalled, _turn(form) or "1"


def line_to_position(game: Game[Any], form: PositionForm) -> list[str]:
    """Return the shortest line to the position that was submitted; raise BitduelError if there is none."""
    labels = game.words.fields
    values = [_number(form.get(PREFIX + name, []), labels.get(name, name)) for name in game.start()._fields]
    turn = _turn(form)
    return line_to_key(game, ",".join(map(str, values)), int(turn) if turn else None)


def line_to_key(game: Game[Any], key: str, seat: int | None = None) -> list[str]:
    """Return the shortest line to the position with a key; raise BitduelError if there is none."""
    evaluator = _table_evaluator(game)
    if evaluator is None:
        raise BitduelError("In this game, a position is described by the moves that led to it.")
    return shortest_path(evaluator.solution.table, key, seat)


def _table_evaluator(game: Game[Any]) -> TableEvaluator | None:
    evaluator = evaluator_for(game) if game.has_perfect_information else None
    return evaluator if isinstance(evaluator, TableEvaluator) else None


def _turn(form: PositionForm) -> str:
    turn = (form.get(TURN) or [""])[0]
    return turn if turn in map(str, SEATS) else ""


def _number(texts: list[str], label: str) -> int:
    """Return a number, or the sum of the bits that are on."""
    for text in texts:
        if not (text.isascii() and text.isdigit()):
            raise BitduelError(f"'{label}' must be a whole number, not '{printable(text)}'.")
    return sum(int(text) for text in set(texts))


def _lenient_number(texts: list[str]) -> int:
    return min(LARGEST, sum(int(text) for text in set(texts) if text.isascii() and text.isdigit()))


def _fields(game: Game[Any], position: Any) -> tuple[EditorField, ...]:
    seen = game.observe(game.start(), True, False)
    shapes = seen if len(seen) == len(position) else position
    parts = zip(position._fields, position, game.ranges, shapes, strict=True)
    return tuple(_field(game, name, value, end - 1, shape) for name, value, end, shape in parts)


def _field(game: Game[Any], name: str, value: int, high: int, shape: object) -> EditorField:
    """Return a field whose kind follows from what a player sees: a text of bits, a truth value, or a number."""
    label = game.words.fields.get(name, name.replace("_", " "))
    label = label[:1].upper() + label[1:]
    if isinstance(shape, bool):
        return EditorField(PREFIX + name, label, "switch", value, high)
    if isinstance(shape, str):
        return EditorField(PREFIX + name, label, "bits", value, high, len(shape))
    return EditorField(PREFIX + name, label, "number", value, high)
