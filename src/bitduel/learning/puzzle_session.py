"""A playing of a puzzle: answers and hints so far, the question now, and the marks; interfaces only draw it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from bitduel.core.errors import BitduelError
from bitduel.core.lesson import LessonPosition
from bitduel.core.phrases import join_with_and
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import GRADES, Form, Pick, Puzzle, Question, Refutation

HINT = "h"
EVENTS, ANSWER = ".", "-"
"""Separators in the text of a session: of its events, and of the numbers of the candidates of one answer."""

LONGEST_TEXT = 500
SECOND_CLICK_OPTIONS = 3
"""A second click is allowed if a question has at least this many options: with two, the other is no longer a choice."""


class PuzzleMark(StrEnum):
    """The result of one decision."""

    FIRST = "✓"
    SECOND = "~"
    HINTED = "?"
    WRONG = "✗"


PLAIN = {"✓": "+", "✗": "x", "·": "|"}
"""Signs where nothing but ASCII can be shown."""


def in_ascii(signs: str) -> str:
    """Return signs for a plain terminal: + ~ ? x."""
    return "".join(PLAIN.get(sign, sign) for sign in signs)


class EventKind(StrEnum):
    """The effect of the last event."""

    RIGHT = "right"
    """The answer was right: it is played, and answered by the replies."""
    WRONG = "wrong"
    """The answer was wrong: it is refuted, then the right one is played, and answered by the replies."""
    AGAIN = "again"
    """The answer was wrong, and there is a second try at the same question."""
    HINT = "hint"


@dataclass(frozen=True)
class PuzzleFeedback:
    """The feedback to show after an event."""

    kind: EventKind
    sentences: tuple[str, ...]
    question: Question
    """The question that it is about."""
    answer: tuple[str, ...] = ()
    """The answer that was given."""
    refutation: Refutation | None = None
    """The wrong answer's refutation: moves to show from the position of the question."""
    right: tuple[str, ...] = ()
    """The answer that is played; empty while the question stays."""
    replies: tuple[str, ...] = ()

    @property
    def shown_moves(self) -> tuple[str, ...]:
        """The moves of the refutation; none where a board after them would depend on the deal."""
        position = self.question.position
        is_shown = self.refutation is not None and position is not None and not position.game.has_chance
        return self.refutation.moves if is_shown and self.refutation else ()


