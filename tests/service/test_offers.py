"""What players settle between them: each rule, each race, and that nothing that is late changes anything."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from bitduel.core.errors import BitduelError, MoveError, OptionError
from bitduel.core.match import Match
from bitduel.core.outcomes import AGREED_DRAW, CALLED_OFF, Outcome
from bitduel.games.registry import all_games, make
from bitduel.service.credentials import hashed, new_token
from bitduel.service.match_session import LateError, NotYourSeatError
from bitduel.service.offers import AGAIN, BACK, DRAW, OfferService, current_offer, without_secrets
from bitduel.storage.writes import MatchMoment, WriteStamp
from bitduel.web.offer_pages import offers_panel
from web.fixtures import StoreMatch
from web.players import LIT, SeatPlayers, alone
from web.sites import LocalApp

# Take back


def test_against_the_computer_ones_own_move_and_the_reply_are_taken_back_at_once(
    app: LocalApp, offers: OfferService
) -> None:
    two = alone(app, "random", "double", "add")
    assert two.session.match.ply == 4
    before = two.moves[:2]
    session = offers.take_back(two.id, two.ada, two.now)
    assert two.moves == before
    assert session.match.to_move == 1
    assert session.stored.backs == 1
    offers.take_back(two.id, two.ada, two.now)
    assert two.moves == ()
    with pytest.raises(LateError, match="You have no move"):
        offers.take_back(two.id, two.ada, two.now)


def test_where_the_computer_began_its_first_move_stays(app: LocalApp, offers: OfferService) -> None:
    two = alone(app, "random", "add", first="2")
    first = two.moves[:1]
    offers.take_back(two.id, two.ada, two.now)
    assert two.moves == first


def test_at_one_keyboard_the_last_move_is_taken_back_whoever_made_it(app: LocalApp, offers: OfferService) -> None:
    two = alone(app, "here", *LIT)
    for left in (2, 1, 0):
        offers.take_back(two.id, two.ada, two.now)
        assert two.moves == LIT[:left]


def test_a_turn_without_a_choice_goes_with_the_one_before_it(app: LocalApp, offers: OfferService) -> None:
    game = make("bits", {"first-move": "flip"})
    two = alone(app, "here", "flip 2", "reset 2", game=game)
    while "pass" not in two.moves:
        app.service.move(two.id, two.ada, two.now.plies, next(m for m in two.session.match.legal if "3" in m))
    last = max(ply for ply, move in enumerate(two.moves) if move != "pass")
    before = two.moves[:last]
    offers.take_back(two.id, two.ada, two.now)
    assert two.moves == before


def test_between_two_people_it_is_asked_and_happens_when_the_other_says_yes(
    offers: OfferService, sit: SeatPlayers
) -> None:
    two = sit(moves=LIT)
    at = two.now
    offers.take_back(two.id, two.ada, at)
    assert two.moves == LIT
    assert current_offer(two.session, 1) == (BACK, two.id, 3, 0, False)
    with pytest.raises(LateError):
        offers.answer(two.id, two.ada, BACK, True, at)
    offers.answer(two.id, two.ben, BACK, True, at)
    assert two.moves == ("add", "add")
    assert current_offer(two.session, 1) is None
    with pytest.raises(LateError):
        offers.answer(two.id, two.ben, BACK, True, two.now)


def test_who_did_not_move_last_goes_back_to_their_own_turn(offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.take_back(two.id, two.ben, two.now)
    offers.answer(two.id, two.ada, BACK, True, two.now)
    assert two.moves == LIT[:1]


def test_a_move_is_a_no_to_a_take_back(app: LocalApp, offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    at = two.now
    offers.take_back(two.id, two.ada, at)
    app.service.move(two.id, two.ben, 3, "add")
    assert current_offer(two.session, 1) is None
    for moment in (at, two.now):
        with pytest.raises(LateError):
            offers.answer(two.id, two.ben, BACK, True, moment)
    assert two.moves == (*LIT, "add")


def test_a_no_is_told_once_and_asking_again_waits_for_a_move(
    app: LocalApp, offers: OfferService, sit: SeatPlayers
) -> None:
    two = sit(moves=LIT)
    offers.take_back(two.id, two.ada, two.now)
    offers.answer(two.id, two.ben, BACK, False, two.now)
    page = offers_panel(app.service, two.session, (1,), [two.session.stored])
    assert page.waiting
    assert page.waiting.text == "Ben doesn't want you to take the move back."
    with pytest.raises(LateError, match="just said no"):
        offers.take_back(two.id, two.ada, two.now)
    app.service.move(two.id, two.ben, 3, "add")
    offers.take_back(two.id, two.ada, two.now)
    assert current_offer(two.session, 1)


@pytest.mark.parametrize("game", [kind.short for kind in all_games() if not kind().has_perfect_information])
@pytest.mark.parametrize("options", [{}, {"table": "open"}], ids=str)
def test_in_the_dark_nothing_is_taken_back(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, game: str, options: dict[str, str]
) -> None:
    move = make(game).moves[0]
    two = sit(game, (move,), options=options, deal="00111")
    for owner in (two.ada, two.ben):
        with pytest.raises(MoveError, match="hidden information"):
            offers.take_back(two.id, owner, two.now)
        assert offers_panel(app.service, two.session, two.session.seats(owner), [two.session.stored]).take_back is None
    two = alone(app, "here", move, game=make(game, {"secret": "00111"}))
    with pytest.raises(MoveError):
        offers.take_back(two.id, two.ada, two.now)


def test_after_the_end_nothing_is_taken_back_or_offered(app: LocalApp, offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    at = two.now
    offers.take_back(two.id, two.ada, at)
    app.service.resign(two.id, two.ben)
    say: list[Callable[[], object]] = [
        lambda: offers.answer(two.id, two.ben, BACK, True, at),
        lambda: offers.take_back(two.id, two.ada, at),
        lambda: offers.offer_draw(two.id, two.ada, at),
        lambda: app.service.call_off(two.id, two.ada, at),
        lambda: offers.claim(two.id, two.ada, True, at),
    ]
    for work in say:
        with pytest.raises(LateError):
            work()
    assert two.moves == LIT
    assert two.outcome == Outcome(1, "resignation")


def test_a_take_back_from_an_old_page_takes_nothing_also_where_as_many_moves_were_made_again(
    app: LocalApp, offers: OfferService
) -> None:
    two = alone(app, "here", *LIT)
    old = two.now
    offers.take_back(two.id, two.ada, old)
    with pytest.raises(LateError):
        offers.take_back(two.id, two.ada, old)
    app.service.move(two.id, two.ada, 2, "add")
    assert two.now.plies == old.plies
    for work in (offers.take_back, app.service.call_off):
        with pytest.raises(LateError):
            work(two.id, two.ada, old)
    with pytest.raises(LateError):
        app.service.move(two.id, two.ada, 3, "add", backs=old.backs)
    assert two.moves == (*LIT[:2], "add")


def test_a_program_that_thought_about_a_move_that_was_taken_back_has_thought_in_vain(
    app: LocalApp, offers: OfferService, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = alone(app, "random", "double")
    add = app.store.add
    taken: list[int] = []

    def late(match_id: str, ply: int, move: str, *rest: Any) -> WriteStamp:
        if ply % 2 and not taken:
            taken.append(ply)
            app.store.take_back(match_id, 0)
            add(match_id, 0, "add")
            add(match_id, 1, "add")
            add(match_id, 2, "add")
        return add(match_id, ply, move, *rest)

    monkeypatch.setattr(app.store, "add", late)
    app.service.move(two.id, two.ada, 2, "double")
    assert two.moves[:3] == ("add", "add", "add")
    assert taken == [3]


# Draw


def test_a_draw_is_agreed_when_the_other_says_yes(offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.offer_draw(two.id, two.ada, two.now)
    assert two.outcome is None
    offers.answer(two.id, two.ben, DRAW, True, two.now)
    assert two.outcome == Outcome(None, AGREED_DRAW)
    with pytest.raises(LateError):
        offers.answer(two.id, two.ben, DRAW, True, MatchMoment(3, 0))


def test_an_offer_against_an_offer_is_a_yes(offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.offer_draw(two.id, two.ada, two.now)
    offers.offer_draw(two.id, two.ben, two.now)
    assert two.outcome == Outcome(None, AGREED_DRAW)


@pytest.mark.parametrize(("client", "stands"), [(1, [True, True, False]), (2, [True, False, False])])
def test_a_draw_stands_until_the_one_who_was_asked_moves(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, client: int, stands: list[bool]
) -> None:
    two = sit(moves=("add", "add"))
    offers.offer_draw(two.id, (two.ada, two.ben)[client - 1], two.now)
    found = []
    for ply in (2, 3, 4):
        found.append(current_offer(two.session, client) is not None)
        app.service.move(two.id, (two.ada, two.ben)[ply % 2], ply, "add")
    assert found == stands


def test_a_draw_is_offered_to_people_who_have_begun(app: LocalApp, offers: OfferService, sit: SeatPlayers) -> None:
    for opponent in ("random", "here"):
        two = alone(app, opponent, "add")
        with pytest.raises(BitduelError, match="another person"):
            offers.offer_draw(two.id, two.ada, two.now)
    early = sit(moves=("add",))
    with pytest.raises(LateError, match="You can cancel it"):
        offers.offer_draw(early.id, early.ada, early.now)
    waiting = sit(moves=LIT, seats=1)
    with pytest.raises(LateError, match="nobody"):
        offers.offer_draw(waiting.id, waiting.ada, waiting.now)


def test_what_was_withdrawn_cannot_be_accepted(offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.offer_draw(two.id, two.ada, two.now)
    offers.withdraw(two.id, two.ada)
    with pytest.raises(LateError):
        offers.answer(two.id, two.ben, DRAW, True, two.now)
    assert two.outcome is None


def test_who_has_no_seat_settles_nothing(app: LocalApp, offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.offer_draw(two.id, two.ada, two.now)
    for owner in (None, hashed("somebody")):
        say: list[Callable[[], object]] = [
            lambda owner=owner: offers.take_back(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: offers.offer_draw(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: offers.answer(two.id, owner, DRAW, True, two.now),  # type: ignore[misc]
            lambda owner=owner: offers.withdraw(two.id, owner),  # type: ignore[misc]
            lambda owner=owner: app.service.call_off(two.id, owner, two.now),  # type: ignore[misc]
            lambda owner=owner: offers.claim(two.id, owner, True, two.now),  # type: ignore[misc]
            lambda owner=owner: offers.agree_to_coach(two.id, owner, True),  # type: ignore[misc]
            lambda owner=owner: offers.play_again(two.id, owner),  # type: ignore[misc]
        ]
        for work in say:
            with pytest.raises(NotYourSeatError):
                work()
    assert current_offer(two.session, 1)
    assert two.outcome is None


# Call off


@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_with_fewer_than_two_moves_either_can_call_it_off_and_it_does_not_count(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, plies: int, seat: int
) -> None:
    two = sit(moves=LIT[:plies])
    session = app.service.call_off(two.id, (two.ada, two.ben)[seat], two.now)
    assert two.outcome == Outcome(None, CALLED_OFF)
    assert offers_panel(app.service, session, (1,), [session.stored]).score is None


def test_after_two_moves_nobody_calls_it_off(app: LocalApp, sit: SeatPlayers) -> None:
    two = sit(moves=LIT[:2])
    with pytest.raises(LateError, match="has begun"):
        app.service.call_off(two.id, two.ada, two.now)
    early = sit(moves=LIT[:1])
    with pytest.raises(LateError):
        app.service.call_off(early.id, early.ada, MatchMoment(0, 0))
    assert early.outcome is None


# Again


def test_another_round_between_two_people_takes_both(app: LocalApp, offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    with pytest.raises(LateError, match="not over"):
        offers.play_again(two.id, two.ada)
    app.service.resign(two.id, two.ada)
    assert offers.play_again(two.id, two.ada) is None
    assert offers.play_again(two.id, two.ada) is None
    assert len(app.store.sitting(two.id)) == 1
    begun = offers.play_again(two.id, two.ben)
    assert begun
    assert offers.play_again(two.id, two.ada) == offers.play_again(two.id, two.ben) == begun
    assert app.store.get(begun).first == 2


def test_who_does_not_want_another_round_says_so_and_can_change_their_mind(
    app: LocalApp, offers: OfferService, sit: SeatPlayers
) -> None:
    two = sit(moves=LIT)
    app.service.resign(two.id, two.ada)
    offers.play_again(two.id, two.ada)
    offers.answer(two.id, two.ben, AGAIN, False, two.now)
    with pytest.raises(LateError, match="just said no"):
        offers.play_again(two.id, two.ada)
    assert offers.play_again(two.id, two.ben) is None
    offers.answer(two.id, two.ada, AGAIN, True, two.now)
    assert offers.next_round(two.session)


@pytest.mark.parametrize("opponent", ["random", "here"])
def test_alone_another_round_begins_at_once(app: LocalApp, offers: OfferService, opponent: str) -> None:
    two = alone(app, opponent)
    app.service.resign(two.id, two.ada)
    begun = offers.play_again(two.id, two.ada)
    assert begun
    assert app.service.session(begun).stored.round == 2


def test_every_round_deals_anew_also_after_a_chosen_secret(app: LocalApp, offers: OfferService) -> None:
    for kind in all_games():
        chosen = {option.name: "10101" for option in kind.declared_options if option.is_secret}
        if not chosen:
            assert without_secrets(kind()) == kind()
            continue
        token = new_token()
        match_id = app.service.create(kind(**chosen), "here", "1", (None, None), token)
        assert app.store.get(match_id).deal == "10101"
        deals = set()
        for _ in range(12):
            app.service.resign(match_id, hashed(token))
            match_id = offers.play_again(match_id, hashed(token)) or ""
            kept = app.store.get(match_id)
            deals.add(kept.deal)
            assert not any(kept.options[name] for name in chosen)
        assert len(deals) > 1


@pytest.mark.parametrize("opponent", ["friend", "random", "perfect"])
def test_a_chosen_secret_is_refused_against_anybody_else(app: LocalApp, opponent: str) -> None:
    for kind in all_games():
        for option in kind.declared_options:
            if option.is_secret:
                with pytest.raises(OptionError, match=f"{option.name} can be chosen only when two people"):
                    app.service.create(kind(**{option.name: "00111"}), opponent, "1", (None, None), new_token())


# Coach


def test_the_coach_comes_when_both_have_said_so_and_goes_when_one_does_not_want_it(
    app: LocalApp, offers: OfferService, sit: SeatPlayers
) -> None:
    two = sit()
    offers.agree_to_coach(two.id, two.ada, True)
    assert not two.session.is_coached
    offers.agree_to_coach(two.id, two.ben, True)
    assert two.session.is_coached
    offers.agree_to_coach(two.id, two.ada, False)
    assert not two.session.is_coached
    one = alone(app, "random")
    with pytest.raises(BitduelError, match="your opponent's agreement"):
        offers.agree_to_coach(one.id, one.ada, True)


def test_an_address_alone_brings_no_coach_into_a_match_between_two(
    app: LocalApp, store_match: StoreMatch, offers: OfferService
) -> None:
    seated = store_match()
    ada, ben = (app.browser(token) for token in seated.tokens)
    path = f"/matches/{seated.id}"
    for query in ("", "?coach=1"):
        page = ada.get(path + query).text
        assert 'class="badge' not in page
        assert "/position?" not in page
        assert "coach=1" not in page
    for who in (ada, ben):
        who.post(f"{path}/coach", data={"answer": "yes"})
    for who in (ada, ben):
        page = who.get(path).text
        assert "The coach is on for both players." in page
        assert "/position?" in page
        assert ('class="badge' in page) == (who is ada)
    assert "The coach is on for both players." in app.browser().get(path).text
    ben.post(f"{path}/coach", data={"answer": "no"})
    assert 'class="badge' not in ada.get(path).text
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
    app: LocalApp, offers: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        offers.take_back(two.id, two.ada, at)
        back, moved = at_once(
            pool,
            lambda two=two, at=at: offers.answer(two.id, two.ben, BACK, True, at),  # type: ignore[misc]
            lambda two=two: app.service.move(two.id, two.ben, 3, "add", 0),  # type: ignore[misc]
        )
        assert isinstance(back, LateError) != isinstance(moved, LateError)
        assert two.moves == (LIT[:2] if isinstance(moved, LateError) else (*LIT, "add"))


def test_a_yes_to_a_draw_and_a_winning_move_at_once_leave_one_result(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=("add", "double"), options={"target": 12})
        at = two.now
        offers.offer_draw(two.id, two.ada, at)
        drawn, moved = at_once(
            pool,
            lambda two=two, at=at: offers.answer(two.id, two.ben, DRAW, True, at),  # type: ignore[misc]
            lambda two=two: app.service.move(two.id, two.ada, 2, "double", 0),  # type: ignore[misc]
        )
        assert isinstance(drawn, BitduelError) != isinstance(moved, BitduelError)
        assert two.outcome == (Outcome(1, "exact") if isinstance(drawn, BitduelError) else Outcome(None, AGREED_DRAW))


def test_two_yeses_at_once_take_back_once(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        at = two.now
        offers.take_back(two.id, two.ada, at)
        yes: Callable[[], object] = lambda two=two, at=at: offers.answer(  # type: ignore[misc]  # noqa: E731
            two.id, two.ben, BACK, True, at
        )
        answers = at_once(pool, yes, yes)
        assert sum(isinstance(each, LateError) for each in answers) == 1
        assert two.moves == LIT[:2]
        assert two.now == (2, 1)


@pytest.fixture
def crossing(offers: OfferService, monkeypatch: pytest.MonkeyPatch) -> OfferService:
    """Two who say something have both looked at the match before either says it."""
    gate, current = Barrier(2), offers._current

    def looked(*asked: Any) -> Any:
        session = current(*asked)
        gate.wait(30)
        return session

    monkeypatch.setattr(offers, "_current", looked)
    return offers


def test_draw_offers_that_cross_are_a_draw(
    app: LocalApp, crossing: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
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
        assert app.service.session(two.id).match.outcome


def test_who_would_take_back_more_would_take_back_the_last_move_too(
    crossing: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
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
        assert [current_offer(two.session, seat) for seat in (1, 2)] == [None, None]


def test_different_offers_that_cross_both_stand_and_each_can_be_answered(
    app: LocalApp, crossing: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
) -> None:
    two = sit(moves=LIT)
    at = two.now
    at_once(
        pool,
        lambda: crossing.offer_draw(two.id, two.ada, at),
        lambda: crossing.take_back(two.id, two.ben, at),
    )
    for owner, kind in ((two.ada, BACK), (two.ben, DRAW)):
        question = offers_panel(app.service, two.session, two.session.seats(owner), [two.session.stored]).question
        assert question
        assert question.kind == kind
    crossing.answer(two.id, two.ben, DRAW, True, at)
    assert two.outcome == Outcome(None, AGREED_DRAW)


def test_an_offer_that_was_declined_or_withdrawn_is_no_yes(offers: OfferService, sit: SeatPlayers) -> None:
    two = sit(moves=LIT)
    offers.offer_draw(two.id, two.ada, two.now)
    offers.answer(two.id, two.ben, DRAW, False, two.now)
    offers.offer_draw(two.id, two.ben, two.now)
    assert two.outcome is None
    offers.withdraw(two.id, two.ben)
    assert two.outcome is None
    other = sit(moves=LIT)
    offers.offer_draw(other.id, other.ada, other.now)
    offers.withdraw(other.id, other.ada)
    offers.offer_draw(other.id, other.ben, other.now)
    assert other.outcome is None


def test_two_who_ask_for_another_round_at_once_begin_one(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, pool: ThreadPoolExecutor
) -> None:
    for _ in range(RACES):
        two = sit(moves=LIT)
        app.service.resign(two.id, two.ada)
        found = at_once(
            pool,
            lambda two=two: offers.play_again(two.id, two.ada),  # type: ignore[misc]
            lambda two=two: offers.play_again(two.id, two.ben),  # type: ignore[misc]
        )
        assert len({each for each in found if each}) == 1
        assert len(app.store.sitting(two.id)) == 2


def test_a_match_from_the_store_is_sound_after_take_backs(app: LocalApp, offers: OfferService) -> None:
    two = alone(app, "here", *LIT)
    offers.take_back(two.id, two.ada, two.now)
    app.service.move(two.id, two.ada, 2, "add")
    kept = app.store.get(two.id)
    assert kept.match() == Match(make("64"), 1, "", [*LIT[:2], "add"])
    assert (kept.moves, kept.backs) == ((*LIT[:2], "add"), 1)
