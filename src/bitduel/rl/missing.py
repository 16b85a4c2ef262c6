"""What is said where a package is missing that an extra of ours brings."""

from bitduel.core.errors import BitduelError


class MissingError(BitduelError, ImportError):
    """A package that is not installed."""


def missing(name: str, extra: str) -> MissingError:
    """Which package it is, and how to get it."""
    return MissingError(f"{name} is not installed. pip install 'bitduel[{extra}]' brings it.")
