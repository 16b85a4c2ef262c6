"""Standings: points, ranks that are shared, and what decides between equals."""

from typing import Any

from bitduel.classroom.standings import BYE, LEFT, MATCH, decided, rank, scores_of
from bitduel.core.outcomes import CALLED_OFF
from bitduel.storage.classes import ActivityRecord, BoardKey, BoardRecord, ClassRecord, PupilRecord


def pupil(number: int, name: str) -> PupilRecord:
    return PupilRecord(number, name, None, 0, f"owner {number}", True, False, 0, 0, None, None)


def board(at: int, pupils: tuple[int | None, int | None], winner: int | None = None, **more: Any) -> BoardRecord:
    values: dict[str, Any] = {"kind": MATCH, "level": None, "match_id": "m", "over": 1, "insight": None, "game": 1}
    values |= {"reason": "exact", **more}
    key = BoardKey(1, at, values.pop("game"))
    return BoardRecord(key=key, pupils=pupils, winner=winner, **values)


def record(*boards: BoardRecord, best_of: int = 1) -> ClassRecord:
    names = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Dan"}
    activity = ActivityRecord(1, "pairs", {"best_of": best_of}, 1, 0, None, None)
    return ClassRecord(
        "TUMAK",
        "",
        1,
        0,
        False,
        False,
        None,
        1,
        4,
        pupils={number: pupil(number, name) for number, name in names.items()},
        activity=activity,
        boards={each.key: each for each in boards},
    )


def points(of: ClassRecord) -> dict[str, float]:
    return {each.name: each.points for each in scores_of(of)}


def test_a_win_is_a_point_a_draw_half_and_a_bye_a_point() -> None:
    found = record(board(1, (1, 2), 1), board(2, (3, 4)), board(3, (2, None), kind=BYE, reason=None))
    assert points(found) == {"Ada": 1, "Ben": 1, "Cleo": 0.5, "Dan": 0.5}
    scores = scores_of(found)
    assert [each.name for each in scores] == ["Ada", "Ben", "Cleo", "Dan"], "who won comes before who sat out"
    assert list(rank(scores).values()) == [1, 2, 3, 3]


def test_what_was_cancelled_or_still_plays_does_not_count() -> None:
    found = record(board(1, (1, 2), reason=CALLED_OFF), board(2, (3, 4), over=None, reason=None))
    assert set(points(found).values()) == {0}
    assert all(each.played == 0 for each in scores_of(found))


def test_the_opponent_of_who_left_gets_the_point() -> None:
    assert points(record(board(1, (1, 2), 2, reason=LEFT)))["Ben"] == 1


def test_best_of_three_is_one_point_for_two_wins() -> None:
    games = [board(1, (1, 2), 1), board(1, (2, 1), 1, game=2)]
    assert not decided(games, 3)
    assert points(record(*games, best_of=3)) == {"Ada": 0, "Ben": 0, "Cleo": 0, "Dan": 0}
    games.append(board(1, (1, 2), 2, game=3))
    assert decided(games, 3)
    assert points(record(*games, best_of=3))["Ben"] == 1
    assert decided([*games[:1], board(1, (2, 1), 2, game=2)], 3), "the third is not needed"


def test_won_positions_kept_decide_between_equals() -> None:
    def seen(kept: int) -> dict[str, int]:
        return {"kept": kept, "met": 4, "mistakes": 4 - kept, "decisions": 6}

    boards = board(1, (1, 3), 1, insight={"1": seen(1), "2": seen(0)}), board(2, (2, 4), 1, insight={"1": seen(4)})
    scores = scores_of(record(*boards))
    assert [each.name for each in scores][:2] == ["Ben", "Ada"]
    assert (scores[0].kept, scores[0].met, scores[0].mistakes, scores[0].decisions) == (4, 4, 0, 6)
