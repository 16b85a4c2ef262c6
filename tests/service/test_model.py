"""Two terminals and two browsers on one match, each with its own idea of it, against a model of what was told them."""

import os
from pathlib import Path
from random import Random

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.core.words import PLAYERS
from bitduel.games.registry import make
from bitduel.players.spec import Spec
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import OverError, PlyTakenError, open_store
from bitduel.storage.writes import MatchMoment
from bitduel.terminal.autosave import Autosave
from bitduel.web.site import Site

ROUNDS = int(os.environ.get("BITDUEL_ROUNDS", "12"))
"""So many matches are played; `make proofs-web` plays 1,000."""
LATE = (PlyTakenError, OverError)


class Model:
    """What has been acknowledged, and nothing else."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.backs = 0
        self.over: Outcome | None = None


class Browser:
    """A page: it shows the match as it was when it was last looked at."""

    def __init__(self, url: str, match_id: str, token: str) -> None:
        self.store = open_store(url)
        self.store.share_commits()
        self.site = Site(MatchService(self.store, Hub()))
        self.match_id = match_id
        self.owner = hashed(token)
        self.look()

    def look(self) -> None:
        self.seen = self.site.service.visit(self.match_id, self.owner)

    def act(self, dice: Random, model: Model) -> None:
        match, at = self.seen.match, self.seen.moment
        what = dice.choices(["move", "back", "resign", "look"], [8, 3, 0.3, 2])[0]
        try:
            if what == "move" and match.legal:
                move = dice.choice(match.legal)
                after = self.site.service.move(self.match_id, self.owner, match.ply, move, at.backs)
                if MatchMoment(len(model.moves), model.backs) == at and not model.over:
                    model.moves.append(move)
                    model.over = after.match.outcome
                else:  # the same move at the same place by somebody else is the same move
                    assert model.moves[match.ply] == move
                    assert model.backs == at.backs
            elif what == "back":
                self.site.offers.take_back(self.match_id, self.owner, at)
                assert MatchMoment(len(model.moves), model.backs) == at
                del model.moves[-1:]
                model.backs += 1
            elif what == "resign":
                over = self.site.service.resign(self.match_id, self.owner).match.outcome
                assert not model.over
                model.over = over
            elif what == "look":
                self.look()
        except BitduelError:
            self.look()


class Terminal:
    """Somebody who has resumed the match, and goes on from there."""

    def __init__(self, url: str, match_id: str) -> None:
        self.keeper = Autosave(url, (Spec("human"), Spec("human")), PLAYERS)
        self.match_id = match_id
        self.resume()

    def resume(self) -> None:
        kept = self.keeper.store.get(self.match_id)
        self.match = kept.match()
        self.keeper.resume(kept.id, len(kept.moves), kept.backs)

    def act(self, dice: Random, model: Model) -> None:
        before = MatchMoment(self.match.ply, self.keeper.backs)
        what = dice.choices(["move", "undo", "resign", "resume"], [8, 3, 0.3, 2])[0]
        current = MatchMoment(len(model.moves), model.backs) == before and not model.over
        try:
            if what == "move" and self.match.legal:
                move = dice.choice(self.match.legal)
                self.match.play(move)
                self.keeper.moved(self.match)
                assert current, "a move for another moment was taken"
                model.moves.append(move)
                model.over = self.match.outcome
            elif what == "undo" and self.match.moves and not self.match.outcome:
                self.match.undo(self.match.seat_at(self.match.ply - 1))
                self.keeper.taken_back(self.match)
                assert current, "moves that were not seen were taken back"
                del model.moves[self.match.ply :]
                model.backs += 1
            elif what == "resign" and not self.match.outcome:
                self.match.resign(self.match.next_seat)
                self.keeper.ended(self.match)
                assert model.over in (None, self.match.outcome)
                model.over = self.match.outcome
            elif what == "resume":
                self.resume()
        except LATE:
            self.resume()


@pytest.mark.parametrize("part", range(4))
def test_every_acknowledged_move_is_there_or_was_taken_back_by_somebody_entitled_to(part: int, tmp_path: Path) -> None:
    url, dice, token = f"sqlite:///{tmp_path}/x.db", Random(part), new_token()
    with open_store(url) as store:
        for _ in range(max(1, ROUNDS // 4)):
            match = Match(make(dice.choice(["64", "double", "31"])), 1)
            match_id = store.begin(match, ("human", "human"), ("Ada", "Ben"))
            for seat in (1, 2):
                store.seats.claim(match_id, seat, hashed(token))
            browsers = [Browser(url, match_id, token) for _ in range(2)]
            terminals = [Terminal(url, match_id) for _ in range(2)]
            everybody: list[Browser | Terminal] = [*browsers, *terminals]
            model = Model()
            for _ in range(60):
                dice.choice(everybody).act(dice, model)
                kept = store.get(match_id)
                assert (list(kept.moves), kept.backs) == (model.moves, model.backs)
                assert (kept.outcome is None) == (model.over is None)
                if model.over:
                    assert kept.outcome == model.over
                    assert model.over.reason == RESIGNATION or kept.match().outcome == model.over
            for browser in browsers:
                browser.store.close()
            for terminal in terminals:
                terminal.keeper.__exit__()
