import re
from xml.etree import ElementTree

import pytest

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, all_games
from bitduel.rendering.animation import animation_svg
from bitduel.rendering.board import miniature_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)


def pictures(kind: GameClass, moves: int = 4) -> list[Picture]:
    """The first positions of a match, whoever plays it."""
    match = Match(kind(), deal=kind().any_deal())
    found = [match.game.picture(match.view(1), PLAYERS)]
    while match.to_move and match.ply < moves:
        match.play(match.legal[match.ply % len(match.legal)])
        found.append(match.game.picture(match.view(1), PLAYERS))
    return found


def at(film: str, frame: int, frames: int) -> str:
    """What a film shows in the middle of a frame, worked out by hand as a browser would."""
    root = ElementTree.fromstring(film)
    moment = (frame + 0.7) / (frames + 3)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{SVG}animate", f"{SVG}animateTransform"):
                parent.remove(child)
                times = [float(each) for each in child.attrib["keyTimes"].split(";")]
                value = child.attrib["values"].split(";")[max(i for i, time in enumerate(times) if time <= moment)]
                moves = child.tag.endswith("Transform")
                parent.set(child.attrib["attributeName"], f"translate({value})" if moves else value)
    drop(root)
    return re.sub(r' display="inline"| xmlns="[^"]*"', "", ElementTree.tostring(root, encoding="unicode"))


def drop(node: ElementTree.Element) -> None:
    """Take out what is not displayed, and the colours."""
    for child in list(node):
        if child.get("display") == "none" or child.tag == f"{SVG}style":
            node.remove(child)
        else:
            child.tag = child.tag.removeprefix(SVG)
            drop(child)
    node.tag = node.tag.removeprefix(SVG)


@GAMES
def test_at_every_moment_a_film_shows_the_picture_of_that_moment(kind: GameClass) -> None:
    shown = pictures(kind)
    film = animation_svg(shown)
    for frame, picture in enumerate(shown):
        root = ElementTree.fromstring(miniature_svg(picture))
        del root.attrib["focusable"]
        assert canonical(at(film, frame, len(shown))) == canonical(ElementTree.tostring(root, encoding="unicode"))


def canonical(svg: str) -> str:
    return ElementTree.canonicalize(svg)


@GAMES
def test_one_picture_alone_stands_still(kind: GameClass) -> None:
    assert "<animate" not in animation_svg(pictures(kind)[:1])


@GAMES
def test_what_does_not_change_is_drawn_once(kind: GameClass) -> None:
    shown = pictures(kind, moves=8)
    assert len(animation_svg(shown)) < sum(len(miniature_svg(picture)) for picture in shown) + len(
        animation_svg(shown[:1])
    )


def test_a_film_has_the_colours_of_one_theme_and_asks_nobody() -> None:
    light, dark = (animation_svg([Picture("x", scale=Scale(0, 3, (Token("n", 1),)))], dark) for dark in (False, True))
    assert light != dark
    for film in (light, dark):
        assert "prefers-color-scheme" not in film
        assert ":root" not in film
        assert "http" not in film.replace("http://www.w3.org/2000/svg", "")


def test_pictures_of_different_shapes_follow_each_other_too() -> None:
    one = Picture("one", rows=(Row("Ada", (Cell("0", "1", Mark.OFF),), 1),))
    two = Picture("two", rows=(Row("Ada", (Cell("0", "1", Mark.OFF), Cell("1", "2", Mark.ON)), 1),))
    film = animation_svg([one, two])
    assert "display" in film
    assert at(film, 0, 2).count("lamp") == 1
    assert at(film, 1, 2).count("lamp") == 2
