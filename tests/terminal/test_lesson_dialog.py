"""Lessons at a prompt: in a pipe, in a real terminal, and how far one has come."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bitduel.core.lesson import ChoiceStep, Lesson, MatchStep, game_lesson
from bitduel.games.registry import GameClass, all_games, find
from bitduel.learning.lesson_grading import advance, start_step
from bitduel.learning.lesson_progress import StepMark, open_lesson_progress
from bitduel.terminal.lesson_dialog import deal_seed
from bitduel.terminal.move_input import group_moves
from helpers import bitduel, right_answers
from terminal.test_screens import Window

GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)


def lesson_of(kind: GameClass) -> Lesson:
    found = game_lesson(kind)
    assert found
    return found


def right(lesson: Lesson) -> list[str]:
    """Everything that somebody types who knows it all."""
    typed = []
    for each in lesson.steps:
        step = each.with_deal("") if isinstance(each, MatchStep) else each
        moment = start_step(step)
        while not moment.is_done:
            move = (
                lesson.method(moment.match.view(step.seat)) if isinstance(step, MatchStep) else right_answers(moment)[0]
            )
            typed.append(move)
            if not isinstance(step, MatchStep):
                break
            moment = advance(moment, move)
    return typed


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "bitduel" / "lessons.json"


@GAMES
def test_a_whole_lesson_in_a_pipe(kind: GameClass, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.terminal.lesson_dialog.deal_seed", lambda: "")
    lesson = lesson_of(kind)
    typed = right(lesson)
    ran = bitduel("learn", kind.short, stdin="\n".join(typed) + "\n")
    assert (ran.err, ran.status) == ("", 0)
    for number, step in enumerate(lesson.steps, 1):
        assert f"Step {number} of {len(lesson)}: {step.title}\n" in ran.out
    assert "Not quite." not in ran.out
    assert ran.out.count("Right.") == sum(not isinstance(step, MatchStep) for step in lesson.steps)
    assert f"bitduel play {kind.short} --vs hard" in ran.out.splitlines()[-1]
    assert f"bitduel solve {kind.short} --why" in ran.out
    assert not home.exists(), "a pipe begins anew each time"


@GAMES
def test_every_step_can_be_begun_at_and_a_wrong_answer_is_refuted(kind: GameClass) -> None:
    for number, step in enumerate(lesson_of(kind).steps, 1):
        offered = [each.text for each in step.answers] if isinstance(step, ChoiceStep) else start_step(step).match.legal
        wrong = [each for each in offered if each not in right_answers(start_step(step))]
        if not wrong:
            continue
        ran = bitduel("learn", kind.slug, "--step", str(number), stdin=f"{wrong[-1]}\nquit\n")
        assert ran.status == 0
        assert "\nNot quite. " in ran.out
        assert ran.out.endswith("You left the lesson.\n")


def test_a_refutation_is_told_move_by_move() -> None:
    out = bitduel("learn", "double", "--step", "2", stdin="add\nquit\n").out
    told = ["  You add 1 to make 10", "  Your opponent doubles to 20", "  Your opponent wins."]
    assert "\n".join(told) in out


def test_what_else_can_be_said() -> None:
    ran = bitduel("learn", "64", stdin="back\nskip\n?\nhelp\nhint\nrules\nnonsense\nADD\nb\nq\n")
    steps = [line for line in ran.out.splitlines() if line.startswith("Step ")]
    assert [line.split(":")[0] for line in steps] == [f"Step {number} of 10" for number in (1, 1, 2, 3, 4)]
    for said in (
        "  skip   go on without an answer",
        "Which move makes 63?",
        "multiply it by 2. You cannot",
        "That isn't one of the answers.",
    ):
        assert said in ran.out
    assert ran.status == 0


def test_moves_can_be_said_shortly_and_answers_by_letter_or_in_full() -> None:
    assert "Right." in bitduel("learn", "bits", "--step", "2", stdin="r3\nquit\n").out
    assert "Right." in bitduel("learn", "bits", "--step", "3", stdin="  NOBODY \nquit\n").out
    assert "Right." in bitduel("learn", "bits", "--step", "3", stdin="c\nquit\n").out
    assert "Right." in bitduel("learn", "64", stdin="2\nquit\n").out
    assert group_moves(("flip 1", "flip 4", "reset 2")) == "flip 1 or 4, reset 2"
    assert group_moves(("add", "double")) == "add or double"


def test_in_the_dark_nothing_is_told_of_the_opponent_but_that_he_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    step = lesson_of(find("battle")).steps[5]
    assert isinstance(step, MatchStep)
    dealing = next(lot for lot in map(str, range(999)) if step.with_deal(lot).position.deal == "10110")
    monkeypatch.setattr("bitduel.terminal.lesson_dialog.deal_seed", lambda: dealing)
    out = bitduel("learn", "battle", "--step", "6", stdin="2\n1\nquit\n").out
    assert "Your opponent has taken a turn." in out
    assert "Your number is less than the target." in out
    assert "Your opponent toggles" not in out
    assert "10110" not in out


def test_what_is_hidden_is_dealt_anew_each_time() -> None:
    step = lesson_of(find("battle")).steps[5]
    assert isinstance(step, MatchStep)
    assert len({deal_seed() for _ in range(9)}) == 9
    assert len({step.with_deal(str(number)).position.deal for number in range(40)}) > 15
    open_step = lesson_of(find("double")).steps[7]
    assert isinstance(open_step, MatchStep)
    assert open_step.with_deal("1") is open_step


@pytest.mark.parametrize("stdin", ["", "double\n", "hint\n"])
def test_where_the_input_ends_the_lesson_does(stdin: str) -> None:
    ran = bitduel("learn", "double", stdin=stdin)
    assert ran.status == 1
    assert ran.err == "bitduel: There is no more input, so this ends here.\n"


def test_lessons_are_listed_for_people_and_programs(home: Path) -> None:
    progress = open_lesson_progress()
    progress.note_next("double-or-nothing", 4)
    for number in range(1, 10):
        progress.note_step("binary-race-31", number, StepMark.DONE)
    progress.note_practice("binary-race-31", "+++++++x")
    progress.note_mastered("binary-race-31")
    out = " ".join(bitduel("learn").out.split())
    assert "Which numbers to leave (next: step 4 of 10)" in out
    assert "Count the moves, not the steps (9 steps, all done, learnt, mastered)" in out
    assert all(kind.title in out for kind in all_games())
    data = json.loads(bitduel("learn", "--json").out)
    assert [each["game"] for each in data] == [kind.slug for kind in all_games()]
    whole = json.loads(bitduel("learn", "31", "--json").out)
    assert (whole["game"], len(whole["steps"])) == ("binary-race-31", 9)


def test_what_is_not_there_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in ("0", "11", "-1"):
        ran = bitduel("learn", "double", "--step", number)
        assert (ran.out, ran.status) == ("", 2)
        assert "This lesson has 10 steps, so there is no step" in ran.err
    assert bitduel("learn", "chess").status == 2
    monkeypatch.setattr(find("double"), "lesson", classmethod(lambda _: None))
    ran = bitduel("learn", "double")
    assert ran.err.startswith("bitduel: There is no lesson for Double or Nothing yet")
    assert ran.status == 2
    assert "Double or Nothing" not in bitduel("learn").out


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Windows of one user: each a terminal of its own, the same data."""
    opened: list[Window] = []

    def start(columns: int, lines: int, *arguments: str) -> Window:
        (tmp_path / "status").unlink(missing_ok=True)
        home = tmp_path / f"again{len(opened)}"
        home.symlink_to(tmp_path)
        opened.append(Window(home, columns, lines, *arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


IN_TMUX = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")


@IN_TMUX
def test_a_whole_lesson_at_80_by_24_with_wrong_answers_and_a_pause_in_between(window: Callable[..., Window]) -> None:
    lesson = lesson_of(find("31"))
    screen = window(80, 24, "learn", "31")
    screen.until("Your move (")
    screen.type("1")
    screen.until("Your opponent wins.")
    screen.type("16")
    screen.until("Press Enter for the next step:")
    screen.type("q")
    screen.until("To continue: bitduel learn 31")
    assert screen.ended() == "0"
    screen = window(80, 24, "learn", "31")
    screen.until("Continuing where you left off.")
    steps, typed = list(enumerate(lesson.steps, 1))[1:], right(lesson)[1:]
    for number, step in steps:
        screen.until(f"Step {number} of {len(lesson)}")
        turns = sum(1 for _ in _moves(step, lesson))
        for turn in range(turns):
            screen.until(step.question.split(". ")[-1].split("? ")[-1][-12:], turn + 1)
            screen.type(typed.pop(0))
        screen.until("Press Enter", number - 1)
        screen.type("")
    screen.until("That's the end of the lesson")
    screen.until("Practise it now, in eight short questions? (Y/n):")
    screen.type("n")
    assert screen.ended() == "0"
    screen.check()


def _moves(step: object, lesson: Lesson) -> Iterator[str]:
    """The moves, or the one answer, that a step takes."""
    if not isinstance(step, MatchStep):
        yield ""
        return
    moment = start_step(step)
    while not moment.is_done:
        move = lesson.method(moment.match.view(step.seat))
        yield move
        moment = advance(moment, move)


@IN_TMUX
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_leaving_by_a_key_says_how_to_go_on(window: Callable[..., Window], key: str) -> None:
    screen = window(40, 20, "learn", "battle")
    screen.until("Your move (")
    screen.press(key)
    screen.until("To continue: bitduel learn battle")
    screen.until({"C-c": "bitduel: Interrupted.", "C-d": "bitduel: There is no more input"}[key])
    screen.check()
