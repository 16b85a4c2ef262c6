"""`bitduel solve GAME`: who wins, and what every move is worth."""

import json
from typing import Any

import click

from bitduel.core.advice import worth
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.judge import DRAW, LOSS, WIN, Judge, Judged, best
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import Kind
from bitduel.terminal.parameters import game_argument, make_game, set_option

EXAMPLES = """\b
Examples:
  bitduel solve 64
  bitduel solve bits --moves "flip 2, reset 2"
  bitduel solve double --set target=1000 --json
  bitduel solve battle --set bits=3
"""
LONGEST_LINE = 40


@click.command("solve", epilog=EXAMPLES)
@game_argument
@set_option
@click.option("--moves", default="", metavar='"MOVE, MOVE"', help="Stand at the position after these moves.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def command(kind: Kind, settings: tuple[str, ...], moves: str, as_json: bool) -> None:
    """Show who wins GAME when both play best, and what every move is worth."""
    match = stand(make_game(kind, settings), moves)
    from bitduel.solve.oracle import oracle
    from bitduel.terminal.screen import open_screen

    screen = open_screen(as_json)
    with screen.busy("Solving ..."):
        judge = oracle(match.game)
        choices = [] if match.outcome else judge.choices(match.view(match.to_move))
    if as_json:
        print(json.dumps(as_data(match, choices)))
        return
    screen.say(report(match, judge, choices))
    if not match.moves:
        show_chart(judge)


def stand(game: Game[Any], moves: str) -> Match:
    """The match after these moves; a pass that is forced need not be said."""
    texts = [" ".join(move.lower().split()) for move in moves.split(",") if move.strip()]
    if game.chance and texts and not any(game.options[o.name] for o in game.declared if o.secret):
        raise BitduelError("With --moves choose the secret too (--set secret=...), so that the feedback is known.")
    match = Match(game, deal=game.any_deal())
    for text in texts:
        if match.must_pass and text != PASS:
            match.play(PASS)
        match.play(text)
    return match


def as_data(match: Match, choices: list[Judged]) -> dict[str, object]:
    """The settled JSON object."""
    top = standing(match, choices)
    over = match.outcome and {"winner": match.outcome.winner, "reason": match.outcome.reason}
    return {
        "game": match.game.slug,
        "options": match.game.options,
        "moves": match.moves,
        "to_move": match.next_seat,
        "over": over,
        "value": top.value,
        "plies": top.plies,
        "win_probability": top.win_probability,
        "choices": [choice._asdict() for choice in choices],
    }


def standing(match: Match, choices: list[Judged]) -> Judged:
    """What the position is worth to the player to move."""
    if choices:
        return best(choices)[0]
    outcome = match.outcome
    assert outcome
    won = outcome.winner == match.next_seat
    if match.game.chance:
        return Judged("", win_probability=float(won))
    if outcome.winner is None:
        return Judged("", DRAW)
    return Judged("", WIN if won else LOSS, 0)


def report(match: Match, judge: Judge, choices: list[Judged]) -> list[str]:
    """The same for people."""
    game = match.game
    options = ", ".join(f"{name}={value}" for name, value in game.open_options.items())
    lines = [f"{game.title} ({options})"]
    if match.outcome:
        return [*lines, *game.words.end(match.outcome, PLAYERS)]
    lines += [f"{PLAYERS[match.next_seat - 1]} is to move and {worth(best(choices)[0])}.", ""]
    view = match.view(match.to_move)
    width = max(len(choice.move) for choice in choices)
    leads = [PASS if choice.move == PASS else game.words.leads(view, choice.move) for choice in choices]
    room = max(map(len, leads))
    lines += [f"  {c.move:<{width}}  {to:<{room}}  {worth(c)}" for c, to in zip(choices, leads, strict=True)]
    return [*lines, "", *best_play(match, judge), *judge.notes(), ""]


def best_play(match: Match, judge: Judge) -> list[str]:
    """How the play goes when both play best; not told where it is a matter of chance."""
    if match.game.chance:
        return []
    line = Match(match.game, match.first, match.deal, match.moves)
    while line.to_move and line.ply < match.ply + LONGEST_LINE:
        mixture = judge.mixture(line.view(line.to_move))
        line.play(max(mixture, key=lambda move: mixture[move]))
    more = "" if line.outcome else ", and so on"
    return [f"Best play: {', '.join(line.moves[match.ply :])}{more}."]


def show_chart(judge: Judge) -> None:
    """The whole game at a glance, where it is small."""
    from bitduel.solve.chart import chart
    from bitduel.solve.oracle import TableJudge
    from bitduel.terminal.paint_chart import show_chart as show

    found = chart(judge) if isinstance(judge, TableJudge) else None
    if found:
        show(found)
