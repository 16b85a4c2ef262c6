"""`bitduel resume [ID]`: go on with a match."""

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError, shown
from bitduel.core.match import Match, other
from bitduel.games import make
from bitduel.storage import Store, StoredMatch, open_store
from bitduel.storage.presentation import summary
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.play import RoundSeries, Setup, with_farewell
from bitduel.terminal.screen import Screen, open_screen

EXAMPLES = """\b
Examples:
  bitduel resume
  bitduel resume k7m
"""


class NothingLeftError(BitduelError):
    """No match that could go on."""

    status = 1


@click.command("resume", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@click.option("--plain", is_flag=True, help="Just the lines: no colour, no pictures. A pipe gets this too.")
@db_option
def command(match_id: str | None, plain: bool, db: str | None) -> None:
    """Go on with the match ID, or with the newest one that was left; the score of its rounds included."""
    go_on_with(match_id, db, open_screen(plain))


def go_on_with(match_id: str | None, db: str | None, screen: Screen) -> None:
    """Go on with a sitting at a screen."""
    with open_store(db) as store:
        rounds = rounds_of(store, match_id)
        taken = bool(store.seats.owners(rounds[-1].sitting))
    last = rounds[-1]
    match = last.match()
    check_players(last)
    if taken and match.game.hidden:
        raise TakenError(f"The seats of match {last.id} are taken elsewhere; only who has one may see what is hidden.")
    setup = Setup(make(last.game, last.options), last.players, last.names, rounds=last.rounds)
    if screen.fancy:
        screen.say([*summary(last, match), ""])
    with Autosave(db, last.players, last.names, last.rounds) as keeper:
        keeper.sitting = last.sitting
        sitting = RoundSeries(setup, screen, keeper)
        for kept in rounds:
            if kept.outcome:
                sitting.score.add(kept.outcome)
        with_farewell(lambda: go_on(sitting, keeper, last, match), screen, keeper)


class TakenError(BitduelError):
    """A match in the dark that others play, on the site or by a program."""

    status = 1


class UnsafePlayerError(BitduelError):
    """A player that a kept match may not start."""

    status = 1


def check_players(kept: StoredMatch) -> None:
    """Only what is built in is started from a kept match; anything else could run a stranger's command."""
    for spec in kept.players:
        if not spec.is_safe:
            raise UnsafePlayerError(
                f"This match was played by '{shown(str(spec))}', which cannot be started from a kept match."
            )


def rounds_of(store: Store, match_id: str | None) -> list[StoredMatch]:
    """The rounds so far of the sitting that is to go on."""
    kept = store.get(match_id) if match_id else store.unfinished()
    if kept is None:
        raise NothingLeftError("There is no match to go on with.")
    rounds = store.sitting(kept.sitting)
    if rounds[-1].outcome and rounds[-1].round == rounds[-1].rounds:
        raise NothingLeftError("This match is over.")
    return rounds


def go_on(sitting: RoundSeries, keeper: Autosave, last: StoredMatch, match: Match) -> None:
    """From the round that is under way, or with the next one."""
    if match.outcome:
        sitting.go_on(other(last.first))
        return
    keeper.goes_on(last.id, len(last.moves), last.backs)
    sitting.go_on(last.first, match)
