"""Every check can fail: each has games that are broken in one place, and must say so of them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

from bitduel import games
from bitduel.core.evaluation import DRAW, WIN, Evaluation
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.game import Deal, Feature, Game, Verdict
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.lesson import Answer, Lesson, Step
from bitduel.core.options import Choice, Whole
from bitduel.core.picture import Cell, Mark, Picture, Place, Row, Scale
from bitduel.core.view import View
from bitduel.core.words import Reading
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.testing import Checked, ConformanceError, check_game, conformance, examine, readings
from bitduel.testing.conformance import CHECKS, run
from bitduel.testing.sample import GameProbe
from helpers import bitduel
from nim_lesson import CHOICE, MATCH, lesson, lost, method
from nim_lesson import step as nim_step
from sixth_game.little_nim import LittleNim, LittleNimWords, Position

PLACES = (Place("9", 9),)
LAMP = Cell("0", "1", Mark.OFF, move="8")


def but(kind: type[Game[Any]], /, **changes: Any) -> Game[Any]:
    """A game that differs from a sound one in what is given."""
    made: type[Game[Any]] = type(f"Broken{kind.__name__}", (kind,), changes)
    return made()


def nim(**changes: Any) -> Game[Any]:
    return but(LittleNim, **changes)


def saying(**changes: Any) -> Game[Any]:
    """Little Nim with other words."""
    return nim(words=type("BrokenWords", (LittleNimWords,), changes)())


def always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


class Reference(LittleNim):
    """Equal to nothing but itself."""

    __eq__ = object.__eq__
    __hash__ = LittleNim.__hash__


class Rehashed(LittleNim):
    """Has another hash each time it is made."""

    __eq__ = LittleNim.__eq__
    __hash__ = object.__hash__


class Telltale(BinaryBattle):
    """Shows the secret in its text."""

    def __repr__(self) -> str:
        return f"Telltale({self.options})"

    def dealt(self, deal: str) -> "Telltale":
        return Telltale(**{**self.options, "secret": deal})


class Elsewhere(LittleNim):
    """Starts with more sticks each time it is made."""

    made = count()
    ranges = (5000,)

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.number = next(self.made)

    def start(self, deal: str = "") -> Position:
        return Position(1000 + self.number)


class Fickle(LittleNim):
    """Ends for another reason each time."""

    times = count()

    @property
    def reasons(self) -> Mapping[int, str]:  # type: ignore[override]
        return {Verdict.WON: f"last{next(self.times)}"}


class Restless(LittleNim):
    """Shows other options each time."""

    times = count()

    @property
    def open_options(self) -> dict[str, int | str]:
        return {"sticks": next(self.times)}


class Judging(NamedTuple):
    """A judge that gives every move the same worth, and leaves some out."""

    worth: Evaluation = Evaluation(WIN, 1)
    judged: slice = slice(None)
    chance: float | None = None
    depth: int = 1

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        return [MoveEvaluation(move, self.worth) for move in view.legal[self.judged]]

    def mixture(self, view: View) -> dict[str, float]:
        return {move: self.chance or 1 / len(view.legal) for move in view.legal}

    def notes(self) -> list[str]:
        return []


def judged(judge: Judging) -> Game[Any]:
    """Little Nim, said to be so large that its own judge is asked."""
    return nim(size=10**9, evaluator=always(judge))


def teaching(*steps: Step, by: Callable[[View], str] = method) -> Game[Any]:
    """Little Nim with a lesson."""
    return nim(lesson=classmethod(lambda _: lesson(*steps, by=by)))


def dealing(*deals: str, each: Fraction) -> Game[Any]:
    """Binary Battle with other secrets."""
    return but(BinaryBattle, deals=lambda _: iter([Deal(deal, each) for deal in deals]))


def watched(game: Any, position: Any) -> Any:
    """Nothing before the first move, and then the secret."""
    begun = position.mine or position.theirs
    return BinaryBattle.observe_as_spectator(game, position)._replace(secret=str(position.secret) if begun else None)


def seeing(**more: Callable[[Any], str | None]) -> Game[Any]:
    """Binary Battle, in which a seat sees more than it may."""

    def see(game: Any, position: Any, to_move: bool, over: bool) -> Any:
        seen: Any = BinaryBattle.observe(game, position, to_move, over)
        return seen._replace(**{name: tell(position) for name, tell in more.items()})

    return but(BinaryBattle, observe=see)


def choice(called: str, many: int) -> Choice:
    return Choice(called, 0, "what changes nothing", dict.fromkeys(range(many), "as good as any other"))


STICKS = Whole("sticks", 7, "how many sticks there are", 1, 1000)
THREE = Choice("three", "3", "what can be chosen", {3: "the number, not the text"})
EMPTY = Choice("empty", "full", "what a record leaves out", {"full": "something", "": "nothing"})

BROKEN: dict[str, dict[str, Game[Any]]] = {
    "names_and_options": {
        "'Little Nim' is not a name": nim(slug="Little Nim"),
        "aim is not a line of text": nim(aim=""),
        "two options have the same name": nim(declared=(STICKS, STICKS)),
        "title is not a line of text": nim(title="Little\nNim"),
        "large is too large to be measured": nim(size=10**15),
        "{'stones': '1..9'} is no survey": nim(surveys=({"stones": "1..9"},)),
        "There is no option 'bits'": nim(large={"bits": 1}),
        "sticks has no help": nim(declared=(Whole("sticks", 7, "", 1, 1000),)),
        "three does not take its own default": nim(declared=(STICKS, THREE)),
        "sticks must be a whole number from 8 to 1000": nim(declared=(Whole("sticks", 7, "too few", 8, 1000),)),
    },
    "smallest_sizes": {
        "with sticks=1 there is no picture": nim(picture=lambda game, *_: Picture("7" * (game.options["sticks"] > 1))),
        "ZeroDivisionError": nim(start=lambda game, _="": Position(7 // (game.options["sticks"] - 1))),
    },
    "moves_are_their_texts": {
        "the list is ('1', '2', '3', '3')": nim(moves=("1", "2", "3", "3")),
        "the list is ()": nim(moves=()),
        "'Take 1' is not written as a player says it": nim(moves=("Take 1", "2")),
    },
    "numbers_and_arrays": {
        "verdict differs": nim(verdict=lambda _, at: Verdict.WON * np.all(at.sticks == 0)),
        "legal differs for 2": nim(legal=lambda _, at, move: np.any(at.sticks >= int(move))),
        "play differs for 1": nim(play=lambda _, at, move: Position(np.max(at.sticks) - 1)),
        "ValueError: The truth value": nim(verdict=lambda _, at: Verdict.WON if at.sticks == 0 else Verdict.OPEN),
    },
    "over_or_a_move": {
        "at Position(sticks=1) legal is []": nim(legal=lambda _, at, move: at.sticks >= int(move) > 1),
        "at Position(sticks=0) legal is ['1']": nim(legal=lambda _, at, move: at.sticks >= int(move) - 1),
    },
    "passing": {"'reset 4', 'pass')": but(BinaryRaceBits, legal=always(True))},
    "within_ranges": {
        "Position(sticks=7) is not within (7,)": nim(ranges=(7,)),
        "Position(sticks=7.0) is not within (8,)": nim(ranges=(8,), start=always(Position(7.0))),
        "Position(sticks=-1) is not within (8,)": nim(legal=always(True)),
    },
    "endings_have_reasons": {
        "WON has none": nim(reasons={}),
        "'time' belongs to all games": nim(reasons={Verdict.WON: "time"}),
        "'' is not one word": nim(reasons={Verdict.WON: ""}),
        "two verdicts have the same reason": nim(reasons={Verdict.WON: "last", Verdict.LOST: "last"}),
    },
    "deals_are_listed": {
        "the probabilities do not add up to 1": dealing("00000", "00001", each=Fraction(1, 3)),
        "a deal is listed twice": dealing("00000", "00000", each=Fraction(1, 2)),
        "is dealt but not listed": dealing("00000", each=Fraction(1)),
        "'00000' cannot be chosen": but(BinaryBattle, dealt=lambda game, _: game),
    },
    "the_start": {
        "seat 1 sees 16 different starts": seeing(secret=lambda at: str(at.secret)),
        "seat None sees 16 different starts": but(
            BinaryBattle, picture=lambda game, *_: Picture(f"It is {game.secret}.")
        ),
    },
    "every_moment": {
        "seat 1 sees more of the deal": seeing(secret=lambda at: str(at.secret) if at.mine else None),
        "seat 2 sees more of the deal": seeing(secret=lambda at: str(at.secret) if at.mine or at.theirs else None),
        "seat None sees more of the deal": but(BinaryBattle, observe_as_spectator=watched),
    },
    "the_other_seat": {
        "seat 2 can tell": seeing(theirs=lambda at: format(at.mine | at.theirs, "05b")),
        "seat 1 can tell": seeing(theirs=lambda at: format(at.theirs if at.mine else 0, "05b")),
    },
    "spectators": {
        "after 1 moves there are": but(
            BinaryBattle, observe_as_spectator=lambda game, at: game.observe(at, False, False)
        )
    },
    "games_are_values": {
        "it is not equal when made again": Reference(),
        "it is not equal when copied": Reference(),
        "it is not equal when pickled": Reference(),
        "its hash is not equal when made again": Rehashed(),
        "its text shows what is dealt": Telltale(),
    },
    "matches_are_values": {
        "is not equal when deeply copied": Reference(),
        "is not equal when pickled": Reference(),
        "is not equal when rebuilt": Fickle(),
        "stands elsewhere when rebuilt": Elsewhere(),
        "moves each way": Fickle(),
    },
    "views_words_and_pictures": {
        "is not JSON serializable": nim(observe=always(Position(np.int64(1)))),
        "unhashable": nim(picture=always(Picture("Sticks.", rows=[]))),  # type: ignore[arg-type]
        "has no caption": nim(picture=always(Picture(""))),
        "shows 9 where it cannot be made": nim(
            picture=always(Picture("Sticks.", scale=Scale(0, 9, (), places=PLACES)))
        ),
        "shows 8 where it cannot be made": nim(picture=always(Picture("Sticks.", rows=(Row("", (LAMP,)),)))),
        "unhashable type: 'list'": nim(observe=always(Position([1]))),
        "no move yet; seat 1 to move> asks nothing": saying(prompt=always("")),
        "no move yet; seat 2 to move> asks nothing": saying(wrong=always("")),
        "'A' is not understood as 1": saying(answers=always({"A": "1", "B": "2", "C": "3"})),
        "1 goes without a word": saying(leads=always("")),
        "2 goes without a word": saying(played=always([])),
        "3 goes without a word": saying(act=always(Act("", ""))),
        "None is no text for a hint": saying(reason=always(None)),
        "ends without a word": saying(ending=always([])),
    },
    "words_for_everything": {
        "the rules are not in words": saying(rules=always([])),
        "a reading is not in words": saying(readings=(Reading("", "", ""),)),
        "a law is not in words": saying(laws=always((Law("name", "Title", "", "Why.", ("Proof.",), "page"),))),
        "a pass or an unseen move is not in words": saying(unseen=always("")),
        "ZeroDivisionError": saying(opening=lambda _: 1 / 0),
        "TypeError": saying(reveal=always(None)),
    },
    "views_share_nothing": {"its options can be changed through a view": Restless()},
    "every_ending_has_words": {"reason='resignation') is lost in the record": saying(end=always([]))},
    "records_round_trip": {
        "is not the same when read again": type(nim(declared=(STICKS, EMPTY)))(empty=""),
        "RecordError": but(DoubleOrNothing, moves=("add", "{double}")),
    },
    "features_agree": {
        "something else by view than by position": nim(encode_view=always((1,))),
        "(7,) is not within [(0, 6)]": nim(features=(Feature("sticks", 0, 6),)),
        "(7,) is not within []": nim(features=()),
        "features need names of their own": nim(features=(Feature("", 0, 7),)),
        "arrays give something else": nim(encode_positions=lambda _, at, *more: (np.max(at.sticks),)),
    },
    "lessons_are_true": {
        "step 2: it is not so: From (9,)": teaching(CHOICE, nim_step(9, claims=(lost(8), lost(9)))),
        "step 1: right are 3 (to win), not 2": teaching(nim_step(3, right=("2",))),
        "step 1: right are 1, 2, 3 (to defend), not 1": teaching(nim_step(4, right=("1",))),
        "no move is wrong, or one is blamed that is not": teaching(nim_step(3, blame={"3": "No."})),
        "step 1: '3' is right": teaching(replace(CHOICE, answers=(Answer("3", "Yes.", lost(4)),))),
        "step 1: '4' is not right": teaching(replace(CHOICE, answers=(Answer("4", "Yes.", lost(3), True),))),
        "there is no right answer, or no wrong one": teaching(replace(CHOICE, answers=CHOICE.answers[:1])),
        "step 1: the learner has not a draw": teaching(replace(MATCH, value=DRAW)),
    },
    "lessons_can_be_learnt": {
        "it has 2 steps": teaching(CHOICE, MATCH),
        "its last step is no match": teaching(MATCH, CHOICE),
        "step 1 is too long, or says too little": teaching(nim_step(3, text=("Long. " * 200,))),
        "step 2 is too long, or says too little": teaching(MATCH, nim_step(3, hint="")),
        "step 1 cannot be done by the method": teaching(MATCH, by=always("1")),
    },
    "methods_give_nothing_away": {
        "seat 1 to move> it says '1'": teaching(by=always("1")),
        "it says 'everything'": teaching(by=always("everything")),
    },
    "every_move_is_judged": {
        "is not judged move by move": judged(Judging(judged=slice(1, None))),
        "has no sound optimal play": judged(Judging(chance=1.0)),
    },
    "best_play_comes_true": {
        "should be won by seat 1 in 1 plies": judged(Judging()),
        "should be drawn": judged(Judging(Evaluation(DRAW))),
    },
    "programs_play_it": {"level:1 ends <Match": judged(Judging(judged=slice(0, 0)))},
}
"""For every check what it must say, and of which game."""

BY_NAME = {check.__name__: check for check in CHECKS}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_check_has_a_game_that_it_must_report(name: str) -> None:
    assert BROKEN[name]


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, each in BROKEN.items() for said in each])
def test_a_check_reports_the_game_that_breaks_it(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setattr(conformance, "SHOWN", 1000)
    problems = run(BY_NAME[name], GameProbe(BROKEN[name][said])).problems
    assert [problem for problem in problems if said in problem], problems


@pytest.mark.parametrize("name", BY_NAME)
def test_no_check_reports_a_game_that_is_sound(name: str) -> None:
    assert not run(BY_NAME[name], GameProbe(LittleNim())).problems


def test_no_more_than_a_few_problems_of_a_check_are_shown() -> None:
    assert len(run(BY_NAME["within_ranges"], GameProbe(nim(ranges=(1,)))).problems) == conformance.SHOWN


def test_a_broken_game_fails_with_all_that_is_wrong() -> None:
    broken = type(nim(aim="", reasons={Verdict.WON: "time"}))
    with pytest.raises(ConformanceError) as caught:
        check_game(broken)
    said = str(caught.value).splitlines()
    assert said == examine(broken).problems
    assert "make('little-nim'): Names, aim and options are declared. aim is not a line of text" in said
    assert "make('little-nim'): Every way to end has a reason of its own. 'time' belongs to all games" in said


def test_a_sound_game_has_a_report_in_which_everything_holds() -> None:
    report = check_game(LittleNim)
    assert report.ok
    assert not report.problems
    assert len(report.checked) == len(CHECKS)
    assert report.checked[0].tried == "1 option"


def test_all_readings_of_a_kind_are_examined_and_of_a_game_only_the_one() -> None:
    kind = type(nim(declared=(STICKS, choice("pile", 2), choice("table", 3))))
    heard: list[Checked] = []
    with patch.object(conformance, "CHECKS", CHECKS[:2]):
        report = examine(kind, heard.append)
        alone = examine(kind(pile=1))
    assert list(report.checked) == heard
    assert [each.game for each in heard[::2]] == [kind(pile=n // 3, table=n % 3) for n in range(6)]
    assert [each.game for each in alone.checked] == [kind(pile=1)] * 2


def test_a_kind_with_a_great_many_readings_is_examined_in_some() -> None:
    kind = type(nim(declared=(STICKS, choice("pile", 10), choice("table", 10))))
    assert len(list(readings(kind))) == 100
    with patch.object(conformance, "CHECKS", CHECKS[:1]):
        assert len(examine(kind).checked) == conformance.MOST_READINGS


def test_the_command_says_that_everything_holds() -> None:
    ran = bitduel("check", "double")
    assert (ran.err, ran.status) == ("", 0)
    assert "  ok     Names, aim and options are declared. (3 options)" in ran.out.splitlines()
    assert ran.out.endswith("\n\nEverything holds.\n")
    assert ran.out.count("  ok     ") == len(CHECKS)


def test_the_command_tells_programs_the_same() -> None:
    ran = bitduel("check", "double", "--set", "target=9", "--json")
    assert (ran.err, ran.status) == ("", 0)
    told = json.loads(ran.out)
    assert (told["game"], told["ok"], len(told["checks"])) == ("double-or-nothing", True, len(CHECKS))
    assert {each["game"] for each in told["checks"]} == {"make('double-or-nothing', target=9)"}
    assert not [each for each in told["checks"] if each["problems"]]


def test_the_command_names_what_is_broken_and_fails() -> None:
    with patch.object(games, "shelf", lambda: [type(nim(aim=""))]):
        ran, told = bitduel("check", "nim"), bitduel("check", "nim", "--json")
    assert "  WRONG  Names, aim and options are declared. (1 option)" in ran.out.splitlines()
    assert "           make('little-nim'): aim is not a line of text" in ran.out.splitlines()
    assert "Everything holds." not in ran.out
    assert (ran.err, ran.status) == ("bitduel: Little Nim does not keep the contract.\n", 1)
    assert (told.err, told.status) == (ran.err, 1)
    assert json.loads(told.out)["ok"] is False
    assert json.loads(told.out)["checks"][0]["problems"] == ["aim is not a line of text"]


class Taught(LittleNim):
    """Little Nim with a sound lesson."""

    @classmethod
    def lesson(cls) -> Lesson:
        return lesson()


def test_a_sound_lesson_holds_in_all_its_steps() -> None:
    assert "5 steps" in [each.tried for each in check_game(Taught).checked]
