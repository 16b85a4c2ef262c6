"""A class to test with: a teacher and pupils who play by themselves."""

from random import Random
from typing import Any

from bitduel.classroom.classes import Classes
from bitduel.classroom.requests import ActivityRequest
from bitduel.classroom.responses import PupilState, TeacherState
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import Store

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Ines", "Jon", "Kim", "Lou", "Mia", "Nils")


class TestClass:
    """A class over a store, with its teacher and its pupils."""

    __test__ = False

    def __init__(self, store: Store, pupils: int = 0, **options: Any) -> None:
        self.service = MatchService(store, Hub())
        self.classes = Classes(self.service, **options)
        self.teacher = new_token()
        self.owner = hashed(self.teacher)
        self.code = self.classes.create("Year 7", self.owner)
        self.tokens: dict[int, str] = {}
        self.pins: dict[int, str | None] = {}
        for number in range(pupils):
            self.join(NAMES[number] if number < len(NAMES) else f"Pupil {number}")

    def join(self, name: str) -> int:
        token = new_token()
        joined = self.classes.join(self.code, name, token)
        self.tokens[joined.id], self.pins[joined.id] = token, joined.pin
        return joined.id

    def start(self, kind: str, **more: Any) -> TeacherState:
        fields = {"game": "double", **more} if kind != "puzzles" else more
        self.classes.set_activity(self.code, self.owner, ActivityRequest.model_validate({"kind": kind, **fields}))
        return self.state()

    def state(self) -> TeacherState:
        return self.classes.teacher_state(self.code, self.owner)

    def pupil(self, pupil: int) -> PupilState:
        token = self.tokens[pupil]
        return self.classes.pupil_state(self.code, hashed(token), token, shows_token=True)

    def next(self, number: int | None = None, early: bool = False) -> TeacherState:
        self.classes.next_round(self.code, self.owner, number, early)
        return self.state()

    def finish(self) -> None:
        self.classes.finish(self.code, self.owner)

    def move(self, match_id: str, rng: Random) -> bool:
        """Make one move in a match, by whoever is to move; return whether it goes on."""
        session = self.service.session(match_id)
        if session.match.outcome:
            return False
        token = next(each for each in self.tokens.values() if session.match.to_move in session.seats(hashed(each)))
        move = rng.choice(session.match.legal)
        return self.service.move(match_id, hashed(token), session.match.ply, move).match.outcome is None

    def play(self, match_id: str, rng: Random) -> None:
        """Play a match to its end."""
        while self.move(match_id, rng):
            pass

    def play_all(self, seed: int = 1) -> None:
        """Play all boards to their ends."""
        rng = Random(seed)
        while playing := [each for each in self.state().matches if not each.over and each.match]:
            for each in playing:
                assert each.match
                self.play(each.match, rng)

    def resign(self, pupil: int) -> None:
        """Let a pupil give up."""
        match_id = self.pupil(pupil).now.match
        assert match_id
        self.service.resign(match_id, hashed(self.tokens[pupil]))
