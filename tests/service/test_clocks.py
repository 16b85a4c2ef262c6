"""Matches on a clock: when it starts, what runs out, and who is notified."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.outcomes import TIME, Outcome
from bitduel.core.record import parse_record
from bitduel.games.registry import make
from bitduel.learning.review import review, review_data
from bitduel.service.clocks import FlagTimer, clock_text
from bitduel.service.credentials import hashed, invitation, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError
from bitduel.service.new_match import clock_settings
from bitduel.service.offers import OfferService, match_update
from bitduel.storage import open_store
from bitduel.storage.clocks import MATCH, MOVE, ClockSettings
from bitduel.storage.presentation import as_data, record_text, result_text
from bitduel.storage.schema import SECOND
from fake_time import FakeTime

HALF_MINUTE = ClockSettings(MOVE, 30)


class Table:
    """A match on a clock between Ada, who starts, and Ben."""

    def __init__(
        self, service: MatchService, time: FakeTime, clock: ClockSettings = HALF_MINUTE, game: str = "64"
    ) -> None:
        self.service, self.time = service, time
        ada, ben = new_token(), new_token()
        self.ada, self.ben = hashed(ada), hashed(ben)
        self.id = service.create(make(game), "friend", "1", ("Ada", None), ada, clock=clock)
        self.secret = invitation(ada, self.id)

    def begin(self) -> "Table":
        """Both are there, and the clock runs."""
        self.service.join(self.id, self.secret, "Ben", self.ben)
        self.service.visit(self.id, self.ada)
        self.service.visit(self.id, self.ben)
        return self

    @property
    def running(self) -> int | None:
        clock = self.service.session(self.id).stored.clock
        assert clock
        return clock.running

    def pass_by(self, seconds: float) -> None:
        """Let time pass while the site works."""
        for _ in range(int(seconds)):
            self.time.pass_by(1)
            FlagTimer(self.service).tick()


class RecordingHub(Hub):
    """A hub that remembers what was announced."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[str] = []

    def publish(self, match_id: str) -> None:
        self.published.append(match_id)


@pytest.fixture
def service(tmp_path: Path, time: FakeTime) -> Iterator[MatchService]:
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        yield MatchService(store, RecordingHub())


@pytest.fixture
def table(service: MatchService, time: FakeTime) -> Table:
    return Table(service, time)


def published(service: MatchService) -> list[str]:
    assert isinstance(service.hub, RecordingHub)
    found, service.hub.published = service.hub.published, []
    return found


def test_settings_have_limits_and_a_sentence() -> None:
    assert clock_settings("move", 5) == ClockSettings(MOVE, 5)
    assert clock_settings("match", 10_800) == ClockSettings(MATCH, 10_800)
    with pytest.raises(BitduelError, match="A clock for each move must have 5 to 3,600 seconds"):
        clock_settings("move", 4)
    with pytest.raises(BitduelError, match="A clock for each match must have 30 to 10,800 seconds"):
        clock_settings("match", 10_801)
    with pytest.raises(BitduelError, match="A clock must be for each move or for the whole match"):
        clock_settings("day", 1)


@pytest.mark.parametrize(
    ("ticks", "text"),
    [(0, "0:00"), (-5, "0:00"), (1, "0:01"), (30 * SECOND, "0:30"), (61 * SECOND, "1:01"), (3905 * SECOND, "1:05:05")],
)
def test_a_clock_shows_seconds_until_they_are_used_up(ticks: int, text: str) -> None:
    assert clock_text(ticks) == text


@pytest.mark.parametrize("opponent", ["easy", "here"])
def test_a_clock_is_only_for_two_people_on_two_devices(service: MatchService, opponent: str) -> None:
    with pytest.raises(BitduelError, match="You can use a clock only if two people"):
        service.create(make("64"), opponent, "1", (None, None), new_token(), clock=HALF_MINUTE)
    assert service.store.matches() == []


def test_the_clock_starts_when_both_have_seen_the_match_with_both_seats_taken(table: Table) -> None:
    service = table.service
    service.visit(table.id, table.ada)
    service.join(table.id, table.secret, "Ben", table.ben)
    assert table.running is None
    service.visit(table.id, table.ben)
    service.visit(table.id, None)
    assert table.running is None, "Ada has not seen that Ben is there"
    published(service)
    before = match_update(service, service.session(table.id)).text
    service.visit(table.id, table.ada)
    assert table.running == 1
    assert table.id in published(service)
    assert match_update(service, service.session(table.id)).text != before


