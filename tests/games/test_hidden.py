"""Hidden means hidden: matches that differ only in what a seat may not know look the same to it."""

from itertools import product

import pytest

from bitduel.core.match import Match, other_seat
from bitduel.core.view import View
from bitduel.games.registry import make

GAME = make("battle", {"bits": 3})
SECRETS = [format(s, "03b") for s in range(8)]
MOVES = GAME.moves


def seen(match: Match, seat: int | None) -> tuple[View, str]:
    """All that a seat is shown: its view, and the picture drawn from it."""
    view = match.view(seat)
    return view, GAME.picture(view, ("Ada", "Alan")).caption


def own_story(match: Match, seat: int) -> tuple[object, ...]:
    """What the rules tell a seat: its own moves with their feedback, and how long the game goes on."""
    secret = int(match.deal, 2)
    number, story = 0, []
    for ply, move in enumerate(match.moves):
        if match.seat_at(ply) == seat:
            number ^= GAME.play(GAME.start("000"), move).theirs
            story.append((move, (number > secret) - (number < secret)))
    return (*story, match.ply)


@pytest.mark.parametrize("depth", range(6))
def test_a_seat_sees_the_same_wherever_the_rules_tell_it_the_same(depth: int) -> None:
    shown: dict[tuple[object, ...], tuple[View, str]] = {}
    for secret, moves in product(SECRETS, product(MOVES, repeat=depth)):
        match = Match(GAME, deal=secret)
        for move in moves:
            if not match.outcome:
                match.play(move)
        if match.outcome:
            continue
        for seat in (1, 2):
            key = (seat, *own_story(match, seat))
            assert shown.setdefault(key, seen(match, seat)) == seen(match, seat)
        watching = (None, match.ply)
        assert shown.setdefault(watching, seen(match, None)) == seen(match, None)
    assert len(shown) >= 3


def test_what_is_shown_does_change_with_what_the_rules_tell() -> None:
    low, high = (Match(GAME, deal=deal, moves=["toggle 1"]) for deal in ("001", "111"))
    assert seen(low, 1) != seen(high, 1)
    assert seen(low, 2) == seen(high, 2)
    assert other_seat(1) == 2
