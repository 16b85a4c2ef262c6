"""`bitduel arena run PLAYER PLAYER...`: every player against every other, measured."""

import json
from pathlib import Path

import click
from click.core import ParameterSource

from bitduel.arena.presets import PRESETS, ArenaPreset, PresetError
from bitduel.arena.schedule import MAX_PLIES
from bitduel.core.errors import unknown
from bitduel.core.move_plan import either
from bitduel.players.limits import PlayerLimits
from bitduel.players.llm.cli_options import llm_options, llm_terms
from bitduel.players.spec import Spec, parse
from bitduel.terminal.parameters import PlayerType, read_settings, set_option

EXAMPLES = """\b
Examples:
  bitduel arena run perfect random --out results
  bitduel arena run easy medium hard --games 64,bits --rounds 500 --jobs 2 --out results
  bitduel arena run medium "bot:python my_bot.py" --games double --seconds 2 --out results
  bitduel arena run perfect level:3 --games double --set target=100 --out results --json
  bitduel arena run "bot:python my_bot.py" --preset reference --jobs 2 --out results
  bitduel arena run llm:qwen3 perfect --preset gg-bench --llm-url http://localhost:11434/v1 --out results
"""


SETTLED = {"games": "games", "rounds": "rounds", "seed": "seed", "settings": "set", "max_plies": "max-plies"}
"""What a preset settles, by the option that says otherwise."""


def _preset(_context: click.Context, _parameter: click.Parameter, name: str | None) -> ArenaPreset | None:
    if name is None:
        return None
    if name not in PRESETS:
        raise unknown("preset", name, sorted(PRESETS))
    return PRESETS[name]


def _leave_settled(preset: ArenaPreset) -> None:
    """Raises PresetError where an option is given that the preset settles."""
    context = click.get_current_context()
    for name, option in SETTLED.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise PresetError(f"The preset {preset.name} settles --{option}; leave it out, or leave out the preset.")


@click.command("run", epilog=EXAMPLES)
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...", type=PlayerType())
@click.option("--preset", metavar="NAME", callback=_preset, help=f"A settled run: {either(sorted(PRESETS))}.")
@click.option(
    "--games", default="all", metavar="all|LIST", show_default=True, help="The games, with commas between them."
)
@set_option
@click.option("--rounds", default=1, metavar="N", show_default=True, help="Two games a round, seats swapped.")
@click.option("--seed", default=0, metavar="N", show_default=True, help="The same seed gives the same games.")
@click.option("--jobs", default=1, metavar="N", show_default=True, help="So many processes play.")
@click.option("--dask", metavar="tcp://...", help="Play on the Dask cluster that is there.")
@click.option(
    "--seconds", default=10.0, metavar="S", show_default=True, help="For each move of a program from outside."
)
@click.option(
    "--max-plies",
    default=MAX_PLIES,
    metavar="N",
    show_default=True,
    help="A game that takes longer is a draw, abandoned.",
)
@click.option(
    "--trust-bots", is_flag=True, help="Bots have the network, and may write files; the report says so beside results."
)
@click.option(
    "--out",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the rows are kept; a run that was interrupted goes on there.",
)
@llm_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def command(
    players: tuple[Spec, ...],
    games: str,
    settings: tuple[str, ...],
    rounds: int,
    seed: int,
    jobs: int,
    dask: str | None,
    seconds: float,
    max_plies: int,
    trust_bots: bool,
    out: Path,
    llm_url: str,
    llm_set: tuple[str, ...],
    llm_log: str | None,
    preset: ArenaPreset | None,
    as_json: bool,
) -> None:
    """Let every PLAYER meet every other in every game, and keep a row for each game in FOLDER/games.jsonl.

    Each round is two games with the same deal, seats swapped. Asked for again, a run goes on where it stopped.
    """
    from bitduel.arena.runner import check, play_plan
    from bitduel.arena.schedule import make_plan
    from bitduel.terminal.computer_turns import announced, last_lines, watching
    from bitduel.terminal.screen import open_screen

    if preset:
        _leave_settled(preset)
        preset.check_talk(llm_set)
        games, rounds, seed, llm_set = preset.games, preset.rounds, preset.seed, (*llm_set, *preset.talk)
        players = (*players, *(spec for spec in map(parse, preset.players) if spec not in players))
    terms = llm_terms(llm_url, llm_set, llm_log, PlayerLimits(seconds))
    plan = make_plan(players, games, read_settings(settings), rounds, seed, terms, max_plies, trust_bots)
    with open_screen(plain=False, asks=False).busy("Looking at the games ..."):
        check(plan, jobs)
    if not as_json:
        print("\n".join(announced(plan)), flush=True)
    with watching(plan, quiet=as_json) as watch:
        found = play_plan(plan, jobs, dask, out, watch)
    if as_json:
        print(json.dumps(found.as_data()))
    else:
        print("\n".join(last_lines(found)))
