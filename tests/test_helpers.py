"""What tests share does what it says."""

import subprocess
import sys

import pytest

from conftest import pytest_runtest_makereport
from helpers import output_of

SAYS = "import sys; print('why'); print('more', file=sys.stderr); sys.exit(3)"


@pytest.mark.parametrize("text", [True, False])
def test_a_program_that_fails_in_a_test_is_shown_with_all_that_it_said(text: bool) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        subprocess.run([sys.executable, "-c", SAYS], capture_output=True, check=True, text=text)
    assert [said.strip() for _, said in output_of(caught.value)] == ["why", "more"]
    assert output_of(subprocess.TimeoutExpired("x", 1)) == []


def test_a_report_of_a_failure_has_it_too(request: pytest.FixtureRequest) -> None:
    def fail() -> None:
        subprocess.run([sys.executable, "-c", SAYS], capture_output=True, check=True, text=True)

    call = pytest.CallInfo.from_call(fail, when="call")
    hook = pytest_runtest_makereport(request.node, call)
    next(hook)
    with pytest.raises(StopIteration) as done:
        hook.send(pytest.TestReport.from_item_and_call(request.node, call))
    assert ("stdout of the program that failed", "why\n") in done.value.value.sections
