"""Puzzles in the terminal: asked until they are solved, refuted, kept, and asked again."""

import json
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from bitduel.core.match import Match
from bitduel.games import find, shelf
from bitduel.players.spec import HUMAN, Spec
from bitduel.solver.exercises import Exercise
from bitduel.solver.puzzle_deck import any_of, daily, numbered, numbers
from bitduel.solver.puzzles import Puzzle
from bitduel.storage import open_store
from bitduel.terminal.move_input import grouped, offered
from bitduel.terminal.puzzle_dialog import Puzzling
from bitduel.terminal.puzzle_progress import WAITS, Progress, card_of, open_progress, playable
from bitduel.terminal.round import QuitError
from bitduel.terminal.screen import Screen
from helpers import bitduel

TODAY = date.today()
DAY = date(2026, 10, 23)
REFUTED = daily(DAY)
DARK = next(day for day in (DAY + timedelta(days) for days in range(99)) if daily(day).game.chance)


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results of its own for every test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "bitduel" / "puzzles.json"


def said(puzzle: Puzzle, *moves: str) -> str:
    """What is typed for these moves, a line each."""
    return "".join(f"{puzzle.game.words.answer(puzzle.view, move)}\n" for move in moves)


def test_a_puzzle_is_asked_until_it_is_solved_and_every_wrong_answer_is_refuted() -> None:
    ran = bitduel("puzzle", "--date", DAY.isoformat(), stdin=said(REFUTED, REFUTED.wrong[0], REFUTED.right[0]))
    assert (ran.err, ran.status) == ("", 0)
    lines = ran.out.splitlines()
    assert lines[0] == f"Puzzle of {DAY}, grade 5 of 7"
    assert lines.count(f"You are Player 2, and it is your move. {REFUTED.asked}") == 2
    assert [line for line in lines if line.startswith(("No:", "Your opponent can"))]
    assert "Yes! Right at the second try." in lines
    assert lines[-1] == f"bitduel {DAY} | 5/7 | x+"


def test_help_hints_rules_moves_and_nonsense_cost_no_try_but_hints_are_told() -> None:
    asked = "?\nhelp\nrules\nmoves\nfoo\n\nhint\nhint\n" + said(REFUTED, REFUTED.right[0])
    ran = bitduel("puzzle", "--date", DAY.isoformat(), stdin=asked)
    assert ran.status == 0
    assert ran.out.count("That is no move here.") == 2
    assert "The right move wins in" in ran.out
    assert "There is nothing more to say; 'show' gives the answer." in ran.out
    assert ran.out.endswith("| ?+\n")


def test_who_gives_up_is_shown_the_answer() -> None:
    ran = bitduel("puzzle", "--date", DAY.isoformat(), stdin="show\n")
    assert ran.status == 0
    assert "whatever your opponent does.\nFrom " in ran.out
    assert ran.out.endswith(f"\n\nbitduel {DAY} | 5/7 | -\n")


@pytest.mark.parametrize("number", [numbers(kind)[0] for kind in shelf() if numbers(kind)])
def test_a_puzzle_of_every_game_can_be_solved_after_every_wrong_answer(number: int) -> None:
    puzzle = numbered(number)
    ran = bitduel("puzzle", "--number", str(number), stdin=said(puzzle, *puzzle.wrong, puzzle.right[0]))
    assert (ran.err, ran.status) == ("", 0)
    assert ran.out.count("No: ") == len(puzzle.wrong)
    assert "Yes! " in ran.out


def test_leaving_is_no_trouble_and_the_end_of_input_is_one_line() -> None:
    assert bitduel("puzzle", stdin="quit\n").status == 0
    ran = bitduel("puzzle")
    assert (ran.err, ran.status) == ("bitduel: The input ended, so this stops here.\n", 1)


def test_a_program_gets_one_object() -> None:
    ran = bitduel("puzzle", "--daily", "--date", DARK.isoformat(), "--json", "--solution")
    data = json.loads(ran.out)
    assert {*data} == {"date", "number", "game", "options", "moves", "to_move", "goal", "grade", "view", "solution"}
    assert (data["date"], data["grade"], len(data["solution"])) == (DARK.isoformat(), DARK.isoweekday(), 1)
    assert "solution" not in json.loads(bitduel("puzzle", "--daily", "--json").out)
    drawn = json.loads(bitduel("puzzle", "--game", "64", "--grade", "5", "--json").out)
    assert (drawn["date"], drawn["game"], drawn["grade"]) == (None, find("64").slug, 5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--date", "2026-13-01"), "A date is written as year, month and day, like 2026-11-16."),
        (("--date", "20261116"), "A date is written as year, month and day, like 2026-11-16."),
        (("--grade", "1e3"), "A grade is a whole number from 1 to 7."),
        (("--grade", "8"), "A grade is a whole number from 1 to 7."),
        (("--number", "99999999"), "There is no puzzle 99999999;"),
        (("--daily", "--mine"), "Choose one: the puzzle of a day, a game and grade, a number, or --mine."),
        (("--game", "bits", "--grade", "7"), "There is no puzzle of Binary Race with Bits of grade 7, only of 1 or 2."),
        (("--mine", "--json"), "There is nothing of your own to practise now:"),
    ],
)
def test_what_there_is_not_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("puzzle", *arguments)
    assert ran.err.startswith(f"bitduel: {sentence}")
    assert (ran.err.count("\n"), ran.out) == (1, "")
    assert ran.status == 2


