"""Answers about rooms: requests that wait for a change, and the moves of computers.

A request that waits is a future on the event loop, without a thread or a worker process. Their number is
bounded, for each player, for the spectators of a room, and in all: a request beyond the bound is answered at
once, with the time to wait before the next one, so spectators delay no other client.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.api.questions import QUESTIONS
from collapsi.api.questions.parameters import SEED_LIMIT
from collapsi.core.errors import CollapsiError
from collapsi.games.registry import kind_of
from collapsi.service.room import ForbiddenError
from collapsi.service.room_views import room_json, tag
from collapsi.service.rooms import Room, Rooms
from collapsi.service.waiting import InternalError, OverloadedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from collapsi.api import models
    from collapsi.api.question import Question
    from collapsi.api.rooms import Players
    from collapsi.core.game import Game
    from collapsi.games.levels import Level
    from collapsi.play.rounds import Round
    from collapsi.service.room import RoomState
    from collapsi.service.seals import Seals

    Ask = Callable[[Question, dict[str, str]], Awaitable[bytes]]
    """How to have a question answered, in a worker process if it takes long."""

WAIT_SECONDS = 20.0
"""How long a request waits for a change."""
BUSY_SECONDS = 5.0
"""When to ask again, if there is no place to wait."""
MOST_BY_PLAYER = 3
"""A page that was closed may leave a request behind; with more, the player has too many pages open."""
MOST_WATCHING = 20
"""Spectators of one room whose requests wait."""
MOST_PLAYERS_WAITING = 400
MOST_SPECTATORS_WAITING = 100
"""In all rooms. Both stay below the limit of connections."""
PAUSE_SECONDS = 0.6
"""Before a move of the computer, so that people can follow."""
RETRY_SECONDS = 1.0
MOST_TRIES = 8
"""After that the computer tries again with the next request about the room."""
MOST_THINKING = 2
"""Computers that choose a move at the same time: more wait here, not in the queue of the pool."""

log = logging.getLogger(__name__)


class LiveRooms:
    """The rooms of a running service."""

    def __init__(self, seals: Seals, ask: Ask) -> None:
        self.rooms = Rooms(seals, on_change=self._on_change)
        self._ask = ask
        self._changed: dict[str, asyncio.Event] = {}  # of rooms with requests that wait
        self._waiting = {True: 0, False: 0}  # players, spectators
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(MOST_THINKING)
        self._closed = False

    async def new(self, game: Game[Any], first: Round, players: Players) -> models.NewRoom:
        """Make a room."""
        room = self.rooms.new(game, first, players)
        self._let_computer_move(room)
        tokens = zip(room.tokens, players, strict=True)
        return {
            **self._json(room, None),
            "tokens": [token if level is None else None for token, level in tokens],
        }

    async def look(self, room: str, token: str, seen: str) -> models.Room:
        """The room, after a change if the client has seen how it is now."""
        found, player = self._enter(room, token)
        self._let_computer_move(found)
        if self._tag(found) != seen or self._closed:
            return self._json(found, player)
        if not self._has_place(found, player):
            return self._json(found, player, BUSY_SECONDS)
        with self._counted(found, player), suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS):
                while self._tag(found) == seen and not self._closed:
                    await self._changed.setdefault(found.state.id, asyncio.Event()).wait()
        return self._json(found, player)

    async def move(self, room: str, token: str, version: int, move: str) -> models.Room:
        """Play a move."""
        found, player = self._enter(room, token)
        self.rooms.move(found, self._seated(player), version, move)
        return self._json(found, player)

    async def next_round(self, room: str, token: str, version: int, match: bool | None) -> models.Room:
        """Deal the next round."""
        found, player = self._enter(room, token)
        self._seated(player)
        self.rooms.next_round(found, version, match=match)
        return self._json(found, player)

    async def restore(self, token: str, sealed: str) -> models.Room:
        """Make a room again."""
        found, player = self.rooms.restore(token, sealed)
        self._wake(found.state.id)  # a player may have come back; with the same tag the others wait on
        self._let_computer_move(found)
        return self._json(found, player)

    def close(self) -> None:
        """Answer all that wait, and stop the computers."""
        self._closed = True
        for room in [*self._changed]:
            self._wake(room)
        for task in self._thinking.values():
            task.cancel()

    def _enter(self, room: str, token: str) -> tuple[Room, int | None]:
        """The room and the player; a new arrival wakes the requests that wait."""
        before = self.rooms.present_in(room)
        found = self.rooms.enter(room, token)
        if self.rooms.present_in(room) != before:
            self._wake(room)
        return found

    @staticmethod
    def _seated(player: int | None) -> int:
        if player is None:
            msg = "this link is for watching: a player's link is needed"
            raise ForbiddenError(msg)
        return player

    def _tag(self, room: Room) -> str:
        return tag(room, self.rooms.present(room))

    def _json(self, room: Room, player: int | None, wait: float = 0.0) -> models.Room:
        wait = RETRY_SECONDS if self._closed else wait
        return room_json(room, player, self.rooms.present(room), wait)

    def _has_place(self, room: Room, player: int | None) -> bool:
        here = room.waiting.get(player, 0)
        if player is None:
            return here < MOST_WATCHING and self._waiting[False] < MOST_SPECTATORS_WAITING
        return here < MOST_BY_PLAYER and self._waiting[True] < MOST_PLAYERS_WAITING

    @contextmanager
    def _counted(self, room: Room, player: int | None) -> Iterator[None]:
        room.waiting[player] = room.waiting.get(player, 0) + 1
        self._waiting[player is not None] += 1
        try:
            yield
        finally:
            room.waiting[player] -= 1
            self._waiting[player is not None] -= 1
            if not any(room.waiting.values()):
                self._changed.pop(room.state.id, None)
            self.rooms.note(room, player)

    def _on_change(self, room: Room) -> None:
        self._wake(room.state.id)
        self._let_computer_move(room)

    def _wake(self, room: str) -> None:
        """Answer the requests that wait for a change of a room."""
        if changed := self._changed.pop(room, None):
            changed.set()

    def _let_computer_move(self, room: Room) -> None:
        """Have the computer move, if it is its turn and it does not think already."""
        room_id = room.state.id
        if room.state.level_to_move is None or room_id in self._thinking or self._closed:
            return
        task = asyncio.get_running_loop().create_task(self._play(room))
        self._thinking[room_id] = task
        task.add_done_callback(lambda _: self._thinking.pop(room_id, None))

    async def _play(self, room: Room) -> None:
        """Play the computers' moves until it is a person's turn."""
        tries = 0
        while (level := room.state.level_to_move) is not None and room in self.rooms and tries < MOST_TRIES:
            state = room.state
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                move = await self._chosen(state, level)
                if room.state is state:
                    player = state.player_to_move
                    assert player is not None  # a level is to move
                    self.rooms.move(room, player, state.version, move)
                tries = 0
            except (OverloadedError, InternalError):  # a worker process has died, or has too much to do
                tries += 1
                await asyncio.sleep(RETRY_SECONDS)
            except CollapsiError as error:
                log.warning("collapsi: the computer cannot move in a room: %s", error)
                return

    async def _chosen(self, state: RoomState, level: Level) -> str:
        """The move of a level. The same room and version give the same seed, also after a restart."""
        path = f"{kind_of(state.position).path}computer-move"
        digest = hashlib.sha256(f"{state.id} {state.version}".encode()).digest()
        seed = int.from_bytes(digest) % SEED_LIMIT
        texts = {"position": state.position.text, "level": level.value, "seed": str(seed)}
        async with self._places:
            answer = await self._ask(QUESTIONS[path], texts)
        return str(json.loads(answer)["move"])
