"""`bitduel history` and `bitduel stats`: the stored matches, and the results of the people who played them."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta

import click

from bitduel.core.errors import BitduelError, printable
from bitduel.core.folders import db_option
from bitduel.core.lesson import game_lesson
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import DRAWN, ENDINGS, LOST, RESIGNATION, WON, is_counted, result_for
from bitduel.games.registry import all_games, find
from bitduel.storage import StoredMatch, open_store
from bitduel.storage.presentation import as_data, players_text, replay_all, result_text, start_text
from bitduel.storage.schema import fold_name as casefolded
from bitduel.terminal.parameters import command
from bitduel.terminal.screen import has_unicode
from bitduel.terminal.text import display_width, fold_lines, line_width, listing, pad, print_error

MAX_LIMIT = 1_000_000_000
"""The highest limit that every database accepts."""
WIDE = 100
"""The width from which on matches are listed with full names."""
HEADERS = ("game", "player", "against", "played", "won", "lost", "drawn", "stayed winning", "ended early")
NONE = "-"

Replayed = list[tuple[StoredMatch, Match]]


@command(
    "history",
    "bitduel history",
    "bitduel history --game bits --result open",
    "bitduel history --player Ada --since 2026-11-01 --json",
)
@click.option("--game", help="Only this game.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@click.option(
    "--result", "wanted", type=click.Choice(["open", "1", "2", "draw"]), help="Only matches with this result."
)
@click.option("--since", metavar="DATE", help="Only matches started on this day or later, such as 2026-11-15.")
@click.option("--until", metavar="DATE", help="Only matches started on this day or earlier.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, MAX_LIMIT),
    default=20,
    show_default=True,
    help="Show at most this many.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
@db_option
def history(
    game: str | None,
    player: str | None,
    wanted: str | None,
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
    db: str | None,
) -> None:
    """List past matches, newest first."""
    slug = find(game).slug if game else None
    with open_store(db) as store:
        stored = store.matches(slug, player, wanted, _midnight(_date(since)), _midnight(_date(until), 1), limit)
    pairs = _replay(stored)
    if as_json:
        print(json.dumps([as_data(*pair) for pair in pairs], indent=2))
        return
    width = line_width()
    listed = [pair for pair in pairs if not pair[0].outcome or is_counted(pair[0].outcome)]
    rows = [
        (
            stored.id,
            start_text(stored),
            match.game.slug if width >= WIDE else match.game.short,
            players_text(stored.names, stored.players),
            _ending(stored, match),
        )
        for stored, match in listed
    ]
    for line in listing(rows, width, indent=0) if width >= WIDE else narrow_listing(rows, width):
        print(line)
    if discarded := len(pairs) - len(listed):
        print(f"({discarded} discarded {'match is' if discarded == 1 else 'matches are'} not listed.)")
    elif not rows:
        print("No matches saved yet." if not any((game, player, wanted, since, until)) else "No matches found.")


def narrow_listing(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return each match in one line, or in a few where it does not fit."""
    lines = []
    game_width = max((display_width(row[2]) for row in rows), default=0)
    for match_id, begun, game, *about in rows:
        line = "  ".join((match_id, begun, pad(game, game_width), *about))
        parts = [f"{match_id}  {begun}  {game}", *(f"    {text}" for text in about)]
        lines += [line] if display_width(line) <= width else fold_lines(parts, width)
    return lines


def _replay(stored: list[StoredMatch]) -> Replayed:
    pairs, troubles = replay_all(stored)
    for trouble in troubles:
        print_error(trouble)
    return pairs


def _ending(stored: StoredMatch, match: Match) -> str:
    if match.outcome and match.outcome.winner and match.outcome.reason == RESIGNATION:
        return f"{stored.names[other_seat(match.outcome.winner) - 1]} resigned"
    return result_text(stored, match)


