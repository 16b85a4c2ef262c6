"""What players are called where there is little room: commands differ at their ends, so both ends are kept."""

from bitduel.core.errors import shown

LONGEST = 40
HEAD = 8
"""So much of the beginning says what kind of player it is."""
WHOLE = 10_000


def called(name: object, room: int = LONGEST) -> str:
    """A player's name, printable and no longer than there is room."""
    text = shown(str(name), WHOLE)
    return text if len(text) <= room else f"{text[:HEAD]}…{text[HEAD + 1 - room :]}"
