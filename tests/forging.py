"""False certificates in which everything fits: what somebody would write who wants a checker to accept them.

An entry of a certificate must follow from other entries. Where play can go round, an entry can rest on itself, and only
plies that come down to 0 forbid it; numbers so large that one more is the same number do not come down.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

Entries = dict[str, Any]
Follow = Callable[[Entries, str], Any]

ENDLESS = (1e16, -1e16, 1e300, float("inf"), float("-inf"), float("nan"))
"""Plies that are as many when one more is counted."""
WHOLE = (0, 1, 7, -7, 10**16, 10**30, -(10**30), True, False)
"""Plies that are not."""
FEW_BITS = 3
"""Up to here plans for an open table are forged within seconds."""


def functions(script: Path) -> dict[str, Any]:
    """The functions of a checker, without the check itself."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    kept: list[ast.stmt] = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.Import | ast.ImportFrom)]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(kept, []), str(script), "exec"), names)
    return names


def settled(entries: Entries, follow: Follow, sweeps: int = 60) -> Entries | None:
    """Entries that follow from each other, reached from these; None where they never settle."""
    entries = dict(entries)
    for _ in range(sweeps):
        before = json.dumps(entries)
        for place in entries:
            try:
                entries[place] = follow(entries, place)
            except (TypeError, KeyError, OverflowError):
                return None
        if json.dumps(entries) == before:
            return entries
    return None


def follows(script: Path, options: Mapping[str, Any]) -> Follow:
    """What a checker of all positions wants to read of a position, from the other entries."""
    names = functions(script)

    def follow(entries: Entries, here: str) -> Any:
        then = names["turns"](options, *map(int, here.split()))
        return names["judged"]({move: end or entries[after][:2] for move, after, end in then})

    return follow


def seeds(right: Entries, plies: float, random: Random, count: int) -> Iterator[Entries]:
    """Draws, and sometimes more, said to be won or lost in so many plies; the rest left as it is."""
    for number in range(count):
        left = 1.0 if number % 2 else random.random()
        yield {
            place: entry
            if entry[0] != "draw" and random.random() < left
            else [random.choice(["win", "loss"]), plies, entry[2]]
            for place, entry in right.items()
        }


def forged_positions(script: Path, data: Mapping[str, Any], plies: float, count: int, seed: int = 1) -> Iterator[str]:
    """Lists of all positions that differ from the right one and whose entries all follow from each other."""
    right, first = data["positions"], next(iter(data["positions"]))
    follow = follows(script, data["options"])
    for entries in seeds(right, plies, Random(seed), count):
        found = settled(entries, follow)
        if found is not None and json.dumps(found) != json.dumps(right):
            value, far, _ = found[first]
            yield json.dumps({**data, "value": value, "plies": far, "positions": found})


def respelled(text: str) -> Iterator[tuple[str, str]]:
    """The same certificate, its numbers written in other ways: all of them, and each by itself."""
    spelled: dict[str, Callable[[str], str]] = {
        "floats": lambda digits: f"{digits}.0",
        "exponents": lambda digits: f"{digits}e0",
        "texts": lambda digits: f'"{digits}"',
        "negatives": lambda digits: f"-{digits}",
        "booleans": lambda digits: {"0": "false", "1": "true"}.get(digits, digits),
        "lists": lambda digits: f"[{digits}]",
        "huge": lambda digits: f"{digits}{'0' * 5000}",
        "many": lambda digits: f"{digits}{'0' * 30}",
    }
    parts = re.split(r"(?<=[ :,\[])(\d+)(?=[,\]}\s])", text)
    places = range(1, len(parts), 2)
    for name, spell in spelled.items():
        for chosen in (places, *([place] for place in places)):
            other = "".join(spell(part) if place in chosen else part for place, part in enumerate(parts))
            if other != text:
                yield other, name


def doubled(text: str) -> Iterator[tuple[str, str]]:
    """The same certificate with a name that comes twice, before or after the right one."""
    wrongs = cycle(('"win"', "0", "[]", "{}", "null"))
    for found in re.finditer(r'"(?P<name>[^"]*)": ', text):
        for wrong in islice(wrongs, 2):
            yield f"{text[: found.start()]}{found[0]}{wrong}, {text[found.start() :]}", f"{found['name']} twice"


