"""Playing in a pipe: whatever is typed, however it ends."""

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.games.registry import GameClass, all_games
from bitduel.terminal.match_dialog import MatchDialog
from bitduel.terminal.series import Setup
from helpers import all_readings, bitduel

ANSWERS = st.one_of(
    st.text(),
    st.sampled_from(
        ["1", "2", "3", "4", "5", "8", "16", "add", "double", "flip 2", "reset 2", "toggle 3", *MatchDialog.HELP]
    ),
    st.binary(max_size=20).map(lambda raw: raw.decode("utf-8", errors="replace")),
)
READINGS = [(kind, chosen) for kind, chosen in all_readings()]


@given(st.sampled_from(READINGS), st.lists(ANSWERS, max_size=30), st.sampled_from(["1", "2", "toss"]))
def test_any_text_at_any_prompt_ends_in_a_clean_state(
    reading: tuple[GameClass, dict[str, object]], answers: list[str], first: str
) -> None:
    kind, chosen = reading
    settings = [part for name, value in chosen.items() for part in ("--set", f"{name}={value}")]
    text = "\n".join(answer.replace("\n", " ") for answer in answers)
    ran = bitduel("play", kind.slug, "--first", first, "--seed", "1", *settings, stdin=text)
    assert ran.status in (0, 1)
    assert (ran.err == "") == (ran.status == 0)
    assert ran.err.count("\n") == ran.status
    assert not [c for c in ran.out if not c.isprintable() and c not in "\n\t"]


@given(st.sampled_from(all_games()), st.text(alphabet=st.characters(exclude_characters="\n\r"), max_size=3000))
def test_a_wrong_answer_never_costs_a_turn(kind: GameClass, text: str) -> None:
    options = ("play", kind.slug, "--seed", "1")
    asked = bitduel(*options).out
    ran = bitduel(*options, stdin=text + "\n")
    taken = text.lower().split()[:1] != [] and ran.out.count(asked.splitlines()[-1]) == 1
    assert taken or ran.out.startswith(asked)


def test_the_end_of_input_is_one_line_and_status_1() -> None:
    ran = bitduel("play", all_games()[0].slug)
    assert ran == (ran.out, "bitduel: There is no more input, so the game ends here.\n", 1)
    assert ran.out.endswith(": ")


WRONG = [
    (("play", "65"), "There is no game '65'. Did you mean '64'? Choose from: 64, bits, double, battle, 31."),
    (("battle",), "'battle' is a game, not a command. To play it: bitduel play battle"),
    (("plya",), "There is no command 'plya'. Did you mean 'play'?"),
    (("play", "64", "--vs", "radnom"), "There is no player 'radnom'. Did you mean 'random'?"),
    (("play", "64", "--set", "tagret=5"), "There is no setting 'tagret'. Did you mean 'target'?"),
    (("play", "64", "--set", "target=abc"), "target must be a whole number from 2 to 1000000000, not 'abc'"),
    (("play", "64", "--set", "target"), "--set takes NAME=VALUE, not 'target'."),
    (("play", "64", "--set", "start=64"), "must be less than target"),
    (("play", "battle", "--set", "secret=01"), "secret must have 5 binary digits, not '01'"),
    (("play", "battle", "--vs", "easy", "--set", "secret=01101"), "Against the computer it is picked at random."),
    (
        ("play", "battle", "--p1", "perfect", "--set", "secret=01101"),
        "You can choose the secret only when two people share a keyboard.",
    ),
    (("play", "64", "--first", "3"), "--first must be 1, 2 or toss, not '3'."),
    (("play", "64", "--rounds", "0"), "--rounds must be a whole number from 1 to 1000, not '0'."),
    (("play", "64", "--p2", "random", "--vs", "random"), "Use only one of them"),
    (("play", "64", "--name1", "\x1b[2J"), "A name must have 1 to 32 printable characters"),
    (("play", "64", "--rounds", "x"), "--rounds must be a whole number from 1 to 1000, not 'x'."),
    (("play", "64", "--rounds", "x is not y"), "--rounds must be a whole number from 1 to 1000, not 'x is not y'."),
    (("play", "64", "--seed", "x"), "--seed must be a whole number, not 'x'."),
    (("play", "64", "--seconds", "0"), "--seconds must be a number greater than 0, not '0.0'."),
    (("history", "--limit", "9" * 5000), f"--limit must be a whole number from 1 to 1000000000, not '{'9' * 37}...'."),
    (("serve", "--port", "x"), "--port must be a whole number from 0 to 65535, not 'x'."),
    (("play",), f"Missing argument 'GAME'. Choose from: {', '.join(kind.short for kind in all_games())}."),
    (("rules",), "Missing argument 'GAME'. Choose from: "),
    (("play", "64", "--bogus"), "There is no option '--bogus'. "),
    (("--bogus",), "There is no option '--bogus'. "),
]


