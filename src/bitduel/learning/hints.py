"""Hints: the best moves and why, how the opponent's replies are met, and what is wrong with other moves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Evaluator, MoveEvaluation, Value, best_choices
from bitduel.core.game import PASS
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import REPETITION
from bitduel.core.phrases import MovePhrase, evaluation_phrase, frequency_phrase, join_moves, join_with_or, moves_phrase
from bitduel.solver.evaluators import TableEvaluator

MAX_GROUPS = 3
"""The most groups of replies in a hint, which is read between two moves."""

MAX_NAMED = 4
"""Moves that are named in one clause."""

ALIKE = 0.01
"""Expected scores that differ by less are the same to a person."""

LATER = ", and gives a careless opponent more chances to go wrong"


class CounterMove(NamedTuple):
    """A best answer to a reply of the opponent."""

    move: str
    phrase: MovePhrase
    ends_match: bool = False


class PlannedReply(NamedTuple):
    """A reply of the opponent, its evaluation for the opponent, and the best answers to it."""

    move: str
    phrase: MovePhrase
    evaluation: Evaluation
    ends_match: bool = False
    counters: tuple[CounterMove, ...] = ()
    is_risky: bool = False
    """Whether another answer would give away what the best ones keep."""


class MovePlan(NamedTuple):
    """The position after a move, the value of the move, every reply to it, and the reason by a law of the game."""

    position: str
    value: Value
    replies: tuple[PlannedReply, ...]
    reason: str = ""

    def sentences(self) -> list[str]:
        """Return the plan in a few sentences."""
        clauses = {WIN: _winning_clauses, DRAW: _drawing_clauses, LOSS: _losing_clauses}[self.value](self.replies)
        plan = " ".join([f"{self.position}, {clauses[0]}.", *(f"{_capitalised(clause)}." for clause in clauses[1:])])
        return [line for line in (plan, self.reason) if line]


class GradedHint(NamedTuple):
    """A hint in three steps: where to look, how the player to move stands, and the move with its reasons."""

    question: str
    clue: str
    answer: list[str]

    @property
    def steps(self) -> list[list[str]]:
        """The lines of each step."""
        return [[self.question], [self.clue], self.answer]


class MoveAdvice(NamedTuple):
    """A move with its evaluation, its words, and what follows from it."""

    choice: MoveEvaluation
    gerund: str
    ends_match: bool = False
    ending: str = ""
    """The reason of the draw, if the move ends the match in one."""
    traps: tuple[int, int] = (0, 0)
    """In a drawn position, how many of the opponent's replies lose, and how many replies there are."""
    prospect: float = 0.0
    """In a drawn position, the expected score against a careless opponent, where a table of all positions has it."""
    reply: str | None = None
    """The result of the best reply for the opponent, and the reply: 'win by doubling to 20'."""
    plan: MovePlan | None = None
    """The continuation after one of the best moves."""
    remark: str = ""
    """A remark of the game on the move, from what its player may see."""


def explain_moves(evaluator: Evaluator, match: Match) -> list[MoveAdvice]:
    """Return every legal move with its evaluation and, if nothing is hidden, the best reply; one with a plan."""
    assert match.to_move is not None
    prospects = _prospects(evaluator, match)
    advice = [
        _advice(evaluator, match, choice)._replace(prospect=prospects.get(choice.move, 0.0))
        for choice in evaluator.choices(match.view(match.to_move))
    ]
    named = recommended(advice)
    first = next(c.move for c in best_choices([each.choice for each in advice]) if c.move in named)
    return [_with_reasons(evaluator, match, each) if each.choice.move == first else each for each in advice]


def _prospects(evaluator: Evaluator, match: Match) -> dict[str, float]:
    """Return the expected score of each move of a drawn position against an opponent who plays at random."""
    if not isinstance(evaluator, TableEvaluator):
        return {}
    values = evaluator.move_values_at(match.view(match.to_move))
    is_drawn = not (values.legal & (values.sign > 0)).any() and values.draws.any()
    return dict(zip(match.game.moves, values.expected_scores()[0].tolist(), strict=True)) if is_drawn else {}


def _with_reasons(evaluator: Evaluator, match: Match, advice: MoveAdvice) -> MoveAdvice:
    """Return advice with what follows from the move, or in a game of chance with a remark on it."""
    if match.game.has_chance:
        return advice._replace(remark=match.game.words.remark(match.view(match.to_move), advice.choice.move))
    return advice._replace(plan=plan_move(evaluator, match, advice.choice))


