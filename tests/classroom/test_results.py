"""No cell of the results is a formula."""

import pytest

from bitduel.classroom.results import harmless


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\uff1d1", "\uff0b1"])
def test_what_a_spreadsheet_would_take_for_a_formula_is_a_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


def test_other_texts_stay_as_they_are() -> None:
    assert harmless("Ada = Lovelace") == "Ada = Lovelace"
