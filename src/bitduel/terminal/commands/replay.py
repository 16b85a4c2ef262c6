"""`bitduel replay ID`: a match step by step."""

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.words import Names
from bitduel.store import open_store
from bitduel.store.telling import pick, summary
from bitduel.terminal.screen import Screen, open_screen

EXAMPLES = """\b
Examples:
  bitduel replay k7m
  bitduel replay k7m | less
"""
PROMPT = "Enter: next   b: back   a number: that move   q: leave   > "


class InTheDarkError(BitduelError):
    """A match whose moves may not be shown yet."""

    status = 1


@click.command("replay", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@db_option
def command(match_id: str | None, db: str | None) -> None:
    """Step through the match ID, or the newest, forwards and back; in a pipe, all of it at once."""
    with open_store(db) as store:
        kept, match = pick(store, match_id)
    if match.game.hidden and not match.outcome:
        raise InTheDarkError("This match is played in the dark; it can be replayed when it is over.")
    screen = open_screen(plain=False)
    screen.say([*summary(kept, match), ""])
    if screen.fancy:
        step_through(match, kept.names, screen)
    else:
        for ply in range(match.ply + 1):
            show(match, ply, kept.names, screen)


def step_through(match: Match, names: Names, screen: Screen) -> None:
    """Forwards and back until the reader has seen enough."""
    ply = 0
    while True:
        show(match, ply, names, screen)
        answer = screen.ask(PROMPT).strip().lower()
        if answer in ("q", "quit"):
            return
        if answer.isascii() and answer.isdigit():
            ply = min(int(answer[:9]), match.ply)
        elif answer == "b":
            ply = max(0, ply - 1)
        elif ply == match.ply:
            return
        else:
            ply += 1


def show(match: Match, ply: int, names: Names, screen: Screen) -> None:
    """The position after so many moves, the move that led there, and at the end how it ended."""
    if ply:
        name, move = names[match.seat_at(ply - 1) - 1], match.moves[ply - 1]
        said = match.game.words.passed(name) if move == PASS else f"{ply}. {name}: {move}"
        screen.say([said], "turn")
    picture = match.game.picture(match.hindsight(ply), names)
    screen.say([f"   {picture.caption}"] if not screen.fancy else [])
    screen.draw(picture)
    if ply == match.ply and match.outcome:
        screen.say([*match.game.words.end(match.outcome, names), *match.game.words.reveal(match.view(None))], "ending")
