"""What is offered: exactly the settled tools, with schemas; rules as resources; one prompt; puzzles and analysis."""

import re
from datetime import UTC, datetime

import pytest
from jsonschema import Draft202012Validator
from mcp import MCPError

from agents import Agent
from bitduel.games import make, shelf
from bitduel.solver.position import as_data, judgement, stand
from bitduel.solver.puzzle_deck import daily, numbered

TOOLS = ["list_games", "rules", "start_match", "view", "move", "hint", "analyse", "review", "puzzle"]


@pytest.mark.parametrize("way", ["ada", "by_pipe", "by_http"])
def test_the_tools_are_those_that_were_settled(way: str, request: pytest.FixtureRequest) -> None:
    who: Agent = request.getfixturevalue(way)
    assert list(who.tools) == TOOLS


def test_every_tool_says_what_it_takes_and_gives(ada: Agent) -> None:
    for tool in ada.tools.values():
        assert tool.description
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            assert schema["type"] == "object"
            Draft202012Validator.check_schema(schema)
        assert tool.input_schema["additionalProperties"] is False
    changing = [name for name, tool in ada.tools.items() if tool.annotations and not tool.annotations.read_only_hint]
    assert changing == ["start_match", "move", "hint"]


def test_the_options_of_the_schema_are_those_that_the_games_declare(ada: Agent) -> None:
    forms = ada.tools["start_match"].input_schema["properties"]["options"]["properties"]
    assert set(forms) == {option.name for kind in shelf() for option in kind.declared}
    check = Draft202012Validator(ada.tools["start_match"].input_schema)
    for kind in shelf():
        usual = {option.name: option.default for option in kind.declared}
        assert check.is_valid({"game": kind.slug, "options": usual})
    assert not check.is_valid({"game": "double", "options": {"target": 10**9}})
    assert not check.is_valid({"game": "double", "options": {"no-such": 1}})


def test_the_games_are_listed_with_what_can_be_chosen(ada: Agent) -> None:
    told = ada.ask("list_games")
    assert [game["slug"] for game in told["games"]] == [kind.slug for kind in shelf()]
    assert list(told["opponents"]) == ["easy", "medium", "hard", "perfect", "random", "level:N", "friend"]
    for game in told["games"]:
        for option in game["options"]:
            assert Draft202012Validator(option["allowed"]).is_valid(option["default"])
    assert [game["slug"] for game in told["games"] if game["hidden"]] == ["binary-battle"]


def test_rules_are_a_tool_and_a_resource(ada: Agent, by_pipe: Agent) -> None:
    for kind in shelf():
        told = ada.ask("rules", game=kind.short)
        read = by_pipe.get("read_resource", f"bitduel://rules/{kind.slug}").contents[0]
        assert read.mime_type == "text/markdown"
        assert read.text == told["text"]
        assert all(paragraph in read.text for paragraph in kind().words.rules())
    listed = ada.get("list_resources").resources
    assert [str(each.uri) for each in listed] == [f"bitduel://rules/{kind.slug}" for kind in shelf()]
    assert "exactly 33" in ada.ask("rules", game="64", options={"target": 33})["aim"]


def test_what_is_no_resource_says_what_there_is(ada: Agent) -> None:
    for wrong in ("bitduel://rules/chess", "bitduel://rules/", "file:///etc/passwd", "bitduel://rules/64"):
        with pytest.raises(MCPError, match=r"There is no resource .*bitduel://rules/binary-race-64"):
            ada.get("read_resource", wrong)


def test_one_prompt_begins_to_play(ada: Agent) -> None:
    (prompt,) = ada.get("list_prompts").prompts
    assert prompt.name == "play"
    assert "list_games" in ada.get("get_prompt", "play").messages[0].content.text
    said = ada.get("get_prompt", "play", {"game": "bits", "opponent": "hard"}).messages[0].content.text
    assert "Binary Race with Bits (binary-race-bits), against hard" in said
    for name, given in (
        ("win", {}),
        ("play", {"game": "chess"}),
        ("play", {"opponent": "bot:x"}),
        ("play", {"x": "y"}),
    ):
        with pytest.raises(MCPError, match=r"There is no|Choose whom"):
            ada.get("get_prompt", name, given)


def test_the_client_is_told_how_to_begin(ada: Agent, by_http: Agent) -> None:
    for who in (ada, by_http):
        assert "start_match" in (who.client.instructions or "")


def test_what_rests_on_an_assumption_says_so(ada: Agent) -> None:
    moves = ["toggle 1", "toggle 3", "toggle 2"]
    told = ada.ask("analyse", game="battle", options={"bits": 3, "secret": "000"}, moves=moves)
    match = stand(make("battle", {"bits": 3, "secret": "000"}), ", ".join(moves))
    known = as_data(match, judgement(match))
    assert known["assumed"] is True
    assert {name: told[name] for name in known} == known


def test_any_position_is_analysed(ada: Agent) -> None:
    told = ada.ask("analyse", game="double", options={"target": 9}, moves=["add", "Double"])
    match = stand(make("double", {"target": 9}), "add, double")
    known = as_data(match, judgement(match))
    assert {name: told[name] for name in known} | {"choices": known["choices"]} == known
    assert [{name: each[name] for name in each if name != "assumed"} for each in told["choices"]] == known["choices"]
    over = ada.ask("analyse", game="double", options={"target": 4}, moves=["double", "double"])
    assert over["over"] == {"winner": 2, "reason": "exact"}
    dark = ada.ask("analyse", game="battle", options={"bits": 2})
    assert dark["value"] is None
    assert 0 < dark["win_probability"] < 1


def test_the_puzzle_of_the_day_is_asked_and_answered(ada: Agent) -> None:
    today = datetime.now(UTC).date()
    told = ada.ask("puzzle", date=today.isoformat())
    assert told["number"] == daily(today).number
    assert told["solution"] is None
    assert "answer" not in str(told["asked"])
    assert ada.ask("puzzle")["date"] in (today.isoformat(), datetime.now(UTC).date().isoformat())
    assert ada.ask("puzzle", date=today.isoformat(), solution=True)["solution"] == list(daily(today).right)


@pytest.mark.parametrize("game", [kind.short for kind in shelf()])
def test_answers_to_a_puzzle_are_right_or_refuted(ada: Agent, game: str) -> None:
    told = ada.ask("puzzle", game=game, grade=1)
    assert told["grade"] == 1
    right = numbered(told["number"]).right
    for move in told["legal"]:
        answer = ada.ask("puzzle", number=told["number"], answer=move)
        assert answer["answer"]["right"] == (move in right)
        assert answer["answer"]["said"][0].startswith("No: ") != (move in right)
        assert answer["solution"] == (list(right) if move in right else None)
    assert bool(told["view"]) == (game == "battle")


def test_a_puzzle_that_cannot_be_asked_or_answered_says_why(ada: Agent) -> None:
    assert "number" in ada.refused("puzzle", game="double", answer="add")
    assert "Ask for one" in ada.refused("puzzle", number=3, date="2026-11-16")
    assert "year, month and day" in ada.refused("puzzle", date="yesterday")
    assert "before it has come" in ada.refused("puzzle", date="9999-12-31")
    assert "There is no puzzle" in ada.refused("puzzle", number=999_999)
    assert re.search(r"'fly' is not a move\. Possible: ", ada.refused("puzzle", number=1, answer="fly"))