def test_a_flag_falls_although_nobody_asks_and_everybody_is_notified_once(table: Table) -> None:
    table.begin()
    published(table.service)
    table.pass_by(29)
    assert published(table.service) == []
    table.pass_by(1)
    assert published(table.service) == [table.id]
    assert table.service.store.get(table.id).outcome == Outcome(2, TIME)
    table.pass_by(5)
    assert published(table.service) == []


def test_whoever_reads_a_match_whose_time_is_up_sees_its_result(table: Table) -> None:
    table.begin()
    table.service.move(table.id, table.ada, 0, "add")
    table.time.pass_by(5)
    table.service.store.clocks.beat()
    table.time.pass_by(9)
    table.service.store.clocks.beat()
    table.time.pass_by(9)
    table.service.store.clocks.beat()
    table.time.pass_by(7)
    assert table.service.session(table.id).match.outcome == Outcome(1, TIME)


def test_a_move_after_the_flag_is_refused_with_the_result(table: Table) -> None:
    table.begin()
    table.pass_by(29)
    table.time.pass_by(1.5)
    with pytest.raises(LateError, match=r"^Ada has run out of time\. Ben wins the game!$"):
        table.service.move(table.id, table.ada, 0, "add", 0)
    assert table.service.store.get(table.id).moves == ()


def test_after_a_restart_the_players_have_the_time_they_had(table: Table, tmp_path: Path) -> None:
    table.begin()
    table.pass_by(10)
    table.time.pass_by(7200)
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        again = MatchService(store, Hub())
        session = again.move(table.id, table.ada, 0, "add", 0)
        assert session.match.outcome is None
        assert session.stored.clock
        assert session.stored.clock.running == 2


def test_every_move_passes_the_clock_on_also_in_the_cached_match(table: Table) -> None:
    table.begin()
    for ply, move in enumerate(["add", "double", "double"]):
        table.pass_by(20)
        session = table.service.move(table.id, (table.ada, table.ben)[ply % 2], ply, move, 0)
        assert session.stored.clock == table.service.store.get(table.id).clock
        assert session.stored.clock
        assert session.stored.clock.remaining(table.time()) == (30 * SECOND, 30 * SECOND)
    assert table.running == 2


def test_a_rematch_has_the_same_clock_which_starts_when_both_have_seen_it(table: Table) -> None:
    table.begin()
    offers = OfferService(table.service)
    table.service.resign(table.id, table.ada)
    offers.play_again(table.id, table.ada)
    found = offers.play_again(table.id, table.ben)
    assert found
    clock = table.service.session(found).stored.clock
    assert clock
    assert (clock.settings, clock.running) == (HALF_MINUTE, None)
    table.service.visit(found, table.ada)
    table.service.visit(found, table.ben)
    clock = table.service.session(found).stored.clock
    assert clock
    assert clock.running == 2


def test_while_a_clock_runs_nobody_can_claim_the_match(service: MatchService, time: FakeTime) -> None:
    table = Table(service, time, ClockSettings(MATCH, 3600)).begin()
    table.pass_by(600)
    assert not service.presence.has_left(service.session(table.id), 1)


def test_a_match_lost_on_time_can_be_shown_exported_imported_and_reviewed(table: Table) -> None:
    table.begin()
    table.service.move(table.id, table.ada, 0, "add")
    table.pass_by(30)
    stored = table.service.store.get(table.id)
    match = stored.match()
    assert result_text(stored, match) == "Ada won (time)"
    assert as_data(stored, match)["over"] == {"winner": 1, "reason": "time"}
    assert parse_record(record_text(stored, match), make).match(make).outcome == Outcome(1, TIME)
    assert review_data(review(match, stored.names), stored.id)["over"] == {"winner": 1, "reason": "time"}


def test_in_a_hidden_game_the_state_of_the_clock_does_not_depend_on_the_secret(
    service: MatchService, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for secret in ("00000", "11111"):
        monkeypatch.setattr(type(make("battle")), "deal", lambda _self, _rng, secret=secret: secret)
        table = Table(service, time, game="battle").begin()
        moment = time.now
        service.move(table.id, table.ada, 0, service.session(table.id).match.legal[0])
        clock = service.session(table.id).stored.clock
        assert clock
        seen.append(clock._replace(flag=(clock.flag or 0) - moment))
    assert seen[0] == seen[1]
