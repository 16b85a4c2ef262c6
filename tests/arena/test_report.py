"""The report: whole, self-contained, the same numbers everywhere, and harmless whatever stands in the rows."""

import csv
import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.synthetic_rows import PLAIN, line, simulated, written
from bitduel.arena.game_record import GameRecord, RowError
from bitduel.arena.report import SHOWN_GAMES, Report, build, build_from, map_blunders
from bitduel.arena.report_page import body, page, percent, seconds
from bitduel.arena.report_text import as_csv, as_json, summary
from bitduel.core.errors import BitduelError
from bitduel.games.registry import all_games, make
from bitduel.terminal.commands.arena_report import report as command

EVIL = '"><script>alert(1)</script>\x1b[31m\u202e{{7*7}}'
VOID = {"meta", "br", "img", "hr", "link", "input"}


class Whole(HTMLParser):
    """Checks that every element is closed where it should be, and keeps what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def looked_at(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Whole()
    parser.feed(html)
    assert parser.open == []
    return parser.tags


def report(rows: list[GameRecord] | None = None) -> Report:
    return build_from(rows or list(simulated({"ada": 1.0, "ben": 0.0, "cem": -1.0}, 10)), "a run")


def starts(slug: str, **more: Any) -> str:
    """A row of a game with its first legal moves."""
    from random import Random

    from bitduel.core.match import Match

    game = make(slug)
    deal = game.deal(Random(1))
    match = Match(game, 1, deal)
    while match.to_move and match.ply < 6:
        match.play(match.legal[match.ply // 2 % len(match.legal)])
    plain = {"game": slug, "options": game.open_options, "moves": match.moves, "deal": deal or None}
    return line(**{**plain, "losses": [0.25] * match.ply, **more})


def test_the_page_is_whole_and_needs_nothing_from_anywhere() -> None:
    html = page(report())
    tags = looked_at(html)
    assert {"table", "svg", "details", "style"} <= {tag for tag, _ in tags}
    assert not {"script", "link", "img", "iframe", "a"} & {tag for tag, _ in tags}
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", html)
    assert not [attrs for _, attrs in tags if any(name.startswith("on") or name == "style" for name in attrs)]
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_pictures_have_titles_and_tables_have_heads() -> None:
    html = page(report())
    assert html.count("<svg") == len(re.findall(r"<svg[^>]*role=\"img\"[^>]*><title>[^<]", html))
    assert html.count("<table") == html.count("<thead>")
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_the_page_says_in_words_what_is_in_its_numbers() -> None:
    made = report()
    said = " ".join(summary(made))
    assert "60 matches between 3 players at Double or Nothing" in said
    assert "ada is the strongest" in said
    assert "ben gave" in said or "lost the most" in said


def test_among_equals_nobody_is_called_the_strongest() -> None:
    rows = list(simulated({"ada": 0.0, "ben": 0.0}, 5))
    mirrored = [each._replace(id=f"{each.id}m", round=each.round + 100, seats=each.seats[::-1]) for each in rows]
    said = summary(report([*rows, *mirrored]))
    assert "All players are equally strong." in said
    assert not [sentence for sentence in said if "strongest" in sentence]


def test_a_hostile_name_stays_a_text(tmp_path: Path) -> None:
    odd = {"seats": [EVIL, "=cmd|x"], "faults": [{EVIL: 2}, {}], "reason": EVIL, "fault": EVIL, "id": EVIL, "winner": 2}
    folder = written(tmp_path / "<b>run", [line(**odd), line(id="2", round=1, game=EVIL, moves=[EVIL] * 3)])
    made = build(folder)
    html = page(made)
    assert not [tag for tag, _ in looked_at(html) if tag in ("script", "b>run")]
    assert "\x1b" not in html
    assert "\u202e" not in html
    assert "49" not in re.findall(r"alert\(1\).{0,40}", html)[0]
    assert all(not cell.startswith(("=", "+", "-", "@")) or _number(cell) for cells in _cells(made) for cell in cells)
    told = CliRunner().invoke(command, [str(folder)], standalone_mode=False)
    assert told.exception is None
    assert "\x1b" not in told.output


def _cells(made: Report) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(made))))


def _number(text: str) -> bool:
    return re.fullmatch(r"-?[\d.e-]+", text) is not None


def test_json_and_csv_agree_with_each_other() -> None:
    made = report()
    data = json.loads(as_json(made))
    assert set(data) == {
        "games",
        "ended_by_fault",
        "abandoned",
        "not_isolated",
        "players",
        "strength",
        "strength_without_faults",
        "cross_table",
        "by_game",
    }
    rows = list(csv.DictReader(io.StringIO(as_csv(made))))
    (game,) = data["by_game"]
    assert [row["player"] for row in rows] == [each["player"] for each in game["players"]]
    for row, each in zip(rows, game["players"], strict=True):
        assert float(row["points"]) == each["points"]
        assert float(row["score_low"]) == each["score"]["low"]
        assert float(row["regret_per_decision"]) == each["regret_per_decision"]["value"]


def test_every_key_of_the_json_is_explained() -> None:
    explained = (Path(__file__).parents[2] / "docs" / "arena-measures.md").read_text(encoding="utf-8")

    def keys(data: Any) -> set[str]:
        if isinstance(data, list):
            return {key for each in data[:1] for key in keys(each)}
        if not isinstance(data, dict):
            return set()
        free = {"options", "faults"}
        return set(data) | {key for name, each in data.items() if name not in free for key in keys(each)}

    made = report([_row(starts(kind.slug, id=kind.slug, luck=0.1)) for kind in all_games()])
    assert not sorted(key for key in keys(made.as_data()) - {"ada", "ben"} if f"`{key}`" not in explained)


def _row(text: str) -> GameRecord:
    from bitduel.arena.game_record import parse_row

    return parse_row(text.encode())


def test_every_game_on_the_shelf_has_its_places_and_its_dearest_move() -> None:
    for kind in all_games():
        rows = [_row(starts(kind.slug, id=str(n), round=n)) for n in range(3)]
        (title,) = report(rows).titles
        assert title.blunder_maps, kind
        for found in title.blunder_maps:
            assert sum(place.moves for row in found.players.values() for place in row)
            assert all(len(row) == len(found.labels) for row in found.players.values())
        assert "The most costly move" in body(report(rows))


def test_places_count_every_choice_once() -> None:
    rows = list(simulated({"ada": 1.0, "ben": 0.0}, 5))
    by_number, by_move = map_blunders(make("double-or-nothing"), rows)
    for found in (by_number, by_move):
        assert sum(place.moves for row in found.players.values() for place in row) == 3 * len(rows)
        assert sum(place.lost for row in found.players.values() for place in row) == len(rows)
    assert by_move.labels == ("add", "double")


def test_moves_that_cannot_be_followed_are_left_alone() -> None:
    rows = [_row(line(moves=["double", "nonsense", "add"]))]
    assert "double" in page(report(rows))


def test_the_number_of_matches_in_a_page_is_bounded() -> None:
    made = report(list(simulated({"ada": 1.0, "ben": 0.0, "cem": -1.0}, 40)))
    assert len(made.games_to_show) == SHOWN_GAMES
    assert len({tuple(row.seats) for _, row in made.games_to_show}) == 6
    assert page(made).count('<details class="game">') == SHOWN_GAMES


def test_too_many_players_and_games_are_refused(tmp_path: Path) -> None:
    many = [line(id=str(n), seats=[f"p{n}", "q"], round=n) for n in range(70)]
    with pytest.raises(RowError, match="at most 64 players"):
        build(written(tmp_path, many))
    games = [line(id=str(n), options={"target": n + 2}, round=n) for n in range(70)]
    with pytest.raises(RowError, match="at most 64 games"):
        build(written(tmp_path, games))


def test_the_command_prints_a_table_that_fits_and_writes_the_page(tmp_path: Path) -> None:
    long = "bot:" + "x" * 90
    folder = written(tmp_path, [line(id=str(n), seats=[long, "ben"], round=n, winner=1 + n % 2) for n in range(50)])
    told = CliRunner().invoke(command, [str(folder)], standalone_mode=False)
    assert told.exception is None, told.output
    assert max(map(len, told.output.splitlines()[:-1])) <= 80
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    elsewhere = tmp_path / "other.html"
    CliRunner().invoke(command, [str(folder), "-o", str(elsewhere)], standalone_mode=False)
    assert elsewhere.exists()


def test_the_command_shows_one_match(tmp_path: Path) -> None:
    folder = written(tmp_path, [line(id="a"), line(id="b", round=1)])
    told = CliRunner().invoke(command, [str(folder), "--show", "b"], standalone_mode=False)
    assert "2. ben" in told.output
    assert "gave away 1.000" in told.output
    assert not (folder / "report.html").exists()
    wrong = CliRunner().invoke(command, [str(folder), "--show", "c"], standalone_mode=False)
    assert isinstance(wrong.exception, BitduelError)


@pytest.mark.parametrize("given", [["--json", "--csv"], ["--json", "-o", "x"], ["-o", "no/such/place.html"]])
def test_what_cannot_be_done_is_said(tmp_path: Path, given: list[str]) -> None:
    folder = written(tmp_path, [line()])
    told = CliRunner().invoke(command, [str(folder), *given], standalone_mode=False)
    assert isinstance(told.exception, BitduelError)


def test_reading_takes_no_more_memory_the_more_there_is(tmp_path: Path) -> None:
    """Peak memory of reading 1,000 and 6,000 rows in a process of its own differs by little."""
    code = (
        "import sys, tracemalloc; from pathlib import Path; from bitduel.arena.game_record import read_rows;"
        "from bitduel.arena.tally import RunTally; tracemalloc.start();"
        "RunTally(read_rows(Path(sys.argv[1]))); print(tracemalloc.get_traced_memory()[1])"
    )
    peaks = []
    for count in (1_000, 6_000):
        path = tmp_path / f"{count}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for n in range(count):
                seats = ["ada", "ben"][:: 1 - 2 * (n % 2)]
                file.write(json.dumps({**PLAIN, "id": str(n), "round": n // 2, "swapped": n % 2 == 1, "seats": seats}))
                file.write("\n")
        ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        peaks.append(int(ran.stdout))
    assert peaks[1] < peaks[0] + 1_000_000


def test_numbers_as_people_say_them() -> None:
    assert [percent(part) for part in (0, 0.002, 0.5, 0.998, 1)] == ["0%", "0.2%", "50%", "99.8%", "100%"]
    assert [seconds(time) for time in (None, 2.5, 0.0031, 4e-6)] == ["-", "2.5 s", "3.1 ms", "4 µs"]


def test_matches_that_were_abandoned_are_told_as_that_everywhere(tmp_path: Path) -> None:
    ended = {"winner": None, "reason": "abandoned"}
    rows = [line(id=str(n), round=n, **(ended if n < 3 else {})) for n in range(9)]
    folder = written(tmp_path, rows)
    made = build(folder)
    assert made.as_data()["abandoned"] == 3
    assert made.as_data()["ended_by_fault"] == 0
    assert [each["abandoned"] for each in made.as_data()["players"]] == [3, 3]
    assert [row["abandoned"] for row in csv.DictReader(io.StringIO(as_csv(made)))] == ["3", "3"]
    html = page(made)
    assert "<small>3 abandoned</small>" in html
    assert "A match that reached the ply limit counts as a draw" in html
    assert "drawn (abandoned)" in html
    assert "Score without faults" not in html
    told = CliRunner().invoke(command, [str(folder)], standalone_mode=False)
    assert "3 matches reached the ply limit" in " ".join(told.output.split())


def test_a_run_of_one_round_says_that_it_is_too_few() -> None:
    made = report(list(simulated({"ada": 1.0, "ben": 0.0}, 1)))
    html = page(made)
    looked_at(html)
    assert "too few rounds for an interval" in html
    assert "there are too few rounds to say how reliable that is" in " ".join(summary(made))
    (ada, _) = made.as_data()["players"]
    assert (ada["score"]["low"], ada["score"]["high"]) == (None, None)
    assert csv_row(made)["score_low"] == ""


def csv_row(made: Report) -> dict[str, str]:
    return next(csv.DictReader(io.StringIO(as_csv(made))))


def test_the_page_shows_the_mean_over_matches_and_says_what_is_pooled() -> None:
    long = {"regret": [90.0, 0.0], "decisions": [100, 0], "blunders": [90, 0]}
    rows = [_row(line(id=str(n), round=n, **(long if n == 9 else {}))) for n in range(10)]
    made = report(rows)
    ada = next(each for each in made.as_data()["players"] if each["player"] == "ada")
    assert ada["regret_per_decision"]["value"] == pytest.approx(0.09)
    assert ada["pooled"]["regret_per_decision"] == pytest.approx(90 / 118)
    assert "All decisions pooled" in page(made)
    assert "0.763" in page(made)
    assert float(csv_row(made)["pooled_regret_per_decision"]) in (pytest.approx(90 / 118), 1.0)
