"""The sentences of Binary Race to 31."""

from collections.abc import Mapping

from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import MovePhrase
from bitduel.core.view import View
from bitduel.core.words import Law, Names, Reading, Words
from bitduel.games.binary_race_31.rules import TrackPosition, moves_needed

FINISH = {
    "sample": "With more than three steps to go, you may make any of the five moves. With three or fewer to go, you "
    "may not move further than the smallest move that finishes.",
    "any": "You may always make any of the five moves.",
    "exact": "You may not move past the end of the track.",
}
FEWER_MOVES = Law(
    name="fewer-moves",
    title="Count the moves each player needs",
    statement="A player needs one move for every full 16 steps to go, and one more if any steps are left over. With an "
    "exact finish, write the steps left over in binary: the player needs one more move for every 1. The player to move "
    "wins if they do not need more moves than their opponent, and loses if they do. So the first player always wins.",
    why="No move affects the other player, so all that matters is who needs fewer moves. On a tie, whoever moves first "
    "wins.",
    proof=(
        "If the end may be passed: a move takes you 16 steps at most, so fewer moves are not enough. Moving 16 until "
        "16 or fewer steps are left, and then once more, is enough.",
        "With an exact finish, the moves must add up to the steps that are left. Moving 16s, and then the binary "
        "digits of the rest, is enough. Fewer moves are not enough, because no move lowers that count by more than 1: "
        "taking away a power of two removes one binary 1, or borrows and leaves at least as many.",
        "If the player to move does not need more moves than the opponent, they make their last move before the "
        "opponent has made as many. If they need more, the opponent gets there first in the same way. Neither player "
        "can be blocked, and moving 1 step is always possible.",
    ),
    source="docs/theorems.md",
)
AIM = "Move 1, 2, 4, 8 or 16 steps. Be first to {reach} {length}."
REACH = {"sample": "reach or pass", "any": "reach or pass", "exact": "reach"}


class BinaryRace31Words(Words):
    """Sentences about a track, as the rulebook announces them."""

    fields = {"mine": "token of the player to move", "theirs": "token of the other player"}
    meanings = {"": "move your own token forward by the given number of steps"}
    nouns = ("token", "track")

    def __init__(self, length: int, finish: str) -> None:
        self.length = length
        self.finish = finish
        self.readings = (_last_moves(length),)

    def aim(self) -> str:
        """Name the end of the track as chosen, and whether it may be passed."""
        return AIM.format(reach=REACH[self.finish], length=self.length)

    def opening(self) -> list[str]:
        """Announce the start of the race."""
        return ["--- Binary Race Game Start ---", ""]

    def turn(self, view: View, name: str) -> list[str]:
        """Say whose turn it is and where their token is."""
        return [f"{name}'s Turn", f"Current Position: {view.board.mine}"]

    def prompt(self, view: View, name: str) -> str:
        """Ask for one of the legal moves."""
        return f"Choose your move ({', '.join(view.legal)}): "

    def answers(self, view: View) -> Mapping[str, str]:
        """Accept the number of steps."""
        return {move: move for move in view.legal}

    def invalid_answer(self, view: View) -> str:
        """Refuse anything else."""
        return f"Invalid move. Please choose one of: {', '.join(view.legal)}."

    def why_illegal(self, view: View, move: str) -> str:
        """Say how little is left of the track."""
        left = self.length - view.board.mine
        if self.finish == "exact":
            return f"You have only {_steps(left)} to go, and you may not pass the end."
        return f"You have only {_steps(left)} to go, so {view.legal[-1]} is enough."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Say where the token is now."""
        return [f"{name} moves to Position {view.board.mine}"]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Say who got there first."""
        winner = names[(outcome.winner or 1) - 1]
        reached = f"{winner} has reached or surpassed Position {self.length} and wins the game!"
        return ["", reached, "", "--- Game Over ---"]

    def own_ending(self, outcome: Outcome, is_winner: bool) -> str:
        """Say who got there first."""
        return f"You reached {self.length} first." if is_winner else f"Your opponent reached {self.length} first."

    def leads_to(self, view: View, move: str) -> str:
        """Say where the token will be."""
        return f"you move to {view.board.mine + int(move)}"

    def symbol(self, move: str) -> str:
        """Return the steps with a sign."""
        return f"+{move}"

    def listed(self, position: TrackPosition, move: str) -> str:
        """Return the steps, and where they lead."""
        return f"{self.symbol(move)} to {position.mine + int(move)}"

    def move_phrase(self, view: View, move: str) -> MovePhrase:
        """Name the steps and where they lead."""
        steps, place = _steps(int(move)), view.board.mine + int(move)
        listed = f"{steps} (to {place})"
        return MovePhrase(f"moving {listed}", f"move {listed}", lone_infinitive=f"move {steps}, to {place}")

    def position_phrase(self, view: View) -> str:
        """Name the places of both tokens."""
        return f"With you at {view.board.mine} and your opponent at {view.board.theirs}"

    def reason(self, view: View) -> str:
        """Say how many moves both still need."""
        exact = self.finish == "exact"
        mine, theirs = (moves_needed(self.length - at, exact) for at in (view.board.mine, view.board.theirs))
        turn = "your turn" if view.to_move == view.seat else "your opponent's turn"
        last = f", and it is {turn}" if mine == theirs else ""
        return f"You cannot block each other. You need {_more_moves(mine)} and your opponent needs {theirs}{last}."

    def question(self, view: View) -> str:
        """Ask for the moves that are left, which is all that matters."""
        mine, theirs = (self.length - at for at in (view.board.mine, view.board.theirs))
        return f"You have {mine} steps to go, your opponent {theirs}. How many moves does each of you need?"

    def laws(self) -> tuple[Law, ...]:
        """Return the law of the track."""
        return (FEWER_MOVES,)

    def short_rules(self) -> list[str]:
        """Return the rules in three lines."""
        near = {"sample": " (Near the end, no further than you need.)", "exact": f" You can't go past {self.length}."}
        return [
            f"You each have a token at 0, on a track to {self.length}.",
            f"On your turn, move 1, 2, 4, 8 or 16 steps forward.{near.get(self.finish, '')}",
            f"The first player to reach {'' if self.finish == 'exact' else 'or pass '}{self.length} wins.",
        ]

    def rules(self) -> list[str]:
        """Explain the rules."""
        return [
            f"Each player has a token on a track from 0 to {self.length}. Both start at 0.",
            "On your turn, move your token forward by 1, 2, 4, 8 or 16 steps. You cannot pass or move back.",
            f"The first player to reach {'' if self.finish == 'exact' else 'or pass '}{self.length} wins.",
            FINISH[self.finish],
        ]


def _more_moves(count: int) -> str:
    return "1 more move" if count == 1 else f"{count} more moves"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _last_moves(length: int) -> Reading:
    """Return the reading of the rulebook's sentences about the last steps, on a track of this length."""
    last = {3: "1, 2, 4", 2: "1, 2", 1: "1"}
    examples = "; ".join(f"{length - left}: {moves}" for left, moves in last.items() if left <= length)
    return Reading(
        point="The last moves",
        rulebook="You win if you 'reach or surpass 31', but at 29 you may move 'only 1 or 2'. The sample game offers "
        "1, 2 and 4 at 28, only 1 at 30, and all five moves at 24.",
        default="With more than three steps to go, all five moves. With three or fewer, no move bigger than the "
        f"smallest that finishes ({examples}).",
        choose="You may always make any of the five moves, or you may not pass the end.",
        option="finish",
    )
