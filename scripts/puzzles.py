"""Make the deck of puzzles anew: every game, reading and size, solved; takes a minute or two.

The deck is what makes the puzzle of a day the same for everybody, so it is made anew only when the rules of a game
change. Without --write nothing is written: the new deck is compared with the one that is there.
"""

import sys
from collections import Counter

from bitduel.games import BUILT_IN
from bitduel.solver.puzzle_deck import FILE, written
from bitduel.solver.puzzle_maker import made
from bitduel.solver.puzzles import GRADES

MOST = 2000
"""So many puzzles of a game and grade are kept."""


def main() -> int:
    """Make it, count it, and write or compare it."""
    puzzles = made(BUILT_IN, MOST)
    count = Counter((puzzle.game.slug, puzzle.grade) for puzzle in puzzles)
    for kind in BUILT_IN:
        print(f"{kind.title:<24}", *(f"{count[kind.slug, grade]:>6}" for grade in GRADES))
    text = written(puzzles)
    if "--write" in sys.argv:
        FILE.write_text(text, "ascii")
        return 0
    same = text == FILE.read_text("ascii")
    print(f"{len(puzzles)} puzzles:", "the same deck." if same else "another deck than the one that is there.")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
