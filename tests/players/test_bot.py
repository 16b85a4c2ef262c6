"""Programs from outside: whole matches, the protocol word for word, and what a command may be."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import pytest

import bitduel
from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.outcomes import GARBLED, Outcome
from bitduel.core.view import View
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import FaultError, HaltError, Listener, PlayerLimits, bot, drive, player
from bitduel.players.bot import BotPlayer, parse_command
from bitduel.players.process import BotProcess
from bots import GREETING, Script, open_to_all

DOCS = Path(__file__).parents[2] / "docs"
PATIENT = PlayerLimits(seconds=60)
HONEST = (
    GREETING
    + 'while asked["type"] == "move?": say(type="move", id=asked["id"], move=asked["legal"][-1]); asked = hear()'
)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The commands of the bots that the documentation shows."""
    compiled = tmp_path_factory.mktemp("compiled") / "bot"
    compiler = shutil.which("cc")
    if compiler:
        subprocess.run([compiler, "-o", str(compiled), str(DOCS / "bots" / "bot.c")], check=True)
    return {
        "python": shlex.join([sys.executable, str(DOCS / "bots" / "bot.py")]),
        "shell": shlex.join(["sh", str(DOCS / "bots" / "bot.sh")]),
        "c": shlex.quote(str(compiled)) if compiler else "",
    }


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
@pytest.mark.parametrize("language", ["python", "shell", "c"])
def test_the_bots_of_the_documentation_play_whole_matches(
    examples: dict[str, str], language: str, kind: GameClass
) -> None:
    if not examples[language]:
        pytest.skip("there is no C compiler here")
    who = f"bot:{examples[language]}"
    match = bitduel.play(kind(), *((who, "random") if language == "c" else ("random", who)), seed=3, seconds=60)
    assert match.outcome
    assert match.outcome.reason in {*match.game.reasons.values(), "repetition"}


class Recorded(BotProcess):
    """A process whose every message is written down."""

    said: list[str] = []

    def ask(self, line: bytes, seconds: float) -> bytes:
        self.said.append(f"> {line.decode().strip()}")
        answer = super().ask(line, seconds)
        self.said.append(f"< {answer.decode()}")
        return answer

    def send_last(self, line: bytes) -> None:
        self.said.extend(f"> {part}" for part in line.decode().splitlines())
        super().send_last(line)


def test_the_exchange_in_the_documentation_is_what_is_said(
    examples: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "BotProcess", Recorded)
    monkeypatch.setattr(Recorded, "said", [])
    game = make("double", target=4)
    drive(Match(game), {1: BotPlayer(examples["python"], PlayerLimits()), 2: player("random", game, Random(1))})
    page = (DOCS / "bots.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", page, flags=re.DOTALL)
    assert shown
    assert Recorded.said == shown[1].splitlines()
    assert (DOCS / "bots" / "bot.py").read_text(encoding="utf-8") in page


def test_in_the_dark_a_bot_is_told_no_more_than_its_seat_may_see(
    monkeypatch: pytest.MonkeyPatch, examples: dict[str, str]
) -> None:
    monkeypatch.setattr(bot, "BotProcess", Recorded)
    monkeypatch.setattr(Recorded, "said", [])
    match = Match(make("battle", bits=3), deal="101", moves=["toggle 2"])
    seat = BotPlayer(examples["python"], PATIENT)
    seat.choose(match.view(2))
    seat.close()
    assert "toggle 2" not in json.loads(Recorded.said[2][2:])["history"]
    assert json.loads(Recorded.said[2][2:])["view"] == match.view(2).as_dict()
    assert "101" not in "".join(Recorded.said)


def answered(folder: Path, code: str, seconds: float = 60.0) -> tuple[str, str]:
    """By which ending a bot loses at its first move, and what is said of it; nothing of it is left then."""
    script = Script(folder, code)
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(seconds=seconds))
    match = Match(make("31"))
    try:
        with pytest.raises(FaultError) as fault:
            seat.choose(match.view(1))
        assert not script.left()
    finally:
        seat.close()
    assert str(fault.value).isprintable()
    assert len(str(fault.value)) < 200
    return fault.value.reason, str(fault.value)


