"""What a player can be called: whatever people are called, and nothing that plays tricks with the text around it."""

from collections.abc import Iterator
from unicodedata import bidirectional, category, combining, normalize

from bitduel.core.errors import PlayerNameError, shown

LONGEST_NAME = 32
"""Characters as people count them: an emoji of a whole family is one."""
MOST_POINTS = 256
MOST_MARKS = 4
"""So many marks on one letter are more than any script needs."""

VIRAMA = 9
"""The class of marks after which a joiner shapes the letters of Indian scripts."""
JOINERS = "\u200c\u200d"
SKIN = range(0x1F3FB, 0x1F400)
TAGS = range(0xE0020, 0xE0080)
"""What spells out a flag such as that of Scotland after the black flag."""
PICTOGRAPHS = range(0x1F000, 0x1FB00)
"""Kept free for emoji: those that are newer than this Python's tables are there too."""
FLAG = "\N{WAVING BLACK FLAG}"
BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks that show nothing."""


def check_name(name: str) -> str:
    """The name as it is kept; raises PlayerNameError where it cannot be one."""
    clean = normalize("NFC", _plain_blanks(name)).strip()
    parts = list(clusters(clean))
    if not 0 < sum(map(_letters, parts)) <= LONGEST_NAME or len(clean) > MOST_POINTS or not all(map(_sound, parts)):
        raise PlayerNameError(f"A name is 1 to {LONGEST_NAME} printable characters, not '{shown(name)}'.")
    return clean


def look(name: str) -> str:
    """What a name looks like: two that differ only in what nobody sees are one."""
    return normalize("NFKC", "".join(c for c in name if c not in JOINERS and category(c) != "Cf"))


def clusters(text: str) -> Iterator[str]:
    """A text in characters as people count them: letters with their marks, emoji with all that is joined to them."""
    cluster = ""
    for character in text:
        if cluster and not _goes_on(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def is_pictograph(character: str) -> bool:
    """Whether a character is a picture, such as an emoji."""
    return category(character) == "So" or ord(character) in PICTOGRAPHS


def _goes_on(cluster: str, character: str) -> bool:
    """Whether a character belongs to what is before it."""
    if character in JOINERS or _is_mark(character):
        return True
    if ord(character) in SKIN or ord(character) in TAGS:
        return is_pictograph(cluster[0])
    return cluster[-1] in JOINERS or _is_half_a_flag(cluster, character)


def _is_half_a_flag(cluster: str, character: str) -> bool:
    return len(cluster) == 1 and all(0x1F1E6 <= ord(each) <= 0x1F1FF for each in cluster + character)


def _letters(cluster: str) -> int:
    """How long one character is: emoji count once, letters that a joiner holds together each."""
    return 1 if is_pictograph(cluster[0]) else sum(c not in JOINERS and not _is_mark(c) for c in cluster)


def _is_mark(character: str) -> bool:
    return category(character) in ("Mn", "Me", "Mc")


def _sound(cluster: str) -> bool:
    """Whether one character as people count them shows something, and nothing but itself."""
    parts = 1 + sum(map(cluster.count, JOINERS))
    marked = sum(map(_is_mark, cluster)) <= MOST_MARKS * parts and not _is_mark(cluster[0])
    return marked and all(_fits(cluster, at) for at in range(len(cluster)))


def _fits(cluster: str, at: int) -> bool:
    character = cluster[at]
    if character in JOINERS:
        return 0 < at < len(cluster) - 1 and _joins(cluster[:at], cluster[at + 1])
    if ord(character) in TAGS:
        return cluster[0] == FLAG
    if ord(character) in PICTOGRAPHS:
        return True
    return character not in BLANKS and category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _joins(before: str, after: str) -> bool:
    """Where a joiner is part of the writing: inside emoji, after a virama, and between letters of Arabic script."""
    if is_pictograph(before[0]):
        return before[-1] not in JOINERS and is_pictograph(after)
    letters = [character for character in before if not _is_mark(character)]
    return combining(before[-1]) == VIRAMA or bidirectional(letters[-1]) == bidirectional(after) == "AL"


def _plain_blanks(name: str) -> str:
    return "".join(" " if category(character) == "Zs" else character for character in name)
