"""Names for matches that are short, easy to type and hard to misread."""

import secrets

ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
"""No letter looks like a digit, and without vowels no id is a word."""

LENGTH = 7

AFTER_ALL = "{"
"""Sorts after every letter of the alphabet: ids that begin with p lie between p and p{."""


def new_id() -> str:
    """A fresh id by chance; whoever uses it checks that it is free."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_token() -> str:
    """A mark by which a writer knows its own write again."""
    return secrets.token_hex(8)
