"""Practice after the lesson of Binary Race to 31: eight items."""

from functools import cache

from bitduel.core.lesson import LessonPosition
from bitduel.core.practice import PracticeItem, choice, marks
from bitduel.core.puzzle import Question
from bitduel.games.binary_race_31.puzzle_positions import path_to
from bitduel.games.binary_race_31.rules import TrackRules

WHO = "you, your opponent"


@cache
def track_practice(game: type[TrackRules]) -> tuple[PracticeItem, ...]:
    """Return the items: four on the track as printed, three with an exact finish, and one on a longer track."""
    return (*_printed(game()), *_exact(game(finish="exact")), _longer(game(length=48)))


def _at(game: TrackRules, mine: int, theirs: int) -> LessonPosition:
    return LessonPosition(game, path_to(mine, theirs))


def _winning(game: TrackRules, mine: int, theirs: int, right: str) -> tuple[str, tuple[Question, ...]]:
    """Return the task and the question for all moves that win."""
    finish = " You must land exactly on 31." if game.finish == "exact" else " 31 or more wins."
    where = f"You are both at {mine}" if mine == theirs else f"You are at {mine}, your opponent is at {theirs}"
    asked = f"{where}, and it's your turn.{finish} Mark every move that wins."
    return asked, (marks("Which moves win?", game.moves, right, _at(game, mine, theirs)),)


def _printed(game: TrackRules) -> tuple[PracticeItem, ...]:
    even, behind = _winning(game, 7, 7, "8, 16"), _winning(game, 13, 3, "2, 4, 8, 16")
    how_many = "You have 47 steps to go, and you may pass the end. How many moves do you need?"
    who = "You are at 14, your opponent is at 15, and it's your turn. Who wins?"
    return (
        PracticeItem(
            game=type(game)(length=47),
            number=1,
            step=2,
            asked=how_many,
            questions=(choice(how_many, "2, 3, 4, 6", "3"),),
            hint="How many 16s do you need to cover 47?",
            why="Two moves take you 32 steps at most, and three take you 48.",
        ),
        PracticeItem(
            game=game,
            number=2,
            step=3,
            asked=who,
            questions=(choice(who, WHO, "your opponent", _at(game, 14, 15)),),
            hint="You have 17 steps to go, and your opponent has 16. How many moves is that for each?",
            why="You need two moves for 17 steps. Your opponent needs only one for 16.",
        ),
        PracticeItem(
            game=game,
            number=3,
            step=4,
            asked=even[0],
            questions=even[1],
            hint="You both have 24 steps to go. After your move, at most 16 may be left.",
            why="24 minus 8 is 16, so 8 and 16 leave one move. After 1, 2 or 4 you still need two, and so does your "
            "opponent, whose turn it is.",
        ),
        PracticeItem(
            game=game,
            number=4,
            step=4,
            asked=behind[0],
            questions=behind[1],
            hint="You have 18 steps to go, your opponent 28. After your move, at most 16 may be left.",
            why="Your opponent needs two moves. After 2 or more steps you need only one; after 1 step 17 are left, and "
            "you need two.",
        ),
    )


def _exact(game: TrackRules) -> tuple[PracticeItem, ...]:
    moves = _winning(game, 18, 17, "1, 4, 8")
    how_many = "You must land exactly on the end, and you have 27 steps to go. How many moves do you need?"
    who = "You must land exactly on 31. You are at 16, your opponent is at 8, and it's your turn. Who wins?"
    return (
        PracticeItem(
            game=type(game)(length=27, finish="exact"),
            number=5,
            step=6,
            asked=how_many,
            questions=(choice(how_many, "2, 3, 4, 5", "4"),),
            hint="Take the biggest move that fits, again and again. Start with 16.",
            why="27 is 16 + 8 + 2 + 1: four moves. In binary it is 11011, with four 1s.",
        ),
        PracticeItem(
            game=game,
            number=6,
            step=7,
            asked=moves[0],
            questions=moves[1],
            hint="You have 13 steps to go. Take the biggest move that fits, again and again: which moves are they?",
            why="13 is 8 + 4 + 1. Move 8, 4 or 1, and two moves are left. Your opponent has 14, which is 8 + 4 + 2: "
            "three moves.",
        ),
        PracticeItem(
            game=game,
            number=7,
            step=6,
            asked=who,
            questions=(choice(who, WHO, "you", _at(game, 16, 8)),),
            hint="You have 15 steps to go, your opponent has 23. How many moves is that for each?",
            why="15 is 8 + 4 + 2 + 1, and 23 is 16 + 4 + 2 + 1. You both need four moves, and it's your turn.",
        ),
    )


def _longer(game: TrackRules) -> PracticeItem:
    first = marks("Which first moves win?", game.moves, "16", LessonPosition(game))
    return PracticeItem(
        game=game,
        number=8,
        step=5,
        asked="The track ends at 48, and you may pass the end. You go first. How many moves do you need, and which "
        "first moves win?",
        questions=(choice("How many moves do you need?", "2, 3, 4, 5", "3", LessonPosition(game)), first),
        hint="How many 16s are there in 48? After your first move, you must need one move fewer.",
        why="48 is 16 + 16 + 16: three moves, with nothing to spare. After any shorter first move you need three more.",
    )
