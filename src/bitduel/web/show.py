"""What the pages show of a match: everything from views, words and pictures; nothing from positions."""

from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.advice import hint, worth
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.judge import Judge, best
from bitduel.core.match import Match, other
from bitduel.core.score import Score
from bitduel.core.view import UNSEEN, View
from bitduel.core.words import Names
from bitduel.solve.explain import advise
from bitduel.solve.oracle import oracle
from bitduel.web.desk import Table
from bitduel.web.paint import picture_svg


def shown_options(game: Game[Any], options: dict[str, Any]) -> str:
    """The options that were chosen otherwise than by default, as people read them."""
    usual = {option.name: option.default for option in game.declared}
    return ", ".join(f"{name}={value}" for name, value in options.items() if value != usual[name])


def board(game: Game[Any], view: View, names: Names) -> dict[str, object]:
    """The picture of a view and its caption."""
    picture = game.picture(view, names)
    return {"board": picture_svg(picture), "caption": picture.caption}


def label(move: str) -> str:
    """A move as a button says it."""
    return move[:1].upper() + move[1:]


def buttons(game: Game[Any], view: View) -> list[dict[str, object]]:
    """The legal moves with where they lead, each with its key where there is one."""
    moves = [move for move in view.legal if move != PASS]
    return [
        {
            "move": move,
            "label": label(move),
            "leads": game.words.leads(view, move),
            "key": _key(game.words.answer(view, move)),
            "kind": move.split()[0],
        }
        for move in moves
    ]


def _key(answer: str) -> str | None:
    """What would be typed, where that is one key: a digit, or the first letter of a word."""
    return answer if len(answer) == 1 else answer[0] if answer.isalpha() else None


def said(table: Table, view: View) -> list[str]:
    """What was said after the last move, to whoever is looking."""
    match, names = table.match, table.kept.names
    if not match.moves:
        return [line for line in match.game.words.opening() if line]
    seat, move = match.seat_at(match.ply - 1), match.moves[-1]
    name = names[seat - 1]
    if move == PASS:
        return [match.game.words.passed(name)]
    if view.seat == seat:
        return match.game.words.played(match.view(seat), move, name)
    if view.history[-1] == UNSEEN:
        return [match.game.words.unseen(name)]
    return [f"{name}: {label(move)}."]


def ending(table: Table) -> list[str]:
    """How the match ended, and what may now be told."""
    match = table.match
    assert match.outcome
    lines = [*match.game.words.end(match.outcome, table.kept.names), *match.game.words.reveal(match.view(None))]
    return [line.strip("- ") for line in lines if line.strip("- ")]


def status(table: Table, view: View) -> str:
    """One sentence on where the match stands."""
    if table.match.outcome:
        return " ".join(ending(table))
    if table.free_seat and view.to_move == table.free_seat:
        return "Waiting for a friend to take the other seat."
    name = table.kept.names[(view.to_move or 1) - 1]
    if view.seat == view.to_move:
        return f"{name}, it is your turn."
    return f"{name} is to move."


