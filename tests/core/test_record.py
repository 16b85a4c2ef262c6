"""Records: what is written is read as the same match; what does not fit is refused with its line."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bitduel.core.errors import BitduelError, PlayerNameError
from bitduel.core.match import Match
from bitduel.core.record import Record, RecordError, decode_record, parse_record, record_match
from bitduel.core.words import check_names
from bitduel.games.registry import make
from helpers import all_readings, deals

SAMPLE = """[Game "binary-race-bits"]
[Options "bits=4 first-move=turn edge=open repetition=3"]
[Player1 "Ada"]
[Player2 "Alan"]
[Kind1 "human"]
[Kind2 "level:3"]
[First "1"]
[Date "2026-11-15"]
[Result "1/2-1/2"]
[Reason "stalemate"]

1. flip 2, reset 2
1/2-1/2
"""


def name(text: str) -> bool:
    try:
        check_names(text, None)
    except BitduelError:
        return False
    return text == text.strip()


NAMES = st.text(min_size=1, max_size=32).filter(name)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Any match of any game in any reading, at any stage."""
    kind, chosen = draw(st.sampled_from(all_readings()))
    dealt = any(option.is_secret for option in kind.declared_options)
    game = kind(**chosen, **({"bits": 3} if dealt else {}))
    match = Match(game, draw(st.sampled_from((1, 2))), draw(st.sampled_from(deals(game))))
    for _ in range(draw(st.integers(0, 40))):
        if match.legal:
            match.play(draw(st.sampled_from(match.legal)))
    if match.to_move and draw(st.booleans()):
        match.resign(draw(st.sampled_from((1, 2))))
    return match


def played(match: Match) -> tuple[Any, ...]:
    return match.game.slug, match.game.options, match.first, match.deal, match.moves, match.outcome, match.position


@given(matches(), NAMES, NAMES)
def test_what_is_written_is_read_as_the_same_match(match: Match, first: str, second: str) -> None:
    try:
        names = check_names(first, second)
    except PlayerNameError:
        assume(False)
    written = record_match(match, names, ("human", "perfect"), "2026-11-15")
    if match.game.has_chance and match.moves and not match.outcome:
        with pytest.raises(BitduelError):
            parse_record(written.text(), make).match(make)
        return
    again = parse_record(written.text(), make)
    assert again == written
    assert again.text() == written.text()
    if match.outcome or not match.game.has_chance:
        assert played(again.match(make)) == played(match)


def test_the_canonical_text() -> None:
    match = Match(make("bits"), moves=["flip 2", "reset 2"])
    assert record_match(match, ("Ada", "Alan"), ("human", "level:3"), "2026-11-15").text() == SAMPLE
    assert parse_record(SAMPLE, make).match(make).outcome == match.outcome


def test_the_form_is_read_leniently() -> None:
    text = '\ufeff[ game  "BITS" ]\r\n{a comment\r\nover lines} 1... FLIP  2 , ; the rest\r\n2.reset 2 1/2-1/2'
    assert parse_record(text, make).moves == ("flip 2", "reset 2")
    assert parse_record('[Game "31"] \n16\n8\n16', make).moves == ("16", "8", "16")
    assert parse_record('[Game "31"]\n1.16,8 2.16 1-0', make).outcome == (1, "finish")
    assert parse_record('[Game "31"]\n[Strange "tag"]\n', make).moves == ()


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("", 1, "the name of the game is missing"),
        ("garbage", 1, "the name of the game is missing"),
        ('[Game "chess"]', 1, "There is no game 'chess'."),
        ('[Game "64"]\n[Options "target=x"]', 2, "target must be a whole number"),
        ('[Game "64"]\n\n1. add, jump', 3, "'jump' is not a move."),
        ('[Game "bits"]\n1. flip 2\n2. flip 9', 3, "'flip 9' is not a move."),
        ('[Game "bits"]\n1. reset 1', 2, "You can't play 'reset 1' now."),
        ('[Game "31"]\n1. 16, 1\n2. 16, 4', 3, "The match is over."),
        ('[Game "31"]\n[Result "0-1"]\n1. 16, 1\n2. 16', 2, "the result says 0-1, but the moves give 1-0."),
        ('[Game "31"]\n1. 16, 1\n1-0', 3, "the result says 1-0, but the moves give *."),
        ('[Game "31"]\n[Result "2-0"]', 2, "'2-0' isn't a result"),
        ('[Game "31"]\n1. 16\n*\n2. 16', 4, "there is more after the result: '16'."),
        ('[Game "31"]\n[First "3"]', 2, "First must be 1 or 2"),
        ('[Game "31"]\n[Player1 Ada]', 2, "this is not a tag"),
        ('[Game "31"]\n[Player1 "\x07"]', 2, "A name must have"),
        ('[Game "battle"]\n1. toggle 1', 1, "the secret is missing"),
        ('[Game "battle"]\n[Deal "012"]\n1. toggle 1', 2, "5 binary digits"),
        ('[Game "battle"]\n1. ?, ?', 2, "can be read only when the match is over"),
        ("x" * 2_000_000, 1, "too long"),
        ('[Game "31"]\n[Result "*"]\n[Reason "time"]\n1. 1 1-0', 4, "the result is 1-0 here, but the tag says *."),
        ('[Game "31"]\n[Result "1-0"]\n[Reason "time"]\n1. 1 *', 4, "the result is * here, but the tag says 1-0."),
        ('[Game "31"]\n[Game "64"]', 2, "there are two different values for game."),
        ('[Game "31"]\n[Options "length=20 length=21"]', 2, "there are two different values for length."),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text, make)
    assert caught.value.line == line
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(f"Line {line}: ")


