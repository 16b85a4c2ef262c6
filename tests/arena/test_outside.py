"""Players from outside in the arena: bots, and language models with a budget."""

import json
import pickle
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from bitduel.arena import run
from bitduel.arena.game_record import games_file, read_rows
from bitduel.arena.report import build
from bitduel.arena.report_text import summary
from bitduel.arena.schedule import make_schedule
from bitduel.core.errors import BitduelError
from bitduel.games.registry import make
from bitduel.players.settings import Budget, LlmSettings, PlayerLimits
from players.llm_server import first_possible, serving

FIRST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "first"}), flush=True)
    if asked["type"] == "move?":
        print("thinking", file=sys.stderr, flush=True)
        move = asked["legal"][0] if WELL else "nonsense"
        print(json.dumps({"type": "move", "id": asked["id"], "move": move}), flush=True)
"""


def bot(folder: Path, name: str, well: bool) -> str:
    path = folder / f"{name}.py"
    path.write_text(f"WELL = {well}\n{FIRST}")
    return f"bot:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def first(view: object) -> str:
    return view.legal[0]  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_plays_like_the_function_that_it_is_and_what_it_says_is_kept(tmp_path: Path, jobs: int) -> None:
    name = bot(tmp_path, "good", well=True)
    out = tmp_path / "results"
    run(["random", name], "31", rounds=2, jobs=jobs, out=out, limits=PlayerLimits(60))
    found = list(read_rows(games_file(out)))
    assert [row.winner is not None and row.fault is None for row in found] == [True] * 4
    for row in found:
        assert row.moves[row.seats.index(name) :: 2] == ["1"] * len(row.moves[row.seats.index(name) :: 2])
        kept = out / "exchanges" / row.id / f"seat-{row.seats.index(name) + 1}.err"
        assert kept.read_text().startswith("thinking")


def test_a_bot_that_plays_nonsense_loses_each_game(tmp_path: Path) -> None:
    name = bot(tmp_path, "bad", well=False)
    found = run(["random", name], "31", rounds=1, limits=PlayerLimits(60))
    assert [row["seats"][row["winner"] - 1] for row in found.rows] == ["random", "random"]
    assert {row["reason"] for row in found.rows} == {"illegal move"}


def test_a_budget_is_no_part_of_the_plan_but_how_models_are_asked_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BITDUEL_LLM_URL", "http://127.0.0.1:9/v1")

    def schedule(talk: LlmSettings) -> object:
        return make_schedule(["random", "llm:some"], "31", limits=PlayerLimits(llm=talk)).as_data()

    assert schedule(LlmSettings(budget=Budget(5))) == schedule(LlmSettings(budget=Budget(9))) == schedule(LlmSettings())
    assert schedule(LlmSettings(legal=False)) != schedule(LlmSettings())
    assert json.dumps(schedule(LlmSettings()))
    ledger = tmp_path / "tokens.txt"
    one, two, more = (
        make_schedule(["random", "llm:some"], "31", limits=PlayerLimits(llm=LlmSettings(budget=Budget(most, ledger))))
        for most in (5, 5, 6)
    )
    assert one == two != more
    assert hash(one) == hash(two)


KEY = "sk-test-0123456789abcdefghijklmnop"


def one_round(out: Path, url: str = "", **switches: Any) -> None:
    run(
        ["random", "llm:some"], "31", out=out, limits=PlayerLimits(60, llm=LlmSettings(url=url, seconds=60, **switches))
    )


def test_a_run_goes_on_with_the_service_it_began_with_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the address came from the environment; and the key is written nowhere."""
    monkeypatch.setenv("BITDUEL_LLM_KEY", KEY)
    out = tmp_path / "run"
    with serving(first_possible) as one, serving(first_possible) as two:
        monkeypatch.setenv("BITDUEL_LLM_URL", one.url)
        one_round(out)
        assert json.loads((out / "run.json").read_text())["llm"]["url"] == one.url
        kept = (out / "games.jsonl").read_text().splitlines(keepends=True)
        (out / "games.jsonl").write_text(kept[0])
        monkeypatch.setenv("BITDUEL_LLM_URL", two.url)
        with pytest.raises(BitduelError, match=r"has a different run \(different: llm url\). Choose"):
            one_round(out)
        assert (len(two.asked), (out / "games.jsonl").read_text()) == (0, kept[0])
        monkeypatch.delenv("BITDUEL_LLM_URL")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{one.url}/")
        asked = len(one.asked)
        one_round(out)
        assert len(one.asked) > asked
        one_round(out, url=one.url.replace("http", "HTTP"))
    assert not [path for path in out.rglob("*") if path.is_file() and KEY[3:] in path.read_text()]


def test_workers_elsewhere_ask_the_service_of_the_plan_whatever_their_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BITDUEL_LLM_URL", "http://127.0.0.1:9/v1")
    schedule = make_schedule(["random", "llm:some"], "31")
    monkeypatch.setenv("BITDUEL_LLM_URL", "http://127.0.0.1:10/v1")
    assert pickle.loads(pickle.dumps(schedule)).limits.llm.url == "http://127.0.0.1:9/v1"


def test_two_models_that_go_in_circles_end_and_the_report_tells_how_it_was_scored(tmp_path: Path) -> None:
    with serving(first_possible) as service:
        game = make("battle", secret="01111")
        talk = LlmSettings(url=service.url, seconds=60)
        run(["llm:one", "llm:two"], [game], out=tmp_path / "a", limits=PlayerLimits(60, llm=talk), max_plies=20)
        run(
            ["llm:one", "llm:two"],
            [game],
            out=tmp_path / "b",
            limits=PlayerLimits(60, llm=talk._replace(match_calls=3)),
        )
    abandoned, used_up = (build(tmp_path / name) for name in "ab")
    assert (abandoned.abandoned, abandoned.ended_by_fault) == (2, 0)
    assert [each.standing.all for each in abandoned.measured] == [(0, 2, 0), (0, 2, 0)]
    told = " ".join(summary(abandoned))
    assert "2 matches reached the ply limit without a winner and ended as abandoned." in told
    assert "Each counts as a draw, not as a fault." in told
    assert "fault. " not in told.replace("not as a fault. ", "")
    assert (used_up.abandoned, used_up.ended_by_fault) == (0, 2)
    assert {row.reason for row in read_rows(games_file(tmp_path / "b"))} == {"allowance"}
    assert all(row.winner == 2 for row in read_rows(games_file(tmp_path / "b")))
    assert "2 matches ended by a fault. Each counts as a loss for the player at fault" in " ".join(summary(used_up))
    assert used_up.measured[0].play.faults == {"allowance": 1}


@pytest.mark.parametrize(
    "url", ["", "http://127.0.0.1:1/v1?api_key=sk-SECRETSECRET", "http://ada:SECRET@127.0.0.1:1/v1"]
)
def test_an_address_that_is_refused_is_written_nowhere(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BITDUEL_LLM_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BitduelError):
        run(["random", "llm:some"], "31", out=tmp_path / "x", limits=PlayerLimits(llm=LlmSettings(url=url)))
    assert not (tmp_path / "x").exists()
