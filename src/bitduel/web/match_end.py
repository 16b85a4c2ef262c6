"""The end of a match for one of its players: won positions kept, the lamp, where it turned, and one next step."""

from typing import NamedTuple

from markupsafe import Markup

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import best_choices
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import LOST, TIME, WON, is_counted, result_for
from bitduel.core.words import PLAYERS, Names
from bitduel.games.registry import all_games
from bitduel.learning.levels import LEVELS, Lamp, OwnMatch, fitting_level, level_results, lit_lamps
from bitduel.learning.review import Review, ReviewedMove, is_mistake, review, won_positions
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import MatchSession
from bitduel.service.new_match import check_size
from bitduel.solver.evaluators import evaluator_for
from bitduel.web import boards
from bitduel.web.my_matches import matches_of
from bitduel.web.start_form import play_on_fields

SWAP = "Swap who starts"


class NextStep(NamedTuple):
    """The one thing to do next: the form that starts another match."""

    text: str
    url: str
    fields: dict[str, str]


class LampRow(NamedTuple):
    """The lamps of a game, in the order of the strengths, one of them new."""

    new: str
    """The strength whose lamp has just been lit."""
    lit: list[tuple[str, bool]]
    total: int
    """The number of lamps lit in all games."""


class KeptPositions(NamedTuple):
    """The won positions that a player kept, in figures and in words."""

    figures: str
    """Empty where there was none to keep."""
    note: str


class TurningPoint(NamedTuple):
    """The last move that gave something away: where it was made, with the position before it."""

    ply: int
    headline: str
    lost: str
    """The value that was lost, and the move that lost it."""
    choice: str
    """The number of moves that would have kept it."""
    board: Markup


class MatchEnd(NamedTuple):
    """The end of a match, as the page shows it to the player of one seat."""

    kept: KeptPositions | None = None
    lamp: LampRow | None = None
    turning: TurningPoint | None = None
    held: tuple[int, ...] = ()
    """For each move of a lost match, the seat that held the win after it; 0 for neither."""
    step: NextStep | None = None
    number: str = "1"
    """The number on the lamp of a win: where one's token stands, if there is one."""
    again: str = ""
    """The label of the button for another round, where it is not the usual one."""


NO_END = MatchEnd()


def match_end(service: MatchService, session: MatchSession, owner: str | None) -> MatchEnd:
    """Return what the end of a match shows to the holder of one seat; to others nothing."""
    match, own_seats = session.match, session.seats(owner)
    if not owner or len(own_seats) != 1 or not match.outcome or not is_counted(match.outcome):
        return NO_END
    seat, result = own_seats[0], result_for(own_seats[0], match.outcome)
    lamp = _new_lamp(service, session, seat, owner)
    end = MatchEnd(_kept(match, seat), lamp)
    if result == WON:
        step = _stronger(service, session, seat, owner)
        return end._replace(step=step, number=_winning_number(match, seat), again="Same again" if step else "")
    end = end._replace(step=_fitting(service, session, seat, owner))
    return _with_turning_point(end, session, seat) if result == LOST else end


def _winning_number(match: Match, seat: int) -> str:
    """Return the number that won, where the last move of a seat made one, and 1 elsewhere."""
    scale = match.game.picture(match.view(seat), PLAYERS).scale
    own = [str(token.at) for token in scale.tokens if token.seat in (None, seat)] if scale else []
    return own[0] if own and match.seat_at(match.ply - 1) == seat and len(own[0]) <= 4 else "1"


def _with_turning_point(end: MatchEnd, session: MatchSession, seat: int) -> MatchEnd:
    """Return the end of a lost match: where it turned, and to try again from there; or to swap who starts."""
    try:
        check_size(session.match.game)
        reviewed = review(session.match, session.stored.names)
    except BitduelError:
        return end
    slips = [step for step in reviewed.steps if step.turning and step.seat == seat]
    if not slips:
        conceded = any(each.seat == seat for each in reviewed.concessions)
        return end._replace(again="" if conceded or session.is_between_people else SWAP)
    names = session.stored.names
    turning = _turning_point(session.match, reviewed, slips, seat, names)
    step = end.step if session.is_between_people else _from_there(session, slips[-1], seat) or end.step
    held = tuple(_holder(each) for each in reviewed.steps)
    return end._replace(turning=turning, held=held, step=step, again="New match" if step else "")


def _holder(step: ReviewedMove) -> int:
    """Return the seat with the better expected score after a move; 0 for neither."""
    return 1 if step.after.lead > 0 else 2 if step.after.lead < 0 else 0


def _kept(match: Match, seat: int) -> KeptPositions | None:
    """Return the won positions that a seat kept, if it had any; None for a game that is too large."""
    try:
        check_size(match.game)
    except BitduelError:
        return None
    is_too_late = match.outcome is not None and match.outcome.reason == TIME and match.outcome.winner != seat
    if is_too_late:  # a move that was never made is no slip
        match = Match(match.game, match.first, match.deal, match.moves)
    positions = won_positions(match, seat)
    if is_too_late and not (positions and positions.met):
        return None
    if positions is None or not positions.met:
        return KeptPositions("", "You never had a certain win.")
    slips = positions.met - positions.held
    note = "not one slip" if not slips else "one slip" if slips == 1 else f"{slips} slips"
    return KeptPositions(f"{positions.held} of {positions.met}", note)


