"""The worksheet and the unplugged version of Binary Race to 31, for any track."""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from bitduel.core.evaluation import WIN
from bitduel.core.lesson import EvaluatorFor, LessonPosition
from bitduel.core.phrases import join_with_and
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
from bitduel.games.binary_race_31.puzzle_positions import path_to
from bitduel.games.binary_race_31.rules import LONGEST, TrackRules, moves_needed

SHORTEST, MOST = 8, 128
"""The tracks for which sheets can be printed."""
DISTANCES = (3, 5, 8, 13, 16, 17, 20, 30, 31, 32, 40, 48)
CARDS = (5, 6, 11, 13, 22, 27, 30)
COPIES = 4
"""Cards of each kind for a pair."""
LONGER = LONGEST + 1
"""The steps that the longer track of the last question has more."""


LAST_SQUARES = 40
"""The squares before the end on which the questions take place: further back nothing new happens."""


class TrackChoice(NamedTuple):
    """The places of both players, the player to move first, with the legal moves and those that win."""

    mine: int
    theirs: int
    position: LessonPosition
    legal: tuple[str, ...]
    wins: tuple[str, ...]

    @property
    def places(self) -> str:
        """Both places, in words."""
        return f"You {self.mine}, opponent {self.theirs}"


def track_worksheet(game: TrackRules, evaluator_for: EvaluatorFor) -> Worksheet:
    """Return the worksheet of a track with its settings."""
    return _TrackWorksheet(game, evaluator_for).worksheet()


