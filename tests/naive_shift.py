"""The shifting board once more, written from the rule sheet alone: no code of the package, only places.

A position is a dict from (row, column) to a card's letter, `.` for a collapsed one, the two pawns' places,
the player to move, and the reading: "shift" (a line wraps from its outermost card to the one at its other
end), "shift-box" (wrapping at the rectangle around all cards) or "shift-rotate" (four by four, lines turn).
Places drift as they may; `write` shows what is the same but for drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Place = tuple[int, int]
Move = tuple[Place, str]  # the end of the walk, and r, l, d or u

STEP = {"r": (0, 1), "l": (0, -1), "d": (1, 0), "u": (-1, 0)}


@dataclass(frozen=True)
class NaiveShift:
    cards: dict[Place, str]
    pawns: tuple[Place, Place]
    to_move: int
    reading: str


def read(text: str) -> NaiveShift:
    rows, side, reading = text.split()
    cards: dict[Place, str] = {}
    pawns: dict[str, Place] = {}
    for r, row in enumerate(rows.split("/")):
        c = -1
        for letter in row:
            if letter in "rb":
                pawns[letter] = (r, c)
            else:
                c += 1
                if letter != "-":
                    cards[r, c] = letter
    return NaiveShift(cards, (pawns["r"], pawns["b"]), "rb".index(side), reading)


def corner(position: NaiveShift) -> Place:
    """The top left of the rectangle around all cards."""
    return min(r for r, _ in position.cards), min(c for _, c in position.cards)


def write(position: NaiveShift) -> str:
    top, left = corner(position)
    bottom, right = max(r for r, _ in position.cards), max(c for _, c in position.cards)
    rows = []
    for r in range(top, bottom + 1):
        row = ""
        for c in range(left, right + 1):
            row += position.cards.get((r, c), "-")
            if (r, c) in position.pawns:
                row += "rb"[position.pawns.index((r, c))]
        rows.append(row)
    return f"{'/'.join(rows)} {'rb'[position.to_move]} {position.reading}"


def move_name(position: NaiveShift, move: Move) -> str:
    """How a move is written: its square in the rectangle, and the letter of the shift."""
    (r, c), letter = move
    top, left = corner(position)
    return "abcdefghijklmnopqrstuvwxyz"[c - left] + str(r - top + 1) + letter


def step(position: NaiveShift, here: Place, letter: str) -> Place | None:
    """Where one step leads, or None: into a gap."""
    down, right = STEP[letter]
    there = (here[0] + down, here[1] + right)
    if position.reading == "shift-rotate":
        return there[0] % 4, there[1] % 4
    if down:
        line = sorted(place for place in position.cards if place[1] == here[1])
    else:
        line = sorted(place for place in position.cards if place[0] == here[0])
    if position.reading == "shift":
        first, last = line[0], line[-1]
    elif down:
        rows = [r for r, _ in position.cards]
        first, last = (min(rows), here[1]), (max(rows), here[1])
    else:
        columns = [c for _, c in position.cards]
        first, last = (here[0], min(columns)), (here[0], max(columns))
    if here == last and letter in "rd":
        there = first
    if here == first and letter in "lu":
        there = last
    return there if there in position.cards else None


def ends(position: NaiveShift) -> set[Place]:
    start = position.pawns[position.to_move]
    letter = position.cards[start]
    walks = [[start]]
    for _ in range(1 if letter in "JA" else int(letter)):
        longer = []
        for walk in walks:
            for way in STEP:
                there = step(position, walk[-1], way)
                if there is not None and position.cards[there] != "." and there not in walk:
                    longer.append([*walk, there])
        walks = longer
    return {walk[-1] for walk in walks} - {position.pawns[1 - position.to_move]}


def moves(position: NaiveShift) -> list[Move]:
    return [(end, letter) for end in sorted(ends(position)) for letter in STEP]


def play(position: NaiveShift, move: Move) -> NaiveShift:
    end, letter = move
    down, right = STEP[letter]

    def moved(place: Place) -> Place:
        if (place[1] != end[1]) if down else (place[0] != end[0]):
            return place
        there = (place[0] + down, place[1] + right)
        return (there[0] % 4, there[1] % 4) if position.reading == "shift-rotate" else there

    start = position.pawns[position.to_move]
    cards = {moved(place): "." if place == start else card for place, card in position.cards.items()}
    pawns = [moved(place) for place in position.pawns]
    pawns[position.to_move] = moved(end)
    return NaiveShift(cards, (pawns[0], pawns[1]), 1 - position.to_move, position.reading)


def score(position: NaiveShift, known: dict[Any, int] | None = None) -> int:
    """Cards left face up, negative if blue wins; it remembers what it has seen, and cuts nothing."""
    known = {} if known is None else known
    key = write(position)
    if key not in known:
        scores = [score(play(position, move), known) for move in moves(position)]
        left = sum(card != "." for card in position.cards.values())
        if not scores:
            known[key] = -left if position.to_move == 0 else left
        else:
            known[key] = max(scores) if position.to_move == 0 else min(scores)
    return known[key]
