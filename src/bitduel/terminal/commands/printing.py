"""`bitduel print`: sheets for a lesson, as one page of HTML to print."""

from pathlib import Path
from urllib.parse import urlsplit

import click

from bitduel.core.errors import OptionError, RequiredExtra, printable
from bitduel.games.registry import GameClass
from bitduel.terminal.output_files import STANDARD_OUTPUT, check_path, write_file, write_output
from bitduel.terminal.parameters import command, game_argument, make_game, set_option
from bitduel.terminal.screen import open_screen

LONGEST_SITE = 200
"""The letters of an address that a printed code and the line below it can hold."""


@command(
    "print",
    "bitduel print double -o double.html",
    "bitduel print 64 --sheet worksheet --answers -o 64.html",
    "bitduel print double --set target=24 --sheet worksheet --answers > race.html",
    "bitduel print bits --paper letter --site http://192.168.1.20:8000 -o bits.html",
)
@game_argument
@set_option
@click.option("--sheet", default="all", metavar="KIND", help="rules, worksheet, unplugged or all (the default).")
@click.option("--answers", is_flag=True, help="Add a sheet with the answers to the worksheet.")
@click.option("--paper", default="a4", metavar="SIZE", help="a4 (the default) or letter.")
@click.option("--site", default="", metavar="ADDRESS", help="Add a QR code to the same game on this site.")
@click.option("-o", "--out", default=STANDARD_OUTPUT, metavar="FILE", help="The file. Default: standard output.")
def print_sheets(
    kind: GameClass, settings: tuple[str, ...], sheet: str, answers: bool, paper: str, site: str, out: str
) -> None:
    """Print sheets for a lesson on GAME, as a web page in one file. Open it in a browser and print it.

    The rule sheet has one page. The worksheet has questions with answers from the solver. The unplugged version has
    pieces to cut out. docs/teaching.md has a lesson plan for every game.
    """
    from bitduel.learning.print_sheets import check_paper, chosen_kinds, document, game_address, make_sheets

    game, kinds = make_game(kind, settings), chosen_kinds(kind, sheet.lower())
    paper = check_paper(paper.lower())
    if answers and "worksheet" not in kinds:
        raise OptionError("--answers goes with a worksheet: --sheet worksheet --answers.")
    problem = f"The sheets can't be written to '{printable(out)}'"
    check_path(out, problem)
    _check_site(site)
    screen = open_screen(plain=False, asks=False)
    with screen.busy("Making the sheets..."), RequiredExtra("web", "A QR code"):
        address = game_address(site, game) if site else ""
        text = document(game, make_sheets(game, kinds, answers, address), paper, address)
    if out == STANDARD_OUTPUT:
        write_output(text)
        return
    write_file(Path(out), text, problem)
    screen.show([f"The sheets are in {out}. Open it in a browser and print it."])


def _check_site(site: str) -> None:
    if len(site) > LONGEST_SITE:
        raise OptionError(f"--site must be at most {LONGEST_SITE} characters long, not {len(site)}.")
    if site and not _is_address(site):
        raise OptionError(f"--site must be an address such as http://192.168.1.20:8000, not '{printable(site)}'.")


def _is_address(site: str) -> bool:
    """Return whether a text is the address of a site, to which a path can be added."""
    try:
        parts = urlsplit(site)
        is_whole = parts.port != 0 and bool(parts.hostname)
    except ValueError:
        return False
    is_plain = site.isprintable() and not set(site) & set(' ?#\\<>"')
    return is_whole and is_plain and parts.scheme in ("http", "https")
