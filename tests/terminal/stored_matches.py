"""Helpers for tests with stored matches."""

import json

from helpers import bitduel

RECORD = """[Game "double-or-nothing"]
[Player1 "Ada"]
[Player2 "Ben"]
[Date "2020-02-29"]
[Result "1-0"]
[Reason "resignation"]
1. double, add 1-0
"""


def newest(db: str) -> str:
    found = json.loads(bitduel("history", "--json", "--db", db).out)
    return str(found[0]["id"])


def imported(db: str, text: str) -> str:
    ran = bitduel("import", "-", "--db", db, stdin=text)
    assert ran.status == 0, ran.err
    return ran.out
