"""Checks of a game's declarations, of its rules position by position, and of its matches and records."""

import json
import pickle
import re
from collections.abc import Iterator
from copy import copy, deepcopy
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from bitduel.core.errors import OptionError
from bitduel.core.game import PASS, Game, Verdict
from bitduel.core.match import Match
from bitduel.core.options import IntegerOption
from bitduel.core.outcomes import ENDINGS, Outcome
from bitduel.core.record import parse_record, record_match
from bitduel.testing.probe import MAX_PLIES, NAMES, GameProbe

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_LISTED_DEALS = 4096
MAX_BENCHMARK_SIZE = 100_000_000


def check_declarations(probe: GameProbe) -> Iterator[str]:
    """Yield problems with the names, the aim and the options."""
    game = probe.game
    probe.tried["option"] += len(game.declared_options)
    yield from (f"'{name}' is not a name" for name in (game.slug, game.short) if not NAME.fullmatch(name))
    for what, text in (("title", game.title), ("aim", game.aim)):
        if not text or not text.isprintable():
            yield f"{what} is not a line of text"
    names = [option.name for option in game.declared_options]
    if len(set(names)) != len(names):
        yield "two options have the same name"
    for option in game.declared_options:
        if not option.help:
            yield f"{option.name} has no help"
        if option.default != "" and option.parse(option.default) != option.default:
            yield f"{option.name} does not accept its own default"
        json.dumps(option.schema)
    for survey in game.surveys:
        if not (1 <= len(survey) <= 2 and set(survey) <= set(names)):
            yield f"{dict(survey)} is not a survey over one or two options"
    if not 0 < (type(game)(**game.benchmark_options).size or 1) < MAX_BENCHMARK_SIZE:
        yield "benchmark_options is too large to measure"


def check_smallest_sizes(probe: GameProbe) -> Iterator[str]:
    """Yield options that the game cannot be played with at their smallest."""
    game = probe.game
    for option in [option for option in game.declared_options if isinstance(option, IntegerOption)]:
        try:
            small = type(game)(**{**game.options, option.name: option.low})
        except OptionError:
            continue
        match = Match(small, deal=small.any_deal())
        while match.legal and match.ply < MAX_PLIES:
            match.play(match.legal[-1])
        probe.tried["match"] += 1
        if not small.picture(match.view(None), NAMES).caption:
            yield f"with {option.name}={option.low} there is no picture"


def check_moves(probe: GameProbe) -> Iterator[str]:
    """Yield moves that are not written as a player writes them."""
    moves = probe.game.moves
    probe.tried["move"] += len(moves)
    if len(set(moves)) != len(moves) or moves != probe.game.moves or not moves:
        yield f"the list is {moves}"
    yield from (f"{move!r} is not written as a player would type it" for move in moves if move != _as_written(move))


def _as_written(move: str) -> str:
    return " ".join(move.lower().split()).replace(",", "")


def check_arrays(probe: GameProbe) -> Iterator[str]:
    """Yield rules that differ between one position and an array of positions."""
    game, positions = probe.game, probe.positions()
    arrays = type(positions[0])(*np.array(positions, dtype=np.int64).T)
    single = [int(game.verdict(position)) for position in positions]
    if np.broadcast_to(game.verdict(arrays), len(positions)).tolist() != single:
        yield "verdict differs"
    for move in game.moves:
        yield from _array_problems(probe, positions, arrays, move)


def _array_problems(probe: GameProbe, positions: list[Any], arrays: Any, move: str) -> Iterator[str]:
    game = probe.game
    legal = np.array([bool(game.legal(position, move)) for position in positions])
    if (np.broadcast_to(game.legal(arrays, move), legal.shape) != legal).any():
        yield f"legal differs for {move}"
    after = game.play(type(arrays)(*(field[legal] for field in arrays)), move)
    rows = np.array([np.broadcast_to(field, legal.sum()) for field in after]).T.tolist()
    single = [list(map(int, game.play(p, move))) for p, may in zip(positions, legal, strict=True) if may]
    if rows != single:
        yield f"play differs for {move}"


def check_legal_moves(probe: GameProbe) -> Iterator[str]:
    """Yield positions that are both over and open, or neither."""
    game = probe.game
    for position in probe.positions():
        legal = [move for move in game.moves if game.legal(position, move)]
        if (game.verdict(position) != Verdict.OPEN) == bool(legal):
            yield f"at {position} legal is {legal}"


def check_passing(probe: GameProbe) -> Iterator[str]:
    """Yield positions at which a pass is legal beside other moves."""
    for position in probe.positions():
        legal = probe.game.turn(position).legal
        if PASS in legal and legal != (PASS,):
            yield f"at {position} legal is {legal}"


