"""Standings: what each pupil has reached in an activity, from its boards and answers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bitduel.classroom.activities import LESSON
from bitduel.classroom.pairing import Entrant
from bitduel.core.match import SEATS
from bitduel.core.outcomes import DRAWN, LOST, WON, Outcome, result_for
from bitduel.storage.classes import BoardRecord, ClassRecord

BYE, COMPUTER, MATCH = "bye", "computer", "match"
"""The kinds of boards."""
FIRST, LATER, FAILED = "first", "later", "failed"
"""The results of a puzzle or a step: at the first try, at a later one or with help, or not."""
POINTS = {WON: 1.0, DRAWN: 0.5, LOST: 0.0}
LEFT = "left"
"""The reason of a board that a pupil won because the opponent has left."""


@dataclass
class Score:
    """The results of one pupil."""

    id: int
    name: str
    points: float = 0.0
    results: list[str] = field(default_factory=list)
    byes: int = 0
    sat_out: int = 0
    """The rounds without an opponent, with the computer or a bye."""
    kept: int = 0
    met: int = 0
    mistakes: int = 0
    decisions: int = 0
    first_try: int = 0
    solved: int = 0
    step: int = 0
    wrong: int = 0
    balance: int = 0
    opponents: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    last_opponent: int | None = None
    halves: list[tuple[int, int]] = field(default_factory=list)
    """The won positions kept and met in each match, in order."""

    @property
    def played(self) -> int:
        """The number of games with a result."""
        return len(self.results)

    def entrant(self, slot: int = 0) -> Entrant:
        """Return the pupil as the pairing needs it."""
        return Entrant(self.id, self.points, self.opponents, self.balance, self.sat_out, slot)


def scores_of(record: ClassRecord) -> list[Score]:
    """Return the pupils who are in the class, the best first: by points, wins, and won positions kept."""
    scores = {each.id: Score(each.id, each.name) for each in record.pupils.values() if not each.removed}
    groups: dict[tuple[int, int], list[BoardRecord]] = defaultdict(list)
    for key, board in sorted(record.boards.items()):
        groups[key.round, key.board].append(board)
        _count_board(scores, board)
    best_of = record.activity.settings.get("best_of", 1) if record.activity else 1
    for boards in groups.values():
        _count_points(scores, boards, best_of)
    is_lesson = record.activity is not None and record.activity.kind == LESSON
    for (pupil, _), answer in record.answers.items():
        if score := scores.get(pupil):
            score.wrong += answer.wrong
            is_first, is_solved = answer.result == FIRST, answer.result in (FIRST, LATER)
            if is_lesson:
                score.step += answer.result is not None
                score.points += is_solved
            else:
                score.first_try += is_first
                score.solved += is_solved
                score.points += (is_first + is_solved) / 2
    return sorted(scores.values(), key=_order)


def _order(score: Score) -> tuple[float, int, float, int, str]:
    kept = score.kept / score.met if score.met else -1.0
    return -score.points, -score.results.count(WON), -kept, score.wrong, score.name.casefold()


def rank(ordered: Iterable[Score]) -> dict[int, int]:
    """Return the rank of each pupil; those with the same points and wins share one."""
    ranks: dict[int, int] = {}
    before: tuple[float, int] | None = None
    current = 0
    for place, score in enumerate(ordered, 1):
        value = score.points, score.results.count(WON)
        current = current if value == before else place
        ranks[score.id], before = current, value
    return ranks


def decided(boards: Iterable[BoardRecord], best_of: int) -> bool:
    """Return whether the games between two pupils have decided who wins, or all of them are over."""
    games = list(boards)
    if any(board.over is None for board in games):
        return False
    if games[-1].kind == BYE or LEFT in (board.reason for board in games):
        return True
    counted = [board for board in games if _result(board, 1)]
    wins = _wins(counted)
    return len(counted) >= best_of or max(wins.values(), default=0) > best_of // 2 or len(games) >= 2 * best_of


def _wins(boards: Iterable[BoardRecord]) -> dict[int, int]:
    wins: dict[int, int] = defaultdict(int)
    for board in boards:
        for seat, pupil in zip(SEATS, board.pupils, strict=True):
            wins[pupil or 0] += board.winner == seat
    return wins


def _result(board: BoardRecord, seat: int) -> str | None:
    return None if board.reason is None else result_for(seat, Outcome(board.winner, board.reason))


def _count_board(scores: Mapping[int, Score], board: BoardRecord) -> None:
    for seat, pupil in zip(SEATS, board.pupils, strict=True):
        score = scores.get(pupil or 0)
        if score is None or pupil is None:
            continue
        other = board.pupils[2 - seat]
        if board.kind == BYE:
            score.byes += 1
            score.sat_out += 1
            continue
        score.balance += 1 if seat == 1 else -1
        if other is not None:
            score.last_opponent = other
            score.opponents[other] += 1
        else:
            score.sat_out += board.key.game == 1
        if board.over is None:
            continue
        if result := _result(board, seat):
            score.results.append(result)
        if insight := (board.insight or {}).get(str(seat)):
            score.kept += insight["kept"]
            score.met += insight["met"]
            score.mistakes += insight["mistakes"]
            score.decisions += insight["decisions"]
            score.halves.append((insight["kept"], insight["met"]))


def _count_points(scores: Mapping[int, Score], boards: list[BoardRecord], best_of: int) -> None:
    if boards[-1].kind == BYE:
        for pupil in boards[-1].pupils:
            if score := scores.get(pupil or 0):
                score.points += 1
        return
    if best_of > 1 and not decided(boards, best_of):
        return
    pupils = [pupil for pupil in boards[-1].pupils if pupil in scores]
    if best_of == 1:
        for pupil in pupils:
            for board in boards:
                result = _result(board, board.seat_of(pupil or 0) or 1) if board.over else None
                scores[pupil or 0].points += POINTS[result] if result else 0.0
        return
    wins = _wins(boards)
    left = next((board for board in boards if board.reason == LEFT), None)
    for pupil in pupils:
        others = max((wins[other or 0] for other in boards[-1].pupils if other != pupil), default=0)
        own = wins[pupil or 0]
        is_win = left.seat_of(pupil or 0) == left.winner if left else own > others
        is_draw = not left and own == others and any(_result(board, 1) for board in boards)
        scores[pupil or 0].points += 1.0 if is_win else 0.5 if is_draw else 0.0
