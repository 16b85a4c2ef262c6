"""`bitduel check GAME`: whether a game keeps the contract."""

import json
from typing import TYPE_CHECKING

import click

from bitduel.core.errors import BitduelError
from bitduel.games import Kind
from bitduel.terminal.parameters import game_argument, make_game, set_option

if TYPE_CHECKING:
    from bitduel.testing import Checked, ConformanceReport

EXAMPLES = """\b
Examples:
  bitduel check bits
  bitduel check bits --set edge=strict
  bitduel check my-own-game --json
"""


class BrokenContractError(BitduelError):
    """A game in which something was found."""

    status = 1


@click.command("check", epilog=EXAMPLES)
@game_argument
@set_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def command(kind: Kind, settings: tuple[str, ...], as_json: bool) -> None:
    """Check that GAME keeps the contract: in all its readings, or with the options of --set.

    It plays matches, compares the rules on numbers and on arrays, and tries views, words, pictures, records,
    features and solving. It works for games of installed packages too.
    """
    from bitduel.terminal.screen import open_screen
    from bitduel.testing import examine

    game = make_game(kind, settings) if settings else kind
    screen = open_screen(as_json, asks=False)
    with screen.busy(f"Checking {kind.title} ..."):
        report = examine(game)
    if as_json:
        print(json.dumps(as_data(kind, report), indent=2))
    else:
        screen.say(lines(kind, report))
    if not report.ok:
        raise BrokenContractError(f"{kind.title} does not keep the contract.")


def lines(kind: Kind, report: "ConformanceReport") -> list[str]:
    """What was tried, what was found."""
    games = list(dict.fromkeys(each.game for each in report.checked))
    said = [f"{kind.title}, {len(games)} reading{'' if len(games) == 1 else 's'}:", ""]
    for sentence in dict.fromkeys(each.sentence for each in report.checked):
        those = [each for each in report.checked if each.sentence == sentence]
        problems = [(each, problem) for each in those for problem in each.problems]
        said.append(f"  {'WRONG' if problems else 'ok   '}  {sentence}{tried(those)}")
        said += [f"           {each.game!r}: {problem}" for each, problem in problems]
    count = len(report.problems)
    found = "Everything holds." if report.ok else f"{count} problem{'' if count == 1 else 's'} found."
    return [*said, "", found]


def tried(those: list["Checked"]) -> str:
    """What the check looked at in the first reading that had something for it."""
    found = next((each.tried for each in those if each.tried), "")
    return f" ({found}{' each' if len(those) > 1 else ''})" if found else " (nothing to try)"


def as_data(kind: Kind, report: "ConformanceReport") -> dict[str, object]:
    """The report as JSON-ready data."""
    rows = [
        {"game": repr(each.game), "check": each.sentence, "tried": each.tried, "problems": list(each.problems)}
        for each in report.checked
    ]
    return {"game": kind.slug, "ok": report.ok, "checks": rows}
