"""On what terms programs from outside play: how long, how large, and where their traces are kept."""

from pathlib import Path
from typing import NamedTuple

from bitduel.players.llm.settings import Talk


class PlayerLimits(NamedTuple):
    """What holds for every player that is no part of this house; the built-in ones need none of it."""

    seconds: float = 10.0
    """The time for a move, and for the first word."""
    megabytes: int = 1024
    """The most memory of a process."""
    folder: Path | None = None
    """Where exchanges and standard errors are kept; None for nowhere."""
    hidden: tuple[Path, ...] = ()
    """Folders that bots do not see into, where the system has the means: what they must not know may be there."""
    sealed: bool = False
    """Whether nothing of a match may reach another: a bot has no network and can write nothing that lasts, where the
    system has the means."""
    reveals: bool = True
    """Whether a bot is told at the end what was dealt; not where others are still to play the same deal."""
    llm: Talk = Talk()
    """How language models are talked to; the time for their answers is there too."""


USUAL = PlayerLimits()
