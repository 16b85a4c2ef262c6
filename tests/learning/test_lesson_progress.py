"""Progress with lessons kept on this machine: marks of steps, practice, mastery, and files of before."""

import json
from pathlib import Path

import pytest

from bitduel.learning.lesson_progress import StepMark, open_lesson_progress

SLUG = "double-or-nothing"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data of its own for a test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "bitduel" / "lessons.json"


def test_a_better_mark_replaces_a_worse_one_and_never_the_other_way_round(home: Path) -> None:
    progress = open_lesson_progress()
    for mark in (StepMark.SKIPPED, StepMark.HELPED, StepMark.DONE, StepMark.HELPED, StepMark.SKIPPED):
        progress.note_step(SLUG, 3, mark)
    progress.note_step(SLUG, 4, StepMark.SKIPPED)
    again = open_lesson_progress().of(SLUG)
    assert (again.marked(StepMark.DONE), again.marked(StepMark.SKIPPED)) == ([3], [4])
    assert not again.is_done(4)


def test_seven_of_eight_are_learnt_and_stay_so(home: Path) -> None:
    progress = open_lesson_progress()
    assert not progress.note_practice(SLUG, "++++++xx")
    assert progress.of(SLUG).describe(9) == "9 steps, practice: 6 of 8"
    assert progress.note_practice(SLUG, "+++x++++")
    assert not progress.note_practice(SLUG, "xxxxxxxx")
    progress.note_mastered(SLUG)
    again = open_lesson_progress().of(SLUG)
    assert (again.learnt, again.mastered) == (True, True)
    assert again.describe(9) == "9 steps, learnt, mastered"


def test_help_and_skipped_steps_are_named(home: Path) -> None:
    progress = open_lesson_progress()
    progress.note_step(SLUG, 1, StepMark.DONE)
    progress.note_step(SLUG, 2, StepMark.HELPED)
    progress.note_step(SLUG, 3, StepMark.SKIPPED)
    progress.note_next(SLUG, 4)
    assert progress.of(SLUG).describe(9) == "next: step 4 of 9, 1 with help, 1 skipped"


def test_steps_of_a_file_of_before_count_as_done(home: Path) -> None:
    home.parent.mkdir()
    home.write_text('{"double-or-nothing": 4, "binary-race-31": 10}')
    progress = open_lesson_progress()
    assert progress.of(SLUG).marked(StepMark.DONE) == [1, 2, 3]
    assert progress.of("binary-race-31").is_done(9)
    progress.note_next(SLUG, 5)
    assert json.loads(home.read_text())["format"] == "bitduel lessons 2"
    assert open_lesson_progress().of("binary-race-31").is_done(9)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[1]",
        '"x"',
        '{"a": "b", "c": -1, "d": true}',
        '{"format": "bitduel lessons 2", "games": {"x": {"steps": {"1": "won"}}}}',
        '{"format": "bitduel lessons 2", "games": {"x": {"level": 1}}}',
        "[" * 9000,
        "\0\xff",
    ],
)
def test_a_broken_file_is_left_as_it_is(home: Path, content: str) -> None:
    home.parent.mkdir()
    home.write_text(content, encoding="latin-1")
    progress = open_lesson_progress()
    assert progress.of(SLUG).next_step == 1
    assert (
        progress.trouble == f"Your progress can't be saved because {home} is damaged. Move or delete it to start again."
    )
    progress.note_next(SLUG, 3)
    assert home.read_text(encoding="latin-1") == content
    assert [each.name for each in home.parent.iterdir()] == [home.name]


def test_progress_that_cannot_be_kept_is_one_sentence(home: Path) -> None:
    home.mkdir(parents=True)
    progress = open_lesson_progress()
    assert progress.trouble.startswith("Your progress can't be saved: ")
    progress.note_next(SLUG, 3)
    assert [each.name for each in home.parent.iterdir()] == [home.name]


def test_after_the_last_step_one_goes_on_with_the_first_that_is_open(home: Path) -> None:
    progress = open_lesson_progress()
    for number in (1, 2, 4):
        progress.note_step(SLUG, number, StepMark.DONE)
    progress.note_step(SLUG, 3, StepMark.SKIPPED)
    progress.note_next(SLUG, 5)
    game = progress.of(SLUG)
    assert (game.start(9), game.start(4)) == (5, 3)
    assert game.signs(5) == "1✓  2✓  3-  4✓  5"
    assert game.describe(4) == "3 of 4 steps done, 1 skipped"
    progress.note_step(SLUG, 3, StepMark.HELPED)
    assert progress.of(SLUG).start(4) == 1
