"""A class in real browsers under a name of a local network: a teacher, a projector, and pupils on their phones."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from bitduel.games.registry import find
from web.browser.conftest import Server, Visit, Watch, expect_ply, fits, is_over, moves, ply_of
from web.browser.test_every_page import check_with_axe
from web.browser.test_two_browsers import DOWN

OPTIONS = ("--host", "0.0.0.0", "--name", "school.lan", "--classes")
NAMES = ("Ada", "Bilal", "Chiara", "Deniz", "Emil", "Farah")
PHONE = {"viewport": {"width": 360, "height": 740}}
OPEN, HIDDEN = find("double"), find("battle")
MATCH = re.compile("/matches/[a-z0-9]+$")


@pytest.fixture(scope="module")
def site(own_folders: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site with classes on all interfaces, visited under a name that is not this machine's own."""
    server = Server(tmp_path_factory.mktemp("class"), "school.lan", *OPTIONS)
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.said()
    assert "unforeseen" not in server.said()


class Room:
    """A class: the teacher's page, the projector, and the phones of the pupils."""

    def __init__(self, visit: Visit, pupils: int) -> None:
        self.visit = visit
        self.teacher = visit(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        self.teacher.goto("/class")
        self.teacher.get_by_label("Name of the class").fill("Year 7")
        self.teacher.get_by_role("button", name="Start a class").click()
        self.teacher.get_by_role("link", name="Open the teacher").click()
        self.teacher.wait_for_url("**/teacher")
        self.code = self.teacher.url.split("/")[-2]
        self.screen = visit(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        self.screen.goto(f"/class/{self.code}/screen")
        self.pupils = {name: self.join(name) for name in NAMES[:pupils]}

    def join(self, name: str, **settings: object) -> Page:
        page = self.visit(**PHONE, **{"reduced_motion": "reduce", **settings})
        page.goto("/class")
        page.get_by_label("Code on the board").fill(self.code.lower())
        page.get_by_label("Your first name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)
        expect(page.locator(".pin span")).to_have_count(4)
        return page

    def choose(self, kind: str, game: str = "", **fields: str) -> None:
        teacher = self.teacher
        teacher.locator(f"[name=kind][value={kind}]").check()
        teacher.get_by_label("Game", exact=True).select_option(game)
        for name, value in fields.items():
            teacher.get_by_label(name, exact=True).fill(value)

    def start(self) -> None:
        self.teacher.get_by_role("button", name="Start", exact=True).click()
        expect(self.teacher.locator("#chooser")).to_have_count(0)

    def finish(self) -> None:
        self.teacher.get_by_role("button", name=re.compile("^Finish")).first.click()
        expect(self.teacher.locator("#chooser")).to_be_visible()

    def boards(self, names: Iterable[str] = ()) -> list[tuple[Page, Page]]:
        """The pairs that play now, once every pupil, or each of some, has come to a board."""
        at: dict[str, list[Page]] = {}
        for name in names or self.pupils:
            self.pupils[name].wait_for_url(MATCH)
            at.setdefault(self.pupils[name].url, []).append(self.pupils[name])
        assert all(len(pages) == 2 for pages in at.values())
        return [(pages[0], pages[1]) for pages in at.values()]

    def on_to(self, old: dict[str, str], names: Iterable[str] = ()) -> None:
        """Wait until every pupil, or each of some, was led to another board."""
        for name in names or self.pupils:
            self.pupils[name].wait_for_url(differs(old[name]))

    @property
    def urls(self) -> dict[str, str]:
        return {name: page.url for name, page in self.pupils.items()}


def differs(old: str) -> Callable[[str], bool]:
    """Tell whether an address is another one."""
    return lambda url: url != old


def mover(board: tuple[Page, Page]) -> Page:
    """The page of the player to move at the start."""
    turn = board[0].locator(".frame").get_attribute("data-turn")
    return next(page for page in board if page.locator(".match").get_attribute("data-seat") == turn)


def play(board: tuple[Page, Page], rng: Random) -> None:
    """Play a match of a game in which both move in turn to its end."""
    page = mover(board)
    expect(moves(page).first).to_be_enabled()
    while not is_over(page):
        before = ply_of(page)
        rng.choice(moves(page).all()).click()
        for each in board:
            expect_ply(each, before + 1)
        page = board[1] if page is board[0] else board[0]
        expect(page.locator(".match[data-over=true], form[data-move] button[name=move]:enabled").first).to_be_visible()


@pytest.mark.thorough
def test_a_pupil_without_scripts_joins_waits_and_plays(visit: Visit) -> None:
    room = Room(visit, 1)
    plain = room.join("Ben", java_script_enabled=False)
    fits(plain, "waiting")
    room.choose("swiss", OPEN.slug, Rounds="1")
    room.start()
    plain.wait_for_url(MATCH)
    board = (room.pupils["Ada"], plain)
    board[0].wait_for_url(MATCH)
    first = mover(board)
    moves(first).first.click()
    second = board[1] if first is board[0] else board[0]
    expect(moves(second).first).to_be_visible()
    moves(second).first.click()
    expect(moves(first).first).to_be_visible()
    room.finish()
    expect(plain.get_by_role("link", name="Back to the class")).to_be_visible()
    plain.get_by_role("link", name="Back to the class").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("That's it for now")


@pytest.mark.thorough
def test_six_pupils_play_a_whole_tournament(visit: Visit, watch: Watch) -> None:
    watch.expect("status of 409")
    room, rng = Room(visit, 6), Random(7)
    teacher, screen = room.teacher, room.screen
    expect(screen.locator(".screen-names bdi")).to_have_text(NAMES)
    room.choose("swiss", OPEN.slug, Rounds="3")
    room.start()
    for number in (1, 2, 3):
        boards = room.boards()
        for page in (teacher, screen):
            expect(page.get_by_role("heading", level=1)).to_have_text(f"Round {number} of 3")
        if number == 1:
            freeze(room, boards)
        for board in boards:
            play(board, rng)
        expect(teacher.locator(".teacher-progress")).to_contain_text("3 of 3 boards finished")
        old = room.urls
        if number < 3:
            teacher.get_by_role("button", name="Next round").click()
            room.on_to(old)
    room.finish()
    expect(screen.get_by_role("heading", level=1)).to_have_text("After 3 rounds")
    expect(screen.locator(".podium .stand").first).to_contain_text("points")
    expect(teacher.locator(".teacher-standings tbody tr")).to_have_count(6)
    page = room.pupils["Ada"]
    page.get_by_role("link", name="Back to the class").click()
    expect(page.locator(".class-place")).to_contain_text("place")


def freeze(room: Room, boards: list[tuple[Page, Page]]) -> None:
    """Pause and go on, and ask for the next round too early."""
    teacher, page = room.teacher, mover(boards[0])
    teacher.get_by_role("button", name="Pause all").click()
    expect(page.locator(".class-front")).to_contain_text("Look up front")
    expect(room.screen.locator(".screen-paused")).to_be_visible()
    expect(moves(page)).to_have_count(0)
    teacher.get_by_role("button", name="Go on").click()
    expect(moves(page).first).to_be_enabled()
    expect(page.locator(".class-front")).to_have_count(0)
    expect(room.screen.locator(".screen-paused")).to_have_count(0)
    teacher.get_by_role("button", name="Next round").click()
    expect(teacher.get_by_role("alert")).to_contain_text("3 boards are still playing")
    teacher.get_by_role("link", name="Let them finish").click()
    expect(teacher.get_by_role("alert")).to_have_count(0)


@pytest.mark.thorough
def test_an_arena_of_a_hidden_game_pairs_whoever_is_free_and_shows_nothing_hidden(visit: Visit) -> None:
    room, rng = Room(visit, 6), Random(3)
    room.choose("arena", HIDDEN.slug, Minutes="5")
    room.teacher.locator(f"#settings-{HIDDEN.slug} summary").click()
    room.teacher.locator(f"[name='opt-{HIDDEN.slug}-bits']").fill("3")
    room.start()
    boards = room.boards()
    old = room.urls
    for page in (room.teacher, room.screen):
        expect(page.locator(".small-board .lamps")).to_have_count(0)
    for board in boards[:2]:
        play(board, rng)
    free = [name for name, page in room.pupils.items() if page in (*boards[0], *boards[1])]
    room.on_to(old, free)
    again = room.boards(free)
    assert not {frozenset(board) for board in again} & {frozenset(board) for board in boards}
    for board in again:
        play(board, rng)
    room.finish()
    expect(room.screen.locator(".podium .stand").first).to_contain_text("point")


@pytest.mark.thorough
def test_a_race_of_puzzles_counts_what_is_solved(visit: Visit) -> None:
    room = Room(visit, 6)
    room.teacher.locator("[name=kind][value=puzzles]").check()
    room.teacher.get_by_label("Game", exact=True).select_option(OPEN.slug)
    room.teacher.get_by_label("How many puzzles?").fill("2")
    room.start()
    for page in room.pupils.values():
        expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle 1 of 2")
        for number in (1, 2):
            expect(page.get_by_role("heading", level=1)).to_have_text(f"Puzzle {number} of 2")
            solve(page)
            page.locator("#more").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("You've done everything")
    expect(room.teacher.locator(".teacher-pupils .doing").filter(has_text="done")).to_have_count(6)
    expect(room.screen.locator(".screen-standings li")).to_have_count(6)
    room.finish()
    expect(room.screen.get_by_role("heading", level=1)).to_have_text("The result")


def solve(page: Page) -> None:
    """Answer a puzzle, rightly or not, until it is done."""
    more, go_on = page.locator("#more"), page.locator("#go-on")
    buttons = page.locator("#move-form button:enabled, button[form=move-form]:enabled")
    while not more.count():
        if go_on.count():
            go_on.click()
            expect(go_on).to_have_count(0)
            continue
        before = page.locator(".puzzle").get_attribute("data-play")
        if page.locator("#move-form input[type=checkbox]").count():
            page.locator("#move-form label").first.click()
            page.get_by_role("button", name="Check").click()
        else:
            buttons.first.click()
        expect(page.locator(f".puzzle:not([data-play='{before}'])")).to_be_visible()


@pytest.mark.thorough
def test_every_page_goes_on_when_the_server_was_killed_in_the_middle_of_a_round(
    visit: Visit, watch: Watch, own_folders: object, tmp_path: Path
) -> None:
    server = Server(tmp_path, "school.lan", *OPTIONS)
    server.start()
    watch.url = server.url
    watch.expect(*DOWN)
    room, rng = Room(visit, 2), Random(1)
    room.choose("swiss", OPEN.slug, Rounds="2")
    room.start()
    (board,) = room.boards()
    old = room.urls
    moves(mover(board)).first.click()
    for page in board:
        expect_ply(page, 1)
    server.kill()
    server.start()
    play(board, rng)
    expect(room.screen.locator(".screen-foot")).to_contain_text("1 of 1 boards finished")
    room.teacher.get_by_role("button", name="Next round").click()
    room.on_to(old)
    server.stop()


@pytest.mark.thorough
def test_the_steps_of_the_podium_stand_at_the_foot_however_many_share_one(visit: Visit) -> None:
    room = Room(visit, 3)
    room.choose("swiss", OPEN.slug, Rounds="1")
    room.start()
    room.finish()
    first = room.screen.locator(".podium .step-1 .stand")
    expect(first.locator("b")).to_have_count(1)
    for count in range(1, 6):
        names = "<b class='long'><bdi>Maximiliana-Josephine W.</bdi></b>" * count
        first.evaluate("(stand, names) => stand.innerHTML = names + '<span>1 point</span>'", names)
        assert room.screen.evaluate("document.documentElement.scrollHeight <= innerHeight"), count


def test_no_page_of_a_class_is_too_wide_and_axe_finds_nothing_serious(visit: Visit) -> None:
    room = Room(visit, 2)
    ada = room.pupils["Ada"]
    visitor = visit(reduced_motion="reduce")
    for path in ("/class", f"/class/{room.code}", f"/class/{room.code}/return"):
        visitor.goto(path)
        check(visitor, path)
    check(ada, "waiting")
    check(room.teacher, "teacher before the first activity")
    check(room.screen, "lobby")
    room.choose("swiss", OPEN.slug, Rounds="1")
    room.start()
    ada.wait_for_url(MATCH)
    check(ada, "match")
    room.teacher.get_by_role("link", name="Show who can win").click()
    expect(room.teacher.locator(".board-note").first).not_to_be_empty()
    room.teacher.locator(".teacher-pupils a").first.click()
    expect(room.teacher.locator(".pupil-card")).to_be_visible()
    check(room.teacher, "teacher with boards")
    check(room.screen, "boards")
    room.teacher.get_by_role("button", name="Pause all").click()
    expect(ada.locator(".class-front")).to_be_visible()
    check(ada, "paused")
    check(room.screen, "paused")
    room.teacher.get_by_role("button", name="Go on").click()
    expect(room.teacher.get_by_role("button", name="Pause all")).to_be_visible()
    room.finish()
    check(room.screen, "podium")


def check(page: Page, name: str) -> None:
    check_with_axe(page, name)
    fits(page, name)
