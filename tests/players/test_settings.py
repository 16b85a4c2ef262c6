"""Switches are written as NAME=VALUE, and refused with what there is."""

import json
import pickle

import pytest

from bitduel.core.errors import BitduelError
from bitduel.players import PlayerLimits
from bitduel.players.settings import PARSERS, LlmSettings, parse_llm_settings


def test_every_switch_can_be_written() -> None:
    talk = parse_llm_settings(
        [
            *("legal=no", "history=off", "rules=Short", "scratchpad=no", "stateless=no", "renamed=7", "attempts=2"),
            *("match_calls=50", "match-tokens=7000"),
            *("temperature=0.5", "seed=3", "max-tokens=99", "retries=0", "seconds=2.5", "budget=1000"),
        ],
        "http://localhost/v1",
    )
    assert talk[:15] == ("http://localhost/v1", False, False, "short", False, False, 7, 2, 50, 7000, 0.5, 3, 99, 0, 2.5)
    assert talk.budget
    assert talk.budget.most == 1000
    assert set(PARSERS) == set(LlmSettings._fields) - {"url"}


def test_nothing_written_is_what_is_usual() -> None:
    assert parse_llm_settings([]) == LlmSettings() == PlayerLimits().llm


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("legall=no", "Did you mean 'legal'"),
        ("legal=perhaps", "legal must be yes or no"),
        ("legal", "legal must be yes or no"),
        ("rules=long", "rules must be full, short or none"),
        ("temperature=nan", "temperature must be a number"),
        ("temperature=-1", "temperature must be a number"),
        ("attempts=0", "attempts must be 1 or more"),
        ("attempts=99999999999999999999", "attempts must be a whole number"),
        ("attempts=000000000001999999999999", "attempts must be a whole number"),
        ("budget=000000000001999999999999", "budget must be a whole number"),
        ("match_calls=0", "match_calls must be 1 or more"),
        ("match_tokens=0", "match_tokens must be 1 or more"),
        ("max_tokens=0", "max_tokens must be 1 or more"),
        ("match_tokens=-1", "match_tokens must be a whole number"),
        ("seconds=0", "seconds must be more than 0"),
        ("seconds=1e300", "seconds must be more than 0 and at most 86400"),
        ("budget=0", "A budget must be at least 1 token"),
        ("max_tokens=x", "max_tokens must be a whole number"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(setting: str, said: str) -> None:
    with pytest.raises(BitduelError, match=said):
        parse_llm_settings([setting])


@pytest.mark.parametrize(
    "setting",
    ["attempts=1", "match_calls=1", "match_tokens=1", "max_tokens=1", "retries=0", "budget=1", "seconds=86400"],
)
def test_the_least_and_the_most_that_a_sentence_names_can_be_chosen(setting: str) -> None:
    assert parse_llm_settings([setting]) != LlmSettings()


def test_what_is_renamed_needs_rules() -> None:
    with pytest.raises(BitduelError, match="can't be played without its rules"):
        parse_llm_settings(["renamed=1", "rules=none"])


def test_the_terms_travel_to_other_processes_and_into_files() -> None:
    terms = PlayerLimits(llm=parse_llm_settings(["renamed=7"], "http://localhost/v1"))
    assert pickle.loads(pickle.dumps(terms)) == terms
    assert json.loads(json.dumps(parse_llm_settings(["budget=5"]).as_dict()))["budget"] == 5
