"""A prompt says what the switches let it say, from what its seat sees, in the game's own words or in others."""

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.players.llm.answer import ILLEGAL, AnswerFault
from bitduel.players.llm.prompt import Prompt, inflections, invented_vocabulary, move_words
from bitduel.players.settings import PARSERS, LlmSettings
from helpers import all_readings

READINGS = all_readings()


def whole(game: Game[Any], talk: LlmSettings, match: Match, seat: int) -> str:
    """All that a model is told on its turn."""
    prompt, view = Prompt(game, talk), match.view(seat)
    return f"{prompt.preface(view)}\n{prompt.turn(view)}"


def some_match(game: Game[Any], seed: int, plies: int) -> Match:
    """A match of random moves that is not over yet."""
    rng = Random(seed)
    match = Match(game, rng.choice((1, 2)), game.deal(rng))
    while match.ply < plies:
        match.play(rng.choice(match.legal))
        if match.outcome:
            return match.at(match.ply - 1)
    return match


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_a_prompt_has_the_rules_what_the_seat_sees_the_moves_so_far_and_those_that_are_possible(kind: Any) -> None:
    game = kind()
    match = some_match(game, 1, 3)
    seat = match.to_move
    assert seat
    said, view = whole(game, LlmSettings(), match, seat), match.view(seat)
    assert all(line in said for line in (game.title, game.goal, *game.words.rules()))
    assert game.picture(view, ("Player 1", "Player 2")).caption in said
    assert f"Possible moves: {', '.join(view.legal)}.\n" in said
    assert all(f"{ply}. Player {match.seat_at(ply - 1)}: " in said for ply in range(1, match.ply + 1))
    assert f"You are Player {seat}" in said
    assert said.endswith("MOVE: <move>")


def test_every_switch_leaves_out_what_it_says() -> None:
    game = make("bits")
    match = Match(game, 2, moves=["flip 2", "flip 3"])
    rule = game.words.rules()[1]
    for legal, history, rules, scratchpad in product((True, False), (True, False), ("full", "short", "none"), (0, 1)):
        talk = LlmSettings(legal=legal, history=history, rules=rules, scratchpad=bool(scratchpad))
        said = whole(game, talk, match, 2)
        assert ("Possible moves" in said) == legal
        assert ("Moves so far" in said) == ("2. Player 1: flip 3" in said) == history
        assert (rule in said) == (rules == "full")
        assert (game.goal in said) == (rules != "none")
        assert ("Think first" in said) == bool(scratchpad)
        assert game.title in said
        assert "reset 4" in said, "how moves are written is always told"
        assert not re.search(r"\bpass\b", said.replace(" ".join(game.words.rules()[-1:]), ""))


@given(st.data())
def test_what_is_hidden_changes_no_byte_of_a_prompt(data: st.DataObject) -> None:
    """Two matches with other secrets and other moves of the opponent, in which a seat has learnt the same."""
    game = make("battle")
    bits = st.lists(st.integers(1, 5), min_size=1, max_size=4)
    own = data.draw(bits, "own")
    first = data.draw(st.sampled_from((1, 2)), "who starts")
    seen = []
    for _ in range(2):
        match = Match(game, first, deal=f"{data.draw(st.integers(0, 31)):05b}")
        for place in own:
            for seat in (first, 3 - first):
                place_now = place if seat == 1 else data.draw(st.integers(1, 5))
                if not match.outcome:
                    match.play(f"toggle {place_now}")
        seen.append(match)
    one, two = (match.view(1) for match in seen)
    if one.over or two.over:
        return
    talk = LlmSettings(renamed=data.draw(st.sampled_from((None, 3))))
    prompts = [whole(game, talk, match, 1).encode() for match in seen]
    assert (prompts[0] == prompts[1]) == (one.board == two.board)


def test_two_matches_that_differ_in_what_is_hidden_are_one_to_the_model() -> None:
    """The same by hand, so that it is sure to be looked at, also where options chose the secret."""
    told = set()
    for secret, theirs in product(("10001", "11110"), ("toggle 2", "toggle 5")):
        for game in (make("battle"), make("battle", secret=secret)):
            match = Match(game, deal=secret, moves=["toggle 1", theirs])
            told.add((whole(game, LlmSettings(), match, 1).encode(), bool(game.fixed_deal)))
    assert len(told) == 2, "one where the secret was dealt, one where it was chosen"


