"""The menu, in a pipe and at a terminal."""

import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.game import Game
from bitduel.core.lesson import game_lesson
from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.games.registry import all_games, make
from bitduel.learning.progress import open_puzzle_progress
from bitduel.learning.puzzle_deck import daily_puzzle
from bitduel.players.spec import Spec
from bitduel.storage import open_store
from bitduel.terminal import menu
from bitduel.terminal.menu import Answer, Menu, parse_answer
from bitduel.terminal.preferences import FILE, PreferenceFile, Preferences
from bitduel.terminal.prompts import QuitError
from bitduel.terminal.series import CONTINUE_FROM_MENU, Setup
from helpers import bitduel
from terminal.test_match_dialog import Sheet

GAMES = len(all_games())
HUMANS = (Spec("human"), Spec("human"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("BITDUEL_DB", raising=False)
    return tmp_path / "bitduel"


def chosen(*answers: str) -> tuple[Setup, Sheet]:
    """The setup after these answers, and what was shown."""
    sheet = Sheet(*answers)
    return Menu(sheet).ask_setup(), sheet


def shown(*answers: str) -> Sheet:
    """What is shown until the answers end."""
    sheet = Sheet(*answers)
    with pytest.raises(QuitError):
        Menu(sheet).run()
    return sheet


def test_two_answers_are_enough() -> None:
    ran = bitduel(stdin="double target=4 first=opponent\ntwo\ndouble\ndouble\n4\n")
    assert "Which game?" in ran.out
    assert "Player 1 wins the game!" in ran.out
    assert (ran.err, ran.status) == ("", 0)


def test_two_times_enter_starts_the_first_game_against_the_easy_computer() -> None:
    setup, sheet = chosen("", "")
    assert (setup.game.short, str(setup.players[1]), setup.first, setup.rounds) == ("64", "easy", "toss", 1)
    assert setup.names == ("Player 1", "Computer (easy)")
    assert [line for line in sheet.said if line.startswith("Your choice")] == [
        f"Your choice (1-{GAMES + 2}, Enter for 1): ",
        "Your choice (1-6, Enter for 1): ",
    ]


def test_again_swap_and_another_game() -> None:
    game = "double\ndouble\n"
    ran = bitduel(stdin=f"3 target=4 first=opponent\ntwo\n{game}1\n{game}2\n{game}3\n1 target=2\ntwo\n2\nquit\n")
    assert ran.out.count("The number is exactly 4!") == 3
    assert "wins by reaching exactly 2." in ran.out
    assert ran.out.endswith("Goodbye.\n")
    assert ran.status == 0


def test_after_a_toss_swapping_sides_lets_the_other_player_start() -> None:
    game = "double\ndouble\n"
    ran = bitduel(stdin=f"3 target=4 name=Ada\ntwo\n{game}2\n{game}4\n")
    tossed = ran.out.partition("Coin toss: ")[2].partition(" starts")[0]
    assert ran.out.count("Coin toss") == 1, "it is not tossed again"
    movers = [line.partition(",")[0] for line in ran.out.splitlines() if ", choose 'add'" in line]
    assert len(movers) == 4
    assert movers[0] == tossed
    assert (movers[0] == "Ada") != (movers[2] == "Ada")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", Answer("", ())),
        ("Bits HARD", Answer("bits hard", ())),
        (" 2 rounds=3  Name=Ada Lovelace first-move = game ", Answer(
            "2", (("rounds", "3"), ("name", "Ada Lovelace"), ("first-move", "game"))
        )),
        ("target=4", Answer("", (("target", "4"),))),
    ],
)  # fmt: skip
def test_an_answer_is_words_and_settings(typed: str, answer: Answer) -> None:
    assert parse_answer(typed) == answer


def test_everything_can_be_typed_in_one_answer() -> None:
    setup, sheet = chosen("bits hard bits=5 rounds=3 first=me name=Ada Lovelace")
    assert (setup.game.options["bits"], setup.rounds, setup.first) == (5, 3, "1")
    assert setup.names == ("Ada Lovelace", "Computer (hard)")
    assert "Who do you want to play?" not in sheet.said


