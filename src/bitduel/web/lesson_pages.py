"""The pages of lessons: every page follows from its address alone, so it works without scripts and can be cached."""

from collections.abc import Mapping
from string import ascii_lowercase
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from bitduel.core.errors import MoveError, UnknownNameError
from bitduel.core.lesson import ChoiceStep, Lesson, MatchStep, game_lesson, seat_names
from bitduel.core.match import Match
from bitduel.core.practice import game_practice
from bitduel.core.view import UNSEEN
from bitduel.games.registry import GameClass, find
from bitduel.learning.lesson_grading import advance, grade_answer, line_text, outcome_text, start_step
from bitduel.web import boards
from bitduel.web.site import SitePages, in_turn

LONGEST_ANSWER = 400
"""Characters of the moves or of an answer that are read from an address."""
MOST_DEALS = 1_000_000
"""The number of deals of a match before they repeat."""
CACHED = {"cache-control": "public, max-age=300"}
"""An address gives the same page until the program changes."""


class LessonPages(SitePages):
    """The endpoint of lessons."""

    async def learn(self, request: Request) -> Response:
        """Show one step of a game's lesson, with an answer or without."""
        kind = find(request.path_params["slug"])
        return await in_turn(self.shared, request, self._learn, kind, dict(request.query_params))

    def _learn(self, kind: GameClass, fields: dict[str, str]) -> Response:
        lesson = game_lesson(kind)
        if lesson is None:
            raise UnknownNameError(f"There is no lesson for {kind.title} yet.")
        try:
            page = LessonPage(kind, lesson, fields)
        except MoveError as error:
            page = LessonPage(kind, lesson, {"step": fields.get("step", "")})
            return self.site.page("lesson.html", page=page, error=error)
        response = self.site.page("lesson.html", page=page)
        response.headers.update(CACHED)
        return response


