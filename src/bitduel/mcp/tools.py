"""The list of tools: what each is called, what it takes and gives, and what does the work."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import BaseModel

from bitduel.mcp import told, wishes
from bitduel.mcp.about import list_games, rules
from bitduel.mcp.playing import move, start_match, view
from bitduel.mcp.thinking import analyse, hint, puzzle, review
from bitduel.tables.desk import Desk


class Tool(NamedTuple):
    """One thing that a client can ask for."""

    about: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    work: Callable[[Desk, Any], BaseModel]
    changes: bool = False
    """Whether it changes a match."""
    again: bool = True
    """Whether asking twice changes no more than asking once."""


TOOLS = {
    "list_games": Tool(
        "List the games, their options with the values that each can have, and the opponents.",
        wishes.ListGames,
        told.GamesTold,
        list_games,
    ),
    "rules": Tool(
        "Read the rules of a game, with options chosen if you like: its aim, its moves, and how open points are read.",
        wishes.Rules,
        told.RulesTold,
        rules,
    ),
    "start_match": Tool(
        "Open a match against a program or, by an invitation that you pass on, against another client or a person; or "
        "take the free seat of another's match by its invitation. Gives the match_id and the secret token of your "
        "seat, which the other tools need.",
        wishes.StartMatch,
        told.SeatTold,
        start_match,
        changes=True,
        again=False,
    ),
    "view": Tool(
        "See a match: with your token as your seat sees it, without one as a spectator. Waits for your turn if asked.",
        wishes.Look,
        told.MatchTold,
        view,
    ),
    "move": Tool(
        "Make a move at the ply that view or the last move told; a program answers at once. Sent again it is not made "
        "twice, and at another ply it is refused and changes nothing.",
        wishes.NewMove,
        told.MatchTold,
        move,
        changes=True,
    ),
    "hint": Tool(
        "Ask for the best moves and why, when it is your turn. In a game in the dark, from what your seat knows.",
        wishes.Hint,
        told.HintTold,
        hint,
        changes=True,
    ),
    "analyse": Tool(
        "Tell what a position is worth to the player to move, and every move there: of your own match when it is your "
        "turn, or of any position by game, options and moves.",
        wishes.Analyse,
        told.AnalysisTold,
        analyse,
    ),
    "review": Tool(
        "Look back at a match that is over: how it stood after every move, and where somebody went wrong.",
        wishes.Review,
        told.ReviewTold,
        review,
    ),
    "puzzle": Tool(
        "Get the puzzle of the day, of a date, of a number, or one of a game and grade; answer it, or give up.",
        wishes.Puzzle,
        told.PuzzleTold,
        puzzle,
    ),
}
"""Every tool by its name."""
