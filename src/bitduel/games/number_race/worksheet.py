"""Worksheets and unplugged versions of the number races, for any numbers."""

from collections.abc import Iterable, Sequence

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.lesson import EvaluatorFor, LessonPosition
from bitduel.core.phrases import join_with_and, join_with_or
from bitduel.core.worksheet import (
    PaperCard,
    PaperCards,
    PaperStrip,
    SheetEvaluator,
    UnpluggedGame,
    Worksheet,
    WorksheetItem,
    WorksheetQuestion,
    blanks,
    cells,
    check_size,
    spread,
)
from bitduel.games.number_race.law import fence
from bitduel.games.number_race.puzzle_reasons import made, noun_of
from bitduel.games.number_race.rules import NumberRace
from bitduel.games.number_race.words import why_lost

FEWEST, MOST = 8, 400
"""The targets for which sheets can be printed."""
MOST_CELLS = 24
"""Numbers of a row to circle."""
LINE_TURNS = 3
"""Own moves of a line to write down."""


def race_worksheet(game: NumberRace, evaluator_for: EvaluatorFor) -> Worksheet:
    """Return the worksheet of a number race with its settings."""
    return _RaceWorksheet(game, evaluator_for).worksheet()


class _RaceWorksheet:
    """The questions about one target, and about others."""

    def __init__(self, game: NumberRace, evaluator_for: EvaluatorFor) -> None:
        _check_sizes(game)
        self.game, self.solver = game, SheetEvaluator(evaluator_for)
        self.target, self.step, self.noun = game.target, game.step, noun_of(game)
        self.half, self.quarter = game.target // 2, game.target // 4

    def worksheet(self) -> Worksheet:
        """Return all questions that these settings give."""
        introduction = (
            f"A {self.noun} is good to leave if whoever has to move from it loses. {self.target} itself is good to "
            "leave: make it and you win."
        )
        questions = self._by_parity() if self.step % 2 == 0 else self._in_order()
        return Worksheet(introduction, tuple(question for question in questions if question is not None))

    def _in_order(self) -> Iterable[WorksheetQuestion | None]:
        """Yield the questions of a race without invariants: from the target down."""
        yield self._circle(self._top_half(), "")
        yield self._winning_moves(range(self.quarter + 1, self.half + 1))
        yield self._trap()
        yield self._circle(range(1, max(self.quarter, 4) + 1), "")
        yield self._who_starts()
        yield self._line()
        yield self._other_target(self.target + 4)
        yield self._odd_target() if self.step == 1 else None
        yield self._targets()

    def _by_parity(self) -> Iterable[WorksheetQuestion | None]:
        """Yield the questions of a race in which even numbers stay even."""
        high = self._top_half()
        yield self._only_adding()
        yield self._circle([number for number in high if number % 2], "odd ")
        yield self._circle([number for number in high if number % 2 == 0], "even ")
        yield self._winning_moves(range(self.quarter + self.quarter % 2, self.half + 1, 2))
        yield self._circle(range(2, max(self.quarter, 8) + 1, 2), "even ")
        yield self._add_or_double()
        yield self._line()
        yield self._who_starts()
        yield self._same_number()
        yield self._smaller_target()

    def _top_half(self) -> range:
        return range(max(self.half + 1, self.target - 2 * MOST_CELLS + 1), self.target + 1)

    def _at(self, number: int, target: int | None = None) -> LessonPosition:
        return LessonPosition(type(self.game)(start=number, target=target or self.target, step=self.step))

    def _is_good(self, number: int, target: int | None = None) -> bool:
        goal = target or self.target
        return number == goal or (number < goal and self.solver.value(self._at(number, goal)) == LOSS)

    def _wins(self, number: int) -> list[str]:
        """Return the winning moves, one of those that make the same number."""
        moves = self.solver.moves(self._at(number), WIN)
        return moves[:1] if len({made(self.game, number, move) for move in moves}) == 1 else moves

    def _move(self, move: str, number: int) -> str:
        """Return a move with the number that it makes."""
        return f"{'add' if move == 'add' else 'double'}, {made(self.game, number, move)}"

    def _circle(self, numbers: Sequence[int], which: str, target: int | None = None) -> WorksheetQuestion | None:
        shown = list(numbers)[-MOST_CELLS:]
        if len(shown) < 3:
            return None
        of = f"the target is {target}. Circle" if target else "Circle"
        prompt = f"{of} every {which}{self.noun} from {shown[0]} to {shown[-1]} that is good to leave."
        return WorksheetQuestion(
            topic="good-to-leave",
            prompt=f"Now {prompt}" if target else prompt,
            items=(
                WorksheetItem(
                    cells=cells(shown, lambda number: self._is_good(number, target)),
                    position=self._at(shown[0], target) if target or shown[0] < self.target else None,
                ),
            ),
        )

    def _winning_moves(self, numbers: Sequence[int]) -> WorksheetQuestion | None:
        won = [number for number in numbers if self._wins(number)]
        if not won:
            return None
        shown = spread(won, 5)
        items = tuple(
            WorksheetItem(f"{number} \u2192", self._moves_text(number), position=self._at(number)) for number in shown
        )
        prompt = f"It is your move from these {self.noun}s. Write down the winning move and the {self.noun} it makes."
        return WorksheetQuestion(topic="winning-moves", prompt=prompt, items=items)

    def _moves_text(self, number: int) -> str:
        return join_with_or([self._move(move, number) for move in self._wins(number)])

    def _trap(self) -> WorksheetQuestion | None:
        """Ask what follows from a good number: both moves, and the answer to each."""
        good = [number for number in range(2, self.quarter + 1) if self._is_good(number)]
        if not good:
            return None
        number = good[-1]
        after = sorted({made(self.game, number, move) for move in self.game.moves})
        replies = [made(self.game, each, move) for each in after for move in self._wins(each)]
        items = blanks(
            (
                ("Your opponent can make", join_with_or([str(each) for each in after])),
                ("After that you make", join_with_or([str(each) for each in dict.fromkeys(replies)])),
            )
        )
        return WorksheetQuestion(
            topic="trap",
            prompt=f"You leave {number}. What can your opponent make from {number}, and what do you make then?",
            items=tuple(item._replace(position=self._at(number)) for item in items),
            why=f"So {number} is good to leave.",
        )

    def _who_starts(self) -> WorksheetQuestion:
        start = self.game.first_number
        lost = self._is_good(start)
        words = self.game.words
        reason = why_lost(start, self.target, self.step) if lost else ""
        if not lost:
            move = self._wins(start)[0]
            left = made(self.game, start, move)
            act = f"adding {self.step}" if move == "add" else "doubling"
            reason = f"{act.capitalize()} makes {left}, which is good to leave."
        answer = f"{'Second' if lost else 'First'}, because {start} is {'' if lost else 'not '}good to leave"
        return WorksheetQuestion(
            topic="who-starts",
            prompt=f"The {words.nouns[0].split()[-1]} starts at {start}. Would you go first or second, and why?",
            items=(WorksheetItem("", answer, position=self._at(start)),),
            why=reason,
            is_long=True,
        )

    def _line(self) -> WorksheetQuestion | None:
        """Ask for a few moves against an opponent who always adds, where each of them is the only one that wins."""
        lines = [self._moves_from(number) for number in range(1, self.half + 1)]
        fitting = [line for line in lines if line]
        mixed = [line for line in fitting if len({move for move, _ in line}) > 1]
        if not fitting:
            return None
        line = (mixed or fitting)[0]
        start = line[0][1] - self.step if line[0][0] == "add" else line[0][1] // 2
        acts = [f"{f'add {self.step}' if move == 'add' else 'double'}, {after}" for move, after in line]
        between = [str(after + self.step) for _, after in line[:-1]]
        answer = " ".join(
            part
            for act, reply in zip(acts, [*(f"({each})" for each in between), ""], strict=True)
            for part in (act, reply)
        )
        prompt = (
            f"The {self.noun} is {start}, and it is your move. Your opponent always adds {self.step}. Write down three "
            f"moves that each leave a good {self.noun}, and the {self.noun}s that they make."
        )
        return WorksheetQuestion(
            topic="line",
            prompt=prompt,
            items=(WorksheetItem("", answer.strip(), position=self._at(start)),),
            why=f"The {self.noun}s in brackets are your opponent's.",
            is_long=True,
        )

    def _moves_from(self, number: int) -> list[tuple[str, int]]:
        """Return the winning moves with the numbers they make; none where one is not unique, or too easy."""
        line: list[tuple[str, int]] = []
        while len(line) < LINE_TURNS:
            if number >= self.target:
                return []
            wins = self._wins(number)
            if len(wins) != 1 or len({made(self.game, number, move) for move in self.game.moves}) == 1:
                return []
            line.append((wins[0], made(self.game, number, wins[0])))
            number = line[-1][1] + self.step
        return line

    def _other_target(self, target: int) -> WorksheetQuestion | None:
        return self._circle(range(1, min(target, MOST_CELLS) + 1), "", target)

    def _odd_target(self) -> WorksheetQuestion | None:
        """Ask for a race in which doubling is never needed: adding 1, to an odd target."""
        target = self.target + 1 + self.target % 2
        shown = range(max(1, target - 2 * (MOST_CELLS // 2) + 2), target + 1)
        question = self._circle(shown, "", target)
        if question is None:
            return None
        return WorksheetQuestion(
            topic="good-to-leave",
            prompt=f"{question.prompt} Why do you never need to double?",
            items=(*question.items, WorksheetItem("Because", "adding 1 always makes an odd number from an even one")),
            why="From an odd number, both moves make an even one.",
            is_long=True,
        )

    def _targets(self) -> WorksheetQuestion | None:
        start = self.game.first_number
        targets = range(start + 1, start + 13)
        return WorksheetQuestion(
            topic="targets",
            prompt=f"Start at {start}. Circle every target with which the first player can win.",
            items=(WorksheetItem(cells=cells(targets, lambda target: not self._is_good(start, target))),),
            is_star=True,
        )

    def _only_adding(self) -> WorksheetQuestion | None:
        """Ask who has to pass the target where both only add and nobody can hit it."""
        last = self.target - 1
        numbers = [last - self.step * back for back in (3, 2, 1, 0)]
        if self.step < 2 or numbers[0] <= self.half:
            return None
        items = blanks(
            (
                (f"{numbers[0]},", ", ".join(map(str, numbers[1:]))),
                (f"Who has to go past {self.target}? Whoever moves from", last),
            )
        )
        return WorksheetQuestion(
            topic="only-adding",
            prompt=f"Both players only add, from {numbers[0]} on. Write down the next three {self.noun}s.",
            items=tuple(item._replace(position=self._at(numbers[0])) for item in items),
        )

    def _add_or_double(self) -> WorksheetQuestion | None:
        """Ask for the move from numbers of all kinds, each with one winning move that is not the only sensible one."""
        numbers = [
            number
            for number in range(1, min(self.half, 3 * self.quarter) + 1)
            if len(self._wins(number)) == 1 and made(self.game, number, "add") != 2 * number
        ]
        high = [number for number in range(self.half + 1, self.target - 2 * self.step) if self._wins(number)][:1]
        shown = spread(numbers[:9], 6) + high
        if len(shown) < 3:
            return None
        items = tuple(
            WorksheetItem(f"{number} \u2192", self._moves_text(number), position=self._at(number)) for number in shown
        )
        return WorksheetQuestion(
            topic="winning-moves", prompt=f"Add or double? Write down the {self.noun} you make too.", items=items
        )

    def _same_number(self) -> WorksheetQuestion:
        return WorksheetQuestion(
            topic="same-number",
            prompt=f"From which {self.noun} do both moves make the same {self.noun}?",
            items=(WorksheetItem("", str(self.step)),),
            why=f"{self.step} + {self.step} and {self.step} \u00d7 2 are both {2 * self.step}.",
        )

    def _smaller_target(self) -> WorksheetQuestion | None:
        """Ask for all even numbers of a race short enough to be done by hand."""
        target = 28 if self.target != 28 else 44
        if self.step != 2:
            return None
        question = self._circle(range(2, target + 1, 2), "even ", target)
        assert question is not None, "there are enough numbers"
        doubled = join_with_and(range(1, fence(target) + 1, 2))
        return WorksheetQuestion(
            topic="good-to-leave",
            prompt=f"{question.prompt} (To {target}, doubling wins from the odd {self.noun}s {doubled}, and from no "
            "larger odd one.)",
            items=question.items,
            is_star=True,
        )


def _check_sizes(game: NumberRace) -> None:
    check_size("target", game.target, FEWEST, MOST)
    check_size("step", game.step, 1, game.target // 4)


MARKERS = 12


def race_unplugged(game: NumberRace) -> UnpluggedGame:
    """Return the number strip of a race with a counter, cards for the moves, and marks for good numbers."""
    _check_sizes(game)
    first, target, noun = game.first_number, game.target, noun_of(game)
    strip = PaperStrip(
        f"Number strip to {target}",
        tuple(str(number) for number in range(1, target + 1)),
        per_row=10,
        size=17 if target <= 40 else 15,
    )
    counter = PaperCard("\u25cf", note="counter")
    moves = [PaperCard(game.words.symbol(move), note=move) for move in game.moves]
    marks = [PaperCard("\u2713", note="good")] * MARKERS
    rules = f"add {game.step} or double the {noun}"
    return UnpluggedGame(
        material="For each pair: this strip, the cards and the markers, scissors, and two coloured pencils.",
        steps=(
            f"Cut out the strip and the cards. Put the counter on {first}.",
            f"Take turns. On your turn, {rules}: lay the card for your move, say the sum aloud, then move the counter.",
            f"Land exactly on {target} and you win. If you would have to go past {target}, you lose.",
            "Play again, and the other player starts. Write down the last number before the win.",
            "Found a number from which nobody can win? Put a \u2713 marker on it: it is good to leave.",
        ),
        whole_class=_whole_class(game),
        parts=(strip, PaperCards("Counter, moves and markers", (counter, *moves, *marks), width=22, height=18)),
    )


def _whole_class(game: NumberRace) -> str:
    """Return how a class plays together: on chairs, in columns where adding stays in its own, or with a list."""
    calls = f"take turns to call \u201cadd {game.step}\u201d or \u201cdouble\u201d"
    if game.target <= 40:
        return (
            f"Stand {game.target} chairs in a row, or chalk the squares on the floor. One pupil is the counter. Two "
            f"teams {calls}, and the counter walks."
        )
    if game.step % 2 == 0:
        return (
            "Draw two columns on the board, odd and even. A magnet moves down when a team adds, and goes to its new "
            "place when it doubles. Two teams take turns to call the moves."
        )
    return (
        f"Write {game.first_number} on the board. Two teams {calls}, and one pupil writes each new {noun_of(game)} "
        "below the last one."
    )
