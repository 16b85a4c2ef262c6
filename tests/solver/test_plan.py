"""Every claim of a plan is so: tried against a solution of the rulebooks that shares nothing with ours."""

from collections import deque
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import brute
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value
from bitduel.core.hints import Advised, hint
from bitduel.core.match import Match
from bitduel.core.move_plan import MOST_GROUPS, Meeting, MovePlan, PlannedReply, together
from bitduel.games import make, shelf
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.explain import advise, plan
from bitduel.terminal.text import folded

OPEN = [kind for kind in shelf() if kind().transparent]
GAMES = pytest.mark.parametrize("slug", [kind.slug for kind in OPEN])
Verdicts = dict[Any, Any]
MOST_LINES = 8
"""A hint is read between two moves: so many lines of 80 columns, one of them the answer itself."""


@cache
def verdicts(slug: str) -> Verdicts:
    return brute.solve(slug)


@cache
def lines(slug: str) -> list[list[str]]:
    """The shortest line to every position at which somebody is to move."""
    start = brute.initial(slug)
    todo: deque[tuple[Any, list[str]]] = deque([(start, [])])
    seen, found = {brute.view(start)}, []
    while todo:
        state, line = todo.popleft()
        if brute.result(state) is not None:
            continue
        found.append(line)
        for move in brute.moves(state):
            then = brute.apply(state, move)
            if brute.view(then) not in seen:
                seen.add(brute.view(then))
                todo.append((then, [*line, move]))
    return found


def at(slug: str, moves: list[str]) -> Any:
    state = brute.initial(slug)
    for move in moves:
        state = brute.apply(state, move)
    return state


def worth(slug: str, state: Any) -> tuple[str, int | None]:
    """For the player to move."""
    found: tuple[str, int | None] = verdicts(slug)[brute.view(state)]
    return found


def rank(slug: str, state: Any) -> tuple[int, int]:
    """How good it is to have moved there: the lower for whoever is to move, the better; ends near or far."""
    value, plies = worth(slug, state)
    far = plies or 0
    return {"loss": (2, -far), "draw": (1, 0), "win": (0, far)}[value]


def best_replies(slug: str, state: Any) -> set[str]:
    ranks = {move: rank(slug, brute.apply(state, move)) for move in brute.moves(state)}
    return {move for move, each in ranks.items() if each == max(ranks.values())}


@GAMES
def test_a_plan_is_told_of_a_best_move_and_lists_every_answer_and_every_reply_that_meets_it_best(slug: str) -> None:
    game = make(slug)
    for line in lines(slug):
        advice = advise(evaluator_for(game), Match(game, moves=line))
        planned = [choice for choice in advice if choice.plan]
        state = at(slug, line)
        if not planned:
            ends = [brute.result(brute.apply(state, move)) for move in best_replies(slug, state)]
            assert any(ends), "a plan is missing only where the best move ends the match"
            continue
        (choice,) = planned
        assert choice.judged.move in best_replies(slug, state)
        check(slug, state, choice)


def check(slug: str, state: Any, choice: Advised) -> None:
    after, found = brute.apply(state, choice.judged.move), choice.plan
    assert found
    assert str(found.value) == {"win": "loss", "loss": "win", "draw": "draw"}[worth(slug, after)[0]]
    assert [answer.move for answer in found.answers] == brute.moves(after)
    for answer in found.answers:
        then = brute.apply(after, answer.move)
        mine = worth(slug, then)[0]
        assert str(answer.worth.value) == {"win": "loss", "loss": "win", "draw": "draw"}[mine]
        assert answer.ends == (brute.result(then) is not None)
        if answer.ends:
            continue
        assert {meeting.move for meeting in answer.meetings} == best_replies(slug, then)
        for meeting in answer.meetings:
            assert meeting.ends == (brute.result(brute.apply(then, meeting.move)) is not None)
        losing = [move for move in brute.moves(then) if worth(slug, brute.apply(then, move))[0] == "win"]
        assert answer.risky == (bool(losing) and mine != "loss")


@GAMES
def test_every_clause_of_a_winning_plan_names_answers_and_a_reply_that_meets_each_of_them(slug: str) -> None:
    game, told = make(slug), 0
    for line in lines(slug):
        for choice in advise(evaluator_for(game), Match(game, moves=line)):
            if choice.plan and choice.plan.value == WIN:
                told += 1
                check_clauses(choice.plan)
    assert told or slug == "binary-race-bits", "there nobody can force a win that takes more than a move"