def move_rows(view: View) -> list[dict[str, object]]:
    """The moves so far, two to a row."""
    moves = view.history
    return [
        {"number": i // 2 + 1, "first": moves[i], "second": moves[i + 1] if i + 1 < len(moves) else ""}
        for i in range(0, len(moves), 2)
    ]


def coach(match: Match, view: View) -> tuple[list[dict[str, object]] | None, list[str]]:
    """Every move's worth and the hint, for the player to move; nothing where the game is too large to tell."""
    if view.seat is None or view.seat != view.to_move or not view.legal:
        return None, []
    try:
        judge = oracle(match.game)
        advice = advise(judge, match)
    except BitduelError as error:
        return None, [str(error)]
    good = {choice.move for choice in best([each.judged for each in advice])}
    rows: list[dict[str, object]] = [
        {
            "move": each.judged.move,
            "label": label(each.judged.move),
            "worth": worth(each.judged),
            "best": each.judged.move in good,
        }
        for each in advice
    ]
    return rows, hint(advice, [label(each.judged.move) for each in advice])


def choices(judge: Judge, match: Match) -> list[dict[str, object]]:
    """What every move is worth at a position where everything is open to whoever looks."""
    if not match.to_move:
        return []
    view = match.view(match.to_move)
    judged = judge.choices(view)
    good = {choice.move for choice in best(judged)}
    return [
        {
            "move": choice.move,
            "label": label(choice.move),
            "leads": "" if choice.move == PASS else match.game.words.leads(view, choice.move),
            "worth": worth(choice),
            "best": choice.move in good,
        }
        for choice in judged
    ]


def score_text(rounds: list[Any], names: Names) -> dict[str, str] | None:
    """The score of a sitting, once it has more than one round."""
    if len(rounds) < 2:
        return None
    score = Score(len(rounds), names)
    for kept in rounds:
        if kept.outcome:
            score.add(kept.outcome)
    return {"text": score.standing()} if score.played else None


def position_url(match: Match) -> str:
    """The address of the position of a match; of one in the dark that still goes on, of its start."""
    view = match.view(None)
    options = {f"opt-{name}": value for name, value in view.options.items() if value != ""}
    secret = {f"opt-{option.name}": view.deal for option in match.game.declared if option.secret and view.deal}
    told = view.history and (view.over or not match.game.chance)
    moves = {"moves": ", ".join(view.history)} if told else {}
    return f"/games/{match.game.slug}/position?{urlencode({**options, **secret, **moves}, quote_via=quote)}"


def match_context(table: Table, view: View, extra: dict[str, Any]) -> dict[str, Any]:
    """All that the page of a match needs."""
    match, kept = table.match, table.kept
    address = f"/matches/{kept.id}"
    seen = {} if extra.get("covered") else board(match.game, view, kept.names)
    your_turn = view.seat is not None and view.seat == view.to_move
    rows, advice = coach(match, view) if extra.get("coach") and your_turn else (None, [])
    watching = view.seat is None and match.game.hidden and not match.outcome and not extra.get("covered")
    return {
        "id": kept.id,
        "slug": kept.game,
        "title": match.game.title,
        "options": shown_options(match.game, view.options),
        "names": list(kept.names),
        "seat": view.seat,
        "first": view.first,
        "to_move": view.to_move,
        "your_turn": your_turn,
        "status": status(table, view),
        "over": match.outcome is not None,
        "winner": match.outcome.winner if match.outcome else None,
        "coached": bool(extra.get("coach")),
        "board": seen.get("board", Markup("")),
        "caption": seen.get("caption", ""),
        "said": [] if extra.get("covered") else said(table, view),
        "legal": buttons(match.game, view) if your_turn else [],
        "moves": move_rows(view),
        "ply": view.ply,
        "score": extra.get("score"),
        "coach": rows,
        "hint": advice,
        "urls": _urls(address, extra, match),
        "can_resign": bool(extra.get("mine")) and not match.outcome and not extra.get("covered"),
        "can_next": bool(extra.get("mine")) and match.outcome is not None and not extra.get("next_id"),
        "invite": extra.get("invite"),
        "hand_over": extra.get("hand_over"),
        "spectator_note": "You see only what both players may know, until the match is over." if watching else None,
        "next_id": extra.get("next_id"),
    }


def _urls(address: str, extra: dict[str, Any], match: Match) -> dict[str, str | None]:
    as_seat = f"?as={extra['as_seat']}" if extra.get("as_seat") else ""
    joined = "&" if as_seat else "?"
    asked = "" if extra.get("coach") else f"{joined}coach=1"
    return {
        "self": f"{address}{as_seat}",
        "move": f"{address}/move",
        "resign": f"{address}/resign",
        "next": f"{address}/next",
        "record": f"{address}/record",
        "review": f"{address}/review" if match.outcome else None,
        "position": position_url(match),
        "coach": f"{address}{as_seat}{asked}" if extra.get("mine") and not match.outcome else None,
        "share": extra.get("share"),
        "events": f"{address}/events",
        "fragment": f"{address}/fragment{as_seat}{joined + 'coach=1' if extra.get('coach') else ''}",
    }


def hand_over(table: Table) -> dict[str, str] | None:
    """Between two at one keyboard in the dark: who should look now, and the link that shows their side."""
    seat = table.match.to_move
    if seat is None:
        return None
    name = table.kept.names[seat - 1]
    return {
        "text": f"{name}, go on when only you can see the screen.",
        "url": f"/matches/{table.kept.id}?as={seat}",
    }


def covered(table: Table, seat: int) -> dict[str, str]:
    """After a turn in the dark: the link that covers the screen for the other player."""
    name = table.kept.names[other(seat) - 1]
    return {"text": f"Cover the screen and hand over to {name}.", "url": f"/matches/{table.kept.id}"}
