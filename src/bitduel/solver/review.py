"""A finished match looked at again: how it stood after every move, and where it changed hands."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from bitduel.core.endings import AGREED_DRAW, Outcome, can_be_claimed
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.evaluator import Evaluator, MoveEvaluation, best
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other
from bitduel.core.words import PLAYERS, Names
from bitduel.solver.evaluators import evaluator_for

SLIP = 0.02
"""A move in the dark that gives away more than this chance of winning is worth a word."""

LUCK = 0.1
"""A chance that has changed by more than this without anybody's doing is worth a word."""

TURNED = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


class MatchValue(NamedTuple):
    """What the match is worth to seat 1, with best play on both sides."""

    worth: Evaluation

    @property
    def winner(self) -> int | None:
        """Who stands to win, or None."""
        return {WIN: 1, LOSS: 2}.get(self.worth.value or DRAW)

    @property
    def plies(self) -> int | None:
        """In how many plies."""
        return self.worth.plies

    @property
    def chance(self) -> float | None:
        """How likely seat 1 is to win, where that is a matter of chance."""
        return self.worth.win_probability

    def own(self, seat: int) -> float | None:
        """How likely a seat is to win, where that is a matter of chance."""
        return self.chance if self.chance is None or seat == 1 else 1 - self.chance

    def score(self, seat: int) -> float:
        """What a seat can expect: 1 for a win, a half for a draw, or its chance."""
        own = self.own(seat)
        if own is not None:
            return own
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def lean(self) -> float:
        """From 1 (seat 1 wins at once) over 0 (a draw, or even chances) to -1 (seat 2 wins at once)."""
        if self.chance is not None:
            return 2 * self.chance - 1
        if self.winner is None:
            return 0.0
        near = 0.0 if self.plies is None else 1 / (1 + self.plies / 8)
        return (0.2 + 0.8 * near) * (1 if self.winner == 1 else -1)

    def as_data(self) -> dict[str, Any]:
        """The standing as JSON-ready data."""
        data = {"winner": self.winner, "plies": self.plies, "chance": self.chance}
        return {**data, "assumed": True} if self.worth.assumed else data


class ChanceShift(NamedTuple):
    """A chance of winning that changed by what came to light: what a player had expected, and what there was then."""

    expected: float
    found: float
    ended: bool
    """Whether this move ended the match, or something came to light before it."""
    shared: bool = False
    """Whether both players see all moves, so that only what came to light since the last move of either is luck."""


class ReviewedMove(NamedTuple):
    """One move: who made it, how the match stood after it, what would have been better, and what we know now."""

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
    """In a lost position: the moves that hold out longest, where another was made."""


class Concession(NamedTuple):
    """A seat that ended the match otherwise than by a move, and so gave away what it still had."""

    seat: int
    before: MatchValue


class Review(NamedTuple):
    """A match move by move."""

    start: MatchValue
    steps: tuple[ReviewedMove, ...]
    outcome: Outcome | None
    concessions: tuple[Concession, ...] = ()


def as_data(found: Review, match_id: str) -> dict[str, Any]:
    """A review as JSON-ready data."""
    steps = [_step_data(step) for step in found.steps]
    over = found.outcome and found.outcome._asdict()
    conceded = [{"seat": each.seat, "before": each.before.as_data()} for each in found.concessions]
    return {"id": match_id, "start": found.start.as_data(), "steps": steps, "over": over, "concessions": conceded}


def _step_data(step: ReviewedMove) -> dict[str, Any]:
    told = {"before": step.before.as_data(), "after": step.after.as_data(), "luck": step.luck and step.luck._asdict()}
    return {**step._asdict(), **told}


def review(match: Match, names: Names = PLAYERS) -> Review:
    """Judge every move of a match by what its player could know then."""
    judge = evaluator_for(match.game)
    known = names if match.outcome else None
    shared = not match.game.hidden
    steps = _with_luck([_step(judge, before, after, known) for before, after in pairwise(match.walk())], shared)
    start = steps[0].before if steps else _now(judge, Match(match.game, match.first, match.deal))
    return Review(start, steps, match.outcome, concessions(match, steps, judge))


def concessions(match: Match, steps: Sequence[ReviewedMove], judge: Evaluator) -> tuple[Concession, ...]:
    """Who resigned, overstepped the time or agreed on a draw and so got less than there was to get."""
    if match.outcome is None or not can_be_claimed(match.outcome):
        return ()
    open_match = Match(match.game, match.first, match.deal, match.moves)
    if open_match.outcome:
        return ()
    now = _now(judge, open_match)
    found = [Concession(seat, _known(open_match, steps, seat, now)) for seat in _responsible(match.outcome)]
    least = SLIP if match.game.chance else 0
    return tuple(each for each in found if each.before.score(each.seat) - _points(match.outcome, each.seat) > least)


