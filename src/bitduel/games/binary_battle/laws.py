"""What is proved of Binary Battle at every size, in plain words; docs/theorems.md has the whole."""

from bitduel.core.laws import Law

SOURCE = "docs/theorems.md"

BOUNDS = Law(
    name="bounds",
    title="Going first helps, a little",
    statement="In the dark, with n bits from 2 on and best play, the player who starts wins with a probability of at "
    "least 1/2 + 3/(16(2n - 1)) and at most 1 - (1 - 1/n)/2^n. It is known exactly up to 7 bits.",
    why="Both search alone, so who starts wins the ties; and there must be ties, because a good search does not take "
    "long.",
    proof=(
        "Plain binary search, from the highest bit down, hits any secret by turn B = 2n - 1. Let p be the probability "
        "that player 2, playing best, has not hit before turn B. Player 1 can play plain binary search and wins at "
        "least with probability p. Or he can play as player 2 does, for himself: then both are alike, and he wins half "
        "of the matches and half of the ties besides.",
        "With probability 1 - p player 2 hits before turn B, and whether in an odd or an even turn depends on the "
        "secret alone, so that at most B/2 turns are possible. So two who play alike hit in the same turn at least "
        "with probability (1 - p)^2 / (B/2). Either p itself or 1/2 + (1 - p)^2 / B reaches the lower bound.",
        "Player 2 can begin with a bit chosen evenly by chance. With probability 1 - 1/n that is another bit than "
        "player 1's first, and with probability 1/2^n it hits at once.",
    ),
    source=SOURCE,
)

PARITY = Law(
    name="odd-and-even",
    title="Odd secrets are hit in odd turns",
    statement="A player hits a secret with an odd number of 1s in an odd turn of their own, and one with an even "
    "number of 1s in an even turn.",
    why="Every turn toggles one bit, and at the start there are none.",
    proof=(
        "A toggle changes the number of 1s by one, up or down. At the start it is 0, so after so many turns it is odd "
        "or even as they are; and when the secret is hit it is that of the secret.",
    ),
    source=SOURCE,
)
