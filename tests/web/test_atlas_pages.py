"""The atlas on the site: what is drawn is so, every cell leads to its game, and nobody can ask for too much."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from bitduel.core.errors import TooLargeError
from bitduel.core.options import IntegerOption
from bitduel.core.phrases import evaluation_phrase
from bitduel.games.registry import GameClass, all_games, find, make
from bitduel.solver.analysis import analyse_position
from bitduel.solver.atlas import parse_axis
from bitduel.web import atlas_pages
from bitduel.web.atlas_pages import MOST_CELLS, default_survey, draw_chart, presets, survey_form
from web.sites import Browser, LocalApp, links

CELL = re.compile(r'<a class="(\w+)" href="([^"]*)" aria-label="([^"]*)">')


def opened(who: Browser, path: str, status: int = 200) -> str:
    answer = who.get(path)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def first_map(page: str) -> list[tuple[str, str, str]]:
    """Every cell of the map for a wide window: how it ends, the address, and what it is called."""
    return CELL.findall(page[page.index('<svg class="map"') : page.index("</svg>", page.index('<svg class="map"'))])


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_every_map_that_a_game_proposes_is_so_and_its_cells_lead_to_their_games(app: LocalApp, kind: GameClass) -> None:
    who = app.browser()
    for preset in presets(kind, default_survey(kind)):
        cells = first_map(opened(who, f"/games/{kind.slug}/atlas{preset.url}"))
        assert cells
        for value, link, name in cells[:: max(1, len(cells) // 5)]:
            options = dict(re.findall(r"opt-([\w-]+)=([^&]*)", link))
            worth = analyse_position(make(kind.slug, options)).evaluation
            assert value == (worth.value or "chance")
            assert name.endswith(f". {evaluation_phrase(worth).capitalize()}")
            labels = {option.name: option for option in kind.declared_options}
            assert all(
                f"{labels[option].label}: {labels[option].describe(labels[option].parse(chosen))}" in name
                for option, chosen in options.items()
            )
        assert f"moves next and {evaluation_phrase(worth)}." in opened(who, link)


def test_every_region_of_a_map_has_a_name_of_its_own(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/64/atlas")
    (title,) = re.findall('<h2 id="map">(.*?)</h2>', page)
    names = set(re.findall('role="region" aria-label="(.*?)"', page))
    assert names == {f"Map: {title}", f"Table: {title}"}


def test_the_game_the_whole_picture_and_the_laws_lead_to_each_other(app: LocalApp) -> None:
    who = app.browser()
    for page in ("", "/chart", "/laws"):
        assert "/games/binary-race-64/atlas" in links(opened(who, f"/games/binary-race-64{page}"))
    atlas = opened(who, "/games/64/atlas")
    laws = opened(who, "/games/64/laws")
    for law in make("64").words.laws():
        assert f"/games/binary-race-64/laws#{law.name}" in links(atlas)
        assert law.statement in atlas
        assert f'id="{law.name}"' in laws
        assert all(paragraph in laws for paragraph in law.proof)
        assert law.source not in laws, "a file that visitors do not have"


def test_what_varies_is_a_range_a_list_or_ticked_boxes(app: LocalApp) -> None:
    who = app.browser()
    for text in ("3..5", "3-5", "3 to 5", "3,4,5", "5, 4, 3", "3,3,4,5"):
        names = {name for _, _, name in first_map(opened(who, f"/games/64/atlas?opt-target={text}"))}
        assert {name.partition(".")[0] for name in names} == {"Target: 3", "Target: 4", "Target: 5"}
    page = opened(who, "/games/bits/atlas?opt-edge=open&opt-edge=strict&opt-bits=1..3&opt-repetition=3")
    assert len(first_map(page)) == 6
    assert "Across: Bits for each player. Down: An end bit can be reset." in page
    assert page.count("checked>") == 4, "both edges, the usual first move, the repetition"


def test_options_that_make_no_game_are_left_out(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/64/atlas?opt-start=1..5&opt-target=3,4")
    assert len(first_map(page)) == 2 + 3
    assert "5 games" in page
    assert "no game" in page, "in the table"
    assert "There is no such game." in opened(app.browser(), "/games/64/atlas?opt-start=9&opt-target=3,4")


def test_the_same_is_told_as_a_table_and_in_numbers(app: LocalApp) -> None:
    page = opened(app.browser(), "/games/64/atlas?opt-target=2..40")
    assert "39 games: the first player wins 36, loses 3." in page
    assert page.count('<th scope="row">') == 39
    assert '<th scope="row">17</th><td>loses in 4 moves</td>' in page
    dark = opened(app.browser(), "/games/battle/atlas?opt-bits=1..3")
    assert "3 games: the first player wins 77% to 100% of the time." in dark


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("opt-target=2..9000", f"A map can have at most {MOST_CELLS:,}"),
        ("opt-target=2..100000000", "at most 100000"),
        ("opt-target=2..50&opt-start=1..50", "That would be 2,450 games"),
        ("opt-target=2..9&opt-start=1..3&opt-step=1,2", "You can vary at most two settings, not 3."),
        ("opt-target=9", "Vary one or two settings"),
        ("opt-target=9..2", "LOW at most HIGH"),
        ("opt-target=2..x", "target must be a whole number"),
        ("opt-target=7,999999", "target must be a whole number from 2 to 100,000 here"),
        ("opt-nothing=1..3", "nothing"),
        ("opt-target=" + "9" * 5000, "target must be"),
    ],
)
def test_what_is_too_much_or_makes_no_sense_gets_one_sentence(app: LocalApp, query: str, said: str) -> None:
    answer = app.browser().get(f"/games/64/atlas?{query}")
    assert 400 <= answer.status_code < 500
    alert = re.search(r'role="alert">(.*?)</p>', unescape(answer.text), re.DOTALL)
    assert alert
    assert said in alert[1]
    assert "Draw the map" in answer.text
    assert 400 <= app.browser().get(f"/games/64/atlas.svg?{query}").status_code < 500


def test_no_size_is_larger_than_the_site_answers_at_once(app: LocalApp) -> None:
    for kind in all_games():
        for option in kind.declared_options:
            if isinstance(option, IntegerOption) and option.quick_limit and option.quick_limit < option.high:
                query = f"opt-{option.name}={option.quick_limit},{option.quick_limit + 1}"
                opened(app.browser(), f"/games/{kind.slug}/atlas?{query}", 400)


def test_a_survey_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atlas_pages, "MOST_SECONDS", -1.0)
    kind = find("64")
    with pytest.raises(TooLargeError, match="too long here"):
        draw_chart(kind, (parse_axis(kind, "target=3..9"),), (("start", 2),))


def test_a_survey_waits_for_the_one_before_it_and_not_for_ever(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atlas_pages, "PATIENCE", 0.01)
    with atlas_pages._survey_lock:
        opened(app.browser(), "/games/64/atlas?opt-target=3..11&opt-start=2", 429)
    opened(app.browser(), "/games/64/atlas?opt-target=3..11&opt-start=2")


def test_the_picture_alone_is_sound(app: LocalApp) -> None:
    answer = app.browser().get("/games/64/atlas.svg?opt-target=2..40")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    texts = [node.text for node in ElementTree.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("L") == 3 + 1, "three lost targets and the legend"


def test_the_form_is_built_from_the_options_and_hides_nothing_but_secrets(app: LocalApp) -> None:
    for kind in all_games():
        page = opened(app.browser(), f"/games/{kind.slug}/atlas")
        form = page[page.index('<form class="card vary"') :]
        named = re.findall(r'<legend>([^<]+)<|<label for="opt-[a-z-]+">([^<]+)</label>', form)
        assert ["".join(name) for name in named] == [
            option.label for option in kind.declared_options if not option.is_secret
        ]
    assert survey_form([("opt-a", "1"), ("opt-a", "2"), ("opt-b", " "), ("c", "3")]) == {"a": "1,2"}


def test_a_game_that_proposes_nothing_is_drawn_over_its_first_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("31"), "surveys", ())
    assert default_survey(find("31")) == {"length": "1..64"}
    assert presets(find("31"), {}) == []


def test_every_law_of_a_game_has_a_page_and_a_game_without_any_says_so(
    app: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(make("31").words), "laws", lambda _: ())
    assert "No theorems for this game yet" in opened(app.browser(), "/games/31/laws")
    assert "The laws" not in opened(app.browser(), "/games/31/atlas")
