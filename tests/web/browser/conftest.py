"""A running site and real browsers to visit it with; whatever goes wrong in any page fails the test that opened it."""

import re
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.registry import GameClass, all_games
from bitduel.storage import open_store
from bitduel.web.start_form import LEVELS
from web.shared_browser import BROWSER, PATIENCE

HERE = Path(__file__).parent
SHORT = {"target": "12", "length": "20", "bits": "3", "secret": "101"}
"""Options that make a whole match short, for the games that have them."""
GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
FEW = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind().is_hidden else pytest.mark.slow if number else pytest.mark.thorough)
        for number, kind in enumerate(all_games())
    ],
    ids=lambda kind: kind.slug,
)
"""The hidden games; the first one in the second tier, and the others only in the long proofs."""
WIDTHS = (360, 1280)
"""A phone and a desktop."""
TOO_WIDE = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  const parts = Array.from(document.querySelectorAll("body *"))
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1);
  return wide ? parts.slice(0, 5).map((part) => part.outerHTML.slice(0, 120)).concat("too wide") : [];
}"""
STRONGEST = str(LEVELS[-1]["name"])


class Server:
    """`bitduel serve` in a process of its own."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", *options: str) -> None:
        self.options = options
        self.database = f"sqlite:///{folder / 'site.db'}"
        self.log = folder / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://{host}:{self.port}"

    def start(self) -> None:
        """Begin, and come back when the port answers."""
        command = [sys.executable, "-m", "bitduel", "serve", "--people", "0", "--port", str(self.port)]
        command += ["--db", self.database, *self.options]
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while not self._answers():
            try:
                self.process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            raise AssertionError(f"The server ended by itself:\n{self.said()}")

    def kill(self) -> None:
        """End at once, as in a power cut."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End as by Ctrl-C."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def said(self) -> str:
        """All that the server has written."""
        return self.log.read_text(encoding="utf-8")

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True


class Watch:
    """Everything that goes wrong in the pages of one test."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.troubles: list[str] = []
        self.expected: list[str] = []

    def over(self, page: Page) -> None:
        """Keep an eye on a page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._add(f"page error: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)

    def expect(self, *patterns: str) -> None:
        """Troubles that belong to the test."""
        self.expected += patterns

    def left(self) -> list[str]:
        """The troubles that nobody expected."""
        return [each for each in self.troubles if not any(re.search(pattern, each) for pattern in self.expected)]

    def _add(self, trouble: str) -> None:
        self.troubles.append(trouble)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self._add(f"console {message.type}: {message.text} at {message.location.get('url')}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "about:")):
            self._add(f"request to another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what is under way when a page is left is broken off
            self._add(f"failed request: {request.method} {request.url}: {request.failure}")


class Plan(NamedTuple):
    """A whole match that is known beforehand."""

    kind: GameClass
    options: dict[str, str]
    match: Match

    @property
    def turns(self) -> list[tuple[int, str, int]]:
        """For every move that a person makes: the seat, the move, and how many moves have been made after it."""
        match = self.match
        plies = [ply for ply, move in enumerate(match.moves) if move != PASS]
        after = [*plies[1:], match.ply]
        return [(match.seat_at(ply), match.moves[ply], then) for ply, then in zip(plies, after, strict=True)]

    def at(self, ply: int) -> Match:
        """The match after so many moves."""
        return Match(self.match.game, self.match.first, self.match.deal, self.match.moves[:ply])

    def seen(self, ply: int, seat: int | None) -> View:
        """What a seat may know then."""
        return self.at(ply).view(seat)


def plan(kind: GameClass, least: int = 5, deal: str | None = None) -> Plan:
    """A short match of a game with at least so many moves, the first seat beginning; with a deal nothing is chosen."""
    chosen = [option.name for option in kind.declared_options if deal is None or not option.is_secret]
    options = {name: SHORT[name] for name in chosen if name in SHORT}
    game = kind(**options)
    dice = Random(64)
    found: list[Match] = []
    for _ in range(300):
        match = Match(game, 1, game.deal(dice) if deal is None else deal)
        while not match.outcome:
            match.play(dice.choice(match.legal))
        if match.ply >= least:
            found.append(match)
    return Plan(kind, options, min(found, key=lambda each: each.ply))


def dealt(server: Server, address: str) -> str:
    """What chance has dealt to a match, which nobody but a test may look up."""
    with open_store(server.database) as store:
        return store.get(address.rpartition("/")[2]).deal


def harmless(server: Server, address: str) -> str:
    """A move after which a match goes on, whatever chance has dealt."""
    with open_store(server.database) as store:
        match = store.get(address.rpartition("/")[2]).match()
    return next(name for name in match.legal if not match.after(name).outcome)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with several parameters only so many cases run that every value is there; the rest are slow proofs."""
    tests: defaultdict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec") and HERE in item.path.parents:
            tests[f"{item.path}::{item.originalname}"].append(item)
    for cases in tests.values():
        for case in _spare(cases):
            case.add_marker(pytest.mark.slow)


