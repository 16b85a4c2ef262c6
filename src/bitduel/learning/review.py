"""A match reviewed: its value after every move, mistakes, luck and concessions."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Evaluator, MoveEvaluation, best_choices
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import AGREED_DRAW, Outcome, can_be_claimed
from bitduel.core.words import PLAYERS, Names
from bitduel.solver.evaluators import evaluator_for

MISTAKE = 0.02
"""The chance of winning that a move in a game of chance may give away before it is called a mistake."""

LUCK = 0.1
"""The least change of a chance, caused by no move, that counts as luck."""

OPPOSITE = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


class MatchValue(NamedTuple):
    """The value of a match for seat 1, with best play on both sides."""

    evaluation: Evaluation

    @property
    def winner(self) -> int | None:
        """The seat that wins with best play, or None."""
        return {WIN: 1, LOSS: 2}.get(self.evaluation.value or DRAW)

    @property
    def plies(self) -> int | None:
        """The plies to the end."""
        return self.evaluation.plies

    @property
    def chance(self) -> float | None:
        """The probability that seat 1 wins, in a game of chance."""
        return self.evaluation.win_probability

    def chance_of(self, seat: int) -> float | None:
        """Return the probability that a seat wins, in a game of chance."""
        return self.chance if self.chance is None or seat == 1 else 1 - self.chance

    def score(self, seat: int) -> float:
        """Return the expected score of a seat: 1 for a win, a half for a draw, or its chance."""
        chance = self.chance_of(seat)
        if chance is not None:
            return chance
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def lead(self) -> float:
        """From 1 (seat 1 wins at once) over 0 (a draw, or even chances) to -1 (seat 2 wins at once)."""
        if self.chance is not None:
            return 2 * self.chance - 1
        if self.winner is None:
            return 0.0
        nearness = 0.0 if self.plies is None else 1 / (1 + self.plies / 8)
        return (0.2 + 0.8 * nearness) * (1 if self.winner == 1 else -1)

    def as_data(self) -> dict[str, Any]:
        """Return the value as JSON-ready data."""
        data = {"winner": self.winner, "plies": self.plies, "chance": self.chance}
        return {**data, "assumed": True} if self.evaluation.is_assumed else data


class ChanceShift(NamedTuple):
    """A chance of winning that new information changed: what a player expected, and what it became."""

    expected: float
    found: float
    ended: bool
    """Whether this move ended the match, or new information came before it."""
    shared: bool = False
    """Whether both players see all moves, so that only new information since the last move is luck."""


class ReviewedMove(NamedTuple):
    """One move, the value of the match before and after it, and what would have been better."""

    ply: int
    seat: int
    move: str
    before: MatchValue
    after: MatchValue
    better: tuple[str, ...]
    turning: bool
    hindsight: str
    luck: ChanceShift | None = None
    longer: tuple[str, ...] = ()
    """The moves that would have lasted longest in a lost position, if another was made."""
    chance: float | None = None
    """In a game of chance, how often the move wins, whatever came of it."""
    why: tuple[str, str] = ("", "")
    """The reason why a better move is better, in the words for seat 1 and for seat 2."""


class Concession(NamedTuple):
    """A seat that ended the match otherwise than by a move, and gave away what it still had."""

    seat: int
    before: MatchValue


class Review(NamedTuple):
    """A match move by move."""

    start: MatchValue
    steps: tuple[ReviewedMove, ...]
    outcome: Outcome | None
    concessions: tuple[Concession, ...] = ()

    @property
    def leads(self) -> list[float]:
        """The lead of seat 1 at the start and after every move."""
        return [self.start.lead, *(step.after.lead for step in self.steps)]

    @property
    def turning_plies(self) -> set[int]:
        """The plies after a mistake, and the last one if somebody conceded."""
        conceded = {len(self.steps)} if self.concessions else set()
        return conceded | {step.ply + 1 for step in self.steps if step.turning}


def review_data(review: Review, match_id: str) -> dict[str, Any]:
    """Return a review as JSON-ready data."""
    steps = [
        {
            **{name: value for name, value in step._asdict().items() if name not in ("chance", "why")},
            "before": step.before.as_data(),
            "after": step.after.as_data(),
            "luck": step.luck and step.luck._asdict(),
        }
        for step in review.steps
    ]
    over = review.outcome and review.outcome._asdict()
    conceded = [{"seat": each.seat, "before": each.before.as_data()} for each in review.concessions]
    return {"id": match_id, "start": review.start.as_data(), "steps": steps, "over": over, "concessions": conceded}


def review(match: Match, names: Names = PLAYERS) -> Review:
    """Review every move of a match by what its player could know then."""
    evaluator = evaluator_for(match.game)
    revealed_names = names if match.outcome else None
    steps = [_review_move(evaluator, before, after, revealed_names) for before, after in pairwise(match.walk())]
    steps = _with_luck(steps, not match.game.is_hidden)
    start = steps[0].before if steps else _value_now(evaluator, Match(match.game, match.first, match.deal))
    return Review(start, tuple(steps), match.outcome, concessions(match, steps, evaluator))


def concessions(match: Match, steps: Sequence[ReviewedMove], evaluator: Evaluator) -> tuple[Concession, ...]:
    """Return the seats that resigned, lost on time or agreed to a draw, and got less than they could have."""
    if match.outcome is None or not can_be_claimed(match.outcome):
        return ()
    open_match = Match(match.game, match.first, match.deal, match.moves)
    if open_match.outcome:
        return ()
    now = _value_now(evaluator, open_match)
    if match.outcome.winner:
        seats: tuple[int, ...] = (other_seat(match.outcome.winner),)
    else:
        seats = (1, 2) if match.outcome.reason == AGREED_DRAW else ()
    conceding = [Concession(seat, _known_value(open_match, steps, seat, now)) for seat in seats]
    least = MISTAKE if match.game.has_chance else 0
    return tuple(each for each in conceding if each.before.score(each.seat) - _points(match.outcome, each.seat) > least)


def _known_value(match: Match, steps: Sequence[ReviewedMove], seat: int, now: MatchValue) -> MatchValue:
    """Return the value by what a seat knows: on the other's turn in a hidden game, that after its own last move."""
    if not match.game.is_hidden or seat == match.next_seat:
        return now
    return next((step.after for step in reversed(steps) if step.seat == seat), now)


