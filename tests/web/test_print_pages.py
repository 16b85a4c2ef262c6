"""The page with the sheets of a game: what it shows, what it refuses, and what leads there."""

import re
from html import unescape

import pytest

from bitduel.games.registry import BUILT_IN, GameClass
from web.sites import LocalApp, links
from web.test_game_pages import opened

GAMES = pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.short)


@GAMES
def test_the_page_of_a_game_leads_to_its_sheets_and_they_to_it(kind: GameClass, app: LocalApp) -> None:
    who, at = app.browser(), f"/games/{kind.slug}/print"
    assert at in links(opened(who, f"/games/{kind.slug}"))
    page = opened(who, at)
    assert f"/games/{kind.slug}" in links(page)
    for title in ("Rule sheet", "Worksheet, page 1", "Unplugged version"):
        assert title in page
    assert "Worksheet: answers" not in page
    assert 'class="sheets paper-a4"' in page
    assert " style=" not in page


def test_the_form_chooses_sheets_paper_and_settings(app: LocalApp) -> None:
    at = "/games/double-or-nothing/print?sheet=worksheet&answers=1&paper=letter&opt-start=1&opt-target=24&opt-step=1"
    page = opened(app.browser(), at)
    assert 'class="sheets paper-letter"' in page
    assert "Double or Nothing to 24" in page
    assert "Worksheet: answers" in page
    assert "Rule sheet</p>" not in page
    assert len(re.findall(r'value="(?:worksheet|letter|1)" checked', page)) == 3
    assert 'name="opt-target" type="number" inputmode="numeric" min="2" value="24"' in page


def test_settings_go_along_from_the_page_of_a_game(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/double-or-nothing?opt-target=24")
    assert "/games/double-or-nothing/print?opt-target=24" in links(page)


BAD = {
    "sheet=poster": "There is no sheet 'poster'. Choose from: rules, worksheet, unplugged, all.",
    "paper=b5": "There is no paper size 'b5'. Choose from: a4, letter.",
    "opt-target=3": "To print sheets, target must be from 8 to 400, not 3.",
    "opt-target=x": "target must be a whole number",
    "opt-colour=red": "There is no setting 'colour'",
}


@pytest.mark.parametrize("query", BAD)
def test_what_cannot_be_printed_gets_one_sentence_above_the_form(query: str, app: LocalApp) -> None:
    page = unescape(opened(app.browser(), f"/games/double-or-nothing/print?{query}", 400))
    assert BAD[query] in page
    assert 'class="sheets' not in page
    assert '<button class="primary">Show the sheets</button>' in page


def test_a_game_that_does_not_exist_has_no_sheets(app: LocalApp) -> None:
    opened(app.browser(), "/games/chess/print", 404)


def test_a_qr_code_leads_to_the_game_where_other_devices_can_open_it(
    app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = "/games/double-or-nothing/print?sheet=rules&opt-target=24"
    assert 'class="qr"' not in opened(app.browser(), at)
    monkeypatch.setattr(app.site.addresses, "base", lambda _scope: "http://school.lan:8000")
    page = opened(app.browser(), at)
    assert page.count('class="qr"') == 1
    assert "http://school.lan:8000/games/double-or-nothing?opt-target=24" in page
