"""What is offered: exactly the settled tools, with schemas; rules as resources; one prompt; puzzles and analysis."""

from datetime import UTC, datetime

import pytest
from jsonschema import Draft202012Validator
from mcp import MCPError

from agents import Agent
from bitduel.games.registry import all_games, make
from bitduel.learning.puzzle_deck import daily_puzzle, deck, puzzle_by_id
from bitduel.solver.analysis import analyse_position, analysis_data, match_after

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
    assert set(forms) == {option.name for kind in all_games() for option in kind.declared_options}
    check = Draft202012Validator(ada.tools["start_match"].input_schema)
    for kind in all_games():
        usual = {option.name: option.default for option in kind.declared_options}
        assert check.is_valid({"game": kind.slug, "options": usual})
    assert not check.is_valid({"game": "double", "options": {"target": 10**9}})
    assert not check.is_valid({"game": "double", "options": {"no-such": 1}})


def test_the_games_are_listed_with_what_can_be_chosen(ada: Agent) -> None:
    told = ada.ask("list_games")
    assert [game["slug"] for game in told["games"]] == [kind.slug for kind in all_games()]
    assert list(told["opponents"]) == ["easy", "medium", "hard", "perfect", "random", "level:N", "friend"]
    for game in told["games"]:
        for option in game["options"]:
            assert Draft202012Validator(option["allowed"]).is_valid(option["default"])
    assert [game["slug"] for game in told["games"] if game["hidden"]] == ["binary-battle"]


def test_rules_are_a_tool_and_a_resource(ada: Agent, by_pipe: Agent) -> None:
    for kind in all_games():
        told = ada.ask("rules", game=kind.short)
        read = by_pipe.get("read_resource", f"bitduel://rules/{kind.slug}").contents[0]
        assert read.mime_type == "text/markdown"
        assert read.text == told["text"]
        assert all(paragraph in read.text for paragraph in kind().words.rules())
    listed = ada.get("list_resources").resources
    assert [str(each.uri) for each in listed] == [f"bitduel://rules/{kind.slug}" for kind in all_games()]
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
        with pytest.raises(MCPError, match=r"There is no|Choose an opponent"):
            ada.get("get_prompt", name, given)


def test_the_client_is_told_how_to_begin(ada: Agent, by_http: Agent) -> None:
    for who in (ada, by_http):
        assert "start_match" in (who.client.instructions or "")


def test_what_rests_on_an_assumption_says_so(ada: Agent) -> None:
    moves = ["toggle 1", "toggle 3", "toggle 2"]
    told = ada.ask("analyse", game="battle", options={"bits": 3, "secret": "000"}, moves=moves)
    match = match_after(make("battle", {"bits": 3, "secret": "000"}), ", ".join(moves))
    known = analysis_data(match, analyse_position(match))
    assert known["assumed"] is True
    assert {name: told[name] for name in known} == known


def test_any_position_is_analysed(ada: Agent) -> None:
    told = ada.ask("analyse", game="double", options={"target": 9}, moves=["add", "Double"])
    match = match_after(make("double", {"target": 9}), "add, double")
    known = analysis_data(match, analyse_position(match))
    assert {name: told[name] for name in known} | {"choices": known["choices"]} == known
    assert [{name: each[name] for name in each if name != "assumed"} for each in told["choices"]] == known["choices"]
    over = ada.ask("analyse", game="double", options={"target": 4}, moves=["double", "double"])
    assert over["over"] == {"winner": 2, "reason": "exact"}
    dark = ada.ask("analyse", game="battle", options={"bits": 2})
    assert dark["value"] is None
    assert 0 < dark["win_probability"] < 1


def test_the_puzzle_of_the_day_is_asked_and_answered(ada: Agent) -> None:
    today = datetime.now(UTC).date()
    chosen = daily_puzzle(today)
    told = ada.ask("puzzle", date=today.isoformat())
    assert (told["number"], told["id"]) == (chosen.number, chosen.id)
    assert (told["solution"], told["answer"]) == (None, None)
    assert ada.ask("puzzle")["date"] in (today.isoformat(), datetime.now(UTC).date().isoformat())
    solution = chosen.as_data(with_solution=True)["solution"]
    assert ada.ask("puzzle", date=today.isoformat(), solution=True)["solution"] == solution


def test_a_line_is_played_answer_by_answer(ada: Agent) -> None:
    chosen = puzzle_by_id(next(entry.id for entry in deck().entries.values() if entry.kind == "line"))
    answers = [list(answer) for _, answer in chosen.puzzle.solution()]
    first = ada.ask("puzzle", id=chosen.id, answers=answers[:1])["answer"]
    assert (first["right"], first["marks"], first["finished"]) == (True, "✓", False)
    assert first["next"]
    last = ada.ask("puzzle", id=chosen.id, answers=answers)
    assert (last["answer"]["solved"], last["answer"]["next"]) == (True, None)
    assert last["solution"] == [answer[0] for answer in answers]
    wrong = next(move for move in first["choices"] if [move] != answers[0])
    refuted = ada.ask("puzzle", id=chosen.id, answers=[[wrong]])["answer"]
    assert (refuted["right"], refuted["marks"]) == (False, "✗")


def test_a_puzzle_that_cannot_be_asked_or_answered_says_why(ada: Agent) -> None:
    assert "number" in ada.refused("puzzle", game="double", answers=[["add"]])
    assert "Ask for one" in ada.refused("puzzle", number=1, date="2026-11-18")
    assert "Write the date like this" in ada.refused("puzzle", date="yesterday")
    assert "begin on 2026-11-18" in ada.refused("puzzle", date="2026-11-17")
    assert "isn't available yet" in ada.refused("puzzle", date="9999-12-31")
    assert "There is no puzzle" in ada.refused("puzzle", id="nobody")
    assert "isn't one of the answers" in ada.refused("puzzle", number=1, answers=[["fly"]])
