"""The rules once more, written from the rule sheet alone: no code of the package, coordinates and no cells.

A position is a dict from (row, column) to a card's number, the two pawns' places, and the players by number.
What the package's own definition and its fast solvers say is compared with this. The two rules that public
programs get wrong can be switched off, to show which positions depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[int, int]


@dataclass(frozen=True)
class Naive:
    cards: dict[Place, str]
    pawns: tuple[Place, Place]
    to_move: int
    rules: str = "standard"
    pass_through: bool = True  # a pawn may walk through the other pawn
    no_return: bool = True  # no card twice, not even the start card


def read(text: str) -> Naive:
    rows, side, *rules = text.split()
    cards: dict[Place, str] = {}
    pawns: dict[str, Place] = {}
    for r, row in enumerate(rows.split("/")):
        c = -1
        for letter in row:
            if letter in "rb":
                pawns[letter] = (r, c)
            else:
                c += 1
                if letter != ".":
                    cards[r, c] = letter
    return Naive(cards, (pawns["r"], pawns["b"]), "rb".index(side), rules[0] if rules else "standard")


def ends(position: Naive) -> set[Place]:
    start = position.pawns[position.to_move]
    other = position.pawns[1 - position.to_move]
    letter = position.cards[start]
    if letter == "J":
        if position.rules == "choice":  # the jack has collapsed, the pawn is put down anywhere
            return set(position.cards) - {start, other}
        counts = {"standard": [1], "joker": [1, 2, 3, 4]}[position.rules]
    else:
        counts = [1 if letter == "A" else int(letter)]
    found: set[Place] = set()
    for count in counts:
        walks = [[start]]
        for _ in range(count):
            longer = []
            for walk in walks:
                r, c = walk[-1]
                for there in [((r + 1) % 4, c), ((r - 1) % 4, c), (r, (c + 1) % 4), (r, (c - 1) % 4)]:
                    if there not in position.cards:
                        continue
                    if position.no_return and there in walk:
                        continue
                    if not position.pass_through and there == other:
                        continue
                    longer.append([*walk, there])
            walks = longer
        found.update(walk[-1] for walk in walks)
    return found - {start, other}


def play(position: Naive, end: Place) -> Naive:
    start = position.pawns[position.to_move]
    cards = {place: card for place, card in position.cards.items() if place != start}
    pawns = (end, position.pawns[1]) if position.to_move == 0 else (position.pawns[0], end)
    return Naive(
        cards, pawns, 1 - position.to_move, position.rules, position.pass_through, position.no_return
    )


def score(position: Naive) -> int:
    """Cards left face up, negative if blue wins; no memory, no cuts."""
    scores = [score(play(position, end)) for end in ends(position)]
    if not scores:
        return -len(position.cards) if position.to_move == 0 else len(position.cards)
    return max(scores) if position.to_move == 0 else min(scores)


def count_games(position: Naive) -> int:
    return sum(count_games(play(position, end)) for end in ends(position)) or 1
