from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import OptionError, UnknownNameError
from bitduel.core.game import Game
from bitduel.core.options import (
    ChoiceOption,
    IntegerOption,
    Option,
    SecretBitsOption,
    parse_all,
    parse_whole_number,
)
from bitduel.games.registry import all_games, make

TARGET = IntegerOption("target", 64, "the number to reach", 2, 1_000_000_000)
EDGE = ChoiceOption("edge", "open", "when", {"open": "always", "strict": "rarely"})
TIMES = ChoiceOption("repetition", 3, "how often", {3: "third", 0: "never"})
SECRET = SecretBitsOption("secret", "", "the secret", 5)
FIRST_MOVE = ChoiceOption(
    "first-move", "a", "who", {"a": "you", "b": "them"}, label="Moves first", phrases={"b": "them first"}
)
BITS = IntegerOption("bits", 4, "how many", 1, 9, phrase="with {} bits", phrases={1: "with 1 bit"})


@pytest.mark.parametrize("wrong", ["abc", "1", "1000000001", "-5", "+5", "1_0", "", "٣", "2.0", "9" * 50])
def test_a_wrong_number_gets_one_sentence_that_names_the_range(wrong: str) -> None:
    with pytest.raises(OptionError) as caught:
        TARGET.parse(wrong)
    assert str(caught.value).startswith("target must be a whole number from 2 to 1000000000, not '")


def test_the_sentence_shows_what_was_given() -> None:
    with pytest.raises(OptionError, match=r"not 'abc'$"):
        TARGET.parse("abc")


def test_long_and_unprintable_values_are_shown_short_and_clean() -> None:
    with pytest.raises(OptionError) as caught:
        TARGET.parse("\x1b[31m" + "x" * 1000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(("text", "value"), [("2", 2), (" 64 ", 64), (100, 100)])
def test_whole_numbers_are_read_from_text_and_taken_as_they_are(text: object, value: int) -> None:
    assert TARGET.parse(text) == value


def test_choices_keep_their_type() -> None:
    assert TIMES.parse("0") == 0
    assert EDGE.parse("STRICT") == "strict"
    with pytest.raises(OptionError, match="edge must be open or strict, not 'x'"):
        EDGE.parse("x")


@pytest.mark.parametrize("value", [None, True, False, 1.5, [], {}])
def test_values_of_a_foreign_type_are_refused(value: object) -> None:
    for option in (TARGET, EDGE, TIMES):
        with pytest.raises(OptionError):
            option.parse(value)


def test_secret_bits_are_binary_digits() -> None:
    assert SECRET.parse("01101") == "01101"
    with pytest.raises(OptionError):
        SECRET.parse("012")


@pytest.mark.parametrize("value", [None, True, False, 0, 1, 11111, 1.5, [], {}, b"01101"])
def test_a_secret_that_is_no_text_is_refused_and_not_dealt_by_chance(value: object) -> None:
    with pytest.raises(OptionError, match="secret must be binary digits"):
        SECRET.parse(value)
    with pytest.raises(OptionError, match="secret must be"):
        make("battle", secret=value)


@pytest.mark.parametrize("text", ["0" * 30 + "5", "000000000001999999999999", "-1", "²", "1_0", "9" * 5000, ""])
def test_a_number_that_is_out_of_range_or_no_plain_one_is_none(text: str) -> None:
    assert parse_whole_number(text, 0, 1_000_000_000) is None


def test_a_few_leading_zeros_change_nothing() -> None:
    assert parse_whole_number("0064", 2, 64) == 64


def test_an_unknown_option_is_named_with_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'target'\? Choose from: target, edge\."):
        parse_all((TARGET, EDGE), {"tagret": 3})


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none()))
def test_any_value_is_taken_or_refused_with_a_sentence(value: object) -> None:
    for option in (TARGET, EDGE, TIMES, SECRET):
        sentence = refusal(option, value)
        assert sentence.isprintable()
        if sentence:
            assert option.name in sentence
        else:
            assert option.parse(option.parse(value)) == option.parse(value)


def refusal(option: Option, value: object) -> str:
    """What an option says to a value it does not take; nothing if it takes it."""
    try:
        option.parse(value)
    except OptionError as error:
        return str(error)
    return ""


def test_an_option_without_a_label_is_called_by_its_name() -> None:
    assert TARGET.label == "Target"
    assert ChoiceOption("top_row", "a", "which", {"a": "this one"}).label == "Top row"
    assert FIRST_MOVE.label == "Moves first"


def test_a_value_is_described_in_words_that_fit_after_the_label() -> None:
    assert TARGET.describe(44) == "44"
    assert FIRST_MOVE.describe("b") == "them"
    assert SECRET.describe("01101") == "01101"
    assert SECRET.describe("") == "picked at random"


def test_a_value_after_the_title_has_the_words_for_it_or_else_the_name() -> None:
    assert BITS.after_title(5) == "with 5 bits"
    assert BITS.after_title(1) == "with 1 bit"
    assert FIRST_MOVE.after_title("b") == "them first"
    assert FIRST_MOVE.after_title("a") == "first move a"
    assert TARGET.after_title(44) == "target 44"


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_every_setting_of_our_games_has_a_label_and_answers_in_words(kind: type[Game[Any]]) -> None:
    for option in kind.declared_options:
        assert option.label.lower() != option.name or option.label in ("Target", "Secret")
        if isinstance(option, ChoiceOption):
            assert all(option.describe(value) for value in option.choices)
            assert option.phrases.keys() == option.choices.keys() - {option.default}