GARBAGE = {
    "isn't JSON": ("print('hello')", "this isn't JSON: 'hello'"),
    "an empty line": ("print()", "this isn't JSON: ''"),
    "no object": ("print([])", "isn't a message of type move"),
    "NaN": ('print(\'{"type":"move","id":NaN}\')', "isn't JSON"),
    "infinity as a number": ('print(\'{"type":"move","id":1e999,"move":"1"}\')', "has the id inf instead of 1"),
    "100,000 brackets": ("print('[' * 100_000)", "longer than 64 KiB"),
    "30,000 brackets": ("print('[' * 30_000 + ']' * 30_000)", "isn't JSON"),
    "50,000 digits": ("print('{\"type\":\"move\",\"id\":' + '1' * 50_000 + '}')", "isn't JSON"),
    "no UTF-8": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "isn't JSON"),
    "a key twice": ('print(\'{"type":"move","id":1,"move":"1","move":"2"}\')', "isn't JSON"),
    "another id": ("say(type='move', id=2, move='1')", "its reply has the id 2 instead of 1"),
    "an id that is true": ("say(type='move', id=True, move='1')", "its reply has the id True instead of 1"),
    "no id": ("say(type='move', move='1')", "its reply has the id None instead of 1"),
    "a text as id": ("say(type='move', id='\\x1b[2J', move='1')", "instead of 1"),
    "another type": ("say(type='hello', id=1, move='1')", "isn't a message of type move"),
    "a type that is a list": ("say(type=['move'], id=1, move='1')", "isn't a message of type move"),
    "a number as move": ("say(type='move', id=1, move=1)", "its move is missing or isn't text"),
    "no move": ("say(type='move', id=1)", "its move is missing or isn't text"),
    "two objects": ("print('{}{}')", "isn't JSON"),
    "escape sequences": ("print('\\x1b[2J\\x1b]0;owned\\x07')", "isn't JSON"),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_what_makes_no_sense_is_garbled(name: str, tmp_path: Path) -> None:
    code, words = GARBAGE[name]
    reason, what = answered(tmp_path, f"{GREETING}\n{code}\nsys.stdout.flush(); sys.stdin.readline()")
    assert reason == GARBLED
    assert words in what


GREETINGS = {
    "isn't JSON": "print('ready')",
    "another protocol": "say(type='hello', protocol=2, name='x')",
    "a protocol that is true": "say(type='hello', protocol=True, name='x')",
    "no name": "say(type='hello', protocol=1)",
    "a number as name": "say(type='hello', protocol=1, name=7)",
    "a name of a megabyte": "say(type='hello', protocol=1, name='x' * 1_000_000)",
    "a move": "say(type='move', id=1, move='1')",
}


@pytest.mark.parametrize("name", GREETINGS)
def test_who_does_not_greet_loses(name: str, tmp_path: Path) -> None:
    helpers = GREETING.partition("hear()\nsay")[0]
    assert answered(tmp_path, f"{helpers}\n{GREETINGS[name]}\nsys.stdout.flush(); hear(); hear()")[0] == GARBLED


@pytest.mark.parametrize("extra", ["", "remark", '{"type":"move","id":2,"move":"1"}', "x" * 1_000_000])
def test_what_is_said_without_being_asked_is_never_an_answer(extra: str, tmp_path: Path) -> None:
    code = f"{GREETING}\nprint(json.dumps(dict(type='move', id=1, move='1')) + '\\n' + {extra!r}, flush=True)\nhear()"
    seat = BotPlayer(Script(tmp_path, code).spec.removeprefix("bot:"), PATIENT)
    match = Match(make("31"))
    drive(match, {1: seat, 2: player("random", match.game, Random(1))})
    assert match.ply == 2
    assert match.outcome == Outcome(2, GARBLED)
    seat.close()


def test_who_is_late_is_told_how_long_there_was(tmp_path: Path) -> None:
    assert answered(tmp_path, "import time; time.sleep(1000)", 1) == ("time", "it didn't answer within 1 second")


def test_a_line_without_end_is_garbled(tmp_path: Path) -> None:
    for seconds in (1, 10, 60):  # a busy machine may need longer to come to the point
        found = answered(tmp_path, f"{GREETING}\nprint('[1,', end='', flush=True)\ntime.sleep(1000)", seconds)
        if found[0] == GARBLED:
            break
    assert found == (GARBLED, "it sent an unfinished line: '[1,'")


@pytest.mark.parametrize("move", ["17", "\ud800", "\x1b[2J", "", "1\n", "x" * 10_000])
def test_a_wrong_move_is_an_illegal_one_and_safe_to_tell(move: str, tmp_path: Path) -> None:
    told: list[str] = []

    class Ear(Listener):
        def ended(self, match: Match, fault: str) -> None:
            told.append(fault)

    script = Script(tmp_path, f"{GREETING}\nsay(type='move', id=1, move={move!r})\nhear()")
    assert bitduel.play("31", script.spec, "random", seconds=60, listener=Ear()).outcome == Outcome(2, "illegal move")
    assert "is not legal" in told[0]
    assert told[0].isprintable()
    assert not script.left()


