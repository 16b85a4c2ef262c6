"""The results of a class as a table that a spreadsheet opens."""

import csv
import io
from collections.abc import Iterable

from bitduel.classroom.activities import title_of
from bitduel.classroom.states import ClassView

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
FORMULA_MORE = ("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")
"""Beginnings of a cell that a spreadsheet would take for a formula."""
SEPARATORS = str.maketrans({";": ",", "\t": " "})
"""What other spreadsheets split cells at, where they expect no commas: there, a later part could be a formula."""
COLUMNS = (
    "activity",
    "kind",
    "game",
    "rank",
    "name",
    "points",
    "played",
    "won",
    "drawn",
    "lost",
    "byes",
    "won positions kept",
    "won positions met",
    "mistakes",
    "decisions",
    "solved at first try",
    "solved",
    "steps done",
    "wrong answers",
)


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, or for more than one cell."""
    quoted = f"'{text}" if text.startswith((*FORMULA, *FORMULA_MORE)) else text
    return quoted.translate(SEPARATORS)


def results_table(views: Iterable[ClassView]) -> str:
    """Return a row for each pupil in each activity, as CSV."""
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(COLUMNS)
    for view in views:
        activity = view.record.activity
        if activity is None:
            continue
        for score in view.scores:
            place = view.score(score.id)
            writer.writerow(
                [
                    activity.number,
                    activity.kind,
                    harmless(title_of(activity)),
                    place.rank,
                    harmless(place.name),
                    f"{place.points:g}",
                    place.played,
                    place.won,
                    place.drawn,
                    place.lost,
                    place.byes,
                    place.kept,
                    place.met,
                    place.mistakes,
                    place.decisions,
                    place.first_try,
                    place.solved,
                    place.step,
                    place.wrong,
                ]
            )
    return output.getvalue()
