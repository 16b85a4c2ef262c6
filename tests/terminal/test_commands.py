import json

import pytest
from click.shell_completion import ShellComplete

from bitduel import __version__
from bitduel.cli import COMMANDS
from bitduel.games.registry import GameClass, all_games
from bitduel.terminal.group import group
from helpers import all_readings, bitduel


def test_version() -> None:
    assert bitduel("--version") == (f"bitduel {__version__}\n", "", 0)


def test_games_lists_everything_for_people_and_programs() -> None:
    text, data = bitduel("games").out, json.loads(bitduel("games", "--json").out)
    assert [game["slug"] for game in data] == [kind.slug for kind in all_games()]
    for kind, game in zip(all_games(), data, strict=True):
        assert kind.title in text
        assert [option["name"] for option in game["options"]] == [option.name for option in kind.declared_options]
        for option in kind.declared_options:
            assert f"{option.name}=" in text
            assert option.allowed in text


@pytest.mark.parametrize("kind", all_games())
def test_rules_show_options_and_every_reading(kind: GameClass) -> None:
    out = " ".join(bitduel("rules", kind.short).out.split())
    for reading in kind().words.readings:
        assert reading.point in out
        assert reading.default in out
        assert reading.choose in out
    for option in kind.declared_options:
        assert f"{option.name}=" in out


@pytest.mark.parametrize("kind", all_games())
def test_rules_follow_the_chosen_options(kind: GameClass) -> None:
    sizes = {"target": "37", "length": "37", "bits": "7"}
    name = next(name for name in sizes if name in kind().options)
    assert bitduel("rules", kind.slug, "--set", f"{name}={sizes[name]}").out != bitduel("rules", kind.slug).out


@pytest.mark.parametrize(("kind", "chosen"), all_readings())
def test_a_rule_sheet_says_of_every_point_what_was_chosen(kind: GameClass, chosen: dict[str, object]) -> None:
    settings = [word for name, value in chosen.items() for word in ("--set", f"{name}={value}")]
    out = " ".join(bitduel("rules", kind.short, *settings).out.split())
    usual = {option.name: option.default for option in kind.declared_options}
    decided = {reading.option: reading for reading in kind().words.readings}
    for name, value in chosen.items():
        assert (f"We play: {decided[name].default}" in out) == (value == usual[name])
        assert (f"We play: {name}={value}, " in out) == (value != usual[name])


def test_a_rule_sheet_does_not_contradict_itself() -> None:
    exact = bitduel("rules", "31", "--set", "finish=exact", "--set", "length=20").out
    assert "Be first to reach 20." in exact
    assert "reach or pass" not in exact
    assert "(17: 1, 2, 4; 18: 1, 2; 19: 1)" in " ".join(exact.split())
    battle = bitduel("rules", "battle", "--set", "bits=3", "--set", "secret=011").out
    assert "All 8 numbers" in battle
    assert "We play: the one you chose." in battle
    assert "We play: Starting on 000 does not count" in battle
    assert "011" not in battle.replace("01101", "")
    assert "Make exactly 100." in bitduel("rules", "64", "--set", "target=100").out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(name: str) -> None:
    ran = bitduel(name, "--help")
    assert "Examples:" in ran.out
    assert f"bitduel {name}" in ran.out
    assert ran.status == 0


def complete(*words: str) -> list[str]:
    *given, last = words
    found = ShellComplete(group(COMMANDS), {}, "bitduel", "_BITDUEL_COMPLETE").get_completions(given, last)
    return [item.value for item in found]


def test_the_shell_completes_commands_games_players_and_options() -> None:
    assert "play" in complete("p")
    assert complete("play", "bi") == [n for k in all_games() for n in (k.slug, k.short) if n.startswith("bi")]
    assert "random" in complete("play", "64", "--vs", "ra")
    assert complete("play", "bits", "--set", "edge=") == ["edge=open", "edge=strict"]
