"""What the lessons of the two number races share: the rule of thumb they teach, base 4, and claims about numbers.

docs/number-races.md proves the rule for steps 1 and 2 and every target.
"""

from collections.abc import Iterable

from bitduel.core.evaluation import LOSS, WIN, Evaluation, Value
from bitduel.core.game import Game
from bitduel.core.lesson import Answer, Stand, Worthy
from bitduel.core.view import View
from bitduel.games.number_race import NumberPosition, NumberRace

Kind = type[NumberRace]


def method(view: View) -> str:
    """Leave a number that is good to leave; where there is none, add and hope."""
    number, step, target = view.board.number, int(view.options["step"]), int(view.options["target"])
    made = {"add": number + step, "double": 2 * number}
    good = [move for move, after in made.items() if after <= target and is_good_to_leave(after, target, step)]
    return good[0] if good else "add"


def is_good_to_leave(number: int, target: int, step: int) -> bool:
    """Whether whoever must move from this number loses, with step 1 or 2."""
    if step == 2 and number % 2 == 0:
        return is_good_to_leave(number // 2, target // 2, 1)
    if step == 2:
        return number > fence(target) and (target - number) // 2 % 2 == 0
    while target % 2 == 0 and 4 * number <= target:
        target //= 4
    doubles = target % 2 == 0 and 2 * number <= target
    return not doubles and (target - number) % 2 == 0


def fence(target: int) -> int:
    """With step 2: half the target, then a quarter of that, rounded down, and so on until it is odd, or 0."""
    found = target // 2
    while found and found % 2 == 0:
        found //= 4
    return found


def base_4(number: int) -> str:
    """A number written in base 4."""
    digits = ""
    while number:
        number, digit = divmod(number, 4)
        digits = f"{digit}{digits}"
    return digits or "0"


def at(kind: Kind, number: int, target: int | None = None) -> Stand:
    """A race that stands at a number."""
    return Stand(kind(start=number) if target is None else kind(start=number, target=target))


def good(kind: Kind, numbers: Iterable[int], target: int | None = None) -> Worthy:
    """The claim that these numbers are good to leave: whoever must move from them loses."""
    return _worth(kind, numbers, target, LOSS, "good to leave")


def bad(kind: Kind, numbers: Iterable[int], target: int | None = None) -> Worthy:
    """The claim that these are not: whoever moves from them wins."""
    return _worth(kind, numbers, target, WIN, "not good to leave")


def _worth(kind: Kind, numbers: Iterable[int], target: int | None, value: Value, words: str) -> Worthy:
    stands = tuple(at(kind, number, target) for number in numbers)
    shown = ", ".join(str(stand.game.options["start"]) for stand in stands)
    return Worthy(f"To {stands[0].game.options['target']}: {shown}: {words}.", stands, Evaluation(value))


def wins_by(kind: Kind, numbers: Iterable[int], target: int, move: str) -> Worthy:
    """The claim that from each of these numbers a move wins."""
    stands = tuple(at(kind, number, target) for number in numbers)
    return Worthy(f"To {target}: '{move}' wins from all of them.", stands, Evaluation(WIN), move)


def targets(kind: Kind, numbers: Iterable[int], value: Value) -> Worthy:
    """The claim that with these targets the one who starts at 1 wins, or loses."""
    stands = tuple(at(kind, 1, target) for target in numbers)
    shown = ", ".join(str(stand.game.options["target"]) for stand in stands)
    return Worthy(f"Who starts has a {value} with the targets {shown}.", stands, Evaluation(value))


def starter(game: Game[NumberPosition], said: tuple[str, str, str], right: Value) -> tuple[Answer, ...]:
    """Who wins from the start: the one who starts, the other, or nobody; what is said to each."""
    texts = {"The one who starts": WIN, "The one who goes second": LOSS, "Nobody can force it": Value.DRAW}
    return tuple(
        Answer(
            text,
            words,
            Worthy(f"{text}: a {value} for who starts.", (Stand(game),), Evaluation(value)),
            right=value == right,
        )
        for (text, value), words in zip(texts.items(), said, strict=True)
    )
