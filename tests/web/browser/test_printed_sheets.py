"""Sheets on paper: every sheet of every game, A4 and Letter, as Chromium prints it; nothing is cut, no page is bare."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bitduel.games.registry import GameClass, all_games, make
from bitduel.learning.print_sheets import PAPERS, SHEETS, document, game_address, make_sheets
from web.browser.conftest import GAMES, Server, Visit, fits
from web.browser.test_every_page import check_with_axe

POINTS = {"a4": ("595", "842"), "letter": ("612", "792")}
"""The sizes of the papers, in points."""
PAGES = {"double": 5, "64": 6, "31": 7, "bits": 7, "battle": 6}
"""The pages of all sheets with answers: rules, worksheet, answers, unplugged."""
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("double", {"target": 8}),
    ("double", {"target": 400, "step": 3}),
    ("64", {"start": 117, "target": 399, "step": 17}),
    ("bits", {"bits": 3, "first-move": "flip", "edge": "strict", "repetition": 0}),
    ("64", {"target": 200, "start": 2}),
    ("64", {"target": 100, "step": 3}),
    ("31", {"length": 8}),
    ("31", {"length": 128, "finish": "exact"}),
    ("bits", {"bits": 6, "edge": "strict", "first-move": "empty"}),
    ("bits", {"bits": 3, "first-move": "flip"}),
    ("battle", {"bits": 6, "table": "open"}),
    ("battle", {"bits": 3}),
]
FEWEST_LINES = 6
"""A page has more than two lines: at least as many as the shortest page of pieces."""
SITE = "http://school-server.example.org:8000"
LONG_SITE = f"https://{'games-of-the-computer-science-department.' * 3}school.example.org:8443/bitduel"

FAULTS = """() => Array.from(document.querySelectorAll(".sheet-page")).flatMap((page, number) => {
  const box = page.getBoundingClientRect();
  const foot = page.querySelector(".sheet-foot").getBoundingClientRect();
  const head = page.querySelector(".sheet-head").getBoundingClientRect();
  const parts = Array.from(page.querySelectorAll("*")).filter((part) => !part.closest("title, .sheet-foot"));
  const cut = parts
    .map((part) => [part, part.getBoundingClientRect()])
    .filter(([, at]) => at.right > box.right + 1 || at.left < box.left - 1 || at.bottom > foot.top + 1)
    .map(([part]) => `page ${number + 1} cuts ${part.outerHTML.slice(0, 80)}`);
  if (foot.bottom > box.bottom + 1) cut.push(`page ${number + 1} loses its foot by ${foot.bottom - box.bottom} px`);
  const last = page.querySelector(".sheet-foot").previousElementSibling.getBoundingClientRect();
  const filled = (last.bottom - head.bottom) / box.height;
  return filled < 0.12 ? [...cut, `page ${number + 1} is bare: ${filled}`] : cut;
})"""


@pytest.fixture
def paper(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    page.emulate_media(media="print")
    yield page
    page.close()


def texts_of(file: Path) -> list[str]:
    """The text of each page of a PDF file."""
    ran = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True)
    return ran.stdout.split("\f")[:-1]


def size_of(file: Path) -> tuple[str, ...]:
    """The size of the pages of a PDF file, in points."""
    ran = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True)
    found = re.search(r"Page size: +([\d.]+) x ([\d.]+)", ran.stdout)
    assert found
    return tuple(f"{float(each):.0f}" for each in found.groups())


def check(page: Page, name: str, options: dict[str, Any], folder: Path, site: str = SITE) -> list[str]:
    """Print all sheets on both papers, look for what is cut or bare, and return the texts of the pages."""
    game, texts = make(name, **options), []
    address = game_address(site, game)
    sheets = make_sheets(game, tuple(SHEETS), has_answers=True, address=address)
    for size in PAPERS:
        file = folder / f"{size}.pdf"
        page.set_content(document(game, sheets, size, address))
        page.pdf(path=file, prefer_css_page_size=True, print_background=True)
        assert page.evaluate(FAULTS) == []
        assert size_of(file) == POINTS[size]
        texts = texts_of(file)
        assert len(texts) == page.locator(".sheet-page").count()
        for text in texts:
            lines = [line for line in text.splitlines() if line.strip()]
            assert len(lines) >= FEWEST_LINES
            assert game.title in lines[0]
            assert "Lesson plan: docs/teaching.md" in lines[-1]
    return texts


@pytest.mark.thorough
@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_every_sheet_of_every_game_prints_whole(kind: GameClass, paper: Page, tmp_path: Path) -> None:
    texts = check(paper, kind.short, {}, tmp_path)
    assert len(texts) == PAGES[kind.short]
    titles = [next(line for line in text.splitlines()[1:] if line.strip()).strip() for text in texts]
    assert titles[0].startswith("Rule sheet")
    assert sum(title.startswith("Worksheet: answers") for title in titles) == 1
    words = re.sub(r"\s+", " ", " ".join(texts))
    for rule in kind().words.rules():
        assert rule in words


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "options"), OTHERS, ids=[f"{name} {options}" for name, options in OTHERS])
def test_other_sizes_print_whole(name: str, options: dict[str, Any], paper: Page, tmp_path: Path) -> None:
    check(paper, name, options, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "options"), [("battle", {}), *OTHERS[1:5]])
def test_a_long_address_cuts_nothing(name: str, options: dict[str, Any], paper: Page, tmp_path: Path) -> None:
    check(paper, name, options, tmp_path, LONG_SITE)


@pytest.mark.thorough
def test_the_page_of_the_site_prints_the_sheets_alone(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    page.goto("/games/double-or-nothing/print?answers=1&paper=letter")
    page.emulate_media(media="print")
    assert page.evaluate(FAULTS) == []
    page.pdf(path=tmp_path / "site.pdf", prefer_css_page_size=True)
    texts = texts_of(tmp_path / "site.pdf")
    assert len(texts) == PAGES["double"]
    text = " ".join(texts)
    assert "Show the sheets" not in text
    assert "every game solved" not in text


CHANGED = [
    "double-or-nothing/print?opt-start=117&opt-target=399&opt-step=17",
    "64/print?opt-start=117&opt-target=399&opt-step=17",
    "binary-race-bits/print?opt-bits=3&opt-first-move=flip&opt-edge=strict&opt-repetition=0",
    "binary-race-bits/print?opt-bits=5&opt-first-move=flip&opt-edge=strict&opt-repetition=0",
    "binary-battle/print?opt-bits=4&opt-table=open",
]


@pytest.mark.thorough
def test_nothing_is_cut_on_the_page_of_a_site_with_a_name(paper: Page, tmp_path: Path) -> None:
    server = Server(tmp_path, "school.lan", "--host", "0.0.0.0", "--name", "school.lan")
    server.start()
    try:
        for at in CHANGED:
            paper.goto(f"{server.url}/games/{at}&answers=1&paper=letter")
            assert paper.locator(".sheet-page .qr").count() == 4
            assert paper.evaluate(FAULTS) == [], at
            heads = paper.evaluate("Array.from(document.querySelectorAll('.sheet-head'), (head) => head.offsetHeight)")
            assert max(heads) <= 42 * 96 / 25.4, at
    finally:
        server.stop()


@pytest.mark.thorough
def test_what_was_changed_is_shown_before_it_is_printed(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 800})
    page.goto("/games/double-or-nothing/print")
    target, button = page.get_by_label("Target"), page.get_by_role("button", name="Print")
    before = target.input_value()
    target.fill("24")
    assert button.is_disabled()
    assert page.get_by_role("status").filter(has_text="Show the sheets again").is_visible()
    fits(page, "sheets to be shown again")
    target.fill(before)
    assert button.is_enabled()
    assert not page.get_by_text("Show the sheets again").count()
    page.get_by_role("radio", name="Letter").check()
    assert button.is_disabled()
    page.get_by_role("radio", name="A4").check()
    assert button.is_enabled()
    target.fill("24")
    page.get_by_role("button", name="Show the sheets").click()
    page.wait_for_url("**opt-target=24**")
    assert button.is_enabled()


@pytest.mark.thorough
@GAMES
def test_the_page_with_the_sheets_fits_and_axe_finds_nothing_serious(kind: GameClass, visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(f"/games/{kind.slug}")
    page.get_by_role("link", name="Print sheets for a lesson").click()
    page.wait_for_url("**/print")
    fits(page, "sheets")
    check_with_axe(page, "sheets")
    page.get_by_role("radio", name="Worksheet").check()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Show the sheets").click()
    page.wait_for_url("**answers=1**")
    assert page.get_by_role("button", name="Print").is_visible()
