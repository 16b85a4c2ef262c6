import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree.ElementTree import Element, fromstring

import pytest

from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.games.registry import GameClass, all_games
from bitduel.rendering import png as drawing
from bitduel.rendering.card import DIGITS, card_svg, colour, cover_svg, digit_strokes, plain_style
from bitduel.rendering.png import png
from codes import read_png
from pictures import NASTY

GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)

SMALL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">{}</svg>'


def some_position(kind: GameClass, names: tuple[str, str] = ("Ada", "Ben")) -> Picture:
    game, dice = kind(), Random(64)
    match = Match(game, deal=game.any_deal())
    while not match.outcome and match.ply < 3:
        match.play(dice.choice(match.legal))
    return game.picture(match.view(None), names)


@GAMES
@pytest.mark.parametrize("has_font", [True, False])
def test_every_game_is_drawn_as_a_png_of_the_size_that_previews_take(kind: GameClass, has_font: bool) -> None:
    made = read_png(png(card_svg(some_position(kind), has_font)))
    assert (made.wide, made.tall) == (1200, 630)
    assert made.rows > 20


def test_nothing_that_only_a_browser_knows_is_left_in_the_style() -> None:
    style = plain_style()
    assert not [each for each in ("var(", "@", ":root", ":hover", "inherit", "--") if each in style]
    assert ".seat-1 .panel" in style
    assert colour("--seat-1") in style
    assert colour("--seat-2") in style


def test_the_seats_have_their_colours_in_the_file_too() -> None:
    for seat in (1, 2):
        sign = '<rect class="sign" width="9" height="9"/>'
        worn = f'<style>{plain_style()}</style><g class="picture"><g class="row seat-{seat}">{sign}</g></g>'
        dyed = f'<rect width="9" height="9" fill="{colour(f"--seat-{seat}")}"/>'
        assert png(SMALL.format(worn)) == png(SMALL.format(dyed))


@GAMES
def test_without_a_font_numbers_are_strokes_and_words_are_left_out(kind: GameClass) -> None:
    svg = card_svg(some_position(kind), has_font=False)
    assert "<text" not in svg


def test_every_digit_of_strokes_is_another() -> None:
    drawn = [digit_strokes(text(str(digit))).get("d") for digit in range(len(DIGITS))]
    assert len(set(drawn)) == len(drawn) == 10
    assert digit_strokes(text("12 345".replace(" ", "\u202f"))).tag == "path"
    assert digit_strokes(text("Ada")).tag == "g"


def text(said: str) -> Element:
    made = Element("text", {"class": "number", "x": "5", "y": "9", "font-size": "16"})
    made.text = said
    return made


def test_a_system_without_fonts_still_draws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(drawing, "FONT_FOLDERS", (str(tmp_path),))
    drawing.font.cache_clear()
    try:
        assert drawing.font() is None
        assert read_png(png(card_svg(some_position(all_games()[0]), has_font=False))).rows > 20
    finally:
        drawing.font.cache_clear()


@pytest.mark.parametrize("name", [NASTY, "日本語 \N{GRINNING FACE}", "a\u0301\u200d", "&amp;]]>", "W" * 32], ids=ascii)
def test_whatever_a_player_is_called_the_picture_is_drawn(name: str) -> None:
    for kind in all_games():
        svg = card_svg(some_position(kind, (name, "Ben")))
        assert fromstring(svg).tag.endswith("svg")
    assert read_png(png(svg)).rows > 20


def test_a_cover_shows_several_games() -> None:
    made = read_png(png(cover_svg([some_position(kind) for kind in all_games()[:3]])))
    assert (made.wide, made.tall) == (1200, 630)


def test_another_process_draws_the_same() -> None:
    svg = card_svg(some_position(all_games()[1]))
    command = [sys.executable, "-P", "-m", "bitduel.rendering.png"]
    assert subprocess.run(command, input=svg.encode(), capture_output=True, check=True).stdout == png(svg)
    small = subprocess.run([*command, "60"], input=svg.encode(), capture_output=True, check=True).stdout
    assert read_png(small).wide == 60
