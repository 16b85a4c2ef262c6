"""The site as other devices reach it: plain http, under a host name or an IP address, where browsers allow less."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import all_games, find
from bitduel.learning.puzzle_deck import deck
from codes import grid_of, read_qr
from web.browser.conftest import (
    STRONGEST,
    Server,
    Visit,
    Watch,
    answered,
    begin,
    expect_over,
    expect_ply,
    fits,
    is_over,
    join,
    link,
    moves,
    ply_of,
)
from web.browser.test_every_page import check_with_axe
from web.browser.test_learn import learn

ALL_INTERFACES = ("--host", "0.0.0.0", "--name", "school.lan", "--log-json")
OPEN = next(kind for kind in all_games() if kind().has_perfect_information)
LINE = next(entry for entry in deck().entries.values() if entry.kind == "line")
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


@pytest.fixture(scope="module", params=["school.lan", pytest.param("198.51.100.7", marks=pytest.mark.thorough)])
def site(
    request: pytest.FixtureRequest, own_folders: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A site on all interfaces, visited under a name and under an address."""
    server = Server(tmp_path_factory.mktemp("network"), request.param, *ALL_INTERFACES)
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.said()


def settled(page: Page, scripts: bool) -> None:
    """Look again where no script does."""
    if not scripts:
        page.reload()


def test_browsers_take_this_for_another_machine(site: Server, visit: Visit) -> None:
    page = visit()
    page.goto("/")
    assert page.evaluate("[isSecureContext, typeof navigator.clipboard]") == [False, "undefined"]


@SCRIPTS
def test_play_now_starts_a_match_and_takes_a_move(visit: Visit, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts)
    page.goto("/")
    page.locator(".shelf button").first.click()
    page.wait_for_url("**/matches/*")
    if is_over(page):
        return
    before = ply_of(page)
    moves(page).first.click()
    answered(page, before)


@SCRIPTS
def test_two_devices_invite_join_move_agree_and_look_back(visit: Visit, scripts: bool) -> None:
    ada, ben = (visit(java_script_enabled=scripts, reduced_motion="reduce") for _ in range(2))
    begin(ada, OPEN, "friend")
    join(ben, link(ada, "invite-link"), "Ben")
    settled(ada, scripts)
    moves(ada).first.click()
    expect_ply(ada, 1)
    settled(ben, scripts)
    moves(ben).first.click()
    expect_ply(ben, 2)
    settled(ada, scripts)
    ada.get_by_role("button", name="Offer a draw").click()
    settled(ben, scripts)
    ben.locator(".asked button[value=yes]").click()
    expect_over(ben)
    settled(ada, scripts)
    expect_over(ada)
    ada.goto(f"{ada.url.partition('?')[0]}/review")
    expect(ada.locator("h1")).to_be_visible()
    ada.get_by_role("button", name="Play another round").click()
    settled(ben, scripts)
    expect(ben.locator("button[name=answer][value=yes], .asked").first).to_be_visible()


@SCRIPTS
def test_a_seat_moves_to_another_device(visit: Visit, scripts: bool) -> None:
    page, phone = visit(java_script_enabled=scripts), visit(java_script_enabled=scripts)
    begin(page, OPEN, STRONGEST)
    match = page.url
    page.goto(f"{match}/device")
    page.get_by_role("button", name="Make a link").click()
    phone.goto(link(page, "seat-link"))
    phone.get_by_role("button", name="Continue on this device").click()
    phone.wait_for_url("**/matches/*")
    expect(moves(phone).first).to_be_visible()


@pytest.mark.thorough
@SCRIPTS
def test_a_puzzle_and_a_lesson_are_answered(visit: Visit, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts)
    page.goto(f"/puzzles?id={LINE.id}")
    for count, (_, (right,)) in enumerate(LINE.puzzle.solution()):
        page.locator(f".playable button[value='{right}']").click()
        page.wait_for_url(re.compile(rf"[?&]play=[^.&#]*(\.[^.&#]*){{{count}}}([&#]|$)"))
    expect(page.locator("#result")).to_have_text("Solved")
    learn(page, find("double"))


def test_a_link_is_copied_and_nothing_is_offered_that_needs_https(visit: Visit) -> None:
    page = visit()
    begin(page, OPEN, "friend")
    expect(page.get_by_role("button", name="Share")).to_be_hidden()
    page.locator("[data-copy=invite-link]").click()
    expect(page.locator("[data-copy=invite-link]")).to_have_text("Copied")
    invitation = link(page, "invite-link")
    page.goto("/games/double-or-nothing")
    field = page.locator("form[data-names] input[name=name]").first
    field.fill("")
    field.press("Control+V")
    assert field.input_value() == invitation[: len(field.input_value())]
    assert field.input_value()


def test_an_invitation_made_on_the_machine_itself_leads_other_devices_here(
    site: Server, visit: Visit, watch: Watch
) -> None:
    watch.expect(f"request to another host: http://127.0.0.1:{site.port}/")
    page = visit(base_url=f"http://127.0.0.1:{site.port}")
    begin(page, OPEN, "friend")
    offered = link(page, "invite-link")
    assert offered.startswith(f"http://school.lan:{site.port}/invite/")
    assert read_qr(grid_of(page.locator(".invite .qr").evaluate("code => code.outerHTML"))) == offered


def test_the_page_for_other_devices_shows_every_address_to_whoever_runs_the_site(
    site: Server, visit: Visit, watch: Watch
) -> None:
    watch.expect(f"request to another host: http://127.0.0.1:{site.port}/")
    page = visit(base_url=f"http://127.0.0.1:{site.port}")
    page.goto("/")
    page.get_by_role("link", name="Play on another device").click()
    assert link(page, "site-link") == f"http://school.lan:{site.port}/"
    fits(page, "connect")
    check_with_axe(page, "connect")
    guest = visit()
    guest.goto("/connect")
    assert link(guest, "site-link") == f"{site.url}/"
    expect(guest.get_by_role("heading", name="If that doesn't work")).to_have_count(0)


class Foreign(BaseHTTPRequestHandler):
    """A page of another site that posts a form to ours, by itself and from a sandboxed frame."""

    target = ""

    def do_GET(self) -> None:
        form = (
            f'<form method="post" action="{self.target}/games/double-or-nothing/play">'
            '<input name="opponent" value="easy"></form><script>document.forms[0].submit()</script>'
        )
        framed = form.replace('"', "&quot;")
        pages = {
            "/form": form,
            "/frame": f'<iframe sandbox="allow-scripts allow-forms" srcdoc="{framed}"></iframe>',
            "/no-referrer": f'<meta name="referrer" content="no-referrer">{form}',
        }
        body = f"<!doctype html><link rel=icon href=data:,>{pages.get(self.path, '')}".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def foreign(site: Server) -> Iterator[str]:
    handler = type("Handler", (Foreign,), {"target": site.url})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://elsewhere.example:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("path", ["/form", "/frame", "/no-referrer"])
def test_a_form_of_another_site_is_refused(site: Server, visit: Visit, foreign: str, watch: Watch, path: str) -> None:
    before = len(site.said())
    watch.expect("request to another host: http://elsewhere.example", "403", "sandbox", "frame", "ERR_BLOCKED")
    page = visit()
    page.goto("/games/double-or-nothing")
    page.goto(f"{foreign}{path}", wait_until="commit")
    while not (posted := [line for line in site.said()[before:].splitlines() if '"POST"' in line]):
        page.wait_for_timeout(20)
    assert all('"status": 403' in line for line in posted)
