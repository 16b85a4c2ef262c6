"""`bitduel play` and `bitduel resume`: play matches at one screen."""

import click

from bitduel.core.folders import data_folder, db_option
from bitduel.core.phrases import join_with_or
from bitduel.core.words import check_names
from bitduel.games.registry import GameClass
from bitduel.players.settings import DEFAULT_LIMITS, PlayerLimits, llm_limits, llm_options
from bitduel.players.spec import BOT, HUMAN, Spec, spec_forms
from bitduel.terminal.autosave import Autosave, NoAutosave
from bitduel.terminal.menu import Menu, ask_next
from bitduel.terminal.parameters import (
    PlayerType,
    command,
    game_argument,
    make_game,
    match_argument,
    plain_option,
    set_option,
)
from bitduel.terminal.prompts import QuitError
from bitduel.terminal.screen import open_screen
from bitduel.terminal.series import Setup, play_series, resume_series

PLAYER = PlayerType()


@command(
    "play",
    "bitduel play 64",
    "bitduel play bits --vs hard --first toss --rounds 3",
    "bitduel play double --set target=100 --name1 Ada --name2 Alan",
    "bitduel play battle --set bits=4 --seed 7",
    'bitduel play double --vs "bot:python my_bot.py" --seconds 2',
    "bitduel play double --vs llm:qwen3 --llm-url http://localhost:11434/v1",
)
@game_argument
@click.option(
    "--p1",
    "player1",
    metavar="P",
    type=PLAYER,
    default=HUMAN,
    help=f"Player 1: {join_with_or(spec_forms())}.",
)
@click.option("--p2", "player2", metavar="P", type=PLAYER, help="Player 2. Default: human.")
@click.option("--vs", "opponent", metavar="P", type=PLAYER, help="The same as --p2.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), default="1", help="Who starts.", show_default=True)
@click.option(
    "--rounds",
    metavar="N",
    type=click.IntRange(1, 1000),
    default=1,
    help="Number of rounds. Players take turns to start.",
)
@set_option
@click.option("--name1", metavar="NAME", help="Player 1's name.")
@click.option("--name2", metavar="NAME", help="Player 2's name.")
@click.option(
    "--seed",
    metavar="N",
    type=int,
    help="Make the coin toss, the secret and the computer's random choices the same every time.",
)
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(0, min_open=True),
    default=DEFAULT_LIMITS.seconds,
    help="Time limit per move for a bot, in seconds.",
    show_default=True,
)
@click.option("--no-notes", is_flag=True, help="Hide the bar of possible numbers and keep track yourself.")
@plain_option
@llm_options
@click.option("--no-save", is_flag=True, help="Don't save the match.")
@db_option
def play(
    kind: GameClass,
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
        raise click.UsageError("--vs and --p2 mean the same. Use only one of them.")
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
        limits=llm_limits(llm_url, llm_set, llm_log, PlayerLimits(seconds, hidden=hidden)),
    ).checked()
    if db and not no_save:
        from bitduel.storage.address import find_address

        find_address(db)  # refuses what is no address before anybody begins to play
    screen = open_screen(plain)
    setup = setup.with_program_names() if screen.is_interactive else setup
    try:
        while True:
            with NoAutosave() if no_save else Autosave(db, setup.players, setup.names, rounds) as autosave:
                starter = play_series(setup, screen, autosave)
            if starter is None or not screen.is_terminal:
                return
            following = ask_next(setup, screen, autosave.last_id, starter, db)
            if following is None:
                Menu(screen, db, is_saved=not no_save).run()
            else:
                setup = following
    except QuitError:
        screen.show(["Goodbye."])


@command("resume", "bitduel resume", "bitduel resume k7m")
@match_argument
@plain_option
@db_option
def resume(match_id: str | None, plain: bool, db: str | None) -> None:
    """Continue match ID, or the latest unfinished match, keeping the score."""
    resume_series(match_id, db, open_screen(plain))