@pytest.mark.parametrize("cut", range(0, len(SAMPLE), 7))
def test_a_truncated_record_is_read_as_far_as_it_goes_or_refused(cut: int) -> None:
    try:
        found = parse_record(SAMPLE[:cut], make)
    except RecordError:
        return
    assert found.moves == ("flip 2", "reset 2")[: len(found.moves)]


@given(st.text(max_size=300))
def test_garbage_is_refused_with_a_printable_sentence(text: str) -> None:
    for each in (text, SAMPLE + text, text + SAMPLE):
        try:
            found = parse_record(each, make)
        except RecordError as error:
            sentence = str(error)
        else:
            sentence = found.text().replace("\n", "")
        assert sentence.isprintable()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
def test_a_foreign_encoding_is_refused_with_its_line(encoding: str) -> None:
    with pytest.raises(RecordError, match=r"Line \d+: this is not UTF-8 text\."):
        decode_record(SAMPLE.replace("Ada", "Adée").encode(encoding))


def test_the_kind_of_a_player_cannot_carry_control_sequences() -> None:
    text = SAMPLE.replace("level:3", "\x1b[2J")
    assert parse_record(text, make).players == ("human", "human")


def test_a_match_in_the_dark_tells_nothing_before_its_end() -> None:
    match = Match(make("battle", {"secret": "01101"}), deal="01101", moves=["toggle 1", "toggle 2"])
    text = record_match(match).text()
    assert "01101" not in text
    assert "toggle" not in text
    with pytest.raises(BitduelError):
        Record("binary-battle", {}, ("?",), None).match(make)
    match.resign(1)
    assert '[Deal "01101"]' in record_match(match).text()


@pytest.mark.parametrize(
    ("game", "movetext", "moves"),
    [
        ("double", "1. add double", ["add", "double"]),
        ("double", "add double add", ["add", "double", "add"]),
        ("bits", "1. flip 2 flip 3 2. FLIP  1 reset 1", ["flip 2", "flip 3", "flip 1", "reset 1"]),
        ("bits", "flip 2, flip 3 flip 1", ["flip 2", "flip 3", "flip 1"]),
        ("31", "1 2 4 8", ["1", "2", "4", "8"]),
        ("31", "1. 1 2 2. 16 *", ["1", "2", "16"]),
    ],
)
def test_moves_may_follow_each_other_without_a_comma(game: str, movetext: str, moves: list[str]) -> None:
    assert parse_record(f'[Game "{game}"]\n{movetext}', make).match(make).moves == moves


def test_a_stretch_that_is_no_move_is_named_whole() -> None:
    with pytest.raises(RecordError, match="Line 2: 'jump over' is not a move"):
        parse_record('[Game "double"]\nadd jump over', make)


def test_a_long_record_without_commas_is_read_in_no_time() -> None:
    text = '[Game "64"]\n[Options "target=1000000000"]\n' + "add " * 100_000
    assert len(parse_record(text, make).moves) == 100_000


@pytest.mark.parametrize("deal", ["00110", "0110", "x"])
def test_a_deal_that_is_not_the_chosen_secret_is_refused(deal: str) -> None:
    text = f'[Game "battle"]\n[Options "secret=01101"]\n[Deal "{deal}"]\n1. toggle 1'
    with pytest.raises(RecordError, match=r"Line 3: .* is the secret here, but the settings say '01101'"):
        parse_record(text, make)


def test_a_deal_and_a_secret_that_agree_are_fine() -> None:
    text = '[Game "battle"]\n[Options "secret=01101"]\n[Deal "01101"]\n[Reason "resignation"]\n1. toggle 1 1-0'
    assert parse_record(text, make).match(make).deal == "01101"


@pytest.mark.parametrize(
    ("date", "kept"),
    [("2026-11-15", "2026-11-15"), ("2026.11.15", "2026-11-15"), ("2026-02-30", ""), ("????.??.??", "")],
)
def test_a_day_that_there_is_is_kept(date: str, kept: str) -> None:
    assert parse_record(SAMPLE.replace("2026-11-15", date), make).date == kept


@pytest.mark.parametrize(("reason", "result"), [("repetition", "1/2-1/2"), ("agreed draw", "1-0"), ("boredom", "0-1")])
def test_an_ending_that_the_moves_do_not_give_is_refused(reason: str, result: str) -> None:
    with pytest.raises(RecordError, match="the moves give"):
        parse_record(f'[Game "31"]\n[Result "{result}"]\n[Reason "{reason}"]\n1. 1, 2\n{result}', make)


def test_a_match_that_nobody_has_begun_is_read_again() -> None:
    for options in ({}, {"secret": "01101"}, {"table": "open"}):
        match = Match(make("battle", options))
        assert parse_record(record_match(match).text(), make).match(make).moves == []


@pytest.mark.parametrize("moves", ["1. toggle 2, toggle 1", ""])
def test_an_unfinished_match_whose_secret_was_chosen_can_go_on(moves: str) -> None:
    match = parse_record(f'[Game "battle"]\n[Options "secret=01101"]\n{moves} *', make).match(make)
    assert (match.deal, match.ply, match.outcome) == ("01101", 2 * bool(moves), None)
    assert match.game.fixed_deal == "01101"


def test_what_is_said_twice_alike_is_read_once() -> None:
    assert parse_record('[Game "31"]\n[Game "31"]\n[Options "length=9, length=9"]\n1. 1', make).options["length"] == 9


def test_an_unfinished_match_whose_deal_is_told_can_go_on() -> None:
    for table in ("open", "hidden"):
        text = f'[Game "battle"]\n[Options "table={table}"]\n[Deal "01101"]\n1. toggle 1, toggle 2'
        match = parse_record(text, make).match(make)
        assert (match.deal, match.moves) == ("01101", ["toggle 1", "toggle 2"])
