"""The state of a class as teacher, pupils and projector may see it, made from its record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bitduel.classroom.activities import (
    ARENA,
    IN_ROUNDS,
    LADDER,
    LESSON,
    PUZZLES,
    deck_puzzle,
    is_paced,
    item_count,
    item_of,
    lesson_of,
    lesson_state,
    puzzle_object,
    puzzle_session,
    title_of,
)
from bitduel.classroom.admission import MOST_WRONG_PINS
from bitduel.classroom.boards import ladder_rules, rungs
from bitduel.classroom.responses import (
    ActivityResponse,
    ClassMatchResponse,
    ClassPupilResponse,
    ItemResponse,
    NowResponse,
    PlayedMatchResponse,
    PupilScore,
    PupilState,
    PupilTotal,
    ScreenState,
    TeacherState,
)
from bitduel.classroom.standings import BYE, FIRST, LATER, Score, rank, scores_of
from bitduel.core.lesson import ChoiceStep
from bitduel.core.match import SEATS, other_seat
from bitduel.core.outcomes import DRAWN, LOST, WON
from bitduel.learning.levels import LEVELS
from bitduel.service.match_service import COMPUTER
from bitduel.storage.classes import BoardRecord, ClassRecord
from bitduel.storage.schema import SECOND, from_ticks, now

FEWEST_MET = 3
"""The won positions that somebody must have met to be called the surest."""


@dataclass(frozen=True)
class ClassView:
    """A record of a class with what follows from it; one serves until the class changes."""

    record: ClassRecord

    @cached_property
    def scores(self) -> list[Score]:
        """The standings."""
        return scores_of(self.record)

    @cached_property
    def by_id(self) -> dict[int, Score]:
        """The scores by the ids of pupils."""
        return {each.id: each for each in self.scores}

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The rank of each pupil."""
        return rank(self.scores)

    @cached_property
    def boards(self) -> list[BoardRecord]:
        """The newest game of each board of the round; in an arena or ladder those that play, and the newest others."""
        activity = self.record.activity
        if activity is None:
            return []
        newest: dict[tuple[int, int], BoardRecord] = {}
        for key, board in sorted(self.record.boards.items()):
            if activity.kind not in IN_ROUNDS or key.round == activity.round:
                newest[key.round, key.board] = board
        boards = list(newest.values())
        if activity.kind == ARENA:
            playing = [board for board in boards if board.over is None]
            over = sorted((board for board in boards if board.over), key=lambda board: -(board.over or 0))
            boards = playing + over[: max(0, 12 - len(playing))]
        return boards

    @cached_property
    def playing(self) -> dict[int, BoardRecord]:
        """The open board of each pupil."""
        return {
            pupil: board
            for board in self.record.boards.values()
            if board.over is None
            for pupil in board.pupils
            if pupil
        }

    @property
    def is_running(self) -> bool:
        """Whether an activity goes on."""
        return self.record.activity is not None and not self.record.activity.finished

    def activity(self) -> ActivityResponse | None:
        """Return the activity for everybody."""
        activity = self.record.activity
        if activity is None:
            return None
        settings = activity.settings
        ends_in = None
        if activity.ends is not None:
            ends_in = round(max(0, activity.ends - (self.record.paused or now())) / SECOND, 1)
        boards = [board for board in self.boards if board.kind != BYE]
        return ActivityResponse(
            number=activity.number,
            kind=activity.kind,
            game=settings["game"],
            title=title_of(activity),
            options=settings["options"],
            round=activity.round,
            rounds=settings["rounds"],
            minutes=settings["minutes"],
            count=item_count(activity) or None,
            best_of=settings["best_of"],
            clock=settings["clock"],
            odd=settings["odd"],
            seconds=settings["seconds"],
            ends_in=ends_in,
            finished=activity.finished is not None,
            boards=len(boards),
            playing=sum(board.over is None for board in boards),
        )

    def name_of(self, board: BoardRecord, seat: int) -> str:
        """Return the name on a seat of a board."""
        pupil = board.pupils[seat - 1]
        if pupil is not None:
            return self.record.pupils[pupil].name
        return f"{COMPUTER} ({board.level})" if board.level else ""

    def matches(self, away: Mapping[int, float]) -> list[ClassMatchResponse]:
        """Return the boards."""
        return [
            ClassMatchResponse(
                board=board.key.board,
                round=board.key.round,
                game=board.key.game,
                kind=board.kind,
                match=board.match_id,
                pupils=list(board.pupils),
                names=[self.name_of(board, seat) for seat in SEATS],
                over=board.over is not None,
                winner=board.winner,
                reason=board.reason,
                away=[pupil for pupil in board.pupils if pupil is not None and pupil in away],
            )
            for board in self.boards
        ]

    def score(self, pupil: int) -> PupilScore:
        """Return the place of a pupil in the standings."""
        score = self.by_id[pupil]
        return PupilScore(
            rank=self.ranks[pupil],
            id=pupil,
            name=score.name,
            points=score.points,
            played=score.played,
            won=score.results.count(WON),
            drawn=score.results.count(DRAWN),
            lost=score.results.count(LOST),
            byes=score.byes,
            kept=score.kept,
            met=score.met,
            mistakes=score.mistakes,
            decisions=score.decisions,
            first_try=score.first_try,
            solved=score.solved,
            step=score.step,
            wrong=score.wrong,
        )

    def doing(self, pupil: int) -> str:
        """Return in a word or two what a pupil is doing, for the teacher."""
        record, activity = self.record, self.record.activity
        if record.pupils[pupil].owner is None:
            return "not here yet"
        if not record.pupils[pupil].approved:
            return "wants to join"
        if activity is None or activity.finished:
            return "in the lobby"
        if activity.kind in (PUZZLES, LESSON):
            item = item_of(record, pupil)
            name = "puzzle" if activity.kind == PUZZLES else "step"
            return "done" if item is None else f"{name} {item} of {item_count(activity)}"
        if pupil in self.playing:
            board = self.playing[pupil]
            return f"playing {board.level}" if activity.kind == LADDER and board.level else "playing"
        if activity.kind in IN_ROUNDS:
            own = [board for board in self.boards if board.seat_of(pupil)]
            return "waiting" if not own else BYE if own[0].kind == BYE else "done"
        return "done" if activity.kind == LADDER else "waiting"

    def played(self, pupil: int) -> list[PlayedMatchResponse]:
        """Return the matches of a pupil in this activity."""
        activity = self.record.activity
        assert activity
        responses = []
        for key, board in sorted(self.record.boards.items()):
            seat = board.seat_of(pupil)
            if seat is None or board.match_id is None:
                continue
            insight = (board.insight or {}).get(str(seat), {})
            responses.append(
                PlayedMatchResponse(
                    activity=activity.number,
                    kind=activity.kind,
                    game=activity.settings["game"],
                    round=key.round,
                    match=board.match_id,
                    opponent=self.name_of(board, other_seat(seat)),
                    seat=seat,
                    over=board.over is not None,
                    winner=board.winner,
                    reason=board.reason,
                    kept=insight.get("kept"),
                    met=insight.get("met"),
                    mistakes=insight.get("mistakes"),
                )
            )
        return responses

    def items(self) -> list[ItemResponse]:
        """Return each puzzle or step with the number of pupils who are at it or have done it."""
        activity = self.record.activity
        if activity is None or activity.kind not in (PUZZLES, LESSON):
            return []
        at: dict[int | None, int] = defaultdict(int)
        for pupil in self.by_id:
            if self.record.pupils[pupil].owner:
                at[item_of(self.record, pupil)] += 1
        responses = []
        for item in range(1, item_count(activity) + 1):
            answers = [each for (pupil, number), each in self.record.answers.items() if number == item]
            if activity.kind == PUZZLES:
                task = deck_puzzle(activity, item).puzzle.task
            else:
                task = lesson_of(activity).steps[item - 1].title
            responses.append(
                ItemResponse(
                    item=item,
                    task=task,
                    at=at[item],
                    first_try=sum(each.result == FIRST for each in answers),
                    solved=sum(each.result in (FIRST, LATER) for each in answers),
                    tried=len(answers),
                    wrong=sum(each.wrong for each in answers),
                )
            )
        return responses

    def now(self, pupil: int, token: str | None) -> NowResponse:
        """Return what a pupil has to do now; `token` is told only to a program that sent it."""
        record, activity = self.record, self.record.activity
        if not record.pupils[pupil].approved:
            return NowResponse(kind="wait", reason="approval")
        if activity is None:
            return NowResponse(kind="wait", reason="lobby")
        if activity.finished:
            return NowResponse(kind="wait", reason="finished")
        if board := self.playing.get(pupil):
            return NowResponse(
                kind="match",
                match=board.match_id,
                token=token,
                opponent=self.name_of(board, other_seat(board.seat_of(pupil) or 1)),
                level=board.level,
                game=activity.settings["game"],
            )
        if activity.kind in (PUZZLES, LESSON):
            return self._item(pupil)
        if activity.kind in IN_ROUNDS:
            own = [board for board in self.boards if board.seat_of(pupil)]
            return NowResponse(kind="wait", reason=BYE if own and own[0].kind == BYE else "round")
        if activity.kind == LADDER:
            is_done = rungs(record, pupil, ladder_rules(activity)[1]) == len(LEVELS)
            return NowResponse(kind="wait", reason="done" if is_done else "pairing")
        is_late = activity.ends is not None and activity.ends <= now() and not record.paused
        return NowResponse(kind="wait", reason="time" if is_late else "pairing")

    def _item(self, pupil: int) -> NowResponse:
        activity = self.record.activity
        assert activity
        item = item_of(self.record, pupil)
        if item is None:
            is_last = not is_paced(activity) or activity.round >= item_count(activity)
            return NowResponse(kind="wait", reason="done" if is_last else "round")
        ends_in = None
        if activity.ends is not None:
            ends_in = round((activity.ends - (self.record.paused or now())) / SECOND, 1)
            if ends_in <= 0:
                return NowResponse(kind="wait", reason="time")
        if activity.kind == PUZZLES:
            return self._puzzle(pupil, item, ends_in)
        state = lesson_state(self.record, pupil, item)
        step = state.step
        candidates = [each.text for each in step.answers] if isinstance(step, ChoiceStep) else list(state.match.legal)
        return NowResponse(
            kind=LESSON,
            game=activity.settings["game"],
            item=item,
            count=item_count(activity),
            task=state.question,
            candidates=candidates,
            said=list(step.text),
        )

    def _puzzle(self, pupil: int, item: int, ends_in: float | None) -> NowResponse:
        activity = self.record.activity
        assert activity
        session = puzzle_session(self.record, pupil, item)
        question = session.question
        puzzle = puzzle_object(activity.settings["items"][item - 1])
        return NowResponse(
            kind="puzzle",
            game=puzzle["game"],
            item=item,
            count=item_count(activity),
            task=question.prompt if question else None,
            candidates=[each.name for each in question.candidates] if question else [],
            pick=str(question.pick) if question else None,
            puzzle=puzzle,
            marks=session.row,
            said=list(session.feedback.sentences) if session.feedback else [],
            ends_in=ends_in,
        )

    def teacher(self, here: Mapping[int, bool], away: Mapping[int, float]) -> TeacherState:
        """Return the class for its teacher; `away` has the seconds since the last sign of those who are not here."""
        record = self.record
        pupils = [
            ClassPupilResponse(
                **self.score(each.id).model_dump(),
                here=here.get(each.id, False),
                away=away.get(each.id),
                joined=each.owner is not None,
                approved=each.approved,
                locked=each.failures >= MOST_WRONG_PINS,
                doing=self.doing(each.id),
                match=self.playing[each.id].match_id if each.id in self.playing else None,
            )
            for each in sorted(record.pupils.values(), key=lambda each: (self.ranks.get(each.id, 0), each.id))
            if not each.removed
        ]
        return TeacherState(
            code=record.code,
            title=record.title,
            locked=record.locked,
            approval=record.approval,
            paused=record.paused is not None,
            expires=from_ticks(record.expires).isoformat(timespec="seconds"),
            version=record.version,
            activity=self.activity(),
            pupils=pupils,
            matches=self.matches(away),
            items=self.items(),
        )

    def pupil(self, pupil: int, pin: str | None, token: str | None) -> PupilState:
        """Return the class for a pupil."""
        record, score = self.record, self.by_id[pupil]
        return PupilState(
            code=record.code,
            title=record.title,
            id=pupil,
            name=score.name,
            pin=pin,
            approved=record.pupils[pupil].approved,
            paused=record.paused is not None,
            activity=self.activity(),
            now=self.now(pupil, token),
            points=score.points,
            played=score.played,
            rank=self.ranks[pupil],
            version=record.version,
        )

    def digest(self, pupil: int) -> str:
        """Return a short text that differs when a pupil has something else to do or to see."""
        record, activity = self.record, self.record.activity
        parts = [
            record.pupils[pupil].name if pupil in self.by_id else "gone",
            record.pupils[pupil].approved if pupil in self.by_id else "",
            record.paused,
            activity and (activity.number, activity.round, activity.ends, activity.finished),
            self.playing[pupil].match_id if pupil in self.playing else None,
            sorted((key[1], each) for key, each in record.answers.items() if key[0] == pupil),
        ]
        return f"{hash(str(parts)) & 0xFFFFFFFF:08x}"

    def screen(self, here: Mapping[int, bool]) -> ScreenState:
        """Return the class for the projector."""
        record = self.record
        shown = [each for each in record.pupils.values() if not each.removed and each.approved and each.owner]
        ids = {each.id for each in shown}
        standings = [self.score(each.id) for each in self.scores if each.id in ids]
        open_boards = [board for board in self.boards if board.over is None and board.match_id]
        best = min(open_boards, key=self._board_rank, default=None)
        return ScreenState(
            code=record.code,
            title=record.title,
            locked=record.locked,
            paused=record.paused is not None,
            activity=self.activity(),
            names=[each.name for each in sorted(shown, key=lambda each: (each.joined, each.id))],
            here=sum(here.get(each, False) for each in ids),
            standings=standings,
            matches=self.matches({}),
            featured=best.match_id if best else None,
            surest=self._surest(ids),
            climber=self._climber(ids),
            kept=sum(each.kept for each in standings),
            met=sum(each.met for each in standings),
            version=record.version,
        )

    def _board_rank(self, board: BoardRecord) -> tuple[int, int]:
        ranks = [self.ranks.get(pupil or 0, len(self.ranks) + 1) for pupil in board.pupils]
        return min(ranks), sum(ranks)

    def _surest(self, ids: set[int]) -> int | None:
        able = [each for each in self.scores if each.id in ids and each.met >= FEWEST_MET]
        return max(able, key=lambda each: (each.kept / each.met, each.met)).id if able else None

    def _climber(self, ids: set[int]) -> int | None:
        steps = {}
        for score in self.scores:
            met = [each for each in score.halves if each[1]]
            if score.id in ids and len(met) > 1:
                half = len(met) // 2
                before, after = (sum(k for k, _ in part) / sum(m for _, m in part) for part in (met[:half], met[half:]))
                if after > before:
                    steps[score.id] = after - before
        return max(steps, key=steps.__getitem__) if steps else None


def total_of(views: Iterable[ClassView], pupil: int) -> PupilTotal:
    """Return what a pupil has reached in several activities together."""
    total = PupilTotal()
    for view in views:
        activity, score = view.record.activity, view.score(pupil)
        is_lesson = activity is not None and activity.kind == LESSON
        for name in PupilTotal.model_fields:
            if name != "wrong" or is_lesson:
                setattr(total, name, getattr(total, name) + getattr(score, name))
    return total
