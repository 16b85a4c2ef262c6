"""Classes over both kinds of databases: getting in, activities, pauses, and what is left afterwards."""

from itertools import pairwise
from random import Random

import pytest

from bitduel.classroom.admission import LockedPinError, NameTakenError, WrongCodeError, WrongPinError, pin_of
from bitduel.classroom.classes import Classes
from bitduel.classroom.errors import (
    ClassLateError,
    ClassLockedError,
    NotYourClassError,
    StillPlayingError,
    UnknownPupilError,
)
from bitduel.core.errors import BitduelError, PlayerNameError
from bitduel.core.outcomes import ABANDONED, CALLED_OFF, STOPPED, Outcome
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import WrongInvitationError
from bitduel.solver.evaluators import evaluator_for
from bitduel.storage import PausedError, Store
from bitduel.storage.classes import UnknownClassError
from bitduel.web.class_view import laurels
from classroom.classroom_helpers import TestClass
from fake_time import FakeTime
from helpers import right_answers


def test_pupils_join_by_the_code_in_any_writing(store: Store) -> None:
    room = TestClass(store)
    token = new_token()
    joined = room.classes.join(f" {room.code[:2].lower()} {room.code[2:]}", "Ada", token)
    assert joined.pin == pin_of(token, room.code)
    state = room.classes.pupil_state(room.code, hashed(token), token)
    assert (state.name, state.pin, state.now.kind, state.now.reason) == ("Ada", joined.pin, "wait", "lobby")
    assert [(each.name, each.here) for each in room.state().pupils] == [("Ada", True)]


def test_a_wrong_code_is_refused(store: Store) -> None:
    room = TestClass(store)
    with pytest.raises(WrongCodeError):
        room.classes.join("hello", "Ada", new_token())
    with pytest.raises(UnknownClassError):
        room.classes.join("TUMAK" if room.code != "TUMAK" else "TUMAT", "Ada", new_token())


@pytest.mark.parametrize("name", ["Ada", "ada", "A da", "\u0410da", "Ad\u200ba", "ADA", "Ada.", "\uff21da"])
def test_a_name_that_looks_like_another_is_refused(store: Store, name: str) -> None:
    room = TestClass(store, 1)
    with pytest.raises((NameTakenError, PlayerNameError)):
        room.join(name)


@pytest.mark.parametrize(
    "name", ["Computer", "teacher", "C0mputer", "Computer (easy)", "\u0422eacher", "   ", "\u3164"]
)
def test_names_that_mislead_are_refused(store: Store, name: str) -> None:
    with pytest.raises(PlayerNameError):
        TestClass(store).join(name)


