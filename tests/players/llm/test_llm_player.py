"""A model on a seat: whole matches over real HTTP, answers that are no moves, and what is kept of it all."""

import json
import stat
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bitduel
from bitduel.core.match import Match
from bitduel.core.outcomes import ALLOWANCE, GARBLED, ILLEGAL_MOVE, Outcome
from bitduel.games.registry import all_games, make
from bitduel.players import FaultError, HaltError, PlayerLimits, drive
from bitduel.players.llm.player import MAX_ECHO, NO_ANSWER, LlmPlayer
from bitduel.players.llm.service import Tokens
from bitduel.players.player import FunctionPlayer
from bitduel.players.settings import Budget, LlmSettings
from players.llm_server import Reply, Service, fail, first_possible, in_turn, say, serving

PATIENCE = 60.0


def seated(service: Service, game: Any, folder: Path | None = None, **switches: Any) -> LlmPlayer:
    talk = LlmSettings(url=service.url, **{"seconds": PATIENCE, **switches})
    return LlmPlayer(game, Random(1), "a model", PlayerLimits(folder=folder, llm=talk), wait=lambda seconds: None)


def rows(player: LlmPlayer) -> list[dict[str, Any]]:
    assert player.exchange
    assert player.exchange.path
    return [json.loads(line) for line in player.exchange.path.read_text().splitlines()]


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
@pytest.mark.parametrize(
    "switches",
    [{}, {"renamed": 5, "stateless": False}, {"scratchpad": False, "rules": "short", "history": False}],
    ids=["usual", "renamed", "bare"],
)
def test_a_whole_match_of_every_game(kind: Any, switches: dict[str, Any], tmp_path: Path) -> None:
    game = kind()
    with serving(first_possible) as service:
        for seat in (1, 2):
            player = seated(service, game, tmp_path, **switches)
            match = Match(game, deal=game.deal(Random(seat)))
            other = bitduel.player("random", game, seed=seat)
            outcome = drive(match, {seat: player, 3 - seat: other}, most_plies=60)
            assert outcome is None or outcome.reason in (*game.reasons.values(), "repetition")
            turns = [view for ply in range(match.ply) if (view := match.at(ply)).to_move == seat and not view.must_pass]
            assert player.calls == len(turns)
            assert not player.faults
            assert player.tokens == Tokens(100 * player.calls, 7 * player.calls, 107 * player.calls)
            if player.calls:
                made = [row["move"] for row in rows(player) if "move" in row]
                assert made == [turn.legal[0] for turn in turns]


def chosen(service: Service, **switches: Any) -> tuple[LlmPlayer, str]:
    """What a model chooses where only double and add can be chosen."""
    player = seated(service, make("double"), **switches)
    return player, player.choose(Match(make("double")).view(1))


WRONG = [
    (say("MOVE: triple"), "unreadable", "'triple' is not a move."),
    (say("I would rather not."), "unreadable", "We couldn't find a move"),
    (say("MOVE: add\nMOVE: double"), "unreadable", "two different moves"),
    (say("MOVE: ad", finish="length"), "cut off", "cut off"),
    (say(None, refusal="I cannot play."), "refused", "refused"),
    (say(None), "empty", "empty"),
    (say(""), "empty", "empty"),
    (say("", finish="content_filter"), "filtered", "filter"),
]


@pytest.mark.parametrize(("wrong", "kind", "told"), WRONG, ids=lambda part: part if isinstance(part, str) else "")
def test_a_wrong_answer_is_told_what_is_wrong_and_asked_again(wrong: Reply, kind: str, told: str) -> None:
    with serving(in_turn(wrong, say("MOVE: double"))) as service:
        player, move = chosen(service)
        assert move == "double"
        assert player.faults == {kind: 1}
        assert player.calls == 2
        assert player.tokens == Tokens(200, 14, 214)
        again = service.asked[1].body["messages"]
        assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
        assert told in again[-1]["content"]
        assert "Possible moves: add, double." in again[-1]["content"]
        assert again[2]["content"] == (json.loads(wrong.body)["choices"][0]["message"]["content"] or NO_ANSWER)


