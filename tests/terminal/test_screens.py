"""What people see in a real terminal, at three sizes: nothing is broken in the middle of a word."""

import os
import secrets
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import GameClass, all_games, make
from bitduel.storage import open_store

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")

SIZES = [(40, 20), (80, 24), (120, 40)]
TRIES = 900
WIDE_NAME = "李小龙"


class Window:
    """The program in a window of tmux, of a size of its own."""

    def __init__(self, home: Path, columns: int, lines: int, *arguments: str) -> None:
        self.columns = columns
        self.socket = f"bitduel-{secrets.token_hex(8)}"
        settings = {"XDG_DATA_HOME": home, "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"], "PYTHONUTF8": "1"}
        given = [word for name, value in settings.items() for word in ("-e", f"{name}={value}")]
        size = ["-x", str(columns), "-y", str(lines)]
        self.status = home / "status"
        # Set before the program starts: one that ends at once would take the server with it.
        self.config = home / "tmux.conf"
        home.mkdir(exist_ok=True)
        self.config.write_text('set-option -g remain-on-exit on\nset-option -g remain-on-exit-format ""\n')
        noted = ["sh", "-c", f'"$@"; echo $? > {self.status}', "sh"]
        self._tmux("new-session", "-d", *size, *given, *noted, sys.executable, "-m", "bitduel", *arguments)

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self.socket, "-f", str(self.config), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=_utf8()).stdout

    def type(self, text: str) -> None:
        """Type a line."""
        if text:
            self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        """Press keys by their names."""
        self._tmux("send-keys", *keys)

    def seen(self, joined: bool = False) -> str:
        """What stands on the screen and above it; joined as it was written, or as the terminal broke it."""
        return self._tmux("capture-pane", "-p", "-S", "-", *(["-J"] if joined else []))

    def visible(self) -> str:
        """What stands on the screen."""
        return self._tmux("capture-pane", "-p")

    def until(self, text: str, times: int = 1) -> str:
        """Wait until a text has come up so many times; everything that is there then."""
        for _ in range(TRIES):
            shown = self.seen()
            if " ".join(shown.split()).count(text) >= times:
                return shown
            select.select([], [], [], 0.1)
        raise AssertionError(f"{text!r} never came; there is:\n{self.seen()}")

    def ended(self) -> str:
        """Wait for the program to end; its status."""
        for _ in range(TRIES):
            if self.status.exists() and (said := self.status.read_text()):
                return said.strip()
            select.select([], [], [], 0.1)
        raise AssertionError(f"it never ended; there is:\n{self.seen()}")

    def check(self, *typed: str) -> None:
        """Nothing was broken by the terminal: every line was folded before it came; what was typed may fill one."""
        for _ in range(TRIES):
            shown, written, again = self.seen(), self.seen(joined=True), self.seen()
            if shown == again:
                break
        filled = [line for line in shown.splitlines() if line.endswith(typed) and len(line) == self.columns]
        for line in filled:
            written = written.replace(line, f"{line}\n")
        assert [line.rstrip() for line in shown.splitlines()] == [line.rstrip() for line in written.splitlines()]

    @property
    def in_a_screen_of_its_own(self) -> bool:
        return self._tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def until_in_a_screen_of_its_own(self) -> None:
        """Wait until the program has opened the alternate screen."""
        for _ in range(TRIES):
            if self.in_a_screen_of_its_own:
                return
            select.select([], [], [], 0.1)
        raise AssertionError(f"it never opened a screen of its own; there is:\n{self.seen()}")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, check=False)


