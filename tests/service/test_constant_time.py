from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import parse
from bitduel.service import match_service
from bitduel.service.match_service import STEP


@pytest.mark.parametrize("thought", [0.0, 5e-6, 0.0003, 0.0019])
def test_whatever_a_thought_takes_the_answer_comes_at_the_same_moment(thought: float) -> None:
    now = [7.0]

    def work() -> str:
        now[0] += thought
        return "toggle 1"

    def wait(seconds: float) -> None:
        now[0] += seconds

    assert match_service.in_constant_time(work, lambda: now[0], wait) == "toggle 1"
    assert now[0] == pytest.approx(7.0 + STEP)


def test_a_program_thinks_evenly_in_the_dark_and_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    even: list[str] = []

    def counted(work: Any) -> Any:
        even.append("even")
        return work()

    monkeypatch.setattr(match_service, "in_constant_time", counted)
    for name, times in (("battle", 1), ("64", 0)):
        game = make(name)
        chosen = match_service._LazyPlayer(parse("easy"), game).choose(Match(game).view(1))
        assert chosen in game.moves
        assert len(even) == times
        even.clear()
