"""Checks of matches: values, views, words, pictures, features and records."""

import json
import pickle
from collections.abc import Iterator
from copy import copy, deepcopy
from typing import Any

import numpy as np

from bitduel.core.endings import ENDINGS, Outcome
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.record import parse, record
from bitduel.testing.sample import NAMES, Check, GameProbe


def games_are_values(sample: GameProbe) -> Iterator[str]:
    """A game can be compared, copied and pickled, and shows no secret."""
    game = sample.game
    sample.tried["game"] += 1
    same = {"made again": type(game)(**game.options), "copied": copy(game), "pickled": pickle.loads(pickle.dumps(game))}
    yield from (f"it is not equal when {how}" for how, other in same.items() if game != other)
    yield from (f"its hash is not equal when {how}" for how, other in same.items() if hash(game) != hash(other))
    if len({repr(game.dealt(deal)) for deal in sample.deals}) > 1:
        yield "its text shows what is dealt"


def matches_are_values(sample: GameProbe) -> Iterator[str]:
    """A match can be compared, copied, pickled, and rebuilt from its moves."""
    fresh = type(sample.game)(**sample.game.options)
    for match in sample.matches():
        same = {
            "copied": copy(match),
            "deeply copied": deepcopy(match),
            "pickled": pickle.loads(pickle.dumps(match)),
            "rebuilt": Match(fresh, match.first, match.deal, match.moves),
            "looked up": match.at(match.ply),
        }
        yield from (f"{match!r} is not equal when {how}" for how, other in same.items() if match != other)
        if same["rebuilt"].position != match.position or same["rebuilt"].legal != match.legal:
            yield f"{match!r} stands elsewhere when rebuilt"
        for ply, moment in enumerate(match.walk()):
            if moment != match.at(ply) or (ply and moment != match.at(ply - 1).after(match.moves[ply - 1])):
                yield f"{match!r} is not the same after {ply} moves each way"


def views_words_and_pictures(sample: GameProbe) -> Iterator[str]:
    """Views, words and pictures exist everywhere, and answers mean the moves they name."""
    for match in sample.moments():
        for seat in (1, 2, None):
            view = match.view(seat)
            json.dumps(view.as_dict())
            picture = sample.game.picture(view, NAMES)
            hash(picture)
            if not picture.caption:
                yield f"{match!r} has no caption"
            yield from (f"{match!r} shows {move} where it cannot be made" for move in {*picture.moves} - {*view.legal})
            hash(view.board)
        yield from _turn(match) if match.to_move and not match.must_pass else ()
        if match.outcome and not sample.game.words.end(match.outcome, NAMES):
            yield f"{match!r} ends without a word"


def words_for_everything(sample: GameProbe) -> Iterator[str]:
    """Rules, readings, and what is said besides a turn, are in words."""
    words = sample.game.words
    sample.tried["paragraph"] += len(words.rules())
    if not words.rules() or not all(_text(paragraph) for paragraph in words.rules()):
        yield "the rules are not in words"
    if not all(_text(reading.point) and _text(reading.default) for reading in words.readings):
        yield "a reading is not in words"
    if not all(_text(text) for law in words.laws() for text in (*law.proof, law.title, law.statement, law.why)):
        yield "a law is not in words"
    if not (_text(words.passed(NAMES[0])) and _text(words.unseen(NAMES[0]))):
        yield "a pass or an unseen move is not in words"
    list(words.opening())
    for match in sample.matches(2):
        list(words.reveal(match.view(None)))
        str(words.hindsight(match.position, *NAMES))


def _text(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip()) and text.isprintable()


def _turn(match: Match) -> Iterator[str]:
    words, view = match.game.words, match.view(match.to_move)
    words.turn(view, NAMES[0])
    if not words.prompt(view, NAMES[0]) or not words.wrong(view):
        yield f"{match!r} asks nothing"
    for move in view.legal:
        if words.understand(view, words.answer(view, move)) != move:
            yield f"{words.answer(view, move)!r} is not understood as {move}"
        after, act = match.after(move).view(view.seat), words.act(view, move)
        if not (words.leads(view, move) and act.doing and act.theirs and words.played(after, move, NAMES[0])):
            yield f"{move} goes without a word"
        hints = [words.stands(view), words.reason(view), words.remark(view, move)]
        hints += [] if after.over else [words.stands(after), words.reason(after)]
        yield from (f"{said!r} is no text for a hint" for said in hints if not isinstance(said, str))


def views_share_nothing(sample: GameProbe) -> Iterator[str]:
    """A view shares nothing with the game that could be changed."""
    for match in sample.matches(1):
        before = dict(sample.game.options), dict(sample.game.open_options)
        for seat in (1, 2, None):
            match.view(seat).options.clear()
            match.at(0).view(seat).options.clear()
        if before != (sample.game.options, sample.game.open_options):
            yield "its options can be changed through a view"


def every_ending_has_words(sample: GameProbe) -> Iterator[str]:
    """Every ending that is in no rulebook has words and a record."""
    for ending in ENDINGS.values():
        outcomes = [Outcome(winner, ending.reason) for winner in (1, 2, None)]
        for outcome in [each for each in outcomes if ending.fits(each) and not ending.by_moves]:
            match = Match(sample.game, deal=sample.game.any_deal())
            match.conclude(outcome)
            sample.tried["ending"] += 1
            if not sample.game.words.end(outcome, NAMES) or _reread(match) != match:
                yield f"{outcome} is lost in the record"


def records_round_trip(sample: GameProbe) -> Iterator[str]:
    """A record holds the whole match."""
    for match in sample.matches():
        if not (match.outcome or not sample.game.hidden):
            continue
        if sample.game.chance and not match.outcome:
            continue
        if _reread(match) != match:
            yield f"{match!r} is not the same when read again"


def _reread(match: Match) -> Match:
    def make(_name: str, options: Any) -> Game[Any]:
        return type(match.game)(**options)

    return parse(record(match, NAMES).text(), make).match(make)


def features_agree(sample: GameProbe) -> Iterator[str]:
    """Features are in range, and the same from a view, from a position and from arrays."""
    game = sample.game
    ranges = [(feature.low, feature.high) for feature in game.features]
    names = {feature.name for feature in game.features}
    if len(names) != len(ranges) or not all(names):
        yield "features need names of their own"
    rows: dict[bool, list[tuple[int, ...]]] = {True: [], False: []}
    moments = list(sample.moments())
    for match in moments:
        for to_move, seat in ((True, match.next_seat), (False, 3 - match.next_seat)):
            row = tuple(map(int, game.encode_view(match.view(seat))))
            rows[to_move].append(row)
            if row != tuple(map(int, game.encode_positions(match.position, match.ply, to_move))):
                yield f"{match!r} shows seat {seat} something else by view than by position"
            if len(row) != len(ranges) or not all(a <= n <= b for n, (a, b) in zip(row, ranges, strict=True)):
                yield f"{row} is not within {ranges}"
    arrays = type(moments[0].position)(*np.array([match.position for match in moments], dtype=np.int64).T)
    plies = np.array([match.ply for match in moments])
    for to_move, expected in rows.items():
        columns = [np.broadcast_to(column, len(moments)) for column in game.encode_positions(arrays, plies, to_move)]
        if np.stack(columns, axis=1).tolist() != [list(row) for row in expected]:
            yield "arrays give something else than single positions"


CHECKS: tuple[Check, ...] = (
    games_are_values,
    matches_are_values,
    views_words_and_pictures,
    words_for_everything,
    views_share_nothing,
    every_ending_has_words,
    records_round_trip,
    features_agree,
)
