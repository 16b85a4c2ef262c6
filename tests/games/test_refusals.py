"""Why a move cannot be made: said wherever one cannot, and true."""

from typing import Any

import pytest

from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.registry import all_games, make
from helpers import all_readings

SMALL = {"bits": 3, "length": 12, "target": 12}


def turns(game: Any) -> list[Match]:
    """A match at every turn that can be reached, once."""
    found, new = {}, [Match(game, deal=game.any_deal())]
    while new:
        match = new.pop()
        if not match.outcome and match.position not in found:
            found[match.position] = match
            new += [match.after(move) for move in match.legal]
    return list(found.values())


def expected(view: View, move: str) -> str:
    """The same of a row of bits, counted out by hand."""
    kind, place = move.split()
    row = {"flip": view.board.mine, "reset": view.board.theirs}[kind]
    beside = [row[at] for at in (int(place) - 2, int(place)) if 0 <= at < len(row)]
    if kind == "flip":
        return "already 1" if row[int(place) - 1] == "1" else "no 1 next to it"
    if row[int(place) - 1] == "0":
        return "already 0"
    assert set(beside) <= {"1"}
    return "between two 1s" if len(beside) == 2 else "at the edge"


@pytest.mark.parametrize(("kind", "options"), all_readings())
def test_every_move_that_cannot_be_made_has_a_reason_of_its_own(kind: Any, options: dict[str, object]) -> None:
    small = {option.name: SMALL[option.name] for option in kind.declared_options if option.name in SMALL}
    game = kind(**{**options, **small, **({"secret": ""} if "secret" in options else {})})
    if not game.has_perfect_information:
        assert game.allows_every_move
        return
    for match in turns(game):
        view = match.view(match.next_seat)
        for move in game.moves:
            if move in view.legal or match.must_pass:
                continue
            said = game.words.why_illegal(view, move)
            assert said.endswith(".")
            if game.short == "bits" and move != PASS:
                assert expected(view, move) in said
                assert said.startswith("Your bit" if move.startswith("flip") else "Your opponent's bit")


def test_what_is_left_of_a_track_is_said_as_it_is() -> None:
    def said(finish: str, moves: str, wished: str) -> str:
        match = Match(make("31", length=12, finish=finish), moves=moves.split())
        return match.game.words.why_illegal(match.view(match.next_seat), wished)

    assert said("sample", "8 1 2 1", "8") == "You have only 2 steps to go, so 2 is enough."
    assert said("sample", "8 1 1 1", "8") == "You have only 3 steps to go, so 4 is enough."
    assert said("exact", "8 1 2 1 1 1", "2") == "You have only 1 step to go, and you may not pass the end."


def test_where_every_move_can_be_made_there_is_nothing_to_say() -> None:
    for kind in all_games():
        game = kind()
        if game.allows_every_move:
            view = Match(game, deal=game.any_deal()).view(1)
            assert {game.words.why_illegal(view, move) for move in game.moves} == {""}
