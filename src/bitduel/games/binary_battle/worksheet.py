"""The worksheet and the unplugged version of Binary Battle, for any number of bits."""

from collections.abc import Sequence

from bitduel.core.evaluation import TOLERANCE
from bitduel.core.lesson import EvaluatorFor, LessonPosition
from bitduel.core.phrases import frequency_phrase, join_with_and
from bitduel.core.worksheet import (
    MarkCell,
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
)
from bitduel.games.binary_battle.puzzles.knowledge import Knowledge, position_of, shortest_lines, turns_needed
from bitduel.games.binary_battle.rules import BattleRules

FEWEST, MOST = 3, 6
"""The bits for which sheets can be printed."""


def battle_worksheet(game: BattleRules, evaluator_for: EvaluatorFor) -> Worksheet:
    """Return the worksheet of numbers of some bits."""
    return _BattleWorksheet(game, evaluator_for).worksheet()


class _BattleWorksheet:
    """The questions about numbers of some bits."""

    def __init__(self, game: BattleRules, evaluator_for: EvaluatorFor) -> None:
        check_size("bits", game.bits, FEWEST, MOST)
        self.game = type(game)(bits=game.bits, table=game.options["table"])
        self.solver = SheetEvaluator(evaluator_for)
        self.bits, self.last = game.bits, (1 << game.bits) - 1

    def worksheet(self) -> Worksheet:
        """Return all questions."""
        weights = [str(1 << bit) for bit in reversed(range(self.bits))]
        introduction = (
            f"Bit 1 is on the left. The bits are worth {', '.join(weights[:-1])} and {weights[-1]}. "
            f"\u201cLess\u201d means: your number is less than the secret."
        )
        questions = (
            self._numbers(),
            self._one_toggle_away(),
            self._distances(),
            self._ranges(),
            self._hits(),
            self._costs(),
            self._copying(),
            self._first_toggle(),
            self._sure_turns(),
        )
        return Worksheet(introduction, questions)

    def _part(self, *tenths: int) -> list[int]:
        """Return numbers at some tenths of the way to the last one."""
        return [self.last * tenth // 10 for tenth in tenths]

    def _numbers(self) -> WorksheetQuestion:
        to_bits = [(f"{number} =", self.game.row(number)) for number in self._part(3, 6, 9)]
        to_numbers = [(f"{self.game.row(number)} =", number) for number in self._part(4, 7, 2)]
        return WorksheetQuestion(
            topic="binary",
            prompt=f"Write the numbers with {self.bits} bits, and the bits as numbers.",
            items=blanks([*to_bits, *to_numbers]),
        )

    def _neighbours(self, number: int) -> list[int]:
        """Return the numbers that one toggle makes, in the order of the toggles."""
        return [number ^ bit for bit in self.game.bit_of.values()]

    def _one_toggle_away(self) -> WorksheetQuestion:
        return WorksheetQuestion(
            topic="one-toggle",
            prompt="Which numbers can you make from these with one toggle? Start with bit 1.",
            items=blanks(
                (f"{self.game.row(number)} \u2192", ", ".join(map(str, self._neighbours(number))))
                for number in self._part(0, 7)
            ),
            is_long=True,
        )

    def _distances(self) -> WorksheetQuestion:
        middle = self.last // 2
        pairs = [(middle + 1, middle), (self._part(6)[0], self._part(6)[0] + 1), (self._part(2)[0], self._part(9)[0])]
        return WorksheetQuestion(
            topic="distance",
            prompt="How many toggles lead from one number to the other?",
            items=blanks(
                (f"{self.game.row(a)} ({a}) \u2192 {self.game.row(b)} ({b}):", (a ^ b).bit_count()) for a, b in pairs
            ),
            why="Compare bit by bit, and count the bits that differ. Numbers that are close can be many toggles apart.",
        )

    def _played(self, secret: int, toggles: Sequence[int]) -> tuple[list[str], Knowledge]:
        """Return what a player is told after each toggle, and knows in the end."""
        game, told = self.game, []
        position = game.start(game.row(secret))
        for bit in toggles:
            after = game.play(position, f"toggle {bit}")
            number = int(after.theirs)
            told.append(f"{number} is {'less' if number < secret else 'greater'}")
            position = game.play(after, f"toggle {self.bits}")
        return told, Knowledge(int(position.mine), int(position.my_low), int(position.my_high))

    def _ranges(self) -> WorksheetQuestion:
        top = 1 << self.bits - 1
        lines = ((top + top // 2 - 1, (1,)), (top + top // 4, (1, 2)), (top // 2 + 1, (2, 3)), (top - 1, (1, 1, 2)))
        items = []
        for secret, toggles in lines:
            told, known = self._played(secret, toggles)
            if known.can_be(known.number):
                continue
            only = f"from {known.low} to {known.high}" if known.low < known.high else f"only {known.low}"
            items.append((f"{', then '.join(told)}:", only))
        return WorksheetQuestion(
            topic="range",
            prompt="Where can the secret be?",
            items=blanks(items),
            why="A number that is less, or greater, is not the secret itself.",
            is_long=True,
        )

    def _known(self) -> list[Knowledge]:
        """Return some knowledge with a few possible numbers, of which a toggle can hit some."""
        found: dict[int, Knowledge] = {}
        for known in shortest_lines(self.bits):
            hits = sum(known.can_be(number) for number in self._neighbours(known.number))
            if 2 <= known.left <= max(4, self.last // 4) and 0 < hits < self.bits and known.low > 1:
                found.setdefault(hits, known)
        return [found[hits] for hits in sorted(found)][:3]

    def _position(self, known: Knowledge) -> LessonPosition:
        """Return a match of the hidden game in which the first player knows this."""
        game = type(self.game)(bits=self.bits)
        toggles = shortest_lines(self.bits)[known]
        return position_of(game, 1, toggles, known, known)

    def _hits(self) -> WorksheetQuestion:
        items = []
        for known in self._known():
            possible = [known.can_be(number) for number in self._neighbours(known.number)]
            marked = tuple(MarkCell(str(place), can) for place, can in enumerate(possible, 1))
            items.append(WorksheetItem(cells=marked, position=self._position(known), is_drawn=True))
        return WorksheetQuestion(
            topic="hits",
            prompt="The bar shows the numbers that the secret can still be. Circle every bit that you can toggle to "
            "hit it now.",
            items=tuple(items),
        )

    def _search_turns(self, secret: int) -> int:
        """Count the turns of a search from the left: switch the next bit on, and off again if that was too much."""
        number, turns = 0, 0
        for bit in self.game.bit_of.values():
            number, turns = number + bit, turns + 1
            if number > secret:
                number, turns = number - bit, turns + 1
            if number == secret:
                break
        return turns

    def _costs(self) -> WorksheetQuestion:
        numbers = [1 << self.bits - 1, *self._part(2, 7), 1, self.last]
        return WorksheetQuestion(
            topic="search-turns",
            prompt="Search from the left: switch bit 1 on, and off again if your number is now greater than the "
            "secret. Then do the same with bit 2, and so on. How many turns does it take to hit these secrets?",
            items=blanks(
                (f"{self.game.row(number)}:", self._search_turns(number)) for number in dict.fromkeys(numbers)
            ),
            why="A 1 takes one turn. A 0 to the left of the last 1 takes two.",
        )

    def _copying(self) -> WorksheetQuestion:
        return WorksheetQuestion(
            topic="copying",
            prompt="Both players search in this way. Who hits the secret first, and how often?",
            items=blanks([("", "The player who goes first, every time")]),
            why="Both need the same number of turns. So if you go second, don't copy.",
            is_long=True,
        )

    def _first_toggle(self) -> WorksheetQuestion:
        position = LessonPosition(self.game, (), self.game.any_deal())
        chances = {choice.move: choice.evaluation.win_probability or 0.0 for choice in self.solver.choices(position)}
        best = max(chances.values())
        strongest = [move for move, chance in chances.items() if best - chance <= TOLERANCE]
        count = len(strongest)
        best_of = (
            f"{_count(count)} toggles are equally strong" if count > 1 else "One toggle is stronger than the others"
        )
        return WorksheetQuestion(
            topic="first-toggle",
            prompt=f"{best_of} on the very first turn. Circle your guess, and compare with the answer.",
            items=(
                WorksheetItem(
                    "Bit",
                    cells=cells(range(1, self.bits + 1), lambda bit: f"toggle {bit}" in strongest),
                    position=position,
                ),
            ),
            why=f"With perfect play, the first player then wins {frequency_phrase(best)}.",
        )

    def _sure_turns(self) -> WorksheetQuestion:
        """Ask how soon one can be sure to hit, from what is known on the boards above and a little more."""
        shown = [known for known in shortest_lines(self.bits) if known.left in (2, 3, 4) and known.low > 1]
        found = {turns_needed(self.bits, known): known for known in reversed(shown)}
        items = [
            (f"Your number is {known.number} ({self.game.row(known.number)}), {known.range_phrase}:", turns)
            for turns, known in sorted(found.items())
            if turns > 1
        ][:3]
        return WorksheetQuestion(
            topic="sure-turns",
            prompt="In how many turns can you be sure to hit, however unlucky you are?",
            items=blanks(items),
            is_long=True,
            is_star=True,
        )


def _count(number: int) -> str:
    return ("No", "One", "Two", "Three", "Four", "Five", "Six")[number]


def battle_unplugged(game: BattleRules) -> UnpluggedGame:
    """Return cards with dots to fold, number lines for notes, and slips with all secrets."""
    check_size("bits", game.bits, FEWEST, MOST)
    bits, numbers = game.bits, range(1 << game.bits)
    weights = [1 << bit for bit in reversed(range(bits))]
    cards = tuple(PaperCard(str(weight), back="0", dots=weight) for weight in weights * 2)
    slips = tuple(PaperCard(str(number), note=game.row(number)) for number in numbers)
    line = tuple(str(number) for number in numbers)
    notes = "Keep your cards and your notes behind a book." if game.is_hidden else "Everybody sees everybody's cards."
    return UnpluggedGame(
        material=f"For three pupils: two sets of {bits} cards to fold, two number lines, {len(numbers)} slips in a "
        "bag, scissors and glue.",
        steps=(
            "Fold each card along the line and glue it: dots on one side, 0 on the other.",
            f"Two play, and one is the referee. Both players lay their cards in the order "
            f"{join_with_and(weights)}, all with the 0 up. The referee draws a slip and shows it to nobody.",
            f"On your turn, turn over exactly one card. The dots that you see are your number. {notes}",
            "The referee looks, and points up if the secret is greater than your number, and down if it is less. Cross "
            "out the numbers that it cannot be.",
            "The first player whose cards show the secret on their own turn wins. Change roles after each match.",
        ),
        whole_class="One secret for the whole class. A row of pupils holds large cards, the class calls the next card "
        "to turn, and everybody crosses out numbers on their own line.",
        parts=(
            PaperStrip("Number line of Player 1", line, 16, 11),
            PaperStrip("Number line of Player 2", line, 16, 11),
            PaperCards("Cards to fold", cards, width=176 // max(bits, 5), height=36),
            PaperCards("Slips for the bag", slips, width=22, height=13),
        ),
    )
