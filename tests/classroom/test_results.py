"""No cell of the results is a formula."""

import pytest

from bitduel.classroom.results import harmless


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\r=1", "\uff1d1", "\uff0b1"])
def test_what_a_spreadsheet_would_take_for_a_formula_is_a_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"), [("a;=1+1;b", "a,=1+1,b"), ("\t=1", "' =1"), ("a\t=1", "a =1"), (";=1", ",=1")]
)
def test_a_spreadsheet_that_splits_at_semicolons_or_tabs_finds_nothing_to_split(text: str, cell: str) -> None:
    assert harmless(text) == cell


def test_other_texts_stay_as_they_are() -> None:
    assert harmless("Ada = Lovelace") == "Ada = Lovelace"
