"""Checks of what a game declares and of its rules, position by position."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from bitduel.core.endings import ENDINGS
from bitduel.core.errors import OptionError
from bitduel.core.game import PASS, Verdict
from bitduel.core.match import Match
from bitduel.core.options import Whole
from bitduel.testing.sample import LONGEST, NAMES, Check, GameProbe

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_LISTED = 4096
SENSIBLE = 100_000_000


def names_and_options(sample: GameProbe) -> Iterator[str]:
    """Names, aim and options are declared."""
    game = sample.game
    sample.tried["option"] += len(game.declared)
    yield from (f"'{name}' is not a name" for name in (game.slug, game.short) if not NAME.fullmatch(name))
    for what, text in (("title", game.title), ("aim", game.aim)):
        if not text or not text.isprintable():
            yield f"{what} is not a line of text"
    names = [option.name for option in game.declared]
    if len(set(names)) != len(names):
        yield "two options have the same name"
    for option in game.declared:
        if not option.help:
            yield f"{option.name} has no help"
        if option.default != "" and option.parse(option.default) != option.default:
            yield f"{option.name} does not take its own default"
        json.dumps(option.schema)
    for survey in game.surveys:
        if not (1 <= len(survey) <= 2 and set(survey) <= set(names)):
            yield f"{dict(survey)} is no survey over one or two of the options"
    if not 0 < (type(game)(**game.large).size or 1) < SENSIBLE:
        yield "large is too large to be measured"


def smallest_sizes(sample: GameProbe) -> Iterator[str]:
    """It can be played with every size at its smallest."""
    game = sample.game
    for option in [option for option in game.declared if isinstance(option, Whole)]:
        try:
            small = type(game)(**{**game.options, option.name: option.low})
        except OptionError:
            continue
        match = Match(small, deal=small.any_deal())
        while match.legal and match.ply < LONGEST:
            match.play(match.legal[-1])
        sample.tried["match"] += 1
        if not small.picture(match.view(None), NAMES).caption:
            yield f"with {option.name}={option.low} there is no picture"


def moves_are_their_texts(sample: GameProbe) -> Iterator[str]:
    """Moves are different texts in small letters, in a fixed order."""
    moves = sample.game.moves
    sample.tried["move"] += len(moves)
    if len(set(moves)) != len(moves) or moves != sample.game.moves or not moves:
        yield f"the list is {moves}"
    yield from (f"{move!r} is not written as a player says it" for move in moves if move != _said(move))


def _said(move: str) -> str:
    return " ".join(move.lower().split()).replace(",", "")


def numbers_and_arrays(sample: GameProbe) -> Iterator[str]:
    """The rules say the same of a number and of an array."""
    game, positions = sample.game, sample.positions()
    arrays = type(positions[0])(*np.array(positions, dtype=np.int64).T)
    single = [int(game.verdict(position)) for position in positions]
    if np.broadcast_to(game.verdict(arrays), len(positions)).tolist() != single:
        yield "verdict differs"
    for move in game.moves:
        yield from _move_on_arrays(sample, positions, arrays, move)


def _move_on_arrays(sample: GameProbe, positions: list[Any], arrays: Any, move: str) -> Iterator[str]:
    game = sample.game
    legal = np.array([bool(game.legal(position, move)) for position in positions])
    if (np.broadcast_to(game.legal(arrays, move), legal.shape) != legal).any():
        yield f"legal differs for {move}"
    after = game.play(type(arrays)(*(field[legal] for field in arrays)), move)
    rows = np.array([np.broadcast_to(field, legal.sum()) for field in after]).T.tolist()
    single = [list(map(int, game.play(p, move))) for p, may in zip(positions, legal, strict=True) if may]
    if rows != single:
        yield f"play differs for {move}"


def over_or_a_move(sample: GameProbe) -> Iterator[str]:
    """A position is over or has a legal move, and never both."""
    game = sample.game
    for position in sample.positions():
        legal = [move for move in game.moves if game.legal(position, move)]
        if (game.verdict(position) != Verdict.OPEN) == bool(legal):
            yield f"at {position} legal is {legal}"


def passing(sample: GameProbe) -> Iterator[str]:
    """To pass is legal only where no other move is."""
    for position in sample.positions():
        legal = sample.game.turn(position).legal
        if PASS in legal and legal != (PASS,):
            yield f"at {position} legal is {legal}"


def within_ranges(sample: GameProbe) -> Iterator[str]:
    """Every field is a whole number within its range."""
    ranges = sample.game.ranges
    for position in sample.positions():
        whole = all(isinstance(field, int) for field in position)
        if not whole or not all(0 <= field < end for field, end in zip(position, ranges, strict=True)):
            yield f"{position} is not within {ranges}"


def endings_have_reasons(sample: GameProbe) -> Iterator[str]:
    """Every way to end has a reason of its own."""
    game = sample.game
    found = {int(game.verdict(position)) for position in sample.positions()} - {Verdict.OPEN}
    yield from (f"{Verdict(verdict).name} has none" for verdict in sorted(found - set(game.reasons)))
    reasons = list(game.reasons.values())
    yield from (f"'{reason}' belongs to all games" for reason in reasons if reason in ENDINGS)
    yield from (f"'{reason}' is not one word" for reason in reasons if not NAME.fullmatch(reason))
    if len(set(reasons)) != len(reasons):
        yield "two verdicts have the same reason"


def deals_are_listed(sample: GameProbe) -> Iterator[str]:
    """All that chance can deal is listed, with probabilities that add up to one."""
    game = sample.game
    deals = list(islice(game.deals(), MOST_LISTED + 1))
    sample.tried["deal"] += len(deals)
    if len(deals) <= MOST_LISTED and sum(Fraction(deal.probability) for deal in deals) != 1:
        yield "the probabilities do not add up to 1"
    if len({deal.text for deal in deals}) != len(deals):
        yield "a deal is listed twice"
    if len(deals) <= MOST_LISTED and game.any_deal() not in {deal.text for deal in deals}:
        yield f"{game.any_deal()!r} is dealt but not listed"
    for deal in deals[:3] if game.chance else []:
        if game.dealt(deal.text).fixed_deal != deal.text:
            yield f"{deal.text!r} cannot be chosen"


CHECKS: tuple[Check, ...] = (
    names_and_options,
    smallest_sizes,
    moves_are_their_texts,
    numbers_and_arrays,
    over_or_a_move,
    passing,
    within_ranges,
    endings_have_reasons,
    deals_are_listed,
)
