from hypothesis import given
from hypothesis import strategies as st

from bitduel.terminal.text import MIN_WIDTH, display_width, fold, listing, pad, truncate, truncate_apart

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")) | st.just(" "))


def test_wide_characters_take_two_columns_and_accents_none() -> None:
    assert display_width("李小龙") == 6
    assert display_width("Ase\u030a") == 3
    assert pad("李", 4) == "李  "
    assert truncate("李小龙", 5) == "李小…"
    assert truncate("Ada", 3) == "Ada"


def test_two_names_are_cut_so_that_they_differ() -> None:
    assert truncate_apart("Player 1", "Player 2", 7) == ("Playe…1", "Playe…2")
    assert truncate_apart("Player 1", "Player 2", 8) == ("Player 1", "Player 2")
    assert truncate_apart("Computer (hard)", "Computer (medium)", 7) == ("C…hard)", "C…mediu")
    assert truncate_apart("Ada", "Computer (hard)", 7) == ("Ada", "Comput…")
    assert truncate_apart("Augusta Ada", "Augusta", 6) == ("Au…Ada", "Augus…")
    assert truncate_apart("Player 1", "Player 2", 2) == ("…1", "…2")


@given(TEXTS, TEXTS, TEXTS, st.integers(4, 20))
def test_names_that_are_cut_apart_fit(begin: str, one: str, two: str, width: int) -> None:
    assert all(display_width(name) <= width for name in truncate_apart(begin + one, begin + two, width))


def test_a_line_is_folded_at_words_and_keeps_its_indent() -> None:
    assert fold("  - one two three", 12, 2) == ["  - one two", "    three"]
    assert fold("short", 40) == ["short"]


def test_an_indent_that_leaves_no_room_is_halved() -> None:
    assert fold(" " * 40 + "0", 40) == [" " * 20 + "0"]
    assert all(display_width(line) <= 40 for line in listing([("", "0", ""), ("x" * 36, "", "")], 40))


@given(TEXTS, st.integers(MIN_WIDTH, 120), st.integers(0, 4))
def test_nothing_is_wider_than_the_screen_and_no_word_is_lost(text: str, width: int, hang: int) -> None:
    lines = fold(text, width, hang)
    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5), st.integers(MIN_WIDTH, 120))
def test_a_listing_fits_and_tells_every_cell(rows: list[tuple[str, str, str]], width: int) -> None:
    lines = listing([tuple(" ".join(cell.split())[:30] for cell in row) for row in rows], width)
    assert all(display_width(line) <= width for line in lines)


def test_a_listing_puts_the_last_cell_beside_or_below() -> None:
    rows = [("1", "Ada", "plays the first seat of this game"), ("2", "Alan", "")]
    assert listing(rows, 80) == ["  1  Ada   plays the first seat of this game", "  2  Alan"]
    assert listing([("1", "A name of many letters", "plays first, and often wins")], 40) == [
        "  1  A name of many letters",
        "      plays first, and often wins",
    ]
    assert listing([("1", "")], 40) == ["  1"]


def test_joined_emoji_take_two_columns() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert (
        display_width(family)
        == display_width("\U0001f469\U0001f3fd")
        == display_width("\u2764\ufe0f")
        == display_width("\U0001f1eb\U0001f1ee")
        == 2
    )
    assert display_width(f"Ada {family}") == 6
    assert pad(family, 4) == f"{family}  "


def test_a_row_without_a_last_cell_leaves_no_line_empty() -> None:
    rows = [("1", "Again, with seats swapped", ""), ("2", "Review", "where it was decided, in many words")]
    assert listing(rows, 40)[:2] == ["  1  Again, with seats swapped", "  2  Review"]
    assert "" not in listing(rows, 40)
