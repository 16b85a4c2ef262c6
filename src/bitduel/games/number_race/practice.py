"""Practice after the lessons of the number races: eight items for each."""

from collections.abc import Sequence
from functools import cache

from bitduel.core.lesson import LessonPosition
from bitduel.core.practice import PracticeItem, choice, marks
from bitduel.core.puzzle import Candidate, Question, Refutation
from bitduel.games.number_race.puzzle_reasons import made, move_question, noun_of, path_to, refutation
from bitduel.games.number_race.rules import NumberRace


def _moves_item(
    game: NumberRace,
    number: int,
    step: int,
    start: int,
    replies: Sequence[str],
    hint: str,
    why: str,
    asked: str = "",
    path: tuple[str, ...] | None = None,
) -> PracticeItem:
    """Return an item that asks for moves from a number, each but the last answered by the opponent."""
    total, line = start, path if path is not None else path_to(game, start)
    questions: list[Question] = []
    wrong: dict[tuple[int, str], Refutation] = {}
    for turn, reply in enumerate((*replies, "")):
        question = move_question(LessonPosition(game, line), game, total)
        (right,) = question.right
        wrong |= {(turn, each): refutation(game, total, each) for each in game.moves if each != right}
        questions.append(_with_all_moves(question))
        total, line = made(game, total, right), (*line, right)
        if reply:
            total, line = made(game, total, reply), (*line, reply)
    return PracticeItem(
        game=game,
        number=number,
        step=step,
        asked=asked or f"The target is {game.target}. The {noun_of(game)} is {start}. What do you do?",
        questions=tuple(questions),
        moves_between=tuple(replies),
        hint=hint,
        why=why,
        wrong=wrong,
    )


def _with_all_moves(question: Question) -> Question:
    """Return the question with a mark in any case, even where one of the two moves loses at once."""
    return Question(
        prompt=question.prompt, candidates=question.candidates, right=question.right, position=question.position
    )


def _marks_item(
    game: NumberRace, number: int, step: int, cells: Sequence[int], right: str, hint: str, why: str, which: str = ""
) -> PracticeItem:
    of = f"{which or noun_of(game)} from {cells[0]} to {cells[-1]}"
    asked = f"The target is {game.target}. Mark every {of} that is good to leave: whoever moves from it loses."
    if cells[-1] == game.target:
        asked += f" Count {game.target} too."
    question = marks(asked, [str(each) for each in cells], right)
    return PracticeItem(game=game, number=number, step=step, asked=asked, questions=(question,), hint=hint, why=why)


@cache
def double_practice(game: type[NumberRace]) -> tuple[PracticeItem, ...]:
    """Return the items of Double or Nothing."""
    race, ten, larger = game(), game(target=10), game(target=24)
    targets = "The number starts at 1. With which of these targets would you go first? Mark them all."
    return (
        _moves_item(
            race,
            1,
            4,
            8,
            (),
            "Which move makes an even number above 10?",
            "8 doubled is 16: even, and above half of 20.",
            "The target is 20. The number is 8. Which move leaves a good number?",
        ),
        _marks_item(
            race,
            2,
            3,
            range(11, 21),
            "12, 14, 16, 18, 20",
            "Count back from 20: one number for you, one for your opponent.",
            "Above 10, doubling goes past 20. So the even numbers are good to leave, and 20 is the target itself.",
        ),
        _moves_item(
            race,
            3,
            3,
            13,
            ("add", "add"),
            "Above 10, which numbers are good to leave?",
            "You left 14, 16 and 18: all even. From 18 your opponent makes 19, and you make 20.",
            "The target is 20. The number is 13. Find your next three moves. Your opponent will add each time.",
        ),
        _moves_item(
            race,
            4,
            5,
            4,
            (),
            "A quarter of 20 is good to leave.",
            "5 is a quarter of 20. From there your opponent has to make 6 or 10, and you double.",
            "The target is 20. The number is 4. Which move leaves a good number?",
        ),
        _moves_item(
            race,
            5,
            6,
            2,
            ("add",),
            "Up to 5, the odd numbers are good to leave.",
            "You left 3, and then 5. Both are odd, and not above 5.",
            "The target is 20. The number is 2. Find your next two moves. Your opponent will add in between.",
        ),
        _marks_item(
            larger,
            6,
            9,
            range(1, 7),
            "1, 4, 6",
            "Play a smaller race to 6, a quarter of 24. Look at 4 to 6 first, then at 2 and 3, then at 1.",
            "6 and 4 are even and above half of 6. From 2 and 3 your opponent doubles to 4 or 6. 1 is a quarter of 6, "
            "rounded down.",
        ),
        PracticeItem(
            game=race,
            number=7,
            step=10,
            asked=targets,
            questions=(marks(targets, ("34", "36", "40"), "34, 40"),),
            hint="Divide each target by 4 again and again, rounding down. Is one of the numbers odd?",
            why="34, 8 and 2 are all even, and so are 40, 10 and 2. So you go first. 36, 9 and 2: 9 is odd, so you go "
            "second.",
        ),
        _moves_item(
            ten,
            8,
            8,
            3,
            ("add", "add"),
            "From 3, 4 or 5, double. Above 5, leave even numbers.",
            "You made 6, 8 and 10.",
            "The target is 10. The number is 3. Find your three moves to 10. Your opponent will add each time.",
            ("add", "add"),
        ),
    )


