"""The lesson of Binary Race with bits: why nobody can force a full row, and how people lose anyway."""

from dataclasses import dataclass
from functools import cache

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.game import WON
from bitduel.core.lesson import (
    ChoiceAnswer,
    ChoiceStep,
    EvaluationClaim,
    EvaluatorFor,
    Lesson,
    LessonPosition,
    LessonStep,
    MatchStep,
    MoveStep,
)
from bitduel.core.match import other_seat
from bitduel.core.view import View
from bitduel.games.binary_race_bits.rules import BITS, BitsRules
from bitduel.games.binary_race_bits.words import places, spaced

FULL = ("flip 4", "flip 2", "flip 3", "flip 3", "flip 2", "flip 1")
"""The moves to 0 1 1 1 against 1 1 1 0."""
THREAT = ("flip 2", "flip 3", "flip 3", "flip 2", "flip 1")
"""The moves to 0 1 1 0 against 1 1 1 0, with the other to move."""
EMPTY = ("flip 2", "flip 2", "reset 2")
"""The moves to 0 0 0 0 against 0 1 0 0, with the other to move."""
WIDE = ("flip 2", "flip 4", "flip 3", "flip 3", "flip 4", "flip 5", "flip 5", "flip 2", "flip 6")
"""The moves to 0 1 1 1 1 0 against 0 1 1 1 1 1, with the other to move."""
TURNS = 8


def method(view: View) -> str:
    """Fill the row if you can; if the other is about to, reset the bit beside the missing one; else flip."""
    mine, theirs = view.board.mine, view.board.theirs
    flips = places(view, "flip")
    if mine.count("0") == 1 and flips:
        return f"flip {flips[0]}"
    if theirs.count("0") == 1:
        missing = theirs.index("0") + 1
        return f"reset {2 if missing == 1 else missing - 1}"
    return f"flip {flips[0]}" if flips else view.legal[0]


@cache
def bits_lesson(game: type[BitsRules]) -> Lesson:
    """Build eight steps: the win, the defence, why it always works, and a match to hold."""
    steps = (*_three_of_four(game), *_nobody(game), _empty_row(game), *_readings(game), _hold(game))
    return Lesson("Nobody can force a win", steps, method)


def _three_of_four(game: type[BitsRules]) -> tuple[LessonStep, ...]:
    """Teach the only win and the only defence."""
    return (
        MoveStep(
            title="Fill your row",
            text=(
                f"You each have {BITS} bits in a row. Each turn, flip one of your bits to 1, or reset one of your "
                "opponent's to 0. You can only flip next to a 1 (on your first turn, anywhere).",
                "Fill your row with 1s and you win.",
            ),
            question=f"You have {spaced('0111')}. Can you win right now?",
            position=LessonPosition(game(), FULL),
            right=("flip 1",),
            praise=f"{spaced('1111')}. You win.",
            wrong="You could have won right away. Now your opponent resets one of your bits.",
            hint="Only one bit is missing, and it's next to a 1.",
        ),
        MoveStep(
            title="All but one",
            text=(
                f"Your opponent has {spaced('1110')} and will flip the last bit next turn. You have {spaced('0110')}.",
                "A 1 between two 1s is safe. The 1s at the ends of the block are not.",
            ),
            question="What do you play? Two moves are good.",
            position=LessonPosition(game(), THREAT),
            right=("reset 1", "reset 3"),
            praise="Only two 1s are left. Your opponent needs two turns again.",
            wrong="You kept building, and your opponent filled the row. That's how people lose this game.",
            hint="Reset a bit at an end of the block.",
            claims=(_drawn(LessonPosition(game(), THREAT)),),
        ),
    )


def _drawn(*positions: LessonPosition) -> EvaluationClaim:
    return EvaluationClaim("With perfect play nobody wins.", positions, Evaluation(DRAW))


