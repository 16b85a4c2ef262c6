"""The page of a match: whose turn it is, looking back, the hints of the coach, and the one next step after the end."""

import re

import pytest

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, MoveEvaluation, Value
from bitduel.core.match import Match
from bitduel.core.outcomes import TIME, Outcome
from bitduel.games.registry import make
from bitduel.learning.hints import clue
from bitduel.service.credentials import hashed, new_token
from web.fixtures import StoreMatch
from web.sites import Browser, LocalApp, form_to, links


def against(
    app: LocalApp, level: str, moves: list[str], token: str | None = None, /, **options: int
) -> tuple[Browser, str]:
    """A match of Ada against the computer with these moves; her browser and the address."""
    token = token or new_token()
    names = ("Ada", f"Computer ({level})")
    match_id = app.store.begin(Match(make("double", options), 1, "", moves), ("human", level), names)
    app.store.seats.claim(match_id, 1, hashed(token))
    return app.browser(token), f"/matches/{match_id}"


def filled(page: str) -> list[str]:
    """The words on the filled buttons."""
    return re.findall(r'<(?:button|a) class="(?:button )?primary[^>]*>([^<]*)<', page)


def half(page: str, seat: int) -> str:
    """The words of one half of the turn bar."""
    (found,) = re.findall(rf'<li class="seat-{seat}" data-seat="{seat}">(.*?)</li>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


def test_the_turn_bar_says_who_one_is_whose_turn_it_is_and_what_the_other_did(app: LocalApp) -> None:
    ada, where = against(app, "medium", ["add", "double"])
    page = ada.get(where).text
    assert 'class="frame" data-turn="1"' in page
    assert half(page, 1) == "You your turn"
    assert half(page, 2) == "Computer medium \u00d72 to 4"
    watched = app.browser().get(where).text
    assert half(watched, 1) == "Ada to move"


def test_the_title_speaks_to_a_player_who_gave_no_name(app: LocalApp) -> None:
    who, alone = app.browser(), {"opponent": "easy"}
    where = who.post("/games/double-or-nothing/play", data=alone).headers["location"]
    for browser, title in ((who, "you against"), (app.browser(), "Player 1 against")):
        page = browser.get(where).text
        assert re.search(rf"<title>[^<]*: {title} Computer \(easy\)", page)
        assert f": {title} Computer (easy)</h1>" in page
    where = who.post("/games/double-or-nothing/play", data={"opponent": "friend"}).headers["location"]
    assert ": you against a friend</h1>" in who.get(where).text


def test_hidden_moves_are_only_counted_in_the_turn_bar(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("battle", ("toggle 1", "toggle 2", "toggle 3"), deal="01101")
    page = app.browser(seated.tokens[1]).get(f"/matches/{seated.id}").text
    assert half(page, 1).endswith("2 turns taken")
    assert half(page, 2).startswith("You")


@pytest.mark.parametrize(
    ("game", "moves", "listed"),
    [
        ("double", ("double", "add"), ["\u00d72 to 2", "+1 to 3"]),
        ("64", ("add", "double"), ["+2 to 3", "\u00d72 to 6"]),
        ("31", ("8", "2", "4"), ["+8 to 8", "+2 to 2", "+4 to 12"]),
        ("bits", ("flip 2", "flip 3"), ["flip 2", "flip 3"]),
    ],
)
def test_the_list_of_moves_says_what_each_one_made(
    app: LocalApp, store_match: StoreMatch, game: str, moves: tuple[str, ...], listed: list[str]
) -> None:
    seated = store_match(game, moves)
    page = app.browser(seated.tokens[0]).get(f"/matches/{seated.id}").text
    assert re.findall(r'<span class="move-text">([^<]*)<', page) == listed


def test_a_move_on_a_page_from_before_moves_were_taken_back_is_told_that_the_match_moved_on(app: LocalApp) -> None:
    ada, where = against(app, "medium", ["add", "double"])
    answer = ada.post(f"{where}/move", data={"move": "add", "ply": "4", "backs": "7"})
    assert answer.status_code == 409
    assert "The match has moved on. Please look at the new position." in answer.text


def test_a_look_back_shows_the_earlier_board_and_leads_back(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("double", ("add", "double", "add", "double"))
    ada, where = app.browser(seated.tokens[0]), f"/matches/{seated.id}"
    page = ada.get(f"{where}?at=2").text
    assert "After move 2 of 4" in page
    assert "The number is 4. The target is 20." in page
    assert 'name="move"' not in page
    assert where in links(page)
    assert "The number is 1." in ada.get(f"{where}?at=0").text
    for wrong in ("4", "5", "-1", "x", "\u0663", "99999999"):
        assert 'name="move"' in ada.get(f"{where}?at={wrong}").text


def test_a_look_back_in_a_hidden_game_shows_only_what_the_seat_knew(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match("battle", ("toggle 1", "toggle 2", "toggle 2", "toggle 3"), deal="01101")
    where = f"/matches/{seated.id}?at=1"
    seen = [app.browser(token).get(where).text for token in (*seated.tokens, None)]
    assert "Ada has 16. The secret is a number from 0 to 15." in seen[0]
    assert "Ben has 0. The secret is a number from 0 to 31." in seen[1]
    assert not any(number in seen[2] for number in ("has 16", "has 0"))


def test_after_a_win_the_one_filled_button_leads_to_the_next_strength(app: LocalApp) -> None:
    ada, where = against(app, "easy", ["add", "add", "double"], target=6)
    page = ada.get(where).text
    assert filled(page) == ["Next: play medium"]
    assert "Same again" in page
    assert "See the moves" in page
    form = form_to(page, "/play")
    assert form.hidden == {"opt-target": "6", "opponent": "medium", "name": "Ada"}
    started = ada.post(form.action, data=form.hidden)
    assert "Computer (medium)" in ada.get(started.headers["location"]).text


def test_after_a_win_at_the_highest_strength_the_one_filled_button_leads_to_another_game(app: LocalApp) -> None:
    ada, where = against(app, "perfect", ["add", "add", "double"], target=6)
    page = ada.get(where).text
    assert filled(page) == ["Next: Binary Race to 64"]
    assert form_to(page, "/play").action == "/games/binary-race-64/play"
    assert form_to(page, "/play").hidden == {"opponent": "easy", "name": "Ada"}
    assert "Same again" in page


SLIP = ["add", "add", "add", "double", "add", "double", "double"]
"""A match to 20 that the first player loses by the fifth move."""
NO_SLIP = ["add", "add", "double", "double", "double"]
"""A match to 20 that the first player loses from the start."""
WIN_AT_20 = ["double", "double", "add", "double", "double"]


def test_a_lost_match_shows_where_it_turned_but_not_the_better_move_and_goes_on_from_there(app: LocalApp) -> None:
    ada, where = against(app, "easy", SLIP)
    page = ada.get(where).text
    assert filled(page) == ["Try again from there"]
    assert "One move decided it." in page
    assert "The win was yours until you chose to add 1 to make 9." in page
    assert "It turned at move 5" in page
    assert 'class="landing-bar"' in page.partition("turning-card")[2]
    assert "One of your 2 moves kept it." in page
    assert "New match" in page
    again = form_to(page, "/play")
    assert again.hidden == {"moves": "add, add, add, double", "first": "1", "opponent": "easy", "name": "Ada"}
    there = ada.get(ada.post(again.action, data=again.hidden).headers["location"]).text
    assert "The number is 8. The target is 20." in there
    assert 'data-turn="1"' in there


def test_who_lost_without_a_slip_is_offered_to_swap_who_starts(app: LocalApp) -> None:
    ada, where = against(app, "easy", NO_SLIP)
    page = ada.get(where).text
    assert filled(page) == ["Swap who starts"]
    assert "The match turned" not in page
    swapped = ada.post(form_to(page, "/next").action).headers["location"]
    assert app.store.get(swapped.rpartition("/")[2]).first == 2


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (WIN_AT_20, "2 of 2 winning positions kept: not one slip"),
        (SLIP, "0 of 1 winning positions kept: one slip"),
        (NO_SLIP, "You never had a certain win."),
    ],
)
def test_the_end_says_how_many_won_positions_were_kept(app: LocalApp, moves: list[str], said: str) -> None:
    ada, where = against(app, "easy", moves)
    (kept,) = re.findall(r'<p class="kept.*?</p>', ada.get(where).text, re.DOTALL)
    assert " ".join(re.sub(r"<[^>]*>", " ", kept).split()) == said


@pytest.mark.parametrize("moves", [[], ["add", "double"]])
def test_a_move_that_was_not_made_in_time_is_no_slip(app: LocalApp, moves: list[str]) -> None:
    ada, where = against(app, "easy", moves)
    app.store.end(where.rpartition("/")[2], Outcome(2, TIME))
    page = ada.get(where).text
    assert not re.search("one slip(?<!not one slip)", page)
    assert "never had a certain win" not in page


def test_a_win_lights_a_lamp_once(app: LocalApp) -> None:
    ada, where = against(app, "hard", WIN_AT_20)
    page = ada.get(where).text
    assert "A new lamp" in page
    assert re.search(r'<li class="new">.*?hard<span class="unseen">, new', page)
    assert "1 of 20 lamps" in ada.get("/").text
    again = app.store.begin(Match(make("double"), 1, "", WIN_AT_20), ("human", "hard"), ("Ada", "Computer (hard)"))
    app.store.seats.claim(again, 1, hashed(ada.token or ""))
    assert "A new lamp" not in ada.get(f"/matches/{again}").text


def test_a_win_with_the_coach_lights_no_lamp(app: LocalApp) -> None:
    ada, where = against(app, "hard", WIN_AT_20)
    app.store.seats.note_coach(app.store.get(where.rpartition("/")[2]).sitting, hashed(ada.token or ""), 1)
    assert "A new lamp" not in ada.get(where).text
    assert "0 of 20 lamps" in ada.get("/").text


@pytest.mark.parametrize(("moves", "options"), [(SLIP, {}), (NO_SLIP, {}), (["add", "add", "double"], {"target": 6})])
def test_a_loss_or_another_target_lights_no_lamp(app: LocalApp, moves: list[str], options: dict[str, int]) -> None:
    ada, where = against(app, "hard", moves, **options)
    assert "A new lamp" not in ada.get(where).text


def test_a_lost_battle_tells_what_the_slip_cost_and_starts_anew(app: LocalApp) -> None:
    token = new_token()
    moves = ["toggle 5", "toggle 1", "toggle 5", "toggle 2", "toggle 5", "toggle 3"]
    match = Match(make("battle"), 1, "11100", moves)
    match_id = app.store.begin(match, ("human", "easy"), ("Ada", "Computer (easy)"))
    app.store.seats.claim(match_id, 1, hashed(token))
    page = app.browser(token).get(f"/matches/{match_id}").text
    assert "You could have won" in page
    assert filled(page) == ["Try again"]


def test_what_the_other_asks_stands_in_the_place_of_the_sentences_and_not_over_the_board(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated = store_match("double", ("add", "double"))
    app.browser(seated.tokens[1]).post(f"/matches/{seated.id}/draw", data={"ply": "2"})
    page = app.browser(seated.tokens[0]).get(f"/matches/{seated.id}").text
    state = page[page.index('<div class="state') : page.index('<figure class="board')]
    assert "Ben offers a draw." in state
    assert page.index('data-turn="1"') < page.index("Ben offers") < page.index('name="move"')


def test_the_coach_begins_with_a_question_and_names_the_move_last(app: LocalApp) -> None:
    ada, where = against(app, "medium", ["add", "double"])
    page = ada.get(f"{where}?coach=1").text
    hints = re.findall(r'<details class="coach-hint" id="hint-(\w+)" name="hint"( open)?>', page)
    assert hints == [("question", " open"), ("clue", ""), ("move", "")]
    assert page.index("Only one move keeps it.") < page.index("Best: ")
    assert "Turn the coach off" in page


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([WIN, LOSS], "You can force a win. Only one move keeps it."),
        ([WIN, WIN, LOSS], "You can force a win. 2 of your 3 moves keep it."),
        ([DRAW, DRAW], "Nobody can force a win. You can hold the draw. Every move keeps it."),
        ([WIN], "You can force a win. You have only one move."),
        ([LOSS, LOSS], "Your opponent can force a win from here. Make it as hard as you can."),
    ],
)
def test_a_clue_says_how_one_stands_and_names_no_move(values: list[Value], said: str) -> None:
    choices = [MoveEvaluation(str(number), Evaluation(value, 3)) for number, value in enumerate(values)]
    assert clue(choices) == said


def test_a_clue_in_a_game_of_chance_tells_the_best_chance() -> None:
    choices = [
        MoveEvaluation("toggle 1", Evaluation(win_probability=0.59)),
        MoveEvaluation("toggle 2", Evaluation(win_probability=0.4)),
    ]
    assert clue(choices) == "Your best move wins 59% of the time. Which one is it?"
