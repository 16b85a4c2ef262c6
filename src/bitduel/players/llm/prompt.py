"""Prompts: the rules in the game's own words or renamed, what the seat sees, and how to answer.

All of it follows from the view of the seat, and nothing else of a match ever comes here. New names follow from a seed
and the game alone. They replace the old ones in every English form: the title, both players, the words of moves, and
the nouns of the game's words. Numbers stay.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import OptionError
from bitduel.core.game import PASS, Game
from bitduel.core.view import View
from bitduel.core.words import PLAYERS, Names
from bitduel.players.llm.answer import AnswerFault
from bitduel.players.settings import FULL, NONE, LlmSettings

FORM = "MOVE: <move>"
INSTRUCTIONS = {
    True: f"Think first, as long as you need. Then end your answer with one line of its own: {FORM}",
    False: f"Answer with this one line and nothing else, no explanation: {FORM}",
}
"""The format of the answer, with and without a scratchpad."""

ONSETS, VOWELS, CODAS = ("zl", "vr", "kw", "zw", "vl", "gw", "dj"), "aeiou", ("rp", "nk", "lm", "sk", "rv", "mb", "ft")
WORDLESS = ""
"""Stands for the word of moves that have none of their own, such as 16."""
PASS_MEANING = {PASS: "do nothing"}


class Vocabulary(NamedTuple):
    """The names of a game and everything in it, as a prompt uses them."""

    title: str
    names: Names
    moves: Mapping[str, str]
    """The new text of every move by its own."""
    words: Mapping[str, str] = {}
    """The new word for a word in lower case; every other word stays."""
    meanings: tuple[str, ...] = ()
    """Sentences that explain the new words of moves."""

    def translate(self, text: str) -> str:
        """Return a text of the game in these words."""
        if not self.words:
            return text
        phrases = [re.escape(phrase) for phrase in self.words if not phrase.isalpha()]
        return re.sub("|".join([*phrases, "[a-z]+"]), lambda match: self._new_word(match[0]), text, flags=re.IGNORECASE)

    def _new_word(self, word: str) -> str:
        new = self.words.get(word.lower(), word)
        return new.capitalize() if word[0].isupper() and new != word else new


def invented_vocabulary(game: Game[Any], seed: int) -> Vocabulary:
    """Return invented names; raise OptionError for a game that does not explain its moves."""
    explanations = {**PASS_MEANING, **game.words.meanings}
    verbs = list(dict.fromkeys(word for move in game.moves for word in move_words(move)))
    if unexplained := [verb for verb in verbs if verb not in explanations]:
        raise OptionError(
            f"{game.title} can't be renamed: it doesn't explain what {unexplained[0] or 'a number'!r} means as a move."
        )
    invented = _invented_words(Random(f"{seed} {game.slug}"))
    title, one, two = (next(invented).capitalize() for _ in range(3))
    new = {verb: next(invented) for verb in verbs}
    nouns = [(noun.split(), next(invented)) for noun in game.words.nouns]
    new = {word: name for synonyms, name in nouns for word in synonyms} | new
    words = {form: new_form for word, name in new.items() if word for form, new_form in inflections(word, name)}
    words = dict.fromkeys((game.title.lower(), game.slug), title) | words
    moves = {move: _rename_move(move, new) for move in game.moves}
    vocabulary = Vocabulary(title, (one, two), moves, words)
    meanings = [f"To {new[verb]} is to {explanations[verb]}." for verb in verbs]
    return Vocabulary(title, (one, two), moves, words, tuple(map(vocabulary.translate, meanings)))


def move_words(move: str) -> Sequence[str]:
    """Return the words of a move; a move of numbers alone has one that is not written."""
    return [part.lower() for part in move.split() if part.isalpha()] or [WORDLESS]


def inflections(word: str, name: str) -> Iterator[tuple[str, str]]:
    """Return every form of a word, as noun or verb, with the same form of its new name."""
    stem = word.removesuffix("e")
    yield word, name
    yield from ((form, f"{name}s") for form in (f"{word}s", f"{word}es"))
    yield from ((form, f"{name}ed") for form in (f"{stem}ed", f"{word}{word[-1]}ed"))
    yield from ((form, f"{name}ing") for form in (f"{stem}ing", f"{word}{word[-1]}ing"))


def _rename_move(move: str, new: Mapping[str, str]) -> str:
    parts = [new[part.lower()] if part.isalpha() else part for part in move.split()]
    return " ".join(parts if move_words(move) != [WORDLESS] else [new[WORDLESS], *parts])


def _invented_words(rng: Random) -> Iterator[str]:
    syllables = ["".join(parts) for parts in product(ONSETS, VOWELS, CODAS)]
    rng.shuffle(syllables)
    yield from syllables
    yield from (first + second for first in syllables for second in syllables)


class Prompt:
    """The texts that a model is sent in one game."""

    def __init__(self, game: Game[Any], settings: LlmSettings) -> None:
        self.game = game
        self.settings = settings
        seed = settings.renamed
        own_names = Vocabulary(game.title, PLAYERS, {move: move for move in game.moves})
        self.vocabulary = own_names if seed is None else invented_vocabulary(game, seed)
        self.original = {new: move for move, new in self.vocabulary.moves.items()}
        """The moves of the game by their names in the prompt."""

    def preface(self, view: View) -> str:
        """Return the part that holds for the whole match."""
        own_name, other_name = self._names(view)
        moves = [move for move in self.vocabulary.moves if move != PASS]
        return "\n".join(
            [
                f"You are playing {self.vocabulary.title}, a game for two. You are {own_name}, and your opponent is "
                f"{other_name}.",
                *self._rules(),
                f"A move is written as one of these: {', '.join(self.rename(moves))}.",
                *self.vocabulary.meanings,
                INSTRUCTIONS[self.settings.scratchpad],
            ]
        )

    def turn(self, view: View, since: int = 0) -> str:
        """Return the position as the seat sees it, with the moves from a ply on."""
        state = {"board": view.board._asdict(), "options": view.options}
        lines = [
            self.vocabulary.translate(self.game.picture(view, self.vocabulary.names).caption),
            self.vocabulary.translate(json.dumps(state)),
            *(self._history(view, since) if self.settings.history else []),
            *([f"Possible moves: {', '.join(self.rename(view.legal))}."] if self.settings.legal else []),
            f"{self._names(view)[0]}, it's your turn. {FORM}",
        ]
        return "\n".join(lines)

    def correction(self, fault: AnswerFault, view: View) -> str:
        """Return the reply to an answer without a legal move."""
        possible = f" Possible moves: {', '.join(self.rename(view.legal))}." if self.settings.legal else ""
        return f"{fault.message}{possible} {INSTRUCTIONS[self.settings.scratchpad]}"

    def rename(self, moves: Sequence[str]) -> list[str]:
        """Return moves by their names in the prompt."""
        return [self.vocabulary.moves[move] for move in moves]

    def _rules(self) -> list[str]:
        if self.settings.rules == NONE:
            return []
        rules = self.game.words.rules() if self.settings.rules == FULL else []
        return [self.vocabulary.translate(line) for line in (self.game.goal, *rules)]

    def _history(self, view: View, since: int) -> list[str]:
        if not view.history[since:]:
            return ["No move has been made yet."]
        own_name, other_name = self._names(view)
        order = (own_name, other_name) if view.first == view.seat else (other_name, own_name)
        moves = [
            f"{ply + 1}. {order[ply % 2]}: {self.vocabulary.moves.get(move, 'unseen')}"
            for ply, move in enumerate(view.history)
        ]
        return [f"{'Moves since then' if since else 'Moves so far'}:", *moves[since:]]

    def _names(self, view: View) -> tuple[str, str]:
        """Return the names of the seat and its opponent."""
        one, two = self.vocabulary.names
        return (one, two) if view.seat == 1 else (two, one)
