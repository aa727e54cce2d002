"""The deal of the day: the same for every player, derived from the date without a server.

The date is the local one of the player: a new deal comes at their midnight, and the text to share names it.
The person is red and can win; the computer is blue, always of the same level, and answers the same play with
the same moves. All random choices derive from SHA-256 of the date, so a deal never changes, even if Python's
`random` does (`tests/golden/daily.txt`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from collapsi.core.errors import CollapsiError, IllegalMoveError, MalformedError
from collapsi.core.game import Game
from collapsi.core.players import Player
from collapsi.core.rows import shorten
from collapsi.games.analysis import colour, position_json
from collapsi.games.classic.position import Position, lay
from collapsi.games.classic.rules import STANDARD
from collapsi.games.levels import Level
from collapsi.play.analysis import analyse
from collapsi.play.enums import Mark
from collapsi.play.levels import liked_moves
from collapsi.play.review import review

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.play import json_types

PERSON = Player.RED
LEVEL = Level.TWO
"""Level of the computer; `python benchmarks/daily.py` measures how often players of each level beat it."""


def today() -> date:
    """Return the local date."""
    return datetime.now().astimezone().date()


def parse_date(text: str) -> date:
    """Parse a date.

    >>> parse_date("2026-10-02")
    datetime.date(2026, 10, 2)
    """
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    msg = f"{shorten(text)} is no date: write year, month and day, such as 2026-10-02"
    raise MalformedError(msg)


def latest_day() -> date:
    """Return the latest date anywhere on Earth, for a service whose players may live further east."""
    return datetime.now(timezone(timedelta(hours=14))).date()


def parse_open_date(text: str, latest: date) -> date:
    """Parse the date of a deal, which may not be after `latest`.

    >>> parse_open_date("2026-10-03", date(2026, 10, 2))
    Traceback (most recent call last):
    collapsi.core.errors.CollapsiError: the deal of 2026-10-03 is not open yet: come back on that day
    """
    day = parse_date(text)
    if day > latest:
        msg = f"the deal of {day.isoformat()} is not open yet: come back on that day"
        raise CollapsiError(msg)
    return day


@lru_cache(64)
def deal_of(day: date) -> Position:
    """Return the deal of a day: the first one drawn for it that red wins under perfect play.

    >>> deal_of(date(2026, 10, 2)).text
    '3A33/A22A/JrA43/24Jb2 r'
    """
    drawn = (_shuffled(f"deal {day.isoformat()} {attempt}") for attempt in count())
    return next(dealt for dealt in drawn if analyse(dealt).winner is PERSON)


def _number(text: str) -> int:
    """Return a large number that depends only on a text."""
    return int.from_bytes(sha256(f"collapsi {text}".encode()).digest(), "big")


def _shuffled(text: str) -> Position:
    """Return the deck in an order that depends only on a text; all orders are equally likely."""
    cards = [card for card, copies in STANDARD.cards for _ in range(copies)]
    number = _number(text)
    for place in range(len(cards) - 1, 0, -1):
        number, other = divmod(number, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return lay(cards)


@dataclass(frozen=True, repr=False)
class DailyGame:
    """The game of a day: its deal and the moves so far.

    >>> played = DailyGame.start(date(2026, 10, 2), ["a2"])
    >>> played.play(played.reply)
    DailyGame(2026-10-02: '3A33/A22A/JrA43/24Jb2 r a2 c1')
    """

    day: date
    game: Game

    @classmethod
    def start(cls, day: date, moves: Iterable[str] = ()) -> DailyGame:
        """Return the game of a day after these moves of both sides."""
        return cls(day, Game.start(deal_of(day), moves))

    @property
    def to_move(self) -> Player:
        """The side to move."""
        player: Player = self.game.position.to_move
        return player

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.position.winner is not None

    def play(self, move: int | str) -> DailyGame:
        """Return the game after one more move."""
        return DailyGame(self.day, self.game.play(move))

    @property
    def reply(self) -> int:
        """The computer's move: the same for every player who has made the same moves."""
        position = self.game.position
        if self.over or self.to_move is PERSON:
            msg = "the game is over" if self.over else f"it is {PERSON}'s turn, and {PERSON} is the person"
            raise IllegalMoveError(msg)
        moves = liked_moves(position, LEVEL)
        return moves[_number(f"reply {self.day.isoformat()} {' '.join(self.game.squares)}") % len(moves)]

    @property
    def won(self) -> bool:
        """Whether the person has won."""
        return self.game.position.winner is PERSON

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """A mark for each move of the person."""
        return tuple(
            Mark.LOST if move.before.winner is not PERSON else Mark.KEPT if move.played.wins else Mark.THREW
            for move in review(self.game).moves
            if move.player is PERSON
        )

    @property
    def result(self) -> str:
        """The text to share when the game is over; it does not reveal the moves."""
        moves = len(self.marks)
        how = f"{'won' if self.won else 'lost'} in {moves} move{'s' * (moves != 1)}"
        return f"Collapsi {self.day.isoformat()}: {how} {''.join(self.marks)}"

    def to_json(self) -> json_types.DailyGame:
        """Return the game as plain data, with the computer's move if it is its turn."""
        computer_moves = not self.over and self.to_move is not PERSON
        return {
            "date": self.day.isoformat(),
            **position_json(self.game.positions[0]),
            "game": self.game.text,
            "person": colour(PERSON),
            "level": LEVEL,
            "level_text": LEVEL.text,
            "reply": self.game.position.move_text(self.reply) if computer_moves else None,
            "over": self.over,
            "won": self.won if self.over else None,
            "marks": list(self.marks) if self.over else None,
            "result": self.result if self.over else None,
        }

    def __repr__(self) -> str:
        return f"DailyGame({self.day.isoformat()}: {self.game.text!r})"
