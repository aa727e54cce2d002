"""The rooms of the service: in memory, bounded in number and age.

A room is only a convenience: its pages hold its game, signed, so a room that is dropped can be made again
(`restore`). A room without requests for `IDLE_SECONDS` is dropped. If there are too many, a new room replaces
the one that was idle for the longest time, but never one with a recent move or with a player present: a flood
of new rooms does not end a game.
"""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from collapsi.games.registry import deal
from collapsi.service.room import ForbiddenError, RoomState, UnknownRoomError, parse_state
from collapsi.service.seals import Seals, is_same, new_id
from collapsi.service.waiting import OverloadedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.api.rooms import Players
    from collapsi.core.game import Game
    from collapsi.play.rounds import Round

MOST_ROOMS = 1000
IDLE_SECONDS = 3600.0
"""A room without requests for this time is dropped."""
UNUSED_SECONDS = 60.0
"""A room is never replaced within this time after its last request."""
RECENT_SECONDS = 600.0
"""A room is never replaced within this time after its last move."""
PRESENT_SECONDS = 30.0
"""A player is there if their page has asked within this time."""
SWEEP_SECONDS = 60.0
NEW_BURST = 120
NEW_PER_SECOND = 2.0
"""At most this number of new rooms in a moment, and in every second after that. Rooms that are made again do
not count."""

WATCH = "watch"
"""Stands for the spectators where a token names a seat."""


@dataclass
class Room:
    """A room, and when it was used."""

    state: RoomState
    tokens: tuple[str, ...]
    """By number of the player."""
    watch: str
    sealed: str
    asked: float
    """The time of the last request."""
    moved: float = float("-inf")
    """The time of the last move of a person."""
    seen: dict[int, float] = field(default_factory=dict)
    """By player: the time of the last request."""
    waiting: dict[int | None, int] = field(default_factory=dict)
    """By player, None for spectators: how many requests wait."""

    def is_present(self, player: int, now: float) -> bool:
        """Whether a player is there; a computer always is."""
        return (
            self.state.players[player] is not None
            or bool(self.waiting.get(player))
            or now - self.seen.get(player, float("-inf")) < PRESENT_SECONDS
        )

    def is_in_use(self, now: float) -> bool:
        """Whether it is kept although the table is full."""
        return (
            any(self.waiting.values())
            or now - self.asked < UNUSED_SECONDS
            or now - self.moved < RECENT_SECONDS
        )

    def has_come(self, player: int) -> bool:
        """Whether a player has been there, as far as is known."""
        movers = (self.state.round.seats[position.to_move] for position in self.state.game.positions[:-1])
        return player in self.seen or player in movers


class Rooms:
    """All rooms. `clock` returns the time in seconds; `on_change` is called with a room after a change."""

    def __init__(
        self,
        seals: Seals,
        *,
        most: int = MOST_ROOMS,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[Room], None] = lambda _: None,
    ) -> None:
        self._seals = seals
        self._most = most
        self._clock = clock
        self._on_change = on_change
        self._rooms: dict[str, Room] = {}
        self._swept = clock()
        self._allowed = float(NEW_BURST)  # new rooms, at the time `_counted`
        self._counted = clock()

    def __len__(self) -> int:
        return len(self._rooms)

    def __contains__(self, room: Room) -> bool:
        return self._rooms.get(room.state.id) is room

    def new(self, game: Game[Any], first: Round, players: Players) -> Room:
        """Make a room; refuse if too many were made."""
        now = self._clock()
        allowed = min(NEW_BURST, self._allowed + (now - self._counted) * NEW_PER_SECOND)
        self._counted = now
        self._allowed = allowed
        if allowed < 1:
            msg = "too many new rooms at once: try again in a few seconds"
            raise OverloadedError(msg)
        self._allowed -= 1
        return self._add(RoomState(new_id(), players, first, game))

    def enter(self, room_id: str, token: str) -> tuple[Room, int | None]:
        """The room, and the number of the player with this token; None is a spectator."""
        self._sweep()
        room = self._rooms.get(room_id)
        if room is None:
            raise UnknownRoomError
        player = self._player(token, room)
        self.note(room, player)
        return room, player

    def _player(self, token: str, room: Room) -> int | None:
        found = [player for player, known in enumerate(room.tokens) if is_same(token, known)]
        if not found and not is_same(token, room.watch):
            msg = "this link does not belong to this room: have it sent to you again"
            raise ForbiddenError(msg)
        player = found[0] if found else None
        if player is not None and room.state.players[player] is not None:
            msg = "this seat is the computer's"
            raise ForbiddenError(msg)
        return player

    def move(self, room: Room, player: int, version: int, move: str) -> None:
        """Play a move of a player, or of the computer in their seat."""
        state = room.state.move(player, version, move)
        if state is not room.state:
            if state.players[player] is None:
                room.moved = self._clock()
            self._change(room, state)

    def next_round(self, room: Room, version: int, *, match: bool | None) -> None:
        """Deal the next round."""
        rng = random.Random(secrets.randbits(64))
        state = room.state.next_round(version, lambda rules: deal(rng, rules), match=match)
        self._change(room, state)

    def restore(self, token: str, sealed: str) -> tuple[Room, int | None]:
        """Make a room again; if there is one, the later state stays. Returns the room and the player."""
        text = self._seals.unseal(sealed)
        if text is None:
            msg = "this game was not signed by this service: make a new room"
            raise ForbiddenError(msg)
        state = parse_state(text)
        room = self._rooms.get(state.id)
        if room is None:
            self._player(token, self._room(state))  # before anything is changed
            room = self._add(state)
        elif state.version > room.state.version:
            self._player(token, room)
            self._change(room, state)
        return self.enter(state.id, token)

    def _room(self, state: RoomState) -> Room:
        tokens = tuple(self._seals.token(state.id, str(player)) for player in range(len(state.players)))
        watch = self._seals.token(state.id, WATCH)
        return Room(state, tokens, watch, self._seals.seal(state.text), self._clock())

    def _add(self, state: RoomState) -> Room:
        self._sweep()
        if len(self._rooms) >= self._most:
            self._drop_one()
        room = self._rooms[state.id] = self._room(state)
        return room

    def _change(self, room: Room, state: RoomState) -> None:
        room.state = state
        room.sealed = self._seals.seal(state.text)
        self._on_change(room)

    def _drop_one(self) -> None:
        now = self._clock()
        idle = [room for room in self._rooms.values() if not room.is_in_use(now)]
        if not idle:
            msg = "all rooms are in use: try again in a minute"
            raise OverloadedError(msg)
        del self._rooms[min(idle, key=lambda room: room.asked).state.id]

    def _sweep(self) -> None:
        """Drop idle rooms, at most once per `SWEEP_SECONDS`."""
        now = self._clock()
        if now - self._swept < SWEEP_SECONDS:
            return
        self._swept = now
        for room in [*self._rooms.values()]:
            if now - room.asked > IDLE_SECONDS and not any(room.waiting.values()):
                del self._rooms[room.state.id]

    def note(self, room: Room, player: int | None) -> None:
        """Note that a client was there until now."""
        room.asked = self._clock()
        if player is not None:
            room.seen[player] = room.asked

    def present_in(self, room_id: str) -> tuple[bool, ...]:
        """Which players of a room are there, if there is such a room."""
        room = self._rooms.get(room_id)
        return () if room is None else self.present(room)

    def present(self, room: Room) -> tuple[bool, ...]:
        """Which players are there."""
        now = self._clock()
        return tuple(room.is_present(player, now) for player in range(len(room.tokens)))
