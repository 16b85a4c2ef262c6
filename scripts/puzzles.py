"""Make the deck of puzzles anew, with the puzzles of the days; takes a minute or two. List the days with --days.

The deck is what makes the puzzle of a day the same for everybody, so it is made anew only when the kinds of puzzles
change. Without --write nothing is written: the new deck is compared with the one that is there.
"""

import sys
from collections import Counter
from datetime import timedelta
from fractions import Fraction

from bitduel.core.puzzle import GRADES
from bitduel.games.registry import BUILT_IN, find
from bitduel.learning.puzzle_deck import FILE, FIRST_DAY, deck
from bitduel.learning.puzzle_generator import deck_text, generate_deck


def print_days() -> None:
    """Print date, number, game, kind, grade and odds of every daily puzzle, and the worst odds of each game."""
    worst: dict[str, Fraction] = {}
    for number, name in enumerate(deck().days, 1):
        entry = deck().entry(name)
        title = find(entry.slug).title
        worst[title] = max(entry.odds, worst.get(title, entry.odds))
        day = FIRST_DAY + timedelta(number - 1)
        print(f"{day:%Y-%m-%d %a}{number:>5}  {title:<24}{entry.kind:<16}{entry.grade:>2}  {entry.odds}")
    print("The easiest to guess:", ", ".join(f"{title} {odds}" for title, odds in sorted(worst.items())))


def main() -> int:
    """List the days, or make the deck, count it, and write or compare it."""
    if "--days" in sys.argv:
        print_days()
        return 0
    puzzles = generate_deck(BUILT_IN)
    count = Counter((puzzle.game.title, puzzle.kind, puzzle.grade) for puzzle in puzzles)
    for title, kind in dict.fromkeys((puzzle.game.title, puzzle.kind) for puzzle in puzzles):
        print(f"{title:<24}{kind:<18}", *(f"{count[title, kind, grade]:>5}" for grade in GRADES))
    text = deck_text(puzzles)
    if "--write" in sys.argv:
        FILE.write_text(text, "ascii")
        return 0
    same = text == FILE.read_text("ascii")
    print(f"{len(puzzles)} puzzles:", "the same deck." if same else "another deck than the one that is there.")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
