"""The one loop: whole matches, clocks, faults, and whoever listens."""

from random import Random
from threading import Event

import pytest

from bitduel.core.errors import BitduelError, StopPlayingError
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.core.view import View
from bitduel.games.registry import make
from bitduel.players import FaultError, HaltError, Listener, Person, ResignError, TakeBackError, close, drive, player
from bitduel.players.player import FunctionPlayer


class Scribe(Listener):
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def moved(self, match: Match, view: View, move: str) -> None:
        assert match.moves[view.ply] == move
        self.heard.append((view.seat, move))

    def ended(self, match: Match, fault: str) -> None:
        self.heard.append(("ended", fault))

    def taken_back(self, match: Match, seat: int) -> None:
        self.heard.append(("taken back", seat, match.ply))


def last(view: View) -> str:
    return view.legal[-1]


LAST = FunctionPlayer(last)


def test_two_programs_play_a_match_to_its_end_and_every_move_is_heard() -> None:
    match, scribe = Match(make("31")), Scribe()
    outcome = drive(match, {1: LAST, 2: LAST}, scribe)
    assert outcome == match.outcome == Outcome(1, "finish")
    assert scribe.heard == [(1, "16"), (2, "16"), (1, "16")]


def test_it_waits_where_nobody_sits() -> None:
    match = Match(make("31"))
    assert drive(match, {1: LAST, 2: None}) is None
    assert match.moves == ["16"]
    assert drive(match, {}) is None


def test_it_stops_when_a_match_gets_too_long() -> None:
    match = Match(make("64", target=1000))
    adding = FunctionPlayer(lambda view: "add")
    assert drive(match, {1: adding, 2: adding}, most_plies=7) is None
    assert match.ply == 7


def test_who_has_no_move_passes_also_on_an_empty_seat() -> None:
    match, scribe = Match(make("bits", first_move="flip"), moves=["flip 2", "reset 2"]), Scribe()
    assert match.must_pass
    assert drive(match, {}, scribe) is None
    assert scribe.heard == [(1, PASS)]
    assert match.to_move == 2


class Failing:
    """Does what it is told to, once it is its turn."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def choose(self, view: View) -> str:
        raise self.error


@pytest.mark.parametrize("move", ["17", "", None, 16, ["1"], "1\n"])
def test_an_illegal_move_loses(move: object) -> None:
    match, scribe = Match(make("31")), Scribe()
    outcome = drive(match, {1: FunctionPlayer(lambda view: move), 2: LAST}, scribe)  # type: ignore[arg-type,return-value]
    assert outcome == Outcome(2, "illegal move")
    assert match.moves == []
    assert scribe.heard == [("ended", f"{move!r} is not legal")]


def test_a_crash_loses_and_says_what_it_was() -> None:
    scribe = Scribe()
    assert drive(Match(make("31")), {1: LAST, 2: Failing(ZeroDivisionError("oh"))}, scribe) == Outcome(1, "crash")
    assert scribe.heard[-1] == ("ended", "ZeroDivisionError: oh")


class UnspeakableError(Exception):
    """Cannot even be told."""

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


class Liar(str):
    """Says that it is any move."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


@pytest.mark.parametrize("seconds", [None, 60.0])
@pytest.mark.parametrize(
    "error", [UnspeakableError(), SystemExit(3), GeneratorExit(), StopPlayingError(), TakeBackError(), TimeoutError()]
)
def test_whatever_a_program_raises_costs_it_the_match(error: BaseException, seconds: float | None) -> None:
    assert drive(Match(make("31")), {1: LAST, 2: Failing(error)}, seconds=seconds) == Outcome(1, "crash")


def test_a_program_cannot_make_a_move_legal_or_lie_about_it() -> None:
    def cheat(view: View) -> str:
        object.__setattr__(view, "legal", ("cheat",))
        return "cheat"

    for program in (cheat, lambda view: Liar("cheat"), lambda view: UnspeakableError()):
        assert drive(Match(make("31")), {1: FunctionPlayer(program), 2: LAST}) == Outcome(2, "illegal move")  # type: ignore[arg-type]


class Leaving(Person):
    """A person who leaves."""

    def choose(self, view: View) -> str:
        raise StopPlayingError


def test_a_person_who_stops_stops_the_loop_and_not_the_match() -> None:
    match = Match(make("31"))
    with pytest.raises(StopPlayingError):
        drive(match, {1: LAST, 2: Leaving()})
    assert match.to_move == 2


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(BitduelError, match="more than 0 seconds"):
        drive(Match(make("31")), {1: LAST, 2: LAST}, seconds=seconds)


@pytest.mark.parametrize("seconds", [float("inf"), 1e20])
def test_a_time_without_end_is_no_clock(seconds: float) -> None:
    assert drive(Match(make("31")), {1: LAST, 2: LAST}, seconds=seconds) == Outcome(1, "finish")


