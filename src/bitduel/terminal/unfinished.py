"""Unfinished matches at a screen: which there are, continuing one, and discarding one."""

from datetime import datetime
from typing import TYPE_CHECKING

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import CALLED_OFF, Outcome
from bitduel.core.phrases import game_phrase
from bitduel.terminal.prompts import BackError, Item, ask_yes, fits, pick
from bitduel.terminal.screen import Screen
from bitduel.terminal.series import PlayedSeries, resume_series

if TYPE_CHECKING:
    from bitduel.storage import Store, StoredMatch

MAX_LISTED = 9
"""The unfinished matches that are listed at a time, fewer where they would not fit on the screen."""
OLDER = "older"
"""The value of the item that leads to older matches."""

Unfinished = tuple["StoredMatch", Match]


def unfinished_matches(db: str | None) -> list[Unfinished]:
    """Return the matches that can be continued here, newest first; none where the store cannot be read."""
    from bitduel.storage import StoreError, open_store
    from bitduel.storage.presentation import replay_all

    try:
        with open_store(db) as store:
            stored = store.all_unfinished()
    except StoreError:
        return []
    safe = [each for each in stored if all(spec.is_safe for spec in each.players)]
    return replay_all(safe).pairs


def describe(stored: "StoredMatch", match: Match) -> str:
    """Return who plays a match, how far it is, and when it was played last."""
    from bitduel.storage.presentation import players_text

    moves = f"{match.ply} move{'' if match.ply == 1 else 's'}"
    return f"{players_text(stored.names, stored.players)}, {moves}, {_when(stored.changed)}"


def _when(moment: datetime) -> str:
    """Return a moment in local time: the time of today, or else the day."""
    local = moment.astimezone()
    return local.strftime("%H:%M" if local.date() == datetime.now().date() else "%Y-%m-%d")


def ask_unfinished(screen: Screen, db: str | None) -> PlayedSeries | None:
    """Ask which match to continue, and play it; return None if somebody goes back. Matches can be discarded."""
    start = 0
    while found := unfinished_matches(db):
        start = start if start < len(found) else 0
        matches, older = _page(screen, found[start:])
        screen.show(["", "(Type 'discard' and a number to discard a match.)"], "quiet")

        def read(typed: str, matches: list[Item] = matches) -> None:
            _read_discard(screen, db, typed, matches)

        question = "Which match do you want to continue?"
        try:
            chosen = pick(screen, question, [*matches, *older], 1, back=True, other=read)
        except BackError:
            return None
        if chosen == OLDER:
            start += len(matches)
        elif chosen:
            return resume_series(chosen, db, screen, has_menu=True)
    return None


def _page(screen: Screen, found: list[Unfinished]) -> tuple[list[Item], list[Item]]:
    """Return the items of the matches that fit on the screen, and one for the rest if there are more."""
    items = [Item(game_phrase(match.game), describe(stored, match), stored.id, (stored.id,)) for stored, match in found]
    for size in range(min(MAX_LISTED, len(items)), 0, -1):
        rest = len(items) - size
        older = [Item("Older matches", f"{rest} more", OLDER, (OLDER,))] if rest else []
        if size == 1 or fits(screen, [*items[:size], *older]):
            break
    return items[:size], older


def _read_discard(screen: Screen, db: str | None, typed: str, matches: list[Item]) -> None:
    word, _, number = typed.lower().partition(" ")
    if word != "discard" or number not in map(str, range(1, len(matches) + 1)):
        raise BitduelError("Please type a number from the list, 'discard' and a number, or 'back'.")
    _discard(screen, db, matches[int(number) - 1])


def _discard(screen: Screen, db: str | None, item: Item) -> None:
    """Call a match off once somebody has confirmed it; the history no longer lists it."""
    from bitduel.storage import StoreError, open_store

    screen.show([f"{item.title}: {item.about}"])
    if not ask_yes(screen, "Discard this match? You can't continue it after that. (y/N): "):
        screen.show(["Nothing was discarded."], "quiet")
        return
    try:
        with open_store(db) as store:
            call_off(store, item.value)
    except StoreError as error:
        screen.show([str(error)], "wrong")
    else:
        screen.show(["The match was discarded. It is not listed in your history and doesn't count."], "quiet")


def call_off(store: "Store", match_id: str) -> None:
    """Call off an unfinished match; where its next round has not begun, that round."""
    stored = store.find(match_id)
    if stored.outcome is None:
        store.end(match_id, Outcome(None, CALLED_OFF))
        return
    match = stored.match()
    following = Match(match.game, other_seat(match.first), match.deal)
    following.conclude(Outcome(None, CALLED_OFF))
    store.begin(following, stored.players, stored.names, stored.sitting, round=stored.round + 1, rounds=stored.rounds)
