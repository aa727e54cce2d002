"""The state of a room and the rooms of a service, without requests: against a naive model."""

from __future__ import annotations

import asyncio
import os
import random
import stat
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from collapsi import RULE_SETS, deal, parse_game
from collapsi.core.errors import CollapsiError
from collapsi.core.game import Game
from collapsi.core.players import Player
from collapsi.games.levels import Level
from collapsi.play.rounds import Round, read_match, rotated, start_round
from collapsi.service import rooms as rooms_module
from collapsi.service.live import LiveRooms
from collapsi.service.room import (
    ForbiddenError,
    OutdatedError,
    RoomError,
    RoomState,
    UnknownRoomError,
    parse_state,
)
from collapsi.service.room_views import room_json, who_is_there
from collapsi.service.rooms import Room, Rooms
from collapsi.service.seals import Seals, is_same, stored_secret
from collapsi.service.waiting import OverloadedError
from tests.service import apart
from tests.test_pool import settle

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
PLAYED = ("standard", "joker", "choice", "shift", "shift-rotate", "big", "big3", "big4", "five3")


class Clock:
    """A time that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def new_room(rooms: Rooms, text: str = EXAMPLE, *levels: Level | None, match: bool = False) -> Room:
    """A room for a game; by default all players are people."""
    game = parse_game(text)
    rules = game.position.rules
    players = levels or (None,) * rules.players
    return rooms.new(game, start_round(rules, match=match), players)


class LiveGame(RuleBasedStateMachine):
    """Any order of moves, repetitions, reorderings, guesses, and restarts from any page.

    The model: a page is the token of a player and the last signed state that it has seen. Every move that was
    ever accepted is in a list, and the list is what the room must have played, as long as a page that has
    seen all of it brings it back after a restart.
    """

    @initialize(rules=st.sampled_from(PLAYED), seed=st.integers(0, 1 << 20))
    def open(self, rules: str, seed: int) -> None:
        """Make a room."""
        self.rng = random.Random(seed)
        self.seals = Seals(None)
        self.clock = Clock()
        self.rooms = Rooms(self.seals, clock=self.clock)
        start = deal(self.rng, rules)
        self.room_id = new_room(self.rooms, start.text).state.id
        self.start = start.text
        self.played: list[str] = []
        """The moves of this round."""
        self.version = 0
        self.begins = 0
        """The player with the first move, as rounds rotate."""
        self.players = start.rules.players
        self.sent: list[tuple[int, int, str]] = []
        room = self.room
        assert room is not None
        self.known = [(0, room.sealed)] * self.players
        """By player: version and signed state of the page."""

    @property
    def room(self) -> Room | None:
        """The room, if the service has it."""
        return self.rooms._rooms.get(self.room_id)

    def token(self, player: int) -> str:
        """The token in the link of a player."""
        return self.seals.token(self.room_id, str(player))

    def naive(self) -> Any:
        """The position after all accepted moves, read again from the start."""
        return parse_game(" ".join([self.start, *self.played])).position

    def to_move(self) -> int | None:
        """The player to move, counted by hand."""
        position = self.naive()
        return None if position.result is not None else (int(position.to_move) + self.begins) % self.players

    def look(self, player: int) -> Room:
        """What a page does: ask, and bring back what it has, if the service has less."""
        version, sealed = self.known[player]
        try:
            room, _ = self.rooms.enter(self.room_id, self.token(player))
        except UnknownRoomError:
            room, _ = self.rooms.restore(self.token(player), sealed)
        if room.state.version < version:
            room, _ = self.rooms.restore(self.token(player), sealed)
        self.known[player] = (room.state.version, room.sealed)
        return room

    def send(self, player: int, version: int, move: str) -> None:
        """Send a move, and compare what happens with the list."""
        before = list(self.played)
        mover = self.to_move()
        legal = {self.naive().move_text(each) for each in self.naive().moves}
        room = self.room
        assert room is not None
        counts = version == self.version and player == mover and move in legal
        index = version - (self.version - len(before))
        repeated = (
            version < self.version
            and 0 <= index < len(before)
            and before[index] == move
            and self.mover_at(index) == player
        )
        found, who = self.rooms.enter(self.room_id, self.token(player))
        assert who == player
        try:
            self.rooms.move(found, player, version, move)
        except CollapsiError:
            assert not counts
            assert not repeated
        else:
            assert counts or repeated
            if counts:
                self.played.append(move)
                self.version += 1
            self.known[player] = (room.state.version, room.sealed)
            self.sent.append((player, version, move))

    def mover_at(self, index: int) -> int:
        """Who made a move."""
        position = parse_game(" ".join([self.start, *self.played[:index]])).position
        return (int(position.to_move) + self.begins) % self.players

    @precondition(lambda self: self.room and self.to_move() is not None)
    @rule(pick=st.integers(0, 1 << 20))
    def move(self, pick: int) -> None:
        """A legal move by the player to move."""
        position = self.naive()
        player = self.to_move()
        assert player is not None
        self.look(player)
        self.send(player, self.version, position.move_text(position.moves[pick % len(position.moves)]))

    @precondition(lambda self: self.room)
    @rule(player=st.integers(0, 3), shift=st.integers(-2, 2), pick=st.integers(0, 1 << 20))
    def move_wrongly(self, player: int, shift: int, pick: int) -> None:
        """A move by anybody, for any version."""
        position = self.naive()
        names = [position.move_text(each) for each in position.moves] or ["a1"]
        self.send(player % self.players, max(self.version + shift, 0), names[pick % len(names)])

    @precondition(lambda self: self.room and self.sent)
    @rule(pick=st.integers(0, 1 << 20))
    def repeat(self, pick: int) -> None:
        """A move that was sent before."""
        self.send(*self.sent[pick % len(self.sent)])

    @precondition(lambda self: self.room)
    @rule(player=st.integers(0, 3))
    def see(self, player: int) -> None:
        """A page asks."""
        self.look(player % self.players)

    @rule(first=st.integers(0, 3), with_all=st.booleans())
    def restart(self, first: int, with_all: bool) -> None:
        """The service is killed. Some page is there first; then the one that has seen the last move."""
        self.rooms = Rooms(self.seals, clock=self.clock)
        newest = max(range(self.players), key=lambda player: self.known[player][0])
        assert self.known[newest][0] == self.version  # who moved last has it
        with pytest.raises(UnknownRoomError):
            self.rooms.enter(self.room_id, self.token(newest))
        self.rooms.restore(self.token(first % self.players), self.known[first % self.players][1])
        self.look(newest)
        if with_all:
            for player in range(self.players):
                self.look(player)

    @precondition(lambda self: self.room)
    @rule(player=st.integers(0, 3), flips=st.integers(0, 1 << 30))
    def forge(self, player: int, flips: int) -> None:
        """A signed state or a token that was changed is refused."""
        _, sealed = self.known[player % self.players]
        at = flips % len(sealed)
        forged = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        with pytest.raises(ForbiddenError):
            self.rooms.restore(self.token(player % self.players), forged)
        with pytest.raises(ForbiddenError):
            self.rooms.restore(self.token(player % self.players)[:-2], sealed)
        with pytest.raises(ForbiddenError):
            self.rooms.enter(self.room_id, self.token(player % self.players)[::-1])

    @precondition(lambda self: self.room)
    @rule(player=st.integers(0, 3), shift=st.integers(-1, 1))
    def deal_again(self, player: int, shift: int) -> None:
        """A new round: before the first move, or at the end, and once."""
        room = self.look(player % self.players)
        allowed = shift == 0 and (not self.played or self.to_move() is None)
        try:
            self.rooms.next_round(room, self.version + shift, match=None)
        except RoomError:
            assert not allowed
            return
        assert allowed
        self.begins = (self.begins + 1) % self.players
        self.version += 1
        self.start, self.played = room.state.game.positions[0].text, []
        self.known[player % self.players] = (room.state.version, room.sealed)

    @invariant()
    def is_as_the_list(self) -> None:
        """No move is lost, none is doubled, and the turn is right."""
        if not hasattr(self, "start") or self.room is None:
            return
        state = self.room.state
        assert list(state.game.squares) == self.played
        assert state.version == self.version
        assert state.player_to_move == self.to_move()
        assert parse_state(state.text) == state


TestLiveGame = LiveGame.TestCase
TestLiveGame.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)


def test_a_repeated_move_is_played_once_and_others_are_refused() -> None:
    rooms = Rooms(Seals(None))
    room = new_room(rooms)
    rooms.move(room, 0, 0, "a2")
    rooms.move(room, 0, 0, "A2")
    assert room.state.game.squares == ("a2",)
    for player, version, move in ((0, 0, "d1"), (1, 0, "a2"), (0, 7, "a2"), (1, -3, "a2")):
        with pytest.raises(OutdatedError):
            rooms.move(room, player, version, move)
    with pytest.raises(RoomError, match="it is blue's turn"):
        rooms.move(room, 0, 1, "b4")


def test_tokens_are_of_one_room_and_one_seat(tmp_path: Path) -> None:
    rooms = Rooms(Seals(tmp_path / "key"))
    one, other = new_room(rooms), new_room(rooms)
    tokens = {*one.tokens, *other.tokens, one.watch, other.watch}
    assert len(tokens) == 6
    assert rooms.enter(one.state.id, one.tokens[1])[1] == 1
    assert rooms.enter(one.state.id, one.watch)[1] is None
    for wrong in (*other.tokens, other.watch, "", "\ud800", one.tokens[0] + "A"):
        with pytest.raises(ForbiddenError):
            rooms.enter(one.state.id, wrong)
    with pytest.raises(ForbiddenError):
        rooms.restore(other.tokens[0], one.sealed)
    again = Rooms(Seals(tmp_path / "key"))  # after a restart the same tokens hold
    assert again.restore(one.tokens[1], one.sealed)[1] == 1
    stranger = Rooms(Seals(tmp_path / "other"))
    with pytest.raises(ForbiddenError):
        stranger.restore(one.tokens[1], one.sealed)


def test_nobody_sits_in_the_seat_of_a_computer() -> None:
    rooms = Rooms(Seals(None))
    room = new_room(rooms, EXAMPLE, None, Level.TWO)
    with pytest.raises(ForbiddenError):
        rooms.enter(room.state.id, room.tokens[1])
    assert room.state.level_to_move is None
    rooms.move(room, 0, 0, "a2")
    assert room.state.level_to_move is Level.TWO


def test_the_longer_state_wins_from_whatever_page() -> None:
    seals = Seals(None)
    rooms = Rooms(seals)
    room = new_room(rooms)
    states = [room.sealed]
    for version in range(3):
        rooms.move(room, version % 2, version, room.state.position.move_text(room.state.position.moves[0]))
        states.append(room.sealed)
    for order in ((0, 3), (3, 0), (1, 3, 2), (2, 0, 3)):
        restarted = Rooms(seals)
        for index in order:
            found, _ = restarted.restore(room.tokens[index % 2], states[index])
        assert found.state == room.state
        assert len(restarted) == 1


def test_a_flood_of_new_rooms_drives_nobody_out() -> None:
    clock = Clock()
    rooms = Rooms(Seals(None), most=10, clock=clock)
    used = new_room(rooms)
    rooms.move(used, 0, 0, "a2")
    watched = new_room(rooms)
    watched.waiting[0] = 1
    refused = 0
    for _ in range(1000):
        clock.now += 0.5
        try:
            new_room(rooms)
        except OverloadedError:
            refused += 1
    assert len(rooms) == 10
    assert used in rooms
    assert watched in rooms
    assert refused > 900
    clock.now += rooms_module.RECENT_SECONDS  # nobody has been there: it can be made again from a page
    watched.waiting[0] = 0
    for _ in range(10):
        new_room(rooms)
    assert used not in rooms
    assert watched not in rooms
    clock.now += rooms_module.UNUSED_SECONDS
    assert rooms.restore(used.tokens[0], used.sealed)[0].state == used.state


def test_new_rooms_are_limited_in_time() -> None:
    clock = Clock()
    rooms = Rooms(Seals(None), clock=clock)
    for _ in range(rooms_module.NEW_BURST):
        new_room(rooms)
    with pytest.raises(OverloadedError, match="too many new rooms"):
        new_room(rooms)
    clock.now += 1
    for _ in range(int(rooms_module.NEW_PER_SECOND)):
        new_room(rooms)
    with pytest.raises(OverloadedError):
        new_room(rooms)


def test_refused_rooms_do_not_count_against_the_limit() -> None:
    """Three requests in a second, for ten minutes: two of them make a room."""
    clock = Clock()
    rooms = Rooms(Seals(None), clock=clock, most=10_000)
    made = 0
    for _ in range(1800):
        clock.now += 1 / 3
        with suppress(OverloadedError):
            new_room(rooms)
            made += 1
    assert made == pytest.approx(rooms_module.NEW_BURST + 600 * rooms_module.NEW_PER_SECOND, abs=2)


def test_moves_of_a_computer_do_not_keep_a_room() -> None:
    clock = Clock()
    rooms = Rooms(Seals(None), most=1, clock=clock)
    room = new_room(rooms, EXAMPLE, Level.TWO, None)
    clock.now += rooms_module.UNUSED_SECONDS
    rooms.move(room, 0, 0, "a2")
    new_room(rooms)
    assert room not in rooms


def test_what_nobody_asks_about_is_dropped() -> None:
    clock = Clock()
    rooms = Rooms(Seals(None), clock=clock)
    idle, asked = new_room(rooms), new_room(rooms)
    for _ in range(3):
        clock.now += rooms_module.IDLE_SECONDS / 2
        rooms.enter(asked.state.id, asked.watch)
    assert len(rooms) == 1
    with pytest.raises(UnknownRoomError):
        rooms.enter(idle.state.id, idle.watch)


def naive_rounds(players: int) -> list[list[int]]:
    """Who is red, blue and so on in each of the first rounds: the first player goes to the end."""
    order = list(range(players))
    found = []
    for _ in range(6):
        found.append(order)
        order = [*order[1:], order[0]]
    return found


@pytest.mark.parametrize("rules", PLAYED)
def test_rounds_rotate_and_a_match_adds_up(rules: str) -> None:
    """Against the points added by hand, for as many rounds as the match needs."""
    rng = random.Random(5)
    chosen = RULE_SETS[rules]
    now = start_round(chosen)
    for order in naive_rounds(chosen.players):
        assert list(now.seats.values()) == order
        now = now.next(None)
    now = start_round(chosen, match=True)
    points = [0] * chosen.players
    for number in count():
        assert now.match is not None
        if now.rules.players == chosen.players and number < 6:
            assert list(now.seats.values()) == naive_rounds(chosen.players)[number % chosen.players]
        state = deal(rng, now.rules)
        while state.result is None:
            state = state.play(rng.choice(state.moves))
        for colour, player in now.seats.items():
            points[player] += state.result[colour]
        written = now.next(state)
        is_over = now.is_last(state)
        if chosen.players == 2 and not rules.startswith("big"):
            assert is_over == (max(points) >= 16)
        if is_over:
            break
        after = written.match
        assert after is not None
        assert read_match(written.rules, after.notation, written.number) == after
        now = written
    assert points.count(max(points)) == 1
    again = now.next(state)
    assert again.match == read_match(chosen, "", now.number + 1)
    assert now.next(state, match=False).match is None


def test_rotation() -> None:
    assert rotated(0, 2) == {Player.RED: 0, Player.BLUE: 1}
    assert rotated(5, 4) == {Player.RED: 1, Player.BLUE: 2, Player.GREEN: 3, Player.YELLOW: 0}


@pytest.mark.parametrize("rules", PLAYED)
def test_a_state_reads_back(rules: str) -> None:
    rng = random.Random(9)
    chosen = RULE_SETS[rules]
    players = (None, *[Level.ONE] * (chosen.players - 1))
    match = read_match(chosen, "", 0)
    state = RoomState("a-b_c", players, Round(chosen, 0, match), Game.start(deal(rng, chosen)))
    for _ in range(3):
        while not state.is_over:
            position = state.position
            player = state.player_to_move
            assert player is not None
            state = state.move(player, state.version, position.move_text(rng.choice(position.moves)))
            assert parse_state(state.text) == state
        state = state.next_round(state.version, lambda wanted: deal(rng, wanted))
        assert parse_state(state.text) == state


def test_a_level_that_a_play_off_does_not_have_plays_its_best() -> None:
    text = f"x~9~3~person.master.person~big3~4-4-1/3/12+0~{deal(random.Random(1), 'big').text}"
    state = parse_state(text.replace(" ", "_"))
    assert state.round.seats == {Player.RED: 0, Player.BLUE: 1}
    moved = state.move(0, 9, state.position.move_text(state.position.moves[0]))
    assert moved.level_to_move is not None


def test_who_is_there() -> None:
    rooms = Rooms(Seals(None), clock=Clock())
    room = new_room(rooms, deal(random.Random(3), "big4").text)
    watch = "You are watching. "
    assert (
        who_is_there(room, 0, (True, False, False, True)) == "Waiting for blue and green to open their links."
    )
    rooms.enter(room.state.id, room.tokens[1])
    assert rooms.present(room) == (False, True, False, False)
    room.seen[2] = 0.0
    assert who_is_there(room, 0, (True, True, False, True)) == "Green is away. The game waits."
    assert who_is_there(room, None, (True,) * 4) == f"{watch}All players are here."
    alone = new_room(rooms, EXAMPLE, None, Level.ONE)
    assert who_is_there(alone, 0, (True, True)) == ""
    pair = new_room(rooms)
    assert who_is_there(pair, 0, (True, False)) == "Waiting for your friend to open the link."
    assert who_is_there(pair, 1, (True, True)) == "Your friend is here."
    shown = room_json(pair, 1, (True, False), 0.0)
    assert (shown["you"], shown["to_move"], shown["tag"]) == (2, 1, "0.10")


@apart
async def test_who_makes_a_room_again_is_seen_at_once() -> None:
    """By the others, whose requests wait."""

    async def ask(*_: object) -> bytes:
        raise AssertionError

    seals, clock = Seals(None), Clock()
    live = LiveRooms(seals, ask)
    live.rooms = Rooms(seals, clock=clock)
    game = parse_game(EXAMPLE)
    made = await live.new(game, start_round(game.position.rules, match=False), (None, None))
    room, (red, blue) = made["room"], made["tokens"]
    assert red and blue  # noqa: PT018 - for the type checker
    await live.look(room, red, "")
    clock.now += rooms_module.PRESENT_SECONDS
    away = await live.look(room, blue, "")
    waiting = asyncio.create_task(live.look(room, blue, away["tag"]))
    await settle()
    assert not waiting.done()
    await live.restore(red, made["sealed"])
    await settle()
    assert waiting.done()
    assert [seat["present"] for seat in (await waiting)["seats"]] == [True, True]


def test_the_secret_is_kept_readable_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "key"
    secret = stored_secret(file)
    assert stored_secret(file) == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["key"]
    for damaged in (b"", b"short", b"x" * 99):
        file.write_bytes(damaged)
        assert len(stored_secret(file)) == 32
    file.unlink()
    (tmp_path / "cache" / f".partial-{os.getpid()}-key").write_bytes(b"left by a crash")
    assert len(stored_secret(file)) == 32


def test_without_a_place_for_the_secret_rooms_work_until_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    rooms = Rooms(Seals(tmp_path / "file" / "key"))
    room = new_room(rooms)
    assert rooms.enter(room.state.id, room.tokens[0])[1] == 0
    assert "cannot keep the secret of rooms" in caplog.text


def test_tokens_are_compared_whole() -> None:
    assert is_same("abc", "abc")
    assert not is_same("abc", "abd")
    assert not is_same("abc", "ab")