def test_practice_goes_on_as_long_as_one_likes() -> None:
    ran = bitduel("puzzle", "--game", "64", "--grade", "1", stdin="show\n\nshow\nn\n")
    assert ran.status == 0
    assert ran.out.count("Another? (Y/n): ") == 2


def solve_today() -> str:
    puzzle = daily(TODAY)
    return bitduel("puzzle", stdin=said(puzzle, puzzle.right[0])).out.splitlines()[-1]


def test_days_in_a_row_are_counted_and_the_first_result_counts(own_data: Path) -> None:
    progress = Progress(own_data, {(TODAY - timedelta(days)).isoformat(): "✗✓" for days in (1, 2, 4)})
    own_data.parent.mkdir()
    progress.note_day(TODAY - timedelta(9), "✓")
    grade = daily(TODAY).grade
    assert solve_today() == f"bitduel {TODAY} | {grade}/7 | + | streak 3"
    again = bitduel("puzzle", stdin="show\n").out.splitlines()
    assert again[0] == "You have done the puzzle of today: +. Only this first result counts."
    assert again[-2:] == [f"bitduel {TODAY} | {grade}/7 | + | streak 3", "(That is your first result.)"]
    other_day = bitduel("puzzle", "--date", (TODAY - timedelta(1)).isoformat(), stdin="show\n").out
    assert "first result" not in other_day


def test_whoever_leaves_and_comes_back_the_same_day_goes_on(own_data: Path) -> None:
    puzzle = daily(TODAY)
    bitduel("puzzle", stdin="hint\n" + said(puzzle, puzzle.wrong[0]) + "quit\n")
    assert open_progress().days == {TODAY.isoformat(): "?✗"}
    left = bitduel("puzzle", stdin=said(puzzle, puzzle.wrong[0]))
    assert left.out.startswith("You go on with the tries of today: ?x\n")
    ran = bitduel("puzzle", stdin=said(puzzle, puzzle.right[0])).out
    assert ran.startswith("You go on with the tries of today: ?xx\n")
    assert ran.endswith(f"bitduel {TODAY} | {puzzle.grade}/7 | ?xx+\n")
    assert "You go on" not in bitduel("puzzle", stdin="quit\n").out
    assert open_progress().days == {TODAY.isoformat(): "?✗✗✓"}


@pytest.mark.parametrize(
    ("puzzle", "prompt", "answers"),
    [
        (any_of(find("64"), 2, Random(1)), "Your move (1 add, 2 double): ", ("{}", "{answer}")),
        (any_of(find("double"), 2, Random(1)), "Your move (add or double): ", ("{}", "  {} ")),
        (any_of(find("battle"), 1, Random(2)), "Your move (toggle 1", ("{}", "{answer}", "t{answer}")),
    ],
    ids=["64", "double", "battle"],
)
def test_a_move_is_said_as_in_the_rulebook_or_by_its_name(
    puzzle: Puzzle, prompt: str, answers: tuple[str, ...]
) -> None:
    move = puzzle.right[0]
    for answer in answers:
        typed = answer.format(move, answer=puzzle.game.words.answer(puzzle.view, move))
        ran = bitduel("puzzle", "--number", str(puzzle.number), stdin=f"{typed}\n")
        assert prompt in ran.out
        assert "Yes! Right at the first try." in ran.out


def test_places_in_a_row_are_said_shortly() -> None:
    for kind in shelf():
        game = kind()
        view = Match(game, deal=game.any_deal()).view(1)
        assert len(f"Your move ({offered(game.words, view)}): ") <= 40
    assert grouped(("flip 1", "flip 4", "reset 2")) == "flip 1 or 4, reset 2"
    assert grouped([f"toggle {bit}" for bit in range(1, 6)]) == "toggle 1-5"
    assert grouped([f"toggle {bit}" for bit in (1, 2, 3, 5)]) == "toggle 1, 2, 3 or 5"


class Typing(Screen):
    """A screen like a terminal's, with what is typed there."""

    fancy = True

    def __init__(self, *typed: str) -> None:
        super().__init__()
        self.typed = list(typed)

    def ask(self, prompt: str, room: int = 0) -> str:
        return self.typed.pop(0)


