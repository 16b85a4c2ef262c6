"""What every painter of SVG uses."""

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from bitduel.rendering.svg import tag


@given(
    st.one_of(st.text(), st.text("&<>\"'a;"), st.integers(), st.floats(), st.builds(Markup, st.just("<b>&amp;</b>")))
)
def test_everything_that_is_not_markup_is_escaped(value: object) -> None:
    assert tag("a", value, b=value) == f'<a b="{escape(value)}">{escape(value)}</a>'
