"""The lesson of Binary Battle: how to search, what changes when somebody else searches too, and a plan."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from bitduel.core.evaluation import Evaluation, MoveProbabilities, Policy, PolicyEvaluator
from bitduel.core.lesson import (
    ROUNDING,
    ChoiceAnswer,
    ChoiceStep,
    EvaluationClaim,
    EvaluatorFor,
    Lesson,
    LessonMethod,
    LessonPosition,
    LessonStep,
    MatchStep,
    MoveStep,
)
from bitduel.core.phrases import frequency_phrase
from bitduel.core.view import View
from bitduel.games.binary_battle.rules import BITS, BattleRules

LAST = (1 << BITS) - 1
VALUE = Fraction(53385752187865, 78837601833728)
"""The win probability of the first player with perfect play; docs/theorems.md has the proof."""
PLAN_SECOND = Fraction(202935341462679, 630700814669824)
PLAIN_SECOND = Fraction(176123267557581, 630700814669824)
"""The win probabilities of the plan, and of plain binary search, as second against perfect play."""
OPENING = {"toggle 1": 0.604, "toggle 2": 0.291, "toggle 3": 0.105}
"""The probability of each first toggle when the first player plays perfectly."""
SEARCHED, TURN = "01011", 7


def binary_search(view: View) -> str:
    """Set the next bit from the left, and take it back if that was too much."""
    number, high = int(view.board.mine, 2), view.board.high
    bits = len(view.board.mine)
    if number > high:
        return f"toggle {bits - (number & -number).bit_length() + 1}"
    fits = [place for place in range(bits) if not number >> place & 1 and number + (1 << place) <= high]
    return f"toggle {bits - max(fits)}"


def taught_plan(view: View) -> str:
    """Open with bit 2; then go to the possible number in the middle, or beside it while some are left.

    Of the numbers that one toggle makes, those count that the secret can still be. Where there is none, it is the
    leftmost toggle after which the fewest toggles are needed to make one.
    """
    low, high = view.board.low, view.board.high
    bits, left = len(view.board.mine), high - low + 1
    numbers = {move: int(view.board.mine, 2) ^ 1 << bits - int(move.split()[1]) for move in view.legal}
    if left == 1 << bits:
        return view.legal[min(1, bits - 1)]
    possible = sorted(
        (move for move in numbers if low <= numbers[move] <= high), key=lambda m: abs(2 * numbers[m] - low - high)
    )
    if not possible:
        return min(
            numbers, key=lambda move: min((numbers[move] ^ secret).bit_count() for secret in range(low, high + 1))
        )
    few, many = _second_nearest_range(bits)
    return possible[min(1, len(possible) - 1)] if few <= left <= many else possible[0]


def _second_nearest_range(bits: int) -> tuple[int, int]:
    """Return from how many to how many numbers left the plan takes the second nearest to the middle."""
    return (1 << bits) // 4 - 1, (1 << bits) // 2 - 1


@dataclass(frozen=True)
class HitClaim:
    """The claim that a method hits a secret in this turn of its own, whatever the other does."""

    statement: str
    game: type[BattleRules]
    method: LessonMethod
    secret: str
    turn: int

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Play the search out; the other switches a bit on and off that never makes the secret."""
        idle = "toggle 2" if int(self.secret, 2) == 1 << len(self.secret) - 1 else "toggle 1"
        match = LessonPosition(self.game(bits=len(self.secret)), (), self.secret).match
        while not match.outcome and match.ply < 2 * self.turn:
            match.play(self.method(match.view(1)))
            if not match.outcome:
                match.play(idle)
        return bool(match.outcome and match.outcome.winner == 1 and match.ply == 2 * self.turn - 1)


