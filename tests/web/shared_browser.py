"""The one browser of this process, which all tests in web/browser share."""

import os
import shutil
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHOSEN = os.environ.get("BITDUEL_BROWSER")
BROWSERS = (CHOSEN,) if CHOSEN else ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP school.lan 127.0.0.1, MAP 198.51.100.7 127.0.0.1, MAP elsewhere.example 127.0.0.1",
]
"""Among them names and an address that a browser does not take for its own machine, as on a real network."""
PATIENCE = 60_000
"""Milliseconds after which what was waited for counts as missing; nothing that works comes near it."""


class SharedBrowser:
    """The browser of this process, from the first test that needs it to the last that follows without a break."""

    def __init__(self) -> None:
        self.browser: Browser | None = None
        self.afterwards = ExitStack()

    def start(self) -> Browser:
        """The browser, begun where it does not run yet."""
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        if program is None:
            pytest.skip(f"No browser is installed here ({', '.join(BROWSERS)}).")
        if self.browser is None:
            expect.set_options(timeout=PATIENCE)
            sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
            playwright = self.afterwards.enter_context(sync_playwright())
            self.browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *sandbox])
            self.afterwards.callback(self.browser.close)
        return self.browser

    def stop(self) -> None:
        """End it, so that asyncio in this thread is free again for other tests."""
        self.browser = None
        self.afterwards.close()


BROWSER = SharedBrowser()
