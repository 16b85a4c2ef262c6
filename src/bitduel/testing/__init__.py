"""What every game must do, as checks that anybody can run: on the games here, and on one of their own.

`check_game(MyGame)` in a test fails with every problem it finds; `bitduel check NAME` shows the same for people.
"""

from bitduel.testing.conformance import (
    Checked,
    ConformanceError,
    ConformanceReport,
    check_game,
    examine,
    readings,
)

__all__ = ["Checked", "ConformanceError", "ConformanceReport", "check_game", "examine", "readings"]
