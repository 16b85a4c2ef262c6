"""Some of very many games: a bounded number, the same whatever the order in which they come."""

from heapq import heappush, heappushpop
from zlib import crc32

from bitduel.arena.game_record import GameRecord


class GameSample:
    """At most so many games, each as likely to be among them as any other."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._heap: list[tuple[int, str, GameRecord]] = []
        self.seen = 0

    def add(self, row: GameRecord) -> None:
        """Look at one more game."""
        self.seen += 1
        mark = -crc32(row.id.encode("utf-8", "replace"))
        if len(self._heap) < self.most:
            heappush(self._heap, (mark, row.id, row))
        elif mark > self._heap[0][0]:
            heappushpop(self._heap, (mark, row.id, row))

    @property
    def rows(self) -> list[GameRecord]:
        """The games, in an order that has nothing to do with how they went."""
        return [row for _, _, row in sorted(self._heap, key=lambda each: (-each[0], each[1]))]