class OpenTable:
    """Plans for an open table of Binary Battle in which waiting for ever wins, or toggling what is no bit."""

    def __init__(self, script: Path, bits: int, toggles: range) -> None:
        self.after = functions(script)["after"]
        self.bits, self.toggles, self.secrets = bits, toggles, 2**bits

    def answers(self, mine: int, theirs: int, low: int, high: int) -> list[list[str]]:
        """For each toggle of the other: the positions that it can lead to."""
        made = [theirs ^ 1 << place for place in range(self.bits)]
        return [[f"{mine} {number} {a} {b}" for a, b in self.after(number, low, high)] for number in made]

    def cases(self, key: str, bit: int) -> list[list[list[str]]]:
        """For each thing that one can hear after a toggle: the answers of the other."""
        mine, theirs, low, high = map(int, key.split())
        number = mine ^ 1 << self.bits - bit
        return [self.answers(number, theirs, *case) for case in self.after(number, low, high)]

    def entry(self, plan: Entries, key: str, bit: int) -> list[Any]:
        """What a plan has to say of a position where it toggles a bit, from what it says of the others."""
        mine, _, low, high = map(int, key.split())
        number, cases = mine ^ 1 << self.bits - bit, self.cases(key, bit)
        heard = low <= number <= high
        share = heard + sum(min(sum(plan[key][2] for key in keys) for keys in case) for case in cases)
        waits = [plan[k] for case in cases for keys in case for k in keys if k.split()[2:] == [str(low), str(high)]]
        times = [wait[3] for wait in waits if wait[2] == share]
        return [bit, number, share, 0 if heard or not share else 1 + max(times, default=0)]

    def starts(self, seat: int) -> list[str]:
        """Where a seat is first to move."""
        last = self.secrets - 1
        return [key for keys in self.answers(0, 0, 0, last) for key in keys] if seat else [f"0 0 0 {last}"]

    def reached(self, seat: int, toggles: Callable[[str], Iterable[int]]) -> list[str]:
        """Every position to which a seat can come by some toggles."""
        found = dict.fromkeys(todo := self.starts(seat))
        for key in todo:
            more = [k for bit in toggles(key) for case in self.cases(key, bit) for keys in case for k in keys]
            todo += [k for k in dict.fromkeys(more) if k not in found]
            found.update(dict.fromkeys(more))
        return list(found)

    def plan(self, seat: int, wait: float, choose: Callable[..., list[Any]]) -> Entries:
        """The plan that wins most, or least, as if a wait of so much time were not lost."""
        keys = self.reached(seat, lambda _: self.toggles)
        sizes = {key: 1 + int(key.split()[3]) - int(key.split()[2]) for key in keys}
        plan: Entries = {key: [self.toggles[0], 0, sizes[key], wait] for key in keys}
        shares: list[int] = []
        while shares != (shares := [plan[key][2] for key in keys]):
            for key in keys:
                entries = [self.entry(plan, key, bit) for bit in (plan[key][0], *self.toggles)]
                plan[key] = choose(entries, key=lambda entry: entry[2])
        mine = {key: [*plan[key][:3], wait] for key in self.reached(seat, lambda key: [plan[key][0]])}
        return settled(mine, lambda plan, key: self.entry(plan, key, plan[key][0])) or {}

    def share(self, seat: int, plan: Entries) -> int:
        """How many secrets a plan says to win."""
        if not seat:
            return int(plan[self.starts(0)[0]][2])
        return min(sum(int(plan[key][2]) for key in keys) for keys in self.answers(0, 0, 0, self.secrets - 1))

    def certificate(self, plans: Sequence[Entries]) -> str:
        """A certificate with these plans."""
        value = str(Fraction(self.share(0, plans[0]), self.secrets))
        return json.dumps(
            {"game": "binary-battle", "bits": self.bits, "table": "open", "value": value, "seats": list(plans)}
        )


def forged_tables(script: Path, bits: int, toggles: range, wait: float) -> Iterator[str]:
    """Certificates of an open table whose shares are those of all secrets, as either seat wants it."""
    table = OpenTable(script, bits, toggles)
    for chosen in ((max, min), (min, max), (max, max), (min, min)):
        plans = [table.plan(seat, wait, choose) for seat, choose in enumerate(chosen)]
        if all(plans) and sum(table.share(seat, plan) for seat, plan in enumerate(plans)) == table.secrets:
            yield table.certificate(plans)


def forged(script: Path, data: Mapping[str, Any], count: int) -> list[str]:
    """False certificates made from a right one, as many of each way to forge."""
    found: list[str] = []
    for plies in ENDLESS:
        if "positions" in data:
            found += islice(forged_positions(script, data, plies, count), count)
        elif "table" in data and data["bits"] <= FEW_BITS:
            tables = forged_tables(script, data["bits"], range(1, data["bits"] + 1), plies)
            found += [text for text in tables if re.search("Infinity|NaN|e[+]", text)]
    if data.get("table") and data["bits"] <= FEW_BITS:
        found += forged_tables(script, data["bits"], range(data["bits"] + 1), 0)
    right = json.dumps(data)
    for way in (respelled, doubled):
        found += (text for text, _ in islice(way(right), count))
    return found