class LessonPage:
    """One step of a lesson at an address; raises UnknownNameError for no step and MoveError for no answer."""

    method = "get"

    def __init__(self, kind: GameClass, lesson: Lesson, fields: Mapping[str, str]) -> None:
        self.game, self.lesson = kind, lesson
        self.action = f"/games/{kind.slug}/learn"
        self.number = step_number(fields.get("step", ""), lesson)
        step = lesson.steps[self.number - 1]
        self._deal = None
        if isinstance(step, MatchStep):
            self._deal = _deal_number(fields.get("lot", "")) if step.position.game.has_chance else None
            step = step.with_deal(str(self._deal))
        self.step = step
        moves = (part.strip() for part in fields.get("moves", "")[:LONGEST_ANSWER].split(","))
        self._own_moves = tuple(filter(None, moves))
        self._answer = (fields.get("answer") or fields.get("move") or "").strip()[:LONGEST_ANSWER]
        self._state = start_step(step, self._own_moves)
        self._shown_plies = len(step.position.moves)
        verdict = grade_answer(self._state, self._answer) if self._answer else None
        if verdict and verdict.is_right and isinstance(step, MatchStep):
            self._shown_plies = self._state.match.ply
            self._state = advance(self._state, self._answer)
            self._own_moves, verdict = (*self._own_moves, self._answer), None
        self._verdict = self._state.ending or verdict
        self._line = self._verdict.line if self._verdict else ()
        self.at = _place(fields.get("at", ""), len(self._line))
        self._show_board()

    def _show_board(self) -> None:
        step, match = self.step, self._board_match()
        view, names = match.view(step.seat), seat_names(step)
        is_asking = not (self.right or self._line)
        self.moves = []
        if is_asking and not isinstance(step, ChoiceStep):
            game = self._state.match.game
            self.moves = [
                each for each in boards.move_buttons(game, self._state.match.view(step.seat), []) if each.legal
            ]
        choices = {each.move: each.choice for each in self.moves} or None
        drawn = boards.board(match.game, view, names, choices=choices, you=step.seat)
        self.board, self.caption = drawn["board"], drawn["caption"]
        self.has_buttons = not {each.move for each in self.moves} <= set(match.game.picture(view, names).moves)
        """Whether the moves are below the board too, because the board does not show all of them."""
        sentences = self._verdict.sentences if self._verdict else ()
        self.verdict = " ".join([*sentences, *match.game.words.reveal(match.view(None))])

    def _board_match(self) -> Match:
        match = self._state.match
        if self._line:
            return _play(match, self._line[: self.at])
        if self.right and self._answer and not isinstance(self.step, ChoiceStep | MatchStep):
            return match.after(self._answer)
        return match

    @property
    def has_practice(self) -> bool:
        """Whether practice follows the lesson."""
        return bool(game_practice(self.game))

    @property
    def has_laws(self) -> bool:
        """Whether the game has theorems, whose proofs say why the lesson is right."""
        return bool(self.game().words.laws())

    @property
    def right(self) -> bool | None:
        """Whether the answer is right; None if there is none."""
        return self._verdict.is_right if self._verdict else None

    @property
    def question(self) -> str:
        """The question, until the step is done."""
        return "" if self._state.ending else self._state.question

    @property
    def answers(self) -> list[tuple[str, str, str]]:
        """The answers to choose from: the key, the text, and the mark of the one that was given."""
        if not isinstance(self.step, ChoiceStep):
            return []
        given, mark = self._answer.casefold(), {True: "right", False: "wrong-try", None: ""}[self.right]
        texts = [each.text for each in self.step.answers]
        return [
            (key, text, mark if text.casefold() == given else "")
            for key, text in zip(ascii_lowercase, texts, strict=False)
        ]

    @property
    def played(self) -> list[str]:
        """The learner's last move in a match and the reply, from what the learner may see."""
        match, step = self._state.match, self.step
        if self._line or not isinstance(step, MatchStep):
            return []
        history, lines = match.view(step.seat).history, []
        for ply in range(self._shown_plies, match.ply):
            if history[ply] == UNSEEN:
                lines.append(match.game.words.unseen_move(seat_names(step)[match.seat_at(ply) - 1]))
            else:
                lines += [f"{line}." for line in line_text(step, match.at(ply), (match.moves[ply],))]
        return lines[-2:]

    @property
    def line(self) -> list[str]:
        """The moves that refute a wrong answer."""
        return line_text(self.step, self._state.match, self._line) if self._line else []

    @property
    def line_end(self) -> str:
        """The outcome of the refutation."""
        return outcome_text(self.step, _play(self._state.match, self._line)) if self._line else ""

    def line_url(self, at: int) -> str | None:
        """Return the address of the board after a number of moves of the refutation; None beyond its ends."""
        is_in_line = self._line and 0 <= at <= len(self._line)
        return self._url(**self.form_fields, move=self._answer, at=at) if is_in_line else None

    @property
    def again_url(self) -> str | None:
        """The address of the same question after a wrong answer."""
        return self._url(**self.form_fields) if self.right is False else None

    @property
    def restart_url(self) -> str | None:
        """The address of the match from its start, with another deal where something is dealt."""
        if not (isinstance(self.step, MatchStep) and self._own_moves):
            return None
        return self._url(step=self.number, **({} if self._deal is None else {"lot": (self._deal + 1) % MOST_DEALS}))

    @property
    def form_fields(self) -> dict[str, object]:
        """The hidden fields of the form: the step, the deal, and the moves so far."""
        fields = {"step": self.number, "lot": self._deal or "", "moves": ", ".join(self._own_moves)}
        return {name: value for name, value in fields.items() if value}

    def step_url(self, number: int) -> str | None:
        """Return the address of a step; None where the lesson has no such step."""
        return self._url(step=number) if 1 <= number <= len(self.lesson) else None

    def _url(self, **fields: object) -> str:
        return f"/games/{self.game.slug}/learn?{urlencode(fields, quote_via=quote)}"


def step_number(text: str, lesson: Lesson) -> int:
    """Return the number of the step that an address names; the first where it names none."""
    if not text:
        return 1
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(lesson):
        return int(text)
    raise UnknownNameError(f"This lesson has steps 1 to {len(lesson)}.")


def _deal_number(text: str) -> int:
    return int(text) % MOST_DEALS if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _place(text: str, last: int) -> int:
    return min(int(text), last) if text.isascii() and text.isdigit() and len(text) < 3 else last


def _play(match: Match, line: tuple[str, ...]) -> Match:
    for move in line:
        match = match.after(move)
    return match
