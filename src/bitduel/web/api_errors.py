"""What is wrong with a request to the API, in one sentence and in the words of the house."""

from collections.abc import Mapping
from typing import Any

from bitduel.core.errors import shown
from bitduel.web.api import OPPONENT, WHOM
from bitduel.web.api_out import ID

NO_JSON = "The request is no JSON."
NO_OBJECT = "The request must be a JSON object."
NOT_SENT_AS_JSON = "The request must be JSON, with the header Content-Type: application/json."
KEY = "[key]"
"""What a place ends with where a name is wrong, and not what it stands for."""
LONGEST_PLACE = 60

PATTERNS = {OPPONENT: f"be one of {WHOM}", ID: "be small letters and digits"}
MUST = {
    "string_type": "be a text",
    "string_unicode": "be a text",
    "string_too_short": "not be empty",
    "string_too_long": "have at most {max_length} characters",
    "int_type": "be a whole number",
    "int_parsing": "be a whole number",
    "int_parsing_size": "be a whole number that is not so large",
    "greater_than_equal": "be at least {ge}",
    "less_than_equal": "be at most {le}",
    "bool_type": "be true or false",
    "bool_parsing": "be true or false",
    "literal_error": "be {expected}",
    "list_type": "be a list",
    "dict_type": "be an object",
    "too_long": "have at most {max_length} entries",
    "value_error": "be {error}",
}
"""What something must be or have, by the kind of what is wrong with it."""


def sentence_of(error: Mapping[str, Any]) -> str:
    """The sentence for an error that the library found."""
    kind, (where, *place) = error["type"], error["loc"]
    if kind == "json_invalid":
        return NO_JSON
    if where == "body" and not place:
        return NOT_SENT_AS_JSON if isinstance(error.get("input"), bytes) else NO_OBJECT
    what = f"'{_named(place)}'"
    if place[-1] == KEY:
        what = f"A name in '{_named(place[:-2])}'"
    if kind == "missing":
        return f"{what} is missing."
    if kind == "extra_forbidden":
        return f"There is no {what} here."
    return f"{what} must {_demand(kind, error.get('ctx', {}))}."


def _named(place: list[Any]) -> str:
    return shown(".".join(map(str, place)), LONGEST_PLACE)


def _demand(kind: str, bounds: Mapping[str, Any]) -> str:
    demand = PATTERNS.get(bounds.get("pattern", "")) or MUST.get(kind, "be as the API declares it")
    return demand.format_map(bounds)
