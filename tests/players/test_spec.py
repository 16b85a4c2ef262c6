"""One way to write a player, one way to read it."""

import pytest

from bitduel.core.errors import BitduelError
from bitduel.players.spec import COMPUTERS, KINDS, Spec, parse, parse_imported, parse_stored, spec_forms

FROM_OUTSIDE = ("bot:", "llm:")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("Human", "human"), (" PERFECT ", "perfect"), ("Level:03", "level:3"), ("level: 7", "level:7"), ("eAsY", "easy")],
)
def test_a_spec_has_one_canonical_form(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


@pytest.mark.parametrize(
    "text", ["level:9999999", "level:", "level", "human:1", "nobody", "", "bot:", "bot:no-such-program"]
)
def test_what_is_no_player_is_refused_and_never_started_from_a_kept_match(text: str) -> None:
    with pytest.raises(BitduelError):
        parse(text)
    assert not parse_stored(text).is_safe
    assert parse_imported([text]) == [Spec("human")]


def test_what_is_kept_and_cannot_be_read_is_still_told_as_it_was_written() -> None:
    assert str(parse_stored("bot:python Bot.py --Fast")) == "bot:python Bot.py --Fast"


def test_everything_built_in_is_safe_and_listed() -> None:
    built_in = [name for name in spec_forms() if not name.startswith(FROM_OUTSIDE)]
    assert all(parse(name.replace("N", "3")).is_safe for name in built_in)
    assert [kind.form for kind in KINDS.values()] == spec_forms()


@pytest.mark.parametrize(
    "text", ["bot:sh -c 'exit 1'", " Bot: sh", "BOT:sh", "bot:/no/such/program", "bot:'", "bot:\0"]
)
def test_a_bot_is_never_safe_and_its_command_is_not_even_looked_at_in_a_kept_match(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("shutil.which")
    kept = parse_stored(text)
    assert str(kept) == text
    assert not kept.is_safe
    assert not Spec("bot", "sh").is_safe
    assert parse_imported([text]) == [Spec("human")]


def test_a_command_is_kept_as_it_was_written() -> None:
    assert str(parse("Bot: sh -c  'exit 1' ")) == "bot:sh -c  'exit 1'"
    assert "bot" not in [kind.name for kind in COMPUTERS]


@pytest.mark.parametrize("text", ["llm:a model", "LLM: qwen3:8b ", "llm:org/model-7b:free"])
def test_what_comes_from_outside_is_never_started_from_a_kept_match(text: str) -> None:
    assert parse(text).kind == text.partition(":")[0].lower()
    assert parse(str(parse(text))) == parse(text)
    assert not parse_stored(text).is_safe
    assert parse_imported([text]) == [Spec("human")]
    assert parse(text).kind not in [kind.name for kind in COMPUTERS]


@pytest.mark.parametrize("text", ["llm", "llm:", "llm: ", "llm:a\nb", "llm:" + "x" * 201])
def test_a_model_has_a_name(text: str) -> None:
    with pytest.raises(BitduelError):
        parse(text)
