"""A report for programs and spreadsheets: JSON, and CSV with a row for each player and game."""

import csv
import io
import json
from typing import Any

from bitduel.arena.intervals import Estimate
from bitduel.arena.report import Report, TitleReport

TRICKS = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""


def as_json(report: Report) -> str:
    """Everything, as one JSON object."""
    return json.dumps(report.as_data(), indent=2) + "\n"


def as_csv(report: Report) -> str:
    """One row for each player and game, under the names of the columns."""
    rows = [row for title in report.titles for row in _rows(title)]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return file.getvalue()


def _rows(title: TitleReport) -> list[dict[str, Any]]:
    strength = {each.player: each.points for each in title.strengths.players}
    luck = {each.player: each for each in title.luck}
    exploited = {each.player: each.value for each in title.exploited}
    options = " ".join(f"{name}={value}" for name, value in title.title[1])
    found = []
    for each in title.measured:
        standing, clean, play = each.standing, each.without_faults, each.play
        lucky = luck.get(each.player)
        found.append(
            {
                "game": title.title[0],
                "options": options,
                "player": each.player,
                "games": standing.all.games,
                **standing.all._asdict(),
                "abandoned": standing.abandoned,
                "points": standing.all.points,
                **_wide("score", standing.score),
                **_wide("wins_as_first", standing.wins[0]),
                **_wide("wins_as_second", standing.wins[1]),
                "games_without_faults": clean.all.games,
                **_wide("score_without_faults", clean.score),
                **_wide("strength", strength.get(each.player)),
                "moves": play.moves,
                "decisions": play.decisions,
                **_wide("regret_per_decision", play.regret),
                **_wide("blunder_rate", play.blunders),
                **_wide("won_positions_kept", play.kept),
                "pooled_regret_per_decision": play.pooled.regret,
                "pooled_blunder_rate": play.pooled.blunders,
                "pooled_won_positions_kept": play.pooled.kept,
                "faults": "; ".join(f"{kind}: {count}" for kind, count in play.faults.items()),
                "seconds_per_move": play.seconds,
                "tokens_per_move": play.tokens,
                "luck": lucky and lucky.luck,
                "explained_by_deals": lucky and lucky.explained,
                **_wide("score_without_luck", lucky and lucky.adjusted),
                **_wide("best_reply_wins", exploited.get(each.player)),
            }
        )
    return found


def _wide(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    value, low, high = estimate or (None, None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _harmless(value: object) -> object:
    """A text that a spreadsheet takes as a text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(TRICKS) else value