def _date(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise BitduelError(f"Write the date like this: 2026-11-15, not '{printable(text)}'.") from None


def _midnight(day: date | None, days_later: int = 0) -> datetime | None:
    """Return when a day begins in local time, or None if no match can be on the other side of it."""
    if day is None:
        return None
    try:
        day += timedelta(days_later)
        return datetime(day.year, day.month, day.day).astimezone().astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@dataclass
class PlayerStats:
    """The results of one player in one game against one opponent."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    won_positions: int = 0
    won_positions_kept: int = 0
    otherwise: dict[str, int] = field(default_factory=dict)
    """The number of matches that ended otherwise than by the rules, by reason."""

    def add(self, match: Match, seat: int) -> None:
        """Count one finished match of the player on this seat."""
        from bitduel.learning.review import won_positions

        assert match.outcome
        if (reason := match.outcome.reason) in ENDINGS:
            self.otherwise[reason] = self.otherwise.get(reason, 0) + 1
        result = result_for(seat, match.outcome)
        if result is None:
            return
        self.played += 1
        self.won += result == WON
        self.lost += result == LOST
        self.drawn += result == DRAWN
        if positions := won_positions(match, seat):
            self.won_positions += positions.met
            self.won_positions_kept += positions.held

    def cells(self) -> tuple[str, ...]:
        """Return the counts as shown in the table."""
        held = f"{self.won_positions_kept} of {self.won_positions}" if self.won_positions else NONE
        otherwise = ", ".join(f"{self.otherwise[reason]} {reason}" for reason in ENDINGS if reason in self.otherwise)
        return (*map(str, (self.played, self.won, self.lost, self.drawn)), held, otherwise or NONE)


Stats = dict[tuple[str, str, str], PlayerStats]
"""Results by game, player and opponent."""


@command("stats", "bitduel stats", "bitduel stats --player Ada --json")
@click.option("--player", metavar="NAME", help="Only this player.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
@db_option
def stats(player: str | None, as_json: bool, db: str | None) -> None:
    """Show results by game and opponent, how often a winning position stayed winning, and the levels beaten."""
    with open_store(db) as store:
        finished = [stored for stored in store.matches(player=player) if stored.outcome]
    counted = _count(_replay(finished), player)
    if as_json:
        fields = ("game", "player", "opponent")
        print(json.dumps([dict(zip(fields, key, strict=True)) | asdict(s) for key, s in counted.items()], indent=2))
        return
    if counted:
        parts = [_stats_table(counted, line_width()), lamp_lines(finished, line_width(), has_unicode())]
    else:
        parts = [
            [f"No finished matches by {printable(player)} yet." if player else "No finished matches to count yet."]
        ]
    if player is None and (earned := earned_lines(line_width())):
        parts.append(earned)
    print("\n\n".join("\n".join(part) for part in parts))


def _count(pairs: Replayed, player: str | None) -> Stats:
    counted: Stats = defaultdict(PlayerStats)
    for stored, match in pairs:
        for seat, (name, spec) in enumerate(zip(stored.names, stored.players, strict=True), 1):
            if spec.is_human and (player is None or casefolded(name) == casefolded(player)):
                opponent = stored.players[other_seat(seat) - 1]
                against = stored.names[other_seat(seat) - 1] if opponent.is_human else str(opponent)
                counted[stored.game, name, against].add(match, seat)
    return dict(sorted(counted.items()))


def lamp_lines(finished: Sequence[StoredMatch], width: int, has_signs: bool) -> list[str]:
    """Return a lamp for each game and level, lit where somebody here has beaten the level."""
    from bitduel.learning.levels import LEVELS, Lamp, lit_lamps, own_matches
    from bitduel.learning.mastery import DRAW_RULE

    lit, games = lit_lamps(own_matches(finished)), all_games()
    on, off = ("●", "○") if has_signs else ("*", "-")
    title = max(len(kind.title) for kind in games)
    is_wide = title + sum(len(level) + 2 for level in LEVELS) <= width
    names = [kind.title if is_wide else kind.short for kind in games]
    size = max(map(len, names))
    turns = [[lit.get(Lamp(kind.slug, level), frozenset()) for level in LEVELS] for kind in games]
    rows = [[_lamp(on, each) if each else off for each in row] for row in turns]
    count = sum(bool(each) for row in turns for each in row)
    about = f"({on} you beat that level with the usual settings; where nobody can be sure to win, a whole match "
    rules = f"{DRAW_RULE} Matches with moves taken back or with the site's coach don't count."
    seats = f"; {on}1 only going first so far, {on}2 only going second" if count else ""
    return [
        f"Levels beaten: {count} of {len(games) * len(LEVELS)}",
        "  ".join([" " * size, *LEVELS]),
        *(
            "  ".join(
                [f"{name:<{size}}", *(f"{sign:<{len(level)}}" for sign, level in zip(row, LEVELS, strict=True))]
            ).rstrip()
            for name, row in zip(names, rows, strict=True)
        ),
        *fold_lines([f"{about}without a mistake counts too{seats}. {rules})"], width, 1),
    ]


def _lamp(sign: str, turns: frozenset[int]) -> str:
    """Return a lit lamp, with the turn where it was lit from one only."""
    return f"{sign}{next(iter(turns))}" if len(turns) == 1 else sign


def earned_lines(width: int) -> list[str]:
    """Return what somebody here has reached in lessons and puzzles, a line for each game with any."""
    from bitduel.learning.lesson_progress import open_lesson_progress
    from bitduel.learning.progress import open_puzzle_progress

    lessons, puzzles = open_lesson_progress(), open_puzzle_progress()
    lines = []
    for kind in all_games():
        lesson, solved = game_lesson(kind), puzzles.solved_phrase(kind.slug)
        parts = []
        if lesson and kind.slug in lessons.games:
            parts.append(f"lesson ({lessons.of(kind.slug).describe(len(lesson))})")
        if solved:
            parts.append(f"puzzles ({solved})")
        lines += [f"{kind.title}: {', '.join(parts)}"] * bool(parts)
    return ["Lessons and puzzles", *fold_lines(lines, width, 2)] if lines else []


def _stats_table(counted: Stats, width: int) -> list[str]:
    rows = [HEADERS, *((*key, *stats.cells()) for key, stats in counted.items())]
    sizes = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    if sum(sizes) + 2 * len(sizes) <= width:
        return ["  ".join(pad(*cell) for cell in zip(row, sizes, strict=True)).rstrip() for row in rows]
    return fold_lines((line for row in rows[1:] for line in _stats_lines(*row)), width, 2)


def _stats_lines(
    game: str, player: str, against: str, played: str, won: str, lost: str, drawn: str, held: str, otherwise: str
) -> list[str]:
    lines = [f"{game}: {player} against {against}", f"  {played} played: {won} won, {lost} lost, {drawn} drawn"]
    lines += [f"  winning positions that stayed winning: {held}"] if held != NONE else []
    lines += [f"  ended early: {otherwise}"] if otherwise != NONE else []
    return [*lines, ""]
