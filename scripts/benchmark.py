"""The reference results of docs/benchmark.md, played anew; `--write` puts them into the document."""

import sys
from pathlib import Path

from bitduel.arena.game_record import parse_row
from bitduel.arena.intervals import Estimate
from bitduel.arena.measures import PlayerMeasures, measure
from bitduel.arena.runner import run
from bitduel.arena.schedule import PRESETS
from bitduel.arena.strength import fit_strengths
from bitduel.arena.tally import RunTally
from bitduel.games.registry import find

REFERENCE = PRESETS["reference"]
LADDER = ("perfect", "level:8", "level:4", "level:2", "level:1", "random")
RUNS = {"reference": REFERENCE.players, "ladder": LADDER}
DOCUMENT = Path(__file__).parent.parent / "docs" / "benchmark.md"


def played(players: tuple[str, ...]) -> RunTally:
    """All games of these players on the terms of the reference."""
    return RunTally(map(parse_row, run(players, rounds=REFERENCE.rounds, seed=REFERENCE.seed).lines))


def tables(found: RunTally) -> str:
    """Everybody over all games, and what each gave away in each."""
    strong = {each.player: each.points for each in fit_strengths(found.clusters()).players}
    overall = measure(found)
    titles = sorted({pairing.title for pairing in found.pairs}, key=lambda title: find(title[0]).title)
    lines = [
        "| player | games | score | strength | loss per decision | blunders | winning positions kept |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(_overall(each, strong[each.player]) for each in overall),
        "",
        f"| loss per decision | {' | '.join(find(title[0]).title for title in titles)} |",
        f"| --- |{' --- |' * len(titles)}",
    ]
    by_title = [{each.player: each.play.regret_per_decision for each in measure(found, title)} for title in titles]
    for each in overall:
        lines.append(f"| `{each.player}` | {' | '.join(_told(game[each.player], 4) for game in by_title)} |")
    return "\n".join(lines)


def _overall(each: PlayerMeasures, strong: Estimate) -> str:
    standing, play = each.standing, each.play
    return (
        f"| `{each.player}` | {standing.all.games:,} | {_told(standing.score, 4)} | {_told(strong, 0)} | "
        f"{_told(play.regret_per_decision, 4)} | {_told(play.blunder_rate, 4)} | {_told(play.won_positions_kept, 4)} |"
    )


def _told(estimate: Estimate | None, digits: int) -> str:
    if estimate is None:
        return "-"
    value, (low, high) = estimate.value, estimate.ends
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def marked(name: str) -> tuple[str, str]:
    """Between which lines the tables of a run stand."""
    return f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"


def main() -> int:
    """Print the tables, or put them into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, players in RUNS.items():
        found = tables(played(players))
        print(f"\n{name}\n{found}")
        begin, end = marked(name)
        head, one, rest = text.partition(begin)
        _, two, rest = rest.partition(end)
        assert one, f"the document has a place for {name}"
        assert two, f"the place for {name} ends"
        text = head + begin + found + end + rest
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
