"""The law of the bits in plain words; docs/theorems.md has it for all readings."""

from bitduel.core.laws import Law

DRAWN = Law(
    name="a-draw",
    title="Nobody can force a win",
    statement="With two bits or more it is a draw, in every reading of the rules. Whoever is to move and is one bit "
    "short flips it and wins; from every other position both can hold the draw. With one bit the player who "
    "starts flips it and has won.",
    why="A row that lacks one bit can be reset at once beside the missing one, so nobody who watches lets the other "
    "complete a row.",
    proof=(
        "The 1s of a row always stand side by side: a flip starts in an empty row or adds a 1 beside a 1, and a reset "
        "takes away a 1 at an end of the block.",
        "So a row that lacks one bit is a block that touches one wall, and the missing bit is at the other. The bit "
        "beside it has a 0 for a neighbour, so it may be reset, however the edge is read. It may also be completed by "
        "whoever owns it, if it is their turn.",
        "Whoever always resets it, and else does anything, never lets the other begin a turn with one bit missing: the "
        "other had at most all but two, got one more, and lost one again. So the other's row is never full. Both can "
        "do that, so nobody can force a win.",
    ),
    source="docs/theorems.md",
)
