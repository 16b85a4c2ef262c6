"""`bitduel prove GAME`: a certificate that a short script accepts."""

from pathlib import Path
from shlex import quote

import click

from bitduel.core.certificate import Certificate
from bitduel.core.errors import BitduelError, shown
from bitduel.games import Kind
from bitduel.terminal.parameters import game_argument, make_game, set_option

EXAMPLES = """\b
Examples:
  bitduel prove 64 -o 64.json
  bitduel prove bits --set edge=strict > bits.json
  bitduel prove double --set target=1000000000 -o large.json
  bitduel prove battle --set bits=3 -o battle.json
"""
STANDARD_OUTPUT = "-"


@click.command("prove", epilog=EXAMPLES)
@game_argument
@set_option
@click.option("-o", "--out", default=STANDARD_OUTPUT, metavar="FILE", help="Where to write it; '-' is standard output.")
def command(kind: Kind, settings: tuple[str, ...], out: str) -> None:
    """Write a certificate of who wins GAME, as JSON, to a file or to standard output.

    A script in checkers/, which is under 50 lines and needs nothing but Python, states the rules by itself and accepts
    the certificate, or refuses one in which anything was changed. docs/proofs.md tells the format.
    """
    from bitduel.solver.prove import prove
    from bitduel.terminal.screen import open_screen

    game = make_game(kind, settings)
    check_place(out)
    screen = open_screen(plain=False, asks=False)
    with screen.busy(f"Proving {game.title} ..."):
        found = prove(game)
        text = found.text()
    if out == STANDARD_OUTPUT:
        print(text, end="")
        return
    write(Path(out), text)
    screen.say(report(found, out))


def report(found: Certificate, out: str) -> list[str]:
    """What was written, and how to check it."""
    said = [f"The certificate is in {out}: {found.about}."]
    return [*said, f"Check it: python3 checkers/{found.checker}.py {quote(out)}"] if found.checker else said


def check_place(out: str) -> None:
    """Say before a long proof that it could not be written."""
    why = "there is no such place for a file"
    try:
        fits = out == STANDARD_OUTPUT or (bool(out) and Path(out).parent.is_dir())
        if fits and Path(out).is_dir():
            fits, why = False, "that is a folder"
    except (OSError, ValueError):
        fits = False
    if not fits:
        raise BitduelError(f"The certificate cannot be written to '{shown(out)}': {why}.")


def write(path: Path, text: str) -> None:
    """Put the certificate into a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BitduelError(f"The certificate cannot be written to '{shown(str(path))}': {why}.") from None