@dataclass(frozen=True)
class FillClaim:
    """The claim that these seats, and no others, can ever fill their row when Player 1 starts."""

    statement: str
    game: type[BitsRules]
    seats: frozenset[int]

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Search everything that can be played."""
        game = self.game()
        winners, queue = set(), [(game.start(), 1)]
        seen = set(queue)
        for position, seat in queue:
            winners |= {other_seat(seat)} if game.verdict(position) == WON else set()
            legal = [move for move in game.moves if game.legal(position, move)]
            fresh = {(game.play(position, move), other_seat(seat)) for move in legal} - seen
            seen |= fresh
            queue += fresh
        return winners == self.seats


def _nobody(game: type[BitsRules]) -> tuple[LessonStep, ...]:
    """Teach why nobody can force a win, and who can win at all."""
    start = LessonPosition(game())
    sizes = tuple(LessonPosition(game(bits=bits)) for bits in range(2, 9))
    return (
        ChoiceStep(
            title="Can anybody force a win?",
            text=(
                "A flip adds a 1 next to a 1. A reset takes one from an end. So the 1s in a row always form one block.",
                "If one bit is missing, the other player can reset the 1 next to it. Then two bits are missing again.",
            ),
            question="If both play perfectly, who fills their row?",
            position=start,
            answers=(
                ChoiceAnswer(
                    "The first player",
                    "As soon as one bit is missing, the opponent resets an end of the block.",
                    EvaluationClaim("The first player wins.", (start,), Evaluation(WIN)),
                ),
                ChoiceAnswer(
                    "The second player",
                    "As soon as one bit is missing, the opponent resets an end of the block.",
                    EvaluationClaim("The second player wins.", (start,), Evaluation(LOSS)),
                ),
                ChoiceAnswer(
                    "Nobody",
                    "Each player can always push the other back to two missing bits. This works with any number "
                    "of bits from 2 up.",
                    _drawn(start, *sizes),
                    is_right=True,
                ),
            ),
            hint="What does your opponent do when you are only one bit short?",
        ),
        ChoiceStep(
            title="Who can win at all?",
            text=(
                "On every turn you flip a 1 or reset one of theirs. Either way, you gain one on your opponent.",
                "So after the first player's turns, the first player is one ahead. After the second player's turns, "
                "both rows have the same number of 1s.",
            ),
            question="If somebody makes a mistake, who can fill their row?",
            position=start,
            answers=(
                ChoiceAnswer(
                    "Either player",
                    "After each of the second player's turns, both have the same number of 1s. So both rows would be "
                    "full.",
                    FillClaim("Either.", game, frozenset({1, 2})),
                ),
                ChoiceAnswer(
                    "Only the first player",
                    "The second player can only catch up, never get ahead. So they can't fill a row first.",
                    FillClaim("Only the first player.", game, frozenset({1})),
                    is_right=True,
                ),
                ChoiceAnswer(
                    "Only the second player",
                    "After each of the second player's turns, both have the same number of 1s. So both rows would be "
                    "full.",
                    FillClaim("Only the second player.", game, frozenset({2})),
                ),
            ),
            hint="When the second player has four 1s, how many does the first player have?",
        ),
    )


def _empty_row(game: type[BitsRules]) -> LessonStep:
    empty = LessonPosition(game(), EMPTY)
    answers = (
        ("A win", "You have no 1 to build on, so your row stays empty.", WIN),
        ("A draw", "You reset it, and neither of you can move. That's a stalemate, which is a draw.", DRAW),
        ("A loss", "You can do better: you can reset your opponent's only 1.", LOSS),
    )
    return ChoiceStep(
        title="An empty row",
        text=(
            "Your opponent has reset your only 1. Your first turn is over, and you have no 1 to flip next to. So you "
            "can't flip.",
            f"But your opponent has only {spaced('0100')}, and you can reset that.",
        ),
        question="What is the best result you can get?",
        position=empty,
        answers=tuple(
            ChoiceAnswer(text, reply, EvaluationClaim(f"It is a {value}.", (empty,), Evaluation(value)), value == DRAW)
            for text, reply, value in answers
        ),
        hint="If you reset it, neither player has a 1.",
    )


def _readings(game: type[BitsRules]) -> tuple[LessonStep, ...]:
    """Teach the same rule with another edge and with longer rows."""
    strict = LessonPosition(game(edge="strict"), THREAT)
    wide = LessonPosition(game(bits=6), WIDE)
    return (
        MoveStep(
            title="The bit next to the missing one",
            text=(
                "In the strict-edge variant, a bit at the edge is safe while its neighbour is 1. So you can't always "
                "reset both ends of the block.",
                "But you can always reset the bit next to the missing one.",
            ),
            question=f"Your opponent has {spaced('1110')}. What do you play?",
            position=strict,
            right=("reset 3",),
            praise="Reset the bit next to the missing one. That works in every variant.",
            wrong="Your opponent flips bit 4 and fills their row.",
            hint="Bit 4 is missing. Which bit is next to it?",
            claims=(_drawn(strict),),
        ),
        MoveStep(
            title="Longer rows",
            text=(
                "With six bits it takes longer, but nothing changes: check how many bits your opponent still needs.",
                f"You have {spaced('011110')}, which is four 1s. It's tempting to make it five.",
            ),
            question=f"Your opponent has {spaced('011111')}. What do you play?",
            position=wide,
            right=("reset 2", "reset 6"),
            praise="One bit missing is the danger sign, whatever the size. Until then, any move is safe.",
            wrong="Five out of six is no good if your opponent has all six.",
            hint="How many bits does your opponent still need?",
            claims=(_drawn(wide),),
        ),
    )


def _hold(game: type[BitsRules]) -> LessonStep:
    return MatchStep(
        title="Hold the draw",
        text=(
            "You go second, so the best you can do is draw. Your opponent plays perfectly. Don't lose for "
            f"{TURNS} turns.",
            "(When you go first, keep making three out of four. If your opponent isn't careful, you fill your row.)",
        ),
        question="What do you play?",
        position=LessonPosition(game()),
        learner_seat=2,
        value=DRAW,
        turns=TURNS,
        praise="You held the draw against perfect play. Nobody can do better.",
        wrong="Your opponent was one bit short, and you didn't stop it.",
        hint="If your opponent is one bit short, reset the bit next to the missing one. Otherwise, any move is safe.",
    )