@pytest.mark.parametrize(("kind", "chosen"), READINGS, ids=lambda part: getattr(part, "slug", str(part)))
def test_a_renamed_game_keeps_no_name_of_its_own(kind: Any, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    words = {verb for move in game.moves for verb in move_words(move) if verb}
    nouns = {noun for alike in game.words.nouns for noun in alike.split()}
    title = [word for word in game.title.lower().split() if len(word) > 3 and word != "with" and word.isalpha()]
    gone = (
        {form for word in words | nouns for form, _ in inflections(word, "x")} | set(title) | {"player 1", "player 2"}
    )
    assert {"flip", "flipped", "flipping"} <= gone or "flip" not in words
    for seed, rules, legal in product((0, 7), ("full", "short"), (True, False)):
        match = some_match(game, seed, 5)
        assert match.to_move
        prompt = Prompt(game, LlmSettings(renamed=seed, rules=rules, legal=legal))
        view = match.view(match.to_move)
        said = "\n".join(
            [prompt.preface(view), prompt.turn(view), prompt.correction(AnswerFault(ILLEGAL, ""), view)]
        ).lower()
        left = [word for word in gone if re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", said)]
        assert not left
        assert game.slug not in said
        assert game.title.lower() not in said


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_new_names_are_the_same_every_time_and_each_stands_for_one_thing(kind: Any) -> None:
    game = kind()
    vocabularies = [invented_vocabulary(kind(), seed) for seed in range(30)]
    assert vocabularies[4] == invented_vocabulary(game, 4)
    assert len({vocabulary.title for vocabulary in vocabularies}) > 10
    for vocabulary in vocabularies:
        called = {vocabulary.title, *vocabulary.names}
        assert len(called) == 3
        assert len(set(vocabulary.moves.values())) == len(game.moves)
        prompt = Prompt(game, LlmSettings(renamed=4))
        assert [prompt.original[new] for new in prompt.rename(game.moves)] == list(game.moves)
        numbers = [re.findall(r"\d+", move) for move in game.moves]
        assert [re.findall(r"\d+", vocabulary.moves[move]) for move in game.moves] == numbers


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_new_words_are_explained_and_rules_keep_their_numbers(kind: Any) -> None:
    game = kind()
    prompt = Prompt(game, LlmSettings(renamed=1))
    view = Match(game, deal=game.any_deal()).view(1)
    said = prompt.preface(view)
    for move in game.moves:
        verb = prompt.vocabulary.moves[move].split()[0]
        assert f"To {verb} is to " in said
    assert [n for rule in game.words.rules() for n in re.findall(r"\d+", rule)] == re.findall(
        r"\d+", " ".join(map(prompt.vocabulary.translate, game.words.rules()))
    )


def test_every_form_of_a_word_is_called_otherwise() -> None:
    vocabulary = invented_vocabulary(make("bits"), 1)
    flip, bit = vocabulary.words["flip"], vocabulary.words["bit"]
    assert vocabulary.translate("Flip, flips, flipped; flipping BITS.") == (
        f"{flip.capitalize()}, {flip}s, {flip}ed; {flip}ing {bit.capitalize()}s."
    )
    assert vocabulary.translate("You play Binary Race with Bits.") == f"You play {vocabulary.title}."
    assert {"passes", "passing", "resetting"} <= set(vocabulary.words)


def test_a_game_that_does_not_explain_itself_is_not_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("bits")
    monkeypatch.setattr(game.words, "meanings", {"flip": "switch"})
    with pytest.raises(BitduelError, match="can't be renamed: it doesn't explain what 'reset' means"):
        Prompt(game, LlmSettings(renamed=1))


def test_a_pass_is_told_and_never_asked_for() -> None:
    game = make("bits")
    assert PASS in game.moves
    view = Match(game).view(1)
    assert f", {PASS}" not in Prompt(game, LlmSettings()).preface(view)


def test_the_documentation_shows_prompts_as_they_are() -> None:
    page = (Path(__file__).parents[3] / "docs" / "llm.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n(.*?)\n```", page, flags=re.DOTALL)
    game = make("double")
    view = Match(game, moves=["add", "double", "add"]).view(2)
    prompts = [Prompt(game, talk) for talk in (LlmSettings(), LlmSettings(renamed=7, history=False))]
    assert shown == [text for prompt in prompts for text in (prompt.preface(view), prompt.turn(view))]


def test_the_documentation_names_every_switch() -> None:
    page = (Path(__file__).parents[3] / "docs" / "llm.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page, flags=re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(rows)) == list(PARSERS)
