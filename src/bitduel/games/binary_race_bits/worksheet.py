"""The worksheet and the unplugged version of Binary Race with Bits, for any rows and readings."""

from collections.abc import Iterable, Sequence

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.game import DRAWN, OPEN
from bitduel.core.lesson import EvaluatorFor, LessonPosition
from bitduel.core.worksheet import (
    PaperCard,
    PaperCards,
    PaperStrip,
    SheetError,
    SheetEvaluator,
    UnpluggedGame,
    Worksheet,
    WorksheetItem,
    WorksheetQuestion,
    cells,
    check_size,
    spread,
)
from bitduel.games.binary_race_bits.puzzles import reachable, settled_positions
from bitduel.games.binary_race_bits.rules import BitsPosition, BitsRules
from bitduel.games.binary_race_bits.words import DRAWN as DRAWN_LAW
from bitduel.games.binary_race_bits.words import spaced

FEWEST, MOST = 3, 6
"""The bits for which sheets can be printed."""
MOST_ROWS = 10
"""Rows to circle."""
ENDLESS = "Nobody can force a win; with perfect play it can go on for ever"
"""Who wins, where no position ends a match by coming up again."""

SETTLED = {
    "turn": " In these questions, both first turns are over.",
    "flip": " In these questions, both players have made their first flip.",
}
"""What is past in all questions, by the reading of the first move."""


def bits_worksheet(game: BitsRules, evaluator_for: EvaluatorFor) -> Worksheet:
    """Return the worksheet of two rows of bits with their settings."""
    return _BitsWorksheet(game, evaluator_for).worksheet()