@dataclass(frozen=True)
class ScoreClaim:
    """The claim that the first player wins this often, each with a method; None for perfect play."""

    statement: str
    game: type[BattleRules]
    first: LessonMethod | None
    second: LessonMethod | None
    score: float

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Compare with the exact score of both policies."""
        evaluator = evaluator_for(self.game())
        assert isinstance(evaluator, PolicyEvaluator)
        best = Policy(evaluator.policy, False)
        first, second = (_policy(method) if method else best for method in (self.first, self.second))
        return abs(evaluator.policy_value(first, second) - self.score) <= ROUNDING


@dataclass(frozen=True)
class OpeningClaim:
    """The claim that a perfect first player makes the first toggle with these probabilities."""

    statement: str
    game: type[BattleRules]
    shares: Mapping[str, float]

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Compare with the policy of the evaluator."""
        match = LessonPosition(self.game(), (), self.game().any_deal()).match
        policy = evaluator_for(match.game).policy(match.view(1))
        return set(policy) == set(self.shares) and all(abs(policy[m] - self.shares[m]) <= ROUNDING for m in policy)


def _policy(method: LessonMethod) -> Policy:
    def probabilities(view: View) -> MoveProbabilities:
        return {method(view): 1.0}

    return Policy(probabilities, True)


def _win_claim(position: LessonPosition, move: str, wins: float) -> EvaluationClaim:
    """Claim how often a toggle wins."""
    statement = f"'{move}' wins {frequency_phrase(wins)}."
    return EvaluationClaim(statement, (position,), Evaluation(win_probability=wins), move)


@cache
def battle_lesson(game: type[BattleRules]) -> Lesson:
    """Build six steps that end in a match with a plan, and three about why the plan is as it is."""
    steps = (*_search(game), *_race(game), _match(game), *_extra(game))
    return Lesson("Find the secret first", steps, taught_plan, is_sound=False)


def _after(game: type[BattleRules], deal: str, *toggles: int) -> LessonPosition:
    """Return a match after some toggles, those of both players in turn."""
    return LessonPosition(game(), tuple(f"toggle {bit}" for bit in toggles), deal)


def _search(game: type[BattleRules]) -> tuple[LessonStep, ...]:
    """Teach how to look for the secret if nobody else does."""
    start, high = _after(game, "00111"), _after(game, "00111", 1, 1)
    return (
        MoveStep(
            title="Toggle, then listen",
            text=(
                f"There is a secret {BITS}-bit number. Each turn, toggle one bit of your own number. You find out if "
                "it's less than or greater than the secret. Hit the secret first and you win.",
                "The bar shows the possible numbers.",
            ),
            question="Your number is 11100 (28). The secret is 29, 30 or 31. What do you toggle?",
            position=_after(game, "11101", 1, 2, 2, 3, 3, 1),
            right=("toggle 4", "toggle 5"),
            praise="That number could be the secret. Even if it isn't, you learn something.",
            wrong="That number can't be the secret. You used up a turn and learned nothing.",
            hint="Bit 4 is worth 2. Bit 5 is worth 1.",
        ),
        MoveStep(
            title="Start with a big bit",
            text=(
                f"At first, every number from 0 to {LAST} is possible. If you make 1 or 2, you learn almost nothing: "
                "the secret is nearly always greater.",
                "Bits 1, 2 and 3 make 16, 8 and 4. Those tell you more.",
            ),
            question="What do you toggle first? More than one answer is good.",
            position=start,
            right=("toggle 1", "toggle 2", "toggle 3"),
            praise="Bits 1, 2 and 3 are equally strong. With perfect play from here, you win "
            f"{frequency_phrase(float(VALUE))}.",
            wrong="That number is too small. It tells you almost nothing.",
            hint="Which bits are worth the most?",
            claims=(
                _win_claim(start, "toggle 1", float(VALUE)),
                ScoreClaim("Both players play perfectly.", game, None, None, float(VALUE)),
            ),
        ),
        MoveStep(
            title="Too big? Switch it off",
            text=(
                "You toggled bit 1 and made 16. That's greater than the secret, so the secret is between 0 and 15.",
                "All those numbers have bit 1 off.",
            ),
            question="Your number is 10000. What do you toggle?",
            position=high,
            right=("toggle 1",),
            praise="Now your number is 0, and 0 could be the secret, so the turn isn't wasted.",
            wrong="That makes your number even bigger. You'll have to switch bit 1 off anyway.",
            hint="Only one toggle makes your number smaller.",
        ),
        MoveStep(
            title="Count toggles, not distance",
            text=(
                "Your number is 20, and you know the secret is 19. That looks close. But in bits they are 10100 and "
                "10011.",
                "Three bits are different, so you are three toggles away. Only toggles count.",
            ),
            question="Which toggle leaves you the fewest toggles away? Three answers are good.",
            position=_after(game, "10011", 2, 1, 1, 1, 2, 1, 4, 1, 3, 1, 4, 1),
            right=("toggle 3", "toggle 4", "toggle 5"),
            praise="Now you are two toggles away.",
            wrong="That bit was already right. Now you are four toggles away.",
            hint="Compare 10100 and 10011, bit by bit.",
        ),
    )


