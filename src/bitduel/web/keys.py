"""A key for every move, the same all through a game."""

from functools import lru_cache
from string import ascii_uppercase
from typing import Any

from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.options import Setting

BY_HAND = "qwertyuiopasdfghjklzxcvbnm"
"""The letters as they lie on the keyboard, below the digits."""

SPARE = BY_HAND + "1234567890" + ascii_uppercase


def keys(game: Game[Any]) -> dict[str, str]:
    """By move: what is typed for it where that is one key, else its last character, else one that is still free."""
    return _keys(type(game), tuple(game.open_options.items()))


@lru_cache(maxsize=64)
def _keys(kind: type[Game[Any]], options: tuple[tuple[str, Setting], ...]) -> dict[str, str]:
    """Kept without what was chosen in secret: who chooses the same would be answered sooner."""
    game = kind(**dict(options))
    view = Match(game, deal=game.any_deal()).view(1)
    moves = [move for move in game.moves if move != PASS]
    found: dict[str, str] = {}
    for move in moves:
        answer = game.words.answer(view, move) if move in view.legal else ""
        wish = answer if len(answer) == 1 else answer[:1] if answer.isalpha() else ""
        if wish and wish not in found.values():
            found[move] = wish
    for move in moves:
        if move not in found:
            wishes = [key for key in move[-1] + SPARE if key.isalnum() and key not in found.values()]
            found |= {move: wishes[0]} if wishes else {}
    return {move: found[move] for move in moves if move in found}
