"""Takes the pictures of the site for the README; `make screenshots` runs it."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
FLAGS = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
REVIEWED = [
    *("flip 2", "flip 4", "flip 3", "flip 3", "reset 4", "flip 4", "flip 1"),
    *("flip 2", "reset 4", "reset 3", "flip 3", "flip 4", "flip 4"),
]
MIDDLE = 6
TURNING = 8
PHONE = ["toggle 1", "toggle 1", "toggle 2", "toggle 3"]


@contextmanager
def site() -> Iterator[str]:
    """Run a temporary site and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'site.db'}"
        command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", database]
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            while not answers(port):
                try:
                    sys.exit(f"The server ended by itself with status {server.wait(0.1)}.")
                except subprocess.TimeoutExpired:
                    continue
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def answers(port: int) -> bool:
    """Whether anybody listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def visit(
    browser: Browser,
    url: str,
    width: int,
    height: int,
    scheme: Literal["light", "dark"] = "light",
    scale: float = 1,
) -> Iterator[Page]:
    """Open a page of this size without animation, so that every run takes the same picture."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=scale,
    )
    yield context.new_page()
    context.close()


def shoot(page: Page, name: str) -> None:
    """Save the screen to a file."""
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / f"{name}.png", caret="hide")


def start(page: Page, game: str, opponent: str, name: str, **options: str) -> str:
    """Start a match with a named player and return its address."""
    page.goto(f"/games/{game}")
    page.locator("#starter, #settings").evaluate_all("drawers => drawers.forEach((each) => (each.open = true))")
    for option, value in options.items():
        page.locator(f"[name=opt-{option}]").fill(value)
    page.locator("[name=first][value='1']").check()
    page.locator(f"[name=opponent][value={opponent}]").check()
    page.locator("[name=name]").fill(name)
    if opponent == "here":
        page.locator("[name=name2]").fill("Grace")
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")
    return page.url


def play(page: Page, address: str, moves: list[str], dark: bool = False) -> None:
    """Both move in turn at one keyboard; in the dark each looks from their own side."""
    for ply, move in enumerate(moves, 1):
        if dark:
            page.goto(f"{address}?as={2 - ply % 2}")
        page.locator(f"[name=move][value='{move}']").click()
        expect(page.locator(".match")).to_have_attribute("data-ply", str(ply))


def pictures(browser: Browser, url: str) -> None:
    """All of them."""
    with visit(browser, url, 1280, 860) as page:
        page.goto("/", wait_until="networkidle")
        shoot(page, "site-home")
    with visit(browser, url, 1280, 1080) as page:
        address = start(page, "bits", "here", "Ada")
        play(page, address, REVIEWED[:MIDDLE])
        page.goto(f"{address}?coach=1")
        shoot(page, "site-match")
    with visit(browser, url, 1280, 860) as page:
        address = start(page, "bits", "here", "Ada")
        play(page, address, REVIEWED)
        expect(page.locator(".match")).to_have_attribute("data-over", "true")
        page.goto(f"{address}/review?ply={TURNING}")
        shoot(page, "site-review")
    with visit(browser, url, 360, 740, "dark", 2) as page:
        address = start(page, "battle", "here", "Ada", secret="10110")
        play(page, address, PHONE, dark=True)
        page.goto(f"{address}?as=1")
        shoot(page, "site-phone")
    with visit(browser, url, 360, 740, scale=2) as page:
        start(page, "double", "friend", "Ada", target="100")
        shoot(page, "site-invitation")


def report(browser: Browser) -> None:
    """Photograph the arena's report of the reference run."""
    from bitduel.arena.report import build
    from bitduel.arena.report_page import page as written
    from bitduel.arena.runner import run
    from bitduel.arena.schedule import PRESETS

    preset = PRESETS["reference"]
    with TemporaryDirectory() as folder:
        there = Path(folder) / "reference"
        run(preset.players, rounds=preset.rounds, seed=preset.seed, out=there)
        (there / "report.html").write_text(written(build(there)), encoding="utf-8")
        with visit(browser, there.as_uri(), 1000, 920) as page:
            page.goto((there / "report.html").as_uri())
            page.locator("h2", has_text="Against perfect play").evaluate("heading => heading.scrollIntoView()")
            shoot(page, "arena-report")


def main() -> None:
    """Start a site and a browser, and take the pictures."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        sys.exit("No Chromium is installed here.")
    IMAGES.mkdir(exist_ok=True)
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with site() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *sandbox])
        pictures(browser, url)
        report(browser)
        browser.close()


if __name__ == "__main__":
    main()