@pytest.mark.parametrize(("wrong", "kind", "told"), WRONG, ids=lambda part: part if isinstance(part, str) else "")
def test_who_never_gives_a_move_loses_by_that(wrong: Reply, kind: str, told: str) -> None:
    with serving(wrong) as service:
        player = seated(service, make("double"), attempts=3)
        with pytest.raises(FaultError, match=f"it gave no legal move in 3 answers; the last was {kind}") as raised:
            player.choose(Match(make("double")).view(1))
        assert raised.value.reason == GARBLED
        assert len(service.asked) == 3
        assert player.faults == {kind: 3}


def test_an_illegal_move_loses_by_that_through_the_one_driver() -> None:
    game = make("bits")
    with serving(say("MOVE: reset 1")) as service:
        player = seated(service, game)
        assert drive(Match(game), {1: player, 2: None}) == Outcome(2, ILLEGAL_MOVE)
        assert player.faults == {"illegal": 5}
        assert "You can't play 'reset 1' now." in service.asked[1].last


def test_who_is_not_told_the_legal_moves_is_not_told_them_after_a_fault() -> None:
    with serving(in_turn(say("?"), say("MOVE: add"))) as service:
        chosen(service, legal=False)
        assert "Possible" not in str(service.asked[1].body)


def test_a_long_wrong_answer_is_shown_again_only_in_part() -> None:
    with serving(in_turn(say("x" * 100_000), say("MOVE: add"))) as service:
        chosen(service)
        assert len(service.asked[1].body["messages"][2]["content"]) == MAX_ECHO


def test_a_service_that_fails_makes_no_result() -> None:
    game = make("double")
    with serving(fail(401, "No such key")) as service:
        match = Match(game)
        with pytest.raises(HaltError, match="No such key"):
            drive(match, {1: seated(service, game), 2: None})
        assert match.outcome is None


def test_a_budget_stops_all_who_share_it() -> None:
    game = make("64")
    with serving(first_possible) as service:
        budget = Budget(3000)
        players = {seat: seated(service, game, budget=budget, max_tokens=10) for seat in (1, 2)}
        with pytest.raises(HaltError, match="The budget of 3000 tokens is used up"):
            drive(Match(game), players)
        assert 0 < 107 * len(service.asked) == budget.spent <= 3000
        assert all(player.calls for player in players.values())


def test_every_move_is_a_fresh_prompt_or_part_of_one_conversation() -> None:
    game = make("31")
    match = Match(game, moves=["1", "1"])
    for stateless, lengths in ((True, [2, 2]), (False, [2, 4])):
        with serving(first_possible) as service:
            player = seated(service, game, stateless=stateless)
            first = player.choose(match.view(1))
            player.choose(match.after(first).after("2").view(1))
            assert [len(asked.body["messages"]) for asked in service.asked] == lengths
            assert "1. Player 1: 1" in service.asked[0].last
            assert ("1. Player 1: 1" in service.asked[1].last) == stateless
            assert "3. Player 1: 1\n4. Player 2: 2\n" in service.asked[1].last


def test_another_match_is_another_conversation_and_another_file(tmp_path: Path) -> None:
    game = make("double", target=4)
    with serving(first_possible) as service:
        player = seated(service, game, tmp_path, stateless=False)
        for _ in range(2):
            drive(Match(game), {1: player, 2: bitduel.player(lambda view: "add", game)})
        fresh = [len(asked.body["messages"]) for asked in service.asked].count(2)
        assert fresh == 2
        player.choose(Match(game).view(1))
        player.choose(Match(game).view(1))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 4
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)


def test_who_was_told_the_end_takes_nothing_for_a_match_that_goes_on(tmp_path: Path) -> None:
    game = make("double")
    with serving(first_possible) as service:
        player = seated(service, game, tmp_path, stateless=False)
        match = Match(game)
        player.choose(match.view(1))
        match.resign(2)
        player.over(match.view(1))
        player.choose(Match(game, moves=["add"]).view(2))
        assert [len(asked.body["messages"]) for asked in service.asked] == [2, 2]
    assert len(list(tmp_path.iterdir())) == 2