@cache
def race_64_practice(game: type[NumberRace]) -> tuple[PracticeItem, ...]:
    """Return the items of Binary Race to 64."""
    race = game()
    targets = "The total starts at 1. With which of these targets should you go second?"
    return (
        _moves_item(
            race, 1, 3, 57, (), "Count down by 4: 63, 59, 55, ...", "59 is good to leave, and 57 doubled is past 64."
        ),
        _marks_item(
            race,
            2,
            3,
            range(33, 64, 2),
            "35, 39, 43, 47, 51, 55, 59, 63",
            "Start at 63 and count down by 4.",
            "63 is good to leave, and so is every fourth number below it.",
            "odd total",
        ),
        _moves_item(
            race, 3, 4, 46, (), "Above 32, leave multiples of 4.", "48 is a multiple of 4, and 46 doubled is past 64."
        ),
        _moves_item(
            race,
            4,
            5,
            26,
            (),
            "26 is an even total from 18 to 32.",
            "26 doubled is 52, a multiple of 4 above 32.",
        ),
        _moves_item(
            race,
            5,
            6,
            8,
            (),
            "16 is a quarter of 64.",
            "8 doubled is 16. Both moves from 16 make a total that you can double.",
            "The target is 64. The total is 8. Which move leaves 4, 12 or 16, a good total?",
        ),
        _moves_item(
            race,
            6,
            7,
            14,
            ("add",),
            "Which of your moves makes a quarter of 64?",
            "You left 16, and then doubled 18 to 36, a multiple of 4 above 32.",
            "The target is 64. The total is 14. Find your next two moves. Your opponent will add in between.",
            ("add", "add", "add", "double"),
        ),
        PracticeItem(
            game=race,
            number=7,
            step=10,
            asked=targets,
            questions=(choice(targets, "65, 66, 68", "65"),),
            hint="Halve each target, rounding down. Then divide by 4 again and again. Do you get an odd number?",
            why="65 gives 32, 8 and 2, all even, but 65 is odd. So you go second. 66 gives 33: go first and double. 68 "
            "gives 34, 8 and 2, and 68 is even: go first and add.",
        ),
        _fence_item(game(target=60)),
    )


def _fence_item(game: NumberRace) -> PracticeItem:
    """Return the item that asks where to stop doubling odd totals, and for the move on either side."""
    candidates = tuple(Candidate(str(each), f"up to {each}") for each in (3, 7, 15))
    fence = Question(prompt="Up to which odd total should you double?", candidates=candidates, right=("7",))
    questions, wrong = [fence], {(0, each.name): Refutation(("Halve 60, then divide by 4.",)) for each in candidates}
    for turn, total in enumerate((3, 9), 1):
        asked = move_question(LessonPosition(game, path_to(game, total)), game, total)
        questions.append(_with_all_moves(asked))
        wrong |= {(turn, each): refutation(game, total, each) for each in game.moves if each not in asked.right}
    return PracticeItem(
        game=game,
        number=8,
        step=9,
        asked="The target is 60. Up to which odd total do you double? What do you do at 3, and what at 9?",
        questions=tuple(questions),
        hint="Halve 60, then keep dividing by 4, rounding down, until you get an odd number.",
        why="Half of 60 is 30, and a quarter of that is 7. So at 3 you double to 6; at 9 you add and make 11.",
        wrong=wrong,
    )
