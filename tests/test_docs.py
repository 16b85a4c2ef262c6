"""What the documentation says about the project is so."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULES = ROOT / "docs" / "rules.md"


def functions(path: Path) -> set[str]:
    """The functions at the top level of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_named_in_the_clause_table_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", RULES.read_text(encoding="utf-8"))
    assert len(named) > 100
    known = {file: functions(ROOT / file) for file, _ in named}
    assert not [f"{file}::{name}" for file, name in named if name not in known[file]]


def test_every_python_file_named_in_the_documentation_exists() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    named = {
        (page.name, file)
        for page in pages
        for file in re.findall(r"`((?:\w+/)+\w+\.py)", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 30
    folders = (ROOT, ROOT / "src" / "bitduel", ROOT / "src", ROOT / "docs")
    assert not {each for each in named if not any((folder / each[1]).exists() for folder in folders)}
