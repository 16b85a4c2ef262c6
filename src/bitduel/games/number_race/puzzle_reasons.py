"""Parts of the puzzles of the number races: moves, reasons, refutations, and the rules that a window needs."""

from collections.abc import Sequence

from bitduel.core.lesson import LessonPosition
from bitduel.core.puzzle import Candidate, Question, Refutation
from bitduel.games.number_race.law import fence
from bitduel.games.number_race.rules import NumberRace
from bitduel.games.number_race.words import why_lost

MOST_REFUTATION_PLIES = 6


def noun_of(game: NumberRace) -> str:
    """Return the name of the number that both players change."""
    return game.words.nouns[0].split()[-1]


def verb(move: str) -> str:
    """Return a move at the beginning of a sentence."""
    return move.capitalize()


def made(game: NumberRace, number: int, move: str) -> int:
    """Return the number that a move makes."""
    return number + game.step if move == "add" else 2 * number


def path_to(game: NumberRace, number: int) -> tuple[str, ...]:
    """Return the fewest moves from the start of a race to a number."""
    paths: dict[int, tuple[str, ...]] = {game.first_number: ()}
    todo = [game.first_number]
    while todo:
        here = todo.pop(0)
        if here == number:
            return paths[here]
        for move in game.moves:
            after = made(game, here, move)
            if after <= number and after not in paths:
                paths[after] = (*paths[here], move)
                todo.append(after)
    raise ValueError(f"{number} cannot be reached from {game.first_number}")


def is_good(game: NumberRace, number: int) -> bool:
    """Return whether a number is good to leave."""
    return number <= game.target and game.law.is_lost(number)


def move_question(position: LessonPosition, game: NumberRace, number: int) -> Question:
    """Ask for a winning move; a move past the target, or to the same number as another, does not count."""
    results = {move: made(game, number, move) for move in game.moves}
    verbs = {"add": f"add {game.step}", "double": "double"}
    counted = {after: move for move, after in reversed(results.items()) if after <= game.target}
    right = tuple(move for move, after in results.items() if is_good(game, after))
    return Question(
        prompt=f"The {noun_of(game)} is {number}, the target {game.target}. Your move?",
        candidates=tuple(Candidate(move, f"{verbs[move]}, to {after}") for move, after in results.items()),
        right=right,
        position=position,
        counted=tuple(move for move in game.moves if move in counted.values()),
        results=len({results[move] for move in right}),
    )


def idea(game: NumberRace, number: int) -> tuple[str, str]:
    """Say where to look from a number, and which numbers are good to leave."""
    target, half, quarter = game.target, game.target // 2, game.target // 4
    low = [str(each) for each in range(1, quarter + 1) if game.law.is_lost(each)]
    if game.step == 1:
        look = f"Where is {number}: up to {quarter}, up to {half}, or above? Look at what you leave."
        rest = f"none from {quarter + 1} to {half}; above {half} the {'odd' if target % 2 else 'even'} numbers"
        return look, f"Good to leave: {_shortened(low)}; {rest}."
    look = f"{number} is odd. An odd total stays odd until somebody doubles; then it is even for good."
    if number % 2 == 0:
        look = f"{number} is even, and an even total stays even. So you can halve all numbers, and add 1 instead of 2."
    odd = [str(each) for each in range(1, target, 2) if game.law.is_lost(each)]
    even = [each for each in low if int(each) % 2 == 0]
    above = next(each for each in range(half + 1, target + 1) if each % 2 == 0 and game.law.is_lost(each))
    every = "the multiples of 4" if above % 4 == 0 else f"{above}, {above + 4} and so on"
    low_even = f"the even totals {_shortened(even)}" if even else f"no even total up to {half}"
    numbers = f"the odd totals {', '.join(odd[:4])} and so on; {low_even}; above {half}, of the even ones {every}"
    return look, f"Good to leave: {numbers}."