class _TrackWorksheet:
    """The questions about one track, and about a longer one."""

    def __init__(self, game: TrackRules, evaluator_for: EvaluatorFor) -> None:
        check_size("length", game.length, SHORTEST, MOST)
        self.game, self.solver = game, SheetEvaluator(evaluator_for)
        self.known: dict[TrackRules, list[TrackChoice]] = {}
        self.exact = type(game)(length=game.length, finish="exact")

    def worksheet(self) -> Worksheet:
        """Return all questions that these settings give."""
        introduction = "You cannot block each other. So count moves, not steps: how many moves does each of you need?"
        is_exact = self.game.finish == "exact"
        questions = [
            self._moves_needed(),
            self._who_wins(self.game),
            self._winning_moves(self.game, 3),
            self._cards(),
            self._most_cards(),
            None if is_exact else self._winning_moves(self.exact, 2),
            self._first_move(),
            self._shortest(self.game if is_exact else self.exact),
        ]
        return Worksheet(introduction, tuple(question for question in questions if question is not None))

    def _moves_needed(self) -> WorksheetQuestion:
        is_exact = self.game.finish == "exact"
        distances = spread([each for each in DISTANCES if each <= self.game.length], 6)
        landing = "You have to land exactly on the end." if is_exact else "You may go past the end."
        return WorksheetQuestion(
            topic="moves-needed",
            prompt=f"You have this many steps to go. What is the fewest moves you need? {landing}",
            items=blanks((f"{each} \u2192", moves_needed(each, is_exact)) for each in distances),
            why="Count the 16s, and then the 1s of the rest in binary."
            if is_exact
            else "One move for every 16 steps, and one more if any steps are left over.",
        )

    def _positions(self, game: TrackRules) -> list[TrackChoice]:
        """Return positions near the end, where moves can lead there and nobody is at the start."""
        if game not in self.known:
            self.known[game] = self._find_positions(game)
        return self.known[game]

    def _find_positions(self, game: TrackRules) -> list[TrackChoice]:
        squares = range(max(1, game.length - LAST_SQUARES), game.length - 1)
        found = []
        for mine, theirs in product(squares, squares):
            try:
                position = LessonPosition(game, path_to(mine, theirs))
            except ValueError:
                continue
            choices = self.solver.choices(position)
            wins = tuple(choice.move for choice in choices if choice.evaluation.value == WIN)
            found.append(TrackChoice(mine, theirs, position, tuple(choice.move for choice in choices), wins))
        return found

    def _who_wins(self, game: TrackRules) -> WorksheetQuestion | None:
        """Ask who wins, first where the player to move is behind and wins."""
        kinds: dict[tuple[bool, bool], list[TrackChoice]] = {}
        for each in self._positions(game):
            if 0 < abs(each.mine - each.theirs) < LONGEST:
                kinds.setdefault((each.mine < each.theirs, bool(each.wins)), []).append(each)
        items = []
        for kind in ((True, True), (True, False), (False, False), (False, True)):
            if found := kinds.get(kind):
                each = found[2 * len(found) // 5]
                answer = "you" if each.wins else "your opponent"
                items.append(WorksheetItem(f"{each.places}:", answer, position=each.position))
        if len(items) < 2:
            return None
        return WorksheetQuestion(
            topic="who-wins",
            prompt="You are here, your opponent is there, and it is your move. Who can win: you, or your opponent?",
            items=tuple(items),
            why="Whoever needs fewer moves wins. If both need the same number, the player to move wins.",
        )

    def _winning_moves(self, game: TrackRules, count: int) -> WorksheetQuestion | None:
        """Ask for all moves that win, on boards with different answers."""
        found: dict[tuple[str, ...], TrackChoice] = {}
        for each in self._positions(game):
            is_close = abs(each.mine - each.theirs) <= LONGEST and each.mine > 2
            if 0 < len(each.wins) < len(each.legal) and is_close:
                found.setdefault(each.wins, each)
        if not found:
            return None
        shown = [found[wins] for wins in sorted(found, key=lambda wins: (-len(wins), wins))]
        items = tuple(_board(shown[at]) for at in spread(range(len(shown)), count))
        exact = f"Now you have to land exactly on {game.length}. " if game is not self.game else ""
        return WorksheetQuestion(
            topic="moves-that-win",
            prompt=f"{exact}It is your move. Circle every move that still wins.",
            items=items,
            why="A move wins if afterwards your opponent needs more moves than you do.",
        )

    def _cards(self) -> WorksheetQuestion:
        numbers = spread([each for each in CARDS if each <= self.game.length], 4)
        return WorksheetQuestion(
            topic="cards",
            prompt="Add up to these numbers with the cards 1, 2, 4, 8 and 16. Use as few cards as you can.",
            items=blanks((f"{number} =", _sum_of_cards(number)) for number in numbers),
            why="There is only one shortest way: the binary digits of the number.",
        )

    def _most_cards(self) -> WorksheetQuestion:
        numbers = range(1, self.game.length + 1)
        counts = {number: moves_needed(number, exact=True) for number in numbers}
        most = max(counts.values())
        longest = [number for number, count in counts.items() if count == most]
        which = "number" if len(longest) == 1 else "numbers"
        return WorksheetQuestion(
            topic="most-cards",
            prompt=f"Which {which} from 1 to {self.game.length} {'needs' if len(longest) == 1 else 'need'} the most "
            "cards, and how many?",
            items=(WorksheetItem("", f"{join_with_and(longest)}: {most} cards"),),
            is_long=True,
        )

    def _first_move(self) -> WorksheetQuestion:
        length = self.game.length + LONGER
        position = LessonPosition(type(self.game)(length=length, finish=self.game.finish))
        wins = self.solver.moves(position, WIN)
        plies = self.solver.evaluation(position).plies or 0
        return WorksheetQuestion(
            topic="first-move",
            prompt=f"Now the track has {length} steps. Both of you are at 0, and it is your move. Circle every first "
            "move that wins. How many moves will you need?",
            items=(
                WorksheetItem(cells=cells(position.match.legal, lambda move: move in wins), position=position),
                WorksheetItem("Moves:", str((plies + 1) // 2), position=position),
            ),
        )

    def _shortest(self, game: TrackRules) -> WorksheetQuestion | None:
        """Ask for the shortest move that still wins, where that is not simply 1."""
        found: dict[str, TrackChoice] = {}
        for each in self._positions(game):
            if len(each.wins) > 1 and each.wins[0] != "1" and each.theirs > 2:
                found.setdefault(each.wins[0], each)
        if not found:
            return None
        exact = f"You have to land exactly on {game.length}. " if game is not self.game else ""
        shown = sorted(found.values(), key=lambda each: (each.mine, each.theirs))[:4]
        items = tuple(WorksheetItem(f"{each.places}:", each.wins[0], position=each.position) for each in shown)
        return WorksheetQuestion(
            topic="shortest-win",
            prompt=f"{exact}It is your move. What is the shortest move that still wins?",
            items=items,
            is_star=True,
        )


def _board(each: TrackChoice) -> WorksheetItem:
    marked = cells(each.legal, lambda move: move in each.wins)
    return WorksheetItem(each.places, cells=marked, position=each.position, is_drawn=True)


def _sum_of_cards(number: int) -> str:
    whole, rest = divmod(number, LONGEST)
    return " + ".join([str(LONGEST)] * whole + [str(1 << bit) for bit in (3, 2, 1, 0) if rest >> bit & 1])


def track_unplugged(game: TrackRules) -> UnpluggedGame:
    """Return the track with two tokens and the cards of the five moves."""
    check_size("length", game.length, SHORTEST, MOST)
    length = game.length
    squares = tuple(str(place) for place in range(length + 1))
    per_row, size = (8, 21) if length < 40 else (11, 15)
    cards = tuple(PaperCard(move, dots=int(move)) for move in game.moves for _ in range(COPIES))
    tokens = PaperCard("\u25cf", note="token"), PaperCard("\u25b2", note="token")
    ending = f"The first to land exactly on {length} wins." if game.finish == "exact" else None
    return UnpluggedGame(
        material="For each pair: this track, two tokens, the cards 1, 2, 4, 8 and 16 four times, and scissors.",
        steps=(
            "Cut out the track, the tokens and the cards. Put both tokens on 0, and the cards face up between you.",
            "Take turns. Take one card, move your token that many steps, and put the card back.",
            *_near_the_end(game),
            ending or f"The first to reach {length} or go past it wins.",
            "Play again, and the other player starts. Then find out together: how many moves do you still need?",
            f"Race with cards: choose a number up to {min(length, 31)}. Who lays it with the fewest cards?",
        ),
        whole_class="Lay a rope with knots along the floor, one knot for each step. Two teams send one pupil each. The "
        "teams take turns to hold up a card, and their pupil walks that many knots.",
        parts=(
            PaperStrip(f"Track from 0 to {length}", squares, per_row, size),
            PaperCards("Tokens", tokens, width=22, height=18),
            PaperCards("Cards", cards, width=34, height=42),
        ),
    )


def _near_the_end(game: TrackRules) -> Iterable[str]:
    if game.finish == "any":
        return ()
    return (game.words.rules()[-1],)
