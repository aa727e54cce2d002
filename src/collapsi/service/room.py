"""One room: the players, the game so far, and who may move. Nothing here knows of time or requests.

A state is written as text, which the service signs: `id~version~round~players~rules~match~game`. The
version counts moves and new deals, so of two states of a room the one with the higher version is later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from collapsi.api.rooms import PERSON
from collapsi.core.errors import CollapsiError
from collapsi.core.game import Game
from collapsi.core.state import move_number
from collapsi.games.levels import Level
from collapsi.games.registry import parse_game, parse_rules
from collapsi.play.levels import levels_for
from collapsi.play.rounds import Round, read_match

if TYPE_CHECKING:
    from collapsi.api.rooms import Players


class RoomError(CollapsiError):
    """A request that a room refuses."""

    status = HTTPStatus.CONFLICT


class UnknownRoomError(RoomError):
    """The service does not have the room, or no longer."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__("this game is not open any more: a player who opens their page brings it back")


class ForbiddenError(RoomError):
    """A token that does not allow the request."""

    status = HTTPStatus.FORBIDDEN


class OutdatedError(RoomError):
    """A request about a position that has changed."""

    def __init__(self) -> None:
        super().__init__("the board has changed meanwhile: look at it again")


@dataclass(frozen=True)
class RoomState:
    """The state of a room; each change returns a new one.

    >>> game = parse_game("A223/4A2Jr/3A23/Jb3A4 r")
    >>> state = RoomState("x", (None, None), Round(game.position.rules), game)
    >>> state.move(0, 0, "a2").text
    'x~1~0~person.person~standard~~A223/4A2Jr/3A23/Jb3A4_r_a2'
    >>> state.move(1, 0, "a2")
    Traceback (most recent call last):
    collapsi.service.room.RoomError: it is red's turn
    """

    id: str
    players: Players
    round: Round
    game: Game[Any]
    version: int = 0

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self.game.position

    @property
    def is_over(self) -> bool:
        """Whether the round is over."""
        return self.position.result is not None

    @property
    def player_to_move(self) -> int | None:
        """The number of the player to move; None if the round is over."""
        return None if self.is_over else self.round.seats[self.position.to_move]

    @property
    def level_to_move(self) -> Level | None:
        """The level of the computer that is to move; None if it is a person's turn, or the round is over.

        One that does not play by the rules of a play-off plays the strongest level that they have.
        """
        player = self.player_to_move
        level = None if player is None else self.players[player]
        if level is None:
            return None
        known = levels_for(self.position.rules)
        return level if level in known else known[-1]

    def move(self, player: int, version: int, move: str) -> RoomState:
        """Play a move; one that was played already, by this player in this position, changes nothing."""
        if version != self.version:
            if self._was_played(player, version, move):
                return self
            raise OutdatedError
        if self.is_over:
            msg = "the round is over"
            raise RoomError(msg)
        if self.player_to_move != player:
            msg = f"it is {self.position.to_move}'s turn"
            raise RoomError(msg)
        return replace(self, game=self.game.play(move.lower()), version=version + 1)

    def _was_played(self, player: int, version: int, move: str) -> bool:
        ply = version - self.version + len(self.game.moves)
        if not 0 <= ply < len(self.game.moves):
            return False
        before = self.game.positions[ply]
        if self.round.seats[before.to_move] != player:
            return False
        return bool(move_number(before, move.lower()) == self.game.moves[ply])

    def next_round(self, version: int, deal: Any, *, match: bool | None = None) -> RoomState:
        """Start the next round with `deal(rules)`: before the first move, or when this one is over."""
        if version != self.version:
            raise OutdatedError
        if self.game.moves and not self.is_over:
            msg = "the round is not over: finish it first"
            raise RoomError(msg)
        following = self.round.next(self.position if self.is_over else None, match=match)
        dealt = Game.start(deal(following.rules))
        return replace(self, round=following, game=dealt, version=version + 1)

    @property
    def text(self) -> str:
        """The state as text."""
        players = ".".join(PERSON if level is None else level.value for level in self.players)
        match = "" if self.round.match is None else self.round.match.notation
        parts = (self.id, self.version, self.round.number, players, self.round.game, match, self.game.text)
        return "~".join(map(str, parts)).replace(" ", "_")


def parse_state(text: str) -> RoomState:
    """Read the text of a state that the service has signed.

    >>> parse_state("x~1~0~person.2~standard~3-0~A223/4A2Jr/3A23/Jb3A4_r_a2").level_to_move
    <Level.TWO: '2'>
    """
    room, version, number, players, rules, match, game = text.split("~", 6)
    read = parse_game(game.replace("_", " "))
    score = read_match(read.position.rules, match, int(number)) if match else None
    return RoomState(
        room,
        tuple(None if name == PERSON else Level(name) for name in players.split(".")),
        Round(parse_rules(rules), int(number), score),
        read,
        int(version),
    )
