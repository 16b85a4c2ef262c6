"""One game of the arena: driven by the one loop, measured exactly, the same however it is played."""

import json
from random import Random
from threading import Event
from typing import Any, NamedTuple

import pytest

from bitduel.arena.regret import BLUNDER, Scorer, stakes_of
from bitduel.arena.schedule import make_schedule
from bitduel.arena.worker import GameWorker, MatchMeter, play_chunk
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, MoveEvaluation
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.binary_battle.evaluator import equilibrium
from bitduel.games.registry import all_games, make
from bitduel.learning.review import won_positions
from bitduel.players import HaltError, build, drive, parse
from bitduel.players.settings import PlayerLimits
from bitduel.solver.evaluators import evaluator_for
from helpers import all_readings

KEYS = [
    *("id", "game", "options", "seats", "first", "deal", "moves", "winner", "reason", "fault", "regret"),
    *("decisions", "blunders", "held", "losses", "luck", "tokens", "faults"),
    *("isolated", "round", "swapped", "seed", "seconds"),
]


class Plain(MatchMeter):
    """Wants a view of every move."""

    accepts_sampled = False


def rows(*arguments: Any, **more: Any) -> list[dict[str, Any]]:
    schedule = make_schedule(*arguments, **more)
    return [json.loads(row) for row in play_chunk(schedule, range(1, len(schedule) + 1)).rows]


def timeless(row: str) -> dict[str, Any]:
    return {name: value for name, value in json.loads(row).items() if name != "seconds"}


@pytest.mark.parametrize("kind", all_games())
@pytest.mark.parametrize("names", [("perfect", "random"), ("easy", "hard"), ("level:2", "perfect")], ids=str)
def test_moves_from_memory_are_the_moves_that_views_lead_to(kind: Any, names: tuple[str, str]) -> None:
    schedule = make_schedule(names, [kind()], rounds=8, seed=5)
    quick, plain = GameWorker(schedule, schedule.games[0]), GameWorker(schedule, schedule.games[0])
    for number in range(1, len(schedule) + 1):
        pairing = schedule.game_at(number)
        fast, slow = quick.play(pairing), plain.play(pairing, Plain())
        assert timeless(fast[0]) == timeless(slow[0])


