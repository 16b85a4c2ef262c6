"""The lesson of Binary Race to 31: count the moves that are left, not the steps."""

from collections.abc import Iterable
from functools import cache

from bitduel.core.evaluation import LOSS, WIN, Evaluation, Value
from bitduel.core.lesson import Answer, Choose, Lesson, Play, Stand, Step, Try, Worthy
from bitduel.core.view import View
from bitduel.games.binary_race_31.law import LONGEST, needed
from bitduel.games.binary_race_31.rules import BinaryRace31

END = BinaryRace31().length
FAR, REST, EXACT_END = 40, 11, 41
EVEN = ("4", "8", "8", "4")
"""Both at 12."""
BEHIND = ("4", "8", "8", "8")
"""12 against 16."""
PRECISE = ("16", "4", "4", "8")
"""20 against 12."""


def method(view: View) -> str:
    """Make the longest move there is: it always takes a whole move off what is left."""
    return max(view.legal, key=int)


def needs(lengths: Iterable[int], moves: int, finish: str = "sample") -> Worthy:
    """The claim that so many steps need so many moves: who starts such a race is through with that move."""
    stands = tuple(Stand(BinaryRace31(length=length, finish=finish)) for length in lengths)
    shown = ", ".join(str(stand.game.options["length"]) for stand in stands)
    return Worthy(f"{shown} steps need {moves} moves ({finish}).", stands, Evaluation(WIN, 2 * moves - 1))


def who(stand: Stand, value: Value) -> Worthy:
    """The claim that the player to move wins, or loses."""
    return Worthy(f"After {', '.join(stand.moves)} the player to move has a {value}.", (stand,), Evaluation(value))


@cache
def lesson() -> Lesson:
    """Nine steps: the count, the first move, and the end that must be hit exactly."""
    return Lesson("Count the moves that are left", (*counting(), *racing(), *exactly(), *matches()), method)


def counting() -> tuple[Step, ...]:
    """What is counted."""
    return (
        Try(
            title=f"First to {END}",
            text=(
                f"Each player has a token on a track from 0 to {END}. On your turn you go 1, 2, 4, 8 or 16 steps.",
                f"The first to reach or pass {END} wins.",
            ),
            question="You are at 16, and so is your opponent. Win now.",
            stand=Stand(BinaryRace31(), ("16", "16")),
            right=("16",),
            praise=f"16 and 16 is 32, past {END}. You have won.",
            wrong=f"You are still short of {END}, and your opponent goes 16 and is there.",
            hint=f"{END - 16} steps are left. Which move is long enough?",
        ),
        Choose(
            title="Count moves, not steps",
            text=(
                f"The longest move is {LONGEST} steps. With {LONGEST} steps or fewer left you need one more move, with "
                f"{LONGEST + 1} to {2 * LONGEST} two, and so on.",
                f"A few steps more or less do not matter. Only the next full {LONGEST} does.",
            ),
            question=f"On a longer track {FAR} steps are left. How many moves is that?",
            stand=Stand(BinaryRace31(length=FAR)),
            answers=(
                Answer("2", f"Two moves are {2 * LONGEST} steps at the most.", needs([FAR], 2)),
                Answer("3", f"Two moves are {2 * LONGEST} steps, so the third one gets there.", needs([FAR], 3), True),
                Answer("5", f"That is {FAR} by moves of 8. By moves of {LONGEST} it is fewer.", needs([FAR], 5)),
            ),
            hint=f"How often does {LONGEST} go into {FAR}, and is there a rest?",
            claims=tuple(
                needs(range(LONGEST * (moves - 1) + 1, LONGEST * moves + 1), moves)
                for moves in range(1, needed(FAR, exact=False) + 1)
            ),
        ),
    )