class _BitsWorksheet:
    """The questions about rows of one length, and about longer ones."""

    def __init__(self, game: BitsRules, evaluator_for: EvaluatorFor) -> None:
        _check_settings(game)
        self.game, self.solver = game, SheetEvaluator(evaluator_for)
        self.settled = [self._at(game, position) for position, _ in settled_positions(game)]
        self.with_wins = [position for position in self.settled if self.solver.value(position) == WIN]
        self.alarms = [position for position in self.settled if self._has_alarm(position)]

    def worksheet(self) -> Worksheet:
        """Return all questions that these settings give."""
        introduction = f"The bits are numbered from the left.{SETTLED.get(str(self.game.first_move), '')}"
        questions = [
            self._moves_that_win(),
            self._moves_that_hold(),
            self._possible_rows(),
            self._resettable(),
            self._counts(),
            self._losing_at_once(),
            self._empty_rows(),
            self._best_play(),
            self._longer_rows(),
        ]
        return Worksheet(introduction, tuple(question for question in questions if question is not None))

    def _at(self, game: BitsRules, position: BitsPosition) -> LessonPosition:
        lines = reachable(game)
        return LessonPosition(game, next(lines[position, seat] for seat in (1, 2) if (position, seat) in lines))

    def _has_alarm(self, position: LessonPosition) -> bool:
        values = {choice.evaluation.value for choice in self.solver.choices(position)}
        return values == {DRAW, LOSS}

    def _boards(self, positions: Sequence[LessonPosition], count: int, *values: object) -> tuple[WorksheetItem, ...]:
        shown = [positions[at] for at in spread(range(len(positions)), count)]
        return tuple(self._board(position, values) for position in shown)

    def _board(self, position: LessonPosition, values: Iterable[object]) -> WorksheetItem:
        right = {choice.move for choice in self.solver.choices(position) if choice.evaluation.value in values}
        marked = cells(position.match.legal, lambda move: move in right)
        return WorksheetItem(cells=marked, position=position, is_drawn=True)

    def _moves_that_win(self) -> WorksheetQuestion | None:
        if not self.with_wins:
            return None
        return WorksheetQuestion(
            topic="moves-that-win",
            prompt="It is your move. Circle the move that wins.",
            items=self._boards(self.with_wins[::-1], 2, WIN),
            why="One bit is missing, and it is next to a 1.",
        )

    def _moves_that_hold(self) -> WorksheetQuestion | None:
        if not self.alarms:
            return None
        return WorksheetQuestion(
            topic="moves-that-hold",
            prompt="Your opponent is one bit short, and it is your move. Circle every move after which your opponent "
            "cannot win with the next move.",
            items=self._boards(self.alarms, 3, DRAW),
            why="Only a reset helps, and one beside the missing bit always does.",
        )

    def _possible_rows(self) -> WorksheetQuestion:
        size = self.game.bits
        possible = {row for position, _ in reachable(self.game) for row in (position.mine, position.theirs)}
        others = [row for row in range(1 << size) if row not in possible]
        chosen = spread(others, MOST_ROWS // 2)
        chosen += spread(sorted(possible - {0, self.game.full}), MOST_ROWS - len(chosen))
        rows = [format(row, f"0{size}b") for row in sorted(chosen, key=lambda row: (row * 7 + 3) % (1 << size))]
        return WorksheetQuestion(
            topic="possible-rows",
            prompt="Circle every row that can occur in a match.",
            items=(
                WorksheetItem(cells=cells(map(spaced, rows), lambda row: int(row.replace(" ", ""), 2) in possible)),
            ),
            why="A flip adds a 1 beside a 1, and a reset takes away a 1 at an end. So the 1s always form one block.",
        )

    def _resettable(self) -> WorksheetQuestion:
        size = self.game.bits
        rows = ["0" + "1" * (size - 1), "0" + "1" * (size - 2) + "0", "1" * (size - 1) + "0"]
        items = []
        for row in rows:
            can = self.game.resettable(int(row, 2))
            places = [place for place, bit in self.game.bit_of.items() if can & bit]
            items.append(WorksheetItem(spaced(row), cells=cells(self.game.bit_of, places.__contains__)))
        return WorksheetQuestion(
            topic="resettable",
            prompt="Your opponent has these rows. Circle the number of every bit that you can reset.",
            items=tuple(items),
        )

    def _counts(self) -> WorksheetQuestion | None:
        """Ask how many 1s the other row has, where the first player's row leaves only one answer."""
        counts: dict[tuple[int, int], set[int]] = {}
        for position, seat in reachable(self.game):
            if self.game.verdict(position) == OPEN:
                mine, theirs = position.mine.bit_count(), position.theirs.bit_count()
                first, second = (mine, theirs) if seat == 1 else (theirs, mine)
                counts.setdefault((seat, first), set()).add(second)
        known = [(*key, min(seconds)) for key, seconds in sorted(counts.items()) if len(seconds) == 1]
        asked = [each for turn in (2, 1) for each in [one for one in known if one[0] == turn and one[1] > 1][-2:]]
        if not asked:
            return None
        return WorksheetQuestion(
            topic="counts",
            prompt="Player 1 went first. How many 1s does Player 2 have?",
            items=tuple(
                WorksheetItem(f"It is Player {seat}'s turn, and Player 1 has {_ones(first)}:", str(only))
                for seat, first, only in asked
            ),
            why="Every turn gains one: a flip adds a 1 of your own, and a reset takes one from your opponent.",
        )

    def _losing_at_once(self) -> WorksheetQuestion | None:
        """Ask how many moves let the opponent win: none from far away, most of them at an alarm."""
        calm = [position for position in self.settled if self._is_calm(position)]
        shown = [*calm[-1:], *self.alarms[1:2]]
        if not shown:
            return None
        items = []
        for position in shown:
            losing = len(self.solver.moves(position, LOSS))
            items.append(WorksheetItem("Moves:", str(losing), position=position, is_drawn=True))
        return WorksheetQuestion(
            topic="losing-moves",
            prompt="It is your move. How many of your moves let your opponent win with the next move?",
            items=tuple(items),
            why="Nobody can fill two missing bits in one turn.",
        )

    def _is_calm(self, position: LessonPosition) -> bool:
        board = position.match.view(position.match.next_seat).board
        return bool(board.theirs.count("0") == 2 and len(position.match.legal) > 2)

    def _empty_rows(self) -> WorksheetQuestion | None:
        nothing = BitsPosition(0, 0, 0, 0)
        if self.game.verdict(nothing) != DRAWN or not any(position == nothing for position, _ in reachable(self.game)):
            return None
        return WorksheetQuestion(
            topic="empty-rows",
            prompt="Both rows are empty again: no 1 anywhere. What happens now, and why?",
            items=(
                WorksheetItem(
                    "", "A draw. Nobody can flip, because no bit is next to a 1, and there is nothing to reset."
                ),
            ),
            is_long=True,
        )

    def _best_play(self) -> WorksheetQuestion:
        start = LessonPosition(self.game)
        value = self.solver.value(start)
        drawn = "Nobody: it is a draw" if self.game.repetition else ENDLESS
        answers = {WIN: "The first player", LOSS: "The second player", DRAW: drawn}
        return WorksheetQuestion(
            topic="best-play",
            prompt="Both players play perfectly. Who wins? Give your reason.",
            items=(WorksheetItem("", answers[value or DRAW], position=start),),
            why=DRAWN_LAW.why,
            is_long=True,
        )

    def _longer_rows(self) -> WorksheetQuestion | None:
        game = type(self.game)(**{**self.game.options, "bits": self.game.bits + 1})
        almost = game.full - 1
        for position, _ in settled_positions(game):
            if position.theirs == almost and position.mine.bit_count() < game.bits - 1:
                at = self._at(game, position)
                if self._has_alarm(at):
                    return WorksheetQuestion(
                        topic="moves-that-hold",
                        prompt=f"Now each row has {game.bits} bits. It is your move. Circle every move after which "
                        "your opponent cannot win with the next move.",
                        items=(self._board(at, (DRAW,)),),
                        is_star=True,
                    )
        return None


def _ones(count: int) -> str:
    return "one 1" if count == 1 else f"{('', '', 'two', 'three', 'four', 'five', 'six')[count]} 1s"


def _check_settings(game: BitsRules) -> None:
    check_size("bits", game.bits, FEWEST, MOST)
    if game.first_move == "game":
        raise SheetError(
            "There are no sheets for this variant: if only the very first flip may be anywhere, the second player can "
            "only reset it, and the game is over."
        )


def bits_unplugged(game: BitsRules) -> UnpluggedGame:
    """Return two strips with a place for each bit, and bits that are folded to have two sides."""
    _check_settings(game)
    places = tuple(game.bit_of)
    tiles = tuple(PaperCard("0", back="1") for _ in range(2 * game.bits))
    rules = game.words.rules()
    return UnpluggedGame(
        material=f"For each pair: two strips, {2 * game.bits} bits to fold, scissors and glue.",
        steps=(
            "Cut out the strips and the bits. Fold each bit along the line and glue it: 0 on one side, 1 on the other.",
            f"Each player lays {game.bits} bits on a strip, all with the 0 up.",
            *rules[1:],
        ),
        whole_class=f"{2 * game.bits} pupils make two rows on chairs. Standing is 1, sitting is 0. Two teams "
        f"take turns to call a flip or a reset by its number. A row of {game.bits} standing pupils wins.",
        parts=(
            PaperStrip("Player 1", places, game.bits, 22),
            PaperStrip("Player 2", places, game.bits, 22),
            PaperCards("Bits to fold", tiles, width=22, height=22),
        ),
    )
