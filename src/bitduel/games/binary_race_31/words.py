"""The sentences of Binary Race to 31."""

from collections.abc import Mapping

from bitduel.core.endings import Outcome
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.view import View
from bitduel.core.words import Names, Reading, Words

FINISH = {
    "sample": "As long as more than three steps are left you may make any of the five moves; on the last three "
    "steps no move larger than the smallest one that finishes.",
    "any": "You may make any of the five moves, always.",
    "exact": "You may not move past the end of the track.",
}
AIM = "Move 1, 2, 4, 8 or 16 steps; be the first to {reach} {length}."
REACH = {"sample": "reach or pass", "any": "reach or pass", "exact": "reach"}


class BinaryRace31Words(Words):
    """A track, announced as the rulebook does."""

    fields = {"mine": "token of the player to move", "theirs": "token of the other player"}
    meanings = {"": "move your own token forward by as many steps as the number that follows"}
    nouns = ("token", "track")

    def __init__(self, length: int, finish: str) -> None:
        self.length = length
        self.finish = finish
        self.readings = (last_moves(length),)

    def aim(self) -> str:
        """The end of the track as chosen, and whether it may be passed."""
        return AIM.format(reach=REACH[self.finish], length=self.length)

    def opening(self) -> list[str]:
        """The start of the race."""
        return ["--- Binary Race Game Start ---", ""]

    def turn(self, view: View, name: str) -> list[str]:
        """Whose turn it is and where they stand."""
        return [f"{name}'s Turn", f"Current Position: {view.board.mine}"]

    def prompt(self, view: View, name: str) -> str:
        """The question, with the moves that are legal now."""
        return f"Choose your move ({', '.join(view.legal)}): "

    def answers(self, view: View) -> Mapping[str, str]:
        """The number of steps."""
        return {move: move for move in view.legal}

    def wrong(self, view: View) -> str:
        """The answer to anything else."""
        return f"Invalid move. Please choose one of: {', '.join(view.legal)}."

    def refusal(self, view: View, move: str) -> str:
        """How little is left of the track."""
        left = self.length - view.board.mine
        so_many = "1 step is" if left == 1 else f"{left} steps are"
        if self.finish == "exact":
            return f"Only {so_many} left, and you may not pass the end."
        return f"Only {so_many} left, and {view.legal[-1]} is enough."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Where the token stands now."""
        return [f"{name} moves to Position {view.board.mine}"]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Who got there first."""
        winner = names[(outcome.winner or 1) - 1]
        reached = f"{winner} has reached or surpassed Position {self.length} and wins the game!"
        return ["", reached, "", "--- Game Over ---"]

    def leads(self, view: View, move: str) -> str:
        """Where the token will stand."""
        return f"you move to {view.board.mine + int(move)}"

    def act(self, view: View, move: str) -> Act:
        """The steps and where they lead."""
        to = view.board.mine + int(move)
        return Act(f"moving {move} to {to}", f"move {move} to {to}")

    def stands(self, view: View) -> str:
        """Both tokens."""
        return f"With you at {view.board.mine} and your opponent at {view.board.theirs}"

    def reason(self, view: View) -> str:
        """How many moves both still need: nobody can hinder anybody."""
        from bitduel.games.binary_race_31.law import needed

        exact = self.finish == "exact"
        mine, theirs = (needed(self.length - at, exact) for at in (view.board.mine, view.board.theirs))
        turn = "it is your turn" if view.to_move == view.seat else "your opponent is to move"
        last = f", and {turn}" if mine == theirs else ""
        return f"Nobody can hinder the other: you need {_moves(mine)}, your opponent {theirs}{last}."

    def laws(self) -> tuple[Law, ...]:
        """What is proved of it."""
        from bitduel.games.binary_race_31 import laws

        return (laws.FEWER_MOVES,)

    def rules(self) -> list[str]:
        """The rules in our own words."""
        return [
            f"Each player has a token on a track from 0 to {self.length}. Both start at 0.",
            "On your turn you move your own token forward by 1, 2, 4, 8 or 16 steps. You cannot pass or move back.",
            f"The first to reach {'' if self.finish == 'exact' else 'or pass '}{self.length} wins at once.",
            FINISH[self.finish],
        ]


def _moves(count: int) -> str:
    return "1 more move" if count == 1 else f"{count} more moves"


def last_moves(length: int) -> Reading:
    """How the rulebook's sentences about the last steps are read, on a track of this length."""
    last = {3: "1, 2, 4", 2: "1, 2", 1: "1"}
    examples = "; ".join(f"{length - left}: {moves}" for left, moves in last.items() if left <= length)
    return Reading(
        point="The last moves",
        rulebook="'Reach or surpass 31' wins, but at 29 'only 1 or 2'; the sample offers 1, 2, 4 at 28, only 1 at "
        "30, and all five at 24.",
        default="While more than three steps are left, all five moves; on the last three no move larger than the "
        f"smallest that finishes ({examples}).",
        choose="finish=any (all five, always) or finish=exact (the end may not be passed)",
        option="finish",
    )
