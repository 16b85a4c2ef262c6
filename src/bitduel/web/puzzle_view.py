"""A puzzle as a page shows it: the board of the question or of a refutation, marks, line, hints and result."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel.core.lesson import OPPONENT, LessonPosition, game_lesson
from bitduel.core.match import Match
from bitduel.core.phrases import game_phrase, join_with_and
from bitduel.core.puzzle import Candidate, Form, Pick, Question
from bitduel.learning.lesson_grading import YOU
from bitduel.learning.puzzle_deck import DeckPuzzle, sister
from bitduel.learning.puzzle_session import EventKind, PuzzleMark, PuzzleSession, right_answer, share_text
from bitduel.rendering.board import board_html
from bitduel.web import boards

MARK_WORDS = {
    PuzzleMark.FIRST: "at once",
    PuzzleMark.SECOND: "second try",
    PuzzleMark.HINTED: "with a hint",
    PuzzleMark.WRONG: "missed",
}
DECISIONS = {Form.BOARDS: "Board", Form.CHOICE: "Answer"}
HINT_NAMES = ("a question", "a clue", "the move")
MOST_CARDS = 9
"""The most cards that can be laid out."""


class MarkLamp(NamedTuple):
    """One decision in the row of marks: its sign, its name, and how it was found."""

    sign: str
    title: str
    word: str
    state: str
    """first, second, hinted or wrong; now; or open."""


class LineMove(NamedTuple):
    """A move of the line so far, and whether the solver made it."""

    text: str
    is_own: bool


class SheetCell(NamedTuple):
    """A cell of a sheet: its candidate, what stands on it, whether it is marked, and at the end how it should be."""

    candidate: Candidate
    label: str
    board: Markup | None
    is_marked: bool
    state: str = ""
    """right, wrong or missed; empty while the question is open."""


class PuzzlePage:
    """A puzzle after the events that are in its address."""

    method = "get"

    def __init__(
        self, chosen: DeckPuzzle, session: PuzzleSession, path: str, address: Mapping[str, str], at: str = ""
    ) -> None:
        self.chosen, self.session, self.puzzle = chosen, session, chosen.puzzle
        self.path, self.address, self.action = path, address, path
        self.laid: list[str] = []
        self.refutation = self._refutation()
        self.at = _step(at, len(self.refutation))
        """The number of moves of the refutation on the board; 0 once it has been seen."""

    # The heading

    @property
    def name(self) -> str:
        """The number and the day of a daily puzzle; the kind of any other."""
        if self.chosen.number and self.chosen.day:
            return f"Puzzle {self.chosen.number}, {day_phrase(self.chosen.day)}"
        return self.puzzle.title

    @property
    def game_text(self) -> str:
        """The game with its size in words; not the size if that is asked for."""
        if self.puzzle.shown_options.keys() != self.puzzle.game.open_options.keys():
            return self.puzzle.game.title
        return game_phrase(self.puzzle.game)

    @property
    def marks(self) -> list[MarkLamp]:
        """The row of marks, one for each decision."""
        done = [
            MarkLamp(str(mark), self._decision(at), MARK_WORDS[mark], mark.name.lower())
            for at, mark in enumerate(self.session.marks, 1)
        ]
        rest = range(len(done) + 1, self.puzzle.decisions + 1) if self.question else ()
        now = 0 if self.is_refuting else len(done) + 1
        states = [("find it", "now") if at == now else ("to come", "open") for at in rest]
        left = [MarkLamp(str(at), self._decision(at), *state) for at, state in zip(rest, states, strict=True)]
        return [*done, *left]

    def _decision(self, number: int) -> str:
        if self.puzzle.decisions == 1 and not self.is_single:
            return "The sheet" if self.puzzle.form != Form.CARDS else "The cards"
        return f"{DECISIONS.get(self.puzzle.form, 'Move')} {number}"

    # The question

    @property
    def question(self) -> Question | None:
        """The question that is open; None at the end."""
        return self.session.question

    @property
    def asked(self) -> Question:
        """The question that the board is about: the one that is open, or the last one."""
        feedback = self.session.feedback
        if self.is_refuting or not self.question:
            assert feedback is not None, "something was answered"
            return feedback.question
        return self.question

    @property
    def is_single(self) -> bool:
        """Whether one candidate is the answer, so that each has a button."""
        return self.asked.pick == Pick.ONE

    @property
    def is_cards(self) -> bool:
        """Whether cards are laid out."""
        return self.asked.pick == Pick.CARDS

    @property
    def is_refuting(self) -> bool:
        """Whether the board shows a refutation."""
        return bool(self.at)

    @property
    def task(self) -> str:
        """The task, until the first answer."""
        return "" if self.session.answers or self.is_refuting or not self.question else self.puzzle.task

    @property
    def prompt(self) -> str:
        """The question in words, where the task does not say it."""
        return self.question.prompt if self.question and not self.task and not self.is_refuting else ""

    @property
    def verdict(self) -> str:
        """The verdict on the last answer."""
        feedback = self.session.feedback
        if feedback is None or feedback.kind == EventKind.HINT:
            return ""
        text = " ".join(feedback.sentences)
        if feedback.kind == EventKind.RIGHT:
            return text if self.question else ""
        if feedback.kind == EventKind.AGAIN:
            return text if self.is_refuting else f"{text} Try once more."
        if self.is_refuting or self.rows or self.answer:
            return text
        right = right_answer(feedback.question)
        played = f"The right answer: {right}."
        return played if self.refutation else f"{text} {played}"

    @property
    def verdict_sign(self) -> str:
        """Right or wrong, as a sign before the verdict."""
        feedback = self.session.feedback
        return "✓" if feedback and feedback.kind == EventKind.RIGHT else "✗"

    @property
    def reply(self) -> str:
        """The answer of the defence to the last move, in words."""
        feedback = self.session.feedback
        if feedback is None or self.is_refuting or not feedback.replies:
            return ""
        moves = [move.text for move in self.line if not move.is_own][-1:]
        return f"{moves[0][0].upper()}{moves[0][1:]}." if moves else ""

    @cached_property
    def line(self) -> list[LineMove]:
        """The moves since the beginning, where moves are played."""
        if not self.is_single or self.puzzle.form not in (Form.LINE, Form.TREE):
            return []
        line: list[LineMove] = []
        feedback = self.session.feedback
        # The right move stays hidden as long as the wrong one is refuted.
        is_ahead = self.is_refuting and feedback is not None and feedback.right
        for count, answer in enumerate(self.session.answers[:-1] if is_ahead else self.session.answers):
            question = self.puzzle.question(self.session.answers[:count])
            match = question.position.match if question and question.position else None
            line.append(LineMove(_move_text(match, answer[0], "imperative"), True))
            after = match.after(answer[0]) if match and not self.puzzle.game.has_chance else None
            for reply in self.puzzle.replies(self.session.answers[: count + 1]):
                text = _move_text(after, reply, "third_person") if after else ""
                line.append(LineMove(f"your opponent {text}" if text else f"the answer is “{reply}”", False))
        return line

    # The board

    @property
    def solver(self) -> int:
        """The seat of the solver."""
        position = self.asked.position or self.puzzle.position
        return position.match.next_seat or 1

    @cached_property
    def board(self) -> Markup | None:
        """The board, with a button for each move where it is to be played on."""
        if self.is_refuting:
            return self._drawn(self._refuted_match(self.at))
        question = self.question
        if question is None:
            return self._end_board()
        if question.position:
            match = question.position.match
            return self._drawn(match, self._choices(match, question) if self.is_on_board else None)
        return board_html(question.picture) if question.picture and _is_drawn(question) else None

    def _end_board(self) -> Markup | None:
        last = self.asked.position
        if self.puzzle.end:
            return self._drawn(self.puzzle.end.match)
        if last is None or self.puzzle.form != Form.LINE:
            return None
        # With hidden information the answer to the last move depends on the deal, so the move is not shown.
        moves = () if self.puzzle.game.has_chance else self.session.answers[-1]
        return self._drawn(LessonPosition(last.game, (*last.moves, *moves), last.deal).match)

    def _drawn(self, match: Match, buttons: Sequence[boards.MoveButton] | None = None) -> Markup:
        seat = self.solver
        names = (YOU, OPPONENT) if seat == 1 else (OPPONENT, YOU)
        if self.question and self.question.pick == Pick.ALL:
            # The sheet asks which moves are legal, so the board does not say which cells are safe.
            return board_html(match.game.picture(match.view(seat), names).without_safety(), None, seat)
        choices = {each.move: each.choice for each in buttons} if buttons else None
        return boards.board(match.game, match.view(seat), names, choices=choices, you=seat)["board"]

    def _choices(self, match: Match, question: Question) -> list[boards.MoveButton]:
        tried = {name for answer in self.session.tried for name in answer}
        return [
            each._replace(legal=False, leads="tried already") if each.move in tried else each
            for each in boards.move_buttons(match.game, match.view(match.next_seat), [])
        ]

    @property
    def is_on_board(self) -> bool:
        """Whether the candidates are the moves that can be made on the board."""
        question = self.question
        if not (question and question.position and self.is_single and boards.is_playable(question.position.game)):
            return False
        return {candidate.name for candidate in question.candidates} == set(question.position.match.legal)

    @property
    def candidates(self) -> list[tuple[Candidate, bool]]:
        """The candidates that get a button below the board, and whether each was tried."""
        if self.is_on_board or not self.is_single or self.is_refuting or not self.question:
            return []
        tried = {name for answer in self.session.tried for name in answer}
        return [(candidate, candidate.name in tried) for candidate in self.question.candidates]

    @property
    def boards_beside(self) -> list[tuple[Markup, MarkLamp]]:
        """Every board of a puzzle of several boards with moves, in their order, with its mark."""
        if self.puzzle.form != Form.BOARDS or not self.is_single or self.is_refuting:
            return []
        positions = [question.position for question, _ in self.puzzle.solution() if question.position]
        marks = [*self.marks]
        return [
            (self._drawn(position.match), mark) for position, mark in zip(positions, marks, strict=False) if position
        ]

    # Sheets and cards

    @property
    def rows(self) -> list[list[SheetCell]]:
        """The cells of a sheet, in rows of one verb where they are moves; at the end with what was right."""
        question = self.asked
        if question.pick != Pick.ALL:
            return []
        verbs: dict[str, list[SheetCell]] = {}
        for candidate in question.candidates:
            verb = candidate.name.partition(" ")[0] if " " in candidate.name else ""
            verbs.setdefault(verb, []).append(self._cell(question, candidate))
        return list(verbs.values())

    @property
    def are_boards(self) -> bool:
        """Whether the cells of the sheet are boards."""
        return any(cell.board for row in self.rows for cell in row)

    def _cell(self, question: Question, candidate: Candidate) -> SheetCell:
        drawn = board_html(candidate.picture) if candidate.picture else None
        feedback = self.session.feedback
        if self.question:
            is_marked = bool(self.session.tried) and candidate.name in self.session.tried[-1]
            return SheetCell(candidate, candidate.name, drawn, is_marked)
        is_marked = bool(feedback) and candidate.name in feedback.answer  # type: ignore[union-attr]
        is_right = candidate.name in question.right
        state = ("right" if is_right else "wrong") if is_marked else "missed" if is_right else ""
        return SheetCell(candidate, candidate.name, drawn, is_marked, state)

    # The refutation

    def _refutation(self) -> tuple[str, ...]:
        """Return the moves that show what is wrong with an answer, where they can be shown."""
        feedback = self.session.feedback
        if feedback is None or feedback.refutation is None or feedback.question.position is None:
            return ()
        # With hidden information a board after a move would depend on the deal.
        return () if feedback.question.position.game.has_chance else feedback.refutation.moves

    def _refuted_match(self, count: int) -> Match:
        match = self.asked.position.match  # type: ignore[union-attr]
        for move in self.refutation[:count]:
            match = match.after(move)
        return match

    @property
    def refuted_line(self) -> list[LineMove]:
        """The moves of the refutation, in words."""
        line = []
        for count, move in enumerate(self.refutation):
            match = self._refuted_match(count)
            is_own = match.next_seat == self.solver
            text = _move_text(match, move, "imperative" if is_own else "third_person")
            line.append(LineMove(f"you {text}" if is_own else f"your opponent {text}", is_own))
        return line

    def step_url(self, at: int) -> str | None:
        """Return the address of the board after a number of moves of the refutation; None beyond its ends."""
        return self.url(at=str(at)) if 0 < at <= len(self.refutation) else None

    @property
    def go_on_text(self) -> str:
        """The label of the button after the refutation."""
        feedback = self.session.feedback
        return "Try again" if feedback and feedback.kind == EventKind.AGAIN else "Show the right move"

    # Addresses

    def url(self, **more: str) -> str:
        """Return the address of this state."""
        fields = {**self.address, "play": str(self.session), **more}
        return f"{self.path}?{urlencode({name: value for name, value in fields.items() if value})}"

    @property
    def fresh_url(self) -> str:
        """The address of the puzzle without answers."""
        return f"{self.path}?{urlencode({**self.address, 'again': '1'})}"

    @property
    def form_fields(self) -> dict[str, str]:
        """The hidden fields of the form."""
        return {name: value for name, value in {**self.address, "play": str(self.session)}.items() if value}

    @property
    def explorer_url(self) -> str | None:
        """The address of the first position on the explorer, where the page of a position says something."""
        question = self.puzzle.question()
        is_shown = question and question.position and question.position.moves and not self.puzzle.game.has_chance
        return boards.position_url(question.position.match) if is_shown else None  # type: ignore[union-attr]

    @property
    def why_links(self) -> list[tuple[str, str]]:
        """The addresses where more is explained: the first position, the lesson of the game, and its theorems."""
        kind, path = type(self.puzzle.game), f"/games/{self.puzzle.game.slug}"
        links = [(self.explorer_url, "Explore the first position")] if self.explorer_url else []
        links += [(f"{path}/learn", "The lesson")] if game_lesson(kind) else []
        return [*links, *([(f"{path}/laws", "Theorems with proofs")] if kind().words.laws() else [])]

    @property
    def sister_url(self) -> str | None:
        """The address of another puzzle of the same game, kind and grade; after a miss, the second try of the day."""
        other = sister(self.chosen.id) if self.chosen.id else None
        day = self.chosen.day.isoformat() if self.chosen.day and not self.session.is_solved else ""
        return f"/puzzles?{urlencode({'id': other.id, **({'day': day} if day else {})})}" if other else None

    # Hints and the result

    @property
    def hint_text(self) -> str:
        """The name of the next hint."""
        return HINT_NAMES[min(len(self.session.hints), 2)]

    @property
    def share(self) -> str:
        """The text to share for a daily puzzle."""
        number = self.chosen.number
        return share_text(number, self.puzzle, [self.session.row]) if number else ""

    @property
    def answer(self) -> str:
        """The answer at the end, where neither a board nor a sheet shows it."""
        is_shown = not self.question and not self.is_refuting and self.puzzle.form in (Form.CHOICE, Form.CARDS)
        return join_with_and(self.asked.right[:1] if self.is_single else self.asked.right) if is_shown else ""


def _move_text(match: Match | None, move: str, person: str) -> str:
    """Return a move in words; its name where the position is not known, and nothing where it is no move."""
    if match is None or move not in match.legal:
        return move if match is None else ""
    return str(getattr(match.game.words.move_phrase(match.view(match.next_seat), move), person))


def _is_drawn(question: Question) -> bool:
    picture = question.picture
    return bool(picture and (picture.rows or (picture.scale and picture.scale.tokens)))


def _step(text: str, last: int) -> int:
    """Return the step of a refutation that an address names: the first by default, 0 for its end."""
    if not last or text == "end":
        return 0
    return min(int(text), last) if text.isascii() and text.isdigit() and len(text) < 3 and int(text) else 1


def day_phrase(day: date) -> str:
    """Return a day as people write it: Wednesday 18 November."""
    return f"{day:%A} {day.day} {day:%B}"