def test_settings_can_be_typed_with_the_opponent_or_alone() -> None:
    setup, sheet = chosen("rounds=2", "31", "length=17", "two name=Ada name2=Ben")
    assert (setup.rounds, setup.game.options["length"], setup.names) == (2, 17, ("Ada", "Ben"))
    assert "Changed: rounds=2." in sheet.said
    assert "(Settings: rounds=2, length=17. Type 'settings' to change them.)" in sheet.said


@pytest.mark.parametrize("word", ["settings", "options", "Settings"])
def test_the_settings_are_listed_and_changed_one_by_one(word: str) -> None:
    setup, sheet = chosen("64", word, "target=10", "rounds=0", "first=her", "bogus=1", "", "easy")
    assert setup.game.options["target"] == 10
    assert "Settings for Binary Race to 64" in sheet.said
    assert "rounds must be a whole number from 1 to 1000." in sheet.said
    assert "first must be me, opponent or toss." in sheet.said
    assert "There is no setting 'bogus'." in sheet.text
    assert sheet.said.count("Who do you want to play?") == 2


def test_defaults_undo_all_settings_but_names() -> None:
    setup, _ = chosen("64 target=10 rounds=3 name=Ada", "settings", "defaults", "", "")
    assert (setup.game.options["target"], setup.rounds, setup.names[0]) == (64, 1, "Ada")


def test_settings_before_a_game_ask_for_the_game_first() -> None:
    sheet = shown("settings", "target=5")
    assert "Choose a game first. Then type 'settings' again." in sheet.said
    assert "Choose a game first, then its settings: for example, 2 target=5" in sheet.said


def test_where_there_is_room_settings_are_explained_and_elsewhere_on_request() -> None:
    low, high = Sheet("64", "settings", "?"), Sheet("64", "settings")
    low.lines, high.lines = 12, 40
    for sheet in (low, high):
        with pytest.raises(QuitError):
            Menu(sheet).run()
    assert "(Type ? to see what they mean.)" in low.said
    assert "(Type ? to see what they mean.)" not in high.said
    assert low.text.count("who starts: me") == high.text.count("who starts: me") == 1


def test_wrong_answers_are_asked_again_with_a_sentence() -> None:
    ran = bitduel(stdin="9\nx\n0\n1 bogus=1\n1 target=1\n1\n7\nquit\n")
    assert ran.out.count("Please type a number or a name from the list, or 'q' to quit.") == 4
    assert "There is no setting 'bogus'." in ran.out
    assert "target must be a whole number" in ran.out
    assert ran.status == 0


def test_a_coin_toss_is_the_default() -> None:
    assert "Coin toss: Player" in bitduel(stdin="1\ntwo\nquit\nquit\n").out


def test_leaving_a_game_comes_back_to_the_menu() -> None:
    ran = bitduel(stdin="1\ntwo\nquit\nquit\n")
    assert "You left the game." in ran.out
    assert ran.out.count("Which game?") == 2
    assert ran.status == 0


def test_a_match_that_was_left_is_what_the_menu_suggests_next() -> None:
    sheet = shown("double two first=me", "add", "q", "", "", "add", "q")
    assert sheet.text.count("You left the game.") == sheet.text.count(CONTINUE_FROM_MENU) == 2
    assert f"Your choice (1-{GAMES + 3}, Enter for {GAMES + 3}): " in sheet.said
    assert "Which match do you want to continue?" in sheet.said
    assert "Current Number: 3" in sheet.said


def test_a_match_that_was_left_before_its_first_move_is_not_offered() -> None:
    sheet = shown("double two first=me", "q")
    assert "Continue a match" not in sheet.text
    assert CONTINUE_FROM_MENU not in sheet.text


def test_after_a_match_that_was_continued_comes_what_next() -> None:
    sheet = shown("double two first=me target=4", "double", "q", "continue", "1", "double", "quit")
    assert "Player 2 wins the game!" in sheet.said
    assert any(line.startswith("What next? (Saved as match") for line in sheet.said)


