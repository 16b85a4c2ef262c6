"""Checks that a game keeps the contract, which you can run on your own game too.

`check_game(MyGame)` in a test fails with every problem that it finds; `bitduel check NAME` shows the same.
"""

from bitduel.testing.conformance import (
    CheckResult,
    ConformanceError,
    ConformanceReport,
    check_game,
    examine,
    readings,
)

__all__ = ["CheckResult", "ConformanceError", "ConformanceReport", "check_game", "examine", "readings"]
