"""What players settle between them: each rule, each race, and that nothing that is late changes anything."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from bitduel.core.endings import AGREED_DRAW, CALLED_OFF, Outcome
from bitduel.core.errors import BitduelError, MoveError, OptionError
from bitduel.core.match import Match
from bitduel.games import make, shelf
from bitduel.service.match_service import hashed, new_token
from bitduel.service.match_session import LateError, NotYourSeatError
from bitduel.storage.writes import MatchMoment, Written
from bitduel.web.offers import AGAIN, BACK, DRAW, OfferService, asked, dealt_anew
from bitduel.web.offers_page import table_page
from web.conftest import Hold
from web.houses import House
from web.tables import LIT, Sit, alone

# Take back


def test_against_the_computer_ones_own_move_and_the_reply_are_taken_back_at_once(
    house: House, table: OfferService
) -> None:
    two = alone(house, "random", "double", "add")
    assert two.seating.match.ply == 4
    before = two.moves[:2]
    seating = table.take_back(two.id, two.ada, two.now)
    assert two.moves == before
    assert seating.match.to_move == 1
    assert seating.kept.backs == 1
    table.take_back(two.id, two.ada, two.now)
    assert two.moves == ()
    with pytest.raises(LateError, match="no move of yours"):
        table.take_back(two.id, two.ada, two.now)


def test_where_the_computer_began_its_first_move_stays(house: House, table: OfferService) -> None:
    two = alone(house, "random", "add", first="2")
    first = two.moves[:1]
    table.take_back(two.id, two.ada, two.now)
    assert two.moves == first


def test_at_one_keyboard_the_last_move_is_taken_back_whoever_made_it(house: House, table: OfferService) -> None:
    two = alone(house, "here", *LIT)
    for left in (2, 1, 0):
        table.take_back(two.id, two.ada, two.now)
        assert two.moves == LIT[:left]


def test_a_turn_without_a_choice_goes_with_the_one_before_it(house: House, table: OfferService) -> None:
    game = make("bits", {"first-move": "flip"})
    two = alone(house, "here", "flip 2", "reset 2", game=game)
    while "pass" not in two.moves:
        house.desk.move(two.id, two.ada, two.now.plies, next(m for m in two.seating.match.legal if "3" in m))
    last = max(ply for ply, move in enumerate(two.moves) if move != "pass")
    before = two.moves[:last]
    table.take_back(two.id, two.ada, two.now)
    assert two.moves == before


def test_between_two_people_it_is_asked_and_happens_when_the_other_says_yes(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    at = two.now
    table.take_back(two.id, two.ada, at)
    assert two.moves == LIT
    assert asked(two.seating, 1) == (BACK, two.id, 3, 0, False)
    with pytest.raises(LateError):
        table.answer(two.id, two.ada, BACK, True, at)
    table.answer(two.id, two.ben, BACK, True, at)
    assert two.moves == ("add", "add")
    assert asked(two.seating, 1) is None
    with pytest.raises(LateError):
        table.answer(two.id, two.ben, BACK, True, two.now)


def test_who_did_not_move_last_goes_back_to_their_own_turn(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.take_back(two.id, two.ben, two.now)
    table.answer(two.id, two.ada, BACK, True, two.now)
    assert two.moves == LIT[:1]


def test_a_move_is_a_no_to_a_take_back(house: House, table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    at = two.now
    table.take_back(two.id, two.ada, at)
    house.desk.move(two.id, two.ben, 3, "add")
    assert asked(two.seating, 1) is None
    for moment in (at, two.now):
        with pytest.raises(LateError):
            table.answer(two.id, two.ben, BACK, True, moment)
    assert two.moves == (*LIT, "add")


def test_a_no_is_told_once_and_asking_again_waits_for_a_move(house: House, table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.take_back(two.id, two.ada, two.now)
    table.answer(two.id, two.ben, BACK, False, two.now)
    page = table_page(house.desk.presence, two.seating, two.ada, [two.seating.kept])
    assert page.waiting
    assert page.waiting.text == "Ben wants the move to stand."
    with pytest.raises(LateError, match="just said no"):
        table.take_back(two.id, two.ada, two.now)
    house.desk.move(two.id, two.ben, 3, "add")
    table.take_back(two.id, two.ada, two.now)
    assert asked(two.seating, 1)


@pytest.mark.parametrize("game", [kind.short for kind in shelf() if not kind().transparent])
@pytest.mark.parametrize("options", [{}, {"table": "open"}], ids=str)
def test_in_the_dark_nothing_is_taken_back(
    house: House, table: OfferService, sit: Sit, game: str, options: dict[str, str]
) -> None:
    move = make(game).moves[0]
    two = sit(game, (move,), options=options, deal="00111")
    for owner in (two.ada, two.ben):
        with pytest.raises(MoveError, match="hidden information"):
            table.take_back(two.id, owner, two.now)
        assert table_page(house.desk.presence, two.seating, owner, [two.seating.kept]).take_back is None
    two = alone(house, "here", move, game=make(game, {"secret": "00111"}))
    with pytest.raises(MoveError):
        table.take_back(two.id, two.ada, two.now)


def test_after_the_end_nothing_is_taken_back_or_offered(house: House, table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    at = two.now
    table.take_back(two.id, two.ada, at)
    house.desk.resign(two.id, two.ben)
    say: list[Callable[[], object]] = [
        lambda: table.answer(two.id, two.ben, BACK, True, at),
        lambda: table.take_back(two.id, two.ada, at),
        lambda: table.offer_draw(two.id, two.ada, at),
        lambda: table.call_off(two.id, two.ada, at),
        lambda: table.claim(two.id, two.ada, True, at),
    ]
    for work in say:
        with pytest.raises(LateError):
            work()
    assert two.moves == LIT
    assert two.outcome == Outcome(1, "resignation")


def test_a_take_back_from_an_old_page_takes_nothing_also_where_as_many_moves_were_made_again(
    house: House, table: OfferService
) -> None:
    two = alone(house, "here", *LIT)
    old = two.now
    table.take_back(two.id, two.ada, old)
    with pytest.raises(LateError):
        table.take_back(two.id, two.ada, old)
    house.desk.move(two.id, two.ada, 2, "add")
    assert two.now.plies == old.plies
    for work in (table.take_back, table.call_off):
        with pytest.raises(LateError):
            work(two.id, two.ada, old)
    with pytest.raises(LateError):
        house.desk.move(two.id, two.ada, 3, "add", backs=old.backs)
    assert two.moves == (*LIT[:2], "add")


def test_a_program_that_thought_about_a_move_that_was_taken_back_has_thought_in_vain(
    house: House, table: OfferService, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = alone(house, "random", "double")
    add = house.store.add
    taken: list[int] = []

    def late(match_id: str, ply: int, move: str, *rest: Any) -> Written:
        if ply % 2 and not taken:
            taken.append(ply)
            house.store.take_back(match_id, 0)
            add(match_id, 0, "add")
            add(match_id, 1, "add")
            add(match_id, 2, "add")
        return add(match_id, ply, move, *rest)

    monkeypatch.setattr(house.store, "add", late)
    house.desk.move(two.id, two.ada, 2, "double")
    assert two.moves[:3] == ("add", "add", "add")
    assert taken == [3]


# Draw


def test_a_draw_is_agreed_when_the_other_says_yes(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.offer_draw(two.id, two.ada, two.now)
    assert two.outcome is None
    table.answer(two.id, two.ben, DRAW, True, two.now)
    assert two.outcome == Outcome(None, AGREED_DRAW)
    with pytest.raises(LateError):
        table.answer(two.id, two.ben, DRAW, True, MatchMoment(3, 0))


def test_an_offer_against_an_offer_is_a_yes(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.offer_draw(two.id, two.ada, two.now)
    table.offer_draw(two.id, two.ben, two.now)
    assert two.outcome == Outcome(None, AGREED_DRAW)


@pytest.mark.parametrize(("asker", "stands"), [(1, [True, True, False]), (2, [True, False, False])])
def test_a_draw_stands_until_the_one_who_was_asked_moves(
    house: House, table: OfferService, sit: Sit, asker: int, stands: list[bool]
) -> None:
    two = sit(moves=("add", "add"))
    table.offer_draw(two.id, (two.ada, two.ben)[asker - 1], two.now)
    found = []
    for ply in (2, 3, 4):
        found.append(asked(two.seating, asker) is not None)
        house.desk.move(two.id, (two.ada, two.ben)[ply % 2], ply, "add")
    assert found == stands


def test_a_draw_is_offered_to_people_who_have_begun(house: House, table: OfferService, sit: Sit) -> None:
    for opponent in ("random", "here"):
        two = alone(house, opponent, "add")
        with pytest.raises(BitduelError, match="another person"):
            table.offer_draw(two.id, two.ada, two.now)
    early = sit(moves=("add",))
    with pytest.raises(LateError, match="called off"):
        table.offer_draw(early.id, early.ada, early.now)
    waiting = sit(moves=LIT, seats=1)
    with pytest.raises(LateError, match="nobody"):
        table.offer_draw(waiting.id, waiting.ada, waiting.now)


def test_what_was_withdrawn_cannot_be_accepted(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.offer_draw(two.id, two.ada, two.now)
    table.withdraw(two.id, two.ada)
    with pytest.raises(LateError):
        table.answer(two.id, two.ben, DRAW, True, two.now)
    assert two.outcome is None


def test_who_has_no_seat_settles_nothing(house: House, table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.offer_draw(two.id, two.ada, two.now)
    for owner in (None, hashed("somebody")):
        say: list[Callable[[], object]] = [
            lambda owner=owner: table.take_back(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: table.offer_draw(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: table.answer(two.id, owner, DRAW, True, two.now),  # type: ignore[misc]
            lambda owner=owner: table.withdraw(two.id, owner),  # type: ignore[misc]
            lambda owner=owner: table.call_off(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: table.claim(two.id, owner, True, two.now),  # type: ignore[misc]
            lambda owner=owner: table.agree_to_coach(two.id, owner, True),  # type: ignore[misc]
            lambda owner=owner: table.play_again(two.id, owner),  # type: ignore[misc]
        ]
        for work in say:
            with pytest.raises(NotYourSeatError):
                work()
    assert asked(two.seating, 1)
    assert two.outcome is None


# Call off


@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_with_fewer_than_two_moves_either_can_call_it_off_and_it_does_not_count(
    house: House, table: OfferService, sit: Sit, plies: int, seat: int
) -> None:
    two = sit(moves=LIT[:plies])
    seating = table.call_off(two.id, (two.ada, two.ben)[seat], two.now)
    assert two.outcome == Outcome(None, CALLED_OFF)
    assert table_page(house.desk.presence, seating, two.ada, [seating.kept]).score is None


def test_after_two_moves_nobody_calls_it_off(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT[:2])
    with pytest.raises(LateError, match="has begun"):
        table.call_off(two.id, two.ada, two.now)
    early = sit(moves=LIT[:1])
    with pytest.raises(LateError):
        table.call_off(early.id, early.ada, MatchMoment(0, 0))
    assert early.outcome is None


# Again


def test_another_round_between_two_people_takes_both(house: House, table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    with pytest.raises(LateError, match="not over"):
        table.play_again(two.id, two.ada)
    house.desk.resign(two.id, two.ada)
    assert table.play_again(two.id, two.ada) is None
    assert table.play_again(two.id, two.ada) is None
    assert len(house.store.sitting(two.id)) == 1
    begun = table.play_again(two.id, two.ben)
    assert begun
    assert table.play_again(two.id, two.ada) == table.play_again(two.id, two.ben) == begun
    assert house.store.get(begun).first == 2


def test_who_does_not_want_another_round_says_so_and_can_change_their_mind(
    house: House, table: OfferService, sit: Sit
) -> None:
    two = sit(moves=LIT)
    house.desk.resign(two.id, two.ada)
    table.play_again(two.id, two.ada)
    table.answer(two.id, two.ben, AGAIN, False, two.now)
    with pytest.raises(LateError, match="just said no"):
        table.play_again(two.id, two.ada)
    assert table.play_again(two.id, two.ben) is None
    table.answer(two.id, two.ada, AGAIN, True, two.now)
    assert table.next_round(two.seating)


@pytest.mark.parametrize("opponent", ["random", "here"])
def test_alone_another_round_begins_at_once(house: House, table: OfferService, opponent: str) -> None:
    two = alone(house, opponent)
    house.desk.resign(two.id, two.ada)
    begun = table.play_again(two.id, two.ada)
    assert begun
    assert house.desk.seating(begun).kept.round == 2


def test_every_round_deals_anew_also_after_a_chosen_secret(house: House, table: OfferService) -> None:
    for kind in shelf():
        chosen = {option.name: "10101" for option in kind.declared if option.secret}
        if not chosen:
            assert dealt_anew(kind()) == kind()
            continue
        token = new_token()
        match_id = house.desk.create(kind(**chosen), "here", "1", (None, None), token)
        assert house.store.get(match_id).deal == "10101"
        deals = set()
        for _ in range(12):
            house.desk.resign(match_id, hashed(token))
            match_id = table.play_again(match_id, hashed(token)) or ""
            kept = house.store.get(match_id)
            deals.add(kept.deal)
            assert not any(kept.options[name] for name in chosen)
        assert len(deals) > 1


@pytest.mark.parametrize("opponent", ["friend", "random", "perfect"])
def test_a_chosen_secret_is_refused_against_anybody_else(house: House, opponent: str) -> None:
    for kind in shelf():
        for option in kind.declared:
            if option.secret:
                with pytest.raises(OptionError, match=f"{option.name} can be chosen only by two at one keyboard"):
                    house.desk.create(kind(**{option.name: "00111"}), opponent, "1", (None, None), new_token())


# Coach


def test_the_coach_comes_when_both_have_said_so_and_goes_when_one_does_not_want_it(
    house: House, table: OfferService, sit: Sit
) -> None:
    two = sit()
    table.agree_to_coach(two.id, two.ada, True)
    assert not two.seating.coached
    table.agree_to_coach(two.id, two.ben, True)
    assert two.seating.coached
    table.agree_to_coach(two.id, two.ada, False)
    assert not two.seating.coached
    one = alone(house, "random")
    with pytest.raises(BitduelError, match="alone"):
        table.agree_to_coach(one.id, one.ada, True)


def test_an_address_alone_brings_no_coach_into_a_match_between_two(
    house: House, hold: Hold, table: OfferService
) -> None:
    held = hold()
    ada, ben = (house.browser(token) for token in held.tokens)
    path = f"/matches/{held.id}"
    for query in ("", "?coach=1"):
        page = ada.get(path + query).text
        assert 'class="badge"' not in page
        assert "/position?" not in page
        assert "coach=1" not in page
    for who in (ada, ben):
        who.post(f"{path}/coach", data={"answer": "yes"})
    for who in (ada, ben):
        page = who.get(path).text
        assert "The coach is on for both of you." in page
        assert "/position?" in page
        assert ('class="badge"' in page) == (who is ada)
    assert "The coach is on for both players." in house.browser().get(path).text
    ben.post(f"{path}/coach", data={"answer": "no"})
    assert 'class="badge"' not in ada.get(path).text
    assert "Ben" in ada.get(path).text


# Races


def at_once(pool: ThreadPoolExecutor, *works: Callable[[], object]) -> list[object]:
    """What each gives, or the sentence with which it was refused, all begun together."""
    gate = Barrier(len(works))

    def run(work: Callable[[], object]) -> object:
        gate.wait(30)
        try:
            return work()
        except BitduelError as error:
            return error

    return [future.result() for future in [pool.submit(run, work) for work in works]]


RACES = 8


def test_a_yes_to_a_take_back_and_a_move_at_once_leave_one_of_both(
    house: House, table: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        table.take_back(two.id, two.ada, at)
        back, moved = at_once(
            pool,
            lambda two=two, at=at: table.answer(two.id, two.ben, BACK, True, at),  # type: ignore[misc]
            lambda two=two: house.desk.move(two.id, two.ben, 3, "add", 0),  # type: ignore[misc]
        )
        assert isinstance(back, LateError) != isinstance(moved, LateError)
        assert two.moves == (LIT[:2] if isinstance(moved, LateError) else (*LIT, "add"))


def test_a_yes_to_a_draw_and_a_winning_move_at_once_leave_one_result(
    house: House, table: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=("add", "double"), options={"target": 12})
        at = two.now
        table.offer_draw(two.id, two.ada, at)
        drawn, moved = at_once(
            pool,
            lambda two=two, at=at: table.answer(two.id, two.ben, DRAW, True, at),  # type: ignore[misc]
            lambda two=two: house.desk.move(two.id, two.ada, 2, "double", 0),  # type: ignore[misc]
        )
        assert isinstance(drawn, BitduelError) != isinstance(moved, BitduelError)
        assert two.outcome == (Outcome(1, "exact") if isinstance(drawn, BitduelError) else Outcome(None, AGREED_DRAW))


def test_two_yeses_at_once_take_back_once(
    house: House, table: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        table.take_back(two.id, two.ada, at)
        yes: Callable[[], object] = lambda two=two, at=at: table.answer(  # type: ignore[misc]  # noqa: E731
            two.id, two.ben, BACK, True, at
        )
        answers = at_once(pool, yes, yes)
        assert sum(isinstance(each, LateError) for each in answers) == 1
        assert two.moves == LIT[:2]
        assert two.now == (2, 1)


@pytest.fixture
def crossing(table: OfferService, monkeypatch: pytest.MonkeyPatch) -> OfferService:
    """Two who say something have both looked at the match before either says it."""
    gate, current = Barrier(2), table._current

    def looked(*asked: Any) -> Any:
        seating = current(*asked)
        gate.wait(30)
        return seating

    monkeypatch.setattr(table, "_current", looked)
    return table


def test_draw_offers_that_cross_are_a_draw(
    house: House, crossing: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        found = at_once(
            pool,
            lambda two=two, at=at: crossing.offer_draw(two.id, two.ada, at),  # type: ignore[misc]
            lambda two=two, at=at: crossing.offer_draw(two.id, two.ben, at),  # type: ignore[misc]
        )
        assert not [each for each in found if isinstance(each, BitduelError)]
        assert two.outcome == Outcome(None, AGREED_DRAW)
        assert house.desk.seating(two.id).match.outcome


def test_who_would_take_back_more_would_take_back_the_last_move_too(
    crossing: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        found = at_once(
            pool,
            lambda two=two, at=at: crossing.take_back(two.id, two.ada, at),  # type: ignore[misc]
            lambda two=two, at=at: crossing.take_back(two.id, two.ben, at),  # type: ignore[misc]
        )
        assert not [each for each in found if isinstance(each, BitduelError)]
        assert two.moves == LIT[:2]
        assert two.now == (2, 1)
        assert [asked(two.seating, seat) for seat in (1, 2)] == [None, None]


def test_different_offers_that_cross_both_stand_and_each_can_be_answered(
    house: House, crossing: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    two = sit(moves=LIT)
    at = two.now
    at_once(
        pool,
        lambda: crossing.offer_draw(two.id, two.ada, at),
        lambda: crossing.take_back(two.id, two.ben, at),
    )
    for owner, kind in ((two.ada, BACK), (two.ben, DRAW)):
        question = table_page(house.desk.presence, two.seating, owner, [two.seating.kept]).question
        assert question
        assert question.kind == kind
    crossing.answer(two.id, two.ben, DRAW, True, at)
    assert two.outcome == Outcome(None, AGREED_DRAW)


def test_an_offer_that_was_declined_or_withdrawn_is_no_yes(table: OfferService, sit: Sit) -> None:
    two = sit(moves=LIT)
    table.offer_draw(two.id, two.ada, two.now)
    table.answer(two.id, two.ben, DRAW, False, two.now)
    table.offer_draw(two.id, two.ben, two.now)
    assert two.outcome is None
    table.withdraw(two.id, two.ben)
    assert two.outcome is None
    other = sit(moves=LIT)
    table.offer_draw(other.id, other.ada, other.now)
    table.withdraw(other.id, other.ada)
    table.offer_draw(other.id, other.ben, other.now)
    assert other.outcome is None


def test_two_who_ask_for_another_round_at_once_begin_one(
    house: House, table: OfferService, sit: Sit, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        house.desk.resign(two.id, two.ada)
        found = at_once(
            pool,
            lambda two=two: table.play_again(two.id, two.ada),  # type: ignore[misc]
            lambda two=two: table.play_again(two.id, two.ben),  # type: ignore[misc]
        )
        assert len({each for each in found if each}) == 1
        assert len(house.store.sitting(two.id)) == 2


def test_a_match_from_the_store_is_sound_after_take_backs(house: House, table: OfferService) -> None:
    two = alone(house, "here", *LIT)
    table.take_back(two.id, two.ada, two.now)
    house.desk.move(two.id, two.ada, 2, "add")
    kept = house.store.get(two.id)
    assert kept.match() == Match(make("64"), 1, "", [*LIT[:2], "add"])
    assert (kept.moves, kept.backs) == ((*LIT[:2], "add"), 1)