def test_a_refutation_can_be_left() -> None:
    for word in ("q", "quit"):
        with pytest.raises(QuitError):
            Puzzling(REFUTED, Typing(REFUTED.wrong[0], "", word)).run("A puzzle")
    assert Puzzling(REFUTED, Typing(REFUTED.wrong[0], "s", REFUTED.right[0])).run("A puzzle") == "✗✓"


def test_what_is_said_while_a_refutation_is_shown_is_the_next_answer() -> None:
    assert Puzzling(REFUTED, Typing(REFUTED.wrong[0], REFUTED.right[0])).run("A puzzle") == "✗✓"
    assert Puzzling(REFUTED, Typing(REFUTED.wrong[0], "show")).run("A puzzle").startswith("✗")
    asked = Puzzling(REFUTED, Typing(REFUTED.wrong[0], "?", "nonsense", REFUTED.right[0]))
    assert asked.run("A puzzle") == "✗✓"


def test_a_day_of_the_past_does_not_count(own_data: Path) -> None:
    yesterday = TODAY - timedelta(1)
    puzzle = daily(yesterday)
    bitduel("puzzle", "--date", yesterday.isoformat(), stdin=said(puzzle, puzzle.right[0]))
    assert open_progress().streak(TODAY) == 0


def test_what_was_wrong_comes_again_later_and_later_until_it_is_learnt() -> None:
    progress, day = Progress(), TODAY
    progress.note(REFUTED, True, day)
    assert not progress.cards
    progress.note(REFUTED, False, day)
    waited = []
    while (card := next(iter(progress.cards.values()))).due:
        due = date.fromisoformat(card.due)
        waited.append((due - day).days)
        assert not list(progress.due(due - timedelta(1)))
        assert list(progress.due(due)) == [card]
        day = due
        progress.note(REFUTED, True, day)
    assert waited == [1, *WAITS]
    progress.note(REFUTED, False, day)
    assert next(iter(progress.cards.values())).known == 0


def test_what_was_wrong_is_asked_again_when_it_is_due() -> None:
    progress = open_progress()
    progress.note(REFUTED, False, TODAY - timedelta(1))
    ran = bitduel("puzzle", "--mine", stdin=said(REFUTED, REFUTED.right[0]))
    assert ran.out.startswith("A position of your own, grade 5 of 7\n")
    assert ran.out.endswith("That is all for today.\n")
    assert "There is nothing of your own" in bitduel("puzzle", "--mine").out


def test_the_turning_points_of_ones_own_matches_are_asked_once(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/own.db"
    match = Match(find("double")(target=20), moves=("add", "double", "double", "add", "add", "double"))
    assert match.outcome
    with open_store(db) as store:
        players = (Spec(HUMAN), Spec(HUMAN))
        kept = store.begin(Match(match.game, moves=match.moves[:1]), players, ("Ada", "Alan"))
        for ply, move in enumerate(match.moves[1:], 1):
            store.add(kept, ply, move, match.outcome if ply == match.ply - 1 else None)
    data = json.loads(bitduel("puzzle", "--mine", "--json", "--solution", "--db", db).out)
    assert data["number"] is None
    asked = Exercise(match.game, tuple(data["moves"]))
    assert data["moves"] == match.moves[: len(data["moves"])]
    assert match.moves[len(data["moves"])] not in asked.right
    ran = bitduel("puzzle", "--mine", "--db", db, stdin="show\ny\n" * 9)
    shown = ran.out.count("A position of your own")
    assert shown >= 1
    assert "There is nothing of your own" in bitduel("puzzle", "--mine", "--db", db).out


def test_a_game_that_is_gone_is_passed_over() -> None:
    card = card_of(REFUTED)
    assert playable(card)
    card.game = "chess"
    assert playable(card) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        "null",
        '{"format": "x"}',
        '{"format": "bitduel puzzles 1", "days": 3}',
        '{"format": "bitduel puzzles 1", "days": {}, "cards": [{"game": 1}]}',
    ],
)
def test_a_damaged_file_is_one_sentence_and_is_left_as_it_is(own_data: Path, text: str) -> None:
    own_data.parent.mkdir()
    own_data.write_text(text)
    sentence = f"bitduel: Your results are not kept: {own_data} is damaged. Move it away to begin anew.\n"
    ran = bitduel("puzzle", stdin="show\n")
    assert (ran.err, ran.status) == (sentence, 0)
    mine = bitduel("puzzle", "--mine")
    assert (mine.err, mine.status) == (sentence, 0)
    assert bitduel("puzzle", "--mine", "--json").err.startswith(sentence)
    assert own_data.read_text() == text


def test_results_that_cannot_be_written_are_one_sentence(own_data: Path) -> None:
    own_data.mkdir(parents=True)
    ran = bitduel("puzzle", stdin="show\n")
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("bitduel: Your results are not kept:")