def unfinished(*games: str, rounds: int = 1) -> list[str]:
    """Matches with one move each; their ids."""
    with open_store() as store:
        return [
            store.begin(Match(make(game), moves=("add",)), HUMANS, ("Ada", f"Ben {game}"), rounds=rounds)
            for game in games
        ]


def test_any_unfinished_match_can_be_continued() -> None:
    unfinished("64", "double")
    sheet = shown("continue")
    number = next(line.split()[0] for line in sheet.said if "Binary Race to 64" in line and line.startswith("  ") and
                  sheet.said.index(line) > sheet.said.index("Which match do you want to continue?"))  # fmt: skip
    again = shown("continue", number, "?")
    assert "New total is" not in again.text
    assert "Ben 64, choose an operation:" in again.said
    assert "You have 2 unfinished matches." in " ".join(again.text.split())


def test_the_oldest_of_many_unfinished_matches_can_be_continued_and_discarded() -> None:
    ids = unfinished(*["double"] * 12)
    with open_store() as store:
        oldest = store.all_unfinished()[-1].id
    sheet = shown("continue", "older", "discard 4", "discard 3", "y", "q")
    assert "You have 12 unfinished matches." in " ".join(sheet.text.split())
    assert "Please type a number from the list, 'discard' and a number, or 'back'." in sheet.said
    with open_store() as store:
        assert {stored.id for stored in store.all_unfinished()} == {*ids} - {oldest}
    again = shown("continue", "older", "2")
    assert "Ben double, choose 'add' to add one or 'double' to double it: " in again.said


def test_a_low_screen_lists_as_many_matches_as_fit_with_their_descriptions() -> None:
    unfinished(*["double"] * 12)
    sheet = Sheet("continue")
    sheet.lines = 20
    with pytest.raises(QuitError):
        Menu(sheet).run()
    listed = sheet.text.split("Which match do you want to continue?")[1]
    assert len(listed.splitlines()) < 20
    assert 1 < listed.count("Ada - Ben double") < 9
    assert "Older matches" in listed


def test_a_match_is_discarded_once_that_is_confirmed_and_leaves_the_history() -> None:
    [match_id] = unfinished("double")
    sheet = shown("continue", "discard 2", "discard 1", "n", "discard 1", "y", "q")
    assert "Please type a number from the list, 'discard' and a number, or 'back'." in sheet.said
    assert sheet.said.count("Discard this match? You can't continue it after that. (y/N): ") == 2
    assert "Nothing was discarded." in sheet.said
    discarded = "The match was discarded. It is not listed in your history and doesn't count."
    assert discarded in sheet.said
    after = sheet.said[sheet.said.index(discarded) :]
    assert "Which game?" in after
    assert "Continue a match" not in "\n".join(after)
    assert bitduel("history").out == "(1 discarded match is not listed.)\n"
    assert f'"{match_id}"' in bitduel("history", "--json").out


@pytest.mark.parametrize("plays_on", [False, True])
def test_a_series_that_is_discarded_has_no_round_to_come(plays_on: bool) -> None:
    [match_id] = unfinished("double", rounds=3)
    if not plays_on:
        with open_store() as store:
            store.end(match_id, Outcome(1, RESIGNATION))
    shown("continue", "discard 1", "y", "q")
    assert "Continue a match" not in shown("q").text
    assert bitduel("resume", match_id).status == 1


def test_a_store_that_cannot_be_read_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITDUEL_DB", "sqlite:////proc/nowhere/x.db")
    assert "Continue a match" not in shown("q").text


def test_name_and_choices_are_remembered(home: Path) -> None:
    chosen("bits medium bits=5 name=Ada rounds=3 first=me")
    setup, sheet = chosen("", "")
    assert (setup.game.short, setup.game.options["bits"], str(setup.players[1])) == ("bits", 5, "medium")
    assert (setup.names[0], setup.rounds, setup.first) == ("Ada", 3, "1")
    assert f"Your choice (1-{GAMES + 2}, Enter for 2): " in sheet.said
    assert [each.name for each in home.iterdir() if each.name.startswith("pref")] == [FILE]


