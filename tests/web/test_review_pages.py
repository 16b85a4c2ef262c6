"""Looking back: where it was decided, whose mistakes they were, and doing better."""

import re
from html import unescape

import pytest

from bitduel.core.match import Match
from bitduel.core.phrases import frequency_phrase
from bitduel.games.registry import GameClass, all_games, make
from bitduel.learning.review import review
from bitduel.learning.review_text import VIEWPOINT
from bitduel.service.credentials import hashed
from helpers import deals
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, form_to, links

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


def test_a_review_opens_at_the_first_turning_point_and_counts_mistakes(app: LocalApp, store_match: StoreMatch) -> None:
    page = opened(app.browser(), f"/matches/{store_match('bits', BITS).id}/review")
    assert where(page) == "8 of 13"
    assert "3 turning points. Mistakes: 1 by Ada, 2 by Ben." in page
    assert "turning point: there was a better move" in page


def test_next_and_previous_mistake_lead_from_one_to_the_next(app: LocalApp, store_match: StoreMatch) -> None:
    seated, who = store_match("bits", BITS), app.browser()
    for ply in range(len(BITS) + 1):
        page = opened(who, f"/matches/{seated.id}/review?ply={ply}")
        ahead = re.search(r'id="next-mistake" href="[^"]*ply=(\d+)"', page)
        back = re.search(r'id="previous-mistake" href="[^"]*ply=(\d+)"', page)
        assert (int(ahead[1]) if ahead else None) == next((at for at in MISTAKES if at > ply), None)
        assert (int(back[1]) if back else None) == next((at for at in reversed(MISTAKES) if at < ply), None)
        assert ("Try again from here" in page) == (ply in MISTAKES)


