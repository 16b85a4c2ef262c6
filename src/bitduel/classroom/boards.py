"""Boards: the matches of a class begun, settled, taken over and ended, all within a transaction of the class.

Every function reads the record that the transaction has locked, so that what was begun is never begun twice.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache
from random import SystemRandom
from typing import NamedTuple

from bitduel.classroom.activities import ARENA, IN_ROUNDS, LADDER, PAIRS, ROUND_ROBIN, game_of
from bitduel.classroom.pairing import Entrant, Pairing, pair_free, pair_round, seat_pair
from bitduel.classroom.standings import BYE, COMPUTER, LEFT, MATCH, Score, decided, scores_of
from bitduel.core.match import SEATS, other_seat
from bitduel.core.outcomes import ABANDONED, CALLED_OFF, STOPPED, Outcome
from bitduel.games.registry import make
from bitduel.learning.levels import LEVELS
from bitduel.learning.mastery import can_be_won, should_start
from bitduel.players import HUMAN
from bitduel.players.spec import MEDIUM
from bitduel.service.match_service import COMPUTER as COMPUTER_NAME
from bitduel.service.new_match import new_match, opponent_of
from bitduel.storage.classes import ActivityRecord, BoardKey, BoardRecord, ClassChanges, ClassRecord
from bitduel.storage.clocks import ClockSettings
from bitduel.storage.schema import SECOND, now
from bitduel.storage.stored_match import new_row

RNG = SystemRandom()
ODD_LEVEL = str(MEDIUM)
"""The computer that plays for whoever is missing."""
WAIT = 10 * SECOND
"""The time for which a pupil in an arena waits for a better opponent."""
LADDER_BOARD = 1


class Place(NamedTuple):
    """The place of a board: its activity, which may be newer than the record's, and its key."""

    activity: ActivityRecord
    key: BoardKey


def begin_board(
    record: ClassRecord, changes: ClassChanges, place: Place, pupils: tuple[int | None, int | None], level: str = ""
) -> None:
    """Begin a match: seat 1 moves first, and a seat without a pupil is the computer's."""
    activity = place.activity
    computer = opponent_of(level) if level else None
    names = [record.pupils[each].name if each else f"{COMPUTER_NAME} ({level})" for each in pupils]
    players = [HUMAN if each else str(computer) for each in pupils]
    clock = None
    if activity.settings["clock"] and (None not in pupils or activity.kind == LADDER):
        ((kind, seconds),) = activity.settings["clock"].items()
        clock = ClockSettings(kind, seconds)
    row = new_row(new_match(game_of(activity), 1, RNG, ()), players, names, clock=clock)
    if clock and computer:
        row["seen"] = pupils.index(None) + 1  # a computer need not open the match before the clock can start
    owners = {seat: record.pupils[each].owner or "" for seat, each in zip(SEATS, pupils, strict=True) if each}
    match_id = changes.begin_match(row, owners)
    changes.add_board(
        activity.number,
        place.key,
        kind=COMPUTER if level else MATCH,
        pupil_1=pupils[0],
        pupil_2=pupils[1],
        level=level or None,
        match_id=match_id,
    )


def plan_round(record: ClassRecord, activity: ActivityRecord, present: Collection[int], number: int) -> Pairing:
    """Return the pairing of a round: chosen by the teacher, by schedule, or near in the standings."""
    slots = {pupil: slot for slot, pupil in enumerate(activity.settings["slots"])}
    for pupil in sorted(present):
        slots.setdefault(pupil, len(slots))
    is_same = record.activity_number == activity.number
    scores = {each.id: each for each in (scores_of(record) if is_same else [])}
    entrants = [scores.get(pupil, Score(pupil, "")).entrant(slots[pupil]) for pupil in sorted(present)]
    if number == 1 and (chosen := activity.settings["pairs"]):
        return _chosen(entrants, chosen)
    if activity.kind == PAIRS:
        entrants = [each._replace(points=0.0) for each in entrants]
    rounds = activity.settings["rounds"] or 0
    scheduled = activity.kind in (PAIRS, ROUND_ROBIN) or rounds > (len(entrants) + 1) // 2
    return pair_round(entrants, RNG, number, scheduled)


def _chosen(entrants: list[Entrant], chosen: list[list[int]]) -> Pairing:
    by_id = {each.id: each for each in entrants}
    pairs = [seat_pair(by_id[a], by_id[b], RNG) for a, b in chosen if a in by_id and b in by_id]
    rest = [each for each in entrants if not any(each.id in pair for pair in pairs)]
    more = pair_round(rest, RNG)
    return Pairing([*pairs, *more.pairs], more.odd)


