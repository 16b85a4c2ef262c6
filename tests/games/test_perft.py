"""Exact counts of positions and games, against a second implementation that shares nothing with the first."""

from collections import Counter
from typing import Any

import pytest

import brute
from bitduel.core.game import Game
from bitduel.games.registry import GameClass
from helpers import all_readings

READINGS = [pytest.param(*each, id=f"{each[0].short} {each[1]}") for each in all_readings()]
SECRETS = ("00000", "00001", "01101", "10100", "11111")


def deals_of(game: Game[Any]) -> tuple[str, ...]:
    return SECRETS if any(option.is_secret for option in game.declared_options) else ("",)


def essence(game: Game[Any], position: Any) -> tuple[object, ...]:
    """A position as the brute force sees it: what matters for the future, bits as text."""
    fields = position._asdict()
    bits = game.options.get("bits")
    rows = {"mine", "theirs", "secret"} if bits else set()
    kept = {name: value for name, value in fields.items() if "low" not in name and "high" not in name}
    texts = {name: format(value, f"0{bits}b") if name in rows else value for name, value in kept.items()}
    if "my_exception" in fields and game.options["first-move"] == "empty":
        texts |= {"my_exception": None, "their_exception": None}
    return tuple(texts.values())


def count_positions(game: Game[Any], deal: str) -> int:
    """Reachable positions, counted by what matters for the future."""
    queue = [game.start(deal)]
    seen = {game.turn(queue[0]).position}
    for position in queue:
        for move in game.turn(position).legal:
            after = game.play(position, move)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return len({(essence(game, p), moved(game, p)) for p in seen})


def moved(game: Game[Any], position: Any) -> object:
    """Whether a match that starts on the secret has begun: the start itself is no match."""
    return game.verdict(position) if "secret" in position._fields else None


def perft(game: Game[Any], deal: str, depth: int) -> list[tuple[int, int]]:
    """For each length, how many move sequences there are and how many of them are whole games."""
    level = Counter({game.start(deal): 1})
    counts = []
    for _ in range(depth + 1):
        over = sum(n for position, n in level.items() if game.turn(position).verdict)
        counts.append((sum(level.values()), over))
        following: Counter[Any] = Counter()
        for position, n in level.items():
            for move in game.turn(position).legal:
                following[game.play(position, move)] += n
        level = following
    return counts


@pytest.mark.parametrize(("kind", "chosen"), READINGS)
def test_games_by_length_agree_with_the_brute_force(kind: GameClass, chosen: dict[str, Any]) -> None:
    game = kind(**chosen)
    depth = 5 if "secret" in game.options else 6  # five secrets with five moves each are enough of that
    for deal in deals_of(game):
        assert perft(game, deal, depth) == brute.games_by_length(kind.slug, depth, deal, **options(chosen))


@pytest.mark.parametrize(("kind", "chosen"), READINGS)
def test_the_number_of_positions_agrees_with_the_brute_force(kind: GameClass, chosen: dict[str, Any]) -> None:
    small = {"bits": 3} if "secret" in kind().options else {}
    game = kind(**chosen, **small)
    for deal in [format(s, "03b") for s in range(8)] if small else [""]:
        expected = brute.count_positions(kind.slug, deal, **options({**chosen, **small}))
        assert count_positions(game, deal) == expected


SIZES = range(1, 7)
SIZED = [
    pytest.param(kind, chosen, size, marks=[] if (size + number) % 2 else pytest.mark.thorough)
    for number, (kind, chosen) in enumerate(all_readings())
    for size in SIZES
]
"""In the first tier every other size of each reading, taken in turn: readings that share a rule share all sizes."""


@pytest.mark.parametrize(("kind", "chosen", "size"), SIZED)
def test_odd_sizes_agree_with_the_brute_force(kind: GameClass, chosen: dict[str, Any], size: int) -> None:
    sizes: dict[str, dict[str, int]] = {
        "target": {"start": size, "target": 4 * size + 3, "step": size},
        "length": {"length": 5 * size - 4},
        "bits": {"bits": size},
    }
    fitting = next(values for name, values in sizes.items() if name in kind().options)
    game = kind(**chosen, **fitting)
    for deal in ("",) if len(deals_of(game)) == 1 else ("0" * size, "1" * size):
        expected = brute.games_by_length(kind.slug, 5, deal, **options({**chosen, **fitting}))
        assert perft(game, deal, 5) == expected


def options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Option names as the brute force takes them."""
    return {name.replace("-", "_"): value for name, value in chosen.items()}


COUNTS = {
    "64": [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 0), (64, 5)],
    "bits": [(1, 0), (4, 0), (20, 4), (40, 0), (100, 16), (248, 0), (752, 48)],
    "double": [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 6), (52, 18)],
    "31": [(1, 0), (5, 0), (25, 0), (125, 5), (600, 24), (2880, 264), (13080, 1199)],
}


@pytest.mark.parametrize("name", COUNTS)
def test_games_by_length_are_what_they_were(name: str) -> None:
    from bitduel.games.registry import make

    assert perft(make(name), "", 6) == COUNTS[name]