def _race(game: type[BattleRules]) -> tuple[LessonStep, ...]:
    """Teach what happens if both search in the same way."""
    same_turn = "You'd both hit on the same turn number, but your opponent gets there first. Every time."
    return (
        ChoiceStep(
            title="Someone else is searching too",
            text=(
                "Your opponent goes first and uses a search that always works the same way. You copy it exactly.",
                "For every secret, you both need the same number of turns.",
            ),
            question="How often do you win?",
            position=_after(game, "00111", 1),
            answers=(
                ChoiceAnswer(
                    "Half the time",
                    same_turn,
                    ScoreClaim("The first player wins half.", game, binary_search, binary_search, 0.5),
                ),
                ChoiceAnswer(
                    "One time in three",
                    same_turn,
                    ScoreClaim("The first player wins two in three.", game, binary_search, binary_search, 2 / 3),
                ),
                ChoiceAnswer(
                    "Never",
                    "Your opponent always gets there first. So if you go second, don't copy: try different "
                    f"numbers. With perfect play, the second player wins {frequency_phrase(float(1 - VALUE))}.",
                    ScoreClaim("The first player always wins.", game, binary_search, binary_search, 1.0),
                    is_right=True,
                ),
            ),
            hint="You'd both hit on the same turn number. Who takes that turn first?",
        ),
    )


def _match(game: type[BattleRules]) -> LessonStep:
    few, many = _second_nearest_range(BITS)
    second = f"the second closest while {few} to {many} are possible"
    return MatchStep(
        title="A plan to follow",
        text=(
            "First, toggle bit 2. After that, find the possible numbers one toggle away. Make the one closest to the "
            f"middle of the bar ({second}).",
            "If there are none, choose the toggle that leaves you the fewest toggles from a possible number.",
        ),
        question="What do you toggle?",
        position=_after(game, "10110"),
        learner_seat=1,
        value=None,
        praise="You hit the secret first. Against perfect play, this plan wins "
        f"{frequency_phrase(float(VALUE))} if you go first. Nothing wins more often.",
        wrong="Another toggle wins more often here.",
        unlucky="Your opponent hit the secret first. You made no mistake; it was just bad luck.",
        hint=f"Bit 2 first. Then the possible number closest to the middle, or {second}. In a tie, use the leftmost "
        "bit.",
        claims=(ScoreClaim("The plan goes first against perfect play.", game, taught_plan, None, float(VALUE)),),
    )


