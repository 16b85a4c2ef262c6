"""Livelier variants: the solver finds there what they claim, and they can be chosen everywhere."""

import re

import pytest

from bitduel.core.evaluation import best_choices
from bitduel.core.game import Variant
from bitduel.core.match import Match
from bitduel.games.registry import GameClass, all_games, describe
from bitduel.solver.evaluators import evaluator_for
from bitduel.web.game_pages import offered_variants

VARIANTS = [pytest.param(kind, each, id=f"{kind.short}: {each.name}") for kind in all_games() for each in kind.variants]


def test_every_game_has_two_or_three_variants() -> None:
    for kind in all_games():
        assert 2 <= len(kind.variants) <= 3
        assert len({each.name for each in kind.variants}) == len(kind.variants)


@pytest.mark.parametrize(("kind", "variant"), VARIANTS)
def test_a_variant_is_worth_and_lasts_what_it_claims(kind: GameClass, variant: Variant) -> None:
    game = kind(**variant.options)
    match = Match(game, deal=game.any_deal())
    best = best_choices(evaluator_for(game).choices(match.view(1)))[0].evaluation
    assert (best.value, best.plies) == (variant.value, variant.plies)
    assert best.win_probability == (None if variant.win_probability is None else pytest.approx(variant.win_probability))


@pytest.mark.parametrize(("kind", "variant"), VARIANTS)
def test_the_numbers_in_the_name_of_a_variant_are_settings_of_it(kind: GameClass, variant: Variant) -> None:
    chosen = {str(value) for value in kind(**variant.options).options.values()}
    assert {*re.findall("[0-9]+", variant.name)} <= chosen


@pytest.mark.parametrize(("kind", "variant"), VARIANTS)
def test_a_variant_has_one_sentence_and_can_be_listed(kind: GameClass, variant: Variant) -> None:
    assert variant.reason.endswith(".")
    assert ". " not in variant.reason
    assert variant.as_data() in describe(kind)["variants"]  # type: ignore[operator]


def test_the_site_offers_every_variant_that_it_answers_at_once() -> None:
    for kind in all_games():
        left_out = [each for each in kind.variants if each not in offered_variants(kind)]
        assert [each.options for each in left_out] == ([{"bits": 6, "table": "open"}] if kind().has_chance else [])
