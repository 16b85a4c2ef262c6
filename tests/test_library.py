"""The library at a prompt; its page runs as a test of the documentation."""

import subprocess
import sys
from threading import Event

import pytest

import bitduel
from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.core.record import RecordError


def test_importing_the_library_loads_nothing_until_it_is_used() -> None:
    code = "import sys, bitduel; print(*[name for name in sys.modules if name.startswith('bitduel.')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_solving_is_a_function() -> None:
    code = "import bitduel; print(bitduel.solve(bitduel.Match(bitduel.make('31'))).value)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "win\n"


def test_everything_that_is_promised_is_there() -> None:
    assert all(getattr(bitduel, name) for name in bitduel.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        bitduel.nothing  # noqa: B018


def test_the_old_name_of_all_games_still_answers() -> None:
    with pytest.warns(DeprecationWarning, match="all_games"):
        assert bitduel.shelf() == bitduel.all_games()


def test_a_human_cannot_be_asked_here() -> None:
    with pytest.raises(BitduelError, match="function from view to move"):
        bitduel.player("human", bitduel.make("31"))


def test_what_is_no_player_is_said_so() -> None:
    with pytest.raises(BitduelError, match="A player must be a name"):
        bitduel.player(7, bitduel.make("31"))  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        bitduel.play("31", "nobody", "random")


def test_a_seed_makes_everything_repeatable_and_the_seats_different() -> None:
    one, two = (bitduel.play("battle", "random", "random", seed=5) for _ in range(2))
    assert one == two
    assert one != bitduel.play("battle", "random", "random", seed=6)
    assert one.moves[0::2] != one.moves[1::2]


def test_a_match_shows_its_picture_in_a_notebook() -> None:
    svg = bitduel.Match(bitduel.make("bits"))._repr_svg_()
    assert svg
    assert svg.startswith("<svg")


def test_a_text_that_is_no_record_is_refused_with_its_line() -> None:
    with pytest.raises(RecordError, match="Line 1"):
        bitduel.read_record("nonsense")


def test_only_programs_of_the_caller_are_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_view: object) -> str:
        Event().wait()
        return ""

    assert bitduel.play("31", "perfect", never, seconds=0.01).outcome == (1, "time")
    monkeypatch.setattr("bitduel.players.driver.TimedPlayer.choose", None)
    ended = bitduel.play("31", "perfect", "random", seconds=1e-9).outcome
    assert ended
    assert ended.reason != "time"
    with pytest.raises(BitduelError, match="more than 0 seconds"):
        bitduel.play("31", "perfect", "random", seconds=0)