def test_the_full_exchange_is_kept_line_by_line(tmp_path: Path) -> None:
    folder = tmp_path / "not yet" / "there"
    game = make("double", target=3)
    with serving(in_turn(fail(503), say("?"), say("MOVE: add", reasoning="hm"), say("MOVE: add"))) as service:
        player = seated(service, game, folder)
        drive(Match(game), {1: player, 2: player})
    first, second, fault, third, move, *_, over = rows(player)
    assert first["answer"] == {"status": 503, "error": "answered with status 503: no"}
    assert second["request"] == service.asked[0].body
    assert second["answer"]["tokens"] == {"prompt": 100, "completion": 7, "total": 107}
    assert (fault["fault"], fault["attempt"]) == ("unreadable", 1)
    assert (third["answer"]["text"], third["answer"]["reasoning"], third["attempt"]) == ("MOVE: add", "hm", 2)
    assert third["request"] == service.asked[2].body
    assert move["move"] == "add"
    assert over["over"] == {"winner": 2, "reason": "exact"}
    assert all(row["time"].endswith("+00:00") for row in rows(player))


def test_an_exchange_that_cannot_be_kept_halts_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with serving(first_possible) as service:
        player = seated(service, make("double"), tmp_path / "file")
        with pytest.raises(HaltError, match="Can't save the exchange in"):
            player.choose(Match(make("double")).view(1))


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(first_possible) as service:
        chosen(service)
    assert not list(tmp_path.iterdir())


def test_a_model_plays_through_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_possible) as service:
        monkeypatch.setenv("BITDUEL_LLM_URL", service.url)
        match = bitduel.play("31", "llm:a model", "random", seed=1)
    assert match.outcome
    assert match.moves[::2] == ["1"] * len(match.moves[::2])


def circling(service: Service, **switches: Any) -> tuple[Outcome | None, LlmPlayer, Match]:
    """A match without end in which a model sits on seat 1."""
    game = make("battle", secret="01111")
    player = seated(service, game, **switches)
    match = Match(game, 1, "01111")
    other = FunctionPlayer(lambda view: view.legal[0])
    return drive(match, {1: player, 2: other}, most_plies=400), player, match


@pytest.mark.parametrize(
    ("switches", "answers", "said"),
    [
        ({"match_calls": 7}, 7, "it has used 7 answers, and the limit per match is 7"),
        ({"match_tokens": 1000}, 10, "it has used 1,070 tokens, and the limit per match is 1,000"),
        ({"match_tokens": 1000, "stateless": False}, 10, "it has used 1,070 tokens, and the limit per match is 1,000"),
    ],
)
def test_a_model_that_uses_up_what_a_match_has_for_it_loses(switches: dict[str, Any], answers: int, said: str) -> None:
    with serving(first_possible) as service:
        outcome, player, match = circling(service, **switches)
        assert outcome == Outcome(2, ALLOWANCE)
        assert len(service.asked) == player.calls == answers
        assert match.outcome == outcome
        with pytest.raises(FaultError, match=said):
            player._check_allowance()


def test_wrong_answers_count_towards_what_a_match_has() -> None:
    with serving(say("I think, and think.")) as service:
        outcome, player, _ = circling(service, match_calls=3, attempts=5)
        assert (outcome, player.calls) == (Outcome(2, ALLOWANCE), 3)


def test_tokens_that_a_service_does_not_count_are_counted_by_the_most_they_can_be() -> None:
    with serving(lambda asked: first_possible(asked)._replace(body=say("MOVE: toggle 1", usage=None).body)) as service:
        outcome, player, _ = circling(service, match_tokens=20_000)
        assert outcome == Outcome(2, ALLOWANCE)
        assert 2 <= player.calls <= 5
        assert player.tokens.total == 0


def test_another_match_has_its_own_answers() -> None:
    with serving(first_possible) as service:
        player = seated(service, make("double"), match_calls=1)
        for _ in range(3):
            match = Match(make("double"))
            assert player.choose(match.view(1)) == "add"
            match.play("add")
            match.resign(2)
            player.over(match.view(1))


def test_a_service_that_fails_costs_the_model_nothing() -> None:
    with serving(in_turn(fail(503), fail(503), fail(503), first_possible)) as service:
        player = seated(service, make("double"), match_calls=1)
        assert player.choose(Match(make("double")).view(1)) == "add"
