"""The deal of the day: the same for everybody by date, made on the spot, without asking anybody.

The date is that of whoever plays, by their own calendar: a new deal comes at their midnight, and the text to
share names it. The person is red and can win; the computer is blue, and always of the same level, which
answers the same play with the same moves. What is drawn here comes from SHA-256 of the date and nothing else,
so a deal stays what it is for ever, whatever becomes of Python's own chance (`tests/golden/daily.txt`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from collapsi.analysis import analyse, colour, position_json
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.game import Game
from collapsi.lazy import lazy
from collapsi.opponent import Level, liked_moves
from collapsi.position import Position
from collapsi.review import review
from collapsi.rows import shorten
from collapsi.rules import STANDARD, Card, Player

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi import json_shapes

PERSON = Player.RED
LEVEL = Level.TWO
"""The opponent. On deals that red can win, red wins 28 of 100 games at random, 44 looking two plies ahead, 72
looking four plies ahead, and all of them without a fault."""


class Mark(StrEnum):
    """How good a move was: a symbol that tells nothing of where it went."""

    KEPT = "●"
    THREW = "✗"
    LOST = "○"

    @property
    def text(self) -> str:
        """What the symbol means."""
        return {
            Mark.KEPT: "kept the win",
            Mark.THREW: "threw it away",
            Mark.LOST: "there was no win to keep",
        }[self]


def today() -> date:
    """The date where this program runs."""
    return datetime.now().astimezone().date()


def parse_date(text: str) -> date:
    """Read a date.

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


@lru_cache(64)
def deal_of(day: date) -> Position:
    """The deal of a day: the first one drawn for it that red wins under perfect play.

    >>> deal_of(date(2026, 10, 2)).text
    '3A33/A22A/JrA43/24Jb2 r'
    """
    drawn = (_shuffled(f"deal {day.isoformat()} {attempt}") for attempt in count())
    return next(dealt for dealt in drawn if analyse(dealt).winner is PERSON)


def _number(text: str) -> int:
    """A large number that depends on a text alone."""
    return int.from_bytes(sha256(f"collapsi {text}".encode()).digest(), "big")


def _shuffled(text: str) -> Position:
    """The deck laid out in an order that depends on a text alone, all orders equally likely."""
    cards = [card for card, copies in STANDARD.cards for _ in range(copies)]
    number = _number(text)
    for place in range(len(cards) - 1, 0, -1):
        number, other = divmod(number, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    red, blue = (cell for cell, card in enumerate(cards) if card is Card.JACK)
    return Position(tuple(cards), (red, blue), Player.RED, STANDARD)


@dataclass(frozen=True, repr=False)
class DailyGame:
    """The deal of a day, and what has been played of it.

    >>> played = DailyGame.start(date(2026, 10, 2), ["a2"])
    >>> played.play(played.reply)
    DailyGame(2026-10-02: '3A33/A22A/JrA43/24Jb2 r a2 c1')
    """

    day: date
    game: Game

    @classmethod
    def start(cls, day: date, moves: Iterable[str] = ()) -> DailyGame:
        """The day's game after these moves of both sides."""
        return cls(day, Game.start(deal_of(day), moves))

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        return self.game.position.to_move

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.game.position.winner is not None

    def play(self, move: int | str) -> DailyGame:
        """The day after one more move."""
        return DailyGame(self.day, self.game.play(move))

    @property
    def reply(self) -> int:
        """What the computer plays: the same for everybody who has played the same."""
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

    @lazy
    def marks(self) -> tuple[Mark, ...]:
        """How good each move of the person was."""
        return tuple(
            Mark.LOST if move.before.winner is not PERSON else Mark.KEPT if move.played.wins else Mark.THREW
            for move in review(self.game).moves
            if move.player is PERSON
        )

    @property
    def result(self) -> str:
        """The text to share when the game is over: how it went, and nothing of how to win."""
        moves = len(self.marks)
        how = f"{'won' if self.won else 'lost'} in {moves} move{'s' * (moves != 1)}"
        return f"Collapsi {self.day.isoformat()}: {how} {''.join(self.marks)}"

    def to_json(self) -> json_shapes.DailyGame:
        """How the day stands, as plain data; with the computer's move where it is its turn."""
        asked = not self.over and self.to_move is not PERSON
        return {
            "date": self.day.isoformat(),
            **position_json(self.game.positions[0]),
            "game": self.game.text,
            "person": colour(PERSON),
            "level": LEVEL,
            "level_text": LEVEL.text,
            "reply": self.game.position.move_text(self.reply) if asked else None,
            "over": self.over,
            "won": self.won if self.over else None,
            "marks": list(self.marks) if self.over else None,
            "result": self.result if self.over else None,
        }

    def __repr__(self) -> str:
        return f"DailyGame({self.day.isoformat()}: {self.game.text!r})"
