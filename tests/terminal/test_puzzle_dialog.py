"""Puzzles in the terminal: asked to the end, refuted, kept, and asked again."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.practice import game_practice
from bitduel.games.registry import all_games, find
from bitduel.learning.progress import PuzzleProgress, open_puzzle_progress
from bitduel.learning.puzzle_deck import FIRST_DAY, DeckPuzzle, daily_puzzle, deck, puzzle_by_id
from bitduel.learning.puzzles import Exercise
from bitduel.players.spec import HUMAN, Spec
from bitduel.storage import open_store
from bitduel.terminal.move_input import group_moves, offered_answers
from bitduel.terminal.puzzle_dialog import PuzzleDialog, month_lines, offered, read_names, time_left
from bitduel.terminal.text import fold_lines
from helpers import bitduel
from terminal.test_match_dialog import Sheet

TODAY = date.today()
LINE = puzzle_by_id(next(entry.id for entry in deck().entries.values() if entry.kind == "line" and entry.grade == 4))
OF_EACH_KIND = list({(entry.slug, entry.kind): entry.id for entry in deck().entries.values()}.values())


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results of its own for every test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "bitduel" / "puzzles.json"


def solution_of_today() -> str:
    return "".join(",".join(answer) + "\n" for _, answer in daily_puzzle(TODAY).puzzle.solution())


def typed(chosen: DeckPuzzle) -> str:
    """What is typed for the solution, a line for each question."""
    return "".join(" ".join(answer) + "\n" for _, answer in chosen.puzzle.solution())


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_puzzle_of_every_kind_can_be_solved(name: str) -> None:
    chosen = puzzle_by_id(name)
    ran = bitduel("puzzle", "--id", name, stdin="".join(f"{','.join(a)}\n" for _, a in chosen.puzzle.solution()))
    assert (ran.err, ran.status) == ("", 0)
    assert "Solved: " + "+" * chosen.puzzle.decisions in ran.out
    assert chosen.puzzle.explanation[0].split("\n")[0][:30] in ran.out


def test_a_wrong_move_is_refuted_and_the_line_goes_on() -> None:
    question, (right,) = next(LINE.puzzle.solution())
    wrong = next(name for name in question.counted if name != right)
    rest = typed(LINE).split("\n", 1)[1]
    ran = bitduel("puzzle", "--id", str(LINE.id), stdin=f"{wrong}\n{rest}")
    assert ran.status == 0
    assert f"Right: {right}" in ran.out
    assert "Your opponent: " in ran.out
    assert "Not solved: x" + "+" * (LINE.puzzle.decisions - 1) in ran.out


def test_help_rules_and_nonsense_cost_nothing_but_hints_are_marked() -> None:
    ran = bitduel("puzzle", "--id", str(LINE.id), stdin="?\nhelp\nrules\nfoo\n\nhint\nhint\nhint\nhint\n" + typed(LINE))
    assert ran.status == 0
    assert ran.out.count("That isn't one of the answers.") == 1
    assert ran.out.count("Type one of them, such as 'add', or 'hint'.") == 2
    assert LINE.puzzle.hints[2] in ran.out
    assert "No more hints." in ran.out
    assert "Solved: ?" + "+" * (LINE.puzzle.decisions - 1) in ran.out


def test_leaving_is_no_trouble_and_the_end_of_input_is_one_line() -> None:
    assert bitduel("puzzle", stdin="quit\n").status == 0
    ran = bitduel("puzzle")
    assert (ran.err, ran.status) == ("bitduel: There is no more input, so this ends here.\n", 1)


def test_a_program_gets_one_object() -> None:
    keys = {
        *["date", "number", "id", "game", "options", "moves", "to_move", "kind", "form", "task", "ask", "grade", "odds"]
    }
    data = json.loads(bitduel("puzzle", "--daily", "--date", FIRST_DAY.isoformat(), "--json").out)
    assert {*data} == keys
    assert (data["date"], data["number"]) == (FIRST_DAY.isoformat(), 1)
    assert json.loads(bitduel("puzzle", "--number", "1", "--json").out) == data
    drawn = json.loads(bitduel("puzzle", "--game", "64", "--grade", "5", "--json", "--solution").out)
    assert (drawn["date"], drawn["number"], drawn["game"], drawn["grade"]) == (None, None, find("64").slug, 5)
    assert {*drawn} - {"replies"} == {*keys, "solution"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--date", "2026-13-01"), "Write the date like this: 2026-11-18."),
        (("--date", "20261116"), "Write the date like this: 2026-11-18."),
        (("--date", "2026-11-17"), "The daily puzzles begin on 2026-11-18, with puzzle 1."),
        (("--grade", "1e3"), "The grade must be a whole number from 1 to 7."),
        (("--grade", "8"), "The grade must be a whole number from 1 to 7."),
        (("--id", "nobody"), "There is no puzzle 'nobody'."),
        (("--number", "99999999999"), "That day's puzzle isn't available yet."),
        (("--daily", "--mine"), "Choose one: the puzzle of a day, a game and grade, a number, an id, or --mine."),
        (("--game", "31", "--grade", "9"), "The grade must be"),
        (("--mine", "--json"), "You have nothing to practise today:"),
    ],
)
def test_what_there_is_not_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("puzzle", *arguments)
    assert ran.err.startswith(f"bitduel: {sentence}")
    assert (ran.err.count("\n"), ran.out) == (1, "")
    assert ran.status == 2


def test_days_in_a_row_are_counted_and_the_first_result_counts(own_data: Path) -> None:
    progress = PuzzleProgress(own_data, {(TODAY - timedelta(days)).isoformat(): "✓" for days in (1, 2, 4)})
    own_data.parent.mkdir()
    progress.note_day(TODAY - timedelta(9), "✓")
    chosen, answers = daily_puzzle(TODAY), solution_of_today()
    lines = bitduel("puzzle", stdin=answers).out.splitlines()
    row = "+" * chosen.puzzle.decisions
    shared = f"bitduel {chosen.number} | {chosen.puzzle.game.title} | grade {chosen.puzzle.grade}"
    assert lines[-4:-1] == [shared, f"{row} | streak 4", "4 days in a row, 4 with every move at once."]
    assert lines[-1].startswith("The next puzzle is in ")
    again = bitduel("puzzle", stdin=f"hint\n{answers}").out.splitlines()
    assert again[0] == f"You've already done today's puzzle: {row}. Only your first result counts."
    assert again[-3] == f"{row} | streak 4"


def test_the_first_answers_are_kept_by_who_leaves_the_puzzle_of_the_day(own_data: Path) -> None:
    chosen = daily_puzzle(TODAY)
    bitduel("puzzle", stdin="hint\nquit\n")
    assert json.loads(own_data.read_text())["begun"] == {TODAY.isoformat(): "h"}
    again = bitduel("puzzle", stdin=solution_of_today())
    assert again.out.count("You've begun this puzzle before. What you answered then counts.") == 1
    assert chosen.puzzle.hints[0] in again.out
    row = "?" + "✓" * (chosen.puzzle.decisions - 1)
    assert open_puzzle_progress().days == {TODAY.isoformat(): row}
    assert not open_puzzle_progress().begun
    bitduel("puzzle", stdin="hint\nquit\n")
    assert not open_puzzle_progress().begun


def test_what_was_begun_and_cannot_be_read_is_begun_afresh() -> None:
    open_puzzle_progress().note_begun(TODAY, "9999.x")
    ran = bitduel("puzzle", stdin=solution_of_today())
    assert (ran.err, ran.status) == ("", 0)
    assert "Solved: +" in ran.out


def test_the_month_has_a_sign_for_each_day_and_says_what_it_means() -> None:
    days = {"2026-11-18": "✓✓✓", "2026-11-19": "✓?✓", "2026-11-21": "✓~", "2026-11-22": "✓✗", "2026-11-23": "✓✗ ✓✓"}
    progress = PuzzleProgress(days=days)
    assert progress.bridged(date(2026, 11, 23)) == [date(2026, 11, 22)]
    lines = month_lines(progress, date(2026, 11, 23), has_signs=True)
    assert lines[0] == "November"
    assert lines[-3:] == [
        "16   17   18✓  19~  20   21~  22·",
        "23~  24   25   26   27   28   29",
        "(✓ every move at once, ~ solved, · missed, but the streak goes on)",
    ]
    plain = month_lines(progress, date(2026, 11, 22), has_signs=False)
    assert plain[-2:] == ["16   17   18+  19~  20.  21~  22x", MEANINGS]
    assert all(text.isascii() for text in plain)
    assert all(len(text) <= 35 for text in (*lines[:-1], *plain[:-1]))
    assert month_lines(PuzzleProgress(), date(2027, 2, 1), has_signs=True)[-1] == " 1    2    3    4    5    6    7"


MEANINGS = "(+ every move at once, ~ solved, x not solved, . missed, but the streak goes on)"


def test_the_time_to_the_next_puzzle_is_told_in_hours_and_minutes() -> None:
    assert time_left(datetime(2026, 11, 18, 18, 47, 30)) == "5 h 12 min"
    assert time_left(datetime(2026, 11, 18, 23, 59, 59)) == "1 min"


def test_results_from_before_the_new_deck_count_by_their_own_rule() -> None:
    progress = PuzzleProgress(days={"2026-11-16": "✗✓", "2026-11-17": "?✓", "2026-11-18": "✓✓✓", "2026-11-19": "✗✓✓"})
    assert progress.streak(date(2026, 11, 18)) == 3
    assert progress.streak(date(2026, 11, 20)) == 0


def test_what_was_wrong_is_asked_again_when_it_is_due() -> None:
    progress = open_puzzle_progress()
    progress.note(LINE, False, TODAY - timedelta(1))
    ran = bitduel("puzzle", "--mine", stdin=typed(LINE))
    assert ran.out.startswith(f"Puzzle {LINE.id}")
    assert ran.out.endswith("That's all for today.\n")
    assert "You have nothing to practise today" in bitduel("puzzle", "--mine").out


def test_places_in_a_row_are_said_shortly() -> None:
    for kind in all_games():
        game = kind()
        view = Match(game, deal=game.any_deal()).view(1)
        assert len(f"Your move ({offered_answers(game.words, view)}): ") <= 40
    assert group_moves(("flip 1", "flip 4", "reset 2")) == "flip 1 or 4, reset 2"
    assert group_moves([f"toggle {bit}" for bit in range(1, 6)]) == "toggle 1-5"
    assert group_moves([f"toggle {bit}" for bit in (1, 2, 3, 5)]) == "toggle 1, 2, 3 or 5"


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
    ran = bitduel("puzzle", "--mine", "--db", db, stdin="add\ny\n" * 9)
    shown = ran.out.count("Practice position")
    assert shown >= 1
    assert "You have nothing to practise today" in bitduel("puzzle", "--mine", "--db", db).out


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
        f'{{"format": "bitduel puzzles 1", "days": {{"{TODAY}": ""}}, "cards": []}}',
        f'{{"format": "bitduel puzzles 1", "days": {{"{TODAY}": " "}}, "cards": []}}',
        f'{{"format": "bitduel puzzles 1", "days": {{"{TODAY}": "abc"}}, "cards": []}}',
        f'{{"format": "bitduel puzzles 1", "days": {{}}, "cards": [], "begun": "{TODAY}"}}',
        '{"format": "bitduel puzzles 1", "days": {}, "cards": [{"game": 1}]}',
    ],
)
def test_a_damaged_file_is_one_sentence_and_is_left_as_it_is(own_data: Path, text: str) -> None:
    own_data.parent.mkdir()
    own_data.write_text(text)
    sentence = (
        f"bitduel: Your results can't be saved because {own_data} is damaged. Move or delete it to start again.\n"
    )
    ran = bitduel("puzzle", stdin=solution_of_today())
    assert (ran.err, ran.status) == (sentence, 0)
    mine = bitduel("puzzle", "--mine")
    assert (mine.err, mine.status) == (sentence, 0)
    assert bitduel("puzzle", "--mine", "--json").err.startswith(sentence)
    assert own_data.read_text() == text


def test_results_that_cannot_be_written_are_one_sentence(own_data: Path) -> None:
    own_data.mkdir(parents=True)
    ran = bitduel("puzzle", stdin=solution_of_today())
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("bitduel: Your results can't be saved:")


def test_what_is_typed_for_a_sheet_may_leave_out_commas_and_the_verb() -> None:
    sheet = game_practice(find("bits"))[1].questions[0]
    for text in ("reset 1 2", "reset 1, reset 2", "RESET 1 reset 2"):
        assert read_names(sheet, text) == ["reset 1", "reset 2"]
    assert read_names(sheet, "none") == []
    assert read_names(sheet, "reset 1 foo") == ["reset 1", "foo"]
    assert offered(sheet).endswith("; all that are right")


def test_each_of_several_races_is_drawn_with_its_own_target() -> None:
    name = next(entry.id for entry in deck().entries.values() if entry.kind == "crossroads")
    drawn = list[Picture]()

    class Drawing(Sheet):
        def draw(self, picture: Picture) -> None:
            drawn.append(picture)

    chosen = puzzle_by_id(name)
    PuzzleDialog(chosen, Drawing(*(answer[0] for _, answer in chosen.puzzle.solution()))).run("Races")
    games = [question.position.game for question, _ in chosen.puzzle.solution() if question.position]
    assert [picture.scale and picture.scale.high for picture in drawn] == [game.options["target"] for game in games]


def test_a_wrong_move_is_refuted_on_the_board_within_40_columns_and_20_lines() -> None:
    drawn = list[Picture]()

    class Drawing(Sheet):
        def draw(self, picture: Picture) -> None:
            drawn.append(picture)
            self.said += ["drawn"] * 4

    chosen = puzzle_by_id("u09ldv")
    screen = Drawing("double", *(answer[0] for _, answer in list(chosen.puzzle.solution())[1:]))
    PuzzleDialog(chosen, screen).run("Race")
    assert [picture.scale and picture.scale.tokens[0].at for picture in drawn][:3] == [9, 80, 22]
    line = "You double to 18; your opponent adds 2 to make 20; you double to 40; your opponent doubles to 80:"
    assert line in screen.said
    last = screen.said.index("Right: add 2, to 11.")
    assert len(fold_lines(screen.said[screen.said.index(line) - 1 : last], 40, 2)) < 16


def test_where_there_is_no_opponent_the_reply_is_called_the_answer() -> None:
    chosen = puzzle_by_id(next(entry.id for entry in deck().entries.values() if entry.kind == "corner-it"))
    screen = Sheet(*(answer[0] for _, answer in chosen.puzzle.solution()))
    PuzzleDialog(chosen, screen).run("Corner it")
    assert "Your opponent: " not in screen.text
    assert screen.text.count("The answer: ") == chosen.puzzle.decisions


def test_after_a_second_try_the_position_is_drawn_again() -> None:
    habits = (puzzle_by_id(entry.id) for entry in deck().entries.values() if entry.kind == "beat-the-habit")
    chosen = next(each for each in habits if len(next(each.puzzle.solution())[0].candidates) > 2)
    question, _ = next(chosen.puzzle.solution())
    wrong = next(each.name for each in question.candidates if each.name not in question.right)
    screen = Sheet(wrong, *(answer[0] for _, answer in chosen.puzzle.solution()))
    PuzzleDialog(chosen, screen).run("Habit")
    assert "Here's the position again:" in screen.said
