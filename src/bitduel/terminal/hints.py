"""Hints at a prompt: where there are any, and what they say."""

from typing import Any

from bitduel.core.errors import BitduelError, SignalError, TooLargeError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import Whole
from bitduel.core.view import View
from bitduel.terminal.screen import Screen

TOO_LARGE = "There is no hint for a game of this size; with smaller options there is."


def has_hints(game: Game[Any]) -> bool:
    """Whether what moves are worth can be worked out; nothing is loaded to say so of an ordinary size."""
    if all(_is_quick(option, game.options[option.name]) for option in game.declared):
        return True
    from bitduel.solver.evaluators import is_too_large

    return not is_too_large(game)


def _is_quick(option: object, value: int | str) -> bool:
    return not isinstance(option, Whole) or option.quick is None or int(value) <= option.quick


def give_hint(match: Match, view: View, screen: Screen) -> None:
    """The best moves and why; Ctrl-C on a terminal ends the hint, not the game."""
    from bitduel.core.hints import hint
    from bitduel.solver.evaluators import evaluator_for
    from bitduel.solver.explain import advise

    words = match.game.words
    try:
        with screen.busy("Thinking ..."):
            advice = advise(evaluator_for(match.game), match)
    except TooLargeError:
        screen.say([TOO_LARGE], "wrong")
    except BitduelError as error:
        screen.say([str(error)], "wrong")
    except KeyboardInterrupt as error:
        if isinstance(error, SignalError) or not screen.fancy:
            raise
        screen.say(["No hint then."], "quiet")
    else:
        screen.say(hint(advice, [words.answer(view, choice.judged.move) for choice in advice]))
