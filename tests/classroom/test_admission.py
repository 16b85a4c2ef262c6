"""Codes that can be said aloud, PINs that only their browser knows, and names that look the same."""

from random import Random

import pytest

from bitduel.classroom.admission import (
    CODE_PATTERN,
    WrongCodeError,
    canonical_code,
    check_pupil_name,
    hash_pin,
    new_code,
    pin_of,
    skeleton,
)
from bitduel.core.errors import PlayerNameError
from bitduel.service.credentials import new_token
from bitduel.storage.classes import ClassRecord


def test_codes_are_consonant_and_vowel_in_turn() -> None:
    codes = {new_code(Random(seed)) for seed in range(500)}
    assert len(codes) > 450
    assert all(letter in letters for code in codes for letter, letters in zip(code, CODE_PATTERN, strict=True))


@pytest.mark.parametrize("text", ["TUMAK", "tumak", " t u m a k ", "Tum-ak"])
def test_a_code_is_read_in_any_writing(text: str) -> None:
    assert canonical_code(text) == "TUMAK"


@pytest.mark.parametrize("text", ["", "TUMA", "TUMAKA", "TIMAK", "12345", "TUMA\u212a", "../..", "\x00" * 5])
def test_what_cannot_be_a_code_is_refused(text: str) -> None:
    with pytest.raises(WrongCodeError):
        canonical_code(text)


def test_a_pin_has_four_digits_and_belongs_to_one_class_and_secret() -> None:
    token = new_token()
    assert pin_of(token, "TUMAK") == pin_of(token, "TUMAK")
    pins = {pin_of(new_token(), "TUMAK") for _ in range(200)}
    assert len(pins) > 150
    assert all(len(pin) == 4 and pin.isdigit() for pin in pins)
    assert hash_pin("TUMAK", 1, "0000") != hash_pin("TUMAK", 2, "0000")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ada", "ADA"),
        ("Ada", "\u0410\u0501\u0430"),
        ("Ilse", "llse"),
        ("Olga", "0lga"),
        ("Jo Ann", "JoAnn"),
        ("Bo", "\u0392o"),
    ],
)
def test_names_that_look_the_same_share_a_skeleton(one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)


@pytest.mark.parametrize(("one", "two"), [("Ada", "Adam"), ("Zoe", "Zo\u00eb"), ("Ann", "Anna"), ("\u674e", "\u738b")])
def test_names_that_differ_do_not(one: str, two: str) -> None:
    assert skeleton(one) != skeleton(two)


RECORD = ClassRecord("TUMAK", "Year 7", 1, 0, False, False, None, 0, 0)


@pytest.mark.parametrize(
    "name",
    [
        "Teacher",
        "Mr Teacher",
        "The Teacher",
        "Mr.Teacher",
        "MrTeacher",
        "My T eacher",
        "The_Computer",
        "Cornputer",
        "Mr C0rnputer",
        "Computer (hard)",
        "Mr Te\u0430cher",
        "Mr Teach\u0325er",
        "Mr Tea\u200ccher",
    ],
)
def test_a_name_that_could_be_the_computers_or_the_teachers_is_refused(name: str) -> None:
    with pytest.raises(PlayerNameError):
        check_pupil_name(RECORD, name)


@pytest.mark.parametrize("name", ["Annette Achermann", "Kate Acher", "Arno", "Teach"])
def test_other_names_are_not(name: str) -> None:
    assert check_pupil_name(RECORD, name) == name
