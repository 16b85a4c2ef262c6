"""The public functions of `import bitduel`, for a prompt, a notebook or a program."""

from random import Random, SystemRandom
from typing import Any
from warnings import warn

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.record import parse_record, record_match
from bitduel.core.words import PLAYERS, Names
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import DEFAULT_LIMITS, Listener, Person, Player, PlayerLike, PlayerLimits, Spec, close, drive
from bitduel.players import player as find_player
from bitduel.players.driver import TimedPlayer, check_seconds
from bitduel.solver.analysis import analyse_position as solve

__all__ = ["Match", "all_games", "make", "play", "player", "read_record", "shelf", "solve", "write_record"]


def shelf() -> list[GameClass]:
    """Return every game: the old name of `all_games`, deprecated."""
    warn("bitduel.shelf is deprecated: use bitduel.all_games", DeprecationWarning, stacklevel=2)
    return all_games()


def player(
    who: PlayerLike, game: Game[Any] | str, seed: int | None = None, terms: PlayerLimits = DEFAULT_LIMITS
) -> Player:
    """Return a player of a game, by a name such as "perfect" or a function from view to move.

    The terms are limits for programs such as "bot:python my_bot.py"; call their `close()` when you are done.
    """
    rng = SystemRandom() if seed is None else Random(seed)
    result = find_player(who, make(game) if isinstance(game, str) else game, rng, terms)
    if result is None:
        raise BitduelError(
            "Only the terminal and the site can ask a person for moves. Here, pass a function from view to move."
        )
    return result


def play(
    game: Game[Any] | str,
    first: PlayerLike,
    second: PlayerLike,
    *,
    seed: int | None = None,
    deal: str | None = None,
    seconds: float | None = None,
    most_plies: int | None = None,
    listener: Listener | None = None,
) -> Match:
    """Play a match between two players to its end; the first has seat 1 and starts.

    A seed makes the match repeatable. `seconds` is the time for each move of a function or a bot (bots have 10
    seconds by default); a player who takes longer, makes an illegal move or crashes loses. The listener is
    notified of every move.
    """
    game = make(game) if isinstance(game, str) else game
    rng = SystemRandom() if seed is None else Random(seed)
    match = Match(game, deal=game.deal(rng) if deal is None else deal)
    seeds = (None, None) if seed is None else (2 * seed + 1, 2 * seed + 2)
    limits = DEFAULT_LIMITS if seconds is None else DEFAULT_LIMITS._replace(seconds=seconds)
    check_seconds(seconds)
    sources = {1: first, 2: second}
    players = {seat: player(source, game, seeds[seat - 1], limits) for seat, source in sources.items()}
    timed = {seat: _with_time_limit(source, players[seat], seconds) for seat, source in sources.items()}
    try:
        drive(match, timed, listener or Listener(), None, most_plies)
    finally:
        close(players[seat] for seat, source in sources.items() if players[seat] is not source)
    return match


def _with_time_limit(source: PlayerLike, player: Player, seconds: float | None) -> Player:
    """Limit the time of a function or an object; built-in players and bots need no limit, or have their own."""
    if seconds is None or isinstance(source, str | Spec | Person):
        return player
    return TimedPlayer(player, seconds)


def write_record(match: Match, names: Names = PLAYERS) -> str:
    """Return the record of a match."""
    return record_match(match, names).text()


def read_record(text: str) -> Match:
    """Return the match of a record; raise RecordError with the line that is wrong."""
    return parse_record(text, make).match(make)


def _draw(match: Match) -> str:
    from bitduel.rendering.board import match_svg

    return match_svg(match)


Match.painter = _draw
