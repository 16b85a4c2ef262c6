"""What a link shows where it is posted: a title, a sentence, and a picture of what a spectator may see."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from bitduel import __version__
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.service import messages
from bitduel.service.match_service import MatchSession

TITLE = "bitduel: small duels of doubling and bits"
TEXT = (
    "Small games to play against the computer, a friend far away or the person beside you. Every move can be explained."
)


class LinkPreview(NamedTuple):
    """What is shown of a page elsewhere; addresses are whole."""

    title: str
    text: str
    picture: str
    caption: str
    url: str | None = None


def seen(seating: MatchSession, ply: int | None = None) -> Picture:
    """What a spectator may see after so many moves: everything only once the match is over."""
    match = seating.match
    view = match.view(None) if ply is None else match.hindsight(ply)
    return match.game.picture(view, seating.kept.names)


def mark(picture: Picture) -> str:
    """A short name of a picture's contents: another picture has another address, and each can be kept for ever."""
    return sha256(f"{__version__} {picture!r}".encode("utf-8", "replace")).hexdigest()[:12]


def home_card(base: str) -> LinkPreview:
    """The site itself."""
    return LinkPreview(TITLE, TEXT, f"{base}/picture.png", "Positions of three of the games.", f"{base}/")


def game_card(base: str, game: Game[Any], fields: Mapping[str, str]) -> LinkPreview:
    """A game with its options."""
    address, query = f"{base}/games/{game.slug}", asked(fields, "moves")
    picture = game.picture(Match(game, deal=game.any_deal()).view(None), PLAYERS)
    return LinkPreview(game.title, game.goal, f"{address}/picture.png{query}", picture.caption, f"{address}{query}")


def position_card(base: str, game: Game[Any], caption: str, fields: Mapping[str, str]) -> LinkPreview:
    """Any position of a game."""
    query = asked(fields)
    address = f"{base}/games/{game.slug}"
    text = f"Who should win here? {game.goal}"
    return LinkPreview(
        f"A position of {game.title}", text, f"{address}/picture.png{query}", caption, f"{address}/position{query}"
    )


def match_card(base: str, seating: MatchSession, ply: int | None = None) -> LinkPreview:
    """A match as a spectator sees it; a ply makes it the review at that move."""
    names, game = seating.kept.names, seating.match.game
    title = f"{game.title}: {names[0]} against {names[1]}"
    text = f"{messages.status(seating, seating.match.view(None))} {game.goal}"
    address = f"{base}/matches/{seating.kept.id}"
    url = address if ply is None else f"{address}/review?ply={ply}"
    return LinkPreview(title, text, *picture_of(base, seating, ply), url)


def invitation_card(base: str, seating: MatchSession) -> LinkPreview:
    """A seat that waits for somebody; its own address is a secret, and is not said again."""
    game = seating.match.game
    title = f"{seating.kept.names[0]} invites you to {game.title}"
    return LinkPreview(title, game.goal, *picture_of(base, seating))


def picture_of(base: str, seating: MatchSession, ply: int | None = None) -> tuple[str, str]:
    """The address of a match's picture, and what it says in words."""
    picture = seen(seating, ply)
    at = seating.match.ply if ply is None else ply
    return f"{base}/matches/{seating.kept.id}/picture-{at}.png?v={mark(picture)}", picture.caption


def asked(fields: Mapping[str, str], *without: str) -> str:
    """What a query says of options and moves, written the one way that we write it."""
    told = {name: value for name, value in fields.items() if name.startswith("opt-") or name == "moves"}
    kept = {name: value for name, value in told.items() if value.strip() and name not in without}
    return f"?{urlencode(kept, quote_via=quote)}" if kept else ""