@pytest.mark.parametrize("kind", all_games())
def test_a_short_match_that_comes_again_is_scored_as_if_it_were_new(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = make_schedule(["perfect", "random", "easy"], [kind()], rounds=25)
    told = []
    for longest, most in ((-1, 0), (5, 7), (100, 1 << 13)):
        monkeypatch.setattr("bitduel.arena.worker.SHORT", longest)
        monkeypatch.setattr("bitduel.arena.worker.MAX_CACHED_MATCHES", most)
        table = GameWorker(schedule, schedule.games[0])
        told.append([timeless(table.play(schedule.game_at(number))[0]) for number in range(1, len(schedule) + 1)])
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(("kind", "options"), all_readings())
def test_perfect_play_gives_nothing_away_whatever_the_reading(kind: Any, options: dict[str, object]) -> None:
    for row in rows(["perfect", "random", "easy"], [kind(**options)], rounds=6, seed=2):
        for seat, name in enumerate(row["seats"]):
            if name == "perfect":
                assert row["regret"][seat] == row["blunders"][seat] == 0
                assert not any(row["losses"][seat::2])
                assert row["held"] is None or row["held"][seat][0] == row["held"][seat][1]


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_in_the_dark_every_move_of_the_mixture_is_a_best_one_wherever_it_leads(bits: int) -> None:
    found = equilibrium(bits)
    for seat, mixture in enumerate(found.strategies, 1):
        for turn, number, low, high in mixture.states[:, :4].tolist():
            shares = found.behaviour(seat, turn, number, low, high)
            choices = found.choices(seat, turn, number, low, high)
            stakes = stakes_of([MoveEvaluation(str(bit), Evaluation(win_probability=win)) for bit, win in choices])
            assert not any(stakes.losses[str(bit)] for bit, share in enumerate(shares, 1) if share)


def test_a_row_has_its_keys_in_order_and_is_what_json_writes() -> None:
    schedule = make_schedule(["easy", "random"], rounds=2, seed=4)
    for text in play_chunk(schedule, range(1, len(schedule) + 1)).rows:
        row = json.loads(text)
        assert list(row) == KEYS
        assert text.rpartition(', "seconds"')[0] == json.dumps(row).rpartition(', "seconds"')[0]
        match = Match(make(row["game"], row["options"]), row["first"], row["deal"], row["moves"])
        assert match.outcome == (row["winner"], row["reason"])
        assert row["fault"] is None
        assert row["tokens"] == [None, None]
        assert row["faults"] == [{}, {}]
        assert len(row["losses"]) == len(row["moves"])
        assert all(spent >= 0 for spent in row["seconds"])


def test_what_is_measured_is_what_the_judge_says_move_by_move() -> None:
    for row in rows(["easy", "random"], rounds=4, seed=9):
        match = Match(make(row["game"], row["options"]), 1, row["deal"], row["moves"])
        judge = evaluator_for(match.game)
        regret, decisions = [0.0, 0.0], [0, 0]
        for before, move, loss in zip(match.walk(), match.moves, row["losses"], strict=False):
            seat = before.next_seat - 1
            worths = {c.move: points(c.evaluation) for c in judge.choices(before.view(seat + 1))}
            assert (loss or 0) == pytest.approx(max(worths.values()) - worths[move], abs=2e-9)
            assert (loss is None) == (move == "pass")
            regret[seat] += loss or 0
            decisions[seat] += max(worths.values()) - min(worths.values()) > 1e-9
        assert row["regret"] == pytest.approx(regret)
        assert row["decisions"] == decisions
        if not match.game.has_chance:
            assert row["held"] == [list(won_positions(match, seat) or ()) for seat in (1, 2)]
        least = BLUNDER if match.game.has_chance else 1e-9
        assert row["blunders"] == [sum((loss or 0) >= least for loss in row["losses"][seat::2]) for seat in (0, 1)]


def points(worth: Evaluation) -> float:
    return {"win": 1.0, "draw": 0.5, "loss": 0.0}[str(worth.value)] if worth.value else worth.win_probability or 0.0


def last(view: View) -> str:
    return view.legal[-1]


def first(view: View) -> str:
    return view.legal[0]


def test_known_blunders_cost_what_they_do() -> None:
    """By hand: from 2 doubling wins at once and adding loses; from 3 adding wins at once and doubling overshoots."""
    row = rows([("double", last), ("add", first)], [make("double", target=4)])[0]
    assert (row["moves"], row["winner"]) == (["double", "add", "double"], 2)
    assert row["losses"] == [0, 1.0, 1.0]
    assert (row["regret"], row["decisions"], row["blunders"]) == ([1.0, 1.0], [1, 1], [1, 1])
    assert row["held"] == [[0, 1], [0, 1]]


def test_a_draw_thrown_away_costs_a_half() -> None:
    win, draw, loss = Evaluation(WIN), Evaluation(DRAW), Evaluation(LOSS)
    assert stakes_of([MoveEvaluation("a", draw), MoveEvaluation("b", loss)]) == ({"a": 0, "b": 0.5}, True, False)
    both = stakes_of([MoveEvaluation("a", win), MoveEvaluation("b", draw), MoveEvaluation("c", loss)])
    assert both == ({"a": 0, "b": 0.5, "c": 1.0}, True, True)
    assert stakes_of([MoveEvaluation("a", loss), MoveEvaluation("b", loss)]) == ({"a": 0, "b": 0}, False, False)


def test_chances_that_are_as_good_as_equal_are_equal() -> None:
    near = [
        MoveEvaluation("a", Evaluation(win_probability=0.5)),
        MoveEvaluation("b", Evaluation(win_probability=0.5 - 9e-10)),
    ]
    assert stakes_of(near) == ({"a": 0, "b": 0}, False, False)
    apart = [
        MoveEvaluation("a", Evaluation(win_probability=0.5)),
        MoveEvaluation("b", Evaluation(win_probability=0.25)),
    ]
    assert stakes_of(apart) == ({"a": 0, "b": 0.25}, True, False)


def test_a_move_that_repeats_too_often_draws() -> None:
    """By the table alone the move would go on being worth what it was."""
    game = make("bits", bits=3)
    scorer = Scorer(game)
    for row in rows(["random", "easy"], [game], rounds=60, seed=1):
        match = Match(game, 1, "", row["moves"])
        if row["reason"] == "repetition":
            before = match.at(match.ply - 1)
            assert row["moves"][-1] in before.repeating
            top = max(points(c.evaluation) for c in scorer.evaluator.choices(before.view(before.next_seat)))
            assert row["losses"][-1] == top - 0.5


def test_seats_are_swapped_with_the_same_deal_and_all_players_get_the_same_deals() -> None:
    found = rows(["perfect", "random", "easy"], "battle", rounds=12, seed=3)
    deals = {round_: {row["deal"] for row in found if row["round"] == round_} for round_ in range(1, 13)}
    assert all(len(each) == 1 for each in deals.values())
    assert len({deal for each in deals.values() for deal in each}) > 4
    for one, two in zip(found[::2], found[1::2], strict=True):
        assert (one["swapped"], two["swapped"]) == (False, True)
        assert one["seats"] == two["seats"][::-1]
    assert deals == {
        round_: {row["deal"] for row in rows(["hard", "random"], "battle", rounds=12, seed=3) if row["round"] == round_}
        for round_ in deals
    }


def test_another_seed_is_another_run() -> None:
    one, two = (rows(["easy", "random"], "64", rounds=5, seed=seed) for seed in (1, 2))
    assert [row["moves"] for row in one] != [row["moves"] for row in two]


@pytest.mark.parametrize("table", ["hidden", "open"])
def test_luck_is_what_the_deal_does_to_perfect_play_and_none_in_all(table: str) -> None:
    game = make("battle", bits=3, table=table)
    scorer = Scorer(game)
    lucks = {deal.text: scorer.luck(deal.text) for deal in game.deals()}
    assert all(luck is not None for luck in lucks.values())
    assert sum(luck or 0 for luck in lucks.values()) == pytest.approx(0, abs=1e-7)
    assert len(set(lucks.values())) > 1
    assert Scorer(make("64")).luck("") is None


def test_the_luck_of_a_deal_is_what_playing_it_shows() -> None:
    game = make("battle", bits=3)
    scorer = Scorer(game)
    choices = evaluator_for(game).choices(Match(game, deal="000").view(1))
    usual = max(choice.evaluation.win_probability or 0 for choice in choices)
    deal = max((deal.text for deal in game.deals()), key=lambda text: abs(scorer.luck(text) or 0))
    perfect = build(parse("perfect"), game, Random(1))
    outcomes = [drive(Match(game, 1, deal), {1: perfect, 2: perfect}) for _ in range(3000)]
    wins = sum(outcome is not None and outcome.winner == 1 for outcome in outcomes)
    assert wins / 3000 == pytest.approx(usual + (scorer.luck(deal) or 0), abs=0.04)
    assert Scorer(make("battle", bits=3, secret=deal)).luck(deal) == 0


def crash(view: View) -> str:
    raise ZeroDivisionError("oh")


def cheat(view: View) -> str:
    return "cheat"


def test_faults_are_recorded_and_lose() -> None:
    for row in rows(["random", ("crash", crash), ("cheat", cheat)], "64", rounds=2):
        loser = 2 - row["winner"]
        assert row["seats"][loser] in ("crash", "cheat")
        assert row["reason"] == {"crash": "crash", "cheat": "illegal move"}[row["seats"][loser]]
        assert row["fault"] == {"crash": "ZeroDivisionError: oh", "cheat": "'cheat' is not legal"}[row["seats"][loser]]
        assert len(row["losses"]) == len(row["moves"])


def test_who_is_late_loses_by_that_and_its_time_counts() -> None:
    for_ever = Event()

    def wait(view: View) -> str:
        for_ever.wait()
        return first(view)

    try:
        one, two = rows(["perfect", ("late", wait)], "64", limits=PlayerLimits(0.05))
    finally:
        for_ever.set()
    assert [row["reason"] for row in (one, two)] == ["time", "time"]
    assert [row["winner"] for row in (one, two)] == [1, 2]
    assert one["seconds"][1] >= 0.05
    assert two["seconds"][0] >= 0.05


@pytest.mark.parametrize("limit", [7, 400])
def test_a_game_that_reaches_the_limit_of_plies_is_drawn_as_abandoned_and_nobody_s_fault(limit: int) -> None:
    def same(view: View) -> str:
        return view.legal[0]

    more = {} if limit == 400 else {"max_plies": limit}
    found = rows([("one", same), ("two", same)], [make("battle", secret="01111")], **more)
    assert [(row["winner"], row["reason"], row["fault"]) for row in found] == [(None, "abandoned", None)] * 2
    assert all(len(row["moves"]) == limit for row in found)


def test_who_wins_with_the_last_ply_there_is_has_won() -> None:
    row = rows([("double", last), ("add", first)], [make("double", target=4)], max_plies=3)[0]
    assert (len(row["moves"]), row["winner"], row["reason"]) == (3, 2, "exceeded")


def broke(view: View) -> str:
    raise HaltError("The money is gone.")


def test_who_cannot_play_on_stops_what_comes_after_and_keeps_what_was_before() -> None:
    calls = []

    def sometimes(view: View) -> str:
        calls.append(view)
        return broke(view) if len(calls) > 40 else view.legal[0]

    schedule = make_schedule(["random", ("poor", sometimes)], "64", rounds=50)
    played = play_chunk(schedule, range(1, len(schedule) + 1))
    assert played.halt == "The money is gone."
    assert 0 < len(played.rows) == len(played.results) < len(schedule)


def test_what_players_tell_of_themselves_is_in_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    class Talking:
        def __init__(self) -> None:
            self.tokens, self.faults = 0, {"retry": 2}

        def choose(self, view: View) -> str:
            self.tokens += 5
            return view.legal[0]

    class Counting(NamedTuple):
        total: int

    closed: list[object] = []
    monkeypatch.setattr(Talking, "close", lambda self: closed.append(self), raising=False)
    monkeypatch.setattr(GameWorker, "_build", lambda self, who, rng, game_id: Talking())
    row = rows(["perfect", "random"], "31")[0]
    assert row["tokens"] == [5 * len(row["moves"][seat::2]) for seat in (0, 1)]
    assert row["faults"] == [{"retry": 2}, {"retry": 2}]
    assert len(closed) == 4
    monkeypatch.setattr(Talking, "tokens", property(lambda self: Counting(7), lambda self, _: None), raising=False)
    assert rows(["perfect", "random"], "31")[0]["tokens"] == [7, 7]