@dataclass(kw_only=True)
class PuzzleSession:
    """A puzzle and its events so far; the same events always lead to the same state."""

    puzzle: Puzzle
    events: list[tuple[str, ...] | None] = field(default_factory=list)
    """Answers as names of candidates, and None for a hint."""
    answers: list[tuple[str, ...]] = field(default_factory=list)
    """The right answers that were played so far, by the solver or for them."""
    marks: list[PuzzleMark] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    """The hints shown at the current question."""
    tried: list[tuple[str, ...]] = field(default_factory=list)
    """The wrong answers to the current question."""
    feedback: PuzzleFeedback | None = None
    """The feedback to show after the last event."""
    has_clicked_twice: bool = False

    @classmethod
    def parse(cls, puzzle: Puzzle, text: str) -> "PuzzleSession":
        """Return a session from text that str() made; raise BitduelError for any other."""
        session = cls(puzzle=puzzle)
        if len(text) > LONGEST_TEXT:
            raise BitduelError("These answers can't be read.")
        for part in filter(None, text.split(EVENTS)):
            question = session.question
            if question is None:
                break
            if part == HINT:
                session.hint()
                continue
            places = part.split(ANSWER)
            if not all(place.isascii() and place.isdigit() and len(place) < 4 for place in places):
                raise BitduelError("These answers can't be read.")
            numbers = [int(place) for place in places if place != "0"]
            if any(number > len(question.candidates) for number in numbers):
                raise BitduelError("These answers can't be read.")
            session.answer([question.candidates[number - 1].name for number in numbers])
        return session

    def __str__(self) -> str:
        """Return the events as short text, for an address or a file: '1.h.2', or '3-5-7' for a sheet."""
        replayed = PuzzleSession(puzzle=self.puzzle)
        parts = []
        for event in self.events:
            question = replayed.question
            assert question is not None, "no event comes after the end"
            if event is None:
                parts.append(HINT)
                replayed.hint()
            else:
                names = [candidate.name for candidate in question.candidates]
                parts.append(ANSWER.join(str(names.index(name) + 1) for name in event) or "0")
                replayed.answer(event)
        return EVENTS.join(parts)

    @property
    def question(self) -> Question | None:
        """The question now; None once the puzzle is over."""
        return self.puzzle.question(self.answers)

    @property
    def position(self) -> LessonPosition | None:
        """The position to show: of the question, or of the end of a line."""
        question = self.question
        if question is not None:
            return question.position
        if self.puzzle.end:
            return self.puzzle.end
        last = self.feedback.question.position if self.feedback else None
        if last is None or self.puzzle.form != Form.LINE:
            return None
        return LessonPosition(last.game, (*last.moves, *self.answers[-1]), last.deal)

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to answer."""
        return self.question is None

    @property
    def is_solved(self) -> bool:
        """Whether the puzzle is finished without a mistake; hints are allowed."""
        return self.is_finished and PuzzleMark.WRONG not in self.marks

    @property
    def is_clean(self) -> bool:
        """Whether the puzzle is finished with nothing but right first answers."""
        return self.is_finished and set(self.marks) <= {PuzzleMark.FIRST}

    @property
    def row(self) -> str:
        """The marks so far, as text."""
        return "".join(self.marks)

    @property
    def introduction(self) -> str:
        """The number of decisions, the difficulty, and the chance of a guess."""
        return introduction(self.puzzle)

    @property
    def explanation(self) -> tuple[str, ...]:
        """The reason why the answer is right; empty before the end."""
        return self.puzzle.explanation if self.is_finished else ()

    @property
    def has_hint(self) -> bool:
        """Whether there is another hint for this question."""
        return not self.is_finished and len(self.hints) < len(self._hints())

    def _hints(self) -> list[str]:
        """Return the three hints for the current question."""
        question = self.question
        if not self.answers or question is None:
            return [*self.puzzle.hints]
        shown = [
            candidate.text or candidate.name for candidate in question.candidates if candidate.name in question.right
        ]
        return [*self.puzzle.look_and_idea(self.answers), f"{shown[0][0].upper()}{shown[0][1:]}."]

    def hint(self) -> None:
        """Show the next hint, if there is one."""
        question = self.question
        if question is None or not self.has_hint:
            return
        self.events.append(None)
        self.hints.append(self._hints()[len(self.hints)])
        self.feedback = PuzzleFeedback(EventKind.HINT, (self.hints[-1],), question)

    def answer(self, answer: Sequence[str]) -> None:
        """Answer the question with names of candidates; raise BitduelError for an answer that is none of them."""
        question = self.question
        if question is None:
            raise BitduelError("This puzzle is over.")
        given = tuple(answer)
        names = [candidate.name for candidate in question.candidates]
        if any(name not in names for name in given) or (question.pick == Pick.ONE and len(given) != 1):
            raise BitduelError("That isn't one of the answers.")
        if question.pick == Pick.ALL:
            given = tuple(name for name in names if name in given)
        self.events.append(given)
        if question.is_right(given):
            self._go_on(question, given, given, None)
            return
        refutation = self.puzzle.refute(self.answers, given)
        if self._has_second_try(question):
            self.tried.append(given)
            self.has_clicked_twice = True
            is_sheet = question.pick == Pick.ALL
            sentences = (wrong_cells(question, given),) if is_sheet else refutation.sentences
            shown = None if is_sheet else refutation
            self.feedback = PuzzleFeedback(EventKind.AGAIN, sentences, question, given, shown)
            return
        right = question.right[:1] if question.pick == Pick.ONE else question.right
        self.tried.append(given)
        self._go_on(question, given, right, refutation)

    def _has_second_try(self, question: Question) -> bool:
        if question.pick != Pick.ONE:
            return not self.tried
        return not self.has_clicked_twice and len(question.counted or question.candidates) >= SECOND_CLICK_OPTIONS

    def _go_on(
        self, question: Question, given: tuple[str, ...], right: tuple[str, ...], refutation: Refutation | None
    ) -> None:
        """Mark the question, play the right answer, and let the defence reply."""
        if refutation is not None:
            self.marks.append(PuzzleMark.WRONG)
        elif question.is_decision:
            tries = PuzzleMark.SECOND if self.tried else PuzzleMark.FIRST
            self.marks.append(PuzzleMark.HINTED if self.hints else tries)
        self.answers.append(right)
        replies = self.puzzle.replies(self.answers)
        kind = EventKind.RIGHT if refutation is None else EventKind.WRONG
        sentences = ("Right.",) if refutation is None else refutation.sentences
        self.feedback = PuzzleFeedback(kind, sentences, question, given, refutation, right, replies)
        self.hints, self.tried = [], []


def wrong_cells(question: Question, answer: Sequence[str]) -> str:
    """Say how many cells of a sheet are wrong, but not which."""
    count = len(set(question.right) ^ set(answer))
    return f"{count} cell is wrong." if count == 1 else f"{count} cells are wrong."


def introduction(puzzle: Puzzle) -> str:
    """Say how many decisions a puzzle has, how hard it is, and how likely a guess is; and where practice belongs."""
    if isinstance(puzzle, PracticeItem):
        return f"From step {puzzle.step} of the lesson."
    count = puzzle.decisions
    decisions = "1 decision" if count == 1 else f"{count} decisions"
    return f"{decisions}, grade {puzzle.grade} of {GRADES[-1]}. A guess is right {odds_phrase(puzzle.odds)}."


def odds_phrase(odds: Fraction) -> str:
    """Return odds as people read them: 1 time in 16."""
    if odds.numerator == 1:
        return "every time" if odds == 1 else f"1 time in {odds.denominator:,}"
    return f"{odds.numerator:,} times in {odds.denominator:,}"


def right_answer(question: Question) -> str:
    """Return the right answer as people read it; the first where any of several will do."""
    names = {candidate.name: candidate.text or candidate.name for candidate in question.candidates}
    right = [names[name] for name in question.right]
    return right[0] if question.pick == Pick.ONE else join_with_and(right or ["none"])


def share_text(number: int, puzzle: Puzzle, rows: Sequence[str], streak: int = 0, is_plain: bool = False) -> str:
    """Return a result to share, which helps nobody: number, game, grade, a row of marks for each try, and the streak.

    A streak of one day is not worth a word.
    """
    first = f"bitduel {number} · {puzzle.game.title} · grade {puzzle.grade}"
    *earlier, last = rows
    text = "\n".join([first, *earlier, f"{last} · streak {streak}" if streak > 1 else last])
    return in_ascii(text) if is_plain else text
