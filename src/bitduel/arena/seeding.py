"""Random numbers that are quick to begin: a game of a few moves is over before a usual generator is ready."""

from hashlib import blake2b
from random import Random
from struct import Struct
from typing import Any

WORDS = Struct("<8Q")
UNIT = 2.0**-53


class Source:
    """What streams are derived from: parts that no other source has, and a number for each stream of many."""

    def __init__(self, *parts: object) -> None:
        self._hash = blake2b(repr(parts).encode())

    def block(self, stream: int, number: int) -> list[int]:
        """Some random words of 64 bits: always the same for the same block of a stream."""
        digest = self._hash.copy()
        digest.update(b"%d %d" % (stream, number))
        return list(WORDS.unpack(digest.digest()))


class Stream(Random):
    """The random numbers of a source, by the usual methods of a generator."""

    def __init__(self, source: Source, stream: int) -> None:
        super().__init__(0)
        self.begin(source, stream)

    def begin(self, source: Source, stream: int) -> None:
        """Go on with the first numbers of a stream of this source."""
        self._source, self._stream, self._blocks = source, stream, 0
        self._left: list[int] = []

    def random(self) -> float:
        """A number from 0 to less than 1."""
        return ((self._left.pop() if self._left else self._more()) >> 11) * UNIT

    def getrandbits(self, k: int, /) -> int:
        """A whole number of so many bits."""
        if 0 < k <= 64:
            return (self._left.pop() if self._left else self._more()) >> (64 - k)
        bits = 0
        for begin in range(0, k, 64):
            bits |= self.getrandbits(min(64, k - begin)) << begin
        return bits

    def choice(self, seq: Any) -> Any:
        """One of a sequence, each equally likely as far as 53 bits can tell."""
        return seq[int(((self._left.pop() if self._left else self._more()) >> 11) * UNIT * len(seq))]

    def _more(self) -> int:
        self._left = self._source.block(self._stream, self._blocks)
        self._blocks += 1
        return self._left.pop()

    def seed(self, *_: Any, **__: Any) -> None:
        """The source is the seed."""

    def getstate(self) -> Any:
        """Streams are begun again, not kept."""
        raise NotImplementedError("a stream is begun from its source")

    def setstate(self, state: Any) -> None:
        """Streams are begun again, not kept."""
        raise NotImplementedError("a stream is begun from its source")
