"""The pages of a class by their forms alone, as without scripts: join, come back, teach, play, watch."""

import itertools
import re
from collections.abc import Iterator
from html import unescape as html_text
from pathlib import Path
from typing import Any

import httpx
import pytest

from bitduel.games.registry import all_games
from bitduel.learning.lesson_grading import grade_answer
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web.class_teacher_pages import activity_in
from bitduel.web.class_view import ordinal, points_phrase
from bitduel.web.site import Site
from helpers import right_answers
from web.sites import Browser, LocalApp

PIN = re.compile(r'class="pin" role="img" aria-label="([0-9]{4})"')
LINK = re.compile(r'value="http://localhost(/class/[A-Z]{5}/[a-z]+/[\w-]{43})"')
PART = {"bitduel-part": "class"}
OPEN = next(kind for kind in all_games() if kind().has_perfect_information and kind.short == "double")
HIDDEN = next(kind for kind in all_games() if kind().is_hidden)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalApp]:
    """A site with classes, which all tests share: each has a class of its own."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('class')}/class.db") as store:
        made = LocalApp(store, Site(MatchService(store, Hub()), has_classes=True))
        yield made
        made.close()


class Room:
    """A class with a teacher and pupils in browsers of their own."""

    def __init__(self, app: LocalApp, *names: str) -> None:
        self.app = app
        self.teacher = app.browser()
        self.created = self.teacher.post("/class/new", data={"title": "Year 7"})
        found = LINK.search(self.created.text)
        assert found, self.created.text
        self.link = found[1]
        self.code = self.link.split("/")[2]
        self.url = f"/class/{self.code}"
        self.pupils = {name: self.join(name) for name in names}

    def join(self, name: str) -> Browser:
        browser = self.app.browser()
        answer = browser.post("/class", data={"code": self.code.lower(), "name": name})
        assert answer.headers["location"] == f"{self.url}?new=1", answer.text
        return browser

    def teach(self, do: str, **fields: Any) -> httpx.Response:
        return self.teacher.post(f"{self.url}/teacher", data={"do": do, **fields})

    def start(self, kind: str, **fields: Any) -> None:
        answer = self.teach("start", kind=kind, **({"game": OPEN.slug} | fields))
        assert answer.status_code == 303, answer.text

    def page(self) -> str:
        return self.teacher.get(f"{self.url}/teacher").text

    def screen(self) -> str:
        return self.app.browser().get(f"{self.url}/screen").text

    def match(self, name: str) -> str:
        return self.pupils[name].get(self.url).headers["location"]


def test_a_site_without_classes_has_neither_their_pages_nor_a_link_to_them(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/plain.db") as store:
        app = LocalApp(store)
        assert app.browser().get("/class").status_code == 404
        assert 'href="/class"' not in app.browser().get("/").text
        app.close()


def test_home_and_every_page_lead_to_the_class(app: LocalApp) -> None:
    assert app.browser().get("/").text.count('href="/class"') == 3
    assert app.browser().get("/puzzles").text.count('href="/class"') == 2


def test_a_pupil_joins_by_code_and_name_and_sees_the_pin_again_after_a_reload(app: LocalApp) -> None:
    room = Room(app, "Ada")
    first, again = (room.pupils["Ada"].get(f"{room.url}{query}").text for query in ("?new=1", ""))
    pin = PIN.search(first)
    assert pin
    assert pin[1] in again
    assert "You&#39;re in, <bdi>Ada</bdi>" in first
    assert '<noscript><meta http-equiv="refresh"' in first


@pytest.mark.parametrize("kind", ["pairs", "puzzles", "lesson"])
def test_the_name_in_the_bar_leads_to_the_pin(app: LocalApp, kind: str) -> None:
    room = Room(app, "Ada", "Ben")
    room.start(kind)
    ada = room.pupils["Ada"]
    at_it = ada.get(room.match("Ada") if kind == "pairs" else room.url).text
    assert f'<a href="{room.url}?new=1"><bdi>Ada</bdi></a>' in at_it
    assert not PIN.search(at_it)
    page = ada.get(f"{room.url}?new=1").text
    assert PIN.search(page)
    assert 'id="class-go"' in page


def test_an_address_with_the_code_asks_for_the_name_only(app: LocalApp) -> None:
    room = Room(app)
    visitor = app.browser()
    html = visitor.get(f"/class/{room.code.lower()}").text
    assert "Year 7" in html
    assert 'name="code"' not in html
    assert visitor.post(f"{room.url}/join", data={"name": "Ada"}).status_code == 303


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"code": "ZZZZZ", "name": "Ben"}, 404),
        ({"code": "", "name": "Ben"}, 404),
        ({"code": "x" * 5000, "name": "Ben"}, 404),
        ({"name": "ada"}, 409),
        ({"name": "Computer"}, 400),
        ({"name": "a\u202eb"}, 400),
        ({"name": "W" * 60}, 400),
    ],
)
def test_a_wrong_code_or_name_is_refused_on_the_form_with_one_sentence(
    app: LocalApp, fields: dict[str, str], status: int
) -> None:
    room = Room(app, "Ada")
    answer = app.browser().post("/class", data={"code": room.code, **fields})
    assert answer.status_code == status, answer.text
    assert answer.text.count('role="alert"') == 1
    assert 'name="code"' in answer.text


def test_a_pupil_comes_back_by_name_and_pin_and_another_pin_is_refused(app: LocalApp) -> None:
    room = Room(app, "Ada")
    pin = PIN.search(room.pupils["Ada"].get(room.url).text)
    assert pin
    other = app.browser()
    wrong = "0000" if pin[1] != "0000" else "1111"
    assert other.post(f"{room.url}/return", data={"name": "Ada", "pin": wrong}).status_code == 403
    assert other.post(f"{room.url}/return", data={"name": "ada", "pin": pin[1]}).status_code == 303
    assert "<bdi>Ada</bdi>" in other.get(room.url).text
    assert "Join your class" in room.pupils["Ada"].get(room.url).text


def test_on_a_shared_device_another_pupil_joins_with_a_secret_of_its_own(app: LocalApp) -> None:
    room = Room(app, "Ada")
    shared = room.pupils["Ada"]
    before = shared.cookie
    assert "Join as another pupil" in shared.get(f"{room.url}/other").text
    assert shared.post(f"{room.url}/join", data={"name": "Ben"}).status_code == 303
    assert shared.cookie != before
    assert "<bdi>Ben</bdi>" in shared.get(room.url).text
    assert room.page().count('class="here"') == 2


def test_the_link_of_the_teacher_leads_on_to_the_page_without_the_secret(app: LocalApp) -> None:
    room = Room(app)
    other = app.browser()
    assert other.get(f"{room.url}/teacher").status_code == 403
    answer = other.get(room.link)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{room.url}/teacher")
    html = other.get(f"{room.url}/teacher").text
    assert room.link.rpartition("/")[2] not in html
    assert other.get(f"{room.url}/teacher/{'x' * 43}").status_code == 404
    assert other.get(room.url).headers["location"] == f"{room.url}/teacher"


def test_no_pupil_can_do_what_the_teacher_does(app: LocalApp) -> None:
    room = Room(app, "Ada")
    for do in ("start", "pause", "finish", "lock", "delete", "remove", "pin", "nonsense"):
        answer = room.pupils["Ada"].post(
            f"{room.url}/teacher", data={"do": do, "pupil": "1", "kind": "swiss", "game": OPEN.slug}
        )
        assert answer.status_code in (400, 403), do
    assert room.pupils["Ada"].get(f"{room.url}/teacher").status_code == 403
    assert "<bdi>Ada</bdi>" in room.pupils["Ada"].get(room.url).text


def test_a_tournament_is_played_by_forms_from_the_first_round_to_the_podium(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    assert "<bdi>Ada</bdi>" in room.screen()
    room.start("swiss", rounds="2", clock="move:60")
    address = room.match("Ada")
    assert room.match("Ben") == address
    html = room.pupils["Ada"].get(address).text
    assert "Round 1 of 2" in html
    for helper in ("Ask for the coach", "Cancel the match", "Explore this position"):
        assert helper not in html
    asked = room.teach("next", round="1")
    assert asked.status_code == 409
    assert "still playing" in asked.text
    room.pupils["Ada"].post(f"{address}/resign")
    room.app.site.classes.work_on(room.code)  # type: ignore[union-attr]
    html = room.pupils["Ben"].get(address).text
    assert "Back to the class" in html
    assert "Rematch" not in html
    assert "1 of 1</b> boards finished" in room.screen()
    assert room.teach("next", round="1").status_code == 303
    assert room.match("Ada") != address
    room.pupils["Ada"].post(f"{room.match('Ada')}/resign")
    assert room.teach("finish").status_code == 303
    podium = room.screen()
    assert "After 2 rounds" in podium
    assert "<bdi>Ben</bdi>" in podium
    waiting = room.pupils["Ben"].get(room.url).text
    assert "1st place, 2 points" in waiting
    assert "What comes next?" in room.page()
    table = room.teacher.get(f"/api/v1/classes/{room.code}/results.csv")
    assert table.status_code == 200
    assert "Ben" in table.text
    card = room.teacher.get(f"{room.url}/teacher?pupil=2").text
    assert "against Ada" in card
    assert f"{address}/review" in card


def test_a_pause_freezes_every_screen_until_the_teacher_goes_on(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    room.start("pairs")
    address = room.match("Ada")
    room.teach("pause")
    for html in (room.pupils["Ada"].get(address).text, room.screen()):
        assert "Look up front" in html
    for pupil in room.pupils.values():
        assert not re.search(r'name="move"[^>]*>(?<! disabled>)', pupil.get(address).text.replace("\n", " "))
    room.teach("resume")
    assert "Look up front" not in room.pupils["Ada"].get(address).text


def test_chosen_pairs_play_each_other(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben", "Cleo", "Dan")
    form = room.teacher.get(f"{room.url}/teacher/pairs", params={"game": OPEN.slug, "best_of": "3"}).text
    assert 'name="with-1"' in form
    assert 'name="best_of" value="3"' in form
    room.start("pairs", **{"with-1": "4", "with-2": "3"})
    assert room.match("Ada") == room.match("Dan")
    assert room.match("Ben") == room.match("Cleo")


def test_nobody_can_be_chosen_for_two_pairs(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben", "Cleo")
    answer = room.teach("start", kind="pairs", game=OPEN.slug, **{"with-1": "2", "with-2": "3"})
    assert answer.status_code == 400
    assert "one pair only" in answer.text


def test_the_teacher_adds_renames_approves_and_removes_pupils_and_gives_a_pin_and_a_link(app: LocalApp) -> None:
    room = Room(app, "Ada")
    room.teach("add", name="Ben")
    assert "not yet" in room.page()
    assert 'value="Ben"' in app.browser().get(room.url).text
    room.teach("rename", pupil="1", name="Adah")
    assert "<bdi>Adah</bdi>" in room.pupils["Ada"].get(room.url).text
    pin = re.search(r'class="class-code">([0-9]{4})<', room.teach("pin", **{"pupil": "1", "see-pupil": "1"}).text)
    assert pin
    assert app.browser().post(f"{room.url}/return", data={"name": "Adah", "pin": pin[1]}).status_code == 303
    link = LINK.search(room.teach("link", **{"pupil": "1", "see-pupil": "1"}).text)
    assert link
    device = app.browser()
    assert "Adah" in device.get(link[1]).text
    assert device.post(link[1]).status_code == 303
    assert "<bdi>Adah</bdi>" in device.get(room.url).text
    assert app.browser().get(link[1]).status_code == 404
    room.teach("approval", approval="1")
    cleo = room.join("Cleo")
    assert "Your teacher has to let you in" in cleo.get(room.url).text
    assert "Cleo" not in room.screen()
    room.teach("approve", pupil="3")
    assert "Cleo" in room.screen()
    room.teach("remove", pupil="3")
    assert "Join your class" in cleo.get(room.url).text


def test_the_teacher_sees_whose_pin_is_locked(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    pin = PIN.search(room.pupils["Ada"].get(room.url).text)
    assert pin
    for _ in range(5):
        app.browser().post(f"{room.url}/return", data={"name": "Ada", "pin": "0000" if pin[1] != "0000" else "1111"})
    assert room.page().count('<span class="locked">PIN locked</span>') == 1


def test_a_locked_door_lets_nobody_in(app: LocalApp) -> None:
    room = Room(app)
    room.teach("lock")
    assert "Nobody can join now" in app.browser().get(room.url).text
    assert app.browser().post(f"{room.url}/join", data={"name": "Ada"}).status_code == 409
    room.teach("unlock")
    room.join("Ada")


def test_puzzles_are_answered_by_forms_and_counted(app: LocalApp) -> None:
    room = Room(app, "Ada")
    room.start("puzzles", game="", count="2", grade="1")
    ada = room.pupils["Ada"]
    html = ada.get(room.url).text
    assert "Puzzle 1 of 2" in html
    assert f'method="post" action="{room.url}/answer"' in html
    hinted = ada.post(f"{room.url}/answer", data={"item": "1", "hint": "1"})
    assert hinted.headers["location"] == f"{room.url}?item=1"
    classes = room.app.site.classes
    assert classes
    owner = next(each.owner for each in classes.store.get(room.code).pupils.values())
    for _ in range(2):
        item, session = classes.puzzle(room.code, owner)
        while session.question:
            right = [*session.question.right]
            ada.post(f"{room.url}/answer", data={"item": str(item), "answer": right})
            session.answer(right)
        shown = ada.get(f"{room.url}?item={item}").text
        assert "Solved" in shown
        assert ("Next</a>" if item == 1 else "Back to the class</a>") in shown
    assert "You&#39;ve done everything" in ada.get(room.url).text
    assert "2 solved" in room.page()
    stale = ada.post(f"{room.url}/answer", data={"item": "1", "answer": "add"})
    assert stale.status_code == 409


def test_a_step_of_a_lesson_shows_what_was_wrong_and_goes_on_when_it_is_right(app: LocalApp) -> None:
    room = Room(app, "Ada")
    room.start("lesson")
    ada = room.pupils["Ada"]
    html = ada.get(room.url).text
    assert "Step 1 of" in html
    moves = re.findall(r'name="(?:move|answer)" value="([^"]+)"', html)
    results = {move: ada.post(f"{room.url}/answer", data={"item": "1", "answer": move}).headers for move in moves[:1]}
    shown = ada.get(results[moves[0]]["location"]).text
    assert "Not quite." in shown or "Right." in shown
    assert ada.post(f"{room.url}/answer", data={"item": "1", "answer": "nonsense"}).status_code in (400, 409)
    assert ada.post(f"{room.url}/answer", data={"item": "x"}).status_code == 400


def test_an_answer_in_an_address_is_judged_only_once_it_has_been_sent_and_counted(app: LocalApp) -> None:
    room = Room(app, "Ada")
    room.start("lesson")
    ada, classes = room.pupils["Ada"], room.app.site.classes
    assert classes
    owner = next(each.owner for each in classes.store.get(room.code).pupils.values())
    asked = ("Not quite.", "Right.")
    kinds = set()
    while (now := classes.pupil_state(room.code, owner).now).kind == "lesson":
        item, learner = classes.lesson(room.code, owner)
        right = right_answers(learner)[0]
        kinds.add(type(learner.step).__name__)
        html = ada.get(room.url).text
        offered = [html_text(each) for each in re.findall(r'name="(?:move|answer)" value="([^"]+)"', html)]
        wrong = next((each for each in offered if not grade_answer(learner, each).is_right), None)
        for answer, name in itertools.product({right, wrong} - {None}, ("answer", "move")):
            shown = ada.get(room.url, params={"item": item, name: answer}).text
            assert not any(word in shown for word in asked), (item, answer)
        for answer in filter(None, (wrong, right)):
            there = ada.post(f"{room.url}/answer", data={"item": str(item), "answer": answer}).headers["location"]
            shown = ada.get(there).text
            assert (asked[answer == right] in shown) or (answer == right and "answer=" not in there), there
    assert now.reason == "done"
    assert len(kinds) > 1


def test_a_hidden_game_shows_teacher_and_projector_only_what_a_spectator_may_see(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    room.start("swiss", game=HIDDEN.slug, rounds="1")
    address = room.match("Ada")
    session = app.service.session(address.rpartition("/")[2])
    spectator = session.match.game.picture(session.match.view(None), session.stored.names)
    for html in (room.teacher.get(f"{room.url}/teacher?chances=1").text, room.screen()):
        assert session.match.deal not in html
        assert spectator.caption.partition(".")[0] in html
        assert "can win" not in html


def test_the_parts_that_scripts_fetch_are_parts_of_the_same_pages(app: LocalApp) -> None:
    room = Room(app, "Ada")
    for browser, path in (
        (room.teacher, f"{room.url}/teacher"),
        (room.pupils["Ada"], room.url),
        (room.pupils["Ada"], f"{room.url}/bar"),
        (app.browser(), f"{room.url}/screen"),
    ):
        html = browser.get(path, headers=PART).text
        assert 'class="class-part' in html
        assert "<!doctype" not in html


def test_who_is_not_in_the_class_gets_no_bar(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    room.start("pairs")
    assert app.browser().get(f"{room.url}/bar").status_code == 403
    assert "class-bar" not in app.browser().get(room.match("Ada")).text


def test_a_match_that_the_teacher_ended_is_no_draw_on_any_page(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    room.start("pairs")
    match = room.match("Ada")
    room.teach("finish")
    page = room.pupils["Ada"].get(match).text
    assert "The match was ended by the teacher. It doesn&#39;t count." in page
    assert ">draw<" not in page
    assert "cancelled" not in page
    assert "ended by the teacher, doesn&#39;t count" in room.pupils["Ada"].get(room.url).text


def test_who_was_removed_loses_the_match_and_is_offered_no_other(app: LocalApp) -> None:
    room = Room(app, "Ada", "Ben")
    room.start("pairs", clock="match:300")
    match = room.match("Ada")
    room.teach("remove", pupil="1")
    gone, other = room.pupils["Ada"].get(match).text, room.pupils["Ben"].get(match).text
    assert "You win!" in other
    assert "Ada has left." in other
    assert "<b>Ben won</b>" in room.page()
    for offer in ("Rematch", "/lobby", f"{match}/next"):
        assert offer not in gone


def test_deleting_the_class_ends_every_page_of_it(app: LocalApp) -> None:
    room = Room(app, "Ada")
    assert room.teach("delete").headers["location"] == "/class"
    for path in ("", "/teacher", "/screen", "/return"):
        assert room.pupils["Ada"].get(f"{room.url}{path}").status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "chess"},
        {"kind": "swiss"},
        {"kind": "swiss", "game": "chess"},
        {"kind": "swiss", "game": OPEN.slug, "rounds": "0"},
        {"kind": "swiss", "game": OPEN.slug, "rounds": "many"},
        {"kind": "arena", "game": OPEN.slug, "minutes": "999"},
        {"kind": "swiss", "game": OPEN.slug, "clock": "sand:3"},
        {"kind": "swiss", "game": OPEN.slug, f"opt-{OPEN.slug}-target": "-3"},
        {"kind": "pairs", "game": OPEN.slug, "best_of": "7"},
        {"kind": "swiss", "game": OPEN.slug, "odd": "x"},
    ],
)
def test_an_activity_that_cannot_be_is_refused_with_one_sentence_and_starts_nothing(
    app: LocalApp, fields: dict[str, str]
) -> None:
    room = Room(app, "Ada", "Ben")
    answer = room.teach("start", **fields)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.text.count('role="alert"') == 1
    assert "What do you want to do?" in room.page()


def test_only_what_has_a_meaning_for_an_activity_is_sent_on() -> None:
    fields = {"rounds": "4", "minutes": "10", "count": "5", "clock": "move:30", "best_of": "1", "odd": "bye"}
    puzzles = activity_in({"kind": "puzzles", **fields})
    assert (puzzles.count, puzzles.rounds, puzzles.minutes, puzzles.clock) == (5, None, None, None)
    arena = activity_in({"kind": "arena", "game": OPEN.slug, **fields})
    assert (arena.minutes, arena.rounds, arena.count) == (10, None, None)


def test_places_and_points_are_words() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th",
    ]  # fmt: skip
    assert [points_phrase(points) for points in (0, 0.5, 1, 1.5, 2)] == [
        "0 points", "½ point", "1 point", "1½ points", "2 points",
    ]  # fmt: skip
