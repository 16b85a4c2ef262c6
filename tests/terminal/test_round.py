"""What happens around a turn on a terminal: signs of work, room for answers, commands that are offered."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bitduel.storage
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, make, shelf
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal import menu
from bitduel.terminal.autosave import Autosave, NoKeeper
from bitduel.terminal.commands import resume
from bitduel.terminal.hints import TOO_LARGE, has_hints
from bitduel.terminal.round import QuitError, Round
from bitduel.terminal.screen import ROOM_TO_TYPE, Screen, Terminal

TWO = (Spec(HUMAN), Spec(HUMAN))
WIDTH = 40


class Sheet(Screen):
    """A terminal of 40 columns that answers what it was told, and notes everything."""

    fancy = True

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.said: list[str] = []
        self.signs: list[str] = []

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    def say(self, lines: Iterable[str], style: str = "") -> None:
        self.said += lines

    def ask(self, prompt: str, room: int = ROOM_TO_TYPE) -> str:
        self.said.append(prompt)
        if not self.answers:
            raise QuitError
        return self.answers.pop(0)

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        self.signs.append(sentence)
        yield
        self.signs.pop()


def play(match: Match, sheet: Sheet, keeper: Autosave | None = None) -> Sheet:
    """A match between two people until the answers end."""
    with pytest.raises(QuitError):
        Round(match, {1: None, 2: None}, PLAYERS, sheet, keeper or NoKeeper()).play()
    return sheet


def test_keeping_a_move_shows_that_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet("add")
    opened = bitduel.storage.open_store

    def opening(db: str | None = None) -> bitduel.storage.Store:
        assert sheet.signs
        return opened(db)

    monkeypatch.setattr(bitduel.storage, "open_store", opening)
    with Autosave(f"sqlite:///{tmp_path}/matches.db", TWO, PLAYERS) as keeper:
        play(Match(make("double")), sheet, keeper)
        assert keeper.match_id


def test_looking_for_a_match_that_was_left_shows_that_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet()

    def opening(db: str | None = None) -> bitduel.storage.Store:
        assert sheet.signs
        raise bitduel.storage.StoreError("it cannot be read")

    monkeypatch.setattr(bitduel.storage, "open_store", opening)
    monkeypatch.setattr(resume, "open_store", opening)
    monkeypatch.setattr(menu, "open_screen", lambda plain: sheet)
    menu.run()
    assert "Which game?" in sheet.said


LARGE = [("battle", {"bits": 7}), ("battle", {"bits": 31, "table": "open"})]


@pytest.mark.parametrize(("name", "options"), LARGE)
def test_a_hint_is_not_offered_where_there_is_none_and_refused_kindly(name: str, options: dict[str, object]) -> None:
    sheet = play(Match(make(name, options), deal="0" * int(str(options["bits"]))), Sheet("help", "hint"))
    assert "hint" not in sheet.text.replace(TOO_LARGE, "")
    assert TOO_LARGE in sheet.said
    assert "GB" not in sheet.text


@pytest.mark.parametrize("kind", shelf())
def test_every_game_has_hints_as_it_comes(kind: Kind) -> None:
    assert has_hints(kind())


def test_a_game_that_no_table_holds_has_no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.solver.evaluators.room", lambda _game: 1_000)
    monkeypatch.setattr("bitduel.games.binary_race_31.rules.BinaryRace31.evaluator", lambda _game: None)
    assert not has_hints(make("31", length=1_000))
    assert has_hints(make("double", target=10**9))


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], list[str]]:
    """The lines of a question on a terminal of 40 columns."""

    def asked(prompt: str, room: int) -> list[str]:
        terminal, lines, last = Terminal(), [], []

        def answer(shown: str) -> str:
            last.append(shown)
            return ""

        monkeypatch.setattr(Terminal, "width", WIDTH)
        monkeypatch.setattr(terminal, "say", lambda above, style="": lines.extend(above))
        monkeypatch.setattr("builtins.input", answer)
        terminal.ask(prompt, room)
        return lines + last

    return asked


def test_a_question_leaves_as_much_room_as_its_answer_takes(prompts: Callable[[str, int], list[str]]) -> None:
    assert prompts("Choose your move (1, 2, 4, 8, 16): ", 2) == ["Choose your move (1, 2, 4, 8, 16): "]
    assert prompts("Press Enter for the next round here.", 0) == ["Press Enter for the next round here. "]
    assert len(prompts("Your name? (Enter for Player 1): ", ROOM_TO_TYPE)) == 2
    assert prompts("Enter to play, 'options' to see what can be chosen, or NAME=VALUE: ", ROOM_TO_TYPE) == [
        "Enter to play, 'options' to see what",
        "can be chosen, or",
        "NAME=VALUE: ",
    ]


def test_the_menu_asks_for_names_before_who_starts() -> None:
    sheet = Sheet("31", "two", "Ada", "Alan", "alan", "", "")
    setup = menu.ask_setup(sheet)
    assert (setup.names, setup.first) == (("Ada", "Alan"), "2")
    assert "First player's name? (Enter for Player 1): " in sheet.said
    assert "Second player's name? (Enter for Player 2): " in sheet.said
    against = Sheet("31", "easy", "Ada", "computer", "", "")
    assert menu.ask_setup(against).names == ("Ada", "Computer (easy)")
    assert [line.split()[1:] for line in against.said if line.startswith(("  2  ", "  3  "))][-2:] == [
        ["You"],
        ["The", "computer"],
    ]


def test_undo_is_offered_where_there_is_something_to_take_back_and_says_what_it_does() -> None:
    sheet = play(Match(make("double")), Sheet("help", "add", "help"))
    first, second = sheet.text.split("You can also say:\n")[1:]
    assert "undo" not in first
    assert "undo    take back the last move, whoever made it" in second


def test_a_wrong_answer_hears_only_once_what_is_possible() -> None:
    named = play(Match(make("31")), Sheet("3")).text
    assert named.count("1, 2, 4, 8, 16.") == 1
    assert "('help' says what else.)" in named
    assert "You can enter: 1, 2, 3, 4." in play(Match(make("bits")), Sheet("9")).text


def test_a_wrong_answer_hears_why() -> None:
    said = play(Match(make("bits"), moves=("flip 2", "flip 3")), Sheet("2", "r1", "flip 4", "9", "pass")).said
    refused = [line for line in said if line.startswith(("Your bit ", "Your opponent's", "You have"))]
    assert refused == [
        "Your bit 2 is 1 already.",
        "Your opponent's bit 1 is 0 already.",
        "Your bit 4 has no 1 beside it.",
        "You have a move, so you cannot pass.",
    ]
    full = Match(make("bits", bits=2), moves=("flip 1", "flip 1", "reset 1"))
    assert "Your opponent's bit 2 is 0 already." in play(full, Sheet("reset 2")).said
    left = play(Match(make("31", finish="exact"), moves=("16", "1", "8", "1")), Sheet("8")).said
    assert "Only 7 steps are left, and you may not pass the end." in left
