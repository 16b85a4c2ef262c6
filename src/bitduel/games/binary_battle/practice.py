"""Practice after the lesson of Binary Battle: eight items."""

from functools import cache

from bitduel.core.lesson import LessonPosition
from bitduel.core.practice import PracticeItem, choice, marks
from bitduel.games.binary_battle.rules import BattleRules


def _after(game: BattleRules, secret: str, toggles: str) -> LessonPosition:
    """Return a match after some toggles, those of both players in turn."""
    return LessonPosition(game, tuple(f"toggle {bit}" for bit in toggles), secret)


@cache
def battle_practice(game: type[BattleRules]) -> tuple[PracticeItem, ...]:
    """Return the items: what an answer tells, what a search costs, and what the plan says."""
    battle = game()
    return (*_answers(battle), *_costs(battle), *_plan(battle))


def _answers(game: BattleRules) -> tuple[PracticeItem, ...]:
    first = 'Your first toggle makes 16. You hear "less than the secret". Where can the secret be?'
    then = '16 was "less than the secret", and then 24 was "greater than the secret". Where can the secret be?'
    smaller = "Your number is 10000, which is 16. It is greater than the secret. Mark every toggle that makes your "
    smaller += "number smaller."
    return (
        PracticeItem(
            game=game,
            number=1,
            step=1,
            asked=first,
            questions=(choice(first, "from 0 to 15, from 16 to 31, from 17 to 31", "from 17 to 31"),),
            hint="Which one is smaller: your number, or the secret?",
            why="16 is less than the secret, so the secret is greater than 16.",
        ),
        PracticeItem(
            game=game,
            number=2,
            step=1,
            asked=then,
            questions=(choice(then, "from 17 to 23, from 17 to 24, from 25 to 31", "from 17 to 23"),),
            hint="It is greater than 16 and less than 24.",
            why="The secret is greater than 16 and less than 24.",
        ),
        PracticeItem(
            game=game,
            number=3,
            step=3,
            asked=smaller,
            questions=(marks(smaller, game.moves, "toggle 1", _after(game, "00111", "11")),),
            hint="Which of your bits is on?",
            why="Only bit 1 is on. Every other toggle adds something.",
        ),
    )


def _costs(game: BattleRules) -> tuple[PracticeItem, ...]:
    ones, zeros = (f"How many turns does plain binary search need for {secret}?" for secret in ("00110", "10101"))
    return (
        PracticeItem(
            game=game,
            number=4,
            step=7,
            asked=ones,
            questions=(choice(ones, "4, 5, 6, 7", "6"),),
            hint="A 1 takes one turn. A 0 to the left of the last 1 takes two.",
            why="2 + 2 + 1 + 1 = 6. The 0 after the last 1 costs nothing.",
        ),
        PracticeItem(
            game=game,
            number=5,
            step=7,
            asked=zeros,
            questions=(choice(zeros, "5, 6, 7, 8", "7"),),
            hint="A 1 takes one turn. A 0 to the left of the last 1 takes two.",
            why="1 + 2 + 1 + 2 + 1 = 7.",
        ),
    )


def _plan(game: BattleRules) -> tuple[PracticeItem, ...]:
    hit = "Your number is 10100 (20). The secret is 21, 22 or 23. Mark the toggles that can hit it now."
    opened = "You went first and toggled bit 2. 8 is less than the secret, so the secret is from 9 to 31. "
    opened += "What do you toggle by the plan of the lesson?"
    second = "You go second. Your number is 10000 (16), and the secret is from 17 to 31. "
    second += "What do you toggle by the plan of the lesson?"
    toggles = ", ".join(game.moves)
    return (
        PracticeItem(
            game=game,
            number=6,
            step=1,
            asked=hit,
            questions=(marks(hit, game.moves, "toggle 4, toggle 5", _after(game, "10110", "15252535")),),
            hint="Bit 4 is worth 2, and bit 5 is worth 1.",
            why="Toggle 4 makes 22, and toggle 5 makes 21. 23 is two toggles away.",
        ),
        PracticeItem(
            game=game,
            number=7,
            step=6,
            asked=opened,
            questions=(choice(opened, toggles, "toggle 1", _after(game, "10110", "22")),),
            hint="23 numbers are left. Which number that you can make is closest to 20, the middle?",
            why="Toggle 1 makes 24, which is closer to the middle than 12, 10 or 9.",
        ),
        PracticeItem(
            game=game,
            number=8,
            step=6,
            asked=second,
            questions=(choice(second, toggles, "toggle 3", _after(game, "11011", "112")),),
            hint="15 numbers are left, so the plan takes the second closest to the middle.",
            why="The middle is 24. The closest number you can make is 24 itself, the second closest is 20.",
        ),
    )