def plan_move(evaluator: Evaluator, match: Match, choice: MoveEvaluation) -> MovePlan | None:
    """Return what a move leaves and how every reply to it is met; None if the move ends the match."""
    seat, value, words = match.to_move, choice.evaluation.value, match.game.words
    after = match.after(choice.move)
    if after.outcome or value is None or seat is None:
        return None
    position = words.position_phrase(after.view(seat)) or f"After {_phrase(match, choice.move).gerund}"
    replies = tuple(_reply(evaluator, after, reply) for reply in evaluator.choices(after.view(after.to_move)))
    # The law that explains a win is about the position left to the opponent.
    reason = words.reason((after if value == WIN else match).view(seat))
    return MovePlan(position, value, replies, reason)


def _advice(evaluator: Evaluator, match: Match, choice: MoveEvaluation) -> MoveAdvice:
    gerund = _phrase(match, choice.move).gerund
    if match.game.has_chance:
        return MoveAdvice(choice, gerund)
    after = match.after(choice.move)
    if after.outcome:
        return MoveAdvice(choice, gerund, ends_match=True, ending=drawn_ending(match, choice.move))
    traps = _traps(evaluator, after) if choice.evaluation.value == DRAW else (0, 0)
    return MoveAdvice(choice, gerund, traps=traps, reply=_best_reply_phrase(evaluator, after))


def drawn_ending(match: Match, move: str) -> str:
    """Return how a move ends a match in a draw, as a clause; empty where it does not."""
    outcome = match.after(move).outcome
    if outcome is None or outcome.winner is not None:
        return ""
    if outcome.reason == REPETITION:
        return "ends the match in a draw, because the same position comes up again"
    return f"ends the match in a draw ({outcome.reason})"


def _traps(evaluator: Evaluator, after: Match) -> tuple[int, int]:
    """Return how many replies to a move lose, and how many there are; a forced reply is no trap."""
    replies = evaluator.choices(after.view(after.to_move))
    return sum(reply.evaluation.value == LOSS for reply in replies), len(replies)


def _best_reply_phrase(evaluator: Evaluator, match: Match) -> str | None:
    assert match.to_move
    if match.must_pass:
        return None
    view = match.view(match.to_move)
    reply = best_choices(evaluator.choices(view))[0]
    value, plies, _ = reply.evaluation
    result = f"win{moves_phrase(plies) if plies != 1 else ''}" if value == WIN else "draw"
    return f"{result} by {_phrase(match, reply.move).their_gerund}"


def _reply(evaluator: Evaluator, match: Match, reply: MoveEvaluation) -> PlannedReply:
    """Return a reply of the opponent with all the moves that meet it best."""
    phrase = _phrase(match, reply.move)
    after = match.after(reply.move)
    if after.outcome:
        return PlannedReply(reply.move, phrase, reply.evaluation, ends_match=True)
    choices = evaluator.choices(after.view(other_seat(match.next_seat)))
    best = best_choices(choices)
    counters = tuple(CounterMove(c.move, _phrase(after, c.move), bool(after.after(c.move).outcome)) for c in best)
    is_risky = best[0].evaluation.value != LOSS and any(each.evaluation.value == LOSS for each in choices)
    return PlannedReply(reply.move, phrase, reply.evaluation, False, counters, is_risky)


def _phrase(match: Match, move: str) -> MovePhrase:
    """Return a move of the player to move in words."""
    if move == PASS:
        return MovePhrase("passing", "pass")
    return match.game.words.move_phrase(match.view(match.to_move), move)


def graded_hint(match: Match, advice: Sequence[MoveAdvice], answers: Sequence[str]) -> GradedHint:
    """Return the hint for the player to move; answers are what to type for each move."""
    question = match.game.words.question(match.view(match.to_move))
    return GradedHint(question, clue([each.choice for each in advice]), hint_sentences(advice, answers))


