"""A finished match looked at again: how it stood after every move, and where it changed hands."""

from typing import Any, NamedTuple

from bitduel.core.game import PASS, Game, Outcome
from bitduel.core.judge import DRAW, LOSS, WIN, Judge, Judged, best
from bitduel.core.match import Match, other
from bitduel.core.words import PLAYERS, Names
from bitduel.solve.oracle import oracle

SLIP = 0.02
"""A move in the dark that gives away more than this chance of winning is worth a word."""


class Standing(NamedTuple):
    """Who stands to win with best play on both sides, in how many plies; or how likely seat 1 is to win."""

    winner: int | None = None
    plies: int | None = None
    chance: float | None = None

    @property
    def lean(self) -> float:
        """From 1 (seat 1 wins at once) over 0 (a draw, or even chances) to -1 (seat 2 wins at once)."""
        if self.chance is not None:
            return 2 * self.chance - 1
        if self.winner is None:
            return 0.0
        near = 1 / (1 + (self.plies or 0) / 8)
        return (0.2 + 0.8 * near) * (1 if self.winner == 1 else -1)


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
    steps = [{**s._asdict(), "before": s.before._asdict(), "after": s.after._asdict()} for s in found.steps]
    over = found.outcome and found.outcome._asdict()
    return {"id": match_id, "start": found.start._asdict(), "steps": steps, "over": over}


def review(match: Match, names: Names = PLAYERS) -> Review:
    """Judge every move of a match by what its player could know then."""
    judge = oracle(match.game)
    steps = tuple(_step(judge, match, ply, names) for ply in range(match.ply))
    start = steps[0].before if steps else _standing(judge, Match(match.game, match.first, match.deal))
    return Review(start, steps, match.outcome)


def _step(judge: Judge, match: Match, ply: int, names: Names) -> Step:
    before = Match(match.game, match.first, match.deal, match.moves[:ply])
    after = Match(match.game, match.first, match.deal, match.moves[: ply + 1])
    seat, move = match.seat_at(ply), match.moves[ply]
    choices = judge.choices(before.view(seat))
    chosen = next(choice for choice in choices if choice.move == move)
    better = _better(choices, chosen)
    return Step(
        ply=ply,
        seat=seat,
        move=move,
        before=standing_of(best(choices)[0], seat),
        after=_ended(after.outcome, match.game) or standing_of(chosen, seat, made=True),
        better=better,
        turning=bool(better) and move != PASS,
        hindsight=_hindsight(match, after, names),
    )


def standing_of(judged: Judged, seat: int, made: bool = False) -> Standing:
    """What a move's worth says of the match, for both seats, before it or when it has been made."""
    if judged.win_probability is not None:
        chance = judged.win_probability
        return Standing(chance=chance if seat == 1 else 1 - chance)
    winner = {WIN: seat, LOSS: other(seat)}.get(judged.value or DRAW)
    return Standing(winner, None if judged.plies is None else judged.plies - made)


def _standing(judge: Judge, match: Match) -> Standing:
    assert match.to_move
    return standing_of(best(judge.choices(match.view(match.to_move)))[0], match.to_move)


def _ended(outcome: Outcome | None, game: Game[Any]) -> Standing | None:
    if outcome is None:
        return None
    if game.chance:
        return Standing(chance={1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5))
    return Standing(outcome.winner, 0 if outcome.winner else None)


def _better(choices: list[Judged], chosen: Judged) -> tuple[str, ...]:
    """The best moves, where the one that was made gave something away."""
    top = best(choices)
    if chosen.win_probability is not None:
        missed = (top[0].win_probability or 0) - chosen.win_probability
        return tuple(choice.move for choice in top) if missed > SLIP else ()
    return tuple(choice.move for choice in top) if chosen.value != top[0].value else ()


def _hindsight(match: Match, at: Match, names: Names) -> str:
    """What only the end of the match reveals."""
    if match.outcome is None:
        return ""
    mover = at.next_seat
    return match.game.words.hindsight(at.position, names[mover - 1], names[other(mover) - 1])
