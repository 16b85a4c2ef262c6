"""What is true of a game at every size: stated, explained in a sentence, and proved."""

from typing import NamedTuple


class Law(NamedTuple):
    """A law of a game in plain words."""

    name: str
    """One word or a few with hyphens between: its anchor on a page."""
    title: str
    statement: str
    why: str
    """The idea of the proof in a sentence."""
    proof: tuple[str, ...]
    """The proof, a paragraph an item."""
    source: str
    """The document that has all of it."""
