"""Two who want the same thing at the same moment: exactly one gets it, and nothing is doubled."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx
import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import AGREED_DRAW, Outcome
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.storage import Store, open_store
from web.sites import LocalApp, SeatedMatch, Server, bearer, rounds

RACES = rounds(20)


@pytest.fixture
def shared(pair: tuple[Server, Server], shared_url: str) -> Iterator[Store]:
    with open_store(shared_url) as store:
        yield store


def at_once(pool: ThreadPoolExecutor, *asked: tuple[httpx.Client, str, dict[str, object]]) -> list[httpx.Response]:
    """Send all of these at the same moment."""
    gate = Barrier(len(asked))

    def send(client: httpx.Client, path: str, more: dict[str, object]) -> httpx.Response:
        gate.wait(30)
        return client.post(path, **more)  # type: ignore[arg-type]

    return [found.result() for found in [pool.submit(send, *each) for each in asked]]


def test_on_two_servers_one_of_two_moves_is_made(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    wins = {"add": 0, "double": 0}
    with pair[0].client() as one, pair[1].client() as two:
        for number in range(RACES):
            seated = SeatedMatch(shared, Match(make("64"), 1))
            path = f"/api/v1/matches/{seated.id}/moves"
            moves = ("add", "double") if number % 2 else ("double", "add")
            bodies = [{"json": {"ply": 0, "move": move}, "headers": bearer(seated.tokens[0])} for move in moves]
            answers = at_once(pool, (one, path, bodies[0]), (two, path, bodies[1]))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            won = moves[[answer.status_code for answer in answers].index(200)]
            assert shared.get(seated.id).moves == (won,)
            wins[won] += 1
    assert sum(wins.values()) == RACES


def test_on_two_servers_the_same_move_twice_is_made_once(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for _ in range(RACES):
            seated = SeatedMatch(shared, Match(make("64"), 1))
            path = f"/matches/{seated.id}/move"
            form: dict[str, object] = {"data": {"ply": "0", "move": "add"}, "headers": bearer(seated.tokens[0])}
            answers = at_once(pool, (one, path, form), (two, path, form))
            assert {answer.status_code for answer in answers} <= {303, 409}
            assert any(answer.status_code == 303 for answer in answers)
            assert shared.get(seated.id).moves == ("add",)


def test_on_two_servers_one_of_two_friends_gets_the_seat(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for _ in range(RACES):
            seated = SeatedMatch(shared, Match(make("64"), 1), seats=1)
            path, tokens, names = f"/invite/{seated.id}/{seated.invitation}", (new_token(), new_token()), ("Ben", "Eve")
            forms: list[dict[str, object]] = [
                {"data": {"name": name}, "headers": bearer(token)} for name, token in zip(names, tokens, strict=True)
            ]
            answers = at_once(pool, (one, path, forms[0]), (two, path, forms[1]))
            assert sorted(answer.status_code for answer in answers) == [303, 409]
            won = [answer.status_code for answer in answers].index(303)
            assert shared.seats.owners(seated.id) == {1: hashed(seated.tokens[0]), 2: hashed(tokens[won])}
            assert shared.get(seated.id).names == ("Ada", names[won])


def test_on_two_servers_both_begin_the_same_next_round(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for _ in range(max(RACES // 4, 3)):
            seated = SeatedMatch(shared, Match(make("64", {"target": 2}), 1, "", ["double"]))
            path = f"/api/v1/matches/{seated.id}/next"
            headers: list[dict[str, object]] = [{"headers": bearer(token)} for token in seated.tokens]
            answers = at_once(pool, (one, path, headers[0]), (two, path, headers[1]))
            assert [answer.status_code for answer in answers] == [200, 200]
            begun = {answer.json()["id"] for answer in answers} - {seated.id}
            assert len(begun) == 1, "whoever is second sees that the first has asked"
            assert len(shared.sitting(seated.id)) == 2


def test_on_two_servers_draw_offers_that_cross_are_a_draw_by_pages_and_by_the_api(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for number in range(RACES):
            seated = SeatedMatch(shared, Match(make("64"), 1, "", ["add", "add", "double"]))
            at: dict[str, object] = {"ply": 3, "backs": 0}
            ada, ben = (bearer(token) for token in seated.tokens)
            page, api = f"/matches/{seated.id}/draw", f"/api/v1/matches/{seated.id}/draw"
            by_page, by_api = (one, page, {"data": at, "headers": ada}), (one, api, {"json": at, "headers": ada})
            answers = at_once(pool, by_api if number % 2 else by_page, (two, api, {"json": at, "headers": ben}))
            assert {answer.status_code for answer in answers} <= {200, 303}
            assert shared.get(seated.id).outcome == Outcome(None, AGREED_DRAW)


def test_on_two_servers_a_yes_to_a_take_back_and_a_move_leave_one_of_both(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for _ in range(max(RACES // 4, 3)):
            seated = SeatedMatch(shared, Match(make("64"), 1, "", ["add", "add", "double"]))
            api, at = f"/api/v1/matches/{seated.id}", {"ply": 3, "backs": 0}
            assert one.post(f"{api}/take-back", json=at, headers=bearer(seated.tokens[0])).is_success
            yes: dict[str, object] = {
                "json": {**at, "kind": "take-back", "yes": True},
                "headers": bearer(seated.tokens[1]),
            }
            body: dict[str, object] = {"json": {**at, "move": "add"}, "headers": bearer(seated.tokens[1])}
            answers = at_once(pool, (one, f"{api}/answer", yes), (two, f"{api}/moves", body))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            moves = ("add", "add") if answers[0].is_success else ("add", "add", "double", "add")
            assert shared.get(seated.id).moves == moves


def test_on_two_servers_a_resignation_and_a_winning_move_leave_one_result(
    pair: tuple[Server, Server], shared: Store, pool: ThreadPoolExecutor
) -> None:
    with pair[0].client() as one, pair[1].client() as two:
        for _ in range(max(RACES // 4, 3)):
            seated = SeatedMatch(shared, Match(make("64", {"target": 2}), 1))
            api = f"/api/v1/matches/{seated.id}"
            body: dict[str, object] = {"json": {"ply": 0, "move": "double"}, "headers": bearer(seated.tokens[0])}
            give_up: dict[str, object] = {"headers": bearer(seated.tokens[0])}
            answers = at_once(pool, (one, f"{api}/moves", body), (two, f"{api}/resignation", give_up))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            kept = shared.get(seated.id)
            assert kept.outcome == ((1, "exact") if answers[0].is_success else (2, "resignation"))
            assert kept.moves == (("double",) if answers[0].is_success else ())


def test_in_one_process_one_of_two_moves_is_made(app: LocalApp) -> None:
    for _ in range(RACES):
        seated = SeatedMatch(app.store, Match(make("64"), 1))
        who, path = app.browser(), f"/api/v1/matches/{seated.id}/moves"
        asked = [
            who.ask("POST", path, json={"ply": 0, "move": move}, headers=bearer(seated.tokens[0]))
            for move in ("add", "double")
        ]
        answers = app.together(*asked)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        won = ("add", "double")[[answer.status_code for answer in answers].index(200)]
        assert app.store.get(seated.id).moves == (won,)


def test_in_one_process_one_of_two_friends_gets_the_seat(app: LocalApp) -> None:
    for _ in range(RACES):
        seated = SeatedMatch(app.store, Match(make("64"), 1), seats=1)
        path, wish = f"/api/v1/matches/{seated.id}/seat", {"invitation": seated.invitation}
        answers = app.together(*(app.browser().ask("POST", path, json=wish) for _ in range(2)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (token,) = [answer.json()["token"] for answer in answers if answer.is_success]
        assert app.store.seats.owners(seated.id)[2] == hashed(token)


def test_all_who_look_at_a_computers_turn_together_see_one_move_of_it(app: LocalApp) -> None:
    for _ in range(max(RACES // 4, 3)):
        match_id = app.store.begin(Match(make("31"), 2), ("human", "random"), ("Ada", "Computer"))
        answers = app.together(*(app.browser().ask("GET", f"/api/v1/matches/{match_id}") for _ in range(4)))
        histories = {tuple(answer.json()["view"]["history"]) for answer in answers}
        assert len(histories) == 1
        assert app.store.get(match_id).moves in histories


def test_who_looks_while_somebody_resigns_is_not_refused(app: LocalApp) -> None:
    """A computer's move that comes too late is forgotten, and the page shows the end."""
    for _ in range(max(RACES // 4, 3)):
        seated = SeatedMatch(app.store, Match(make("31"), 1))
        match_id = app.store.begin(Match(make("31"), 2), ("human", "random"), ("Ada", "Computer"))
        app.store.seats.claim(match_id, 1, hashed(seated.tokens[0]))
        who = app.browser(seated.tokens[0])
        looks = [who.ask("GET", f"/matches/{match_id}") for _ in range(3)]
        answers = app.together(who.ask("POST", f"/matches/{match_id}/resign"), *looks)
        assert [answer.status_code for answer in answers] == [303, 200, 200, 200]