@pytest.mark.parametrize("seats", [(), ("--p2", "random"), ("--p1", "random")])
def test_a_pipe_is_told_what_was_dealt_also_when_a_person_wins(seats: tuple[str, ...]) -> None:
    for seed in range(10):
        ran = bitduel("play", "battle", "--set", "bits=1", "--no-save", "--seed", str(seed), *seats, stdin="1\n" * 9)
        told = [line for line in ran.out.splitlines() if line.startswith("The secret was ")]
        assert (len(told), ran.out.count("wins the game!")) == (1, 1), ran.out
    chosen = bitduel("play", "battle", "--set", "secret=10000", "--no-save", stdin="1\n")
    assert chosen.out.endswith("Player 1 wins the game!\n"), "whoever chose it knows it"


@pytest.mark.parametrize(("arguments", "sentence"), WRONG)
def test_wrong_arguments_get_one_line_and_status_2(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel(*arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_the_start_alternates_from_round_to_round() -> None:
    ran = bitduel("play", "31", "--p1", "random", "--p2", "random", "--rounds", "6", "--first", "2", "--seed", "1")
    starts = [line.split(". ")[1] for line in ran.out.splitlines() if line.startswith("Round")]
    assert starts[0] == "Player 2 starts."
    assert all(a != b for a, b in pairwise(starts))


@pytest.mark.parametrize("kind", all_games())
def test_a_seed_repeats_everything(kind: GameClass) -> None:
    arguments = ("play", kind.slug, "--p1", "random", "--p2", "random", "--first", "toss", "--rounds", "3")
    assert bitduel(*arguments, "--seed", "5") == bitduel(*arguments, "--seed", "5")
    assert len({bitduel(*arguments, "--seed", str(n)).out for n in range(8)}) > 1


def test_every_command_at_the_prompt_is_explained() -> None:
    commands = {name.removeprefix("do_") for name in dir(MatchDialog) if name.startswith("do_")}
    assert set(MatchDialog.HELP) == commands
    assert Setup(all_games()[0]()).first == "1"


def run_for_real(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "bitduel", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env={**os.environ, **environment})


def test_bytes_that_are_not_text_are_a_wrong_answer() -> None:
    ran = run_for_real("play", "64", "--set", "target=2", stdin=b"\xff\xfe\x00\n2\n", PYTHONUTF8="1")
    assert ran.returncode == 0
    assert "Invalid choice" in ran.stdout.decode()
    assert ran.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16", "cp1252"])
def test_a_foreign_encoding_is_no_obstacle(encoding: str) -> None:
    ran = run_for_real("play", "64", "--name1", "Žofie", stdin=b"", PYTHONIOENCODING=encoding)
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"yes x | {sys.executable} -m bitduel play 64 | head -1"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, check=True)
    assert ran.stdout == b"Player 1, choose an operation:\n"
    assert ran.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")  # noqa: PTH110
def test_a_full_disk_is_one_line() -> None:
    command = f"{sys.executable} -m bitduel games > /dev/full"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == b"bitduel: No space left on device.\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_traceback(closed: str) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m bitduel play 64 {closed}"], capture_output=True, check=False
    )
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
