"""Extras: packages that only a part of the program needs, and the sentence where one of them is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from bitduel.core.errors import BitduelError


class MissingExtraError(BitduelError, ImportError):
    """Packages of an extra that are not installed."""

    status = 1


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Turn a failed import inside into one sentence: what needs the extra, and how to install it."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "bitduel":
            raise
        raise MissingExtraError(f"{what} needs more packages: pip install 'bitduel[{name}]'.") from None
