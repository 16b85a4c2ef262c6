"""How often one visitor and one address may do what costs something: in one process, and in all that share a store."""

from pathlib import Path

import pytest

from bitduel.storage import open_store
from bitduel.web.http.clients import MOST_ADDRESSES, Client, network_of
from bitduel.web.http.quotas import (
    ConcurrencyLimit,
    Limit,
    Quota,
    Rate,
    SharedRate,
    TooManyError,
)
from web.sites import LocalApp


def takes(limit: Limit, key: str, most: int = 1000) -> int:
    """How many more are counted before one is refused."""
    for number in range(most):
        try:
            limit.take(key)
        except TooManyError:
            return number
    return most


def test_a_rate_forgets_what_is_long_ago() -> None:
    now = [0.0]
    rate = Rate(2, 60, lambda: now[0])
    rate.take("a")
    rate.take("b")
    now[0] = 30.0
    assert [takes(rate, key) for key in "aab"] == [1, 0, 1]
    now[0] = 60.1
    assert [takes(rate, key) for key in "ab"] == [1, 1]


def test_a_crowd_of_addresses_sets_nobody_free() -> None:
    rate = Rate(2, 60)
    for number in range(MOST_ADDRESSES + 10):
        if number % 1000 == 0 and number <= 1000:
            rate.take("rude")
        rate.take(str(number))
        assert number < 1000 or not takes(rate, "rude")
    assert len(rate._times) <= MOST_ADDRESSES


PUPIL, PLAYER, RUDE = Client("9.9.9.9", "pupil"), Client("9.9.9.9", "player", True), Client("9.9.9.9")


def takes_of(quota: Quota, client: Client) -> bool:
    try:
        quota.take(client)
    except TooManyError:
        return False
    return True


def test_a_visitor_is_counted_before_the_address_that_many_share() -> None:
    quota = Quota(Rate(2, 60), Rate(10, 60))
    assert [takes_of(quota, PUPIL) for _ in range(3)] == [True, True, False]
    assert takes_of(quota, Client("9.9.9.9", "another"))
    assert takes_of(quota, RUDE)


def test_nobody_at_an_address_uses_up_what_those_who_play_there_need() -> None:
    quota = Quota(Rate(2, 60), Rate(10, 60))
    assert sum(takes_of(quota, RUDE) for _ in range(50)) == 10
    assert sum(takes_of(quota, Client("9.9.9.9", f"made up {number}")) for number in range(50)) == 0
    assert takes_of(quota, PLAYER)
    assert takes_of(quota, Client("8.8.8.8"))
    assert sum(takes_of(quota, Client("9.9.9.9", f"seat {number}", True)) for number in range(50)) == 9


def test_an_address_without_a_bound_is_not_counted() -> None:
    quota = Quota(Rate(2, 60))
    assert all(takes_of(quota, RUDE) for _ in range(100))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("unknown", "unknown", True),
    ],
)
def test_who_can_choose_among_addresses_is_counted_once(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) is same


def test_all_processes_that_share_a_store_count_together(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    with open_store(url) as one, open_store(url) as two:
        here, there = (SharedRate(store.counts, "try", 3, 60) for store in (one, two))
        here.take("a")
        there.take("a")
        assert [takes(here, "a"), takes(there, "a"), takes(there, "b")] == [1, 0, 3]
        assert takes(SharedRate(two.counts, "other", 3, 60), "a") == 3


def test_a_shared_count_begins_anew_when_its_time_is_over_and_is_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [1_000_000]
    monkeypatch.setattr("bitduel.storage.coordination.now", lambda: moment[0])
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        rate = SharedRate(store.counts, "try", 1, 60)
        assert [takes(rate, "a"), takes(rate, "a")] == [1, 0]
        moment[0] += 60_000_000 - 1
        assert not takes(rate, "a")
        moment[0] += 1
        assert takes(rate, "a") == 1
        store.counts.delete_expired()
        assert not takes(rate, "a")
        moment[0] += 60_000_000
        store.counts.delete_expired()
        assert store.counts.add("try a", 1) == 1


def test_no_address_is_kept_in_clear(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        SharedRate(store.counts, "try", 9, 60).take("203.0.113.7")
    assert not [file for file in tmp_path.iterdir() if b"203.0.113.7" in file.read_bytes()]


def test_another_round_counts_as_a_match_that_is_begun(strict_app: LocalApp) -> None:
    ada = strict_app.browser(where="9.9.9.9")
    made = ada.post("/api/v1/matches", json={"game": "double", "opponent": "easy", "options": {"target": 4}}).json()
    path, headers = f"/api/v1/matches/{made['match']['id']}", {"authorization": f"Bearer {made['token']}"}
    ada.post(f"{path}/resignation", headers=headers)
    limit = strict_app.site.creation_quota.per_visitor.most
    found = [ada.post(f"{path}/next", headers=headers).status_code for _ in range(limit + 1)]
    assert found == [200] * limit + [429]


def test_a_place_is_given_back_also_after_an_error() -> None:
    places = ConcurrencyLimit(1)
    with pytest.raises(ZeroDivisionError), places.take("a"):
        raise ZeroDivisionError
    with places.take("a"), pytest.raises(TooManyError), places.take("a"):
        pass
    assert not places._taken
