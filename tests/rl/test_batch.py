"""Matches side by side: lane for lane the same as played singly."""

from typing import Any

import numpy as np
import pytest

from bitduel.core.errors import BitduelError, TooLargeError
from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.rl import ActionError, Batch, observations
from bitduel.rl import batch as batches

SIZES: list[Any] = [
    *(kind.slug for kind in all_games()),
    ("64", {"target": 5}),
    ("bits", {"repetition": 0}),
    ("bits", {"bits": 2, "first-move": "empty"}),
    ("31", {"length": 7}),
    ("battle", {"bits": 2}),
    ("battle", {"bits": 3, "table": "open"}),
    ("battle", {"bits": 3, "secret": "101"}),
]


CASES = [make(case) if isinstance(case, str) else make(*case) for case in SIZES]


class Singles:
    """The same matches, played one by one."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.game = batch.game
        self.matches = [Match(self.game, 1, deal) for deal in batch.deals]

    def agree(self) -> None:
        """Everything that the batch shows is what each match shows."""
        game, batch = self.game, self.batch
        views = [match.view(match.to_move) for match in self.matches]
        assert batch.seat.tolist() == [match.to_move for match in self.matches]
        assert batch.mask.tolist() == [[move in match.legal for move in game.moves] for match in self.matches]
        assert batch.observation.tolist() == [list(game.encode_view(view)) for view in views]

    def step(self, actions: Any) -> None:
        self.batch.step(actions)
        deals, final = self.batch.deals, iter(self.batch.final.tolist())
        for lane, match in enumerate(self.matches):
            mover = match.to_move
            match.play(self.game.moves[actions[lane]])
            over = match.outcome
            reward = 0 if over is None or over.winner is None else 1 if over.winner == mover else -1
            assert (self.batch.reward[lane], self.batch.done[lane]) == (reward, over is not None)
            if over:
                seen = self.game.encode_positions(match.position, match.ply)
                assert next(final) == [int(number) for number in seen]
                self.matches[lane] = Match(self.game, 1, deals[lane])
        assert next(final, None) is None


@pytest.mark.parametrize("game", CASES, ids=repr)
@pytest.mark.parametrize("table", [None, False])
def test_every_lane_is_a_match_of_its_own(game: Any, table: bool | None) -> None:
    batch = Batch(game, 40, 7, table=table)
    singles, rng = Singles(batch), np.random.default_rng(3)
    singles.agree()
    for _ in range(60):
        singles.step(batch.sample(rng))
        singles.agree()


@pytest.mark.parametrize("game", CASES, ids=repr)
def test_the_table_and_the_rules_agree(game: Any) -> None:
    one, two, rng = Batch(game, 500, 5), Batch(game, 500, 5, table=False), np.random.default_rng(2)
    for _ in range(100):
        actions = one.sample(rng)
        one.step(actions)
        two.step(actions)
        for name in ("observation", "mask", "reward", "done", "seat"):
            assert (getattr(one, name) == getattr(two, name)).all(), name
        assert one.deals == two.deals


def test_deals_are_a_matter_of_seed_and_lane_alone() -> None:
    few, many = Batch("battle", 3, 9), Batch("battle", 100, 9)
    assert few.deals == many.deals[:3]
    actions = np.zeros(3, int)
    for _ in range(50):
        few.step(actions)
        many.step(np.zeros(100, int))
    assert few.deals == many.deals[:3]
    many.reset(10)
    assert few.deals != many.deals[:3]
    few.reset()
    again = Batch("battle", 3, 9)
    assert few.deals == again.deals


def test_every_deal_comes_about_as_often_as_it_should() -> None:
    deals = Batch(make("battle", {"bits": 2}), 40_000, 4).deals
    for secret in ("00", "01", "10", "11"):
        assert abs(deals.count(secret) - 10_000) < 500


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 2, 0], "Action 2 is not legal in lane 1."),
        ([0, 0, -1], "Action -1 is not legal in lane 2."),
        ([0, 0], "A step needs 3 actions, not an array of shape (2,)."),
    ],
)
def test_what_is_no_action_steps_nothing(actions: list[int], said: str) -> None:
    batch = Batch("double", 3)
    before = batch.observation.copy()
    with pytest.raises(ActionError) as caught:
        batch.step(actions)
    assert str(caught.value) == said
    assert (batch.observation == before).all()


@pytest.mark.parametrize("table", [None, False])
def test_a_move_that_is_not_legal_now_steps_nothing(table: bool | None) -> None:
    batch = Batch("bits", 4, table=table)
    wrong = int(np.flatnonzero(~batch.mask[0])[0])
    legal = batch.sample(np.random.default_rng(0))
    legal[2] = wrong
    with pytest.raises(ActionError, match=f"Action {wrong} is not legal in lane 2"):
        batch.step(legal)
    assert (batch.observation == Batch("bits", 4).observation).all()


@pytest.mark.parametrize(("size", "seed"), [(0, 1), (-1, 1), (2.0, 1), (True, 1), (3, "x")])
def test_what_is_no_batch_is_refused(size: Any, seed: Any) -> None:
    with pytest.raises(BitduelError):
        Batch("double", size, seed)


def test_a_table_that_would_be_too_large_is_refused_and_the_rules_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "on the rules" in repr(Batch(make("double", {"target": 10**6}), 2))
    monkeypatch.setattr(batches, "LARGE_TABLE", 100)
    with pytest.raises(TooLargeError, match="too many positions for a table"):
        Batch("31", 2, table=True)


def test_what_is_shown_stays_when_the_batch_goes_on() -> None:
    batch, rng = Batch("bits", 50, 1), np.random.default_rng(1)
    kept = [(batch.mask, batch.mask.copy(), batch.reward, batch.reward.copy())]
    for _ in range(5):
        batch.step(batch.sample(rng))
        kept.append((batch.mask, batch.mask.copy(), batch.reward, batch.reward.copy()))
    for mask, same_mask, reward, same_reward in kept:
        assert (mask == same_mask).all()
        assert (reward == same_reward).all()


def test_a_step_that_is_refused_leaves_the_last_ends_as_they_were() -> None:
    batch, rng = Batch("bits", 30, 2), np.random.default_rng(1)
    while not batch.done.any():
        batch.step(batch.sample(rng))
    before = batch.final
    wrong = batch.sample(rng)
    wrong[7] = int(np.flatnonzero(~batch.mask[7])[0])
    with pytest.raises(ActionError):
        batch.step(wrong)
    assert (batch.final == before).all()


@pytest.mark.parametrize(
    "actions", [[0.9, 1.2], ["0", "1"], [None, 1], [float("nan"), 0], [True, False], [2**70, 0], [[0], [1, 2]]], ids=str
)
def test_actions_are_whole_numbers(actions: Any) -> None:
    with pytest.raises(ActionError, match="whole numbers"):
        Batch("double", 2).step(actions)


def test_there_is_one_error_for_actions() -> None:
    assert observations.ActionError is ActionError
    assert issubclass(ActionError, BitduelError | ValueError)
    for wrong in (-1, 99, "add", None, True):
        with pytest.raises(ActionError):
            observations.move_of(make("double"), wrong)


def test_whole_numbers_of_any_kind_are_sizes_and_seeds() -> None:
    assert Batch("battle", np.int64(3), np.int32(9)).deals == Batch("battle", 3, 9).deals  # type: ignore[arg-type]
    for wrong in ("a", 1.5, True):
        with pytest.raises(BitduelError, match="A seed must be a whole number"):
            Batch("double", 2).reset(wrong)  # type: ignore[arg-type]


def test_too_many_deals_are_refused_at_once() -> None:
    with pytest.raises(TooLargeError, match="at most 65,536 deals"):
        Batch(make("battle", {"bits": 31}), 2)


def test_options_go_by_their_names() -> None:
    assert Batch("double", 2, target=9).game == make("double", target=9)
    assert Batch("bits", 2, bits=5, first_move="flip").game == make("bits", bits=5, first_move="flip")


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("double", {"length": 9}, "There is no setting 'length'. Choose from: start, target, step."),
        ("double", {"target": 1.5}, "target must be a whole number from 2 to 1000000000, not '1.5'"),
        (
            "double",
            {"table": "open"},
            "There is no setting 'table'. Did you mean 'target'? Choose from: start, target, step.",
        ),
        (
            make("double"),
            {"target": 9},
            "Give options only with the name of a game. A game object already has its options.",
        ),
    ],
)
def test_a_wrong_option_is_refused_with_one_sentence(game: Any, options: Any, said: str) -> None:
    with pytest.raises(BitduelError) as caught:
        Batch(game, 2, **options)
    assert str(caught.value) == said


def test_a_text_for_the_table_is_the_option_of_the_game() -> None:
    assert Batch("battle", 2, bits=3, table="open").game == make("battle", bits=3, table="open")
    assert "on the rules" in repr(Batch("battle", 2, bits=3, table=False))
