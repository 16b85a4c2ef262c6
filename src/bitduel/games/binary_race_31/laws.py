"""The law of the track in plain words; docs/theorems.md has it in symbols."""

from bitduel.core.laws import Law

FEWER_MOVES = Law(
    name="fewer-moves",
    title="Who needs no more moves wins",
    statement="A player needs a move for every 16 steps that are left, and one for the rest; where the end may not be "
    "passed, one for every 1 in the binary digits of the rest. Whoever is to move wins exactly if they need "
    "no more moves than the other. So the player who starts always wins.",
    why="No move changes anything for the other, so all that counts is who has fewer to make.",
    proof=(
        "The fewest moves, where the end may be passed: a move takes 16 steps at most, so there cannot be fewer; and "
        "moving 16 as long as more than 16 are left, and then once more, is enough.",
        "Where it may not be passed, the moves add up to the steps that are left. Moving 16s and then the binary "
        "digits of the rest is enough. Fewer are not, because no move lowers that count by more than 1: taking away a "
        "power of two removes one binary 1, or borrows and leaves at least as many.",
        "Whoever is to move and needs no more moves than the other makes the last of them before the other has made as "
        "many. If they need more, the other does the same to them. Nobody can be hindered, and moving 1 is always "
        "possible.",
    ),
    source="docs/theorems.md",
)
