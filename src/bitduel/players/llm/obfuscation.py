"""What a game and all in it are called in a prompt: by their own names, or by others that nobody has ever read about.

New names follow from a seed and the game alone. They are put wherever the old ones stand, in every form that English
has of them: the title, both players, the words of moves, and the things that the game's own words name. Numbers stay.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import OptionError
from bitduel.core.game import PASS, Game
from bitduel.core.words import PLAYERS, Names

ONSETS, VOWELS, CODAS = ("zl", "vr", "kw", "zw", "vl", "gw", "dj"), "aeiou", ("rp", "nk", "lm", "sk", "rv", "mb", "ft")
WORDLESS = ""
"""Stands for the word that moves get which have none of their own, such as 16."""
NOTHING = {PASS: "do nothing"}


class Tongue(NamedTuple):
    """What everything is called."""

    title: str
    names: Names
    moves: Mapping[str, str]
    """Every move by its own text."""
    words: Mapping[str, str] = {}
    """What is said instead of a word, in lower case; every other word is left."""
    meanings: tuple[str, ...] = ()
    """Sentences on what the new words of moves mean."""

    def say(self, text: str) -> str:
        """A text of the game in these words."""
        if not self.words:
            return text
        phrases = [re.escape(phrase) for phrase in self.words if not phrase.isalpha()]
        return re.sub("|".join([*phrases, "[a-z]+"]), lambda found: self._instead(found[0]), text, flags=re.IGNORECASE)

    def _instead(self, word: str) -> str:
        new = self.words.get(word.lower(), word)
        return new.capitalize() if word[0].isupper() and new != word else new


def own_tongue(game: Game[Any]) -> Tongue:
    """Everything by its own name."""
    return Tongue(game.title, PLAYERS, {move: move for move in game.moves})


def new_tongue(game: Game[Any], seed: int) -> Tongue:
    """Everything by another name; raises OptionError for a game that does not say what its moves mean."""
    means = {**NOTHING, **game.words.meanings}
    verbs = list(dict.fromkeys(word for move in game.moves for word in verbs_of(move)))
    if unknown := [verb for verb in verbs if verb not in means]:
        raise OptionError(
            f"{game.title} cannot be renamed: its words do not say what {unknown[0] or 'a number'!r} means as a move."
        )
    fresh = _fresh(Random(f"{seed} {game.slug}"))
    title, one, two = (next(fresh).capitalize() for _ in range(3))
    new = {verb: next(fresh) for verb in verbs}
    things = [(noun.split(), next(fresh)) for noun in game.words.nouns]
    new = {word: name for alike, name in things for word in alike} | new
    words = {form: ending for word, name in new.items() if word for form, ending in forms(word, name)}
    words = dict.fromkeys((game.title.lower(), game.slug), title) | words
    tongue = Tongue(title, (one, two), {move: _move(move, new) for move in game.moves}, words)
    meanings = [f"To {new[verb]} is to {means[verb]}." for verb in verbs]
    return tongue._replace(meanings=tuple(map(tongue.say, meanings)))


def verbs_of(move: str) -> Sequence[str]:
    """The words of a move; a move of numbers alone has one that is not said."""
    return [part.lower() for part in move.split() if part.isalpha()] or [WORDLESS]


def forms(word: str, name: str) -> Iterator[tuple[str, str]]:
    """Every form of a word, as noun or verb, with the same form of its new name."""
    stem = word.removesuffix("e")
    yield word, name
    yield from ((form, f"{name}s") for form in (f"{word}s", f"{word}es"))
    yield from ((form, f"{name}ed") for form in (f"{stem}ed", f"{word}{word[-1]}ed"))
    yield from ((form, f"{name}ing") for form in (f"{stem}ing", f"{word}{word[-1]}ing"))


def _move(move: str, new: Mapping[str, str]) -> str:
    parts = [new[part.lower()] if part.isalpha() else part for part in move.split()]
    return " ".join(parts if verbs_of(move) != [WORDLESS] else [new[WORDLESS], *parts])


def _fresh(rng: Random) -> Iterator[str]:
    """Words that are none, each once, in an order by chance."""
    syllables = ["".join(parts) for parts in product(ONSETS, VOWELS, CODAS)]
    rng.shuffle(syllables)
    yield from syllables
    yield from (first + second for first in syllables for second in syllables)