def test_a_pupil_comes_back_by_name_and_pin_on_another_device(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    before = room.pupil(1).now.match
    other = new_token()
    room.classes.return_(room.code, "ada", room.pins[1] or "", other)
    assert room.classes.pupil_of(room.code, hashed(room.tokens[1])) is None
    room.tokens[1] = other
    assert room.pupil(1).now.match == before
    room.play_all()
    with pytest.raises(NotYourClassError):
        room.classes.pupil_state(room.code, hashed(new_token()))


def test_five_wrong_pins_lock_a_pupil_until_the_teacher_helps(store: Store) -> None:
    room = TestClass(store, 1)
    wrong = "0000" if room.pins[1] != "0000" else "1111"
    for _ in range(5):
        with pytest.raises(WrongPinError):
            room.classes.return_(room.code, "Ada", wrong, new_token())
    with pytest.raises(LockedPinError):
        room.classes.return_(room.code, "Ada", room.pins[1] or "", new_token())
    assert room.state().pupils[0].locked
    assert room.pupil(1).name == "Ada", "who is in stays in"
    pin = room.classes.new_pin(room.code, room.owner, 1)
    assert room.classes.return_(room.code, "Ada", pin, new_token()).id == 1


def test_a_seat_is_handed_over_once(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    link = room.classes.link(room.code, room.owner, 1)
    assert room.classes.look_link(room.code, link.secret) == "Ada"
    other = new_token()
    joined = room.classes.take_link(room.code, link.secret, other)
    assert joined.pin == pin_of(other, room.code)
    with pytest.raises(WrongInvitationError):
        room.classes.take_link(room.code, link.secret, new_token())
    room.tokens[1] = other
    room.play_all()


def test_the_door_can_be_locked_and_the_class_can_be_full(store: Store) -> None:
    room = TestClass(store, 1, most_pupils=2)
    room.classes.lock(room.code, room.owner)
    with pytest.raises(ClassLockedError):
        room.join("Ben")
    room.classes.unlock(room.code, room.owner)
    room.join("Ben")
    with pytest.raises(ClassLockedError):
        room.join("Cleo")
    room.classes.remove(room.code, room.owner, 1)
    room.join("Cleo")


def test_names_need_approval_if_the_teacher_wants_that(store: Store) -> None:
    room = TestClass(store, 1)
    room.classes.change(room.code, room.owner, approval=True)
    pupil = room.join("Ben")
    assert room.pupil(pupil).now.reason == "approval"
    assert room.classes.screen_state(room.code).names == ["Ada"]
    room.classes.approve(room.code, room.owner, pupil)
    assert room.classes.screen_state(room.code).names == ["Ada", "Ben"]


def test_a_roster_is_taken_name_by_name(store: Store) -> None:
    room = TestClass(store)
    code = room.classes.create("List", room.owner, ("Ada", "Ben"))
    assert room.classes.summary(code).free_names == ("Ada", "Ben")
    token = new_token()
    assert room.classes.join(code, "ben", token).name == "Ben"
    assert room.classes.summary(code).free_names == ("Ada",)
    with pytest.raises(NameTakenError):
        room.classes.join(code, "Ben", new_token())
    with pytest.raises(PlayerNameError):
        room.classes.create("List", room.owner, ("Ada", "ada"))


def test_a_pupil_cannot_do_what_the_teacher_does(store: Store) -> None:
    room = TestClass(store, 2)
    owner = hashed(room.tokens[1])
    classes, code = room.classes, room.code
    for work in (classes.pause, classes.resume, classes.finish, classes.lock, classes.unlock, classes.delete):
        with pytest.raises(NotYourClassError):
            work(code, owner)
    for change in (
        lambda: classes.rename(code, owner, 2, "Bob"),
        lambda: classes.remove(code, owner, 2),
        lambda: classes.link(code, owner, 2),
        lambda: classes.new_pin(code, owner, 2),
        lambda: classes.teacher_state(code, owner),
        lambda: classes.results_csv(code, owner),
        lambda: classes.next_round(code, owner),
    ):
        with pytest.raises(NotYourClassError):
            change()
    assert classes.pupil_state(code, hashed(room.tokens[2])).name == "Ben"


def test_a_whole_swiss_tournament(store: Store) -> None:
    room = TestClass(store, 6)
    state = room.start("swiss", rounds=3)
    seen: set[frozenset[int | None]] = set()
    seats = dict.fromkeys(room.tokens, 0)
    for number in (1, 2, 3):
        assert state.activity
        assert (state.activity.round, len(state.matches)) == (number, 3)
        for board in state.matches:
            pair = frozenset(board.pupils)
            assert pair not in seen
            seen.add(pair)
            seats[board.pupils[0] or 0] += 1
            seats[board.pupils[1] or 0] -= 1
        assert max(map(abs, seats.values())) <= 1
        room.play_all(number)
        if number < 3:
            state = room.next(number)
    with pytest.raises(ClassLateError):
        room.next()
    scores = room.state().pupils
    assert sum(each.points for each in scores) == 9
    assert [each.rank for each in scores] == sorted(each.rank for each in scores)
    assert all(each.played == each.won + each.drawn + each.lost == 3 for each in scores)
    room.finish()
    assert room.pupil(1).now.reason == "finished"


def test_two_requests_for_the_next_round_start_one(store: Store) -> None:
    room = TestClass(store, 4)
    room.start("swiss", rounds=3)
    room.play_all()
    room.next()
    with pytest.raises(StillPlayingError, match="2 boards are still playing"):
        room.next()
    assert room.next(1).activity.round == 2, "the page that shows round 1 is late"  # type: ignore[union-attr]
    assert room.next(2, early=True).activity.round == 3  # type: ignore[union-attr]
    assert all(each.played == 1 for each in room.state().pupils), "what was ended early does not count"


def test_the_odd_pupil_sits_out_once_or_plays_the_computer(store: Store) -> None:
    room = TestClass(store, 5)
    state = room.start("round-robin")
    assert state.activity
    assert state.activity.rounds == 5
    for number in range(1, 6):
        room.play_all(number)
        if number < 5:
            room.next(number)
    assert [each.byes for each in room.state().pupils] == [1] * 5
    room.finish()
    state = room.start("pairs", odd="computer")
    board = next(each for each in state.matches if each.kind == "computer")
    assert "Computer (medium)" in board.names
    room.play_all()
    assert all(each.played == 1 for each in room.state().pupils)


def test_chosen_pairs_play_best_of_three_with_seats_swapped(store: Store) -> None:
    room = TestClass(store, 4)
    state = room.start("pairs", pairs=[[1, 4], [2, 3]], best_of=3)
    assert {frozenset(each.pupils) for each in state.matches} == {frozenset((1, 4)), frozenset((2, 3))}
    first = {each.board: each.pupils for each in state.matches}
    for each in state.matches:
        assert each.match
        room.play(each.match, Random(1))
    for each in room.state().matches:
        assert (each.game, each.pupils) == (2, first[each.board][::-1])
    room.play_all(2)
    assert sum(each.points for each in room.state().pupils) == 2
    for wrong in ([[1, 1]], [[1, 2], [2, 3]]):
        room.finish() if room.state().activity and not room.state().activity.finished else None  # type: ignore[union-attr]
        with pytest.raises(BitduelError):
            room.start("pairs", pairs=wrong)


def test_an_arena_pairs_whoever_is_free_but_not_the_last_opponents(store: Store) -> None:
    room = TestClass(store, 6)
    room.start("arena", game="battle", minutes=5)
    met: dict[int, list[int]] = {each: [] for each in room.tokens}
    seen: set[str] = set()
    rng = Random(3)
    for _ in range(12):
        boards = [each for each in room.state().matches if not each.over]
        for each in boards:
            if each.match not in seen:
                seen.add(each.match or "")
                one, two = each.pupils
                assert one
                assert two
                met[one].append(two)
                met[two].append(one)
        assert boards[0].match
        room.play(boards[0].match, rng)
    assert all(a != b for opponents in met.values() for a, b in pairwise(opponents))
    assert max(map(len, met.values())) > 2


def test_a_ladder_climbs_from_easy_to_perfect(store: Store) -> None:
    room = TestClass(store, 1)
    room.start("ladder")
    levels = []
    for _ in range(40):
        now = room.pupil(1).now
        if now.kind != "match":
            break
        levels.append(now.level)
        assert now.match
        while (session := room.service.session(now.match)).match.outcome is None:
            choices = evaluator_for(session.match.game).choices(session.match.view(session.match.next_seat))
            best = max(choices, key=lambda each: each.evaluation.rank).move
            room.service.move(now.match, hashed(room.tokens[1]), session.match.ply, best)
    assert levels == ["easy", "medium", "hard", "perfect"]
    assert room.pupil(1).now.reason == "done"


def test_a_pause_freezes_boards_and_clocks(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs", clock={"match": 60})
    match_id = room.pupil(1).now.match
    assert match_id
    for token in room.tokens.values():
        room.service.visit(match_id, hashed(token))
    session = room.service.session(match_id)
    assert session.stored.clock
    assert session.stored.clock.running == 1
    room.classes.pause(room.code, room.owner)
    assert room.pupil(1).paused
    stored = room.service.session(match_id).stored
    assert stored.paused
    assert stored.clock
    assert stored.clock.flag is None
    left = stored.clock.left
    with pytest.raises(PausedError, match="look up front"):
        room.move(match_id, Random(1))
    mover = next(
        each for each in room.tokens if room.service.session(match_id).seats(hashed(room.tokens[each])) == (1,)
    )
    with pytest.raises(PausedError):
        room.resign(mover)
    room.classes.resume(room.code, room.owner)
    stored = room.service.session(match_id).stored
    assert not stored.paused
    assert stored.clock
    assert stored.clock.left == left
    assert stored.clock.flag
    assert room.move(match_id, Random(1))


def test_the_computer_waits_during_a_pause_too(store: Store) -> None:
    room = TestClass(store, 1)
    room.start("ladder", game="31")
    match_id = room.pupil(1).now.match
    assert match_id
    room.classes.pause(room.code, room.owner)
    assert room.service.session(match_id).match.outcome is None
    room.classes.resume(room.code, room.owner)
    room.play_all()


@pytest.mark.parametrize("odd", ["bye", "computer"])
def test_the_opponent_of_a_removed_pupil_gets_the_point_or_the_computer(store: Store, odd: str) -> None:
    room = TestClass(store, 2)
    room.start("pairs", odd=odd)
    match_id = room.pupil(2).now.match
    room.classes.remove(room.code, room.owner, 1)
    now = room.pupil(2).now
    if odd == "bye":
        assert match_id
        assert (now.kind, room.state().pupils[0].points) == ("wait", 1)
        assert room.service.session(match_id).match.outcome == (
            room.classes.matches_of(room.code, room.owner, 2)[0].winner,
            ABANDONED,
        )
    else:
        assert (now.match, now.opponent) == (match_id, "Computer (medium)")
        room.play_all()
        assert room.state().pupils[0].played == 1
    with pytest.raises(UnknownPupilError):
        room.classes.rename(room.code, room.owner, 1, "Zoe")


def test_a_new_name_is_in_the_matches_too(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    match_id = room.pupil(1).now.match
    assert match_id
    room.classes.rename(room.code, room.owner, 1, "Zoe")
    assert "Zoe" in room.service.session(match_id).stored.names
    with pytest.raises(NameTakenError):
        room.classes.rename(room.code, room.owner, 1, "Ben")
    room.classes.rename(room.code, room.owner, 1, "ZOE")


def test_a_deleted_class_leaves_no_names(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    match_id = room.pupil(1).now.match
    assert match_id
    room.classes.delete(room.code, room.owner)
    stored = store.find(match_id)
    assert stored.names == ("Player 1", "Player 2")
    assert stored.outcome
    with pytest.raises(UnknownClassError):
        room.state()
    assert not store.classes.is_member(hashed(room.tokens[1]))


def test_a_class_is_deleted_when_its_days_are_over(store: Store, time: FakeTime) -> None:
    room = TestClass(store, 1, keep_days=2)
    time.pass_by(2 * 86400 - 1)
    room.classes.delete_expired()
    assert room.state().pupils
    time.pass_by(2)
    room.classes.delete_expired()
    with pytest.raises(UnknownClassError):
        room.state()


def test_a_class_that_nobody_joins_is_deleted_after_a_day(store: Store, time: FakeTime) -> None:
    room = TestClass(store)
    time.pass_by(86401)
    room.classes.delete_expired()
    with pytest.raises(UnknownClassError):
        room.state()


def test_everything_is_there_after_a_restart(store: Store) -> None:
    room = TestClass(store, 4)
    room.start("swiss", rounds=3)
    room.play_all()
    room.next()
    before = room.state()
    again = Classes(MatchService(store, Hub()))
    again.store._records.clear()
    after = again.teacher_state(room.code, room.owner)
    assert after.model_dump(exclude={"pupils": {"__all__": {"away"}}}) == before.model_dump(
        exclude={"pupils": {"__all__": {"away"}}}
    )
    room.classes = again
    room.play_all()
    assert sum(each.points for each in room.state().pupils) == 4


def test_pupils_who_have_gone_are_not_paired_and_free_their_opponents(store: Store, time: FakeTime) -> None:
    room = TestClass(store, 4)
    room.start("swiss", rounds=3)
    room.classes.presence._began -= 1000
    board = room.state().matches[0]
    gone, stays = board.pupils
    assert gone
    assert stays
    for _ in range(8):
        time.pass_by(30)
        for pupil in room.tokens:
            if pupil != gone:
                room.pupil(pupil)
    assert [each.id for each in room.state().pupils if not each.here] == [gone]
    room.classes.work_on(room.code)
    assert room.pupil(stays).now.kind == "wait"
    assert room.state().matches[0].reason == "left"
    room.play_all()
    state = room.next()
    assert sum(gone in each.pupils for each in state.matches) == 0
    assert sum(each.kind == "bye" for each in state.matches) == 1


def test_the_solver_measures_what_pupils_did(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    room.play_all()
    room.classes.work_on(room.code)
    pupils = room.state().pupils
    assert sum(each.decisions for each in pupils) > 2
    assert all(0 <= each.kept <= each.met for each in pupils)


def test_a_pupils_card_keeps_what_was_reached_in_earlier_activities(store: Store) -> None:
    room = TestClass(store, 2)
    assert room.classes.total_of(room.code, room.owner, 1).played == 0
    for _ in range(2):
        room.start("pairs")
        room.play_all()
        room.classes.work_on(room.code)
        room.finish()
    room.start("lesson")
    owner = hashed(room.tokens[1])
    item, state = room.classes.lesson(room.code, owner)
    right = right_answers(state)
    wrong = [each for each in room.pupil(1).now.candidates or [] if each not in right]
    for answer in (*wrong[:1], *right[:1]):
        room.classes.answer(room.code, owner, item, [answer])
    for kind in ("lesson", "puzzles"):
        total = room.classes.total_of(room.code, room.owner, 1)
        assert (total.played, total.wrong) == (2, len(wrong[:1])), kind
        assert total.decisions > 1, kind
        room.finish()
        room.start("puzzles")
    with pytest.raises(NotYourClassError):
        room.classes.total_of(room.code, owner, 1)


def test_puzzles_are_answered_at_ones_own_pace(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("puzzles", game="double", count=2)
    for pupil, is_good in ((1, True), (2, False)):
        owner = hashed(room.tokens[pupil])
        for item in (1, 2):
            assert room.pupil(pupil).now.item == item
            if not is_good:
                room.classes.answer(room.code, owner, item, None)
            while room.pupil(pupil).now.item == item:
                _, session = room.classes.puzzle(room.code, owner)
                assert session.question
                right = session.question.right
                answer = list(right[:1] if str(session.question.pick) == "one" else right)
                assert room.classes.answer(room.code, owner, item, answer).right
        assert room.pupil(pupil).now.reason == "done"
    good, late = room.state().pupils
    assert (good.id, good.first_try, good.points) == (1, 2, 2)
    assert (late.first_try, late.solved, late.step) == (0, 2, 0)
    assert [each.solved for each in room.state().items] == [2, 2]
    with pytest.raises(ClassLateError):
        room.classes.answer(room.code, hashed(room.tokens[1]), 2, ["add"])


def test_puzzles_one_at_a_time_have_a_countdown(store: Store, time: FakeTime) -> None:
    room = TestClass(store, 1)
    room.start("puzzles", count=2, seconds=30)
    assert room.pupil(1).now.ends_in == 30
    time.pass_by(10)
    room.classes.pause(room.code, room.owner)
    time.pass_by(100)
    with pytest.raises(ClassLateError):
        room.classes.answer(room.code, hashed(room.tokens[1]), 1, None)
    room.classes.resume(room.code, room.owner)
    assert room.pupil(1).now.ends_in == 20
    time.pass_by(21)
    assert room.pupil(1).now.reason == "time"
    with pytest.raises(ClassLateError):
        room.classes.answer(room.code, hashed(room.tokens[1]), 1, None)
    room.next()
    assert (room.pupil(1).now.item, room.pupil(1).now.ends_in) == (2, 30)
    with pytest.raises(ClassLateError):
        room.next()


def test_a_lesson_counts_wrong_answers_of_each_step(store: Store) -> None:
    room = TestClass(store, 1)
    room.start("lesson")
    owner = hashed(room.tokens[1])
    steps = set()
    for _ in range(200):
        now = room.pupil(1).now
        if now.kind == "wait":
            break
        assert now.item
        steps.add(now.item)
        _, state = room.classes.lesson(room.code, owner)
        right = right_answers(state)
        wrong = [each for each in now.candidates or [] if each not in right]
        if wrong and room.state().items[now.item - 1].wrong == 0:
            assert room.classes.answer(room.code, owner, now.item, wrong[:1]).right is False
        assert room.classes.answer(room.code, owner, now.item, [right[0]]).right
    assert room.pupil(1).now.reason == "done"
    assert len(steps) == len(room.state().items) == room.state().pupils[0].step
    pupil = room.state().pupils[0]
    assert pupil.wrong == sum(each.wrong for each in room.state().items) > 0
    assert (pupil.solved, pupil.first_try, pupil.points) == (0, 0, len(steps)), "steps are no puzzles"
    (laurel,) = laurels(room.classes.screen_state(room.code))
    assert laurel.text == f"{len(steps)} steps done"


def test_results_are_a_harmless_table(store: Store) -> None:
    room = TestClass(store)
    room.join("=cmd()")
    room.join("Ben, B.")
    room.start("pairs")
    room.play_all()
    table = room.classes.results_csv(room.code, room.owner)
    assert "'=cmd()" in table
    assert '"Ben, B."' in table
    assert len(table.splitlines()) == 3


def test_the_teachers_link_opens_in_another_browser(store: Store) -> None:
    room = TestClass(store)
    own = new_token()
    with pytest.raises(WrongInvitationError):
        room.classes.open_teacher(room.code, new_token(), hashed(own))
    room.classes.open_teacher(room.code, room.teacher, hashed(own))
    assert room.classes.is_teacher(room.code, hashed(own))
    room.classes.pause(room.code, hashed(own))


def test_a_match_that_does_not_count_is_played_again(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    match_id = room.pupil(1).now.match
    assert match_id
    store.end(match_id, Outcome(None, CALLED_OFF))
    room.service.refresh(match_id)
    assert room.pupil(1).now.match not in (None, match_id)
    room.play_all()
    assert sum(each.points for each in room.state().pupils) == 1


def test_a_match_that_the_teacher_ends_says_so_and_does_not_count(store: Store) -> None:
    room = TestClass(store, 2)
    room.start("pairs")
    match_id = room.pupil(1).now.match
    assert match_id
    room.next(early=True)
    room.play_all()
    assert room.service.session(match_id).match.outcome == (None, STOPPED)
    assert sum(each.played for each in room.state().pupils) == 2, "the second round alone, once for each"
    assert room.state().matches[0].game == 1, "what the teacher ended is not played again"


def test_who_is_removed_is_gone_at_once(store: Store) -> None:
    room = TestClass(store, 2)
    room.classes.remove(room.code, room.owner, 1)
    with pytest.raises(NotYourClassError):
        room.pupil(1)
    assert room.join("Ada") == 3, "the name is free, the id is new"


def test_all_matches_of_a_pupil_are_listed_for_the_teacher_and_the_pupil(store: Store) -> None:
    room = TestClass(store, 2)
    for _ in range(2):
        room.start("pairs")
        room.play_all()
        room.classes.work_on(room.code)
        room.finish()
    found = room.classes.matches_of(room.code, room.owner, 1)
    assert [each.activity for each in found] == [2, 1]
    assert all(each.opponent == "Ben" and each.over and each.met is not None for each in found)
    assert room.classes.matches_of(room.code, hashed(room.tokens[1]), 1) == found
    with pytest.raises(NotYourClassError):
        room.classes.matches_of(room.code, hashed(room.tokens[2]), 1)


def test_an_arena_ends_with_its_last_board(store: Store, time: FakeTime) -> None:
    room = TestClass(store, 4)
    room.start("arena", minutes=1)
    time.pass_by(61)
    room.classes.work_on(room.code)
    assert room.state().activity
    assert not room.state().activity.finished  # type: ignore[union-attr]
    room.play_all()
    assert room.state().activity.finished  # type: ignore[union-attr]
    assert sum(each.played for each in room.state().pupils) == 4


@pytest.mark.parametrize("game", ["double", "31"])
def test_a_ladder_can_have_a_clock(store: Store, time: FakeTime, game: str) -> None:
    room = TestClass(store, 1)
    room.start("ladder", game=game, clock={"move": 30})
    match_id = room.pupil(1).now.match
    assert match_id
    session = room.service.visit(match_id, hashed(room.tokens[1]))
    assert session.stored.clock
    own_seat = session.seats(hashed(room.tokens[1]))[0]
    assert session.stored.clock.running == session.match.to_move == own_seat
    room.move(match_id, Random(1))
    clock = room.service.session(match_id).stored.clock
    assert clock
    assert clock.running in (own_seat, None), "the computer has answered"
    for _ in range(11):
        time.pass_by(3)
        store.clocks.beat()
    assert room.service.session(match_id).match.outcome
    assert room.pupil(1).now.match != match_id
