"""Looking back: where it was decided, whose mistakes they were, and doing better."""

import re
from html import unescape

import pytest

from bitduel.core.hints import often
from bitduel.core.match import Match
from bitduel.games import Kind, make, shelf
from bitduel.service.match_service import hashed
from bitduel.solver.remarks import VIEWPOINT
from bitduel.solver.review import review
from helpers import deals
from web.conftest import Hold
from web.houses import Browser, House, form_to, links

BITS = (
    *("flip 2", "flip 4", "flip 3", "flip 3", "reset 4", "flip 4", "flip 1"),
    *("flip 2", "reset 4", "reset 3", "flip 3", "flip 4", "flip 4"),
)
MISTAKES = (8, 9, 12)


def opened(who: Browser, path: str) -> str:
    answer = who.get(path)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def where(page: str) -> str:
    found = re.search(r'class="where">([^<]*)<', page)
    return found[1] if found else ""


def test_a_review_opens_at_the_first_turning_point_and_counts_mistakes(house: House, hold: Hold) -> None:
    page = opened(house.browser(), f"/matches/{hold('bits', BITS).id}/review")
    assert where(page) == "8 of 13"
    assert "3 turning points. Mistakes of Ada: 1, of Ben: 2." in page
    assert "a turning point: a better move was there" in page


def test_next_and_previous_mistake_lead_from_one_to_the_next(house: House, hold: Hold) -> None:
    held, who = hold("bits", BITS), house.browser()
    for ply in range(len(BITS) + 1):
        page = opened(who, f"/matches/{held.id}/review?ply={ply}")
        ahead = re.search(r'id="next-mistake" href="[^"]*ply=(\d+)"', page)
        back = re.search(r'id="previous-mistake" href="[^"]*ply=(\d+)"', page)
        assert (int(ahead[1]) if ahead else None) == next((at for at in MISTAKES if at > ply), None)
        assert (int(back[1]) if back else None) == next((at for at in reversed(MISTAKES) if at < ply), None)
        assert ("Try again from here" in page) == (ply in MISTAKES)


def test_a_match_without_a_mistake_opens_at_its_end_with_a_kind_word_and_no_legend(house: House, hold: Hold) -> None:
    held = hold("double", ("double", "add"), options={"target": 3})
    page = opened(house.browser(), f"/matches/{held.id}/review")
    assert where(page) == "2 of 2"
    assert "Well played by both: Ben stood to win from the start, and kept it." in page
    assert "turning point" not in page.replace("No turning points.", "")
    assert "mistake" not in page


def test_a_match_without_a_move_can_be_looked_at(house: House, hold: Hold) -> None:
    held = hold("64")
    house.desk.resign(held.id, hashed(held.tokens[1]))
    page = opened(house.browser(held.tokens[1]), f"/matches/{held.id}/review")
    assert "No move was made, so no mistake either." in page
    assert "Play on from here" in page


def test_a_won_position_that_was_resigned_is_a_mistake_on_the_page_too(house: House, hold: Hold) -> None:
    held = hold("double", ("double", "add", "add"))
    house.desk.resign(held.id, hashed(held.tokens[1]))
    page = opened(house.browser(held.tokens[1]), f"/matches/{held.id}/review")
    assert where(page) == "3 of 3"
    assert "1 turning point. Mistakes of Ada: 0, of Ben: 1." in page
    assert "Ben resigns. Ada wins the game!" in page
    assert "You could still have won here, your last chance." in page
    assert "Well played" not in page
    start = opened(house.browser(), f"/matches/{held.id}/review?ply=0")
    assert 'id="next-mistake" href="/matches/' in start
    assert "could still have" not in start


def test_praise_is_for_whoever_held_out(house: House, hold: Hold) -> None:
    held = hold("double", ("double", "add", "double", "double", "add", "add", "double"))
    page = opened(house.browser(), f"/matches/{held.id}/review")
    assert "Well played by Ben: Ben stood to win from the start, and kept it. Ada could have held out longer." in page
    assert "Add would have held out longer: Ben then wins in 3 moves." in page


def test_whoever_has_a_seat_is_spoken_to(house: House, hold: Hold) -> None:
    held = hold("bits", BITS)
    for token, who in ((held.tokens[1], "You could still have drawn"), (held.tokens[0], "Ben could still have drawn")):
        assert who in opened(house.browser(token), f"/matches/{held.id}/review")


