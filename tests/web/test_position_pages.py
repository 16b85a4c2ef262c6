"""Exploring positions: every spot of a chart leads to one, and in the dark it is what a player knows."""

import re
from html import unescape
from random import Random

import pytest

from bitduel.core.match import Match
from bitduel.core.phrases import evaluation_phrase
from bitduel.games.registry import GameClass, all_games, find, make
from bitduel.solver.atlas import position_chart
from bitduel.solver.belief_tracking import information_set
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from web.sites import Browser, LocalApp, form_to, links

OPEN = [kind for kind in all_games() if kind().has_perfect_information]
DARK = [kind for kind in all_games() if not kind().has_perfect_information]
BATTLE = "binary-battle"


def opened(who: Browser, path: str) -> str:
    answer = who.get(path)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_every_spot_of_a_chart_leads_to_its_position_in_the_explorer(app: LocalApp, kind: GameClass) -> None:
    who = app.browser()
    page = opened(who, f"/games/{kind.slug}/chart")
    judge = evaluator_for(kind())
    assert isinstance(judge, TableEvaluator)
    found = position_chart(judge)
    assert found
    spots = {spot.key: spot for row in found.cells for spot in row if spot}
    cells = dict(re.findall(r'<a class="(?:win|loss|draw)" href="([^"]*)" title="([^"]*)"', page))
    assert {link.partition("at=")[2] for link in cells} == set(spots)
    for link in list(cells)[:: max(1, len(cells) // 12)]:
        answer = who.get(link)
        assert answer.status_code == 303
        position = opened(who, answer.headers["location"])
        worth = spots[link.partition("at=")[2]].evaluation
        assert f"moves next and {evaluation_phrase(worth)}." in position
        assert cells[link] == evaluation_phrase(worth)


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_a_chart_names_only_what_is_in_it(app: LocalApp, kind: GameClass) -> None:
    page = opened(app.browser(), f"/games/{kind.slug}/chart")
    shown = set(re.findall(r'<a class="(win|loss|draw)"', page))
    assert set(re.findall(r'class="sample (\w+)"', page)) == shown


@pytest.mark.parametrize("path", [f"{BATTLE}/chart", "binary-race-31/chart?opt-length=200"])
def test_a_game_without_a_chart_says_so(app: LocalApp, path: str) -> None:
    answer = app.browser().get(f"/games/{path}")
    assert answer.status_code == 404
    assert "too large" in answer.text


@pytest.mark.parametrize("query", ["at=x", "at=1,2", "at=99999999", "at=" + "9" * 4000, "opt-target=x&at=3"])
def test_a_position_that_cannot_be_is_400(app: LocalApp, query: str) -> None:
    assert app.browser().get(f"/games/64/position?{query}").status_code == 400
    assert app.browser().get(f"/games/{BATTLE}/position?{query}").status_code == 400
    assert app.browser().get("/games/64/chart?opt-target=x").status_code == 400


def test_the_moves_so_far_are_a_trail_that_leads_back(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/64/position?opt-target=100&moves=add, double, add")
    trail = page[page.index('<nav class="trail') : page.index("</nav>", page.index('<nav class="trail'))]
    assert [link.partition("?")[2] for link in links(trail)] == [
        "opt-target=100&moves=add%2C%20double",
        "opt-target=100",
        "opt-target=100&moves=add",
        "opt-target=100&moves=add%2C%20double",
    ]


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_one_plays_on_from_any_position_for_the_player_to_move(app: LocalApp, kind: GameClass) -> None:
    who = app.browser()
    move = kind().moves[0]
    form = form_to(opened(who, f"/games/{kind.slug}/position?moves={move}"), "/play")
    assert form.hidden == {"moves": move, "first": "2"}
    where = who.post(form.action, data={**form.hidden, "opponent": "easy"}).headers["location"]
    view = who.get(f"/api/v1{where}").json()["view"]
    assert view["history"] == [move]
    assert view["to_move"] == view["seat"] == 1


@pytest.mark.parametrize("kind", DARK, ids=lambda kind: kind.slug)
@pytest.mark.parametrize("seat", ["1", "2"])
def test_the_dark_is_explored_by_what_one_is_told(app: LocalApp, kind: GameClass, seat: str) -> None:
    who = app.browser()
    path, query = f"/games/{kind.slug}/position", f"?seat={seat}&opt-bits=3"
    game = make(kind.slug, {"bits": 3})
    judge = evaluator_for(game)
    line: list[str] = []
    deal = ""
    for _ in range(4):
        page = opened(who, path + query)
        known = information_set(game, int(seat), line, deal)
        assert "equilibrium" in page
        for choice in judge.choices(known.view):
            assert evaluation_phrase(choice.evaluation) in page
        shares = [share for share in judge.policy(known.view).values() if share < 0.9995]
        assert all(f"{share:.1%} of the time" in page for share in shares)
        steps = [link for link in links(page) if link.startswith("?") and "deal=" in link and "moves=" in link]
        if not steps:
            break
        query = steps[-1]
        line = unescape(re.findall("moves=([^&]*)", query)[0]).replace("%20", " ").split("%2C ")
        deal = re.findall("deal=([^&]*)", query)[0]
    assert "Take back" in page
    assert "Play from here" not in page, "what was dealt cannot be dealt again"


def test_deals_that_look_the_same_are_shown_the_same(app: LocalApp) -> None:
    pages = {
        re.sub(r'value="http[^"]*"', "", opened(app.browser(), f"/games/{BATTLE}/position?moves=toggle 1&deal={deal}"))
        for deal in ("10001", "10110", "11111")
    }
    assert len(pages) == 1


def test_an_open_table_is_explored_by_everybodys_moves(app: LocalApp) -> None:
    page = opened(app.browser(), f"/games/{BATTLE}/position?opt-table=open&moves=toggle 1, toggle 2&deal=11111")
    assert "equilibrium" not in page
    assert "You go first" not in page
    assert "% of the time" in page


def test_with_a_secret_chosen_the_line_is_everybodys(app: LocalApp) -> None:
    page = opened(app.browser(), f"/games/{BATTLE}/position?opt-secret=11111&moves=toggle 1, toggle 2")
    assert "Take back" in page


@pytest.mark.parametrize("query", ["moves=sing", "moves=toggle 1&deal=10000", "deal=nonsense", "opt-bits=9"])
def test_what_cannot_be_known_is_400(app: LocalApp, query: str) -> None:
    answer = app.browser().get(f"/games/{BATTLE}/position?{query}")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_game_that_nobody_has_solved_can_still_be_looked_at(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find(BATTLE), "evaluator", lambda _: None)
    evaluator_for.__globals__["_cached_evaluator"].cache_clear()
    try:
        page = opened(app.browser(), f"/games/{BATTLE}/position")
        assert "There is no solution for this game with these settings." in page
        opened(app.browser(), f"/games/{BATTLE}?opt-bits=4")
    finally:
        monkeypatch.undo()
        evaluator_for.__globals__["_cached_evaluator"].cache_clear()


def placed(judge: TableEvaluator, index: int, turn: str = "") -> dict[str, list[str] | str]:
    """The fields of the form that sets up a position: one for a number, one for each lamp that is lit."""
    position = judge.solution.table.position_at(index)
    seen = judge.game.observe(judge.game.start(), True, False)
    fields: dict[str, list[str] | str] = {"place": "1", "turn": turn}
    for name, value, look in zip(position._fields, position, seen, strict=True):
        bits = [str(1 << bit) for bit in range(40) if value >> bit & 1]
        fields[f"set-{name}"] = bits if isinstance(look, str) else str(value)
    return fields


@pytest.mark.parametrize("kind", OPEN, ids=lambda kind: kind.slug)
def test_any_position_that_play_can_reach_can_be_set_up_and_played_on_from(app: LocalApp, kind: GameClass) -> None:
    who = app.browser()
    judge = evaluator_for(kind())
    assert isinstance(judge, TableEvaluator)
    table = judge.solution.table
    for index in range(0, len(table), max(1, len(table) // 9)):
        answer = who.get(f"/games/{kind.slug}/position", params=placed(judge, index))
        assert answer.status_code == 303
        page = opened(who, answer.headers["location"])
        if table.verdict[index]:
            assert "Play from here" not in page
            continue
        assert f"moves next and {evaluation_phrase(judge.solution.evaluation_at(index))}." in page
        form = form_to(page, "/play")
        where = who.post(form.action, data={**form.hidden, "opponent": "easy"}).headers["location"]
        view = who.get(f"/api/v1{where}").json()["view"]
        assert ", ".join(view["history"]) == form.hidden["moves"]
        assert view["to_move"] == view["seat"] == 1


def test_whose_turn_it_is_can_be_chosen(app: LocalApp) -> None:
    who = app.browser()
    for turn, moves in (("1", 2), ("2", 3), ("", 2)):
        answer = who.get("/games/31/position", params={"place": "1", "set-mine": "2", "set-theirs": "2", "turn": turn})
        assert answer.headers["location"].count("%2C") + 1 == moves
        page = opened(who, answer.headers["location"])
        assert f"Player {turn or 1} moves next" in page
    answer = who.get("/games/31/position", params={"place": "1", "set-mine": "1", "set-theirs": "1", "turn": "2"})
    assert answer.status_code == 400, "each has made one move"
    assert "with that player to move" in answer.text


def test_what_cannot_be_set_up_gets_one_sentence_and_stays_in_the_form(app: LocalApp) -> None:
    who = app.browser()
    for query, said in (
        ("set-mine=3&set-theirs=0", "No sequence of moves leads to that position."),
        ("set-mine=x&set-theirs=0", "'token of the player to move' must be a whole number, not 'x'."),
        ("set-mine=" + "9" * 300, "No sequence of moves"),
        ("set-mine=-1", "not '-1'"),
        ("", "Start, before any move"),
    ):
        answer = who.get(f"/games/31/position?place=1&{query}")
        page = unescape(answer.text)
        if query:
            assert answer.status_code == 400
            assert said in page
            assert "open>" in page[page.index('id="setup"') :]
        else:
            assert answer.status_code == 303
    assert 'value="3" required' in who.get("/games/31/position?place=1&set-mine=3").text
    page = who.get("/games/31/position?opt-length=40&place=1&set-mine=3").text
    assert 'name="opt-length" value="40"' in page
    assert who.get(f"/games/{BATTLE}/position?opt-table=open&place=1&set-mine=3").status_code == 400


def test_where_something_is_hidden_no_position_is_set_up_but_what_a_seat_knows(app: LocalApp) -> None:
    for query in ("", "?opt-table=open", "?opt-secret=11111"):
        page = opened(app.browser(), f"/games/{BATTLE}/position{query}")
        assert "Set up a position" not in page
        assert ("Set up what you know" in page) == (not query)


@pytest.mark.parametrize("seat", [1, 2])
def test_whatever_a_seat_can_come_to_know_can_be_set_up(app: LocalApp, seat: int) -> None:
    who, game, dice = app.browser(), make(BATTLE, bits=3), Random(seat)
    seen = set()
    for _ in range(12):
        match = Match(game)
        while match.ply < 9 and not match.outcome:
            board = match.view(seat).board
            seen.add((board.mine, board.low, board.high))
            match.play(dice.choice(match.legal))
    for mine, low, high in sorted(seen)[::3]:
        lit = [str(1 << place) for place, bit in enumerate(reversed(mine)) if bit == "1"]
        query = {"opt-bits": "3", "place": "1", "turn": str(seat), "set-mine": lit, "set-low": low, "set-high": high}
        answer = who.get(f"/games/{BATTLE}/position", params=query)
        assert answer.status_code == 303, (mine, low, high)
        page = opened(who, answer.headers["location"])
        known = f"The secret is {low}." if low == high else f"The secret is a number from {low} to {high}."
        assert f"Player {seat} has {int(mine, 2)}. {known}" in page
        assert f"Player {seat} moves next and wins " in page


def test_what_nobody_can_come_to_know_gets_one_sentence(app: LocalApp) -> None:
    for query in ("set-low=1&set-high=31", "set-mine=16&set-low=0&set-high=31", "set-low=5&set-high=2", "set-high=x"):
        answer = app.browser().get(f"/games/{BATTLE}/position?place=1&{query}")
        assert answer.status_code == 400
        assert "No sequence of moves leads to exactly this" in answer.text or "not 'x'" in unescape(answer.text)
        assert "Set up what you know" in answer.text


def test_a_position_says_why_as_a_hint_does(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/64/position?moves=add")
    assert "From 5, your opponent wins only by adding 2 to make 7, not by doubling to 10." in page
    assert "Advice for Player 2" in page
    over = opened(app.browser(), "/games/64/position?moves=" + "double," * 6)
    assert "Said to" not in over
