"""A finished match looked at again: how it stood after every move, and where it changed hands."""

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

    @property
    def lean(self) -> float:
        """From 1 (seat 1 wins at once) over 0 (a draw, or even chances) to -1 (seat 2 wins at once)."""
        if self.chance is not None:
            return 2 * self.chance - 1
        if self.winner is None:
            return 0.0
        near = 1 / (1 + (self.plies or 0) / 8)
        return (0.2 + 0.8 * near) * (1 if self.winner == 1 else -1)

    def as_data(self) -> dict[str, Any]:
        """The standing as JSON-ready data."""
        return {"winner": self.winner, "plies": self.plies, "chance": self.chance}


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


class Review(NamedTuple):
    """A match move by move."""

    start: Standing
    steps: tuple[Step, ...]
    outcome: Outcome | None


def as_data(found: Review, match_id: str) -> dict[str, Any]:
    """A review as JSON-ready data."""
    steps = [{**s._asdict(), "before": s.before.as_data(), "after": s.after.as_data()} for s in found.steps]
    over = found.outcome and found.outcome._asdict()
    return {"id": match_id, "start": found.start.as_data(), "steps": steps, "over": over}


def review(match: Match, names: Names = PLAYERS) -> Review:
    """Judge every move of a match by what its player could know then."""
    judge = oracle(match.game)
    known = names if match.outcome else None
    steps = tuple(_step(judge, before, after, known) for before, after in pairwise(match.walk()))
    start = steps[0].before if steps else _start(judge, Match(match.game, match.first, match.deal))
    return Review(start, steps, match.outcome)


def _step(judge: Judge, before: Match, after: Match, names: Names | None) -> Step:
    seat, move = before.next_seat, after.moves[-1]
    choices = judge.choices(before.view(seat))
    chosen = next(choice for choice in choices if choice.move == move)
    better = _better(choices, chosen)
    return Step(
        ply=before.ply,
        seat=seat,
        move=move,
        before=standing_of(best(choices)[0].worth, seat),
        after=_ended(after.outcome, after.game) or standing_of(chosen.worth, seat, made=True),
        better=better,
        turning=bool(better) and move != PASS,
        hindsight=_hindsight(after, names) if names else "",
    )


def standing_of(worth: Worth, seat: int, made: bool = False) -> Standing:
    """What a move's worth to a seat says of the match, before it or when it has been made."""
    value, plies, chance = worth
    plies = None if plies is None else plies - made
    if seat == 1:
        return Standing(Worth(value, plies, chance))
    return Standing(Worth(value and TURNED[value], plies, None if chance is None else 1 - chance))


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


def _better(choices: list[Judged], chosen: Judged) -> tuple[str, ...]:
    """The best moves, where the one that was made gave something away."""
    top = best(choices)
    if chosen.worth.win_probability is not None:
        missed = (top[0].worth.win_probability or 0) - chosen.worth.win_probability
        return tuple(choice.move for choice in top) if missed > SLIP else ()
    return tuple(choice.move for choice in top) if chosen.worth.value != top[0].worth.value else ()


def _hindsight(at: Match, names: Names) -> str:
    """What only the end of the match reveals."""
    mover = at.next_seat
    return at.game.words.hindsight(at.position, names[mover - 1], names[other(mover) - 1])
