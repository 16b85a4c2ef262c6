"""Players from outside in the arena: bots, and language models with a budget."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from bitduel.arena import run
from bitduel.arena.plan import make_plan
from bitduel.arena.rows import games_file, read
from bitduel.players.llm.budget import Budget
from bitduel.players.llm.talk import Talk
from bitduel.players.terms import Terms

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
    run(["random", name], "31", rounds=2, jobs=jobs, out=out, terms=Terms(60))
    found = list(read(games_file(out)))
    assert [row.winner is not None and row.fault is None for row in found] == [True] * 4
    for row in found:
        assert row.moves[row.seats.index(name) :: 2] == ["1"] * len(row.moves[row.seats.index(name) :: 2])
        kept = out / "exchanges" / row.id / f"seat-{row.seats.index(name) + 1}.err"
        assert kept.read_text().startswith("thinking")


def test_a_bot_that_plays_nonsense_loses_each_game(tmp_path: Path) -> None:
    name = bot(tmp_path, "bad", well=False)
    found = run(["random", name], "31", rounds=1, terms=Terms(60))
    assert [row["seats"][row["winner"] - 1] for row in found.rows] == ["random", "random"]
    assert {row["reason"] for row in found.rows} == {"illegal move"}


def test_a_budget_is_no_part_of_the_plan_but_how_models_are_asked_is(tmp_path: Path) -> None:
    def plan(talk: Talk) -> object:
        return make_plan(["random", "llm:some"], "31", terms=Terms(llm=talk)).as_data()

    assert plan(Talk(budget=Budget(5))) == plan(Talk(budget=Budget(9))) == plan(Talk())
    assert plan(Talk(legal=False)) != plan(Talk())
    assert json.dumps(plan(Talk()))
    ledger = tmp_path / "tokens.txt"
    one, two, more = (
        make_plan(["random", "llm:some"], "31", terms=Terms(llm=Talk(budget=Budget(most, ledger))))
        for most in (5, 5, 6)
    )
    assert one == two != more
    assert hash(one) == hash(two)
