"""Errors, each with one sentence that a person can act on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class BitduelError(Exception):
    """An error that a person can put right; its text is a sentence that says how."""

    status = 2
    """The exit status of a command that fails with it."""


class UnknownNameError(BitduelError):
    """A game, player or option that does not exist."""


class UnknownOptionError(UnknownNameError):
    """An option that the game does not have."""


class OptionError(BitduelError):
    """An option with a value it cannot have."""


class PlayerNameError(BitduelError):
    """A name that a player cannot have."""


class NotSolvedError(BitduelError):
    """A game whose moves cannot be evaluated."""

    status = 1


class TooLargeError(NotSolvedError):
    """A game that is too large to be solved."""


class CertificateError(BitduelError):
    """A game for which no certificate can be written."""


class SeatError(BitduelError):
    """A seat that does not exist."""


class OutcomeError(BitduelError):
    """An outcome that no match can have."""


class MoveError(BitduelError):
    """A move that cannot be made."""


class UnreadableMoveError(MoveError):
    """A text that is no move of the game."""


class IllegalMoveError(MoveError):
    """A move of the game that the position does not allow."""


class MatchOverError(MoveError):
    """A move in a match that has ended."""


class StopPlayingError(Exception):
    """A player who stops playing; the match stays as it is."""


class EndOfInputError(StopPlayingError):
    """The end of the input before the program was done with it."""

    def __init__(self, what: str = "the game") -> None:
        super().__init__(f"There is no more input, so {what} ends here.")


class SignalError(KeyboardInterrupt):
    """A signal that ends the program, such as SIGTERM, raised so that everything is closed on the way out."""


def closest_name(name: str, known: Sequence[str], cutoff: float = 0.5) -> str | None:
    """Return the known name that is most like a name, or None if none is like it."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), known, n=1, cutoff=cutoff)), None)


def unknown_name(kind: str, name: str, known: Iterable[str], listed: Iterable[str] = ()) -> UnknownNameError:
    """Return an error that suggests the most similar name and lists the known ones, or those to list."""
    names = list(known)
    closest = closest_name(name, names)
    suggestion = f" Did you mean '{closest}'?" if closest else ""
    return UnknownNameError(
        f"There is no {kind} '{printable(name)}'.{suggestion} Choose from: {', '.join(listed or names)}."
    )


def printable(text: str, limit: int = 40) -> str:
    """Return a text made safe to print inside a sentence: printable characters only, and not too long."""
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


class MissingExtraError(BitduelError, ImportError):
    """An extra whose packages are not installed."""

    status = 1


class RequiredExtra:
    """A context in which a failed import becomes one sentence: what needs the extra, and how to install it."""

    def __init__(self, extra: str, feature: str) -> None:
        self.extra = extra
        self.feature = feature

    def __enter__(self) -> None: ...

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, ImportError) and (error.name or "").partition(".")[0] != "bitduel":
            message = f"{self.feature} needs more packages: pip install 'bitduel[{self.extra}]'."
            raise MissingExtraError(message) from None