def _spare(cases: list[pytest.Function]) -> list[pytest.Function]:
    """The cases without which every value of every parameter still occurs, in as many pairs as can be."""
    values = {case: [(name, repr(value)) for name, value in case.callspec.params.items()] for case in cases}
    missing = set().union(*values.values())
    pairs = {pair for each in values.values() for pair in combinations(each, 2)}
    left = list(cases)
    while missing and pairs:
        taken = max(
            left, key=lambda case: (len(missing & {*values[case]}), len(pairs & {*combinations(values[case], 2)}))
        )
        left.remove(taken)
        missing -= {*values[taken]}
        pairs -= {*combinations(values[taken], 2)}
    return [] if missing else left


Visit = Callable[..., Page]
"""Opens a page in a browser of its own: other cookies than any other's."""


@pytest.fixture(scope="session")
def site(own_folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site that all tests share."""
    server = Server(tmp_path_factory.mktemp("site"))
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.said()
    assert "unforeseen" not in server.said()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    """The browser stays for the next test if that is one of these."""
    try:
        return (yield)
    finally:
        if nextitem is None or HERE not in nextitem.path.parents:
            BROWSER.stop()


@pytest.fixture
def chromium() -> Browser:
    """A real browser, which other tests have used and will use; what they keep in it is apart."""
    return BROWSER.start()


@pytest.fixture
def watch(chromium: Browser, site: Server) -> Watch:
    """What goes wrong in the pages of this test."""
    return Watch(site.url)


@pytest.fixture(autouse=True)
def visit(chromium: Browser, watch: Watch) -> Iterator[Visit]:
    """Opens watched pages; at the end nothing may have gone wrong in any of them."""
    contexts = []

    def opened(**settings: Any) -> Page:
        context = chromium.new_context(**{"base_url": watch.url, **settings})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective))"
        )
        context.on("page", watch.over)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()
    assert not watch.left()


def begin(page: Page, kind: GameClass, opponent: str, options: dict[str, str] | None = None, first: int = 1) -> str:
    """Start a match from the page of a game; return its address."""
    page.goto(f"/games/{kind.slug}")
    open_drawers(page)
    page.locator(f"[name=first][value='{first}']").check()
    for name, value in (options or {}).items():
        choice = page.locator(f"[name='opt-{name}'][value='{value}'][type=radio]")
        if choice.count():
            choice.check()
        else:
            page.locator(f"[name='opt-{name}']").fill(value)
    choose(page, opponent)
    page.locator("#start button.primary").click()
    page.wait_for_url("**/matches/*")
    return page.url


def open_drawers(page: Page) -> None:
    """Open who starts and the house rules in the form of a game."""
    for drawer in ("#starter", "#settings"):
        if page.locator(drawer).get_attribute("open") is None:
            page.locator(f"{drawer} > summary").click()


def choose(page: Page, opponent: str) -> None:
    """Choose whom to play against in the form of a game."""
    if opponent in [level["name"] for level in LEVELS]:
        page.locator("[name=opponent][value=computer]").check()
        page.locator(f"[name=level][value='{opponent}']").check()
    else:
        page.locator(f"[name=opponent][value='{opponent}']").check()


def join(page: Page, invitation: str, name: str = "") -> None:
    """Take the seat that an invitation offers."""
    page.goto(invitation)
    page.locator("[name=name]").fill(name)
    page.get_by_role("button", name="Join the game").click()
    page.wait_for_url("**/matches/*")


def link(page: Page, field: str) -> str:
    """A link that is offered for copying."""
    return page.locator(f"#{field}").input_value()


def state(page: Page) -> Locator:
    """The part of a match page that says how far the match is."""
    return page.locator(".match[data-ply]")


def is_over(page: Page) -> bool:
    """Whether the page shows the end."""
    return state(page).get_attribute("data-over") == "true"


def ply_of(page: Page) -> int:
    """How many moves the page knows of."""
    return int(state(page).get_attribute("data-ply") or -1)


def expect_ply(page: Page, ply: int) -> None:
    """Wait until the page knows of so many moves."""
    expect(state(page)).to_have_attribute("data-ply", str(ply))


def expect_over(page: Page) -> None:
    """Wait until the page shows the end."""
    expect(state(page)).to_have_attribute("data-over", "true")


def moves(page: Page) -> Locator:
    """The buttons of the legal moves."""
    return page.locator("form[data-move] button[name=move]:enabled")


def move(page: Page, name: str) -> None:
    """Press the button of a move."""
    page.locator(f"form[data-move] button[name=move][value='{name}']").click()


def answered(page: Page, before: int) -> None:
    """Wait until a move and the answer to it are on the page."""
    expect(state(page)).not_to_have_attribute("data-ply", str(before))
    expect(page.locator(".match[data-over=true], form[data-move] button:enabled").first).to_be_visible()


def fits(page: Page, name: str) -> None:
    """Nothing of a page lies beyond the right edge of a phone or a desktop."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TOO_WIDE) == [], f"{name} at {width}"
