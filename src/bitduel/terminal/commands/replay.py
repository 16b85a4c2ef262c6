"""`bitduel replay ID`: a match step by step."""

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.words import Names
from bitduel.storage import open_store
from bitduel.storage.presentation import pick, summary
from bitduel.terminal.keys import can_read_keys, keys
from bitduel.terminal.screen import Screen, open_screen

EXAMPLES = """\b
Examples:
  bitduel replay k7m
  bitduel replay k7m | less
"""
KEYS = "Arrow keys or Enter and b: forwards and back. A number and Enter: that move. q: leave."

NONE = "No match has been kept yet that can be replayed."


class InTheDarkError(BitduelError):
    """A match whose moves may not be shown yet."""

    status = 1


@click.command("replay", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@db_option
def command(match_id: str | None, db: str | None) -> None:
    """Step through the match ID, or the newest, forwards and back; in a pipe, all of it at once."""
    with open_store(db) as store:
        kept, match = pick(store, match_id, lambda kept: not is_in_the_dark(kept.match()), NONE)
    if is_in_the_dark(match):
        raise InTheDarkError("This match is played in the dark; it can be replayed when it is over.")
    screen = open_screen(plain=False)
    screen.say([*summary(kept, match), ""])
    if screen.fancy and can_read_keys():
        with screen.private():
            step_through(match, kept.names, screen)
    else:
        for ply in range(match.ply + 1):
            show(match, ply, kept.names, screen)


def is_in_the_dark(match: Match) -> bool:
    """Whether the moves of a match may not be shown yet."""
    return match.game.hidden and not match.outcome


def step_through(match: Match, names: Names, screen: Screen) -> None:
    """Forwards and back by arrow keys until the reader has seen enough; a number and Enter goes to that move."""
    ply, typed = 0, ""
    with keys() as read_key:
        show_alone(match, ply, names, screen)
        while (key := read_key()) != "quit":
            if key.isascii() and key.isdigit():
                typed = (typed + key)[-9:]
                continue
            wanted = int(typed) if typed and key == "next" else _moved(key, ply, match.ply)
            typed = ""
            if wanted is not None and wanted > match.ply == ply:
                return
            ply = ply if wanted is None else min(wanted, match.ply)
            show_alone(match, ply, names, screen)


def _moved(key: str, ply: int, last: int) -> int | None:
    """Where a key leads, or None if nowhere."""
    return {"next": ply + 1, "back": max(0, ply - 1), "start": 0, "end": last}.get(key)


def show_alone(match: Match, ply: int, names: Names, screen: Screen) -> None:
    """One position on a screen of its own, and the keys below it."""
    screen.clear()
    show(match, ply, names, screen)
    screen.say([KEYS], "quiet")


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
