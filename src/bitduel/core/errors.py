"""Everything that can go wrong, each as one sentence a person can act on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class BitduelError(Exception):
    """Something a person can put right; its text is the sentence that says how."""

    status = 2
    """The exit status of a command that ends with it."""


class UnknownNameError(BitduelError):
    """A game, player or option that does not exist."""


class UnknownOptionError(UnknownNameError):
    """An option that the game does not have."""


class OptionError(BitduelError):
    """An option with a value it cannot have."""


class PlayerNameError(BitduelError):
    """A name that a player cannot have."""


class NotSolvedError(BitduelError):
    """A game of which nobody knows what its moves are worth."""

    status = 1


class TooLargeError(NotSolvedError):
    """A game that is too large to be solved."""


class CertificateError(BitduelError):
    """A proof that cannot be written down."""


class SeatError(BitduelError):
    """A seat that is not at the table."""


class OutcomeError(BitduelError):
    """A way of ending that no match can have."""


class MoveError(BitduelError):
    """A move that was not made."""


class UnreadableMoveError(MoveError):
    """A text that is no move of the game at all."""


class IllegalMoveError(MoveError):
    """A move of the game that the position does not allow."""


class MatchOverError(MoveError):
    """A move in a match that has ended."""


class StopPlayingError(Exception):
    """Somebody stops playing; the match stays as it is."""


class EndOfInputError(StopPlayingError):
    """The input ended before the program was done with it."""

    def __init__(self, what: str = "the game") -> None:
        super().__init__(f"The input ended, so {what} stops here.")


class SignalError(KeyboardInterrupt):
    """A signal that ends the program, such as SIGTERM; whatever is open is closed on the way out."""


def likeliest(name: str, known: Sequence[str], alike: float = 0.5) -> str | None:
    """What somebody meant who wrote something else, or None where nothing is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), known, n=1, cutoff=alike)), None)


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Say what there is instead, the likeliest meant first."""
    names = list(known)
    near = likeliest(name, names)
    meant = f" Did you mean '{near}'?" if near else ""
    return UnknownNameError(f"There is no {kind} '{shown(name)}'.{meant} There is: {', '.join(names)}.")


def shown(text: str, limit: int = 40) -> str:
    """A stranger's text made safe to print inside a sentence: printable and not too long."""
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."
