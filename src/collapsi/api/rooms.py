"""What the questions about rooms need of the service, which alone has rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.core.game import Game
    from collapsi.games.levels import Level
    from collapsi.play.rounds import Round

PERSON = "person"
"""A person among the players of a room, as text."""
Players = tuple["Level | None", ...]
"""The players of a room by number; None is a person."""


class Rooms(Protocol):
    """The rooms of a service. Each answer is the room as it is after the request."""

    async def new(self, game: Game[Any], first: Round, players: Players) -> models.NewRoom:
        """Make a room."""

    async def look(self, room: str, token: str, seen: str) -> models.Room:
        """Wait until something has changed since the answer with the tag `seen`."""

    async def move(self, room: str, token: str, version: int, move: str) -> models.Room:
        """Play a move in the position with this version."""

    async def next_round(self, room: str, token: str, version: int, match: bool | None) -> models.Room:
        """Deal the next round."""

    async def restore(self, token: str, sealed: str) -> models.Room:
        """Make a room again from what the service has signed."""
