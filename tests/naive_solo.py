"""The solo game once more, written from the rule sheet alone: no code of the package, coordinates instead of
cells.

A position is a dict from (row, column) to a letter, the place of the pawn and the size of the board. No
memory, no cuts: every order in which the cards can be landed on is played out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]


@dataclass(frozen=True)
class NaiveSolo:
    cards: dict[Place, str]  # X is the exit
    pawn: Place
    size: int
    closed: bool = False  # the exit may not be passed over before the end


def read(text: str) -> NaiveSolo:
    rows, *words = text.split()
    cards: dict[Place, str] = {}
    pawn = (0, 0)
    for r, row in enumerate(rows.split("/")):
        c = -1
        for letter in row:
            if letter == "r":
                pawn = (r, c)
            else:
                c += 1
                if letter != ".":
                    cards[r, c] = letter
    return NaiveSolo(cards, pawn, rows.count("/") + 1, closed=words == ["closed"])


def around(place: Place, size: int) -> list[Place]:
    r, c = place
    return [((r + 1) % size, c), ((r - 1) % size, c), (r, (c + 1) % size), (r, (c - 1) % size)]


def is_solved(position: NaiveSolo) -> bool:
    return position.cards == {position.pawn: "X"}


def ends(position: NaiveSolo) -> set[Place]:
    start, cards = position.pawn, position.cards
    if is_solved(position):
        return set()
    if len(cards) == 2:  # only the pawn's card and the exit: next to it is enough, whatever the number
        return {there for there in around(start, position.size) if cards.get(there) == "X"}
    letter = cards[start]
    walks = [[start]]
    for _ in range(1 if letter in "JA" else int(letter)):
        walks = [
            [*walk, there]
            for walk in walks
            for there in around(walk[-1], position.size)
            if there in cards and there not in walk and not (position.closed and cards[there] == "X")
        ]
    return {walk[-1] for walk in walks if cards[walk[-1]] != "X"}


def play(position: NaiveSolo, end: Place) -> NaiveSolo:
    cards = {place: card for place, card in position.cards.items() if place != position.pawn}
    return NaiveSolo(cards, end, position.size, position.closed)


def solutions(position: NaiveSolo) -> Iterator[list[Place]]:
    if is_solved(position):
        yield []
    for end in sorted(ends(position)):
        for rest in solutions(play(position, end)):
            yield [end, *rest]


def share(position: NaiveSolo) -> Fraction:
    """The chance of somebody who takes any legal move, each as likely as any other."""
    if is_solved(position):
        return Fraction(1)
    moves = ends(position)
    if not moves:
        return Fraction(0)
    return sum((share(play(position, end)) for end in moves), Fraction(0)) / len(moves)