def test_a_pipe_neither_reads_nor_writes_choices(home: Path) -> None:
    chosen("bits medium bits=5 name=Ada")
    before = (home / FILE).read_bytes()
    assert "Player 1's turn." in bitduel(stdin="bits first=me\ntwo\nquit\nquit\n").out
    assert (home / FILE).read_bytes() == before


def test_a_secret_is_not_remembered(home: Path) -> None:
    setup, _ = chosen("battle two secret=01101")
    assert setup.game.fixed_deal
    assert "01101" not in (home / FILE).read_text()
    assert not chosen("", "")[0].game.fixed_deal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 10_000,
        '{"format": "other"}',
        '{"format": "bitduel preferences 1", "colour": "red"}',
        '{"format": "bitduel preferences 1", "rounds": "3"}',
        '{"format": "bitduel preferences 1", "opponent": "bot:rm"}',
        '{"format": "bitduel preferences 1", "name": "\\u001b[2J"}',
        '{"format": "bitduel preferences 1", "settings": {"double-or-nothing": 3}}',
    ],
)
def test_a_damaged_file_is_one_sentence_and_stays_as_it_is(home: Path, text: str) -> None:
    home.mkdir(parents=True)
    (home / FILE).write_text(text)
    sheet = shown("64", "easy", "q")
    told = [line for line in sheet.said if "damaged" in line]
    assert told == [f"Your choices can't be saved because {home / FILE} is damaged. Delete it to start again."]
    assert (home / FILE).read_text() == text


def test_a_saved_name_that_is_refused_by_now_is_forgotten(home: Path) -> None:
    home.mkdir(parents=True)
    (home / FILE).write_text('{"format": "bitduel preferences 1", "name": "You", "name2": "Ben"}')
    file = PreferenceFile()
    assert file.load() == Preferences(name2="Ben")
    assert not file.trouble


def test_settings_that_a_game_no_longer_has_are_forgotten(home: Path) -> None:
    home.mkdir(parents=True)
    settings = '{"binary-race-64": {"colour": 1}, "chess": {}, "double-or-nothing": {"target": 8}}'
    (home / FILE).write_text(f'{{"format": "bitduel preferences 1", "settings": {settings}}}')
    file = PreferenceFile()
    assert file.load() == Preferences(settings={"double-or-nothing": {"target": 8}})
    assert not file.trouble


def test_choices_that_cannot_be_written_are_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bitduel.terminal.preferences.write_atomically", refuse)
    sheet = shown("64", "easy", "q", "64", "easy", "q")
    assert sheet.text.count("Your choices can't be saved: No space left on device.") == 1


def test_a_secret_that_is_chosen_against_the_computer_is_asked_for_again() -> None:
    ran = bitduel(stdin="battle easy secret=01101\nsecret=\n\nquit\nquit\n")
    assert "Against the computer it is picked at random." in ran.out
    assert "Settings for Binary Battle" in ran.out
    assert (ran.err, ran.status) == ("", 0)


def test_an_opponent_that_cannot_play_is_asked_for_again_and_nothing_else() -> None:
    ran = bitduel(stdin="battle bits=7 first=me\nperfect\nhard\nquit\nquit\n")
    assert "Try another opponent, such as 'hard'." in ran.out
    assert ran.out.count("Who do you want to play?") == 2
    assert "Player 1, enter the bit position to toggle (1-7): " in ran.out


def test_a_question_mark_says_what_can_be_typed() -> None:
    ran = bitduel(stdin="?\n31\nh\nsettings\n?\nq\n")
    assert ran.out.count("Type 'q' to quit.") == 3
    assert "Type a number or the first letters of a name. Press Enter for Binary Race to 64." in ran.out
    assert "You can add an opponent and settings: 2 hard rounds=3. Type 'q' to quit." in ran.out
    assert "Please type" not in ran.out


@given(st.lists(st.one_of(st.sampled_from(["1", "2", "", "options", "target=5"]), st.text(max_size=10)), max_size=20))
def test_any_text_in_the_menu_ends_cleanly(answers: list[str]) -> None:
    ran = bitduel(stdin="\n".join(answers))
    assert ran.status in (0, 1)
    assert ran.err in ("", "bitduel: There is no more input, so the game ends here.\n")


