"""The style sheet of the pictures without variables, for programs that draw SVG and know less than a browser."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from bitduel.rendering.style import style_sheet

SEATS = (".seat-1", ".seat-2")
KNOWN = re.compile(r"(fill|stroke|font|opacity|text|display|visibility)\b")
"""What a picture says of its shapes and texts; all else is for pages."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AT_RULE = re.compile(r"@[^{;]*\{(?:[^{}]|\{[^{}]*\})*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_INNERMOST = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")

Values = Mapping[str, str]


@cache
def plain_style() -> str:
    """Every rule with the light colours put in; what belongs to a seat once for each."""
    rules = _RULE.findall(_AT_RULE.sub("", _COMMENT.sub("", style_sheet())))
    return "\n".join(
        f"{selector} {{ {body} }}" for name, said in rules for selector, body in _said(name.strip(), said) if body
    )


@cache
def colour(name: str) -> str:
    """A colour of the palette as it is in the light."""
    return _values(":root")[name]


@cache
def _values(selector: str) -> Values:
    """The variables that a rule sets, resolved."""
    sheet = _AT_RULE.sub("", _COMMENT.sub("", style_sheet()))
    bodies = (body for name, body in _RULE.findall(sheet) if name.strip() == selector)
    found = {name: value for body in bodies for name, value in _declarations(body) if name.startswith("--")}
    known = found if selector == ":root" else {**_values(":root"), **found}
    return {name: _resolved(value, known) for name, value in found.items()}


def _said(selectors: str, body: str) -> Iterator[tuple[str, str]]:
    """A rule as it is for nobody's things, and for each seat's where that makes a difference."""
    common = _values(":root")
    plain = [each.strip() for each in selectors.split(",") if not set(":[>~+*") & set(each)]
    for selector in plain:
        before = _body(body, common)
        yield selector, before
        for seat in SEATS:
            theirs = _body(body, {**common, **_values(seat)})
            if theirs != before:
                yield f"{seat} {selector.partition(' ')[2] or selector}", theirs


def _body(body: str, values: Values) -> str:
    told = ((name, _resolved(value, values)) for name, value in _declarations(body) if KNOWN.match(name))
    fit = ((name, value) for name, value in told if "(" not in value and value != "inherit")
    return "; ".join(f"{name}: {_weighed(value) if name == 'font-weight' else value}" for name, value in fit)


def _weighed(weight: str) -> str:
    """A weight between two, as the next that fonts have."""
    return str(-(-int(weight) // 100) * 100) if weight.isdigit() else weight


def _declarations(body: str) -> list[tuple[str, str]]:
    parts = (declaration.partition(":") for declaration in body.split(";"))
    return [(name.strip(), value.strip()) for name, _, value in parts if name.strip()]


def _resolved(value: str, values: Values) -> str:
    """A value with its variables put in, from the innermost out; what is not known stays and is left out later."""
    while (changed := _INNERMOST.sub(lambda found: _one(found, values), value)) != value:
        value = changed
    return value


def _one(found: re.Match[str], values: Values) -> str:
    return values.get(found[1]) or (found[2] or "").strip() or "unknown()"
