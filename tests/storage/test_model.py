"""A store does what a dictionary of lists would do, whatever the order of its changes."""

import shutil
import tempfile
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.registry import make
from bitduel.storage import OverError, PlyTakenError, StoreError, open_store

OUTCOMES = st.builds(Outcome, st.sampled_from([None, 1, 2]), st.sampled_from(["resignation", "repetition"]))


@dataclass
class Model:
    """What a match in the store should be."""

    moves: list[str] = field(default_factory=list)
    outcome: Outcome | None = None


class StoreMachine(RuleBasedStateMachine):
    """The store beside its model."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.store = open_store(f"sqlite:///{self.folder}/matches.db")
        self.model: dict[str, Model] = {}

    @rule(target=ids, moves=st.lists(st.just("add"), max_size=3))
    def begin(self, moves: list[str]) -> str:
        match_id = self.store.begin(Match(make("64"), moves=moves), ("human", "human"), ("Ada", "Ben"))
        self.model[match_id] = Model(moves)
        return match_id

    @rule(match_id=ids, back=st.integers(-1, 1), move=st.sampled_from(["add", "double"]), ending=st.none() | OUTCOMES)
    def add(self, match_id: str, back: int, move: str, ending: Outcome | None) -> None:
        expected = self.model[match_id]
        ply = len(expected.moves) - back
        refused = self.refused(lambda: self.store.add(match_id, ply, move, ending))
        if back or expected.outcome:
            assert refused in (PlyTakenError, OverError)
        else:
            assert refused is None
            expected.moves.append(move)
            expected.outcome = ending

    @rule(match_id=ids, ply=st.integers(-1, 6))
    def take_back(self, match_id: str, ply: int) -> None:
        expected = self.model[match_id]
        refused = self.refused(lambda: self.store.take_back(match_id, ply))
        if expected.outcome:
            assert refused is OverError
        elif not 0 <= ply <= len(expected.moves):
            assert refused is PlyTakenError
        else:
            assert refused is None
            del expected.moves[ply:]

    @rule(match_id=ids, outcome=OUTCOMES)
    def end(self, match_id: str, outcome: Outcome) -> None:
        expected = self.model[match_id]
        refused = self.refused(lambda: self.store.end(match_id, outcome))
        assert refused is (OverError if expected.outcome not in (None, outcome) else None)
        expected.outcome = expected.outcome or outcome

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(f"sqlite:///{self.folder}/matches.db")

    @invariant()
    def holds_what_it_should(self) -> None:
        found = {kept.id: Model(list(kept.moves), kept.outcome) for kept in self.store.matches()}
        assert found == self.model
        opened = {match_id for match_id, model in self.model.items() if not model.outcome}
        assert {kept.id for kept in self.store.matches(result="open")} == opened
        resumable = self.store.unfinished()
        assert (resumable.id in opened) if resumable else not opened

    def refused(self, change: object) -> type[StoreError] | None:
        assert callable(change)
        try:
            change()
        except StoreError as error:
            return type(error)
        return None

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