def check_ranges(probe: GameProbe) -> Iterator[str]:
    """Yield positions with a field out of its range."""
    ranges = probe.game.ranges
    for position in probe.positions():
        whole = all(isinstance(field, int) for field in position)
        if not whole or not all(0 <= field < end for field, end in zip(position, ranges, strict=True)):
            yield f"{position} is not within {ranges}"


def check_reasons(probe: GameProbe) -> Iterator[str]:
    """Yield verdicts without a reason of their own."""
    game = probe.game
    found = {int(game.verdict(position)) for position in probe.positions()} - {Verdict.OPEN}
    yield from (f"{Verdict(verdict).name} has none" for verdict in sorted(found - set(game.reasons)))
    reasons = list(game.reasons.values())
    yield from (f"'{reason}' is reserved for all games" for reason in reasons if reason in ENDINGS)
    yield from (f"'{reason}' is not one word" for reason in reasons if not NAME.fullmatch(reason))
    if len(set(reasons)) != len(reasons):
        yield "two verdicts have the same reason"


def check_deals(probe: GameProbe) -> Iterator[str]:
    """Yield problems with the deals and their probabilities."""
    game = probe.game
    deals = list(islice(game.deals(), MAX_LISTED_DEALS + 1))
    probe.tried["deal"] += len(deals)
    if len(deals) <= MAX_LISTED_DEALS and sum(Fraction(deal.probability) for deal in deals) != 1:
        yield "the probabilities do not add up to 1"
    if len({deal.text for deal in deals}) != len(deals):
        yield "a deal is listed twice"
    if len(deals) <= MAX_LISTED_DEALS and game.any_deal() not in {deal.text for deal in deals}:
        yield f"{game.any_deal()!r} can be dealt but is not listed"
    for deal in deals[:3] if game.has_chance else []:
        if game.with_deal(deal.text).fixed_deal != deal.text:
            yield f"{deal.text!r} cannot be chosen"


def check_game_values(probe: GameProbe) -> Iterator[str]:
    """Yield problems with comparing, copying, pickling and showing a game."""
    game = probe.game
    probe.tried["game"] += 1
    same = {"made again": type(game)(**game.options), "copied": copy(game), "pickled": pickle.loads(pickle.dumps(game))}
    yield from (f"it is not equal when {how}" for how, other in same.items() if game != other)
    yield from (f"its hash is not equal when {how}" for how, other in same.items() if hash(game) != hash(other))
    if len({repr(game.with_deal(deal)) for deal in probe.deals}) > 1:
        yield "its text shows the deal"


def check_match_values(probe: GameProbe) -> Iterator[str]:
    """Yield problems with comparing, copying, pickling and rebuilding matches."""
    fresh = type(probe.game)(**probe.game.options)
    for match in probe.matches():
        same = {
            "copied": copy(match),
            "deeply copied": deepcopy(match),
            "pickled": pickle.loads(pickle.dumps(match)),
            "rebuilt": Match(fresh, match.first, match.deal, match.moves),
            "looked up": match.at(match.ply),
        }
        yield from (f"{match!r} is not equal when {how}" for how, other in same.items() if match != other)
        if same["rebuilt"].position != match.position or same["rebuilt"].legal != match.legal:
            yield f"{match!r} has another position when rebuilt"
        for ply, moment in enumerate(match.walk()):
            if moment != match.at(ply) or (ply and moment != match.at(ply - 1).after(match.moves[ply - 1])):
                yield f"{match!r} is not the same after {ply} moves each way"


def check_endings(probe: GameProbe) -> Iterator[str]:
    """Yield endings outside the rules that have no words or no record."""
    for ending in ENDINGS.values():
        outcomes = [Outcome(winner, ending.reason) for winner in (1, 2, None)]
        for outcome in [each for each in outcomes if ending.fits(each) and not ending.by_moves]:
            match = Match(probe.game, deal=probe.game.any_deal())
            match.conclude(outcome)
            probe.tried["ending"] += 1
            if not probe.game.words.end(outcome, NAMES) or _reread(match) != match:
                yield f"{outcome} is missing from the record"


def check_records(probe: GameProbe) -> Iterator[str]:
    """Yield matches that differ when they are read from their record."""
    for match in probe.matches():
        has_whole_record = match.outcome or probe.game.has_perfect_information
        if has_whole_record and _reread(match) != match:
            yield f"{match!r} is not the same when read again"


def _reread(match: Match) -> Match:
    def make(_name: str, options: Any) -> Game[Any]:
        return type(match.game)(**options)

    return parse_record(record_match(match, NAMES).text(), make).match(make)
