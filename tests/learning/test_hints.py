import re
from collections import deque
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

import brute
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value
from bitduel.core.match import Match
from bitduel.core.phrases import MovePhrase, frequency_phrase, join_moves, join_with_or
from bitduel.games.registry import all_games, make
from bitduel.learning.hints import (
    MAX_GROUPS,
    CounterMove,
    MoveAdvice,
    MovePlan,
    PlannedReply,
    drawn_ending,
    explain_moves,
    graded_hint,
    hint_sentences,
    plan_move,
    recommended,
)
from bitduel.solver.evaluators import evaluator_for
from bitduel.terminal.text import fold_lines


def said(name: str, moves: list[str], deal: str = "", **options: object) -> list[str]:
    game = make(name, options)
    match = Match(game, deal=deal or game.any_deal(), moves=moves)
    view = match.view(match.to_move)
    advice = explain_moves(evaluator_for(game), match)
    return hint_sentences(advice, [game.words.answer(view, choice.choice.move) for choice in advice])


def test_a_hint_says_what_the_opponent_would_do() -> None:
    assert "Doubling to 10 lets your opponent win by doubling to 20." in said("double", ["double", "double", "add"])


def test_a_hint_in_a_lost_position_says_what_holds_out_longest() -> None:
    assert said("double", []) == [
        "Best: add or double.",
        "Adding 1 to make 2 or doubling to 2 loses in 7 moves against perfect play, but no other move lasts longer.",
        "From 2, your opponent wins only by adding 1 to make 3, not by doubling to 4.",
        "Whoever first goes past 5 loses. (5 is 20 divided by 4, rounded down.) 5 is odd. Every move from an odd "
        "number such as 1 makes an even one. Adding 1 then makes it odd again.",
    ]


def test_a_hint_names_the_plan_the_position_that_is_left_and_the_law() -> None:
    assert said("double", ["double", "double", "add", "add"]) == [
        "Best: double.",
        "Doubling to 12 wins in 5 moves, whatever your opponent does.",
        "From 12, if your opponent adds 1 to make 13, add 1 to make 14. If they double to 24, they lose.",
        "From 12, doubling goes past 20. Adding 1 still fits 8 times (an even number), so you make the last addition.",
        "Adding 1 to make 7 lets your opponent win in 4 moves by doubling to 14.",
    ]
    assert said("31", [])[2:4] == [
        "With you at 16 and your opponent at 0, whatever your opponent does, move 16 steps (to 32) and win.",
        "You cannot block each other. You need 1 more move and your opponent needs 2.",
    ]


def test_a_hint_says_which_moves_end_the_game() -> None:
    assert said("64", ["double"] * 5)[:2] == ["Best: 2.", "Doubling to 64 wins."]
    assert "Doubling to 124 loses at once." in said("64", ["double", "add", *["double"] * 3, *["add"] * 15])


