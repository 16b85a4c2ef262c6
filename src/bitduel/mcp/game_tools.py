"""What there is to play, its rules, and how to begin: read by tools, as resources and by the prompt."""

from collections.abc import Iterator
from typing import Any

from bitduel.core.game import PASS, Game
from bitduel.core.options import Choice, Option
from bitduel.games import Kind, find, shelf
from bitduel.mcp.match_tools import check_opponent
from bitduel.mcp.requests import ListGames, Rules
from bitduel.mcp.responses import GamesTold, GameTold, OptionTold, RulesTold
from bitduel.players.spec import KINDS, MEDIUM
from bitduel.service.match_service import FRIEND, MatchService, make_game
from bitduel.service.new_match import here

INSTRUCTIONS = (
    "Two-player games about doubling and bits. list_games tells what there is, rules how it is played; start_match "
    "opens a match and gives you a match_id and a secret token, which every later call needs. Then call move with the "
    "ply and one of the legal moves that the last result told, until the match is over; every result says in `next` "
    "what to do. Nothing is kept between calls but the match itself."
)

SCHEME = "bitduel://rules/"


def list_games(_desk: MatchService, _wish: ListGames) -> GamesTold:
    """Every game, with its options, and whom one can play against."""
    computers = {kind.written: kind.about for kind in KINDS.values() if kind.safe and kind.make}
    friend = "another client or a person, who takes the other seat by an invitation"
    return GamesTold(games=[_game(kind) for kind in shelf()], opponents={**computers, FRIEND: friend})


def rules(_desk: MatchService, wish: Rules) -> RulesTold:
    """The rules of a game as its options make them."""
    game = make_game(find(wish.game), wish.options)
    return RulesTold(
        slug=game.slug,
        title=game.title,
        aim=game.goal,
        options=game.options,
        moves=[move for move in game.moves if move != PASS],
        rules=game.words.rules(),
        text=sheet(game),
    )


def sheet(game: Game[Any]) -> str:
    """The rules in Markdown: how it is played, what can be chosen, and how open points are read."""
    return "\n".join([f"# {game.title}", "", game.goal, *_paragraphs(game), ""])


def beginning(name: str | None, opponent: str | None) -> str:
    """What a client says to begin to play."""
    kind = find(name) if name else None
    other = check_opponent(opponent or MEDIUM)
    chosen = f"{kind.title} ({kind.slug})" if kind else "a game that you choose with list_games"
    return (
        f"Play a match of bitduel: {chosen}, against {other}. Read the rules of the game with the tool rules, open the "
        f"match with start_match (opponent {other}), and play it to its end with move, as `next` says in every result. "
        "Say in one sentence why you make each move. When it is over, call review and tell where it was decided."
    )


def _game(kind: Kind) -> GameTold:
    options = [
        OptionTold(name=o.name, default=o.default, help=o.help, secret=o.secret, allowed=here(o).schema)
        for o in kind.declared
    ]
    return GameTold(
        slug=kind.slug, short=kind.short, title=kind.title, aim=kind.aim, hidden=kind().hidden, options=options
    )


def _paragraphs(game: Game[Any]) -> Iterator[str]:
    for paragraph in game.words.rules():
        yield from ("", paragraph)
    yield from ("", f"Moves: {', '.join(f'`{move}`' for move in game.moves if move != PASS)}.")
    yield from ("", "## Options", "")
    for option in game.declared:
        yield from _option(here(option))
    if game.words.readings:
        yield from ("", "## Where the rulebook leaves something open", "")
    for reading in game.words.readings:
        yield f"- {reading.point}. The rulebook: {reading.rulebook} Here, unless chosen otherwise: {reading.default}"


def _option(option: Option) -> Iterator[str]:
    yield f"- `{option.name}` ({option.default if option.default != '' else 'by chance'}): {option.help}"
    if isinstance(option, Choice):
        for value, meaning in option.choices.items():
            yield f"  - `{value}`: {meaning}"
    else:
        yield f"  - {option.allowed}"
