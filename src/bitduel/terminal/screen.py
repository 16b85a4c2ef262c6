"""Screens: where lines are shown and answers read, plainly or on a terminal with colour, pictures and keys."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType

from bitduel.core.errors import EndOfInputError
from bitduel.core.picture import Picture
from bitduel.terminal.text import PLAIN_WIDTH, fold, fold_lines, terminal_height, terminal_width

STYLES = {"quiet": "dim", "wrong": "yellow", "ending": "bold green", "turn": "bold"}
BUSY_DELAY = 0.3
"""Seconds before a note appears that work takes long."""
ANSWER_WIDTH, SHORT_ANSWER = 12, 3
"""Columns left for an answer, and for one of a letter or a number."""
BLANKS = 2
"""The blank before an answer and the column of the cursor after it."""
ENDING_SIGNALS = ("SIGTERM", "SIGHUP", "SIGQUIT")
KEYS = {
    **dict.fromkeys(("\r", "\n", " ", "n", "\x1b[C", "\x1b[B", "\x1bOC"), "next"),
    **dict.fromkeys(("b", "\x7f", "\x1b[D", "\x1b[A", "\x1bOD"), "back"),
    **dict.fromkeys(("\x1b[H", "\x1b[1~"), "start"),
    **dict.fromkeys(("\x1b[F", "\x1b[4~"), "end"),
    **dict.fromkeys(("q", "\x04", ""), "quit"),
}
"""The key for each sequence of characters; an empty one is the end of the input."""


class ResumedError(Exception):
    """The program was stopped at a question on a private screen and continues; the screen has to be shown again."""


class ContinuedError(Exception):
    """The program was stopped at a question and continues; the question has to be shown again."""

    def __init__(self, typed: str) -> None:
        super().__init__()
        self.typed = typed


class Screen:
    """A pipe or a file: lines without colour, as wide as they are."""

    is_interactive = False
    """Whether somebody reads the lines and types the answers at a terminal."""
    is_terminal = False
    """Whether it is a terminal with colour and pictures that can be cleared."""
    has_announced_commands = False
    is_asking = False
    """Whether a prompt for a line or a key is open."""
    ALONE = "{name}, press Enter when only you can see the screen."

    @property
    def width(self) -> int:
        """The number of columns."""
        return PLAIN_WIDTH

    @property
    def height(self) -> int:
        """The number of lines that can be seen at a time; a pipe has no limit."""
        return sys.maxsize

    @property
    def line_width(self) -> int:
        """The number of columns for lines that a pipe gets whole."""
        return self.width if self.is_interactive else sys.maxsize

    def show(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines."""
        for line in lines:
            print(line)

    def ask(self, prompt: str, answer_width: int = ANSWER_WIDTH) -> str:
        """Ask for one line; raise EndOfInputError if there is none."""
        print(prompt, end="", flush=True)
        with _newline_when_interrupted():
            line = sys.stdin.readline()
            if not line:
                raise EndOfInputError
        answer = line.rstrip("\r\n")
        if not sys.stdin.isatty():
            print(_printable(answer), flush=True)
        return answer

    def pause(self, sentence: str) -> None:
        """Wait for Enter on a terminal."""

    def draw(self, picture: Picture) -> None:
        """Draw a picture on a terminal."""

    def hand_over(self, name: str, is_cleared: bool = False) -> None:
        """Clear a terminal between the turns of two people."""

    def clear(self) -> None:
        """Clear a terminal."""

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Show on a terminal that work is going on."""
        yield

    @contextmanager
    def private(self) -> Iterator[None]:
        """Keep what is shown out of a terminal's scrollback."""
        yield