def test_a_hint_in_a_drawn_position_warns_of_what_loses() -> None:
    lines = said("bits", ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3"])
    assert lines[0] == "Best: reset 1 or reset 3."
    assert "Flipping bit 1 or 4 lets your opponent win by flipping bit 4." in lines


def bits(*moves: str, first: int = 1, **options: object) -> Match:
    return Match(make("bits", options), first, moves=moves)


def test_among_moves_that_keep_a_draw_a_hint_names_those_that_set_a_trap() -> None:
    match = bits("flip 2", "flip 3", "flip 3", "flip 2")
    advice = explain_moves(evaluator_for(match.game), match)
    named = recommended(advice)
    by_move = {each.choice.move: each for each in advice}
    assert {each.choice.evaluation.value for each in advice} == {DRAW}
    assert named < set(by_move)
    assert min(by_move[move].traps[0] for move in named) > 0
    assert all(by_move[move].traps < max(by_move[name].traps for name in named) for move in set(by_move) - named)
    assert any(" sets a trap: " in line for line in hint_sentences(advice, list(by_move)))
    planned = [each.choice.move for each in advice if each.plan]
    assert len(planned) == 1
    assert planned[0] in named


def test_where_every_move_is_as_good_no_move_is_called_the_best() -> None:
    match = bits("flip 2", "flip 3")
    equal = [each for each in explain_moves(evaluator_for(match.game), match) if each.choice.evaluation.value == DRAW]
    alike = [each._replace(traps=(0, 2), prospect=0.5) for each in equal]
    assert hint_sentences(alike, [each.choice.move for each in alike])[0] == (
        "Every move keeps the draw, and none is better than another."
    )


def test_a_hint_names_the_moves_that_set_problems_later_and_says_so() -> None:
    match = bits("flip 2", "flip 3")
    named = {"flip 1", "flip 3"}
    advice = explain_moves(evaluator_for(match.game), match)
    assert recommended(advice) == named == set(evaluator_for(match.game).policy(match.view(1)))
    assert hint_sentences(advice, [each.choice.move for each in advice])[:3] == [
        "Best: flip 1 or flip 3.",
        "Flipping bit 1 or 3 keeps the draw, and gives a careless opponent more chances to go wrong.",
        "Resetting your opponent's bit 3 keeps the draw.",
    ]


def test_no_hint_calls_every_move_of_a_drawn_position_best() -> None:
    for first, second in product(("flip 1", "flip 2"), ("flip 1", "flip 2", "flip 3", "flip 4")):
        matches = [bits(), bits(first), bits(first, second)]
        matches += [bits(first, second, third) for third in matches[-1].legal]
        for match in matches:
            advice = explain_moves(evaluator_for(match.game), match)
            opening, *_ = hint_sentences(advice, [each.choice.move for each in advice])
            if len(match.legal) > 1:
                assert opening.startswith("Every move") == (recommended(advice) == set(match.legal)), match.moves


def test_a_hint_warns_of_a_move_that_ends_the_match_in_a_draw() -> None:
    stuck = bits("flip 1", "reset 1", first_move="game")
    assert stuck.outcome
    match = bits("flip 1", first_move="game")
    assert drawn_ending(match, "reset 1") == "ends the match in a draw (stalemate)"
    repeated = Match(make("bits", {"first-move": "empty"}), moves=("flip 2", "reset 2", "flip 3"))
    assert [drawn_ending(repeated, move) for move in repeated.view(repeated.to_move).repeating] == [
        "ends the match in a draw, because the same position comes up again"
    ]
    advice = explain_moves(evaluator_for(repeated.game), repeated)
    assert recommended(advice).isdisjoint(repeated.view(repeated.to_move).repeating)


def test_a_graded_hint_asks_first_then_says_how_one_stands_and_only_then_names_a_move() -> None:
    match = Match(make("double"), moves=["double", "double", "add", "add"])
    advice = explain_moves(evaluator_for(match.game), match)
    hint = graded_hint(match, advice, ["1", "2"])
    assert hint.steps[:2] == [
        ["You can make 7 or 12. What can your opponent make from there?"],
        ["You can force a win. Only one move keeps it."],
    ]
    assert hint.answer == hint_sentences(advice, ["1", "2"])


@pytest.mark.parametrize(
    ("name", "moves", "question"),
    [
        ("double", ["double"] * 3 + ["add"] * 3, "Doubling goes past 20. Who makes the last move that fits"),
        ("double", ["double"] * 3 + ["add", "add"], "Which move makes 20?"),
        ("31", ["16", "8"], "You have 15 steps to go, your opponent 23. How many moves does each of you need?"),
        ("bits", ["flip 2"], "How many bits is each of you short? You went second, so you can draw but not win"),
        ("bits", ["flip 2", "flip 2"], "How many bits is each of you short? After your move, can you be stopped?"),
        ("bits", ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3"], "Your opponent is one bit short."),
        ("bits", ["flip 2", "flip 3", "flip 1", "flip 2", "flip 3", "flip 1"], "You are one bit short."),
    ],
)
def test_the_question_of_a_hint_says_where_to_look(name: str, moves: list[str], question: str) -> None:
    match = Match(make(name), moves=moves)
    assert match.game.words.question(match.view(match.to_move)).startswith(question)


def test_the_question_in_binary_battle_uses_only_what_the_player_knows() -> None:
    game = make("battle", bits=3)
    asked = {
        game.words.question(Match(game, deal=deal, moves=["toggle 1", "toggle 1"]).view(1))
        for deal in ("000", "001", "010", "011")
    }
    assert asked == {"Which numbers from 0 to 3 are one toggle away?"}


def test_a_hint_in_the_dark_speaks_of_probabilities_and_of_nothing_hidden() -> None:
    for secret in ("001", "010"):
        lines = said("battle", ["toggle 1", "toggle 1"], deal=secret, bits=3)
        assert lines == said("battle", ["toggle 1", "toggle 1"], deal="010", bits=3)
        told = [int(line.split(" wins ")[1].split("%")[0]) for line in lines[1:] if " wins " in line]
        assert told == sorted(told, reverse=True)
        assert lines[1].endswith("% of the time.")
        assert "Bit 1 makes 000, one of 4 possible numbers." in lines


def test_a_better_and_a_worse_chance_never_look_alike() -> None:
    lines = said("battle", ["toggle 1", "toggle 2", "toggle 4"], deal="0111", bits=4)
    assert lines[0] == "Best: 4."
    assert [line.split(" wins ")[1] for line in lines if " wins " in line][:2] == [
        "29.1% of the time.",
        "29.0% of the time.",
    ]
    assert (frequency_phrase(0.334), frequency_phrase(0.334, [0.3340000000001])) == (
        "33% of the time",
        "33% of the time",
    )
    assert (frequency_phrase(0.334, [0.2]), frequency_phrase(0.334, [0.329, 0.2])) == (
        "33% of the time",
        "33.4% of the time",
    )
    assert frequency_phrase(0.62984, [0.62956]) == "62.98% of the time"
    assert frequency_phrase(0.6, [0.600001]) == "60% of the time"


def test_a_hint_in_the_dark_says_whether_a_toggle_can_hit() -> None:
    words = make("battle", bits=3).words
    view = Match(make("battle", bits=3), deal="011", moves=["toggle 1", "toggle 2"]).view(1)
    assert words.remark(view, "toggle 1") == "Bit 1 makes 000, one of 4 possible numbers."
    assert (
        words.remark(view, "toggle 2") == "Bit 2 makes 110. It can't be the secret, but it sets up a number that can."
    )


def test_a_choice_is_said_as_people_say_it() -> None:
    assert [join_with_or(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]


OPEN = [kind for kind in all_games() if kind().has_perfect_information]
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
        advice = explain_moves(evaluator_for(game), Match(game, moves=line))
        planned = [choice for choice in advice if choice.plan]
        state = at(slug, line)
        if not planned:
            ends = [brute.result(brute.apply(state, move)) for move in best_replies(slug, state)]
            assert any(ends), "a plan is missing only where the best move ends the match"
            continue
        (choice,) = planned
        assert choice.choice.move in best_replies(slug, state)
        check(slug, state, choice)


def check(slug: str, state: Any, choice: MoveAdvice) -> None:
    after, found = brute.apply(state, choice.choice.move), choice.plan
    assert found
    assert str(found.value) == {"win": "loss", "loss": "win", "draw": "draw"}[worth(slug, after)[0]]
    assert [answer.move for answer in found.replies] == brute.moves(after)
    for answer in found.replies:
        then = brute.apply(after, answer.move)
        mine = worth(slug, then)[0]
        assert str(answer.evaluation.value) == {"win": "loss", "loss": "win", "draw": "draw"}[mine]
        assert answer.ends_match == (brute.result(then) is not None)
        if answer.ends_match:
            continue
        assert {meeting.move for meeting in answer.counters} == best_replies(slug, then)
        for meeting in answer.counters:
            assert meeting.ends_match == (brute.result(brute.apply(then, meeting.move)) is not None)
        losing = [move for move in brute.moves(then) if worth(slug, brute.apply(then, move))[0] == "win"]
        assert answer.is_risky == (bool(losing) and mine != "loss")


@GAMES
def test_every_clause_of_a_winning_plan_names_answers_and_a_reply_that_meets_each_of_them(slug: str) -> None:
    game, told = make(slug), 0
    for line in lines(slug):
        for choice in explain_moves(evaluator_for(game), Match(game, moves=line)):
            if choice.plan and choice.plan.value == WIN:
                told += 1
                check_clauses(choice.plan)
    assert told or slug == "binary-race-bits", "there nobody can force a win that takes more than a move"


def check_clauses(found: MovePlan) -> None:
    said = found.sentences()[0].removeprefix(f"{found.position}, ")
    open_answers = list(found.replies)
    for clause in said.removesuffix(" And so on.").removesuffix(".").split(". "):
        condition, met = re.fullmatch(r"(whatever your opponent does|[Ii]f .*|Otherwise), (.*)", clause).groups()  # type: ignore[union-attr]
        named = said_of(condition[3:], open_answers) if condition.lower().startswith("if ") else open_answers
        for answer in named:
            replies = {m.phrase.imperative + (" and win" if m.ends_match else "") for m in answer.counters}
            assert answer.ends_match if met == "they lose" else met in replies, clause
        open_answers = [answer for answer in open_answers if answer not in named]
    assert not open_answers or said.endswith(" And so on.")


def said_of(condition: str, answers: list[PlannedReply]) -> list[PlannedReply]:
    """The answers that are named so, in their order."""
    sizes = range(1, len(answers) + 1)
    found = [
        list(some)
        for n in sizes
        for some in combinations(answers, n)
        if condition
        in (
            f"your opponent {join_moves([a.phrase.third_person for a in some])}",
            f"they {join_moves([a.phrase.infinitive for a in some])}",
        )
    ]
    assert len(found) == 1, condition
    return found[0]


@GAMES
def test_no_hint_is_long(slug: str) -> None:
    game = make(slug)
    for line in lines(slug):
        match = Match(game, moves=line)
        if match.must_pass:
            continue
        view, advice = match.view(match.to_move), explain_moves(evaluator_for(game), match)
        said = hint_sentences(advice, [game.words.answer(view, choice.choice.move) for choice in advice])
        assert len(fold_lines(said, 80)) <= MOST_LINES, said


def test_a_law_makes_the_same_plan_as_a_table() -> None:
    for slug, moves in (("double-or-nothing", ["double"] * 3), ("binary-race-31", ["4", "8"])):
        game = make(slug)
        match, law = Match(game, moves=moves), game.evaluator()
        assert law
        assert explain_moves(law, match) == explain_moves(evaluator_for(game), match)


def answered(name: str, value: Value, *replies: str, ends: bool = False, risky: bool = False) -> PlannedReply:
    counters = tuple(CounterMove(reply, MovePhrase(f"{reply}ing", reply)) for reply in replies)
    return PlannedReply(name, MovePhrase(f"{name}ing", name), Evaluation(value, 3), ends, counters, risky)


def told(value: Value, *answers: PlannedReply) -> str:
    return MovePlan("There", value, answers).sentences()[0]


def test_answers_that_are_met_the_same_way_are_told_together() -> None:
    a, b, c = answered("a", LOSS, "x", "y"), answered("b", LOSS, "y"), answered("c", LOSS, "z")
    assert told(WIN, a, b, c) == "There, if your opponent cs, z. If they a or b, y."
    assert told(WIN, a, b) == "There, whatever your opponent does, y."
    assert told(WIN, c) == "There, if your opponent cs, z."
    many = [answered(name, LOSS, "y") for name in "defgh"]
    assert told(WIN, c, *many) == "There, if your opponent cs, z. Otherwise, y."
    assert told(WIN, c, answered("b", LOSS, ends=True)) == "There, if your opponent cs, z. If they b, they lose."


def test_what_would_be_too_much_goes_on() -> None:
    answers = [answered(name, LOSS, f"after {name}") for name in "abcdef"]
    said = told(WIN, *answers)
    assert said.lower().count("if ") == MAX_GROUPS
    assert said.endswith(". And so on.")
    many = told(LOSS, *[answered(name, WIN) for name in "abcdef"], answered("g", LOSS, "h"))
    assert many == "There, your opponent wins only by aing, bing, cing, ding or others, not by ging."


def test_a_lost_position_says_what_the_opponent_must_find() -> None:
    assert told(LOSS, answered("a", WIN), answered("b", WIN)) == "There, every reply wins for your opponent."
    assert told(LOSS, answered("a", WIN)) == "There, your opponent wins by aing."
    assert told(LOSS, answered("a", WIN), answered("b", DRAW)) == "There, your opponent wins only by aing, not by bing."


def test_a_drawn_position_says_where_care_is_needed() -> None:
    calm, risk = answered("a", DRAW, "x", "y"), answered("b", DRAW, "x", risky=True)
    assert told(DRAW, calm) == "There, whatever your opponent does, none of your replies loses."
    assert told(DRAW, calm, risk) == (
        "There, if your opponent bs, only xing holds the draw. Otherwise, none of your replies loses."
    )
    slip = answered("c", LOSS, "z", risky=True)
    assert told(DRAW, risk, slip) == (
        "There, if your opponent bs, only xing holds the draw. If they c, only zing wins."
    )


def test_moves_are_named_as_people_name_them() -> None:
    assert [join_moves(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert join_moves(["flipping bit 1", "flipping bit 3"]) == "flipping bit 1 or 3"
    assert join_moves(["flipping bit 1", "flipping bit 3", "going"]) == "flipping bit 1 or 3, or going"
    assert join_moves(["moving 1 step (to 3)", "moving 2 steps (to 4)"]) == "moving 1 step (to 3) or 2 steps (to 4)"


def test_a_move_that_ends_the_match_needs_no_plan() -> None:
    game = make("64")
    match = Match(game, moves=["double"] * 5)
    evaluator = evaluator_for(game)
    choice = next(each for each in evaluator.choices(match.view(match.to_move)) if each.move == "double")
    assert plan_move(evaluator, match, choice) is None
