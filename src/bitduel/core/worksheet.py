"""Printed material of a game as data: a worksheet, whose answers come from the solver, and pieces to cut out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import Evaluation, MoveEvaluation, Value, best_choices
from bitduel.core.game import Game
from bitduel.core.lesson import EvaluatorFor, LessonPosition
from bitduel.core.picture import Picture

NONE = "none"
"""The answer where nothing is to be marked."""
YOU_AND_OPPONENT = ("You", "Opponent")
"""The names of both sides on a board of a worksheet."""


class SheetError(BitduelError):
    """A sheet that a game does not have, or not with these settings."""


class MarkCell(NamedTuple):
    """Something to circle or leave alone."""

    text: str
    is_right: bool


class WorksheetItem(NamedTuple):
    """One part of a question: cells to circle, or a blank to fill in, with a board where there is one."""

    text: str = ""
    answer: str = ""
    """The words that belong in the blank; empty where cells are to be circled."""
    cells: tuple[MarkCell, ...] = ()
    position: LessonPosition | None = None
    """The position that the item is about, where it is about one."""
    is_drawn: bool = False
    """Whether the position is drawn."""

    @property
    def solution(self) -> str:
        """The answer in words."""
        if not self.cells:
            return self.answer
        return ", ".join(cell.text for cell in self.cells if cell.is_right) or NONE

    @property
    def picture(self) -> Picture | None:
        """The board to draw, seen by the player to move, without the signs that help beginners."""
        if self.position is None or not self.is_drawn:
            return None
        match = self.position.match
        names = YOU_AND_OPPONENT if match.next_seat == 1 else YOU_AND_OPPONENT[::-1]
        picture = match.game.picture(match.view(match.next_seat), names)
        rows = (row._replace(cells=tuple(cell._replace(is_safe=None) for cell in row.cells)) for row in picture.rows)
        return picture._replace(rows=tuple(rows))


@dataclass(frozen=True, kw_only=True)
class WorksheetQuestion:
    """A question of a worksheet."""

    topic: str
    """A name for what is asked, such as "good-to-leave", by which tests check the answers again."""
    prompt: str
    items: tuple[WorksheetItem, ...]
    why: str = ""
    """The reason, for the sheet with the answers."""
    is_long: bool = False
    """Whether each blank takes a line of its own."""
    is_star: bool = False
    """Whether the question goes beyond the lesson."""


@dataclass(frozen=True)
class Worksheet:
    """The worksheet of a game with its settings."""

    introduction: str
    """What a pupil has to know, besides the rules."""
    questions: tuple[WorksheetQuestion, ...]


class PaperStrip(NamedTuple):
    """Squares in rows to play on: a number strip, a track, or places for cards."""

    title: str
    squares: tuple[str, ...]
    per_row: int
    size: int
    """The side of a square, in millimetres."""
    is_wide: bool = False
    """Whether small squares leave more room below the number, to write in."""


class PaperCard(NamedTuple):
    """A card to cut out; one with a back is folded along its middle."""

    front: str
    back: str | None = None
    note: str = ""
    dots: int = 0
    """The dots to draw on the front."""


class PaperCards(NamedTuple):
    """Cards of one size to cut out."""

    title: str
    cards: tuple[PaperCard, ...]
    width: int
    height: int
    """The size of a card, in millimetres; that of one side, where it is folded."""


class UnpluggedGame(NamedTuple):
    """A game without a computer: how it is played, and the parts to cut out."""

    material: str
    steps: tuple[str, ...]
    whole_class: str
    """How a whole class plays it together."""
    parts: tuple[PaperStrip | PaperCards, ...]


@runtime_checkable
class HasWorksheet(Protocol):
    """A game with a worksheet and an unplugged version."""

    def worksheet(self, evaluator_for: EvaluatorFor) -> Worksheet:
        """Return the worksheet for these settings; raise SheetError where they do not suit one."""

    def unplugged(self) -> UnpluggedGame:
        """Return the version to cut out for these settings; raise SheetError where they do not suit one."""


class SheetEvaluator:
    """The evaluations of positions, as the questions of a worksheet need them."""

    def __init__(self, evaluator_for: EvaluatorFor) -> None:
        self.evaluator_for = evaluator_for

    def choices(self, position: LessonPosition) -> list[MoveEvaluation]:
        """Return every legal move with its evaluation."""
        match = position.match
        return self.evaluator_for(position.game).choices(match.view(match.next_seat))

    def evaluation(self, position: LessonPosition) -> Evaluation:
        """Return the evaluation of a position for the player to move."""
        return best_choices(self.choices(position))[0].evaluation

    def value(self, position: LessonPosition) -> Value | None:
        """Return win, draw or loss for the player to move."""
        return self.evaluation(position).value

    def moves(self, position: LessonPosition, *values: Value) -> list[str]:
        """Return the legal moves with one of some values."""
        return [choice.move for choice in self.choices(position) if choice.evaluation.value in values]


def cells(texts: Iterable[object], is_right: Callable[[Any], bool]) -> tuple[MarkCell, ...]:
    """Return cells to circle, right where a condition holds."""
    return tuple(MarkCell(str(text), is_right(text)) for text in texts)


def blanks(pairs: Iterable[tuple[object, object]]) -> tuple[WorksheetItem, ...]:
    """Return blanks, each after a text."""
    return tuple(WorksheetItem(str(text), str(answer)) for text, answer in pairs)


def spread(numbers: Sequence[int], count: int) -> list[int]:
    """Return a few of some numbers, evenly spread, with the first and the last."""
    if len(numbers) <= count:
        return list(numbers)
    return [numbers[round(at * (len(numbers) - 1) / (count - 1))] for at in range(count)]


def check_size(name: str, value: int, low: int, high: int) -> None:
    """Raise SheetError where a size does not suit a printed sheet."""
    if not low <= value <= high:
        raise SheetError(f"To print sheets, {name} must be from {low} to {high}, not {value}.")


def game_worksheet(game: Game[Any], evaluator_for: EvaluatorFor) -> Worksheet:
    """Return the worksheet of a game; raise SheetError where it has none."""
    if not isinstance(game, HasWorksheet):
        raise SheetError(f"There is no worksheet for {game.title} yet.")
    return game.worksheet(evaluator_for)


def unplugged_game(game: Game[Any]) -> UnpluggedGame:
    """Return the unplugged version of a game; raise SheetError where it has none."""
    if not isinstance(game, HasWorksheet):
        raise SheetError(f"There is no unplugged version of {game.title} yet.")
    return game.unplugged()
