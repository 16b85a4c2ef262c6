"""The examples of the README and of the documentation run, and print what they say."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"```console\n\$ (.*?)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
]


@pytest.mark.parametrize(("command", "printed"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_an_example_prints_what_the_page_shows(command: str, printed: str) -> None:
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(
        ["sh", "-c", command + " 2>&1"], capture_output=True, text=True, check=False, env={**os.environ, "PATH": search}
    )
    assert ran.stdout == printed


@pytest.mark.parametrize(
    "page",
    [README, *(ROOT / "docs" / name for name in ("arena.md", "batches.md", "library.md"))],
    ids=lambda page: page.name,
)
def test_the_python_examples_run(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 5
    assert results.failed == 0


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