def _extra(game: type[BattleRules]) -> tuple[LessonStep, ...]:
    """Teach what a search costs, how to go second, and to be unpredictable."""
    behind = _after(game, "11011", 1, 1, 2)
    percent = [round(100 * share) for share in OPENING.values()]
    percent[-1] = 100 - sum(percent[:-1])
    return (
        ChoiceStep(
            title="Extra: a search takes time",
            text=(
                "Plain binary search turns the bits on from the left. If the number gets too big, it turns the bit off "
                "again.",
                "So each 1 in the secret takes one turn. Each 0 to the left of the last 1 takes two. (00000 takes two "
                "turns.)",
            ),
            question=f"How many turns does {SEARCHED} take?",
            position=_after(game, SEARCHED),
            answers=tuple(
                ChoiceAnswer(
                    str(turn),
                    reply,
                    HitClaim(f"It hits {SEARCHED} on turn {turn}.", game, binary_search, SEARCHED, turn),
                    turn == TURN,
                )
                for turn, reply in (
                    (5, "There are five bits, but each 0 before the last 1 is turned on and off again."),
                    (TURN, "The three 1s take three turns, and the two 0s before the last 1 take four."),
                    (10, "That would be two turns for every bit, but a 1 takes only one."),
                )
            ),
            hint=f"{SEARCHED} has three 1s, and two 0s before the last of them.",
            claims=(
                HitClaim("It hits 10000 on turn 1.", game, binary_search, "10000", 1),
                HitClaim("It hits 00001 on turn 9.", game, binary_search, "00001", 9),
                HitClaim("It hits 00000 on turn 2.", game, binary_search, "00000", 2),
            ),
        ),
        MoveStep(
            title="Extra: look somewhere else",
            text=(
                "You go second. You toggled bit 1 and made 16, which is less than the secret. So the secret is between "
                "17 and 31.",
                "Your opponent has probably tried 24, the middle, before you. If so, 24 is not the secret.",
            ),
            question="Your number is 10000. What do you toggle? Two answers are best.",
            position=behind,
            right=("toggle 3", "toggle 4"),
            praise="That is not the middle, but near it. Your opponent is less likely to have tried it. If you go "
            f"second, the plan wins {float(PLAN_SECOND):.1%} of the time against perfect play, and plain binary search "
            f"only {float(PLAIN_SECOND):.1%}.",
            wrong="Other toggles win more often here.",
            wrong_by_move={"toggle 2": "That's 24, the number your opponent is most likely to have tried."},
            hint="Not the middle, and not the smallest step.",
            claims=(
                _win_claim(behind, "toggle 2", 0.3453),
                _win_claim(behind, "toggle 3", 0.3654),
                ScoreClaim(
                    "The plan goes second against perfect play.", game, None, taught_plan, float(1 - PLAN_SECOND)
                ),
                ScoreClaim(
                    "Plain binary search goes second against perfect play.",
                    game,
                    None,
                    binary_search,
                    float(1 - PLAIN_SECOND),
                ),
            ),
        ),
        ChoiceStep(
            title="Extra: be unpredictable",
            text=(
                "If you always search the same way, an opponent who knows that can beat you more often. So perfect "
                "play chooses its moves at random, with the right chances.",
                "Then knowing how you play doesn't help your opponent.",
            ),
            question="What does perfect play toggle first?",
            position=_after(game, "00111"),
            answers=(
                ChoiceAnswer(
                    "Bit 1, always",
                    "Then your opponent knows which number you tried first.",
                    OpeningClaim("Bit 1.", game, {"toggle 1": 1.0}),
                ),
                ChoiceAnswer(
                    "Bit 1, 2 or 3, at random",
                    f"It starts with bit 1 about {percent[0]}% of the time, bit 2 about {percent[1]}% and bit 3 "
                    f"about {percent[2]}%. So start with bit 1 or bit 3 now and then.",
                    OpeningClaim("Bit 1, 2 or 3.", game, OPENING),
                    True,
                ),
                ChoiceAnswer(
                    "Any bit, at random",
                    "Bits 4 and 5 make 2 and 1. They tell you too little.",
                    OpeningClaim("Any bit.", game, {f"toggle {bit}": 1 / BITS for bit in range(1, BITS + 1)}),
                ),
            ),
            hint="At random, but not the smallest bits.",
        ),
    )
