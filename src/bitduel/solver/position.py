"""Standing at some position of a game, and what is to be said of it."""

from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value
from bitduel.core.evaluator import Evaluator, MoveEvaluation, best
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for


class Judgement(NamedTuple):
    """What a position is worth to the player to move, and every legal move at it."""

    worth: Evaluation
    choices: tuple[MoveEvaluation, ...]

    @property
    def value(self) -> Value | None:
        """Win, draw or loss; None where that is a matter of chance."""
        return self.worth.value

    @property
    def plies(self) -> int | None:
        """The plies to the end with best play on both sides; None for a draw."""
        return self.worth.plies

    @property
    def win_probability(self) -> float | None:
        """How likely the player to move is to win, in a game with hidden information."""
        return self.worth.win_probability

    @property
    def best(self) -> tuple[str, ...]:
        """The best moves; none once the match is over."""
        return tuple(choice.move for choice in best(self.choices)) if self.choices else ()


class UnknownDealError(BitduelError):
    """Moves whose feedback nobody can know."""


def stand(game: Game[Any], moves: str) -> Match:
    """The match after these moves; a pass that is forced need not be said."""
    texts = [" ".join(move.lower().split()) for move in moves.split(",") if move.strip()]
    if game.chance and texts and game.fixed_deal is None:
        raise UnknownDealError(_no_deal(game))
    match = Match(game, deal=game.any_deal())
    for text in texts:
        if match.must_pass and text != PASS:
            match.play(PASS)
        match.play(text)
    return match


def _no_deal(game: Game[Any]) -> str:
    """Why nothing can be said after some moves of a game whose deal is unknown, and which option chooses it."""
    names = [option.name for option in game.declared if option.secret]
    if not names:
        return "What a later position is worth depends on what was dealt, and no setting of this game chooses that."
    return f"What a later position is worth depends on what was dealt: set {' and '.join(names)} too."


def judgement(match: Match | Game[Any], judge: Evaluator | None = None) -> Judgement:
    """What the position of a match, or the start of a game, is worth, from what the player to move may know."""
    if isinstance(match, Game):
        match = Match(match, deal=match.any_deal())
    if match.to_move is None:
        return Judgement(_ended(match), ())
    choices = (judge or evaluator_for(match.game)).choices(match.view(match.to_move))
    return Judgement(best(choices)[0].worth, tuple(choices))


def as_data(match: Match, found: Judgement) -> dict[str, object]:
    """The settled JSON object."""
    return {
        "game": match.game.slug,
        "options": match.game.options,
        "moves": match.moves,
        "to_move": match.next_seat,
        "over": match.outcome and match.outcome._asdict(),
        **found.worth.as_data(),
        "choices": [choice.as_data() for choice in found.choices],
    }


def _ended(match: Match) -> Evaluation:
    outcome = match.outcome
    assert outcome
    won = outcome.winner == match.next_seat
    if match.game.chance:
        return Evaluation(win_probability=float(won))
    return Evaluation(DRAW) if outcome.winner is None else Evaluation(WIN if won else LOSS, 0)
