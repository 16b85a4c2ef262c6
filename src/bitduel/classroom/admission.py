"""Getting into a class: codes, personal PINs, and names that nobody can confuse with another's."""

import hmac
import re
from hashlib import sha256
from random import Random
from unicodedata import category, normalize

from bitduel.core.errors import BitduelError, PlayerNameError, printable
from bitduel.core.names import check_name
from bitduel.service.credentials import hashed
from bitduel.storage.classes import ClassRecord, PupilRecord

CONSONANTS, VOWELS = "BDFHJKLMRTZ", "AEOU"
"""The letters of codes: none looks like another, no word that offends can be made, and a code can be said aloud."""
CODE_PATTERN = (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS)
MOST_WRONG_PINS = 5
RESERVED = ("computer", "teacher")
LONGEST_CODE = 40
_LOOK_ALIKES = {
    "a": "\u0430\u03b1",
    "b": "\u0432\u03b2",
    "c": "\u0441",
    "d": "\u0501",
    "e": "\u0435\u0451\u03b5",
    "h": "\u043d\u04bb\u03b7",
    "i": "\u0456\u0457\u03b9|",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "\u04cf1\u0131\u0142",
    "m": "\u043c\u03bc",
    "n": "\u03bd",
    "o": "\u043e\u03bf\u03c30",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455\u03c2",
    "t": "\u0442\u03c4",
    "u": "\u03c5",
    "w": "\u051d\u03c9",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03b3",
    "z": "\u03b6",
}
"""For each letter, small letters of other alphabets, and digits, that look like it."""
_TO_LATIN = {ord(other): letter for letter, others in _LOOK_ALIKES.items() for other in others}


class WrongCodeError(BitduelError):
    """A text that cannot be the code of a class."""


class NameTakenError(BitduelError):
    """A name that somebody in the class has, or one that looks the same."""


class WrongPinError(BitduelError):
    """A name and a PIN that do not belong together."""


class LockedPinError(BitduelError):
    """A pupil for whom too many wrong PINs were tried."""


def new_code(rng: Random) -> str:
    """Return a random code, such as TUMAK."""
    return "".join(rng.choice(letters) for letters in CODE_PATTERN)


def canonical_code(text: str) -> str:
    """Return a code as it is stored; raise WrongCodeError for a text that cannot be one."""
    letters = "".join(text.split()).replace("-", "").upper()
    fits = len(letters) == len(CODE_PATTERN) and all(c in those for c, those in zip(letters, CODE_PATTERN, strict=True))
    if not fits:
        raise WrongCodeError(f"'{printable(text)}' is not the code of a class. A code has five letters, such as TUMAK.")
    return letters


def pin_of(token: str, code: str) -> str:
    """Return the PIN that belongs to a secret: only its browser can show it again."""
    digest = hmac.new(token.encode("utf-8", "replace"), f"PIN in class {code}".encode(), sha256).digest()
    return f"{int.from_bytes(digest[:8]) % 10_000:04}"


def hash_pin(code: str, pupil: int, pin: str) -> str:
    """Return the hash of a PIN as it is stored."""
    return hashed(f"{code} {pupil} {pin}")


def skeleton(name: str) -> str:
    """Return a text that two names share if people could take one for the other."""
    text = normalize("NFKC", name).casefold()
    visible = "".join(c for c in text if category(c) not in ("Cf", "Cc", "Zs", "Pc", "Pd", "Po", "Mn", "Lm", "Sk"))
    return normalize("NFC", normalize("NFKC", visible).casefold().translate(_TO_LATIN).replace("i", "l"))


def check_pupil_name(record: ClassRecord, name: str, own: int | None = None) -> str:
    """Return a checked name; raise NameTakenError if another pupil of the class has it, or one that looks the same."""
    checked = check_name(name)
    form = skeleton(checked)
    if not form:
        raise PlayerNameError("Please use at least one letter or digit in the name.")
    if _seems_reserved(checked):
        raise PlayerNameError(f"'{checked}' can't be the name of a pupil. Please choose another.")
    other = find_by_name(record, checked)
    if other and other.id != own:
        raise NameTakenError(f"There is already somebody called '{other.name}' in this class. Please add a letter.")
    return checked


def _seems_reserved(name: str) -> bool:
    """Return whether people could take a name, or words of it, for the computer's or the teacher's."""
    words = [skeleton(word).replace("rn", "m") for word in re.split(r"[\W_]+", normalize("NFKC", name))]
    starts = ["".join(words[at:]) for at in range(len(words))]  # a name such as "Mr T eacher" too
    return any(
        any(each in word for word in words) or any(start.startswith(each) for start in starts) for each in RESERVED
    )


def find_by_name(record: ClassRecord, name: str) -> PupilRecord | None:
    """Return the pupil with this name, or one that looks the same."""
    form = skeleton(name)
    return next((each for each in record.pupils.values() if not each.removed and skeleton(each.name) == form), None)