def test_a_match_without_a_mistake_opens_at_its_end_with_a_kind_word_and_no_legend(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match("double", ("double", "add"), options={"target": 3})
    page = opened(app.browser(), f"/matches/{seated.id}/review")
    assert where(page) == "2 of 2"
    assert "Well played, both of you. Ben was winning from the start and made no mistake." in page
    assert "turning point" not in page.replace("No turning points.", "")
    assert "Next mistake" not in page


def test_the_line_of_a_drawn_match_begins_its_sentence_with_a_capital(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("bits", ("flip 1", "reset 1"))
    assert ": reset 1. A draw." in app.browser().get(f"/matches/{seated.id}/review").text


def test_a_match_without_a_move_can_be_looked_at(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("64")
    app.service.resign(seated.id, hashed(seated.tokens[1]))
    page = opened(app.browser(seated.tokens[1]), f"/matches/{seated.id}/review")
    assert "No moves were made, so there were no mistakes." in page
    assert "Play from here" in page


def test_a_won_position_that_was_resigned_is_a_mistake_on_the_page_too(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("double", ("double", "add", "add"))
    app.service.resign(seated.id, hashed(seated.tokens[1]))
    page = opened(app.browser(seated.tokens[1]), f"/matches/{seated.id}/review")
    assert where(page) == "3 of 3"
    assert "1 turning point. Mistakes: 0 by Ada, 1 by Ben." in page
    assert "Ben resigns. Ada wins the game!" in page
    assert "You could still have won here. It was your last chance." in page
    assert "Well played" not in page
    start = opened(app.browser(), f"/matches/{seated.id}/review?ply=0")
    assert 'id="next-mistake" href="/matches/' in start
    assert "could still have" not in start


def test_praise_is_for_whoever_held_out(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("double", ("double", "add", "double", "double", "add", "add", "double"))
    page = opened(app.browser(), f"/matches/{seated.id}/review")
    assert "Well played, Ben. Ben was winning from the start and made no mistake. Ada could have lasted longer." in page
    assert "Add would have lasted longer: Ben then wins in 3 moves." in page


def test_whoever_has_a_seat_is_spoken_to(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("bits", BITS)
    for token, who in (
        (seated.tokens[1], "You could still have drawn"),
        (seated.tokens[0], "Ben could still have drawn"),
    ):
        assert who in opened(app.browser(token), f"/matches/{seated.id}/review")


def test_trying_again_shows_the_moves_without_the_answer_and_then_says_what_each_is_worth(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated, who = store_match("bits", BITS), app.browser()
    path = f"/matches/{seated.id}/review?ply=8&try="
    page = opened(who, path)
    assert "You are Ben. Which move is better than flip 2?" in page
    assert "could still have" not in page
    assert "★" not in page
    tries = [link for link in links(page) if "&try=" in link]
    moves = Match(make("bits"), 1, "", BITS[:7]).legal
    assert [link.partition("try=")[2].replace("+", " ") for link in tries] == list(moves)
    said = {link.partition("try=")[2]: opened(who, link) for link in tries}
    assert "Not quite: Flip 2 loses" in said["flip+2"]
    assert "Yes! Reset 1 draws." in said["reset+1"]
    assert "Yes! Reset 3 draws." in said["reset+3"]
    assert "Next turning point" in said["reset+1"]
    assert "Play from here" in said["reset+1"]
    assert "Play from here" not in said["flip+2"], "that would give the answer away"


@pytest.mark.parametrize("wrong", ["ply=8&try=sing", "ply=1&try=flip+2", "ply=99999&try=", "try=reset+1"])
def test_a_try_that_makes_no_sense_changes_nothing(app: LocalApp, store_match: StoreMatch, wrong: str) -> None:
    opened(app.browser(), f"/matches/{store_match('bits', BITS).id}/review?{wrong}")


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
@pytest.mark.parametrize("seat", [1, 2, None])
def test_one_plays_on_from_any_moment_on_ones_own_side(
    app: LocalApp, store_match: StoreMatch, kind: GameClass, seat: int | None
) -> None:
    match = Match(kind(), 2, deals(kind())[-1])
    for _ in range(4):
        match.play(match.legal[0])
    seated = store_match(kind.slug, tuple(match.moves), first=2, **({"deal": match.deal} if match.deal else {}))
    app.service.resign(seated.id, hashed(seated.tokens[0]))
    for ply in range(5):
        who = app.browser(seated.tokens[seat - 1] if seat else None)
        page = opened(who, f"/matches/{seated.id}/review?ply={ply}")
        if kind().has_chance:
            assert "Play from here" not in page
            continue
        side = seat or match.seat_at(ply)
        at = match.at(ply)
        if at.next_seat != side and any(at.after(move).outcome for move in at.legal):
            assert "Play from here" not in page, "it would be lost before one could do anything"
            continue
        form = form_to(page, "/play")
        assert f"You play as <bdi>{('Ada', 'Ben')[side - 1]}</bdi>." in page
        found = who.post(form.action, data={**form.hidden, "opponent": "easy"}).headers["location"]
        view = who.get(f"/api/v1{found}").json()["view"]
        assert view["history"][:ply] == match.moves[:ply]
        assert view["seat"] == 1
        assert (view["first"] == 1) == (side == 2), "the side that began then is the side that began"


def test_a_quiz_in_the_dark_shows_what_its_player_could_know(app: LocalApp, store_match: StoreMatch) -> None:
    moves = ("toggle 5", "toggle 1", "toggle 2", "toggle 1", "toggle 3")
    seated = store_match("battle", moves, deal="01101")
    at = [step.ply + 1 for step in review(held_match(moves)).steps if step.turning]
    page = opened(app.browser(), f"/matches/{seated.id}/review?ply={at[0]}&try=")
    assert "Ben has" not in page
    assert "01101" not in page
    assert "still possible: 0 to 31" in page


def test_in_the_dark_every_figure_is_the_movers_own_and_the_page_says_so(
    app: LocalApp, store_match: StoreMatch
) -> None:
    moves = ("toggle 5", "toggle 1", "toggle 2", "toggle 1", "toggle 3")
    seated, who = store_match("battle", moves, deal="01101"), app.browser()
    for step in review(held_match(moves)).steps[:-1]:
        page = opened(who, f"/matches/{seated.id}/review?ply={step.ply + 1}")
        own = step.after.chance_of(step.seat)
        assert own is not None
        assert f"{('Ada', 'Ben')[step.seat - 1]} wins {frequency_phrase(own)}." in page
        assert VIEWPOINT in page


def held_match(moves: tuple[str, ...]) -> Match:
    return Match(make("battle"), 1, "01101", moves)


def test_nothing_of_this_is_told_while_the_match_goes_on(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("battle", ("toggle 5", "toggle 1"), deal="01101")
    for query in ("", "?ply=1&try=", "?ply=1&try=toggle+1"):
        assert app.browser(seated.tokens[0]).get(f"/matches/{seated.id}/review{query}").status_code == 409
