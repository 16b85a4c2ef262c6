"""A finished match looked at again: how it stood after every move, and where it changed hands."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from bitduel.core.endings import Outcome, can_be_claimed
from bitduel.core.game import PASS, Game
from bitduel.core.judge import Judge, Judged, best
from bitduel.core.match import Match, other
from bitduel.core.words import PLAYERS, Names
from bitduel.core.worth import DRAW, LOSS, WIN, Worth
from bitduel.solve.oracle import oracle

SLIP = 0.02
"""A move in the dark that gives away more than this chance of winning is worth a word."""

LUCK = 0.1
"""A chance that has changed by more than this without anybody's doing is worth a word."""

TURNED = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


class Standing(NamedTuple):
    """What the match is worth to seat 1, with best play on both sides."""

    worth: Worth

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


class Luck(NamedTuple):
    """A chance of winning that changed by what came to light: what a player had expected, and what there was then."""

    expected: float
    found: float
    ended: bool
    """Whether the move itself hit, or what came to light before it."""


class Step(NamedTuple):
    """One move: who made it, how the match stood after it, what would have been better, and what we know now."""

    ply: int
    seat: int
    move: str
    before: Standing
    after: Standing
    better: tuple[str, ...]
    turning: bool
    hindsight: str
    luck: Luck | None = None


class Review(NamedTuple):
    """A match move by move."""

    start: Standing
    steps: tuple[Step, ...]
    outcome: Outcome | None


def as_data(found: Review, match_id: str) -> dict[str, Any]:
    """A review as JSON-ready data."""
    steps = [_step_data(step) for step in found.steps]
    over = found.outcome and found.outcome._asdict()
    return {"id": match_id, "start": found.start.as_data(), "steps": steps, "over": over}


def _step_data(step: Step) -> dict[str, Any]:
    told = {"before": step.before.as_data(), "after": step.after.as_data(), "luck": step.luck and step.luck._asdict()}
    return {**step._asdict(), **told}


def review(match: Match, names: Names = PLAYERS) -> Review:
    """Judge every move of a match by what its player could know then."""
    judge = oracle(match.game)
    known = names if match.outcome else None
    steps = _with_luck(_step(judge, before, after, known) for before, after in pairwise(match.walk()))
    start = steps[0].before if steps else _start(judge, Match(match.game, match.first, match.deal))
    return Review(start, steps, match.outcome)


def _step(judge: Judge, before: Match, after: Match, names: Names | None) -> Step:
    seat, move = before.next_seat, after.moves[-1]
    choices = judge.choices(before.view(seat))
    chosen = next(choice for choice in choices if choice.move == move)
    better = _better(choices, chosen)
    ended = _ended(after.outcome, after.game)
    return Step(
        ply=before.ply,
        seat=seat,
        move=move,
        before=standing_of(best(choices)[0].worth, seat),
        after=ended or standing_of(chosen.worth, seat, made=True),
        better=better,
        turning=bool(better) and move != PASS,
        hindsight=_hindsight(after, names) if names else "",
        luck=_luck(chosen.worth.win_probability, ended and ended.own(seat), ended=True),
    )


def _with_luck(steps: Iterable[Step]) -> tuple[Step, ...]:
    """What came to light since a player's last move is luck too: what was answered, and that the other has not won."""
    told: list[Step] = []
    hoped: dict[int, float | None] = {}
    for step in steps:
        since = _luck(hoped.get(step.seat), step.before.own(step.seat), ended=False)
        told.append(step._replace(luck=step.luck or since))
        hoped[step.seat] = step.after.own(step.seat)
    return tuple(told)


def _luck(expected: float | None, found: float | None, ended: bool) -> Luck | None:
    if expected is None or found is None or abs(found - expected) <= LUCK:
        return None
    return Luck(expected, found, ended)


def standing_of(worth: Worth, seat: int, made: bool = False) -> Standing:
    """What a move's worth to a seat says of the match, before it or when it has been made."""
    value, plies, chance = worth
    plies = None if plies is None else plies - made
    if seat == 2:
        value, chance = value and TURNED[value], None if chance is None else 1 - chance
    return Standing(type(worth)(value, plies, chance))


def _start(judge: Judge, match: Match) -> Standing:
    return standing_of(best(judge.choices(match.view(match.first)))[0].worth, match.first)


def _ended(outcome: Outcome | None, game: Game[Any]) -> Standing | None:
    """How a match stands that its moves have ended; a resignation does not change what they were worth."""
    if outcome is None or can_be_claimed(outcome):
        return None
    if game.chance:
        return Standing(Worth(win_probability={1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5)))
    value = {1: WIN, 2: LOSS}.get(outcome.winner or 0, DRAW)
    return Standing(Worth(value, 0 if outcome.winner else None))


def gives_away(choices: Sequence[Judged], chosen: Judged) -> bool:
    """Whether a move throws away a win or a draw that was there, or in the dark more than a slip of chance."""
    top = best(choices)[0].worth
    if chosen.worth.win_probability is not None:
        return (top.win_probability or 0) - chosen.worth.win_probability > SLIP
    return chosen.worth.value != top.value


def _better(choices: list[Judged], chosen: Judged) -> tuple[str, ...]:
    """The best moves, where the one that was made gave something away."""
    return tuple(choice.move for choice in best(choices)) if gives_away(choices, chosen) else ()


def _hindsight(at: Match, names: Names) -> str:
    """What only the end of the match reveals."""
    mover = at.next_seat
    return at.game.words.hindsight(at.position, names[mover - 1], names[other(mover) - 1])
