"""Standing at some position of a game, and what is to be said of it to programs."""

from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.judge import DRAW, LOSS, WIN, Judged, best
from bitduel.core.match import Match


def stand(game: Game[Any], moves: str) -> Match:
    """The match after these moves; a pass that is forced need not be said."""
    texts = [" ".join(move.lower().split()) for move in moves.split(",") if move.strip()]
    if game.chance and texts and not any(game.options[o.name] for o in game.declared if o.secret):
        raise BitduelError("With --moves choose the secret too (--set secret=...), so that the feedback is known.")
    match = Match(game, deal=game.any_deal())
    for text in texts:
        if match.must_pass and text != PASS:
            match.play(PASS)
        match.play(text)
    return match


def as_data(match: Match, choices: list[Judged]) -> dict[str, object]:
    """The settled JSON object."""
    top = standing(match, choices)
    over = match.outcome and {"winner": match.outcome.winner, "reason": match.outcome.reason}
    return {
        "game": match.game.slug,
        "options": match.game.options,
        "moves": match.moves,
        "to_move": match.next_seat,
        "over": over,
        "value": top.value,
        "plies": top.plies,
        "win_probability": top.win_probability,
        "choices": [choice._asdict() for choice in choices],
    }


def standing(match: Match, choices: list[Judged]) -> Judged:
    """What the position is worth to the player to move."""
    if choices:
        return best(choices)[0]
    outcome = match.outcome
    assert outcome
    won = outcome.winner == match.next_seat
    if match.game.chance:
        return Judged("", win_probability=float(won))
    if outcome.winner is None:
        return Judged("", DRAW)
    return Judged("", WIN if won else LOSS, 0)
