"""Matches with hidden information, and what the rules tell each seat: seats told the same must be shown the same."""

from collections.abc import Iterator
from itertools import product

from bitduel.core.match import Match
from bitduel.games.registry import make


def histories(bits: int, depth: int) -> Iterator[Match]:
    """Every way to come to a position that is still open, with every secret."""
    game = make("battle", {"bits": bits})
    for secret in range(1 << bits):
        for moves in product(game.moves, repeat=depth):
            match = Match(game, 1, format(secret, f"0{bits}b"))
            for move in moves:
                if not match.outcome:
                    match.play(move)
            if not match.outcome:
                yield match


def story(match: Match, seat: int) -> tuple[object, ...]:
    """What the rules tell a seat: its own moves with their feedback, and how long the game goes on."""
    secret, bits = int(match.deal, 2), len(match.deal)
    number, feedback = 0, []
    for ply, move in enumerate(match.moves):
        if match.seat_at(ply) == seat:
            number ^= 1 << bits - int(move.split()[1])
            feedback.append((move, (number > secret) - (number < secret)))
    return (*feedback, match.ply)
