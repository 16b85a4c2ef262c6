"""Errors of classes, each with one sentence for whoever caused it."""

from bitduel.core.errors import BitduelError


class NotYourClassError(BitduelError):
    """A request of somebody who is not in the class, or not its teacher."""


class ClassLockedError(BitduelError):
    """A class that nobody can join now: its door is locked, or it is full."""


class ClassLateError(BitduelError):
    """A request that does not fit the state of the class any more."""


class StillPlayingError(ClassLateError):
    """A next round while boards of this one still play."""


class UnknownPupilError(BitduelError):
    """An id that no pupil of the class has."""
