"""`bitduel solve`, `atlas`, `prove` and `check`: values of positions, proofs of them, and soundness of rules."""

import json
import sys
from copy import copy
from math import prod
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from bitduel.core.errors import BitduelError, OptionError, printable
from bitduel.core.evaluation import DRAW, UNKNOWN_EVALUATION, Evaluator
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.phrases import choice_phrases, evaluation_phrase, game_phrase
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass
from bitduel.terminal.output_files import STANDARD_OUTPUT, check_path, write_file
from bitduel.terminal.parameters import (
    RangeType,
    command,
    game_argument,
    json_option,
    make_game,
    read_settings,
    set_option,
)
from bitduel.terminal.screen import open_screen, progress_bar
from bitduel.terminal.text import listing

if TYPE_CHECKING:
    from bitduel.solver.analysis import PositionAnalysis
    from bitduel.testing import ConformanceReport

LONGEST_LINE = 40
LONGEST_DRAWN_LINE = 6


@command(
    "solve",
    "bitduel solve 64",
    'bitduel solve bits --moves "flip 2, reset 2"',
    "bitduel solve 64 --moves add --why",
    "bitduel solve double --set target=1000 --json",
    "bitduel solve battle --set bits=3",
)
@game_argument
@set_option
@click.option("--moves", default="", metavar='"MOVE, MOVE"', help="Start from the position after these moves.")
@click.option("--why", is_flag=True, help="Also explain it like a hint: best moves, plan, and the rule behind it.")
@json_option
def solve(kind: GameClass, settings: tuple[str, ...], moves: str, why: bool, as_json: bool) -> None:
    """Show who wins GAME with perfect play, and how good each move is."""
    from bitduel.solver.analysis import analyse_position, analysis_data, match_after
    from bitduel.solver.evaluators import evaluator_for

    match = match_after(make_game(kind, settings), moves)
    screen = open_screen(as_json, asks=False)
    with screen.busy("Solving..."):
        evaluator = evaluator_for(match.game)
        analysis = analyse_position(match, evaluator)
    if as_json:
        print(json.dumps(analysis_data(match, analysis)))
        return
    screen.show(_analysis_lines(match, evaluator, analysis))
    if why and match.to_move:
        screen.show([*_hint_lines(match, evaluator), ""])
    if not match.moves:
        _show_chart(evaluator)


def _analysis_lines(match: Match, evaluator: Evaluator, analysis: "PositionAnalysis") -> list[str]:
    from bitduel.solver.certificates import is_proved

    game, view = match.game, match.view(match.to_move)
    lines = [game_phrase(game)]
    if match.outcome:
        return [*lines, *game.words.end(match.outcome, PLAYERS)]
    rows = [
        (
            choice.move,
            PASS if choice.move == PASS else game.words.leads_to(view, choice.move),
            phrase,
        )
        for choice, phrase in zip(analysis.choices, choice_phrases(analysis.choices), strict=True)
    ]
    lines += [f"{PLAYERS[match.next_seat - 1]} to move: {evaluation_phrase(analysis.evaluation)}.", ""]
    lines += [*listing(rows, sys.maxsize), ""]
    lines += [f"(assumed) {game.words.assumption()}"] if analysis.evaluation.is_assumed else []
    lines += [*_best_play(match, evaluator, analysis.value == DRAW), *evaluator.notes()]
    lines += [f"Proof: {game.proof_command(with_defaults=False)} -o FILE"] if is_proved(match, evaluator) else []
    return [*lines, ""]


def _hint_lines(match: Match, evaluator: Evaluator) -> list[str]:
    from bitduel.learning.hints import explain_moves, hint_sentences

    advice = explain_moves(evaluator, match)
    return [f"To {PLAYERS[match.next_seat - 1]}:", *hint_sentences(advice, [choice.choice.move for choice in advice])]


def _best_play(match: Match, evaluator: Evaluator, is_drawn: bool) -> list[str]:
    if match.game.has_chance:
        return []
    line = copy(match)
    while line.to_move and line.ply < match.ply + LONGEST_LINE:
        policy = evaluator.policy(line.view(line.to_move))
        line.play(max(policy, key=lambda move: policy[move]))
    best = line.moves[match.ply :]
    if is_drawn and len(best) > LONGEST_DRAWN_LINE:
        return [f"Perfect play: {', '.join(best[:LONGEST_DRAWN_LINE])}, and so on. Neither player can force a win."]
    more = "" if line.outcome else ", and so on"
    return [f"Perfect play: {', '.join(best)}{more}."]


def _show_chart(evaluator: Evaluator) -> None:
    from bitduel.solver.atlas import position_chart
    from bitduel.solver.evaluators import TableEvaluator
    from bitduel.terminal.painting import show_chart

    drawn = position_chart(evaluator) if isinstance(evaluator, TableEvaluator) else None
    if drawn:
        show_chart(drawn)


