"""The atlas, the laws and the setting up of positions in a real browser."""

import pytest
from playwright.sync_api import expect

from bitduel.games.registry import all_games
from web.browser.conftest import Visit, fits, state
from web.browser.test_every_page import check_with_axe

RACE, BITS, DARK = all_games()[0], all_games()[1], next(kind for kind in all_games() if kind().is_hidden)


def test_a_map_fits_follows_the_theme_and_is_walked_by_arrows_down_to_a_position(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(f"/games/{RACE.slug}/atlas?opt-target=2..40")
    fits(page, "atlas")
    check_with_axe(page, "atlas")
    cell = page.locator(".for-wide .map a").first
    cell.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".for-wide .map a:focus")).to_have_attribute("aria-label", "Target: 19. Wins in 5 moves")
    page.keyboard.press("Enter")
    page.wait_for_url("**/position?*")
    expect(page.locator(".verdict")).to_have_text("Player 1 moves next and wins in 5 moves.")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("slug", "query"), [(RACE.slug, "?opt-start=1..9&opt-target=2..40"), (DARK.slug, "?opt-bits=1..3")]
)
def test_maps_of_other_kinds_fit_and_have_no_faults(visit: Visit, slug: str, query: str) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(f"/games/{slug}/atlas{query}")
    page.locator(".as-table summary").click()
    fits(page, "atlas")
    check_with_axe(page, "atlas")
    page.get_by_role("link", name="Proof").first.click()
    page.wait_for_url("**/laws#*")
    fits(page, "laws")
    check_with_axe(page, "laws")


@pytest.mark.parametrize(
    "scripts", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["scripts", "no scripts"]
)
def test_a_position_is_set_up_looked_at_and_played_on(visit: Visit, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts)
    page.goto(f"/games/{BITS.slug}/position")
    page.get_by_text("Set up a position").click()
    rows = page.locator(".bit-row")
    rows.nth(0).get_by_label("bit 2").check(force=True)
    rows.nth(1).get_by_label("bit 3").check(force=True)
    for switch in page.locator(".switch input").all():
        switch.uncheck()
    page.get_by_role("button", name="Go to this position").click()
    page.wait_for_url("**/position?moves=*")
    expect(page.locator(".board figcaption")).to_contain_text("0 1 0 0")
    expect(page.locator("#why")).to_be_visible()
    page.locator("[name=opponent]").first.click()
    page.wait_for_url("**/matches/*")
    expect(state(page)).to_have_attribute("data-ply", "2")


@pytest.mark.thorough
def test_the_form_that_sets_up_a_position_fits_and_has_no_faults(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(f"/games/{BITS.slug}/position?opt-bits=12")
    page.get_by_text("Set up a position").click()
    fits(page, "setting up")
    check_with_axe(page, "setting up")
