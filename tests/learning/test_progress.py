"""Progress kept on this machine: spaced repetition of positions, and the steps of lessons."""

from datetime import date, timedelta
from pathlib import Path

from bitduel.core.folders import data_folder
from bitduel.games.registry import make
from bitduel.learning.progress import (
    PUZZLE_FILE,
    WAITING_DAYS,
    PuzzleProgress,
    is_clean,
    open_puzzle_progress,
    parse_puzzle_progress,
    review_card,
)
from bitduel.learning.puzzle_deck import DeckPuzzle, daily_puzzle, practice_item
from bitduel.learning.puzzles import Exercise, puzzle_from

TODAY = date.today()
REFUTED = daily_puzzle(date(2026, 11, 19))


def test_what_was_wrong_comes_again_later_and_later_until_it_is_learnt() -> None:
    progress, day = PuzzleProgress(), TODAY
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
    assert waited == [1, *WAITING_DAYS]
    progress.note(REFUTED, False, day)
    assert next(iter(progress.cards.values())).known == 0


def test_a_puzzle_played_again_right_after_a_miss_shows_nothing() -> None:
    progress = PuzzleProgress()
    progress.note(REFUTED, False, TODAY)
    progress.note(REFUTED, True, TODAY)
    progress.note_solved(REFUTED, TODAY)
    (card,) = progress.cards.values()
    assert (card.known, card.due, progress.solved) == (0, str(TODAY + timedelta(1)), {})
    for _ in range(2):
        progress.note_solved(REFUTED, TODAY + timedelta(1))
        progress.note(REFUTED, True, TODAY + timedelta(1))
    (card,) = progress.cards.values()
    assert (card.known, len(progress.solved)) == (1, 1)


def test_a_game_that_is_gone_is_passed_over() -> None:
    position = DeckPuzzle(None, puzzle_from(Exercise(make("64"))))
    card = review_card(position)
    assert card.puzzle()
    card.game = "chess"
    assert card.puzzle() is None


def test_a_card_of_the_deck_is_its_puzzle_as_long_as_it_is_there() -> None:
    card = review_card(REFUTED)
    again = card.puzzle()
    assert again is not None
    assert again.id == REFUTED.id
    card.id = "nobody"
    assert card.puzzle() is None


def test_an_item_of_practice_comes_back_by_its_id() -> None:
    item = practice_item("double-3")
    assert item is not None
    progress = PuzzleProgress()
    progress.note(item, False, TODAY)
    (card,) = progress.due(TODAY + timedelta(1))
    again = card.puzzle()
    assert again is not None
    assert (again.id, again.puzzle) == ("double-3", item.puzzle)
    assert practice_item("double-9") is None


def test_cards_of_puzzles_that_are_gone_are_dropped_with_a_sentence() -> None:
    progress = PuzzleProgress()
    progress.note(REFUTED, False, TODAY)
    assert progress.drop_lost() == ""
    next(iter(progress.cards.values())).id = "nobody"
    assert progress.drop_lost() == "One puzzle to practise again is gone, because the puzzles have changed."
    assert not progress.cards


def test_one_missed_day_in_seven_is_bridged_and_a_second_is_not() -> None:
    def row(*missed: int) -> PuzzleProgress:
        days = {(TODAY - timedelta(ago)).isoformat(): "✓" for ago in range(12) if ago not in missed}
        return PuzzleProgress(days=days)

    assert row().streak(TODAY) == 12
    assert row(3).streak(TODAY) == 11
    assert row(3, 10).streak(TODAY) == 10
    assert row(3, 9).streak(TODAY) == 8
    assert row(3, 4).streak(TODAY) == 3


def test_a_day_that_was_solved_with_help_ends_the_streak_of_days_without() -> None:
    last = date(2027, 1, 10)
    days = {(last - timedelta(ago)).isoformat(): "?" if ago == 2 else "✓" for ago in range(6) if ago != 4}
    progress = PuzzleProgress(days=days)
    assert (progress.streak(last), progress.streak(last, is_clean)) == (5, 2)


def test_a_sister_solves_the_day_but_not_cleanly() -> None:
    progress = PuzzleProgress()
    progress.note_day(TODAY, "✗✓")
    assert progress.streak(TODAY) == 0
    progress.note_sister(TODAY, "✓✓")
    progress.note_sister(TODAY, "✗✗")
    assert progress.days[TODAY.isoformat()] == "✗✓ ✓✓"
    assert (progress.streak(TODAY), progress.streak(TODAY, is_clean)) == (1, 0)


def test_a_puzzle_counts_once_as_solved_by_its_game_and_grade(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.json"
    progress = PuzzleProgress(path)
    item = practice_item("double-3")
    assert item is not None
    for chosen in (REFUTED, REFUTED, DeckPuzzle(None, puzzle_from(Exercise(make("64")))), item):
        progress.note_solved(chosen, TODAY)
    assert progress.solved == {REFUTED.puzzle.game.slug: {str(REFUTED.puzzle.grade): [REFUTED.id]}}
    again = parse_puzzle_progress(path, path.read_bytes())
    assert again == progress
    assert again.solved_phrase("binary-battle") == "1 solved, up to grade 4"
    assert again.solved_phrase("binary-race-64") == ""


def test_results_from_before_puzzles_were_counted_are_read(tmp_path: Path) -> None:
    text = '{"format": "bitduel puzzles 1", "days": {"2026-11-18": "✓"}, "cards": []}'.encode()
    assert parse_puzzle_progress(tmp_path, text) == PuzzleProgress(tmp_path, {"2026-11-18": "✓"})


def test_a_file_of_up_to_16_mib_is_read_and_a_larger_one_is_left_as_it_is() -> None:
    open_puzzle_progress().note_day(TODAY, "✓✓")
    path, most = data_folder() / PUZZLE_FILE, 16 * 2**20
    content = path.read_bytes()
    path.write_bytes(content.rjust(most))
    assert open_puzzle_progress().days == {TODAY.isoformat(): "✓✓"}
    path.write_bytes(content.rjust(most + 1))
    progress = open_puzzle_progress()
    assert not progress.days
    assert "is damaged" in progress.trouble
    progress.note_day(TODAY, "✗✓")
    assert path.stat().st_size == most + 1