@command(
    "atlas",
    "bitduel atlas double --over target=2..200",
    "bitduel atlas 64 --over step=1..8 --over target=2..64 --svg races.svg",
    "bitduel atlas bits --over bits=1..6 --over first-move=turn,game,flip,empty",
    "bitduel atlas battle --over bits=1..5 --json",
)
@game_argument
@click.option(
    "--over",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    type=RangeType(),
    help="The values of a setting: 2..200, or 1,2,5. Use it once or twice.",
)
@set_option
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Save the picture to this file.")
@json_option
def atlas(kind: GameClass, over: tuple[str, ...], settings: tuple[str, ...], svg: Path | None, as_json: bool) -> None:
    """Show who wins GAME from the start as one or two settings change."""
    from bitduel.solver.atlas import atlas_chart, parse_axis, survey

    if len(over) > 2:
        raise OptionError("Use --over once or twice.")
    axes = [parse_axis(kind, text) for text in over]
    if len({axis.name for axis in axes}) < len(axes):
        raise OptionError(f"--over takes two different settings, not {axes[0].name} twice.")
    chosen = read_settings(settings)
    total = prod(len(axis.values) for axis in axes)
    with progress_bar("Solving") as progress:
        entries = survey(kind, axes, chosen, lambda done: progress(done, total))
    if svg:
        from bitduel.rendering.charts import chart_svg

        write_file(svg, chart_svg(atlas_chart(kind, axes, entries)), f"The picture can't be written to '{svg}'")
    if as_json:
        cells = [{**entry.options, **(entry.evaluation or UNKNOWN_EVALUATION).as_data()} for entry in entries]
        over_names = [axis.name for axis in axes]
        print(json.dumps({"game": kind.slug, "over": over_names, "options": chosen, "cells": cells}))
    elif svg:
        print(f"The picture is in {svg}.")
    else:
        from bitduel.terminal.painting import show_chart

        show_chart(atlas_chart(kind, axes, entries))


@command(
    "prove",
    "bitduel prove 64 -o 64.json",
    "bitduel prove bits --set edge=strict > bits.json",
    "bitduel prove double --set target=1000000000 -o large.json",
    "bitduel prove battle --set bits=3 -o battle.json",
)
@game_argument
@set_option
@click.option("-o", "--out", default=STANDARD_OUTPUT, metavar="FILE", help="The file. Default: standard output.")
def prove(kind: GameClass, settings: tuple[str, ...], out: str) -> None:
    """Write a proof of who wins GAME, as JSON, to a file or to standard output.

    A script in checkers/ knows the rules in under 50 lines of plain Python. It accepts the proof, or rejects one in
    which anything was changed. docs/proofs.md explains the format.
    """
    from bitduel.solver.certificates import prove

    game = make_game(kind, settings)
    problem = f"The proof can't be written to '{printable(out)}'"
    check_path(out, problem)
    screen = open_screen(plain=False, asks=False)
    with screen.busy(f"Proving {game.title}..."):
        certificate = prove(game)
        text = certificate.text()
    if out == STANDARD_OUTPUT:
        print(text, end="")
        return
    write_file(Path(out), text, problem)
    screen.show([f"The proof is in {out}: {certificate.about}."])
    if certificate.checker:
        screen.show([f"To check it: python3 checkers/{certificate.checker}.py {quote(out)}"])


class BrokenContractError(BitduelError):
    """A game that breaks the contract."""

    status = 1


@command("check", "bitduel check bits", "bitduel check bits --set edge=strict", "bitduel check my-own-game --json")
@game_argument
@set_option
@json_option
def check(kind: GameClass, settings: tuple[str, ...], as_json: bool) -> None:
    """Check that GAME works correctly, in all its rule variants or with the settings in --set.

    It plays matches, compares the rules on numbers and on arrays, and tries views, words, pictures, records,
    features and solving. Games from installed packages work too.
    """
    from bitduel.testing import examine

    game = make_game(kind, settings) if settings else kind
    screen = open_screen(as_json, asks=False)
    with screen.busy(f"Checking {kind.title}..."):
        report = examine(game)
    if as_json:
        checks = [
            {"game": repr(each.game), "check": each.sentence, "tried": each.tried, "problems": list(each.problems)}
            for each in report.checked
        ]
        print(json.dumps({"game": kind.slug, "ok": report.ok, "checks": checks}, indent=2))
    else:
        screen.show(_report_lines(kind, report))
    if not report.ok:
        raise BrokenContractError(f"{kind.title} has failed the checks.")


def _report_lines(kind: GameClass, report: "ConformanceReport") -> list[str]:
    games = len({each.game for each in report.checked})
    lines = [f"{kind.title}, {games} rule variant{'' if games == 1 else 's'}:", ""]
    for sentence in dict.fromkeys(each.sentence for each in report.checked):
        checks = [each for each in report.checked if each.sentence == sentence]
        problems = [f"           {each.game!r}: {problem}" for each in checks for problem in each.problems]
        tried = next((each.tried for each in checks if each.tried), "")
        scope = f"{tried}{' each' if len(checks) > 1 else ''}" if tried else "nothing to try"
        lines += [f"  {'WRONG' if problems else 'ok   '}  {sentence} ({scope})", *problems]
    count = len(report.problems)
    return [*lines, "", "Everything is correct." if report.ok else f"{count} problem{'' if count == 1 else 's'} found."]
