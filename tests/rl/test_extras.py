"""Nothing is loaded unless asked for, and what is not installed is said in one sentence."""

import subprocess
import sys

import pytest

PACKAGES = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel")


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_folder_alone_loads_no_ecosystem() -> None:
    ran = run("import sys, bitduel.rl; print(*sys.modules)")
    assert ran.returncode == 0
    assert not set(PACKAGES) & set(ran.stdout.split())


@pytest.mark.parametrize(
    ("module", "blocked", "said"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo needs more packages: pip install 'bitduel[rl]'."),
        ("gymnasium", "gymnasium", "Gymnasium needs more packages: pip install 'bitduel[rl]'."),
        ("open_spiel", "pyspiel", "OpenSpiel needs more packages: pip install 'bitduel[open-spiel]'."),
    ],
)
def test_a_missing_package_is_one_sentence_and_an_import_error(module: str, blocked: str, said: str) -> None:
    ran = run(
        f"import sys; sys.modules[{blocked!r}] = None\n"
        "from bitduel.core.errors import BitduelError\n"
        f"try: import bitduel.rl.{module}\n"
        "except ImportError as error: print(isinstance(error, BitduelError), error, error.__cause__)\n"
    )
    assert ran.stdout == f"True {said} None\n"


def test_leaving_python_is_clean_after_all_of_them() -> None:
    ran = run("import bitduel.rl.pettingzoo, bitduel.rl.gymnasium, bitduel.rl.open_spiel, bitduel.rl.spiel_algorithms")
    assert (ran.returncode, ran.stderr) == (0, "")