def begin_round(
    record: ClassRecord, changes: ClassChanges, activity: ActivityRecord, pairing: Pairing, number: int
) -> None:
    """Begin the matches of a round; of a pair of which one has gone meanwhile, the other is the odd one."""
    here = {each.id for each in record.pupils.values() if not each.removed and each.owner}
    boards: list[tuple[int | None, int | None]] = []
    odd = [pairing.odd] if pairing.odd in here else []
    for pair in pairing.pairs:
        left = [each for each in pair if each in here]
        if len(left) == 2:
            boards.append(pair)
        else:
            odd += left
    for at, pupils in enumerate(boards, 1):
        begin_board(record, changes, Place(activity, BoardKey(number, at, 1)), pupils)
    scores = {each.id: each.balance for each in scores_of(record)} if record.activity_number == activity.number else {}
    for at, pupil in enumerate(odd, len(boards) + 1):
        assert pupil is not None
        key = BoardKey(number, at, 1)
        if activity.settings["odd"] == COMPUTER:
            is_first = scores.get(pupil, 0) <= 0
            begin_board(record, changes, Place(activity, key), (pupil, None) if is_first else (None, pupil), ODD_LEVEL)
        else:
            changes.add_board(activity.number, key, kind=BYE, pupil_1=pupil, pupil_2=None, over=now())


def open_boards(record: ClassRecord) -> list[BoardRecord]:
    """Return the boards of the activity that still play."""
    return [board for board in record.boards.values() if board.over is None]


def open_board_of(record: ClassRecord, pupil: int) -> BoardRecord | None:
    """Return the board at which a pupil plays."""
    return next((board for board in open_boards(record) if board.seat_of(pupil)), None)


def end_boards(record: ClassRecord, changes: ClassChanges) -> None:
    """End all boards that still play; they do not count. Those that have ended keep their results."""
    ended = {key: (winner, reason) for key, winner, reason in changes.finished_matches()}
    for board in open_boards(record):
        if board.key in ended:
            winner, reason = ended[board.key]
            changes.set_board(board.key, over=now(), winner=winner, reason=reason)
            continue
        if board.match_id:
            changes.end_match(board.match_id, Outcome(None, STOPPED))
        changes.set_board(board.key, over=now(), winner=None, reason=STOPPED)


def release(record: ClassRecord, changes: ClassChanges, pupil: int) -> None:
    """Take a pupil who has left off the board: the opponent gets the computer, or the point."""
    board = open_board_of(record, pupil)
    if board is None or record.activity is None:
        return
    seat = board.seat_of(pupil) or 1
    other = board.pupils[other_seat(seat) - 1]
    assert board.match_id
    if any(key == board.key for key, _, _ in changes.finished_matches()):
        return
    if other is not None and record.activity.settings["odd"] == COMPUTER:
        changes.let_computer_play(board.match_id, seat, opponent_of(ODD_LEVEL), f"{COMPUTER_NAME} ({ODD_LEVEL})")
        changes.set_board(board.key, kind=COMPUTER, level=ODD_LEVEL, **{f"pupil_{seat}": None})
        return
    winner = None if other is None else other_seat(seat)
    changes.end_match(board.match_id, Outcome(winner, ABANDONED if winner else STOPPED))
    changes.set_board(board.key, over=now(), winner=winner, reason=LEFT if winner else STOPPED)


def settle(record: ClassRecord, changes: ClassChanges) -> ClassRecord:
    """Record the results of matches that are over, and return the record with them."""
    boards, moment = dict(record.boards), now()
    for key, winner, reason in changes.finished_matches():
        changes.set_board(key, over=moment, winner=winner, reason=reason)
        boards[key] = boards[key]._replace(over=moment, winner=winner, reason=reason)
    return replace(record, boards=boards)


def may_go_on(record: ClassRecord, present: Callable[[ClassRecord], Collection[int]]) -> bool:
    """Return whether something may have to begin by itself, without looking closer."""
    activity = record.activity
    if activity is None or activity.finished or record.paused:
        return False
    if activity.kind in IN_ROUNDS:
        was_cancelled = any(each.reason == CALLED_OFF for each in record.boards.values())
        return was_cancelled or activity.settings["best_of"] > 1
    if activity.kind not in (ARENA, LADDER):
        return False
    busy = {pupil for board in open_boards(record) for pupil in board.pupils if pupil}
    if activity.kind == ARENA and _is_time_up(activity):
        return not busy
    return bool(set(present(record)) - busy)


def go_on(record: ClassRecord, changes: ClassChanges, present: Callable[[ClassRecord], Collection[int]]) -> None:
    """Begin what has to begin by itself: the next game of a pair, of an arena, or of a ladder."""
    activity = record.activity
    if activity is None or activity.finished or record.paused:
        return
    if activity.kind in IN_ROUNDS:
        _next_games(record, changes, activity)
    elif activity.kind == ARENA and not _is_time_up(activity):
        _pair_arena(record, changes, activity, present(record))
    elif activity.kind == ARENA and not open_boards(record):
        changes.set_activity(finished=now())
    elif activity.kind == LADDER:
        _climb(record, changes, activity, present(record))


