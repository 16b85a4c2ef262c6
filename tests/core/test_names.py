"""Names are what people are called, in any script, and never play tricks with the text around them."""

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import PlayerNameError
from bitduel.core.names import MAX_CODE_POINTS, MAX_NAME_LENGTH, check_name, graphemes, is_pictograph
from bitduel.core.words import check_names

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

GOOD = {
    "a family": FAMILY,
    "a rainbow flag": "Ada \U0001f3f3\ufe0f\u200d\U0001f308",
    "a pilot with a skin tone": "\U0001f469\U0001f3fd\u200d\u2708\ufe0f Amelia",
    "a heart": "Ben \u2764\ufe0f",
    "a key cap": "1\ufe0f\u20e3",
    "a flag": "\U0001f1eb\U0001f1ee",
    "Scotland": SCOTLAND,
    "an emoji newer than the tables": "\U0001fae8",
    "Vietnamese": "Nguye\u0302\u0303n",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Hebrew with points": "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    "Thai": "\u0e01\u0e33\u0e25\u0e31\u0e07",
    "Japanese": "\u5c71\u7530\u3000\u592a\u90ce",
    "an apostrophe": "O\u2019Neill-Sma\u00eetre",
    "32 families": FAMILY * 32,
    "32 letters": "x" * 32,
}
BAD = {
    "nothing": "",
    "blanks": "   ",
    "a colour of the terminal": "a\x1b[31m",
    "a new line": "a\nb",
    "a tab": "a\tb",
    "a zero byte": "\x00",
    "33 letters": "x" * 33,
    "33 emoji": "\U0001f600" * 33,
    "an override": "\u202eevil",
    "an embedding": "a\u202bb",
    "an isolate": "gr\u2066ace",
    "a direction mark": "a\u200fb",
    "a zero-width space": "zero\u200bwidth",
    "a byte order mark": "\ufeffAda",
    "a soft hyphen": "A\u00adda",
    "a word joiner": "A\u2060da",
    "a joiner in Latin": "A\u200dda",
    "a non-joiner in Latin": "A\u200cda",
    "a joiner alone": "\u200d",
    "a joiner at the end": "\U0001f468\u200d",
    "two joiners": "\U0001f468\u200d\u200d\U0001f469",
    "a joiner between an emoji and a letter": "\U0001f468\u200dA",
    "a mark alone": "\u0301",
    "a mark at the start": "\u0301Ada",
    "a tower of marks": "Z\u0300\u0301\u0302\u0303\u0304\u0305a",
    "a private letter": "\ue000",
    "an unassigned letter": "\u0378",
    "half of a pair": "\ud800",
    "a line separator": "a\u2028b",
    "a letter that shows nothing": "\u3164",
    "a blank of Braille": "\u2800",
    "a spelt flag without its flag": "\U000e0067\U000e0062",
    "tags after a face": "\U0001f600\U000e0067",
}


@pytest.mark.parametrize("name", GOOD.values(), ids=GOOD.keys())
def test_what_people_are_called_is_a_name(name: str) -> None:
    taken, _ = check_names(name, None)
    assert taken
    assert check_name(taken) == taken


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
def test_what_shows_nothing_or_plays_tricks_is_refused_in_a_sentence_that_can_be_printed(name: str) -> None:
    with pytest.raises(PlayerNameError, match="A name must have 1 to 32 printable characters") as caught:
        check_names(name, None)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["You", "YOU", " you ", "Your  friend", "\uff39ou"])
def test_what_pages_call_people_is_nobodys_name(name: str) -> None:
    with pytest.raises(PlayerNameError, match="can't be the name of a player"):
        check_names(None, name)
    assert check_name("Youssef") == "Youssef"


@given(
    st.text(st.characters() | st.sampled_from("\u200c\u200d\ufe0f\u0301\U0001f468\U0001f3fd\U0001f1eb"), max_size=40)
)
def test_a_name_is_taken_as_it_stays_or_refused(name: str) -> None:
    try:
        taken = check_name(name)
    except PlayerNameError:
        return
    assert check_name(taken) == taken
    assert 0 < len(taken) <= MAX_CODE_POINTS
    assert not {category(each) for each in taken} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert not set(taken) & set("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text())
def test_a_text_is_all_of_its_characters(text: str) -> None:
    assert "".join(graphemes(text)) == text


def test_characters_are_counted_as_people_count_them() -> None:
    assert list(graphemes(f"A{FAMILY}e\u0301\U0001f1eb\U0001f1ee\U0001f1eb")) == [
        "A",
        FAMILY,
        "e\u0301",
        "\U0001f1eb\U0001f1ee",
        "\U0001f1eb",
    ]
    check_name("\u00e9" * MAX_NAME_LENGTH)
    check_name("e\u0301" * MAX_NAME_LENGTH)


def test_two_names_that_look_the_same_are_one() -> None:
    for one, two in (("Zo\u00eb", "Zoe\u0308"), ("\ufb01n", "fin"), ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u062e")):
        with pytest.raises(PlayerNameError, match="different names"):
            check_names(one, two)


@pytest.mark.parametrize("tile", ["\U0001f000", "\U0001faff"])
def test_the_first_and_the_last_place_for_pictures_are_pictures(tile: str) -> None:
    assert is_pictograph(tile)