class PlainTerminal(Screen):
    """A terminal without colour, pictures and screen control: lines folded at words."""

    is_interactive = True

    @property
    def width(self) -> int:
        """The number of columns now."""
        return terminal_width()

    @property
    def height(self) -> int:
        """The number of lines now."""
        return terminal_height()

    def show(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines, folded."""
        for line in fold_lines(lines, self.width, hang=2):
            print(line)

    def ask(self, prompt: str, answer_width: int = ANSWER_WIDTH) -> str:
        """Ask for one line; a long question is folded and leaves room for the answer."""
        above, last = self._fold_prompt(prompt, answer_width)
        self.show(above)

        def ask_again(_number: int, _frame: FrameType | None) -> None:
            print(last, end="", flush=True)

        with _handling_continue(ask_again):
            return super().ask(last)

    def pause(self, sentence: str) -> None:
        """Wait for Enter."""
        self.ask(sentence, 0)

    def _fold_prompt(self, prompt: str, answer_width: int) -> tuple[list[str], str]:
        """Return the lines above the answer, and the one beside it."""
        *above, last = fold(prompt.rstrip(" "), self.width - BLANKS)
        *more, last = fold(last, self.width - answer_width - BLANKS)
        return above + more, f"{last} "


class Terminal(PlainTerminal):
    """A terminal with colour, pictures and keys, cleared to be handed over."""

    is_terminal = True

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self.is_private = False
        _disable_input_history()

    def show(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines in a style."""
        for line in fold_lines(lines, self.width, hang=2):
            self.console.print(line, style=STYLES.get(style))

    def ask(self, prompt: str, answer_width: int = ANSWER_WIDTH) -> str:
        """Ask for one line with the usual editing keys; ask again when a stopped program continues."""
        above, last = self._fold_prompt(prompt, answer_width)
        self.show(above)
        typed = ""
        while True:
            try:
                return self._read_line(last, typed)
            except ContinuedError as error:
                typed = error.typed

    def _read_line(self, prompt: str, typed: str) -> str:
        """Read a line that may have been begun; raise ContinuedError with it when a stopped program continues."""

        def continued(_number: int, _frame: FrameType | None) -> None:
            raise ContinuedError(_typed_so_far())

        self.is_asking = True
        handling = nullcontext() if self.is_private else _handling_continue(continued)
        with _newline_when_interrupted(), _begun_line(typed), handling:
            try:
                return input(prompt)
            except EOFError:
                raise EndOfInputError from None
            finally:
                self.is_asking = False

    def draw(self, picture: Picture) -> None:
        """Draw a picture."""
        from bitduel.terminal.painting import paint

        self.console.print()
        for line in paint(picture, self.width, has_unicode()):
            self.console.print(line)
        self.console.print()

    def hand_over(self, name: str, is_cleared: bool = False) -> None:
        """Clear the screen, unless it is, and wait until the next player is alone."""
        if not is_cleared:
            self.pause("Press Enter to clear the screen and pass it on.")
            self.clear()
        self.pause(self.ALONE.format(name=name))
        self.clear()

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Show that work is going on, once it has taken a moment."""
        from threading import Timer

        status = self.console.status(sentence, spinner="dots" if has_unicode() else "line")
        timer = Timer(BUSY_DELAY, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()

    @contextmanager
    def private(self) -> Iterator[None]:
        """Use the alternate screen, which leaves nothing behind, however the program leaves it."""
        self._enter_alternate()
        self.is_private = True
        try:
            with self._handling_signals():
                yield
        finally:
            self.is_private = False
            self._leave_alternate()

    @contextmanager
    def _handling_signals(self) -> Iterator[None]:
        """Leave the alternate screen before a signal ends or stops the program; enter it again when it goes on.

        A signal that unwinds the program, as SIGTERM does elsewhere, is not handled: the screen is left on the way out.
        """

        def end(number: int, _frame: FrameType | None) -> None:
            self._leave_alternate()
            _deliver(number)

        def stop(number: int, _frame: FrameType | None) -> None:
            self._leave_alternate()
            _deliver(number)
            signal.signal(number, stop)
            self._enter_alternate()
            if self.is_asking:
                raise ResumedError

        handlers = {**dict.fromkeys(ENDING_SIGNALS, end), "SIGTSTP": stop}
        numbers = {int(getattr(signal, name, 0)): handler for name, handler in handlers.items()}
        # A signal may be missing on this system, be ignored (under nohup), or be handled by somebody else.
        replaced = {
            number: signal.signal(number, handler)
            for number, handler in numbers.items()
            if number > 0 and signal.getsignal(number) is signal.SIG_DFL
        }
        try:
            yield
        finally:
            for number, handler in replaced.items():
                signal.signal(number, handler)

    def _enter_alternate(self) -> None:
        self._control("\x1b[?1049h")
        self.clear()

    def _leave_alternate(self) -> None:
        self.clear()
        self._control("\x1b[?1049l")

    def clear(self) -> None:
        """Clear the screen but not the scrollback."""
        self._control("\x1b[H\x1b[2J")

    def _control(self, sequence: str) -> None:
        print(sequence, end="", flush=True)


def open_screen(plain: bool, asks: bool = True) -> Screen:
    """Return the terminal if output, and input where it is needed, is one: plain if that is wanted or all it can."""
    if not (sys.stdout.isatty() and (sys.stdin.isatty() or not asks)):
        return Screen()
    return PlainTerminal() if plain or os.environ.get("TERM") == "dumb" else Terminal()


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows work done of a total on standard error, once it has taken more than a second."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import Progress

    began = monotonic()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=monotonic() - began > 1)


def has_unicode() -> bool:
    """Return whether the output can show more than ASCII."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def can_read_keys() -> bool:
    """Return whether the input is a terminal whose single keys can be read."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty()


@contextmanager
def read_keys() -> Iterator[Callable[[], str]]:
    """Give a function that waits for a key and returns its meaning: next, back, start, end, quit, or the key."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def read_key() -> str:
        key = _read_key(terminal)
        return KEYS.get(key, key)

    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield read_key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_key(terminal: int) -> str:
    """Return the characters that one key sends."""
    import select

    sent = os.read(terminal, 1)
    while sent.startswith(b"\x1b") and len(sent) < 6 and select.select([terminal], [], [], 0.05)[0]:
        sent += os.read(terminal, 1)
        if (sent[-1:].isalpha() and len(sent) > 2) or sent.endswith(b"~"):
            break
    return sent.decode(errors="replace")


def _deliver(number: int) -> None:
    """Let a signal do what it does to any program; after a stop, the program continues here."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextmanager
def _newline_when_interrupted() -> Iterator[None]:
    """End the line of a prompt that Ctrl-C or Ctrl-D has left open."""
    try:
        yield
    except (EndOfInputError, KeyboardInterrupt):
        if sys.stdout.isatty():
            print()
        raise


@contextmanager
def _handling_continue(handler: "Callable[[int, FrameType | None], None]") -> Iterator[None]:
    """Call a handler when the program was stopped and continues, as after Ctrl-Z and fg.

    The system may tell another thread than this one that the program continues, and threads of NumPy are such ones.
    So Ctrl-Z is handled too: its handler stops the program, and goes on here.
    """
    numbers = [getattr(signal, name, None) for name in ("SIGCONT", "SIGTSTP")]
    if None in numbers or threading.current_thread() is not threading.main_thread():
        yield
        return
    has_continued = False

    def go_on(number: int, frame: FrameType | None) -> None:
        nonlocal has_continued
        has_continued = True
        handler(number, frame)

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal has_continued
        has_continued = False
        _deliver(number)
        signal.signal(number, stop)
        if not has_continued:
            go_on(number, frame)

    can_stop = signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    handlers = {signal.SIGCONT: go_on, **({signal.SIGTSTP: stop} if can_stop else {})}
    replaced = {number: signal.signal(number, handle) for number, handle in handlers.items()}
    try:
        yield
    finally:
        for number, before in replaced.items():
            signal.signal(number, before)


@contextmanager
def _begun_line(typed: str) -> Iterator[None]:
    """Let the next line begin with what was typed already."""
    if not typed:
        yield
        return
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(typed))
    try:
        yield
    finally:
        readline.set_startup_hook()


def _typed_so_far() -> str:
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()


def _disable_input_history() -> None:
    """Let arrow keys edit the line, but not bring back what the other player typed."""
    try:
        import readline
    except ImportError:
        return
    readline.set_auto_history(False)


def _printable(answer: str) -> str:
    """Replace control characters, which could do things to a terminal."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in answer)
