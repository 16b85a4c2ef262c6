"""The list of tools: what each is called, what it takes and gives, and what does the work."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import BaseModel

from bitduel.mcp import requests, responses
from bitduel.mcp.analysis_tools import analyse, hint, puzzle, review
from bitduel.mcp.game_tools import list_games, rules
from bitduel.mcp.match_tools import move, start_match, view
from bitduel.service.match_service import MatchService


class Tool(NamedTuple):
    """One thing that a client can ask for."""

    about: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    work: Callable[[MatchService, Any], BaseModel]
    changes: bool = False
    """Whether it changes a match."""
    again: bool = True
    """Whether asking twice changes no more than asking once."""


TOOLS = {
    "list_games": Tool(
        "List the games, their options with the values that each can have, and the opponents.",
        requests.ListGames,
        responses.GamesTold,
        list_games,
    ),
    "rules": Tool(
        "Read the rules of a game, with options chosen if you like: its aim, its moves, and how open points are read.",
        requests.Rules,
        responses.RulesTold,
        rules,
    ),
    "start_match": Tool(
        "Open a match against a program or, by an invitation that you pass on, against another client or a person; or "
        "take the free seat of another's match by its invitation. Gives the match_id and the secret token of your "
        "seat, which the other tools need.",
        requests.StartMatch,
        responses.SeatTold,
        start_match,
        changes=True,
        again=False,
    ),
    "view": Tool(
        "See a match: with your token as your seat sees it, without one as a spectator. Waits for your turn if asked.",
        requests.Look,
        responses.MatchTold,
        view,
    ),
    "move": Tool(
        "Make a move at the ply that view or the last move told; a program answers at once. Sent again it is not made "
        "twice, and at another ply it is refused and changes nothing.",
        requests.MoveToolRequest,
        responses.MatchTold,
        move,
        changes=True,
    ),
    "hint": Tool(
        "Ask for the best moves and why, when it is your turn. In a game in the dark, from what your seat knows.",
        requests.Hint,
        responses.HintTold,
        hint,
        changes=True,
    ),
    "analyse": Tool(
        "Tell what a position is worth to the player to move, and every move there: of your own match when it is your "
        "turn, or of any position by game, options and moves.",
        requests.Analyse,
        responses.AnalysisTold,
        analyse,
    ),
    "review": Tool(
        "Look back at a match that is over: how it stood after every move, and where somebody went wrong.",
        requests.ReviewRequest,
        responses.ReviewTold,
        review,
    ),
    "puzzle": Tool(
        "Get the puzzle of the day, of a date, of a number, or one of a game and grade; answer it, or give up.",
        requests.PuzzleToolRequest,
        responses.PuzzleTold,
        puzzle,
    ),
}
"""Every tool by its name."""