def _is_time_up(activity: ActivityRecord) -> bool:
    return activity.ends is not None and activity.ends <= now()


def _next_games(record: ClassRecord, changes: ClassChanges, activity: ActivityRecord) -> None:
    groups: dict[tuple[int, int], list[BoardRecord]] = defaultdict(list)
    for key, board in sorted(record.boards.items()):
        if key.round == activity.round:
            groups[key.round, key.board].append(board)
    for games in groups.values():
        last = games[-1]  # a match that did not count is played again, once
        if last.over is None or decided(games, activity.settings["best_of"]):
            continue
        if any(each and record.pupils[each].removed for each in last.pupils):
            continue
        swapped = last.pupils[1], last.pupils[0]
        key = last.key._replace(game=last.key.game + 1)
        begin_board(record, changes, Place(activity, key), swapped, last.level or "")


def _pair_arena(record: ClassRecord, changes: ClassChanges, activity: ActivityRecord, present: Collection[int]) -> None:
    busy = {pupil for board in open_boards(record) for pupil in board.pupils if pupil}
    free = [each for each in scores_of(record) if each.id in present and each.id not in busy]
    if not free:
        return
    moment, since = now(), dict.fromkeys((each.id for each in free), activity.started)
    for board in record.boards.values():
        for pupil in board.pupils:
            if pupil in since and board.over:
                since[pupil] = max(since[pupil], board.over)
    for each in free:
        since[each.id] = max(since[each.id], record.pupils[each.id].joined)
    patient = {pupil for pupil, began in since.items() if moment - began < WAIT}
    refused = [
        (one.id, two.id)
        for one in free
        for two in free
        if one.id < two.id
        and (
            (len(present) > 2 and two.id == one.last_opponent)
            or (len(present) > 2 and one.id == two.last_opponent)
            or (one.balance * two.balance > 0 and one.id in patient and two.id in patient and busy)
        )
    ]
    pairs = pair_free([each.entrant() for each in free], refused, RNG)
    number = max((key.board for key in record.boards), default=0)
    for pair in pairs:
        number += 1
        begin_board(record, changes, Place(activity, BoardKey(1, number, 1)), pair)
    paired = {pupil for pair in pairs for pupil in pair}
    if activity.settings["odd"] == COMPUTER:
        for each in free:
            if each.id not in paired and each.id not in patient:
                number += 1
                pupils = (each.id, None) if each.balance <= 0 else (None, each.id)
                begin_board(record, changes, Place(activity, BoardKey(1, number, 1)), pupils, ODD_LEVEL)


def rungs(record: ClassRecord, pupil: int, least: bool) -> int:
    """Return how many levels a pupil has beaten, or at `least` met without a mistake."""
    beaten: set[str] = set()
    for board in record.boards.values():
        seat = board.seat_of(pupil)
        if seat and board.over and board.level:
            insight = (board.insight or {}).get(str(seat))
            is_clean = least and insight and insight["decisions"] and not insight["mistakes"]
            if board.winner == seat or (is_clean and board.reason not in (CALLED_OFF, STOPPED, LEFT)):
                beaten.add(board.level)
    return next((at for at, level in enumerate(LEVELS) if str(level) not in beaten), len(LEVELS))


def ladder_rules(activity: ActivityRecord) -> tuple[bool, bool]:
    """Return whether pupils move first, and whether a match without a mistake is enough, as nobody can force a win."""
    return _ladder_rules(activity.settings["game"], json.dumps(activity.settings["options"], sort_keys=True))


@lru_cache(maxsize=64)
def _ladder_rules(slug: str, options: str) -> tuple[bool, bool]:
    game = make(slug, json.loads(options))
    return should_start(game), not can_be_won(game)


def _climb(record: ClassRecord, changes: ClassChanges, activity: ActivityRecord, present: Collection[int]) -> None:
    starts, by_mistakes = ladder_rules(activity)
    for pupil in sorted(present):
        games = [board for key, board in record.boards.items() if key.board == pupil]
        if any(board.over is None for board in games):
            continue
        if by_mistakes and any(board.insight is None for board in games):
            continue  # whether the last match was without a mistake is not known yet
        rung = rungs(record, pupil, by_mistakes)
        if rung < len(LEVELS):
            key = BoardKey(1, pupil, len(games) + 1)
            begin_board(
                record, changes, Place(activity, key), (pupil, None) if starts else (None, pupil), str(LEVELS[rung])
            )