def _responsible(outcome: Outcome) -> tuple[int, ...]:
    """Who has ended a match otherwise than by a move: whoever lost by it, or both who agreed."""
    if outcome.winner:
        return (other(outcome.winner),)
    return (1, 2) if outcome.reason == AGREED_DRAW else ()


def _known(match: Match, steps: Sequence[ReviewedMove], seat: int, now: MatchValue) -> MatchValue:
    """How the match stands by what a seat knows; of another's turn in the dark it knows only its own last move."""
    if not match.game.hidden or seat == match.next_seat:
        return now
    return next((step.after for step in reversed(steps) if step.seat == seat), now)


def _points(outcome: Outcome, seat: int) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def _step(judge: Evaluator, before: Match, after: Match, names: Names | None) -> ReviewedMove:
    seat, move = before.next_seat, after.moves[-1]
    choices = judge.choices(before.view(seat))
    chosen = next(choice for choice in choices if choice.move == move)
    better = _better(choices, chosen)
    ended = _ended(after.outcome, after.game)
    return ReviewedMove(
        ply=before.ply,
        seat=seat,
        move=move,
        before=standing_of(best(choices)[0].worth, seat),
        after=ended or standing_of(chosen.worth, seat, made=True),
        better=better,
        turning=bool(better) and move != PASS,
        hindsight=_hindsight(after, names) if names else "",
        luck=_luck(chosen.worth.win_probability, ended and ended.own(seat), ended=True),
        longer=_longer(choices, chosen),
    )


def _with_luck(steps: Sequence[ReviewedMove], shared: bool) -> tuple[ReviewedMove, ...]:
    """The steps with what came to light before them: luck is nothing that a move, of whomever, gave away.

    In the dark that is what was answered since a player's last move, and that the other has not won. Where both see
    all moves, it is what was answered to the last move, for in between the other may have made a mistake.
    """
    told: list[ReviewedMove] = []
    hoped: dict[int, float | None] = {}
    for step in steps:
        since = _luck(hoped.get(step.seat), step.before.own(step.seat), False, shared)
        told.append(step._replace(luck=step.luck or since))
        for seat in (1, 2) if shared else (step.seat,):
            hoped[seat] = step.after.own(seat)
    return tuple(told)


def _luck(expected: float | None, found: float | None, ended: bool, shared: bool = False) -> ChanceShift | None:
    if expected is None or found is None or abs(found - expected) <= LUCK:
        return None
    return ChanceShift(expected, found, ended, shared)


def standing_of(worth: Evaluation, seat: int, made: bool = False) -> MatchValue:
    """What a move's worth to a seat says of the match, before it or when it has been made."""
    value, plies, chance = worth
    plies = None if plies is None else plies - made
    if seat == 2:
        value, chance = value and TURNED[value], None if chance is None else 1 - chance
    return MatchValue(type(worth)(value, plies, chance))


def _now(judge: Evaluator, match: Match) -> MatchValue:
    """How a match that goes on stands, from what the player to move knows."""
    return standing_of(best(judge.choices(match.view(match.next_seat)))[0].worth, match.next_seat)


def _ended(outcome: Outcome | None, game: Game[Any]) -> MatchValue | None:
    """How a match stands that its moves have ended; a resignation does not change what they were worth."""
    if outcome is None or can_be_claimed(outcome):
        return None
    if game.chance:
        return MatchValue(Evaluation(win_probability={1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5)))
    value = {1: WIN, 2: LOSS}.get(outcome.winner or 0, DRAW)
    return MatchValue(Evaluation(value, 0 if outcome.winner else None))


def gives_away(choices: Sequence[MoveEvaluation], chosen: MoveEvaluation) -> bool:
    """Whether a move throws away a win or a draw that was there, or in the dark more than a slip of chance."""
    top = best(choices)[0].worth
    if chosen.worth.win_probability is not None:
        return (top.win_probability or 0) - chosen.worth.win_probability > SLIP
    return chosen.worth.value != top.value


def _better(choices: list[MoveEvaluation], chosen: MoveEvaluation) -> tuple[str, ...]:
    """The best moves, where the one that was made gave something away."""
    return tuple(choice.move for choice in best(choices)) if gives_away(choices, chosen) else ()


def _longer(choices: list[MoveEvaluation], chosen: MoveEvaluation) -> tuple[str, ...]:
    """The moves that hold out longest, where all is lost and another was made."""
    top = best(choices)
    is_lost = top[0].worth.value == LOSS
    return tuple(choice.move for choice in top) if is_lost and chosen.worth.rank < top[0].worth.rank else ()


def _hindsight(at: Match, names: Names) -> str:
    """What only the end of the match reveals."""
    mover = at.next_seat
    return at.game.words.hindsight(at.position, names[mover - 1], names[other(mover) - 1])
