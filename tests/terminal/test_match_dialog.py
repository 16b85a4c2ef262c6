"""What happens around a turn on a terminal: signs of work, room for answers, commands that are offered."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bitduel.storage
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players.spec import HUMAN, Spec
from bitduel.terminal import menu
from bitduel.terminal.autosave import Autosave, NoAutosave
from bitduel.terminal.match_dialog import TOO_LARGE, MatchDialog, has_hints
from bitduel.terminal.prompts import QuitError
from bitduel.terminal.screen import ANSWER_WIDTH, Screen, Terminal

TWO = (Spec(HUMAN), Spec(HUMAN))
WIDTH = 40


class Sheet(Screen):
    """A terminal of 40 columns that answers what it was told, and notes everything."""

    is_interactive = is_terminal = True

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.lines = 40
        self.said: list[str] = []
        self.signs: list[str] = []

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def height(self) -> int:
        return self.lines

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    def show(self, lines: Iterable[str], style: str = "") -> None:
        self.said += lines

    def ask(self, prompt: str, answer_width: int = ANSWER_WIDTH) -> str:
        self.said.append(prompt)
        if not self.answers:
            raise QuitError
        return self.answers.pop(0)

    def pause(self, sentence: str) -> None:
        self.ask(sentence)

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        self.signs.append(sentence)
        yield
        self.signs.pop()


def play(match: Match, sheet: Sheet, autosave: Autosave | None = None) -> Sheet:
    """A match between two people until the answers end."""
    with pytest.raises(QuitError):
        MatchDialog(match, {1: None, 2: None}, PLAYERS, sheet, autosave or NoAutosave()).play()
    return sheet


def test_keeping_a_move_shows_that_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet("add")
    opened = bitduel.storage.open_store

    def opening(db: str | None = None) -> bitduel.storage.Store:
        assert sheet.signs
        return opened(db)

    monkeypatch.setattr(bitduel.storage, "open_store", opening)
    with Autosave(f"sqlite:///{tmp_path}/matches.db", TWO, PLAYERS) as autosave:
        play(Match(make("double")), sheet, autosave)
        assert autosave.match_id


def test_looking_for_a_match_that_was_left_shows_that_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet()

    def opening(db: str | None = None) -> bitduel.storage.Store:
        assert sheet.signs
        raise bitduel.storage.StoreError("it cannot be read")

    monkeypatch.setattr(bitduel.storage, "open_store", opening)
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


@pytest.mark.parametrize("kind", all_games())
def test_every_game_has_hints_as_it_comes(kind: GameClass) -> None:
    assert has_hints(kind())


def test_a_game_that_no_table_holds_has_no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.solver.evaluators.max_positions", lambda _game: 1_000)
    monkeypatch.setattr("bitduel.games.binary_race_31.BinaryRace31.evaluator", lambda _game: None)
    assert not has_hints(make("31", length=1_000))
    assert has_hints(make("double", target=10**9))


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], list[str]]:
    """The lines of a question on a terminal of 40 columns."""

    def asked(prompt: str, answer_width: int) -> list[str]:
        terminal, lines, last = Terminal(), [], []

        def answer(shown: str) -> str:
            last.append(shown)
            return ""

        monkeypatch.setattr(Terminal, "width", WIDTH)
        monkeypatch.setattr(terminal, "show", lambda above, style="": lines.extend(above))
        monkeypatch.setattr("builtins.input", answer)
        terminal.ask(prompt, answer_width)
        return lines + last

    return asked


def test_a_question_leaves_as_much_room_as_its_answer_takes(prompts: Callable[[str, int], list[str]]) -> None:
    assert prompts("Choose your move (1, 2, 4, 8, 16): ", 2) == ["Choose your move (1, 2, 4, 8, 16): "]
    assert prompts("Press Enter for the next round here.", 0) == ["Press Enter for the next round here. "]
    assert len(prompts("Your name? (Enter for Player 1): ", ANSWER_WIDTH)) == 2
    assert prompts("Enter the bit position to flip, or 'reset' and a position: ", ANSWER_WIDTH) == [
        "Enter the bit position to flip, or",
        "'reset' and a position: ",
    ]


def test_undo_is_in_the_line_of_commands_and_help_lists_it_once_there_is_something_to_undo() -> None:
    sheet = play(Match(make("double")), Sheet("help", "add", "help"))
    assert "(You can also type: help, rules, moves, hint, undo, resign, quit.)" in sheet.said
    first, second = sheet.text.split("You can also type:\n")[1:]
    assert "undo" not in first
    assert "undo undo the last move, whoever made it" in " ".join(second.split())
    hidden = play(Match(make("battle"), deal="01101"), Sheet(""))
    assert "(You can also type: help, rules, moves, hint, resign, quit.)" in hidden.said


def test_a_hint_comes_in_three_steps_and_begins_anew_at_the_next_turn() -> None:
    sheet = play(Match(make("double")), Sheet("hint", "hint", "hint", "hint", "add", "hint"))
    steps = [
        "You can make 2. What can your opponent make from there?",
        "Your opponent can force a win from here. Make it as hard as you can.",
        "Best: add or double.",
        "Best: add or double.",
        "You can make 3 or 4. What can your opponent make from there?",
    ]
    assert [line for line in sheet.said if line in steps] == steps
    more = ["(Type hint again for a clue.)", "(Type hint again for the move.)", "(Type hint again for a clue.)"]
    assert [line for line in sheet.said if line.startswith("(Type hint")] == more


def test_the_list_of_moves_warns_of_one_that_ends_the_match_in_a_draw() -> None:
    repeated = play(Match(make("bits", {"first-move": "empty"}), moves=("flip 2", "reset 2", "flip 3")), Sheet("moves"))
    assert " ".join(repeated.text.split()).count("(a draw: the same position again)") == 1


@pytest.mark.parametrize("kind", all_games())
def test_a_wrong_answer_hears_only_once_what_is_possible(kind: GameClass) -> None:
    game = kind()
    match = Match(game, deal=game.any_deal())
    words, view = game.words, match.view(1)
    said = play(match, Sheet(*[""] * game.is_hidden, "99")).said
    wrong = said.index(words.invalid_answer(view))
    assert "(Type ? for help.)" in said[wrong + 1]
    answers = [words.answer(view, move) for move in view.legal]
    assert f"{said[wrong]} {said[wrong + 1]}".count(answers[-1]) == 1


def test_a_letter_is_enough_for_a_move_of_one_word_and_help_says_so() -> None:
    for name in ("double", "64"):
        match = Match(make(name))
        sheet = play(match, Sheet("?", "a", "D", "add"))
        assert match.moves == ["add", "double", "add"]
        assert "  (a for add, d for double, ? for help, h for hint, q for quit)" in sheet.said


def test_a_pipe_has_to_use_the_words_of_the_rulebook() -> None:
    for name, answer in [("double", "a"), ("64", "add"), ("bits", "f2")]:
        match, sheet = Match(make(name)), Sheet(answer, "?", "u")
        sheet.is_interactive = sheet.is_terminal = False
        play(match, sheet)
        assert not match.moves
        assert sheet.said.count(match.game.words.invalid_answer(match.view(1))) == 3


def test_an_abbreviation_of_several_moves_is_none() -> None:
    match = Match(make("bits"), moves=("flip 2", "flip 3"))
    sheet = play(match, Sheet("f", "x", "r"))
    assert match.moves == ["flip 2", "flip 3", "reset 3"]
    assert sheet.text.count("Invalid action.") == 2


def test_a_wrong_answer_hears_why() -> None:
    said = play(Match(make("bits"), moves=("flip 2", "flip 3")), Sheet("2", "r1", "flip 4", "9", "pass")).said
    refused = [line for line in said if line.startswith(("Your bit ", "Your opponent's", "You have"))]
    assert refused == [
        "Your bit 2 is already 1.",
        "Your opponent's bit 1 is already 0.",
        "Your bit 4 has no 1 next to it.",
        "You have a move, so you cannot pass.",
    ]
    full = Match(make("bits", bits=2), moves=("flip 1", "flip 1", "reset 1"))
    assert "Your opponent's bit 2 is already 0." in play(full, Sheet("reset 2")).said
    left = play(Match(make("31", finish="exact"), moves=("16", "1", "8", "1")), Sheet("8")).said
    assert "You have only 7 steps to go, and you may not pass the end." in left
