"""The lesson of Binary Race to 31: count the moves that are left, not the steps."""

from collections.abc import Iterable
from functools import cache

from bitduel.core.evaluation import LOSS, WIN, Evaluation, Value
from bitduel.core.lesson import (
    ChoiceAnswer,
    ChoiceStep,
    EvaluationClaim,
    Lesson,
    LessonPosition,
    LessonStep,
    MatchStep,
    MoveStep,
)
from bitduel.core.view import View
from bitduel.games.binary_race_31.rules import LENGTH as END
from bitduel.games.binary_race_31.rules import LONGEST, TrackRules, moves_needed

FAR, REST, EXACT_END = 40, 11, 41
EVEN = ("4", "8", "8", "4")
"""The moves that bring both tokens to 12."""
BEHIND = ("4", "8", "8", "8")
"""The moves to 12 against 16."""
PRECISE = ("16", "4", "4", "8")
"""The moves to 20 against 12."""


def method(view: View) -> str:
    """Make the longest legal move: it always takes a whole move off the moves that are left."""
    return max(view.legal, key=int)


class TrackClaims:
    """Positions on the track, and claims about them that the lesson makes."""

    def __init__(self, game: type[TrackRules]) -> None:
        self.game = game

    def after(self, *moves: str, **options: object) -> LessonPosition:
        """Return a race after some moves, those of both players in turn."""
        return LessonPosition(self.game(**options), moves)

    def needs(self, lengths: Iterable[int], moves: int, finish: str = "sample") -> EvaluationClaim:
        """Claim how many moves a race of each length takes: whoever starts wins with the last of them."""
        positions = tuple(self.after(length=length, finish=finish) for length in lengths)
        shown = ", ".join(str(position.game.options["length"]) for position in positions)
        return EvaluationClaim(
            f"{shown} steps need {moves} moves ({finish}).", positions, Evaluation(WIN, 2 * moves - 1)
        )


def value_of(position: LessonPosition, value: Value) -> EvaluationClaim:
    """Claim that the player to move wins, or loses."""
    return EvaluationClaim(
        f"After {', '.join(position.moves)} the player to move has a {value}.", (position,), Evaluation(value)
    )


@cache
def track_lesson(game: type[TrackRules]) -> Lesson:
    """Build nine steps: the count, the first move, and the end that must be hit exactly."""
    track = TrackClaims(game)
    steps = (*_counting(track), *_racing(track), *_exactly(track), *_matches(track))
    return Lesson("Count the moves, not the steps", steps, method)


def _counting(track: TrackClaims) -> tuple[LessonStep, ...]:
    return (
        MoveStep(
            title=f"First to {END}",
            text=(
                f"You each have a token on a track from 0 to {END}. On your turn, move 1, 2, 4, 8 or 16 steps.",
                f"The first player to reach or pass {END} wins.",
            ),
            question="You are at 16, and so is your opponent. Can you win right now?",
            position=track.after("16", "16"),
            right=("16",),
            praise=f"16 + 16 = 32, which is past {END}. You win.",
            wrong=f"You haven't reached {END} yet. Your opponent moves 16 steps and wins.",
            hint=f"You have {END - 16} steps to go. Which move is big enough?",
        ),
        ChoiceStep(
            title="Count moves, not steps",
            text=(
                f"The biggest move is {LONGEST} steps. With {LONGEST} or fewer to go you need one more move, with "
                f"{LONGEST + 1} to {2 * LONGEST} two, and so on.",
                f"A few steps more or less don't matter, unless they change how many {LONGEST}s you need.",
            ),
            question=f"On a longer track you have {FAR} steps to go. How many moves is that?",
            position=track.after(length=FAR),
            answers=(
                ChoiceAnswer("2", f"Two moves take you {2 * LONGEST} steps at most.", track.needs([FAR], 2)),
                ChoiceAnswer(
                    "3",
                    f"Two moves take you {2 * LONGEST} steps, and the third gets you there.",
                    track.needs([FAR], 3),
                    True,
                ),
                ChoiceAnswer(
                    "5", f"That's with moves of 8 steps. With {LONGEST} you need fewer.", track.needs([FAR], 5)
                ),
            ),
            hint=f"How many times does {LONGEST} go into {FAR}, and is anything left over?",
            claims=tuple(
                track.needs(range(LONGEST * (moves - 1) + 1, LONGEST * moves + 1), moves)
                for moves in range(1, moves_needed(FAR, exact=False) + 1)
            ),
        ),
    )


