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

from bitduel.core.evaluation import DRAW, WIN, Evaluation, MoveEvaluation
from bitduel.core.game import Deal, Feature, Game, Verdict
from bitduel.core.lesson import ChoiceAnswer, Lesson, LessonStep
from bitduel.core.options import ChoiceOption, IntegerOption
from bitduel.core.phrases import MovePhrase
from bitduel.core.picture import Cell, Mark, MoveTarget, Picture, Row, Scale
from bitduel.core.view import View
from bitduel.core.words import Law, Reading
from bitduel.games import registry
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.testing import CheckResult, ConformanceError, check_game, conformance, examine, readings
from bitduel.testing.conformance import CHECKS, run
from bitduel.testing.probe import GameProbe
from helpers import bitduel
from nim_lesson import CHOICE, MATCH, lesson, lost, method
from nim_lesson import step as nim_step
from sixth_game.little_nim import LittleNim, LittleNimWords, Position

PLACES = (MoveTarget("9", 9),)
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

    def with_deal(self, deal: str) -> "Telltale":
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

    def policy(self, view: View) -> dict[str, float]:
        return {move: self.chance or 1 / len(view.legal) for move in view.legal}

    def notes(self) -> list[str]:
        return []


def judged(judge: Judging) -> Game[Any]:
    """Little Nim, said to be so large that its own judge is asked."""
    return nim(size=10**9, evaluator=always(judge))


def teaching(*steps: LessonStep, by: Callable[[View], str] = method) -> Game[Any]:
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


def choice(called: str, many: int) -> ChoiceOption:
    return ChoiceOption(called, 0, "what changes nothing", dict.fromkeys(range(many), "as good as any other"))


STICKS = IntegerOption("sticks", 7, "how many sticks there are", 1, 1000)
THREE = ChoiceOption("three", "3", "what can be chosen", {3: "the number, not the text"})
EMPTY = ChoiceOption("empty", "full", "what a record leaves out", {"full": "something", "": "nothing"})

