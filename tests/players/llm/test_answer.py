"""A move is read strictly: everything that does not matter is taken off, and nothing is ever guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.outcomes import GARBLED, ILLEGAL_MOVE
from bitduel.players.llm.answer import (
    CUT_OFF,
    EMPTY,
    FAULTS,
    FILTERED,
    ILLEGAL,
    REFUSED,
    UNREADABLE,
    AnswerFault,
    read_move,
)
from bitduel.players.llm.service import ModelResponse

MOVES = ("flip 1", "flip 2", "flip 12", "reset 1", "reset 2", "pass")
LEGAL = ("flip 1", "flip 2", "flip 12", "reset 1")


def found(text: str, **more: str) -> str:
    """The move, or the kind of fault."""
    answer = read_move(ModelResponse(text, **more), LEGAL, MOVES)  # type: ignore[arg-type]
    return answer.kind if isinstance(answer, AnswerFault) else answer


@pytest.mark.parametrize(
    "text",
    [
        "MOVE: flip 2",
        "I think so.\n\nMOVE: flip 2",
        "move:flip 2",
        "Move : FLIP   2.",
        "**MOVE:** flip 2",
        "**MOVE: flip 2**",
        "> `MOVE: flip 2`",
        "MOVE: 'flip 2'.",
        'MOVE: "Flip 2."',
        "```\nMOVE: flip 2\n```",
        "MOVE: flip 2\n\nGood luck!",
        "MOVE: flip 2\r\n",
        "flip 2",
        " Flip 2. ",
        "`flip 2`",
        "\u201cflip 2\u201d",
        "```text\nflip 2\n```",
        "First I thought:\nMOVE: <move>\nbut\nMOVE: flip 2",
        "MOVE: reset 2\nNo, that is not possible.\nMOVE: flip 2",
        "MOVE: flip 2\nAgain:\nMOVE: flip 2",
        "<think>MOVE: flip 1 would lose.</think>\nMOVE: flip 2",
    ],
)
def test_what_does_not_matter_is_taken_off(text: str) -> None:
    assert found(text) == "flip 2"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("MOVE: reset 2", ILLEGAL),
        ("pass", ILLEGAL),
        ("MOVE: flip 1\nMOVE: reset 2", ILLEGAL),
        ("MOVE: flip 3", UNREADABLE),
        ("MOVE: flip 1 or flip 2", UNREADABLE),
        ("MOVE: flip 1, flip 2", UNREADABLE),
        ("MOVE: flip 2 (it is next to mine)", UNREADABLE),
        ("MOVE: flip 1\nMOVE: flip 2", UNREADABLE),
        ("flip 1\nflip 2", UNREADABLE),
        ("I would flip 2", UNREADABLE),
        ("I choose: flip 2", UNREADABLE),
        ("flip", UNREADABLE),
        ("2", UNREADABLE),
        ("flip\u00b2", UNREADABLE),
        ("MOVE:", UNREADABLE),
        ("MOVE:\nflip 2", UNREADABLE),
        ("REMOVE: flip 2", UNREADABLE),
        ("", EMPTY),
        (" \n\t", EMPTY),
        ("<think>MOVE: flip 2</think>", EMPTY),
    ],
)
def test_nothing_is_guessed(text: str, kind: str) -> None:
    assert found(text) == kind


def test_what_the_service_says_of_an_answer_counts_more_than_its_text() -> None:
    assert found("MOVE: flip 1", finish="length") == CUT_OFF
    assert found("MOVE: flip 1", refusal="I will not") == REFUSED
    assert found("MOVE: flip 1", finish="content_filter") == FILTERED


def test_only_an_illegal_move_loses_by_that() -> None:
    reasons = {kind: AnswerFault(kind, "").reason for kind in FAULTS}
    assert reasons.pop(ILLEGAL) == ILLEGAL_MOVE
    assert set(reasons.values()) == {GARBLED}


def test_moves_that_differ_only_in_what_does_not_matter_are_not_told_apart() -> None:
    assert isinstance(read_move(ModelResponse("MOVE: a"), ("a", "A"), ("a", "A")), AnswerFault)


WORDS = st.sampled_from([*MOVES, "MOVE: ", "move:", "\n", " ", "```", ".", "**", "<think>", "</think>", "or", '"'])


@given(st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=12).map("".join))
def test_whatever_is_said_the_move_is_legal_and_the_only_one_named(text: str) -> None:
    answer = read_move(ModelResponse(text), LEGAL, MOVES)
    if isinstance(answer, AnswerFault):
        assert answer.kind in FAULTS
        return
    assert answer in LEGAL
    assert answer in " ".join(text.lower().split())


@given(st.permutations(LEGAL), st.text(alphabet="ab \n.", max_size=20))
def test_two_different_moves_are_never_one(moves: list[str], between: str) -> None:
    assert found(f"MOVE: {moves[0]}\n{between}\nMOVE: {moves[1]}") == UNREADABLE


@pytest.mark.parametrize("part", ["\n", "-", " ", "`", "*", "```\n", "MOVE:", "MOVE: \n", "<think>", "."])
def test_long_answers_are_read_in_no_time(part: str) -> None:
    assert found(part * 500_000) in (UNREADABLE, EMPTY)
