from markupsafe import Markup

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS, Names
from bitduel.games.registry import all_games
from bitduel.learning.review import MatchValue, Review, ReviewedMove, review
from bitduel.rendering.charts import history_svg
from helpers import standing
from pictures import NASTY, NUMBER, of_class, parsed


def review_svg(found: Review, names: Names, ply: int | None = None) -> Markup:
    return history_svg(found.leads, found.turning_plies, names, ply)


def step(ply: int, after: MatchValue, turning: bool = False) -> ReviewedMove:
    return ReviewedMove(ply, ply % 2 + 1, "add", standing(1, 5), after, ("double",) if turning else (), turning, "")


def test_whatever_a_player_is_called_it_is_only_text() -> None:
    assert "<script" not in review_svg(Review(standing(1, 3), (), None), (NASTY, "Alan"))


def test_a_review_has_a_point_for_every_ply_and_marks_where_it_turned_and_where_one_is() -> None:
    steps = (step(0, standing(1, 4)), step(1, standing(2, 3), turning=True), step(2, standing(2, 0)))
    svg = review_svg(Review(standing(1, 5), steps, None), PLAYERS, ply=2)
    points = of_class(svg, "point")
    assert [point.get("id") for point in points] == [f"point-{at}" for at in range(4)]
    assert [point.get("class") for point in points] == ["point", "point", "point turning now", "point"]
    assert len(of_class(svg, "cursor")) == 1
    assert "Turning points: 2." in "".join(parsed(svg)[0].itertext())


def test_the_line_of_a_review_is_up_for_the_first_seat_and_down_for_the_second() -> None:
    steps = (step(0, standing(2, 0)), step(1, standing()))
    points = of_class(review_svg(Review(standing(1, 0), steps, None), PLAYERS), "point")
    first, second, drawn = (float(NUMBER.findall(point.get("transform", ""))[1]) for point in points)
    assert first < drawn < second


def test_a_match_without_a_move_can_be_reviewed_and_a_long_one_has_dots_only_where_it_turned() -> None:
    assert len(of_class(review_svg(Review(standing(), (), None), PLAYERS, 0), "point")) == 1
    steps = tuple(step(ply, standing(1, 500 - ply), turning=ply == 7) for ply in range(500))
    assert len(of_class(review_svg(Review(standing(1, 500), steps, None), PLAYERS, 3), "point")) == 2


def test_a_played_match_can_be_drawn() -> None:
    game = all_games()[0]()
    match = Match(game, moves=["double"] * 6)
    assert len(of_class(review_svg(review(match), PLAYERS, 6), "point")) == 7
