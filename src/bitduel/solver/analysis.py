"""Analysis of one position: its evaluation, every legal move, and the documented JSON object."""

from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Evaluator, MoveEvaluation, Value, best_choices
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for


class PositionAnalysis(NamedTuple):
    """The evaluation of a position for the player to move, and of every legal move."""

    evaluation: Evaluation
    choices: tuple[MoveEvaluation, ...]

    @property
    def value(self) -> Value | None:
        """Win, draw or loss; None in a game with hidden information."""
        return self.evaluation.value

    @property
    def plies(self) -> int | None:
        """The plies to the end with perfect play on both sides; None for a draw."""
        return self.evaluation.plies

    @property
    def win_probability(self) -> float | None:
        """The probability that the player to move wins, in a game with hidden information."""
        return self.evaluation.win_probability

    @property
    def best(self) -> tuple[str, ...]:
        """The best moves; none once the match is over."""
        return tuple(choice.move for choice in best_choices(self.choices)) if self.choices else ()


class UnknownDealError(BitduelError):
    """Moves in a game of chance whose deal is not known."""


def match_after(game: Game[Any], moves: str) -> Match:
    """Return the match after moves separated by commas; forced passes may be left out."""
    texts = [" ".join(move.lower().split()) for move in moves.split(",") if move.strip()]
    if game.has_chance and texts and game.fixed_deal is None:
        names = [f"'{option.name}'" for option in game.declared_options if option.is_secret]
        remedy = f"Set {' and '.join(names)} too." if names else "This game has no setting for it."
        raise UnknownDealError(f"The value of a later position depends on the secret. {remedy}")
    match = Match(game, deal=game.any_deal())
    for text in texts:
        if match.must_pass and text != PASS:
            match.play(PASS)
        match.play(text)
    return match


def analyse_position(match: Match | Game[Any], evaluator: Evaluator | None = None) -> PositionAnalysis:
    """Analyse the position of a match, or the start of a game, from what the player to move may know."""
    if isinstance(match, Game):
        match = Match(match, deal=match.any_deal())
    if match.to_move is None:
        return PositionAnalysis(_final_evaluation(match), ())
    choices = (evaluator or evaluator_for(match.game)).choices(match.view(match.to_move))
    return PositionAnalysis(best_choices(choices)[0].evaluation, tuple(choices))


def _final_evaluation(match: Match) -> Evaluation:
    outcome = match.outcome
    assert outcome
    is_won = outcome.winner == match.next_seat
    if match.game.has_chance:
        return Evaluation(win_probability=float(is_won))
    return Evaluation(DRAW) if outcome.winner is None else Evaluation(WIN if is_won else LOSS, 0)


def analysis_data(match: Match, analysis: PositionAnalysis) -> dict[str, object]:
    """Return an analysis as the documented JSON object."""
    return {
        "game": match.game.slug,
        "options": match.game.options,
        "moves": match.moves,
        "to_move": match.next_seat,
        "over": match.outcome and match.outcome._asdict(),
        **analysis.evaluation.as_data(),
        "choices": [choice.as_data() for choice in analysis.choices],
    }