def _points(outcome: Outcome, seat: int) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def _review_move(evaluator: Evaluator, before: Match, after: Match, names: Names | None) -> ReviewedMove:
    seat, move = before.next_seat, after.moves[-1]
    choices = evaluator.choices(before.view(seat))
    chosen = next(choice for choice in choices if choice.move == move)
    best = best_choices(choices)
    best_moves = tuple(choice.move for choice in best)
    better = best_moves if is_mistake(choices, chosen) else ()
    is_lost = best[0].evaluation.value == LOSS
    ended = _final_value(after.outcome, after.game)
    return ReviewedMove(
        ply=before.ply,
        seat=seat,
        move=move,
        before=match_value(best[0].evaluation, seat),
        after=ended or match_value(chosen.evaluation, seat, is_made=True),
        better=better,
        turning=bool(better) and move != PASS,
        hindsight=_hindsight(after, names) if names else "",
        luck=_luck(chosen.evaluation.win_probability, ended and ended.chance_of(seat), ended=True),
        longer=best_moves if is_lost and chosen.evaluation.rank < best[0].evaluation.rank else (),
        chance=chosen.evaluation.win_probability,
        why=reasons(before, better[0]) if better and move != PASS else ("", ""),
    )


def reasons(before: Match, better: str) -> tuple[str, str]:
    """Return why a move is better, by a law of the game, in the words for each seat; in a game of chance, a remark."""
    words, seat = before.game.words, before.next_seat
    if before.game.has_chance:
        remark = words.remark(before.view(seat), better)
        return remark, remark
    after = before.after(better)
    told = [words.reason((before if after.outcome else after).view(each)) for each in (1, 2)]
    return told[0], told[1]