def test_back_goes_from_question_to_question_up_to_the_game() -> None:
    setup, sheet = chosen("31", "settings", "back", "B", "double", "two")
    assert setup.game.short == "double"
    asked = [line for line in sheet.said if line.endswith("?")]
    assert asked == [
        *("Which game?", "Who do you want to play?", "Which game?", "Who do you want to play?"),
    ]


def test_the_first_question_has_nothing_before_it_and_a_pipe_has_no_way_back() -> None:
    for sheet in (Sheet("back"), Sheet("64", "back")):
        sheet.is_interactive = len(sheet.answers) == 1
        with pytest.raises(QuitError):
            Menu(sheet).ask_setup()
        assert "Please type a number" in sheet.text


def test_help_names_the_way_back_where_there_is_one() -> None:
    first, second = [line for line in shown("?", "64", "?").said if line.endswith("Type 'q' to quit.")]
    assert "back" not in first
    assert second.endswith("Type 'back' to go back. Type 'q' to quit.")


@pytest.mark.parametrize(("height", "has_aims"), [(20, False), (sys.maxsize, True)])
def test_a_low_screen_lists_only_names_and_help_the_rest(height: int, has_aims: bool) -> None:
    sheet = Sheet("?")
    sheet.lines = height
    with pytest.raises(QuitError):
        Menu(sheet).run()
    listed, explained = sheet.text.split("Your choice", 1)
    assert ("Toggle one bit" in listed) == has_aims
    assert len(listed.splitlines()) < 16 or has_aims
    assert "Toggle one bit" in explained


@pytest.mark.parametrize(("height", "has_rules"), [(20, False), (sys.maxsize, True)])
def test_the_rules_are_shown_where_the_first_turn_stays_in_sight(height: int, has_rules: bool) -> None:
    sheet = Sheet("64", "easy")
    sheet.lines = height
    Menu(sheet).ask_setup()
    assert ("Both players share one total." in sheet.text) == has_rules
    assert ("(Type 'rules' to see all the rules.)" in sheet.text) != has_rules
    assert "Make exactly 64." in sheet.text or has_rules


@pytest.mark.parametrize("word", [str(GAMES + 1), "puzzle", "daily", "Puzzle of"])
def test_the_puzzle_of_the_day_is_in_the_menu_and_leads_back_to_it(word: str) -> None:
    sheet = shown(word, "q", "64")
    assert f"Puzzle {daily_puzzle(date.today()).number}, " in sheet.text
    after = sheet.text.split("You left the puzzle.")[1]
    assert after.index("Which game?") < after.index("Who do you want to play?")
    assert "Press Enter for the menu." not in sheet.said


def test_a_puzzle_that_is_done_stays_until_it_is_read() -> None:
    chosen = daily_puzzle(date.today())
    answers = [",".join(answer) for _, answer in chosen.puzzle.solution()]
    sheet = shown("puzzle", *answers, "", "q")
    assert sheet.said.index("Press Enter for the menu.") < len(sheet.said) - sheet.said[::-1].index("Which game?")


def test_the_menu_says_which_puzzle_is_todays_and_how_it_was_solved(home: Path) -> None:
    puzzle = daily_puzzle(date.today()).puzzle
    assert f"{puzzle.game.title}, grade {puzzle.grade} of 7." in shown("q").text
    progress = open_puzzle_progress()
    progress.note_day(date.today() - timedelta(1), "✓")
    progress.note_day(date.today(), "✓?~")
    assert "Done: ✓?~. 2 days in a row." in shown("q").text


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_every_lesson_is_in_the_menu_and_leads_back_to_it(kind: type[Game[tuple[object, ...]]]) -> None:
    sheet = shown("learn", "back", str(GAMES + 2), kind.short, "q", "q")
    lesson = game_lesson(kind)
    assert lesson
    assert f"{kind.title}: {lesson.title}" in sheet.said
    assert "You left the lesson." in sheet.said
    assert sheet.said.count("Which game?") == 3


def test_the_menu_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet("q")
    monkeypatch.setattr(menu, "open_screen", lambda plain: sheet)
    menu.run()
    assert sheet.said[-1] == "Goodbye."
