"""Two ways to search for the secret that fit into a head: plain binary search, and the plan that the lesson teaches."""

from bitduel.core.view import View


def plain(view: View) -> str:
    """Plain binary search: set the next bit from the left, and take it back if that was too much."""
    number, high = int(view.board.mine, 2), view.board.high
    bits = len(view.board.mine)
    if number > high:
        return f"toggle {bits - (number & -number).bit_length() + 1}"
    fits = [place for place in range(bits) if not number >> place & 1 and number + (1 << place) <= high]
    return f"toggle {bits - max(fits)}"


def plan(view: View) -> str:
    """Open with bit 2; then go to the possible number in the middle, or beside it while some are left.

    Of the numbers that one toggle makes, those count that the secret can still be. Where there is none, it is the
    leftmost toggle after which the fewest toggles are needed to make one.
    """
    low, high = view.board.low, view.board.high
    bits, left = len(view.board.mine), high - low + 1
    made = {move: int(view.board.mine, 2) ^ 1 << bits - int(move.split()[1]) for move in view.legal}
    if left == 1 << bits:
        return view.legal[min(1, bits - 1)]
    possible = sorted((move for move in made if low <= made[move] <= high), key=lambda m: abs(2 * made[m] - low - high))
    if not possible:
        return min(made, key=lambda move: min((made[move] ^ secret).bit_count() for secret in range(low, high + 1)))
    some, many = beside(bits)
    return possible[min(1, len(possible) - 1)] if some <= left <= many else possible[0]


def beside(bits: int) -> tuple[int, int]:
    """While from so many to so many numbers are left, the plan takes the second nearest to the middle."""
    return (1 << bits) // 4 - 1, (1 << bits) // 2 - 1
