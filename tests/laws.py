"""The lost targets of the number races from 1, by the digits of the target."""


def first_player_loses_by_one(target: int) -> bool:
    """Say whether start 1, step 1 is lost: some even power of two is in the target."""
    return "1" in _bits(target)[0::2]


def first_player_loses_by_two(target: int) -> bool:
    """Say whether start 1, step 2 is lost: odd, with no odd power of two in it."""
    return target % 2 == 1 and "1" not in _bits(target)[1::2]


def _bits(target: int) -> str:
    """Write the target in binary, units first."""
    return f"{target:b}"[::-1]
