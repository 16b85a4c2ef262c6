"""Phrases that the sentences of all games are built from: moves, evaluations, chances, settings and lists."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, TOLERANCE, WIN, Evaluation, MoveEvaluation
from bitduel.core.options import IntegerOption

if TYPE_CHECKING:
    from bitduel.core.game import Game

MAX_DECIMALS = 3
PLURAL_VERBS = {"is": "are", "has": "have"}


class MovePhrase(NamedTuple):
    """A move in words for the view's seat: its own ('doubling to 10') and the opponent's ('double to 10')."""

    gerund: str
    infinitive: str
    opponent_gerund: str = ""
    """The gerund of the same move of the opponent, if it differs."""
    own_infinitive: str = ""
    """The infinitive of the same move of one's own, where it differs."""
    lone_infinitive: str = ""
    """The infinitive in a sentence about this move alone, where it differs: 'move 8 steps, to 16'."""

    @property
    def their_gerund(self) -> str:
        """The gerund of the move when the opponent makes it."""
        return self.opponent_gerund or self.gerund

    @property
    def imperative(self) -> str:
        """The move as advice: 'double to 10'."""
        return self.own_infinitive or self.infinitive

    @property
    def third_person(self) -> str:
        """The move as a report on the opponent: 'doubles to 10'."""
        return _third_person(self.infinitive)

    @property
    def report(self) -> str:
        """The same in a sentence of its own, after a name: 'moves 8 steps, to 16'."""
        return _third_person(self.lone_infinitive or self.infinitive)


def _third_person(infinitive: str) -> str:
    verb, space, rest = infinitive.partition(" ")
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s") + space + rest


def moves_phrase(plies: int | None) -> str:
    """Return plies as a number of moves of one player, the last one included: ' in 3 moves'."""
    if plies is None:
        return ""
    own = (plies + 1) // 2
    return " with the next move" if own <= 1 else f" in {own} moves"


def frequency_phrase(probability: float, others: Iterable[float] = ()) -> str:
    """Return a probability as a frequency, '33% of the time', distinguishable from the others shown."""
    return f"{percentage(probability, others)} of the time"


def percentage(probability: float, others: Iterable[float] = ()) -> str:
    """Return a probability in per cent, with enough decimals to distinguish it from the others shown."""
    different = [other for other in others if abs(other - probability) > TOLERANCE]
    for decimals in range(MAX_DECIMALS + 1):
        text = f"{100 * probability:.{decimals}f}%"
        if text not in [f"{100 * other:.{decimals}f}%" for other in different]:
            return text
    return f"{100 * probability:.0f}%"


def evaluation_phrase(evaluation: Evaluation) -> str:
    """Return the evaluation of a position for the player to move: 'wins in 3 moves', 'wins 68% of the time'."""
    value, plies, probability = evaluation
    if probability is not None:
        return f"wins {frequency_phrase(probability)}{' (assumed)' if evaluation.is_assumed else ''}"
    if value == LOSS and plies in (1, 2):
        return "loses at once" if plies == 1 else "loses to the next move"
    if value == DRAW or value is None:
        return "draws" if value else "not known"
    return ("wins" if value == WIN else "loses") + moves_phrase(plies)


def choice_phrases(choices: Sequence[MoveEvaluation]) -> list[str]:
    """Return the evaluations of moves to choose from; a move that ends the match just wins or loses."""
    probabilities = [
        probability for choice in choices if (probability := choice.evaluation.win_probability) is not None
    ]
    return [_choice_phrase(choice.evaluation, probabilities) for choice in choices]


def _choice_phrase(evaluation: Evaluation, others: Sequence[float]) -> str:
    if evaluation.win_probability is not None:
        assumed = " (assumed)" if evaluation.is_assumed else ""
        return f"wins {frequency_phrase(evaluation.win_probability, others)}{assumed}"
    return evaluation_phrase(evaluation._replace(plies=None) if evaluation.plies == 1 else evaluation)


def settings_phrase(game: "Game[Any]") -> str:
    """Return the settings that are not the usual ones, as read after the title: 'to 221, adding 2'; no secrets."""
    chosen = ((option, game.options[option.name]) for option in game.declared_options if not option.is_secret)
    return ", ".join(option.after_title(value) for option, value in chosen if value != option.default)


def game_phrase(game: "Game[Any]") -> str:
    """Return a game with its settings: 'Double or Nothing to 221, adding 2'."""
    settings = settings_phrase(game)
    sizes = [option for option in game.declared_options if isinstance(option, IntegerOption)]
    goes_on = any(settings.startswith(option.after_title(game.options[option.name])) for option in sizes)
    return f"{game.title}{' ' if goes_on else ', '}{settings}" if settings else game.title


def subject(name: str, verb: str) -> str:
    """Return a name with its verb, which is another one after "You": Anna has, You have."""
    return f"{name} {PLURAL_VERBS[verb] if name == 'You' else verb}"


def join_with_or(items: Sequence[str]) -> str:
    """Return a choice as people write it: 1; 1 or 2; 1, 2 or 3."""
    return _join(items, "or")


def join_with_and(items: Sequence[object]) -> str:
    """Return a list as people write it: 1; 1 and 2; 1, 2 and 3."""
    return _join([str(item) for item in items], "and")


def _join(items: Sequence[str], conjunction: str) -> str:
    *most, last = items
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def join_moves(phrases: Sequence[str]) -> str:
    """Return moves to choose from; a common beginning is written once: 'flipping bit 1 or 3'."""
    verbs: dict[str, list[list[str]]] = {}
    for phrase in phrases:
        words = phrase.split(" ")
        verbs.setdefault(words[0], []).append(words)
    groups = [_join_alike(group) for group in verbs.values()]
    is_nested = 1 < len(groups) < len(phrases)
    return ", or ".join(groups) if is_nested else join_with_or(groups)


def _join_alike(phrases: Sequence[Sequence[str]]) -> str:
    """Return phrases that begin with the same word; all words that they share at the beginning are written once."""
    shared = 0
    while len({tuple(words[: shared + 1]) for words in phrases}) == 1 and all(len(w) > shared + 1 for w in phrases):
        shared += 1
    return " ".join([*phrases[0][:shared], join_with_or([" ".join(words[shared:]) for words in phrases])])