def _utf8() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    opened: list[Window] = []

    def start(columns: int, lines: int, *arguments: str) -> Window:
        home = tmp_path / f"w{len(opened)}"
        opened.append(Window(tmp_path if not opened else home, columns, lines, *arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def prompt_of(kind: GameClass) -> str:
    """The last words of the question before the first move."""
    game = kind()
    match = Match(game, deal=game.any_deal())
    return game.words.prompt(match.view(1), "Ada").strip()[-12:]


@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_the_first_turn_help_rules_moves_a_hint_and_a_wrong_answer_fit(
    window: Callable[..., Window], kind: GameClass, columns: int, lines: int
) -> None:
    alone = ("--p2", "random") if kind().is_hidden else ()
    screen = window(columns, lines, "play", kind.short, "--name1", WIDE_NAME, "--no-save", *alone)
    prompt = prompt_of(kind)
    screen.until(prompt)
    words = ("help", "rules", "moves", "hint", "what")
    for times, word in enumerate(words, 2):
        screen.type(word)
        screen.until(prompt, times)
    screen.check(*words)


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_the_end_its_review_and_history_fit(window: Callable[..., Window], columns: int, lines: int) -> None:
    screen = window(columns, lines, "play", "double", "--name1", WIDE_NAME, "--vs", "perfect", "--set", "target=6")
    for times in (1, 2, 3):
        shown = screen.until("double it:", times) if times == 1 else screen.seen()
        if "What next?" in " ".join(shown.split()):
            break
        screen.type("add")
        for _ in range(TRIES):
            words = " ".join(screen.seen().split())
            if "What next?" in words or words.count("double it:") > times:
                break
            select.select([], [], [], 0.1)
    screen.until("What next?")
    screen.check()
    screen.type("review")
    screen.until("turning point")
    screen.check()
    screen.type("quit")
    screen.until("Goodbye.")


@pytest.mark.thorough
@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "bits"),
        ("games",),
        ("history",),
        ("solve", "31", "--moves", "16, 8"),
        ("solve", "double"),
        ("solve", "bits"),
        ("solve", "battle", "--set", "bits=3"),
        ("atlas", "double", "--over", "target=2..200"),
        ("atlas", "64", "--over", "step=1..8", "--over", "target=2..64"),
        ("atlas", "battle", "--over", "bits=1..3"),
        ("--help",),
        ("play", "--help"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_every_page_fits(window: Callable[..., Window], arguments: tuple[str, ...], columns: int, lines: int) -> None:
    screen = window(columns, lines, *arguments)
    assert screen.ended() == "0"
    screen.check()


@pytest.mark.thorough
@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "bits", "--bogus"),
        ("play", "64", "--set", "tagret=5"),
        ("show", "nothing-like-that"),
        ("play", "battle", "--set", "bits=9", "--vs", "perfect"),
    ],
    ids=" ".join,
)
def test_what_is_said_beside_the_output_fits(
    window: Callable[..., Window], arguments: tuple[str, ...], columns: int, lines: int
) -> None:
    screen = window(columns, lines, *arguments)
    assert screen.ended() != "0"
    assert "bitduel:" in screen.seen()
    screen.check()


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_leaving_by_a_key_fits(window: Callable[..., Window], columns: int, lines: int) -> None:
    for key, said in (("C-d", "so the game ends here."), ("C-c", "Interrupted.")):
        screen = window(columns, lines, "play", "double")
        screen.until("double it:")
        screen.type("add")
        screen.until("double it:", 2)
        screen.press(key)
        screen.until(said)
        screen.check()


@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize(("game", "prompt"), [("battle", "(1-31):"), ("bits", "flip:")])
def test_boards_of_31_bits_fit(window: Callable[..., Window], game: str, prompt: str, columns: int, lines: int) -> None:
    screen = window(columns, lines, "play", game, "--set", "bits=31", "--no-save", "--p2", "random")
    screen.until(prompt)
    screen.check()


@pytest.mark.thorough
@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize("command", ["history", "stats", "show", "review"])
def test_what_is_kept_fits(
    window: Callable[..., Window], tmp_path: Path, command: str, columns: int, lines: int
) -> None:
    for game, moves in [("double", "add\n" * 30), ("battle", "1\n2\n3\n4\n5\n" * 9)]:
        arguments = ["play", game, "--name1", WIDE_NAME * 2, "--vs", "easy", "--seed", "7"]
        settings = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUTF8": "1"}
        play = [sys.executable, "-m", "bitduel", *arguments]
        subprocess.run(play, input=moves, text=True, encoding="utf-8", env=settings, capture_output=True, check=True)
    screen = window(columns, lines, command)
    assert screen.ended() == "0"
    assert WIDE_NAME in screen.seen()
    screen.check()


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_the_menu_fits_with_its_title(window: Callable[..., Window], columns: int, lines: int) -> None:
    screen = window(columns, lines)
    screen.until("Your choice (1-7, Enter for 1):")
    assert "quick games about" in screen.visible()
    for words, answer in [
        ("Your choice (1-7, Enter for 1):", "bits"),
        ("Who do you want to play?", "settings"),
        ("or press Enter:", "?"),
        ("Type 'q' to quit.", f"name={WIDE_NAME}"),
        ("Changed: name=", ""),
        ("Your choice (1-6, Enter for 1):", "hard"),
    ]:
        screen.until(words)
        screen.type(answer)
    screen.until("Available actions:")
    screen.check("settings", f"name={WIDE_NAME}")


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_leaving_continuing_and_discarding_a_match_fit(window: Callable[..., Window], columns: int, lines: int) -> None:
    screen = window(columns, lines)
    for words, times, answer in [
        ("Your choice (1-7, Enter for 1):", 1, "first=me"),
        ("Changed: first=me.", 1, "3 two"),
        ("double it:", 1, "a"),
        ("double it:", 2, "q"),
        ("Your choice (1-8, Enter for 8):", 1, ""),
        ("Your choice (1, Enter for 1):", 1, ""),
        ("double it:", 3, "q"),
        ("Your choice (1-8, Enter for 8):", 2, "continue"),
        ("Your choice (1, Enter for 1):", 2, "discard 1"),
        ("(y/N):", 1, "y"),
        ("The match was discarded.", 1, "q"),
    ]:
        screen.until(words, times)
        screen.type(answer)
    screen.until("Goodbye.")
    if columns > 40:  # there the longest answer is broken, as a terminal does with what is typed
        screen.check()


