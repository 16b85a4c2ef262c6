"""Choices without `if`, so that one line works on a number and on an array of numbers."""

from bitduel.core.game import Number, Truth


def choose(condition: Truth, yes: Number, no: Number) -> Number:
    """Yes where the condition holds, no elsewhere."""
    return no + condition * (yes - no)


def larger(a: Number, b: Number) -> Number:
    """The larger of two numbers."""
    return choose(a > b, a, b)


def smaller(a: Number, b: Number) -> Number:
    """The smaller of two numbers."""
    return choose(a < b, a, b)
