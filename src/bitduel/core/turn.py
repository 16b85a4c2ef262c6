"""A position with all that can be done there, worked out once."""

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitduel.core.errors import IllegalMoveError, UnreadableMoveError, shown

if TYPE_CHECKING:
    from bitduel.core.game import Game

P = TypeVar("P", bound=tuple[Any, ...])


class Turn(Generic[P]):
    """A position with its verdict, its legal moves and where they lead."""

    __slots__ = ("_game", "legal", "may_end", "position", "then", "verdict")

    legal: tuple[str, ...]
    may_end: int
    """Whether to look twice when it is reached: the match is over, or it may be by repetition."""

    def __init__(self, game: "Game[P]", position: P) -> None:
        self._game = game
        self.position = position
        self.verdict = verdict = game.verdict(position)
        self.may_end = verdict or game.repetition
        if game.offers_all:
            self.legal = () if verdict else game.moves
        else:
            self.legal = tuple([move for move in game.moves if game.legal(position, move)])
        self.then: dict[str, Turn[P]] = {}
        """Where those moves lead whose ends were met before: most of a wide game is seen only once."""

    def after(self, move: str) -> "Turn[P]":
        """The turn a legal move leads to; raises MoveError for any other text."""
        turn = self.then.get(move)
        if turn is not None:
            return turn
        if move not in self.legal:
            raise self._refusal(move)
        game = self._game
        position = game.play(self.position, move)
        if game.rest:
            game.rest -= 1
            return Turn(game, position)
        turn = game.turns.get(position)
        if turn is None:
            if len(game.turns) >= game.most_turns:
                game.forget()
            turn = game.turns[position] = Turn(game, position)
        else:
            self.then[move] = turn
        return turn

    def _refusal(self, move: str) -> UnreadableMoveError | IllegalMoveError:
        legal = ", ".join(self.legal) or "none, the game is over"
        if move in self._game.moves:
            return IllegalMoveError(f"'{move}' is not possible now. Possible: {legal}.")
        return UnreadableMoveError(f"'{shown(str(move))}' is not a move. Possible: {legal}.")
