"""Names of players: any name of a person, but nothing that distorts the text around it."""

from collections.abc import Iterator
from unicodedata import bidirectional, category, combining, normalize

from bitduel.core.errors import PlayerNameError, printable

MAX_NAME_LENGTH = 32
"""Graphemes: an emoji of a family is one."""
MAX_CODE_POINTS = 256
MAX_MARKS = 4
"""Marks on one letter; no script needs more."""

RESERVED = ("you", "your friend")
"""What pages call people who have other names, in any case."""

VIRAMA = 9
"""The combining class of marks after which a joiner shapes the letters of Indian scripts."""
JOINERS = "\u200c\u200d"
SKIN_TONES = range(0x1F3FB, 0x1F400)
TAGS = range(0xE0020, 0xE0080)
"""Code points that make a flag such as that of Scotland of the black flag before them."""
PICTOGRAPHS = range(0x1F000, 0x1FB00)
"""The range of emoji, including those that are newer than the tables of this Python."""
FLAG = "\N{WAVING BLACK FLAG}"
INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks that are invisible."""


def check_name(name: str) -> str:
    """Return a name in its normal form; raise PlayerNameError if it cannot be a name."""
    clean = normalize("NFC", _with_plain_spaces(name)).strip()
    clusters = list(graphemes(clean))
    has_length = 0 < sum(map(_length, clusters)) <= MAX_NAME_LENGTH and len(clean) <= MAX_CODE_POINTS
    if not has_length or not all(map(_is_allowed, clusters)):
        raise PlayerNameError(
            f"A name must have 1 to {MAX_NAME_LENGTH} printable characters. '{printable(name)}' doesn't."
        )
    if is_reserved(clean):
        raise PlayerNameError(f"'{printable(clean)}' can't be the name of a player. Please choose another.")
    return clean


def is_reserved(name: str) -> bool:
    """Return whether a name looks like a word that stands for somebody, such as You."""
    return " ".join(visible_form(name).casefold().split()) in RESERVED


def visible_form(name: str) -> str:
    """Return the visible form of a name: two names that look alike have the same."""
    return normalize("NFKC", "".join(c for c in name if c not in JOINERS and category(c) != "Cf"))


def graphemes(text: str) -> Iterator[str]:
    """Yield the graphemes of a text: letters with their marks, emoji with everything that is joined to them."""
    cluster = ""
    for character in text:
        if cluster and not _continues(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def is_pictograph(character: str) -> bool:
    """Return whether a character is a picture, such as an emoji."""
    return category(character) == "So" or ord(character) in PICTOGRAPHS


def _continues(cluster: str, character: str) -> bool:
    """Return whether a character belongs to the cluster before it."""
    if character in JOINERS or _is_mark(character):
        return True
    if ord(character) in SKIN_TONES or ord(character) in TAGS:
        return is_pictograph(cluster[0])
    return cluster[-1] in JOINERS or _is_half_a_flag(cluster, character)


def _is_half_a_flag(cluster: str, character: str) -> bool:
    return len(cluster) == 1 and all(0x1F1E6 <= ord(each) <= 0x1F1FF for each in cluster + character)


def _length(cluster: str) -> int:
    """Return the length of a cluster: an emoji counts once, letters that a joiner connects count each."""
    return 1 if is_pictograph(cluster[0]) else sum(c not in JOINERS and not _is_mark(c) for c in cluster)


def _is_mark(character: str) -> bool:
    return category(character) in ("Mn", "Me", "Mc")


def _is_allowed(cluster: str) -> bool:
    """Return whether a cluster is visible and affects nothing but itself."""
    parts = 1 + sum(map(cluster.count, JOINERS))
    marked = sum(map(_is_mark, cluster)) <= MAX_MARKS * parts and not _is_mark(cluster[0])
    return marked and all(_is_allowed_at(cluster, at) for at in range(len(cluster)))


def _is_allowed_at(cluster: str, at: int) -> bool:
    character = cluster[at]
    if character in JOINERS:
        return 0 < at < len(cluster) - 1 and _can_join(cluster[:at], cluster[at + 1])
    if ord(character) in TAGS:
        return cluster[0] == FLAG
    if ord(character) in PICTOGRAPHS:
        return True
    return character not in INVISIBLE and category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _can_join(before: str, after: str) -> bool:
    """Return whether a joiner belongs here: inside emoji, after a virama, or between letters of Arabic script."""
    if is_pictograph(before[0]):
        return before[-1] not in JOINERS and is_pictograph(after)
    letters = [character for character in before if not _is_mark(character)]
    return combining(before[-1]) == VIRAMA or bidirectional(letters[-1]) == bidirectional(after) == "AL"


def _with_plain_spaces(name: str) -> str:
    return "".join(" " if category(character) == "Zs" else character for character in name)
