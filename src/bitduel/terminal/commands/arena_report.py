"""`bitduel arena report FOLDER`: what came out of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bitduel.arena.names import called
from bitduel.core.errors import BitduelError, shown
from bitduel.terminal.text import PAPER, fold, folded, padded, wide

if TYPE_CHECKING:
    from bitduel.arena.intervals import Estimate
    from bitduel.arena.measures import Measured
    from bitduel.arena.report import Report

EXAMPLES = """\b
Examples:
  bitduel arena report results
  bitduel arena report results -o results.html
  bitduel arena report results --json > results.json
  bitduel arena report results --show double-17
"""
PAGE = "report.html"
WIDTH, NAME, SHORTEST = 80, 24, 10
HEADS = ("player", "matches", "score", "95 in 100", "strength", "regret", "95 in 100", "faults")


@click.command("report", epilog=EXAMPLES)
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write the page.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, and write no page.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a row for each player and game, and write no page.")
@click.option("--show", metavar="ID", help="Print one match by its id, move by move, and write no page.")
def command(folder: Path, out: Path | None, as_json: bool, as_csv: bool, show: str | None) -> None:
    """Tell what came out of the run in FOLDER: a table here, and everything in FOLDER/report.html.

    The page needs nothing else: it can be sent, printed and kept. docs/arena-measures.md says what each number means.
    """
    if as_json + as_csv + (show is not None) + (out is not None) > 1:
        raise BitduelError("Choose one of --out, --json, --csv and --show.")
    if show is not None:
        print("\n".join(game_lines(folder, show)))
        return
    from bitduel.arena.report import build
    from bitduel.arena.report_files import as_csv as csv_of
    from bitduel.arena.report_files import as_json as json_of
    from bitduel.terminal.screen import open_screen

    screen = open_screen(plain=False, asks=False)
    with screen.busy("Reading the matches ..."):
        report = build(folder)
    if as_json or as_csv:
        print(json_of(report) if as_json else csv_of(report), end="")
        return
    path = out or folder / PAGE
    write(path, report)
    screen.say([*told(report, screen.width), f"The whole report is in {shown(str(path), PAPER)}."])


def write(path: Path, report: "Report") -> None:
    """Put the page into its file."""
    from bitduel.arena.report_page import page
    from bitduel.core.folders import write_whole

    try:
        write_whole(path, page(report))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BitduelError(f"The report cannot be written to '{shown(str(path))}': {why}.") from None


def told(report: "Report", width: int = WIDTH) -> list[str]:
    """The summary, and a table that fits a terminal."""
    from bitduel.arena.report_words import summary

    width = min(width, WIDTH)
    words = [line for sentence in summary(report) for line in fold(sentence, width)]
    return [*words, "", *table(report, width), ""]


def table(report: "Report", width: int) -> list[str]:
    """Every player in a line, or one below the other where there is too little room."""
    strengths = {each.player: f"{each.points.value:+.0f}" for each in report.strengths.players}
    rows = [HEADS, *(row(each, strengths.get(each.player, "-")) for each in report.measured)]
    sizes = [max(wide(each[at]) for each in rows) for at in range(len(HEADS))]
    room = width - sum(sizes[1:]) - 2 * len(sizes[1:])
    if room < min(sizes[0], SHORTEST):
        return [line for each in rows[1:] for line in below_each_other(each, width)][:-1]
    sizes[0] = min(sizes[0], room)
    cells = ([called(each[0], sizes[0]), *each[1:]] for each in rows)
    return ["  ".join(padded(*cell) for cell in zip(each, sizes, strict=True)).rstrip() for each in cells]


def below_each_other(each: tuple[str, ...], width: int) -> list[str]:
    """One player in lines of its own."""
    player, matches, score, sure, strength, regret, sure_regret, faults = each
    lines = [
        called(player, width),
        f"  matches {matches}, faults {faults}, strength {strength}",
        f"  score {score} (95 in 100: {sure})",
        f"  regret {regret} (95 in 100: {sure_regret})",
    ]
    return [*folded(lines, width, 2), ""]


def row(each: "Measured", strength: str) -> tuple[str, ...]:
    """One player in a line."""
    standing, play = each.standing, each.play
    score, regret = standing.score, play.regret
    return (
        called(each.player, WIDTH),
        str(standing.all.games),
        f"{score.value:.3f}" if score else "-",
        interval(score),
        strength,
        f"{regret.value:.4f}" if regret else "-",
        interval(regret),
        str(sum(play.faults.values())),
    )


def interval(estimate: "Estimate | None") -> str:
    """From where to where, in little room."""
    return "-" if estimate is None or estimate.is_open else "{:.2f}-{:.2f}".format(*estimate.ends)


def game_lines(folder: Path, wanted: str) -> list[str]:
    """One game of a run, move by move, with what each gave away."""
    from bitduel.arena.game_record import games_file, read
    from bitduel.arena.report_page import ending

    first, found = "", None
    for each in read(games_file(folder)):
        first = first or f"; the first is '{shown(each.id)}'"
        if each.id == wanted:
            found = each
            break
    if found is None:
        raise BitduelError(f"There is no match '{shown(wanted)}' in '{shown(str(folder))}'{first}.")
    names = [called(name, NAME) for name in found.seats]
    chosen = " ".join(f"{name}={value}" for name, value in found.options.items())
    lines = [shown(f"{found.game} {chosen}".strip(), WIDTH), f"{names[0]} - {names[1]}: {ending(found)}"]
    lines += [f"dealt: {shown(found.deal)}"] if found.deal else []
    lines += [f"fault: {shown(found.fault, WIDTH)}"] if found.fault else []
    for ply, (move, loss) in enumerate(zip(found.moves, found.losses, strict=True)):
        gave = f"  gave away {loss:.3f}" if loss else ""
        lines.append(f"{ply + 1:4}. {padded(names[ply % 2], NAME)}  {shown(move)}{gave}")
    return lines
