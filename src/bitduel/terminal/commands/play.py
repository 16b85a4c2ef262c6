"""`bitduel play GAME`: play at one screen."""

import click

from bitduel.core.command_line import db_option
from bitduel.core.folders import data_folder
from bitduel.core.move_plan import either
from bitduel.core.words import check_names
from bitduel.games import Kind
from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.llm.cli_options import llm_options, llm_terms
from bitduel.players.spec import BOT, HUMAN, Spec, names
from bitduel.terminal.autosave import Autosave, NoKeeper
from bitduel.terminal.menu import ask_next
from bitduel.terminal.parameters import PlayerType, game_argument, make_game, set_option
from bitduel.terminal.play import Setup, play_and_leave
from bitduel.terminal.round import QuitError
from bitduel.terminal.screen import open_screen

EXAMPLES = """\b
Examples:
  bitduel play 64
  bitduel play bits --vs hard --first toss --rounds 3
  bitduel play double --set target=100 --name1 Ada --name2 Alan
  bitduel play battle --set bits=4 --seed 7
  bitduel play double --vs "bot:python my_bot.py" --seconds 2
  bitduel play double --vs llm:qwen3 --llm-url http://localhost:11434/v1
"""

PLAYER = PlayerType()


def check_address(db: str) -> None:
    """Refuse what is no address of a store before anybody begins to play."""
    from bitduel.storage.address import find_address

    find_address(db)


@click.command("play", epilog=EXAMPLES)
@game_argument
@click.option(
    "--p1",
    "player1",
    metavar="P",
    type=PLAYER,
    default=HUMAN,
    help=f"Who has the first seat: {either(names())}.",
)
@click.option("--p2", "player2", metavar="P", type=PLAYER, help="Second seat; human unless said.")
@click.option("--vs", "opponent", metavar="P", type=PLAYER, help="The same as --p2.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), default="1", help="Who starts.", show_default=True)
@click.option("--rounds", type=click.IntRange(1, 1000), default=1, help="How many rounds; the start alternates.")
@set_option
@click.option("--name1", metavar="NAME", help="What Player 1 is called.")
@click.option("--name2", metavar="NAME", help="What Player 2 is called.")
@click.option("--seed", type=int, help="Make every chance repeatable: toss, deal, random players.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=USUAL.seconds,
    help="The time of a bot for a move.",
    show_default=True,
)
@click.option("--no-notes", is_flag=True, help="No bar of what is still possible: keep it in your own mind.")
@click.option("--plain", is_flag=True, help="Just the lines: no colour, no pictures. A pipe gets this too.")
@llm_options
@click.option("--no-save", is_flag=True, help="Play without a trace.")
@db_option
def command(
    kind: Kind,
    player1: Spec,
    player2: Spec | None,
    opponent: Spec | None,
    first: str,
    rounds: int,
    settings: tuple[str, ...],
    name1: str | None,
    name2: str | None,
    seed: int | None,
    seconds: float,
    no_notes: bool,
    plain: bool,
    llm_url: str,
    llm_set: tuple[str, ...],
    llm_log: str | None,
    no_save: bool,
    db: str | None,
) -> None:
    """Play GAME here: two people at one keyboard, or against the computer."""
    if player2 and opponent:
        raise click.UsageError("--vs is the same as --p2; give one of them.")
    players = player1, player2 or opponent or Spec(HUMAN)
    hidden = (data_folder(),) if any(spec.kind == BOT for spec in players) else ()
    setup = Setup(
        game=make_game(kind, settings),
        players=players,
        names=check_names(name1, name2),
        first=first,
        rounds=rounds,
        seed=seed,
        notes=not no_notes,
        terms=llm_terms(llm_url, llm_set, llm_log, PlayerLimits(seconds, hidden=hidden)),
    ).checked()
    if db and not no_save:
        check_address(db)
    screen = open_screen(plain)
    setup = setup.called() if screen.fancy else setup
    try:
        while True:
            with NoKeeper() if no_save else Autosave(db, setup.players, setup.names, rounds) as keeper:
                finished = play_and_leave(setup, screen, keeper)
            if not (finished and screen.fancy):
                return
            setup = ask_next(setup, screen, keeper.last_id, db)
    except QuitError:
        screen.say(["Goodbye."])
