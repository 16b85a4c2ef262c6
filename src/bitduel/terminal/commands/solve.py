"""`bitduel solve GAME`: who wins, and what every move is worth."""

import json
from copy import copy
from typing import TYPE_CHECKING

import click

from bitduel.core.certificate import command as command_of
from bitduel.core.evaluation import DRAW
from bitduel.core.evaluator import Evaluator
from bitduel.core.game import PASS
from bitduel.core.hints import told
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import Kind
from bitduel.terminal.parameters import game_argument, make_game, set_option

if TYPE_CHECKING:
    from bitduel.solver.position import Judgement

EXAMPLES = """\b
Examples:
  bitduel solve 64
  bitduel solve bits --moves "flip 2, reset 2"
  bitduel solve 64 --moves add --why
  bitduel solve double --set target=1000 --json
  bitduel solve battle --set bits=3
"""
LONGEST_LINE = 40
SOME = 6
"""So many moves of a play are told in which nobody wins."""


@click.command("solve", epilog=EXAMPLES)
@game_argument
@set_option
@click.option("--moves", default="", metavar='"MOVE, MOVE"', help="Stand at the position after these moves.")
@click.option("--why", is_flag=True, help="Also say what a hint says there: the best moves, the plan, the law.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def command(kind: Kind, settings: tuple[str, ...], moves: str, why: bool, as_json: bool) -> None:
    """Show who wins GAME when both play best, and what every move is worth."""
    from bitduel.solver.evaluators import evaluator_for
    from bitduel.solver.position import as_data, judgement, stand
    from bitduel.terminal.screen import open_screen

    match = stand(make_game(kind, settings), moves)
    screen = open_screen(as_json, asks=False)
    with screen.busy("Solving ..."):
        judge = evaluator_for(match.game)
        found = judgement(match, judge)
    if as_json:
        print(json.dumps(as_data(match, found)))
        return
    screen.say(report(match, judge, found))
    if why and match.to_move:
        screen.say([*reasons(match, judge), ""])
    if not match.moves:
        show_chart(judge)


def report(match: Match, judge: Evaluator, found: "Judgement") -> list[str]:
    """The same for people."""
    game, choices = match.game, found.choices
    options = ", ".join(f"{name}={value}" for name, value in game.open_options.items())
    lines = [f"{game.title} ({options})"]
    if match.outcome:
        return [*lines, *game.words.end(match.outcome, PLAYERS)]
    lines += [f"{PLAYERS[match.next_seat - 1]} is to move and {told(found.worth)}.", ""]
    view = match.view(match.to_move)
    width = max(len(choice.move) for choice in choices)
    leads = [PASS if choice.move == PASS else game.words.leads(view, choice.move) for choice in choices]
    room = max(map(len, leads))
    lines += [f"  {c.move:<{width}}  {to:<{room}}  {told(c.worth)}" for c, to in zip(choices, leads, strict=True)]
    assumption = [f"(assumed) {game.words.assumption()}"] if found.worth.assumed else []
    return [*lines, "", *assumption, *best_play(match, judge, found), *judge.notes(), *proof(match, judge), ""]


def reasons(match: Match, judge: Evaluator) -> list[str]:
    """The hint for the player to move, who is the one that is spoken to."""
    from bitduel.core.hints import hint
    from bitduel.solver.explain import advise

    advice = advise(judge, match)
    return [f"To {PLAYERS[match.next_seat - 1]}:", *hint(advice, [choice.judged.move for choice in advice])]


def proof(match: Match, judge: Evaluator) -> list[str]:
    """The command that proves what was said: of the start, or of any position where all of them are listed."""
    from bitduel.solver.prove import is_proved

    return [f"Proof: {command_of(match.game, whole=False)} -o FILE"] if is_proved(match, judge) else []


def best_play(match: Match, judge: Evaluator, found: "Judgement") -> list[str]:
    """How the play goes when both play best; not told where it is a matter of chance."""
    if match.game.chance:
        return []
    line = copy(match)
    while line.to_move and line.ply < match.ply + LONGEST_LINE:
        mixture = judge.mixture(line.view(line.to_move))
        line.play(max(mixture, key=lambda move: mixture[move]))
    best = line.moves[match.ply :]
    if found.value == DRAW and len(best) > SOME:
        return [f"Best play: {', '.join(best[:SOME])}, and so on: neither lets the other win."]
    more = "" if line.outcome else ", and so on"
    return [f"Best play: {', '.join(best)}{more}."]


def show_chart(judge: Evaluator) -> None:
    """The whole game at a glance, where it is small."""
    from bitduel.solver.chart import chart
    from bitduel.solver.evaluators import TableEvaluator
    from bitduel.terminal.paint_chart import show_chart as show

    found = chart(judge) if isinstance(judge, TableEvaluator) else None
    if found:
        show(found)