def check_clauses(found: MovePlan) -> None:
    said = found.told()[0].removeprefix(f"{found.where}, ").removesuffix(".")
    open_answers = list(found.answers)
    for clause in said.removesuffix("; and so on").split("; "):
        meant, _, met = clause.partition(" is met by ")
        if meant in ("anything else", "whatever your opponent does"):
            named = open_answers
        else:
            named = said_of(meant.removesuffix(" loses at once"), open_answers)
        for answer in named:
            replies = {m.doing + (", which wins" if m.ends else "") for m in answer.meetings}
            assert (met in replies) if met else answer.ends, clause
        open_answers = [answer for answer in open_answers if answer not in named]
    assert not open_answers or said.endswith("; and so on")


def said_of(meant: str, answers: list[PlannedReply]) -> list[PlannedReply]:
    """The answers that are named so, in their order."""
    sizes = range(1, len(answers) + 1)
    found = [
        list(some) for n in sizes for some in combinations(answers, n) if together([a.doing for a in some]) == meant
    ]
    assert len(found) == 1, meant
    return found[0]


@GAMES
def test_no_hint_is_long(slug: str) -> None:
    game = make(slug)
    for line in lines(slug):
        match = Match(game, moves=line)
        if match.must_pass:
            continue
        view, advice = match.view(match.to_move), advise(evaluator_for(game), match)
        said = hint(advice, [game.words.answer(view, choice.judged.move) for choice in advice])
        assert len(folded(said, 80)) <= MOST_LINES, said


def test_a_law_makes_the_same_plan_as_a_table() -> None:
    for slug, moves in (("double-or-nothing", ["double"] * 3), ("binary-race-31", ["4", "8"])):
        game = make(slug)
        match, law = Match(game, moves=moves), game.evaluator()
        assert law
        assert advise(law, match) == advise(evaluator_for(game), match)


def answered(name: str, value: Value, *replies: str, ends: bool = False, risky: bool = False) -> PlannedReply:
    return PlannedReply(
        name, name, Evaluation(value, 3), ends, tuple(Meeting(reply, reply) for reply in replies), risky
    )


def told(value: Value, *answers: PlannedReply) -> str:
    return MovePlan("There", value, answers).told()[0]


def test_answers_that_are_met_the_same_way_are_told_together() -> None:
    a, b, c = answered("a", LOSS, "x", "y"), answered("b", LOSS, "y"), answered("c", LOSS, "z")
    assert told(WIN, a, b, c) == "There, c is met by z; a or b is met by y."
    assert told(WIN, a, b) == "There, whatever your opponent does is met by y."
    assert told(WIN, c) == "There, c is met by z."
    many = [answered(name, LOSS, "y") for name in "defgh"]
    assert told(WIN, c, *many) == "There, c is met by z; anything else is met by y."
    assert told(WIN, c, answered("b", LOSS, ends=True)) == "There, c is met by z; b loses at once."


def test_what_would_be_too_much_goes_on() -> None:
    answers = [answered(name, LOSS, f"after {name}") for name in "abcdef"]
    said = told(WIN, *answers)
    assert said.count(" is met by ") == MOST_GROUPS
    assert said.endswith("; and so on.")
    many = told(LOSS, *[answered(name, WIN) for name in "abcdef"], answered("g", LOSS, "h"))
    assert many == "There, only a, b, c, d or others wins for your opponent, not g."


def test_a_lost_position_says_what_the_opponent_must_find() -> None:
    assert told(LOSS, answered("a", WIN), answered("b", WIN)) == "There, every answer wins for your opponent."
    assert told(LOSS, answered("a", WIN)) == "There, a wins for your opponent."
    assert told(LOSS, answered("a", WIN), answered("b", DRAW)) == "There, only a wins for your opponent, not b."


def test_a_drawn_position_says_where_care_is_needed() -> None:
    calm, risk = answered("a", DRAW, "x", "y"), answered("b", DRAW, "x", risky=True)
    assert told(DRAW, calm) == "There, whatever your opponent does, no reply of yours loses."
    assert told(DRAW, calm, risk) == "There, after b only x holds; else no reply of yours loses."
    slip = answered("c", LOSS, "z", risky=True)
    assert told(DRAW, risk, slip) == "There, after b only x holds; after c only z wins."


def test_moves_are_named_as_people_name_them() -> None:
    assert [together(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert together(["flipping bit 1", "flipping bit 3"]) == "flipping bit 1 or 3"
    assert together(["flipping bit 1", "flipping bit 3", "going"]) == "flipping bit 1 or 3, or going"
    assert together(["moving 1 to 3", "moving 2 to 4"]) == "moving 1 to 3 or moving 2 to 4"


def test_a_move_that_ends_the_match_needs_no_plan() -> None:
    game = make("64")
    match = Match(game, moves=["double"] * 5)
    judge = evaluator_for(game)
    choice = next(each for each in judge.choices(match.view(match.to_move)) if each.move == "double")
    assert plan(judge, match, choice) is None
