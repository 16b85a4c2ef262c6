"""`bitduel arena report`: the results of a run as a table, a page, JSON or CSV, and single matches of it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bitduel.arena.schedule import short_name
from bitduel.core.errors import BitduelError, printable
from bitduel.terminal.parameters import command
from bitduel.terminal.screen import open_screen
from bitduel.terminal.text import PLAIN_WIDTH, display_width, fold_lines, pad

if TYPE_CHECKING:
    from bitduel.arena.intervals import Estimate
    from bitduel.arena.measures import PlayerMeasures
    from bitduel.arena.report import Report

WIDTH, NAME_WIDTH, MIN_NAME = 80, 24, 10
HEADERS = ("player", "matches", "score", "95% CI", "strength", "regret", "95% CI", "faults")


@command(
    "report",
    "bitduel arena report results",
    "bitduel arena report results -o results.html",
    "bitduel arena report results --json > results.json",
    "bitduel arena report results --show double-17",
)
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write the page.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON instead of writing the page.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a row for each player and game instead of writing the page.")
@click.option("--show", metavar="ID", help="Print one match move by move instead of writing the page.")
def report(folder: Path, out: Path | None, as_json: bool, as_csv: bool, show: str | None) -> None:
    """Report the results in FOLDER: a table here, and the full report in FOLDER/report.html.

    The report is a single file that you can send or print. docs/arena-measures.md explains the numbers.
    """
    if as_json + as_csv + (show is not None) + (out is not None) > 1:
        raise BitduelError("Choose one of --out, --json, --csv and --show.")
    if show is not None:
        print("\n".join(_match_lines(folder, show)))
        return
    from bitduel.arena.report import build
    from bitduel.arena.report_text import as_csv as to_csv
    from bitduel.arena.report_text import as_json as to_json

    screen = open_screen(plain=False, asks=False)
    with screen.busy("Reading the matches..."):
        results = build(folder)
    if as_json or as_csv:
        print(to_json(results) if as_json else to_csv(results), end="")
        return
    path = out or folder / "report.html"
    _write_page(path, results)
    screen.show([*report_lines(results, screen.width), f"The full report is in {printable(str(path), PLAIN_WIDTH)}."])


def _write_page(path: Path, results: "Report") -> None:
    from bitduel.arena.report_page import page
    from bitduel.core.folders import write_atomically

    try:
        write_atomically(path, page(results))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BitduelError(f"The report can't be written to '{printable(str(path))}': {reason}.") from None


def report_lines(results: "Report", width: int) -> list[str]:
    """Return the summary of a run and a table of its players."""
    from bitduel.arena.report_text import summary

    width = min(width, WIDTH)
    return [*fold_lines(summary(results), width), "", *_table(results, width), ""]


def _table(results: "Report", width: int) -> list[str]:
    strengths = {each.player: f"{each.points.value:+.0f}" for each in results.strengths.players}
    rows = [HEADERS, *(_cells(each, strengths.get(each.player, "-")) for each in results.measured)]
    sizes = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    name_width = width - sum(sizes[1:]) - 2 * len(sizes[1:])
    if name_width < min(sizes[0], MIN_NAME):
        return [line for row in rows[1:] for line in _stacked(row, width)][:-1]
    sizes[0] = min(sizes[0], name_width)
    cells = ([short_name(row[0], sizes[0]), *row[1:]] for row in rows)
    return ["  ".join(pad(*cell) for cell in zip(row, sizes, strict=True)).rstrip() for row in cells]


def _stacked(row: tuple[str, ...], width: int) -> list[str]:
    player, matches, score, score_interval, strength, regret, regret_interval, faults = row
    lines = [
        short_name(player, width),
        f"  matches {matches}, faults {faults}, strength {strength}",
        f"  score {score} (95% CI {score_interval})",
        f"  regret {regret} (95% CI {regret_interval})",
    ]
    return [*fold_lines(lines, width, 2), ""]


def _cells(measured: "PlayerMeasures", strength: str) -> tuple[str, ...]:
    score, regret = measured.standing.score, measured.play.regret_per_decision
    return (
        short_name(measured.player, WIDTH),
        str(measured.standing.all.games),
        f"{score.value:.3f}" if score else "-",
        _interval(score),
        strength,
        f"{regret.value:.4f}" if regret else "-",
        _interval(regret),
        str(sum(measured.play.faults.values())),
    )


def _interval(estimate: "Estimate | None") -> str:
    return "-" if estimate is None or estimate.is_open else "{:.2f}-{:.2f}".format(*estimate.ends)


def _match_lines(folder: Path, match_id: str) -> list[str]:
    """Return one match of a run, move by move, with what each move gave away."""
    from bitduel.arena.game_record import games_file, read_rows
    from bitduel.arena.report_page import ending

    first = ""
    for record in read_rows(games_file(folder)):
        first = first or f"; the first is '{printable(record.id)}'"
        if record.id == match_id:
            break
    else:
        raise BitduelError(f"There is no match '{printable(match_id)}' in '{printable(str(folder))}'{first}.")
    names = [short_name(name, NAME_WIDTH) for name in record.seats]
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    lines = [printable(f"{record.game} {options}".strip(), WIDTH), f"{names[0]} - {names[1]}: {ending(record)}"]
    lines += [f"dealt: {printable(record.deal)}"] if record.deal else []
    lines += [f"fault: {printable(record.fault, WIDTH)}"] if record.fault else []
    for ply, (move, loss) in enumerate(zip(record.moves, record.losses, strict=True)):
        loss_note = f"  gave away {loss:.3f}" if loss else ""
        lines.append(f"{ply + 1:4}. {pad(names[ply % 2], NAME_WIDTH)}  {printable(move)}{loss_note}")
    return lines