def racing() -> tuple[Step, ...]:
    """Who wins, and how one loses."""
    behind, even = Stand(BinaryRace31(), BEHIND), Stand(BinaryRace31(), EVEN)
    return (
        Choose(
            title="Who is ahead?",
            text=(
                "Nobody can hold up anybody here. So all that counts is how many moves each still needs.",
                "If it is your turn and you need no more moves than your opponent, you are there first.",
            ),
            question="You are at 12, your opponent at 16, and it is your turn. Who wins?",
            stand=behind,
            answers=(
                Answer(
                    "You",
                    f"You have {END - 12} steps to go: two moves. Your opponent has {END - 16}: one.",
                    who(behind, WIN),
                ),
                Answer(
                    "Your opponent",
                    f"You need two moves for {END - 12} steps, your opponent one for {END - 16}.",
                    who(behind, LOSS),
                    True,
                ),
                Answer(
                    "It is open", "Whatever you do, your opponent needs one move and makes it.", who(behind, Value.DRAW)
                ),
            ),
            hint=f"You have {END - 12} steps left. Is that one move or two?",
        ),
        Try(
            title="Do not waste a move",
            text=(
                f"Both of you are at 12, with {END - 12} steps left: two moves each. It is your turn, so you can win.",
                f"But after your move you may need only one more. How many steps may then be left? {LONGEST} at "
                "the most.",
            ),
            question="What do you do? There is more than one good one.",
            stand=even,
            right=("4", "8", "16"),
            praise="Now you need one more move, and your opponent still two.",
            wrong=f"More than {LONGEST} steps are left, so you still need two moves. Now your opponent is ahead.",
            hint=f"{END - 12} steps are left, and at most {LONGEST} may be.",
            claims=(who(even, WIN),),
        ),
        Try(
            title="The first move",
            text=(
                f"At the start both have {END} steps to go: two moves. Who starts is ahead, but only just.",
                f"One step more than {LONGEST} left, and the move is wasted.",
            ),
            question="You start. What do you do?",
            stand=Stand(BinaryRace31()),
            right=("16",),
            praise=f"{END - 16} steps are left, one move. Your opponent cannot catch up.",
            wrong=f"You have more than {LONGEST} steps left and still need two moves. Your opponent goes 16 and "
            "needs one.",
            hint=f"After your move at most {LONGEST} steps may be left.",
        ),
    )


def exactly() -> tuple[Step, ...]:
    """The reading in which the end may not be passed: binary digits count."""
    stand = Stand(BinaryRace31(finish="exact"), PRECISE)
    digits = f"{REST:b}"
    return (
        Choose(
            title="If the end may not be passed",
            text=(
                "Some play that the end must be hit exactly (finish=exact). Then your moves must add up to what "
                "is left.",
                f"Take a move for every whole {LONGEST}, and one for every 1 in the binary digits of the rest.",
            ),
            question=f"{REST} steps are left, in binary {digits}. How many moves is that?",
            stand=Stand(BinaryRace31(length=REST, finish="exact")),
            answers=(
                Answer("1", "No single move is that long.", needs([REST], 1, "exact")),
                Answer("2", "8 and 2 are only 10, and 8 and 4 are too many.", needs([REST], 2, "exact")),
                Answer(
                    str(needed(REST, exact=True)),
                    f"8, 2 and 1: the three 1s of {digits}.",
                    needs([REST], needed(REST, exact=True), "exact"),
                    True,
                ),
            ),
            hint=f"Count the 1s in {digits}.",
            claims=tuple(needs([length], needed(length, exact=True), "exact") for length in range(1, 64)),
        ),
        Try(
            title="Take away a 1",
            text=(
                f"You are at 20: {REST} steps left, {digits}, three moves. Your opponent is at 12: 19 left, "
                "that is 16 and "
                "2 and 1, three moves as well.",
                "A good move takes away one of the 1s. Any other only turns one 1 into others.",
            ),
            question="The end must be hit exactly. What do you do?",
            stand=stand,
            right=("1", "2", "8"),
            praise="One 1 fewer: two moves left.",
            wrong=f"4 is not among the 1s of {digits}. It leaves 7, that is 111: still three moves.",
            hint=f"{digits} is 8 and 2 and 1.",
            claims=(who(stand, WIN),),
        ),
    )


def matches() -> tuple[Step, ...]:
    """Two whole races."""
    needed_at_last = needed(EXACT_END, exact=True)
    return (
        Play(
            title="A whole race",
            text=(f"The track ends at {END}. You start, and your opponent plays as well as can be.",),
            question="What do you do?",
            stand=Stand(BinaryRace31()),
            side=1,
            value=WIN,
            praise="There first. Who starts and always goes 16 cannot be caught.",
            wrong="That wastes a move.",
            hint="Count the moves that you will need after it.",
        ),
        Play(
            title="A longer race, to be hit exactly",
            text=(
                f"The track ends at {EXACT_END} and may not be passed. {EXACT_END} is 16 and 16 and 8 and 1: "
                f"{needed_at_last} moves.",
                "You start. The longest move that fits is always a good one.",
            ),
            question="What do you do?",
            stand=Stand(BinaryRace31(length=EXACT_END, finish="exact")),
            side=1,
            value=WIN,
            praise="There first, by the count alone. It works on a track of any length.",
            wrong="That wastes a move: you need as many as before.",
            hint="The longest move that does not go past the end.",
            claims=(needs([EXACT_END], needed_at_last, "exact"),),
        ),
    )
