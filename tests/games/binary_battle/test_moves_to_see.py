"""The moves after which a player knows what was set up."""

from collections import deque

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make


@pytest.mark.parametrize("bits", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_exactly_what_a_player_can_come_to_know_is_recalled_by_a_shortest_line(bits: int) -> None:
    game = make("battle", bits=bits)
    found: dict[tuple[int, int, int], int] = {}
    for deal in game.deals():
        queue, seen = deque([(game.start(deal.text), 0)]), set()
        while queue:
            position, turns = queue.popleft()
            known = position.mine, position.my_low, position.my_high
            if known in seen:
                continue
            seen.add(known)
            found[known] = min(turns, found.get(known, turns))
            for move in game.moves:
                after = game.play(position, move)
                if not game.verdict(after):
                    back = (after.theirs, position.theirs, after.their_low, after.their_high)
                    here = position._replace(mine=back[0], my_low=back[2], my_high=back[3])
                    queue.append((here, turns + 1))
    numbers = range(1 << bits)
    for known in ((mine, low, high) for mine in numbers for low in numbers for high in numbers):
        recalled = game.moves_to_see(dict(zip(("mine", "low", "high"), known, strict=True)))
        assert (recalled is not None) == (known in found), known
        if recalled is not None:
            assert len(recalled[0]) == found[known]


def test_what_is_recalled_leads_to_what_is_known() -> None:
    game = make("battle", bits=4)
    found = game.moves_to_see({"mine": 12, "low": 9, "high": 11})
    assert found
    moves, deal = found
    match = Match(game, deal=deal)
    for move in moves:
        match.play(move)
        match.play("toggle 4")
    board = match.view(1).board
    assert (int(board.mine, 2), board.low, board.high) == (12, 9, 11)
    assert game.moves_to_see({"mine": 0, "low": 3, "high": 2}) is None
    assert make("31").moves_to_see({}) is None