def clue(choices: Sequence[MoveEvaluation]) -> str:
    """Return how the player to move stands, and how many moves keep that, without naming one."""
    best = best_choices(choices)[0].evaluation
    if best.win_probability is not None:
        return f"Your best move wins {best.win_probability:.0%} of the time. Which one is it?"
    keeping = sum(choice.evaluation.value == best.value for choice in choices)
    count = "Every move keeps it." if keeping == len(choices) else f"{keeping} of your {len(choices)} moves keep it."
    if keeping == 1:
        count = "Only one move keeps it." if len(choices) > 1 else "You have only one move."
    if best.value == WIN:
        return f"You can force a win. {count}"
    if best.value == DRAW:
        return f"Nobody can force a win. You can hold the draw. {count}"
    return "Your opponent can force a win from here. Make it as hard as you can."


def recommended(advice: Sequence[MoveAdvice]) -> set[str]:
    """Return the best moves; of those that keep a draw, those after which most replies go wrong, now or later."""
    best = {choice.move for choice in best_choices([each.choice for each in advice])}
    equal = [each for each in advice if each.choice.move in best]
    if equal[0].choice.evaluation.value != DRAW:
        return best
    playing_on = [each for each in equal if not each.ends_match] or equal
    most = max(_trap_share(each) for each in playing_on)
    trapping = [each for each in playing_on if _trap_share(each) == most]
    least = max(each.prospect for each in trapping) - ALIKE
    return {each.choice.move for each in trapping if each.prospect >= least}


def _trap_share(advice: MoveAdvice) -> Fraction:
    losing, replies = advice.traps
    return Fraction(losing, replies or 1)


def hint_sentences(advice: Sequence[MoveAdvice], answers: Sequence[str]) -> list[str]:
    """Return the best moves and why, then what is wrong with the others; answers are what to type for each move."""
    best = {choice.move for choice in best_choices([each.choice for each in advice])}
    named = recommended(advice)
    names = [answer for answer, each in zip(answers, advice, strict=True) if each.choice.move in named]
    order = sorted(advice, key=lambda each: -(each.choice.evaluation.win_probability or 0))
    right = [each for each in order if each.choice.move in best]
    wrong = [each for each in order if each.choice.move not in best]
    is_better_later = len({_trap_share(each) for each in right if not each.ends_match}) == 1 and any(
        each.choice.move not in named and not each.ends_match for each in right
    )
    praise = [
        (each.gerund, _praise(each, _probabilities(wrong)) + LATER * (is_better_later and each.choice.move in named))
        for each in right
    ]
    blame = [(each.gerund, _blame(each, _probabilities(right))) for each in wrong]
    plans = [line for each in advice if each.plan for line in each.plan.sentences()]
    remarks = [each.remark for each in advice if each.remark]
    opening = f"Best: {join_with_or(names)}."
    if len(advice) > 1 and len(named) == len(advice) and right[0].choice.evaluation.value == DRAW:
        opening, praise = "Every move keeps the draw, and none is better than another.", []
    return [opening, *_sentences(praise), *plans, *remarks, *_sentences(blame)]


def _probabilities(advice: Sequence[MoveAdvice]) -> list[float]:
    probabilities = (each.choice.evaluation.win_probability for each in advice)
    return [probability for probability in probabilities if probability is not None]


def _praise(advice: MoveAdvice, others: Sequence[float]) -> str:
    evaluation = advice.choice.evaluation
    if evaluation.win_probability is not None:
        return f"wins {frequency_phrase(evaluation.win_probability, others)}"
    if advice.ends_match and evaluation.value == WIN:
        return "wins"
    if evaluation.value == WIN:
        return f"{evaluation_phrase(evaluation)}, whatever your opponent does"
    if advice.ending:
        return advice.ending
    if evaluation.value == DRAW:
        return "keeps the draw" + _trap_phrase(*advice.traps)
    return f"{evaluation_phrase(evaluation)} against perfect play, but no other move lasts longer"


def _trap_phrase(losing: int, replies: int) -> str:
    if not losing:
        return ""
    if losing == 1:
        return f" and sets a trap: one of {replies} replies loses"
    return f" and sets a trap: {losing} of {replies} replies lose"


def _blame(advice: MoveAdvice, others: Sequence[float]) -> str:
    evaluation = advice.choice.evaluation
    if evaluation.win_probability is not None:
        return f"wins {frequency_phrase(evaluation.win_probability, others)}"
    if evaluation.value == WIN and not advice.ends_match:
        return f"{evaluation_phrase(evaluation)}, but another move is faster"
    if advice.ending:
        return advice.ending
    if advice.ends_match or advice.reply is None:
        return evaluation_phrase(evaluation)
    return f"lets your opponent {advice.reply}"


