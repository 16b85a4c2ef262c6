"""`bitduel show`, `replay` and `review`: one stored match, its moves, and what they were worth."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from bitduel.core.errors import BitduelError
from bitduel.core.folders import db_option
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.outcomes import is_counted
from bitduel.core.words import Names
from bitduel.storage import Store, StoredMatch, open_store
from bitduel.storage.presentation import as_data, find_match, only_person, summary
from bitduel.terminal.parameters import command, json_option, match_argument
from bitduel.terminal.screen import ResumedError, Screen, can_read_keys, has_unicode, open_screen, read_keys

if TYPE_CHECKING:
    from bitduel.learning.review import Review

KEYS = "Arrow keys: forwards and back. A number and Enter: go to that move. q: quit."


class UnfinishedMatchError(BitduelError):
    """A match that cannot be replayed or reviewed before it is over."""

    status = 1


@command("show", "bitduel show k7m", "bitduel show k7m --json")
@match_argument
@json_option
@db_option
def show(match_id: str | None, as_json: bool, db: str | None) -> None:
    """Show match ID, or the latest: the players, every move and the result so far.

    The first letters of the ID are enough.
    """
    with open_store(db) as store:
        stored, match = find_match(store, match_id)
    if as_json:
        print(json.dumps(as_data(stored, match), indent=2))
        return
    view = match.view(None)
    screen = open_screen(plain=False, asks=False)
    screen.show(summary(stored, match))
    rows = [f"  {i // 2 + 1}. {', '.join(view.history[i : i + 2])}" for i in range(0, view.ply, 2)]
    screen.show(["", *rows] if rows else [])
    screen.show(match.game.words.reveal(view))
    if not _is_concealed(match):
        picture = match.game.picture(view, stored.names)
        screen.show(["", picture.caption])
        screen.draw(picture)


@command("replay", "bitduel replay k7m", "bitduel replay k7m | less")
@match_argument
@db_option
def replay(match_id: str | None, db: str | None) -> None:
    """Step through match ID, or the latest, forwards and back. In a pipe, print all of it."""
    none = "There is no match that can be replayed yet."
    with open_store(db) as store:
        stored, match = find_match(store, match_id, lambda stored: not _is_concealed(stored.match()), none)
    if _is_concealed(match):
        raise UnfinishedMatchError("This game has hidden information, so you can replay the match only when it's over.")
    screen = open_screen(plain=False)
    screen.show([*summary(stored, match), ""])
    if screen.is_terminal and can_read_keys():
        with screen.private():
            _step_through(match, stored.names, screen)
    else:
        for ply in range(match.ply + 1):
            _show_position(match, ply, stored.names, screen)


@command("review", "bitduel review k7m", "bitduel review k7m --json")
@match_argument
@json_option
@db_option
def review(match_id: str | None, as_json: bool, db: str | None) -> None:
    """Review finished match ID, or the latest: who was winning, and which moves changed that."""
    with open_store(db) as store:
        if not as_json:
            show_review(store, match_id, open_screen(plain=False, asks=False))
            return
        stored, reviewed = _review(store, match_id)
    from bitduel.learning.review import review_data

    print(json.dumps(review_data(reviewed, stored.id), indent=2))


def show_review(store: Store, match_id: str | None, screen: Screen) -> None:
    """Show the review of a match: the line of values, and the moves counted by their quality."""
    from rich.console import Console

    from bitduel.learning.review_text import decisive_moment, mistake_summary, praise_players
    from bitduel.terminal.painting import paint_review

    with screen.busy("Reviewing every move..."):
        stored, reviewed = _review(store, match_id)
    screen.show([*summary(stored, stored.match()), ""])
    person = only_person(stored.players)
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in paint_review(reviewed, stored.names, has_unicode(), screen.width, person):
        console.print(line)
    closing = [decisive_moment(reviewed, stored.names), praise_players(reviewed, stored.names)]
    screen.show(["", *mistake_summary(reviewed, stored.names), *filter(None, closing)], "turn")


def _review(store: Store, match_id: str | None) -> tuple[StoredMatch, "Review"]:
    from bitduel.learning.review import review

    stored, match = find_match(store, match_id, _is_finished, "There is no finished match to review yet.")
    if match.outcome is None:
        raise UnfinishedMatchError("You can review this match when it's over.")
    return stored, review(match, stored.names)


def _is_finished(stored: StoredMatch) -> bool:
    return stored.outcome is not None and is_counted(stored.outcome)


def _is_concealed(match: Match) -> bool:
    return match.game.is_hidden and not match.outcome


def _step_through(match: Match, names: Names, screen: Screen) -> None:
    """Step with keys; a number and Enter goes to that move, and Enter at the end leaves."""
    stepper = _Stepper(match, names, screen)
    screen.is_asking = True
    while not stepper.is_done:
        try:
            with read_keys() as read_key:
                stepper.run(read_key)
        except ResumedError:  # the keys are read anew, since the shell has changed the terminal meanwhile
            continue
    screen.is_asking = False


class _Stepper:
    """The position of a match that is shown, and the number that is being typed."""

    def __init__(self, match: Match, names: Names, screen: Screen) -> None:
        self.match = match
        self.names = names
        self.screen = screen
        self.ply = 0
        self.digits = ""
        self.is_done = False

    def run(self, read_key: Callable[[], str]) -> None:
        self._show()
        while not self.is_done:
            key = read_key()
            if key.isascii() and key.isdigit():
                self.digits = (self.digits + key)[-9:]
            else:
                self._go(key)

    def _go(self, key: str) -> None:
        last = self.match.ply
        targets = {"next": self.ply + 1, "back": max(0, self.ply - 1), "start": 0, "end": last}
        target = int(self.digits) if self.digits and key == "next" else targets.get(key, self.ply)
        self.digits = ""
        self.is_done = key == "quit" or target > last == self.ply
        if not self.is_done:
            self.ply = min(target, last)
            self._show()

    def _show(self) -> None:
        self.screen.clear()
        _show_position(self.match, self.ply, self.names, self.screen)
        self.screen.show([KEYS], "quiet")


def _show_position(match: Match, ply: int, names: Names, screen: Screen) -> None:
    """Show the position at a ply, the move that led there, and at the end the result."""
    words = match.game.words
    if ply:
        name, move = names[match.seat_at(ply - 1) - 1], match.moves[ply - 1]
        screen.show([words.passed(name) if move == PASS else f"{ply}. {name}: {move}"], "turn")
    picture = match.game.picture(match.hindsight(ply), names)
    screen.show([f"   {picture.caption}"] if not screen.is_terminal else [])
    screen.draw(picture)
    if ply == match.ply and match.outcome:
        screen.show([*words.end(match.outcome, names), *words.reveal(match.view(None))], "ending")
