"""What a person needs at a prompt, or in a notebook."""

from random import Random, SystemRandom
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.record import parse, record
from bitduel.core.words import PLAYERS, Names
from bitduel.games import make, shelf
from bitduel.players import USUAL, Listener, Person, Player, PlayerLimits, Spec, Who, close, drive
from bitduel.players import player as find_player
from bitduel.players.driver import Timed, check_seconds
from bitduel.solver.position import judgement as solve

__all__ = ["Match", "make", "play", "player", "read_record", "shelf", "solve", "write_record"]


def player(who: Who, game: Game[Any] | str, seed: int | None = None, terms: PlayerLimits = USUAL) -> Player:
    """A player of a game: a name such as "perfect", or a function from view to move.

    Terms hold for programs from outside, such as "bot:python my_bot.py"; these are let go by their `close()`.
    """
    made = make(game) if isinstance(game, str) else game
    found = find_player(who, made, SystemRandom() if seed is None else Random(seed), terms)
    if found is None:
        raise BitduelError("A human is asked by the terminal or the site; here a function from view to move can play.")
    return found


def play(
    game: Game[Any] | str,
    first: Who,
    second: Who,
    *,
    seed: int | None = None,
    deal: str | None = None,
    seconds: float | None = None,
    most_plies: int | None = None,
    listener: Listener | None = None,
) -> Match:
    """A match between two players, played to its end, the first of them on seat 1 and starting.

    With a seed everything is repeatable. Seconds is the time for each move of a function or a bot; who needs more,
    gives an illegal move or crashes, loses by that; bots have 10 seconds unless said. A listener hears every move.
    """
    made = make(game) if isinstance(game, str) else game
    rng = SystemRandom() if seed is None else Random(seed)
    match = Match(made, deal=made.deal(rng) if deal is None else deal)
    seeds = (None, None) if seed is None else (2 * seed + 1, 2 * seed + 2)
    terms = USUAL if seconds is None else USUAL._replace(seconds=seconds)
    check_seconds(seconds)
    seats = {1: player(first, made, seeds[0], terms), 2: player(second, made, seeds[1], terms)}
    timed = {seat: _on_a_clock(who, seats[seat], seconds) for seat, who in enumerate((first, second), 1)}
    try:
        drive(match, timed, listener or Listener(), None, most_plies)
    finally:
        close(seat for who, seat in zip((first, second), seats.values(), strict=True) if seat is not who)
    return match


def _on_a_clock(who: Who, found: Player, seconds: float | None) -> Player:
    """The player, with a clock if it is a program of the caller's; the others have their own, or need none."""
    if seconds is None or isinstance(who, str | Spec | Person):
        return found
    return Timed(found, seconds)


def write_record(match: Match, names: Names = PLAYERS) -> str:
    """A match as text."""
    return record(match, names).text()


def read_record(text: str) -> Match:
    """The match that a text holds; raises RecordError with the line where it does not fit."""
    return parse(text, make).match(make)


def _paint(match: Match) -> str:
    from bitduel.rendering.board import match_svg

    return match_svg(match)


Match.painter = _paint
