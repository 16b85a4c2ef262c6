"""Playing against a language model at a terminal or in a pipe."""

import re
import socket
from pathlib import Path

import pytest

from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players.llm import client
from bitduel.players.llm.service import KEYS, URLS
from bitduel.players.settings import llm_limits
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal.autosave import Autosave, NoAutosave
from bitduel.terminal.match_dialog import BusyPlayer
from bitduel.terminal.series import RoundSeries, Setup
from helpers import bitduel
from players.llm_server import Asked, Reply, fail, first_possible, say, serving
from terminal.test_match_dialog import Sheet


@pytest.fixture(autouse=True)
def no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*URLS, *KEYS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(client, "sleep", lambda seconds: None)


def play(*arguments: str, stdin: str = "") -> tuple[str, str, int]:
    return bitduel("play", *arguments, "--no-save", stdin=stdin)


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_a_whole_match_of_every_game_against_a_program(kind: GameClass) -> None:
    with serving(first_possible) as service:
        who = ("--p1", "random", "--vs", "llm:m", "--llm-url", service.url)
        out, err, status = play(kind.slug, *who, "--seed", "1")
    assert (err, status) == ("", 0), err
    assert out


def test_somebody_plays_against_a_model_with_the_address_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_possible) as service:
        monkeypatch.setenv("BITDUEL_LLM_URL", service.url)
        out, err, status = play("double", "--set", "target=4", "--vs", "llm:qwen3", stdin="double\nadd\n")
        assert service.asked[0].body["model"] == "qwen3"
    assert (err, status) == ("", 0)
    assert "The number is exactly 4!" in out


def test_without_an_address_it_is_said_how_to_give_one() -> None:
    _, err, status = play("64", "--vs", "llm:m")
    assert err == (
        "bitduel: There is no address for the language model. Use --llm-url http://localhost:11434/v1, or set "
        "BITDUEL_LLM_URL.\n"
    )
    assert status == 2


def test_a_service_that_is_down_is_one_line() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        _, err, status = play("64", "--p1", "llm:m", "--llm-url", url)
    assert err == (f"bitduel: The service for 'm' at {url} can't be reached: connection refused (tried 6 times).\n")
    assert status == 1


def test_a_service_that_wants_a_key_says_so_in_its_own_words() -> None:
    with serving(fail(401, "You did not provide an API key.")) as service:
        _, err, status = play("64", "--p1", "llm:m", "--llm-url", service.url)
    assert err.endswith("answered with status 401: You did not provide an API key.\n")
    assert status == 1


def test_a_model_that_gives_no_move_loses_and_it_is_said_why() -> None:
    with serving(say("no")) as service:
        out, _, status = play("64", "--p1", "llm:m", "--llm-url", service.url, "--llm-set", "attempts=2")
        assert len(service.asked) == 2
    assert "it gave no legal move in 2 answers; the last was unreadable" in out
    assert "Player 1 sent an answer we couldn't read. Player 2 wins the game!" in out
    assert status == 0


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("legal=maybe", "legal must be yes or no, not 'maybe'"),
        ("colour=red", "There is no setting for language models"),
    ],
)
def test_a_wrong_switch_is_one_line(setting: str, said: str) -> None:
    _, err, status = play("64", "--llm-set", setting)
    assert said in err
    assert (err.count("\n"), status) == (1, 2)


def test_a_terminal_shows_that_the_model_is_thinking() -> None:
    sheet = Sheet()
    signs: list[list[str]] = []

    def note(asked: Asked) -> Reply:
        signs.append(list(sheet.signs))
        return first_possible(asked)

    with serving(note) as service:
        terms = llm_limits(service.url, (), None)
        setup = Setup(make("double", target=4), (Spec("llm", "qwen3"), Spec("random")), limits=terms)
        RoundSeries(setup.with_program_names(), sheet, NoAutosave()).play()
    assert len(signs[0]) == 1
    assert re.fullmatch(r"Computer \(llm.*\) is thinking\.\.\.", signs[0][0])


def test_a_program_at_a_screen_is_told_the_end_if_it_wants_to_know() -> None:
    class Told:
        def choose(self, view: object) -> str:
            return ""

        def over(self, view: object) -> None:
            self.view = view

    told = Told()
    BusyPlayer(told, Sheet(), "m").over("the end")  # type: ignore[arg-type]
    assert told.view == "the end"


def test_nobody_is_told_to_resume_what_cannot_be_resumed() -> None:
    for other, lines in ((Spec("llm", "m"), 0), (Spec("random"), 1)):
        autosave = Autosave(None, (Spec(HUMAN), other), PLAYERS)
        autosave.match_id = "k7m"
        assert len(autosave.farewell()) == lines


def test_a_kept_match_of_a_model_is_not_resumed(tmp_path: Path) -> None:
    with serving(first_possible) as service:
        db = f"sqlite:///{tmp_path}/matches.db"
        options = ("--vs", "llm:m", "--llm-url", service.url, "--db", db)
        bitduel("play", "64", *options, stdin="1\n")
        asked = len(service.asked)
        assert asked == 1
        ran = bitduel("resume", "--db", db, stdin="1\n")
        assert "'llm:m', which can't be started again from a saved match" in ran.err
        assert ran.status == 1
        shown = bitduel("export", "--db", db).out
        assert "llm:m" in shown
        (tmp_path / "m.txt").write_text(shown)
        assert bitduel("import", f"{tmp_path}/m.txt", "--db", f"{db}2").status == 0
        assert (
            bitduel("resume", "--db", f"{db}2", stdin="1\n1\n").err
            == "bitduel: There is no more input, so the game ends here.\n"
        )
        assert len(service.asked) == asked
