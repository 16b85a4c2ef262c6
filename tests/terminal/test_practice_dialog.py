"""Practice in the terminal: eight items, the step that was missed, and the match that shows mastery."""

from pathlib import Path

import pytest

from bitduel.core.practice import PracticeItem, game_practice
from bitduel.core.puzzle import Pick
from bitduel.games.registry import BUILT_IN, GameClass, find
from bitduel.learning.mastery import should_start
from bitduel.learning.progress import open_puzzle_progress
from helpers import bitduel

GAMES = pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.short)


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def typed(item: PracticeItem) -> list[str]:
    return [" ".join(answer) if question.pick != Pick.ONE else answer[0] for question, answer in item.solution()]


@GAMES
def test_whoever_knows_it_all_has_learnt_the_lesson(kind: GameClass) -> None:
    lines = [line for item in game_practice(kind) for line in typed(item)]
    ran = bitduel("learn", kind.short, "--practice", stdin="\n".join(lines) + "\n")
    assert (ran.err, ran.status) == ("", 0)
    assert "8 of 8 right at once: ++++++++" in ran.out
    assert "You have learnt this lesson." in ran.out
    assert not open_puzzle_progress().cards


def test_fewer_than_seven_lead_back_to_the_first_step_that_was_missed_and_come_back() -> None:
    items = game_practice(find("double"))
    lines = [line for item in items for line in (["hint"] if item.number in (4, 5) else []) + typed(item)]
    ran = bitduel("learn", "double", "--practice", stdin="\n".join(lines) + "\n")
    assert "6 of 8 right at once: +++xx+++" in ran.out
    assert "You need 7 right at once, without a hint. Look at step 5 again: A smaller race inside." in ran.out
    assert "What you missed comes back tomorrow" in ran.out
    assert set(open_puzzle_progress().cards) == {"double-4", "double-5"}


def test_bad_input_gets_a_sentence_that_says_what_to_type() -> None:
    ran = bitduel("learn", "double", "--practice", stdin="\nmaybe\ndouble\n12 99\n\n12,14 16 18 20\nquit\n")
    assert ran.out.count("Type one of them, such as 'add', or 'hint'.") == 2
    assert ran.out.count("Type all of them with spaces between, such as '11 12', or 'none', or 'hint'.") == 2
    assert "You left the practice." in ran.out
    assert ran.status == 0


def test_pictures_call_the_two_sides_you_and_your_opponent() -> None:
    out = bitduel("learn", "31", "--practice", stdin="3\nquit\n").out + bitduel("learn", "bits", "--practice").out
    assert "Player 1" not in out
    assert "Player 2" not in out


def test_a_verb_need_not_be_said_twice() -> None:
    lines = ["flip 4", "reset 2 4", "r2", "reset 2", "none", "no", "two", "a draw", "reset 5"]
    ran = bitduel("learn", "bits", "--practice", stdin="\n".join(lines) + "\n")
    assert "8 of 8 right at once" in ran.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--practice",), "Name a game, such as: bitduel learn 64 --practice"),
        (("64", "--practice", "--match"), "Choose one: --step, --practice, --match or --json."),
    ],
)
def test_what_does_not_go_together_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("learn", *arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert sentence in ran.err


def test_the_match_is_played_from_the_better_seat_without_help() -> None:
    assert should_start(find("31")())
    ran = bitduel("learn", "31", "--match", stdin="hint\nundo\n16\n16\n")
    assert "You go first, and from there you can win. Win it." in ran.out
    assert "You have mastered Binary Race to 31." in ran.out
    assert "Look at" not in ran.out
    ran = bitduel("learn", "31", "--match", stdin="1\n16\n16\n")
    assert "Not yet. To try again: bitduel learn 31 --match" in ran.out
    assert "You left the match." in bitduel("learn", "double", "--match", stdin="quit\ny\n").out