def test_the_exit_status_and_the_last_line_of_standard_error_are_told(tmp_path: Path) -> None:
    crashing = "sys.stderr.write('first\\n\\x1b[31mlast \\x07words\\n\\n'); sys.exit(7)"
    reason, what = answered(tmp_path, f"{GREETING}\n{crashing}")
    assert (reason, what.replace("\N{REPLACEMENT CHARACTER}", "?")) == (
        "crash",
        "it ended with status 7: ?[31mlast ?words",
    )
    assert answered(tmp_path, f"{GREETING}\n1 / 0")[1] == "it ended with status 1: ZeroDivisionError: division by zero"
    assert answered(tmp_path, f"{GREETING}\nos.kill(os.getpid(), 11)") == ("crash", "it was ended by signal 11")
    assert answered(tmp_path, "import sys; sys.exit()") == ("crash", "it ended with status 0")


def test_of_a_long_last_line_the_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(FaultError, match=r"status 2: .*nope\.py': \[Errno 2\] No such file or directory$"):
        BotPlayer(f"{shlex.quote(sys.executable)} nope.py", PATIENT).choose(Match(make("31")).view(1))
    what = answered(tmp_path, f"{GREETING}\nraise ValueError('x' * 1000 + ' \\x07why')")[1]
    assert what == f"it ended with status 1: ValueError: {'x' * 18}...{'x' * 82} \N{REPLACEMENT CHARACTER}why"


def test_a_file_that_is_no_program_is_a_crash_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "nothing"
    path.write_text("nothing")
    path.chmod(0o755)
    with pytest.raises(FaultError, match="status 127: it could not be started: Exec format error") as fault:
        BotPlayer(shlex.quote(str(path)), PATIENT).choose(Match(make("31")).view(1))
    assert fault.value.reason == "crash"


