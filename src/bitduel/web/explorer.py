"""Any position of a game, with what every move is worth; in the dark, all that a player can come to know."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.errors import BitduelError, NotSolvedError
from bitduel.core.evaluator import Evaluator, best
from bitduel.core.game import PASS, Game
from bitduel.core.hints import hint, told
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.solver.belief_tracking import Feedback, Known, know
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.explain import advise
from bitduel.solver.position import judgement, stand
from bitduel.solver.shortest_path import shortest_path
from bitduel.web import boards
from bitduel.web.editor import Editor, Placed, dark_editor, dark_line, editor, line
from bitduel.web.keys import keys

LONGEST_MOVES = 4000
FULL = 0.9995
"""What is played at least as often as this is always played, as far as three digits tell."""


class Crumb(NamedTuple):
    """A step of the line that led here: what was played, what was answered, and the address to go back to."""

    text: str
    said: str
    url: str


class Branch(NamedTuple):
    """What may be answered, for how many deals, and where the line then goes on; nowhere where the match is over."""

    said: str
    deals: int
    url: str | None


class Path(NamedTuple):
    """A move with where it leads and what it is worth."""

    move: str
    label: str
    leads: str
    worth: str
    best: bool
    url: str | None = None
    key: str | None = None
    share: str = ""
    answers: tuple[Branch, ...] = ()


class Explorer(NamedTuple):
    """All that the page of a position shows."""

    board: Markup
    caption: str
    verdict: str | None
    choices: list[Path]
    trail: list[Crumb]
    back_url: str | None
    dark: bool = False
    """Whether something was dealt that nobody sees, so that the position is what a player knows."""
    mixed: bool = False
    """Whether the players see different things, so that best play is a mixture."""
    seats: tuple[tuple[str, str, bool], ...] = ()
    """Whose knowledge it can be: the words, the address, and whether it is this one."""
    deals: int = 0
    play_on: dict[str, str] | None = None
    """What a form says that starts a match from here."""
    why: tuple[str, ...] = ()
    """What a hint says to the player to move: the plan, and the law."""
    mover: str = ""
    editor: Editor | None = None
    """The form that sets up another position."""


def judge_of(game: Game[Any]) -> Evaluator | None:
    """Who knows what the moves of a game are worth; nobody in some."""
    try:
        return evaluator_for(game)
    except NotSolvedError:
        return None


def explorer(game: Game[Any], fields: Mapping[str, str], placed: Placed | None = None) -> Explorer:
    """A position as its address says; what was placed in vain stands in the form again."""
    if game.chance and game.fixed_deal is None:
        return _in_the_dark(game, fields, placed)
    return _in_the_light(game, fields, placed)


def line_to(game: Game[Any], fields: Mapping[str, str], placed: Placed | None = None) -> str:
    """The address of a position that was named by what stands where: the shortest line that leads to it."""
    if placed is not None and game.chance and game.fixed_deal is None:
        moves, deal, seat = dark_line(game, placed)
        return address(fields, moves, seat=seat, deal=deal if moves else "")
    if placed is not None:
        return address(fields, moves=line(game, placed))
    judge = judge_of(game)
    if not isinstance(judge, TableEvaluator):
        raise BitduelError("Positions of this game are told by their moves.")
    return address(fields, moves=shortest_path(judge.solution.table, fields.get("at", "")))


def address(fields: Mapping[str, str], moves: Sequence[str], **more: str) -> str:
    """The address of another position of the same game."""
    asked = {**_chosen(fields), **more, "moves": ", ".join(moves)}
    return "?" + urlencode({name: value for name, value in asked.items() if value != ""}, quote_via=quote)


def verdict_of(match: Match) -> str:
    """Who should win, or who has won."""
    if match.outcome:
        lines = match.game.words.end(match.outcome, PLAYERS)
        return " ".join(line.strip("- ") for line in lines if line.strip("- "))
    return f"{PLAYERS[match.next_seat - 1]} is to move and {told(judgement(match).worth)}."


def start_from(match: Match, side: int) -> dict[str, str] | None:
    """What a form says that plays on from here on this side; None where it cannot be."""
    if match.game.chance or match.outcome:
        return None
    usual = {option.name: option.default for option in match.game.declared}
    chosen = {name: value for name, value in match.game.options.items() if value != usual[name]}
    options = {f"opt-{name}": str(value) for name, value in chosen.items()}
    return {**options, "moves": ", ".join(match.moves), "first": "1" if match.first == side else "2"}


def _in_the_light(game: Game[Any], fields: Mapping[str, str], placed: Placed | None) -> Explorer:
    match = stand(game, fields.get("moves", "")[:LONGEST_MOVES])
    judge, view = judge_of(game), match.view(match.next_seat)
    rows = boards.choices(judge, match) if judge else []
    by_hand = keys(game)
    played = match.moves
    paths = [
        Path(r.move, r.label, r.leads, r.worth, r.best, address(fields, [*played, r.move]), by_hand.get(r.move))
        for r in rows
    ]
    return Explorer(
        **boards.board(game, view, PLAYERS),
        verdict=verdict_of(match) if judge else None,
        choices=paths,
        trail=[Crumb(move, "", address(fields, played[: ply + 1])) for ply, move in enumerate(played)],
        back_url=address(fields, played[:-1]) if played else None,
        play_on=start_from(match, match.next_seat),
        why=_why(judge, match) if judge and match.to_move else (),
        mover=PLAYERS[match.next_seat - 1],
        editor=editor(match, placed, _chosen(fields)),
    )


def _why(judge: Evaluator, match: Match) -> tuple[str, ...]:
    """What a hint says, without the names of the best moves, which are starred."""
    advice = advise(judge, match)
    return tuple(hint(advice, [boards.label(choice.judged.move) for choice in advice])[1:])


def _in_the_dark(game: Game[Any], fields: Mapping[str, str], placed: Placed | None) -> Explorer:
    line = [" ".join(move.lower().split()) for move in fields.get("moves", "")[:LONGEST_MOVES].split(",")]
    line = [move for move in line if move]
    seat = 2 if game.hidden and fields.get("seat") == "2" else 1
    own = {"seat": str(seat)} if game.hidden else {}
    known = know(game, seat, line, fields.get("deal", "")[:LONGEST_MOVES])
    judge = judge_of(game)
    trail = [
        Crumb(move, said, address(fields, line[: ply + 1], **own, deal=known.deal))
        for ply, (move, said) in enumerate(zip(line, known.told(), strict=True))
    ]
    start = tuple((f"You move {when}", address(fields, [], seat=n), n == str(seat)) for n, when in SEATS.items())
    return Explorer(
        **boards.board(game, known.view, PLAYERS),
        verdict=_chance(known, judge) if judge else None,
        choices=_paths(known, judge, fields, own) if judge else [],
        trail=trail,
        back_url=address(fields, line[:-1], **own, **({"deal": known.deal} if line[:-1] else {})) if line else None,
        dark=True,
        mixed=game.hidden,
        seats=start if game.hidden else (),
        deals=len(known.matches),
        editor=dark_editor(game, known.view, placed, _chosen(fields)) if judge else None,
    )


def _chosen(fields: Mapping[str, str]) -> dict[str, str]:
    """The options among the fields of an address."""
    return {name: value for name, value in fields.items() if name.startswith("opt-")}


SEATS = {"1": "first", "2": "second"}


def _chance(known: Known, judge: Evaluator) -> str:
    worth = best(judge.choices(known.view))[0].worth
    return f"{PLAYERS[known.seat - 1]} is to move and {told(worth)}."


def _paths(known: Known, judge: Evaluator, fields: Mapping[str, str], own: dict[str, str]) -> list[Path]:
    """Every move with how often best play makes it, its worth, and all that may be answered."""
    view = known.view
    game = known.matches[known.deal].game
    judged, shares = judge.choices(view), judge.mixture(view)
    good = {choice.move for choice in best(judged)}

    def branch(move: str, answer: Feedback) -> Branch:
        url = None if answer.over else address(fields, [*known.line, move], **own, deal=answer.deal)
        return Branch(answer.said, answer.deals, url)

    return [
        Path(
            move=choice.move,
            label=boards.label(choice.move),
            leads="" if choice.move == PASS else game.words.leads(view, choice.move),
            worth=told(choice.worth),
            best=choice.move in good,
            share=_often(shares.get(choice.move, 0.0)) if game.hidden else "",
            answers=tuple(branch(choice.move, answer) for answer in known.answers(choice.move)),
        )
        for choice in judged
    ]


def _often(share: float) -> str:
    """How often best play makes a move, in words."""
    return "never" if share == 0 else "always" if share >= FULL else f"{share:.1%} of the time"
