"""`bitduel stats`: wins, losses, and how often a won position was kept."""

import json
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass, field

import click

from bitduel.core.command_line import db_option
from bitduel.core.endings import DRAWN, ENDINGS, LOST, WON, result_for
from bitduel.core.match import Match, other
from bitduel.storage import StoredMatch, open_store
from bitduel.storage.presentation import replayed
from bitduel.storage.statements import folded as in_small_letters
from bitduel.terminal.text import aside, columns, folded, padded, wide

EXAMPLES = """\b
Examples:
  bitduel stats
  bitduel stats --player Ada --json
"""


@dataclass
class PlayerStats:
    """What one player has to show for the matches of one game against one opponent."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    won_positions: int = 0
    won_positions_kept: int = 0
    otherwise: dict[str, int] = field(default_factory=dict)
    """How many ended otherwise than by the rules, by reason."""


Key = tuple[str, str, str]
Row = tuple[str, str, str, str, str, str, str, str, str]

HEADS: Row = ("game", "player", "against", "played", "won", "lost", "drawn", "won positions kept", "ended otherwise")
NONE = "-"
ENDLESS = 10_000
"""A file is as wide as it takes."""


@click.command("stats", epilog=EXAMPLES)
@click.option("--player", metavar="NAME", help="Only this player.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
@db_option
def command(player: str | None, as_json: bool, db: str | None) -> None:
    """Show, for each game and opponent, wins, losses and draws, and how often a won position was kept."""
    with open_store(db) as store:
        kept = [each for each in store.matches(player=player) if each.outcome]
    pairs, troubles = replayed(kept)
    for trouble in troubles:
        aside(trouble)
    tallies = count(pairs, player)
    if as_json:
        names = ("game", "player", "opponent")
        print(json.dumps([{**dict(zip(names, key, strict=True)), **asdict(t)} for key, t in tallies.items()], indent=2))
        return
    if not tallies:
        print("No match has been finished yet.")
        return
    for line in table(tallies, columns()) if sys.stdout.isatty() else table(tallies, ENDLESS):
        print(line)


def table(tallies: dict[Key, PlayerStats], room: int) -> list[str]:
    """The tallies side by side, or one below the other where there is too little room."""
    rows = [HEADS]
    for key, t in tallies.items():
        rows.append((*key, str(t.played), str(t.won), str(t.lost), str(t.drawn), share(t), otherwise(t)))
    widths = [max(wide(row[i]) for row in rows) for i in range(len(HEADS))]
    if sum(widths) + 2 * len(HEADS) <= room:
        return ["  ".join(padded(*cell) for cell in zip(row, widths, strict=True)).rstrip() for row in rows]
    return folded((line for row in rows[1:] for line in told(row)), room, 2)


def told(row: Row) -> list[str]:
    """One tally in lines of its own."""
    game, player, against, played, won, lost, drawn, held, other_ends = row
    lines = [f"{game}: {player} against {against}", f"  {played} played: {won} won, {lost} lost, {drawn} drawn"]
    lines += [f"  won positions kept: {held}"] if held != NONE else []
    lines += [f"  ended otherwise: {other_ends}"] if other_ends != NONE else []
    return [*lines, ""]


def count(pairs: list[tuple[StoredMatch, Match]], player: str | None) -> dict[Key, PlayerStats]:
    """A tally for every human, game and opponent."""
    tallies: dict[Key, PlayerStats] = defaultdict(PlayerStats)
    for each, match in pairs:
        for seat in (1, 2):
            name = each.names[seat - 1]
            if each.players[seat - 1].is_human and (
                player is None or in_small_letters(name) == in_small_letters(player)
            ):
                add(tallies[each.game, name, opponent(each, seat)], match, seat)
    return dict(sorted(tallies.items()))


def opponent(kept: StoredMatch, seat: int) -> str:
    """Another person by name, a program by what it is."""
    kind = kept.players[other(seat) - 1]
    return kept.names[other(seat) - 1] if kind.is_human else str(kind)


def add(tally: PlayerStats, match: Match, seat: int) -> None:
    """Count one finished match."""
    from bitduel.solver.statistics import won_positions

    assert match.outcome
    if (reason := match.outcome.reason) in ENDINGS:
        tally.otherwise[reason] = tally.otherwise.get(reason, 0) + 1
    result = result_for(seat, match.outcome)
    if result is None:
        return
    tally.played += 1
    tally.won += result == WON
    tally.lost += result == LOST
    tally.drawn += result == DRAWN
    found = won_positions(match, seat)
    if found:
        tally.won_positions += found.met
        tally.won_positions_kept += found.held


def otherwise(tally: PlayerStats) -> str:
    """The endings that are in no rulebook, in the order of their list."""
    found = [f"{tally.otherwise[reason]} {reason}" for reason in ENDINGS if reason in tally.otherwise]
    return ", ".join(found) or NONE


def share(tally: PlayerStats) -> str:
    """Kept of all, in words."""
    return f"{tally.won_positions_kept} of {tally.won_positions}" if tally.won_positions else NONE