@pytest.mark.parametrize("against", ["human", "medium"])
def test_the_prompt_comes_back_after_a_stop(against: str, window: Callable[..., Window]) -> None:
    shell = window(40, 20)
    shell._tmux("respawn-pane", "-k", "bash", "--norc")
    shell.type(f"{sys.executable} -m bitduel play double --no-save --vs {against}")
    shell.until("double it:")
    shell.press("C-z")
    shell.until("Stopped")
    shell.type("fg")
    shell.until("double it:", 2)
    shell.type("add")
    shell.until("New number is 2.")


def test_stopping_leaves_the_dark_screen_and_going_on_shows_it_again(window: Callable[..., Window]) -> None:
    screen = window(80, 24)
    screen.close()
    shell = window(80, 24)
    shell._tmux("respawn-pane", "-k", "bash", "--norc")
    shell.type(f"{sys.executable} -m bitduel play battle --no-save --set secret=01101")
    shell.until("only you can see the screen.")
    shell.type("")
    shell.until("toggle (1-5):")
    assert shell.in_a_screen_of_its_own
    shell.press("C-z")
    shell.until("Stopped")
    assert not shell.in_a_screen_of_its_own
    shell.type("fg")
    shell.until_in_a_screen_of_its_own()
    assert "pass it on" not in shell.until("only you can see the screen.")
    shell.type("")
    shell.until("toggle (1-5):")
    shell.type("1")
    shell.until("pass it on.")


def test_a_replay_is_shown_again_after_a_stop(window: Callable[..., Window], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        store.begin(Match(make("double"), moves=["add", "double"]), ("human", "human"), ("Ada", "Alan"))
    shell = window(80, 24)
    shell._tmux("respawn-pane", "-k", "bash", "--norc")
    shell.type(f"{sys.executable} -m bitduel replay --db {db}")
    shell.until("q: quit.")
    shell.press("Right")
    shell.until("1. Ada: add")
    shell.press("C-z")
    shell.until("Stopped")
    shell.type("fg")
    shell.until("1. Ada: add")
    shell.press("Right")
    shell.until("2. Alan: double")
    shell.press("q")


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_a_puzzle_its_refutation_and_the_line_to_share_fit(
    window: Callable[..., Window], columns: int, lines: int
) -> None:
    from datetime import date

    from bitduel.learning.puzzle_deck import daily_puzzle

    day = date(2026, 11, 19)
    (question, (right,)), *rest = daily_puzzle(day).puzzle.solution()
    wrong = next(candidate.name for candidate in question.candidates if candidate.name != right)
    screen = window(columns, lines, "puzzle", "--date", day.isoformat())
    prompt = "Your answer ("
    answers = [right, *(answer[0] for _, answer in rest)]  # a second try, because there are five toggles
    for times, word in enumerate(("help", "rules", "hint", "what", wrong, *answers), 1):
        screen.until(prompt, times)
        screen.type(word)
    screen.until("bitduel 2 · ")
    screen.type("")  # the result stays until Enter
    screen.check("help", "rules", "hint", "what", wrong, right)
    assert screen.ended() == "0"
