"""What is installed by which name: pyproject.toml, the documentation and the sentences of the program agree."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE: list[str] = PROJECT["dependencies"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OUTSIDE: set[str] = set()
"""Extras that `all` leaves out, because what they pin conflicts with others."""

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]


def asked_for(text: str) -> set[str]:
    """The extras in `bitduel[ONE,OTHER]` and `.[ONE]`, wherever a text says so."""
    return {name for names in re.findall(r"(?:bitduel|'\.)\[([a-z,-]+)\]", text) for name in names.split(",")}


def named_in_code() -> set[str]:
    """The extras that the program tells people to install."""
    calls = [
        node
        for file in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RequiredExtra"
    ]
    return {ast.literal_eval(call.args[0]) for call in calls}


def test_all_brings_every_extra_but_those_that_conflict() -> None:
    (everything,) = EXTRAS["all"]
    assert asked_for(everything) == EXTRAS.keys() - {"all"} - OUTSIDE


def test_every_extra_that_the_program_names_can_be_installed() -> None:
    named = named_in_code()
    assert len(named) > 5
    assert named <= EXTRAS.keys()


def test_every_extra_that_a_page_names_can_be_installed() -> None:
    named = asked_for("\n".join(page.read_text(encoding="utf-8") for page in PAGES))
    assert len(named) > 2
    assert named <= EXTRAS.keys()


def test_the_readme_says_what_every_extra_brings() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("| extra | brings |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`([a-z-]+)`", row)) == sorted(EXTRAS)


def test_every_package_has_one_oldest_version_wherever_it_is_named() -> None:
    needed = [each for names in (BASE, *EXTRAS.values()) for each in names if not each.startswith("bitduel[")]
    oldest: dict[str, str] = {}
    for each in needed:
        found = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", each)
        assert found, f"'{each}' does not say its oldest version"
        name, version = found.groups()
        assert oldest.setdefault(name, version) == version, name


def test_locks_do_not_say_where_a_package_was_downloaded_from() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        text = lock.read_text(encoding="utf-8")
        assert "--hash=sha256:" in text
        assert "://" not in text
        assert "-url" not in text