def test_a_bot_may_answer_at_once_and_leave(tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\nsay(type='move', id=1, move='16')")
    seat = BotPlayer(script.spec.removeprefix("bot:"), PATIENT)
    match = Match(make("31"))
    assert seat.choose(match.view(1)) == "16"
    with pytest.raises(FaultError, match="status 0"):
        seat.choose(match.after("16").after("1").view(1))


def test_a_question_may_be_longer_than_any_pipe(tmp_path: Path) -> None:
    script = Script(tmp_path, HONEST)
    seat = BotPlayer(script.spec.removeprefix("bot:"), PATIENT)
    match = Match(make("64", target=1_000_000), moves=["add"] * 100_000)
    assert seat.choose(match.view(1)) in match.legal
    assert seat.choose(match.view(1)) in match.legal
    seat.close()


def test_a_bot_is_told_the_result_and_lives_for_one_match(tmp_path: Path) -> None:
    code = HONEST + "\nsys.stderr.write(json.dumps([asked['winner'], asked['reason'], asked['seat'], hear()]) + '\\n')"
    seat = BotPlayer(Script(tmp_path, code).spec.removeprefix("bot:"), PlayerLimits(60, folder=tmp_path))
    for _ in range(2):
        match = Match(make("31"))
        drive(match, {1: player("random", match.game, Random(1)), 2: seat})
        assert seat.name == "Tester"
        assert seat._process is None
    told = [json.loads(line) for line in (tmp_path / "seat-2.err").read_text().splitlines()]
    assert told == [[*match.outcome, 2, {"type": "bye"}]] * 2  # type: ignore[misc]


def test_the_last_of_standard_error_is_kept(tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\nsys.stderr.write('x' * 300_000 + 'end'); sys.stderr.flush()")
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(60, folder=tmp_path))
    with pytest.raises(FaultError):
        seat.choose(Match(make("31")).view(1))
    assert (tmp_path / "seat-1.err").read_bytes() == b"x" * (8192 - 3) + b"end"


def test_another_game_or_seat_is_another_match(tmp_path: Path) -> None:
    seat = BotPlayer(Script(tmp_path, HONEST).spec.removeprefix("bot:"), PATIENT)
    processes = []
    for view in (Match(make("31")).view(1), Match(make("64")).view(1), Match(make("64"), first=2).view(2)):
        assert seat.choose(view) == seat.choose(view)
        assert seat._process
        processes.append(seat._process.token)
    seat.close()
    assert len(set(processes)) == 3


def test_a_bot_has_an_empty_environment_and_an_empty_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden")
    looking = "import json, os, sys; json.dump([sorted(os.environ), os.listdir('.'), os.getcwd()], sys.stderr)"
    seat = BotPlayer(Script(tmp_path, looking).spec.removeprefix("bot:"), PlayerLimits(60, folder=tmp_path))
    with pytest.raises(FaultError):
        seat.choose(Match(make("31")).view(1))
    names, files, folder = json.loads((tmp_path / "seat-1.err").read_text())
    assert set(names) - {"LC_CTYPE"} == {"PYTHONUNBUFFERED", "BITDUEL_BOT"}
    assert files == []
    assert not Path(folder).exists()


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(BitduelError, match="more than 0 seconds"):
        BotPlayer("sh", PlayerLimits(seconds=seconds))


def test_a_time_without_end_is_a_day(tmp_path: Path) -> None:
    assert bitduel.play("31", Script(tmp_path, HONEST).spec, "random", seconds=float("inf")).outcome


def test_files_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nets").mkdir()
    (tmp_path / "my bot.py").touch()
    program = str(Path(shutil.which("sh") or "").absolute())
    assert parse_command("sh 'my bot.py' nets ./nets . --fast other.py") == [
        program,
        str(tmp_path / "my bot.py"),
        "nets",
        str(tmp_path / "nets"),
        str(tmp_path),
        "--fast",
        "other.py",
    ]
    assert parse_command("sh " + "x" * 5000)[1] == "x" * 5000
    own = tmp_path / "own"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert parse_command("./own") == [str(own)]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("", "A bot needs a command"),
        ("  ", "A bot needs a command"),
        ("''", "Can't find a program called ''"),
        ("'sh", "a quotation mark that is never closed"),
        ("no-such-program-here x", "Can't find a program called 'no-such-program-here'"),
        ("/", "Can't find a program called '/'"),
        ("sh\0", "one line of printable text"),
        ("sh\nx", "one line of printable text"),
        ("sh \udc80", "one line of printable text"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_in_one_sentence(command: str, sentence: str) -> None:
    with pytest.raises(BitduelError) as refused:
        bitduel.player(f"bot:{command}", "31")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_who_cannot_be_started_at_all_leaves_the_match_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pipes = Path("/dev/fd")
    before = len(list(pipes.iterdir()))
    with pytest.raises(HaltError, match="Can't start a bot"):
        BotPlayer("sh", PATIENT).choose(Match(make("31")).view(1))
    assert list(tmp_path.iterdir()) == []
    assert len(list(pipes.iterdir())) == before


def test_a_view_that_is_over_needs_no_process(tmp_path: Path) -> None:
    seat = BotPlayer(Script(tmp_path, HONEST).spec.removeprefix("bot:"), PATIENT)
    match = Match(make("31"))
    match.resign(1)
    view: View = match.view(1)
    seat.over(view)
    seat.close()
    assert seat.asked == 0


@pytest.mark.parametrize("named", [False, True])
def test_a_folder_that_is_hidden_is_empty_to_a_bot_that_is_set_apart_unless_its_command_names_it(
    named: bool, tmp_path: Path
) -> None:
    rows = open_to_all(tmp_path) / "rows"
    rows.mkdir()
    (rows / "games.jsonl").write_text("what was dealt")
    script = Script(tmp_path, f"{GREETING}print(os.getpid(), len(os.listdir({str(rows)!r})), file=sys.stderr)")
    spec = f"{script.spec} {shlex.quote(str(rows / 'games.jsonl'))}" if named else script.spec
    made = player(spec, make("31"), Random(1), PlayerLimits(60, hidden=(rows,)))
    assert isinstance(made, BotPlayer)
    with pytest.raises(FaultError) as caught:
        made.choose(Match(make("31")).view(1))
    process, count = str(caught.value).rpartition(":")[2].split()
    assert (rows / "games.jsonl").read_text() == "what was dealt"
    if int(process) > 10:
        pytest.skip("This system gives nobody a space of processes of one's own.")
    assert int(count) == named


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux keeps the memory of a process from its own user.")
def test_whoever_starts_a_bot_keeps_its_own_memory_to_itself() -> None:
    code = "import ctypes; from bitduel.players.process import protect_memory; protect_memory()"
    asked = "; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    ran = subprocess.run([sys.executable, "-c", code + asked], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"