def _sentences(clauses: list[tuple[str, str]]) -> list[str]:
    """Return one sentence for all moves that share a clause."""
    gerunds: dict[str, list[str]] = {}
    for gerund, clause in clauses:
        gerunds.setdefault(clause, []).append(gerund)
    return [_capitalised(f"{join_moves(moves)} {clause}.") for clause, moves in gerunds.items()]


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


class _Group(NamedTuple):
    """Replies that call for the same, and the clause that says what."""

    replies: Sequence[PlannedReply]
    clause: str


def _winning_clauses(replies: Sequence[PlannedReply]) -> list[str]:
    ended = [reply for reply in replies if reply.ends_match]
    groups = _grouped_by_counter([reply for reply in replies if not reply.ends_match])
    if len(groups) == 1 and not ended and len(replies) > 1:
        return [f"whatever your opponent does, {groups[0].clause}"]
    return _clauses([*groups, *([_Group(ended, "they lose")] if ended else [])], are_all=True)


def _grouped_by_counter(replies: Sequence[PlannedReply]) -> list[_Group]:
    """Return few groups, chosen greedily: one answer meets all replies of a group."""
    left, groups = list(replies), []
    while left:
        counters = dict.fromkeys(counter for reply in left for counter in reply.counters)
        best = max(counters, key=lambda counter: sum(counter in reply.counters for reply in left))
        clause = best.phrase.imperative + (" and win" if best.ends_match else "")
        groups.append(_Group([reply for reply in left if best in reply.counters], clause))
        left = [reply for reply in left if best not in reply.counters]
    return groups


def _losing_clauses(replies: Sequence[PlannedReply]) -> list[str]:
    winning = [reply.phrase.their_gerund for reply in replies if reply.evaluation.value == WIN]
    others = [reply.phrase.their_gerund for reply in replies if reply.evaluation.value != WIN]
    if others:
        return [f"your opponent wins only by {_named(winning)}, not by {_named(others)}"]
    return ["every reply wins for your opponent" if len(replies) > 1 else f"your opponent wins by {_named(winning)}"]


def _drawing_clauses(replies: Sequence[PlannedReply]) -> list[str]:
    """Return which replies need care, and which do not."""
    risky = [reply for reply in replies if reply.is_risky]
    if not risky:
        return ["whatever your opponent does, none of your replies loses"]
    alike: dict[tuple[str, tuple[CounterMove, ...]], list[PlannedReply]] = {}
    for reply in risky:
        verb = "wins" if reply.evaluation.value == LOSS else "holds the draw"
        alike.setdefault((verb, reply.counters), []).append(reply)
    groups = [
        _Group(group, f"only {_named([counter.phrase.gerund for counter in counters])} {verb}")
        for (verb, counters), group in alike.items()
    ]
    is_partial = len(risky) < len(replies) and len(groups) <= MAX_GROUPS
    return _clauses(groups, are_all=False) + (["otherwise, none of your replies loses"] if is_partial else [])


def _clauses(groups: Sequence[_Group], are_all: bool) -> list[str]:
    """Return a clause for each group, small groups first; the last of all replies may be 'otherwise'."""
    order = sorted(groups, key=lambda group: len(group.replies))
    clauses = [_conditional(group, is_first=place == 0) for place, group in enumerate(order[:MAX_GROUPS])]
    if are_all and 1 < len(order) <= MAX_GROUPS and len(order[-1].replies) > 2:
        clauses[-1] = f"otherwise, {order[-1].clause}"
    return clauses + (["and so on"] if len(order) > MAX_GROUPS else [])


def _conditional(group: _Group, is_first: bool) -> str:
    """Return 'if your opponent doubles to 6, double to 12'; after the first such clause, 'if they double to 6'."""
    if is_first:
        return f"if your opponent {_named([reply.phrase.third_person for reply in group.replies])}, {group.clause}"
    return f"if they {_named([reply.phrase.infinitive for reply in group.replies])}, {group.clause}"


def _named(phrases: Sequence[str]) -> str:
    named = list(dict.fromkeys(phrases))
    return join_moves(named if len(named) <= MAX_NAMED else [*named[:MAX_NAMED], "others"])