def even_rule(target: int) -> str:
    """Say which even totals are good to leave if 2 is added, in the words of the lesson."""
    half, quarter = target // 2, 2 * (target // 8)
    if target % 2:
        return f"Even totals: halve them, and think of a race to {half} in which you add 1."
    if half % 2:
        return "Even totals: 2, 6, 10 and so on, in steps of 4."
    above = f"Even totals above {half}: the multiples of 4. From {quarter + 2} to {half}, doubling wins, so none is."
    return f"{above} Up to {quarter}, it's like a race to {quarter}." if quarter else above


def _shortened(numbers: Sequence[str]) -> str:
    shown = [*numbers[:4], "...", *numbers[-2:]] if len(numbers) > 8 else numbers
    return ", ".join(shown) or "none"


def ending(game: NumberRace, number: int) -> str:
    """Say how a line ends from the number that was left last."""
    if number == game.target:
        return f"{number} is the target: you win."
    if 2 * number > game.target:
        return f"From {number} nobody can double any more, and you make the last addition: you win."
    return f"From {number} you have nothing left to decide: you win."


def why(game: NumberRace, number: int) -> str:
    """Say why a number is good to leave, or not."""
    if number > game.target:
        return f"{number} is past the target."
    if number == game.target:
        return f"{number} is good to leave: it is the target."
    if game.law.is_lost(number):
        return f"{number} is good to leave. {why_lost(number, game.target, game.step, 'you make')}"
    move = next(move for move in game.moves if is_good(game, made(game, number, move)))
    left = made(game, number, move)
    does = f"adding {game.step}" if move == "add" else "doubling"
    return f"{number} is not good to leave: {does} makes {left}{', the target' if left == game.target else ''}."


def refutation(game: NumberRace, number: int, wrong: str) -> Refutation:
    """Play a wrong move and its punishment, to where nobody can double any more or the race is over."""
    moves, number = [wrong], made(game, number, wrong)
    if number > game.target:
        return Refutation((f"{number} is past {game.target}. You lose at once.",), (wrong,))
    left = number
    while len(moves) < MOST_REFUTATION_PLIES and number < game.target:
        reply = game.law.fastest_win(number)
        assert reply is not None, "a wrong move leaves a number from which the opponent wins"
        moves.append(reply)
        number = made(game, number, reply)
        if 2 * number > game.target or len(moves) == MOST_REFUTATION_PLIES:
            break
        own = _longer(game, number)
        moves.append(own)
        number = made(game, number, own)
    return Refutation((f"That leaves {left}. {_punished(game, number, len(moves) > 2)}",), tuple(moves))


def _longer(game: NumberRace, number: int) -> str:
    """Return the move of a player who has lost, for a short line: not one after which the target is made at once."""
    doubled = 2 * number
    return "add" if game.target in (doubled + game.step, 2 * doubled) else "double"


def _punished(game: NumberRace, number: int, is_later: bool) -> str:
    makes = f"Your opponent {'later ' if is_later else ''}makes {number}"
    if number == game.target:
        return f"{makes}, the target, and wins."
    if number + game.step > game.target and 2 * number > game.target:
        return f"{makes}. Now both your moves go past {game.target}."
    return f"{makes}. {why_lost(number, game.target, game.step, 'your opponent makes')}"


def rules_needed(game: NumberRace, window: Sequence[int]) -> int:
    """Count the rules that a window of numbers needs: one a part, one for odd totals, one for the fence."""
    if game.step == 1:
        return len({_part(game.target, number) for number in window})
    odd = [number for number in window if number % 2]
    parts = {_part(game.target // 2, number // 2) for number in window if number % 2 == 0}
    return len(parts) + bool(odd) + any(number <= fence(game.target) for number in odd)


def _part(target: int, number: int) -> tuple[int, int]:
    """Return the part of a race by ones in which a number lies: upper half, second quarter, or a race to a quarter."""
    depth = 0
    while target % 2 == 0 and 4 * number <= target and number:
        target, depth = target // 4, depth + 1
    return depth, 2 * number > target and target % 2 == 0
