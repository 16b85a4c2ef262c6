"""The list of MCP tools, the tools that describe the games, and the texts of the rules and the prompt."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_type_hints

from pydantic import BaseModel

from bitduel.core.game import PASS, Game
from bitduel.core.options import ChoiceOption, Option
from bitduel.games.registry import GameClass, all_games, find
from bitduel.mcp.analysis_tools import analyse, hint, puzzle, review
from bitduel.mcp.match_tools import check_opponent, move, start_match, view
from bitduel.players.spec import MEDIUM
from bitduel.service import requests, responses
from bitduel.service.match_service import MatchService
from bitduel.service.new_match import FRIEND, make_game, within_limits

INSTRUCTIONS = (
    "Two-player games about doubling and bits. list_games lists the games, and rules explains one. start_match starts "
    "a match and returns a match_id and a secret token, which every later call needs. Then call move with the ply and "
    "one of the legal moves from the last result, until the match is over. The `next` field of every result tells you "
    "what to do. Only the match itself is stored between calls."
)


class Tool(NamedTuple):
    """A tool: the function that it calls, its description, and the types of its arguments and result."""

    call: Callable[[MatchService, Any], BaseModel]
    description: str
    arguments: type[BaseModel]
    result: type[BaseModel]
    changes_match: bool = False
    is_idempotent: bool = True


def _tool(call: Callable[[MatchService, Any], BaseModel], description: str, **hints: bool) -> Tool:
    """Return a tool with the types of its function."""
    _, arguments, result = get_type_hints(call).values()
    return Tool(call, description, arguments, result, **hints)


def list_games(_service: MatchService, _arguments: requests.ListGamesArguments) -> responses.GamesResult:
    """Return every game with its options, and the opponents."""
    friend = "another client or a person, who joins with an invitation"
    games = [_describe(kind) for kind in all_games()]
    return responses.GamesResult(games=games, opponents={**requests.COMPUTERS, FRIEND: friend})


def rules(_service: MatchService, arguments: requests.RulesArguments) -> responses.RulesResult:
    """Return the rules of a game with its options."""
    game = make_game(find(arguments.game), arguments.options)
    return responses.RulesResult(
        slug=game.slug,
        title=game.title,
        aim=game.goal,
        options=game.options,
        moves=[move for move in game.moves if move != PASS],
        rules=game.words.rules(),
        text=rules_markdown(game),
    )


def rules_markdown(game: Game[Any]) -> str:
    """Return the rules in Markdown, with the options and how unclear points are played."""
    return "\n".join([f"# {game.title}", "", game.goal, *_paragraphs(game), ""])


def play_prompt(name: str | None, opponent: str | None) -> str:
    """Return the prompt that asks a model to play a match to its end."""
    kind = find(name) if name else None
    other = check_opponent(opponent or MEDIUM)
    game = f"{kind.title} ({kind.slug})" if kind else "a game you choose with list_games"
    return (
        f"Play a match of bitduel: {game}, against {other}. Read the rules with the tool rules, start the match with "
        f"start_match (opponent {other}), and play it to the end with move. The `next` field of every result tells you "
        "what to do. Give the reason for each move in one sentence. When it is over, call review and describe the "
        "turning points."
    )


def _describe(kind: GameClass) -> responses.GameResult:
    options = [
        responses.OptionResult(
            name=o.name, default=o.default, help=o.help, secret=o.is_secret, allowed=within_limits(o).schema
        )
        for o in kind.declared_options
    ]
    return responses.GameResult(
        slug=kind.slug, short=kind.short, title=kind.title, aim=kind.aim, hidden=kind().is_hidden, options=options
    )


def _paragraphs(game: Game[Any]) -> Iterator[str]:
    for paragraph in game.words.rules():
        yield from ("", paragraph)
    yield from ("", f"Moves: {', '.join(f'`{move}`' for move in game.moves if move != PASS)}.")
    yield from ("", "## Options", "")
    for option in game.declared_options:
        yield from _option_lines(within_limits(option))
    if game.words.readings:
        yield from ("", "## Where the rulebook is unclear", "")
    for reading in game.words.readings:
        yield f"- {reading.point}. The rulebook says: {reading.rulebook} We play: {reading.default}"


def _option_lines(option: Option) -> Iterator[str]:
    yield f"- `{option.name}` ({option.default if option.default != '' else 'random'}): {option.help}"
    if isinstance(option, ChoiceOption):
        for value, meaning in option.choices.items():
            yield f"  - `{value}`: {meaning}"
    else:
        yield f"  - {option.allowed}"


TOOLS = {
    "list_games": _tool(
        list_games,
        "List the games, their options with the allowed values, and the opponents.",
    ),
    "rules": _tool(
        rules,
        "Read the rules of a game, with the options you choose: its aim, its moves, and how unclear points are played.",
    ),
    "start_match": _tool(
        start_match,
        "Start a match against a program, or against another client or a person to whom you pass on the invitation. "
        "Or join another player's match with its invitation. Returns the match_id and the secret token of your seat, "
        "which the other tools need.",
        changes_match=True,
        is_idempotent=False,
    ),
    "view": _tool(
        view,
        "View a match: with your token as your seat sees it, without one as a spectator. Can wait for your turn.",
    ),
    "move": _tool(
        move,
        "Make a move at the current ply, which view and the last move return. A program replies at once. It is safe to "
        "send the same move again: it is not played twice. A move for the wrong ply is refused and changes nothing.",
        changes_match=True,
    ),
    "hint": _tool(
        hint,
        "Get the best moves and the reasons on your turn. In a game with hidden information, the advice uses only what "
        "your seat knows.",
        changes_match=True,
    ),
    "analyse": _tool(
        analyse,
        "Evaluate a position and every move in it, for the player to move: your own match on your turn, or any "
        "position given by game, options and moves.",
    ),
    "review": _tool(
        review,
        "Review a finished match: who was winning after every move, and which moves changed that.",
    ),
    "puzzle": _tool(
        puzzle,
        "Get the puzzle of the day, or one by date, number, id, or game and grade. Answer it, or give up.",
    ),
}
"""Every tool by its name."""