def _racing(track: TrackClaims) -> tuple[LessonStep, ...]:
    behind, even = track.after(*BEHIND), track.after(*EVEN)
    return (
        ChoiceStep(
            title="Who is ahead?",
            text=(
                "You can't block each other. All that matters is how many moves each of you still needs.",
                "If it's your turn, you get there first unless your opponent needs fewer moves than you.",
            ),
            question="You are at 12, your opponent is at 16, and it's your turn. Who wins?",
            position=behind,
            answers=(
                ChoiceAnswer(
                    "You",
                    f"You have {END - 12} steps to go, so you need two moves. Your opponent has {END - 16} and needs "
                    "one.",
                    value_of(behind, WIN),
                ),
                ChoiceAnswer(
                    "Your opponent",
                    f"You need two moves for {END - 12} steps, and your opponent needs one for {END - 16}.",
                    value_of(behind, LOSS),
                    True,
                ),
                ChoiceAnswer(
                    "It could go either way",
                    "Whatever you do, your opponent needs only one move, and makes it.",
                    value_of(behind, Value.DRAW),
                ),
            ),
            hint=f"You have {END - 12} steps to go. Is that one move or two?",
        ),
        MoveStep(
            title="Don't waste a move",
            text=(
                f"You are both at 12, with {END - 12} steps to go: two moves each. It's your turn, so you can win.",
                f"After this move you must need only one more. So leave {LONGEST} steps or fewer. (If you needed three "
                f"moves, you would leave {2 * LONGEST} or fewer.)",
            ),
            question="What do you play? More than one move is good.",
            position=even,
            right=("4", "8", "16"),
            praise="Now you need one more move, and your opponent still needs two.",
            wrong=f"You still have more than {LONGEST} steps to go, so you need two moves. Now your opponent is ahead.",
            hint=f"You have {END - 12} steps to go. Get that down to {LONGEST} or fewer.",
            claims=(value_of(even, WIN),),
        ),
        MoveStep(
            title="The first move",
            text=(
                f"At the start you both have {END} steps to go, so two moves each. The first player is ahead, but only "
                "just.",
                f"After a good move you need only one more. If more than {LONGEST} steps are left, you still need two.",
            ),
            question="You go first. What do you play?",
            position=track.after(),
            right=("16",),
            praise=f"You have {END - 16} steps to go, so you need one more move. Your opponent can't catch up.",
            wrong=f"You have more than {LONGEST} steps to go and still need two moves. Your opponent moves 16 and "
            "needs only one more.",
            hint=f"Which move leaves {LONGEST} steps or fewer?",
        ),
    )


def _exactly(track: TrackClaims) -> tuple[LessonStep, ...]:
    """Teach the variant in which the end may not be passed: there the parts of a binary number count."""
    position = track.after(*PRECISE, finish="exact")
    digits = f"{REST:b}"
    return (
        ChoiceStep(
            title="Land exactly on the end",
            text=(
                "In another version you must land exactly on the end. Now count in another way.",
                "Take the biggest move that fits, again and again, until nothing is left. For 21 steps that is 16, 4 "
                "and 1: three moves.",
            ),
            question=f"You must land exactly. You have {REST} steps to go. How many moves do you need?",
            position=track.after(length=REST, finish="exact"),
            answers=(
                ChoiceAnswer("1", f"There is no move of {REST} steps.", track.needs([REST], 1, "exact")),
                ChoiceAnswer("2", "8 + 2 is only 10, and 8 + 4 is already 12.", track.needs([REST], 2, "exact")),
                ChoiceAnswer(
                    str(moves_needed(REST, exact=True)),
                    "8, 2 and 1. Fewer moves can't make 11.",
                    track.needs([REST], moves_needed(REST, exact=True), "exact"),
                    True,
                ),
            ),
            hint="Start with 8. How many steps are left then?",
            claims=tuple(track.needs([length], moves_needed(length, exact=True), "exact") for length in range(1, 64)),
        ),
        MoveStep(
            title="Use one of your moves",
            text=(
                f"You have {REST} steps to go: 8 + 2 + 1. Your opponent has 19: 16 + 2 + 1. Three moves each.",
                f"In binary, {REST} is {digits}: a 1 for each move you use, a 0 for the 4.",
                "Play one, and two are left.",
            ),
            question="You must land exactly. What do you play?",
            position=position,
            right=("1", "2", "8"),
            praise="Now you need only two more moves, and your opponent still needs three.",
            wrong=f"There is no 4 in {REST} = 8 + 2 + 1. You have 7 steps to go, 4 + 2 + 1: still three moves.",
            hint=f"{REST} is 8 + 2 + 1. Use one of these.",
            claims=(value_of(position, WIN),),
        ),
    )


def _matches(track: TrackClaims) -> tuple[LessonStep, ...]:
    needed_at_last = moves_needed(EXACT_END, exact=True)
    return (
        MatchStep(
            title="A whole race",
            text=(
                f"Back to the usual game: the track ends at {END}, and you may pass the end.",
                "You go first, and your opponent never makes a mistake.",
            ),
            question="What do you play?",
            position=track.after(),
            learner_seat=1,
            value=WIN,
            praise="You win. If you go first and always move 16, nobody can catch you.",
            wrong="That wastes a move.",
            hint=f"Leave {LONGEST} steps or fewer, so that you need only one more move.",
        ),
        MatchStep(
            title="A longer race, with an exact finish",
            text=(
                f"The track ends at {EXACT_END}, and you may not pass the end. {EXACT_END} is 16 + 16 + 8 + 1, so you "
                f"need {needed_at_last} moves.",
                "You go first. The biggest move that fits is always good.",
            ),
            question="What do you play?",
            position=track.after(length=EXACT_END, finish="exact"),
            learner_seat=1,
            value=WIN,
            praise="You win, just by counting. If you go first, it works on a track of any length.",
            wrong="That wastes a move. You need as many as before.",
            hint="Choose the biggest move that doesn't go past the end.",
            claims=(track.needs([EXACT_END], needed_at_last, "exact"),),
        ),
    )