def _with_luck(steps: Sequence[ReviewedMove], is_shared: bool) -> list[ReviewedMove]:
    """Return the steps with the luck before them: a chance that changed and that no move gave away.

    In a hidden game that is what came to light since a player's own last move. Where both see all moves, it is what
    came to light since the last move of either, because in between the other may have made a mistake.
    """
    with_luck: list[ReviewedMove] = []
    expected: dict[int, float | None] = {}
    for step in steps:
        luck = _luck(expected.get(step.seat), step.before.chance_of(step.seat), False, is_shared)
        with_luck.append(step._replace(luck=step.luck or luck))
        for seat in (1, 2) if is_shared else (step.seat,):
            expected[seat] = step.after.chance_of(seat)
    return with_luck


def _luck(expected: float | None, found: float | None, ended: bool, shared: bool = False) -> ChanceShift | None:
    if expected is None or found is None or abs(found - expected) <= LUCK:
        return None
    return ChanceShift(expected, found, ended, shared)


def match_value(evaluation: Evaluation, seat: int, is_made: bool = False) -> MatchValue:
    """Return the value of the match from the evaluation of a seat's move, before it or when it has been made."""
    value, plies, chance = evaluation
    plies = None if plies is None else plies - is_made
    if seat == 2:
        value, chance = value and OPPOSITE[value], None if chance is None else 1 - chance
    return MatchValue(type(evaluation)(value, plies, chance))


def _value_now(evaluator: Evaluator, match: Match) -> MatchValue:
    choices = evaluator.choices(match.view(match.next_seat))
    return match_value(best_choices(choices)[0].evaluation, match.next_seat)


def _final_value(outcome: Outcome | None, game: Game[Any]) -> MatchValue | None:
    """Return the value of a match that its moves have ended; a resignation does not change what they were worth."""
    if outcome is None or can_be_claimed(outcome):
        return None
    if game.has_chance:
        return MatchValue(Evaluation(win_probability={1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5)))
    value = {1: WIN, 2: LOSS}.get(outcome.winner or 0, DRAW)
    return MatchValue(Evaluation(value, 0 if outcome.winner else None))


def is_mistake(choices: Sequence[MoveEvaluation], chosen: MoveEvaluation) -> bool:
    """Return whether a move gives away a win or a draw, or in a game of chance more than a little."""
    best = best_choices(choices)[0].evaluation
    if chosen.evaluation.win_probability is not None:
        return (best.win_probability or 0) - chosen.evaluation.win_probability > MISTAKE
    return chosen.evaluation.value != best.value


def _hindsight(match: Match, names: Names) -> str:
    """Return what only the end of the match reveals about the last move."""
    mover = match.next_seat
    return match.game.words.hindsight(match.position, names[mover - 1], names[other_seat(mover) - 1])


class WonPositions(NamedTuple):
    """The won positions that a player met, and how many were still won after the player's move."""

    held: int
    met: int


def won_positions(match: Match, seat: int) -> WonPositions | None:
    """Return how often a seat held a won position; None if the game has no such values."""
    if match.game.has_chance:
        return None
    try:
        evaluator = evaluator_for(match.game)
    except BitduelError:
        return None
    held = met = 0
    for before, after in pairwise(match.walk()):
        if before.next_seat != seat:
            continue
        choices = evaluator.choices(before.view(seat))
        if best_choices(choices)[0].evaluation.value == WIN:
            met += 1
            held += next(c.evaluation.value for c in choices if c.move == after.moves[-1]) == WIN
    met += any(each.seat == seat == each.before.winner for each in concessions(match, (), evaluator))
    return WonPositions(held, met)
