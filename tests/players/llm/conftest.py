"""No test asks the service that the user has set up."""

import pytest

from bitduel.players.llm.service import KEYS, URLS


@pytest.fixture(autouse=True)
def no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*URLS, *KEYS):
        monkeypatch.delenv(name, raising=False)