def test_a_program_that_never_answers_loses_on_time() -> None:
    for_ever = Event()

    def wait(view: View) -> str:
        for_ever.wait()
        return last(view)

    try:
        assert drive(Match(make("31")), {1: LAST, 2: FunctionPlayer(wait)}, seconds=0.01) == Outcome(1, "time")
    finally:
        for_ever.set()


def test_with_a_clock_good_programs_play_as_without() -> None:
    assert drive(Match(make("31")), {1: LAST, 2: LAST}, seconds=60) == Outcome(1, "finish")
    assert drive(Match(make("31")), {1: LAST, 2: Failing(KeyError("x"))}, seconds=60) == Outcome(1, "crash")


@pytest.mark.parametrize("player", [Failing(ResignError())])
def test_a_player_may_resign(player: Failing) -> None:
    scribe = Scribe()
    assert drive(Match(make("31")), {1: LAST, 2: player}, scribe) == Outcome(1, "resignation")
    assert scribe.heard[-1] == ("ended", "")


class Fickle(Person):
    """Takes the first move back once."""

    def __init__(self) -> None:
        self.regrets = 1

    def choose(self, view: View) -> str:
        if view.ply == 2 and self.regrets:
            self.regrets -= 1
            raise TakeBackError
        return last(view)


def test_a_person_may_take_back_to_their_own_last_turn() -> None:
    scribe = Scribe()
    assert drive(Match(make("31")), {1: Fickle(), 2: LAST}, scribe) == Outcome(1, "finish")
    assert scribe.heard[:4] == [(1, "16"), (2, "16"), ("taken back", 1, 0), (1, "16")]


class Clumsy(Person):
    """A person whose screen breaks."""

    def choose(self, view: View) -> str:
        raise BrokenPipeError


def test_a_person_is_never_at_fault() -> None:
    match = Match(make("31"))
    with pytest.raises(BrokenPipeError):
        drive(match, {1: Clumsy(), 2: LAST}, seconds=0.001)
    assert match.to_move == 1


@pytest.mark.parametrize("seconds", [None, 60])
def test_a_program_may_know_by_which_ending_it_loses(seconds: float | None) -> None:
    scribe, fault = Scribe(), FaultError("garbled answer", "nonsense")
    assert drive(Match(make("31")), {1: LAST, 2: Failing(fault)}, scribe, seconds) == Outcome(1, "garbled answer")
    assert scribe.heard[-1] == ("ended", "nonsense")


@pytest.mark.parametrize("seconds", [None, 60])
def test_who_cannot_play_on_without_fault_leaves_the_match_open(seconds: float | None) -> None:
    match = Match(make("31"))
    with pytest.raises(HaltError, match="no money"):
        drive(match, {1: LAST, 2: Failing(HaltError("no money"))}, seconds=seconds)
    assert match.outcome is None


class Curious(FunctionPlayer):
    """Wants to know how it ended."""

    def __init__(self) -> None:
        super().__init__(last)
        self.told: list[View] = []

    def over(self, view: View) -> None:
        self.told.append(view)
        raise ValueError("which is nobody's business")

    def close(self) -> None:
        self.told.clear()


def test_who_wants_to_know_is_told_how_the_match_ended_and_can_be_let_go() -> None:
    players = {1: Curious(), 2: Curious()}
    outcome = drive(Match(make("31")), players)
    assert [(view.seat, view.over) for player in players.values() for view in player.told] == [
        (1, outcome),
        (2, outcome),
    ]
    close([*players.values(), LAST, None])
    assert not players[1].told


def test_nobody_is_told_of_an_end_that_has_not_come() -> None:
    curious = Curious()
    drive(Match(make("31")), {1: curious}, most_plies=3)
    assert curious.told == []


class Quick(Scribe):
    """Needs no views."""

    accepts_sampled = True

    def __init__(self) -> None:
        super().__init__()
        self.sights: list[object] = []

    def moved(self, match: Match, view: View, move: str) -> None:
        self.sights.append((view.information_state, move))

    def sampled(self, match: Match, information_state: object, move: str) -> None:
        self.heard.append("from memory")  # type: ignore[arg-type]
        self.sights.append((information_state, move))


@pytest.mark.parametrize("name", ["64", "bits", "battle"])
def test_who_needs_no_views_hears_the_same_moves_from_memory(name: str) -> None:
    game = make(name)
    told: list[Quick] = []
    for listener in (Quick(), Quick()):
        listener.accepts_sampled = not told
        players = {1: player("perfect", game, Random(1)), 2: player("random", game, Random(2))}
        for _ in range(20):
            drive(Match(game, deal=game.any_deal()), players, listener)
        told.append(listener)
    assert told[0].sights == told[1].sights
    assert len(told[0].heard) > len(told[0].sights) // 2
    assert told[1].heard == []


def test_a_stranger_is_never_asked_for_a_sample() -> None:
    class Stranger(FunctionPlayer):
        def sample(self, information_state: object, legal: tuple[str, ...]) -> str:
            raise AssertionError

    assert drive(Match(make("31")), {1: Stranger(last), 2: Stranger(last)}, Quick()) == Outcome(1, "finish")
