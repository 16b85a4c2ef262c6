"""What is not installed is said in one sentence, wherever it is needed; the base does without it."""

import subprocess
import sys
from pathlib import Path

import pytest

from bitduel.core.errors import MissingExtraError, RequiredExtra

PACKAGES = {
    "web": (
        "fastapi",
        "starlette",
        "uvicorn",
        "jinja2",
        "httptools",
        "segno",
        "resvg_py",
        "ifaddr",
        "prometheus_client",
    ),
    "llm": ("httpx",),
    "rl": ("gymnasium", "pettingzoo"),
    "open-spiel": ("pyspiel", "open_spiel"),
    "mcp": ("mcp", "anyio", "pydantic"),
    "dask": ("distributed", "dask"),
    "postgresql": ("psycopg",),
    "fast": ("numba",),
    "equilibrium": ("scipy",),
}
"""The packages of each extra, without those that the base has too."""


def without(packages: tuple[str, ...], *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the program where these packages are not installed."""
    code = f"import sys; sys.modules |= dict.fromkeys({packages!r}); from bitduel.cli import main; main({arguments!r})"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("name", "arguments", "what"),
    [
        ("web", ["serve"], "The site"),
        ("mcp", ["mcp"], "MCP"),
        ("llm", ["play", "64", "--vs", "llm:some", "--llm-url", "http://localhost/v1"], "A language model"),
        ("postgresql", ["history", "--db", "postgresql://nobody@localhost/none"], "PostgreSQL"),
        ("equilibrium", ["prove", "battle", "--set", "bits=7"], "Solving Binary Battle for a new number of bits"),
    ],
)
def test_a_command_without_its_packages_says_what_to_install(name: str, arguments: list[str], what: str) -> None:
    ran = without(PACKAGES[name], *arguments)
    assert ran.stderr == f"bitduel: {what} needs more packages: pip install 'bitduel[{name}]'.\n"
    assert (ran.stdout, ran.returncode) == ("", 1)


EVERYTHING = tuple(name for packages in PACKAGES.values() for name in packages)


@pytest.mark.parametrize(
    ("arguments", "given", "said"),
    [
        (
            ["play", "double", "--set", "target=4", "--vs", "perfect", "--first", "2"],
            "add\nadd\nadd\n",
            "wins the game!",
        ),
        (["play", "battle", "--p1", "perfect", "--p2", "hard", "--seed", "3"], "", "secret"),
        pytest.param(["solve", "battle"], "", "Player 1", marks=pytest.mark.thorough),
        (["solve", "bits", "--why"], "", "Player 1"),
        (["prove", "battle", "--set", "bits=3"], "", "43/56"),
        pytest.param(["atlas", "double", "--over", "target=2..20"], "", "20", marks=pytest.mark.thorough),
        (["puzzle", "--daily", "--json"], "", '"moves"'),
        pytest.param(["games", "--json"], "", "binary-race-31", marks=pytest.mark.thorough),
        pytest.param(["history"], "", "", marks=pytest.mark.thorough),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_base_plays_solves_keeps_matches_and_proves(
    arguments: list[str], given: str, said: str, tmp_path: Path
) -> None:
    ran = without(EVERYTHING, *arguments, given=given)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert said in ran.stdout
    assert "Traceback" not in ran.stderr


def test_a_mistake_of_our_own_is_not_taken_for_a_missing_package() -> None:
    with pytest.raises(ImportError, match="no_such_name") as found, RequiredExtra("web", "The site"):
        from bitduel.core import no_such_name  # type: ignore[attr-defined]  # noqa: F401
    assert not isinstance(found.value, MissingExtraError)
    with (
        pytest.raises(MissingExtraError, match=r"The site needs more packages: pip install 'bitduel\[web\]'\."),
        RequiredExtra("web", "The site"),
    ):
        import no_such_package  # type: ignore[import-not-found]  # noqa: F401