def _new_lamp(service: MatchService, session: MatchSession, seat: int, owner: str) -> LampRow | None:
    """Return the lamps of the game if this match has lit one of them."""
    lamp = next(iter(lit_lamps([OwnMatch(session.stored, seat, session.was_coached(seat))])), None)
    if lamp is None:
        return None
    others = [own for own in matches_of(service.held_sittings(owner), owner) if own.stored.id != session.stored.id]
    before = set(lit_lamps(others))
    if lamp in before:
        return None
    lit = before | {lamp}
    return LampRow(lamp.level, [(level, lamp._replace(level=level) in lit) for level in LEVELS], len(lit))


def _fitting(service: MatchService, session: MatchSession, seat: int, owner: str) -> NextStep | None:
    """Return the form for a match at the level that fits now; None where that is the level of this match."""
    level = str(session.stored.players[other_seat(seat) - 1])
    if level not in LEVELS:
        return None
    mine = matches_of(service.held_sittings(owner), owner)
    fitting = fitting_level(level_results(mine, session.stored.game)).level
    if fitting == level:
        return None
    return _step(session, seat, f"Next: play {fitting}", {**_settings(session.match), "opponent": fitting})


def _stronger(service: MatchService, session: MatchSession, seat: int, owner: str) -> NextStep | None:
    """Return the form for a match against the next strength, or in another game after the last one."""
    level = str(session.stored.players[other_seat(seat) - 1])
    if level not in LEVELS:
        return None
    if level != LEVELS[-1]:
        stronger = LEVELS[LEVELS.index(level) + 1]
        return _step(session, seat, f"Next: play {stronger}", {**_settings(session.match), "opponent": stronger})
    mine = matches_of(service.held_sittings(owner), owner)
    lit = lit_lamps(mine)
    darker = [kind for kind in all_games() if any(Lamp(kind.slug, each) not in lit for each in LEVELS)]
    other = next((kind for kind in darker if kind.slug != session.stored.game), None)
    if other is None:
        return None
    fitting = fitting_level(level_results(mine, other.slug)).level
    return _step(session, seat, f"Next: {other.title}", {"opponent": fitting}, other.slug)


def _from_there(session: MatchSession, slip: ReviewedMove, seat: int) -> NextStep | None:
    """Return the form for a match that goes on from before a slip; None in a game with a secret."""
    level, match = str(session.stored.players[other_seat(seat) - 1]), session.match
    start = Match(match.game, match.first, match.deal, match.moves[: slip.ply])
    fields = play_on_fields(start, seat)
    if fields is None or level not in LEVELS:
        return None
    if not fields["moves"]:
        del fields["moves"]
    return _step(session, seat, "Try again from there", {**fields, "opponent": level})


def _step(session: MatchSession, seat: int, text: str, fields: dict[str, str], game: str = "") -> NextStep:
    name = session.stored.names[seat - 1]
    named = fields if name in PLAYERS else {**fields, "name": name}
    return NextStep(text, f"/games/{game or session.stored.game}/play", named)


def _settings(match: Match) -> dict[str, str]:
    """Return the fields of the settings that are not the usual ones."""
    defaults = {option.name: option.default for option in match.game.declared_options}
    chosen = match.game.open_options.items()
    return {f"opt-{option}": str(value) for option, value in chosen if value != defaults[option]}


def _turning_point(match: Match, reviewed: Review, slips: list[ReviewedMove], seat: int, names: Names) -> TurningPoint:
    slip = slips[-1]
    before = match.at(slip.ply)
    view = before.view(seat)
    choices = evaluator_for(match.game).choices(view)
    keeping = sum(not is_mistake(choices, choice) for choice in choices)
    chance = best_choices(choices)[0].evaluation.win_probability
    phrase = match.game.words.move_phrase(view, slip.move)
    if chance is None:
        kept = "win" if slip.before.winner == seat else "draw"
        lost = f"The {kept} was yours until you chose to {phrase.lone_infinitive or phrase.imperative}."
        choice = f"{_count(keeping)} of your {len(choices)} moves kept it."
    else:
        lost = f"You could have won {chance:.0%} of the time. After {phrase.gerund}, it was {slip.chance or 0:.0%}."
        choice = f"{_count(keeping)} of your {len(choices)} moves kept that chance."
    headline = "One move decided it" if len(slips) == 1 and chance is None else f"Move {slip.ply + 1} decided it"
    lost = " ".join([lost, *match.game.words.reveal(match.view(None))])
    return TurningPoint(slip.ply + 1, headline, lost, choice, boards.marked_board(match.game, view, names, seat))


def _count(number: int) -> str:
    return "One" if number == 1 else str(number)
