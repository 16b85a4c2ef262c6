"""A report as text: a summary in sentences, JSON, and CSV with a row for each player and game."""

import csv
import io
import json
from typing import Any

from bitduel.arena.intervals import Estimate
from bitduel.arena.report import Report, TitleReport
from bitduel.arena.schedule import short_name
from bitduel.arena.strength import Strengths
from bitduel.core.phrases import join_with_and

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of a cell that a spreadsheet would run."""


def summary(report: Report) -> list[str]:
    """Return a few sentences with the results, and how reliable they are."""
    return [
        _extent(report),
        *_strongest(report.strengths),
        *_play(report),
        *_caveats(report),
        *_luck(report),
        *_exploitability(report),
    ]


def _extent(report: Report) -> str:
    games, players, titles = report.games, len(report.measured), len(report.titles)
    where = report.titles[0].name if titles == 1 else f"{titles} different games"
    return f"{_count(games, 'match', 'matches')} between {_count(players, 'player')} at {where}."


def _strongest(found: Strengths) -> list[str]:
    if len(found.players) < 2:
        return ["There is only one player, so there is nothing to compare."]
    if found.groups > 1:
        return [
            f"The players form {found.groups} groups that never met, even indirectly. Compare strengths only within "
            "a group."
        ]
    best, *others = found.players
    near = [each for each in others if found.lead[each.player].ends[0] <= 0]
    if round(best.points.value) == round(others[-1].points.value):
        return ["All players are equally strong."]
    lead = f"{short_name(best.player)} is the strongest, at {best.points.value:+.0f} points"
    if best.points.is_open:
        sentence = f"{lead}, but there are too few rounds to say how reliable that is."
    elif not near:
        sentence = f"{lead}, clearly ahead of all others."
    elif len(near) == len(others):
        sentence = f"{lead}, but there are too few matches to separate the players."
    else:
        sentence = f"{lead}, but not clearly ahead of {_join_names([each.player for each in near])}."
    noted = [each for each in found.players if each.note][:2]
    notes = [f"{short_name(each.player)} {each.note}, so its strength has a limit on one side only." for each in noted]
    return [sentence, *notes]


def _play(report: Report) -> list[str]:
    rated = [(each.play.regret_per_decision, each) for each in report.measured if each.play.regret_per_decision]
    clean = [each for regret, each in rated if regret.value == 0]
    sentences = []
    if clean:
        decisions = sum(each.play.decisions for each in clean)
        names = _join_names([each.player for each in clean])
        sentences.append(f"{names} made no mistakes in {decisions:,} decisions.")
    regret, worst = max(rated, key=lambda each: each[0].value, default=(None, None))
    if regret and worst and regret.value > 0:
        interval = "" if regret.is_open else f" ({regret.low:.3f} to {regret.high:.3f})"
        most = f"{short_name(worst.player)} lost the most: {regret.value:.3f}{interval} points per decision"
        sentences.append(f"{most}, averaged over its matches.")
    return sentences


def _caveats(report: Report) -> list[str]:
    sentences = []
    if number := report.ended_by_fault:
        sentences.append(
            f"{_count(number, 'match', 'matches')} ended by a fault. {_each(number)} as a loss for the player at "
            "fault. Results without faults are shown as well."
        )
    if number := report.abandoned:
        sentences.append(
            f"{_count(number, 'match', 'matches')} reached the ply limit without a winner and ended as abandoned. "
            f"{_each(number)} as a draw, not as a fault."
        )
    if report.not_isolated:
        sentences.append(
            f"{_join_names(list(report.not_isolated))} played without isolation, so what a bot learned in one match "
            "may have helped it in the next. Results of bots you don't trust are not protected."
        )
    return sentences


def _luck(report: Report) -> list[str]:
    sentences = []
    for title in report.titles:
        parts = [each.explained for each in title.luck if each.explained is not None]
        if parts:
            most = f"{100 * max(parts):.0f}%"
            sentences.append(f"In {title.name}, luck explains up to {most} of a player's results.")
    return sentences


def _exploitability(report: Report) -> list[str]:
    sentences = []
    for title in report.titles:
        proved = [each for each in title.exploited if each.is_shown]
        if proved:
            worst = proved[-1]
            sentences.append(
                f"In {title.name}, {short_name(worst.player)} is the easiest to exploit: a strategy learned from half "
                f"of its matches wins {100 * worst.value.value:.0f}% of the other half."
            )
        elif title.exploited:
            sentences.append(f"In {title.name}, these matches don't show that anyone can be exploited.")
    return sentences


def _join_names(players: list[str]) -> str:
    names = [short_name(player) for player in players]
    few = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} others"]
    return join_with_and(few)


def _each(number: int) -> str:
    return "It counts" if number == 1 else "Each counts"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_json(report: Report) -> str:
    """Return everything as one JSON object."""
    return json.dumps(report.as_data(), indent=2) + "\n"


def as_csv(report: Report) -> str:
    """Return one row for each player and game, under the names of the columns."""
    rows = [row for title in report.titles for row in _rows(title)]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _escaped(value) for name, value in row.items()} for row in rows)
    return file.getvalue()


def _rows(title: TitleReport) -> list[dict[str, Any]]:
    strength = {each.player: each.points for each in title.strengths.players}
    luck = {each.player: each for each in title.luck}
    exploited = {each.player: each.value for each in title.exploited}
    rows = []
    for each in title.measured:
        standing, clean, play = each.standing, each.without_faults, each.play
        lucky = luck.get(each.player)
        rows.append(
            {
                "game": title.title[0],
                "options": " ".join(f"{name}={value}" for name, value in title.title[1]),
                "player": each.player,
                "games": standing.all.games,
                **standing.all._asdict(),
                "abandoned": standing.abandoned,
                "points": standing.all.points,
                **_columns("score", standing.score),
                **_columns("wins_as_first", standing.wins[0]),
                **_columns("wins_as_second", standing.wins[1]),
                "games_without_faults": clean.all.games,
                **_columns("score_without_faults", clean.score),
                **_columns("strength", strength.get(each.player)),
                "moves": play.moves,
                "decisions": play.decisions,
                **_columns("regret_per_decision", play.regret_per_decision),
                **_columns("blunder_rate", play.blunder_rate),
                **_columns("won_positions_kept", play.won_positions_kept),
                **{f"pooled_{name}": value for name, value in play.pooled._asdict().items()},
                "faults": "; ".join(f"{kind}: {count}" for kind, count in play.faults.items()),
                "seconds_per_move": play.seconds_per_move,
                "tokens_per_move": play.tokens_per_move,
                "luck": lucky and lucky.luck,
                "explained_by_deals": lucky and lucky.explained,
                **_columns("score_without_luck", lucky and lucky.adjusted),
                **_columns("best_reply_wins", exploited.get(each.player)),
            }
        )
    return rows


def _columns(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    value, low, high = estimate or (None, None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _escaped(value: object) -> object:
    """Return a text in a form that a spreadsheet does not run as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
