"""The level of the computer that fits a person, and the lamps for the levels that a person has beaten."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import WIN, best_choices
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import DRAWN, LOST, WON, can_be_claimed, result_for
from bitduel.core.phrases import join_with_and
from bitduel.games.registry import all_games
from bitduel.learning.mastery import is_fought_out
from bitduel.learning.review import review
from bitduel.players.spec import EASY, HARD, MEDIUM, PERFECT
from bitduel.solver.evaluators import evaluator_for
from bitduel.storage import StoredMatch

LEVELS = (EASY, MEDIUM, HARD, PERFECT)
"""The levels, weakest first; the first is where everybody starts."""
POINTS = {WON: 1.0, DRAWN: 0.5}
POINTS_UP, LOSSES_DOWN = 2, 3
"""The points without a loss between them that lead one level up, and the losses without a win that lead one down."""
TURNS = {1: "first", 2: "second"}
TIMES = ("", "once", "twice", "three times", "four times")


class LevelResult(NamedTuple):
    """A match against the computer: its level, and the result for the person."""

    level: str
    result: str
    """WON, LOST or DRAWN."""


class FittingLevel(NamedTuple):
    """The level for the next match, and a sentence where the last match has changed it."""

    level: str
    sentence: str = ""


class Lamp(NamedTuple):
    """A lamp for a game and a level."""

    game: str
    level: str


class OwnMatch(NamedTuple):
    """A match and the one seat in it that a person held."""

    stored: StoredMatch
    seat: int
    was_coached: bool = False
    """Whether the coach may have helped."""

    @property
    def is_helped(self) -> bool:
        """Whether the coach may have helped, or a move was taken back."""
        return self.was_coached or self.stored.backs > 0


def fitting_level(results: Iterable[LevelResult]) -> FittingLevel:
    """Return the level that fits after some matches in one game, oldest first.

    Two wins lead one level up if no loss comes between them, and two draws are as good as one of the wins. Draws alone
    lead nowhere: where best play draws, everybody would end at the top. Three losses without a win between them lead
    one down. A level that was chosen by hand is taken as it is, and counting starts anew there.
    """
    level, unbeaten, losses, sentence = EASY, list[str](), 0, ""
    for each in results:
        if each.level != level:
            level, unbeaten, losses = each.level, [], 0
        unbeaten = [] if each.result == LOST else [*unbeaten, each.result]
        losses = 0 if each.result == WON else losses + (each.result == LOST)
        place, sentence = LEVELS.index(level), ""
        points = sum(map(POINTS.__getitem__, unbeaten))
        if points >= POINTS_UP and WON in unbeaten and place + 1 < len(LEVELS):
            level, sentence = LEVELS[place + 1], f"{_successes(unbeaten)}, so the level is now {LEVELS[place + 1]}."
        elif losses >= LOSSES_DOWN and place > 0:
            level = LEVELS[place - 1]
            sentence = f"You lost three times without a win, so the level is now {level}."
        if sentence:
            unbeaten, losses = [], 0
    return FittingLevel(level, sentence)


def _successes(results: list[str]) -> str:
    wins, draws = results.count(WON), results.count(DRAWN)
    if wins == POINTS_UP:
        return "You won twice"
    return f"You won once and drew {TIMES[draws] if draws < len(TIMES) else 'often'}"


def level_results(matches: Iterable[OwnMatch], game: str) -> list[LevelResult]:
    """Return the results of one game's matches against a level of the computer, oldest first."""
    finished = [(each.stored.changed, result) for each in matches if each.stored.game == game and (result := _of(each))]
    return [result for _, result in sorted(finished, key=lambda pair: pair[0])]


def own_matches(matches: Iterable[StoredMatch]) -> list[OwnMatch]:
    """Return those of the matches on one machine that one person played against a program."""
    people = [(stored, [seat for seat in (1, 2) if stored.players[seat - 1].is_human]) for stored in matches]
    return [OwnMatch(stored, seats[0]) for stored, seats in people if len(seats) == 1]


def _of(own: OwnMatch) -> LevelResult | None:
    level = str(own.stored.players[other_seat(own.seat) - 1])
    result = result_for(own.seat, own.stored.outcome) if own.stored.outcome else None
    return LevelResult(level, result) if result and level in LEVELS else None


def lit_lamps(matches: Iterable[OwnMatch]) -> dict[Lamp, frozenset[int]]:
    """Return the lamps that are lit, each with the turns from which: 1 for starting, 2 for moving second.

    A lamp is lit by a win in the standard game, or by a whole match without a slip where nobody could be sure to win:
    by a draw where best play does not win, if it took some moves, and in a game of chance whoever won. A match from a
    position lights none, nor does one with help.
    """
    lit: dict[Lamp, frozenset[int]] = {}
    for own in matches:
        result = _of(own)
        if result is None or not _is_standard(own.stored) or own.stored.is_from_position or own.is_helped:
            continue
        lamp, turn = Lamp(own.stored.game, result.level), 1 if own.stored.first == own.seat else 2
        before = lit.get(lamp, frozenset())
        if turn not in before and (result.result == WON or _is_without_slip(own, result.result)):
            lit[lamp] = before | {turn}
    return lit


def turns_phrase(turns: frozenset[int]) -> str:
    """Return from which turns a lamp was lit, in words; empty for none."""
    return f"going {join_with_and([TURNS[turn] for turn in sorted(turns)])}" if turns else ""


def _is_standard(stored: StoredMatch) -> bool:
    """Return whether a match was played with the default settings of a game that is here."""
    kind = next((kind for kind in all_games() if kind.slug == stored.game), None)
    return kind is not None and all(
        stored.options.get(option.name, option.default) == option.default for option in kind.declared_options
    )


def _is_without_slip(own: OwnMatch, result: str) -> bool:
    """Return whether a match that was not won was played to its end without a slip, and could not be won for sure."""
    stored = own.stored
    if stored.outcome is None or can_be_claimed(stored.outcome):
        return False
    try:
        match = stored.match()
        if result == LOST and not match.game.has_chance:
            return False
        return _could_not_be_better(match.game.slug, match.first, match.deal, tuple(match.moves), own.seat)
    except BitduelError:
        return False  # The match is damaged, or its game cannot be solved.


@lru_cache(maxsize=1024)
def _could_not_be_better(slug: str, first: int, deal: str, moves: tuple[str, ...], seat: int) -> bool:
    kind = next(kind for kind in all_games() if kind.slug == slug)
    match = Match(kind(), first, deal, moves)
    if not is_fought_out(match, seat) or any(step.turning and step.seat == seat for step in review(match).steps):
        return False
    if match.game.has_chance:
        return True
    start = Match(match.game, first).view(first)
    return first != seat or best_choices(evaluator_for(match.game).choices(start))[0].evaluation.value != WIN
