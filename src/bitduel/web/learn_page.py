"""The page of one step of a lesson as typed data; all of it follows from its address."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.errors import UnknownNameError
from bitduel.core.lesson import Choose, Lesson, Play, Step, names
from bitduel.core.match import Match
from bitduel.core.view import UNSEEN
from bitduel.games import Kind
from bitduel.solver.lesson_grading import AnswerVerdict, LessonState, answer, begin, go_on, outcome_said, told
from bitduel.web import boards
from bitduel.web.match_page import Button, buttons

LONGEST = 400
"""So many characters of moves are read."""


MOST_LOTS = 1_000_000
"""So many times a match is dealt anew before the first deal comes again."""


class LessonStepLink(NamedTuple):
    """A step in the row of all of them."""

    number: int
    title: str
    url: str
    here: bool


class AnswerOption(NamedTuple):
    """An answer to choose, its key, and how it was judged if it is the one that was given."""

    text: str
    key: str
    mark: str


class Shown(NamedTuple):
    """A move of a refutation and the address that shows the board after it."""

    text: str
    url: str
    here: bool


class LearnPage(NamedTuple):
    """All that the page of a step shows."""

    slug: str
    short: str
    title: str
    lesson: str
    places: list[LessonStepLink]
    number: int
    last: int
    heading: str
    text: tuple[str, ...]
    question: str
    hint: str
    board: Markup
    caption: str
    moves: list[Button]
    below: bool
    """Whether the moves stand below the board, too, because it does not show all of them."""
    options: list[AnswerOption]
    hidden: dict[str, str]
    """What the form of the step also sends: which step, and the moves that were made."""
    played: list[str]
    """What was just played in a match, for the learner to read."""
    right: bool | None
    """How the answer was judged; None where there is none."""
    said: str
    line: list[Shown]
    line_ends: str
    line_prev: str | None
    line_next: str | None
    again_url: str | None
    """Where the question is asked once more."""
    restart_url: str | None
    prev_url: str | None
    next_url: str | None
    skip: bool
    """Whether going on now leaves the question without a right answer."""


def learn_page(kind: Kind, lesson: Lesson, fields: Mapping[str, str]) -> LearnPage:
    """The page that an address means; raises UnknownNameError for a step that is not there, MoveError for no answer."""
    return _Page(kind, lesson, fields).made()


class _Page:
    """Everything about one address."""

    def __init__(self, kind: Kind, lesson: Lesson, fields: Mapping[str, str]) -> None:
        self.kind, self.lesson = kind, lesson
        self.number = number_of(fields.get("step", ""), lesson)
        step = lesson.steps[self.number - 1]
        self.lot = lot_of(fields.get("lot", "")) if isinstance(step, Play) and step.stand.game.chance else None
        self.step = step.dealt(str(self.lot)) if isinstance(step, Play) else step
        self.own = tuple(filter(None, (part.strip() for part in fields.get("moves", "")[:LONGEST].split(","))))
        self.given = (fields.get("answer") or fields.get("move") or "").strip()[:LONGEST]
        self.at = fields.get("at", "")
        self.before = self.moment = begin(self.step, self.own)
        self.verdict: AnswerVerdict | None = None
        if self.given:
            self._judge()

    def _judge(self) -> None:
        self.verdict = answer(self.moment, self.given)
        if self.verdict.right and isinstance(self.step, Play):
            self.moment = go_on(self.moment, self.given)
            self.own, self.verdict = (*self.own, self.given), None

    def made(self) -> LearnPage:
        """The page."""
        step, verdict = self.step, self.moment.ending or self.verdict
        place, shown = self._shown(verdict)
        asked = not (verdict and (verdict.right or verdict.line))
        moves = self._moves(self.moment) if asked and not isinstance(step, Choose) else []
        view = shown.view(step.seat)
        choices = {each.move: each.choice for each in moves} if moves else None
        right = verdict.right if verdict else None
        return LearnPage(
            slug=self.kind.slug,
            short=self.kind.short,
            title=self.kind.title,
            lesson=self.lesson.title,
            places=[
                LessonStepLink(n, each.title, self._url(step=n), n == self.number)
                for n, each in enumerate(self.lesson.steps, 1)
            ],
            number=self.number,
            last=len(self.lesson),
            heading=step.title,
            text=step.text,
            question="" if self.moment.ending else self.moment.question,
            hint=step.hint,
            **boards.board(shown.game, view, names(step), choices=choices),
            moves=moves,
            below=not {each.move for each in moves} <= set(shown.game.picture(view, names(step)).moves),
            options=self._options(step, right),
            hidden={name: str(value) for name, value in self._so_far().items()},
            played=[] if verdict and verdict.line else self._played(),
            right=right,
            said=" ".join([*(verdict.said if verdict else ()), *shown.game.words.reveal(shown.view(None))]),
            line=self._line(verdict, place),
            line_ends=outcome_said(step, self._after(verdict.line)) if verdict and verdict.line else "",
            line_prev=self._line_url(verdict, place - 1),
            line_next=self._line_url(verdict, place + 1),
            again_url=self._here() if right is False else None,
            restart_url=self._anew() if isinstance(step, Play) and self.own else None,
            prev_url=self._url(step=self.number - 1) if self.number > 1 else None,
            next_url=self._url(step=self.number + 1) if self.number < len(self.lesson) else None,
            skip=not right,
        )

    def _shown(self, verdict: AnswerVerdict | None) -> tuple[int, Match]:
        """How many moves of a refutation have been made on the board, and the board."""
        if verdict and verdict.line:
            place = int(self.at) if self.at.isascii() and self.at.isdigit() and len(self.at) < 3 else len(verdict.line)
            place = min(max(place, 0), len(verdict.line))
            return place, self._after(verdict.line[:place])
        if verdict and verdict.right and self.given and not isinstance(self.step, Choose | Play):
            return 0, self.moment.match.after(self.given)
        return 0, self.moment.match

    def _after(self, line: tuple[str, ...]) -> Match:
        match = self.moment.match
        for move in line:
            match = match.after(move)
        return match

    def _moves(self, moment: LessonState) -> list[Button]:
        found = buttons(moment.match.game, moment.match.view(self.step.seat), [])
        return [each for each in found if each.legal]

    def _options(self, step: Step, right: bool | None) -> list[AnswerOption]:
        if not isinstance(step, Choose):
            return []
        given = self.given.casefold()
        mark = {True: "right", False: "wrong-try", None: ""}[right]
        return [
            AnswerOption(each.text, key, mark if each.text.casefold() == given else "")
            for key, each in zip(ascii_lowercase, step.answers, strict=False)
        ]

    def _played(self) -> list[str]:
        """The learner's last move and the answer to it, from what the learner may see."""
        match, step = self.moment.match, self.step
        if not isinstance(step, Play):
            return []
        since = self.before.match.ply if self.before is not self.moment else len(step.stand.moves)
        history, said = match.view(step.seat).history, []
        for ply in range(since, match.ply):
            if history[ply] == UNSEEN:
                said.append(match.game.words.unseen(names(step)[match.seat_at(ply) - 1]))
            else:
                said += [f"{line}." for line in told(step, match.at(ply), (match.moves[ply],))]
        return said[-2:]

    def _line(self, verdict: AnswerVerdict | None, place: int) -> list[Shown]:
        if not (verdict and verdict.line):
            return []
        texts = told(self.step, self.moment.match, verdict.line)
        return [Shown(text, self._here(at=n), n == place) for n, text in enumerate(texts, 1)]

    def _line_url(self, verdict: AnswerVerdict | None, place: int) -> str | None:
        return self._here(at=place) if verdict and verdict.line and 0 <= place <= len(verdict.line) else None

    def _here(self, at: int | None = None) -> str:
        """This step with the moves so far; at a place of a refutation, with the answer that it refutes."""
        return self._url(**self._so_far(), **({} if at is None else {"move": self.given, "at": at}))

    def _so_far(self) -> dict[str, object]:
        """Which step it is, what was dealt there by which lot, and the moves that were made."""
        said = {"step": self.number, "lot": self.lot or "", "moves": ", ".join(self.own)}
        return {name: value for name, value in said.items() if value}

    def _anew(self) -> str:
        """The match from its start, where something is dealt with another deal."""
        return self._url(step=self.number, **({} if self.lot is None else {"lot": (self.lot + 1) % MOST_LOTS}))

    def _url(self, **fields: object) -> str:
        return f"/games/{self.kind.slug}/learn?{urlencode(fields, quote_via=quote)}"


def lot_of(text: str) -> int:
    """The lot that an address names; the first where it names none."""
    return int(text) % MOST_LOTS if text.isascii() and text.isdigit() and len(text) < 10 else 0


def number_of(text: str, lesson: Lesson) -> int:
    """The step that an address names; the first where it names none."""
    if not text:
        return 1
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(lesson):
        return int(text)
    raise UnknownNameError(f"This lesson has the steps 1 to {len(lesson)}.")