def test_trying_again_shows_the_moves_without_the_answer_and_then_says_what_each_is_worth(
    house: House, hold: Hold
) -> None:
    held, who = hold("bits", BITS), house.browser()
    path = f"/matches/{held.id}/review?ply=8&try="
    page = opened(who, path)
    assert "You are Ben. Which move is better than flip 2?" in page
    assert "could still have" not in page
    assert "★" not in page
    tries = [link for link in links(page) if "&try=" in link]
    moves = Match(make("bits"), 1, "", BITS[:7]).legal
    assert [link.partition("try=")[2].replace("+", " ") for link in tries] == list(moves)
    said = {link.partition("try=")[2]: opened(who, link) for link in tries}
    assert "Not this one: Flip 2 loses" in said["flip+2"]
    assert "Yes! Reset 1 draws." in said["reset+1"]
    assert "Yes! Reset 3 draws." in said["reset+3"]
    assert "The next one" in said["reset+1"]
    assert "Play on from here" in said["reset+1"]
    assert "Play on from here" not in said["flip+2"], "that would give the answer away"


@pytest.mark.parametrize("wrong", ["ply=8&try=sing", "ply=1&try=flip+2", "ply=99999&try=", "try=reset+1"])
def test_a_try_that_makes_no_sense_changes_nothing(house: House, hold: Hold, wrong: str) -> None:
    opened(house.browser(), f"/matches/{hold('bits', BITS).id}/review?{wrong}")


@pytest.mark.parametrize("kind", shelf(), ids=lambda kind: kind.slug)
@pytest.mark.parametrize("seat", [1, 2, None])
def test_one_plays_on_from_any_moment_on_ones_own_side(house: House, hold: Hold, kind: Kind, seat: int | None) -> None:
    match = Match(kind(), 2, deals(kind())[-1])
    for _ in range(4):
        match.play(match.legal[0])
    held = hold(kind.slug, tuple(match.moves), first=2, **({"deal": match.deal} if match.deal else {}))
    house.desk.resign(held.id, hashed(held.tokens[0]))
    for ply in range(5):
        who = house.browser(held.tokens[seat - 1] if seat else None)
        page = opened(who, f"/matches/{held.id}/review?ply={ply}")
        if kind().chance:
            assert "Play on from here" not in page
            continue
        side = seat or match.seat_at(ply)
        at = match.at(ply)
        if at.next_seat != side and any(at.after(move).outcome for move in at.legal):
            assert "Play on from here" not in page, "it would be lost before one could do anything"
            continue
        form = form_to(page, "/play")
        assert f"You play <bdi>{('Ada', 'Ben')[side - 1]}</bdi>'s side" in page
        found = who.post(form.action, data={**form.hidden, "opponent": "easy"}).headers["location"]
        view = who.get(f"/api/v1{found}").json()["view"]
        assert view["history"][:ply] == match.moves[:ply]
        assert view["seat"] == 1
        assert (view["first"] == 1) == (side == 2), "the side that began then is the side that began"


def test_a_quiz_in_the_dark_shows_what_its_player_could_know(house: House, hold: Hold) -> None:
    moves = ("toggle 5", "toggle 1", "toggle 2", "toggle 1", "toggle 3")
    held = hold("battle", moves, deal="01101")
    at = [step.ply + 1 for step in review(held_match(moves)).steps if step.turning]
    page = opened(house.browser(), f"/matches/{held.id}/review?ply={at[0]}&try=")
    assert "Ben has" not in page
    assert "01101" not in page
    assert "still possible: 0 to 31" in page


def test_in_the_dark_every_figure_is_the_movers_own_and_the_page_says_so(house: House, hold: Hold) -> None:
    moves = ("toggle 5", "toggle 1", "toggle 2", "toggle 1", "toggle 3")
    held, who = hold("battle", moves, deal="01101"), house.browser()
    for step in review(held_match(moves)).steps[:-1]:
        page = opened(who, f"/matches/{held.id}/review?ply={step.ply + 1}")
        own = step.after.own(step.seat)
        assert own is not None
        assert f"{('Ada', 'Ben')[step.seat - 1]} wins {often(own)}." in page
        assert VIEWPOINT in page


def held_match(moves: tuple[str, ...]) -> Match:
    return Match(make("battle"), 1, "01101", moves)


def test_nothing_of_this_is_told_while_the_match_goes_on(house: House, hold: Hold) -> None:
    held = hold("battle", ("toggle 5", "toggle 1"), deal="01101")
    for query in ("", "?ply=1&try=", "?ply=1&try=toggle+1"):
        assert house.browser(held.tokens[0]).get(f"/matches/{held.id}/review{query}").status_code == 409