BROKEN: dict[str, dict[str, Game[Any]]] = {
    "check_declarations": {
        "'Little Nim' is not a name": nim(slug="Little Nim"),
        "aim is not a line of text": nim(aim=""),
        "two options have the same name": nim(declared_options=(STICKS, STICKS)),
        "title is not a line of text": nim(title="Little\nNim"),
        "benchmark_options is too large to measure": nim(size=10**15),
        "{'stones': '1..9'} is not a survey": nim(surveys=({"stones": "1..9"},)),
        "There is no setting 'bits'": nim(benchmark_options={"bits": 1}),
        "sticks has no help": nim(declared_options=(IntegerOption("sticks", 7, "", 1, 1000),)),
        "three does not accept its own default": nim(declared_options=(STICKS, THREE)),
        "sticks must be a whole number from 8 to 1000": nim(
            declared_options=(IntegerOption("sticks", 7, "too few", 8, 1000),)
        ),
    },
    "check_smallest_sizes": {
        "with sticks=1 there is no picture": nim(picture=lambda game, *_: Picture("7" * (game.options["sticks"] > 1))),
        "ZeroDivisionError": nim(start=lambda game, _="": Position(7 // (game.options["sticks"] - 1))),
    },
    "check_moves": {
        "the list is ('1', '2', '3', '3')": nim(moves=("1", "2", "3", "3")),
        "the list is ()": nim(moves=()),
        "'Take 1' is not written as a player would type it": nim(moves=("Take 1", "2")),
    },
    "check_arrays": {
        "verdict differs": nim(verdict=lambda _, at: Verdict.WON * np.all(at.sticks == 0)),
        "legal differs for 2": nim(legal=lambda _, at, move: np.any(at.sticks >= int(move))),
        "play differs for 1": nim(play=lambda _, at, move: Position(np.max(at.sticks) - 1)),
        "ValueError: The truth value": nim(verdict=lambda _, at: Verdict.WON if at.sticks == 0 else Verdict.OPEN),
    },
    "check_legal_moves": {
        "at Position(sticks=1) legal is []": nim(legal=lambda _, at, move: at.sticks >= int(move) > 1),
        "at Position(sticks=0) legal is ['1']": nim(legal=lambda _, at, move: at.sticks >= int(move) - 1),
    },
    "check_passing": {"'reset 4', 'pass')": but(BinaryRaceBits, legal=always(True))},
    "check_ranges": {
        "Position(sticks=7) is not within (7,)": nim(ranges=(7,)),
        "Position(sticks=7.0) is not within (8,)": nim(ranges=(8,), start=always(Position(7.0))),
        "Position(sticks=-1) is not within (8,)": nim(legal=always(True)),
    },
    "check_reasons": {
        "WON has none": nim(reasons={}),
        "'time' is reserved for all games": nim(reasons={Verdict.WON: "time"}),
        "'' is not one word": nim(reasons={Verdict.WON: ""}),
        "two verdicts have the same reason": nim(reasons={Verdict.WON: "last", Verdict.LOST: "last"}),
    },
    "check_deals": {
        "the probabilities do not add up to 1": dealing("00000", "00001", each=Fraction(1, 3)),
        "a deal is listed twice": dealing("00000", "00000", each=Fraction(1, 2)),
        "can be dealt but is not listed": dealing("00000", each=Fraction(1)),
        "'00000' cannot be chosen": but(BinaryBattle, with_deal=lambda game, _: game),
    },
    "check_start": {
        "seat 1 sees 16 different starts": seeing(secret=lambda at: str(at.secret)),
        "seat None sees 16 different starts": but(
            BinaryBattle, picture=lambda game, *_: Picture(f"It is {game.secret}.")
        ),
    },
    "check_hidden_deal": {
        "seat 1 sees more of the deal": seeing(secret=lambda at: str(at.secret) if at.mine else None),
        "seat 2 sees more of the deal": seeing(secret=lambda at: str(at.secret) if at.mine or at.theirs else None),
        "seat None sees more of the deal": but(BinaryBattle, observe_as_spectator=watched),
    },
    "check_hidden_moves": {
        "seat 2 can distinguish": seeing(theirs=lambda at: format(at.mine | at.theirs, "05b")),
        "seat 1 can distinguish": seeing(theirs=lambda at: format(at.theirs if at.mine else 0, "05b")),
    },
    "check_spectators": {
        "after 1 moves there are": but(
            BinaryBattle, observe_as_spectator=lambda game, at: game.observe(at, False, False)
        )
    },
    "check_game_values": {
        "it is not equal when made again": Reference(),
        "it is not equal when copied": Reference(),
        "it is not equal when pickled": Reference(),
        "its hash is not equal when made again": Rehashed(),
        "its text shows the deal": Telltale(),
    },
    "check_match_values": {
        "is not equal when deeply copied": Reference(),
        "is not equal when pickled": Reference(),
        "is not equal when rebuilt": Fickle(),
        "has another position when rebuilt": Elsewhere(),
        "moves each way": Fickle(),
    },
    "check_views": {
        "is not JSON serializable": nim(observe=always(Position(np.int64(1)))),
        "unhashable": nim(picture=always(Picture("Sticks.", rows=[]))),  # type: ignore[arg-type]
        "has no caption": nim(picture=always(Picture(""))),
        "shows 9 although it is not legal": nim(
            picture=always(Picture("Sticks.", scale=Scale(0, 9, (), targets=PLACES)))
        ),
        "shows 8 although it is not legal": nim(picture=always(Picture("Sticks.", rows=(Row("", (LAMP,)),)))),
        "unhashable type: 'list'": nim(observe=always(Position([1]))),
        "no move yet; seat 1 to move> asks nothing": saying(prompt=always("")),
        "no move yet; seat 2 to move> asks nothing": saying(invalid_answer=always("")),
        "'A' is not understood as 1": saying(answers=always({"A": "1", "B": "2", "C": "3"})),
        "1 has no text": saying(leads_to=always("")),
        "2 has no text": saying(played=always([])),
        "3 has no text": saying(move_phrase=always(MovePhrase("", ""))),
        "None is not a text for a hint": saying(reason=always(None)),
        "has no text for its end": saying(ending=always([])),
    },
    "check_words": {
        "the rules have no text": saying(rules=always([])),
        "a variant has no text": saying(readings=(Reading("", "", ""),)),
        "a law has no text": saying(laws=always((Law("name", "Title", "", "Why.", ("Proof.",), "page"),))),
        "a pass or a hidden move has no text": saying(unseen_move=always("")),
        "ZeroDivisionError": saying(opening=lambda _: 1 / 0),
        "TypeError": saying(reveal=always(None)),
    },
    "check_independence": {"its options can be changed through a view": Restless()},
    "check_endings": {"reason='resignation') is missing from the record": saying(end=always([]))},
    "check_records": {
        "is not the same when read again": type(nim(declared_options=(STICKS, EMPTY)))(empty=""),
        "RecordError": but(DoubleOrNothing, moves=("add", "{double}")),
    },
    "check_features": {
        "different features from a view and from a position": nim(encode_view=always((1,))),
        "(7,) is not within [(0, 6)]": nim(features=(Feature("sticks", 0, 6),)),
        "(7,) is not within []": nim(features=()),
        "features need different names": nim(features=(Feature("", 0, 7),)),
        "arrays give different results": nim(encode_positions=lambda _, at, *more: (np.max(at.sticks),)),
    },
    "check_claims": {
        "step 2: this is false: From (9,)": teaching(CHOICE, nim_step(9, claims=(lost(8), lost(9)))),
        "step 1: the right moves are 3 (win), not 2": teaching(nim_step(3, right=("2",))),
        "step 1: the right moves are 1, 2, 3 (loss), not 1": teaching(nim_step(4, right=("1",))),
        "it needs a wrong move, and must not call a right one wrong": teaching(nim_step(3, wrong_by_move={"3": "No."})),
        "step 1: '3' is right": teaching(replace(CHOICE, answers=(ChoiceAnswer("3", "Yes.", lost(4)),))),
        "step 1: '4' is not right": teaching(replace(CHOICE, answers=(ChoiceAnswer("4", "Yes.", lost(3), True),))),
        "it needs a right answer and a wrong one": teaching(replace(CHOICE, answers=CHOICE.answers[:1])),
        "step 1: the position is not a draw for the learner": teaching(replace(MATCH, value=DRAW)),
    },
    "check_lesson_form": {
        "it has 2 steps": teaching(CHOICE, MATCH),
        "none of its steps is a match": teaching(CHOICE, CHOICE),
        "step 1 is too long or too short": teaching(nim_step(3, text=("Long. " * 200,))),
        "step 2 is too long or too short": teaching(MATCH, nim_step(3, hint="")),
        "the method fails in step 1": teaching(MATCH, by=always("1")),
    },
    "check_lesson_method": {
        "seat 1 to move> it says '1'": teaching(by=always("1")),
        "it says 'everything'": teaching(by=always("everything")),
    },
    "check_evaluations": {
        "has a move without an evaluation": judged(Judging(judged=slice(1, None))),
        "has no valid perfect play": judged(Judging(chance=1.0)),
    },
    "check_best_play": {
        "should be won by seat 1 after 1 plies": judged(Judging()),
        "should be drawn": judged(Judging(Evaluation(DRAW))),
    },
    "check_players": {"level:1 ends <Match": judged(Judging(judged=slice(0, 0)))},
}
"""For every check what it must say, and of which game."""

BY_NAME = {check.problems.__name__: check for check in CHECKS}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_check_has_a_game_that_it_must_report(name: str) -> None:
    assert BROKEN[name]


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, each in BROKEN.items() for said in each])
def test_a_check_reports_the_game_that_breaks_it(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setattr(conformance, "MAX_PROBLEMS", 1000)
    problems = run(BY_NAME[name], GameProbe(BROKEN[name][said])).problems
    assert [problem for problem in problems if said in problem], problems


@pytest.mark.parametrize("name", BY_NAME)
def test_no_check_reports_a_game_that_is_sound(name: str) -> None:
    assert not run(BY_NAME[name], GameProbe(LittleNim())).problems


def test_no_more_than_a_few_problems_of_a_check_are_shown() -> None:
    assert len(run(BY_NAME["check_ranges"], GameProbe(nim(ranges=(1,)))).problems) == conformance.MAX_PROBLEMS


def test_a_broken_game_fails_with_all_that_is_wrong() -> None:
    broken = type(nim(aim="", reasons={Verdict.WON: "time"}))
    with pytest.raises(ConformanceError) as caught:
        check_game(broken)
    said = str(caught.value).splitlines()
    assert said == examine(broken).problems
    assert "make('little-nim'): Names, aim and options are declared. aim is not a line of text" in said
    assert "make('little-nim'): Every ending has its own reason. 'time' is reserved for all games" in said


def test_a_sound_game_has_a_report_in_which_everything_holds() -> None:
    report = check_game(LittleNim)
    assert report.ok
    assert not report.problems
    assert len(report.checked) == len(CHECKS)
    assert report.checked[0].tried == "1 option"


def test_all_readings_of_a_kind_are_examined_and_of_a_game_only_the_one() -> None:
    kind = type(nim(declared_options=(STICKS, choice("pile", 2), choice("table", 3))))
    heard: list[CheckResult] = []
    with patch.object(conformance, "CHECKS", CHECKS[:2]):
        report = examine(kind, heard.append)
        alone = examine(kind(pile=1))
    assert list(report.checked) == heard
    assert [each.game for each in heard[::2]] == [kind(pile=n // 3, table=n % 3) for n in range(6)]
    assert [each.game for each in alone.checked] == [kind(pile=1)] * 2


def test_a_kind_with_a_great_many_readings_is_examined_in_some() -> None:
    kind = type(nim(declared_options=(STICKS, choice("pile", 10), choice("table", 10))))
    assert len(list(readings(kind))) == 100
    with patch.object(conformance, "CHECKS", CHECKS[:1]):
        assert len(examine(kind).checked) == conformance.MAX_READINGS


def test_the_command_says_that_everything_holds() -> None:
    ran = bitduel("check", "double")
    assert (ran.err, ran.status) == ("", 0)
    assert "  ok     Names, aim and options are declared. (3 options)" in ran.out.splitlines()
    assert ran.out.endswith("\n\nEverything is correct.\n")
    assert ran.out.count("  ok     ") == len(CHECKS)


def test_the_command_tells_programs_the_same() -> None:
    ran = bitduel("check", "double", "--set", "target=9", "--json")
    assert (ran.err, ran.status) == ("", 0)
    told = json.loads(ran.out)
    assert (told["game"], told["ok"], len(told["checks"])) == ("double-or-nothing", True, len(CHECKS))
    assert {each["game"] for each in told["checks"]} == {"make('double-or-nothing', target=9)"}
    assert not [each for each in told["checks"] if each["problems"]]


def test_the_command_names_what_is_broken_and_fails() -> None:
    with patch.object(registry, "all_games", lambda: [type(nim(aim=""))]):
        ran, told = bitduel("check", "nim"), bitduel("check", "nim", "--json")
    assert "  WRONG  Names, aim and options are declared. (1 option)" in ran.out.splitlines()
    assert "           make('little-nim'): aim is not a line of text" in ran.out.splitlines()
    assert "Everything is correct." not in ran.out
    assert (ran.err, ran.status) == ("bitduel: Little Nim has failed the checks.\n", 1)
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
